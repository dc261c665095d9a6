"""The Python client over TLS to the live server, https and wss: whom it believes, and who it is."""

import os
import shutil
import ssl
import sys
import tempfile

from both import *

sys.path.insert(0, str(ROOT / "tests/client"))
import tls as live  # noqa: E402  the servers and certificates of the C client's tests


FACT = manglecp.fact("fx_basic", "tag", 1, True, "x")


@contextlib.contextmanager
def folder():
    """Certificates are made in the working folder, which is one of the test."""
    if not shutil.which("openssl"):
        raise Skip("openssl is not installed")
    before, path = os.getcwd(), tempfile.mkdtemp()
    os.chdir(path)
    try:
        yield
    finally:
        os.chdir(before)
        shutil.rmtree(path, ignore_errors=True)


def ways():
    """The transports that this Python has."""
    try:
        import websockets  # noqa: F401
    except ImportError:
        return ["http"]
    return ["http", "websocket"]


async def conversation(api, url, transport, **settings):
    patient = options(manifest_timeout=60, answer_timeout=60, ready_timeout=60, connect_timeout=60, **settings)
    async with await api.connect(url, patient, transport=transport) as c:
        offered = await c.evaluate("fx.echo", facts=[FACT])
        return (await c.invoke(offered.tools[0], {"label": "hello"})).result["label"]


async def test_who_is_vouched_for_is_believed_and_nobody_else(api):
    with folder():
        live.Authority().issue("server")
        live.Authority("stranger")
        with live.Live(*live.SERVER) as url:
            for way in ways():
                equal(await conversation(api, url, way, ca_file="ca.pem", token=live.TOKEN), "hello", way)
                for ca in (None, "stranger.pem"):
                    e = await raises(
                        manglecp.ConnectFailed, conversation(api, url, way, ca_file=ca, token=live.TOKEN)
                    )
                    expect("certificate" in str(e), str(e))
        live.Authority().issue("server", names="DNS:elsewhere.example")
        with live.Live(*live.SERVER) as url:
            for way in ways():
                e = await raises(
                    manglecp.ConnectFailed, conversation(api, url, way, ca_file="ca.pem", token=live.TOKEN)
                )
                expect("localhost" in str(e), str(e))


async def test_a_certificate_for_trying_is_believed_if_it_is_said_so(api):
    with folder():
        server = live.Live("--tls-self-signed")
        with server as url:
            for way in ways():
                equal(await conversation(api, url, way, ca_file=server.trial(), token=live.TOKEN), "hello", way)
                e = await raises(manglecp.ConnectFailed, conversation(api, url, way, token=live.TOKEN))
                expect("certificate" in str(e) and "ca_file" in str(e), str(e))


async def test_a_certificate_can_be_who_the_client_is(api):
    with folder():
        a = live.Authority()
        for name in ("server", "robot", "unlisted"):
            a.issue(name)
        auth = (live.certificate_line("robot.pem", "robot"),)
        with live.Live(*live.SERVER, "--tls-client-ca", "ca.pem", auth=auth) as url:
            for way in ways():
                known = ssl.create_default_context(cafile="ca.pem")
                known.load_cert_chain("robot.pem", "robot.key")
                equal(await conversation(api, url, way, ssl_context=known), "hello", way)
                unknown = ssl.create_default_context(cafile="ca.pem")
                unknown.load_cert_chain("unlisted.pem", "unlisted.key")
                e = await raises(manglecp.Refused, conversation(api, url, way, ssl_context=unknown))
                equal(e.code, "auth_required", "code")


run(globals())
