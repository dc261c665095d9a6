# Answers that are taken for what they are not: mangle test domains
#: load ../schema/20_evidence.mg ../schema/30_causality.mg 25_requests.mg 30_causes.mg 30_causes_requests.mg 31_troubles.mg 32_links.mg 33_cleared.mg 34_rank.mg 40_common.mg 41_network.mg 42_policy.mg 43_session.mg 43_tokens.mg 44_bodies.mg 44_sent.mg 44_order.mg 44_reads.mg 44_refused.mg 45_scripts.mg 45_imports.mg 46_sockets.mg 47_forms.mg 48_rendering.mg 49_speed.mg 50_silent.mg 52_body_kind.mg
#: now 2026-02-19T12:00:30Z
request("r0", "GET", "https://app.test/",
        "document")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:00.050Z].
request_path("r0", "https://app.test", "/").
answer("r0", 200, "text/html")@[2026-02-19T12:00:00.050Z].
# When it was asked and answered, in milliseconds.
Decl asked(R, From, To, Method, Path, Status)
  bound [/string, /number, /number, /string, /string, /number].
request(R, Method, Url, "data")@[A, B] :-
  asked(R, From, To, Method, Path, _),
  Url = fn:string:concat("https://app.test", Path),
  A = fn:time:from_unix_nanos(fn:plus(1771502400000000000, fn:mult(From, 1000000))),
  B = fn:time:from_unix_nanos(fn:plus(1771502400000000000, fn:mult(To, 1000000))).
request_path(R, "https://app.test", Path) :- asked(R, _, _, _, Path, _).
request_route(R, Path) :- asked(R, _, _, _, Path, _).
Decl typed(R, Mime) bound [/string, /string].
is_typed(R) :- typed(R, _).
answer(R, Status, "application/json")@[B] :-
  asked(R, _, To, _, _, Status),
  !is_typed(R),
  B = fn:time:from_unix_nanos(fn:plus(1771502400000000000, fn:mult(To, 1000000))).
answer(R, Status, Mime)@[B] :-
  asked(R, _, To, _, _, Status),
  typed(R, Mime),
  B = fn:time:from_unix_nanos(fn:plus(1771502400000000000, fn:mult(To, 1000000))).

# ---- an error that is taken for a success -------------------------------------------------------------------

#: test the code reads the list that only a success has
asked("r1", 100, 200, "GET", "/api/list", 200).
body_value("r1", "$.status", "error").
body_says_error("r1", "$.status", "error").
body_says_error("r1", "$.message", "registry is down").
code_asks_for("r1", "$.items", "https://app.test/a.js", 5).
#: expect
taken_for_success("r1").
trouble("r1", 52, "the error that GET /api/list answers is taken for a success").

#: test an errors member of a query language
asked("r1", 100, 200, "POST", "/graphql", 200).
body_says_error("r1", "$.errors[].message", "not found").
code_misses("r1", "$.data.order", "https://app.test/a.js", 5).
#: expect
taken_for_success("r1").

#: test ok is false
asked("r1", 100, 200, "POST", "/api/save", 200).
body_value("r1", "$.ok", "false").
body_says_error("r1", "$.ok", "false").
code_misses("r1", "$.id", "https://app.test/a.js", 5).
#: expect
taken_for_success("r1").

#: test what is null beside the error is missed as well
asked("r1", 100, 200, "GET", "/api/list", 200).
body_value("r1", "$.ok", "false").
body_says_error("r1", "$.ok", "false").
body_says_error("r1", "$.error.message", "registry is down").
body_type("r1", "$.days", "null").
code_takes("r1", "$.days", "https://app.test/a.js", 5).
#: expect
taken_for_success("r1").

#: test what is null without an error is not
asked("r1", 100, 200, "GET", "/api/list", 200).
body_type("r1", "$.days", "null").
code_takes("r1", "$.days", "https://app.test/a.js", 5).
#: expect none taken_for_success/1

#: test the code looks at it
asked("r1", 100, 200, "GET", "/api/list", 200).
body_value("r1", "$.ok", "false").
body_says_error("r1", "$.ok", "false").
code_takes("r1", "$.ok", "https://app.test/a.js", 4).
code_asks_for("r1", "$.items", "https://app.test/a.js", 5).
#: expect none taken_for_success/1

#: test the user is told what it says
asked("r1", 100, 200, "POST", "/api/coupon", 200).
body_value("r1", "$.success", "false").
body_says_error("r1", "$.success", "false").
body_says_error("r1", "$.message", "This code has expired").
code_asks_for("r1", "$.items", "https://app.test/a.js", 5).
shown("text", "Coupon\nThis code has expired").
#: expect none taken_for_success/1

