#!/usr/bin/env python3
"""What the browser domain says of pages that whoever made its rules did not write.

    judge.py [BUILD] [APPLICATION[/PAGE]...]   record the pages, with a browser, and ask diagnose_page of each
    judge.py --keep FOLDER                     and keep the recordings, as FOLDER/APPLICATION/PAGE
    judge.py --from FOLDER                     judge such recordings; needs no browser
    judge.py --answers FILE                    write whole answers beside what is true, to be read by hand

A line a page: right, partly, wrong or silent where something is wrong with it, quiet or blamed where nothing is; the
kind, the text and the places of the finding of rank 1. README.md says how words judge.
"""
import argparse
import collections
import concurrent.futures
import contextlib
import json
import os
import pathlib
import re
import select
import signal
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path.insert(0, str(HERE.parent / "bed"))

import record  # noqa: E402
import score  # noqa: E402

APPLICATIONS = sorted(path.parent.name for path in HERE.glob("*/pages.json"))
RECORD_S = 240
START_S = 15
END_S = 5
FAULTY = ("right", "partly", "wrong", "silent")
HEALTHY = ("quiet", "blamed")
FAILED = ("not recorded", "no answer")


class Failure(Exception):
    pass


def end(child, whole_group=False):
    """Asks a child to end, and the children of its group with it; soon it has to."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError):
            if whole_group:
                os.killpg(child.pid, number)
            else:
                child.send_signal(number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.wait(END_S)
            return


def bounded(command, seconds, env):
    """Runs a command that may have children of its own. None of them outlives its time or ours."""
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                             errors="replace", env=env, start_new_session=True)
    try:
        said, _ = child.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        raise Failure(f"not done within {seconds} s") from None
    finally:
        if child.poll() is None:
            end(child, whole_group=True)
            child.stdout.close()
    if child.returncode:
        raise Failure(said.strip()[-300:] or f"exit status {child.returncode}")


@contextlib.contextmanager
def served(name):
    """The address of an application while it is served. Its server ends with its input, should nobody end it."""
    child = subprocess.Popen([sys.executable, "-B", str(HERE / name / "server.py"), "--port", "0", "--until-eof"],
                             stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        ready, _, _ = select.select([child.stdout], [], [], START_S)
        address = child.stdout.readline().strip() if ready else ""
        if not address:
            raise Failure(f"the server of {name} did not start")
        yield address
    finally:
        end(child)
        child.stdin.close()
        child.stdout.close()


def steps_of(page, address):
    steps = list(page["steps"])
    for at, step in enumerate(steps[:-1]):
        if step == "--open" and steps[at + 1].startswith("/"):
            steps[at + 1] = address + steps[at + 1]
    return steps


def record_page(build, page, address, folder):
    """Some more tries for what a busy machine spoils."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    command = [str(build / "bin/manglecp-record"), address + page["path"], "-o", str(folder), "--replace",
               *steps_of(page, address)]
    env = {**os.environ, "MANGLECP": str(build / "bin/manglecp"), "MACHINA_TOOLHOST_RLIMIT_AS_MB": "0"}
    for left in reversed(range(record.TRIES)):
        try:
            return bounded(command, RECORD_S, env)
        except Failure as failure:
            if not left:
                raise
            print(f"# {page['name']}: {failure}", file=sys.stderr, flush=True)


def texts_of(value):
    """Whatever a finding says, without the names that only it knows."""
    if isinstance(value, dict):
        return [text for name, member in value.items() if name != "id" for text in texts_of(member)]
    if isinstance(value, list):
        return [text for member in value for text in texts_of(member)]
    return [str(value)]


def cause_of(finding):
    cause = finding.get("cause") or {}
    return cause.get("text") or ""


def places_of(finding):
    return [change.get("where") or "" for change in finding.get("change") or []]


def says(patterns, text):
    return any(re.search(pattern, text, re.IGNORECASE) for pattern in patterns)


def names(page, finding):
    text = "\n".join(texts_of(finding))
    return all(says(group, text) for group in page["words"])


def judged(page, answer):
    findings = answer.get("findings") or []
    if page["healthy"]:
        return "blamed" if findings or answer.get("verdict") == "faulty" else "quiet"
    if not findings:
        return "silent"
    first = findings[0]
    if names(page, first) and says(page["place"], "\n".join(places_of(first))) and not says(page["not"], cause_of(first)):
        return "right"
    near = [page["partly"]] if page.get("partly") else []
    if any(names(page, one) or says(near, "\n".join([cause_of(one), *texts_of(one.get("change"))])) for one in findings):
        return "partly"
    return "wrong"


