"""What the servers of all applications have in common: ports, and how they end.

--port PORT       the application's port; 0, which is the default, lets the system choose
--until-eof       end when the standard input does: whoever started the server is gone

The first line of the output is the address of the application. An application of two origins lets the system choose the
port of the second one; its files have the places for ports as @@NAME@@, which are filled in when they are served."""
import argparse
import os
import socket
import sys
import threading
from http.server import ThreadingHTTPServer

HOST = "127.0.0.1"


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, handler, port=0):
        super().__init__((HOST, port), handler)
        self.ports = {"PORT": self.server_port}

    def filled(self, data):
        for name, port in self.ports.items():
            data = data.replace(b"@@%s@@" % name.encode(), b"%d" % port)
        return data

    def handle_error(self, request, client_address):
        if not isinstance(sys.exc_info()[1], OSError):  # a browser may go at any time
            super().handle_error(request, client_address)


def port_of_nobody():
    """A socket that is kept, and its port: who connects there is refused."""
    kept = socket.socket()
    kept.bind((HOST, 0))
    return kept, kept.getsockname()[1]


def end_with_input():
    while sys.stdin.buffer.read(4096):
        pass
    os._exit(0)


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--until-eof", action="store_true")
    return parser.parse_args()


def run(handler, host=HOST, second=None, nobody=False):
    """second: the name of a second origin's port and its handler; nobody: files name a port where nobody listens."""
    chosen = options()
    server = Server(handler, chosen.port)
    if nobody:
        server.nobody, server.ports["NOBODY"] = port_of_nobody()
    if second:
        name, other = second
        beside = Server(other)
        server.ports[name] = beside.server_port
        threading.Thread(target=beside.serve_forever, daemon=True).start()
    if chosen.until_eof:
        threading.Thread(target=end_with_input, daemon=True).start()
    print(f"http://{host}:{server.server_port}", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass
