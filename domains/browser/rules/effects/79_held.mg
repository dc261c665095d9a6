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
