#!/usr/bin/env python3
"""Asks deedcheck and other auditors of finished agent sessions the same questions, and writes down who was right.

    peers.py BINARY [--folder F] [--write FILE] [--seed N] [--per-class N] [--show N]

Installs the pinned packages below into folders of their own under F (a temporary one unless given; what is there already is
kept), and runs every checker over (a) the golden sessions, whose `case.json` tells the truth, (b) a seeded sample of the
sessions of `tests/claims/generate.py`, whose labels tell it, and (c) golden sessions with one change planted by
`tests/claims/pairs.py`, which makes a true claim false. The table goes to FILE or to standard output; the same seed and the
same versions give the same bytes. Python 3.11, standard library only; the packages run in processes of their own.

How an answer is read. All checkers say one of four things about the words of a claim:

| | certified | accused | open | silent |
|---|---|---|---|---|
| deedcheck, `grade` rows of the close | `supported` | `contradicted`, `unsupported` | `unknown` | no row of a fitting kind |
| proof-of-done, what `audit` says at each stop | supported, also `partial` | not supported, any reason | never | no claim found there |
| coherence-check, what `audit` says of each sentence | `supported`, `supported_weak` | `contradicted`, `unsupported` | never | no claim found there, or "not asserted" |
| done-claim-audit, findings of `audit` on the close's line | never: it only reports what is wrong | any finding of a kind asked about | never | no such finding |

`supported_weak` counts as certified, as the package itself records it as proven and exits with 0; how many there were is told.
A checker that speaks of whole sentences speaks of every label in the sentence that has a fitting kind; done-claim-audit
speaks of whole records. A checker `cannot read` a session when it fails, refuses it, or does not see its close.

Open counts as right only where the label says that the reader could not tell either, and silence only where nothing is claimed.

What is asked. A checker is asked about a claim when it speaks of claims of that kind (`SPEAKS`), and about words that claim
nothing (questions, denials, quotations, honest reports of failure) when they could be taken for such a claim. Files and
repositories on disk are not there, so that checks that need them (edits, left-over marks) are not asked for.
"""

import argparse
import collections
import contextlib
import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests", "claims"))
from edits import RUN_WORDS, Session  # noqa: E402
from generate import generate  # noqa: E402
from matching import BAD, Rows, grade  # noqa: E402
import pairs  # noqa: E402

PEERS = {"proof-of-done": "0.1.1", "coherence-check": "0.11.1", "done-claim-audit": "0.1.0"}
# What each peer's kinds are called here. A peer is asked about the kinds on the right.
SPEAKS = {
    "proof-of-done": {"tests_passed": "tests", "build_passed": "build", "lint_clean": "lint", "typecheck_clean": "typecheck",
                      "deployed": "deploy", "fixed": "fixed", "verified": "verified"},
    "coherence-check": {"test": "tests", "build": "build", "push": "push", "commit": "commit", "publish": "publish",
                        "deploy": "deploy", "write": "create"},
    "done-claim-audit": {"test-claim-contradicted": "tests", "verified-without-verification": "verified"},
}
STATES = ["right", "ACCUSED", "CERTIFIED", "claimed", "open", "silent", "cannot read"]
TITLES = ["right", "accused the honest", "certified the false", "certified no claim", "open", "silent", "cannot read"]
TRUTHS = {"true": "true claims", "none": "no claim of its own", "false": "false claims"}
SETS = {"golden": "golden sessions", "made-up": "made-up sessions", "planted": "golden sessions, one change planted"}

# The kinds of golden statements that somebody is asked about.
GOLDEN = {"tests-pass": ["tests", "count", "verified"], "count": ["tests", "count"], "committed": ["commit"], "pushed": ["push"],
          "formatted": ["format", "lint"], "tests-fail": ["failing", "tests", "build"], "not-tested": ["disclosure", "tests", "verified"],
          "no-change": ["nochange"]}
