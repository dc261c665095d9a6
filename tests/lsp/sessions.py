"""Sessions with mangle lsp, as an editor would hold them. sessions.py MANGLE [NAME...]"""
import json
import pathlib
import subprocess
import sys
import tempfile
import traceback

from client import Client, apply, place, position, slice_of, units, uri

MANGLE = sys.argv[1]
DOC = "untitled:program.mg"
PATHS = """Decl edge(From, To) descr [doc("There is a way."), arg(From, "where it begins"), \
arg(To, "where it ends")] bound [/name, /name].
edge(/a, /b).
path(X, Y) :- edge(X, Y).
path(X, Z) :- edge(X, Y), path(Y, Z).
"""


def start(text=PATHS, **options):
    client = Client(MANGLE, "lsp")
    client.initialize(**options)
    if text is not None:
        client.open(DOC, text)
    return client


def at(text, mark, offset=0, where=DOC):
    return {"textDocument": {"uri": where}, "position": place(text, mark, offset)}


def equal(got, expected):
    if got != expected:
        raise AssertionError(f"expected {expected!r}\n        got {got!r}")


# ---- lifecycle


def test_a_session_begins_and_ends():
    client = Client(MANGLE, "lsp", "--stdio")
    capabilities = client.initialize()
    equal(capabilities["positionEncoding"], "utf-16")
    equal(capabilities["textDocumentSync"]["change"], 2)
    for name in ("hover", "definition", "references", "documentHighlight", "documentSymbol",
                 "documentFormatting"):
        equal(capabilities[name + "Provider"], True)
    equal(capabilities["renameProvider"], {"prepareProvider": True})
    equal(client.leave(), 0)


def test_exit_without_shutdown_is_an_error():
    client = start()
    client.notify("exit")
    equal(client.end(), 1)


def test_the_end_of_input_ends_the_server():
    client = start()
    client.write(b"Content-Length: 5000\r\n\r\n{\"jsonrpc\"")
    equal(client.end(), 1)


def test_requests_before_initialize_are_refused():
    client = Client(MANGLE, "lsp")
    equal(client.refused("textDocument/hover", **at(PATHS, "edge"))["code"], -32002)
    client.open(DOC, "p(X).")  # dropped
    client.initialize()
    equal(client.refused("initialize", capabilities={})["code"], -32600)
    equal(client.refused("textDocument/hover", **at(PATHS, "edge"))["code"], -32602)
    client.request("shutdown")
    equal(client.refused("textDocument/hover", **at(PATHS, "edge"))["code"], -32600)
    client.notify("exit")
    equal(client.end(), 0)


def test_unknown_methods_are_refused_and_unknown_notifications_passed_over():
    client = start()
    equal(client.refused("workspace/nonsense")["code"], -32601)
    equal(client.refused("textDocument/didSave")["code"], -32601)
    client.notify("$/setTrace", value="off")
    client.notify("workspace/didChangeConfiguration", settings={})
    equal(client.leave(), 0)


def test_malformed_messages_are_answered_and_survived():
    client = start()
    for body, code in ((b"{", -32700), (b"[]", -32600), (b"7", -32600), (b'{"id":{}}', -32600),
                       (b'{"jsonrpc":"2.0"}', -32600), (b"\xff\xfe", -32700),
                       (b'{"a":1,"a":2}', -32700), (b"[" * 300, -32700)):
        client.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        answer = client.wait(lambda m: "id" in m)
        equal((answer["id"], answer["error"]["code"]), (None, code))
    client.write(b"Nonsense: 1\r\n\r\n")
    equal(client.wait(lambda m: "id" in m)["error"]["code"], -32700)
    client.write(b"Content-Length: x\r\n\r\n")
    equal(client.wait(lambda m: "id" in m)["error"]["code"], -32700)
    client.send({"jsonrpc": "2.0", "id": 99, "result": None})  # an answer to nothing
    for params in (None, [], {"textDocument": 5}, {"textDocument": {"uri": DOC}, "position": "x"}):
        message = {"jsonrpc": "2.0", "id": 7, "method": "textDocument/hover"}
        if params is not None:
            message["params"] = params
        client.send(message)
        client.answer(7)
    client.write(b"content-length:  %d \r\nContent-Type: x\r\n\r\n" % 49
                 + b'{"jsonrpc":"2.0","id":1000,"method":"shutdown"}  ')
    equal(client.answer(1000)["result"], None)
    client.notify("exit")
    equal(client.end(), 0)


