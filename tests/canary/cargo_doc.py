#!/usr/bin/env python3
"""Holds check-html against the documentation pages of this program's dependencies.

They are public. What they hold of private shapes is listed in cargo-doc.txt, looked at by a person:
addresses of authors, example homes, pictures named by an id. Beside these no page may raise an alarm,
and none may be left unread. Builds the pages, which takes minutes, and so is no part of the test suite.

    python3 tests/canary/cargo_doc.py [FOLDER OF PAGES [PROGRAM]]
"""
import collections
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
LISTED = ROOT / "tests/canary/cargo-doc.txt"
BATCH = 200


def checked(program, pages):
    """What check-html says of some pages; a refusal, or a page that it does not tell of, ends the test."""
    around = {name: value for name, value in os.environ.items() if name != "HOME"}
    done = subprocess.run([program, "check-html", "--json", *map(str, pages)], capture_output=True, env=around)
    if done.returncode not in (0, 1):
        sys.exit(f"exit {done.returncode}: {done.stderr.decode(errors='replace')}")
    told = json.loads(done.stdout)["pages"]
    if len(told) != len(pages):
        sys.exit(f"{len(told)} pages told of, {len(pages)} given")
    return zip(pages, told)


def is_of_source(finding):
    """rustdoc names each source file by its path on this machine, and so do build scripts: true hits of
    a path of this machine's own."""
    in_meta = finding["context"] == "attribute content of meta"
    return finding["kind"] == "work-tree" or in_meta and finding["kind"] in ("posix-path-shape", "home")


def main():
    given = sys.argv[1:]
    folder = pathlib.Path(given[0]) if given else ROOT / "target/doc"
    program = given[1] if len(given) > 1 else str(ROOT / "target/quick/deedcheck")
    if not given:
        subprocess.run(["cargo", "doc", "--locked", "--quiet"], cwd=ROOT, check=True)
    if len(given) < 2:
        subprocess.run(["cargo", "build", "--locked", "--quiet", "--profile", "quick"], cwd=ROOT, check=True)
    # The own page of the program is left out: it quotes what it looks for.
    pages = [page for page in sorted(folder.rglob("*.html")) if "deedcheck" not in page.relative_to(folder).parts]
    if not pages:
        sys.exit("there are no pages")
    alarms, missed, unread, clean = collections.Counter(), [], [], 0
    for at in range(0, len(pages), BATCH):
        for page, told in checked(program, pages[at:at + BATCH]):
            name = page.relative_to(folder).as_posix()
            findings = [finding for finding in told["findings"] if not is_of_source(finding)]
            missed += [f"{name}: {finding['kind']}" for finding in findings if finding["what"] == "missed"]
            if told["unread"]:
                unread.append(f"{name}: {told['unread']}")
            alarms.update(f"{name} {finding['kind']} in {finding['context']}" for finding in findings)
            clean += not findings and not told["unread"]
    told = sorted(f"{count} {alarm}" for alarm, count in alarms.items())
    listed = sorted(LISTED.read_text(encoding="utf-8").splitlines())
    wrong = [f"+ {line}" for line in told if line not in listed] + [f"- {line}" for line in listed if line not in told]
    wrong += [f"not looked at to the end: {line}" for line in missed] + [f"unread: {line}" for line in unread]
    print(f"{len(pages)} pages: {clean} without an alarm, {len(unread)} with unread parts, {len(told)} listed alarms")
    if wrong:
        sys.exit("\n".join(["alarms that nobody has looked at (+), or listed ones that are gone (-):", *wrong]))


if __name__ == "__main__":
    main()
