# Kinds of fault of tokens: mangle test domains
#: load ../schema/20_evidence.mg ../schema/30_causality.mg 25_requests.mg 40_common.mg 41_network.mg 42_policy.mg 43_session.mg 44_bodies.mg 43_tokens.mg 44_reads.mg 44_sent.mg 44_order.mg 45_scripts.mg 45_imports.mg 46_sockets.mg 47_forms.mg 48_rendering.mg 49_speed.mg
#: now 2026-02-19T12:00:10Z
request("r0", "GET", "https://app.test/",
        "document")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:00.050Z].
request_path("r0", "https://app.test", "/").
request_route("r0", "/").
answer("r0", 200, "text/html")@[2026-02-19T12:00:00.050Z].
watched("https://app.test/")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:08Z].

#: test a newer token that nobody keeps
request("r1", "GET", "https://app.test/api/session",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/session").
request_route("r1", "/api/session").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "json").
body_type("r1", "$.csrf", "string").
code_takes("r1", "$.csrf", "https://app.test/app.js", 3).
request("r2", "POST", "https://app.test/api/keepalive",
        "data")@[2026-02-19T12:00:00.300Z, 2026-02-19T12:00:00.400Z].
request_path("r2", "https://app.test", "/api/keepalive").
request_route("r2", "/api/keepalive").
answer("r2", 200, "application/json")@[2026-02-19T12:00:00.400Z].
body_kind("r2", "json").
body_type("r2", "$.csrf", "string").
request("r3", "POST", "https://app.test/api/comments",
        "data")@[2026-02-19T12:00:01.000Z, 2026-02-19T12:00:01.100Z].
request_path("r3", "https://app.test", "/api/comments").
request_route("r3", "/api/comments").
answer("r3", 403, "application/json")@[2026-02-19T12:00:01.100Z].
body_kind("r3", "json").
credential_sent("r3", "csrf").
#: expect contains
suspect("r2", "stale_token",
        "POST /api/keepalive answered a new token at $.csrf, which the code does not keep: POST /api/comments was sent the older one").
causes("r3", "r2", "it was sent the older token").

#: test one that is read is kept, and one that went elsewhere may be
request("r1", "GET", "https://app.test/api/session",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/session").
request_route("r1", "/api/session").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "json").
body_type("r1", "$.csrf", "string").
code_takes("r1", "$.csrf", "https://app.test/app.js", 3).
request("r2", "POST", "https://app.test/api/keepalive",
        "data")@[2026-02-19T12:00:00.300Z, 2026-02-19T12:00:00.400Z].
