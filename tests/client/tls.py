"""The client over TLS to the live server, https and wss: whom it believes, and who it is."""
import hashlib
import os
import pathlib
import re
import ssl
import subprocess
import sys
import threading

import fake
from fake import BUILD, ROOT, ended, equal, expect, manglecp, run

TOKEN = "token-of-everything"
FACT = '{"pred":"fx_basic","args":["tag",1,true,"x"]}'


def openssl(*words):
    done = subprocess.run(["openssl", *words], capture_output=True)
    equal(done.returncode, 0, f"openssl {words[0]}: {done.stderr.decode()}")
    return done.stdout


class Authority:
    """ca.pem, and certificates that it has signed, in the working folder of the test."""

    def __init__(self, name="ca"):
        self.name = name
        openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout",
                f"{name}.key", "-out", f"{name}.pem", "-subj", f"/CN={name}", "-days", "2")

    def issue(self, name, names="DNS:localhost,IP:127.0.0.1"):
        """NAME.pem and NAME.key"""
        openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", f"{name}.key",
                "-out", f"{name}.csr", "-subj", f"/CN={name}")
        pathlib.Path("ext").write_text(f"subjectAltName={names}\nbasicConstraints=CA:FALSE\n")
        openssl("x509", "-req", "-in", f"{name}.csr", "-CA", f"{self.name}.pem", "-CAkey", f"{self.name}.key",
                "-CAcreateserial", "-out", f"{name}.pem", "-days", "2", "-extfile", "ext")
        os.chmod(f"{name}.key", 0o600)


def token_line(token, identity):
    return f"sha256:{hashlib.sha256(token.encode()).hexdigest()} {identity} intent:*"


def certificate_line(pem, identity):
    print_of = hashlib.sha256(ssl.PEM_cert_to_DER_cert(pathlib.Path(pem).read_text())).hexdigest()
    return f"cert-sha256:{print_of} {identity} intent:*"


class Live:
    """`with Live(options) as url`: a server of the fixture, ready."""

    def __init__(self, *options, auth=(token_line(TOKEN, "all"),)):
        pathlib.Path("auth").write_text("\n".join(auth) + "\n")
        os.chmod("auth", 0o600)
        self.words = [fake.PROGRAM, "serve", str(ROOT / "tests/domains/fixture"), "--toolhost",
                      str(BUILD / "bin/toolhost"), "--plugins", str(BUILD / "test-plugins"), "--listen",
                      "127.0.0.1:0", "--auth", "auth", *options]
        self.log = []
        self.listening = threading.Event()

    def __enter__(self):
        self.child = subprocess.Popen(self.words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                      stderr=subprocess.PIPE, text=True)
        self.reader = threading.Thread(target=self.read)
        self.reader.start()
        self.listening.wait(fake.PATIENCE)
        found = re.search(r"listening on (https://)[0-9.]+:(\d+)", "".join(self.log))
        if not found:
            self.__exit__()
        expect(found, "the server does not listen:\n" + "".join(self.log))
        return f"https://localhost:{found.group(2)}"

    def trial(self):
        """The certificate that a server with --tls-self-signed says that it wrote."""
        return re.search(r"--cacert\) (\S+)", "".join(self.log)).group(1)

    def read(self):
        for line in self.child.stderr:
            self.log.append(line)
            if "listening on" in line:
                self.listening.set()
        self.listening.set()

    def __exit__(self, kind=None, *_):
        before = self.child.poll()
        self.child.terminate()
        self.child.wait(fake.PATIENCE)
        self.reader.join()
        self.child.stderr.close()
        if kind:
            print(f"# status {before} of the server before it was told to end; its log:")
            print("".join(f"#   {line}" for line in self.log), end="")
        else:
            equal((before, self.child.returncode), (None, 0), "status of the server:\n" + "".join(self.log))


def forms(url):
    """The command lines that lead to the server: https, the WebSocket that its manifest announces, and wss."""
    return [(url,), (url, "--websocket"), (url.replace("https", "wss") + "/manglecp/ws",)]


