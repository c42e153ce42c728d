#!/usr/bin/env python3
"""Checks the edge cases themselves; with --run BINARY also what a deedcheck binary makes of them.

The matching that README.md describes is `matches` and `verdict` below. Needs Python 3.9 and, for the
zstd inputs, the `zstd` program.
"""
import gzip
import hashlib
import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
EDGES = range(1, 98)
KEYS = ["edge", "what", "rows", "absent", "count"]
ROW_KEYS = {
    "session": "schema kind file session client client_version agent format status verdict reasons counts opaque_types quarantine",
    "turn": "schema kind file session agent turn lines ended operator close steps gate status verdict reasons",
    "claim": "schema kind file turn claim verdict text where",
}
OUTCOMES = set("ok failed denied invalid interrupted running missing unknown".split())
ENDED = set("closed interrupted api-error limit no-close running".split())


def matches(want, got):
    """Subset match: objects key by key, null also against a missing key, arrays position by position."""
    if isinstance(want, dict):
        return isinstance(got, dict) and all(matches(v, got.get(k)) for k, v in want.items())
    if isinstance(want, list):
        return isinstance(got, list) and len(want) == len(got) and all(map(matches, want, got))
    return type(want) is type(got) and want == got


def verdict(expect, rows):
    """All complaints about the output `rows`; the order of rows is held to within one kind of one file."""
    bad, last = [], {}
    for want in expect["rows"]:
        place = (want["kind"], want.get("file"))
        hit = next((i for i in range(last.get(place, 0), len(rows)) if matches(want, rows[i])), None)
        if hit is None:
            bad.append("no row matches " + json.dumps(want, ensure_ascii=False))
        elif "file" in want:
            last[place] = hit + 1
    for unwanted in expect["absent"]:
        bad += ["unwanted row for " + json.dumps(unwanted, ensure_ascii=False) for r in rows if matches(unwanted, r)][:1]
    for kind, n in expect["count"].items():
        seen = sum(r["kind"] == kind for r in rows)
        if seen != n:
            bad.append(f"{seen} {kind} rows, not {n}")
    return bad


