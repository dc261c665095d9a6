"""A server's life as others see it: booting, ready, degraded, draining, loaded again, and its ends."""
import resource
import ssl

from blackbox import *

TOKEN, OTHER = "token-of-the-operator", "token-of-somebody"
FAST = {**intent("fx.echo", [BASIC])}


class At:
    """An address that something listens on, for a Connection."""
    tls, intent_path, invoke_path = None, "/manglecp/evaluate", "/manglecp/invoke"

    def __init__(self, port, program):
        self.port, self.program = port, program


def gated(folder=None, serving=True):
    """A plugin host that does not begin to list before its gate opens; not to serve at all, if told so."""
    folder = pathlib.Path(folder or scratch())
    gate, program = folder / "gate", folder / "toolhost"
    real = BUILD / "bin/toolhost"
    program.write_text(f"""#!/bin/sh
case "$1" in
--list) n=0; while [ ! -e {gate} ] && [ $n -lt 600 ]; do sleep 0.1; n=$((n + 1)); done ;;
*) {"" if serving else "exit 3"} ;;
esac
exec {real} "$@"
""")
    program.chmod(0o755)
    return gate, ["--toolhost", str(program)]


def copy_of_fixture():
    folder = pathlib.Path(scratch()) / "domain"
    shutil.copytree(FIXTURE, folder)
    return folder


def rename_tool(folder, old, new):
    """Another tool answers the intent fx.echo: what is served can be told apart."""
    for path in [*folder.rglob("*.mg"), *folder.rglob("*.yaml")]:
        path.write_text(re.sub(rf"\b{old}\b", new, path.read_text()))


def wait_for(what, condition, patience=PATIENCE):
    deadline = time.monotonic() + patience
    while not condition():
        expect(time.monotonic() < deadline, f"never: {what}")
        time.sleep(0.02)


def logged(program, text, count=1):
    wait_for(f"{text!r} in the log\n{program.log()}", lambda: program.log().count(text) >= count)


def hang_up(program):
    program.process.send_signal(signal.SIGHUP)


def not_ready(answer, status):
    payload = refused(answer, "server_not_ready", status=status)
    expect(payload["recoverable"] is True, "recoverable")
    expect(payload.get("retry_after_ms", 0) > 0, f"retry_after_ms: {payload}")


# ---- booting ----------------------------------------------------------------------------------

def test_a_session_gets_its_manifest_before_anything_is_loaded():
    gate, options = gated()
    s = Session(*options, greet=False)
    first = s.receive()  # P-8 in time: nothing of the load has happened yet
    equal((first["type"], first["payload"]["status"]), ("manifest", "booting"), "first message")
    equal(first["payload"]["server_name"], "fixture", "server_name")  # P-MAN-4
    not_ready(s.ask(FAST), "booting")  # P-READY-2
    not_ready(s.ask(invoke("fx-echo-0")), "booting")
    gate.touch()
    ready = s.until_status("ready")  # P-READY-4, P-MAN-30
    expect(ready["payload"]["facts_profile"]["predicates"], "no facts profile")
    equal(names(s.ask(good())), ["fx_echo"], "tools")
    equal(s.end(), [], "messages behind the last answer")


def test_http_listens_before_anything_is_loaded():
    gate, options = gated()
    l = Listener("--open-demo", *options, ready=False)
    equal(l.manifest["payload"]["status"], "booting", "status")
    c = l.connect()
    equal(c.get("/health").status, 200, "/health")
    ready = c.get("/ready")
    equal((ready.status, ready.body), (503, b"booting\n"), "/ready")
    expect(int(ready.headers["retry-after"]) > 0, "Retry-After of /ready")
    refusal = c.post(FAST)
    equal(refusal.status, 503, "status")  # P-READY-2
    expect(int(refusal.headers["retry-after"]) > 0, "Retry-After")
    not_ready(refusal.message, "booting")
    booting = c.get(l.MANIFEST)
    equal(booting.headers["cache-control"], "no-cache", "Cache-Control")  # P-HTTP-21
    gate.touch()
    l.until_status("ready")  # P-READY-5
    equal(c.get("/ready").body, b"ready\n", "/ready")
    expect(c.get(l.MANIFEST).headers["etag"] != booting.headers["etag"], "the tag stayed")
    equal(names(c.ask(good())), ["fx_echo"], "tools")
    l.stop()


def check_text(folder):
    result = subprocess.run([str(BUILD / "bin/manglecp"), "check", str(folder), "--plugins",
                             str(BUILD / "test-plugins"), "--toolhost", str(BUILD / "bin/toolhost")],
                            capture_output=True, text=True, env=CHILD_ENV, timeout=PATIENCE)
    equal(result.returncode, 1, "status of check")
    end = r"\d+ errors?, |manglecp explain-error "  # what only the command says
    return [line for line in result.stdout.splitlines() if not re.match(end, line)]