#: test nothing of it is missed
asked("r1", 100, 200, "GET", "/api/list", 200).
body_value("r1", "$.status", "error").
body_says_error("r1", "$.status", "error").
#: expect none taken_for_success/1

# ---- JSON that ends too early, or is called a text ---------------------------------------------------------

#: test cut off, with and without letters of several bytes
asked("r1", 100, 200, "GET", "/api/a", 200).
body_kind("r1", "invalid_json").
json_breaks_off("r1", 537, 6).
asked("r2", 100, 200, "GET", "/api/b", 200).
body_kind("r2", "invalid_json").
json_breaks_off("r2", 100, 0).
#: expect
broken_off("r1",
           "GET /api/a answers JSON that is cut off after 537 bytes: does its Content-Length count characters in place of bytes?").
broken_off("r2", "GET /api/b answers JSON that is cut off after 100 bytes").
cause_of("r1", "r1").
cause_of("r2", "r2").

#: test what was given up is not cut off by its server, nor is another site's
asked("r1", 100, 200, "GET", "/api/a", 200).
body_kind("r1", "invalid_json").
json_breaks_off("r1", 537, 6).
request_cancelled("r1", "script:a.js:4").
request_failed("r1", "net::ERR_ABORTED")@[2026-02-19T12:00:00.200Z].
asked("r2", 100, 200, "GET", "/api/b", 200).
json_breaks_off("r2", 100, 0).
third_party("r2").
#: expect none broken_off/2

#: test JSON that is called a text, read by code that goes by the type
asked("r1", 100, 200, "GET", "/api/a", 200).
typed("r1", "text/plain").
body_kind("r1", "json").
code_goes_by_type("r1").
code_takes("r1", "$.items", "https://app.test/a.js", 5).
asked("r2", 100, 200, "GET", "/api/b", 200).
typed("r2", "text/html").
body_kind("r2", "json").
code_goes_by_type("r2").
code_takes("r2", "$.name", "https://app.test/a.js", 5).
asked("r3", 100, 200, "GET", "/api/c", 200).
typed("r3", "application/octet-stream").
body_kind("r3", "json").
code_goes_by_type("r3").
code_takes("r3", "$.items[]", "https://app.test/a.js", 5).
#: expect
called_text("r1", "text/plain").
called_text("r2", "text/html").
called_text("r3", "application/octet-stream").

#: test code that reads it as JSON whatever it is called, or says nothing of how it reads
asked("r1", 100, 200, "GET", "/api/a", 200).
typed("r1", "text/plain").
body_kind("r1", "json").
code_reads_json("r1").
code_takes("r1", "$.items", "https://app.test/a.js", 5).
asked("r2", 100, 200, "GET", "/api/b", 200).
typed("r2", "application/problem+json").
body_kind("r2", "json").
code_may_read_json("r2").
code_takes("r2", "$.name", "https://app.test/a.js", 5).
asked("r3", 100, 200, "GET", "/api/c", 200).
typed("r3", "text/plain").
body_kind("r3", "text").
code_may_read_json("r3").
#: expect none called_text/2

#: test what is no JSON, read as such and caught by somebody
asked("r1", 100, 200, "GET", "/api/a", 200).
body_kind("r1", "invalid_json").
code_reads_json("r1").
asked("r2", 100, 200, "GET", "/api/b", 200).
typed("r2", "text/html").
body_kind("r2", "html").
code_may_read_json("r2").
asked("r3", 100, 200, "POST", "/api/c", 200).
body_kind("r3", "empty").
code_reads_json("r3").
code_does_without("r3", "nothing").
unchanged_after("r3").
asked("r4", 100, 200, "GET", "/api/d", 200).
body_kind("r4", "invalid_json").
code_may_read_json("r4").
#: expect
unread_json("r1").
unread_json("r2").
unread_json("r3").
unread_json("r4").
cause_of("r1", "r1").
cause_of("r2", "r2").
cause_of("r3", "r3").
cause_of("r4", "r4").

#: test code that reads a text, goes by the type, looks first, has a value of its own, or shows what it should
asked("r1", 100, 200, "GET", "/api/a", 200).
body_kind("r1", "invalid_json").
asked("r2", 100, 200, "GET", "/api/b", 200).
typed("r2", "text/html").
body_kind("r2", "html").
code_may_read_json("r2").
code_goes_by_type("r2").
asked("r3", 100, 200, "GET", "/parts/list", 200).
typed("r3", "text/html").
body_kind("r3", "html").
asked("r4", 100, 200, "GET", "/api/flags", 200).
typed("r4", "text/html").
body_kind("r4", "html").
code_may_read_json("r4").
code_does_without("r4", "value").
asked("r5", 100, 200, "POST", "/api/c", 200).
body_kind("r5", "empty").
code_reads_json("r5").
code_does_without("r5", "nothing").
changed_after("r5").
asked("r6", 100, 200, "DELETE", "/api/d", 204).
body_kind("r6", "empty").
code_may_read_json("r6").
code_does_without("r6", "nothing").
unchanged_after("r6").
#: expect none unread_json/1

