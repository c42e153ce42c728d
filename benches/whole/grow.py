#!/usr/bin/env python3
"""Measures whether the claim rules stay linear where one session grows.

    cargo build --release
    python3 benches/whole/grow.py target/release/deedcheck

Sessions are made at 1, 2 and 4 times a size, in a folder that is removed afterwards, and graded on one
thread with all rules and without the claim rules. A shape that is linear takes twice the user time at
twice the size. The shapes:

    claims   one close of so many statements over as many steps
    quotes   one close of so many quotations over long outputs
    counts   one close of so many counts over the same
    turns    so many turns, each with a few steps and statements of its own
    steps    one close of 40 statements over small steps, 20 MB at the largest
    output   one close of 40 statements over one long output
"""

import argparse
import json
import sys
import tempfile
from pathlib import Path

from run import best, machine

CWD = "/home/u/project"
CHECKS = ["All tests pass.", "The build is green.", "Clippy reports no warnings.", "I ran the suite twice."]


class Session:
    """Lines of one session, as the client stores them."""

    def __init__(self):
        self.lines: list[str] = []
        self.calls = 0

    def put(self, kind: str, content):
        number = len(self.lines)
        message = {"role": kind, "content": content}
        if kind == "assistant":
            message |= {"id": f"msg_{number:012}", "model": "m", "type": "message"}
        record = {
            "type": kind, "uuid": f"u-{number:012}", "parentUuid": f"u-{number - 1:012}" if number else None,
            "sessionId": "5e551017-0000-4000-8000-000000000000", "cwd": CWD, "version": "2.0.0",
            "timestamp": "2026-01-01T00:00:00.000Z", "message": message,
        }
        self.lines.append(json.dumps(record))

    def step(self, tool: str, given: dict, answer: str):
        self.calls += 1
        name = f"toolu_{self.calls:020}"
        self.put("assistant", [{"type": "tool_use", "id": name, "name": tool, "input": given}])
        self.put("user", [{"type": "tool_result", "tool_use_id": name, "content": answer}])

    def edit(self, number: int):
        path = f"{CWD}/src/part_{number}.rs"
        old, new = f"fn old_{number}() {{}}", f"fn handle_item_{number}(queue: Queue) {{}}"
        self.step("Edit", {"file_path": path, "old_string": old, "new_string": new}, f"The file {path} has been updated.")

    def run(self, number: int):
        self.step("Bash", {"command": "cargo test"}, f"running {number} tests\ntest result: ok. {number} passed; 0 failed; 0 ignored")

    def close(self, words: list[str]):
        self.put("assistant", [{"type": "text", "text": "\n".join(f"- {line}" for line in words)}])

    def written(self, path: Path):
        path.write_text("\n".join(self.lines) + "\n")


def statement(number: int) -> str:
    return [
        f"Updated `src/part_{number}.rs` so that `handle_item_{number}` takes the queue.",
        f"Added `handle_item_{number}` to the parser of the queue.",
        CHECKS[number // 4 % len(CHECKS)],
        f"{number} tests passed.",
    ][number % 4]


def prose(number: int, size: int) -> str:
    words = [f"entry{number * 31 + at} took {at % 97} ms in lane_{at % 13}" for at in range(size // 30)]
    return "\n".join(words)


def claims(session: Session, size: int):
    session.put("user", "Go on.")
    for number in range(size):
        session.edit(number) if number % 4 else session.run(number + 1)
    session.close([statement(number) for number in range(size)])


def reports(session: Session):
    session.put("user", "Look at it.")
    for number in range(64):
        session.step("Bash", {"command": f"./report {number}"}, prose(number, 16_000))


def quotes(session: Session, size: int):
    reports(session)
    session.close([f'It printed "entry{number} took {number % 89} ms in lane".' for number in range(size)])


def counts(session: Session, size: int):
    reports(session)
    session.close([f"Found {number + 10} entries in lane {number}." for number in range(size)])


def turns(session: Session, size: int):
    for number in range(size):
        session.put("user", f"Part {number}, please.")
        session.edit(number)
        session.run(number + 1)
        session.close([statement(number * 4 + kind) for kind in range(4)])


def steps(session: Session, size: int):
    session.put("user", "Go on.")
    for number in range(size * 4):
        if number % 3:
            session.step("Read", {"file_path": f"{CWD}/src/part_{number}.rs"}, prose(number, 300))
        else:
            session.edit(number)
    session.run(12)
    session.close([statement(number * 3) for number in range(40)])


def output(session: Session, size: int):
    session.put("user", "Go on.")
    session.step("Bash", {"command": "./report"}, prose(0, size * 2_000))
    session.run(12)
    session.close([statement(number) for number in range(20)]
                  + [f'It printed "entry{number} took {number} ms".' for number in range(20)])


SHAPES = {"claims": claims, "quotes": quotes, "counts": counts, "turns": turns, "steps": steps, "output": output}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("--size", type=int, default=1000, help="the smallest size (default 1000)")
    parser.add_argument("--best", type=int, default=3)
    parser.add_argument("--write", type=Path, default=Path(__file__).with_name("GROWTH.md"))
    args = parser.parse_args()
    binary = str(Path(args.binary).resolve())
    out = ["# How time grows with a session", "", f"Machine: {machine()}. Best of {args.best}, one thread, user seconds.", "",
           "| shape | size | MB | without claim rules | all rules | all rules against half the size |",
           "|---|---:|---:|---:|---:|---:|"]
    for name, shape in SHAPES.items():
        before = None
        for factor in (1, 2, 4):
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / "session.jsonl"
                session = Session()
                shape(session, args.size * factor)
                session.written(path)
                size = path.stat().st_size
                argv = [binary, "grade", "--quiet", "--fail-on", "never", "--jobs", "1"]
                bare = best([*argv, "--rules", "gate,integrity", folder], args.best)[1]
                full = best([*argv, folder], args.best)[1]
            growth = f"{full / before:.1f}" if before else "–"
            out.append(f"| {name} | {args.size * factor} | {size / 1e6:.1f} | {bare:.2f} | {full:.2f} | {growth} |")
            before = full
    text = "\n".join(out) + "\n"
    print(text)
    args.write.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
