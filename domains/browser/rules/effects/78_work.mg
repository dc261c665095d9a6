# Work that keeps a page for long, told at the code that does it: the function in which the page was found when it was
# looked at, or else where the browser says that the script was entered. 48_rendering.mg has long tasks of which nobody
# knows whose they are.

Decl worked_long(B, Ms, At) bound [/string, /number, /number].
worked_long(B, Ms, At) :- long_script(B, _, _, Ms, _)@[T, _], has_own_frame(B), ms(T, At).
worked_at(B, Where) :- worked_long(B, _, _), place_of(B, Where).

# What a user did sets it off; or it comes by itself, once the page has loaded.
worked_by(B, I) :-
  worked_long(B, _, At),
  input(I, Type, _, _)@[T, _],
  is_act(Type),
  ms(T, A),
  fn:minus(A, 100) <= At,
  At <= fn:plus(A, 200).
# An answer that the deed asked for came in between.
worked_by(B, I) :-
  worked_long(B, _, At),
  asked_after_input(R, I),
  own_data(R),
  input(I, Type, _, _)@[T, _],
  is_act(Type),
  ended_at(R, End),
  fn:minus(End, 100) <= At,
  At <= fn:plus(End, 200).
is_by_deed(B) :- worked_by(B, _).
is_after_load(B) :- worked_long(B, _, At), loaded_at(L), fn:plus(L, 500) <= At.
is_its_work(B) :- is_by_deed(B).
is_its_work(B) :- is_after_load(B).

# Layout that code forces, by reading sizes of what it has just changed: that is no slow machine.
thrashes(B, Ms, Layout) :-
  long_script(B, _, _, Ms, Layout)@[T, _],
  is_its_work(B),
  600 <= Layout,
  Ms <= fn:mult(2, Layout),
  700 <= Ms,
  !is_one_layout(B).
# One layout that takes long is what was drawn, and no to and fro.
is_one_layout(B) :- layouts_within(B, N), N < 20.
# It waited in a request that holds up everything.
waited_in(B, R, Ms) :-
  script_waited(B, Ms),
  300 <= Ms,
  worked_long(B, All, At),
  own_data(R),
  sent_at(R, S),
  ended_at(R, E),
  fn:minus(At, 50) <= S,
  E <= fn:plus(At, All, 50),
  Took = fn:minus(E, S),
  Ms <= fn:mult(2, Took).
is_waiting(B) :- waited_in(B, _, _).
# Where the browser does not say so: a task that begins with sending it and ends as soon as it is answered, and in which
# nobody finds code that runs.
found_running(A, E) :- long_script(B, _, _, _, _)@[S, T], has_own_frame(B), ms(S, A), ms(T, E).
task_running(A, E) :-
  task(_, _, A),
  found_running(S, E),
  fn:minus(A, 100) <= S,
  S <= fn:plus(A, 100).
is_running(A) :- task_running(A, _).
Decl held_up_by(R, Ms) bound [/string, /number].
held_up_by(R, Ms) :-
  task(_, Ms, A),
  800 <= Ms,
  !is_running(A),
  own_data(R),
  has_own_frame(R),
  went_well(R),
  sent_at(R, S),
  ended_at(R, E),
  fn:minus(A, 50) <= S,
  E <= fn:plus(A, Ms, 50),
  Took = fn:minus(E, S),
  fn:mult(4, Ms) <= fn:mult(5, Took).
is_holding_up() :- held_up_by(_, _).
suspect(R, "sync_request", Text) :-
  held_up_by(R, Ms),
  place_of(R, Where),
  request_label(R, Label),
  Text = fn:string:concat(Where, " asks ", Label, " synchronously: for ", Ms,
                          " ms nothing else runs, and the page does not react").
trouble(R, 52, Text) :-
  held_up_by(R, Ms),
  request_label(R, Label),
  Text = fn:string:concat("the page does not react for ", Ms, " ms, until ", Label, " is answered").
# Busy by itself.
toils(B, Ms) :-
  worked_long(B, Ms, _),
  is_its_work(B),
  1000 <= Ms,
  !is_thrash(B),
  !is_waiting(B),
  !machine_is_slow().
# Many tasks of middling length are the machine's, unless they are all of one place.
toils(B, Ms) :-
  worked_long(B, Ms, _),
  is_its_work(B),
  1500 <= Ms,
  !is_thrash(B),
  !is_waiting(B),
  machine_is_slow().
is_thrash(B) :- thrashes(B, _, _).
# What was drawn takes the browser long to lay out.
lays_out(B, Ms) :- laid_out(B, Ms), is_its_work(B), 1000 <= Ms, !is_thrash(B), !machine_is_slow().

# Of one place what took longest.
Decl heavy(B, Kind, Ms) bound [/string, /string, /number].
heavy(B, "layout_thrash", Ms) :- thrashes(B, Ms, _).
heavy(B, "sync_request", Ms) :- waited_in(B, _, Ms).
heavy(B, "long_task", Ms) :- toils(B, Ms).
heavy(B, "big_drawing", Ms) :- lays_out(B, Ms), !is_toil(B).
is_toil(B) :- toils(B, _).
heaviest_there(Where, Kind, Ms) :- heavy(B, Kind, M), worked_at(B, Where)
  |> do fn:group_by(Where, Kind), let Ms = fn:max(M).
