# Words, units and lists of answers that code does not take as they are: mangle test domains
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

#: test items with a word that no script knows are not shown
went("r1", "GET", "/api/jobs", 1, 200).
choice_unknown("r1", "$[].state", "ON_HOLD", "unshown", "OPEN").
#: expect contains
suspect("r1", "unknown_value",
        "GET /api/jobs answers `ON_HOLD` at $[].state, which no script of the page knows (it knows `OPEN`)").
trouble("r1", 48, "what has `ON_HOLD` at $[].state is not shown as it should be").

#: test they are shown, and undefined stands there
went("r1", "GET", "/api/jobs", 1, 200).
choice_unknown("r1", "$[].state", "ON_HOLD", "shown", "OPEN").
shown("text", "Paint: undefined").
#: expect contains
trouble("r1", 48, "what has `ON_HOLD` at $[].state is not shown as it should be").

#: test they are shown as all others are
went("r1", "GET", "/api/jobs", 1, 200).
choice_unknown("r1", "$[].state", "ON_HOLD", "shown", "OPEN").
shown("text", "Paint: ON_HOLD").
#: expect none unknown_choice/4

#: test hundredths are shown as whole, and keys in place of words
went("r1", "GET", "/api/tickets", 1, 200).
shown_whole("r1", "$[].price_cents", "1250").
code_takes("r1", "$[].price_cents", "https://app.test/zoo.js", 2).
shown_key("shop.title", 3).
went("r2", "GET", "/i18n/sv.json", 1, 404).
went("r3", "GET", "/api/avatar", 1, 404).
#: expect contains
suspect("r1", "wrong_unit",
        "GET /api/tickets answers hundredths (cents) at $[].price_cents, and the page shows them as whole: 1250.00").
change_at("r1", "/zoo.js:2", "divide it by 100").
trouble("shown:keys", 52, "the page shows keys in place of words: shop.title").
causes("shown:keys", "r2", "the words were to come from there").
cleared("r3", "optional: nothing on the page missed it").

#: test who is felt is not cleared
shown_key("shop.title", 3).
went("r2", "GET", "/i18n/sv.json", 1, 404).
#: expect none cleared/2

#: test the code takes a list alone, and it is within an object
went("r1", "GET", "/api/books", 1, 200).
body_type("r1", "$", "object").
body_type("r1", "$.items", "array").
body_type("r1", "$.page", "number").
code_reads_as("r1", "$", "list", "https://app.test/repo.js", 1).
#: expect contains
suspect("read:/repo.js:1 $", "misread_member",
        "/repo.js:1 reads $ of the answer of GET /api/books, which has it as $.items").
trouble("read:/repo.js:1 $", 46, "the list $ stays empty, although its content was answered").

#: test it is a list, it is read there, it is empty
went("r1", "GET", "/api/books", 1, 200).
body_type("r1", "$", "array").
code_reads_as("r1", "$", "list", "https://app.test/repo.js", 1).
went("r2", "GET", "/api/shelves", 1, 200).
body_type("r2", "$", "object").
body_type("r2", "$.items", "array").
code_reads_as("r2", "$", "list", "https://app.test/repo.js", 1).
code_takes("r2", "$.items", "https://app.test/repo.js", 2).
went("r3", "GET", "/api/rooms", 1, 200).
body_type("r3", "$", "object").
body_type("r3", "$.items", "array").
body_empty("r3", "$.items").
code_reads_as("r3", "$", "list", "https://app.test/repo.js", 1).
#: expect none list_within/5

#: test a name that no script knows is not read by code that was not followed
went("r1", "GET", "/api/cart", 1, 200).
code_hands_on("r1", "$").
code_misses("r1", "$.lines[].unitPrice", "https://app.test/money.js", 3).
near_name("r1", "$.lines[].unitPrice", "$.lines[].unit_price").
name_unread("r1", "$.lines[].unit_price").
#: expect contains
trouble("read:/money.js:3 $.lines[].unitPrice", 46,
        "nothing stands where $.lines[].unitPrice was to be shown or used").

#: test a date is made of what is none, and what goes by it goes wrong
went("r1", "GET", "/api/concerts", 1, 200).
code_reads_as("r1", "$[].date", "date", "https://app.test/dates.js", 1).
unreadable_date("r1", "$[].date", "31.05.2031").
#: expect contains
suspect("read:/dates.js:1 $[].date", "misread_value",
        "/dates.js:1 makes a date of $[].date of the answer of GET /api/concerts, which is 31.05.2031").
trouble("read:/dates.js:1 $[].date", 47,
        "no date can be made of `31.05.2031`: what goes by it goes wrong").

#: test a date is made of one
went("r1", "GET", "/api/concerts", 1, 200).
code_reads_as("r1", "$[].date", "date", "https://app.test/dates.js", 1).
#: expect none date_at/4 trouble/3

#: test a page in place of JSON, and code that catches that it is none
went("r1", "GET", "/api/menu", 1, 200).
answer("r2", 200, "text/html")@[2026-02-19T12:00:02.100Z].
request("r2", "GET", "https://app.test/api/dishes",
        "data")@[2026-02-19T12:00:02Z, 2026-02-19T12:00:02.100Z].