def break_rules(folder):
    (folder / "rules/domain/99_broken.mg").write_text('p(X) :- q(Y).\ntool_relevant_to_intent("a" "b", 1).\n')
    (folder / "tools/broken.yaml").write_text("tool: UPPER\nsummary: s\n")


def test_what_does_not_load_ends_with_the_text_of_check():
    folder = copy_of_fixture()
    break_rules(folder)
    program = Program(command(folder, "--stdio"), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    program.wait(1)
    for line in check_text(folder):
        expect(line in program.log(), f"missing: {line}\n{program.log()}")
    expect("does not load" in program.log(), program.log())


def test_settings_that_do_not_load_end_it_before_it_listens():
    folder = copy_of_fixture()
    break_rules(folder)
    (folder / "domain.yaml").write_text((folder / "domain.yaml").read_text() + "nonsense: 1\n")
    program = Program(command(folder, "--listen", "127.0.0.1:0", "--open-demo"), stdin=subprocess.DEVNULL,
                      stdout=subprocess.PIPE)
    program.wait(1)
    for line in check_text(folder):
        expect(line in program.log(), f"missing: {line}\n{program.log()}")
    expect("listening" not in program.log(), program.log())


def test_a_booting_server_can_be_stopped():
    gate, options = gated()
    for twice in (False, True):
        s = Session(*options, greet=False)
        equal(s.receive()["payload"]["status"], "booting", "status")
        begun = time.monotonic()
        s.program.process.terminate()
        if twice:
            s.program.process.terminate()
        draining = s.receive()
        equal(draining["payload"]["status"], "draining", "status")
        s.program.wait()
        expect(time.monotonic() - begun < PATIENCE / 2, "it took long")


# ---- degraded -----------------------------------------------------------------------------------

def test_a_degraded_server_serves_and_says_what_is_missing():
    gate, options = gated(serving=False)
    gate.touch()
    s = Session(*options)
    tool = tool_of(s.ask(good()))
    answer = s.ask(invoke(tool, {"label": "x"}))
    equal(answer["type"], "error", f"answer without hosts: {shown(answer)}")
    degraded = s.until_status("degraded", now=s.manifest)
    expect(any(k.startswith("x-") for k in degraded["payload"]["extensions"]), "no x- key")  # P-READY-7
    expect("fx" in json.dumps(degraded["payload"]["extensions"]), f"{degraded['payload']['extensions']}")
    equal(names(s.ask(good())), ["fx_echo"], "tools")  # P-READY-6
    s.end()


# ---- loading again ------------------------------------------------------------------------------

def test_a_reload_changes_what_is_served_for_whoever_is_connected():
    folder = copy_of_fixture()
    s = Session(domain=folder)
    old = tool_of(s.ask(good()))
    rename_tool(folder, "fx_echo", "fx_again")
    text = (folder / "domain.yaml").read_text().replace("version: 1.2.3", "version: 1.2.4")
    (folder / "domain.yaml").write_text(text)
    hang_up(s.program)
    manifest = s.receive()  # P-MAN-30
    equal((manifest["type"], manifest["payload"]["server_version"]), ("manifest", "1.2.4"), "manifest")
    equal(names(s.ask(good())), ["fx_again"], "tools")
    refused(s.ask(invoke(old, {"label": "x"})), "macro_expired", reason="superseded")  # D-42
    expect("loaded again" in s.program.log(), s.program.log())
    s.end()


def test_requests_keep_what_they_began_with():
    folder = copy_of_fixture()
    s = Session(domain=folder)
    slow = tool_of(s.ask(intent("fx.slow", params={"size": 1})))
    size = busy_size(s.ask, 1.0)
    s.send(invoke(slow, {"step_ms": 700}, id="chain"), intent("fx.slow", id="rules", params={"size": size}))
    time.sleep(0.1)
    rename_tool(folder, "fx_slow", "fx_sluggish")
    hang_up(s.program)
    answers = {}
    while len(answers) < 3:
        m = s.receive()
        if m["type"] != "progress":
            answers[m["id"]] = m
    equal(answers[None]["type"], "manifest", "pushed")
    equal(answers["chain"]["type"], "invoke_response", f"{shown(answers['chain'])}")
    equal(names(answers["rules"]), ["fx_slow"], "tools of the request that ran")
    equal(names(s.ask(intent("fx.slow", params={"size": 1}))), ["fx_sluggish"], "tools afterwards")
    s.end()


def test_what_a_failed_reload_says_is_logged_at_its_level():
    folder = copy_of_fixture()
    s = Session("--log-format", "json", domain=folder)
    break_rules(folder)
    hang_up(s.program)
    logged(s.program, "derive without end")
    logged(s.program, "99_broken.mg")
    said = [json.loads(line) for line in s.program.log().splitlines() if line.startswith("{")]
    for mark, level in ((": error: ", "error"), (": warning: ", "warn")):
        levels = {line["level"] for line in said if mark in line["message"]}
        equal(levels, {level}, f"levels of {mark}")
    s.end()


def test_a_broken_folder_leaves_the_old_one_serving():
    folder = copy_of_fixture()
    s = Session(domain=folder)
    break_rules(folder)
    hang_up(s.program)
    logged(s.program, "could not be loaded again")
    wanted = check_text(folder)
    logged(s.program, wanted[-1].strip())
    for line in wanted:
        expect(line.strip() in s.program.log(), f"missing: {line}\n{s.program.log()}")
    equal(names(s.ask(good())), ["fx_echo"], "tools")
    shutil.rmtree(folder / "rules")  # and a folder in pieces
    hang_up(s.program)
    logged(s.program, "could not be loaded again", 2)
    equal(names(s.ask(good())), ["fx_echo"], "tools")
    s.end()


def operate(l, token, **headers):
    return l.connect(token).get("/reload", "POST", Content_Length="0", Content_Type=None, **headers)


def test_reload_is_for_operators_and_says_what_came_of_it():
    folder = copy_of_fixture()
    tokens = token_file(token_line(OTHER, "somebody", "intent:*"))
    l = Listener("--auth", tokens, domain=folder, env={"MANGLECP_TOKEN": TOKEN})
    equal(operate(l, None).status, 401, "without a credential")
    equal(operate(l, "wrong").status, 401, "with a wrong one")
    stranger = operate(l, OTHER)
    equal(stranger.status, 403, "without the permission")
    refused(stranger.message, "auth_insufficient")
    good_answer = operate(l, TOKEN)
    equal((good_answer.status, decode(good_answer.body)), (200, {"reloaded": True, "text": "loaded again\n"}), "good")
    break_rules(folder)
    bad = operate(l, TOKEN)
    equal(bad.status, 422, "status of a broken folder")
    answer = decode(bad.body)
    equal(answer["reloaded"], False, "reloaded")
    for line in check_text(folder):
        expect(line in answer["text"], f"missing: {line}\n{answer['text']}")
    url = f"http://127.0.0.1:{l.port}"
    program = [str(BUILD / "bin/manglecp"), "reload"]
    for extra, status, text in ((["--token", TOKEN], 1, "99_broken.mg"), (["--token", OTHER], 2, "operator")):
        r = subprocess.run([*program, url, *extra], capture_output=True, text=True, env=CHILD_ENV, timeout=PATIENCE)
        equal(r.returncode, status, f"status of manglecp reload\n{r.stderr}")
        expect(text in r.stderr, r.stderr)
    r = subprocess.run([*program, "--pid", str(l.program.process.pid)], capture_output=True, env=CHILD_ENV)
    equal(r.returncode, 0, "status of reload --pid")
    logged(l.program, "could not be loaded again", 3)
    l.stop()


def test_reloads_that_come_together_are_few():
    l = Listener(env={"MANGLECP_TOKEN": TOKEN})
    for _ in range(50):
        hang_up(l.program)
    callers = [threading.Thread(target=operate, args=(l, TOKEN)) for _ in range(8)]
    for c in callers:
        c.start()
    for c in callers:
        c.join(PATIENCE)
    equal(operate(l, TOKEN).status, 200, "the last one")
    expect(1 <= l.program.log().count("loaded again: ") <= 12, l.program.log())
    l.stop()


def test_watching_loads_what_changes_and_waits_for_what_is_mended():
    folder = copy_of_fixture()
    s = Session("--watch", domain=folder)
    rename_tool(folder, "fx_echo", "fx_again")
    s.receive()  # the new manifest
    equal(names(s.ask(good())), ["fx_again"], "tools")
    (folder / "rules/domain/new.mg").write_text("this is no rule")
    logged(s.program, "could not be loaded again")
    equal(names(s.ask(good())), ["fx_again"], "tools beside a broken folder")
    (folder / "rules/domain/new.mg").unlink()
    logged(s.program, "loaded again: ", 2)
    (folder / "server.log").write_text("a file beside them is nothing\n")
    time.sleep(1)
    equal(s.program.log().count("loading again"), 3, "reloads")
    s.end()


def test_what_changes_while_it_boots_is_seen_too():
    folder = copy_of_fixture()
    gate, options = gated()
    s = Session("--watch", *options, domain=folder, greet=False)
    equal(s.receive()["payload"]["status"], "booting", "status")
    wait_for("the first load", lambda: hosts_of(s.program.process.pid))
    rename_tool(folder, "fx_echo", "fx_again")
    (folder / "skills/fx-skill").rename(folder / "skills/fx-craft")
    for path in [*folder.rglob("*.mg"), *folder.rglob("*.md"), *folder.rglob("*.yaml")]:
        path.write_text(path.read_text().replace("fx-skill", "fx-craft"))
    time.sleep(0.5)
    gate.touch()
    logged(s.program, "files changed while they were loaded")  # rules before, skills after: they do not fit
    logged(s.program, "ready: ")
    s.send(good("now"))
    while (m := s.receive())["id"] != "now":
        pass
    equal(names(m), ["fx_again"], "tools")
    s.end()


def test_half_written_files_are_waited_for():
    """Each moment of a slow editor: broken in the middle, good at the end."""
    folder = copy_of_fixture()
    s = Session("--watch", domain=folder)
    path = folder / "rules/schema/half.mg"
    for piece in ("Decl half(X)", ' descr [direction("input")]', " bound [/string]", ".\n"):
        with open(path, "a") as f:
            f.write(piece)
        time.sleep(0.45)  # longer than what it waits for further changes
        equal(names(s.ask(good())), ["fx_echo"], "tools meanwhile")
    logged(s.program, "loaded again: ")
    expect("could not be loaded again" in s.program.log(), "no half was seen")
    tail = s.program.log().rsplit("could not be loaded again", 1)[1]
    expect("loaded again: " in tail, f"the whole file is not served:\n{s.program.log()}")
    s.end()


def test_on_a_pipe_alone_nothing_ordinary_is_logged():
    s = Session(log=None)
    equal(names(s.ask(good())), ["fx_echo"], "tools")
    hang_up(s.program)
    s.until_status("ready", now=s.receive())
    s.end()
    equal([line for line in s.program.errors if " info " in line], [], "lines of the log")
    s = Session(log=None, env={"MANGLECP_SERVE_LOG": "info"})
    s.ask(good("said"))
    s.end()
    expect('id="said"' in s.program.log(), s.program.log())


def test_credentials_are_loaded_again():
    tokens = pathlib.Path(token_file(token_line(TOKEN, "one", "intent:*"), token_line(OTHER, "two", "intent:*")))
    l = Listener("--auth", str(tokens))
    first, second = l.connect(TOKEN), l.connect(OTHER)
    equal(names(first.ask(good())), ["fx_echo"], "tools")
    tokens.write_text(token_line("a-new-token", "three", "intent:*") + "\n" + token_line(OTHER, "two", "intent:none") + "\n")
    hang_up(l.program)
    logged(l.program, "loaded again: ")
    refused(first.ask(good()), "auth_invalid")
    refused(second.ask(good()), "auth_insufficient")
    equal(names(l.connect("a-new-token").ask(good())), ["fx_echo"], "tools of a new token")
    tokens.write_text("nonsense\n")
    hang_up(l.program)
    logged(l.program, "could not be loaded again")
    equal(names(l.connect("a-new-token").ask(good())), ["fx_echo"], "tools beside a broken file")
    l.stop()


def make_certificate(folder, name):
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
                    "-nodes", "-days", "30", "-subj", f"/CN={name}", "-addext", "subjectAltName=IP:127.0.0.1",
                    "-keyout", str(folder / "key.pem"), "-out", str(folder / "cert.pem")],
                   check=True, capture_output=True)
    (folder / "key.pem").chmod(0o600)