def invoke(form, *more):
    target, *options = form
    return manglecp("invoke", target, "fx_echo", "--intent", "fx.echo", "--fact", FACT, "--arg", "label=hello",
                    *options, *more)


SERVER = ("--tls-certificate", "server.pem", "--tls-key", "server.key")


def test_who_is_vouched_for_is_believed():
    Authority().issue("server")
    with Live(*SERVER) as url:
        for form in forms(url):
            ended(invoke(form, "--ca", "ca.pem", "--token", TOKEN), 0, out="hello")
            ended(invoke((form[0].replace("localhost", "127.0.0.1"), *form[1:]), "--ca", "ca.pem", "--token", TOKEN),
                  0, out="hello")
            ended(invoke(form, "--ca", "ca.pem", "--token", "wrong"), 1, err="auth_invalid")


def test_nobody_else_is_believed():
    """Without somebody to vouch, with somebody else, under another name: refused, and no token is shown."""
    Authority().issue("server")
    Authority("stranger")
    with Live(*SERVER) as url:
        for form in forms(url):
            for more in ((), ("--ca", "stranger.pem")):
                ended(invoke(form, "--token", TOKEN, *more), 2, err=["certificate", "--ca"])
    Authority().issue("server", names="DNS:elsewhere.example")
    with Live(*SERVER) as url:
        for form in forms(url):
            ended(invoke(form, "--token", TOKEN, "--ca", "ca.pem"), 2, err="localhost")


def test_a_certificate_for_trying_is_believed_if_it_is_said_so():
    """The server's log names the file to believe in; it is gone with the server."""
    server = Live("--tls-self-signed")
    with server as url:
        trial = server.trial()
        for form in forms(url):
            ended(invoke(form, "--token", TOKEN), 2, err=["certificate", "--ca FILE", "names that file in its log"])
            ended(invoke(form, "--token", TOKEN, "--ca", trial), 0, out="hello")
    expect(not pathlib.Path(trial).exists(), f"{trial} is left behind")


def test_a_certificate_can_be_who_the_client_is():
    a = Authority()
    for name in ("server", "robot", "unlisted"):
        a.issue(name)
    robot = ("--ca", "ca.pem", "--certificate", "robot.pem", "--certificate-key", "robot.key")
    pathlib.Path("both.pem").write_text(pathlib.Path("robot.pem").read_text() + pathlib.Path("robot.key").read_text())
    unlisted = ("--ca", "ca.pem", "--certificate", "unlisted.pem", "--certificate-key", "unlisted.key")
    auth = (certificate_line("robot.pem", "robot"), token_line(TOKEN, "all"))
    with Live(*SERVER, "--tls-client-ca", "ca.pem", auth=auth) as url:
        for form in forms(url):
            ended(invoke(form, *robot), 0, out="hello")
            ended(invoke(form, "--ca", "ca.pem", "--certificate", "both.pem"), 0, out="hello")
            ended(invoke(form, *unlisted), 1, err="auth_required")
            ended(invoke(form, *unlisted, "--token", TOKEN), 0, out="hello")
            ended(invoke(form, "--ca", "ca.pem", "--token", TOKEN), 2, err="certificate")


def test_files_that_are_wrong_are_named():
    Authority().issue("server")
    with Live(*SERVER) as url:
        for form in forms(url):
            ended(invoke(form, "--ca", "nowhere.pem"), 2, err="nowhere.pem")
            ended(invoke(form, "--ca", "ca.pem", "--certificate", "nothing.pem", "--certificate-key", "server.key"),
                  2, err="nothing.pem")
            ended(invoke(form, "--ca", "ca.pem", "--certificate", "ca.pem", "--certificate-key", "server.key"),
                  2, err="key")


def test_a_ca_file_is_not_for_an_address_without_tls():
    with fake.HttpServer() as server:
        ended(manglecp("manifest", server.url, "--ca", "nowhere.pem"), 0)


if __name__ == "__main__":
    sys.exit(run(globals()))
