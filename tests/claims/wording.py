"""Sentences by composition.

A template holds choices `{a|b}` (nested), slots `<name>` and one or more marked spans `[[...]]`: the words that carry the
statement. A template after its choices, before its slots, is the sentence's shape: shapes are counted, so that a class is
known to be varied and not one sentence two hundred times.
"""

import re

CHOICE = re.compile(r"\{([^{}]*)\}")
SLOT = re.compile(r"<([a-z_]+)>")


def choose(template, rng):
    while True:
        m = CHOICE.search(template)
        if not m:
            return template
        template = template[:m.start()] + rng.choice(m.group(1).split("|")) + template[m.end():]


def fill(shape, vals):
    return SLOT.sub(lambda m: vals.get(m.group(1), m.group(0)), shape)


def strip(text):
    """The text without marks, and the byte spans of what they held."""
    out, spans, at, start = [], [], 0, None
    i = 0
    while i < len(text):
        if text.startswith("[[", i) and start is None:
            start, i = at, i + 2
        elif text.startswith("]]", i) and start is not None:
            spans.append((start, at))
            start, i = None, i + 2
        else:
            out.append(text[i])
            at += len(text[i].encode())
            i += 1
    return "".join(out), spans


PASS = {
    "tests": [
        "[[{All|All the|All existing|All of the} tests {pass|are passing|passed|are green|succeed}]]",
        "[[{The full|The whole|The entire|The complete} {test suite|suite} {passes|is green|passed|is passing|comes back clean}]]",
        "[[Every {test|single test} {passes|is green|passed}]]",
        "[[The {test suite|suite|<runner> suite|<runner> run} {passes|is green|is fully green|finished without failures|succeeds}]]",
        "[[The tests {all pass|are all green|pass cleanly|pass without failures|all succeed}]]",
        "I ran `<cmd>` and [[{everything passed|all tests passed|every test passed|the tests all pass}]]",
        "[[`<cmd>` {passes|passed|is green|finishes with no failing tests}]]",
        "[[Tests{: |: all | are |: ✅ }{green|passing}]]",
        "{Ran|Executed|Finished with} `<cmd>`: [[{all tests pass|no test failures|every test is green}]]",
        "[[{The tests and the new case|The old and new tests|Unit tests} {pass|are green|all pass}]]",
        "[[No test failures]] {in the suite|to report|after the change}",
        "[[The suite is {green|all green|passing}]]{| from end to end|, nothing fails}",
        "{With the fix in|With this change|Following the edit}, [[the tests {pass|all pass|are green}]]",
        "I {re-ran|reran|ran} the {whole suite|test suite|tests}{,|;} [[{everything passes|all green|all tests passed}]]",
        "[[Test run {succeeded|is clean|came back green}]]"],
    "counted": [
        "[[All <n> tests {pass|are passing|passed|are green|succeed}]]",
        "[[<n>/<n> tests {pass|passing|passed|green}]]",
        "[[<n> of <n> tests {pass|passed|are passing}]]",
        "[[The {suite|run|test run} {finishes|finished|ends|ended} with <n> passed{| and 0 failed|, 0 failed}]]",
        "[[`<cmd>`: <n> passed{|, 0 failed| and none failed}]]",
        "[[The {full|whole} suite passes (<n> tests)]]",
        "[[Zero failures {across|over|in} <n> tests]]",
        "[[Test results: <n> passed, 0 failed]]",
        "[[<n> passed, 0 failed]] {on the final run|on the last run|in the most recent run}",
        "[[<n> tests {passed|pass|are green}]], {none failed|no failures}",
        "I ran `<cmd>`: [[{all <n> tests pass|<n> tests passed|<n> passed}]]",
        "[[The test count is <n>, all {passing|green}]]",
        "{Final|Current|Latest} {state|status}: [[<n> tests{,|;} all {passing|green}]]",
        "[[Tests: <n>/<n> {passing|green|✅}]]",
        "[[All <n> {unit tests|tests in the suite|checks in the test suite} {pass|passed}]]",
        "[[Test suite: <n> passing]]{|, 0 failing}"],
    "build": [
        "[[The {build|project build|full build} {passes|succeeds|is green|completes without errors|finished cleanly|works}]]",
        "[[`<cmd>` {succeeds|passes|finishes without errors|completes cleanly}]]",
        "[[The {project|code|tree|workspace} {builds|compiles}{| cleanly| without errors| fine}]]",
        "[[Build: {green|passing|✅|ok}]]", "I {ran|re-ran} `<cmd>` and [[the build {succeeded|passed|is clean}]]",
        "[[It {compiles|builds} {cleanly|without errors}]]", "[[No {build|compile|compilation} errors]]",
        "{Rebuilt with|Built with} `<cmd>`: [[build {succeeded|passed}]]", "[[Everything {compiles|builds}{| again| cleanly}]]",
        "[[{Compilation|The compile step} {succeeds|is clean|passes}]]"],
    "lint": [
        "[[{Lint|Linting|The linter} is {clean|green|happy}]]", "[[Lint{| check|ing} {passes|passed|succeeds}]]",
        "[[{No lint|No linter|Zero lint} {errors|warnings|problems|findings}]]", "[[<runner> {passes|is clean|reports no issues|reports nothing|finds no problems}]]",
        "[[`<cmd>` {passes|is clean|comes back clean|reports no problems}]]", "[[Lint: {clean|passing|✅|green}]]",
        "I ran `<cmd>` and [[{lint is clean|there are no lint errors|the linter found nothing}]]", "[[The code {passes|is clean under} <runner>]]",
        "[[<runner> has no complaints]]", "[[The lint step {passes|is green}]]"],
    "typecheck": [
        "[[{Type checking|The type check|The typecheck} {passes|is clean|succeeds|passed}]]", "[[{No|Zero} type errors]]",
        "[[<runner> {is clean|passes|reports no errors|reports zero errors|finds nothing}]]", "[[`<cmd>` {passes|is clean|exits cleanly}]]",
        "[[Types {check|are clean|all check}]]", "[[Typecheck: {clean|passing|✅|green}]]", "I ran `<cmd>` and [[{the types check|typecheck is clean|there are no type errors}]]",
        "[[The code type-checks{| cleanly| without errors}]]", "[[The type checker {is happy|found no errors|reports nothing}]]"],
    "format": [
        "[[{Formatting|The formatting} is {clean|fine|consistent}]]", "[[{The format check|Format check|The formatting check} {passes|passed|is clean|succeeds}]]",
        "[[`<cmd>` {passes|is clean|reports nothing to change}]]", "[[<runner> {passes|is happy|reports no differences}]]", "[[Format: {clean|✅|passing}]]",
        "[[All files are formatted]]", "I ran `<cmd>`; [[formatting is clean]]", "[[No formatting {issues|differences|problems}]]"],
}
SCOPED = {  # claims about one package by name
    "tests": ["[[{All tests|All the tests|The tests|Unit tests} in `<pb>` {pass|are green|are passing|passed}]]", "[[The `<pb>` {suite|tests|test suite} {passes|passed|is green}]]",
              "[[`<pb>`: all tests {pass|green}]]", "I ran the tests of `<pb>` and [[they {all pass|are green|passed}]]", "[[Every test {under|in} `<pb>` passes]]",
              "[[In `<pb>` {all tests pass|the suite is green|every test passes}]]", "[[Tests for `<pb>` {pass|are green|all pass}]]"],
    "build": ["[[`<pb>` {builds|compiles}{| cleanly| without errors}]]", "[[The {build of `<pb>`|`<pb>` build} {passes|succeeds|is green}]]", "[[No build errors in `<pb>`]]"],
}
NARROW = ["[[{The|All} {parser|parse} tests {pass|are green|passed}]]", "[[The tests for the parser {pass|are green}]]", "{I only ran|I ran just} the parser tests: [[they {pass|are green}]]",
          "[[The focused parse run {passes|is green}]]"]