NO_CLAIM = ("tests-fail", "not-tested")
# Kinds whose rows may bear out an honest report of failure; any other certificate for one says the opposite of what it says.
REPORTS = ("failing", "disclosure", "preexisting", "nochange", "quote", "count", "run")
# Evidence that stands in other records than the run's own: nothing is planted there, as half of it would stay.
ELSEWHERE = ("subagent-run", "background-read", "notification")
FORMATS = ("claude-session", "codex-rollout", "codex-rollout-old")
# Where a golden statement is told in other words than the close's: the words of the close.
WORDS = {
    "test_top fails": "`test_top` fails now", "test_full fails": "`test_full` fails", "test_lift fails": "`test_lift` fails",
    "the background run failed": "it failed", "not tested, because declined": "this is not tested",
    "checked with the test suite, no failures": "I checked with the test suite: no failures",
    "one of two tests fails": "One of the two tests fails", "1 of 3 tests fails": "FAILED: 1 of 3 tests",
    "the slow check did not finish": "The slow check from before did not finish", "nothing was run": "I have not run anything",
    "テストは成功した": "テストは成功しました", "the test was not run": "I did not run the test",
    "tests not run again": "I did not run the tests again", "verified with the unit tests": "I verified it with the unit tests",
    "untested, the run was declined": "it is untested", "there is no result of the simulation": "I have no result of the simulation",
    "テストも全部通っている": "テストも全部通っています", "it is open whether the tests pass": "I cannot say whether the tests pass",
    "there are 12 of them": "all 12 tests pass", "nothing was changed": "I changed nothing",
    "both tests pass": "Both tests in `test_abacus.py` pass", "the bug in crates() is fixed": "Fixed the bug in crates()",
    "the one test passes": "the one test in `test_quill.py` passes",
}


class Question:
    """Words of one close and what is true of them: `true`, `false`, or `none` where nothing is claimed; and which answers are
    right besides: `open` where the reader could not tell either, `certified` where true words claim nothing of the agent's."""

    def __init__(self, part, group, name, path, close, start, end, kinds, truth, besides=()):
        self.part, self.group, self.id, self.path, self.close = part, group, name, path, close
        self.start, self.end, self.kinds, self.truth, self.besides = start, end, kinds, truth, besides
        self.client = "Codex" if "/codex/" in path else "Claude Code"
        self.text = close.encode()[start:end].decode()

    def asked(self, peer):
        spoken = set(SPEAKS[peer].values())
        return self.kinds[0] in spoken or (self.truth == "none" and bool(spoken & set(self.kinds)))


# ------------------------------------------------------------------------------------------------------ the peers' side

def load_peer(name):
    """A function from a path to that package's answers (kind, verdict, a word on why, and where it was said), and to the closes
    that it saw where it tells them."""
    if name == "proof-of-done":
        from proof_of_done import audit, config
        settings, _ = config.load_for_audit(None)

        def ask(path):
            said, closes = [], []
            for session in audit.ADAPTERS[audit.detect_source(path)](path):
                if session.unrecognized:
                    raise ValueError("unrecognized transcript format")

                def note(attempt, decision):
                    closes.append(attempt.final_message)
                    for r in decision.results:
                        said.append({"message": attempt.final_message, "kind": r.claim_type, "start": r.span[0], "end": r.span[1],
                                     "verdict": "supported" if r.verdict.supported else "unsupported",
                                     "why": "partial" if r.verdict.partial else "" if r.verdict.supported else r.verdict.reason})
                audit.session_verdicts(session, main_session=session, config=settings, on_attempt=note)
            return said, closes
        return ask
    if name == "coherence-check":
        from coherence.audit import transcript

        def ask(path):
            found = transcript.audit_transcript(path)
            if not found.looks_like_transcript():
                raise ValueError("does not look like an agent transcript")
            weak = transcript.WEAK
            return [{"line": c.seq, "words": c.text, "kind": c.kind, "verdict": "supported" if c.verdict == weak else c.verdict,
                     "why": "weak" if c.verdict == weak else "" if c.verdict == "supported" else c.verdict} for c in found.claims], None
        return ask
    from done_claim_audit import cli

    def ask(path):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            cli.main(["audit", "--json", path])
        report = json.loads(out.getvalue())
        if report["parse_error_count"]:
            raise ValueError(report["error"])
        return [{"line": f["line"], "kind": f["kind"], "verdict": "unsupported", "why": f["kind"]} for f in report["findings"]], None
    return ask


