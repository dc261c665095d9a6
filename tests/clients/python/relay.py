"""A child process that is nothing but a wire: its standard input and output are a connection to the test.
relay.py PORT [stubborn]: a stubborn one does not end with its input."""

import os
import select
import signal
import socket
import sys

s = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
stubborn = "stubborn" in sys.argv
if stubborn:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
sources = [0, s]
while True:
    ready, _, _ = select.select(sources, [], [])
    if 0 in ready:
        data = os.read(0, 65536)
        if data:
            s.sendall(data)
        else:
            sources.remove(0)
            if not stubborn:
                s.shutdown(socket.SHUT_WR)
    if s in ready:
        data = s.recv(65536)
        if not data:
            os._exit(0)
        try:
            while data:
                data = data[os.write(1, data) :]
        except BrokenPipeError:
            os._exit(0)
