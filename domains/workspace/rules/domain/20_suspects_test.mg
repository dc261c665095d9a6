# Who is suspected, in which order, and of what: mangle test domains/workspace
#: load ../schema/10_checkout.mg 10_history.mg 20_suspects.mg
#: now 2026-11-24T12:00:00Z
Decl intent_param(Intent, Key, Value).
Decl intent_type(Intent, Name).

#: test without a failure nobody is suspected
commit("c1", "Ann", "Begin")@[2026-11-20T12:00:00Z].
test_result("cache", "passed")@[2026-11-24T11:00:00Z].
#: expect none suspect/2 failing/1 risk/2

#: test what lies between success and failure is suspected, nothing else
commit("c1", "Ann", "Begin")@[2026-11-20T12:00:00Z].
commit("c2", "Ann", "In it")@[2026-11-22T12:00:00Z].
commit("c3", "Ben", "In it, too")@[2026-11-24T08:00:00Z].
commit("c4", "Ben", "After it")@[2026-11-24T11:30:00Z].
test_result("cache", "passed")@[2026-11-21T12:00:00Z].
test_result("cache", "failed")@[2026-11-24T11:00:00Z].
#: expect
failing("cache").
suspect("c2", fn:time:parse_rfc3339("2026-11-22T12:00:00Z")).
suspect("c3", fn:time:parse_rfc3339("2026-11-24T08:00:00Z")).
good_commit("c1").

#: test a failure that was repaired is none
commit("c1", "Ann", "Begin")@[2026-11-20T12:00:00Z].
test_result("cache", "failed")@[2026-11-24T11:00:00Z].
test_result("cache", "passed")@[2026-11-24T11:30:00Z].
#: expect none failing/1 suspect/2

#: test what was never seen to work suspects the last thirty days
commit("c0", "Ann", "Long ago")@[2026-10-20T12:00:00Z].
commit("c1", "Ann", "Lately")@[2026-11-20T12:00:00Z].
test_result("all", "timed_out")@[2026-11-24T11:00:00Z].
#: expect
suspect("c1", fn:time:parse_rfc3339("2026-11-20T12:00:00Z")).
#: expect none good_commit/1

#: test whoever asks about a test says that it fails
intent_param(/intent, "test", "cache").
commit("c1", "Ann", "Begin")@[2026-11-20T12:00:00Z].
commit("c2", "Ann", "Then")@[2026-11-22T12:00:00Z].
test_result("cache", "passed")@[2026-11-21T12:00:00Z].
test_result("other", "failed")@[2026-11-24T11:00:00Z].
#: expect
failing("cache").
suspect("c2", fn:time:parse_rfc3339("2026-11-22T12:00:00Z")).
good_commit("c1").

#: test unless it has just passed
intent_param(/intent, "test", "cache").
commit("c2", "Ann", "Then")@[2026-11-22T12:00:00Z].
test_result("cache", "passed")@[2026-11-24T11:50:00Z].
#: expect none failing/1 suspect/2

#: test what a search found narrows both ends
commit("c1", "Ann", "1")@[2026-11-20T12:00:00Z].
commit("c2", "Ann", "2")@[2026-11-21T12:00:00Z].
commit("c3", "Ann", "3")@[2026-11-22T12:00:00Z].
commit("c4", "Ann", "4")@[2026-11-23T12:00:00Z].
test_result("cache", "failed")@[2026-11-24T11:00:00Z].
passed_at("cache", "c2").
failed_at("cache", "c3").
#: expect
suspect("c3", fn:time:parse_rfc3339("2026-11-22T12:00:00Z")).
good_commit("c2").
bad_commit("c3").

#: test the file itself is nearest, under its old name too, then common folders
commit("c1", "Ann", "1")@[2026-11-22T12:00:00Z].
touched("c1", "src/store/cache.c", 2, 0).
touched("c1", "src/cache.c", 0, 2).
touched("c1", "src/store/disk.c", 1, 1).
touched("c1", "src/main.c", 1, 1).
touched("c1", "docs/manual.md", 1, 1).
renamed("c0", "src/cache.c", "src/store/cache.c").
folder("src").
folder("src/store").
folder("docs").
test_result("cache", "failed")@[2026-11-24T11:00:00Z].
failure_at("cache", "src/store/cache.c", 41).
#: expect
closeness("src/store/cache.c", 12).
closeness("src/cache.c", 12).
closeness("src/store/disk.c", 5).
closeness("src/main.c", 3).
closeness("docs/manual.md", 1).