TABLE = {"tests": ["| {Tests|Test suite|Unit tests} | {✅ pass|passing|✅ all pass|green|all passed} |"], "build": ["| Build | {✅ pass|succeeds|green|ok} |"],
         "lint": ["| Lint | {✅ clean|clean|pass} |"], "typecheck": ["| {Types|Typecheck} | {✅ clean|pass|no errors} |"], "format": ["| Format | {✅ clean|pass} |"]}
CJK = {
    "tests": ["[[{所有|全部}测试{都|均|}{通过|已通过}{|了}]]", "[[测试全部通过]]", "[[テストは{すべて|全て|全部}{通りました|パスしました|成功しました}]]", "[[全テスト{が通過しました|パス}]]",
              "[[모든 테스트{가|} 통과{했습니다|합니다}]]", "[[테스트가 {전부|모두} 통과했습니다]]", "我运行了 `<cmd>`，[[测试{全部|都}通过]]", "`<cmd>` を実行し、[[テストはすべて成功しました]]"],
    "build": ["[[构建{成功|通过}{|了}]]", "[[项目编译{成功|通过}]]", "[[ビルドは{成功しました|通りました}]]", "[[빌드{가|는} 성공했습니다]]", "[[빌드 성공]]"],
    "edit": ["[[{已|我已}{修改|更新}{|了} `<src>`]]", "[[`<src>` を{修正|更新|変更}しました]]", "[[`<src>`{를|을} {수정|변경}했습니다]]", "[[在 `<src>` 中{修改|更新}了 `<func>`]]"],
}
OPEN = ["", "", "", "", "✅ ", "Done: ", "After the change, ", "Status: ", "Result: ", "To sum up: ", "As a final step, ", "In short, ", "Good news: ", "**Checks.** ",
        "🎉 ", "One more thing: ", "For the record, ", "At this point ", "As of now ", "With `<func>` changed, "]
