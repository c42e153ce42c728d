#!/usr/bin/env python3
"""Differential test of the exact gate profiles against the published grounding-gate packages.

    gate.py BINARY FOLDER_0_1_0 FOLDER_0_4_1 [--count N] [--seed S] [--batch B]

BINARY is run as `BINARY replay FILE` and must print the case document with every answer filled
in. The folders hold the packages; a missing one is filled by `pip install --target`. The count is
split over gg-0.1, gg-0.4 and gg-0.4-hooks. Exit 1 on any difference.
"""

import argparse
import asyncio
import importlib
import json
import os
import random
import subprocess
import sys
import tempfile
import unicodedata

PROFILES = ("gg-0.1", "gg-0.4", "gg-0.4-hooks")
REFERENCE = {
    "gg-0.1": "grounding_gate 0.1.0 (PyPI sdist)",
    "gg-0.4": "grounding_gate 0.4.1 (PyPI sdist)",
    "gg-0.4-hooks": "grounding_gate 0.4.1 GateHooks",
}
STATE_KEYS = ("budget", "cap", "refill", "strict_g", "current_step", "last_mutation_step",
              "grounded_this_turn", "verified_this_turn", "halted")


def load(folder, version):
    """Imports the package from its own folder, away from any other version of it."""
    if not os.path.isdir(os.path.join(folder, "grounding_gate")):
        subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--no-deps",
                        "--target", folder, "grounding-gate==" + version], check=True)
    for name in [n for n in sys.modules if n.split(".")[0] == "grounding_gate"]:
        del sys.modules[name]
    sys.path.insert(0, os.path.abspath(folder))
    try:
        package = importlib.import_module("grounding_gate")
        adapter = None
        if version != "0.1.0":
            adapter = importlib.import_module("grounding_gate.adapters.claude_agent_sdk")
    finally:
        sys.path.pop(0)
    return package, adapter


# --------------------------------------------------------------------------- generating text

SURFACE = ("file.txt", "a.cfg", "src/lib.rs", "éclair.txt", "²", "cole", "b-1.2/x_y", "app.cfg",
           "日本語", "42", "True", "u00e9", "½x", "Ⅳ")
NEAR = ("./file.txt", "/a/file.txt", "file.txt.", "`file.txt`", "file.txt:3", "file.txt²",
        "file.txt\u0301", "e\u0301cole", "afile.txt", "file_txt", "a.cfg-", "src\\lib.rs",
        "C:\\src\\lib.rs", "file.txt\u200d", "file.txt\u203f", "file.\u00adtxt", "FILE.TXT")
SPACES = (" ", "  ", "\t", "\n", "\r\n", "\x0b", "\x0c", "\x1c", "\x1d", "\x1e", "\x1f", "\x85",
          "\u00a0", "\u1680", "\u2003", "\u2028", "\u2029", "\u202f", "\u205f", "\u3000",
          "\u180e", "\u200b", "\ufeff", "")
WORDS = ("ok", "data", "commit", "x", "_", "é", "²", "½", "日本", "\u0301", "Ⅳ", "\u203f", "T", "Z",
         "<TS>", "<HEX>", "-", "/", ":", ".", ",", "+", "'", '"', "\\", "{", "}", "😀", "\x7f",
         "\x00", "ago", "AM", "p.m.", "Jan", "Mon", "Mon,", "May", "0x", "0X", "ß", "ſ", "K", "ı",
         "١", "𝟘", "𐒠", "߀", "०")
MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec Sept jan".split()
DAYS = "Mon Tue Wed Thu Fri Sat Sun mon Tues".split()
UNITS = ("ms s sec secs second seconds m min mins minute minutes h hr hrs hour hours d day days w "
         "wk wks week weeks mo mos month months y yr yrs year years S Min").split()
DIGITS = ("0123456789", "٠١٢٣٤٥٦٧٨٩", "०१२३४५६७८९", "0123456789", "𝟘𝟙𝟚𝟛𝟜𝟝𝟞𝟟𝟠𝟡")