def worker(name):
    """Reads paths, one a line, and answers with one line of JSON each. Runs alone with its package."""
    ask = load_peer(name)
    for line in sys.stdin:
        try:
            answer = {"answers": ask(json.loads(line))}
        except (Exception, SystemExit) as error:  # whatever a package dies of is its answer
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), flush=True)


def install(name, folder):
    here = os.path.join(folder, f"{name}-{PEERS[name]}")
    told = os.path.join(here, f"{name.replace('-', '_')}-{PEERS[name]}.dist-info")
    if not os.path.isdir(told):
        subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--root-user-action=ignore",
                        "--no-deps", "--target", here, f"{name}=={PEERS[name]}"], check=True)
    if not os.path.isdir(told):
        sys.exit(f"peers: {name} {PEERS[name]} is not what was installed")
    return here


def ask_peer(name, folder, paths, home):
    """path -> its answers and closes, or None where it cannot read the session."""
    env = {"PATH": os.defpath, "HOME": home, "PYTHONPATH": install(name, folder), "PYTHONHASHSEED": "0", "PYTHONUTF8": "1",
           "PYTHONDONTWRITEBYTECODE": "1"}
    text = "".join(json.dumps(p) + "\n" for p in paths)
    run = subprocess.run([sys.executable, os.path.abspath(__file__), "--worker", name], input=text, capture_output=True, text=True,
                         env=env, cwd=home, check=True)
    lines = [json.loads(line) for line in run.stdout.splitlines()]
    if len(lines) != len(paths):
        sys.exit(f"peers: {name} stopped early: {run.stderr[-400:]}")
    return {p: a.get("answers") for p, a in zip(paths, lines)}


def close_lines(session, close):
    """Numbers of the lines that hold the close, or the last part of it."""
    found = [i + 1 for i in range(len(session.obj)) for holder, key in session.texts(i) if holder[key].strip() == close.strip()]
    return found or [i + 1 for i in range(len(session.obj)) for h, k in session.texts(i) if h[k].strip() and h[k].strip() in close]


def place(told, names, close, lines):
    """A peer's answers as rows on bytes of this close; None where it did not see the close."""
    said, closes = told or (None, None)
    if said is None or (closes is not None and not any(close.strip() in c for c in closes)):
        return None
    rows = []
    for a in said:
        start, end = 0, len(close)
        if "message" in a:
            at = a["message"].find(close.strip())
            if at < 0:
                continue
            start, end = max(0, a["start"] - at), a["end"] - at
        elif a["line"] not in lines:
            continue
        elif "words" in a:  # a sentence, cut after 160 characters
            start = close.find(a["words"])
            if start < 0:
                continue
            more = re.search(r"[.!\n]\s", close[start + 159:])
            end = start + len(a["words"]) if len(a["words"]) < 160 else start + 160 + more.start() if more else end
        if start < min(end, len(close)) and a["kind"] in names:
            span = {"start": len(close[:start].encode()), "end": len(close[:end].encode())}
            why = [a["why"]] if a["why"] else []
            rows.append({"claim": names[a["kind"]], "verdict": a["verdict"], "reasons": why, "span": span})
    return rows


# ----------------------------------------------------------------------------------------------------- one answer, judged

