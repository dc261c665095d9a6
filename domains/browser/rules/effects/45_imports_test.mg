# Kinds of fault of modules: mangle test domains
#: load ../schema/20_evidence.mg ../schema/30_causality.mg 25_requests.mg 40_common.mg 41_network.mg 42_policy.mg 43_session.mg 44_bodies.mg 43_tokens.mg 44_reads.mg 44_sent.mg 44_order.mg 45_scripts.mg 45_imports.mg 46_sockets.mg 47_forms.mg 48_rendering.mg 49_speed.mg
#: now 2026-02-19T12:00:10Z
request("r0", "GET", "https://app.test/",
        "document")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:00.050Z].
request_path("r0", "https://app.test", "/").
request_route("r0", "/").
answer("r0", 200, "text/html")@[2026-02-19T12:00:00.050Z].
watched("https://app.test/")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:08Z].

#: test modules that import each other
error("e1", "ReferenceError", "Cannot access 'store' before initialization",
      "exception")@[2026-02-19T12:00:00.400Z].
stack("e1", 0, "", "https://app.test/session.js", 4).
error_about_name("e1", "store").
imports("https://app.test/session.js", "https://app.test/store.js").
imports("https://app.test/store.js", "https://app.test/session.js").
#: expect contains
suspect("e1", "circular_import",
        "/session.js and /store.js import each other: /session.js:4 uses store before the other has made it").
change_at("e1", "/session.js:4",
          "use the other module's names later, or end the circle of imports").

#: test over a third
error("e1", "ReferenceError", "Cannot access 'store' before initialization",
      "exception")@[2026-02-19T12:00:00.400Z].
stack("e1", 0, "", "https://app.test/session.js", 4).
error_about_name("e1", "store").
imports("https://app.test/session.js", "https://app.test/store.js").
imports("https://app.test/store.js", "https://app.test/third.js").
imports("https://app.test/third.js", "https://app.test/session.js").
#: expect contains
suspect("e1", "circular_import",
        "/session.js and /store.js import each other: /session.js:4 uses store before the other has made it").

#: test one that does not come back is no circle
error("e1", "ReferenceError", "Cannot access 'store' before initialization",
      "exception")@[2026-02-19T12:00:00.400Z].
stack("e1", 0, "", "https://app.test/session.js", 4).
error_about_name("e1", "store").
imports("https://app.test/session.js", "https://app.test/store.js").
imports("https://app.test/store.js", "https://app.test/third.js").
#: expect absent
suspect("e1", "circular_import",
        "/session.js and /store.js import each other: /session.js:4 uses store before the other has made it").

#: test a circle in which nothing fails is nobody's matter
imports("https://app.test/session.js", "https://app.test/store.js").
imports("https://app.test/store.js", "https://app.test/session.js").
#: expect none suspect/3 trouble/3

#: test a name that nobody defines is another matter
error("e1", "ReferenceError", "store is not defined", "exception")@[2026-02-19T12:00:00.400Z].
stack("e1", 0, "", "https://app.test/session.js", 4).
error_about_name("e1", "store").
imports("https://app.test/session.js", "https://app.test/store.js").
imports("https://app.test/store.js", "https://app.test/session.js").
#: expect absent
suspect("e1", "circular_import",
        "/session.js and /store.js import each other: /session.js:4 uses store before the other has made it").