def test_messages_may_arrive_in_pieces():
    client = Client(MANGLE, "lsp")
    body = json.dumps({"jsonrpc": "2.0", "id": "one", "method": "initialize",
                       "params": {"capabilities": {}}}).encode()
    for byte in b"Content-Length: %d\r\n\r\n%s" % (len(body), body):
        client.write(bytes([byte]))
    equal(client.answer("one")["result"]["serverInfo"]["name"], "mangle")
    equal(client.leave(), 0)


def test_a_waiting_request_can_be_cancelled():
    client = start()
    hover = {"jsonrpc": "2.0", "id": 50, "method": "textDocument/hover",
             "params": at(PATHS, "edge")}
    cancel = {"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": 50}}
    data = b""
    for message in (hover, cancel):
        body = json.dumps(message).encode()
        data += b"Content-Length: %d\r\n\r\n%s" % (len(body), body)
    client.write(data)
    equal(client.answer(50)["error"]["code"], -32800)
    client.notify("$/cancelRequest", id=12345)  # of nothing
    equal(client.leave(), 0)


# ---- diagnostics


def test_findings_have_place_class_severity_and_hint():
    text = "p(X) :- q(X).\nq(Y).\n"
    client = start(text)
    first, = client.findings(DOC, 1)
    equal((first["severity"], first["code"], first["source"]), (1, "VAR_UNBOUND", "mangle"))
    equal(slice_of(text, first["range"]), "Y")
    client.change(DOC, 2, "p(X) :- q(X).\nq(1).\nn(X)@[now] :- n(X).\n")
    assert [f["code"] for f in client.findings(DOC, 2)]
    client.change(DOC, 3, "p(X) :- q(X).\nq(1).\n")
    equal(client.findings(DOC, 3), [])
    equal(client.leave(), 0)


def test_a_near_name_is_told_and_offered_as_repair():
    text = "edge(/a).\npath(X) :- egde(X).\n"
    client = start(text)
    finding, = client.findings(DOC)
    assert "Did you mean" in finding["message"], finding
    actions = client.request("textDocument/codeAction", textDocument={"uri": DOC},
                             range=finding["range"], context={"diagnostics": []})
    action, = actions
    equal(action["kind"], "quickfix")
    fixed = apply(text, action["edit"]["changes"][DOC])
    equal(fixed, "edge(/a).\npath(X) :- edge(X).\n")
    client.change(DOC, 2, fixed)
    equal(client.findings(DOC, 2), [])
    equal(client.request("textDocument/codeAction", textDocument={"uri": DOC},
                         range=finding["range"], context={"diagnostics": []}), [])
    equal(client.leave(), 0)


def test_repairs_are_names_as_the_file_writes_them():
    for text, wrong, right in (
            ("p(X) :- X = fn:pluss(1, 2).\n", "fn:pluss", "fn:plus"),
            ("q(1).\np(X) :- q(X), :match_prefx(X, /a).\n", ":match_prefx", ":match_prefix")):
        client = start(text)
        finding = client.findings(DOC)[0]
        actions = client.request("textDocument/codeAction", textDocument={"uri": DOC},
                                 range=finding["range"], context={"diagnostics": []})
        equal([apply(text, a["edit"]["changes"][DOC]) for a in actions],
              [text.replace(wrong, right)])
        equal(client.leave(), 0)


def test_values_outside_of_their_bounds_are_warnings():
    text = "Decl n(X) bound [/number].\nn(\"one\").\n"
    client = start(text)
    finding, = client.findings(DOC)
    equal((finding["severity"], finding["code"]), (2, "BOUNDS_FACT"))
    equal(client.leave(), 0)
    client = start(text, options={"checkBounds": False})
    equal(client.findings(DOC), [])
    equal(client.leave(), 0)


def test_a_closed_document_has_no_findings():
    client = start("p(X).")
    equal(len(client.findings(DOC)), 1)
    client.notify("textDocument/didClose", textDocument={"uri": DOC})
    equal(client.findings(DOC), [])
    equal(client.refused("textDocument/hover", **at("p", "p"))["code"], -32602)
    equal(client.leave(), 0)


