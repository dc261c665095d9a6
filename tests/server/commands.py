"""The client's commands against a running server, over HTTP and as the parent of a stdio server."""
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


def test_a_stdio_server_is_a_child():
    answer = decode(manglecp("intent", "fx.rank", "--json", "--", *command(FIXTURE, "--stdio")))
    equal(len(names(check_message(answer))), 9, "tools")


def test_a_folder_is_served_in_this_process():
    answer = decode(manglecp("intent", str(FIXTURE), "fx.rank", "--json", "--toolhost",
                             str(BUILD / "bin/toolhost"), "--plugins", str(BUILD / "test-plugins")))
    equal(len(names(check_message(answer))), 9, "tools")


def test_the_fixture_is_a_good_domain():
    manglecp("check", str(FIXTURE), "--toolhost", str(BUILD / "bin/toolhost"), "--plugins",
             str(BUILD / "test-plugins"))


run(globals())