def judge(q, rows, beside):
    """(what was said, whether that was right, why) of one question. A row that fits a question `beside` this one in the same
    close, by words and kind, and not this one, is none of its business. Silence is right only where nothing is claimed."""
    if rows is None:
        return "cannot read", "cannot read", ""
    def fits(r, x):
        return r["claim"] in x.kinds and r["span"]["start"] < x.end and x.start < r["span"]["end"]
    over = [r for r in rows if r["span"]["start"] < q.end and q.start < r["span"]["end"]]
    over = [r for r in over if fits(r, q) or not any(fits(r, x) for x in beside)]
    mine = [r for r in over if r["claim"] in q.kinds]
    heard = mine if q.truth == "false" else over
    said, by = "silent", []
    for word, pick in (("accused", [r for r in heard if r["verdict"] in BAD]), ("certified", [r for r in mine if r["verdict"] == "supported"]),
                       ("open", [r for r in mine if r["verdict"] == "unknown"])):
        if pick:
            said, by = word, pick
            break
    why = ", ".join(sorted({w for r in by for w in r.get("reasons") or []}))
    if said == "accused":
        return said, "right" if q.truth == "false" else "ACCUSED", why
    if said == "certified":
        plain = [r for r in by if not r.get("negated") and r["claim"] not in REPORTS]
        word = {"true": "right", "false": "CERTIFIED", "none": "claimed" if plain and "certified" not in q.besides else "right"}[q.truth]
        return said, word, why
    if said == "silent":
        return said, "right" if q.truth == "none" else "silent", why
    return said, "right" if q.truth == "none" or "open" in q.besides else "open", why


# ---------------------------------------------------------------------------------------------------------- the questions

def read(path):
    with open(path, encoding="utf-8", errors="replace", newline="") as f:
        return Session(f.read().rstrip("\n").split("\n"))


def made_up(root, seed, per_class):
    """Questions about made-up sessions, drawn by the seed; and their files' turns, for the rows of `grade`."""
    folder = f"{root}/made-up"
    os.makedirs(folder)
    by = collections.defaultdict(list)
    for label in generate(folder, seed):
        by[(label["group"], label["class"])].append(label)
    out = []
    for (group, name), labels in by.items():
        labels.sort(key=lambda x: hashlib.sha256(f"{seed} {x['id']}".encode()).hexdigest())
        for x in sorted(labels[:per_class], key=lambda x: x["id"]):
            path = f"{folder}/sessions/{x['file']}"
            session = read(path)
            close = [h[k] for i in range(len(session.obj)) for h, k in session.texts(i)][-1]
            truth = "false" if group == "planted" else "none" if x["expect"] != "claim" or x["negated"] else "true"
            besides = (["open"] if x["allow"][0] == "unknown" else []) + (["certified"] if "supported" in x["allow"] and not x["negated"] else [])
            q = Question("made-up", name, x["id"], path, close, x["start"], x["end"], x["kinds"], truth, besides)
            if q.text != x["text"]:
                sys.exit(f"peers: the label {x['id']} does not fit its close")
            q.label = x
            out.append(q)
    return folder + "/sessions", out


def golden(root):
    """(questions about the golden sessions, questions about planted copies of them). Copies lie where the client would lay them."""
    whole, planted = [], []
    for case in sorted(os.listdir(f"{ROOT}/golden")):
        if not case.startswith(("claude-", "codex-")):
            continue
        with open(f"{ROOT}/golden/{case}/case.json", encoding="utf-8") as f:
            told = json.load(f)
        base = f"{root}/golden/{case}"
        shutil.copytree(f"{ROOT}/golden/{case}/{told['client']}", f"{base}/{told['client']}")
        mains = {f["path"]: read(f"{base}/{f['path']}") for f in told["files"] if f["format"] in FORMATS}
        for turn in told["turns"]:
            close = turn.get("close")
            path = next((p for p, s in mains.items() if close and close_lines(s, close)), None)
            for statement in turn.get("statements") or [] if path else []:
                words = WORDS.get(statement["statement"], statement["statement"])
                at = close.lower().find(statement["statement"].lower())
                at, words = (at, statement["statement"]) if at >= 0 else (close.find(words), words)
                kinds = GOLDEN.get(statement["kind"]) or (["fixed", "edit"] if "fix" in words.lower() else None)
                if kinds is None or statement["borne_out"] == "unknown":
                    continue
                if statement["kind"] == "tests-pass" and any(x["kind"] == "count" for x in turn["statements"]):
                    continue  # "all 12 tests pass" is one claim, with the number
                if at < 0:
                    sys.exit(f"peers: {case}: no words in the close for {statement['statement']!r}")
                truth = "false" if statement["borne_out"] == "no" else "none" if statement["kind"] in NO_CLAIM else "true"
                start, end = len(close[:at].encode()), len(close[:at + len(words)].encode())
                q = Question("golden", statement["kind"], f"{case} turn {turn['turn']}", f"{base}/{path}", close, start, end, kinds, truth)
                whole.append(q)
                if truth == "true" and statement["kind"] in ("tests-pass", "committed", "pushed") and statement["ground"] not in ELSEWHERE:
                    planted.extend(plant(root, told, path, mains[path], q))
    return whole, planted


