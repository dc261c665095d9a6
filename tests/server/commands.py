"""The client's commands against a running server, over HTTP and as the parent of a stdio server."""
import ssl

from blackbox import *

TOKEN = "token-of-the-command-line"


def manglecp(*words, env=None, status=0):
    done = subprocess.run([str(BUILD / "bin/manglecp"), *words], env={**CHILD_ENV, **(env or {})},
                          stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE)
    equal(done.returncode, status, f"exit status of {words}:\n{done.stderr.decode()}\n")
    return done.stdout


def listener():
    l = Listener("--auth", token_file(token_line(TOKEN, "cli", "intent:*")))
    return l, f"http://127.0.0.1:{l.port}"


HERE = ["--toolhost", str(BUILD / "bin/toolhost"), "--plugins", str(BUILD / "test-plugins")]
BASIC_FACT = json.dumps(BASIC)


def test_a_conversation_over_http():
    l, url = listener()
    manifest = check_message(decode(manglecp("manifest", url, "--json")))  # P-DISC-1, P-DISC-2
    equal(manifest["payload"]["server_name"], "fixture", "server_name")
    answer = check_message(decode(manglecp("intent", url, "fx.echo", "--fact", BASIC_FACT, "--token", TOKEN,
                                           "--json")))
    equal(names(answer), ["fx_echo"], "tools")  # P-DISC-3
    answer = check_message(decode(manglecp("invoke", url, tool_of(answer)["macro_id"], "--arg", "label=x",
                                           "--json", env={"MANGLECP_TOKEN": TOKEN})))
    equal(answer["payload"]["result"], {"label": "x", "count": 1}, "result")
    l.stop()


def test_a_wrong_token_is_told():
    l, url = listener()
    answer = decode(manglecp("intent", url, "fx.echo", "--fact", BASIC_FACT, "--token", "wrong", "--json",
                             status=1))
    equal(code_of(answer), "auth_invalid", "code")
    l.stop()


def test_nobody_listening_is_told():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{s.getsockname()[1]}"
    manglecp("manifest", url, status=2)


def test_a_host_that_does_not_speak_the_protocol_is_told():
    l, url = listener()
    manglecp("manifest", url + "/manglecp/evaluate", status=2)  # P-DISC-4
    l.stop()


def test_a_reload_with_warnings_says_both():
    folder = pathlib.Path(scratch())
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                    "-keyout", "key.pem", "-out", "cert.pem", "-days", "30", "-subj", "/CN=localhost", "-addext",
                    "subjectAltName=DNS:localhost,IP:127.0.0.1"], cwd=folder, check=True, capture_output=True)
    (folder / "key.pem").chmod(0o600)
    trusting = ssl.create_default_context(cafile=str(folder / "cert.pem"))
    l = Listener("--tls-certificate", str(folder / "cert.pem"), "--tls-key", str(folder / "key.pem"),
                 env={"MANGLECP_TOKEN": TOKEN}, tls=trusting)
    lines = manglecp("reload", f"https://127.0.0.1:{l.port}", "--ca", str(folder / "cert.pem"),
                     env={"MANGLECP_TOKEN": TOKEN}).decode().split("\n")
    expect("signed by itself" in lines[0], f"{lines}")
    equal(lines[-2:], ["loaded again", ""], "the last line")
    l.stop()


def test_a_stdio_server_is_a_child():
    answer = decode(manglecp("intent", "fx.rank", "--json", "--", *command(FIXTURE, "--stdio")))
    equal(len(names(check_message(answer))), 9, "tools")


def test_a_folder_is_served_in_this_process():
    answer = decode(manglecp("intent", str(FIXTURE), "fx.rank", "--json", *HERE))
    equal(len(names(check_message(answer))), 9, "tools")


