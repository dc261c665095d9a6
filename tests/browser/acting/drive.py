"""Acts on small pages through the whole server and a real Chromium, and says what came of it as TAP.

usage: drive.py MANGLECP DOMAIN"""
import base64
import json
import os
import pathlib
import shutil
import stat
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path[:0] = [str(ROOT / "clients/python/src"), str(ROOT / "tests/server")]
sys.dont_write_bytecode = True
import blackbox  # noqa: E402
import manglecp  # noqa: E402
import pages  # noqa: E402

KEY = base64.urlsafe_b64encode(b"k" * 32).decode().rstrip("=")
TOKEN = "token-of-a-test-0123456789-0123456789"


class Page:
    """A server with a live page, a client of it, and what its user was asked."""

    def __init__(self, program, domain, folder):
        self.server = pages.serve()
        self.base = f"http://127.0.0.1:{self.server.server_port}"
        self.asked, self.answers, self.meanwhile, self.shown = [], [], None, {}
        tokens = folder / "tokens"
        tokens.write_text(blackbox.token_line(TOKEN, "ann", "intent:*", confirm_key=KEY) + "\n")
        tokens.chmod(0o600)
        (folder / "uploads").mkdir()
        (folder / "uploads/cat.png").write_bytes(b"0123456789")
        (folder / "uploads/evil").symlink_to("/etc/passwd")
        credentials = folder / "credentials.json"
        credentials.write_text(json.dumps({"origin": self.base, "user": "ada", "password": "hush"}))
        credentials.chmod(0o600)
        (folder / "recordings").mkdir()
        settings = {"page": self.base + "/", "uploads": folder / "uploads", "recordings": folder / "recordings",
                    "credentials": credentials}
        command = [program, "serve", domain, "--stdio", "--log", "error", "--auth", str(tokens)]
        for name, value in settings.items():
            command += ["--set", f"{name}={value}"]
        options = manglecp.Options(consent=self.consent, confirm_key=KEY, token=TOKEN, answer_timeout=120)
        self.client = manglecp.spawn(command, options)
        self.client.facts.add(manglecp.fact("current_url", self.base + "/"))
        for _ in range(4):  # on a machine that is busy with other tests a browser takes its time
            if isinstance(self.run("find_elements", "read"), dict):
                break

    def consent(self, question):
        self.asked.append(question.question or question.tool)
        self.shown = question.inputs
        if self.meanwhile:
            self.meanwhile()
        return self.answers.pop(0) if self.answers else True

    def offered(self, **params):
        return [tool.name for tool in self.client.evaluate("automate", params)]

    def run(self, tool, action, **args):
        """The result; or, as a text, why there is none."""
        evaluation = self.client.evaluate("automate", {"action": action})
        try:
            result = self.client.invoke(evaluation.tool(tool), args)
        except manglecp.Refused as error:
            return str(error)
        except manglecp.ConsentDeclined:
            return "declined"
        self.client.apply(result)
        return result.result

    def go(self, path):
        return self.run("navigate_to", "navigate", url=self.base + path)

    def act(self, do, value=None, **target):
        more = {} if value is None else {"value": value}
        if "ref" in target:
            return self.run("act_on_page", "act", do=do, ref=target["ref"], **more)
        return self.run("act_on_page", "act", do=do, target=target, **more)

    def text(self):
        return self.run("read_page", "read")["text"]

    def refs(self, **wanted):
        return [one["ref"] for one in self.run("find_elements", "read", **wanted)["elements"]]


number, failed = 0, 0


def check(name, holds, seen=None):
    global number, failed
    number += 1
    failed += not holds
    print(f"{'ok' if holds else 'not ok'} {number} - {name}")
    if not holds:
        print(f"# {seen!r}"[:1000])
    sys.stdout.flush()


def has(name, text, *parts):
    check(name, all(part in str(text) for part in parts), text)


