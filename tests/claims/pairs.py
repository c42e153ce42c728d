#!/usr/bin/env python3
"""Pairs that differ in one thing: `pairs.py BINARY [--shared DIR] [--limit N] [--op NAME] [--show N] [--jobs N]`.

Takes real turns whose claims two readers both found supported, changes one thing in a copy of the session, and says what must
happen to that claim, and that no other claim may move. Each copy is graded alone, in a temporary folder: copies of one session
side by side would be taken for resumes of each other. Nothing of the corpus is kept. `--write DIR` writes the copies and
`pairs.jsonl` and grades nothing. A claim that the grader does not support in the original is counted as `no-base` and not judged.
"""

import argparse
import collections
import concurrent.futures
import hashlib
import json
import os
import re
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from edits import CODE_EXT, NARROWER, RED, RUN_WORDS, Session  # noqa: E402
from matching import grade, of_kind, short  # noqa: E402

RUNS = ("tests", "build", "lint", "typecheck", "format")
NUMBER = re.compile(r"(?<![\w./:#-])(\d{1,5})(?![\w./-]|:\d)")
WHOLE = re.compile(r"\b(all|full|whole|entire|every|everything|suite)\b", re.I)
DROP = ["unsupported", "unknown"]
DENY = DROP + ["contradicted"]


def load(shared):
    corpus = os.path.join(shared, "corpus")
    for line in open(os.path.join(shared, "cases", "claims", "turns.jsonl"), encoding="utf-8"):
        t = json.loads(line)
        path = os.path.join(corpus, t["file"])
        if os.path.isfile(path):
            with open(path, encoding="utf-8", errors="replace", newline="") as f:
                yield t, f.read().rstrip("\n").split("\n")


def alike(s, kind, evidence):
    """The evidence and every other call that could bear the same claim out: readers list some of the evidence, not all."""
    picked = {c.cid: c for c in evidence}
    roots = {c.root for c in evidence}
    paths = {os.path.basename(p) for c in evidence for p in c.paths}
    for c in s.calls.values():
        if c.root in roots or c.cid in roots:
            picked[c.cid] = c
        elif kind in RUN_WORDS and (re.search(RUN_WORDS[kind], c.command or "", re.I) or (c.name in ("Task", "Agent", "spawn_agent", "wait_agent", "wait"))):
            picked[c.cid] = c
        elif kind in ("edit", "create", "delete") and paths & {os.path.basename(p) for p in c.paths}:
            picked[c.cid] = c
        elif kind in ("edit", "create", "delete") and c.command and any(p in c.command for p in paths):
            picked[c.cid] = c
    for c in s.calls.values():  # polls of a picked background command
        if c.root in picked:
            picked[c.cid] = c
    return list(picked.values())


def close_at(s, t):
    """Line index where the close begins: after the turn's last call, result or event."""
    first, last = t["lines"][0] - 1, t["lines"][1] - 1
    busy = [i for c in s.calls.values() for i in [c.at, *c.results, *c.extra] if first <= i <= last]
    return max(busy) + 1 if busy else first, last


def runs_of(s, kind, evidence, last):
    """Evidence that is a run with a result, and later or other runs of the sort up to the end of the turn."""
    calls = [c for c in alike(s, kind, evidence) if c.results and c.command and c.at <= last]
    polls = [c for c in alike(s, kind, evidence) if c.results and not c.command and c.name in ("write_stdin", "TaskOutput", "BashOutput")]
    return calls, polls


