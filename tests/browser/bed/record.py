#!/usr/bin/env python3
"""Records every page of the test bed, or those that are named, with manglecp-record: record.py [BUILD_DIR] [PAGE...]

A recording is recordings/PAGE/events.jsonl. What is recorded while a machine is busy with something else is slower than
it should be, and rules read times: record when it is idle."""
import argparse
import math
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path.insert(0, str(HERE))

import pages  # noqa: E402
from server import Bed  # noqa: E402


def options_of(page):
    options = []
    for what, value in page.steps:
        options += ["--watch", str(math.ceil(int(value) / 1000))] if what == "wait" else [f"--{what}", value]
    return options


def record(build, page, bed, target):
    """The size of what was recorded; raises what manglecp-record said."""
    with tempfile.TemporaryDirectory(prefix="bed-") as scratch:
        made = pathlib.Path(scratch) / page.id
        run = subprocess.run(
            [str(ROOT / "domains/browser/manglecp-record"), bed.url(page), "-o", str(made), "--allow",
             "localhost 127.0.0.1", *options_of(page)],
            capture_output=True, text=True, timeout=300,
            env={**os.environ, "MANGLECP": str(build / "bin/manglecp"), "MACHINA_TOOLHOST_RLIMIT_AS_MB": "0"})
        if run.returncode:
            raise RuntimeError(run.stderr.strip())
        target.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(made / "events.jsonl", target / "events.jsonl")
    return (target / "events.jsonl").stat().st_size


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", nargs="?", default=os.environ.get("BUILD_DIR", str(ROOT / "build")))
    parser.add_argument("pages", nargs="*")
    parser.add_argument("--out", type=pathlib.Path, default=HERE / "recordings")
    options = parser.parse_intermixed_args()
    chosen = [pages.BY_ID[name] for name in options.pages] or pages.PAGES
    total = failed = 0
    with Bed() as bed:
        for page in chosen:
            try:
                size = record(pathlib.Path(options.build).resolve(), page, bed, options.out / page.id)
            except (RuntimeError, OSError, subprocess.TimeoutExpired) as error:
                print(f"{page.id}: {error}", flush=True)
                failed += 1
                continue
            total += size
            print(f"{page.id}: {size // 1024} KiB", flush=True)
    print(f"{total // 1024} KiB in {len(chosen) - failed} recordings")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
