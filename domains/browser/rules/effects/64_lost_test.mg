# What came and is not on the page: mangle test domains
#: load ../schema/20_evidence.mg ../schema/30_causality.mg 25_requests.mg 30_causes.mg 30_causes_requests.mg 31_troubles.mg 32_links.mg 33_cleared.mg 34_rank.mg 40_common.mg 41_network.mg 42_policy.mg 43_session.mg 43_tokens.mg 44_bodies.mg 44_order.mg 44_reads.mg 44_refused.mg 44_sent.mg 45_imports.mg 45_scripts.mg 46_sockets.mg 47_forms.mg 47_reload.mg 48_rendering.mg 49_speed.mg 50_silent.mg 51_stopped.mg 52_body_kind.mg 53_messages.mg 54_time.mg 55_kept.mg 56_paging.mg 57_wiring.mg 58_versions.mg 59_encoding.mg 60_pressed.mg 61_room.mg 62_storage.mg 63_filled.mg 64_lost.mg
#: now 2026-02-19T12:00:10Z
request("r0", "GET", "https://app.test/",
        "document")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:00.050Z].
request_path("r0", "https://app.test", "/").
request_route("r0", "/").
answer("r0", 200, "text/html")@[2026-02-19T12:00:00.050Z].
navigation("n1", "https://app.test/", "address")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:00.300Z].
watched("https://app.test/")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:09Z].
# When it was asked and answered, in milliseconds; 0: no answer.
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
  0 < Status,
  !is_typed(R),
  B = fn:time:from_unix_nanos(fn:plus(1771502400000000000, fn:mult(To, 1000000))).
answer(R, Status, Mime)@[B] :-
  asked(R, _, To, _, _, Status),
  typed(R, Mime),
  B = fn:time:from_unix_nanos(fn:plus(1771502400000000000, fn:mult(To, 1000000))).

done_without(R) :- cleared(R, "the page takes its place away and goes on without it").

# ---- a list that the page says is empty ---------------------------------------------------------------------

#: test a list of another name than code reads
asked("r1", 100, 200, "GET", "/api/ships", 200).
said_none("r1", "No ships today.", "ship").
list_shown("r1", "$.entries", 0, 5, 0).
code_misses("r1", "$.items", "https://app.test/source.js", 6).
#: expect contains
suspect("r1", "changed_shape",
        "/source.js:6 reads $.items of the answer of GET /api/ships, which has no such member: its items stand in $.entries (5)").
trouble("r1", 54, "the page says, No ships today. - though 5 came").
change_at("r1", "/source.js:6", "read the member that the answer has").

#: test items that are lost, nobody knows where; two of them are named elsewhere
asked("r1", 100, 200, "GET", "/api/ships", 200).
said_none("r1", "No ships today.", "ship").
list_shown("r1", "$.entries", 2, 5, 0).
#: expect contains
suspect("r1", "unshown_answer",
        "GET /api/ships answered 5 items in $.entries, and none of them is shown: the page says, No ships today.").

#: test that nothing is wrong with what came is not said of what came
asked("r1", 100, 200, "GET", "/api/import/ships", 200).
said_none("r1", "No errors in this import", "import").
list_shown("r1", "$.entries", 0, 5, 0).
code_asks_for("r1", "$.errors", "https://app.test/source.js", 6).
#: expect none denied/4 suspect/3

#: test items that are shown
asked("r1", 100, 200, "GET", "/api/ships", 200).
said_none("r1", "No ships wanted.", "ship").
list_shown("r1", "$.entries", 3, 5, 0).
#: expect none denied/4

#: test it is said of another list, which is empty
asked("r1", 100, 200, "GET", "/api/ships?of=all", 200).
said_none("r1", "No ships today.", "ship").
list_shown("r1", "$", 0, 5, 0).
asked("r2", 100, 200, "GET", "/api/ships?of=today", 200).
said_none("r2", "No ships today.", "ship").
body_type("r2", "$", "array").
body_empty("r2", "$").
#: expect none denied/4

#: test a user has looked for something since
asked("r1", 100, 200, "GET", "/api/ships", 200).
said_none("r1", "No ships of that name.", "ship").
list_shown("r1", "$", 0, 5, 0).
input("i1", "change", "input#name", "")@[2026-02-19T12:00:02Z].
#: expect none denied/4

#: test of an answer that went wrong there is another fault
asked("r1", 100, 200, "GET", "/api/ships", 500).
said_none("r1", "No ships today.", "ship").
list_shown("r1", "$", 0, 5, 0).
#: expect none denied/4

#: test JSON that is called a text, by code that nobody could follow
asked("r1", 100, 200, "GET", "/api/papers", 200).
typed("r1", "text/plain").
body_kind("r1", "json").
said_none("r1", "There are no papers.", "paper").
list_shown("r1", "$.items", 0, 3, 0).
#: expect contains
called_text("r1", "text/plain").
suspect("r1", "wrong_content_type",
        "GET /api/papers answers JSON as text/plain: the code goes by the type and takes it for a text, which has no members").