def plain(path):
    """The file's bytes, decompressed where its first bytes say so."""
    data = path.read_bytes()
    if data[:4] == b"\x28\xb5\x2f\xfd":
        return subprocess.run(["zstd", "-dqc"], input=data, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    return gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data


def texts(line):
    """Every string called `text`, `content`, `message` or `result` in the records of one line, and all of them per array."""
    found, decoder = [], json.JSONDecoder()

    def walk(v):
        if isinstance(v, dict):
            for k, w in v.items():
                if isinstance(w, str) and k in ("text", "content", "message", "result"):
                    found.append(w)
                walk(w)
        elif isinstance(v, list):
            for w in v:
                walk(w)

    text = line.decode("utf-8", "replace").strip("\ufeff\r\n \t")
    while text:
        value, end = decoder.raw_decode(text)
        walk(value)
        text = text[end:].lstrip()
    return ["".join("\ufffd" if 0xD800 <= ord(c) < 0xE000 else c for c in t) for t in found]


def objects(data):
    """How many JSON objects stand on the lines of `data`, lines that do not parse left out."""
    seen, decoder = 0, json.JSONDecoder(parse_constant=lambda name: int(name))
    for line in data.decode("utf-8", "replace").lstrip("\ufeff").split("\n"):
        text, here = line.strip("\r \t"), 0
        try:
            while text:
                value, end = decoder.raw_decode(text)
                here += isinstance(value, dict)
                text = text[end:].lstrip()
        except (ValueError, RecursionError):
            continue
        seen += here
    return seen


def lint_row(where, row, inputs):
    """Complaints about one expected row: unknown keys and words, lines and digests that the input does not bear out."""
    bad = []
    allowed = ROW_KEYS.get(row.get("kind"), " ".join(ROW_KEYS.values())).split()
    bad += [f"{where}: unknown key {k}" for k in row if k not in allowed]
    bad += [f"{where}: unknown outcome {s['outcome']}" for s in row.get("steps") or [] if s.get("outcome", "ok") not in OUTCOMES]
    if row.get("ended", "closed") not in ENDED:
        bad.append(f"{where}: unknown ending {row['ended']}")
    name = row.get("file")
    if name is None:
        return bad
    if name not in inputs:
        return bad + [f"{where}: no such input {name}"]
    lines = plain(inputs[name]).split(b"\n")
    records = row.get("counts", {}).get("records")
    if records not in (None, objects(b"\n".join(lines))):
        bad.append(f"{where}: not {records} records")
    for part in ("operator", "close"):
        spot = row.get(part) or {}
        if "line" not in spot:
            continue
        line = lines[spot["line"] - 1]
        human = (b'"user"' in line or b'"UserMessage"' in line) and b'"assistant"' not in line
        if human != (part == "operator") and b"}{" not in line:
            bad.append(f"{where}: line {spot['line']} is not the {part}")
        if "sha256" in spot and spot["sha256"] not in {hashlib.sha256(t.encode()).hexdigest() for t in texts(line)}:
            bad.append(f"{where}: no text of line {spot['line']} has that digest")
    for q in row.get("quarantine", []):
        if q["line"] > len(lines):
            bad.append(f"{where}: no line {q['line']}")
        if "start" in q and b"\n".join(lines)[q["start"] : q["end"]] != lines[q["line"] - 1]:
            bad.append(f"{where}: byte range is not line {q['line']}")
    return bad


def byte_checks():
    """The inputs whose point is a byte are what their folder's name says."""

    def one(folder):
        return next(p for p in (HERE / folder / "in").rglob("*") if p.is_file()).read_bytes()

    base = one("00a-bytes-lf")
    yield "00a", base.count(b"\n") == 6 and b"\r" not in base
    yield "00b", one("00b-bytes-crlf") == base.replace(b"\n", b"\r\n")
    yield "00c", one("00c-bytes-bom") == b"\xef\xbb\xbf" + base
    yield "00d", b"\n".join(l for l in one("00d-bytes-blank").split(b"\n") if l.strip()) + b"\n" == base
    yield "00e", one("00e-bytes-no-newline") == base[:-1]
    yield "01a", not one("01a-torn-last-prompt").endswith(b"\n")
    yield "03a", b"}{" in one("03a-glued-records")
    yield "07a", b"\\ud83d." in one("07a-lone-high-surrogate")
    yield "08", one("08-raw-line-separators").count("\u2028".encode()) == 2
    yield "09", b"\\u0000" in one("09-escaped-nul")
    yield "12", one("12-latin-1-bytes").count(b"\xe9") >= 2
    yield "17b", one("17b-zstd-plain-name")[:4] == b"\x28\xb5\x2f\xfd"
    yield "17c", one("17c-gzip")[:2] == b"\x1f\x8b"
    yield "20a", one("20a-empty-file") == b""


def main():
    bad, covered, cases = [], set(), 0
    readme = (HERE / "README.md").read_text(encoding="utf-8")
    binary = sys.argv[2] if len(sys.argv) == 3 and sys.argv[1] == "--run" else None
    failed = 0
    for folder in sorted(p for p in HERE.iterdir() if p.is_dir() and p.name[:1].isdigit()):
        cases += 1
        number = int(folder.name[:2])
        covered.add(number)
        if f"`{folder.name}`" not in readme:
            bad.append(f"{folder.name}: not in the index")
        if not (folder / "in").is_dir():
            bad += [] if (folder / "note.md").is_file() else [f"{folder.name}: neither input nor note"]
            continue
        expect = json.loads((folder / "expect.json").read_text(encoding="utf-8"))
        covered.add(expect["edge"])
        if list(expect) != KEYS or not expect["what"] or not (expect["rows"] or expect["absent"]):
            bad.append(f"{folder.name}: wrong shape")
        if number and expect["edge"] != number:
            bad.append(f"{folder.name}: edge {expect['edge']}")
        inputs = {"in/" + p.relative_to(folder / "in").as_posix(): p for p in (folder / "in").rglob("*") if p.is_file()}
        for part in ("rows", "absent"):
            for i, row in enumerate(expect[part]):
                bad += lint_row(f"{folder.name} {part}[{i}]", row, inputs)
        if binary:
            run = subprocess.run([binary, "grade", "--format", "jsonl", str(folder / "in")], stdout=subprocess.PIPE)
            complaints = verdict(expect, [json.loads(l) for l in run.stdout.split(b"\n") if l.strip()])
            failed += bool(complaints)
            print(f"{folder.name}: " + ("ok" if not complaints else "; ".join(complaints)))
    bad += [f"edge {n}: not covered" for n in EDGES if n not in covered]
    bad += [f"{name}: the bytes are not as described" for name, good in byte_checks() if not good]
    print("\n".join(bad) if bad else f"{cases} folders, edges 1 to 97 covered, all sound")
    if binary:
        print(f"{failed} of the runs differ")
    return 1 if bad or failed else 0


if __name__ == "__main__":
    sys.exit(main())
