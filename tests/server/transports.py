"""The same server over each transport: a test that holds whatever carries the messages is written once, and
is given the name of the transport."""
from websocket import *

STDIO, HTTP, WS = "stdio", "http", "ws"
ANY, SESSIONS = (STDIO, HTTP, WS), (STDIO, WS)
TOKEN, OTHER = "token-of-the-table", "token-of-somebody-else"


def everything(token=TOKEN, identity="table", **settings):
    return token_line(token, identity, "intent:*", **settings)


def start(transport, *options, tokens=None, **more):
    """A server that wants to know who calls; with no tokens in the list, one that does not."""
    tokens = [everything()] if tokens is None else tokens
    known = ["--auth", token_file(*tokens)] if tokens else [] if transport == STDIO else ["--open-demo"]
    return (Session if transport == STDIO else Listener)(*known, *options, **more)


def login(client, token=TOKEN, scheme="bearer"):
    return client.ask(request("authenticate", {"scheme": scheme, "token": token}))


def enter(transport, server, token=TOKEN):
    """A client of the server. A session says its token in a message; on stdio there is but one."""
    if transport == HTTP:
        return server.connect(token)
    client = server if transport == STDIO else Socket(server)
    if token:
        equal(login(client, token)["type"], "authenticate_response", "answer to the token")
    return client


def leave(server):
    server.end() if isinstance(server, Session) else server.stop()