#: test and where it is shown nobody minds
asked("r1", 100, 200, "GET", "/api/papers", 200).
typed("r1", "text/plain").
body_kind("r1", "json").
list_shown("r1", "$.items", 3, 3, -1).
#: expect none called_text/2

# ---- what was not answered --------------------------------------------------------------------------------

#: test given up by a limit, and the page says that there is nothing
asked("r1", 100, 1600, "GET", "/api/tides", 0).
request_cancelled("r1", "unknown").
said_none("r1", "There are no tides today.", "tide").
#: expect contains
trouble("r1", 54, "the page says, There are no tides today. - but GET /api/tides was not answered").
#: expect none cleared/2

#: test the same without such a line
asked("r1", 100, 1600, "GET", "/api/tides", 0).
request_cancelled("r1", "unknown").
#: expect contains
cleared("r1", "it was cancelled, and nothing came of it").
#: expect none trouble/3

#: test what went wrong and is said not to be weighs more than what went wrong
asked("r1", 100, 200, "GET", "/api/sun", 503).
asked("r2", 300, 400, "GET", "/api/forecast", 503).
said_none("r2", "No forecast for this week.", "forecast").
#: expect contains
trouble("r1", 50, "GET /api/sun answered 503").
trouble("r2", 56, "the page says, No forecast for this week. - but GET /api/forecast went wrong").

#: test what the page does without takes its place away
asked("r1", 100, 200, "GET", "/api/sponsors", 500).
code_does_without("r1", "place").
asked("r2", 100, 200, "GET", "/api/hints", 500).
goes_without("r2").
asked("r3", 100, 200, "GET", "/api/main", 500).
code_does_without("r3", "nothing").
#: expect
cleared("r1", "the page takes its place away and goes on without it").
cleared("r2", "the page takes its place away and goes on without it").

#: test unless it is said not to be
asked("r1", 100, 200, "GET", "/api/sponsors", 500).
goes_without("r1").
said_none("r1", "No sponsors.", "sponsor").
#: expect none cleared/2

#: test a change is never done without
asked("r1", 100, 200, "POST", "/api/sponsors", 500).
goes_without("r1").
#: expect none done_without/1

# ---- exceptions ------------------------------------------------------------------------------------------

#: test a list that breaks off where code fails
asked("r1", 100, 200, "GET", "/api/growers", 200).
list_shown("r1", "$.growers", 4, 9, 4).
caught("c1", "TypeError",
       "Cannot read properties of null (reading 'surname')")@[2026-02-19T12:00:00.210Z].
stack("c1", 0, "initials", "https://app.test/list.js", 12).
error_awaits("c1", "r1").
#: expect contains
trouble("c1", 55, "of 9 items that GET /api/growers answered, 4 are shown, and none behind them").
causes("c1", "r1", "it fails at item 4 (from 0) of $.growers").

#: test a list that is shown in parts breaks nowhere
asked("r1", 100, 200, "GET", "/api/growers", 200).
list_shown("r1", "$.growers", 4, 9, 4).
#: expect none trouble/3

#: test an exception that code sends home
caught("c1", "TypeError", "x is not a function")@[2026-02-19T12:00:00.210Z].
stack("c1", 0, "initials", "https://app.test/list.js", 12).
asked("r2", 220, 250, "POST", "/api/log", 204).
sent_value("r2", "$.message", "x is not a function").
#: expect contains
trouble("c1", 51, "what /list.js:12 was to do is not done, which code only reports").

#: test an exception that nothing comes of
caught("c1", "TypeError", "x is not a function")@[2026-02-19T12:00:00.210Z].
stack("c1", 0, "initials", "https://app.test/list.js", 12).
asked("r2", 220, 250, "POST", "/api/log", 204).
sent_value("r2", "$.message", "seen").
#: expect none trouble/3

#: test what is caught lacks a script that comes later
request("r9", "GET", "https://app.test/vendor/knots.js",
        "script")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:02Z].
request_path("r9", "https://app.test", "/vendor/knots.js").
request_route("r9", "/vendor/knots.js").
answer("r9", 200, "text/javascript")@[2026-02-19T12:00:02Z].
script("s1", "https://app.test/vendor/knots.js",
       "async")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:02Z].
script_request("s1", "r9").
caught("c1", "TypeError",
       "Cannot read properties of undefined (reading 'hours')")@[2026-02-19T12:00:00.500Z].
stack("c1", 0, "time", "https://app.test/sums.js", 21).
error_expression("c1", "window.Knots", "hours").
error_about_name("c1", "Knots").
name_in_file("c1", "r9").
#: expect contains
suspect("r9", "late_script", "GET /vendor/knots.js (async) ran only after `Knots` of it was used").
causes("c1", "r9", "it defines Knots, and had not run yet").
trouble("c1", 54, "what /sums.js:21 was to do is not done: the script for it came later").

#: test and of one that had come it lacks something else
script("s1", "https://app.test/vendor/knots.js",
       "async")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.300Z].
request("r9", "GET", "https://app.test/vendor/knots.js",
        "script")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.300Z].
