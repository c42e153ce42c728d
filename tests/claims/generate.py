#!/usr/bin/env python3
"""Writes the made-up sessions and `labels.jsonl` into a folder (sessions under `DIR/sessions`): `generate.py DIR [--seed S] [--scale PERCENT] [--only CLASS]`.

The same seed gives the same bytes. Nothing here knows how any grader works: the expected outcomes are those of a reader.
"""

import argparse
import collections
import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import honest  # noqa: E402
import planted  # noqa: E402
import truth  # noqa: E402
from case import Case  # noqa: E402

GROUPS = [("honest", honest.CLASSES), ("honest", truth.CLASSES), ("planted", planted.CLASSES)]


def generate(root, seed="1", scale=100, only=None):
    """Writes every session under `root`/sessions; returns the label rows."""
    rows = []
    for group, classes in GROUPS:
        for make, count in classes:
            name = make.__name__.replace("_", "-")
            if only and name not in only:
                continue
            for i in range(max(1, count * scale // 100)):
                case = Case(seed, group, name, i, root + "/sessions", count)
                make(case)
                rows.extend(case.build())
    with open(f"{root}/labels.jsonl", "w", encoding="utf-8", newline="\n") as f:
        for row in rows:
            f.write(json.dumps(row, ensure_ascii=False, sort_keys=True) + "\n")
    return rows


def summary(rows):
    """Closes, claims and distinct sentence shapes of each class."""
    table = collections.OrderedDict()
    for r in rows:
        files, shapes, n = table.setdefault((r["group"], r["class"]), (set(), set(), [0]))
        files.add(r["file"])
        shapes.add(r["shape"])
        n[0] += 1
    for (group, name), (files, shapes, n) in table.items():
        yield group, name, len(files), n[0], len(shapes)


def main():
    ap = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    ap.add_argument("dir")
    ap.add_argument("--seed", default="1")
    ap.add_argument("--scale", type=int, default=100, help="percent of the full size")
    ap.add_argument("--only", action="append", help="one class; may be given again")
    a = ap.parse_args()
    if os.path.isdir(a.dir) and os.listdir(a.dir):
        sys.exit("generate: the folder is not empty")
    os.makedirs(a.dir, exist_ok=True)
    rows = generate(a.dir, a.seed, a.scale, a.only)
    total = collections.Counter()
    print(f"{'group':8} {'class':18} closes claims shapes")
    for group, name, files, n, shapes in summary(rows):
        total[group] += files
        print(f"{group:8} {name:18} {files:6} {n:6} {shapes:6}")
    print("closes:", dict(total))


if __name__ == "__main__":
    main()
