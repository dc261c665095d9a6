# What history says of files, whatever they are called now: older names, who wrote them, how busy they are.

Decl former(Path, Old)
  descr [doc("Path was once called Old, however often it was renamed since.")]
  bound [/string, /string].
former(Path, Old) :- renamed(_, Old, Path).
former(Path, Older) :- former(Path, Old), renamed(_, Older, Old).

Decl asked_file(Path)
  descr [doc("A file that somebody asks about now.")]
  bound [/string].
asked_file(Path) :- working_change(Path, _, _).
asked_file(Path) :- changed_lines(Path, _, _).
asked_file(Path) :- failing_file(Path).
asked_file(Path) :- defined_at(_, Path, _).

Decl goes_by(Path, Name)
  descr [doc("A file that somebody asks about, and each name that it has or had.")]
  bound [/string, /string].
goes_by(Path, Path) :- asked_file(Path).
goes_by(Path, Old) :- asked_file(Path), former(Path, Old).

# ---- ownership: lines of the file as it is where they are known, else lines changed through all names ----

Decl contribution(Path, Author, Commit, Lines)
  descr [doc("What one commit did to a file under any of its names.")]
  bound [/string, /string, /string, /number].
contribution(Path, Author, Commit, Lines) :-
  goes_by(Path, Name),
  touched(Commit, Name, Added, Removed),
  <-[_, _] commit(Commit, Author, _),
  Lines = fn:plus(Added, Removed).

has_line_counts(Path) :- wrote_lines(Path, _, _).
Decl wrote(Path, Author, Lines)
  descr [doc("How much of a file is whose.")]
  bound [/string, /string, /number].
wrote(Path, Author, Lines) :- wrote_lines(Path, Author, Lines).
wrote(Path, Author, Sum) :- contribution(Path, Author, Commit, Lines), !has_line_counts(Path)
  |> do fn:group_by(Path, Author), let Sum = fn:sum(Lines).

most_of(Path, Most) :- wrote(Path, _, Lines) |> do fn:group_by(Path), let Most = fn:max(Lines).
Decl owner(Path, Author)
  descr [doc("Who wrote most of a file.")]
  bound [/string, /string].
owner(Path, Author) :- wrote(Path, Author, Most), most_of(Path, Most), 0 < Most.

# ---- how busy a file is: commits of the last thirty days, under any of its names ----

Decl recent_touch(Path, Commit)
  descr [doc("A commit of the last thirty days changed the file.")]
  bound [/string, /string].
recent_touch(Path, Commit) :-
  goes_by(Path, Name),
  touched(Commit, Name, _, _),
  <-[30d] commit(Commit, _, _).
touches(Path, N) :- recent_touch(Path, Commit) |> do fn:group_by(Path), let N = fn:count().
is_touched(Path) :- recent_touch(Path, _).
Decl busy(Path, Commits)
  descr [doc("How many commits changed the file in the last thirty days; at most 5 are counted.")]
  bound [/string, /number].
busy(Path, 0) :- asked_file(Path), !is_touched(Path).
busy(Path, N) :- touches(Path, N), N < 5.
busy(Path, 5) :- touches(Path, N), 5 <= N.

# ---- how fresh what we know is ----

fresh(What) :- <-[15m] observed(What).
has_history :- <-[_, _] commit(_, _, _).