def fingerprint(port):
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    raw = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
    wrapped = context.wrap_socket(raw)
    return wrapped, hashlib.sha256(wrapped.getpeercert(True)).hexdigest()


def over_tls(wrapped, path):
    wrapped.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
    kept = b""
    while b"\r\n\r\n" not in kept:
        chunk = wrapped.recv(65536)
        expect(chunk, "the connection ended")
        kept += chunk
    return kept


def test_certificates_are_loaded_again_without_dropping_connections():
    if not shutil.which("openssl"):
        raise Skip("openssl is missing")
    folder = pathlib.Path(scratch())
    make_certificate(folder, "one")
    program = Program(command(FIXTURE, "--listen", "127.0.0.1:0", "--open-demo", "--tls-certificate",
                              str(folder / "cert.pem"), "--tls-key", str(folder / "key.pem")),
                      stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    logged(program, "ready: ")
    port = int(re.search(r"listening on https://127\.0\.0\.1:(\d+)", program.log()).group(1))
    old, before = fingerprint(port)
    expect(b"200 OK" in over_tls(old, "/health"), "over TLS")
    make_certificate(folder, "two")
    hang_up(program)
    logged(program, "loaded again: ")
    new, after = fingerprint(port)
    expect(before != after, "the old certificate is still shown")
    expect(b"200 OK" in over_tls(old, "/health"), "the old connection")  # P-TLS
    (folder / "key.pem").write_text("nonsense")
    hang_up(program)
    logged(program, "could not be loaded again")
    equal(fingerprint(port)[1], after, "certificate beside a broken key")
    program.process.terminate()
    program.wait()


# ---- draining -----------------------------------------------------------------------------------

def test_a_draining_server_finishes_what_runs_and_says_so_everywhere():
    l = Listener("--drain-timeout", "30s", env={"MANGLECP_TOKEN": TOKEN})
    c = l.connect(TOKEN)
    tool = tool_of(c.ask(intent("fx.slow", params={"size": 1})))
    body = encode(invoke(tool, {"step_ms": 1500}, id="running"))
    c.send(c.head("POST", l.invoke_path, len(body)) + body)
    time.sleep(0.3)
    l.program.process.terminate()
    wait_for("draining", lambda: l.read_manifest()["payload"]["status"] == "draining")
    late = l.connect(TOKEN)  # a connection that comes now
    refusal = late.post(good())
    equal(refusal.status, 503, "status")  # P-READY-10
    expect(int(refusal.headers["retry-after"]) > 0, "Retry-After")
    not_ready(refusal.message, "draining")
    not_ready(l.connect(TOKEN).ask(invoke(tool, {"step_ms": 1})), "draining")
    equal(l.connect().get("/ready").body, b"draining\n", "/ready")
    equal(l.connect().get("/health").status, 200, "/health")
    equal(c.response().message["id"], "running", "the answer that was owed")  # P-READY-9
    l.program.wait()
    expect("wait" in l.program.log(), f"it does not say what it waits for:\n{l.program.log()}")


def test_a_session_hears_that_its_server_drains():
    s = Session()
    tool = tool_of(s.ask(intent("fx.slow", params={"size": 1})))
    s.send(invoke(tool, {"step_ms": 1000}, id="running"))
    time.sleep(0.2)
    s.program.process.terminate()
    seen = []
    while not seen or seen[-1]["type"] != "manifest":
        seen.append(s.receive())
    s.send(good("late"))
    while (line := s.line()) is not None:
        seen.append(check_message(decode(line)))
    by_id = {m["id"]: m for m in seen if m["type"] != "progress"}
    equal(by_id[None]["payload"]["status"], "draining", "manifest")
    not_ready(by_id["late"], "draining")  # P-READY-10
    equal(by_id["running"]["type"], "invoke_response", "P-READY-9")
    s.program.wait()


def test_draining_is_bounded():
    for signals, options in ((1, ["--drain-timeout", "300ms"]), (2, ["--drain-timeout", "1h"])):
        s = Session(*options)
        tool = tool_of(s.ask(intent("fx.slow", params={"size": 1})))
        s.send(invoke(tool, {"step_ms": 15000}, id="running"))
        time.sleep(0.3)
        begun = time.monotonic()
        for _ in range(signals):
            s.program.process.terminate()
            time.sleep(0.2)
        answers = []
        while (line := s.line()) is not None:
            answers.append(decode(line))
        s.program.wait()
        expect(time.monotonic() - begun < 10, f"it took {time.monotonic() - begun:.1f} s")
        final = [m for m in answers if m["id"] == "running" and m["type"] != "progress"]
        equal(len(final), 1, f"answers to the request that was cut off: {answers}")  # P-CONC-10


# ---- the end of a session -----------------------------------------------------------------------

def test_a_blocked_reader_does_not_hold_up_the_end():
    s = Session(greet=False)
    s.receive()
    many = b"".join(encode(good(f"n-{n}")) + b"\n" for n in range(3000))
    writer = threading.Thread(target=lambda: (s.write(many)), daemon=True)
    writer.start()
    time.sleep(1)  # its output is full by now: nobody reads
    begun = time.monotonic()
    s.program.process.terminate()
    s.program.process.wait(PATIENCE)
    expect(time.monotonic() - begun < 15, f"it took {time.monotonic() - begun:.1f} s")


def test_a_server_whose_parent_died_ends_although_its_pipe_is_held():
    hold, give = os.pipe()  # our end stays open: the third process
    read, write = os.pipe()
    os.set_inheritable(hold, True)
    os.set_inheritable(write, True)
    argv = command(FIXTURE, "--stdio")
    child = os.fork()
    if child == 0:
        server = subprocess.Popen(argv, stdin=hold, stdout=write, stderr=subprocess.DEVNULL, env=CHILD_ENV)
        os.write(write, f"{server.pid}\n".encode())
        time.sleep(1)
        os._exit(0)
    os.close(hold)
    os.close(write)
    text = b""
    while b"booting" not in text or b"\n" not in text:
        text += os.read(read, 65536)
    pid = int(re.search(rb"^(\d+)$", text, re.M).group(1))
    os.waitpid(child, 0)
    try:
        wait_for("the server's end", lambda: not alive(pid), 20)
    finally:
        if alive(pid):
            os.kill(pid, signal.SIGKILL)
        os.close(give)
        os.close(read)


def alive(pid):
    try:
        state = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(") ", 1)[1][0]
    except OSError:
        return False
    return state != "Z"


def test_descriptors_that_are_closed_at_the_start_are_no_crash():
    for closed in ("<&-", ">&-", "2>&-", "<&- >&- 2>&-"):
        line = " ".join(command(FIXTURE, "--stdio")) + " " + closed
        r = subprocess.run(["sh", "-c", line], capture_output=True, stdin=subprocess.DEVNULL, env=CHILD_ENV,
                           timeout=PATIENCE)
        wanted = 0 if closed == "2>&-" else 2
        equal(r.returncode, wanted, f"status with {closed}\n{r.stderr.decode()}")
        if closed in ("<&-", ">&-"):
            expect(b"is closed" in r.stderr, f"{closed}: {r.stderr}")
    listener = Program(["sh", "-c", " ".join(command(FIXTURE, "--listen", "127.0.0.1:0", "--open-demo")) +
                        " <&- >&-"], stdin=subprocess.DEVNULL)
    logged(listener, "ready: ")
    pid = int(subprocess.run(["pgrep", "-P", str(listener.process.pid)], capture_output=True, text=True).stdout
              or listener.process.pid)
    os.kill(pid, signal.SIGTERM)
    listener.wait()


def test_output_that_cannot_be_written_is_status_2():
    if not os.path.exists("/dev/full"):
        raise Skip("there is no /dev/full")
    with open("/dev/full", "wb") as full:
        program = Program(command(FIXTURE, "--stdio"), stdin=subprocess.PIPE, stdout=full)
        program.wait(2)
    expect("cannot write the output" in program.log(), program.log())
    small = pathlib.Path(scratch()) / "answers"  # a file that may not grow any more
    s = Session(greet=False, stdout=open(small, "wb"))
    wait_for("ready", lambda: b'"status":"ready"' in small.read_bytes())
    size = small.stat().st_size + 100
    resource.prlimit(s.program.process.pid, resource.RLIMIT_FSIZE, (size, size))
    for n in range(20):
        try:
            s.send(good(f"n-{n}"))
        except BrokenPipeError:
            break
    s.program.wait(2)


# ---- killed -------------------------------------------------------------------------------------

def hosts_of(pid):
    out = subprocess.run(["pgrep", "-P", str(pid)], capture_output=True, text=True).stdout
    return [int(line) for line in out.split()]


def test_killed_at_any_moment_it_leaves_nothing_behind():
    for moment in ("booting", "ready", "invoking", "draining"):
        gate, options = gated()
        if moment != "booting":
            gate.touch()
        store = pathlib.Path(scratch()) / "state.db"
        s = Session("--store-sqlite", str(store), *options, greet=False)
        s.receive()
        if moment in ("invoking", "draining"):
            s.until_status("ready")
            tool = tool_of(s.ask(intent("fx.slow", params={"size": 1})))
            s.send(invoke(tool, {"step_ms": 15000}))
            time.sleep(0.3)
        if moment == "draining":
            s.program.process.terminate()
            time.sleep(0.2)
        pid = s.program.process.pid
        children = hosts_of(pid)
        s.program.process.kill()
        s.program.process.wait(PATIENCE)
        gate.touch()
        wait_for(f"the end of its children ({moment})", lambda: not any(alive(c) for c in children))
        again = Session("--store-sqlite", str(store), *options)  # its store is whole
        equal(names(again.ask(good())), ["fx_echo"], "tools after a restart")
        again.end()


# ---- the service manager ------------------------------------------------------------------------

class Manager:
    def __init__(self):
        self.path = str(pathlib.Path(scratch()) / "notify")
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(self.path)
        self.socket.settimeout(PATIENCE)

    def hear(self, beginning):
        while True:
            text = self.socket.recv(4096).decode()
            if text.startswith(beginning):
                return dict(line.split("=", 1) for line in text.splitlines())


def test_a_service_manager_hears_of_its_life():
    manager = Manager()
    folder = copy_of_fixture()
    env = {"NOTIFY_SOCKET": manager.path, "WATCHDOG_USEC": "400000", "MANGLECP_TOKEN": TOKEN}
    l = Listener(domain=folder, env=env)
    manager.hear("READY=1")
    manager.hear("WATCHDOG=1")
    hang_up(l.program)
    began = manager.hear("RELOADING=1")
    now = time.clock_gettime_ns(time.CLOCK_MONOTONIC) // 1000
    expect(0 <= now - int(began["MONOTONIC_USEC"]) < 60_000_000, f"{began} at {now}")
    manager.hear("READY=1")
    break_rules(folder)
    hang_up(l.program)
    manager.hear("RELOADING=1")
    expect("does not load" in manager.hear("READY=1")["STATUS"], "status")
    l.program.process.terminate()
    manager.hear("STOPPING=1")
    l.program.wait()


def test_sockets_of_a_service_manager_are_served():
    main = socket.create_server(("127.0.0.1", 0))
    pages = socket.create_server(("127.0.0.1", 0))
    config = pathlib.Path(scratch()) / "serve.yaml"
    config.write_text(f"domain: {FIXTURE}\nauth: {{open_demo: true}}\nlisten:\n  - address: systemd:main\n"
                      "    operations: never\n  - {address: 'systemd:pages', operations: only}\n")
    argv = [str(BUILD / "bin/manglecp"), "serve", "--config", str(config), "--toolhost",
            str(BUILD / "bin/toolhost"), "--plugins", str(BUILD / "test-plugins")]
    # $$ stays the pid when the shell becomes the server.
    script = ('exec 3<&"$A" 4<&"$B"; export LISTEN_PID=$$ LISTEN_FDS=2 LISTEN_FDNAMES=main:pages; exec "$@"')
    program = Program(["bash", "-c", script, "bash", *argv], {"A": str(main.fileno()), "B": str(pages.fileno())},
                      stdin=subprocess.DEVNULL, pass_fds=[main.fileno(), pages.fileno()])
    logged(program, "ready: ")

    one, two = At(main.getsockname()[1], program), At(pages.getsockname()[1], program)
    equal(names(Connection(one).ask(good())), ["fx_echo"], "tools")
    equal(Connection(one).get("/health").status, 404, "/health beside the protocol")
    equal(Connection(two).get("/health").status, 200, "/health")
    equal(Connection(two).get(Listener.MANIFEST).status, 404, "the manifest on the operations listener")
    program.process.terminate()
    program.wait()


# ---- watching it --------------------------------------------------------------------------------

def metrics(c):
    r = c.get("/metrics")
    equal((r.status, r.headers["content-type"]), (200, "text/plain; version=0.0.4; charset=utf-8"), "/metrics")
    values, families = {}, set()
    for line in r.body.decode().splitlines():
        if line.startswith("# TYPE "):
            expect(line.split()[2] not in families, f"a family twice: {line}")
            families.add(line.split()[2])
        elif not line.startswith("#"):
            name, value = line.rsplit(" ", 1)
            expect(name not in values, f"a series twice: {line}")
            values[name] = float(value)
            expect(re.sub(r"(_bucket|_sum|_count)?(\{.*)?$", "", name) in families or
                   re.sub(r"\{.*", "", name) in families, f"no family: {line}")
    return values


def test_metrics_count_what_happens():
    l = Listener(env={"MANGLECP_TOKEN": TOKEN})
    c = l.connect(TOKEN)
    before = metrics(c)
    equal(before['manglecp_status{status="ready"}'], 1, "status")
    tool = tool_of(c.ask(good()))
    c.ask(invoke(tool, {"label": "x"}))
    refused(c.ask(intent("fx.echo")), "invalid_facts")
    after = metrics(c)

    def grew(name):
        return after.get(name, 0) - before.get(name, 0)
    equal(grew('manglecp_requests_total{transport="http",type="intent_request"}'), 2, "intents")
    equal(grew('manglecp_requests_total{transport="http",type="invoke_request"}'), 1, "invocations")
    equal(grew('manglecp_errors_total{code="invalid_facts"}'), 1, "errors")
    equal(grew('manglecp_request_duration_seconds_count{type="intent_request"}'), 2, "histogram")
    equal(grew('manglecp_request_duration_seconds_bucket{type="intent_request",le="+Inf"}'), 2, "bucket")
    expect(grew("manglecp_evaluations_total") >= 1, "evaluations")
    expect(grew("manglecp_evaluation_seconds_total") > 0, "rule time")
    expect(after["manglecp_hosts"] >= 1, "hosts")
    expect(after["manglecp_connections"] >= 1, "connections")
    expect(grew("manglecp_received_bytes_total") > 100, "bytes in")
    page = subprocess.run([str(BUILD / "bin/manglecp"), "top", f"http://127.0.0.1:{l.port}", "--once"],
                          capture_output=True, text=True, env=CHILD_ENV, timeout=PATIENCE)
    equal(page.returncode, 0, page.stderr)
    expect("ready" in page.stdout and "invoke_request" in page.stdout and "invalid_facts 1" in page.stdout, page.stdout)
    l.stop()


def test_operations_pages_are_for_this_machine_unless_said_otherwise():
    l = Listener("--allow-host", "tools.example", env={"MANGLECP_TOKEN": TOKEN})  # somebody forwards to it
    equal([l.connect(TOKEN).get(p).status for p in ("/health", "/ready", "/metrics")], [404] * 3, "pages")
    l.stop()
    config = pathlib.Path(scratch()) / "serve.yaml"
    config.write_text("listen:\n  - {address: '127.0.0.1:0', behind_tls_proxy: true, operations: also}\n")
    tokens = token_file(token_line(OTHER, "somebody", "intent:*"))
    program = Program(command(FIXTURE, "--config", str(config), "--auth", tokens), {"MANGLECP_TOKEN": TOKEN},
                      stdin=subprocess.DEVNULL)
    logged(program, "ready: ")

    at = At(int(re.search(r"listening on \S+:(\d+)", program.log()).group(1)), program)
    equal(Connection(at).get("/health").status, 200, "/health")
    equal(Connection(at).get("/metrics").status, 401, "/metrics for nobody")
    equal(Connection(at, OTHER).get("/metrics").status, 403, "/metrics for somebody")
    equal(Connection(at, TOKEN).get("/metrics").status, 200, "/metrics for the operator")
    program.process.terminate()
    program.wait()


def test_every_request_has_a_line_of_log():
    trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    l = Listener("--log-format", "json", env={"MANGLECP_TOKEN": TOKEN})
    c = l.connect(TOKEN)
    tool = tool_of(c.ask(good("first")))
    c.post(good("second"), traceparent=trace)
    c.post({**good("third"), "extensions": {"x-traceparent": trace}})
    c.post({**good("fourth"), "extensions": {"x-traceparent": "nonsense\n"}})
    c.ask(invoke(tool, {"label": "x"}, id="fifth"))
    l.stop()
    lines = [json.loads(line) for line in l.program.log().splitlines()]  # each one is JSON
    for line in lines:
        expect(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", line["time"]), f"{line}")
    by_id = {line["id"]: line for line in lines if "id" in line}
    equal(set(by_id), {"first", "second", "third", "fourth", "fifth"}, "lines")
    equal([by_id[i].get("traceparent") for i in ("first", "second", "third", "fourth")],
          [None, trace, trace, None], "traces")
    one = by_id["fifth"]
    equal((one["transport"], one["type"], one["who"], one["code"]), ("http", "invoke_request", "operator", "ok"), "line")
    expect(re.fullmatch("[0-9a-f]{32}", one["invocation"]), f"{one}")  # T-MCP-22


# ---- several ways at once -------------------------------------------------------------------------

def test_one_server_speaks_on_stdio_and_on_several_addresses():
    s = Session("--listen", "127.0.0.1:0", "--listen", "127.0.0.1:0", "--operations-listen", "127.0.0.1:0",
                env={"MANGLECP_TOKEN": TOKEN})
    ports = [int(p) for p in re.findall(r"listening on http://127\.0\.0\.1:(\d+)", s.program.log())]
    equal(len(ports), 3, "listeners")
    s.ask(request("authenticate", {"scheme": "bearer", "token": TOKEN}))
    tool = tool_of(s.ask(good()))

    answers = [Connection(At(port, s.program), TOKEN).post(good()).status for port in ports]
    equal(sorted(answers), [200, 200, 404], "answers of the listeners")
    at = At(ports[answers.index(200)], s.program)
    equal(Connection(at, TOKEN).ask(invoke(tool, {"label": "x"}))["payload"]["result"]["label"], "x",
          "a tool that was offered on stdio")
    s.stdin.close()  # the session ends, the server does not
    time.sleep(0.5)
    equal(Connection(at, TOKEN).post(good()).status, 200, "after the session")
    s.program.process.terminate()
    s.program.wait()


if __name__ == "__main__":
    run(globals())
