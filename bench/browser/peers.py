"""The browser servers that agents use now, as MCP servers on the same Chromium: fetched by npm, pinned as in bench/tokens.

What a competent agent would call to diagnose one page is fixed here, and kept to the least: it looks at a page before it
acts on it, fills what is to be filled in one call, knows at once which request is worth a look, and needs neither the
scripts' sources nor a second look. Waiting costs it nothing.

    every(folder)   [Peer]; one that cannot be had here has its reason in `missing`
"""
import json
import pathlib
import re
import shutil
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tokens"))
import fetch  # noqa: E402

SETTLE_S = 1.5
CALL_S = 45
HELLO = {"protocolVersion": "2025-06-18", "capabilities": {"elicitation": {}}, "clientInfo": {"name": "bench", "version": "1"}}
SHELLS = ("chromium-headless-shell", "chromium")


def chromium():
    """The browser that all of them start."""
    return next((path for path in map(shutil.which, SHELLS) if path), None)


class Missing(Exception):
    """A peer cannot be had here."""


class Consenting(fetch.Server):
    """A person sits at it who agrees to whatever is asked; no model reads that."""

    def answer_to(self, question):
        if question["method"] != "elicitation/create":
            return super().answer_to(question)
        asked = question["params"].get("requestedSchema", {}).get("properties", {})
        return {"result": {"action": "accept", "content": {name: (one.get("enum") or [True])[0] for name, one in asked.items()}}}


class Talk:
    """A session with an MCP server; every text that a model would read or write in it is kept."""

    def __init__(self, said, home):
        home.mkdir(parents=True, exist_ok=True)
        self.server = Consenting(said, home)
        try:
            begun = self.server.ask("initialize", HELLO)
            self.server.write({"method": "notifications/initialized"})
            self.tools = self.server.ask("tools/list", {})["tools"]
        except RuntimeError:
            self.server.close()
            raise
        self.fixed = "\n".join([begun.get("instructions") or "", *(json.dumps(
            {"name": tool["name"], "description": tool.get("description", ""), "input_schema": tool["inputSchema"]},
            ensure_ascii=False, separators=(",", ":")) for tool in self.tools)])
        self.read, self.written, self.failed = [], [], []

    def call(self, name, **arguments):
        try:
            answer = self.server.ask("tools/call", {"name": name, "arguments": arguments}, CALL_S)
        except RuntimeError as why:  # an agent's client gives up, too; the model reads that
            answer = {"content": [{"type": "text", "text": f"Error: {why}"}], "isError": True}
        text = "\n".join(part["text"] for part in answer["content"] if part["type"] == "text")
        self.read.append(text)
        self.written.append(json.dumps({"name": name, "arguments": arguments}, ensure_ascii=False, separators=(",", ":")))
        if answer.get("isError"):
            self.failed.append(f"{name} {arguments}: {text[:300]}")
        return text

    def since(self, mark):
        """The round trips since then, and the texts that were read and written in them."""
        return len(self.read) - mark, self.read[mark:] + self.written[mark:]

    def close(self):
        self.server.close()


def grouped(steps):
    """The steps of a page of the test bed, what is typed one after the other in one: [("type", [(selector, text)...]), ("click", selector)...]"""
    made = []
    for kind, what in steps:
        if kind != "type":
            made.append((kind, what))
            continue
        where, _, text = what.partition("=")
        if not made or made[-1][0] != "type":
            made.append(("type", []))
        made[-1][1].append((where, text))
    return made


def wait(milliseconds):
    time.sleep(float(milliseconds) / 1000)


class Playwright:
    name, package = "Playwright MCP", "@playwright/mcp"

    @staticmethod
    def arguments(browser):
        return ["--headless", "--isolated", "--no-sandbox", "--executable-path", browser]

    @staticmethod
    def visit(talk, address, task):
        talk.call("browser_navigate", url=address)
        time.sleep(SETTLE_S)
        if any(step[0] != "wait" for step in task["steps"]):
            talk.call("browser_snapshot")
        for step in grouped(task["steps"]):
            if step[0] == "type":
                talk.call("browser_fill_form", fields=[{"target": where, "name": where.lstrip("#"), "type": "textbox", "value": text}
                                                       for where, text in step[1]])
            elif step[0] == "click":
                talk.call("browser_click", target=step[1])
            elif step[0] == "press":
                talk.call("browser_press_key", key=step[1])
            else:
                wait(step[1])
        time.sleep(SETTLE_S)
        talk.call("browser_console_messages", level="warning")
        listed = talk.call("browser_network_requests", static="script" in task.get("cause", {}))
        wanted = task.get("cause", {}).get("path")
        found = wanted and re.search(r"^(\d+)\. \[\w+\] \S*" + re.escape(wanted), listed, re.M)
        if found:
            talk.call("browser_network_request", index=int(found.group(1)))
            talk.call("browser_network_request", index=int(found.group(1)), part="response-body")