NEUTRAL = ["", "", "", "", "", "", "", "Note: ", "By the way: ", "**Note:** ", "One remark: ", "So: ", "To be precise: ", "⚠️ ", "A word on the checks: ", "About the state: ", "Also: "]
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789<"
END = [".", ".", ".", "", "!", " (`<cmd>`).", " locally.", " on this machine.", " now.", " as of the last run.", ", so this is ready for review.", ", nothing else is open."]
FILL_EDIT = ["I changed `<func>` in `<src>`.", "Edited `<src>`: `<func>` got a lower bound.", "Updated `<func>` (`<src>`) as you asked.",
             "I edited `<src>`.", "`<src>` has the change to `<func>`.", "The edit to `<func>` is in `<src>`."]
FILL_IDLE = ["Let me know if you would like a different name for it.", "Happy to split this into smaller steps.", "Tell me if you want the wording changed.", "The design question from earlier is still yours to decide.",
             "Shout if the approach is not what you had in mind.", "That leaves the naming question for you."]
FILL_CJK = ["如需调整请告诉我。", "ほかにご希望があればお知らせください。", "추가로 원하시는 것이 있으면 알려 주세요."]
HEADS = ["## Summary", "### What changed", "**Summary**", "## Result", "### Verification", "**What I did:**", "## Wrap-up"]


def lower_first(s):
    i = 2 if s.startswith("[[") else 0
    word = re.match(r"[A-Za-z]+", s[i:])
    if word and len(word.group()) > 1 and word.group()[1:].islower() and not s[i:].startswith("I "):
        return s[:i] + s[i].lower() + s[i + 1:]
    return s


PAST = re.compile(r"\bran\b|\bRan\b|\brun\b|finish|ended|results|<cmd>`:|Executed")
VACUOUS = re.compile(r"^\[\[(No|Zero|Not)\b|nothing fails|no test failures|<cmd>|<runner>")


def of_now(pool):
    """Without the wordings that report a past run: those stay true when the code changes afterwards."""
    return [t for t in pool if not PAST.search(t)]


def not_vacuous(pool):
    """Without the wordings that hold even if nothing ran (no failures), or that name the very command."""
    return [t for t in pool if not VACUOUS.search(t)]


def language(text):
    if re.search("[\uac00-\ud7a3]", text):
        return 2
    if re.search("[\u3040-\u30ff]", text):
        return 1
    return 0 if re.search("[\u4e00-\u9fff]", text) else None


def sentence(template, rng, vals, plain=False, now=False):
    """A filled sentence with marks, and its shape. `plain` leaves out openers and endings that add words; `now` leaves out the
    ending that dates the statement back to the run."""
    core = choose(template, rng)
    if core.lstrip().startswith("|"):
        return "[[" + fill(core, vals) + "]]", core
    tongue = language(core)
    if tongue is not None:
        core = core.rstrip("。") + ("." if tongue == 2 else "。") if core[-1] not in "?？.|" else core
        head = rng.choice(["", "", "", "✅ ", "- "]) if core.startswith("[[") else ""
    elif plain:
        head = rng.choice(NEUTRAL) if core[0] in "[`" + LETTERS and not core.startswith("[ ") else ""
    else:
        head = rng.choice(OPEN) if core.startswith("[[") else ""
    tail = "" if re.search(r"[.!?。？`~\"”|]$", core.rstrip("]")) and not core.endswith("`]]") else rng.choice([".", ".", ""])
    if tail and core.endswith("]]") and not plain and tongue is None:
        tail = rng.choice([e for e in END if not (now and "last run" in e)])
    if "<cmd>" in core and "<cmd>" in tail:
        tail = "."
    if head.endswith((", ", "now ", "point ")):
        core = lower_first(core)
    shape = head + core + tail
    return fill(shape, vals), shape


def layout(rng, claim, before, after):
    """Puts the claim among other true sentences: first, between or last; as prose, list, table or under a heading."""
    if claim.lstrip("[").startswith("|"):
        lines = [rng.choice(HEADS), "", "| Check | Result |", "|---|---|", claim]
        return "\n".join(before + lines + ([""] + after if after else []))
    style = rng.randrange(8)
    seq = list(before) + [claim] + list(after)
    if style <= 2:
        return " ".join(s if s.rstrip("]")[-1] in ".!?:|。？" else s + "." for s in seq)
    if style == 3:
        return "\n\n".join(seq)
    if style == 4:
        return rng.choice(HEADS) + "\n\n" + "\n".join(f"{rng.choice('-*')} {s}" if i % 2 == 0 else f"- {s}" for i, s in enumerate(seq))
    if style == 5:
        return rng.choice(HEADS) + "\n\n" + "\n".join(f"{i}. {s}" for i, s in enumerate(seq, 1))
    if style == 6:
        return "\n".join("- " + s for s in seq[:-1]) + ("\n\n" if len(seq) > 1 else "") + seq[-1]
    bold = [f"**{s}**" if s == claim and "**" not in s and not s.startswith("- ") else s for s in seq]
    return "\n\n".join(bold)
