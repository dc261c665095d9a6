# What a request says that its body is: mangle test domains
#: load ../schema/20_evidence.mg ../schema/30_causality.mg 25_requests.mg 30_causes.mg 30_causes_requests.mg 31_troubles.mg 32_links.mg 33_cleared.mg 34_rank.mg 40_common.mg 41_network.mg 42_policy.mg 43_session.mg 43_tokens.mg 44_bodies.mg 44_order.mg 44_reads.mg 44_sent.mg 45_imports.mg 45_scripts.mg 46_sockets.mg 47_forms.mg 48_rendering.mg 49_speed.mg 50_silent.mg 51_stopped.mg 52_body_kind.mg 53_messages.mg 54_time.mg 55_kept.mg 56_paging.mg 57_wiring.mg
#: now 2026-02-19T12:00:10Z
request("r0", "GET", "https://app.test/",
        "document")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:00.050Z].
request_path("r0", "https://app.test", "/").
request_route("r0", "/").
answer("r0", 200, "text/html")@[2026-02-19T12:00:00.050Z].
watched("https://app.test/")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:08Z].
# Sent, and answered with a status.
Decl sent(R, Status) bound [/string, /number].
request(R, "POST", "https://app.test/api/files",
        "data")@[2026-02-19T12:00:01Z, 2026-02-19T12:00:01.200Z] :-
  sent(R, _).
request_path(R, "https://app.test", "/api/files") :- sent(R, _).
request_route(R, "/api/files") :- sent(R, _).
answer(R, Status, "application/json")@[2026-02-19T12:00:01.200Z] :- sent(R, Status).
stack(R, 0, "send", "https://app.test/up.js", 7) :- sent(R, _).

#: test parts of a form without a boundary
sent("r1", 400).
sent_header("r1", "content-type", "multipart/form-data").
#: expect
suspect("r1", "wrong_body_type",
        "POST /api/files says multipart/form-data without a boundary: its parts cannot be told apart").
suspect("r1", "rejected", "POST /api/files answered 400").

#: test JSON that is called a text, and a form that is called JSON
sent("r1", 415).
sent_header("r1", "content-type", "text/plain;charset=UTF-8").
sent_form("r1", "json").
sent("r2", 400).
sent_header("r2", "content-type", "application/json").
sent_form("r2", "urlencoded").
#: expect
suspect("r1", "wrong_body_type",
        "POST /api/files sends JSON and says that it is text/plain;charset=UTF-8").
suspect("r2", "wrong_body_type",
        "POST /api/files says that it sends JSON and sends fields of a form").
suspect("r1", "rejected", "POST /api/files answered 415").
suspect("r2", "rejected", "POST /api/files answered 400").

#: test JSON that is sent without a word of what it is
sent("r1", 415).
sent_header("r1", "content-type", "none").
sent_form("r1", "json").
#: expect contains
suspect("r1", "wrong_body_type", "POST /api/files sends JSON and does not say that it is").
change_at("r1", "/up.js:7", "send it with the header content-type: application/json").

#: test a boundary, JSON of a kind, a text that was taken, and JSON that was refused for what it says
sent("r1", 400).
sent_header("r1", "content-type", "multipart/form-data; boundary=----WebKitFormBoundary1").
sent("r2", 422).
sent_header("r2", "content-type", "application/merge-patch+json").
sent_form("r2", "json").
sent("r3", 200).
sent_header("r3", "content-type", "text/plain").
sent_form("r3", "json").
sent("r4", 422).
sent_header("r4", "content-type", "application/json").
sent_form("r4", "json").
sent("r5", 401).
sent_header("r5", "content-type", "text/plain").
sent_form("r5", "json").
sent("r6", 400).
sent_header("r6", "content-type", "none").
sent_form("r6", "text").
sent("r7", 400).
sent_form("r7", "json").
#: expect none without_boundary/1
#: expect none not_called_json/2
#: expect none sends_no_json/2

#: test an object that was not made JSON, whatever the answer and what it is called
sent("r1", 400).
sent_header("r1", "content-type", "application/json").
sent_form("r1", "object").
sent("r2", 200).
sent_header("r2", "content-type", "text/plain;charset=UTF-8").
sent_form("r2", "object").
sent("r3", 500).
sent_form("r3", "nothing").
sent("r4", 422).
sent_header("r4", "content-type", "application/json").
sent_form("r4", "twice").
#: expect contains
suspect("r1", "wrong_body_type",
        "POST /api/files says that it sends JSON and sends the text [object Object]: an object that was not made JSON (JSON.stringify)").
suspect("r2", "wrong_body_type",
        "POST /api/files sends the text [object Object]: an object that was not made JSON (JSON.stringify)").
suspect("r3", "wrong_body_type", "POST /api/files sends no value, the text undefined or NaN").
suspect("r4", "wrong_body_type",
        "POST /api/files says that it sends JSON and sends a text in which the JSON is: it was made JSON twice").
trouble("r2", 54, "what POST /api/files was to keep is not in what it was sent").
change_at("r2", "/up.js:7", "send JSON.stringify of it, and what is there by then").

#: test a form, where its server takes JSON
sent("r1", 415).
sent_header("r1", "content-type", "multipart/form-data; boundary=b").
sent_form("r1", "multipart").
refusal_says("r1", 1, "message", "expected JSON").
#: expect contains
suspect("r1", "wrong_body_type",
        "POST /api/files sends the parts of a form in place of JSON, which its server takes").

#: test a form that was refused for what is in it, one that was taken, a text that was taken
sent("r1", 422).
sent_header("r1", "content-type", "multipart/form-data; boundary=b").
sent_form("r1", "multipart").
refusal_says("r1", 1, "message", "the file is too big").
sent("r2", 200).
sent_form("r2", "urlencoded").
sent("r3", 200).
sent_header("r3", "content-type", "application/json").
sent_form("r3", "text").
#: expect none form_for_json/2
#: expect none sends_unmeant/2
#: expect none sends_no_json/2
