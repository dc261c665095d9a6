# Kinds of fault of what browsers forbid: mangle test domains
#: load ../schema/20_evidence.mg ../schema/30_causality.mg 25_requests.mg 40_common.mg 41_network.mg 42_policy.mg 43_session.mg 44_bodies.mg 43_tokens.mg 44_reads.mg 44_sent.mg 44_order.mg 45_scripts.mg 45_imports.mg 46_sockets.mg 47_forms.mg 48_rendering.mg 49_speed.mg
#: now 2026-02-19T12:00:10Z
request("r0", "GET", "https://app.test/",
        "document")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:00.050Z].
request_path("r0", "https://app.test", "/").
request_route("r0", "/").
answer("r0", 200, "text/html")@[2026-02-19T12:00:00.050Z].
watched("https://app.test/")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:08Z].

#: test CORS is told by its reason, with the header to mend
request("r1", "GET", "https://api.test/v2/bills",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://api.test", "/v2/bills").
request_route("r1", "/v2/bills").
request_failed("r1", "net::ERR_FAILED")@[2026-02-19T12:00:00.200Z].
cors_error("r1", "MissingAllowOriginHeader", "Access-Control-Allow-Origin").
third_party("r1").
#: expect
suspect("r1", "cors",
        "GET https://api.test/v2/bills was blocked by CORS: its answer does not allow the page\'s origin").
change_at("r1", "access-control-allow-origin of GET https://api.test/v2/bills",
          "name the page\'s origin (Access-Control-Allow-Origin)").
check_by("r1", "GET https://api.test/v2/bills is answered, and code can read it").

#: test a header that the preflight does not allow is named
request("r1", "PUT", "https://api.test/v2/bills",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://api.test", "/v2/bills").
request_route("r1", "/v2/bills").
request_failed("r1", "net::ERR_FAILED")@[2026-02-19T12:00:00.200Z].
cors_error("r1", "HeaderDisallowedByPreflightResponse", "x-token").
#: expect
suspect("r1", "cors",
        "PUT https://api.test/v2/bills was blocked by CORS: a header that it sends is not allowed across origins (x-token)").
change_at("r1", "access-control-allow-headers of PUT https://api.test/v2/bills",
          "name the header (x-token)").

#: test a reason without a row is told as it is
request("r1", "GET", "https://api.test/v2/bills",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://api.test", "/v2/bills").
request_route("r1", "/v2/bills").
request_failed("r1", "net::ERR_FAILED")@[2026-02-19T12:00:00.200Z].
cors_error("r1", "SomethingNew", "").
#: expect
suspect("r1", "cors", "GET https://api.test/v2/bills was blocked by CORS: SomethingNew").
#: expect none change_at/3

#: test a preflight that is answered with an error comes first
request("r1", "PUT", "https://api.test/v2/bills",
        "data")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.300Z].
request_path("r1", "https://api.test", "/v2/bills").
request_route("r1", "/v2/bills").
request_failed("r1", "net::ERR_FAILED")@[2026-02-19T12:00:00.300Z].
request("r2", "OPTIONS", "https://api.test/v2/bills",
        "preflight")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r2", "https://api.test", "/v2/bills").
request_route("r2", "/v2/bills").
answer("r2", 404, "")@[2026-02-19T12:00:00.200Z].
cors_error("r1", "PreflightInvalidStatus", "").
#: expect
suspect("r1", "cors",
        "PUT https://api.test/v2/bills was blocked by CORS: its preflight is answered with an error").
suspect("r2", "missing_route", "OPTIONS https://api.test/v2/bills answered 404").
causes("r1", "r2", "its preflight was not answered well").

#: test what the policy stops names its directive once
request("r1", "GET", "https://cdn.test/lib.js",
        "script")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://cdn.test", "/lib.js").
request_route("r1", "/lib.js").
request_failed("r1", "blocked")@[2026-02-19T12:00:00.200Z].
request_blocked("r1", "csp").
issue("x1", "ContentSecurityPolicyIssue", "", "r1")@[2026-02-19T12:00:00.150Z].
csp_violation("x1", "script-src-elem", "https://cdn.test/lib.js").
#: expect
suspect("r1", "csp",
        "GET https://cdn.test/lib.js was blocked by the page\'s content security policy: script-src-elem").
change_at("r1", "GET https://cdn.test/lib.js",
          "serve it from where the policy allows, or extend the policy").
change_at("r1", "header content-security-policy, script-src-elem",
          "allow it there, if it is wanted").

#: test a fetch that the policy stops is no request, only an issue and an error
issue("x1", "ContentSecurityPolicyIssue", "", "")@[2026-02-19T12:00:00.290Z].
csp_violation("x1", "connect-src", "https://api.test/v1/rates").
error("e1", "TypeError", "Failed to fetch", "exception")@[2026-02-19T12:00:00.300Z].
stack("e1", 0, "run", "https://app.test/rates.js", 4).
#: expect
suspect("x1", "csp",
        "the page\'s content security policy blocked https://api.test/v1/rates: connect-src").
causes("e1", "x1", "the content security policy let nothing be sent").
change_at("x1", "header content-security-policy, connect-src", "allow it there, if it is wanted").

#: test code that the policy does not let be made of text
issue("x1", "ContentSecurityPolicyIssue", "", "")@[2026-02-19T12:00:00.090Z].
csp_violation("x1", "script-src", "eval").
error("e1", "EvalError", "Evaluating a string as JavaScript violates",
      "exception")@[2026-02-19T12:00:00.091Z].
stack("e1", 0, "run", "https://app.test/t.js", 1).
request("r1", "GET", "https://app.test/z.js",
        "script")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/z.js").
request_route("r1", "/z.js").
request_failed("r1", "blocked")@[2026-02-19T12:00:00.200Z].
request_blocked("r1", "csp").
#: expect
suspect("e1", "script_error", "/t.js:1 throws Evaluating a string as JavaScript violates").
suspect("r1", "csp", "GET /z.js was blocked by the page\'s content security policy").
suspect("x1", "csp", "the page\'s content security policy blocked eval: script-src").
causes("e1", "x1", "the content security policy forbids eval").

#: test what somebody asked for and the policy stops is missed, though nobody says a word
input("i1", "click", "button#find", "")@[2026-02-19T12:00:01Z].
issue("x1", "ContentSecurityPolicyIssue", "", "")@[2026-02-19T12:00:01.100Z].
csp_violation("x1", "connect-src", "https://api.test/v1/find?q=a").
issue("x2", "ContentSecurityPolicyIssue", "", "")@[2026-02-19T12:00:01.200Z].
csp_violation("x2", "connect-src", "https://stats.test/analytics").
issue("x3", "ContentSecurityPolicyIssue", "", "")@[2026-02-19T12:00:00.200Z].
csp_violation("x3", "connect-src", "https://api.test/v1/recommend").
#: expect
trouble("x1", 45,
        "https://api.test/v1/find?q=a could not be asked: the content security policy forbids it").

#: test an error long after has nothing to do with it
issue("x1", "ContentSecurityPolicyIssue", "", "")@[2026-02-19T12:00:00.290Z].
csp_violation("x1", "connect-src", "https://stats.test/v1").
error("e1", "TypeError", "Failed to fetch", "exception")@[2026-02-19T12:00:04Z].
stack("e1", 0, "run", "https://app.test/rates.js", 4).
#: expect none causes/3

#: test code in the page that may not run defines nothing
issue("x1", "ContentSecurityPolicyIssue", "", "")@[2026-02-19T12:00:00.090Z].
csp_violation("x1", "script-src-elem", "inline").
error("e1", "ReferenceError", "config is not defined", "exception")@[2026-02-19T12:00:00.300Z].
stack("e1", 0, "run", "https://app.test/app.js", 1).
error_about_name("e1", "config").
#: expect
suspect("e1", "script_error", "/app.js:1 throws config is not defined").
suspect("x1", "csp", "the page\'s content security policy blocked inline: script-src-elem").
causes("e1", "x1", "the code that defines it was not run").

#: test what else the browser blocks has a kind each
request("r1", "GET", "http://cdn.test/a.js",
        "script")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "http://cdn.test", "/a.js").
request_route("r1", "/a.js").
request_failed("r1", "blocked")@[2026-02-19T12:00:00.200Z].
request_blocked("r1", "mixed-content").
request("r2", "GET", "https://img.test/b.png",
        "image")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r2", "https://img.test", "/b.png").
request_route("r2", "/b.png").
request_failed("r2", "net::ERR_BLOCKED_BY_RESPONSE.NotSameOrigin")@[2026-02-19T12:00:00.200Z].
request_blocked("r2", "corp-not-same-origin").
request("r3", "GET", "https://ads.test/c.js",
        "script")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r3", "https://ads.test", "/c.js").
request_route("r3", "/c.js").
request_failed("r3", "net::ERR_BLOCKED_BY_CLIENT")@[2026-02-19T12:00:00.200Z].
request_blocked("r3", "inspector").
request("r4", "GET", "https://pay.test/pay",
        "frame")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r4", "https://pay.test", "/pay").
request_route("r4", "/pay").
request_failed("r4", "net::ERR_BLOCKED_BY_RESPONSE")@[2026-02-19T12:00:00.200Z].
request_blocked("r4", "other").
request("r5", "GET", "https://app.test/d.js",
        "script")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r5", "https://app.test", "/d.js").
request_route("r5", "/d.js").
request_failed("r5", "x")@[2026-02-19T12:00:00.200Z].
request_blocked("r5", "origin").
#: expect
suspect("r1", "mixed_content",
        "GET http://cdn.test/a.js was blocked: a page over https asks for it over http").
suspect("r2", "corp",
        "GET https://img.test/b.png may not be used by this page: corp-not-same-origin").
suspect("r3", "blocked_by_client",
        "GET https://ads.test/c.js was blocked by a tool or an extension").
suspect("r4", "frame_refused", "GET https://pay.test/pay does not allow to be shown in a frame").
suspect("r5", "blocked", "GET /d.js was blocked by the browser: origin").

#: test a file with another checksum does not run
request("r1", "GET", "https://app.test/lib.js",
        "script")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.200Z].
