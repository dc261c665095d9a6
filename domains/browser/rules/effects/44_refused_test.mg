# What was refused although the user did nothing wrong: mangle test domains
#: load ../schema/20_evidence.mg ../schema/30_causality.mg 25_requests.mg 30_causes.mg 30_causes_requests.mg 31_troubles.mg 32_links.mg 33_cleared.mg 40_common.mg 41_network.mg 42_policy.mg 43_session.mg 44_bodies.mg 44_sent.mg 44_order.mg 44_reads.mg 44_refused.mg 45_scripts.mg 46_sockets.mg 47_forms.mg 48_rendering.mg 49_speed.mg 52_body_kind.mg
#: now 2026-02-19T12:00:10Z
request("r0", "GET", "https://app.test/",
        "document")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:00.050Z].
request_path("r0", "https://app.test", "/").
request_route("r0", "/").
answer("r0", 200, "text/html")@[2026-02-19T12:00:00.050Z].
watched("https://app.test/")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:08Z].
input("i1", "submit", "form#new", "")@[2026-02-19T12:00:01Z].
request("r1", "POST", "https://app.test/api/events",
        "data")@[2026-02-19T12:00:01.100Z, 2026-02-19T12:00:01.200Z].
request_path("r1", "https://app.test", "/api/events").
request_route("r1", "/api/events").
asked_after_input("r1", "i1").
stack("r1", 0, "create", "https://app.test/events.js", 14).
Decl refused_with(Status) bound [/number].
answer("r1", Status, "application/json")@[2026-02-19T12:00:01.200Z] :- refused_with(Status).

#: test JSON that is sent as a text is not read, whatever the user is told
refused_with(422).
sent_header("r1", "content-type", "text/plain").
sent_form("r1", "json").
refusal_says("r1", 1, "errors.title", "can't be blank").
refusal_about("r1", "title").
sent_value("r1", "$.title", "Planning day").
shown("text", "Title can't be blank").
#: expect
suspect("r1", "rejected", "POST /api/events answered 422").
suspect("r1", "wrong_body_type", "POST /api/events sends JSON and says that it is text/plain").
#: expect none cleared/2

#: test a server that takes it is content with it
refused_with(201).
sent_header("r1", "content-type", "text/plain").
sent_form("r1", "json").
#: expect none suspect/3

#: test a member that goes by another name than the server's
refused_with(422).
sent_near("r1", "$.dueDate", "due_date").
refusal_says("r1", 1, "errors.due_date", "is required").
refusal_about("r1", "due_date").
shown("error", "due date is required").
#: expect
suspect("r1", "rejected", "POST /api/events answered 422").
suspect("r1", "misnamed_member",
        "POST /api/events sends `dueDate`, and its server asks for `due_date`").
#: expect none cleared/2

#: test a member that was sent and is missed
refused_with(400).
refusal_says("r1", 1, "error", "title is required").
refusal_about("r1", "title").
sent_value("r1", "$.title", "Planning day").
#: expect
suspect("r1", "rejected", "POST /api/events answered 400").
suspect("r1", "not_understood",
        "POST /api/events was refused for want of `title`, which it had sent").

#: test a server that does not read the body misses nothing by itself
refused_with(400).
sent_header("r1", "content-type", "none").
sent_form("r1", "json").
refusal_says("r1", 1, "error", "title is required").
refusal_about("r1", "title").
sent_value("r1", "$.title", "Planning day").
#: expect
suspect("r1", "rejected", "POST /api/events answered 400").
suspect("r1", "wrong_body_type", "POST /api/events sends JSON and does not say that it is").

#: test a field that the user left blank, and one that is not good, are told to him
refused_with(422).
refusal_says("r1", 1, "errors.title", "can't be blank").
refusal_about("r1", "title").
sent_empty("r1", "$.title").
sent_value("r1", "$.day", "2026-12-09").
shown("text", "Title can't be blank").
#: expect
suspect("r1", "rejected", "POST /api/events answered 422").
cleared("r1", "a refusal that the user is told of").

#: test a value that is refused for what it is
refused_with(422).
refusal_says("r1", 1, "errors.day", "is in the past").
refusal_about("r1", "day").
sent_value("r1", "$.day", "2020-12-09").
shown("text", "Day is in the past").
#: expect
suspect("r1", "rejected", "POST /api/events answered 422").
suspect("r1", "refused_value",
        "POST /api/events sends `day` = 2020-12-09, which its server does not take").
cleared("r1", "a refusal that the user is told of").

#: test a value that is quoted, and nobody tells the user
refused_with(422).
refusal_says("r1", 1, "message", "9/12/2026 is no date").
refusal_quotes("r1", "$.when.day", "9/12/2026", "9/12/2026 is no date").
sent_value("r1", "$.when.day", "9/12/2026").
sent_value("r1", "$.title", "Planning day").
shown("text", "The event could not be saved").
#: expect
suspect("r1", "rejected", "POST /api/events answered 422").
suspect("r1", "refused_value",
        "POST /api/events sends `when.day` = 9/12/2026, which its server does not take").
#: expect none cleared/2

#: test of several that have the name none is told
refused_with(422).
refusal_says("r1", 1, "errors.day", "is in the past").
refusal_about("r1", "day").
sent_value("r1", "$.from.day", "2020-12-09").
sent_value("r1", "$.to.day", "2020-12-10").
#: expect
suspect("r1", "rejected", "POST /api/events answered 422").

#: test it was looked up whether there is one, and there is none yet: that leads to nothing
refused_with(422).
request("r2", "POST", "https://app.test/api/rooms/lookup",
        "data")@[2026-02-19T12:00:01.010Z, 2026-02-19T12:00:01.050Z].
request_path("r2", "https://app.test", "/api/rooms/lookup").
request_route("r2", "/api/rooms/lookup").
asked_after_input("r2", "i1").
stack("r2", 0, "create", "https://app.test/events.js", 12).
asked_at("r2", "https://app.test/events.js", 12).
answer("r2", 404, "application/json")@[2026-02-19T12:00:01.050Z].
code_expects("r2", 404).
refusal_says("r2", 1, "message", "No such room yet").
refusal_says("r1", 1, "message", "9/12/2026 is no date").
refusal_quotes("r1", "$.day", "9/12/2026", "9/12/2026 is no date").
sent_value("r1", "$.day", "9/12/2026").
#: expect contains
cleared("r2", "there is none, which the code expects, and it goes on").
#: expect none same_course/2

#: test a route that is not there is a fault, though the code expects that there is none of something
refused_with(409).
request("r2", "POST", "https://app.test/api/rooms/lookup",
        "data")@[2026-02-19T12:00:01.010Z, 2026-02-19T12:00:01.050Z].
request_path("r2", "https://app.test", "/api/rooms/lookup").
request_route("r2", "/api/rooms/lookup").
asked_after_input("r2", "i1").
stack("r2", 0, "create", "https://app.test/events.js", 12).
asked_at("r2", "https://app.test/events.js", 12).
answer("r2", 404, "application/json")@[2026-02-19T12:00:01.050Z].
code_expects("r2", 404).
refusal_says("r2", 1, "message", "Not found").
#: expect contains
same_course("r1", "r2").
#: expect none cleared/2