def pressing(p):
    has("what is there is found, with refs", p.run("find_elements", "read"), "'e1'", "Press me", "Elsewhere")
    has("a click presses", p.act("click", name="Press me"), "clicked button \"Press me\"")
    has("and the page has noticed", p.text(), "pressed")
    has("what is not there is said, with what is", p.act("click", name="Nope"), "no element has name \"Nope\"", "Press me")
    p.go("/covered")
    has("a covered button is not clicked", p.act("click", name="Save"), "covered by div#cookie-banner")
    p.go("/disabled")
    has("nor a disabled one", p.act("click", name="Save"), "\"Save\" is disabled")
    has("nor one in a disabled group", p.act("click", name="Keep"), "\"Keep\" is disabled")
    has("nor one that is called disabled", p.act("click", name="Store"), "\"Store\" is disabled")
    has("nor a hidden one", p.act("click", name="Hidden one"), "is not visible")
    p.go("/moving")
    seen = p.act("click", name="Moving")
    # On a machine that draws too slowly to see it move, it may be hit all the same.
    check("nor one that does not come to rest", "still moves" in str(seen) or "stopped" in str(seen) or "hit" in p.text(), seen)
    p.go("/evades")
    has("a click goes to nothing that slides under the mouse", p.act("click", name="Harmless"), "Pay now", "stopped")
    check("and nothing was pressed", "\nb" not in p.text(), p.text())


def refs(p):
    p.go("/rerender")
    second = p.refs(name="Edit")[1]
    p.act("click", ref=second)
    has("a ref holds when its element is rendered anew", p.text(), "edit Bo")
    has("of two that are alike none is guessed", p.act("click", name="Edit"), "2 elements have name \"Edit\"")
    p.go("/second")
    has("a ref of the last page is none of this one", p.act("click", ref=second), "no element")
    has("a click may lead on", p.act("click", name="Back to start"), p.base + "/")
    p.go("/frames")
    p.act("click", name="Inner button")
    has("frames are reached into", p.text(), "inner")
    p.go("/shadow")
    p.act("fill", "x y", label="Deep")
    p.act("click", name="Deep button")
    has("and shadow roots", p.text(), "deep x y")
    p.go("/hides")
    check("hidden characters hide nothing", p.run("find_elements", "read")["elements"][0]["name"] == "Save")


def typing(p):
    p.go("/keys")
    p.act("type", "abc", name="Find")
    p.act("press", "Enter", name="Find")
    has("keys are typed", p.text(), "search abc")
    has("nor is Enter there under another name", p.act("press", "\r", name="Find"), "there is no key")
    has("a key that there is not is said", p.act("press", "Nope", name="Find"), "no key \"Nope\"")
    p.go("/signin")
    p.act("type", "ada\n", label="User")
    p.act("fill", "ada\nx", label="User")
    check("a line that ends in what is typed sends no form", p.server.posted == [] and "/signin" in p.run(
        "assert_story", "check", checks=[{"url": "?"}])["failed"][0], p.server.posted)
    p.go("/form")
    values = {"name": "Ada", "mail": "a@b.c", "size": "Large", "news": "true", "pay": "cash", "day": "2026-02-03", "note": "hi"}
    p.run("form_fill", "fill", values=values, submit=True)
    has("a form is filled in as its fields want it", p.text(), "name=Ada&mail=a%40b.c&size=Large&news=on&pay=cash&day=2026-02-03")
    has("a field that there is not is said, with those there are", p.run("form_fill", "fill", values={"nmae": "x"}),
        "no field \"nmae\"", "name, mail")
    has("what the page does not accept is told", p.run("form_fill", "fill", values={"mail": "nonsense"}, submit=True),
        "'field': 'mail'")
    dragging(p)


