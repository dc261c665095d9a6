# Changes for an old version, and what a cache kept for another header: mangle test domains
#: load ../schema/20_evidence.mg ../schema/30_causality.mg 25_requests.mg 30_causes.mg 30_causes_requests.mg 31_troubles.mg 32_links.mg 33_cleared.mg 40_common.mg 41_network.mg 42_policy.mg 43_session.mg 44_bodies.mg 44_sent.mg 44_order.mg 44_reads.mg 44_refused.mg 45_scripts.mg 46_sockets.mg 47_forms.mg 48_rendering.mg 49_speed.mg 50_silent.mg 58_versions.mg 52_body_kind.mg
#: now 2026-02-19T12:00:30Z
request("r0", "GET", "https://app.test/",
        "document")@[2026-02-19T12:00:00Z, 2026-02-19T12:00:00.050Z].
request_path("r0", "https://app.test", "/").
answer("r0", 200, "text/html")@[2026-02-19T12:00:00.050Z].
# In the order of their numbers, a second each.
Decl asked(R, Number, Method, Path, Status) bound [/string, /number, /string, /string, /number].
request(R, Method, Url, "data")@[A, B] :-
  asked(R, N, Method, Path, _),
  Url = fn:string:concat("https://app.test", Path),
  A = fn:time:from_unix_nanos(fn:plus(1771502400000000000, fn:mult(N, 1000000000))),
  B = fn:time:from_unix_nanos(fn:plus(1771502400100000000, fn:mult(N, 1000000000))).
request_path(R, "https://app.test", Path) :- asked(R, _, _, Path, _).
request_route(R, Path) :- asked(R, _, _, Path, _).
answer(R, Status, "application/json")@[B] :-
  asked(R, N, _, _, Status),
  B = fn:time:from_unix_nanos(fn:plus(1771502400100000000, fn:mult(N, 1000000000))).

#: test the second change is sent the version of before the first
asked("r1", 1, "GET", "/api/notes/7", 200).
asked("r2", 2, "PUT", "/api/notes/7", 200).
asked("r3", 3, "PUT", "/api/notes/7", 412).
answer_header("r1", "etag", "\"1\"").
answer_header("r2", "etag", "\"2\"").
sent_header("r2", "if-match", "\"1\"").
sent_header("r3", "if-match", "\"1\"").
stack("r2", 0, "save", "https://app.test/note.js", 20).
stack("r3", 0, "save", "https://app.test/note.js", 20).
#: expect
stale_text("r3",
           "PUT /api/notes/7 was sent the old if-match \"1\", though PUT /api/notes/7 had answered a newer one since, \"2\", which the code did not take").
suspect("r3", "conflict", "PUT /api/notes/7 answered 412").
suspect("r3", "stale_precondition",
        "PUT /api/notes/7 was sent the old if-match \"1\", though PUT /api/notes/7 had answered a newer one since, \"2\", which the code did not take").

#: test a version in a member of the body, refused with 409
asked("r1", 1, "GET", "/api/notes/7", 200).
asked("r2", 2, "PATCH", "/api/notes/7", 200).
asked("r3", 3, "PATCH", "/api/notes/7", 409).
body_value("r1", "$.data.version", "4").
body_value("r2", "$.data.version", "5").
sent_value("r2", "$.version", "4").
sent_value("r3", "$.version", "4").
#: expect
stale_text("r3",
           "PATCH /api/notes/7 was sent the old version 4, though PATCH /api/notes/7 had answered a newer one since, 5, which the code did not take").

#: test a time, and an answer that has no newer one
asked("r1", 1, "GET", "/api/notes/7", 200).
asked("r2", 2, "PUT", "/api/notes/7", 204).
asked("r3", 3, "DELETE", "/api/notes/7", 412).
answer_header("r1", "last-modified", "Thu, 19 Feb 2026 11:00:00 GMT").
sent_header("r3", "if-unmodified-since", "Thu, 19 Feb 2026 11:00:00 GMT").
#: expect
stale_text("r3",
           "DELETE /api/notes/7 was sent the old if-unmodified-since Thu, 19 Feb 2026 11:00:00 GMT of before PUT /api/notes/7, which changed it and answered no newer one: it was not read again").

#: test a member that no answer says anew may be something else
asked("r1", 1, "GET", "/api/notes/7", 200).
asked("r2", 2, "PATCH", "/api/notes/7", 204).
asked("r3", 3, "PATCH", "/api/notes/7", 409).
body_value("r1", "$.version", "4").
sent_value("r3", "$.version", "4").
#: expect none stale_text/2