def test_a_burst_of_changes_is_checked_at_its_end():
    client = start("p(1).")
    client.findings(DOC)
    for version in range(2, 200):
        client.change(DOC, version, f"p({version}).")
    client.change(DOC, 200, "p(X).")
    seen = 0
    while True:
        message = client.wait(lambda m: m.get("method") == "textDocument/publishDiagnostics")
        seen += 1
        if message["params"]["version"] == 200:
            break
    equal(len(message["params"]["diagnostics"]), 1)
    assert seen < 150, seen
    equal(client.leave(), 0)


# ---- texts and positions


def test_parts_of_a_text_can_change():
    client = start("p(1).\nq(2).\n")
    client.change(DOC, 2, ((0, 2), (0, 3), "X"), ((1, 0), (2, 0), ""), ((9, 9), (9, 9), "r(Y)."))
    findings = client.findings(DOC, 2)
    equal([slice_of("p(X).\nr(Y).", f["range"]) for f in findings], ["X", "Y"])
    client.change(DOC, 3, ((0, 0), (7, 0), ""))
    equal(client.findings(DOC, 3), [])
    equal(client.leave(), 0)


def test_positions_count_as_agreed():
    text = 's("\U0001F600\u00e9", Xx). t("\U0001F600").\nu(Y) :- s("\U00010000", Y), t(_).'
    for encodings, used in ((None, "utf-16"), (["utf-32", "utf-16"], "utf-32"),
                            (["utf-16", "utf-8"], "utf-8"), (["utf-7"], "utf-16")):
        client = Client(MANGLE, "lsp")
        equal(client.initialize(encodings=encodings)["positionEncoding"], used)
        client.open(DOC, text)
        finding, = client.findings(DOC)
        equal(slice_of(text, finding["range"], used), "Xx")
        highlights = client.request("textDocument/documentHighlight", textDocument={"uri": DOC},
                                    position=place(text, "Y), t", 0, used))
        equal([slice_of(text, h["range"], used) for h in highlights], ["Y", "Y"])
        start_of, end_of = place(text, "Xx", 0, used), place(text, "Xx", 2, used)
        client.change(DOC, 2, (tuple(start_of.values()), tuple(end_of.values()), '"\U0001F600"'))
        equal(client.findings(DOC, 2), [])
        equal(client.leave(), 0)


def test_a_position_behind_the_end_is_the_end():
    client = start("p(X).\n")
    for line, character in ((0, 10**9), (10**9, 0), (2**33, 2**40), (0, -5)):
        client.request("textDocument/hover", textDocument={"uri": DOC},
                       position=position(line, character))
    equal(client.leave(), 0)


def test_lines_may_end_in_any_way():
    text = "p(1).\r\nq(X) :- p(X), r(X).\rs(2).\n"
    client = start(text)
    finding, = client.findings(DOC)
    equal(finding["range"], {"start": position(1, 14), "end": position(1, 18)})
    equal(client.leave(), 0)


# ---- hover


def hover(client, text, mark, offset=0):
    answer = client.request("textDocument/hover", **at(text, mark, offset))
    return answer and answer["contents"]["value"]


def test_hover_tells_documentation_and_types():
    client = start()
    edge = hover(client, PATHS, "edge(X, Y).")
    for part in ("edge(From : /name, To : /name)", "There is a way.", "`To`: where it ends",
                 "1 fact"):
        assert part in edge, edge
    path = hover(client, PATHS, "path(X, Z)")
    assert "path(/name, /name)" in path and "2 rules" in path, path
    equal(hover(client, PATHS, "Z)"), "```mangle\nZ : /name\n```\n")
    assert "Declares a predicate" in hover(client, PATHS, "Decl")
    assert "What the predicate says." in hover(client, PATHS, "doc(")
    assert "Names such as" in hover(client, PATHS, "/name]")
    equal(hover(client, PATHS, ":-"), None)
    equal(client.leave(), 0)


def test_hover_tells_what_builtins_do():
    text = "p(Y) :- q(X), Y = fn:plus(X, 1), :match_prefix(Y, /a), X < 3.\nq(1).\n"
    client = start(text)
    plus = hover(client, text, "fn:plus")
    assert "fn:plus : /number... -> /number" in plus and "The sum" in plus and "# =>" in plus, plus
    assert ":match_prefix" in hover(client, text, ":match_prefix")
    equal(client.leave(), 0)