heavy_there(Where, Kind, B) :-
  heaviest_there(Where, Kind, Ms),
  heavy(X, Kind, Ms),
  worked_at(X, Where)
  |> do fn:group_by(Where, Kind), let B = fn:pick_any(X).
heavy_times(Where, Kind, N) :- heavy(B, Kind, _), worked_at(B, Where)
  |> do fn:group_by(Where, Kind), let N = fn:count().
has_placed_work() :- heavy_there(_, _, _).
has_placed_work() :- is_holding_up().

# What it is called, and what called it.
first_function(B, Name) :-
  first_own_depth(B, Depth),
  worked_long(B, _, _),
  own_frame(B, Depth, Function, _, _),
  Function != "",
  Name = fn:string:concat(" (", Function, ")").

first_function(B, "") :- worked_long(B, _, _), !has_function_name(B).
has_function_name(B) :-
  first_own_depth(B, Depth),
  own_frame(B, Depth, Function, _, _),
  Function != "".
work_set_off(B, Text) :-
  one_deed(B, I),
  input(I, Type, Target, _)@[T, _],
  Text = fn:string:concat(", after the ", Type, " at ", Target).
one_deed(B, I) :- worked_by(B, X) |> do fn:group_by(B), let I = fn:pick_any(X).
work_set_off(B, Text) :-
  long_script(B, By, _, _, _)@[T, _],
  By != "",
  !is_by_deed(B),
  Text = fn:string:concat(", run by ", By).
work_set_off(B, "") :- long_script(B, "", _, _, _)@[T, _], !is_by_deed(B).

suspect(B, "layout_thrash", Text) :-
  heavy_there(Where, "layout_thrash", B),
  thrashes(B, Ms, Layout),
  first_function(B, Name),
  work_set_off(B, Why),
  Text = fn:string:concat(Where, Name, " keeps the page for ", Ms, " ms at once", Why,
                          "; of these ", Layout,
                          " ms are layout (reflow) that it forces by reading sizes of what it has just changed").
suspect(B, "sync_request", Text) :-
  heavy_there(Where, "sync_request", B),
  waited_in(B, R, Ms),
  first_function(B, Name),
  work_set_off(B, Why),
  request_label(R, Label),
  Text = fn:string:concat(Where, Name, " asks ", Label, " synchronously", Why, ": for ", Ms,
                          " ms nothing else runs, and the page does not react").
suspect(B, "long_task", Text) :-
  heavy_there(Where, "long_task", B),
  toils(B, Ms),
  first_function(B, Name),
  work_set_off(B, Why),
  Text = fn:string:concat(Where, Name, " is busy for ", Ms, " ms at once", Why,
                          ", and nothing else runs meanwhile").
suspect(B, "big_drawing", Text) :-
  heavy_there(Where, "big_drawing", B),
  lays_out(B, Ms),
  first_function(B, Name),
  work_set_off(B, Why),
  Text = fn:string:concat("what ", Where, Name, " puts into the page at once", Why,
                          " takes the browser ", Ms, " ms to lay out and draw").

# After a deed a user waits for it; what comes again keeps the page from anything; what comes once is a circumstance.
trouble(B, 54, Text) :- heavy_there(_, _, B), is_by_deed(B), work_text(B, Text).
trouble(B, 53, Text) :-
  heavy_there(Where, Kind, B),
  heavy_times(Where, Kind, N),
  2 <= N,
  !is_by_deed(B),
  work_text(B, Text).
trouble(B, 34, Text) :-
  heavy_there(Where, Kind, B),
  heavy_times(Where, Kind, 1),
  !is_by_deed(B),
  work_text(B, Text).
work_text(B, Text) :-
  heavy_there(_, Kind, B),
  heavy(B, Kind, Ms),
  work_set_off(B, Why),
  Text = fn:string:concat("the page does not react for ", Ms, " ms", Why).
node_text(B, Text) :- work_text(B, Text).

# And who calls it: a loop may be there. What a listener runs is the place of the deed.
change_at(B, Where, What) :-
  heavy_there(_, Kind, B),
  repair(Kind, "code", What),
  called_from(B, _, Where).
called_from(B, Depth, Where) :-
  heavy_there(_, _, B),
  first_own_depth(B, First),
  Depth = fn:plus(First, 1),
  own_frame(B, Depth, _, Url, Line),
  short_url(Url, Short),
  Where = fn:string:concat(Short, ":", Line).
called_from(B, Depth, Where) :-
  called_from(B, Before, _),
  Before <= 2,
  Depth = fn:plus(Before, 1),
  own_frame(B, Depth, _, Url, Line),
  short_url(Url, Short),
  Where = fn:string:concat(Short, ":", Line).
change_at(B, Target, What) :-
  heavy_there(_, Kind, B),
  repair(Kind, "code", What),
  one_deed(B, I),
  input(I, _, Target, _)@[T, _],
  Target != "".

repair("layout_thrash", "code", "read all sizes first, then change all, or leave sizes to styles").
repair("sync_request", "code", "ask asynchronously: fetch, or open(..., true)").
repair("long_task", "code", "do less at once, or in parts or in a worker").
repair("big_drawing", "code", "draw what is seen, and the rest as it is scrolled to, or in parts").
check("layout_thrash", "the same steps force no more than a layout or two").
check("sync_request", "is not asked synchronously").
check("big_drawing", "no task takes longer than 50 ms").

circumstance("layout_thrash").
circumstance("big_drawing").
