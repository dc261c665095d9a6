"""Worlds that outlive a server: a domain whose actions stop at a gate (plugins/gated), what they did, a journal."""
from transports import *


def gated_domain(files):
    folder = fixture_with(files)
    config = folder / "domain.yaml"
    config.write_text(config.read_text().replace("plugins: [fx]", "plugins: [fx, gated]"))
    return folder


class Gated:
    """A domain, a file of what was done, a journal, and perhaps a store: what outlives a server."""

    def __init__(self, files, *options, store=True, journal=True):
        self.folder = pathlib.Path(scratch())
        self.domain = gated_domain(files)
        self.done = self.folder / "done"
        self.journal = self.folder / "runs.db"
        self.options = ["--set", f"journal={self.done}", *options]
        if store:
            self.options += ["--store-sqlite", str(self.folder / "store.db")]
        if journal:
            self.options += ["--journal", str(self.journal)]

    def serve(self, **more):
        return Session(*self.options, domain=self.domain, **more)

    def tool(self, s, name="zz_steps"):
        return tool_of(s.ask(intent("fx.vary")), name)

    def did(self):
        return self.done.read_text().split() if self.done.exists() else []

    def counts(self):
        return {name: self.did().count(name) for name in "abc"}

    def reached(self):
        wait_for(f"{self.done}.reached", pathlib.Path(f"{self.done}.reached").exists)

    def go(self):
        pathlib.Path(f"{self.done}.go").touch()

    def runs(self, *words):
        """What `manglecp journal` says. It ends with 1 where --open has found some."""
        got = subprocess.run([str(BUILD / "bin/manglecp"), "journal", str(self.journal), *words, "--json"],
                             capture_output=True, timeout=PATIENCE, text=True)
        equal((got.returncode, got.stderr), (int("--open" in words and got.stdout != ""), ""), "manglecp journal")
        return [json.loads(line) for line in got.stdout.splitlines()]


def wait_for(what, condition, patience=PATIENCE):
    deadline = time.monotonic() + patience
    while not condition():
        expect(time.monotonic() < deadline, f"never: {what}")
        time.sleep(0.005)


def keyed(message, key="k-1", **more):
    return {**message, "extensions": {"x-idempotency-key": key, **more}}


def invoke_and_kill(w, stop, tool="zz_steps"):
    """The server is gone; the plugin host may have gone on: that is why nobody knows."""
    s = w.serve()
    s.send(keyed(invoke(w.tool(s, tool), {"stop": stop})))
    w.reached()
    s.program.process.send_signal(signal.SIGKILL)
    s.program.process.wait()
    w.go()
    time.sleep(0.05)
    return s