request_path("r2", "https://app.test", "/api/dishes").
request_route("r2", "/api/dishes").
body_kind("r2", "html").
caught("c1", "SyntaxError",
       "Unexpected token '<', \"<!doctype \"... is not valid JSON")@[2026-02-19T12:00:02.101Z,
      2026-02-19T12:00:02.101Z].
error_awaits("c1", "r2").
#: expect contains
unread_json("r2").

#: test it was null, and code that reads a member of it is caught
went("r1", "GET", "/api/order", 1, 200).
body_type("r1", "$.voucher", "null").
caught("c1", "TypeError",
       "Cannot read properties of null (reading 'percent')")@[2026-02-19T12:00:01.110Z,
      2026-02-19T12:00:01.110Z].
stack("c1", 0, "render", "https://app.test/order.js", 3).
error_awaits("c1", "r1").
reads_path("c1", "voucher").
#: expect contains
caught_matters("c1").
trouble("c1", 41, "what /order.js:3 was to show or do does not come about").
suspect("r1", "null_member", "GET /api/order answered null at $.voucher").

#: test another member was null
went("r1", "GET", "/api/order", 1, 200).
body_type("r1", "$.note", "null").
caught("c1", "TypeError",
       "Cannot read properties of null (reading 'percent')")@[2026-02-19T12:00:01.110Z,
      2026-02-19T12:00:01.110Z].
stack("c1", 0, "render", "https://app.test/order.js", 3).
error_awaits("c1", "r1").
reads_path("c1", "voucher").
#: expect none caught_matters/1

#: test JSON that is called a text, and nothing of it is to be seen
went("r0", "GET", "/none", 1, 200).
request("r1", "GET", "https://app.test/api/facets",
        "data")@[2026-02-19T12:00:02Z, 2026-02-19T12:00:02.100Z].
request_path("r1", "https://app.test", "/api/facets").
request_route("r1", "/api/facets").
answer("r1", 200, "text/plain")@[2026-02-19T12:00:02.100Z].
body_kind("r1", "json").
code_goes_by_type("r1").
body_type("r1", "$.brand[]", "string").
body_value("r1", "$.brand[]", "Aro").
shown("text", "Articles").
#: expect contains
trouble("r1", 52, "GET /api/facets is read as text/plain, and nothing is found in it").

#: test it is to be seen
request("r1", "GET", "https://app.test/api/facets",
        "data")@[2026-02-19T12:00:02Z, 2026-02-19T12:00:02.100Z].
request_path("r1", "https://app.test", "/api/facets").
request_route("r1", "/api/facets").
answer("r1", 200, "text/plain")@[2026-02-19T12:00:02.100Z].
body_kind("r1", "json").
code_goes_by_type("r1").
body_type("r1", "$.brand[]", "string").
body_value("r1", "$.brand[]", "Aro").
shown("text", "Aro, Belo").
#: expect none called_text/2

#: test a refusal that names its member beside its words
went("r1", "POST", "/api/company", 1, 400).
refusal_says("r1", 1, "invalid-params.reason", "must not be blank").
refusal_about("r1", "vat_id").
#: expect contains
own_words("r1", "vat_id must not be blank").

#: test code fails on what it has for a word that it does not know
went("r1", "GET", "/api/parcel", 1, 200).
word_unknown("r1", "$.status", "PARTLY_SHIPPED").
caught("c1", "TypeError",
       "Cannot read properties of undefined (reading 'label')")@[2026-02-19T12:00:01.110Z,
      2026-02-19T12:00:01.110Z].
stack("c1", 0, "bar", "https://app.test/parcel.js", 3).
error_awaits("c1", "r1").
#: expect contains
suspect("r1", "unknown_value",
        "GET /api/parcel answers `PARTLY_SHIPPED` at $.status, which no script of the page knows, and code fails on what it has for it").
trouble("r1", 44, "what is to be shown for `PARTLY_SHIPPED` at $.status is not").
change_at("r1", "/parcel.js:3", "take this value, too, and show what has another one").

#: test nothing fails
went("r1", "GET", "/api/parcel", 1, 200).
word_unknown("r1", "$.status", "PARTLY_SHIPPED").
#: expect none suspect/3

#: test a list by another name is handed on, and the only one is read by nobody
went("r1", "GET", "/api/orders", 1, 200).
body_type("r1", "$", "object").
body_type("r1", "$.results", "array").
code_asks_for("r1", "$.orders", "https://app.test/store.js", 11).
code_hands_on("r1", "$.orders").
#: expect contains
trouble("read:/store.js:11 $.orders", 46,
        "the list $.orders stays empty, although its content was answered").

#: test the list is read, or the whole goes elsewhere
went("r1", "GET", "/api/orders", 1, 200).
body_type("r1", "$.results", "array").
code_asks_for("r1", "$.notes", "https://app.test/store.js", 11).
code_hands_on("r1", "$.notes").
code_takes("r1", "$.results", "https://app.test/store.js", 12).
went("r2", "GET", "/api/lines", 1, 200).
body_type("r2", "$.results", "array").
code_asks_for("r2", "$.notes", "https://app.test/store.js", 11).
code_hands_on("r2", "$.notes").
code_hands_on("r2", "$").
#: expect none misread_at/5
