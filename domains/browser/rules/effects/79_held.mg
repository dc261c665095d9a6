# What grows, told at the code that makes what stays: an array, a map, a text that is only added to, elements that are kept
# though they are not shown. The browser's samples of what was allocated and is still there tell it.

holds_most(Bytes) :- kept_alive(H, B)@[T, _], has_own_frame(H)
  |> do fn:group_by(), let Bytes = fn:max(B).
held_most(H) :- holds_most(Bytes), kept_alive(X, Bytes)@[T, _], has_own_frame(X)
  |> do fn:group_by(), let H = fn:pick_any(X).
# What is known to take in more and more, listeners and timers that are added again have a place already.
is_held_elsewhere() :- has_adder(_).
is_held_elsewhere() :- listener_again(Q, _, _, N)@[T, _], 5 <= N, has_own_frame(Q).
is_held_elsewhere() :- timer_again(Q, _)@[T, _], has_own_frame(Q).
holder(H) :- held_most(H), growing(_, _, _), !is_held_elsewhere().
suspect(H, "growth", Text) :-
  holder(H),
  kept_alive(H, Bytes)@[T, _],
  place_of(H, Where),
  Kb = fn:div(Bytes, 1000),
  Text = fn:string:concat("most of what piles up in memory is made at ", Where, ": ", Kb,
                          " kB of it are still held, and none is given up").
node_text(H, Text) :-
  holder(H),
  place_of(H, Where),
  Text = fn:string:concat("what ", Where, " makes is kept").
causes(Node, H, "it makes what is kept") :- growth_node("heap", Node), holder(H).
causes(Node, H, "it makes what is kept") :- growth_node("nodes", Node), holder(H).
causes(Node, H, "it makes what is kept") :- growth_node("listeners", Node), holder(H).
change_at(H, Where, "take away what was added before") :-
  holder(H),
  first_own_depth(H, Depth),
  Next = fn:plus(Depth, 1),
  own_frame(H, Next, _, Url, Line),
  short_url(Url, Short),
  Where = fn:string:concat(Short, ":", Line).

explains_heap(More) :-
  grows("heap", First, Last, _),
  More = fn:minus(Last, First),
  holds_most(Bytes),
  More <= fn:mult(2, Bytes).

# Answers that are kept, one after the other: browsers make them of themselves, so that no sample tells whose they are. What is
# made of a text is about as large as it, or some times larger.
answers_sum(R, Sum) :-
  repeated(R, Count, _),
  5 <= Count,
  own_data(R),
  went_well(R),
  request_size(R, _, Bytes),
  20000 <= Bytes,
  Sum = fn:mult(Count, Bytes).
feeds_heap(R, More) :-
  answers_sum(R, Sum),
  grows("heap", First, Last, _),
  More = fn:minus(Last, First),
  More <= fn:mult(4, Sum),
  Sum <= fn:mult(4, More),
  !has_holder().
has_holder() :- holds_most(_).
explains_heap(More) :- feeds_heap(_, More).
feeder(R) :- feeds_heap(R, _), growing("heap", _, _), !is_held_elsewhere(), !is_asked_often(R).
is_asked_often(R) :- often(R, _, _).
suspect(R, "growth", Text) :-
  feeder(R),
  request_label(R, Label),
  repeated(R, Count, _),
  Text = fn:string:concat("memory grows by what ", Label, " answers: its ", Count,
                          " answers are kept").
causes(Node, R, "its answers are kept") :- growth_node("heap", Node), feeder(R).
