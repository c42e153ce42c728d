#!/usr/bin/env python3
"""Draws claim rows for a person to read: `sample.py ROWS VERDICT N [--seed S] [--kind K] [--unmarked LABELS]`.

ROWS is what `deedcheck grade --format jsonl` printed. Prints one line a row: file, turn, kind, verdict, reasons, words, and the
evidence with its lines. The order depends on the seed and the rows alone. With `--unmarked`, only rows of labelled closes that no
reader marked are drawn (of any verdict, where VERDICT is `any`).
"""

import argparse
import hashlib
import json


def weight(seed, row):
    place = (row["file"], row["session"], row["turn"], row.get("where"), row["claim"], row["span"]["start"])
    return hashlib.sha256(repr((seed, place)).encode()).hexdigest()


def marked(path):
    """Close digest -> spans that a reader marked."""
    spans = {}
    for line in open(path, encoding="utf-8"):
        turn = json.loads(line)
        key = hashlib.sha256(turn["close"].encode()).hexdigest()
        spans[key] = [(claim["start"], claim["end"]) for claim in turn["claims"]]
    return spans


def drawn(rows, args):
    closes = {}
    claims = []
    for row in rows:
        if row["kind"] == "turn" and row["close"]:
            closes[(row["file"], row["session"], row["turn"])] = row["close"]["sha256"]
        elif row["kind"] == "claim":
            claims.append(row)
    spans = marked(args.unmarked) if args.unmarked else None

    def wanted(row):
        if args.verdict not in ("any", row["verdict"]) or args.kind not in (None, row["claim"]):
            return False
        if spans is None:
            return True
        own = spans.get(closes.get((row["file"], row["session"], row["turn"])))
        start, end = row["span"]["start"], row["span"]["end"]
        return own is not None and row.get("where") == "close" and not any(a < end and start < b for a, b in own)

    kept = sorted(filter(wanted, claims), key=lambda row: weight(args.seed, row))
    return kept[: args.n] if args.n else kept


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rows")
    parser.add_argument("verdict")
    parser.add_argument("n", type=int, help="0 for all of them")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--kind")
    parser.add_argument("--unmarked", metavar="LABELS")
    args = parser.parse_args()
    with open(args.rows, encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    for number, row in enumerate(drawn(rows, args), 1):
        print(f"{number}. {row['file']}:{row['turn']} (line {row['lines'][0]}, {row.get('where')}) {row['claim']}"
              f"{' negated' if row['negated'] else ''}: {row['verdict']}({' '.join(row['reasons'])})")
        print(f"   {row['text']!r}")
        for one in row["evidence"]:
            print(f"   line {one['line']}: {one['what']}")


if __name__ == "__main__":
    main()
