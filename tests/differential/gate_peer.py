#!/usr/bin/env python3
"""The published grounding-gate packages as the other side of `deedcheck differential`.

    gate_peer.py FOLDER_0_1_0 FOLDER_0_4_1

The folders hold the packages; a missing one is filled by `pip install --target`. The protocol is
that of docs/differential.md.
"""

import asyncio
import json
import sys

import gate


def main():
    old, _ = gate.load(sys.argv[1], "0.1.0")
    new, adapter = gate.load(sys.argv[2], "0.4.1")
    packages = {"gg-0.1": (old, None), "gg-0.4": (new, None), "gg-0.4-hooks": (new, adapter)}
    for line in sys.stdin:
        asked = json.loads(line)
        said = {"id": asked["id"]}
        package, hooks = packages.get(asked.get("profile"), (None, None))
        if package is None:
            said["unable"] = "judges gate cases only"
        elif asked["kind"] == "function":
            said["answer"] = gate.answer_function(package, asked["call"])
        elif hooks:
            said["answer"] = asyncio.run(gate.answer_hooks(hooks, asked["case"]))
        else:
            said["answer"] = gate.answer_core(package, asked["case"])
        print(json.dumps(said), flush=True)


if __name__ == "__main__":
    main()