#: test somebody else changed it, which is what conditions are for
asked("r1", 1, "GET", "/api/notes/7", 200).
asked("r3", 3, "PUT", "/api/notes/7", 412).
answer_header("r1", "etag", "\"1\"").
sent_header("r3", "if-match", "\"1\"").
#: expect none stale_text/2

#: test also after a change of ours whose version is sent
asked("r1", 1, "GET", "/api/notes/7", 200).
asked("r2", 2, "PUT", "/api/notes/7", 200).
asked("r3", 3, "PUT", "/api/notes/7", 412).
answer_header("r1", "etag", "\"1\"").
answer_header("r2", "etag", "\"2\"").
sent_header("r2", "if-match", "\"1\"").
sent_header("r3", "if-match", "\"2\"").
#: expect none stale_text/2

#: test a change of something else makes no version old
asked("r1", 1, "GET", "/api/notes/7", 200).
asked("r2", 2, "PUT", "/api/notes/8", 200).
asked("r3", 3, "PUT", "/api/notes/7", 412).
answer_header("r1", "etag", "\"1\"").
answer_header("r2", "etag", "\"2\"").
sent_header("r3", "if-match", "\"1\"").
#: expect none stale_text/2

#: test nor does one after which it was read with the same version
asked("r1", 1, "GET", "/api/notes/7", 200).
asked("r2", 2, "PUT", "/api/notes/7", 204).
asked("r3", 3, "GET", "/api/notes/7", 200).
asked("r4", 4, "PUT", "/api/notes/7", 412).
answer_header("r1", "etag", "\"1\"").
answer_header("r3", "etag", "\"1\"").
sent_header("r4", "if-match", "\"1\"").
#: expect none stale_text/2

#: test a cache answers for another header
asked("r1", 1, "GET", "/api/prices", 200).
asked("r2", 2, "GET", "/api/prices", 200).
answer_from("r2", "disk_cache").
cached_for_other("r2", "r1", "X-Region", "north").
changed_after("r2").
#: expect
suspect("r2", "missing_vary",
        "GET /api/prices was sent another X-Region than before, and answered from the disk_cache with what was kept for the other: no Vary names X-Region").
trouble("r2", 52,
        "GET /api/prices was sent another X-Region than before, and answered from the disk_cache with what was kept for the other: no Vary names X-Region").

#: test another language is another question, too, and a worker a cache
asked("r1", 1, "GET", "/api/texts", 200).
asked("r2", 2, "GET", "/api/texts", 200).
answer_from("r2", "service_worker").
cached_for_other("r2", "r1", "Accept-Language", "de").
#: expect
trouble("r2", 52,
        "GET /api/texts was sent another Accept-Language than before, and answered from the service_worker with what was kept for the other: no Vary names Accept-Language").

#: test nobody sees what changes nothing
asked("r1", 1, "GET", "/api/texts", 200).
asked("r2", 2, "GET", "/api/texts", 200).
answer_from("r2", "memory_cache").
cached_for_other("r2", "r1", "X-Build", "1").
unchanged_after("r2").
#: expect none trouble/3

#: test answers of one header, and those of others' sites
asked("r1", 1, "GET", "/api/texts", 200).
asked("r2", 2, "GET", "/api/texts", 200).
answer_from("r2", "disk_cache").
#: expect none suspect/3

#: test what another site's cache keeps is its own affair
asked("r1", 1, "GET", "/api/texts", 200).
asked("r2", 2, "GET", "/api/texts", 200).
third_party("r2").
answer_from("r2", "disk_cache").
cached_for_other("r2", "r1", "X-Build", "1").
#: expect none suspect/3

#: test the key of another change
asked("r1", 1, "POST", "/api/pay", 201).
asked("r2", 2, "POST", "/api/pay", 200).
same_mark("r2", "r1", "Idempotency-Key").
#: expect
suspect("r2", "reused_key",
        "POST /api/pay was sent the same Idempotency-Key as POST /api/pay before it, though with other content: its server takes it for the same change").

#: test another try of what had failed may say more
asked("r1", 1, "POST", "/api/pay", 503).
asked("r2", 2, "POST", "/api/pay", 201).
same_mark("r2", "r1", "Idempotency-Key").
#: expect none reused/3
