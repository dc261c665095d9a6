# What nobody sees: mangle test domains
#: load ../schema/20_evidence.mg ../schema/30_causality.mg 25_requests.mg 30_causes.mg 30_causes_requests.mg 31_troubles.mg 32_links.mg 33_cleared.mg 34_rank.mg 40_common.mg 41_network.mg 42_policy.mg 43_session.mg 43_tokens.mg 44_bodies.mg 44_order.mg 44_reads.mg 44_sent.mg 45_imports.mg 45_scripts.mg 46_sockets.mg 47_forms.mg 48_rendering.mg 49_speed.mg 50_silent.mg 51_stopped.mg 52_body_kind.mg 53_messages.mg 54_time.mg 55_kept.mg 56_paging.mg 57_wiring.mg 62_storage.mg 63_filled.mg 60_pressed.mg 61_room.mg
#: now 2026-02-19T12:00:10Z
request("r0", "GET", "https://app.test/",
        "document")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:00.050Z].
request_path("r0", "https://app.test", "/").
request_route("r0", "/").
answer("r0", 200, "text/html")@[2026-02-19T12:00:00.050Z].
watched("https://app.test/")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:08Z].

#: test what is drawn has no height, or no width, and a canvas
no_room("div#map", "section.panel", "height", "100%", 40).
no_room("div.pane", "div.split", "width", "auto", 9).
no_room("canvas#c", "div.box", "height", "0px", 0).
#: expect contains
suspect("room:div#map", "no_room",
        "div#map, into which code draws (40 elements), is 0 px in height: its height is 100%, and section.panel around it has none").
trouble("room:div#map", 53, "nothing is to be seen of div#map: it has no height").
change_at("room:div#map", "section.panel",
          "give it a size, of which what is in it can have its part").
trouble("room:div.pane", 53, "nothing is to be seen of div.pane: it has no width").
trouble("room:canvas#c", 53, "nothing is to be seen of canvas#c: it has no height").

#: test a canvas that was measured while it was hidden
no_room("canvas", "div#history", "size", "0 x 0", 0).
drawn_by("canvas", "https://app.test/chart.js", 8).
#: expect contains
suspect("room:canvas", "no_room",
        "canvas, into which code draws, is 0 x 0, though div#history around it is shown: its width and height were measured while that was hidden, as a closed tab is").
change_at("room:canvas", "/chart.js:8", "measure it again when it comes to be seen").

#: test a regular expression of the page's own
regexp_again("MAIL", "g", "https://app.test/v.js", 2).
#: expect contains
suspect("regexp:MAIL", "stateful_regexp",
        "the regular expression MAIL (/v.js:2) has the flag g and is asked with test(): each test begins where the last one matched (lastIndex)").
change_at("regexp:MAIL", "/v.js:2", "leave the flag g (or y) out").

#: test one of a library of others
regexp_again("t", "g", "https://cdn.test/lib.js", 2).
#: expect none suspect/3 trouble/3

#: test styles that a policy stops: bars without height, text without color, a sheet that code makes
issue("x1", "ContentSecurityPolicyIssue", "kInlineViolation", "")@[2026-02-19T12:00:02Z].
stack("x1", 0, "", "https://app.test/chart.js", 5).
csp_violation("x1", "style-src-attr", "inline").
style_ignored("i.bar", 6, 6).
issue("x2", "ContentSecurityPolicyIssue", "kInlineViolation", "")@[2026-02-19T12:00:02Z].
stack("x2", 0, "", "https://app.test/css.js", 7).
csp_violation("x2", "style-src-elem", "inline").
#: expect contains
trouble("x1", 53,
        "styles of 6 elements (i.bar) are not applied, and nothing is to be seen of 6 of them").
trouble("x2", 47, "a <style> of the page is not applied: the content security policy forbids it").

#: test colors alone
issue("x1", "ContentSecurityPolicyIssue", "kInlineViolation", "")@[2026-02-19T12:00:02Z].
stack("x1", 0, "", "https://app.test/chart.js", 5).
csp_violation("x1", "style-src-attr", "inline").
style_ignored("b", 3, 0).
#: expect contains
trouble("x1", 47, "styles of 3 elements (b) are not applied").

#: test a worker that does not start
issue("x1", "ContentSecurityPolicyIssue", "kURLViolation", "")@[2026-02-19T12:00:02Z].
stack("x1", 0, "", "https://app.test/sum.js", 5).
csp_violation("x1", "worker-src", "blob").
#: expect contains
trouble("x1", 52, "the worker blob does not start: it is blocked").

#: test styles of a widget of others, and of nobody known
request("r2", "GET", "https://chat.test/w.js",
        "script")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.120Z].
request_path("r2", "https://chat.test", "/w.js").
third_party("r2").
issue("x1", "ContentSecurityPolicyIssue", "kInlineViolation", "")@[2026-02-19T12:00:02Z].
stack("x1", 0, "", "https://chat.test/w.js", 1).
csp_violation("x1", "style-src-attr", "inline").
style_ignored("span", 1, 0).
issue("x2", "ContentSecurityPolicyIssue", "kInlineViolation", "")@[2026-02-19T12:00:02Z].
csp_violation("x2", "style-src-elem", "inline").
#: expect none trouble/3

#: test a place whose script came late
request("r1", "GET", "https://app.test/tasks.js",
        "script")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.900Z].
request_path("r1", "https://app.test", "/tasks.js").
answer("r1", 200, "text/javascript")@[2026-02-19T12:00:00.900Z].
script("s1", "https://app.test/tasks.js",
       "async")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.950Z].
script_request("s1", "r1").
late_for_place("s1", "section[data-widget=tasks]", "tasks").
#: expect contains
trouble("place:section[data-widget=tasks]", 52,
        "nothing is to be seen of section[data-widget=tasks]").
causes("place:section[data-widget=tasks]", "r1",
       "the script that is for this place came after it was looked for").

#: test a script that did its part, and found nothing to show
request("r1", "GET", "https://app.test/offers.js",
        "script")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.900Z].
request_path("r1", "https://app.test", "/offers.js").
answer("r1", 200, "text/javascript")@[2026-02-19T12:00:00.900Z].
script("s1", "https://app.test/offers.js",
       "async")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.950Z].
script_request("s1", "r1").
late_for_place("s1", "div[data-slot=offers]", "offers").
request("r2", "GET", "https://app.test/api/offers",
        "data")@[2026-02-19T12:00:01Z, 2026-02-19T12:00:01.100Z].
stack("r2", 0, "", "https://app.test/offers.js", 1).
#: expect none late_place/3

#: test a script of others
script("s1", "https://chat.test/w.js",
       "async")@[2026-02-19T12:00:00.100Z, 2026-02-19T12:00:00.950Z].
late_for_place("s1", "div[data-chat=sales]", "sales").
#: expect none late_place/3
