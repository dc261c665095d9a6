# Code that listens to what is not there: mangle test domains
#: load ../schema/20_evidence.mg ../schema/30_causality.mg 25_requests.mg 30_causes.mg 30_causes_requests.mg 31_troubles.mg 32_links.mg 33_cleared.mg 34_rank.mg 40_common.mg 41_network.mg 42_policy.mg 43_session.mg 43_tokens.mg 44_bodies.mg 44_order.mg 44_reads.mg 44_sent.mg 45_imports.mg 45_scripts.mg 46_sockets.mg 47_forms.mg 48_rendering.mg 49_speed.mg 50_silent.mg 51_stopped.mg 52_body_kind.mg 53_messages.mg 54_time.mg 55_kept.mg 56_paging.mg 57_wiring.mg
#: now 2026-02-19T12:00:10Z
request("r0", "GET", "https://app.test/",
        "document")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:00.050Z].
request_path("r0", "https://app.test", "/").
request_route("r0", "/").
answer("r0", 200, "text/html")@[2026-02-19T12:00:00.050Z].
watched("https://app.test/")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:08Z].
input("i1", "click", "button", "Save")@[2026-02-19T12:00:03Z].

#: test the only thing that code looked for in vain
heard("i1", "none").
element_missing("q1", "[data-action=save]")@[2026-02-19T12:00:00.100Z].
stack("q1", 0, "", "https://app.test/w.js", 1).
#: expect
only_vain("i1", "q1").
causes("i1", "q1", "the only thing that code looked for in vain, and nobody hears the click").

#: test somebody hears it
heard("i1", "own").
element_missing("q1", "[data-action=save]")@[2026-02-19T12:00:00.100Z].
stack("q1", 0, "", "https://app.test/w.js", 1).
#: expect none only_vain/2

#: test several were looked for in vain
heard("i1", "none").
element_missing("q1", "[data-action=save]")@[2026-02-19T12:00:00.100Z].
stack("q1", 0, "", "https://app.test/w.js", 1).
element_missing("q2", "[data-tour]")@[2026-02-19T12:00:00.100Z].
stack("q2", 0, "", "https://app.test/w.js", 2).
#: expect none only_vain/2

#: test it was looked for after the click
heard("i1", "none").
element_missing("q1", "[data-action=save]")@[2026-02-19T12:00:04.100Z].
stack("q1", 0, "", "https://app.test/w.js", 1).
#: expect none only_vain/2
