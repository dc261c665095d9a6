# Which commits may have brought a failure, and how likely each is: how much it changed (churn), how near to
# where it fails (distance), how short before (recency).

# ---- what fails, since when, and where ----

Decl asked_test(Test)
  descr [doc("The test that the intent is about.")]
  bound [/string].
asked_test(Test) :- intent_param(/intent, "test", Name), Test = fn:string:concat(Name).
is_asked_about :- asked_test(_).

result_time(Test, At) :- test_result(Test, _)@[At].
Decl last_result(Test, At)
  descr [doc("When a test ran last.")]
  bound [/string, /time].
last_result(Test, Last) :- result_time(Test, At)
  |> do fn:group_by(Test), let Last = fn:time:max(At).

Decl bad_outcome(Outcome) bound [/string].
bad_outcome("failed").
bad_outcome("timed_out").
Decl failed_last(Test, At)
  descr [doc("The last run of the test was no success.")]
  bound [/string, /time].
failed_last(Test, At) :-
  last_result(Test, At),
  test_result(Test, Outcome)@[At],
  bad_outcome(Outcome).
has_failed_last(Test) :- failed_last(Test, _).
# Whoever asks about a test says that it fails, unless it has just been seen to pass.
claimed(Test) :- asked_test(Test), !has_failed_last(Test), !<-[15m] test_result(Test, "passed").

Decl failing(Test)
  descr [doc("The failure that is asked about; without a word on which, any.")]
  bound [/string].
failing(Test) :- failed_last(Test, _), asked_test(Test).
failing(Test) :- failed_last(Test, _), !is_asked_about.
failing(Test) :- claimed(Test).
has_failing :- failing(_).

Decl failing_place(Path, Line)
  descr [doc("Where it fails.")]
  bound [/string, /number].
failing_place(Path, Line) :- failing(Test), failure_at(Test, Path, Line).
# Of a test that has not run alone, what a run of all said.
has_own_place(Test) :- failure_at(Test, _, _).
failing_place(Path, Line) :- failing(Test), !has_own_place(Test), failure_at("all", Path, Line).
failing_place(Path, Line) :- asked_path(Path), intent_param(/intent, "line", Line), 0 < Line.
asked_path(Path) :- intent_param(/intent, "path", Name), Path = fn:string:concat(Name).
failing_file(Path) :- failing_place(Path, _).
failing_file(Path) :- asked_path(Path), intent_type(_, "explain_failure").
has_place :- failing_file(_).

# ---- when it worked last ----

pass_time(Test, At) :- test_result(Test, "passed")@[At].
pass_time(Test, At) :- failing(Test), test_result("all", "passed")@[At].
pass_time(Test, At) :- passed_at(Test, Commit), commit(Commit, _, _)@[At].
good_time(At) :-
  failing(Test),
  pass_time(Test, At),
  failed_last(Test, Failed),
  :time:lt(At, Failed).
good_time(At) :- claimed(Test), pass_time(Test, At).
Decl worked(At)
  descr [doc("The last time at which what fails was seen to work.")]
  bound [/time].
worked(Last) :- good_time(At) |> do fn:group_by(), let Last = fn:time:max(At).
has_worked :- worked(_).

bad_time(At) :- failing(Test), failed_at(Test, Commit), commit(Commit, _, _)@[At].
bad_time(At) :- failing(Test), failed_last(Test, At).
Decl failed_since(At)
  descr [doc("The earliest time at which it is known to fail.")]
  bound [/time].
failed_since(First) :- bad_time(At) |> do fn:group_by(), let First = fn:time:min(At).
has_failed_since :- failed_since(_).

# ---- the commits between: those are suspects ----

too_late(Commit) :- failed_since(Bad), commit(Commit, _, _)@[At], :time:lt(Bad, At).
too_early(Commit) :- worked(Good), commit(Commit, _, _)@[At], :time:le(At, Good).
too_early(Commit) :-
  has_failing,
  !has_worked,
  <-[_, _] commit(Commit, _, _),
  !<-[30d] commit(Commit, _, _).
Decl suspect(Commit, At)
  descr [doc("A commit after the last success, or of the last thirty days, and not after the failure.")]
  bound [/string, /time].
suspect(Commit, At) :-
  has_failing,
  commit(Commit, _, _)@[At],
  !too_early(Commit),
  !too_late(Commit).
suspects(N) :- suspect(Commit, _) |> do fn:group_by(), let N = fn:count().
newest_suspect(Last) :- suspect(_, At) |> do fn:group_by(), let Last = fn:time:max(At).

# The commit to begin a search with: one that is known to pass, or the last one before the success.
before(Commit, At) :- worked(Good), commit(Commit, _, _)@[At], :time:le(At, Good).
last_before(Last) :- before(_, At) |> do fn:group_by(), let Last = fn:time:max(At).
Decl good_commit(Commit)
  descr [doc("The last commit that was there when it worked.")]
  bound [/string].
good_commit(Commit) :- last_before(At), before(Commit, At).
has_good_commit :- good_commit(_).
bad_commit(Commit) :-
  failed_since(At),
  failing(Test),
  failed_at(Test, Commit),
  commit(Commit, _, _)@[At].

# ---- distance: the file itself, under any name; then, the more folders are common, the nearer ----

near_file(Name) :- failing_file(Path), goes_by(Path, Name).
around(Folder, Prefix) :-
  folder(Folder),
  near_file(Name),
  Prefix = fn:string:concat(Folder, "/"),
  :string:starts_with(Name, Prefix).
