# What a content security policy stops: mangle test domains
#: load ../schema/20_evidence.mg ../schema/30_causality.mg 25_requests.mg 30_causes.mg 30_causes_requests.mg 31_troubles.mg 32_links.mg 33_cleared.mg 34_rank.mg 40_common.mg 41_network.mg 42_policy.mg 43_session.mg 43_tokens.mg 44_bodies.mg 44_order.mg 44_reads.mg 44_sent.mg 45_imports.mg 45_scripts.mg 46_sockets.mg 47_forms.mg 48_rendering.mg 49_speed.mg 50_silent.mg 51_stopped.mg 52_body_kind.mg 53_messages.mg 54_time.mg 55_kept.mg 56_paging.mg 57_wiring.mg
#: now 2026-02-19T12:00:10Z
request("r0", "GET", "https://app.test/",
        "document")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:00.050Z].
request_path("r0", "https://app.test", "/").
request_route("r0", "/").
answer("r0", 200, "text/html")@[2026-02-19T12:00:00.050Z].
watched("https://app.test/")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:08Z].

#: test a form that the policy does not let go
input("i1", "submit", "form#pay", "Pay")@[2026-02-19T12:00:02Z].
submitted("i1", "form#pay", "post", "https://bank.test/pay", "false").
issue("x1", "ContentSecurityPolicyIssue", "kURLViolation", "")@[2026-02-19T12:00:02.030Z].
csp_violation("x1", "form-action", "https://bank.test/pay").
#: expect
causes("i1", "x1", "its form-action does not allow the address that the form is sent to").
trouble("i1", 66, "the form form#pay was not sent to https://bank.test/pay").
change_at("x1", "header content-security-policy, form-action", "allow it there, if it is wanted").

#: test a form that code sends itself, one that was sent long before, and one of another violation
input("i1", "submit", "form#a", "Go")@[2026-02-19T12:00:02Z].
submitted("i1", "form#a", "post", "https://app.test/a", "true").
input("i2", "submit", "form#b", "Go")@[2026-02-19T12:00:00.100Z].
submitted("i2", "form#b", "post", "https://app.test/b", "false").
input("i3", "submit", "form#c", "Go")@[2026-02-19T12:00:06Z].
submitted("i3", "form#c", "post", "https://app.test/c", "false").
issue("x1", "ContentSecurityPolicyIssue", "kURLViolation", "")@[2026-02-19T12:00:02.500Z].
csp_violation("x1", "form-action", "https://app.test/other").
issue("x2", "ContentSecurityPolicyIssue", "kURLViolation", "")@[2026-02-19T12:00:06.010Z].
csp_violation("x2", "img-src", "https://ads.test/pixel").
#: expect
trouble("x1", 60, "the form was not sent to https://app.test/other").
#: expect none form_stopped/2

#: test a preview that the user asked for
input("i1", "click", "button#preview", "Preview")@[2026-02-19T12:00:02Z].
issue("x1", "ContentSecurityPolicyIssue", "kURLViolation", "")@[2026-02-19T12:00:02.100Z].
csp_violation("x1", "img-src", "blob").
#: expect
trouble("x1", 56, "what the user asked for is not shown: blob is blocked").

#: test advertising, a tracker's picture and a violation long after the click
issue("x1", "ContentSecurityPolicyIssue", "kURLViolation", "")@[2026-02-19T12:00:00.300Z].
csp_violation("x1", "frame-src", "https://ads.test/frame").
input("i1", "click", "button#go", "Go")@[2026-02-19T12:00:02Z].
issue("x2", "ContentSecurityPolicyIssue", "kURLViolation", "")@[2026-02-19T12:00:02.100Z].
csp_violation("x2", "img-src", "https://shop.test/pixel").
issue("x3", "ContentSecurityPolicyIssue", "kURLViolation", "")@[2026-02-19T12:00:06.100Z].
csp_violation("x3", "img-src", "https://pictures.test/1.png").
#: expect none trouble/3

#: test an icon in the head of the document
page("https://app.test/", "App", "loaded").
issue("x1", "ContentSecurityPolicyIssue", "kURLViolation", "")@[2026-02-19T12:00:00.300Z].
stack("x1", 0, "", "https://app.test/", 2).
csp_violation("x1", "img-src", "data").
#: expect none own_view/1

#: test beside it a picture of the page's own making
page("https://app.test/", "App", "loaded").
issue("x1", "ContentSecurityPolicyIssue", "kURLViolation", "")@[2026-02-19T12:00:00.300Z].
stack("x1", 0, "", "https://app.test/", 2).
csp_violation("x1", "img-src", "data").
issue("x2", "ContentSecurityPolicyIssue", "kURLViolation", "")@[2026-02-19T12:00:04.300Z].
csp_violation("x2", "img-src", "data").
#: expect
own_view("x1").

#: test code in an attribute
input("i1", "click", "button#go", "Go")@[2026-02-19T12:00:02Z].
heard("i1", "none").
issue("x1", "ContentSecurityPolicyIssue", "kInlineViolation", "")@[2026-02-19T12:00:00.100Z].
csp_violation("x1", "script-src-attr", "inline").
#: expect
causes("i1", "x1", "the code that would listen to it was not run").

#: test a base that the policy did not take
issue("x1", "ContentSecurityPolicyIssue", "kURLViolation", "")@[2026-02-19T12:00:00.100Z].
csp_violation("x1", "base-uri", "https://app.test/v2/").
request("r1", "GET", "https://app.test/list",
        "data")@[2026-02-19T12:00:00.200Z, 2026-02-19T12:00:00.300Z].
request_path("r1", "https://app.test", "/list").
request_route("r1", "/list").
answer("r1", 404, "application/json")@[2026-02-19T12:00:00.300Z].
request("r2", "GET", "https://app.test/v2/rows",
        "data")@[2026-02-19T12:00:00.200Z, 2026-02-19T12:00:00.300Z].
request_path("r2", "https://app.test", "/v2/rows").
request_route("r2", "/v2/rows").
answer("r2", 404, "application/json")@[2026-02-19T12:00:00.300Z].
#: expect
astray("r1", "x1").

#: test a script of the page itself that was to give others what they ask for
csp_violation("x1", "script-src-elem", "inline").
issue("x1", "ContentSecurityPolicyIssue", "kInlineViolation", "")@[2026-02-19T12:00:00.100Z].
inline_gives("__SALE__", "https://app.test/sale.js", 3).
#: expect contains
trouble("x1", 56,
        "the page's own script is not run, and /sale.js:3 asks for `__SALE__`, which it was to set").

#: test nobody asks for anything of it
csp_violation("x1", "script-src-elem", "inline").
issue("x1", "ContentSecurityPolicyIssue", "kInlineViolation", "")@[2026-02-19T12:00:00.100Z].
#: expect none starved/3
