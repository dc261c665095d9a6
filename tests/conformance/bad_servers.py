"""The suite before servers that keep no promise: it ends, within bounds, and believes none of them. TAP."""
import concurrent.futures
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import servers  # noqa: E402

BUILD = pathlib.Path(sys.argv[1]).resolve()
PROGRAM = str(BUILD / "bin/manglecp")
BAD = str(pathlib.Path(__file__).with_name("bad_server.py"))
TIMEOUT_MS = 500
START_MS = 5000  # where a whole server is behind it
# What a manifest alone shows, and that it comes first: a good one is all that these servers have.
MANIFEST_ALONE = {"P-TIME-6", "P-SCHEMA-1", "P-SCHEMA-3", "P-SCHEMA-6", "P-STDIO-4", "P-LEVEL-1", "P-MAN-1", "P-MAN-3", "P-MAN-4",
                  "P-MAN-8", "P-MAN-9", "P-MAN-10", "P-MAN-21", "P-MAN-24", "P-MAN-27", "P-MAN-28", "P-DET-5"}

# Servers of one line, since each case that fails starts one anew: a sed script that makes an answer of each line.
ANSWER = r's/.*%s"id":"\([^"]*\)".*/{"type":"%s","id":"\1","manglecp":"2026-02-draft","payload":%s}/;t'
REFUSAL = '{"code":"malformed_message","message":"No.","recoverable":true}'
OTHERS = 's/.*/{"type":"error","id":null,"manglecp":"2026-02-draft","payload":%s}/' % REFUSAL
WORDS = {
    "echo": [],  # what came
    "malformed": [ANSWER % ("", "error", REFUSAL), OTHERS],
    "empty": ['/"type":"cancel"/d',  # every answer is there and says nothing
              ANSWER % ('"authenticate",', "authenticate_response",
                        '{"status":"authenticated","identity":"x","permissions":[]}'),
              ANSWER % ('"invoke_request",', "invoke_response", '{"result":{},"observability":{"summary":"Done."}}'),
              ANSWER % ("", "intent_response", '{"macro_tools":[],"eval_time_used":"2026-07-04T12:00:00Z"}'), OTHERS],
}
count = failed = 0


def tell(name, faults):
    global count, failed
    count += 1
    failed += bool(faults)
    print(f"{'not ok' if faults else 'ok'} {count} - {name}", flush=True)
    for fault in faults:
        print(f"#   {fault}")


def judge(target, *words):
    """(report, seconds, standard error); a text for a report: there is none."""
    begun = time.monotonic()
    timeout_ms = START_MS if "twice" in target else TIMEOUT_MS
    argv = [PROGRAM, "conformance", "--report", "json", "--timeout-ms", str(timeout_ms), *servers.options(), *words, *target]
    done = subprocess.run(argv, capture_output=True, env=servers.clean({}), timeout=200)
    told = done.stderr.decode()  # good UTF-8, whatever was said
    report = json.loads(done.stdout) if done.stdout[:1] == b"{" else f"no report ({done.returncode}): {told[-300:]}"
    return report, time.monotonic() - begun, told


def passes(report, strong=True):
    return {r["id"] for r in report["requirements"] if r["outcome"] == "pass" and (r["strength"].startswith("MUST") or not strong)}


def believed(how, target, allowed=MANIFEST_ALONE):
    report, seconds, _ = judge(target, "--quiet")
    if isinstance(report, str):
        return [report]
    print(f"# {how}: {len(passes(report))} of the MUSTs hold, {report['fail']} requirements fail, {seconds:.0f} s", flush=True)
    unasked = sum(c.get("detail", "").startswith("not asked") for c in report["cases"])
    return [f"{one} holds" for one in sorted(passes(report) - allowed)] + ([f"{unasked} were not asked"] if unasked else [])


def bounded(how, target, *words, most_s=60):
    """No case passes that asks something, and it is over soon; what is told is fit for a terminal."""
    report, seconds, told = judge(target, *words)
    if isinstance(report, str):
        return [report]
    faults = [f"{one} holds" for one in sorted(passes(report) - MANIFEST_ALONE)]
    faults += [f"it took {seconds:.0f} s"] if seconds > most_s else []
    faults += ["a control character is shown"] if any(ord(c) < 32 and c != "\n" for c in told) else []
    return faults


def main():
    with tempfile.TemporaryDirectory(prefix="manglecp-bad-") as name:
        folder = pathlib.Path(name)
        argv = [*servers.prepare(BUILD, folder), "--stdio"]
        good = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                env=servers.clean({}))
        line = good.stdout.readline()
        while b'"booting"' in line:
            line = good.stdout.readline()
        good.stdin.close()
        good.wait(servers.PATIENCE)
        (folder / "manifest").write_bytes(line)

        def bad(how, *command):
            return ["--", sys.executable, "-ISE", BAD, how, str(folder / "manifest"), *command]

        def one_line(how):
            script = "\n".join(WORDS[how])
            return ["--", "sh", "-c", 'cat "$0"; LC_ALL=C exec sed -u "$1"', str(folder / "manifest"), script]

        rows = [(f"a server that knows nothing but \"{how}\" shows nothing but its manifest", believed, how, one_line(how), ())
                for how in WORDS]
        rows += [(f"a server that answers with \"{how}\" is given up", bounded, how, bad(how), ())
                 for how in ("flood", "huge", "hangs", "nothing", "deep", "garbage", "bad-text", "ends", "somewhere")]
        rows += [("nor does one pass that answers twice", bounded, "twice", bad("twice", *argv), ("--only", "P-FACT"))]
        with concurrent.futures.ThreadPoolExecutor(max_workers=os.cpu_count() or 2) as pool:
            results = list(pool.map(lambda row: row[1](row[2], row[3], *row[4]), rows))
        for row, faults in zip(rows, results):
            tell(row[0], faults)
    most_mb = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
    tell("the suite itself needed less than a gibibyte", [f"{most_mb} MiB"] if most_mb > 1024 else [])
    print(f"1..{count}")
    sys.exit(1 if failed else 0)


main()