def row(page, answer_of):
    """(page, verdict, answer or what went wrong)"""
    try:
        answer = answer_of()
    except Failure as failure:
        return page, "not recorded", {"note": str(failure)}
    except (score.manglecp.Error, LookupError, OSError, ValueError) as failure:
        return page, "no answer", {"note": f"{type(failure).__name__}: {failure}"}
    return page, judged(page, answer), answer


def diagnose(build, page, folder):
    if not (folder / "events.jsonl").is_file():
        raise Failure("there is no recording of it")
    return score.diagnose(build, page, folder)


def record_and_diagnose(build, page, address, folder):
    record_page(build, page, address, folder)
    return diagnose(build, page, folder)


def rows_of_recordings(build, pages, folder, jobs):
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        yield from pool.map(lambda page: row(page, lambda: diagnose(build, page, folder / page["name"])), pages)


def rows_of_pages(build, pages, folder):
    """One after the other: rules read times."""
    for name in APPLICATIONS:
        chosen = [page for page in pages if page["application"] == name]
        if chosen:
            with served(name) as address:
                for page in chosen:
                    yield row(page, lambda page=page: record_and_diagnose(build, page, address, folder / page["name"]))


def line_of(page, verdict, answer):
    findings = answer.get("findings") or []
    said = answer.get("note") or answer.get("verdict") or ""
    if findings:
        said = f"{findings[0].get('kind')}: {cause_of(findings[0])} [{', '.join(places_of(findings[0]))}]"
    return f"{verdict:7} {page['name']:38} {said}".replace("\n", " ")


def total(name, verdicts):
    count = collections.Counter(verdicts)
    parts = [f"{count[verdict]} {verdict}" for verdict in FAULTY]
    quiet = [f"{count[verdict]} {verdict}" for verdict in HEALTHY]
    failed = [f"; {count[verdict]} {verdict}" for verdict in FAILED if count[verdict]]
    return f"{name}: {', '.join(parts)}; healthy: {', '.join(quiet)}{''.join(failed)}"


def print_totals(rows):
    by_name = {}
    for page, verdict, _ in rows:
        by_name.setdefault(page["application"], []).append(verdict)
    for name, verdicts in by_name.items():
        print(total(name, verdicts))
    if len(by_name) > 1:
        print(total("together", [verdict for _, verdict, _ in rows]))


def write_answers(path, rows):
    with open(path, "w", encoding="utf-8") as out:
        for page, verdict, answer in rows:
            true = f"wrong: {page['wrong']}\ncause: {page['cause']}" if not page["healthy"] else f"healthy: {page['noise']}"
            out.write(f"{'=' * 100}\n{page['name']}  {verdict}\n{true}\n"
                      f"{json.dumps(answer, indent=1, ensure_ascii=False)}\n")


def pages_of(name):
    pages = json.loads((HERE / name / "pages.json").read_text(encoding="utf-8"))
    return [{**page, "application": name, "name": f"{name}/{page['id']}"} for page in pages]


def chosen_pages(wanted):
    pages = [page for name in APPLICATIONS for page in pages_of(name)]
    known = {page["name"] for page in pages} | set(APPLICATIONS)
    for name in wanted:
        if name not in known:
            sys.exit(f"there is no {name}; applications: {' '.join(APPLICATIONS)}")
    return [page for page in pages if not wanted or page["name"] in wanted or page["application"] in wanted]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="BUILD | APPLICATION[/PAGE]")
    parser.add_argument("--keep", type=pathlib.Path, metavar="FOLDER")
    parser.add_argument("--from", type=pathlib.Path, metavar="FOLDER", dest="source")
    parser.add_argument("--answers", type=pathlib.Path, metavar="FILE")
    parser.add_argument("--jobs", type=int, default=2, help="how many recordings are judged at a time")
    options = parser.parse_intermixed_args()
    if options.keep and options.source:
        parser.error("--keep records and --from does not")
    options.build = pathlib.Path(os.environ.get("BUILD_DIR", ROOT / "build"))
    if options.names and options.names[0].split("/")[0] not in APPLICATIONS:
        options.build = pathlib.Path(options.names.pop(0))
    options.build = options.build.resolve()
    if not (options.build / "bin/manglecp").exists():
        sys.exit(f"{options.build} is no build: it has no bin/manglecp")
    return options


def main():
    options = arguments()
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    pages = chosen_pages(options.names)
    rows = []
    with tempfile.TemporaryDirectory(prefix="strangers-") as scratch:
        if options.source:
            found = rows_of_recordings(options.build, pages, options.source.resolve(), max(1, min(options.jobs, 8)))
        else:
            found = rows_of_pages(options.build, pages, (options.keep or pathlib.Path(scratch)).resolve())
        for one in found:
            rows.append(one)
            print(line_of(*one), flush=True)
    print_totals(rows)
    if options.answers:
        write_answers(options.answers, rows)
    return 1 if any(verdict in FAILED for _, verdict, _ in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