class Text:
    """Random text with the traps of the patterns in it."""

    def __init__(self, rng):
        self.rng = rng

    def num(self, least, most=None):
        r = self.rng
        alphabet = DIGITS[0] if r.random() < 0.85 else r.choice(DIGITS)
        count = r.randint(least, most or least)
        if r.random() < 0.06:
            count = max(0, count + r.choice((-1, 1)))
        return "".join(r.choice(alphabet) for _ in range(count))

    def sep(self, usual):
        r = self.rng
        return usual if r.random() < 0.93 else r.choice(("", " ", ":", "-", "/", ".", "T", "\t"))

    def maybe(self, make, chance=0.5):
        return make() if self.rng.random() < chance else ""

    def blank(self):
        r = self.rng
        return r.choice((" ", "  ", "\t", " \t ", " ")) if r.random() < 0.9 else r.choice(SPACES)

    def hexes(self, least, most=None):
        r = self.rng
        alphabet = r.choice(("0123456789abcdef", "0123456789ABCDEF", "0123456789abcdefABCDEF",
                             "0123456789", "abcdef", "0123456789abcdefg"))
        return "".join(r.choice(alphabet) for _ in range(r.randint(least, most or least)))

    def clock(self):
        return (self.num(1, 2) + self.sep(":") + self.num(2) +
                self.maybe(lambda: self.sep(":") + self.num(2)) + self.maybe(self.fraction, 0.3))

    def fraction(self):
        return self.rng.choice(".,") + self.num(1, 7)

    def date(self):
        r = self.rng
        return self.num(4) + self.sep(r.choice("--/")) + self.num(2) + \
            self.sep(r.choice("--/")) + self.num(2)

    def zone(self):
        r = self.rng
        return r.choice(("Z", "z", r.choice("+-") + self.num(2) + r.choice(("", ":")) + self.num(2)))

    def trap(self):
        r = self.rng
        month = lambda: r.choice(MONTHS)
        kinds = (
            lambda: self.date() + r.choice("TT  t") + self.num(2) + self.sep(":") + self.num(2) +
            self.maybe(lambda: self.sep(":") + self.num(2), 0.7) + self.maybe(self.fraction, 0.4) +
            self.maybe(self.zone),
            self.date,
            self.clock,
            lambda: self.clock() + r.choice(SPACES) + r.choice("APapx") + r.choice(("", ".")) +
            r.choice("Mmx") + r.choice(("", ".", ".x", "x")),
            lambda: month() + self.blank() + self.num(1, 2) + self.blank() + self.clock(),
            lambda: self.maybe(lambda: r.choice(DAYS) + r.choice(("", ",")) + self.blank()) +
            self.num(1, 2) + self.blank() + month() + self.blank() + self.num(4),
            lambda: month() + self.blank() + self.num(1, 2) + self.blank() + self.num(4),
            lambda: self.num(1, 2) + self.sep("/") + self.num(1, 2) + self.sep("/") +
            r.choice(("19", "20", "21", "1")) + self.num(2),
            lambda: self.num(1, 3) + r.choice(SPACES) + r.choice(UNITS) + r.choice(SPACES) +
            r.choice(("ago", "ago", "ago", "agos", "Ago", "")),
            lambda: self.sep("-").join((self.hexes(8), self.hexes(4), self.hexes(4),
                                        self.hexes(4), self.hexes(12))),
            lambda: r.choice(("0x", "0X", "x", "00x")) + self.hexes(4, 9),
            lambda: self.hexes(6, 12),
            lambda: self.num(5, 14),
        )
        return r.choice(kinds)()

    def any_char(self):
        r = self.rng
        while True:
            top = r.choice((0x250, 0x800, 0x3000, 0x11000, 0x20000, 0x110000))
            c = chr(r.randrange(top))
            # Characters this Python does not know yet may be known to the other side.
            if unicodedata.category(c) not in ("Cs", "Cn"):
                return c

    def piece(self):
        r = self.rng
        x = r.random()
        if x < 0.38:
            return self.trap()
        if x < 0.55:
            return r.choice(SURFACE)
        if x < 0.65:
            return r.choice(NEAR)
        if x < 0.78:
            return r.choice(SPACES)
        if x < 0.95:
            return r.choice(WORDS)
        return self.any_char()

    def text(self, most=7):
        r = self.rng
        glue = r.choice(("", " ", "", "\n"))
        return glue.join(self.piece() for _ in range(r.randint(0, most)))

    def vary(self, text):
        """A text that may or may not normalise to the same."""
        r = self.rng
        digits = [i for i, c in enumerate(text) if c.isdecimal()]
        if not digits or r.random() < 0.2:
            return text
        i = r.choice(digits)
        return text[:i] + r.choice("0123456789a") + text[i + 1:]