# ---- null by right, other names ------------------------------------------------------------------------------

#: test the end of a list is null by right, a member that is gone is not
asked("r1", 100, 200, "GET", "/api/list", 200).
asked("r2", 300, 400, "GET", "/api/list", 200).
body_changed("r2", "r1", "$.next", "string", "null").
body_changed("r2", "r1", "$.page.endCursor", "string", "null").
body_changed("r2", "r1", "$.items[].deletedAt", "string", "null").
body_changed("r2", "r1", "$.items[].amount", "number", "missing").
came_instead("r2", "$.items[].amount", "$.items[].sum").
#: expect
suspect("r2", "missing_member",
        "GET /api/list answered without $.items[].amount, which was there before: it has $.items[].sum in its place").

#: test another null is told
asked("r1", 100, 200, "GET", "/api/list", 200).
asked("r2", 300, 400, "GET", "/api/list", 200).
body_changed("r2", "r1", "$.owner", "object", "null").
#: expect
suspect("r2", "null_member", "GET /api/list answered null at $.owner, before it was object").

# ---- the thing of another id --------------------------------------------------------------------------------

#: test the same number with a prefix is the same thing
asked("r1", 100, 200, "GET", "/api/orders/{id}", 200).
body_value("r1", "$.id", "BK-4417").
answers_asked("r1", "$.id").
#: expect none mixed_up/2

#: test another is not
asked("r1", 100, 200, "GET", "/api/orders/{id}", 200).
body_value("r1", "$.id", "BK-4418").
#: expect
mixed_up("r1", "BK-4418").

# ---- sent without what an answer should have brought ----------------------------------------------------------

#: test null for the id of what was made and not answered
asked("r1", 100, 200, "POST", "/api/slots/12/hold", 204).
asked("r2", 2000, 2100, "POST", "/api/orders", 409).
sent_type("r2", "$.holdId", "null").
id_word("$.holdId", "hold").
#: expect
hollow_for("r2", "r1", "$.holdId").
suspect("r1", "missing_member",
        "POST /api/slots/12/hold answered 204 without a body: POST /api/orders had to send what it should have answered, and sent nothing (null) as $.holdId").
causes("r2", "r1", "it sent nothing for what that answer did not bring").
suspect("r2", "conflict", "POST /api/orders answered 409").

#: test left out, as the refusal says, after an answer that has other members
asked("r1", 100, 200, "POST", "/api/uploads", 201).
body_kind("r1", "json").
body_type("r1", "$.status", "string").
asked("r2", 2000, 2100, "POST", "/api/claims", 422).
refusal_about("r2", "upload_id").
#: expect
hollow_for("r2", "r1", "$.upload_id").

#: test another name, and the id by which both are about the same
asked("r1", 100, 200, "POST", "/api/carts/88/lock", 204).
asked("r2", 2000, 2100, "POST", "/api/orders", 400).
sent_type("r2", "$.reservationId", "null").
sent_value("r2", "$.cartId", "88").
id_word("$.cartId", "cart").
id_word("$.reservationId", "reservation").
#: expect
hollow_for("r2", "r1", "$.reservationId").

#: test the answer had brought it
asked("r1", 100, 200, "POST", "/api/slots/12/hold", 201).
body_kind("r1", "json").
body_type("r1", "$.id", "number").
asked("r2", 2000, 2100, "POST", "/api/orders", 409).
sent_type("r2", "$.holdId", "null").
id_word("$.holdId", "hold").
#: expect none hollow_for/3

#: test refused for another member
asked("r1", 100, 200, "POST", "/api/slots/12/hold", 204).
asked("r2", 2000, 2100, "POST", "/api/orders", 422).
sent_type("r2", "$.holdId", "null").
sent_type("r2", "$.name", "string").
refusal_about("r2", "name").
id_word("$.holdId", "hold").
#: expect none hollow_for/3

#: test accepted, though it is null
asked("r1", 100, 200, "POST", "/api/slots/12/hold", 204).
asked("r2", 2000, 2100, "POST", "/api/orders", 201).
sent_type("r2", "$.holdId", "null").
id_word("$.holdId", "hold").
#: expect none hollow_for/3

#: test saved before, and about something else
asked("r1", 100, 200, "PUT", "/api/settings", 204).
asked("r2", 2000, 2100, "POST", "/api/orders", 409).
sent_type("r2", "$.holdId", "null").
id_word("$.holdId", "hold").
#: expect none hollow_for/3