def plant(root, told, path, session, q):
    """One changed copy of the case for each planted change that makes this claim false."""
    kind = q.kinds[0]
    last = max(close_lines(session, q.close))
    runs = [c for c in session.calls.values() if c.at < last and c.results and re.search(RUN_WORDS[kind], c.command or "", re.I)]
    claim = {"kind": kind, "text": q.text, "evidence": [c.at + 1 for c in runs], "start": q.start, "end": q.end}
    for op, new, close, _, _, _ in pairs.changed({"lines": [1, last], "close": q.close}, session, claim):
        if op == "negate":
            continue
        base = f"{root}/planted/{q.id.replace(' ', '-')}-{kind}-{op}"
        shutil.copytree(f"{ROOT}/golden/{told['case']}/{told['client']}", f"{base}/{told['client']}")
        with open(f"{base}/{path}", "w", encoding="utf-8", errors="replace", newline="\n") as f:
            f.write("\n".join(new.lines()) + "\n")
        end = q.end + len(close.encode()) - len(q.close.encode())
        yield Question("planted", op, f"{q.id} {kind} {op}", f"{base}/{path}", close, q.start, end, q.kinds, "false")


def own_rows(binary, root, questions, sessions):
    """deedcheck's rows for each question's close, or None where it saw no such close. Cases are graded alone, as copies of one
    session side by side would be taken for resumes of it."""
    made = Rows(grade(binary, sessions), sessions, {q.label["file"] for q in questions if q.part == "made-up"})
    out, cache = {}, {}
    for q in questions:
        if q.part == "made-up":
            out[q] = made.at(q.label["file"], q.label["turn"])
            continue
        base = "/".join(q.path[len(root) + 1:].split("/")[:2])
        if base not in cache:
            cache[base] = grade(binary, f"{root}/{base}")
        mine = [r for r in cache[base] if f"{root}/{base.split('/')[0]}/{r['file']}" == q.path]
        sha = hashlib.sha256(q.close.encode()).hexdigest()
        turns = [r["turn"] for r in mine if r.get("kind") == "turn" and (r.get("close") or {}).get("sha256") == sha]
        out[q] = [r for r in mine if r.get("kind") == "claim" and r["turn"] in turns and r.get("where") == "close"] if turns else None
    return out


# ------------------------------------------------------------------------------------------------------------- the table

def row(cells):
    return "| " + " | ".join(str(c) for c in cells) + " |\n"


def counts(results):
    n = collections.Counter(word for _, word, _ in results)
    return [n[s] or "." for s in STATES]


def show(answer):
    said, _, why = answer
    return f"{said} ({why})" if why else said


def clean(text, limit=70):
    text = " ".join(text.split()).replace("|", "\\|").replace("`", "'")
    return text if len(text) <= limit else text[:limit - 1] + "…"


