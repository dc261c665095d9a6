# Renewals beside each other, and credentials that go to no other origin: mangle test domains
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

# The same of another origin.
Decl asked_api(R, From, To, Method, Path, Status)
  bound [/string, /number, /number, /string, /string, /number].
request(R, Method, Url, "data")@[A, B] :-
  asked_api(R, From, To, Method, Path, _),
  Url = fn:string:concat("https://api.test", Path),
  A = fn:time:from_unix_nanos(fn:plus(1771502400000000000, fn:mult(From, 1000000))),
  B = fn:time:from_unix_nanos(fn:plus(1771502400000000000, fn:mult(To, 1000000))).
request_path(R, "https://api.test", Path) :- asked_api(R, _, _, _, Path, _).
request_route(R, Path) :- asked_api(R, _, _, _, Path, _).
asked_by(R, "script") :- asked_api(R, _, _, _, _, _).
answer(R, Status, "application/json")@[B] :-
  asked_api(R, _, To, _, _, Status),
  B = fn:time:from_unix_nanos(fn:plus(1771502400000000000, fn:mult(To, 1000000))).

#: test three that were turned away renew for themselves, and the second use is refused
asked("r1", 100, 200, "GET", "/api/a", 401).
asked("r2", 100, 201, "GET", "/api/b", 401).
asked("r3", 205, 230, "POST", "/api/token", 200).
asked("r4", 206, 240, "POST", "/api/token", 400).
asked("r5", 250, 260, "GET", "/api/a", 401).
#: expect
raced("r4").
cleared("r1", "nobody is signed in, and the page knows how to deal with that").
cleared("r2", "nobody is signed in, and the page knows how to deal with that").
cleared("r1", "its session had run out, and is renewed after it").
cleared("r2", "its session had run out, and is renewed after it").
cause_of("r4", "r4").
cause_of("r5", "r4").

#: test the first to be sent may be the one that is refused
asked("r1", 100, 200, "GET", "/api/a", 401).
asked("r2", 100, 201, "GET", "/api/b", 401).
asked("r3", 205, 250, "POST", "/auth/refresh", 401).
asked("r4", 206, 240, "POST", "/auth/refresh", 200).
#: expect
raced("r3").

#: test a conflict of sessions
asked("r1", 100, 200, "GET", "/api/a", 401).
asked("r2", 205, 230, "POST", "/session/renew", 200).
asked("r3", 206, 240, "POST", "/session/renew", 409).
#: expect
raced("r3").

#: test one renewal that all share
asked("r1", 100, 200, "GET", "/api/a", 401).
asked("r2", 100, 201, "GET", "/api/b", 401).
asked("r3", 205, 230, "POST", "/auth/refresh", 200).
asked("r4", 250, 260, "GET", "/api/a", 200).
#: expect none raced/1

#: test two that are both accepted
asked("r1", 100, 200, "GET", "/api/a", 401).
asked("r3", 205, 230, "POST", "/auth/refresh", 200).
asked("r4", 206, 240, "POST", "/auth/refresh", 200).
#: expect none raced/1

#: test a renewal long after another did not race with it
asked("r1", 100, 200, "GET", "/api/a", 401).
asked("r3", 205, 230, "POST", "/auth/refresh", 200).
asked("r4", 1300, 1340, "POST", "/auth/refresh", 401).
#: expect none raced/1

#: test a wrong password is no race
asked("r3", 205, 230, "POST", "/auth/login", 200).
asked("r4", 206, 240, "POST", "/auth/login", 401).
#: expect none raced/1

#: test a cookie that is not sent to another origin
asked_api("r1", 100, 200, "POST", "/login", 200).
cookie_set("r1", "sid").
asked_api("r2", 300, 400, "GET", "/me", 401).
credential_sent("r2", "none").
#: expect
omitted_text("r2",
             "GET https://api.test/me went without the cookie sid of POST https://api.test/login: to another origin none are sent, nor kept, without credentials: include").

#: test one that is sent, and one that the browser refused for its own reasons
asked_api("r1", 100, 200, "POST", "/login", 200).
cookie_set("r1", "sid").
asked_api("r2", 300, 400, "GET", "/me", 401).
credential_sent("r2", "cookie:sid").
asked_api("r3", 300, 400, "GET", "/you", 401).
credential_sent("r3", "none").
cookie_refused("r3", "sid", "SameSiteLax", "sent").
#: expect none omitted/3

#: test the page's own origin gets its cookies
asked("r1", 100, 200, "POST", "/login", 200).
cookie_set("r1", "sid").
asked("r2", 300, 400, "GET", "/me", 401).
credential_sent("r2", "none").
#: expect none omitted/3

#: test a redirect to another origin loses what signs in
asked_api("r1", 100, 200, "GET", "/v1/files", 200).
credential_sent("r1", "bearer").
asked("r2", 300, 400, "GET", "/files/7", 401).
redirected("r2", 1, 302, "https://api.test/v1/files/7", "https://app.test/files/7").
#: expect
suspect("r2", "not_authorized", "GET /files/7 answered 401").
suspect("r2", "redirect_lost_credential",
        "GET /files/7 was redirected to another origin, https://app.test/files/7, to which browsers send no Authorization").

#: test one within its origin keeps it
asked_api("r1", 100, 200, "GET", "/v1/files", 200).
credential_sent("r1", "bearer").
asked_api("r2", 300, 400, "GET", "/v2/files/7", 401).
redirected("r2", 1, 302, "https://api.test/v1/files/7", "https://api.test/v2/files/7").
#: expect none sent_elsewhere/2
