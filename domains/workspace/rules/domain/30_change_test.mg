# How risky a change is, and who should see it: mangle test domains/workspace
#: load ../schema/10_checkout.mg 10_history.mg 30_change.mg
#: now 2026-11-24T12:00:00Z
Decl failing_file(Path).
Decl protected_name(Name).

#: test size, traffic and hands make the risk
changed_lines("quiet.c", 5, 4).
changed_lines("busy.c", 30, 30).
changed_lines("big.c", 200, 0).
changed_lines("mid.c", 10, 0).
commit("c1", "Ann", "1")@[2026-11-20T12:00:00Z].
commit("c2", "Ben", "2")@[2026-11-21T12:00:00Z].
touched("c1", "busy.c", 5, 0).
touched("c2", "busy.c", 9, 0).
#: expect
change_risk("quiet.c", 1).
change_risk("busy.c", 18).
change_risk("big.c", 4).
change_risk("mid.c", 2).
change_place("busy.c", 1).
change_place("big.c", 2).
change_place("mid.c", 3).
change_place("quiet.c", 4).
reviewer("Ben", 1).
reviewer("Ann", 2).

#: test equal risk is ordered by the path, equal knowledge by the name
changed_lines("b.c", 1, 0).
changed_lines("a.c", 1, 0).
wrote_lines("a.c", "Ben", 3).
wrote_lines("b.c", "Ann", 3).
#: expect
change_place("a.c", 1).
change_place("b.c", 2).
reviewer("Ann", 1).
reviewer("Ben", 2).

#: test what is staged, what not, and what git knows
working_change("s", "staged", "modified").
working_change("n", "staged", "added").
working_change("u", "untracked", "added").
working_change("w", "unstaged", "modified").
#: expect
staged("s").
staged("n").
unstaged("u").
unstaged("w").
tracked_change("s").
tracked_change("w").

#: test a protected branch is one that policy names
head("c1", "main").
protected_name("main").
#: expect
on_branch("main").
on_protected_branch().

#: test a detached HEAD is on none
head("c1", "").
#: expect none on_branch/1 on_protected_branch/0