beside(Path, Folder) :-
  around(Folder, Prefix),
  suspect(Commit, _),
  touched(Commit, Path, _, _),
  :string:starts_with(Path, Prefix).
common_folders(Path, N) :- beside(Path, Folder) |> do fn:group_by(Path), let N = fn:count().
is_beside(Path) :- beside(Path, _).

Decl closeness(Path, Weight)
  descr [doc("How near a changed file is to where it fails: 1 for anywhere, 3, 5, ... for each common folder, 12 for the file.")]
  bound [/string, /number].
closeness(Path, 12) :- suspect(Commit, _), touched(Commit, Path, _, _), near_file(Path).
closeness(Path, Weight) :-
  common_folders(Path, N),
  !near_file(Path),
  Weight = fn:plus(fn:mult(N, 2), 1).
closeness(Path, 1) :-
  suspect(Commit, _),
  touched(Commit, Path, _, _),
  !near_file(Path),
  !is_beside(Path).

# ---- churn ----

Decl churn(Commit, Path, Size)
  descr [doc("How much a suspect changed of a file, from 1 to 4.")]
  bound [/string, /string, /number].
changed_by(Commit, Path, Lines) :-
  suspect(Commit, _),
  touched(Commit, Path, Added, Removed),
  Lines = fn:plus(Added, Removed).
churn(Commit, Path, 1) :- changed_by(Commit, Path, Lines), Lines < 10, !moved_only(Commit, Path).
churn(Commit, Path, 2) :- changed_by(Commit, Path, Lines), 10 <= Lines, Lines < 50.
churn(Commit, Path, 3) :- changed_by(Commit, Path, Lines), 50 <= Lines, Lines < 200.
churn(Commit, Path, 4) :- changed_by(Commit, Path, Lines), 200 <= Lines.

# ---- recency, beside the failure, or the newest suspect where its time is not known ----

age(Commit, Age) :- suspect(Commit, At), failed_since(Bad), Age = fn:time:sub(Bad, At).
age(Commit, Age) :-
  suspect(Commit, At),
  !has_failed_since,
  newest_suspect(Last),
  Age = fn:time:sub(Last, At).
Decl recency(Commit, Weight)
  descr [doc("3 within a day before the failure, 2 within a week, else 1.")]
  bound [/string, /number].
recency(Commit, 3) :- age(Commit, Age), :duration:le(Age, fn:duration:parse("24h")).
recency(Commit, 2) :-
  age(Commit, Age),
  :duration:lt(fn:duration:parse("24h"), Age),
  :duration:le(Age, fn:duration:parse("168h")).
recency(Commit, 1) :- age(Commit, Age), :duration:lt(fn:duration:parse("168h"), Age).

# ---- risk ----

blame(Commit, Path, Points) :-
  churn(Commit, Path, Size),
  closeness(Path, Weight),
  Points = fn:mult(Size, Weight).
# A new name alone seldom breaks what is inside.
moved_only(Commit, Path) :- renamed(Commit, _, Path), touched(Commit, Path, 0, 0).
blame(Commit, Path, 1) :- suspect(Commit, _), moved_only(Commit, Path).
blame(Commit, "", 4) :- suspect(Commit, _), mass_commit(Commit, _).
points(Commit, Sum) :- blame(Commit, Path, Points)
  |> do fn:group_by(Commit), let Sum = fn:sum(Points).
most_points(Commit, Most) :- blame(Commit, _, Points)
  |> do fn:group_by(Commit), let Most = fn:max(Points).
Decl mostly(Commit, Path)
  descr [doc("The file by which a commit is suspected most; one of them, if there are several.")]
  bound [/string, /string].
mostly(Commit, Path) :- most_points(Commit, Most), blame(Commit, One, Most)
  |> do fn:group_by(Commit), let Path = fn:pick_any(One).
Decl risk(Commit, Score)
  descr [doc("How likely a commit brought the failure: churn by distance, summed over its files, by recency.")]
  bound [/string, /number].
risk(Commit, Score) :- points(Commit, Sum), recency(Commit, Weight), Score = fn:mult(Sum, Weight).

# None that is far less suspect than the first is worth a look.
top_risk(Top) :- risk(_, Score) |> do fn:group_by(), let Top = fn:max(Score).
Decl serious(Commit, Score)
  descr [doc("A suspect with at least a third of the highest risk.")]
  bound [/string, /number].
serious(Commit, Score) :-
  risk(Commit, Score),
  top_risk(Top),
  Thrice = fn:mult(Score, 3),
  Top <= Thrice.
ahead_of(Other, Commit) :- serious(Commit, Score), serious(Other, More), Score < More.
ahead_of(Other, Commit) :-
  serious(Commit, Score),
  serious(Other, Score),
  suspect(Commit, At),
  suspect(Other, Later),
  :time:lt(At, Later).
ahead_of(Other, Commit) :-
  serious(Commit, Score),
  serious(Other, Score),
  suspect(Commit, At),
  suspect(Other, At),
  :string:lt(Other, Commit).
beaten(Commit, N) :- ahead_of(Other, Commit) |> do fn:group_by(Commit), let N = fn:count().
is_beaten(Commit) :- ahead_of(_, Commit).
Decl place(Commit, Place)
  descr [doc("Those in the order of their risk, from 1.")]
  bound [/string, /number].
place(Commit, 1) :- serious(Commit, _), !is_beaten(Commit).
place(Commit, Place) :- beaten(Commit, N), Place = fn:plus(N, 1).

known_culprit(Commit) :- failing(Test), culprit(Test, Commit).
has_culprit :- known_culprit(_).
