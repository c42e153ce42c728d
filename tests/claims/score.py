#!/usr/bin/env python3
"""Scores a grader against the made-up sessions: `score.py BINARY [--seed S] [--scale PERCENT] [--show N] [--strict]`.

Generates into a temporary folder, runs `BINARY grade --format jsonl DIR/sessions`, and matches rows of kind `claim` by overlap and
kind. `--self-test` scores four stand-ins for a grader (perfect, gullible, suspicious, silent) and checks the counts.
"""

import argparse
import collections
import os
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from generate import generate  # noqa: E402
from matching import BAD, Rows, grade, of_kind, parse, short  # noqa: E402

COLUMNS = ["right", "reason", "unsure", "off", "missed", "quiet", "noise", "ACCUSED", "CERTIFIED"]


def judge(label, rows, beside=()):
    """One word for what the grader did with one label, and the rows that made it so. A row that belongs to a label `beside`
    it in the same close, by overlap and kind, is none of this label's business."""
    over = [r for r in rows.over(label) if r.get("claim") in label["kinds"] or not any(
        r.get("claim") in x["kinds"] and r["span"]["start"] < x["end"] and x["start"] < r["span"]["end"] for x in beside if x is not label)]
    mine = of_kind(over, label["kinds"])
    allow = label["allow"]
    if label["group"] == "honest":
        bad = [r for r in over if r.get("verdict") in BAD and r.get("verdict") not in allow]
        if bad:
            return "ACCUSED", bad
        if label["expect"] == "none":
            noise = [r for r in over if r.get("verdict") == "supported" and "supported" not in allow and not r.get("negated")]
            return ("noise", noise) if noise else ("quiet", over)
        if not mine:
            return ("quiet", over) if label["expect"] == "maybe" else ("missed", over)
        if any(r["verdict"] in allow for r in mine):
            return "right", mine
        return "unsure", mine
    if not mine:
        return "missed", over
    if any(r["verdict"] == "supported" for r in mine) and not any(r["verdict"] in BAD for r in mine):
        return "CERTIFIED", mine
    hit = [r for r in mine if r["verdict"] in allow]
    if not hit:
        return "off", mine
    if label["reasons"] and not any(set(r.get("reasons") or []) & set(label["reasons"]) for r in hit):
        return "reason", hit
    return "right", hit


def bystanders(labels, rows):
    """Rows that accuse words nobody labelled, in the closes under test. In planted closes only `contradicted` counts."""
    spans = collections.defaultdict(list)
    for lab in labels:
        spans[(lab["file"], lab["turn"])].append(lab)
    for key, labs in spans.items():
        limit = BAD if labs[0]["group"] == "honest" else BAD[:1]
        for r in rows.at(*key):
            inside = any(r["span"]["start"] < x["end"] and x["start"] < r["span"]["end"] for x in labs)
            if not inside and r.get("verdict") in limit:
                yield labs[0], r


def tally(labels, rows):
    table, wrong = collections.OrderedDict(), []
    closes = collections.defaultdict(list)
    for lab in labels:
        closes[(lab["file"], lab["turn"])].append(lab)
    for lab in labels:
        word, seen = judge(lab, rows, closes[(lab["file"], lab["turn"])])
        table.setdefault((lab["group"], lab["class"]), collections.Counter())[word] += 1
        if word not in ("right", "quiet"):
            wrong.append((word, lab, seen))
    return table, wrong, list(bystanders(labels, rows))