request_path("r2", "https://app.test", "/api/keepalive").
request_route("r2", "/api/keepalive").
answer("r2", 200, "application/json")@[2026-02-19T12:00:00.400Z].
body_kind("r2", "json").
body_type("r2", "$.csrf", "string").
code_takes("r2", "$.csrf", "https://app.test/app.js", 9).
request("r4", "GET", "https://app.test/api/first",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r4", "https://app.test", "/api/first").
request_route("r4", "/api/first").
answer("r4", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r4", "json").
body_type("r4", "$.csrf", "string").
code_takes("r4", "$.csrf", "https://app.test/app.js", 3).
request("r5", "POST", "https://app.test/api/other",
        "data")@[2026-02-19T12:00:00.300Z, 2026-02-19T12:00:00.400Z].
request_path("r5", "https://app.test", "/api/other").
request_route("r5", "/api/other").
answer("r5", 200, "application/json")@[2026-02-19T12:00:00.400Z].
body_kind("r5", "json").
body_type("r5", "$.csrf", "string").
code_hands_on("r5", "$").
request("r3", "POST", "https://app.test/api/comments",
        "data")@[2026-02-19T12:00:01.000Z, 2026-02-19T12:00:01.100Z].
request_path("r3", "https://app.test", "/api/comments").
request_route("r3", "/api/comments").
answer("r3", 403, "application/json")@[2026-02-19T12:00:01.100Z].
body_kind("r3", "json").
credential_sent("r3", "csrf").
#: expect absent
suspect("r2", "stale_token",
        "POST /api/keepalive answered a new token at $.csrf, which the code does not keep: POST /api/comments was sent the older one").
causes("r3", "r5", "it was sent the older token").
#: expect none causes/3

#: test where nothing was refused, tokens are nobody's matter
request("r1", "GET", "https://app.test/api/session",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/session").
request_route("r1", "/api/session").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "json").
body_type("r1", "$.csrf", "string").
code_takes("r1", "$.csrf", "https://app.test/app.js", 3).
request("r2", "POST", "https://app.test/api/keepalive",
        "data")@[2026-02-19T12:00:00.300Z, 2026-02-19T12:00:00.400Z].
request_path("r2", "https://app.test", "/api/keepalive").
request_route("r2", "/api/keepalive").
answer("r2", 200, "application/json")@[2026-02-19T12:00:00.400Z].
body_kind("r2", "json").
body_type("r2", "$.csrf", "string").
request("r3", "POST", "https://app.test/api/comments",
        "data")@[2026-02-19T12:00:01.000Z, 2026-02-19T12:00:01.100Z].
request_path("r3", "https://app.test", "/api/comments").
request_route("r3", "/api/comments").
answer("r3", 201, "application/json")@[2026-02-19T12:00:01.100Z].
body_kind("r3", "json").
credential_sent("r3", "csrf").
#: expect none suspect/3 trouble/3

#: test a refusal before the newer token has nothing to do with it
request("r1", "GET", "https://app.test/api/session",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/session").
request_route("r1", "/api/session").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "json").
body_type("r1", "$.csrf", "string").
code_takes("r1", "$.csrf", "https://app.test/app.js", 3).
request("r2", "POST", "https://app.test/api/keepalive",
        "data")@[2026-02-19T12:00:00.300Z, 2026-02-19T12:00:00.400Z].
request_path("r2", "https://app.test", "/api/keepalive").
request_route("r2", "/api/keepalive").
answer("r2", 200, "application/json")@[2026-02-19T12:00:00.400Z].
body_kind("r2", "json").
body_type("r2", "$.csrf", "string").
request("r3", "POST", "https://app.test/api/comments",
        "data")@[2026-02-19T12:00:00.250Z, 2026-02-19T12:00:00.290Z].
request_path("r3", "https://app.test", "/api/comments").
request_route("r3", "/api/comments").
answer("r3", 403, "application/json")@[2026-02-19T12:00:00.290Z].
body_kind("r3", "json").
credential_sent("r3", "csrf").
#: expect none causes/3

#: test a token that was answered, and sent as null
request("r1", "POST", "https://app.test/api/token",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/token").
request_route("r1", "/api/token").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "json").
body_type("r1", "$.token", "string").
request("r2", "GET", "https://app.test/api/vault",
        "data")@[2026-02-19T12:00:00.300Z, 2026-02-19T12:00:00.400Z].
request_path("r2", "https://app.test", "/api/vault").
request_route("r2", "/api/vault").
answer("r2", 401, "application/json")@[2026-02-19T12:00:00.400Z].
body_kind("r2", "json").
credential_sent("r2", "bearer").
credential_empty("r2", "bearer").
#: expect contains
suspect("r2", "lost_token",
        "GET /api/vault was sent no value as bearer, though POST /api/token had answered one at $.token").

#: test a token that was sent and refused
request("r1", "POST", "https://app.test/api/token",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/token").
request_route("r1", "/api/token").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "json").
body_type("r1", "$.token", "string").
request("r2", "GET", "https://app.test/api/vault",
        "data")@[2026-02-19T12:00:00.300Z, 2026-02-19T12:00:00.400Z].
request_path("r2", "https://app.test", "/api/vault").
request_route("r2", "/api/vault").
answer("r2", 401, "application/json")@[2026-02-19T12:00:00.400Z].
body_kind("r2", "json").
credential_sent("r2", "bearer").
#: expect absent
suspect("r2", "lost_token",
        "GET /api/vault was sent no value as bearer, though POST /api/token had answered one at $.token").

#: test an empty token was not answered
request("r1", "POST", "https://app.test/api/token",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/token").
request_route("r1", "/api/token").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "json").
body_type("r1", "$.token", "string").
request("r2", "GET", "https://app.test/api/vault",
        "data")@[2026-02-19T12:00:00.300Z, 2026-02-19T12:00:00.400Z].
request_path("r2", "https://app.test", "/api/vault").
request_route("r2", "/api/vault").
answer("r2", 401, "application/json")@[2026-02-19T12:00:00.400Z].
body_kind("r2", "json").
credential_sent("r2", "bearer").
credential_empty("r2", "bearer").
body_empty("r1", "$.token").
#: expect absent
suspect("r2", "lost_token",
        "GET /api/vault was sent no value as bearer, though POST /api/token had answered one at $.token").

#: test the cookie with the token does not reach what needs it
request("r1", "GET", "https://app.test/app/start",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/app/start").
request_route("r1", "/app/start").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "json").
cookie_set("r1", "XSRF-TOKEN").
request("r2", "POST", "https://app.test/api/comments",
        "data")@[2026-02-19T12:00:00.300Z, 2026-02-19T12:00:00.400Z].
request_path("r2", "https://app.test", "/api/comments").
request_route("r2", "/api/comments").
answer("r2", 403, "application/json")@[2026-02-19T12:00:00.400Z].
body_kind("r2", "json").
body_says_error("r2", "$.error", "CSRF token missing").
credential_sent("r2", "none").
#: expect contains
suspect("r1", "cookie_refused",
        "the cookie XSRF-TOKEN of GET /app/start does not reach POST /api/comments: its Path or Domain is another one").
causes("r2", "r1", "the token that it lacks is in a cookie that is not for it").

#: test it reaches it, or the token was sent
request("r1", "GET", "https://app.test/app/start",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/app/start").
request_route("r1", "/app/start").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "json").
cookie_set("r1", "XSRF-TOKEN").
request("r2", "POST", "https://app.test/api/comments",
        "data")@[2026-02-19T12:00:00.300Z, 2026-02-19T12:00:00.400Z].
request_path("r2", "https://app.test", "/api/comments").
request_route("r2", "/api/comments").
answer("r2", 403, "application/json")@[2026-02-19T12:00:00.400Z].
body_kind("r2", "json").
body_says_error("r2", "$.error", "CSRF token missing").
credential_sent("r2", "cookie:XSRF-TOKEN").
#: expect absent
suspect("r1", "cookie_refused",
        "the cookie XSRF-TOKEN of GET /app/start does not reach POST /api/comments: its Path or Domain is another one").

#: test the token was sent, and is another matter
request("r1", "GET", "https://app.test/app/start",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/app/start").
request_route("r1", "/app/start").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "json").
cookie_set("r1", "XSRF-TOKEN").
request("r2", "POST", "https://app.test/api/comments",
        "data")@[2026-02-19T12:00:00.300Z, 2026-02-19T12:00:00.400Z].
request_path("r2", "https://app.test", "/api/comments").
request_route("r2", "/api/comments").
answer("r2", 403, "application/json")@[2026-02-19T12:00:00.400Z].
body_kind("r2", "json").
body_says_error("r2", "$.error", "CSRF token missing").
credential_sent("r2", "csrf").
#: expect absent
suspect("r1", "cookie_refused",
        "the cookie XSRF-TOKEN of GET /app/start does not reach POST /api/comments: its Path or Domain is another one").

#: test a token in a cookie that code cannot read
request("r1", "GET", "https://app.test/app/start",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/app/start").
request_route("r1", "/app/start").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "json").
cookie_set("r1", "XSRF-TOKEN").
cookie_hidden("r1", "XSRF-TOKEN").
request("r2", "POST", "https://app.test/api/comments",
        "data")@[2026-02-19T12:00:00.300Z, 2026-02-19T12:00:00.400Z].
request_path("r2", "https://app.test", "/api/comments").
request_route("r2", "/api/comments").
answer("r2", 403, "application/json")@[2026-02-19T12:00:00.400Z].
body_kind("r2", "json").
body_says_error("r2", "$.error", "CSRF token missing").
credential_sent("r2", "cookie:XSRF-TOKEN").
#: expect contains
suspect("r1", "hidden_token",
        "the cookie XSRF-TOKEN of GET /app/start is HttpOnly: code cannot read it, and POST /api/comments was sent without its token").
causes("r2", "r1", "the token that it lacks is in a cookie that code cannot read").

#: test a token that was sent is another matter, and so is a session's cookie
request("r1", "GET", "https://app.test/app/start",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/app/start").
request_route("r1", "/app/start").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "json").
cookie_set("r1", "XSRF-TOKEN").
cookie_hidden("r1", "XSRF-TOKEN").
request("r2", "POST", "https://app.test/api/comments",
        "data")@[2026-02-19T12:00:00.300Z, 2026-02-19T12:00:00.400Z].
request_path("r2", "https://app.test", "/api/comments").
request_route("r2", "/api/comments").
answer("r2", 403, "application/json")@[2026-02-19T12:00:00.400Z].
body_kind("r2", "json").
body_says_error("r2", "$.error", "CSRF token missing").
credential_sent("r2", "cookie:XSRF-TOKEN").
credential_sent("r2", "csrf").
#: expect absent
suspect("r1", "hidden_token",
        "the cookie XSRF-TOKEN of GET /app/start is HttpOnly: code cannot read it, and POST /api/comments was sent without its token").

#: test a session's cookie is hidden by right
request("r1", "GET", "https://app.test/app/start",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/app/start").
request_route("r1", "/app/start").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "json").
cookie_set("r1", "sid").
cookie_hidden("r1", "sid").
request("r2", "POST", "https://app.test/api/comments",
        "data")@[2026-02-19T12:00:00.300Z, 2026-02-19T12:00:00.400Z].
request_path("r2", "https://app.test", "/api/comments").
request_route("r2", "/api/comments").
answer("r2", 403, "application/json")@[2026-02-19T12:00:00.400Z].
body_kind("r2", "json").
body_says_error("r2", "$.error", "CSRF token missing").
credential_sent("r2", "cookie:sid").
#: expect absent
suspect("r1", "hidden_token",
        "the cookie sid of GET /app/start is HttpOnly: code cannot read it, and POST /api/comments was sent without its token").

#: test a token in a cookie for another path, sent empty
request("r1", "GET", "https://app.test/api/session",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/session").
request_route("r1", "/api/session").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "json").
request("r2", "PATCH", "https://app.test/api/users/2",
        "data")@[2026-02-19T12:00:00.300Z, 2026-02-19T12:00:00.400Z].
request_path("r2", "https://app.test", "/api/users/2").
request_route("r2", "/api/users/{id}").
answer("r2", 403, "application/json")@[2026-02-19T12:00:00.400Z].
body_kind("r2", "json").
body_says_error("r2", "$.error", "CSRF token missing").
cookie_elsewhere("r1", "csrf_token", "/api").
cookie_set("r1", "csrf_token").
credential_sent("r2", "cookie:csrf_token").
credential_sent("r2", "csrf").
credential_empty("r2", "csrf").
#: expect contains
suspect("r1", "hidden_token",
        "the cookie csrf_token of GET /api/session has the Path /api: code of this page does not see it, and PATCH /api/users/2 was sent without its token").
causes("r2", "r1", "the token that it lacks is in a cookie that code does not see here").

#: test the same where no header is sent at all
request("r1", "GET", "https://app.test/api/session",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/session").
request_route("r1", "/api/session").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "json").
request("r2", "PATCH", "https://app.test/api/users/2",
        "data")@[2026-02-19T12:00:00.300Z, 2026-02-19T12:00:00.400Z].
request_path("r2", "https://app.test", "/api/users/2").
request_route("r2", "/api/users/{id}").
answer("r2", 403, "application/json")@[2026-02-19T12:00:00.400Z].
body_kind("r2", "json").
body_says_error("r2", "$.error", "CSRF token missing").
cookie_elsewhere("r1", "csrf_token", "/api").
cookie_set("r1", "csrf_token").
credential_sent("r2", "cookie:csrf_token").
#: expect contains
suspect("r1", "hidden_token",
        "the cookie csrf_token of GET /api/session has the Path /api: code of this page does not see it, and PATCH /api/users/2 was sent without its token").
causes("r2", "r1", "the token that it lacks is in a cookie that code does not see here").

#: test the token was sent, and is refused for another reason
request("r1", "GET", "https://app.test/api/session",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/session").
request_route("r1", "/api/session").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "json").
request("r2", "PATCH", "https://app.test/api/users/2",
        "data")@[2026-02-19T12:00:00.300Z, 2026-02-19T12:00:00.400Z].
request_path("r2", "https://app.test", "/api/users/2").
request_route("r2", "/api/users/{id}").
answer("r2", 403, "application/json")@[2026-02-19T12:00:00.400Z].
body_kind("r2", "json").
body_says_error("r2", "$.error", "CSRF token missing").
cookie_elsewhere("r1", "csrf_token", "/api").
cookie_set("r1", "csrf_token").
credential_sent("r2", "cookie:csrf_token").
credential_sent("r2", "csrf").
#: expect absent
suspect("r1", "hidden_token",
        "the cookie csrf_token of GET /api/session has the Path /api: code of this page does not see it, and PATCH /api/users/2 was sent without its token").

#: test a cookie of something else is for another path
request("r1", "GET", "https://app.test/api/session",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/session").
request_route("r1", "/api/session").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "json").
request("r2", "PATCH", "https://app.test/api/users/2",
        "data")@[2026-02-19T12:00:00.300Z, 2026-02-19T12:00:00.400Z].
request_path("r2", "https://app.test", "/api/users/2").
request_route("r2", "/api/users/{id}").
answer("r2", 403, "application/json")@[2026-02-19T12:00:00.400Z].
body_kind("r2", "json").
body_says_error("r2", "$.error", "CSRF token missing").
cookie_elsewhere("r1", "seen", "/api").
cookie_set("r1", "seen").
credential_sent("r2", "cookie:seen").
#: expect absent
suspect("r1", "hidden_token",
        "the cookie csrf_token of GET /api/session has the Path /api: code of this page does not see it, and PATCH /api/users/2 was sent without its token").

#: test the page sees its cookie
request("r1", "GET", "https://app.test/api/session",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/session").
request_route("r1", "/api/session").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "json").
request("r2", "PATCH", "https://app.test/api/users/2",
        "data")@[2026-02-19T12:00:00.300Z, 2026-02-19T12:00:00.400Z].
request_path("r2", "https://app.test", "/api/users/2").
request_route("r2", "/api/users/{id}").
answer("r2", 403, "application/json")@[2026-02-19T12:00:00.400Z].
body_kind("r2", "json").
body_says_error("r2", "$.error", "CSRF token missing").
cookie_set("r1", "csrf_token").
credential_sent("r2", "cookie:csrf_token").
#: expect absent
suspect("r1", "hidden_token",
        "the cookie csrf_token of GET /api/session has the Path /api: code of this page does not see it, and PATCH /api/users/2 was sent without its token").

#: test a newer token by a name that no script knows
request("r1", "GET", "https://app.test/api/session",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/session").
request_route("r1", "/api/session").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "json").
body_type("r1", "$.token", "string").
request("r2", "POST", "https://app.test/api/quote",
        "data")@[2026-02-19T12:00:01.000Z, 2026-02-19T12:00:01.100Z].
request_path("r2", "https://app.test", "/api/quote").
request_route("r2", "/api/quote").
answer("r2", 200, "application/json")@[2026-02-19T12:00:01.100Z].
body_kind("r2", "json").
body_type("r2", "$.form_token", "string").
token_unknown("r2", "$.form_token").
request("r3", "POST", "https://app.test/api/confirm",
        "data")@[2026-02-19T12:00:02.000Z, 2026-02-19T12:00:02.100Z].
request_path("r3", "https://app.test", "/api/confirm").
request_route("r3", "/api/confirm").
answer("r3", 403, "application/json")@[2026-02-19T12:00:02.100Z].
body_kind("r3", "json").
refusal_says("r3", 1, "error", "form_token_invalid").
#: expect contains
suspect("r2", "stale_token",
        "POST /api/quote answered a new token at $.form_token, a name that no script of the page knows: POST /api/confirm was sent the older one again").
causes("r3", "r2", "it was sent the older token").

#: test it is known
request("r1", "GET", "https://app.test/api/session",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/session").
request_route("r1", "/api/session").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "json").
body_type("r1", "$.token", "string").
request("r2", "POST", "https://app.test/api/quote",
        "data")@[2026-02-19T12:00:01.000Z, 2026-02-19T12:00:01.100Z].
request_path("r2", "https://app.test", "/api/quote").
request_route("r2", "/api/quote").
answer("r2", 200, "application/json")@[2026-02-19T12:00:01.100Z].
body_kind("r2", "json").
body_type("r2", "$.form_token", "string").
request("r3", "POST", "https://app.test/api/confirm",
        "data")@[2026-02-19T12:00:02.000Z, 2026-02-19T12:00:02.100Z].
request_path("r3", "https://app.test", "/api/confirm").
request_route("r3", "/api/confirm").
answer("r3", 403, "application/json")@[2026-02-19T12:00:02.100Z].
body_kind("r3", "json").
refusal_says("r3", 1, "error", "form_token_invalid").
#: expect none unread_by/3

#: test it is refused for something else
request("r1", "GET", "https://app.test/api/session",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/session").
request_route("r1", "/api/session").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "json").
body_type("r1", "$.token", "string").
request("r2", "POST", "https://app.test/api/quote",
        "data")@[2026-02-19T12:00:01.000Z, 2026-02-19T12:00:01.100Z].
request_path("r2", "https://app.test", "/api/quote").
request_route("r2", "/api/quote").
answer("r2", 200, "application/json")@[2026-02-19T12:00:01.100Z].
body_kind("r2", "json").
body_type("r2", "$.form_token", "string").
token_unknown("r2", "$.form_token").
request("r3", "POST", "https://app.test/api/confirm",
        "data")@[2026-02-19T12:00:02.000Z, 2026-02-19T12:00:02.100Z].
request_path("r3", "https://app.test", "/api/confirm").
request_route("r3", "/api/confirm").
answer("r3", 403, "application/json")@[2026-02-19T12:00:02.100Z].
body_kind("r3", "json").
refusal_says("r3", 1, "error", "not a member").
#: expect none unread_by/3

#: test it is for something else, or beside one that is known
request("r1", "GET", "https://app.test/api/session",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/session").
request_route("r1", "/api/session").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "json").
body_type("r1", "$.token", "string").
request("r2", "POST", "https://app.test/api/quote",
        "data")@[2026-02-19T12:00:01.000Z, 2026-02-19T12:00:01.100Z].
request_path("r2", "https://app.test", "/api/quote").
request_route("r2", "/api/quote").
answer("r2", 200, "application/json")@[2026-02-19T12:00:01.100Z].
body_kind("r2", "json").
body_type("r2", "$.refresh_token", "string").
token_unknown("r2", "$.refresh_token").
request("r4", "POST", "https://app.test/api/login",
        "data")@[2026-02-19T12:00:01.000Z, 2026-02-19T12:00:01.100Z].
request_path("r4", "https://app.test", "/api/login").
request_route("r4", "/api/login").
answer("r4", 200, "application/json")@[2026-02-19T12:00:01.100Z].
body_kind("r4", "json").
body_type("r4", "$.access_token", "string").
body_type("r4", "$.id_token", "string").
token_unknown("r4", "$.id_token").
request("r3", "POST", "https://app.test/api/confirm",
        "data")@[2026-02-19T12:00:02.000Z, 2026-02-19T12:00:02.100Z].
request_path("r3", "https://app.test", "/api/confirm").
request_route("r3", "/api/confirm").
answer("r3", 403, "application/json")@[2026-02-19T12:00:02.100Z].
body_kind("r3", "json").
refusal_says("r3", 1, "error", "form_token_invalid").
#: expect none unread_by/3

#: test it came after the refusal, or no other came before
request("r2", "POST", "https://app.test/api/quote",
        "data")@[2026-02-19T12:00:01.000Z, 2026-02-19T12:00:01.100Z].
request_path("r2", "https://app.test", "/api/quote").
request_route("r2", "/api/quote").
answer("r2", 200, "application/json")@[2026-02-19T12:00:01.100Z].
body_kind("r2", "json").
body_type("r2", "$.form_token", "string").
token_unknown("r2", "$.form_token").
request("r3", "POST", "https://app.test/api/confirm",
        "data")@[2026-02-19T12:00:02.000Z, 2026-02-19T12:00:02.100Z].
request_path("r3", "https://app.test", "/api/confirm").
request_route("r3", "/api/confirm").
answer("r3", 403, "application/json")@[2026-02-19T12:00:02.100Z].
body_kind("r3", "json").
refusal_says("r3", 1, "error", "form_token_invalid").
request("r5", "POST", "https://app.test/api/later",
        "data")@[2026-02-19T12:00:03.000Z, 2026-02-19T12:00:03.100Z].
request_path("r5", "https://app.test", "/api/later").
request_route("r5", "/api/later").
answer("r5", 200, "application/json")@[2026-02-19T12:00:03.100Z].
body_kind("r5", "json").
body_type("r5", "$.form_token", "string").
token_unknown("r5", "$.form_token").
#: expect none unread_by/3