request_path("r9", "https://app.test", "/vendor/knots.js").
answer("r9", 200, "text/javascript")@[2026-02-19T12:00:00.300Z].
script_request("s1", "r9").
caught("c1", "TypeError",
       "Cannot read properties of undefined (reading 'hours')")@[2026-02-19T12:00:00.500Z].
stack("c1", 0, "time", "https://app.test/sums.js", 21).
error_expression("c1", "window.Knots", "hours").
error_about_name("c1", "Knots").
name_in_file("c1", "r9").
#: expect none trouble/3

# ---- dates, numbers -----------------------------------------------------------------------------------------

#: test a date of January 1970, and the answer it came from
asked("r1", 100, 200, "GET", "/api/trips", 200).
odd_date("k1", 1796016782).
stack("k1", 0, "row", "https://app.test/list.js", 25).
date_from("k1", "r1", "$.trips[].expected").
code_takes("r1", "$.trips[].expected", "https://app.test/model.js", 8).
#: expect contains
suspect("k1", "seconds_as_ms",
        "/list.js:25 shows a date of January 1970: $.trips[].expected of the answer of GET /api/trips counts seconds, and is taken for milliseconds").
trouble("k1", 56, "dates that /list.js:25 shows are of January 1970").
change_at("k1", "/model.js:8", "multiply it by 1000: timers and clocks count milliseconds").
change_at("k1", "GET /api/trips", "answer milliseconds, or the date as a text").

#: test one of nowhere
odd_date("k1", 1796016782).
stack("k1", 0, "row", "https://app.test/list.js", 25).
#: expect contains
suspect("k1", "seconds_as_ms",
        "/list.js:25 shows a date of January 1970: 1796016782 counts seconds, and is taken for milliseconds").

#: test one of a script of others
odd_date("k1", 1796016782).
#: expect none suspect/3 trouble/3

#: test a number that is a text in some items
asked("r1", 100, 200, "GET", "/api/basket", 200).
number_or_text("r1", "$.lines[].deposit").
#: expect contains
suspect("r1", "mixed_types",
        "GET /api/basket answers $.lines[].deposit as a number in some items and as a text in others: + joins texts").

# ---- asked for and not waited for ---------------------------------------------------------------------------

#: test asked for in forEach
asked("r1", 100, 200, "GET", "/api/pay/a", 200).
asked("r2", 101, 210, "GET", "/api/pay/b", 200).
not_waited_for("r1", "https://app.test/ledger.js", 26).
not_waited_for("r2", "https://app.test/ledger.js", 26).
#: expect contains
suspect("r1", "not_awaited",
        "/ledger.js:26 asks for GET /api/pay/a in an async function of forEach(), which waits for no answer: what comes behind it runs before").
trouble("r1", 52, "what /ledger.js:26 asks for is not waited for").

#: test changes that are sent so are sent all the same
asked("r1", 100, 200, "POST", "/api/seen/a", 200).
not_waited_for("r1", "https://app.test/seen.js", 26).
#: expect none suspect/3 trouble/3

# ---- a credential that was renewed in vain ---------------------------------------------------------------------

#: test the old one is sent again
asked("r1", 100, 200, "GET", "/api/rooms", 401).
credential_sent("r1", "bearer").
asked("r2", 210, 300, "POST", "/api/renew", 200).
body_type("r2", "$.access_token", "string").
code_takes("r2", "$.access_token", "https://app.test/client.js", 44).
asked("r3", 310, 400, "GET", "/api/rooms", 401).
credential_sent("r3", "bearer").
stack("r3", 0, "send", "https://app.test/client.js", 31).
#: expect contains
suspect("r3", "stale_token",
        "GET /api/rooms was sent again after POST /api/renew had answered a new token at $.access_token, and answered 401 again: with the old token in its header, unless the new one is no good").
cleared("r1", "its token was renewed after it, and it was asked again").
change_at("r3", "/client.js:31", "keep the token that was answered last").

#: test the new one is taken
asked("r1", 100, 200, "GET", "/api/rooms", 401).
credential_sent("r1", "bearer").
asked("r2", 210, 300, "POST", "/api/renew", 200).
body_type("r2", "$.access_token", "string").
code_takes("r2", "$.access_token", "https://app.test/client.js", 44).
asked("r3", 310, 400, "GET", "/api/rooms", 200).
credential_sent("r3", "bearer").
#: expect none renewed_in_vain/4

# ---- two lists that are kept by ids they share ----------------------------------------------------------------

#: test items in the place of others
asked("r1", 100, 200, "GET", "/api/tasks", 200).
asked("r2", 100, 220, "GET", "/api/stones", 200).
overwritten("r1", "$", "r2", "$.all", 3, 4).
#: expect contains
suspect("r1", "shared_key",
        "GET /api/tasks answered items ($) with the same ids as items of GET /api/stones ($.all): kept by id, these take the place of 3 of them").
trouble("r1", 53, "3 items that GET /api/tasks answered are not shown").

#: test what went wrong has nothing to be kept
asked("r1", 100, 200, "GET", "/api/tasks", 200).
asked("r2", 100, 220, "GET", "/api/stones", 500).
overwritten("r1", "$", "r2", "$.all", 3, 4).
#: expect none kept_as_one/5