# --------------------------------------------------------------------------- generating cases

CLAIMS = ("assertion", "completion", "assertion", "completion", "unverified", "none", "",
          "Completion", "claim")
SIGNALS = ("tests_passed", "diff_nonempty", "built", "é")
CORE_TOOLS = ("read", "cat", "grep", "write", "date", "sh", "é")


def subset(rng, items, chance=0.5):
    return [x for x in items if rng.random() < chance]


class Cases:
    def __init__(self, rng):
        self.rng = rng
        self.text = Text(rng)

    def pool(self):
        """Texts used again within one case, so that novelty has something to say."""
        base = [self.text.text() for _ in range(self.rng.randint(1, 3))]
        return base + [self.text.vary(t) for t in base] + [self.rng.choice(SURFACE)]

    def pick(self, pool):
        r = self.rng
        x = r.random()
        if x < 0.75:
            return r.choice(pool)
        return self.text.text() if x < 0.9 else r.choice(SURFACE + NEAR)

    def core(self, number):
        r = self.rng
        init = {"claim_surface": sorted(set(subset(r, SURFACE, r.choice((0.1, 0.3, 0.8)))))}
        for key, make in (("budget", lambda: r.randint(-2, 7)),
                          ("last_mutation_step", lambda: r.randint(0, 6)),
                          ("current_step", lambda: r.randint(0, 6)),
                          ("grounded_this_turn", lambda: r.random() < 0.5),
                          ("verified_this_turn", lambda: r.random() < 0.5),
                          ("halted", lambda: r.random() < 0.5),
                          ("strict_g", lambda: r.random() < 0.5),
                          ("goal_predicates", lambda: subset(r, SIGNALS)),
                          ("verified_signals", lambda: subset(r, SIGNALS)),
                          ("novelty_exempt", lambda: subset(r, CORE_TOOLS, 0.3))):
            if r.random() < 0.15:
                init[key] = make()
        pool = self.pool()
        drain = r.random() < 0.15
        ops = [self.core_op(pool, drain) for _ in range(r.randint(1, 14))]
        return {"id": "D%05d" % number, "origin": "random", "preset": r.choice(
            ("default", "skipper", "diverger")), "init": init, "ops": ops}

    def core_op(self, pool, drain):
        r = self.rng
        kind = r.choices(("tool_call", "classify", "boundary", "terminal", "reasoning", "set",
                          "pause"), (40, 12, 8, 18, 60 if drain else 14, 7, 1))[0]
        op = {"op": kind}
        if kind in ("tool_call", "classify"):
            op.update(tool=r.choice(CORE_TOOLS[:4] if r.random() < 0.7 else CORE_TOOLS),
                      args=self.pick(pool), result=self.pick(pool))
        if kind == "classify":
            op["read_only"] = r.random() < 0.7
        if kind == "tool_call":
            if r.random() < 0.35:
                op["mutating"] = r.random() < 0.85
            if r.random() < 0.25:
                op["signals"] = subset(r, SIGNALS)
            if r.random() < 0.15:
                op["exit_ok"] = r.random() < 0.3
        if kind in ("boundary", "terminal"):
            op["claim_type"] = r.choice(CLAIMS)
        if kind == "terminal":
            op["content"] = self.text.text(2)
        if kind == "set":
            key = r.choice(("claim_surface", "latches", "latches", "budget", "goal_predicates"))
            if key == "claim_surface":
                op[key] = sorted(set(subset(r, SURFACE, 0.3)))
            elif key == "latches":
                op.update(grounded_this_turn=False, verified_this_turn=False)
            elif key == "budget":
                op[key] = r.randint(-3, 6)
            else:
                op[key] = subset(r, SIGNALS)
        return op

    def value(self, depth=0):
        r = self.rng
        x = r.random()
        if x < 0.62 or depth > 2:
            return self.text.text(3)
        if x < 0.72:
            return r.choice((42, 0, -7, 2**63 - 1, 12345678, 1.5, 0.1, 1e16, 1e-5, 123456789.0, -2.5))
        if x < 0.82:
            return r.choice((True, False, None))
        if x < 0.9:
            return [self.value(depth + 1) for _ in range(r.randint(0, 3))]
        return {r.choice(("path", "k", "é", "file", "😀", "a", "\n")): self.value(depth + 1)
                for _ in range(r.randint(0, 3))}

    def tool_input(self, pool):
        r = self.rng
        x = r.random()
        if x < 0.5:
            made = {"file_path": r.choice(SURFACE)}
        elif x < 0.75:
            made = {"command": self.pick(pool)}
        elif x < 0.95:
            made = {}
        else:
            return self.value()
        for key in ("content", "path", "filename", "pattern", "notebook_path", "file", "é"):
            if r.random() < 0.12:
                made[key] = self.value()
        return made

    def hooks(self, number):
        r = self.rng
        pool = self.pool()
        inputs = [self.tool_input(pool) for _ in range(3)]
        ops = [self.hooks_op(pool, inputs) for _ in range(r.randint(1, 16))]
        return {"id": "A%05d" % number, "preset": r.choice(("default", "skipper", "diverger")),
                "claim_surface": sorted(set(subset(r, SURFACE, r.choice((0.0, 0.2, 0.6))))),
                "max_blocks": r.choice((0, 1, 2, 3, 3, 9)),
                "goal_predicates": subset(r, SIGNALS, 0.5) if r.random() < 0.2 else [],
                "ops": ops}

    def hooks_op(self, pool, inputs):
        r = self.rng
        kind = r.choices(("post", "fail", "stop", "prompt"), (55, 10, 28, 7))[0]
        op = {"op": kind}
        if kind in ("post", "fail"):
            op["tool"] = r.choice(("Read", "Read", "Read", "Grep", "Glob", "WebFetch", "WebSearch",
                                   "NotebookRead", "Write", "Edit", "MultiEdit", "NotebookEdit",
                                   "Bash", "mcp__x__get", "read", ""))
            op["input"] = r.choice(inputs) if r.random() < 0.75 else self.tool_input(pool)
        if kind == "post":
            op["response"] = self.pick(pool) if r.random() < 0.75 else self.value()
        if kind in ("post", "fail") and r.random() < 0.1:
            op["agent_id"] = r.choice(("a1", "a1", ""))
        return op

    def function(self):
        if self.rng.random() < 0.8:
            return {"fn": "normalize", "in": self.text.text(9)}
        return {"fn": "extract_identifiers", "args": self.text.text(), "result": self.text.text()}


