#!/usr/bin/env python3
"""Small inputs with the outcome that a reader of the rules expects of each.

    python3 tests/reference/test_reader.py
"""

import gzip
import json
import os
import stat
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import compare  # noqa: E402
import reader  # noqa: E402


def lines(*records):
    return b"".join(json.dumps(r).encode() + b"\n" for r in records)


class Session:
    """A Claude session's records, each with its own uuid."""

    def __init__(self, **common):
        self.n = 0
        self.common = common

    def __call__(self, kind, content=None, **more):
        self.n += 1
        row = {"type": kind, "sessionId": "s", "uuid": f"u{self.n}", **self.common}
        if content is not None:
            row["message"] = {"role": kind, "content": content}
        row.update(more)
        return row


def use(name):
    return [{"type": "tool_use", "id": name, "name": "Bash", "input": {}}]


def answer(name):
    return [{"type": "tool_result", "tool_use_id": name, "content": "ok"}]


def say(text):
    return [{"type": "text", "text": text}]


class Bytes(unittest.TestCase):
    def row(self, data):
        row = reader.read(data)
        lost = sum(length for _, length, _ in row["quarantined"])
        kept = sum(row[k] for k in ("record_bytes", "separator_bytes", "blank_bytes", "bom_bytes"))
        self.assertEqual(kept + lost, row["bytes"])
        return row

    def reasons(self, data):
        return [q[2] for q in self.row(data)["quarantined"]]

    def test_every_byte_has_one_place(self):
        row = self.row(b'\xef\xbb\xbf {"a":1} {"b":2}\r\n \t\n\n42\n{"c"')
        self.assertEqual(row["records"], 2)
        self.assertEqual(row["bom_bytes"], 3)
        self.assertEqual(row["record_bytes"], 14)
        self.assertEqual(row["blank_bytes"], 4)
        self.assertEqual(row["separator_bytes"], 5)
        self.assertEqual(row["quarantined"], [[25, 2, "not-object"], [28, 4, "torn-last"]])

    def test_reasons(self):
        self.assertEqual(self.reasons(b'{"a":"x\n{"b":1}\n'), ["torn"])
        self.assertEqual(self.reasons(b'{"a":"x\\"}\n{"b":1}\n'), ["torn"])
        self.assertEqual(self.reasons(b'{"a":[RED]46}\n{"b":1}\n'), ["not-json"])
        self.assertEqual(self.reasons(b'{"a":NaN}\n{"b":1}\n'), ["not-json"])
        self.assertEqual(self.reasons(b'[1]\n{"b":1}\n'), ["not-object"])
        self.assertEqual(self.reasons(b'{"b":1}\nhello'), ["torn-last"])
        self.assertEqual(self.reasons(b'{"b":1}\n{"c":2}'), [])
        self.assertEqual(self.reasons(b'{"b":1},{"c":2}\n'), ["not-json"])

    def test_depth(self):
        for depth, expected in ((127, []), (128, ["too-deep"])):
            text = b'{"a":' * depth + b"1" + b"}" * depth + b"\n"
            self.assertEqual(self.reasons(b'{"b":1}\n' + text), expected)

    def test_brackets_in_strings_are_not_depth(self):
        text = json.dumps({"a": "[" * 500 + '\\"{'}).encode()
        self.assertEqual(self.row(text + b"\n")["records"], 1)

    def test_bad_utf8_and_surrogates_and_line_separators(self):
        data = b'{"x":"\xe9\xe9"}\n{"y":"\\ud83d"}\n{"z":"\xe2\x80\xa8"}\n'
        self.assertEqual(self.row(data)["records"], 3)

    def test_long_numbers_and_double_keys(self):
        data = b'{"n":' + b"9" * 9000 + b'}\n{"type":"user","type":"x"}\n'
        self.assertEqual(self.row(data)["records"], 2)

    def test_containers(self):
        plain = b'{"a":1}\n'
        self.assertEqual(reader.read(gzip.compress(plain))["record_bytes"], 7)
        self.assertEqual(reader.read(b"\x1f\x8bxx")["status"], "unreadable: gzip")
        self.assertEqual(reader.read(b"\x28\xb5\x2f\xfdxx")["status"], "unreadable: zstd")

    def test_empty(self):
        for data in (b"", b"\n \n", b"\xef\xbb\xbf"):
            self.assertEqual(self.row(data)["status"], "empty")

    def test_whole_file_json(self):
        init = {"type": "system", "subtype": "init", "session_id": "s"}
        done = {"type": "result", "subtype": "success", "session_id": "s", "result": "Fertig."}
        for data in (json.dumps([init, done]), json.dumps(done, indent=1), json.dumps(done)):
            row = self.row(data.encode() + b"\n")
            self.assertEqual((row["format"], row["turns"]), ("claude-json", 1))
            self.assertEqual(row["ended"], {"closed": 1})


