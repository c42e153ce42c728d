"""Writes one made-up session in the shape that each client stores.

A session is a list of turns; a turn is a prompt, steps and a close. Steps are plain tuples made by the functions below, so
that a case never knows which client will carry it. Shapes follow what the clients were seen to write: Claude Code 2.1.x
session files, Codex 0.142 rollouts (event pairs) and 0.148 rollouts (`item_completed` items instead of the pairs).
"""

import hashlib
import json
import os

DENY_CLAUDE = [
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the "
    "new_string was NOT written to the file). STOP what you are doing and wait for the user to tell you how to proceed.",
    "Permission to use Bash has been auto-denied in dontAsk mode.",
    "This command requires approval",
]
DENY_CODEX = ["exec command rejected by user", "exec command rejected by user"]


def bash(cmd, out="", code=0):
    return ("bash", cmd, out, code)


def denied(cmd):
    return ("denied", cmd)


def launch(cmd, tag):
    """A background start; `collect` with the same tag reads its outcome."""
    return ("launch", cmd, tag)


def collect(tag, out, code=0):
    return ("collect", tag, out, code)


def notified(tag, code=0, out=None):
    """A notice that a background command ended; with `out` the agent also reads its output file."""
    return ("notified", tag, code, out)


def edit(path, old, new):
    return ("edit", path, old, new)


def edit_failed(path, old, new):
    return ("edit_failed", path, old, new)


def write(path, text):
    return ("write", path, text)


def read(path, text):
    return ("read", path, text)


def say(text):
    return ("say", text)


def agent(prompt, steps, answer):
    return ("agent", prompt, steps, answer)


class Ids:
    """Deterministic ids and times, drawn from the case's own name."""

    def __init__(self, seed):
        self.seed, self.n = seed, 0

    def hex(self, k):
        self.n += 1
        return hashlib.sha256(f"{self.seed}/{self.n}".encode()).hexdigest()[:k]

    def uuid(self):
        h = self.hex(32)
        return f"{h[:8]}-{h[8:12]}-4{h[13:16]}-a{h[17:20]}-{h[20:32]}"

    def time(self):
        s = self.n * 7
        return f"2026-03-{2 + s // 86400 % 27:02}T{s // 3600 % 24:02}:{s // 60 % 60:02}:{s % 60:02}.{self.n % 1000:03}Z"