def test_hover_works_beside_errors():
    text = PATHS + "broken(X :- edge(X).\nwrong(Z) :- path(A, B), nope(A), Q = .\n"
    client = start(text)
    assert client.findings(DOC)
    assert "There is a way." in hover(client, text, "edge(X, Y).")
    equal(hover(client, text, "Z)"), "```mangle\nZ : /name\n```\n")
    assert "path(/name, /name)" in hover(client, text, "path(A, B)")
    equal(hover(client, text, "B), nope"), "```mangle\nB : /any\n```\n")
    equal(client.leave(), 0)


# ---- navigation


def spots(text, locations):
    """(line, text) of each location."""
    return [(spot["range"]["start"]["line"], slice_of(text, spot["range"])) for spot in locations]


def test_definition_leads_to_declaration_and_clauses():
    client = start()
    equal(spots(PATHS, client.request("textDocument/definition", **at(PATHS, "edge(X, Y).", 4))),
          [(0, "edge"), (1, "edge")])
    equal(spots(PATHS, client.request("textDocument/declaration", **at(PATHS, "edge(/a"))),
          [(0, "edge")])
    equal(spots(PATHS, client.request("textDocument/definition", **at(PATHS, "path(Y, Z)"))),
          [(2, "path")])
    equal(client.request("textDocument/definition", **at(PATHS, "Z)."))[0]["range"],
          client.request("textDocument/definition", **at(PATHS, "Z) :-"))[0]["range"])
    equal(client.request("textDocument/definition", **at(PATHS, ":-")), [])
    equal(client.leave(), 0)


def test_references_are_all_uses():
    client = start()
    every = client.request("textDocument/references", **at(PATHS, "edge(/a"),
                           context={"includeDeclaration": True})
    equal(spots(PATHS, every), [(n, "edge") for n in (0, 1, 2, 3)])
    uses = client.request("textDocument/references", **at(PATHS, "edge(/a"),
                          context={"includeDeclaration": False})
    equal(spots(PATHS, uses), [(2, "edge"), (3, "edge")])
    kinds = client.request("textDocument/documentHighlight", **at(PATHS, "edge(/a"))
    equal([k["kind"] for k in kinds], [3, 3, 2, 2])
    variables = client.request("textDocument/references", **at(PATHS, "Y), path"),
                               context={"includeDeclaration": True})
    equal(spots(PATHS, variables), [(3, "Y"), (3, "Y")])
    equal(client.leave(), 0)


def test_symbols_are_the_runs_of_clauses():
    client = start(PATHS + "edge(/b, /c). edge(/c, /d).\nhalf(")
    symbols = client.request("textDocument/documentSymbol", textDocument={"uri": DOC})
    equal([(s["name"], s["detail"], s["kind"]) for s in symbols],
          [("edge/2", "Decl", 11), ("edge/2", "1 fact", 14), ("path/2", "2 rules", 12),
           ("edge/2", "2 facts", 14), ("half/0", "1 fact", 14)])
    equal(symbols[2]["range"], {"start": position(2, 0), "end": position(3, 37)})
    equal(client.leave(), 0)


# ---- rename


def renamed(client, text, mark, name, where=DOC):
    edit = client.request("textDocument/rename", **at(text, mark, where=where), newName=name)
    return edit["changes"]


def test_rename_changes_a_predicate_everywhere():
    text = ('Decl w(X) bound ["node"] inclusion [node(X)].\nnode(1). node(1, 2).\n'
            "w(X) :- node(X), !node(X, X). # node\n")
    client = start(text)
    prepared = client.request("textDocument/prepareRename", **at(text, "node(1)", 2))
    equal((slice_of(text, prepared["range"]), prepared["placeholder"]), ("node", "node"))
    equal(apply(text, renamed(client, text, "node(1)", "point")[DOC]),
          'Decl w(X) bound ["point"] inclusion [point(X)].\npoint(1). node(1, 2).\n'
          "w(X) :- point(X), !node(X, X). # node\n")
    equal(client.leave(), 0)


def test_rename_changes_a_variable_in_its_clause():
    client = start()
    equal(apply(PATHS, renamed(client, PATHS, "Y), path", "Via")[DOC]),
          PATHS.replace("edge(X, Y), path(Y, Z)", "edge(X, Via), path(Via, Z)"))
    equal(client.leave(), 0)