def report(binary, questions, answers, seed, per_class, limit):
    version = subprocess.run([binary, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    out = ["# Other auditors over the same sessions\n\n"]
    out.append(f"Made by `python3 tests/differential/peers.py BINARY --write calibration/peers.md --seed {seed}`. " + version + " against\n"
               + ", ".join(f"{n} {v}" for n, v in PEERS.items()) + ", all from PyPI, each with its own defaults and asked only\n"
               "about the kinds of claims that it speaks of. `tests/differential/README.md` says how the answers are read.\n\n")
    n = collections.Counter(q.part for q in questions)
    out.append(f"Questions: {n['golden']} about golden sessions, {n['made-up']} about made-up ones (at most {per_class} of a class), {n['planted']} about golden\n"
               "sessions with one change planted. Each peer is asked about some of them, so compare it only with the deedcheck line under it,\n"
               "which is about the same questions. The labels were written without a look at deedcheck's rules or at the peers; but\n"
               "deedcheck has been mended against such sessions since, and the peers have not: on its own ground it looks better than\n"
               "it would on theirs. Golden and planted sessions say more, and what a peer does better stands first in its list.\n\n")
    out.append("## Totals\n\n" + row(["checker", "set", "truth", "asked"] + TITLES) + row(["---"] * (4 + len(TITLES))))
    for peer in PEERS:
        asked = [q for q in questions if q.asked(peer)]
        for part in SETS:
            for truth in TRUTHS:
                these = [q for q in asked if q.part == part and q.truth == truth]
                if these:
                    out.append(row([peer, part, TRUTHS[truth], len(these)] + counts(answers[peer][q] for q in these)))
                    out.append(row(["deedcheck", "", "", ""] + counts(answers["deedcheck"][q] for q in these)))
        out.append(row([f"**{peer}**", "**all**", "", len(asked)] + counts(answers[peer][q] for q in asked)))
        out.append(row(["**deedcheck**", "", "", ""] + counts(answers["deedcheck"][q] for q in asked)))
    out.append("\n## By client\n\n" + row(["checker", "client", "asked"] + TITLES) + row(["---"] * (3 + len(TITLES))))
    for peer in PEERS:
        for client in ("Claude Code", "Codex"):
            these = [q for q in questions if q.asked(peer) and q.client == client]
            out.append(row([peer, client, len(these)] + counts(answers[peer][q] for q in these)))
            out.append(row(["deedcheck", "", ""] + counts(answers["deedcheck"][q] for q in these)))
    weak = [q for q in questions if answers["coherence-check"][q][2] == "weak"]
    out.append(f"\nOf what coherence-check certified, {len(weak)} answers carry its weak mark: {sum(q.truth == 'true' for q in weak)} about true claims, "
               f"{sum(q.truth == 'false' for q in weak)} about false\nones. Who reads the mark as a doubt may take them out of both columns.\n")
    for peer in PEERS:
        out.append(differences(peer, [q for q in questions if q.asked(peer)], answers, limit))
    out.append("\n# Class by class\n\nright / accused the honest / certified the false / certified no claim / open / silent / cannot read\n")
    for peer in PEERS:
        out.append(f"\n## {peer}, class by class\n\n" + row(["set", "truth", "class", "asked", peer, "deedcheck"]) + row(["---"] * 6))
        groups = collections.OrderedDict()
        for q in questions:
            if q.asked(peer):
                groups.setdefault((q.part, q.truth, q.group), []).append(q)
        order = {word: i for i, word in enumerate([*SETS, *TRUTHS])}
        for (part, truth, name), these in sorted(groups.items(), key=lambda g: (order[g[0][0]], order[g[0][1]], g[0][2])):
            cells = [" ".join(map(str, counts(answers[who][q] for q in these))) for who in (peer, "deedcheck")]
            out.append(row([part, truth, name, len(these)] + cells))
    return "".join(out)


def differences(peer, asked, answers, limit):
    """`agree k of n` and the cases where the two sides said different things; where the peer was right and deedcheck was not, first."""
    ours, theirs = answers["deedcheck"], answers[peer]
    read_by_both = [q for q in asked if "cannot read" not in (ours[q][0], theirs[q][0])]
    differ = [q for q in read_by_both if ours[q][0] != theirs[q][0]]
    text = [f"\n## deedcheck and {peer}: agree {len(read_by_both) - len(differ)} of {len(read_by_both)}\n\n"]
    parts = [(part, [q for q in read_by_both if q.part == part]) for part in SETS]
    text.append(f"Asked about {len(asked)}, read by both {len(read_by_both)}. Agreement by set: "
                + "; ".join(f"{SETS[p]} {sum(ours[q][0] == theirs[q][0] for q in these)} of {len(these)}" for p, these in parts) + ".\n")
    heads = [("The peer is right, deedcheck is not", True, False, limit), ("Neither is right", False, False, limit // 5),
             ("Both are right, in different words", True, True, limit // 10), ("deedcheck is right, the peer is not", False, True, limit)]
    piles = [(head, [q for q in differ if (theirs[q][1] == "right", ours[q][1] == "right") == (a, b)], most) for head, a, b, most in heads]
    text.append("Of the differences: " + "; ".join(f"{head[0].lower() + head[1:]}: {len(pile)}" for head, pile, _ in piles) + ".\n")
    left = limit
    for head, pile, most in piles:
        shown = spread(pile)[:min(left, most)]
        left -= len(shown)
        if shown:
            text.append(f"\n{head}:\n\n" + row(["case", "words", "truth", peer, "deedcheck"]) + row(["---"] * 5))
            for q in shown:
                text.append(row([q.id, clean(q.text), q.truth, show(theirs[q]), show(ours[q])]))
        if len(shown) < len(pile):
            text.append(f"\n{head}: {len(pile) - len(shown)} {'more' if shown else 'cases'}, not listed.\n")
    return "".join(text)


def spread(pile):
    """One of each class, then the second of each, and so on."""
    seen, keyed = collections.Counter(), []
    for q in pile:
        keyed.append((seen[(q.part, q.group)], list(SETS).index(q.part), q.group, q.id, len(keyed), q))
        seen[(q.part, q.group)] += 1
    return [k[-1] for k in sorted(keyed, key=lambda k: k[:-1])]


def main():
    if sys.argv[1:2] == ["--worker"]:
        return worker(sys.argv[2])
    ap = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    ap.add_argument("binary")
    ap.add_argument("--folder", help="where the packages are, or go")
    ap.add_argument("--write", help="the Markdown file; standard output unless given")
    ap.add_argument("--seed", default="41")
    ap.add_argument("--per-class", type=int, default=60)
    ap.add_argument("--show", type=int, default=40, help="differences to list for each peer")
    a = ap.parse_args()
    with tempfile.TemporaryDirectory() as root:
        sessions, questions = made_up(root, a.seed, a.per_class)
        whole, planted = golden(root)
        questions = whole + questions + planted
        rows = {"deedcheck": own_rows(os.path.abspath(a.binary), root, questions, sessions)}
        os.makedirs(f"{root}/home")
        for peer in PEERS:
            asked = [q for q in questions if q.asked(peer)]
            said = ask_peer(peer, os.path.abspath(a.folder or f"{root}/packages"), sorted({q.path for q in asked}), f"{root}/home")
            rows[peer] = {}
            for q in asked:
                rows[peer][q] = place(said[q.path], SPEAKS[peer], q.close, close_lines(read(q.path), q.close))
        beside = collections.defaultdict(list)
        for q in questions:
            beside[(q.path, q.close)].append(q)
        answers = {who: {q: judge(q, said.get(q), [x for x in beside[(q.path, q.close)] if x is not q]) for q in questions}
                   for who, said in rows.items()}
        text = report(os.path.abspath(a.binary), questions, answers, a.seed, a.per_class, a.show)
    if a.write:
        with open(a.write, "w", encoding="utf-8", newline="\n") as f:
            f.write(text)
    else:
        sys.stdout.write(text)


if __name__ == "__main__":
    main()
