"""The TypeScript client over TLS to the live server, https and wss: whom it believes, and who it is.

The first argument is the folder of the built package."""
import json
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "client"))
import fake  # noqa: E402
import tls as live  # noqa: E402  the servers and certificates of the C client's tests
from fake import equal, expect  # noqa: E402

PACKAGE = pathlib.Path(sys.argv.pop(1)).resolve()

# Plays one conversation for each of its options, and prints what came of each.
CLIENT = """
import { connect, fact } from "PACKAGE/dist/node.js";
const [url, ...list] = process.argv.slice(1);
const ms = { timeoutMs: 60_000, connectTimeoutMs: 60_000, readyTimeoutMs: 60_000 };
for (const options of list.map((text) => JSON.parse(text))) {
  let said;
  try {
    const client = await connect(options.target ?? url, { ...ms, ...options });
    const { tools } = await client.evaluate("fx.echo", { facts: [fact("fx_basic", "tag", 1, true, "x")] });
    said = { target: client.target, label: (await client.invoke(tools[0], { label: "hello" })).result.label };
    await client.close();
  } catch (error) {
    const { name, code, sent, message, problems } = error;
    said = { name, code, sent, message, problems };
  }
  console.log(JSON.stringify(said));
}
"""


def play(url, *options):
    code = CLIENT.replace("PACKAGE", PACKAGE.as_uri())
    done = subprocess.run(["node", "--input-type=module", "-e", code, url, *map(json.dumps, options)],
                          capture_output=True, text=True, timeout=4 * fake.PATIENCE)
    equal((done.returncode, done.stderr), (0, ""), "the program")
    return [json.loads(line) for line in done.stdout.splitlines()]


def ways(url, **options):
    """https, the WebSocket that the manifest announces, and wss; each with the options."""
    where = url.replace("https", "wss") + "/manglecp/ws"
    return [options, {**options, "websocket": True}, {**options, "target": where}]


def heard(said, schemes=("https", "wss", "wss")):
    equal([(s.get("target", "").split(":")[0], s.get("label")) for s in said], [(s, "hello") for s in schemes],
          f"conversations {said}")


def failed(said, name, words, **more):
    equal([s.get("name") for s in said], [name] * len(said), f"failures {said}")
    for s in said:
        for word in [words] if isinstance(words, str) else words:
            expect(word in s["message"], f"{word!r} is not in {s['message']!r}")
        for member, value in more.items():
            equal(s.get(member), value, member)


def test_who_is_vouched_for_is_believed_and_nobody_else():
    live.Authority().issue("server")
    live.Authority("stranger")
    with live.Live(*live.SERVER) as url:
        said = play(url, *ways(url, caFile="ca.pem", token=live.TOKEN), *ways(url, token=live.TOKEN),
                    *ways(url, caFile="stranger.pem", token=live.TOKEN))
        heard(said[:3])
        failed(said[3:6], "ConnectionError", "certificate", sent=False)
        failed(said[6:], "ConnectionError", ["certificate", "caFile"], sent=False)
        expect("caFile" in said[3]["message"], said[3]["message"])
    live.Authority().issue("server", names="DNS:elsewhere.example")
    with live.Live(*live.SERVER) as url:
        failed(play(url, *ways(url, caFile="ca.pem", token=live.TOKEN)), "ConnectionError", "localhost", sent=False)


def test_a_certificate_for_trying_is_believed_if_it_is_said_so():
    server = live.Live("--tls-self-signed")
    with server as url:
        said = play(url, *ways(url, caFile=server.trial(), token=live.TOKEN), *ways(url, token=live.TOKEN))
        heard(said[:3])
        failed(said[3:], "ConnectionError", ["self-signed certificate", "caFile"], sent=False)


def test_a_certificate_can_be_who_the_client_is():
    a = live.Authority()
    for name in ("server", "robot", "unlisted"):
        a.issue(name)
    pathlib.Path("both.pem").write_text(pathlib.Path("robot.pem").read_text() + pathlib.Path("robot.key").read_text())
    auth = (live.certificate_line("robot.pem", "robot"), live.token_line(live.TOKEN, "all"))
    with live.Live(*live.SERVER, "--tls-client-ca", "ca.pem", auth=auth) as url:
        robot = {"certificate": "robot.pem", "certificateKey": "robot.key"}
        unlisted = {"certificate": "unlisted.pem", "certificateKey": "unlisted.key"}
        said = play(url, *ways(url, caFile="ca.pem", **robot), *ways(url, caFile="ca.pem", certificate="both.pem"),
                    *ways(url, caFile="ca.pem", token=live.TOKEN, **unlisted), *ways(url, caFile="ca.pem", **unlisted),
                    *ways(url, caFile="ca.pem", token=live.TOKEN))
        heard(said[:3])
        heard(said[3:6])
        heard(said[6:9])
        failed(said[9:12], "AuthError", "auth_required", code="auth_required")
        failed(said[12:], "ConnectionError", "certificate", sent=False)


def test_files_that_are_wrong_are_named():
    live.Authority().issue("server")
    pathlib.Path("words.pem").write_text("no certificate\n")
    url = "https://localhost:1"  # nobody is asked
    for options, where, named in (({"caFile": "nowhere.pem"}, "caFile", "nowhere.pem"),
                                  ({"caFile": "words.pem"}, "caFile", "words.pem"),
                                  ({"certificate": "nothing.pem"}, "certificate", "nothing.pem"),
                                  ({"certificate": "words.pem"}, "certificate", "words.pem"),
                                  ({"certificate": "server.pem"}, "certificate", "server.pem"),
                                  ({"certificate": "server.pem", "certificateKey": "nothing.key"}, "certificateKey",
                                   "nothing.key"),
                                  ({"certificate": "ca.pem", "certificateKey": "server.key"}, "certificateKey",
                                   "server.key"),
                                  ({"certificateKey": "server.key"}, "certificateKey", "certificate")):
        said = play(url, options)
        failed(said, "UsageError", named)
        equal([p["path"] for p in said[0]["problems"]], [where], "where")


if __name__ == "__main__":
    sys.exit(fake.run(globals()))