def test_rename_refuses_with_a_reason():
    text = PATHS + "n(N) :- path(_, _) |> do fn:group_by(), let N = fn:count().\nm(1).\n"
    client = start(text)
    for mark, name, reason in (
            ("path(X, Y)", "edge", '"edge" is taken'), ("path(X, Y)", "Path", "small letter"),
            ("path(X, Y)", "fn:x", "small letter"), ("path(X, Y)", "", "small letter"),
            ("path(X, Y)", "temporal", "word of the language"), ("X, Y).", "y", "capital letter"),
            ("X, Y).", "Y", '"Y" is taken'), ("X, Y).", "X_1", "capital letter"),
            ("X, Y).", "Decl", "word of the language"), ("fn:count", "a", "built in"),
            ("let", "a", "word of the language"), ("/a, /b", "a", "only predicates"),
            (":-", "a", "no name here")):
        error = client.refused("textDocument/rename", **at(text, mark), newName=name)
        assert reason in error["message"], (mark, name, error)
    error = client.refused("textDocument/prepareRename", **at(text, "fn:count"))
    assert "built in" in error["message"], error
    equal(client.leave(), 0)


# ---- completion


def items(client, text, where=DOC):
    """Completion at the `|` of the text: label -> item."""
    cursor = text.index("|")
    without = text[:cursor] + text[cursor + 1:]
    client.notify("textDocument/didOpen", textDocument={
        "uri": where, "languageId": "mangle", "version": 1, "text": without})
    line = without.count("\n", 0, cursor)
    character = units(without[without.rfind("\n", 0, cursor) + 1:cursor])
    got = client.request("textDocument/completion", textDocument={"uri": where},
                         position=position(line, character))
    return {item["label"]: item for item in got}


def test_completion_offers_what_may_stand_there():
    client = start(None, snippets=True)
    body = items(client, PATHS + "q(A, B) :- ed|")
    edge = body["edge/2"]
    equal(edge["textEdit"]["newText"], "edge(${1:From}, ${2:To})")
    equal(edge["insertTextFormat"], 2)
    equal(edge["detail"], "edge(From : /name, To : /name)")
    equal(edge["documentation"], "There is a way.")
    assert "path/2" not in body
    equal(items(client, PATHS + "q(A) :- ed|(A).")["edge/2"]["textEdit"]["newText"], "edge")
    body = items(client, PATHS + "q(A, B) :- path(A, C), |")
    missing = {"edge/2", "path/2", "A", "B", "C", ":match_prefix", "fn:plus"} - set(body)
    equal(missing, set())
    equal(body["C"]["kind"], 6)
    inner = items(client, PATHS + "q(A, B) :- path(A, |")
    assert {"A", "B", "fn:plus", "/a"} <= set(inner) and "edge/2" not in inner, inner.keys()
    assert set(items(client, PATHS + "q(A) :- A = fn:str|")) >= {"fn:string:concat"}
    assert all(name.startswith(":") for name in items(client, PATHS + "q(A) :- path(A, _), :m|"))
    equal(client.leave(), 0)


def test_completion_knows_the_parts_of_a_declaration():
    client = start(None)
    names = set(items(client, "Decl p(X) des|"))
    assert "descr" in names, names
    names = set(items(client, "Decl p(X) descr [d|"))
    equal(names, {"doc", "deferred"})
    names = set(items(client, "Decl p(X) bound [/n|"))
    assert {"/number", "/name"} <= names and "doc" not in names, names
    equal(set(items(client, "Decl p(X) bound [.Li|")), {".List"})
    equal(set(items(client, "Decl p(X) descr [doc(\"d|")), set())
    equal(set(items(client, "q(1). Decl p(X) bound [\"q|")), {"q"})
    assert "Decl" in items(client, "q(1).\nD|")
    equal(items(client, "q(1). # ed|"), {})
    equal(client.leave(), 0)


def test_signature_help_follows_the_arguments():
    client = start(None)
    text = PATHS + "q(A) :- edge(fn:plus(1, 2), "
    client.open(DOC, text)
    end = place(text + "\0", "\0")
    got = client.request("textDocument/signatureHelp", textDocument={"uri": DOC}, position=end)
    equal(got["signatures"][0]["label"], "edge(From : /name, To : /name)")
    equal(got["activeParameter"], 1)
    equal(got["signatures"][0]["parameters"][1],
          {"label": "To : /name", "documentation": "where it ends"})
    got = client.request("textDocument/signatureHelp", **at(text, "2)"))
    assert got["signatures"][0]["label"].startswith("fn:plus : "), got
    equal(client.request("textDocument/signatureHelp", **at(text, "edge(X, Y).")), None)
    equal(client.leave(), 0)


