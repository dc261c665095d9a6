"""What a program can do to who starts it: hostile_program.py WHAT [ARGUMENT]. Started as an action."""
import ctypes
import errno
import os
import resource
import signal
import socket
import subprocess
import sys
import time


def forever():
    while True:
        time.sleep(3600)


def flood(stream, text):
    while True:
        os.write(stream, text)


def fork_bomb():
    """As many as there are within a second, all of them staying; 3000 at most, for the machine's sake."""
    until = time.monotonic() + 1
    for _ in range(12):  # doubles
        if time.monotonic() > until:
            break
        try:
            os.fork()
        except OSError:
            break
    forever()


def orphans():
    """Children whose parents are gone, one of them in a session of its own, if it could have one."""
    for detached in (False, True):
        if os.fork() == 0:
            if detached:
                try:
                    os.setsid()
                    os.write(1, b"a session of its own\n")
                except OSError:
                    os.write(1, b"no session\n")
            if os.fork() > 0:
                os._exit(0)
            forever()
    os.wait()
    os.wait()
    print("done")


def raw_setpgid(*arguments):
    """With more than the call has: the kernel ignores the rest, and the upper halves of the two."""
    number = {"x86_64": 109, "aarch64": 154}[os.uname().machine]
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.syscall(ctypes.c_long(number), *(ctypes.c_ulong(a) for a in arguments)) != 0:
        raise OSError(ctypes.get_errno(), "setpgid")


def escape():
    """A process group of its own, by every name the call has, and with a guess or two at what opens the fence."""
    calls = [lambda: os.setpgid(0, 0), os.setsid, lambda: os.setpgrp()]
    if os.uname().machine in ("x86_64", "aarch64"):
        most, random = (1 << 64) - 1, [int.from_bytes(os.urandom(8), "little") for _ in range(4)]
        for more in [(0, 0, 0, 0), (0, 0, most, most, most, most), (0, 0, *random), (1 << 32, 1 << 32), (0, 0xffffffff << 32)]:
            calls.append(lambda more=more: raw_setpgid(*more))
    for call in calls:
        pid = os.fork()
        if pid == 0:
            try:
                call()
            except OSError as error:
                os._exit(0 if error.errno == errno.EPERM else 2)
            os._exit(1)
        if os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) != 0:
            print("left")
            return
    print("held")


def name_of(call):
    try:
        call()
        return "done"
    except OSError as error:
        return errno.errorcode[error.errno]


def peek():
    """The memory of who started it, where the key to the group is; and that of its own child, which may be read."""
    child = os.fork()
    if child == 0:
        forever()
    for pid in (child, os.getppid()):
        print(name_of(lambda: open(f"/proc/{pid}/mem", "rb").close()), end=" ")
        if "trace" in sys.argv:  # ends the program, where it is confined
            print(name_of(lambda: trace(pid)), end=" ")
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


def close_and_stay():
    for fd in range(3):
        os.close(fd)
    forever()


def memory():
    blocks = []
    while True:
        blocks.append(bytearray(64 << 20))


def is_open(fd):
    try:
        os.fstat(fd)
        return True
    except OSError:
        return False


def show():
    print([fd for fd in range(1024) if is_open(fd)])
    print(sorted(os.environ))
    print(os.getcwd())
    print(signal.getsignal(signal.SIGPIPE) == signal.SIG_IGN and "python ignores it itself")
    print(resource.getrlimit(resource.RLIMIT_CORE)[0])
    print(sys.argv[2:])


def ignore_term():
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    forever()


def polite():
    signal.signal(signal.SIGTERM, lambda *_: (os.write(2, b"saying goodbye\n"), os._exit(0)))
    forever()


def segv():
    ctypes.string_at(0)


def spin():
    while True:
        pass


def stop_itself():
    os.kill(os.getpid(), signal.SIGSTOP)
    forever()


def signal_parent():
    """Whoever started it; and everybody."""
    os.kill(os.getppid(), signal.SIGTERM)
    print("sent")


def attempt(do):
    """Tell what came of it: "done", what was read, or the name of the error."""
    try:
        print(do() or "done")
    except OSError as error:
        print(errno.errorcode.get(error.errno, error))


def read():
    with open(sys.argv[2], errors="replace") as file:
        return file.read()


def trace(pid):
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.ptrace(16, pid, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "ptrace")


def hop():
    """Chains of processes, each of which starts the next one and ends; for a while, should nobody end them."""
    until = time.monotonic() + 20
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    for _ in range(4):
        if os.fork() == 0:
            while time.monotonic() < until:
                if os.fork() > 0:
                    os._exit(0)
            os._exit(0)
    print("started")


def leak():
    try:
        while True:
            os.dup(1)
    except OSError as error:
        os.write(1, errno.errorcode[error.errno].encode())
        os._exit(0)


def drip():
    while True:
        os.write(1, b"x")
        time.sleep(0.1)


WHAT = {
    "fine": lambda: print("fine"), "read": lambda: attempt(read), "trace": lambda: attempt(lambda: trace(int(sys.argv[2]))), "hop": hop, "leak": leak,
    "signal": lambda: attempt(lambda: os.kill(int(sys.argv[2]), signal.SIGTERM)),
    "socket": lambda: attempt(lambda: socket.socket(socket.AF_INET).close()), "drip": drip,
    "late": lambda: (signal.signal(signal.SIGTERM, signal.SIG_IGN), time.sleep(1.5), print("late")),
    "exit": lambda: (os.write(1, b'{"a":'), os._exit(0)), "words": lambda: print(*sys.argv[2:], sep="\0", end=""),
    "abort": os.abort, "segv": segv, "loop": forever, "spin": spin, "ignore_term": ignore_term, "polite": polite,
    "bomb": fork_bomb, "orphans": orphans, "escape": escape, "peek": peek, "close": close_and_stay, "memory": memory, "show": show,
    "stop_itself": stop_itself, "signal_parent": signal_parent,
    "flood_out": lambda: flood(1, b"line\n" * 13000), "flood_err": lambda: flood(2, b"line\n" * 13000),
    "one_line": lambda: flood(1, b"x" * 65536),
    "no_newline": lambda: os.write(1, b"no end"),
    "bad_json": lambda: os.write(1, b'{"a":1}\n{"a":\n'),
    "half_json": lambda: os.write(1, b'{"a":[1,2'),
    "bad_utf8": lambda: os.write(1, b"good\nb\xe4d\n"),
    "nul": lambda: os.write(1, b"good\nalso\nb\0d\n"),
    "deep_json": lambda: os.write(1, b"[" * 100000),
    "fail_words": lambda: (os.write(2, b"first\nthe \x1b[31mlast\x1b[0m words\n\n"), os._exit(3)),
    "sleep_child": lambda: (subprocess.Popen(["sleep", "3600"]), print("started")),
    "progress": lambda: os.write(2, b"progress 10 ten\nnoise\nprogress 101 no\nprogress 90 ninety\nprogress x\n"),
}

WHAT[sys.argv[1]]()
