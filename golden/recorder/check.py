#!/usr/bin/env python3
"""Checks the golden files as they stand: every line parses, nothing leaked, and each call has a reading.

    check.py [DIR]        (default: the golden directory)
"""
import json
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
LIMIT = 3_000_000
DEMO_LIMIT = 60_000
OUTCOMES = re.compile(r"ok|failed(\(\d+\))?|denied|invalid|interrupted|running|masked")
ENDS = {"closed", "interrupted", "api-error", "limit", "no-close", "running"}
# Ids that the recorder does not hand out, and places that no recording should name.
FOREIGN = [
    (re.compile(r"/var/tmp/|/tmp/(?!claude-1000/)|/root/|/home/(?!dev\b)"), "a path of the recording machine"),
    (re.compile(r"127\.0\.0\.1|localhost"), "an address of the recording machine"),
    (re.compile(r"(?<![a-z])sk-[A-Za-z0-9]{8}|ghp_|Bearer [A-Za-z0-9]"), "something like a secret"),
    (re.compile(r"20\d\d-(?!0[123]-)\d\d-\d\d(?!\d)"), "a date outside of the golden calendar"),
]


def calls_in(path):
    """The ids of the calls that a transcript holds, whatever its format."""
    found = set()
    for line in path.read_text(encoding="utf-8").split("\n"):
        for ident in re.findall(r'"type":"tool_use","id":"([^"]+)"|"call_id":"([^"]+)"', line):
            found |= set(filter(None, ident))
    return found


def read_calls(calls):
    for call in calls:
        yield call
        yield from read_calls(call.get("agent", {}).get("calls", ()))


def check_case(folder, complain):
    case = json.loads((folder / "case.json").read_text(encoding="utf-8"))
    known, texts = set(), {}
    for entry in case["files"]:
        path = folder / entry["path"]
        texts[entry["path"]] = lines = path.read_text(encoding="utf-8").removesuffix("\n").split("\n")
        if len(lines) != entry["lines"]:
            complain(path, f"{len(lines)} lines, case.json says {entry['lines']}")
        for number, line in enumerate(lines, 1):
            try:
                json.loads(line)
            except ValueError as error:
                complain(path, f"line {number}: {error}")
            for pattern, what in FOREIGN:
                if match := pattern.search(line):
                    complain(path, f"line {number}: {what}: {match.group(0)}")
        known |= calls_in(path)
    on_disk = {str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file()} - {"case.json"}
    if on_disk != set(texts):
        complain(folder, f"files and case.json differ: {sorted(on_disk ^ set(texts))}")
    read = set()
    for turn in case["turns"]:
        if turn["end"] not in ENDS or (turn["end"] == "closed") != (turn["close"] is not None):
            complain(folder, f"turn {turn['turn']}: end {turn['end']} and its close do not fit")
        for call in read_calls(turn["calls"]):
            read.add(call["id"])
            if not OUTCOMES.fullmatch(call["outcome"]):
                complain(folder, f"{call['id']}: unknown outcome {call['outcome']}")
            for place in call["lines"]:
                for number in place["lines"]:
                    if call["id"] not in texts[place["file"]][number - 1]:
                        complain(folder, f"{call['id']} is not in line {number} of {place['file']}")
    if read != known:
        complain(folder, f"calls without a reading, or the reverse: {sorted(read ^ known)}")


def main():
    root = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else HERE.parent
    complaints = []
    folders = sorted(p.parent for p in root.rglob("case.json"))
    for folder in folders:
        check_case(folder, lambda path, what: complaints.append(f"{path.relative_to(root)}: {what}"))
    size = sum(p.stat().st_size for p in root.rglob("*") if p.is_file() and "__pycache__" not in p.parts)
    demo = sum(p.stat().st_size for p in (root / "demo").rglob("*") if p.is_file())
    if size > LIMIT or demo > DEMO_LIMIT:
        complaints.append(f"too large: {size} bytes, {demo} of them in the demo")
    print("\n".join(complaints))
    print(f"{len(folders)} cases, {size} bytes, {demo} in the demo: {len(complaints)} complaints")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
