"""A stored session as editable lines, and the single changes that `pairs.py` makes to it.

Works on both clients' shapes; a line that is not JSON is kept as it is. A change returns a new `Session`, or None where the
session has nothing to change in that way.
"""

import copy
import json
import re

# What shows a check of a kind, stand-ins among it: a compiled language builds before it tests or runs, and where no build of its
# own is told of, `go test` that went well says that the packages build.
RUN_WORDS = {
    "tests": r"test|spec|jest|mocha|verify|\bcheck\b|\bci\b|nox|tox|coverage|gh (run|pr)", "build": r"build|compile|cargo|\bmake\b|tsc|type-?check|pack|bundle|go (vet|install|test|run)|(dotnet|swift|mvn|gradlew?) test|gh (run|pr)",
    "lint": r"lint|clippy|ruff|flake8|\bcheck(s|ed)?\b|\bvet\b|biome|verify|\bci\b|gh (run|pr)", "typecheck": r"tsc|mypy|pyright|type-?check|\bcheck(s|ed)?\b|build|verify|svelte", "format": r"fmt|format|prettier|black|\bcheck(s|ed)?\b|lint",
    "push": r"git[^|;&]*\bpush\b|gh pr|git (status|log|branch|ls-remote|fetch)", "commit": r"git[^|;&]*\b(commit|log|show|status|rebase|merge|cherry-pick)\b", "pr": r"gh |pull", "merge": r"merge", "install": r"install|add\b|which|--version"}
RED = {"tests": "F.FF\nFAILED tests/test_zz_probe.py::test_one - AssertionError: assert 3 == 4\n--- FAIL: TestOne (0.00s)\n3 failed, 1 passed in 0.31s\nFAIL", "build": "error[E0308]: mismatched types\nerror: build failed: could not compile 1 file", "lint": "src/zz_probe.py:14:9: F841 unused variable\n✖ 3 problems (3 errors, 0 warnings)\nFound 3 errors.",
       "typecheck": "src/zz_probe.ts(14,9): error TS2322: Type 'string' is not assignable to type 'number'.\nFound 3 errors in 1 file.", "format": "Would reformat: src/zz_probe.py\n1 file would be reformatted", "push": " ! [rejected]        main -> main (fetch first)\nerror: failed to push some refs to 'origin'",
       "commit": "error: pathspec did not match; nothing to commit, working tree clean", "pr": "pull request create failed: GraphQL: No commits between main and topic", "merge": "CONFLICT (content): Merge conflict in src/zz_probe.py\nAutomatic merge failed; fix conflicts and then commit the result.", "install": "error: could not find a version that satisfies the requirement"}
CODE_EXT = (".py", ".rs", ".go", ".ts", ".tsx", ".js", ".jsx", ".java", ".cs", ".rb", ".php", ".c", ".cpp", ".swift", ".kt", ".mjs", ".svelte")
NARROWER = [(r"\bgo test\b(?!.* -run)", r"go test -run TestOneOddCase"), (r"\b(python3? -m )?pytest\b(?!.* -k)", r"\g<0> -k test_one_odd_case"), (r"\bcargo test\b", "cargo test one_odd_case"), (r"\b(vitest run|vitest|jest|bun test)\b", r"\g<0> -t 'one odd case'"),
            (r"\b(npm|pnpm|yarn|mise|just)( -s)?( run)? test(:\w+)*\b", r"\g<0> -- one_odd_case")]


def payload(obj):
    p = obj.get("payload", obj)
    return p if isinstance(p, dict) else {}


class Call:
    def __init__(self, cid, name, at, command, paths, text):
        self.cid, self.name, self.at, self.command, self.paths, self.text = cid, name, at, command, paths, text
        self.results, self.extra, self.root = [], [], cid


