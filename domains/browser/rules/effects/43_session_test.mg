# Kinds of fault of redirects, cookies and sessions: mangle test domains
#: load ../schema/20_evidence.mg ../schema/30_causality.mg 25_requests.mg 40_common.mg 41_network.mg 42_policy.mg 43_session.mg 44_bodies.mg 43_tokens.mg 44_reads.mg 44_sent.mg 44_order.mg 45_scripts.mg 45_imports.mg 46_sockets.mg 47_forms.mg 48_rendering.mg 49_speed.mg
#: now 2026-02-19T12:00:10Z
request("r0", "GET", "https://app.test/",
        "document")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:00.050Z].
request_path("r0", "https://app.test", "/").
request_route("r0", "/").
answer("r0", 200, "text/html")@[2026-02-19T12:00:00.050Z].
watched("https://app.test/")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:08Z].

#: test data that is sent to the sign-in page is abnormal
request("r1", "GET", "https://app.test/api/orders",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/orders").
request_route("r1", "/api/orders").
answer("r1", 200, "text/html")@[2026-02-19T12:00:00.200Z].
redirected("r1", 1, 302, "https://app.test/api/orders", "https://app.test/login?next=/api/orders").
#: expect
suspect("r1", "redirect_to_sign_in",
        "GET /api/orders was redirected to the sign-in page https://app.test/login?next=/api/orders in place of data").
suspect("r1", "wrong_content_type", "GET /api/orders answered a page (HTML) in place of data").
change_at("r1", "GET /api/orders",
          "answer 401 where data is asked for; see why the session is not valid").
change_at("r1", "GET /api/orders", "answer in the type that is asked for, also for errors").

#: test a page that is sent to sign in is not
request("r1", "GET", "https://app.test/account",
        "document")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/account").
request_route("r1", "/account").
answer("r1", 200, "text/html")@[2026-02-19T12:00:00.200Z].
redirected("r1", 1, 302, "https://app.test/account", "https://app.test/login").
#: expect none suspect/3

#: test signing in that goes on to another address is not
request("r1", "POST", "https://app.test/login",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/login").
request_route("r1", "/login").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
redirected("r1", 1, 302, "https://app.test/login", "https://app.test/login/done").
#: expect none suspect/3 trouble/3

#: test a body that a redirect drops is lost
request("r1", "POST", "https://app.test/api/orders",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/orders").
request_route("r1", "/api/orders").
answer("r1", 405, "application/json")@[2026-02-19T12:00:00.200Z].
redirected("r1", 1, 301, "https://app.test/api/orders", "https://app.test/api/orders/").
#: expect
suspect("r1", "method_not_allowed", "POST /api/orders answered 405").
suspect("r1", "redirect_lost_body",
        "POST /api/orders was redirected to https://app.test/api/orders/ as a GET: its body was lost").
trouble("r1", 55, "POST /api/orders did not reach its endpoint").

#: test an answer to a POST by redirect is fair
request("r1", "POST", "https://app.test/api/orders",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/orders").
request_route("r1", "/api/orders").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
redirected("r1", 1, 303, "https://app.test/api/orders", "https://app.test/api/orders/7").
#: expect none suspect/3 trouble/3

#: test 307 keeps the body
request("r1", "POST", "https://app.test/api/orders",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/orders").
request_route("r1", "/api/orders").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
redirected("r1", 1, 307, "https://app.test/api/orders", "https://app.test/api/orders/").
#: expect none suspect/3 trouble/3

#: test pages that send each other on are a circle
navigation("n1", "https://app.test/home",
           "script")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.150Z].
navigation("n2", "https://app.test/login",
           "script")@[2026-02-19T12:00:00.200Z, 2026-02-19T12:00:00.250Z].
navigation("n3", "https://app.test/home",
           "script")@[2026-02-19T12:00:00.300Z, 2026-02-19T12:00:00.350Z].
navigation("n4", "https://app.test/login",
           "script")@[2026-02-19T12:00:00.400Z, 2026-02-19T12:00:00.450Z].
navigation("n5", "https://app.test/home",
           "script")@[2026-02-19T12:00:00.500Z, 2026-02-19T12:00:00.550Z].
navigation("n6", "https://app.test/login",
           "script")@[2026-02-19T12:00:00.600Z, 2026-02-19T12:00:00.650Z].
navigation("n7", "https://app.test/home",
           "script")@[2026-02-19T12:00:00.700Z, 2026-02-19T12:00:00.750Z].
navigation("n8", "https://app.test/login",
           "script")@[2026-02-19T12:00:00.800Z, 2026-02-19T12:00:00.850Z].
#: expect
suspect("n1", "redirect_loop", "the page went to https://app.test/home 4 times by itself").
suspect("n2", "redirect_loop", "the page went to https://app.test/login 4 times by itself").
trouble("n1", 70,
        "the page does not come to rest: it goes to https://app.test/home again and again").
trouble("n2", 70,
        "the page does not come to rest: it goes to https://app.test/login again and again").

#: test going to a page three times by link is none
navigation("n1", "https://app.test/home",
           "link")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.150Z].
navigation("n2", "https://app.test/home",
           "link")@[2026-02-19T12:00:00.200Z, 2026-02-19T12:00:00.250Z].
navigation("n3", "https://app.test/home",
           "link")@[2026-02-19T12:00:00.300Z, 2026-02-19T12:00:00.350Z].
navigation("n4", "https://app.test/home",
           "link")@[2026-02-19T12:00:00.400Z, 2026-02-19T12:00:00.450Z].
navigation("n5", "https://app.test/home",
           "link")@[2026-02-19T12:00:00.500Z, 2026-02-19T12:00:00.550Z].
#: expect none suspect/3 trouble/3

#: test a cookie that was refused is why the next question is not authorized
request("r1", "POST", "https://app.test/api/login",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/login").
request_route("r1", "/api/login").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
cookie_refused("r1", "sid", "SameSiteNoneInsecure", "set").
request("r2", "GET", "https://app.test/api/profile",
        "data")@[2026-02-19T12:00:00.300Z, 2026-02-19T12:00:00.400Z].
request_path("r2", "https://app.test", "/api/profile").
request_route("r2", "/api/profile").
answer("r2", 401, "application/json")@[2026-02-19T12:00:00.400Z].
credential_sent("r2", "none").
request("r3", "GET", "https://app.test/api/early",
        "data")@[2026-02-19T12:00:00.050Z, 2026-02-19T12:00:00.090Z].
request_path("r3", "https://app.test", "/api/early").
request_route("r3", "/api/early").
answer("r3", 401, "application/json")@[2026-02-19T12:00:00.090Z].
#: expect
suspect("r1", "cookie_refused",
        "the browser refused the cookie sid of POST /api/login: SameSite=None without Secure").
suspect("r2", "not_authorized", "GET /api/profile answered 401").
suspect("r3", "not_authorized", "GET /api/early answered 401").
causes("r2", "r1", "the cookie sid was refused before, so it went without").

#: test a cookie that came after all is not
request("r1", "POST", "https://app.test/api/login",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/login").
request_route("r1", "/api/login").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
cookie_refused("r1", "sid", "SecureOnly", "set").
request("r2", "GET", "https://app.test/api/profile",
        "data")@[2026-02-19T12:00:00.300Z, 2026-02-19T12:00:00.400Z].
request_path("r2", "https://app.test", "/api/profile").
request_route("r2", "/api/profile").
answer("r2", 401, "application/json")@[2026-02-19T12:00:00.400Z].
credential_sent("r2", "cookie:sid").
#: expect none causes/3

#: test a cookie of others says nothing about the own site
request("r1", "GET", "https://ads.test/px",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://ads.test", "/px").
request_route("r1", "/px").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
third_party("r1").
cookie_refused("r1", "uid", "ThirdPartyPhaseout", "set").
request("r2", "GET", "https://app.test/api/profile",
        "data")@[2026-02-19T12:00:00.300Z, 2026-02-19T12:00:00.400Z].
request_path("r2", "https://app.test", "/api/profile").
request_route("r2", "/api/profile").
answer("r2", 401, "application/json")@[2026-02-19T12:00:00.400Z].
#: expect none causes/3

#: test a cookie for another path is the fault of who set it
request("r1", "POST", "https://app.test/auth/login",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/auth/login").
request_route("r1", "/auth/login").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
cookie_set("r1", "sid").
request("r2", "GET", "https://app.test/api/profile",
        "data")@[2026-02-19T12:00:00.300Z, 2026-02-19T12:00:00.400Z].
request_path("r2", "https://app.test", "/api/profile").
request_route("r2", "/api/profile").
answer("r2", 401, "application/json")@[2026-02-19T12:00:00.400Z].
cookie_refused("r2", "sid", "NotOnPath", "sent").
#: expect
suspect("r1", "cookie_refused",
        "the cookie sid of POST /auth/login is not sent to GET /api/profile: its Path is another one").
suspect("r2", "not_authorized", "GET /api/profile answered 401").
causes("r2", "r1", "its cookie was not sent along").

#: test a cookie for another path is no matter where nothing is missing
request("r1", "POST", "https://app.test/auth/login",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/auth/login").
request_route("r1", "/auth/login").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
cookie_set("r1", "sid").
request("r2", "GET", "https://app.test/api/profile",
        "data")@[2026-02-19T12:00:00.300Z, 2026-02-19T12:00:00.400Z].
request_path("r2", "https://app.test", "/api/profile").
request_route("r2", "/api/profile").
answer("r2", 200, "application/json")@[2026-02-19T12:00:00.400Z].
cookie_refused("r2", "sid", "NotOnPath", "sent").
#: expect none suspect/3 causes/3

#: test a session that ran out is renewed: what counts is the renewal
request("r1", "GET", "https://app.test/api/orders",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/orders").
request_route("r1", "/api/orders").
answer("r1", 401, "application/json")@[2026-02-19T12:00:00.200Z].
request("r2", "POST", "https://app.test/api/auth/refresh",
        "data")@[2026-02-19T12:00:00.210Z, 2026-02-19T12:00:00.300Z].
request_path("r2", "https://app.test", "/api/auth/refresh").
request_route("r2", "/api/auth/refresh").
answer("r2", 500, "application/json")@[2026-02-19T12:00:00.300Z].
request("r3", "GET", "https://app.test/api/orders",
        "data")@[2026-02-19T12:00:00.310Z, 2026-02-19T12:00:00.410Z].
request_path("r3", "https://app.test", "/api/orders").
request_route("r3", "/api/orders").
answer("r3", 401, "application/json")@[2026-02-19T12:00:00.410Z].
#: expect
suspect("r1", "not_authorized", "GET /api/orders answered 401").
suspect("r2", "server_error", "POST /api/auth/refresh answered 500").
suspect("r3", "not_authorized", "GET /api/orders answered 401").
cleared("r1", "its session had run out, and is renewed after it").

#: test a missing anti-forgery token is told, and where it should have come from
request("r1", "GET", "https://app.test/api/csrf",
        "data")@[2026-02-19T12:00:00.050Z, 2026-02-19T12:00:00.090Z].
request_path("r1", "https://app.test", "/api/csrf").
request_route("r1", "/api/csrf").
answer("r1", 503, "application/json")@[2026-02-19T12:00:00.090Z].
request("r2", "POST", "https://app.test/api/settings",
        "data")@[2026-02-19T12:00:00.300Z, 2026-02-19T12:00:00.400Z].
request_path("r2", "https://app.test", "/api/settings").
request_route("r2", "/api/settings").
answer("r2", 403, "application/json")@[2026-02-19T12:00:00.400Z].
body_says_error("r2", "$.error", "invalid CSRF token").
#: expect
suspect("r1", "server_error", "GET /api/csrf answered 503").
suspect("r2", "csrf", "POST /api/settings was refused: its anti-forgery token is missing or stale").
suspect("r2", "not_authorized", "POST /api/settings answered 403").
causes("r2", "r1", "the token should have come from there").

#: test a page that expired, and a cookie that nobody is known to have set
request("r1", "POST", "https://app.test/api/save",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/save").
request_route("r1", "/api/save").
answer("r1", 419, "application/json")@[2026-02-19T12:00:00.200Z].
request("r2", "GET", "https://app.test/api/me",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r2", "https://app.test", "/api/me").
request_route("r2", "/api/me").
answer("r2", 401, "application/json")@[2026-02-19T12:00:00.200Z].
cookie_refused("r2", "sid", "SomethingNew", "sent").
#: expect
suspect("r1", "csrf", "POST /api/save was refused: its anti-forgery token is missing or stale").
suspect("r1", "not_authorized", "POST /api/save answered 419").
suspect("r2", "cookie_refused", "GET /api/me went without the cookie sid: SomethingNew").
suspect("r2", "not_authorized", "GET /api/me answered 401").

#: test another refusal is not
request("r2", "POST", "https://app.test/api/settings",
        "data")@[2026-02-19T12:00:00.300Z, 2026-02-19T12:00:00.400Z].
request_path("r2", "https://app.test", "/api/settings").
request_route("r2", "/api/settings").
answer("r2", 403, "application/json")@[2026-02-19T12:00:00.400Z].
body_says_error("r2", "$.error", "admins only").
#: expect
suspect("r2", "not_authorized", "POST /api/settings answered 403").

#: test a sign-in page in place of data is trouble, whoever said so
request("r1", "GET", "https://app.test/api/letters",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/letters").
request_route("r1", "/api/letters").
answer("r1", 200, "text/html")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "html").
redirected("r1", 1, 302, "https://app.test/api/letters", "https://app.test/login").
#: expect
trouble("r1", 50, "a sign-in page came in place of the data of GET /api/letters").

#: test asking who is signed in, with a page that offers to
request("r1", "GET", "https://app.test/api/session",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/session").
request_route("r1", "/api/session").
answer("r1", 200, "text/html")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "html").
redirected("r1", 1, 302, "https://app.test/api/session", "https://app.test/login").
shown("text", "Please sign in").
#: expect none trouble/3

#: test data behind a sign-in that came all the same
request("r1", "GET", "https://app.test/api/letters",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/letters").
request_route("r1", "/api/letters").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "json").
redirected("r1", 1, 302, "https://app.test/api/letters", "https://app.test/login").
#: expect none trouble/3

#: test a cookie of another path is missed where it was wanted
request("r1", "POST", "https://app.test/auth/login",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/auth/login").
request_route("r1", "/auth/login").
answer("r1", 200, "application/json")@[2026-02-19T12:00:00.200Z].
body_kind("r1", "json").
cookie_set("r1", "sid").
request("r2", "GET", "https://app.test/api/me",
        "data")@[2026-02-19T12:00:00.300Z, 2026-02-19T12:00:00.400Z].
request_path("r2", "https://app.test", "/api/me").
request_route("r2", "/api/me").
answer("r2", 401, "application/json")@[2026-02-19T12:00:00.400Z].
body_kind("r2", "json").
cookie_refused("r2", "sid", "NotOnPath", "sent").
#: expect contains
suspect("r1", "cookie_refused",
        "the cookie sid of POST /auth/login is not sent to GET /api/me: its Path is another one").
causes("r2", "r1", "its cookie was not sent along").

#: test a renewal after which the question is turned away again renewed nothing
request("r1", "GET", "https://app.test/api/orders",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/orders").
answer("r1", 401, "application/json")@[2026-02-19T12:00:00.200Z].
request("r2", "POST", "https://app.test/api/auth/refresh",
        "data")@[2026-02-19T12:00:00.210Z, 2026-02-19T12:00:00.300Z].
request_path("r2", "https://app.test", "/api/auth/refresh").
request_route("r2", "/api/auth/refresh").
answer("r2", 204, "application/json")@[2026-02-19T12:00:00.300Z].
request("r3", "GET", "https://app.test/api/orders",
        "data")@[2026-02-19T12:00:00.310Z, 2026-02-19T12:00:00.410Z].
request_path("r3", "https://app.test", "/api/orders").
answer("r3", 401, "application/json")@[2026-02-19T12:00:00.410Z].
#: expect none cleared/2

#: test one after which it comes renewed all that it had to
request("r1", "GET", "https://app.test/api/orders",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/api/orders").
answer("r1", 401, "application/json")@[2026-02-19T12:00:00.200Z].
request("r2", "POST", "https://app.test/api/auth/refresh",
        "data")@[2026-02-19T12:00:00.210Z, 2026-02-19T12:00:00.300Z].
request_path("r2", "https://app.test", "/api/auth/refresh").
request_route("r2", "/api/auth/refresh").
answer("r2", 204, "application/json")@[2026-02-19T12:00:00.300Z].
request("r3", "GET", "https://app.test/api/orders",
        "data")@[2026-02-19T12:00:00.310Z, 2026-02-19T12:00:00.410Z].
request_path("r3", "https://app.test", "/api/orders").
answer("r3", 200, "application/json")@[2026-02-19T12:00:00.410Z].
#: expect
cleared("r1", "its session had run out, and is renewed after it").

#: test a circle of redirects, for a cookie that is set on the way for another path
request("r1", "GET", "https://app.test/api/week",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.900Z].
request_path("r1", "https://app.test", "/api/week").
request_route("r1", "/api/week").
request_failed("r1", "net::ERR_TOO_MANY_REDIRECTS")@[2026-02-19T12:00:00.900Z].
redirected("r1", 1, 302, "https://app.test/api/week", "https://app.test/staff/sso").
redirected("r1", 2, 302, "https://app.test/staff/sso", "https://app.test/api/week").
redirected("r1", 3, 302, "https://app.test/api/week", "https://app.test/staff/sso").
redirected("r1", 4, 302, "https://app.test/staff/sso", "https://app.test/api/week").
cookie_set("r1", "sid").
cookie_path("r1", "sid", "/staff").
cookie_refused("r1", "sid", "NotOnPath", "sent").
#: expect contains
suspect("r1", "cookie_refused",
        "GET /api/week is redirected in a circle (redirect loop): /staff/sso sets the cookie sid with the Path /staff and sends it back, where it goes without that cookie").

#: test a circle for something else
request("r1", "GET", "https://app.test/api/week",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.900Z].
request_path("r1", "https://app.test", "/api/week").
request_route("r1", "/api/week").
request_failed("r1", "net::ERR_TOO_MANY_REDIRECTS")@[2026-02-19T12:00:00.900Z].
redirected("r1", 1, 302, "https://app.test/api/week", "https://app.test/staff/sso").
redirected("r1", 2, 302, "https://app.test/staff/sso", "https://app.test/api/week").
redirected("r1", 3, 302, "https://app.test/api/week", "https://app.test/staff/sso").
redirected("r1", 4, 302, "https://app.test/staff/sso", "https://app.test/api/week").
#: expect none goes_in_circle/4