class Claude(unittest.TestCase):
    def row(self, *records):
        return reader.read(lines(*records))

    def test_a_turn(self):
        s = Session()
        row = self.row(
            s("user", "Do it"), s("assistant", say("I will")), s("assistant", use("t1")),
            s("user", answer("t1")), s("assistant", say("Done")),
        )  # fmt: skip
        self.assertEqual((row["format"], row["status"]), ("claude-session", "ok"))
        self.assertEqual((row["calls"], row["results"], row["pairs"]), (1, 1, 1))
        self.assertEqual((row["operator_messages"], row["turns"]), (1, 1))
        self.assertEqual(row["ended"], {"closed": 1})

    def test_ends(self):
        error = {"isApiErrorMessage": True, "error": "unknown"}
        limit = {"isApiErrorMessage": True, "error": "rate_limit"}
        s = Session()
        cases = (
            ([s("assistant", say("API Error: 500"), **error)], "api-error"),
            ([s("assistant", say("You've hit your limit"), **limit)], "limit"),
            ([s("user", say("[Request interrupted by user]"))], "interrupted"),
            ([s("assistant", use("a")), s("assistant", use("b")), s("user", answer("b"))], "running"),
            ([s("assistant", use("a")), s("user", answer("a"))], "no-close"),
            ([s("assistant", use("a")), s("assistant", say("gone on"))], "closed"),
            ([s("assistant", say("x"), **error), s("assistant", say("retried"))], "closed"),
        )
        for records, word in cases:
            row = self.row(s("user", "go"), *records)
            self.assertEqual(row["ended"], {word: 1}, records)

    def test_no_response_requested_is_no_close(self):
        s = Session()
        filler = s("assistant", say("No response requested."))
        filler["message"]["model"] = "<synthetic>"
        row = self.row(s("user", "go"), s("user", say("[Request interrupted by user]")), filler)
        self.assertEqual(row["ended"], {"interrupted": 1})

    def test_a_call_without_a_result_runs_only_at_the_end(self):
        s = Session()
        row = self.row(s("user", "go"), s("assistant", use("a")), s("user", "again"))
        self.assertEqual(row["ended"], {"no-close": 2})

    def test_who_spoke(self):
        harness = (
            "[Request interrupted by user for tool use]", "<task-notification>x</task-notification>",
            "<local-command-stdout>x</local-command-stdout>", "Caveat: x", "<bash-input>ls</bash-input>",
            "Stop hook feedback: x", "This session is being continued from x", " ",
            "<system-reminder>x</system-reminder>", "<task-notification>x</task-notification> y",
        )  # fmt: skip
        human = (
            "x", "<command-name>/clear</command-name>", "<command-message>a</command-message>",
            "<system-reminder>x</system-reminder>do it",
        )  # fmt: skip
        for text in harness + human:
            for content in (text, say(text)):
                s = Session()
                row = self.row(s("assistant", say("hi")), s("user", content))
                self.assertEqual(row["operator_messages"], int(text in human), text)

    def test_flags_and_blocks(self):
        s = Session()
        row = self.row(
            s("user", "x", isMeta=True), s("user", "x", isCompactSummary=True),
            s("user", "x", isSidechain=True), s("user", "x", origin={"kind": "task-notification"}),
            s("user", say("<ide_opened_file>f</ide_opened_file>") + say("real")),
            s("user", answer("q") + say("and this")), s("user", [{"type": "image"}]),
            s("user", say("[Image: source: x]"), isMeta=True),
        )  # fmt: skip
        self.assertEqual(row["operator_messages"], 3)
        self.assertEqual(row["orphan_results"], 1)

    def test_queued_command_joins_the_running_turn(self):
        s = Session()
        typed = s("attachment", attachment={"type": "queued_command", "prompt": "also this"})
        note = s("attachment", attachment={"type": "queued_command", "prompt": "<task-notification>"})
        queue = s("queue-operation", operation="enqueue", content="also this")
        row = self.row(s("user", "go"), s("assistant", use("a")), queue, typed, note)
        self.assertEqual((row["operator_messages"], row["turns"]), (2, 1))

    def test_copies_sidechains_and_progress(self):
        s = Session()
        call = s("assistant", use("a"))
        inner = {"type": "assistant", "message": {"content": use("b")}}
        progress = s("progress", data={"type": "agent_progress", "message": inner})
        row = self.row(
            s("user", "go"), call, call, s("assistant", use("b"), isSidechain=True), progress,
            s("assistant", [{"type": "server_tool_use", "id": "w"}]), s("user", answer("a")),
            s("assistant", say("x")),
        )  # fmt: skip
        self.assertEqual((row["records"], row["copies"], row["calls"]), (8, 1, 2))
        self.assertEqual(row["orphan_calls"], 1)
        self.assertEqual(row["ended"], {"closed": 1})
        self.assertEqual(row["opaque"], {"block/server_tool_use": 1})

    def test_a_subagents_own_file(self):
        s = Session(isSidechain=True)
        row = self.row(s("user", "prompt"), s("assistant", say("ok")), s("user", "more"))
        self.assertEqual((row["operator_messages"], row["turns"]), (0, 2))

    def test_a_resumed_file_starts_with_the_agent(self):
        s = Session()
        row = self.row(s("assistant", [{"type": "thinking"}]), s("assistant", use("a")))
        self.assertEqual((row["turns"], row["operator_messages"]), (1, 0))

    def test_statuses(self):
        s = Session()
        only = {"type": "summary", "summary": "x", "leafUuid": "y"}
        self.assertEqual(self.row(only)["status"], "no-conversation")
        self.assertEqual(self.row(only, s("system"))["status"], "no-conversation")
        self.assertEqual(self.row(s("assistant", [{"type": "thinking"}]))["status"], "dark")
        self.assertEqual(reader.read(lines(only) + b"{torn\n")["status"], "dark")
        self.assertEqual(self.row({"x": 1})["status"], "foreign")
        self.assertEqual(reader.read(b"hello\n")["status"], "dark")
        journal = {"type": "started", "key": "k", "agentId": "a"}
        self.assertEqual(self.row(journal)["format"], "claude-journal")
        self.assertEqual(self.row(journal)["status"], "no-conversation")

    def test_stream_runs(self):
        init = {"type": "system", "subtype": "init", "session_id": "s"}

        def talk(kind, content, parent=None):
            message = {"content": content}
            return {"type": kind, "session_id": "s", "parent_tool_use_id": parent, "message": message}

        done = {"type": "result", "subtype": "success", "is_error": False, "session_id": "s"}
        failed = {**done, "is_error": True, "result": "API Error: 529"}
        row = self.row(
            init, talk("assistant", use("a")), talk("user", say("inner"), "a"),
            talk("assistant", use("b"), "a"), talk("user", answer("a")), talk("assistant", say("x")),
            {**done, "result": "x"}, init, talk("assistant", say("y")), failed,
        )  # fmt: skip
        self.assertEqual((row["format"], row["turns"], row["calls"]), ("claude-stream", 2, 2))
        self.assertEqual(row["operator_messages"], 0)
        self.assertEqual(row["ended"], {"api-error": 1, "closed": 1})