def dragging(p):
    p.go("/drag")
    p.asked.clear()
    p.answers = [False]
    card, tray = {"name": "Card"}, {"name": "Bin"}
    has("to drag to a bin is to delete", p.run("act_on_page", "act", do="drag", target=card, to=tray), "declined")
    has("which is asked about", p.asked, "This deletes", 'dragged to the button "Bin"')
    check("and not done against the user's word", "dropped" not in p.text(), p.text())
    p.run("act_on_page", "act", do="drag", target=card, to=tray)
    has("an element is dragged", p.text(), "dropped on z")
    p.go("/drag")
    p.asked.clear()
    p.run("act_on_page", "act", do="drag", target=card, to={"name": "Shelf"})
    check("to put it elsewhere is nothing to ask about", "dropped on y" in p.text() and p.asked == [], p.text())
    p.asked.clear()
    p.answers = [False]
    step = {"do": "drag", "target": card, "value": {"selector": "#icon"}}
    has("nor is a bin without a name passed over in a plan", p.run("run_plan", "plan", steps=[step]), "declined")
    has("where it is asked about, too", p.asked, "This deletes")
    p.go("/drag?turns")
    seen = p.run("act_on_page", "act", do="drag", target=card, to={"name": "Shelf"})
    has("what turns into a bin under the mouse gets nothing", seen, "not what it was")
    check("and it is let go where it was", "dropped on a" in p.text() or "dropped" not in p.text(), p.text())


def dialogs(p):
    p.go("/dialog")
    has("a dialog holds nothing up, and is dismissed", [p.act("click", name="Ask"), p.text()], "confirm: Sure?", "no")
    p.run("handle_dialogs", "dialogs", accept=True)
    p.act("click", name="Ask")
    has("or accepted, if the user says so", p.text(), "yes")
    has("which was asked", p.asked, "handle_dialogs")


def consent(p):
    p.asked.clear()
    p.go("/checkout-free-shopping")
    p.act("click", name="Read more")
    p.act("click", role="link", name="How to pay")
    check("nothing is asked where nothing is bought", p.asked == [], p.asked)
    p.go("/signin")
    p.answers = [False]
    values = {"user": "a", "password": "b"}
    check("nobody signs in against the user's word", p.run("form_fill", "fill", values=values, submit=True) == "declined" and
          p.server.posted == [], p.server.posted)
    has("who was asked", p.asked, "This signs in")
    p.run("form_fill", "fill", values=values, submit=True)
    check("with it one does", p.server.posted == [("/session", values)], p.server.posted)
    has("what answered a form is not loaded anew", p.run("reload_page", "reload"), "send the form again")
    check("so it is sent once", len(p.server.posted) == 1, p.server.posted)
    p.go("/signin")
    signed = p.run("sign_in", "sign_in")
    check("the operator's credentials sign in", p.server.posted[-1][1] == {"user": "ada", "password": "hush"}, signed)
    check("and are never shown", "hush" not in str(signed), signed)
    p.go("/shop")
    p.asked.clear()
    p.act("click", name="Filter")
    p.act("click", name="Buy now")
    p.act("click", name="L\u00f6schen")
    check("paying and deleting are asked about, filtering is not", len(p.asked) == 2 and "pays" in p.asked[0] and
          "deletes" in p.asked[1], p.asked)
    p.go("/turns")
    p.meanwhile = lambda: (p.server.turn.set(), p.server.turned.wait(20))
    has("consent to one thing is none to what it turns into", p.act("click", name="Buy one"), "not what it was")
    p.meanwhile = None
    has("leaving the site is asked about", [p.go("/"), p.answers.append(False), p.act("click", name="Elsewhere"), p.asked[-1]],
        "declined", "leaves the site", "elsewhere.invalid")
    p.answers = [False]
    p.run("navigate_to", "navigate", url="http://elsewhere.invalid/")
    check("who is asked is shown what it is about, and no recording", set(p.shown) == {"url"}, p.shown)
    has("a file is no page", p.run("navigate_to", "navigate", url="file:///etc/passwd"), "only http and https")
    has("what is looked at can be opened at once", p.run("find_elements", "read", url=p.base + "/other"), "elements")
    has("if it is allowed", p.run("find_elements", "read", url="http://127.0.0.2:1/x"), "not among the hosts that are allowed")
    has("nor is an internal address", p.run("navigate_to", "navigate", url="http://169.254.169.254/x"), "internal address")
    check("code runs in no page unless the operator allows it", "evaluate_script" not in p.offered(action="evaluate"))