# --------------------------------------------------------------------------- the packages' answers

def answer_core(package, case):
    state = package.GateState.for_model_class(case["preset"])
    assign(state, case["init"])
    return [core_step(package, state, op) for op in case["ops"]]


def assign(state, fields):
    for key, value in fields.items():
        if key == "op":
            continue
        sets = ("claim_surface", "novelty_exempt", "verified_signals")
        setattr(state, key, set(value) if key in sets else
                list(value) if isinstance(value, list) else value)


def core_step(package, state, op):
    kind = op["op"]
    entry = {"trace": None, "obs": None, "verdict": None, "legal_next": None, "emitted": None}
    if kind == "set":
        assign(state, op)
    elif kind == "classify":
        entry["obs"] = package.classify_observation(
            op["tool"], op["args"], op["result"], state, op["read_only"])
    elif kind == "boundary":
        verdict = package.boundary_check({"claim_type": op["claim_type"], "content": ""}, state)
        entry.update(verdict=verdict["verdict"], legal_next=list(verdict["legal_next"]))
    else:
        step = dict(op, type=kind)
        if kind == "terminal":
            step["attempt"] = {"claim_type": op["claim_type"], "content": op["content"]}
        entry["emitted"], trace = package.turn_loop([step], state)
        if trace:
            entry["trace"] = list(trace[0])
            name, value = trace[0]
            if name == "tool_call":
                entry["obs"] = value
            elif name == "terminal":
                entry["verdict"] = value
                entry["legal_next"] = [] if value == "ACCEPT" else list(package.LEGAL_NEXT)
            elif name == "refused_reasoning":
                entry["legal_next"] = list(value)
    entry["state"] = {key: getattr(state, key) for key in STATE_KEYS}
    entry["state"]["verified_signals"] = sorted(state.verified_signals)
    entry["state"]["seen"] = len(state.recent_result_hashes)
    return json.loads(json.dumps(entry))


