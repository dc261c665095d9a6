# Which branches may go, and which are forgotten: mangle test domains/workspace
#: load ../schema/10_checkout.mg ../policy/20_branches.mg 40_branches.mg
#: now 2026-11-24T12:00:00Z
Decl intent_param(Intent, Key, Value).
Decl protected_name(Name).
Decl param_value(Tool, Param, Value).
Decl param_bound(Tool, Param, Value).

#: test only what is merged, not protected and not in use may go
branch("main")@[2026-01-01, 2026-11-24].
branch("done")@[2026-11-01, 2026-11-20].
branch("mine")@[2026-11-01, 2026-11-20].
branch("other")@[2026-11-01, 2026-11-20].
branch("open")@[2026-11-01, 2026-11-20].
merged("done", "main").
merged("mine", "main").
merged("other", "main").
head("c1", "mine").
checked_out("other").
protected_name("main").
#: expect
deletable("done").
unmerged("open").
#: expect none forgotten/1

#: test by force what is not merged may go, too, but nothing that is protected or in use
intent_param(/intent, "force", /true).
branch("main")@[2026-01-01, 2026-11-24].
branch("open")@[2026-11-01, 2026-11-20].
branch("mine")@[2026-11-01, 2026-11-20].
head("c1", "mine").
protected_name("main").
#: expect
deletable("open").

#: test a branch without a commit for thirty days is stale, and forgotten if it is not merged
branch("old")@[2026-08-01, 2026-10-20].
branch("old-merged")@[2026-08-01, 2026-10-20].
branch("young")@[2026-08-01, 2026-10-26].
merged("old-merged", "main").
#: expect
stale("old").
stale("old-merged").
forgotten("old").