request_path("r1", "https://app.test", "/lib.js").
request_route("r1", "/lib.js").
answer("r1", 200, "text/javascript")@[2026-02-19T12:00:00.200Z].
error("e1", "",
      "Failed to find a valid digest in the 'integrity' attribute for resource 'https://app.test/lib.js' with computed SHA-384 integrity 'x'. The resource has been blocked.",
      "security")@[2026-02-19T12:00:00.250Z].
error("e2", "ReferenceError", "Lib is not defined", "exception")@[2026-02-19T12:00:00.300Z].
stack("e2", 0, "run", "https://app.test/app.js", 1).
error_about_name("e2", "Lib").
#: expect
suspect("e2", "script_error", "/app.js:1 throws Lib is not defined").
suspect("r1", "integrity",
        "GET /lib.js is not the file whose checksum the page names: it was not run").
causes("e1", "r1", "it names the script that did not come").
causes("e1", "r1", "the browser says so").
causes("e2", "r1", "the script that did not come is where Lib would be defined").

#: test code of the page that was not run sets nothing that other code reads
issue("x1", "ContentSecurityPolicyIssue", "kInlineViolation", "")@[2026-02-19T12:00:00.100Z].
csp_violation("x1", "script-src-elem", "inline").
error("e1", "TypeError", "Cannot read properties of undefined (reading 'title')",
      "rejection")@[2026-02-19T12:00:00.160Z].