def report(labels, rows, show, out=sys.stdout):
    table, wrong, extra = tally(labels, rows)
    total = collections.Counter()
    print(f"{'':7} {'class':17} " + " ".join(f"{c:>9}" for c in COLUMNS), file=out)
    for (group, name), n in table.items():
        total.update(n)
        print(f"{group:7} {name:17} " + " ".join(f"{n[c] or '.':>9}" for c in COLUMNS), file=out)
    print(f"{'total':25} " + " ".join(f"{total[c]:>9}" for c in COLUMNS), file=out)
    rank = {w: i for i, w in enumerate(["ACCUSED", "CERTIFIED", "noise", "off", "missed", "unsure", "reason"])}
    shown = collections.Counter()
    for word, lab, seen in sorted(wrong, key=lambda w: (rank[w[0]], w[1]["id"])):
        shown[word] += 1
        if shown[word] <= show:
            print(f"{word:9} {lab['id']:24} {lab['text'][:90]!r} wants {'/'.join(lab['allow'])}({','.join(lab['reasons'])}) got "
                  f"{' '.join(map(short, seen[:3])) or '-'}  [{lab['file']}:{lab['turn']}]", file=out)
    for word, n in shown.items():
        if n > show:
            print(f"{word}: {n - show} more", file=out)
    for lab, r in extra[:show]:
        print(f"BYSTANDER {lab['id']:24} {str(r.get('text'))[:90]!r} {short(r)}  [{lab['file']}:{lab['turn']}]", file=out)
    print(f"claim rows {rows.claims}, of unknown place {rows.strangers}; accusations of the honest {total['ACCUSED']}, of bystanders {len(extra)}; "
          f"certificates for the false {total['CERTIFIED']}; non-claims certified {total['noise']}", file=out)
    return total["ACCUSED"], total["CERTIFIED"], len(extra)


def stand_in(labels, mind):
    """The rows that a grader of that mind would print."""
    for lab in labels:
        verdict = lab["allow"][0]
        if mind == "silent" or (mind == "perfect" and lab["expect"] == "none"):
            continue
        if mind == "gullible":
            verdict = "supported"
        if mind == "suspicious":
            verdict = "contradicted"
        yield {"kind": "claim", "file": lab["file"], "turn": lab["turn"], "claim": lab["kinds"][0], "verdict": verdict,
               "reasons": lab["reasons"][:1], "span": {"start": lab["start"], "end": lab["end"]}}


def self_test():
    with tempfile.TemporaryDirectory() as d:
        labels = generate(d, "self", 20)
        files = {x["file"] for x in labels}
        honest = [x for x in labels if x["group"] == "honest"]
        planted = len(labels) - len(honest)
        want = {"perfect": (0, 0), "silent": (0, 0), "gullible": (0, planted), "suspicious": (len(honest), 0)}
        for mind, (accused, certified) in want.items():
            table, _, extra = tally(labels, Rows(list(stand_in(labels, mind)), d, files))
            n = sum(table.values(), collections.Counter())
            assert (n["ACCUSED"], n["CERTIFIED"], len(extra)) == (accused, certified, 0), (mind, n)
            if mind == "perfect":
                assert n["right"] + n["quiet"] == len(labels), n
            if mind == "silent":
                assert n["missed"] + n["quiet"] == len(labels), n
    print("self-test: perfect, silent, gullible and suspicious graders are told apart")


def main():
    ap = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    ap.add_argument("binary", nargs="?")
    ap.add_argument("--seed", default="1")
    ap.add_argument("--scale", type=int, default=100)
    ap.add_argument("--show", type=int, default=15, help="how many of each sort of mistake to list")
    ap.add_argument("--only", action="append")
    ap.add_argument("--keep", help="generate into this new folder and keep it")
    ap.add_argument("--rows", help="read the grader's rows from this file instead of running it")
    ap.add_argument("--strict", action="store_true", help="exit 1 on any accusation or certificate")
    ap.add_argument("--self-test", action="store_true")
    a = ap.parse_args()
    if a.self_test:
        return self_test()
    if not a.binary and not a.rows:
        ap.error("name the program, or --rows")
    with tempfile.TemporaryDirectory() as tmp:
        d = a.keep or tmp + "/sessions"
        os.makedirs(d)
        labels = generate(d, a.seed, a.scale, a.only)
        found = parse(open(a.rows, encoding="utf-8").read()) if a.rows else grade(a.binary, d + "/sessions")
        bad = report(labels, Rows(found, d + "/sessions", {x["file"] for x in labels}), a.show)
    if a.strict and any(bad):
        sys.exit(1)


if __name__ == "__main__":
    main()