def item(kind, **more):
    return {"timestamp": "t", "type": "response_item", "payload": {"type": kind, **more}}


def event(kind, **more):
    return {"timestamp": "t", "type": "event_msg", "payload": {"type": kind, **more}}


def message(role, text):
    return item("message", role=role, content=[{"type": "input_text", "text": text}])


def completed(kind, **more):
    return event("item_completed", item={"type": kind, **more})


META = {"timestamp": "t", "type": "session_meta", "payload": {"id": "me"}}


class Codex(unittest.TestCase):
    def row(self, *records):
        return reader.read(lines(META, *records))

    def test_two_voices_say_it_once(self):
        row = self.row(
            event("task_started"), message("user", "<environment_context>x"), message("user", "go"),
            event("user_message", message="go"), completed("UserMessage", content=say("go")),
            item("function_call", call_id="c"), item("function_call_output", call_id="c"),
            completed("CommandExecution", id="c"), completed("CommandExecution", id="exec-1"),
            completed("AgentMessage", content=[{"type": "Text", "text": "ok"}]),
            event("task_complete"),
        )  # fmt: skip
        self.assertEqual((row["operator_messages"], row["turns"]), (1, 1))
        self.assertEqual((row["calls"], row["pairs"]), (2, 2))
        self.assertEqual(row["ended"], {"closed": 1})

    def test_items_alone_carry_the_conversation(self):
        row = self.row(
            completed("UserMessage", content=say("go")), completed("UserMessage", content=say("go")),
            completed("AgentMessage", content=[{"type": "Text", "text": "ok"}]),
        )  # fmt: skip
        self.assertEqual((row["operator_messages"], row["turns"], row["status"]), (2, 2, "ok"))

    def test_steering_joins_the_open_frame(self):
        row = self.row(
            event("task_started"), message("user", "a"), message("user", "b"),
            event("turn_aborted", reason="interrupted"), message("user", "<turn_aborted>"),
            message("user", "c"), event("task_started"), message("assistant", "d"),
        )  # fmt: skip
        self.assertEqual((row["operator_messages"], row["turns"]), (3, 2))
        self.assertEqual(row["ended"], {"interrupted": 1, "running": 1})

    def test_calls(self):
        row = self.row(
            message("user", "go"), item("web_search_call"), item("web_search_call"),
            item("custom_tool_call", call_id="a"), item("local_shell_call", call_id="b"),
            item("tool_search_call", call_id="z"), item("function_call_output", call_id="q"),
            {"timestamp": "t", "type": "compacted", "payload": {
                "replacement_history": [{"type": "function_call", "call_id": "old"}]}},
            event("exec_command_end", call_id="b"), event("exec_command_end", call_id="nobody"),
        )  # fmt: skip
        self.assertEqual((row["calls"], row["pairs"], row["orphan_calls"]), (4, 3, 1))
        self.assertEqual((row["results"], row["orphan_results"]), (4, 1))

    def test_fork_by_time(self):
        def at(second, record):
            return {**record, "timestamp": f"2026-01-01T00:00:{second:06.3f}Z"}

        own = {"type": "session_meta", "payload": {"id": "me", "timestamp": "2026-01-01T00:00:10Z"}}
        parent = {"type": "session_meta", "payload": {"id": "other"}}
        for start in (1, 11):  # the parent's own stamps; stamped anew in one burst
            row = reader.read(lines(
                at(10, own), at(start, parent), at(start + 0.1, message("user", "old")),
                at(start + 0.2, item("function_call", call_id="c")),
                at(start + 0.3, item("function_call_output", call_id="c")),
                at(20, message("user", "new")), at(21, message("assistant", "x")),
            ))  # fmt: skip
            self.assertEqual((row["copies"], row["calls"], row["turns"]), (4, 0, 1), start)

    def test_fork_by_turn_id(self):
        def v7(n):
            return f"{n:08x}-0000-7000-8000-000000000000"

        own = {"timestamp": "t", "type": "session_meta", "payload": {"id": v7(50)}}
        parent = {"timestamp": "t", "type": "session_meta", "payload": {"id": v7(10)}}
        row = reader.read(lines(
            own, parent, event("task_started", turn_id=v7(11)), message("user", "old"),
            event("task_complete", turn_id=v7(11)), event("task_started", turn_id=v7(51)),
            message("user", "new"), message("assistant", "x"), event("task_complete", turn_id=v7(51)),
        ))  # fmt: skip
        self.assertEqual((row["copies"], row["turns"], row["operator_messages"]), (4, 1, 1))

    def test_subagent_rollout(self):
        meta = {"timestamp": "t", "type": "session_meta", "payload": {"source": {"subagent": "x"}}}
        row = reader.read(lines(meta, message("user", "p"), message("assistant", "x")))
        self.assertEqual((row["operator_messages"], row["turns"]), (0, 1))

    def test_aborted_start(self):
        self.assertEqual(self.row(message("user", "<environment_context>"))["status"], "no-conversation")

    def test_old_shape(self):
        row = reader.read(lines(
            {"id": "x", "timestamp": "t", "instructions": None}, {"record_type": "state"},
            {"type": "message", "role": "user", "content": say("go")},
            {"type": "function_call", "call_id": "c"}, {"type": "function_call_output", "call_id": "c"},
        ))  # fmt: skip
        self.assertEqual((row["format"], row["turns"], row["pairs"]), ("codex-rollout-bare", 1, 1))
        self.assertEqual(row["ended"], {"no-close": 1})

    def test_exec(self):
        def it(kind, **more):
            return {"type": f"item.{kind}", "item": more}

        begin, turn = {"type": "thread.started", "thread_id": "x"}, {"type": "turn.started"}
        command = {"id": "item_0", "type": "command_execution"}
        row = reader.read(lines(
            begin, turn, it("started", **command), it("completed", **command),
            it("completed", id="item_1", type="agent_message", text="ok"), {"type": "turn.completed"},
            begin, turn, {"type": "error", "message": "Reconnecting... 1/5"}, it("started", **command),
            {"type": "turn.failed", "error": {"message": "You've hit your usage limit."}},
            begin, turn, it("started", **command),
        ))  # fmt: skip
        self.assertEqual((row["format"], row["calls"], row["pairs"]), ("codex-exec", 3, 1))
        self.assertEqual(row["turns"], 3)
        self.assertEqual(row["ended"], {"closed": 1, "limit": 1, "running": 1})

    def test_old_exec(self):
        def old(kind, **more):
            return {"id": "0", "msg": {"type": kind, **more}}

        row = reader.read(lines(
            old("task_started"), old("exec_command_begin", call_id="c"),
            old("exec_command_end", call_id="c"), old("agent_message", message="ok"),
            old("task_complete"),
        ))  # fmt: skip
        self.assertEqual((row["format"], row["pairs"], row["turns"]), ("codex-exec-old", 1, 1))
        self.assertEqual(row["ended"], {"closed": 1})