def past_consent(p):
    p.asked.clear()
    p.answers = [False] * 20
    p.go("/named")
    has("names of fields hide no password", p.act("click", name="Go on"), "declined")
    has("nor does a form that is called as the document's root", p.run("find_elements", "read"), "Go on", "Secret")
    p.go("/many")
    has("nor do many fields", p.act("click", name="Go on"), "declined")
    has("both are signing in", p.asked, "signs in")
    check("and nothing was sent", not any("p" in sent for _, sent in p.server.posted), p.server.posted)
    p.go("/holds")
    has("what holds a button is not pressed in its place", p.act("click", role="listitem"), "in its middle")
    check("so it is not", "gone" not in p.text(), p.text())
    p.go("/switch")
    has("to check a switch that pays is to pay", p.act("check", name="Pay"), "declined")
    p.go("/heading")
    p.act("focus", name="Pay")
    has("a key goes to nothing else than was said", p.act("press", "Enter", role="heading"), "does not take the focus")
    check("nor was it pressed", "paid" not in p.text(), p.text())
    p.go("/formturns")
    has("a button that turns under the mouse sends no form", p.run("form_fill", "fill", values={"q": "x"}, submit=True), "not what it was")
    check("and none was sent", "sent" not in p.text(), p.text())
    p.go("/frame")
    has("a frame that comes under the mouse has no press", p.act("click", name="Safe"), "stopped")
    check("of another origin neither", not any("framed" in sent for _, sent in p.server.posted), p.server.posted)
    p.answers = []
    p.go("/token")
    seen = p.act("click", name="Token")
    check("credentials of an address are not told", "access_token" in str(seen) and "verysecret" not in str(seen), seen)
    check("nor does a form that was sent go again by another anchor", again_by_anchor(p), p.server.posted)
    p.go("/signin")
    p.act("fill", "hush hush", label="Password")
    seen = p.run("assert_story", "check", checks=[{"value": {"selector": "input[type=password]", "is": "x"}}])
    check("what stands in a field for a password is not told", "hush" not in str(seen), seen)
    p.go("/keys")
    p.act("fill", "[{},", name="Find")
    check("what was typed is a text in a plan", p.run("record_reproduction", "reproduce", forget=True)["steps"][-1]["value"] == "[{},")


def again_by_anchor(p):
    p.go("/signin")
    p.run("form_fill", "fill", values={"user": "a", "password": "b"}, submit=True)
    before = len(p.server.posted)
    p.act("click", name="Down")
    p.run("reload_page", "reload")
    return len(p.server.posted) == before


def files(p, folder):
    p.go("/upload")
    field = p.refs()[0]
    p.run("upload_file", "upload", ref=field, files=["cat.png"])
    has("a file of the folder is given", p.text(), "cat.png")
    has("a link that leads out of it is not", p.run("upload_file", "upload", ref=field, files=["evil"]), "no file \"evil\"")
    has("nor a path", p.run("upload_file", "upload", ref=field, files=["../credentials.json"]), "no file")
    shot = p.run("take_screenshot", "screenshot")
    data = pathlib.Path(shot["path"]).read_bytes()
    check("a screenshot is a file of the size that is told", data[:4] == b"\x89PNG" and len(data) == shot["bytes"], shot)
    check("for nobody else to read", stat.S_IMODE(os.stat(shot["path"]).st_mode) == 0o600)
    pdf = p.run("save_pdf", "pdf")
    check("so is a PDF", pathlib.Path(pdf["path"]).read_bytes()[:4] == b"%PDF", pdf)