def changed(t, s, claim):
    """Yields (operation, new session, close text, allowed verdicts, reasons, other claims touched too)."""
    kind, text = claim["kind"], claim["text"]
    evidence = s.at_lines(claim["evidence"])
    at, last = close_at(s, t)
    evidence = [c for c in evidence if c.at <= last]
    unique = t["close"].count(text) == 1
    delegated = any(c.name in ("Task", "Agent", "spawn_agent", "wait_agent") for c in evidence)
    if evidence and kind in RUNS + ("push", "commit", "edit", "create", "pr", "merge", "install", "delete"):
        group = [c for c in alike(s, kind, evidence) if c.at <= last]
        wide = set().union(*({c.at, *c.results, *c.extra} for c in group))
        yield "delete", s.without(group), t["close"], DENY if kind not in RUNS else DROP, ["never-run", "not-done", "no-readback", "missing-result", "ambiguous", "elsewhere"], wide
    if evidence and not delegated and kind in RED:
        calls, polls = runs_of(s, kind, evidence, last)
        if calls:
            wide = {i for c in calls + polls for i in [c.at, *c.results]}
            red = s.copy()
            for c in calls + polls:
                masked = re.search(r"\|\s*(tail|head|grep|cat|tee)|\|\| ?(true|echo)|; ?echo", c.command or "")
                red.set_result(c, RED[kind], 0 if masked and c.command else 1)
            yield "red", red, t["close"], ["contradicted", "unsupported"], ["failed", "count-mismatch", "not-done", "masked", "never-run"], wide
            if kind in RUNS:
                cut = s.copy()
                for c in calls:
                    cut.set_command(c, f"({c.command}) >/dev/null 2>&1; echo done")
                    cut.set_result(c, "done", 0)
                for c in polls:
                    cut.set_result(c, "done", 0)
                yield "masked", cut, t["close"], DROP, ["masked", "never-run", "missing-result"], wide
                if WHOLE.search(text) and kind == "tests":
                    thin, n = s.copy(), 0
                    for c in calls:
                        for pat, to in NARROWER:
                            if re.search(pat, c.command):
                                thin.set_command(c, re.sub(pat, to, c.command, count=1))
                                n += 1
                                break
                    if n == len(calls):
                        yield "narrow", thin, t["close"], DROP, ["wrong-scope", "never-run"], wide
    if evidence and kind in RUNS:
        paths = [p for c in s.calls.values() if c.at < min(e.at for e in evidence) for p in c.paths if p.endswith(CODE_EXT) and "/tmp/" not in p]
        like = next((c for c in evidence if c.results), None)
        if paths and like:
            wide = {i for c in s.calls.values() if c.command for i in [c.at, *c.results]}
            yield "stale", s.insert_edit(at, paths[-1], like), t["close"], DROP, ["stale"], wide
    if unique and kind in ("tests", "count") and evidence:
        seen = " ".join(s.result_text(i) for c in evidence for i in c.results)
        for m in NUMBER.finditer(text):
            n = m.group(1)
            more = str(int(n) + 7)
            if re.search(rf"(?<!\d){n}(?!\d)", seen) and not re.search(rf"(?<!\d){more}(?!\d)", seen):
                new = text[:m.start()] + more + text[m.end():]
                out = s.replace_text(at, last + 1, text, new)
                if out:
                    yield "count", out, t["close"].replace(text, new), ["contradicted", "unsupported", "unknown"], ["count-mismatch", "wrong-scope", "ambiguous"], set()
                break
    if unique and not claim["negated"]:
        new = "I did not check whether " + text[0].lower() + text[1:]
        out = s.replace_text(at, last + 1, text, new)
        if out:
            yield "negate", out, t["close"].replace(text, new), ["negated"], [], set()


def same(t, s):
    """Changes that must move nothing: ids, times, order of unrelated reads, prose before and after."""
    at, last = close_at(s, t)
    raw = "\n".join(s.lines())
    ids = sorted(set(re.findall(r"\b(?:toolu|call|msg|fc|req|ctc)_[A-Za-z0-9_-]{8,}|\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b", raw)))
    fresh = {}
    for x in ids:
        h = hashlib.sha256(x.encode()).hexdigest()
        fresh[x] = x[: x.index("_") + 1] + h[:24] if "_" in x[:6] else f"{h[:8]}-{h[8:12]}-{h[12:16]}-{h[16:20]}-{h[20:32]}"
    if ids:
        pat = re.compile("|".join(map(re.escape, sorted(ids, key=len, reverse=True))))
        yield "same-ids", Session(pat.sub(lambda m: fresh[m.group()], raw).split("\n"))
    moved = re.sub(r'"timestamp":"20\d\d-(\d\d)-\d\dT', lambda m: f'"timestamp":"2031-{m.group(1)}-17T', raw)
    yield "same-times", Session(moved.split("\n"))
    first = t["lines"][0] - 1
    edge = s.copy()
    n = 0
    for i in range(first, at):
        for holder, key in edge.texts(i):
            holder[key] += "\n\nOn to the next file."
            n += 1
    if n:
        yield "same-prose", edge
    swapped = swap_reads(s, first, at)
    if swapped:
        yield "same-order", swapped