def _dump(path, lines):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8", newline="\n") as f:
        for line in lines:
            f.write(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n")


class Claude:
    """Claude Code 2.1.x: one line for each content block, results as user lines."""

    def __init__(self, root, name, cwd, version="2.1.62", rng=None):
        self.ids = Ids(name)
        self.rng, self.cwd, self.version = rng, cwd, version
        self.session = self.ids.uuid()
        slug = "".join(c if c.isascii() and c.isalnum() else "-" for c in cwd)
        self.file = f"claude/{slug}/{self.session}.jsonl"
        self.root, self.lines, self.parent, self.side = root, [], None, None
        self.tags = {}

    def _env(self, extra):
        u = self.ids.uuid()
        d = {"parentUuid": self.parent, "isSidechain": self.side is not None}
        if self.side:
            d["agentId"] = self.side
        d.update(extra)
        d.update({"uuid": u, "timestamp": self.ids.time(), "userType": "external", "entrypoint": "cli", "cwd": self.cwd,
                  "sessionId": self.session, "version": self.version, "gitBranch": "main"})
        self.parent = u
        self.lines.append(d)
        return u

    def _assistant(self, block, stop):
        msg = {"id": "msg_01" + self.ids.hex(22), "type": "message", "role": "assistant", "model": "claude-sonnet-4-6",
               "content": [block], "stop_reason": stop, "stop_sequence": None,
               "usage": {"input_tokens": 12, "cache_read_input_tokens": 900, "output_tokens": 60}}
        return self._env({"type": "assistant", "message": msg, "requestId": "req_011" + self.ids.hex(20)})

    def _call(self, tool, inp):
        tid = "toolu_01" + self.ids.hex(22)
        return tid, self._assistant({"type": "tool_use", "id": tid, "name": tool, "input": inp}, "tool_use")

    def _result(self, tid, src, content, tur, err=None):
        b = {"tool_use_id": tid, "type": "tool_result", "content": content}
        if err is not None:
            b["is_error"] = err
        d = {"type": "user", "message": {"role": "user", "content": [b]}, "sourceToolAssistantUUID": src}
        if tur is not None and self.side is None:
            d["toolUseResult"] = tur
        self._env(d)

    def prompt(self, text):
        self._env({"type": "user", "message": {"role": "user", "content": text}, "promptId": self.ids.uuid()})

    def turn(self, prompt, steps, close):
        self.prompt(prompt)
        for s in steps:
            getattr(self, "_" + s[0])(*s[1:])
        self._assistant({"type": "text", "text": close}, "end_turn")

    def _say(self, text):
        self._assistant({"type": "text", "text": text}, "tool_use")

    def _bash(self, cmd, out, code):
        tid, src = self._call("Bash", {"command": cmd, "description": "Run a command"})
        if code:
            text = f"Exit code {code}\n{out}" if out else f"Exit code {code}"
            self._result(tid, src, text, "Error: " + text, True)
        else:
            self._result(tid, src, out, {"stdout": out, "stderr": "", "interrupted": False, "isImage": False}, False)

    def _denied(self, cmd):
        tid, src = self._call("Bash", {"command": cmd, "description": "Run a command"})
        text = DENY_CLAUDE[len(cmd) % 3]
        self._result(tid, src, text, "Error: " + text, True)

    def _launch(self, cmd, tag):
        tid, src = self._call("Bash", {"command": cmd, "description": "Run in background", "run_in_background": True})
        bid = "b" + self.ids.hex(6)
        self.tags[tag] = (bid, tid, cmd)
        out = f"Command running in background with ID: {bid}. Output is being written to: /tmp/claude/tasks/{bid}.output"
        self._result(tid, src, out, {"stdout": "", "stderr": "", "interrupted": False, "isImage": False,
                                     "backgroundTaskId": bid}, False)

    def _collect(self, tag, out, code):
        bid, _, _ = self.tags[tag]
        tid, src = self._call("TaskOutput", {"task_id": bid, "block": True, "timeout": 60000})
        status = "failed" if code else "completed"
        text = (f"<retrieval_status>success</retrieval_status>\n\n<task_id>{bid}</task_id>\n\n<task_type>local_bash</task_type>"
                f"\n\n<status>{status}</status>\n\n<exit_code>{code}</exit_code>\n\n<output>\n{out}\n</output>")
        tur = {"retrieval_status": "success", "task": {"task_id": bid, "task_type": "local_bash", "status": status,
               "description": "Run in background", "output": out + "\n", "exitCode": code}}
        self._result(tid, src, text, tur)

    def _notified(self, tag, code, out):
        bid, tid, _ = self.tags[tag]
        status = "failed" if code else "completed"
        path = f"/tmp/claude/tasks/{bid}.output"
        text = (f"<task-notification>\n<task-id>{bid}</task-id>\n<tool-use-id>{tid}</tool-use-id>\n<output-file>{path}"
                f"</output-file>\n<status>{status}</status>\n<summary>Background command \"Run in background\" {status} "
                f"(exit code {code})</summary>\n</task-notification>")
        self._env({"type": "user", "message": {"role": "user", "content": text}, "origin": {"kind": "task-notification"}})
        if out is not None:
            self._read(path, out)

    def _full(self, path):
        return path if path.startswith("/") else f"{self.cwd}/{path}"

    def _edit(self, path, old, new):
        p = self._full(path)
        tid, src = self._call("Edit", {"replace_all": False, "file_path": p, "old_string": old, "new_string": new})
        self._result(tid, src, f"The file {p} has been updated successfully.",
                     {"filePath": p, "oldString": old, "newString": new, "originalFile": old + "\n", "userModified": False,
                      "replaceAll": False, "structuredPatch": [{"oldStart": 1, "oldLines": 1, "newStart": 1, "newLines": 1,
                                                                "lines": ["-" + old, "+" + new]}]})

    def _edit_failed(self, path, old, new):
        p = self._full(path)
        tid, src = self._call("Edit", {"replace_all": False, "file_path": p, "old_string": old, "new_string": new})
        text = f"String to replace not found in file.\nString: {old}"
        self._result(tid, src, f"<tool_use_error>{text}</tool_use_error>", "Error: " + text, True)

    def _write(self, path, text):
        p = self._full(path)
        tid, src = self._call("Write", {"file_path": p, "content": text})
        self._result(tid, src, f"File created successfully at: {p}",
                     {"type": "create", "filePath": p, "content": text, "structuredPatch": [], "originalFile": None})

    def _read(self, path, text):
        p = self._full(path)
        tid, src = self._call("Read", {"file_path": p})
        rows = text.split("\n")
        body = "\n".join(f"{i:6}→{r}" for i, r in enumerate(rows, 1))
        self._result(tid, src, body, {"type": "text", "file": {"filePath": p, "content": text, "numLines": len(rows),
                                                                "startLine": 1, "totalLines": len(rows)}})

    def _agent(self, prompt, steps, answer):
        tid, src = self._call("Task", {"description": "Delegated part", "prompt": prompt, "subagent_type": "general-purpose"})
        aid = "a" + self.ids.hex(16)
        keep = (self.lines, self.parent)
        self.lines, self.parent, self.side = [], None, aid
        self.prompt(prompt)
        for s in steps:
            getattr(self, "_" + s[0])(*s[1:])
        self._assistant({"type": "text", "text": answer}, "end_turn")
        base = f"{self.root}/{self.file[:-6]}/subagents/agent-{aid}"
        _dump(base + ".jsonl", self.lines)
        with open(base + ".meta.json", "w", encoding="utf-8") as f:
            json.dump({"agentType": "general-purpose", "description": "Delegated part", "toolUseId": tid, "spawnDepth": 1}, f)
        self.lines, self.parent = keep
        self.side = None
        body = [{"type": "text", "text": answer}]
        self._result(tid, src, body, {"status": "completed", "prompt": prompt, "agentId": aid, "content": body,
                                      "totalToolUseCount": len(steps), "totalDurationMs": 900, "totalTokens": 400})

    def save(self):
        _dump(f"{self.root}/{self.file}", self.lines)


class Codex:
    """Codex rollouts: 0.142 keeps event pairs, 0.148 writes `item_completed` items in their place."""

    def __init__(self, root, name, cwd, version="0.142.2", rng=None):
        self.ids, self.rng, self.cwd, self.version = Ids(name), rng, cwd, version
        self.root, self.lines, self.tags = root, [], {}
        self.new = int(version.split(".")[1]) >= 147
        self.session = self.ids.uuid()
        self.file = f"codex/sessions/2026/03/02/rollout-2026-03-02T08-00-00-{self.session}.jsonl"
        self._put("session_meta", {"session_id": self.session, "id": self.session, "timestamp": self.ids.time(), "cwd": cwd,
                                   "originator": "codex-tui", "cli_version": version, "source": "cli", "thread_source": "user",
                                   "model_provider": "openai", "base_instructions": {"text": "You are a coding agent."}})

    def _put(self, kind, payload):
        d = {"timestamp": self.ids.time(), "type": kind, "payload": payload}
        self.ids.n += 1
        self.lines.append(d)

    def _item(self, item):
        self._put("event_msg", {"type": "item_completed", "thread_id": self.session, "turn_id": self.tid, "item": item,
                                "started_at_ms": 1772438400000 + self.ids.n, "completed_at_ms": 1772438400001 + self.ids.n})

    def turn(self, prompt, steps, close):
        self.tid = self.ids.uuid()
        self._put("event_msg", {"type": "task_started", "turn_id": self.tid, "started_at": 1772438400,
                                "model_context_window": 258400, "collaboration_mode_kind": "default"})
        self._put("turn_context", {"turn_id": self.tid, "cwd": self.cwd, "workspace_roots": [self.cwd], "model": "gpt-5.3-codex",
                                   "approval_policy": "never", "sandbox_policy": {"type": "workspace-write"}})
        self._put("response_item", {"type": "message", "role": "user", "content": [{"type": "input_text", "text": prompt}]})
        if self.new:
            self._item({"type": "UserMessage", "id": self.ids.uuid(), "content": [{"type": "text", "text": prompt,
                                                                                    "text_elements": []}]})
        else:
            self._put("event_msg", {"type": "user_message", "message": prompt, "images": [], "local_images": [],
                                    "text_elements": []})
        for s in steps:
            getattr(self, "_" + s[0])(*s[1:])
        self._message(close, "final_answer")
        self._put("event_msg", {"type": "task_complete", "turn_id": self.tid, "last_agent_message": close})

    def _message(self, text, phase):
        mid = "msg_" + self.ids.hex(40)
        if self.new:
            self._item({"type": "AgentMessage", "id": mid, "content": [{"type": "Text", "text": text}], "phase": phase})
        else:
            self._put("event_msg", {"type": "agent_message", "message": text, "phase": phase, "memory_citation": None})
        self._put("response_item", {"type": "message", "id": mid, "role": "assistant", "phase": phase,
                                    "content": [{"type": "output_text", "text": text}]})

    def _say(self, text):
        self._message(text, "commentary")

    def _fn(self, name, args):
        cid = "call_" + self.ids.hex(24)
        self._put("response_item", {"type": "function_call", "id": "fc_" + self.ids.hex(40), "name": name,
                                    "arguments": json.dumps(args, ensure_ascii=False), "call_id": cid})
        return cid

    def _out(self, cid, text):
        self._put("response_item", {"type": "function_call_output", "call_id": cid, "output": text})

    def _head(self, tail, out):
        return (f"Chunk ID: {self.ids.hex(6)}\nWall time: 0.4120 seconds\n{tail}\nOriginal token count: {len(out) // 4}\n"
                f"Output:\n{out}" + ("\n" if out and not out.endswith("\n") else ""))

    def _exec_item(self, cid, cmd, out, code):
        if self.new:
            self._item({"type": "CommandExecution", "id": cid, "process_id": "4101", "command": ["/bin/bash", "-lc", cmd],
                        "cwd": "file://" + self.cwd, "parsed_cmd": [{"type": "unknown", "cmd": cmd}],
                        "source": "unified_exec_startup", "status": "failed" if code else "completed",
                        "aggregated_output": out, "exit_code": code, "duration": {"secs": 0, "nanos": 412000000}})

    def _bash(self, cmd, out, code):
        cid = self._fn("exec_command", {"cmd": cmd, "workdir": self.cwd, "yield_time_ms": 10000, "max_output_tokens": 12000})
        self._exec_item(cid, cmd, out, code)
        self._out(cid, self._head(f"Process exited with code {code}", out))

    def _denied(self, cmd):
        self._out(self._fn("exec_command", {"cmd": cmd, "workdir": self.cwd}), DENY_CODEX[len(cmd) % 2])

    def _launch(self, cmd, tag):
        cid = self._fn("exec_command", {"cmd": cmd, "workdir": self.cwd, "yield_time_ms": 1000})
        sid = 10000 + int(self.ids.hex(4), 16)
        self.tags[tag] = (sid, cid, cmd)
        self._out(cid, self._head(f"Process running with session ID {sid}", ""))

    def _collect(self, tag, out, code):
        sid, first, cmd = self.tags[tag]
        cid = self._fn("write_stdin", {"session_id": sid, "chars": "", "yield_time_ms": 30000})
        self._exec_item(first, cmd, out, code)
        self._out(cid, self._head(f"Process exited with code {code}", out))

    def _notified(self, tag, code, out):
        self._collect(tag, out or "", code)

    def _patch(self, body, path, mark, change, ok=True):
        cid = "call_" + self.ids.hex(24)
        text = f"*** Begin Patch\n{body}\n*** End Patch\n"
        self._put("response_item", {"type": "custom_tool_call", "id": "ctc_" + self.ids.hex(40), "status": "completed",
                                    "call_id": cid, "name": "apply_patch", "input": text})
        full = path if path.startswith("/") else f"{self.cwd}/{path}"
        if ok:
            done = f"Success. Updated the following files:\n{mark} {full}\n"
            if self.new:
                self._item({"type": "FileChange", "id": cid, "changes": {full: change}, "status": "completed"})
            else:
                self._put("event_msg", {"type": "patch_apply_end", "call_id": cid, "turn_id": self.tid, "stdout": done,
                                        "stderr": "", "success": True, "changes": {full: change}})
            out = f"Exit code: 0\nWall time: 0 seconds\nOutput:\n{done}"
        else:
            out = f"apply_patch verification failed: Failed to find expected lines in {full}:\n{change}"
        self._put("response_item", {"type": "custom_tool_call_output", "call_id": cid, "output": out})

    def _edit(self, path, old, new):
        diff = "".join(f"-{r}\n" for r in old.split("\n")) + "".join(f"+{r}\n" for r in new.split("\n"))
        self._patch(f"*** Update File: {path}\n@@\n{diff.rstrip(chr(10))}", path, "M",
                    {"type": "update", "unified_diff": "@@ -1 +1 @@\n" + diff, "move_path": None})

    def _edit_failed(self, path, old, new):
        self._patch(f"*** Update File: {path}\n@@\n-{old}\n+{new}", path, "M", old, ok=False)

    def _write(self, path, text):
        body = "\n".join("+" + r for r in text.rstrip("\n").split("\n"))
        self._patch(f"*** Add File: {path}\n{body}", path, "A", {"type": "add", "content": text})

    def _read(self, path, text):
        self._bash(f"sed -n '1,200p' {path}", text, 0)

    def save(self):
        _dump(f"{self.root}/{self.file}", self.lines)


CLIENTS = [(Claude, "2.1.25"), (Claude, "2.1.62"), (Claude, "2.1.126"), (Claude, "2.1.197"), (Codex, "0.140.0"),
           (Codex, "0.142.2"), (Codex, "0.146.1"), (Codex, "0.148.0")]
