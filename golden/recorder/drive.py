"""Starts the real clients in a small world of their own and feeds them the prompts of a case."""
import json
import os
import pathlib
import queue
import re
import secrets
import shutil
import signal
import subprocess
import threading
import time

# Where npm puts the programs, today's place first. Older releases of Claude Code are scripts for node.
PROGRAMS = {
    "claude": ["node_modules/@anthropic-ai/claude-code-linux-x64/claude",
               "node_modules/@anthropic-ai/claude-code/cli.js"],
    "codex": ["node_modules/@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex",
              "node_modules/@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/codex/codex",
              "node_modules/@openai/codex/vendor/x86_64-unknown-linux-musl/codex/codex",
              "node_modules/@openai/codex/bin/codex-x86_64-unknown-linux-musl"],
}
GIT_DATE = "2026-03-01T12:00:00+00:00"
TURN_LIMIT = 90  # seconds; every scripted turn takes a fraction of it


def program_of(case, clients):
    """The command that starts the client of a case; a case may ask for an older `release`."""
    folder = pathlib.Path(clients).resolve()
    if "release" in case:
        folder = folder / f"{case['client']}-{case['release']}"
    for name in PROGRAMS[case["client"]]:
        if (folder / name).exists():
            return (["node"] if name.endswith(".js") else []) + [str(folder / name)]
    raise RuntimeError(f"{case['client']} is not installed under {folder}")


def version_of(case, clients):
    text = subprocess.run([*program_of(case, clients), "--version"], capture_output=True, text=True, check=True,
                          env={"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": "/nonexistent"}).stdout
    return re.search(r"\d+\.\d+\.\d+", text).group(0)


class World:
    """A home directory, a git checkout in it and, on request, a bare remote beside it."""

    def __init__(self, case, clients):
        self.case = case
        self.program = program_of(case, clients)
        # A fixed length and plain signs, as both show in the files; Codex refuses to put its helpers under /tmp.
        self.root = pathlib.Path("/var/tmp") / f"rec{secrets.token_hex(4)}"
        self.home = self.root / "home" / "dev"
        self.cwd = self.home / case["project"]
        self.cwd.mkdir(parents=True)
        self.stdout = []
        for name, text in case["files"].items():
            path = self.cwd / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            if text.startswith("#!"):
                path.chmod(0o755)
        self.git("init", "-q", "-b", "main")
        self.git("config", "--global", "user.name", "Dev")
        self.git("config", "--global", "user.email", "dev@example.com")
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "Start")
        if "settings" in case:
            folder = self.home / ".claude"
            folder.mkdir()
            (folder / "settings.json").write_text(json.dumps(case["settings"]))
        if case.get("remote"):
            bare = self.home / "remote" / f"{case['project']}.git"
            bare.parent.mkdir()
            self.git("clone", "-q", "--bare", ".", str(bare))
            self.git("remote", "add", "origin", str(bare))
            self.git("fetch", "-q", "origin")
            self.git("branch", "-q", "--set-upstream-to=origin/main", "main")

    def env(self, **more):
        base = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(self.home), "LANG": "C.UTF-8", "TZ": "UTC",
                "USER": "dev", "SHELL": "/bin/bash", "PYTHONDONTWRITEBYTECODE": "1",
                "GIT_AUTHOR_DATE": GIT_DATE, "GIT_COMMITTER_DATE": GIT_DATE}
        return base | more | self.case.get("env", {})

    def git(self, *args):
        subprocess.run(["git", *args], cwd=self.cwd, env=self.env(), check=True, stdout=subprocess.DEVNULL)

    def remove(self):
        shutil.rmtree(self.root, ignore_errors=True)