async def answer_hooks(adapter, case):
    gate = adapter.GateHooks(claim_surface=case["claim_surface"], model_class=case["preset"],
                             max_blocks=case["max_blocks"])
    gate.state.goal_predicates = list(case["goal_predicates"])
    answers = []
    for op in case["ops"]:
        event = {"tool_name": op.get("tool", ""), "tool_input": op.get("input", ""),
                 "tool_response": op.get("response", "")}
        if "agent_id" in op:
            event["agent_id"] = op["agent_id"]
        name, hook = {"post": ("PostToolUse", gate.post_tool_use),
                      "fail": ("PostToolUseFailure", gate.post_tool_use_failure),
                      "stop": ("Stop", gate.stop),
                      "prompt": ("UserPromptSubmit", gate.user_prompt_submit)}[op["op"]]
        out = await hook(dict(event, hook_event_name=name), None, None)
        state = gate.progress()
        state["claim_surface"] = sorted(gate.state.claim_surface)
        state["seen"] = len(gate.state.recent_result_hashes)
        answers.append({"out": out, "state": state})
    return json.loads(json.dumps(answers))


def answer_function(package, call):
    if call["fn"] == "normalize":
        return package.normalize(call["in"])
    return sorted(package.extract_identifiers(call["args"], call["result"]))


# --------------------------------------------------------------------------- comparing

def difference(ours, theirs, path=""):
    """The first place where two JSON values differ, types included."""
    if type(ours) is not type(theirs):
        return "%s: ours %r, theirs %r" % (path, ours, theirs)
    if isinstance(theirs, dict):
        if list(ours) != list(theirs):
            return "%s: our keys %r, theirs %r" % (path, list(ours), list(theirs))
        pairs = ((path + "." + key, ours[key], theirs[key]) for key in theirs)
    elif isinstance(theirs, list):
        if len(ours) != len(theirs):
            return "%s: ours %r, theirs %r" % (path, ours, theirs)
        pairs = (("%s[%d]" % (path, i), a, b) for i, (a, b) in enumerate(zip(ours, theirs)))
    else:
        return None if ours == theirs else "%s: ours %r, theirs %r" % (path, ours, theirs)
    return next((d for p, a, b in pairs for d in [difference(a, b, p)] if d), None)


def run_binary(binary, document):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "gate-random.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(document, file, ensure_ascii=False)
        done = subprocess.run([binary, "replay", path], capture_output=True, check=False)
    if done.returncode != 0:
        sys.exit("%s replay exits %d: %s" % (binary, done.returncode, done.stderr.decode()[:500]))
    return json.loads(done.stdout)


def expected(profile, packages, document):
    """The document with the packages' answers."""
    package, adapter = packages[profile]
    answered = json.loads(json.dumps(document))
    for case in answered["cases"]:
        case["expect"] = (asyncio.run(answer_hooks(adapter, case)) if adapter
                          else answer_core(package, case))
    for call in answered["functions"]:
        call["out"] = answer_function(package, call)
    return answered


