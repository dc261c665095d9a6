# Who owns what, through renames: mangle test domains/workspace
#: load ../schema/10_checkout.mg 10_history.mg
#: now 2026-11-24T12:00:00Z
Decl failing_file(Path).

#: test a file was called whatever it was ever called
renamed("c3", "b.c", "c.c").
renamed("c2", "a.c", "b.c").
#: expect
former("c.c", "b.c").
former("b.c", "a.c").
former("c.c", "a.c").

#: test names that go in a circle come to an end
renamed("c1", "a", "b").
renamed("c2", "b", "a").
#: expect
former("b", "a").
former("a", "b").
former("a", "a").
former("b", "b").

#: test whoever changed most lines owns a file, whatever it was called then
working_change("new.c", "unstaged", "modified").
renamed("c3", "old.c", "new.c").
commit("c1", "Ann", "Begin")@[2026-01-01T12:00:00Z].
commit("c2", "Ann", "More")@[2026-01-02T12:00:00Z].
commit("c3", "Ben", "Rename")@[2026-11-20T12:00:00Z].
touched("c1", "old.c", 100, 0).
touched("c2", "old.c", 100, 0).
touched("c3", "new.c", 3, 3).
touched("c3", "other.c", 500, 3).
#: expect
wrote("new.c", "Ann", 200).
wrote("new.c", "Ben", 6).
owner("new.c", "Ann").
busy("new.c", 1).

#: test lines that are there count more than lines that were changed
changed_lines("a.c", 1, 1).
commit("c1", "Ann", "Begin")@[2026-01-01T12:00:00Z].
touched("c1", "a.c", 100, 0).
wrote_lines("a.c", "Ben", 90).
wrote_lines("a.c", "Ann", 10).
#: expect
owner("a.c", "Ben").
wrote("a.c", "Ben", 90).
wrote("a.c", "Ann", 10).

#: test of two with equal shares both own it, and nobody owns what nobody wrote
defined_at("f", "a.c", 3).
defined_at("g", "b.c", 3).
wrote_lines("a.c", "Ben", 5).
wrote_lines("a.c", "Ann", 5).
wrote_lines("b.c", "Ann", 0).
#: expect
owner("a.c", "Ben").
owner("a.c", "Ann").

#: test how busy a file is has an end, and counts thirty days
failing_file("a.c").
failing_file("b.c").
commit("c1", "Ann", "1")@[2026-11-19T12:00:00Z].
commit("c2", "Ann", "2")@[2026-11-18T12:00:00Z].
commit("c3", "Ann", "3")@[2026-11-17T12:00:00Z].
commit("c4", "Ann", "4")@[2026-11-16T12:00:00Z].
commit("c5", "Ann", "5")@[2026-11-15T12:00:00Z].
commit("c6", "Ann", "6")@[2026-11-14T12:00:00Z].
commit("c7", "Ann", "7")@[2026-10-14T12:00:00Z].
touched("c1", "a.c", 1, 0).
touched("c2", "a.c", 1, 0).
touched("c3", "a.c", 1, 0).
touched("c4", "a.c", 1, 0).
touched("c5", "a.c", 1, 0).
touched("c6", "a.c", 1, 0).
touched("c7", "b.c", 1, 0).
#: expect
busy("a.c", 5).
busy("b.c", 0).

#: test a look is fresh for fifteen minutes
observed("checkout")@[2026-11-24T11:45:00Z].
observed("branches")@[2026-11-24T11:44:59Z].
#: expect
fresh("checkout").
