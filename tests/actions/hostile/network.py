"""A network of one's own in which a name changes what it means: first it leads to a public address (one of this machine's
there), from the second question on to the loopback interface."""
import ctypes
import fcntl
import json
import os
import socket
import struct
import subprocess
import tempfile
import threading

NAME, PUBLIC, MARK = "changing.example", "93.184.216.34", "HOSTILE_NETWORK"


def is_own():
    return MARK in os.environ


def run_there(command):
    """What the command prints, as JSON; or that it cannot be tried."""
    unshare = ["unshare", "--net", "--mount"] + ([] if os.getuid() == 0 else ["--user", "--map-root-user"])
    if subprocess.run([*unshare, "true"], capture_output=True).returncode:
        return [("names # SKIP no network of one's own can be had", None)], "", ""
    done = subprocess.run([*unshare, *command], capture_output=True, text=True, env={**os.environ, MARK: "1"})
    if done.returncode:
        return [("it runs", done.stderr)], "", ""
    return json.loads(done.stdout.splitlines()[-1])


def interface(name, address):
    """Give it an address, and switch it on."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        inet = struct.pack("HH4s8x", socket.AF_INET, 0, socket.inet_aton(address))
        fcntl.ioctl(control, 0x8916, struct.pack("16s", name.encode()) + inet)  # SIOCSIFADDR
        fcntl.ioctl(control, 0x8914, struct.pack("16sH14x", name.encode(), 0x41))  # SIOCSIFFLAGS: up, running


def answer(question, count):
    """An address for the name, which is good for no time; nothing for any other kind of question."""
    end = question.index(b"\0", 12) + 5
    wants_address = question[end - 4:end - 2] == b"\0\1"
    head = question[:2] + b"\x81\x80\0\1" + (b"\0\1" if wants_address else b"\0\0") + b"\0\0\0\0"
    address = socket.inet_aton(PUBLIC if count == 0 else "127.0.0.1")
    return head + question[12:end] + (b"\xc0\x0c\0\1\0\1\0\0\0\0\0\4" + address if wants_address else b""), wants_address


def serve_names():
    names = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    names.bind(("127.0.0.1", 53))
    count = 0
    while True:
        question, peer = names.recvfrom(512)
        said, counts = answer(question, count)
        count += counts
        names.sendto(said, peer)


def set_up():
    interface("lo", "127.0.0.1")
    interface("lo:1", PUBLIC)
    with tempfile.NamedTemporaryFile("w", delete=False) as resolver:
        resolver.write("nameserver 127.0.0.1\n")
    os.chmod(resolver.name, 0o644)
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.mount(b"none", b"/", None, 0x44000, None) or \
            libc.mount(resolver.name.encode(), os.path.realpath("/etc/resolv.conf").encode(), None, 0x1000, None):
        raise OSError(ctypes.get_errno(), "mount")
    threading.Thread(target=serve_names, daemon=True).start()
