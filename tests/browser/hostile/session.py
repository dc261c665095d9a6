"""A session with the browser domain, live, as an agent's client has it: `manglecp mcp DOMAIN`; and what it leaves on the machine."""
import json
import os
import pathlib
import queue
import signal
import subprocess
import threading
import time


class Slow(Exception):
    """There was no answer in time."""


class Session:
    def __init__(self, program, domain, page, folder, *settings):
        self.folder, self.last, self.slowest = folder, 0, 0.0
        said = [str(program), "mcp", str(domain), "--text-alone", "--log", "error", "--set", f"page={page}", "--set", f"recordings={folder}"]
        for one in settings:
            said += ["--set", one]
        # ASan reserves addresses by the terabyte; leaks are for tests that end by themselves
        self.child = subprocess.Popen(said, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                      env={**os.environ, "MACHINA_TOOLHOST_RLIMIT_AS_MB": "0"})
        self.lines, self.errors = queue.Queue(), []
        threading.Thread(target=self.read, daemon=True).start()
        threading.Thread(target=lambda: self.errors.extend(self.child.stderr), daemon=True).start()
        self.ask("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}, 60)
        self.write({"method": "notifications/initialized"})

    def read(self):
        for line in self.child.stdout:
            self.lines.put(line)
        self.lines.put(None)

    def write(self, message):
        self.child.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        self.child.stdin.flush()

    def ask(self, method, params, seconds):
        self.last += 1
        begun, until = time.monotonic(), time.monotonic() + seconds
        self.write({"id": self.last, "method": method, "params": params})
        while True:
            try:
                line = self.lines.get(timeout=max(0.01, until - time.monotonic()))
            except queue.Empty:
                raise Slow(f"no answer to {params.get('arguments', method)} in {seconds} s") from None
            if line is None:
                raise Slow("the server has ended: " + b"".join(self.errors)[-600:].decode("utf-8", "replace"))
            answer = json.loads(line)
            if answer.get("id") == self.last and "method" not in answer:
                self.slowest = max(self.slowest, time.monotonic() - begun)
                return answer.get("result", answer)

    def call(self, name, arguments, seconds):
        """(the text that a model reads, whether it is an error)"""
        answer = self.ask("tools/call", {"name": name, "arguments": arguments}, seconds)
        return "\n".join(part.get("text", "") for part in answer.get("content", [])), bool(answer.get("isError"))

    def run(self, tool, seconds, **args):
        return self.call("run", {"tool": tool, **({"args": args} if args else {})}, seconds)

    def below(self, all_there=None):
        """The process and all that it started: [(pid, words of its command line)]; of processes(), which may be given."""
        children = {}
        for pid, parent, words in all_there or processes():
            children.setdefault(parent, []).append((pid, words))
        found, todo = [], [(self.child.pid, ["manglecp"])]
        while todo:
            found.append(todo.pop())
            todo += children.get(found[-1][0], [])
        return found

    def browsers(self):
        """Processes with the profile of this session, whoever is their parent."""
        all_there = processes()  # read once: it takes a while where many run, and a watcher asks often
        mine = {pid for pid, _ in self.below(all_there)}
        return [(pid, words) for pid, _, words in all_there if any(str(self.folder) in word and "user-data-dir" in word for word in words)
                or (words and "chrom" in words[0] and pid in mine)]

    def peak_mib(self):
        """Of the server and its hosts, without the browser."""
        most = 0
        for pid, words in self.below():
            if words and "chrom" in words[0]:
                continue
            try:
                said = pathlib.Path(f"/proc/{pid}/status").read_text()
                most += next(int(line.split()[1]) for line in said.splitlines() if line.startswith("VmHWM")) // 1024
            except (OSError, StopIteration):
                pass
        return most

    def crash(self):
        """The renderers are gone, as if each had a fault."""
        gone = 0
        for pid, words in self.browsers():
            if "--type=renderer" in " ".join(words):
                os.kill(pid, signal.SIGKILL)
                gone += 1
        return gone

    def close(self, seconds=15):
        """What is left afterwards: [text]."""
        mine = [pid for pid, _ in self.below()]
        self.child.stdin.close()
        try:
            self.child.wait(seconds)
        except subprocess.TimeoutExpired:
            self.child.kill()
            self.child.wait()
            return [f"the server did not end within {seconds} s"]
        left = []
        for _ in range(40):
            left = [f"process {pid} {' '.join(words)[:80]}" for pid, _, words in processes() if pid in mine]
            if not left and not self.strangers():
                break
            time.sleep(0.1)
        return left + [f"file {path}" for path in self.strangers()[:5]]

    def strangers(self):
        """What does not belong into the folder: anything but its downloads, which are the user's."""
        return sorted(path for path in self.folder.iterdir() if path.name != "downloads")


def processes():
    """[(pid, parent, words of the command line)] of all that are not dead."""
    made = []
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                state, parent = (entry / "stat").read_text().rpartition(")")[2].split()[:2]
                words = (entry / "cmdline").read_bytes().decode("utf-8", "replace").rstrip("\0").split("\0")
            except OSError:
                continue
            if state not in "ZX":
                made.append((int(entry.name), int(parent), words))
    return made


def size_of(folder):
    total = 0
    for path in folder.rglob("*"):
        try:
            total += path.lstat().st_size if path.is_file() else 0
        except OSError:
            pass
    return total
