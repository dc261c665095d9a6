# Numbers that were put one behind the other, and places in lists that were sent as ids: mangle test domains
#: load ../schema/20_evidence.mg ../schema/30_causality.mg 25_requests.mg 30_causes.mg 30_causes_requests.mg 31_troubles.mg 32_links.mg 33_cleared.mg 34_rank.mg 40_common.mg 41_network.mg 42_policy.mg 43_session.mg 43_tokens.mg 44_bodies.mg 44_order.mg 44_reads.mg 44_refused.mg 44_sent.mg 45_imports.mg 45_scripts.mg 46_sockets.mg 47_forms.mg 48_rendering.mg 49_speed.mg 50_silent.mg 51_stopped.mg 52_body_kind.mg 53_messages.mg 54_time.mg 55_kept.mg 56_paging.mg 57_wiring.mg 62_storage.mg 63_filled.mg 60_pressed.mg 61_room.mg
#: now 2026-02-19T12:00:10Z
request("r0", "GET", "https://app.test/",
        "document")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:00.050Z].
request_path("r0", "https://app.test", "/").
request_route("r0", "/").
answer("r0", 200, "text/html")@[2026-02-19T12:00:00.050Z].
watched("https://app.test/")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:08Z].
# A request in a line: the second in which it was sent, and its status.
Decl went(R, Method, Path, Second, Status) bound [/string, /string, /string, /number, /number].
Decl went_from(R, T) bound [/string, /time].
went_from(R, T) :-
  went(R, _, _, S, _),
  T = fn:time:from_unix_nanos(fn:mult(fn:plus(S, 1771502400), 1000000000)).
Decl went_to(R, T) bound [/string, /time].
went_to(R, T) :-
  went(R, _, _, S, _),
  T = fn:time:from_unix_nanos(fn:plus(fn:mult(fn:plus(S, 1771502400), 1000000000), 100000000)).
request(R, Method, Url, "data")@[A, B] :-
  went(R, Method, Path, _, _),
  went_from(R, A),
  went_to(R, B),
  Url = fn:string:concat("https://app.test", Path).
request_path(R, "https://app.test", Path) :- went(R, _, Path, _, _).
request_route(R, Path) :- went(R, _, Path, _, _).
answer(R, Status, "application/json")@[B] :- went(R, _, _, _, Status), went_to(R, B).
asked_by(R, "script") :- went(R, _, _, _, _).
body_kind(R, "json") :- went(R, _, _, _, _).

#: test two fields are joined in place of added
went("r1", "POST", "/api/hold", 2, 409).
filled_in("k1", "input#adults", "adults", "2")@[2026-02-19T12:00:02Z].
filled_in("k2", "input#kids", "kids", "4")@[2026-02-19T12:00:02Z].
sent_type("r1", "$.seats", "number").
sent_value("r1", "$.seats", "24").
#: expect contains
suspect("r1", "joined_numbers",
        "POST /api/hold was sent 24 as $.seats: `2` and `4` of the form, put one behind the other (as texts) in place of added").

#: test a number that somebody typed, a text of figures, and one that was taken
went("r1", "POST", "/api/hold", 2, 409).
went("r2", "POST", "/api/call", 2, 422).
went("r3", "POST", "/api/keep", 2, 200).
filled_in("k1", "input#a", "a", "2")@[2026-02-19T12:00:02Z].
filled_in("k2", "input#b", "b", "4")@[2026-02-19T12:00:02Z].
filled_in("k3", "input#c", "c", "24")@[2026-02-19T12:00:02Z].
filled_in("k4", "input#area", "area", "46")@[2026-02-19T12:00:02Z].
filled_in("k5", "input#phone", "phone", "7011")@[2026-02-19T12:00:02Z].
sent_type("r1", "$.seats", "number").
sent_value("r1", "$.seats", "24").
sent_type("r2", "$.phone", "string").
sent_value("r2", "$.phone", "467011").
sent_type("r3", "$.count", "number").
sent_value("r3", "$.count", "42").
#: expect none joined_sent/4

#: test one more of what was answered as a text
went("r1", "GET", "/api/cart", 1, 200).
went("r2", "PATCH", "/api/cart/9", 2, 422).
body_type("r1", "$.lines[].quantity", "string").
body_value("r1", "$.lines[].quantity", "2").
sent_value("r2", "$.quantity", "21").
#: expect contains
suspect("r2", "joined_numbers",
        "PATCH /api/cart/9 was sent 21 as $.quantity: `2` of the answer of GET /api/cart, a text, and 1, put one behind the other (as texts) in place of added").

#: test the place in the list is sent as the id
went("r1", "GET", "/api/people", 1, 200).
went("r2", "POST", "/api/assign", 2, 404).
body_type("r1", "$[].id", "number").
body_value("r1", "$[].id", "301").
sent_value("r2", "$.person", "0").
refusal_about("r2", "person").
#: expect contains
suspect("r2", "wrong_id",
        "POST /api/assign was sent 0 as $.person, which is no id that GET /api/people had answered: is it the place (index) in that list?").

#: test nothing is wanted of something
went("r1", "GET", "/api/people", 1, 200).
went("r2", "POST", "/api/order", 2, 422).
body_type("r1", "$[].id", "number").
body_value("r1", "$[].id", "301").
sent_value("r2", "$.count", "0").
refusal_about("r2", "address").
#: expect none sent_place/3

#: test a question failed, and null is sent for what it should have brought
went("r1", "GET", "/api/fx", 1, 503).
went("r2", "POST", "/api/quote", 3, 422).
asked_after_input("r2", "i1").
sent_type("r2", "$.rate", "null").
sent_empty("r2", "$.rate").
#: expect contains
reason("r2", "r1", "no value", 50, "it sent null at $.rate, which should have come in that answer").

#: test a field was left blank
went("r1", "GET", "/api/fx", 1, 503).
went("r2", "POST", "/api/quote", 3, 422).
asked_after_input("r2", "i1").
sent_type("r2", "$.note", "string").
sent_empty("r2", "$.note").
#: expect none causes/3