stack("e1", 0, "render", "https://app.test/book.js", 9).
#: expect
suspect("x1", "csp", "the page's content security policy blocked inline: script-src-elem").
suspect("e1", "script_error",
        "/book.js:9 throws Cannot read properties of undefined (reading 'title')").
causes("e1", "x1", "what it reads was to be set by code that was not run").

#: test what is read of an answer, what failed before, and what failed otherwise was not to be set by it
issue("x1", "ContentSecurityPolicyIssue", "kInlineViolation", "")@[2026-02-19T12:00:01Z].
csp_violation("x1", "script-src-elem", "inline").
request("r1", "GET", "https://app.test/api/book",
        "data")@[2026-02-19T12:00:01.010Z, 2026-02-19T12:00:01.020Z].
request_path("r1", "https://app.test", "/api/book").
request_route("r1", "/api/book").
answer("r1", 200, "application/json")@[2026-02-19T12:00:01.020Z].
error("e1", "TypeError", "Cannot read properties of undefined (reading 'title')",
      "rejection")@[2026-02-19T12:00:01.160Z].
error_awaits("e1", "r1").
error("e2", "TypeError", "Cannot read properties of undefined (reading 'title')",
      "exception")@[2026-02-19T12:00:00.900Z].
error("e3", "RangeError", "Invalid array length", "exception")@[2026-02-19T12:00:01.200Z].
#: expect none causes/3

#: test the line of the code that may not run is a place to change
issue("x1", "ContentSecurityPolicyIssue", "", "")@[2026-02-19T12:00:00.090Z].
csp_violation("x1", "script-src-elem", "inline").
stack("x1", 0, "", "https://app.test/shop", 17).
#: expect
change_at("x1", "/shop:17", "give the script the nonce of the policy, or put it into a file").
change_at("x1", "header content-security-policy, script-src-elem",
          "allow it there, if it is wanted").