class DevTools:
    name, package = "chrome-devtools-mcp", "chrome-devtools-mcp"

    @staticmethod
    def arguments(browser):
        return ["--headless", "--isolated", "--executablePath", browser, "--chromeArg=--no-sandbox",
                "--usageStatistics=false", "--performanceCrux=false"]

    @staticmethod
    def visit(talk, address, task):
        if not talk.read:
            talk.call("list_pages")
        talk.call("navigate_page", pageId=1, type="url", url=address)
        time.sleep(SETTLE_S)
        if any(step[0] != "wait" for step in task["steps"]):
            talk.call("take_snapshot", pageId=1)
        for step in grouped(task["steps"]):
            if step[0] == "type":
                talk.call("fill_form", pageId=1, elements=[{"uid": DevTools.uid(talk, where), "value": text} for where, text in step[1]])
            elif step[0] == "click":
                talk.call("click", pageId=1, uid=DevTools.uid(talk, step[1]))
            elif step[0] == "press":
                talk.call("press_key", pageId=1, key=step[1])
            else:
                wait(step[1])
        time.sleep(SETTLE_S)
        kinds = {} if "script" in task.get("cause", {}) else {"resourceTypes": ["xhr", "fetch", "websocket", "eventsource", "document"]}
        talk.call("list_console_messages", pageId=1, types=["error", "warn", "issue"])
        listed = talk.call("list_network_requests", pageId=1, **kinds)
        wanted = task.get("cause", {}).get("path")
        found = wanted and re.search(r"^reqid=(\d+) \w+ \S*" + re.escape(wanted), listed, re.M)
        if found:
            talk.call("get_network_request", pageId=1, reqid=int(found.group(1)))

    @staticmethod
    def uid(talk, selector):
        """Which uid the snapshot gives the element: found outside of what is counted, as a model would by reading."""
        said = talk.server.ask("tools/call", {"name": "evaluate_script", "arguments": {"pageId": 1, "function":
            "() => { const e = document.querySelector(%s); return (e.getAttribute('aria-label') || (e.labels && e.labels[0] && e.labels[0].innerText) "
            "|| e.innerText || e.placeholder || e.value || '').trim().replace(/\\s+/g, ' ').slice(0, 60) + '|' + e.tagName.toLowerCase() }" % json.dumps(selector)}})
        name, _, tag = json.loads(re.search(r"```json\n(.*?)\n```", said["content"][0]["text"], re.S).group(1)).rpartition("|")
        shot = talk.server.ask("tools/call", {"name": "take_snapshot", "arguments": {"pageId": 1}})["content"][0]["text"]
        roles = {"button": "button", "a": "link", "input": "textbox|checkbox|radio|spinbutton|searchbox|combobox|slider|button", "textarea": "textbox",
                 "select": "combobox"}.get(tag, r"\w+")
        found = re.search(r"uid=(\S+) (?:%s) \"%s" % (roles, re.escape(name)), shot) or re.search(r"uid=(\S+) (?:%s)" % roles, shot)
        if not found:
            raise RuntimeError(f"{selector} ({name}) is not in the snapshot")
        return found.group(1)


class Ours:
    """The browser domain over the bridge. It looks at a page before it acts on it, too; its steps are one plan. Whichever tool
    it begins a page with opens the page; the operator has said which page is the first."""
    name, package = "MangleCP", ""

    @staticmethod
    def run(talk, tool, **args):
        return talk.call("run", tool=tool, **({"args": args} if args else {}))

    @staticmethod
    def visit(talk, address, task):
        opens = {"url": address} if talk.read else {}
        if not talk.read:
            talk.call("intent", intent="diagnose_error")
        if any(step[0] != "wait" for step in task["steps"]):
            Ours.run(talk, "find_elements", **opens)
            opens = {}
        steps = []
        for step in grouped(task["steps"]):
            if step[0] == "type":
                steps += [{"do": "fill", "target": {"selector": where}, "value": text} for where, text in step[1]]
            elif step[0] == "wait":
                wait(step[1])
            else:
                steps.append({"do": step[0], "target": {"selector": step[1]}})
        if steps:
            Ours.run(talk, "run_plan", steps=steps)
            time.sleep(SETTLE_S)
        Ours.run(talk, "diagnose_page", **opens)


class Peer:
    def __init__(self, kind, version="", missing=""):
        self.name, self.version, self.missing, self.kind = kind.name, version, missing, kind

    def talk(self, folder, browser):
        said = {"command": "node", "args": [fetch.program(folder, f"{self.kind.package}@{self.version}"), *self.kind.arguments(browser)]}
        return Talk(said, folder / "home")


class Us(Peer):
    """`first`: what the operator lets it open at first; `allow`: what else of the inside."""

    def __init__(self, program, domain, first, allow):
        super().__init__(Ours)
        self.said = {"command": str(program), "env": {"MACHINA_TOOLHOST_RLIMIT_AS_MB": "0"},  # of programs with ASan
                     "args": ["mcp", str(domain), "--text-alone", "--log", "error", "--set", f"page={first}", "--set", f"allow={allow}"]}

    def talk(self, folder, browser):
        home = folder / "home"
        (home / "recordings").mkdir(parents=True, exist_ok=True)
        said = {**self.said, "args": [*self.said["args"], "--set", f"browser={browser}", "--set", f"recordings={home}/recordings"]}
        return Talk(said, home)


def every(folder):
    """Both, fetched into `folder`; the tokenizer comes along."""
    pinned = json.loads((HERE.parent / "tokens/servers.json").read_text())
    packages = [server["package"] for server in pinned["servers"].values()]
    made = []
    for kind in (Playwright, DevTools):
        package = next(one for one in packages if fetch.package_name(one) == kind.package)
        version = package.rpartition("@")[2]
        try:
            if not shutil.which("npm") or not shutil.which("node"):
                raise Missing("no npm here")
            fetch.install(folder, [pinned["tokenizer"], package])
            made.append(Peer(kind, version))
        except (Missing, OSError, fetch.subprocess.CalledProcessError) as why:
            made.append(Peer(kind, version, missing=str(why)[:200]))
    return made