class Session:
    def __init__(self, lines):
        self.raw, self.obj, self.mine = lines, [], set()
        for line in lines:
            try:
                d = json.loads(line)
                self.obj.append(d if isinstance(d, dict) else None)
            except ValueError:
                self.obj.append(None)
        self.codex = any(d and "payload" in d for d in self.obj[:5]) or any(d and d.get("type") == "function_call" for d in self.obj)
        self.calls = {}
        self._index()

    def _index(self):
        for i, d in enumerate(self.obj):
            if d is None:
                continue
            if self.codex:
                self._codex(i, payload(d))
            else:
                self._claude(i, d)
        sessions = {}
        for c in self.calls.values():
            if c.name in ("write_stdin", "TaskOutput", "BashOutput"):
                m = re.search(r'"(?:session_id|task_id|bash_id|shell_id)":\s*"?(\w+)', c.text)
                if m and m.group(1) in sessions:
                    c.root = sessions[m.group(1)]
                continue  # a poll answers that the command still runs: the command is not its own
            out = " ".join(self.result_text(i) for i in c.results)
            m = re.search(r"running with session ID (\d+)|running in background with ID: (\w+)", out)
            if m:
                sessions[m.group(1) or m.group(2)] = c.cid

    def _claude(self, i, d):
        if d.get("type") == "progress":
            for key in ("toolUseID", "parentToolUseID"):
                if d.get(key) in self.calls:
                    self.calls[d[key]].extra.append(i)
            return
        content = (d.get("message") or {}).get("content") if isinstance(d.get("message"), dict) else None
        for b in content if isinstance(content, list) else []:
            if not isinstance(b, dict):
                continue
            if b.get("type") == "tool_use":
                inp = b.get("input") if isinstance(b.get("input"), dict) else {}
                path = inp.get("file_path") or inp.get("notebook_path")
                self.calls[b.get("id")] = Call(b.get("id"), b.get("name"), i, inp.get("command") if isinstance(inp.get("command"), str) else None,
                                               [path] if path else [], json.dumps(inp))
            elif b.get("type") == "tool_result" and b.get("tool_use_id") in self.calls:
                self.calls[b["tool_use_id"]].results.append(i)

    def _codex(self, i, p):
        t, cid = p.get("type"), p.get("call_id")
        if t in ("function_call", "custom_tool_call", "local_shell_call") and cid:
            cmd, text = None, p.get("arguments") or p.get("input") or json.dumps(p.get("action") or {})
            try:
                a = json.loads(p.get("arguments") or "null")
            except ValueError:
                a = None
            if isinstance(a, dict):
                cmd = a.get("cmd") or a.get("command")
                cmd = cmd[-1] if isinstance(cmd, list) and cmd else cmd
            paths = re.findall(r"^\*\*\* (?:Update|Add|Delete) File: (.+)$", str(text).replace("\\n", "\n"), re.M)
            self.calls[cid] = Call(cid, p.get("name"), i, cmd if isinstance(cmd, str) else None, paths, str(text))
        elif t in ("function_call_output", "custom_tool_call_output") and cid in self.calls:
            self.calls[cid].results.append(i)
        elif cid in self.calls:
            self.calls[cid].extra.append(i)
        elif isinstance(p.get("item"), dict) and p["item"].get("id") in self.calls:
            self.calls[p["item"]["id"]].extra.append(i)

    def copy(self):
        """A session that shares its lines with this one until `own` is asked for one."""
        s = copy.copy(self)
        s.obj, s.mine = list(self.obj), set()
        return s

    def own(self, i):
        if i not in self.mine:
            self.mine.add(i)
            self.obj[i] = copy.deepcopy(self.obj[i])
        return self.obj[i]

    def lines(self):
        """Untouched lines keep their bytes."""
        return [json.dumps(d, ensure_ascii=False, separators=(",", ":")) if i in self.mine else r for i, (d, r) in enumerate(zip(self.obj, self.raw))]

    def result_text(self, i):
        d = self.obj[i]
        if d is None:
            return ""
        if self.codex:
            out = payload(d).get("output")
            return out if isinstance(out, str) else json.dumps(out, ensure_ascii=False)
        return json.dumps(d.get("message"), ensure_ascii=False)

    def at_lines(self, numbers):
        """Calls that stand at these line numbers (from 1), by their call, their result or their event."""
        want = {n - 1 for n in numbers}
        return [c for c in self.calls.values() if want & {c.at, *c.results, *c.extra}]

    def texts(self, i):
        """(holder, key) of every assistant text at a line."""
        d = self.obj[i]
        if d is None:
            return
        if self.codex:
            p = payload(d)
            if p.get("type") == "message" and p.get("role") == "assistant":
                for b in p.get("content") or []:
                    if isinstance(b, dict) and isinstance(b.get("text"), str):
                        yield b, "text"
            for key in ("message", "last_agent_message"):
                if p.get("type") in ("agent_message", "task_complete") and isinstance(p.get(key), str):
                    yield p, key
            it = p.get("item")
            if isinstance(it, dict) and it.get("type") == "AgentMessage":
                for b in it.get("content") or []:
                    if isinstance(b, dict) and isinstance(b.get("text"), str):
                        yield b, "text"
        elif d.get("type") == "assistant" and isinstance(d.get("message"), dict):
            m = d["message"]
            if isinstance(m.get("content"), str):
                yield m, "content"
            for b in m["content"] if isinstance(m.get("content"), list) else []:
                if isinstance(b, dict) and b.get("type") == "text" and isinstance(b.get("text"), str):
                    yield b, "text"

    # -- changes -------------------------------------------------------------------------------------------------

    def without(self, calls, first, close, final):
        """The session with these calls and whatever belongs to them gone.

        So is what the assistant said between the turn's last call that stays and the close, which would join the close and move
        every place in it: the close, whose text is `final`, must keep its bytes."""
        ids = {c.cid for c in calls}
        s = self.copy()
        if self.codex:  # what is asked while it works begins no turn of its own
            ended = [i for i in range(close) if payload(self.obj[i] or {}).get("type") == "task_complete"]
            first = min(first, max(ended, default=-1) + 1)
        gone = set()
        for c in calls:
            gone |= {c.at, *c.results, *c.extra}
        stays = [i for c in self.calls.values() if c.cid not in ids for i in [c.at, *c.results, *c.extra] if first <= i < close]
        mute = range(max(stays, default=first - 1) + 1, close)
        keep = []
        for i in range(len(s.obj)):
            if s.obj[i] is None or i not in gone and i not in mute:
                keep.append(i)
                continue
            said = i in mute and any(holder[key].strip() not in final for holder, key in s.texts(i))
            content = (s.obj[i].get("message") or {}).get("content") if not self.codex and s.obj[i].get("type") != "progress" else None
            if isinstance(content, list):
                rest = [b for b in content if not (isinstance(b, dict) and (b.get("id") in ids or b.get("tool_use_id") in ids or said and b.get("type") == "text"))]
                if len(rest) < len(content):
                    s.own(i)["message"]["content"] = rest
                if rest:
                    keep.append(i)
            elif i not in gone and not said:
                keep.append(i)
        out = s.lines()
        return Session([out[i] for i in keep])

    def set_result(self, call, out, code):
        """Gives a call another output and status, in the way of its client."""
        for i in call.results:
            d = self.own(i)
            if self.codex:
                self._codex_result(payload(d), out, code)
                continue
            for b in d["message"]["content"]:
                if isinstance(b, dict) and b.get("tool_use_id") == call.cid:
                    text = f"Exit code {code}\n{out}" if code else out
                    b["content"], b["is_error"] = text, bool(code)
            d["toolUseResult"] = "Error: " + text if code else {"stdout": out, "stderr": "", "interrupted": False, "isImage": False}
        for i in call.extra:
            if not self.codex:
                self.own(i)["data"] = {"type": "bash_progress", "output": "", "fullOutput": ""}
                continue
            p = payload(self.own(i))
            for q in (p, p.get("item")):
                if isinstance(q, dict):
                    for key in ("aggregated_output", "stdout", "formatted_output"):
                        if key in q:
                            q[key] = out
                    if "exit_code" in q:
                        q["exit_code"] = code
                    if q.get("status") in ("completed", "failed"):
                        q["status"] = "failed" if code else "completed"

    @staticmethod
    def _codex_result(p, out, code):
        old = p.get("output")
        if not isinstance(old, str):
            p["output"] = f"Process exited with code {code}\nOutput:\n{out}\n"
        elif old.lstrip().startswith("{"):
            p["output"] = json.dumps({"output": out, "metadata": {"exit_code": code, "duration_seconds": 0.4}})
        elif "Output:\n" in old:
            head = old[: old.index("Output:\n") + 8]
            head = re.sub(r"(Process exited with code|Exit code:) -?\d+", lambda m: f"{m.group(1)} {code}", head, count=1)
            p["output"] = head + out + "\n"
        else:
            p["output"] = out

    def set_command(self, call, cmd):
        d = self.own(call.at)
        if not self.codex:
            for b in d["message"]["content"]:
                if isinstance(b, dict) and b.get("id") == call.cid:
                    b["input"]["command"] = cmd
            return
        p = payload(d)
        a = json.loads(p["arguments"])
        key = "cmd" if "cmd" in a else "command"
        a[key] = a[key][:-1] + [cmd] if isinstance(a[key], list) else cmd
        p["arguments"] = json.dumps(a)
        for i in call.extra:
            it = payload(self.own(i)).get("item") or payload(self.own(i))
            if isinstance(it.get("command"), list):
                it["command"] = it["command"][:-1] + [cmd]
            it.pop("parsed_cmd", None)

    def insert_edit(self, before, path, like):
        """A successful edit of `path` right before line index `before`; envelopes are those of the call `like`."""
        s = self.copy()
        call, res = copy.deepcopy(s.obj[like.at]), copy.deepcopy(s.obj[like.results[-1]])
        if self.codex:
            patch = f"*** Begin Patch\n*** Update File: {path}\n@@\n-    limit = 3\n+    limit = 4\n*** End Patch\n"
            c = {"type": "custom_tool_call", "status": "completed", "call_id": "call_zzProbe01", "name": "apply_patch", "input": patch}
            r = {"type": "custom_tool_call_output", "call_id": "call_zzProbe01", "output": json.dumps({"output": f"Success. Updated the following files:\nM {path}\n", "metadata": {"exit_code": 0, "duration_seconds": 0.0}})}
            if "payload" in call:
                call["payload"], res["payload"] = c, r
            else:
                call, res = c, r
        else:
            old, new = "    limit = 3", "    limit = 4"
            call["uuid"], res["uuid"] = "00000000-0000-4000-a000-0000000000a1", "00000000-0000-4000-a000-0000000000a2"
            res["parentUuid"] = call["uuid"]
            call["message"]["id"] = "msg_zzProbe01"
            call["message"]["content"] = [{"type": "tool_use", "id": "toolu_zzProbe01", "name": "Edit", "input": {"replace_all": False, "file_path": path, "old_string": old, "new_string": new}}]
            res["message"]["content"] = [{"tool_use_id": "toolu_zzProbe01", "type": "tool_result", "content": f"The file {path} has been updated successfully."}]
            res["toolUseResult"] = {"filePath": path, "oldString": old, "newString": new, "originalFile": old + "\n", "userModified": False, "replaceAll": False, "structuredPatch": []}
            res.pop("sourceToolAssistantUUID", None)
        out = s.lines()
        return Session(out[:before] + [json.dumps(call, ensure_ascii=False), json.dumps(res, ensure_ascii=False)] + out[before:])

    def replace_text(self, first, last, old, new):
        """Puts `new` for `old` in the assistant texts of these line indexes; None unless it occurs."""
        s, n = self.copy(), 0
        for i in range(first, min(last + 1, len(s.obj))):
            if any(h[k].count(old) == 1 for h, k in s.texts(i)):
                s.own(i)
                for holder, key in s.texts(i):
                    if holder[key].count(old) == 1:
                        holder[key] = holder[key].replace(old, new)
                        n += 1
        return s if n else None
