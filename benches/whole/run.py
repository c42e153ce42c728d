#!/usr/bin/env python3
"""Measures the whole command over the sets that corpus.py makes.

    cargo build --release
    python3 benches/whole/corpus.py /tmp/sets
    python3 benches/whole/run.py target/release/deedcheck /tmp/sets

Speeds are given as MB/s (10^6 bytes) and as a ratio to SHA-256 of the same files in the same run on
one thread, since a ratio carries over to another machine and a speed does not. Times are wall times,
best of --best; the user time of the best run stands beside them, because a busy machine spoils only
the former. Files are read once before, so the cache is warm.
"""

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
import time
from pathlib import Path


def measured(argv: list[str]) -> tuple[float, float, int]:
    """Wall seconds, user seconds and peak memory in bytes of one run."""
    begun = time.perf_counter()
    child = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    wall = time.perf_counter() - begun
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        raise SystemExit(f"a measured command ended with {child.returncode}")
    unit = 1 if sys.platform == "darwin" else 1024
    return wall, usage.ru_utime, usage.ru_maxrss * unit


def best(argv: list[str], times: int) -> tuple[float, float, int]:
    runs = [measured(argv) for _ in range(times)]
    wall, user, _ = min(runs)
    return wall, user, max(peak for _, _, peak in runs)


def hashed(files: list[Path], times: int) -> tuple[str, float, float]:
    tool = ["openssl", "dgst", "-sha256"] if shutil.which("openssl") else ["sha256sum"]
    walls = []
    for _ in range(times):
        wall = user = 0.0
        # Command lines have a limit; some hundreds of files a run keep the start-up out of sight.
        for at in range(0, len(files), 400):
            run = measured(tool + [str(path) for path in files[at : at + 400]])
            wall, user = wall + run[0], user + run[1]
        walls.append((wall, user))
    return " ".join(tool), *min(walls)


def warm(files: list[Path]) -> int:
    total = 0
    for path in files:
        with path.open("rb") as file:
            while chunk := file.read(1 << 20):
                total += len(chunk)
    return total


def machine() -> str:
    flags, model = "", ""
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("flags"):
                flags = line
            elif line.startswith("model name"):
                model = line.split(":", 1)[1].strip()
    except OSError:
        pass
    sha = "yes" if "sha_ni" in flags else "no" if flags else "unknown"
    return f"{os.cpu_count()} cores ({model or platform.machine()}), SHA-NI: {sha}, {platform.system()}"


def speeds(binary: str, sets: Path, times: int, out: list[str]):
    files = sorted((sets / "many").rglob("*.jsonl"))
    total = warm(files)
    tool, reference, reference_user = hashed(files, times)
    out += [
        f"Many files: {len(files)} files, {total / 1e6:.0f} MB.", "",
        "| command | s | user s | MB/s | MB a user second | ratio to SHA-256 | peak MiB |",
        "|---|---:|---:|---:|---:|---:|---:|",
        f"| `{tool}`, one thread | {reference:.2f} | {reference_user:.2f} | {total / 1e6 / reference:.0f} "
        f"| {total / 1e6 / max(reference_user, 0.001):.0f} | 1.00 | – |",
    ]
    for options in (["--quiet"], ["--format", "jsonl"]):
        for jobs in (1, 2):
            argv = [binary, "grade", *options, "--jobs", str(jobs), str(sets / "many")]
            wall, user, peak = best(argv, times)
            out.append(
                f"| `grade {' '.join(options)} --jobs {jobs}` | {wall:.2f} | {user:.2f} | {total / 1e6 / wall:.0f} "
                f"| {total / 1e6 / user:.0f} | {reference / wall:.2f} | {peak / 2**20:.0f} |"
            )


def linearity(binary: str, sets: Path, times: int, out: list[str]):
    rows, out_rows = {}, []
    for name in ("one", "ten"):
        size = warm(sorted((sets / name).rglob("*.jsonl")))
        wall, user, peak = best([binary, "grade", "--quiet", "--jobs", "1", str(sets / name)], times)
        rows[name] = user / size
        out_rows.append(f"| {name} | {size / 1e6:.0f} | {wall:.2f} | {user:.2f} | {peak / 2**20:.0f} |")
    out += ["", "One long session against ten of a tenth each, one thread:", "",
            "| set | MB | s | user s | peak MiB |", "|---|---:|---:|---:|---:|", *out_rows, "",
            f"User time of a byte, one against ten: {rows['one'] / rows['ten']:.2f}"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("sets", type=Path)
    parser.add_argument("--best", type=int, default=3)
    parser.add_argument("--write", type=Path, default=Path(__file__).with_name("RESULTS.md"))
    args = parser.parse_args()
    binary = str(Path(args.binary).resolve())
    facts = json.loads((args.sets / "facts.json").read_text())
    out = ["# Whole-command benchmark", "", f"Machine: {machine()}.",
           f"Seeds: {facts['seeds']} files ({facts['from']}). Best of {args.best}; MB = 10^6 bytes.", ""]
    if (args.sets / "many").is_dir():
        speeds(binary, args.sets, args.best, out)
    if (args.sets / "one").is_dir() and (args.sets / "ten").is_dir():
        linearity(binary, args.sets, args.best, out)
    start = min(measured([binary, "--version"])[0] for _ in range(20))
    out += ["", f"Start-up (`--version`), best of 20: {start * 1000:.1f} ms", ""]
    text = "\n".join(out)
    print(text)
    args.write.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