#: test churn, distance and age make the risk, and the risk the order
commit("near", "Ann", "A little, near, today")@[2026-11-24T10:00:00Z].
commit("far", "Ben", "Much, far, today")@[2026-11-24T09:00:00Z].
commit("old", "Cleo", "A little, near, long before")@[2026-11-10T09:00:00Z].
commit("mass", "Dora", "Everything, last week")@[2026-11-20T09:00:00Z].
commit("twin", "Ann", "As the far one, earlier")@[2026-11-24T08:00:00Z].
touched("near", "src/cache.c", 5, 4).
touched("far", "docs/manual.md", 199, 1).
touched("far", "docs/index.md", 50, 10).
touched("old", "src/cache.c", 10, 0).
touched("twin", "docs/manual.md", 200, 1).
touched("twin", "docs/index.md", 50, 10).
mass_commit("mass", 90).
test_result("cache", "failed")@[2026-11-24T11:00:00Z].
failure_at("cache", "src/cache.c", 41).
#: expect
risk("near", 36).
risk("old", 24).
risk("far", 21).
risk("twin", 21).
risk("mass", 8).
place("near", 1).
place("old", 2).
place("far", 3).
place("twin", 4).
mostly("near", "src/cache.c").
mostly("old", "src/cache.c").
mostly("far", "docs/manual.md").
mostly("twin", "docs/manual.md").
mostly("mass", "").

#: test equal risk at one instant is ordered by the id
commit("b", "Ann", "1")@[2026-11-24T10:00:00Z].
commit("a", "Ann", "2")@[2026-11-24T10:00:00Z].
touched("a", "x", 1, 0).
touched("b", "y", 1, 0).
test_result("all", "failed")@[2026-11-24T11:00:00Z].
#: expect
place("a", 1).
place("b", 2).

#: test where the time of the failure is not known, the newest suspect is the measure
intent_param(/intent, "test", "cache").
commit("new", "Ann", "1")@[2026-11-20T10:00:00Z].
commit("older", "Ann", "2")@[2026-11-18T10:00:00Z].
touched("new", "x", 1, 0).
touched("older", "y", 1, 0).
#: expect
recency("new", 3).
recency("older", 2).

#: test a place can be a parameter of the intent
intent_type(/intent, "explain_failure").
intent_param(/intent, "path", "src/a.c").
intent_param(/intent, "line", 7).
#: expect
failing_place("src/a.c", 7).
failing_file("src/a.c").

#: test a culprit is one of what fails
test_result("cache", "failed")@[2026-11-24T11:00:00Z].
culprit("cache", "c3").
culprit("other", "c4").
#: expect
known_culprit("c3").

#: test of a test that has not run alone counts what a run of all said
intent_param(/intent, "test", "cache").
test_result("cache", "failed")@[2026-11-24T11:00:00Z].
test_result("all", "failed")@[2026-11-24T11:00:00Z].
failure_at("all", "src/a.c", 7).
#: expect
failing_place("src/a.c", 7).

#: test but not once it has
intent_param(/intent, "test", "cache").
test_result("cache", "failed")@[2026-11-24T11:00:00Z].
failure_at("all", "src/a.c", 7).
failure_at("cache", "src/b.c", 8).
#: expect
failing_place("src/b.c", 8).

#: test a new name alone is little to blame a commit for
commit("c1", "Ann", "Move it")@[2026-11-24T10:00:00Z].
renamed("c1", "a.c", "b.c").
touched("c1", "b.c", 0, 0).
touched("c1", "logo.png", 0, 0).
test_result("all", "failed")@[2026-11-24T11:00:00Z].
failure_at("all", "b.c", 1).
#: expect
blame("c1", "b.c", 1).
blame("c1", "logo.png", 1).
risk("c1", 6).