class Process:
    """A running client; its output lines arrive in a queue, so that a wait can time out."""

    def __init__(self, argv, world, env, stdin=subprocess.DEVNULL):
        self.world = world
        self.lines = queue.Queue()
        self.child = subprocess.Popen(argv, cwd=world.cwd, env=env, stdin=stdin, stdout=subprocess.PIPE,
                                      stderr=open(world.root / "stderr.txt", "ab"), start_new_session=True)
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for raw in self.child.stdout:
            line = raw.decode("utf-8").rstrip("\n")
            self.world.stdout.append(line)
            self.lines.put(line)
        self.lines.put(None)

    def next(self, deadline):
        try:
            return self.lines.get(timeout=max(0.05, deadline - time.monotonic()))
        except queue.Empty:
            return ""

    def say(self, message):
        self.child.stdin.write((json.dumps(message, ensure_ascii=False) + "\n").encode())
        self.child.stdin.flush()

    def wait(self, limit=TURN_LIMIT):
        try:
            return self.child.wait(limit)
        except subprocess.TimeoutExpired:
            os.killpg(self.child.pid, signal.SIGKILL)
            raise RuntimeError("the client did not end in time") from None


def later(seconds, act):
    """Runs `act` after so many seconds, or never without a number."""
    if seconds is not None:
        timer = threading.Timer(seconds, act)
        timer.daemon = True
        timer.start()


def interrupt_in(turn, child, act=None):
    """Interrupts the turn politely, or kills the client, when the turn says so."""
    later(turn.get("interrupt_after"), act or (lambda: os.kill(child.child.pid, signal.SIGINT)))
    later(turn.get("kill_after"), lambda: os.killpg(child.child.pid, signal.SIGKILL))


def claude_env(world, address):
    # With a subscription token the client words a limit differently than with an API key.
    key = "CLAUDE_CODE_OAUTH_TOKEN" if world.case.get("subscription") else "ANTHROPIC_API_KEY"
    return world.env(**{key: "dummy"}, ANTHROPIC_BASE_URL=address, DISABLE_TELEMETRY="1",
                     CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC="1", DISABLE_AUTOUPDATER="1", IS_SANDBOX="1",
                     DISABLE_ERROR_REPORTING="1")


def claude_argv(world, *more):
    settings = world.case.get("args", ["--permission-mode", "acceptEdits", "--allowedTools", "Bash Read Edit Write Task"])
    form = ["--output-format", world.case.get("output", "stream-json"), "--verbose"]
    return [*world.program, "-p", *more, *form, *settings]


def claude_once(world, address, script):
    """One process per prompt; from the second on with --continue."""
    for place, turn in enumerate(world.case["turns"]):
        script.begin(turn)
        resume = ["--continue"] if place else []
        child = Process(claude_argv(world, turn["prompt"], *resume), world, claude_env(world, address))
        interrupt_in(turn, child)
        child.wait()


def claude_stream(world, address, script):
    """One process for all prompts, fed over stdin as an SDK does; it can refuse a call and interrupt a turn."""
    argv = claude_argv(world, "--input-format", "stream-json", "--permission-prompt-tool", "stdio")
    child = Process(argv, world, claude_env(world, address), stdin=subprocess.PIPE)
    child.say({"type": "control_request", "request_id": "init", "request": {"subtype": "initialize"}})
    for number, turn in enumerate(world.case["turns"]):
        script.begin(turn)
        child.say({"type": "user", "message": {"role": "user", "content": turn["prompt"]}})
        interrupt_in(turn, child, lambda n=number: child.say(
            {"type": "control_request", "request_id": f"stop{n}", "request": {"subtype": "interrupt"}}))
        answers = list(turn.get("answers", []))
        deadline = time.monotonic() + TURN_LIMIT
        while time.monotonic() < deadline:
            line = child.next(deadline)
            if line is None:
                raise RuntimeError("the client ended early")
            event = json.loads(line) if line.startswith("{") else {}
            if event.get("type") == "control_request":
                child.say(permission(event, answers))
            if event.get("type") == "result":
                break
        time.sleep(0.3)
    child.child.stdin.close()
    child.wait()


