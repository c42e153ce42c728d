#!/usr/bin/env python3
"""Records golden sessions from the real clients, with a model that only reads from a script.

    record.py [--clients DIR] [--out DIR] [--check] [CASE ...]

DIR holds the `node_modules` of both clients (default: target/clients under the project). Without a
CASE every script of `scripts/` is recorded. `--check` records into a temporary directory and tells
which files differ from the golden ones. README.md beside this file says more.
"""
import argparse
import filecmp
import json
import pathlib
import re
import shutil
import sys
import tempfile
import time

import drive
import model
import normal

HERE = pathlib.Path(__file__).resolve().parent
GOLDEN = HERE.parent


def first_stamp(lines):
    found = re.search(r'"timestamp":"([^"]+)"', "\n".join(lines))
    return found.group(1) if found else ""


def gather(world, case):
    """The transcripts of a finished run: name in the golden directory -> lines."""
    files = {}
    folder, part = (".claude", "projects") if case["client"] == "claude" else (".codex", "sessions")
    for path in sorted((world.home / folder / part).rglob("*")):
        if path.suffix in (".jsonl", ".json") and "memory" not in path.parts and path.stat().st_size:
            name = folder[1:] + "/" + str(path.relative_to(world.home / folder))
            lines = path.read_text(encoding="utf-8").split("\n")
            files[name] = [line for line in lines if line.strip()]
    # The order decides which id counts as first: a session before its subagents, an older one before a newer.
    files = dict(sorted(files.items(), key=lambda item: (item[0].count("/"), "/agent-" in item[0],
                                                         first_stamp(item[1]), item[0])))
    if case.get("keep_output"):
        name = "output.json" if case.get("output") == "json" else "stream.jsonl"
        files[name] = [line for line in world.stdout if line.startswith(("{", "["))]
    return files


def run(case, clients):
    world = drive.World(case, clients)
    script = model.Script(case["number"])
    script.places = {"cwd": str(world.cwd), "home": str(world.home)}
    server, address = model.serve(script)
    try:
        start = time.time()
        drive.MODES[case["client"], case["mode"]](world, address, script)
        time.sleep(0.2)
        end = time.time()
        if script.surprises:
            raise RuntimeError(f"the client left the script: {script.surprises}")
        files = gather(world, case)
        recording = normal.Recording(case, world.root, start, end)
        done = recording.normalise(files)
        for name, lines in done.items():
            found = normal.leaks(name + "\n" + "\n".join(lines), str(world.root))
            if found:
                raise RuntimeError(f"{name} still holds {found}")
        return done
    finally:
        server.shutdown()
        world.remove()


def call_id(script, client, queue, reply, block):
    stamp = script.stamp(queue, reply, block)
    return f"toolu_0100{stamp}00" if client == "claude" else f"call_{stamp:0>24}"


class Reader:
    """Joins the human reading in the script with the lines of the recording."""

    def __init__(self, case, files):
        self.case, self.files = case, files
        self.script = model.Script(case["number"])
        self.served = {}
        self.agents = 0

    def lines_with(self, text, only=""):
        return [(name, number) for name, lines in self.files.items() if only in name
                for number, line in enumerate(lines, 1) if text in line]

    def calls(self, replies, queue):
        found = []
        for reply in replies:
            number = self.served.get(queue, 0)
            self.served[queue] = number + 1
            for block_no, block in enumerate(reply):
                if "tool" in block or "custom" in block:
                    found.append(self.call(block, call_id(self.script, self.case["client"], queue, number, block_no)))
        return found

    def call(self, block, ident):
        # A word in quotes is the id itself; a longer text could only quote it.
        lines = self.lines_with(f'"{ident}"')
        if not lines:
            raise RuntimeError(f"call {ident} is not in the recording")
        entry = {"id": ident, "tool": block.get("tool") or block["custom"], "outcome": block["outcome"]}
        entry |= {key: block[key] for key in ("does", "why") if key in block}
        entry["lines"] = [{"file": name, "lines": [n for f, n in lines if f == name]}
                          for name in dict.fromkeys(f for f, _ in lines)]
        if "agent" in block:
            self.agents += 1
            entry["agent"] = {"calls": self.calls(block["agent"], self.agents), "close": last_text(block["agent"])}
            entry["agent"]["statements"] = last_says(block["agent"])
        return entry

    def turns(self):
        result = []
        for number, turn in enumerate(self.case["turns"], 1):
            calls = self.calls(turn["replies"], 0)
            entry = {"turn": number, "prompt": turn["prompt"], "end": turn["end"]}
            entry |= {"why": turn["why"]} if "why" in turn else {}
            entry |= {"calls": calls, "close": last_text(turn["replies"]) if turn["end"] == "closed" else None,
                      "statements": last_says(turn["replies"]) if turn["end"] == "closed" else []}
            before = [{"text": b["text"], "statements": b["says"]} for reply in turn["replies"][:-1]
                      for b in reply if "says" in b]
            entry |= {"said_before": before} if before else {}
            entry |= {"command": True} if turn.get("command") else {}
            result.append(entry)
        return result

    def matters(self):
        result = []
        for entry in self.case.get("matters", []):
            lines = self.lines_with(entry["find"], entry.get("file", ""))
            if not lines:
                raise RuntimeError(f"{entry['find']!r} is not in the recording")
            result += [{"file": f, "line": n, "why": entry["why"]} for f, n in lines[:entry.get("most", 1)]]
        return result