class OddTypes(unittest.TestCase):
    """A value of the wrong type anywhere must not stop the reader."""

    ODD = (None, [], {}, [{}], [1], 0, True, "", {"type": []}, [{"type": {}}], [{"text": 3}])

    def variants(self, value):
        """The value with each of its parts replaced by each odd one."""
        yield from self.ODD
        parts = value.items() if isinstance(value, dict) else ()
        parts = enumerate(value) if isinstance(value, list) else parts
        for key, part in parts:
            for odd in self.variants(part):
                changed = value.copy()
                changed[key] = odd
                yield changed

    def test_odd_types(self):
        s = Session()
        claude = [
            s("user", say("go"), origin={"kind": "human"}), s("assistant", use("a")),
            s("user", answer("a")), s("attachment", attachment={
                "type": "queued_command", "prompt": say("x"), "origin": {"kind": "human"}}),
            s("progress", data={"type": "agent_progress", "message": {
                "type": "assistant", "message": {"content": use("b")}}}),
        ]  # fmt: skip
        codex = [
            META, event("task_started", turn_id="t"), message("user", "go"),
            item("function_call", call_id="c"), event("error", message="x", codex_error_info="y"),
            completed("CommandExecution", id="c"),
        ]  # fmt: skip
        stream = [
            {"type": "thread.started"}, {"type": "turn.started"},
            {"type": "item.completed", "item": {"id": "i", "type": "command_execution"}},
            {"type": "turn.failed", "error": {"message": "x"}},
        ]  # fmt: skip
        old = [{"id": "0", "msg": {"type": "exec_command_begin", "call_id": "c"}}] * 2
        for records in (claude, codex, stream, old):
            for index in range(len(records)):
                for odd in self.variants(records[index]):
                    if isinstance(odd, dict):
                        row = reader.read(lines(*records[:index], odd, *records[index + 1 :]))
                        self.assertEqual(row["results"], row["pairs"] + row["orphan_results"])
                        self.assertEqual(sum(row["ended"].values()), row["turns"])