def data(p):
    p.go("/table")
    table = p.run("extract_table", "extract", pages=5)
    check("a table is read through its pages", table["total"] == 9 and table["rows"][8] == ["N8", "8"] and
          table["columns"] == ["Name", "Age"], table)
    p.go("/endless")
    items = p.run("extract_list", "extract", pages=4, limit=70)
    check("an endless list ends where it is told to", items["total"] == 70 and items["items"][69]["text"] == "Item 69", items)
    has("what does not hold is said", p.run("assert_story", "check", checks=[{"text": "Item 1"}, {"url": "nope"}]),
        "'holds': False", "url \"nope\" does not hold")
    check("waiting ends", p.run("watch_page", "wait", until="text", text="never", most_ms=300)["met"] is False)


def requests(p):
    has("what a deed led to is told", [p.go("/error"), p.act("click", name="Break")], "GET /api/missing: 404", "broken on click")
    p.go("/users")
    has("a page fails as its server does", p.text(), "failed 404")
    p.run("intercept_requests", "intercept", mocks=[{"pattern": "*/api/users*", "body": [1, 2, 3]}])
    p.go("/users")
    has("an answer that is made up comes to it", p.text(), "users 3")
    p.run("intercept_requests", "intercept", patterns=["*/api/users*"])
    p.go("/users")
    has("and a request that is blocked does not leave", p.text(), "failed TypeError")
    p.run("intercept_requests", "intercept")
    p.go("/users")
    has("until everything is let through again", p.text(), "failed 404")


def plans(p, folder, program, domain):
    p.go("/")
    p.run("record_reproduction", "reproduce", forget=True)
    p.asked.clear()
    steps = [{"do": "click", "target": {"name": "Press me"}, "check": [{"text": "pressed"}]},
             {"do": "navigate", "value": p.base + "/shop"},
             {"do": "click", "target": {"name": "Buy now"}, "check": [{"text": "bought"}]}]
    ran = p.run("run_plan", "plan", steps=steps)
    has("a plan runs, and asks before the step that pays", [ran, p.asked], "'changed'", "pays")
    wrote = p.run("record_reproduction", "reproduce")
    check("what was done is a plan again", [one["do"] for one in wrote["steps"]] == ["click", "navigate", "click"], wrote)
    again = subprocess.run(["sh", wrote["script"], domain, "--yes"], env={**os.environ, "MANGLECP": program},
                           capture_output=True, text=True, timeout=120)
    check("and the script of it runs", again.returncode == 0, again.stdout + again.stderr)
    p.go("/")
    steps = [{"do": "navigate", "value": p.base + "/second", "undo": {"do": "navigate", "value": p.base + "/"}},
             {"do": "click", "target": {"name": "Nope"}}]
    has("a plan that fails says where", p.run("run_plan", "plan", steps=steps), "step 2", "is undone")
    has("and is undone", p.text(), "Start")
    steps = [{"do": "click", "target": {"name": "Press me"}}, {"do": "click", "target": {"name": "Nope"}}]
    has("where no step says how, nothing is undone, and that is said", p.run("run_plan", "plan", steps=steps), "is not undone")
    steps = [{"do": "click", "target": {"name": "Nope"}}]
    check("of what was not done nothing is said", "is undone" not in str(p.run("run_plan", "plan", steps=steps)))


def main():
    program, domain = sys.argv[1:]
    folder = pathlib.Path(tempfile.mkdtemp(prefix="manglecp-acting-"))
    p = Page(program, domain, folder)
    try:
        for part in (pressing, refs, typing, dialogs, consent, past_consent, data, requests):
            part(p)
        files(p, folder)
        plans(p, folder, program, domain)
        p.client.close()
        left = [one.name for one in (folder / "recordings").iterdir() if one.is_dir()]
        check("nothing of the browser is left", set(left) <= {"downloads"}, left)
    finally:
        p.client.close()
        shutil.rmtree(folder, ignore_errors=True)
    print(f"1..{number}")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