def last_text(replies):
    texts = [b["text"] for b in replies[-1] if "text" in b] if replies else []
    return "\n".join(texts) or None


def last_says(replies):
    return [say for block in (replies[-1] if replies else []) for say in block.get("says", [])]


def format_of(name, case):
    old = "-old" if case.get("release", "").startswith("0.29.") else ""
    if name == "output.json":
        return "claude-json"
    if name == "stream.jsonl":
        return "claude-stream-json" if case["client"] == "claude" else f"codex-exec-json{old}"
    if name.endswith(".meta.json"):
        return "claude-subagent-meta"
    if case["client"] == "codex":
        return f"codex-rollout{old}"
    return "claude-subagent" if "/agent-" in name else "claude-session"


def describe(name, case, version, files):
    if case.get("folder", "").startswith("frozen/"):
        return None  # What these sessions come to is a table of the experiment that they belong to.
    reader = Reader(case, files)
    return {"case": name, "client": case["client"], "version": version, "mode": case["mode"], "shows": case["shows"],
            "files": [{"path": f, "format": format_of(f, case), "lines": len(lines)}
                      for f, lines in files.items()],
            "turn_count": sum(not turn.get("command") for turn in case["turns"]),
            **({"note": case["note"]} if "note" in case else {}),
            "turns": reader.turns(), "matters": reader.matters()}


def write(target, files, description):
    shutil.rmtree(target, ignore_errors=True)
    for name, lines in files.items():
        path = target / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    if description is None:
        return
    text = json.dumps(description, ensure_ascii=False, indent=1)
    text = re.sub(r"\[\s+((?:\d+,\s+)*\d+)\s+\]", lambda m: "[" + re.sub(r"\s+", " ", m.group(1)) + "]", text)
    (target / "case.json").write_text(text + "\n", encoding="utf-8")


def differences(old, new):
    names = {p.relative_to(r) for r in (old, new) for p in r.rglob("*") if p.is_file()}
    return sorted(str(n) for n in names
                  if not ((old / n).is_file() and (new / n).is_file() and filecmp.cmp(old / n, new / n, shallow=False)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clients", default=str(GOLDEN.parent / "target" / "clients"))
    parser.add_argument("--out", default=str(GOLDEN))
    parser.add_argument("--check", action="store_true")
    parser.add_argument("cases", nargs="*")
    options = parser.parse_args()
    out = pathlib.Path(tempfile.mkdtemp()) if options.check else pathlib.Path(options.out)
    names = options.cases or sorted(str(p.relative_to(HERE / "scripts"))[:-5] for p in (HERE / "scripts").rglob("*.json"))
    failed = []
    for name in names:
        case = json.loads((HERE / "scripts" / f"{name}.json").read_text(encoding="utf-8"))
        folder = case.get("folder", name)
        try:
            files = run(case, options.clients)
            write(out / folder, files, describe(name, case, drive.version_of(case, options.clients), files))
        except (RuntimeError, OSError, KeyError, ValueError) as error:
            failed.append(name)
            print(f"{name}: FAILED: {error!r}", file=sys.stderr)
            continue
        note = ""
        if options.check:
            changed = differences(GOLDEN / folder, out / folder)
            failed += [name] if changed else []
            note = f": differs: {', '.join(changed)}" if changed else ": same"
        print(f"{name}{note}")
    if options.check:
        print(f"recorded into {out}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