class Comparison(unittest.TestCase):
    """A stand-in for the program: right rows pass, one wrong number is found."""

    def run_compare(self, change):
        with tempfile.TemporaryDirectory() as folder:
            corpus = os.path.join(folder, "corpus")
            os.mkdir(corpus)
            s = Session()
            path = os.path.join(corpus, "a.jsonl")
            with open(path, "wb") as handle:
                handle.write(lines(s("user", "go"), s("assistant", say("ok"))))
            ours = reader.read_file(path)
            counts = {key: ours[key] for key in compare.KEYS}
            row = {"kind": "session", "file": "corpus/a.jsonl", "counts": counts}
            row.update(format=ours["format"], verdict=ours["status"])
            change(row)
            program = os.path.join(folder, "program")
            with open(program, "w") as handle:
                handle.write(f"#!{sys.executable}\nprint({json.dumps(row)!r})\n")
            os.chmod(program, os.stat(program).st_mode | stat.S_IXUSR)
            return compare.main([program, corpus])

    def test_compare(self):
        self.assertEqual(self.run_compare(lambda row: None), 0)
        self.assertEqual(self.run_compare(lambda row: row["counts"].update(turns=2)), 1)
        self.assertEqual(self.run_compare(lambda row: row.update(file="corpus/b.jsonl")), 1)
        self.assertEqual(self.run_compare(lambda row: row.update(kind="turn")), 1)


if __name__ == "__main__":
    unittest.main()