# ---- layout and colours


def test_formatting_is_that_of_mangle_fmt():
    text = "p( 1 ).\n\n\n\nq(X):-p(X),\n p( X ) .  # note\nr(2).\n"
    client = start(text)
    edits = client.request("textDocument/formatting", textDocument={"uri": DOC},
                           options={"tabSize": 4, "insertSpaces": True})
    equal(len(edits), 1)
    with tempfile.NamedTemporaryFile("w", suffix=".mg") as file:
        file.write(text)
        file.flush()
        subprocess.run([MANGLE, "fmt", file.name], check=True, capture_output=True)
        expected = pathlib.Path(file.name).read_text()
    equal(apply(text, edits), expected)
    equal(edits[0]["range"]["end"], position(6, 0))  # only what differs
    client.change(DOC, 2, expected)
    equal(client.request("textDocument/formatting", textDocument={"uri": DOC}, options={}), [])
    client.change(DOC, 3, "p(")
    error = client.refused("textDocument/formatting", textDocument={"uri": DOC}, options={})
    assert "syntax errors" in error["message"], error
    equal(client.leave(), 0)


def test_semantic_tokens_name_every_word():
    client = Client(MANGLE, "lsp")
    legend = client.initialize()["semanticTokensProvider"]["legend"]["tokenTypes"]
    text = 'Package a!\np(X) :- :lt(X, 3), q("\U0001F600\nb", X). # note\n'
    client.open(DOC, text)
    data = client.request("textDocument/semanticTokens/full", textDocument={"uri": DOC})["data"]
    line = character = 0
    got = []
    for i in range(0, len(data), 5):
        character = data[i + 1] + (0 if data[i] else character)
        line += data[i]
        span = {"start": position(line, character),
                "end": position(line, character + data[i + 2])}
        got.append((slice_of(text, span), legend[data[i + 3]]))
    equal(got, [("Package", "keyword"), ("a", "namespace"), ("p", "function"), ("X", "variable"),
                (":lt", "operator"), ("X", "variable"), ("3", "number"), ("q", "function"),
                ('"\U0001F600', "string"), ('b"', "string"), ("X", "variable"),
                ("# note", "comment")])
    equal(client.leave(), 0)


# ---- workspaces


def write(root, **files):
    for name, text in files.items():
        path = pathlib.Path(root, name.replace("__", "/") + ".mg")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def test_a_file_is_a_program_of_its_own():
    with tempfile.TemporaryDirectory() as root:
        write(root, one="p(1).\np(2) :- q(2).\n", two="q(X) :- p(X).\np(\"x\", 2).\n")
        client = Client(MANGLE, "lsp")
        client.initialize(root=root)
        one = uri(root + "/one.mg")
        client.open(one, "p(1).\np(2) :- q(2).\n")
        finding, = client.findings(one)
        equal(finding["code"], "PRED_UNKNOWN")
        equal(client.leave(), 0)


def test_folders_can_be_programs():
    with tempfile.TemporaryDirectory() as root:
        write(root, one="p(2) :- q(2).\n", two="q(X) :- r(X). r(1).\n", below__three="p(X).")
        client = Client(MANGLE, "lsp")
        client.initialize(root=root, options={"programs": "folder"})
        one = uri(root + "/one.mg")
        client.open(one, "p(2) :- q(2).\n")
        equal(client.findings(one), [])
        equal(client.leave(), 0)