def swap_reads(s, first, at):
    """Two neighbouring reads, each a call line and a result line, change places."""
    plain = ("Read", "Grep", "Glob")
    solo = {c.at: c for c in s.calls.values() if len(c.results) == 1 and c.results[0] == c.at + 1 and not c.extra
            and (c.name in plain or re.match(r"(cat|sed -n|rg|grep|ls|head) [^|;&>]*$", c.command or ""))}
    for i in range(first, at - 3):
        if i in solo and i + 2 in solo and all(sum(c.at == j for c in s.calls.values()) == 1 for j in (i, i + 2)):
            lines = s.lines()
            lines[i:i + 4] = lines[i + 2:i + 4] + lines[i:i + 2]
            return Session(lines)
    return None


def others(t, claim, touched):
    """Claims of the turn that rest on none of the changed lines and share no words with the changed one."""
    for c in t["claims"]:
        if c is claim or c["readers"] != "both" or {n - 1 for n in c["evidence"]} & touched or not c["evidence"]:
            continue
        if c["start"] < claim["end"] and claim["start"] < c["end"]:
            continue
        yield c


def plan(t, lines, per_kind=2):
    s = Session(lines)
    done = collections.Counter()
    for n, claim in enumerate(t["claims"]):
        if claim["readers"] != "both" or claim["verdict"] != "supported" or claim["negated"]:
            continue
        done[claim["kind"]] += 1
        if done[claim["kind"]] > per_kind:
            continue
        for op, new, close, allow, reasons, touched in changed(t, s, claim):
            yield {"turn": t["id"], "claim": n, "op": op, "kind": claim["kind"], "text": claim["text"], "allow": allow, "reasons": reasons,
                   "shift": len(close.encode()) - len(t["close"].encode()), "still": [t["claims"].index(c) for c in others(t, claim, touched)]}, new
    for op, new in same(t, s):
        yield {"turn": t["id"], "claim": None, "op": op, "kind": "*", "text": "", "allow": ["same"], "reasons": [], "shift": 0, "still": []}, new


def claim_rows(binary, lines, name):
    """Claim rows of the turn rows' file, graded alone."""
    with tempfile.TemporaryDirectory() as d:
        with open(f"{d}/{name}.jsonl", "w", encoding="utf-8", errors="replace", newline="\n") as f:
            f.write("\n".join(lines) + "\n")
        return grade(binary, d)


def turn_of(rows, t):
    sha = hashlib.sha256(t["close"].encode()).hexdigest()
    turns = [r for r in rows if r.get("kind") == "turn"]
    for r in turns:
        if (r.get("close") or {}).get("sha256") == sha:
            return r["turn"]
    best = max(turns, key=lambda r: min(r["lines"][1], t["lines"][1]) - max(r["lines"][0], t["lines"][0]), default=None)
    return best["turn"] if best else None


def rows_at(rows, turn):
    return [r for r in rows if r.get("kind") == "claim" and r.get("turn") == turn and r.get("where", "close") == "close"]


def over(rows, start, end):
    return [r for r in rows if r["span"]["start"] < end and start < r["span"]["end"]]


def key(r):
    return (r.get("claim"), r["span"]["start"], r["span"]["end"], r.get("verdict"), bool(r.get("negated")))


def verdict(base, rows, pair, t):
    """right, kept (the grader did not notice), off, gone, or no-base; and whether another claim moved."""
    if pair["op"].startswith("same"):
        return ("right" if sorted(map(key, base)) == sorted(map(key, rows)) else "moved"), []
    c = t["claims"][pair["claim"]]
    kinds = [c["kind"], "count"] if c["kind"] == "tests" else [c["kind"]]
    before = [r for r in of_kind(over(base, c["start"], c["end"]), kinds) if r["verdict"] == "supported" and not r.get("negated")]
    if not before:
        return "no-base", []
    moved = []
    for n in pair["still"]:
        o = t["claims"][n]
        d = pair["shift"] if o["start"] >= c["end"] else 0
        a = sorted(r["verdict"] for r in of_kind(over(base, o["start"], o["end"]), [o["kind"]]))
        b = sorted(r["verdict"] for r in of_kind(over(rows, o["start"] + d, o["end"] + d), [o["kind"]]))
        if a != b:
            moved.append(o["text"][:60])
    after = of_kind(over(rows, c["start"], c["end"] + pair["shift"]), kinds)
    plain = [r for r in after if not r.get("negated")]
    if pair["op"] == "negate":
        return ("right" if not any(r["verdict"] != "unknown" for r in plain) else "kept"), moved
    if not after:
        return "gone", moved
    if any(r["verdict"] in pair["allow"] for r in after):
        return "right", moved
    return ("kept" if any(r["verdict"] == "supported" for r in after) else "off"), moved


