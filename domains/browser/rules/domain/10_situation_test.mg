# What happened on the page, in words: mangle test domains
#: load ../schema/10_page.mg 10_situation.mg
#: now 2026-02-19T12:00:00Z

#: test a quiet page has nothing to say
current_url("https://shop.example/").
#: expect none has_recent_events/0 has_console_errors/0 has_failed_response/0 has_dom_errors/0
#: expect none has_slow_responses/0 error_choice/1 has_diagnosis/0 has_fix/0

#: test an error of the last five minutes counts, an older one does not
console_event("s1", "error", "Cannot read properties of null",
              1771502220000)@[2026-02-19T11:57:00Z].
console_event("s2", "error", "of null", 1771501800000)@[2026-02-19T11:50:00Z].
#: expect
has_recent_events().
has_console_errors().
null_data_error().
error_choice("error-1771502220000").

#: test a warning is an event, not an error
console_event("s1", "warning", "undefined is odd", 1771502220000)@[2026-02-19T11:57:00Z].
#: expect
has_recent_events().
#: expect none has_console_errors/0 null_data_error/0 error_choice/1

#: test an error that tools know keeps its id
console_event("s1", "error", "boom", 1771502220000)@[2026-02-19T11:57:00Z].
console_error("s1", "e-7", "boom", 1771502220000)@[2026-02-19T11:57:00Z].
#: expect
error_choice("e-7").

#: test other browsers say it differently
console_event("s1", "error", "TypeError: undefined is not an object", 1)@[2026-02-19T11:59:00Z].
console_event("s1", "error", "TypeError: null is not an object", 2)@[2026-02-19T11:59:00Z].
console_event("s1", "error", "x of undefined", 3)@[2026-02-19T11:59:00Z].
#: expect
null_data_error().

#: test no answer and a bad one are failures, a redirect is none
net_request("s1", "r1", "GET", "/api/users", 1000)@[2026-02-19T11:58:00Z].
net_request("s1", "r2", "GET", "/api/shops", 1000)@[2026-02-19T11:58:00Z].
net_request("s1", "r3", "GET", "/old", 1000)@[2026-02-19T11:58:00Z].
net_response("s1", "r1", 404, 1100)@[2026-02-19T11:58:00Z].
net_response("s1", "r2", 0, 1100)@[2026-02-19T11:58:00Z].
net_response("s1", "r3", 399, 1100)@[2026-02-19T11:58:00Z].
#: expect
failed_request("s1", "GET", "/api/users", 404).
failed_request("s1", "GET", "/api/shops", 0).
has_failed_response().
#: expect none has_slow_responses/0

#: test an answer is slow after a second
net_request("s1", "r1", "GET", "/slow", 1000)@[2026-02-19T11:58:00Z].
net_request("s1", "r2", "GET", "/quick", 1000)@[2026-02-19T11:58:00Z].
net_response("s1", "r1", 200, 2000)@[2026-02-19T11:58:01Z].
net_response("s1", "r2", 200, 1999)@[2026-02-19T11:58:01Z].
#: expect
slow_response("r1").
has_slow_responses().

#: test what tools found is known
dom_error("s1", "Cart", "x is null")@[2026-02-19T11:59:00Z].
diagnosed_error("e-7", "server_error").
fix_candidate("GET /api/users", "missing_route").
#: expect
has_dom_errors().
has_diagnosis().
has_fix().