def permission(event, answers):
    asked = event["request"]
    answer = answers.pop(0) if answers else {}
    if "deny" in answer:
        decision = {"behavior": "deny", "message": answer["deny"], "interrupt": answer.get("interrupt", False)}
    else:
        decision = {"behavior": "allow", "updatedInput": asked.get("input", {})}
    return {"type": "control_response",
            "response": {"subtype": "success", "request_id": event["request_id"], "response": decision}}


CODEX_CONFIG = """model = "{model}"
model_provider = "scripted"
check_for_update_on_startup = false
{extra}
[model_providers.scripted]
name = "scripted"
base_url = "{address}/v1"
wire_api = "responses"
env_key = "SCRIPTED_KEY"
request_max_retries = 1
stream_max_retries = 1
"""


def codex_config(world, address):
    folder = world.home / ".codex"
    folder.mkdir(exist_ok=True)
    text = CODEX_CONFIG.format(address=address, model=world.case.get("model", "scripted-model"),
                               extra=world.case.get("config", "").replace("{{cwd}}", str(world.cwd)))
    (folder / "config.toml").write_text(text)


def codex_exec(world, address, script):
    """One process per prompt; from the second on `exec resume --last`."""
    codex_config(world, address)
    free = ["--dangerously-bypass-approvals-and-sandbox"]
    for place, turn in enumerate(world.case["turns"]):
        script.begin(turn)
        resume = ["resume", "--last"] if place else []
        argv = [*world.program, "exec", *resume, "--json", "--skip-git-repo-check",
                *world.case.get("args", free), turn["prompt"]]
        child = Process(argv, world, world.env(SCRIPTED_KEY="dummy"))
        interrupt_in(turn, child)
        child.wait()


def codex_server(world, address, script):
    """`codex app-server` over stdio, as an editor drives it: approvals can be refused, turns interrupted."""
    codex_config(world, address)
    child = Process([*world.program, "app-server"], world, world.env(SCRIPTED_KEY="dummy"),
                    stdin=subprocess.PIPE)

    def call(number, method, params):
        child.say({"id": number, "method": method, "params": params})

    def until(done, answers=()):
        answers = list(answers)
        deadline = time.monotonic() + TURN_LIMIT
        while time.monotonic() < deadline:
            line = child.next(deadline)
            if line is None:
                raise RuntimeError("the app server ended early")
            event = json.loads(line) if line.startswith("{") else {}
            if "method" in event and "id" in event:
                decision = answers.pop(0) if answers else "accept"
                child.say({"id": event["id"], "result": {"decision": decision}})
            if done(event):
                return event
        raise RuntimeError("the app server did not answer in time")

    call(0, "initialize", {"clientInfo": {"name": "recorder", "title": "recorder", "version": "1"}})
    until(lambda e: e.get("id") == 0)
    child.say({"method": "initialized"})
    call(1, "thread/start", {"cwd": str(world.cwd)} | world.case.get("thread", {}))
    thread = until(lambda e: e.get("id") == 1)["result"]["thread"]["id"]
    for place, turn in enumerate(world.case["turns"]):
        script.begin(turn)
        number = 10 + place
        call(number, "turn/start", {"threadId": thread, "input": [{"type": "text", "text": turn["prompt"]}]})
        started = until(lambda e: e.get("id") == number)["result"]["turn"]["id"]
        interrupt_in(turn, child, lambda t=started, n=100 + place: call(n, "turn/interrupt", {"threadId": thread, "turnId": t}))
        until(lambda e: e.get("method") == "turn/completed", turn.get("answers", ()))
        time.sleep(turn.get("wait_after", 0.3))
    child.child.stdin.close()
    child.wait()


MODES = {("claude", "once"): claude_once, ("claude", "stream"): claude_stream,
         ("codex", "exec"): codex_exec, ("codex", "server"): codex_server}

