# How risky what is not committed yet is, file by file, and who should look at it.

lines_of(Path, Lines) :- changed_lines(Path, A, R), Lines = fn:plus(A, R).
Decl size_of(Path, Size)
  descr [doc("How much of a file is changed, from 1 to 4.")]
  bound [/string, /number].
size_of(Path, 1) :- lines_of(Path, Lines), Lines < 10.
size_of(Path, 2) :- lines_of(Path, Lines), 10 <= Lines, Lines < 50.
size_of(Path, 3) :- lines_of(Path, Lines), 50 <= Lines, Lines < 200.
size_of(Path, 4) :- lines_of(Path, Lines), 200 <= Lines.

people(Path, N) :- wrote(Path, Author, _) |> do fn:group_by(Path), let N = fn:count().
has_people(Path) :- wrote(Path, _, _).
Decl many_hands(Path, Weight)
  descr [doc("2 if more than one person wrote the file, else 1.")]
  bound [/string, /number].
many_hands(Path, 2) :- people(Path, N), 2 <= N.
many_hands(Path, 1) :- people(Path, N), N < 2.
many_hands(Path, 1) :- lines_of(Path, _), !has_people(Path).

Decl change_risk(Path, Score)
  descr [doc("How much care a changed file deserves: size, by how busy it is lately, by how many wrote it.")]
  bound [/string, /number].
change_risk(Path, Score) :-
  size_of(Path, Size),
  busy(Path, Busy),
  many_hands(Path, Hands),
  Score = fn:mult(fn:mult(Size, fn:plus(Busy, 1)), Hands).
riskier(Other, Path) :- change_risk(Path, S), change_risk(Other, More), S < More.
riskier(Other, Path) :- change_risk(Path, S), change_risk(Other, S), :string:lt(Other, Path).
riskier_count(Path, N) :- riskier(Other, Path) |> do fn:group_by(Path), let N = fn:count().
is_riskiest(Path) :- change_risk(Path, _), !riskier(_, Path).
change_place(Path, 1) :- is_riskiest(Path).
change_place(Path, Place) :- riskier_count(Path, N), Place = fn:plus(N, 1).

# Who should look at it: whoever wrote most of what is changed, over all changed files.
share(Author, Path, Lines) :- lines_of(Path, _), wrote(Path, Author, Lines).
share_sum(Author, Sum) :- share(Author, Path, Lines)
  |> do fn:group_by(Author), let Sum = fn:sum(Lines).
knows_better(Other, Author) :- share_sum(Author, N), share_sum(Other, More), N < More.
knows_better(Other, Author) :- share_sum(Author, N), share_sum(Other, N), :string:lt(Other, Author).
better_count(Author, N) :- knows_better(Other, Author)
  |> do fn:group_by(Author), let N = fn:count().
is_better_known(Author) :- knows_better(_, Author).
Decl reviewer(Author, Place)
  descr [doc("Who wrote most of what is changed, in order, from 1.")]
  bound [/string, /number].
reviewer(Author, 1) :- share_sum(Author, _), !is_better_known(Author).
reviewer(Author, Place) :- better_count(Author, N), Place = fn:plus(N, 1).

# ---- what there is to do ----

has_change :- working_change(_, _, _).
staged(Path) :- working_change(Path, "staged", _).
unstaged(Path) :- working_change(Path, "unstaged", _).
unstaged(Path) :- working_change(Path, "untracked", _).
has_staged :- staged(_).
has_unstaged :- unstaged(_).
tracked_change(Path) :- working_change(Path, "staged", Change), Change != "added".
tracked_change(Path) :- working_change(Path, "unstaged", _).
has_tracked_change :- tracked_change(_).

on_branch(Branch) :- head(_, Branch), Branch != "".
on_protected_branch :- on_branch(Branch), protected_name(Branch).

# Tested is what is there at this moment, if all tests passed for exactly that. Here whoever asks is believed:
# it is advice to them. Where the operator requires tests, policy asks what the server has seen itself.
is_tested :- tests_passed(Content), content_now(Content).