def test_what_lies_below_a_project_file_is_one_program():
    with tempfile.TemporaryDirectory() as root:
        texts = {"rules/path.mg": "path(X, Y) :- edge(X, Y), known(X).\n", "facts/edges.mg": "edge(1, 2).\n",
                 "rules/deep/known.mg": "known(X) :- edge(X, _).\n", "rules/path_test.mg": "edge(1, 2, 3).\npath(X) :- path(X, _).\n",
                 "other/alone.mg": "p(X) :- edge(X, _).\n"}
        for name, text in texts.items():
            path = pathlib.Path(root, "project" if not name.startswith("other") else "", name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        pathlib.Path(root, "project", "mangle.yaml").write_text("# what lies below is one program\n")
        client = Client(MANGLE, "lsp")
        client.initialize(root=root)
        for name in ("rules/path.mg", "rules/deep/known.mg", "facts/edges.mg"):
            at = uri(f"{root}/project/{name}")
            client.open(at, texts[name])
            equal(client.findings(at), [])
        tests = uri(f"{root}/project/rules/path_test.mg")
        client.open(tests, texts["rules/path_test.mg"])  # of itself and the program, which it is no part of
        equal({f["code"] for f in client.findings(tests)}, {"ARITY_HEAD"})
        alone = uri(f"{root}/other/alone.mg")
        client.open(alone, texts["other/alone.mg"])
        equal([f["code"] for f in client.findings(alone)], ["PRED_UNKNOWN"])
        equal(client.leave(), 0)


def test_a_workspace_can_be_one_program():
    with tempfile.TemporaryDirectory() as root:
        write(root, one="p(2) :- q(2).\n", below__two="q(X) :- r(X). r(1).\n")
        client = Client(MANGLE, "lsp")
        client.initialize(root=root, options={"programs": "workspace"})
        one = uri(root + "/one.mg")
        client.open(one, "p(2) :- q(2).\n")
        equal(client.findings(one), [])
        equal(client.leave(), 0)


LIB = "Package lib!\nDecl q(X) descr [doc(\"a q\")].\nq(1).\nr(X) :- q(X).\n"
MAIN = "Use lib!\np(X) :- lib.q(X), lib.r(X).\n"


def test_packages_are_found_in_the_workspace():
    with tempfile.TemporaryDirectory() as root:
        write(root, lib=LIB, main=MAIN, other__lib="Package lib!\nq(7).\n", other__main=MAIN)
        client = Client(MANGLE, "lsp")
        client.initialize(root=root)
        main, lib = uri(root + "/main.mg"), uri(root + "/lib.mg")
        client.open(main, MAIN)
        equal(client.findings(main), [])
        definition = client.request("textDocument/definition", **at(MAIN, "lib.q", 5, main))
        equal([(d["uri"], slice_of(LIB, d["range"])) for d in definition], [(lib, "q"), (lib, "q")])
        assert "a q" in client.request("textDocument/hover",
                                       **at(MAIN, "lib.q", 5, main))["contents"]["value"]
        package = client.request("textDocument/definition", **at(MAIN, "lib!", 0, main))
        equal([(d["uri"], slice_of(LIB, d["range"])) for d in package], [(lib, "lib")])
        changes = renamed(client, MAIN, "lib.q", "quark", main)
        equal(set(changes), {main, lib})
        equal(apply(MAIN, changes[main]), MAIN.replace("lib.q", "lib.quark"))
        equal(apply(LIB, changes[lib]), LIB.replace("q(", "quark("))
        # From the library its users are found, also those that are not open.
        client.open(lib, LIB)
        found = client.request("textDocument/references", **at(LIB, "q(1)", 0, lib),
                               context={"includeDeclaration": True})
        equal(sorted({f["uri"] for f in found}), sorted({main, lib}))
        # A change of the library is seen by its users.
        client.findings(lib)
        client.change(lib, 2, LIB.replace("r(X)", "s(X)"))
        codes = [f["code"] for f in client.findings(main)]
        equal(codes, ["PRED_UNKNOWN"])
        client.notify("textDocument/didClose", textDocument={"uri": lib})  # the file is as before
        equal(client.findings(main), [])
        pathlib.Path(root, "lib.mg").unlink()
        client.notify("workspace/didChangeWatchedFiles", changes=[{"uri": lib, "type": 3}])
        assert client.findings(main)
        equal(client.leave(), 0)


def test_a_missing_use_is_offered():
    with tempfile.TemporaryDirectory() as root:
        write(root, lib=LIB)
        client = Client(MANGLE, "lsp")
        client.initialize(root=root)
        main = uri(root + "/main.mg")
        text = "Package mine!\np(X) :- lib.q(X).\n"
        client.open(main, text)
        findings = client.findings(main)
        assert "PKG_USE_MISSING" in [f["code"] for f in findings], findings
        actions = client.request("textDocument/codeAction", textDocument={"uri": main},
                                 range=findings[0]["range"], context={"diagnostics": []})
        action = next(a for a in actions if a["title"] == "Use lib!")
        equal(apply(text, action["edit"]["changes"][main]),
              "Package mine!\nUse lib!\np(X) :- lib.q(X).\n")
        equal(client.leave(), 0)


def test_rules_of_a_domain_are_checked_together():
    with tempfile.TemporaryDirectory() as root:
        write(root, rules__schema__facts="Decl seen(Tool) bound [/string].\n",
              rules__domain__pick="chosen(T) :- seen(T), tool(T).\n", stray="p(X).")
        pathlib.Path(root, "domain.yaml").write_text("identity: x\n")
        pick = root + "/rules/domain/pick.mg"
        client = Client(MANGLE, "lsp")
        client.initialize()  # without a workspace folder
        text = pathlib.Path(pick).read_text()
        client.open(uri(pick), text)
        equal(client.findings(uri(pick)), [])
        definition = client.request("textDocument/definition", **at(text, "seen", 0, uri(pick)))
        equal([d["uri"] for d in definition], [uri(root + "/rules/schema/facts.mg")])
        equal(client.request("textDocument/definition", **at(text, "tool", 0, uri(pick))), [])
        assert client.request("textDocument/hover", **at(text, "tool", 0, uri(pick)))
        error = client.refused("textDocument/rename", **at(text, "tool", 0, uri(pick)),
                               newName="thing")
        assert "standard rules" in error["message"], error
        equal(client.leave(), 0)


# ---- hardships


def test_broken_texts_are_survived():
    client = start("")
    texts = ["p(", "p(X) :- ", "Decl", "Decl p(", "\"", "p(\"", "[", "{/a:", "@[", "<-[", "Package",
             "Use a", "p(X) :- q(X), |> do ", "fn:", ":", "/", ".", "\0", "\ufeff", "#", "\\",
             "\U0010ffff", "p(X) :- fn:list(", "Decl p(X) bound [.Struct<", "p(b\"\\x", "\r\r\n",
             "Decl p(X) bound [\"p\"].", "Decl p(X, X) descr [arg(X)].", "x" * 100000,
             "(" * 5000, "p" + "(p" * 5000, "p(" + "1," * 30000 + "1)."]
    for version, text in enumerate(texts, 2):
        client.change(DOC, version, text)
        end = position(text.count("\n"), len(text))
        for method in ("hover", "completion", "definition", "documentHighlight", "signatureHelp"):
            client.request("textDocument/" + method, textDocument={"uri": DOC}, position=end)
        for method in ("documentSymbol", "semanticTokens/full"):
            client.request("textDocument/" + method, textDocument={"uri": DOC})
        client.ask("textDocument/rename", textDocument={"uri": DOC}, position=end, newName="a")
        client.ask("textDocument/formatting", textDocument={"uri": DOC}, options={})
    equal(client.leave(), 0)


def test_a_program_is_followed_while_it_is_typed():
    client = start("")
    for n in range(1, len(PATHS) + 1):
        line = PATHS.count("\n", 0, n - 1)
        character = n - 1 - (PATHS.rfind("\n", 0, n - 1) + 1)
        client.change(DOC, n + 1, ((line, character), (line, character), PATHS[n - 1]))
        here = {"textDocument": {"uri": DOC}, "position": place(PATHS[:n] + "\0", "\0")}
        client.request("textDocument/completion", **here)
    equal(client.findings(DOC, len(PATHS) + 1), [])
    equal(client.leave(), 0)


def test_a_huge_document_is_no_obstacle():
    text = "".join(f"n({i}, \"value {i}\").\n" for i in range(50000)) + "p(X) :- n(X, Y).\n"
    client = start(text)
    equal(client.findings(DOC), [])
    equal(hover(client, text, "X) :-"), "```mangle\nX : /number\n```\n")
    equal(client.leave(), 0)


def main():
    tests = [(name, f) for name, f in globals().items() if name.startswith("test_")
             and (len(sys.argv) < 3 or name in sys.argv[2:])]
    print(f"1..{len(tests)}")
    failed = False
    for number, (name, test) in enumerate(tests, 1):
        try:
            test()
            print(f"ok {number} - {name}", flush=True)
        except Exception:  # noqa: BLE001: a test failed, whatever way
            failed = True
            print(f"not ok {number} - {name}")
            print("".join("# " + line + "\n" for line in traceback.format_exc().splitlines()),
                  end="", flush=True)
    return failed


sys.exit(main())
