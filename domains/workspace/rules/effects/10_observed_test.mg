# How much history is told: mangle test domains/workspace
#: load ../schema/10_checkout.mg 10_observed.mg
#: now 2026-11-24T12:00:00Z
Decl invoked(Tool).
Decl invoke_arg(Name, Value).
Decl step_status(Step, Status).
Decl step_output(Step, Value).
Decl setting(Key, Value).
Decl delta_assert(Pred, Args, Category).
Decl delta_assert_during(Pred, Args, Category, Start, End).
Decl delta_retract(Pred, Args).
setting("told_files", 3).

#: test files of the newest commits are told, and how many commits are not
step_output("history",
            ["commits" : [["id" : "c3",
                           "time" : "2026-11-23T12:00:00Z",
                           "files" : [["path" : "a"], ["path" : "b"]]],
                          ["id" : "c2",
                           "time" : "2026-11-22T12:00:00Z",
                           "files" : [["path" : "a", "added" : 1, "deleted" : 2]]],
                          ["id" : "c1",
                           "time" : "2026-11-21T12:00:00Z",
                           "files" : [["path" : "a"]]]]]).
#: expect
is_told("c3").
is_told("c2").
untold_count(1).
told_file("c3", "a", ["path" : "a"]).
told_file("c3", "b", ["path" : "b"]).
told_file("c2", "a", ["path" : "a", "added" : 1, "deleted" : 2]).
counted("c2", "a").

#: test of commits of one instant all are told, or none
step_output("history",
            ["commits" : [["id" : "c2",
                           "time" : "2026-11-22T12:00:00Z",
                           "files" : [["path" : "a"], ["path" : "b"]]],
                          ["id" : "c1",
                           "time" : "2026-11-22T12:00:00Z",
                           "files" : [["path" : "c"], ["path" : "d"]]]]]).
#: expect
untold_count(2).
#: expect none is_told/1

#: test a branch whose clocks were wrong begins when it ends
step_status("branches", "success").
step_output("branches",
            ["branches" : [["name" : "a",
                            "last" : "2026-11-20T12:00:00Z",
                            "first" : ["id" : "c1", "time" : "2026-11-21T12:00:00Z"]]]]).
#: expect none began/2 has_begin/1

#: test a folder counts if something below it was changed
step_output("folders", ["lines" : ["src", "src/a", "docs"]]).
step_output("history",
            ["commits" : [["id" : "c2",
                           "time" : "2026-11-22T12:00:00Z",
                           "files" : [["path" : "src/b.c"]]]]]).
#: expect
changed_folder("src").