def one_turn(args):
    binary, t, lines, ops = args
    base_all = claim_rows(binary, lines, t["id"])
    turn = turn_of(base_all, t)
    base, out = rows_at(base_all, turn), []
    for pair, new in plan(t, lines):
        if ops and pair["op"] not in ops:
            continue
        if not base and not pair["op"].startswith("same"):
            out.append((pair, "no-base", [], []))
            continue
        rows = rows_at(claim_rows(binary, new.lines(), t["id"]), turn)
        word, moved = verdict(base, rows, pair, t)
        c = t["claims"][pair["claim"]] if pair["claim"] is not None else None
        out.append((pair, word, moved, [short(r) for r in over(rows, c["start"], c["end"])][:3] if c else []))
    return out


def main():
    ap = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    ap.add_argument("binary", nargs="?")
    ap.add_argument("--shared", default=os.environ.get("DEEDCHECK_SHARED", "../shared"))
    ap.add_argument("--limit", type=int, default=0, help="only the first N turns")
    ap.add_argument("--op", action="append")
    ap.add_argument("--show", type=int, default=20)
    ap.add_argument("--jobs", type=int, default=2)
    ap.add_argument("--write", help="write the changed copies here (outside any repository) and grade nothing")
    a = ap.parse_args()
    if not os.path.isfile(os.path.join(a.shared, "cases", "claims", "turns.jsonl")):
        sys.exit("pairs: no labelled turns here; name the shared folder with --shared or DEEDCHECK_SHARED")
    turns = list(load(a.shared))
    turns = turns[: a.limit] if a.limit else turns
    if a.write:
        return write(a.write, turns, a.op)
    if not a.binary:
        ap.error("name the program, or --write")
    table, bad, moves = collections.defaultdict(collections.Counter), [], []
    with concurrent.futures.ThreadPoolExecutor(a.jobs) as pool:
        for result in pool.map(one_turn, [(a.binary, t, lines, a.op) for t, lines in turns]):
            for pair, word, moved, got in result:
                table[pair["op"]][word] += 1
                if word in ("kept", "off", "moved"):
                    bad.append((pair, word, got))
                moves += [(pair, m) for m in moved]
    names = ["right", "kept", "off", "gone", "moved", "no-base"]
    print(f"{'change':12} " + " ".join(f"{n:>8}" for n in names))
    for op in sorted(table):
        print(f"{op:12} " + " ".join(f"{table[op][n] or '.':>8}" for n in names))
    for pair, word, got in sorted(bad, key=lambda b: (b[1], b[0]["op"], b[0]["turn"]))[: a.show]:
        print(f"{word:6} {pair['op']:9} {pair['turn']} {pair['kind']}: {pair['text'][:70]!r} wants {'/'.join(pair['allow'])}, got {' '.join(got) or '-'}")
    print(f"other claims moved: {len(moves)}")
    for pair, text in moves[: a.show]:
        print(f"  {pair['op']} {pair['turn']} {pair['kind']} also moved {text!r}")


def write(folder, turns, ops):
    os.makedirs(folder)
    n = collections.Counter()
    with open(f"{folder}/pairs.jsonl", "w", encoding="utf-8") as index:
        for t, lines in turns:
            for pair, new in plan(t, lines):
                if ops and pair["op"] not in ops:
                    continue
                n[pair["op"]] += 1
                name = f"{t['id']}-{'x' if pair['claim'] is None else pair['claim']}-{pair['op']}"
                os.makedirs(f"{folder}/{name}")
                with open(f"{folder}/{name}/session.jsonl", "w", encoding="utf-8", errors="replace", newline="\n") as f:
                    f.write("\n".join(new.lines()) + "\n")
                index.write(json.dumps({"folder": name, **pair}, ensure_ascii=False) + "\n")
    print(dict(n))


if __name__ == "__main__":
    main()