def every_character():
    """Calls that hold every assigned character once, alone and where a digit or a boundary counts.

    Characters this Python does not know yet are left out: newer Unicode tables may well call them
    letters, and the unit tests of the scanners list which.
    """
    known = [c for c in map(chr, range(0x110000))
             if unicodedata.category(c) not in ("Cn", "Cs", "Co")]
    calls = []
    for start in range(0, len(known), 256):
        block = known[start:start + 256]
        calls.append({"fn": "extract_identifiers", "args": "|".join(block), "result": ""})
        text = "|".join("1%ss%sago|%s:22:33|%sdeadbeef" % (c, c, c, c) for c in block)
        calls.append({"fn": "normalize", "in": text})
    return len(known), calls


def check_characters(args, packages, failures):
    for profile in ("gg-0.1", "gg-0.4"):
        count, calls = every_character()
        document = {"reference": REFERENCE[profile], "cases": [], "functions": calls}
        ours = run_binary(args.binary, document)["functions"]
        theirs = expected(profile, packages, document)["functions"]
        for our, their in zip(ours, theirs):
            a, b = our["out"], their["out"]
            if isinstance(a, str):
                a, b = a.split("|"), b.split("|")
            failures.extend("%s %s: %r" % (profile, our["fn"], x) for x in set(a) ^ set(b))
        print("%s: every one of %d characters" % (profile, count))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("binary")
    parser.add_argument("folder_0_1_0")
    parser.add_argument("folder_0_4_1")
    parser.add_argument("--count", type=int, default=20000)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--batch", type=int, default=2000)
    args = parser.parse_args()
    seed = args.seed if args.seed is not None else random.SystemRandom().randrange(2**32)
    print("seed %d, Python %s, Unicode %s" % (
        seed, sys.version.split()[0], unicodedata.unidata_version))
    old, _ = load(args.folder_0_1_0, "0.1.0")
    new, adapter = load(args.folder_0_4_1, "0.4.1")
    packages = {"gg-0.1": (old, None), "gg-0.4": (new, None), "gg-0.4-hooks": (new, adapter)}
    failures = []
    for place, profile in enumerate(PROFILES):
        rng = random.Random("%d/%s" % (seed, profile))
        share = args.count // 3 + (1 if place < args.count % 3 else 0)
        check_profile(args, packages, profile, rng, share, failures)
    check_characters(args, packages, failures)
    for failure in failures[:20]:
        print("DIFFERENCE " + failure)
    print("%d differences" % len(failures))
    return 1 if failures else 0


def check_profile(args, packages, profile, rng, share, failures):
    make = Cases(rng)
    cases = ops = functions = blocks = accepts = rejects = grounded = 0
    while cases < share:
        size = min(args.batch, share - cases)
        case = make.hooks if profile == "gg-0.4-hooks" else make.core
        document = {
            "reference": REFERENCE[profile], "note": ["kept"],
            "cases": [case(cases + i) for i in range(size)],
            "functions": [make.function() for _ in range(size)],
        }
        theirs = expected(profile, packages, document)
        ours = run_binary(args.binary, document)
        for kind in ("cases", "functions"):
            for i, (a, b) in enumerate(zip(ours[kind], theirs[kind])):
                found = difference(a, b)
                if found:
                    given = json.dumps(document[kind][i])[:1500]
                    failures.append("%s %s %s\n    %s" % (profile, kind, found, given))
        if not failures:
            found = difference(ours, theirs)
            failures.extend([found] if found else [])
        cases += size
        functions += size
        for answer in (x for c in theirs["cases"] for x in c["expect"]):
            ops += 1
            accepts += answer.get("verdict") == "ACCEPT"
            rejects += answer.get("verdict") == "REJECT"
            blocks += bool(answer.get("out"))
            grounded += bool(answer["state"]["grounded_this_turn"])
    print("%s: %d sequences, %d ops, %d function calls (%d accepts, %d rejects, %d blocked or "
          "valved stops, %d ops with a grounded turn)"
          % (profile, cases, ops, functions, accepts, rejects, blocks, grounded))


if __name__ == "__main__":
    sys.exit(main())