class Recorder:
    """Stands between a client and a listener and keeps what the client said."""

    def __init__(self, port):
        self.port, self.heard = port, []
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.socket.getsockname()[1]}"
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client, _ = self.socket.accept()
            except OSError:
                return
            server = socket.create_connection(("127.0.0.1", self.port))
            said = bytearray()
            self.heard.append(said)
            for source, sink, keep in ((client, server, said), (server, client, None)):
                threading.Thread(target=self.pass_on, args=(source, sink, keep), daemon=True).start()

    @staticmethod
    def pass_on(source, sink, keep):
        try:
            while chunk := source.recv(65536):
                if keep is not None:
                    keep += chunk
                sink.sendall(chunk)
            sink.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    def requests(self):
        """(request line, message or None) in the order in which they came."""
        found = []
        for raw in map(bytes, self.heard):
            while raw:
                head, raw = raw.split(b"\r\n\r\n", 1)
                length = re.search(rb"content-length: (\d+)", head.lower())
                length = int(length.group(1)) if length else 0
                body, raw = raw[:length], raw[length:]
                found.append((head.split(b"\r\n")[0].decode(), decode(body) if body else None))
        return found


def test_a_walk_is_a_conversation_by_the_book():
    l, _ = listener()
    recorder = Recorder(l.port)
    manglecp("walk", recorder.url, "--intent", "fx.mark", "--arg", "label=door", "--steps", "2", "--token",
             TOKEN)
    heard = recorder.requests()
    recorder.socket.close()
    equal(heard[0][0], f"GET {Listener.MANIFEST} HTTP/1.1", "the first request")  # P-DISC-1
    lines = {line for line, message in heard if message}
    expect(lines <= {f"POST {l.intent_path} HTTP/1.1", f"POST {l.invoke_path} HTTP/1.1"}, f"{lines}")  # P-DISC-3
    # An invocation has a connection of its own; ids are a rising counter (P-ENV-5).
    messages = sorted((message for _, message in heard if message), key=lambda m: int(m["id"].split("-")[1]))
    equal([m["type"] for m in messages], ["intent_request", "invoke_request"] * 2, "types")  # P-CONC-4
    ids = [m["id"] for m in messages]
    equal(len(set(ids)), len(ids), f"ids {ids}")  # P-ENV-4
    equal({m["manglecp"] for m in messages}, {VERSION}, "version")  # P-ENV-7
    listed = {i["name"] for i in l.manifest["payload"]["intents"]}
    first, second = messages[0]["payload"], messages[2]["payload"]
    equal((first["intent"]["name"], second["intent"]["name"]), ("fx.mark", "fx.recent"), "intents")
    expect({"fx.mark", "fx.recent"} <= listed, "unlisted intents")  # P-EVAL-9
    equal(second["intent"].get("params"), {"label": "door"}, "params of the suggestion")  # P-NEXT-3
    sent = [(f["pred"], f["args"]) for f in second["facts"]]
    expect(("fx_event", ["door", "continued"]) in sent, f"continuation facts: {sent}")  # P-NEXT-5
    expect(("fx_event", ["door", "mark"]) in sent, f"facts of the delta: {sent}")
    for f in second["facts"]:  # P-PROV-10
        expect(f.get("category", "session") == "session", f"{f}")
    l.stop()


def test_the_fixture_is_a_good_domain():
    manglecp("check", str(FIXTURE), *HERE)


def test_the_scenarios_of_the_fixture_hold():
    told = manglecp("test", str(FIXTURE), *HERE).decode()
    expect(re.search(r"(\d+) passed, 0 failed", told), told)


def test_a_scenario_that_does_not_hold_is_told():
    folder = pathlib.Path(scratch()) / "domain"
    shutil.copytree(FIXTURE, folder)
    file = folder / "tests/selection.yaml"
    file.write_text(file.read_text().replace("fx_rank_69: condensed", "fx_rank_69: minimal"))
    told = manglecp("test", str(folder), *HERE, status=1).decode()
    expect("FAIL levels follow scores" in told and "fx_rank_69" in told, told)
    expect("1 failed" in told, told)


run(globals())
