# Cookies, queries and tokens that do not get where they are wanted: mangle test domains
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

#: test a cookie that is for other addresses is missed, though nobody is turned away
went("r1", "POST", "/auth/guest", 1, 200).
went("r2", "GET", "/api/basket", 2, 200).
credential_sent("r1", "none").
credential_sent("r2", "none").
cookie_set("r1", "basket").
cookie_path("r1", "basket", "/auth").
body_type("r2", "$", "object").
body_type("r2", "$.items", "array").
body_empty("r2", "$.items").
#: expect contains
suspect("r1", "cookie_refused",
        "the cookie basket of POST /auth/guest is not sent to GET /api/basket: its Path is /auth").
trouble("r2", 46, "GET /api/basket answers nothing at $.items, as if nobody had signed in").
causes("r2", "r1", "it went without the cookie basket, and was answered as if nobody were there").

#: test what was put in without it was put in for nobody
went("r1", "POST", "/auth/guest", 1, 200).
went("r2", "POST", "/api/basket", 2, 200).
went("r3", "GET", "/api/basket", 3, 200).
credential_sent("r1", "none").
credential_sent("r2", "none").
credential_sent("r3", "none").
cookie_path("r1", "basket", "/auth").
body_type("r3", "$.items", "array").
body_empty("r3", "$.items").
suspect("r2", "lost_update", "made up").
#: expect contains
causes("r2", "r1", "it went without the cookie basket").

#: test one that is refused, and one that is over at once
went("r1", "POST", "/api/session", 1, 200).
went("r2", "GET", "/api/me", 2, 200).
went("r3", "POST", "/api/login", 3, 200).
went("r4", "GET", "/api/mails", 4, 200).
credential_sent("r1", "none").
credential_sent("r2", "none").
credential_sent("r3", "none").
credential_sent("r4", "none").
cookie_refused("r1", "sid", "InvalidDomain", "set").
body_value("r2", "$.authenticated", "false").
cookie_over("r3", "sess").
body_type("r4", "$.mails", "array").
body_empty("r4", "$.mails").
#: expect contains
causes("r2", "r1", "it went without the cookie sid, and was answered as if nobody were there").
suspect("r3", "cookie_refused",
        "the cookie sess of POST /api/login is not sent to GET /api/mails: it is over as soon as it is set (Max-Age or Expires)").

#: test a session that is there, a token for renewals alone, somebody who signs out, a list with content
went("r1", "POST", "/api/login", 1, 200).
went("r2", "GET", "/api/drafts", 2, 200).
credential_sent("r1", "none").
credential_sent("r2", "cookie:sid").
cookie_path("r1", "refresh_token", "/api/refresh").
body_type("r2", "$.drafts", "array").
body_empty("r2", "$.drafts").
went("r3", "GET", "/api/news", 3, 200).
credential_sent("r3", "none").
body_type("r3", "$.news", "array").
body_empty("r3", "$.news").
went("r4", "POST", "/api/signout", 4, 200).
credential_sent("r4", "none").
cookie_over("r4", "sid").
went("r5", "GET", "/api/mails", 5, 200).
credential_sent("r5", "none").
body_type("r5", "$.mails", "array").
body_value("r5", "$.mails[].s", "Hi").
#: expect none cookie_not_there/4

#: test a redirect drops what was asked with
went("r1", "GET", "/api/plants", 1, 200).
request_query("r1", "kind", "tree").
redirected("r1", 1, 302, "https://app.test/api/plants?kind=tree", "https://app.test/api/plants/").
#: expect contains
suspect("r1", "redirect_lost_query",
        "GET /api/plants was redirected to https://app.test/api/plants/ without its query: what it asked with (kind) was lost").
trouble("r1", 54, "GET /api/plants is answered as if it had not asked with kind").

#: test one that keeps it, one to something else, one that asked with nothing
went("r1", "GET", "/api/plants", 1, 200).
request_query("r1", "kind", "tree").
redirected("r1", 1, 302, "https://app.test/api/plants?kind=tree",
           "https://app.test/api/plants/?kind=tree").
went("r2", "GET", "/api/latest", 1, 200).
request_query("r2", "of", "app").
redirected("r2", 1, 302, "https://app.test/api/latest?of=app", "https://app.test/api/releases/7").
went("r3", "GET", "/api/list", 1, 200).
request_query("r3", "q", "").
redirected("r3", 1, 301, "https://app.test/api/list?q=", "https://app.test/api/list/").
#: expect none first_lost_query/3

#: test a session is renewed, and the question is sent again with the old token
went("r1", "GET", "/api/orders", 1, 401).
went("r2", "POST", "/api/refresh", 2, 200).
went("r3", "GET", "/api/orders", 3, 401).
credential_sent("r1", "bearer").
credential_sent("r3", "bearer").
stack("r3", 0, "authorized", "https://app.test/auth.js", 12).
#: expect contains
suspect("r3", "stale_token",
        "GET /api/orders was sent again after POST /api/refresh had renewed the session, and was refused again (401): it is not sent the new token, but the old one, or the new one is not valid").
causes("r1", "r3", "asked again with a new session, it was refused as well").
change_at("r3", "/auth.js:12", "put the new token into what is sent again").

#: test the second time it is let in; a renewal that failed is to blame itself
went("r1", "GET", "/api/orders", 1, 401).
went("r2", "POST", "/api/refresh", 2, 200).
went("r3", "GET", "/api/orders", 3, 200).
went("r4", "GET", "/api/mails", 4, 401).
went("r5", "POST", "/api/renew", 5, 400).
went("r6", "GET", "/api/mails", 6, 401).
credential_sent("r3", "bearer").
credential_sent("r6", "bearer").
#: expect none last_renewal/2

#: test a fetch that the policy stops, and code of the page's own catches
issue("x1", "ContentSecurityPolicyIssue", "kURLViolation", "")@[2026-02-19T12:00:01Z].
csp_violation("x1", "connect-src", "https://prices.test/quotes").
caught("c1", "TypeError", "Failed to fetch")@[2026-02-19T12:00:01.005Z, 2026-02-19T12:00:01.005Z].
stack("c1", 0, "poll", "https://app.test/feed.js", 4).
#: expect contains
trouble("x1", 45,
        "https://prices.test/quotes could not be asked: the content security policy forbids it").

#: test one that only counts visitors
issue("x1", "ContentSecurityPolicyIssue", "kURLViolation", "")@[2026-02-19T12:00:01Z].
csp_violation("x1", "connect-src", "https://vendor.test/stats/hit").
caught("c1", "TypeError", "Failed to fetch")@[2026-02-19T12:00:01.005Z, 2026-02-19T12:00:01.005Z].
stack("c1", 0, "count", "https://app.test/count.js", 4).
#: expect none missed_data/1

#: test a module that code asks for when it needs it, and the policy stops
request("r1", "GET", "https://cdn.test/chart.mjs",
        "script")@[2026-02-19T12:00:01Z, 2026-02-19T12:00:01.010Z].
request_path("r1", "https://cdn.test", "/chart.mjs").
request_failed("r1", "failed")@[2026-02-19T12:00:01.010Z].
request_blocked("r1", "csp").
csp_violation("x1", "script-src-elem", "https://cdn.test/chart.mjs").
asked_by("r1", "script").
stack("r1", 0, "lazy", "https://app.test/sales.js", 2).
#: expect none cleared/2
