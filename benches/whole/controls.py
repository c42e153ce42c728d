#!/usr/bin/env python3
"""Measures what the planted controls cost, which run with every grade.

    cargo build --release
    python3 benches/whole/controls.py target/release/deedcheck

`controls` does with them what a grade does and nothing else: it reads all that are built in and runs each once. What it takes
longer than `--version` is their own cost. The commands take turns, so that a busy moment spoils no one of them; beside the best
time stands the median, and the user time of all threads.
"""

import argparse
import json
import statistics
import subprocess
import sys
from pathlib import Path

from run import machine, measured

AIM = 50
FAMILIES = ("gate", "claim", "integrity", "oracle", "canary", "page")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("--times", type=int, default=40)
    parser.add_argument("--write", type=Path, default=Path(__file__).with_name("CONTROLS.md"))
    args = parser.parse_args()
    binary = str(Path(args.binary).resolve())
    told = json.loads(subprocess.run([binary, "controls", "--format", "json"], check=True, capture_output=True).stdout)
    counts = {name: tally["planted"] for name, tally in told["classes"].items()}
    commands = {"`--version`": ["--version"], "`controls`": ["controls", "--format", "json"],
                "`controls --jobs 1`": ["controls", "--format", "json", "--jobs", "1"],
                "`grade --demo`": ["grade", "--demo", "--format", "json"]}
    for family in FAMILIES:
        commands[f"`controls --family {family}`"] = ["controls", "--format", "json", "--family", family]
    runs = {name: [] for name in commands}
    for _ in range(args.times):
        for name, argv in commands.items():
            runs[name].append(measured([binary, *argv]))
    best = {name: min(wall for wall, _, _ in own) * 1000 for name, own in runs.items()}
    middle = {name: statistics.median(wall for wall, _, _ in own) * 1000 for name, own in runs.items()}
    user = {name: min(user for _, user, _ in own) * 1000 for name, own in runs.items()}
    start = "`--version`"
    cost, usual = best["`controls`"] - best[start], middle["`controls`"] - middle[start]
    out = ["# What the controls of every grade cost", "",
           f"Made by `python3 benches/whole/controls.py BINARY`. Machine: {machine()}. Each command ran {args.times} times, by turns.",
           f"Controls: {sum(counts.values())}, {', '.join(f'{name} {count}' for name, count in counts.items())}.", "",
           "| command | best ms | median ms | user ms |", "|---|---:|---:|---:|"]
    out += [f"| {name} | {best[name]:.1f} | {middle[name]:.1f} | {user[name]:.0f} |" for name in commands]
    out += ["", f"The controls' own cost, `controls` without `--version`: {cost:.1f} ms at best, {usual:.1f} ms in the middle. Aimed at: "
            f"{AIM} ms. A family alone still reads the files of all.", ""]
    text = "\n".join(out)
    print(text)
    args.write.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
