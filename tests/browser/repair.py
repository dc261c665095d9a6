"""What somebody finds who diagnoses a page by a model, repairs it, and looks again. Its server is one that everybody has:
files with nothing but the time of their last change, which browsers keep by their own judgement."""
import functools
import http.server
import os
import pathlib
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/bridge"))
import mcp_client  # noqa: E402

PAGE = """<!doctype html><title>Shop</title><h1>Shop</h1><p id=out></p>
<form id=f onsubmit="event.preventDefault()"><label>Name <input name=name></label><label><input type=checkbox name=gift> Gift</label>
<button>Keep</button></form><button id=late>Late</button><script src=app.js></script>"""
BROKEN = ("fetch('/api/users.json').then(r=>r.ok?r.json():null).then(d=>{out.textContent=d.users.length+' users'});"
          "late.onclick=()=>{throw new Error('broke late')}")
MENDED = BROKEN.replace("/api/users.json", "/users.json")


class Files(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *about):
        pass


class Site:
    def __init__(self, folder):
        self.folder = folder
        self.put("index.html", PAGE)
        self.put("users.json", '{"users":[1,2]}')
        self.put("app.js", BROKEN)
        handler = functools.partial(Files, directory=str(folder))
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}/"

    def put(self, name, text):
        """As if it had lain there for ten days: a tenth of that a browser does not ask again."""
        (self.folder / name).write_text(text)
        then = time.time() - 864000
        os.utime(self.folder / name, (then, then))


class Model:
    def __init__(self, site, answers=()):
        command = [mcp_client.program(), "mcp", "domains/browser", "--plugins", os.environ["BUILD_DIR"] + "/plugins",
                   "--toolhost", os.environ["BUILD_DIR"] + "/bin/toolhost", "--log", "error", "--set", f"page={site.url}"]
        self.client = mcp_client.Client(command, mcp_client.R4, elicits=True, answers=answers)
        self.client.open()
        self.begun = False

    def intend(self, intent, **params):
        more = {"work": "w1"} if self.begun else {}
        self.begun = True
        if params:
            more["params"] = params
        return mcp_client.text_of(self.client.call("intent", intent=intent, **more))

    def run(self, tool, **args):
        return mcp_client.text_of(self.client.call("run", tool=tool, args=args))

    def facts(self):
        return mcp_client.text_of(self.client.call("state", show=["facts"]))


tap = mcp_client.Tap()


def has(name, text, *parts):
    tap.check(name, all(part in text for part in parts), text)


def lacks(name, text, *parts):
    tap.check(name, not any(part in text for part in parts), text)


def first_look(m):
    m.intend("diagnose_error")
    has("the page is broken", m.run("diagnose_page"), "verdict faulty", "GET /api/users.json answered 404")
    lacks("who was told so may act at once", m.intend("automate"), "error:")
    m.intend("fix_error")
    has("who is told what to change is told how to see it", m.run("propose_fix", error_id="console-error-2"), "verify_fix", "url")
    has("words that nothing has are repaired by nobody", m.run("verify_fix", contains="zzz"), "fixed unknown",
        "nothing with the words zzz was seen")
    has("what is there is there", m.run("verify_fix", contains="of null"), "fixed no")
    m.intend("diagnose_error")
    seen = m.run("explain_change")
    has("since it was looked at last nothing happened", seen, "events: none", "still (1)")
    lacks("and nothing appeared", seen, "appeared")


def repaired(m, site):
    site.put("app.js", MENDED)
    m.intend("fix_error")
    has("a repair is seen", m.run("verify_fix", contains="of null", url=site.url), "fixed yes", "verdict healthy")
    lacks("and then there is nothing to be repaired", m.facts(), "diagnosed_error", "fix_candidate", "console_error")
    m.intend("diagnose_error")
    has("what is gone is told", m.run("explain_change"), "gone", "/api/users.json")
    site.put("other.html", "<!doctype html><title>Other</title><h1>Other</h1>")
    lacks("of another page nothing is gone", m.run("diagnose_page", url=site.url + "other.html"), "gone", "users.json")
    site.put("app.js", BROKEN)
    has("what comes back is seen, too", m.run("diagnose_page", url=site.url), "verdict faulty")
    site.put("app.js", MENDED)
    has("a page as it is stays as it is", m.run("diagnose_page"), "verdict faulty")
    m.intend("automate", action="reload")
    m.run("reload_page")
    m.intend("diagnose_error")
    has("to load it anew brings the repair, too", m.run("diagnose_page"), "verdict healthy")
    site.put("app.js", BROKEN)
    m.intend("automate", action="reload")
    m.run("reload_page", fresh=False)
    m.intend("diagnose_error")
    has("unless it is to be loaded as a user would", m.run("diagnose_page"), "verdict healthy")


def new_errors(m, site):
    site.put("app.js", BROKEN)
    m.run("diagnose_page", url=site.url)
    m.intend("observe")
    m.run("observe_page")
    m.intend("automate", action="act")
    m.run("act_on_page", do="click", target={"name": "Late"})
    m.intend("diagnose_error")
    m.run("diagnose_page")
    has("an error that came later can be asked about", m.intend("diagnose_error"), "console-error-3")
    has("and is explained", m.run("diagnose_causal_chain", error_id="console-error-3"), "app.js:1")


def acting(m, site):
    other = site.url.replace(str(site.server.server_port), "1")
    m.intend("diagnose_error")
    has("another port of the page's host is told from a host", m.run("diagnose_page", url=other), "127.0.0.1:1 is not among",
        f"the page's own server is 127.0.0.1:{site.server.server_port}", "setting `allow`")
    has("an action that there is not is said", m.intend("automate", action="flyy"), "There is no action flyy", "act_on_page")
    has("typing wants something to type", m.run("act_on_page", do="type", target={"label": "Name"}), "value is missing")
    has("so does selecting", m.run("act_on_page", do="select", target={"label": "Name"}), "value is missing")
    m.intend("automate", action="fill")
    has("a box takes true", m.run("form_fill", values={"gift": True, "name": "Ann"}), "filled 2 fields")
    m.intend("automate", action="check")
    has("and is checked then", m.run("assert_story", checks=[{"checked": {"label": "Gift"}}]), "holds true")
    m.intend("automate", action="fill")
    has("it takes no sentence", m.run("form_fill", values={"gift": "yes please"}), 'the box "gift" takes true or false')
    has("and a text no yes", m.run("form_fill", values={"name": True}), 'the field "name" takes a text')
    m.run("form_fill", values={"gift": "no"})
    m.intend("automate", action="check")
    has("no is no", m.run("assert_story", checks=[{"unchecked": {"label": "Gift"}}]), "holds true")


def files(m):
    m.intend("automate", action="screenshot")
    has("a picture that goes with the browser is said to", m.run("take_screenshot"), "path", "set `recordings` to a folder")


def main():
    with tempfile.TemporaryDirectory() as folder:
        site = Site(pathlib.Path(folder))
        m = Model(site)
        try:
            first_look(m)
            repaired(m, site)
            new_errors(m, site)
            acting(m, site)
            files(m)
        finally:
            m.client.kill()
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
