# Kinds of fault of what is drawn and kept: without end, more and more, for too long, jumping, waiting for ever.

# ---- without end -------------------------------------------------------------------------------------------

# The document as a whole says whether it goes on to the end; a place by itself may only have been busy for a second.
# A caret or a clock changes a few things a few times a second, and a live view as often as news come.
restless(PerSecond) :- mutates("document", PerSecond), 80 <= PerSecond, !has_many_news().
busiest(PerSecond) :- mutates(Target, P), Target != "document", Target != "head"
  |> do fn:group_by(), let PerSecond = fn:max(P).
busiest_place(Target) :-
  busiest(PerSecond),
  mutates(Target, PerSecond),
  Target != "document",
  Target != "head".
# Drawn anew in twelve turns a second or more, and always the same: neither a caret nor a clock, a ticker or an animation.
# On a machine that has no time for so many it is fewer, and long tasks stand beside it.
is_redrawn(Target, Turns) :- redraws(Target, Turns), 12 <= Turns.
is_redrawn(Target, Turns) :- redraws(Target, Turns), 5 <= Turns, Turns < 12, has_no_time().
task_count(N) :- after_load(_, _, At) |> do fn:group_by(), let N = fn:count().
has_no_time() :- task_count(N), 12 <= N.
redrawn_node(Target, Node) :- is_redrawn(Target, _), Node = fn:string:concat("loop:", Target).
is_restless() :- restless(_).
suspect(Node, "endless_rendering", Text) :-
  is_redrawn(Target, Turns),
  !is_restless(),
  redrawn_node(Target, Node),
  Text = fn:string:concat(Target, " is drawn anew without end and comes out the same, ", Turns,
                          " times a second").
trouble(Node, 52, Text) :-
  is_redrawn(Target, _),
  !is_restless(),
  redrawn_node(Target, Node),
  Text = fn:string:concat("the page never comes to rest: ", Target, " is drawn anew without end").
node_text(Node, Text) :-
  redrawn_node(Target, Node),
  Text = fn:string:concat(Target, " drawn without end").

first_busiest(Target) :- busiest_place(T) |> do fn:group_by(), let Target = fn:pick_any(T).
has_busiest() :- busiest(_).
busy_place(Target, PerSecond) :- restless(PerSecond), first_busiest(Target).
busy_place("document", PerSecond) :- restless(PerSecond), !has_busiest().
news(N) :- received(R, F, _, _) |> do fn:group_by(), let N = fn:count().
has_many_news() :- news(N), 10 <= N.
loop_node(Target, Node) :- busy_place(Target, _), Node = fn:string:concat("loop:", Target).
suspect(Node, "endless_rendering", Text) :-
  busy_place(Target, PerSecond),
  loop_node(Target, Node),
  Text = fn:string:concat(Target, " is drawn anew without end, ", PerSecond, " changes a second").
trouble(Node, 52, Text) :-
  busy_place(Target, _),
  loop_node(Target, Node),
  Text = fn:string:concat("the page never comes to rest: ", Target, " is drawn anew without end").
node_text(Node, Text) :-
  loop_node(Target, Node),
  Text = fn:string:concat(Target, " drawn without end").

# An observer of sizes that changes the size which it observes. (Sizes that are animated are so for a moment.)
self_observed(K, Target, PerSecond) :-
  observes_itself(K, Target, PerSecond)@[T, _],
  has_own_frame(K).
suspect(K, "self_observed", Text) :-
  self_observed(K, Target, PerSecond),
  place_of(K, Where),
  Text = fn:string:concat("the ResizeObserver of ", Where, " is called without end, ", PerSecond,
                          " times a second: what it does changes the size of ", Target,
                          ", which it observes").
trouble(K, 53, Text) :-
  self_observed(K, Target, _),
  Text = fn:string:concat("the page never comes to rest: ", Target,
                          " changes its size without end").
node_text(K, Text) :-
  self_observed(K, Target, _),
  Text = fn:string:concat("an observer of ", Target, " that is called without end").
causes(Node, K, "the observer changes what it observes, and is called again") :-
  self_observed(K, _, _),
  loop_node(_, Node).
causes(Node, K, "the observer changes what it observes, and is called again") :-
  self_observed(K, _, _),
  redrawn_node(_, Node).

# A component that changes itself while it is drawn, in the words of libraries and of the engine.
endless_words("Maximum update depth exceeded", "endless_rendering",
              "it changes itself each time it is drawn").
endless_words("Too many re-renders", "endless_rendering",
              "it changes itself each time it is drawn").
endless_words("Infinite loop detected", "endless_rendering",
              "it changes itself each time it is drawn").
endless_words("infinite update loop", "endless_rendering",
              "it changes itself each time it is drawn").
endless_words("Maximum recursive updates exceeded", "endless_rendering",
              "it changes itself each time it is drawn").
endless_words("effect_update_depth_exceeded", "endless_rendering",
              "it changes itself each time it is drawn").
endless_words("React error #185", "endless_rendering", "it changes itself each time it is drawn").
endless_words("React error #301", "endless_rendering", "it changes itself each time it is drawn").
endless_words("digest() iterations reached", "endless_rendering",
              "it changes itself each time it is drawn").
endless_words("Maximum call stack size exceeded", "endless_recursion",
              "it calls itself without end").
endless_words("too much recursion", "endless_recursion", "it calls itself without end").
endless(E, Kind, Words) :-
  error_text(E, Text),
  endless_words(Part, Kind, Words),
  :string:contains(Text, Part).
suspect(E, Kind, Text) :-
  endless(E, Kind, Words),
  place_of(E, Where),
  Text = fn:string:concat(Where, ": ", Words).
has_place(E) :- place_of(E, _).
suspect(E, Kind, Words) :- endless(E, Kind, Words), !has_place(E).

# Errors that code reports without end, told at the line that does it: the same ones so many times a second or in all, or
# ever new ones.
reported_error(E) :- error_source(E, "console"), !is_report(E), !is_harmless(E), has_own_frame(E).
reported_at(Where, E, Rate) :-
  reported_error(E),
  repeated(E, _, Rate),
  20 <= Rate,
  place_of(E, Where).
reported_at(Where, E, Rate) :-
  reported_error(E),
  repeated(E, Count, Rate),
  200 <= Count,
  Rate < 20,
  place_of(E, Where).
reported_at(Where, E, 1) :- reports_many(Where), reported_error(E), place_of(E, Where), !repeats(E).
repeats(E) :- repeated(E, _, _).
reports(Where, N) :- reported_error(E), place_of(E, Where)
  |> do fn:group_by(Where), let N = fn:count().
reports_many(Where) :- reports(Where, N), 60 <= N.
flood_rate(Where, Sum) :- reported_at(Where, E, Rate)
  |> do fn:group_by(Where), let Sum = fn:sum(Rate).
flood_begins(Where, Ms) :- reported_at(Where, E, _), error_at(E, At)
  |> do fn:group_by(Where), let Ms = fn:min(At).
flood(Where, E) :- flood_begins(Where, Ms), reported_at(Where, F, _), error_at(F, Ms)
  |> do fn:group_by(Where), let E = fn:pick_any(F).
is_flood(E) :- flood(_, E).
suspect(E, "error_flood", Text) :-
  flood(Where, E),
  flood_rate(Where, Rate),
  Text = fn:string:concat(Where, " reports errors without end, some ", Rate, " a second").
trouble(E, 53, Text) :-
  flood(Where, E),
  Text = fn:string:concat("the page reports errors without end, at ", Where).
causes(Other, E, "the same line reports both without end") :-
  flood(Where, E),
  reported_at(Where, Other, _),
  !is_flood(Other).

# One request over and over: code that asks because of what it was answered.
# Many things of one kind, or many parts of a list, are many questions.
same_endpoint(R, Other) :-
  repeated(R, _, _),
  endpoint(R, Method, Route),
  endpoint(Other, Method, Route),
  R != Other.
asks_others(R) :- same_endpoint(R, Other), request_path(R, _, P), request_path(Other, _, Q), P != Q.
asks_others(R) :-
  same_endpoint(R, Other),
  request_query(R, Name, V),
  request_query(Other, Name, W),
  V != W,
  !is_stamp(Name).
is_stamp("_").
is_stamp("t").
is_stamp("ts").
is_stamp("v").
is_stamp("nocache").
often(R, Count, PerSecond) :-
  repeated(R, Count, PerSecond),
  method_of(R, _),
  !asks_others(R),
  12 <= Count,
  4 <= PerSecond,
  is_data(R).
suspect(R, "request_loop", Text) :-
  often(R, Count, PerSecond),
  !is_paged(R),
  !is_request_pile(R),
  request_label(R, Label),
  Text = fn:string:concat(Label, " was asked ", Count, " times, up to ", PerSecond,
                          " times a second").
trouble(R, 58, Text) :-
  often(R, Count, _),
  !third_party(R),
  request_label(R, Label),
  Text = fn:string:concat("the page asks ", Label, " over and over, ", Count, " times").

# Each of its answers draws the page anew.
draws_by_asking(R) :- often(R, _, _), own_data(R), changed_after(R), !is_paged(R).
causes(Node, R, "it is asked over and over, and each answer draws it anew") :-
  draws_by_asking(R),
  redrawn_node(_, Node).
causes(Node, R, "it is asked over and over, and each answer draws it anew") :-
  draws_by_asking(R),
  loop_node(_, Node).

# ---- more and more -------------------------------------------------------------------------------------------

# What counts as growth, of what cannot be freed and rises from sample to sample while nobody does anything: so many more
# at least, and so many a second. A live list takes in a few nodes a second.
growth_limit("nodes", 40, 15).
growth_limit("listeners", 10, 2).
growth_limit("heap", 1500000, 300000).
growth_limit("timers", 4, 1).
growth_limit("sockets", 4, 1).
growth_limit("documents", 4, 1).
growing(What, First, Last) :-
  grows(What, First, Last, PerSecond),
  growth_limit(What, Least, Rate),
  Rate <= PerSecond,
  More = fn:minus(Last, First),
  Least <= More,
  Part = fn:div(First, 20),
  Part <= More.
# Less fast, too, where most of it is known to be kept.
growing("heap", First, Last) :-
  grows("heap", First, Last, PerSecond),
  60000 <= PerSecond,
  More = fn:minus(Last, First),
  1500000 <= More,
  Part = fn:div(First, 20),
  Part <= More,
  explains_heap(More).
Decl explains_heap(More) bound [/number].
growth_node(What, Node) :- growing(What, _, _), Node = fn:string:concat("growth:", What).
growth_name("nodes", "nodes of the document").
growth_name("listeners", "event listeners").
growth_name("heap", "bytes of the heap").
growth_name("timers", "timers").
growth_name("sockets", "connections").
growth_name("documents", "documents").
growth_text(What, Text) :-
  growing(What, First, Last),
  growth_name(What, Name),
  Text = fn:string:concat(Name, " grow without end: from ", First, " to ", Last).
suspect(Node, "growth", Text) :- growth_text(What, Text), growth_node(What, Node).
trouble(Node, 55, Text) :- growth_text(What, Text), growth_node(What, Node), What != "nodes".
trouble(Node, 59, Text) :- growth_text("nodes", Text), growth_node("nodes", Node), is_leak().
trouble(Node, 55, Text) :- growth_text("nodes", Text), growth_node("nodes", Node), !is_leak().
node_text(Node, Text) :- growth_text(What, Text), growth_node(What, Node).

# What else grows because of it: nodes hold memory, listeners hold nodes, timers go on drawing.
holds("heap", "nodes").
holds("heap", "listeners").
holds("heap", "timers").
holds("nodes", "documents").
holds("listeners", "nodes").
holds("nodes", "timers").
holds("listeners", "timers").
holds("timers", "sockets").
causes(Node, Other, Why) :-
  growth_node(What, Node),
  growth_node(Less, Other),
  holds(What, Less),
  Why = fn:string:concat("the ", Less, " that pile up hold them").
causes("layout", Node, "what grows moves the rest") :- jumps(_), growth_node("nodes", Node).
causes(Node, Loop, "it is drawn without end, and nothing is taken away") :-
  growth_node("nodes", Node),
  loop_node(_, Loop),
  !is_known_pile().
# The element that takes them in, and the line that adds to it: to the end, faster than a live list, and not what came over
# a connection.
rises(Target, First, Last) :-
  piles_up(Target, First, Last)@[A, B],
  Target != "",
  ms(A, From),
  ms(B, To),
  Ms = fn:minus(To, From),
  3000 <= Ms,
  watched_until(End),
  End <= fn:plus(To, 3000),
  More = fn:minus(Last, First),
  fn:div(fn:mult(Ms, 15), 1000) <= More.
pile_node(Target, Node) :-
  rises(Target, _, _),
  !has_many_news(),
  Node = fn:string:concat("pile:", Target).
pile_node(Target, Node) :-
  growing("nodes", _, _),
  piles_up(Target, _, _)@[T, _],
  Target != "",
  Node = fn:string:concat("pile:", Target).
Decl is_known_pile().
is_known_pile() :- pile_node(_, _).
Decl is_leak().
is_leak() :- is_known_pile().
is_leak() :- growing("nodes", _, _), growing("listeners", _, _).
has_adder(Node) :- pile_node(_, Node), has_own_frame(Node).
suspect(Node, "growth", Text) :-
  pile_node(Target, Node),
  piles_up(Target, First, Last)@[T, _],
  place_of(Node, Where),
  Text = fn:string:concat(Where, " adds elements to ", Target,
                          " again and again, and none is ever removed: first ", First, ", then ",
                          Last).
suspect(Node, "growth", Text) :-
  pile_node(Target, Node),
  piles_up(Target, First, Last)@[T, _],
  !has_adder(Node),
  Text = fn:string:concat("elements are added to ", Target,
                          " again and again, and none is ever removed: first ", First, ", then ",
                          Last).
grows_nodes() :- growing("nodes", _, _).
trouble(Node, 59, Text) :-
  pile_node(Target, Node),
  !grows_nodes(),
  piles_up(Target, First, Last)@[T, _],
  Text = fn:string:concat("elements pile up in ", Target, ": first ", First, ", then ", Last).
node_text(Node, Text) :-
  pile_node(Target, Node),
  Text = fn:string:concat("elements pile up in ", Target).
change_at(Node, Where, "take away what was added before") :-
  pile_node(_, Node),
  first_own_depth(Node, Depth),
  Next = fn:plus(Depth, 1),
  own_frame(Node, Next, _, Url, Line),
  short_url(Url, Short),
  Where = fn:string:concat(Short, ":", Line).
causes(Grows, Node, "they pile up there") :- growth_node("nodes", Grows), pile_node(_, Node).
causes(Grows, Node, "each that piles up there holds some") :-
  growth_node("listeners", Grows),
  pile_node(_, Node).
causes(R, Node, "what is asked for is added each time, and nothing is taken away") :-
  pile_node(_, Node),
  often(R, _, _),
  own_data(R).
causes(Loop, Node, "what is drawn there is added to without end") :-
  loop_node(_, Loop),
  pile_node(_, Node).
causes(Node, R, "each new connection leaves something") :- growth_node(_, Node), storm(R, _).
# A request over and over leaves something each time.
causes(Node, R, "it is asked over and over, and each answer leaves something") :-
  growth_node(_, Node),
  often(R, _, _),
  !is_known_pile().

# Who has it asked again: the first of those that called, outside the file that asks for everybody.
calls_loop(R, Depth, Url, Line) :-
  suspect(R, "request_loop", _),
  own_frame(R, 0, _, Client, _),
  own_frame(R, Depth, _, Url, Line),
  Url != Client.
nearest_caller(R, Depth) :- calls_loop(R, D, _, _) |> do fn:group_by(R), let Depth = fn:min(D).
change_at(R, Where, "ask once: not after each drawing or answer") :-
  nearest_caller(R, Depth),
  calls_loop(R, Depth, Url, Line),
  page_origin(Origin),
  Short = fn:string:replace(Url, Origin, "", 1),
  Where = fn:string:concat(Short, ":", Line).

# The circle, where the stack of one of them shows it: from the function that asks back to the same one, which waited for
# an answer before.
Decl closes_round(X, Depth) bound [/string, /number].
closes_round(X, Depth) :-
  often_asked(_, X),
  own_frame(X, From, Function, Url, _),
  Function != "",
  From <= 1,
  own_frame(X, Depth, Function, Url, _),
  fn:plus(From, 1) < Depth,
  Depth <= 8.
often_asked(R, X) :-
  suspect(R, "request_loop", _),
  endpoint(R, Method, Route),
  endpoint(X, Method, Route).
round_depth(X, Depth) :- closes_round(X, D) |> do fn:group_by(X), let Depth = fn:min(D).
round_of(R, Other) :- often_asked(R, X), round_depth(X, _)
  |> do fn:group_by(R), let Other = fn:pick_any(X).
change_at(R, Where, "ask once: not after each drawing or answer") :-
  round_of(R, X),
  round_depth(X, Last),
  own_frame(X, Depth, _, Url, Line),
  0 < Depth,
  Depth <= Last,
  short_url(Url, Short),
  Where = fn:string:concat(Short, ":", Line).

# ---- long tasks ------------------------------------------------------------------------------------------------

task(Script, Ms, At) :- busy(Script, Ms)@[T, _], ms(T, At).
worked(Script, Sum) :- task(Script, Ms, At) |> do fn:group_by(Script), let Sum = fn:sum(Ms).
# While a page loads it is busy by right.
load_ended(Ms) :- navigation(_, _, _)@[_, E], ms(E, Ms).
loaded_at(Ms) :- load_ended(M) |> do fn:group_by(), let Ms = fn:max(M).
after_load(Script, Ms, At) :- task(Script, Ms, At), loaded_at(L), fn:plus(L, 500) <= At.
longest(Script, Most) :- after_load(Script, Ms, At)
  |> do fn:group_by(Script), let Most = fn:max(Ms).
in_script("", "").
in_script(Script, Text) :-
  busy(Script, _)@[T, _],
  Script != "",
  Text = fn:string:concat(", in ", Script).
# Many tasks of middling length are a slow machine rather than a fault of the page: then only what stands out counts.
middling(At) :- task(Script, Ms, At), 100 <= Ms, Ms < 800.
middling_count(N) :- middling(At) |> do fn:group_by(), let N = fn:count().
machine_is_slow() :- middling_count(N), 4 <= N.
# Where it is known whose it is, 78_work.mg tells it.
Decl has_placed_work().
frozen(Script, Most) :- longest(Script, Most), 1000 <= Most, !machine_is_slow(), !has_placed_work().
busy_node(Script, Node) :- frozen(Script, _), Node = fn:string:concat("busy:", Script).
is_frozen_by_deed(Node) :- frozen_by(_, Node, _).
suspect(Node, "long_task", Text) :-
  frozen_by(I, Node, Ms),
  input(I, Type, Target, _)@[T, _],
  Text = fn:string:concat("what the ", Type, " at ", Target, " sets off is busy for ", Ms,
                          " ms at once: the page's own script, and nothing else runs meanwhile").
suspect(Node, "long_task", Text) :-
  frozen(Script, Most),
  busy_node(Script, Node),
  !is_frozen_by_deed(Node),
  worked(Script, Sum),
  in_script(Script, In),
  Text = fn:string:concat("the page stood still for ", Most, " ms at once, ", Sum, " ms in all",
                          In).
trouble(Node, 32, Text) :-
  frozen(Script, Most),
  busy_node(Script, Node),
  Text = fn:string:concat("the page does not react for ", Most, " ms").
# It begins with a click: what that sets off does it.
frozen_by(I, Node, Ms) :-
  input(I, Type, _, _)@[T, _],
  is_act(Type),
  ms(T, A),
  task(Script, Ms, B),
  1000 <= Ms,
  fn:minus(A, 100) <= B,
  B <= fn:plus(A, 200),
  busy_node(Script, Node).
is_act("click").
is_act("submit").
is_act("change").
is_act("key").
trouble(Node, 54, Text) :-
  frozen_by(I, Node, Ms),
  input(I, Type, Target, _)@[T, _],
  Text = fn:string:concat("the page does not react for ", Ms, " ms after the ", Type, " at ",
                          Target).
change_at(Node, Where, "do less at once, or in parts or in a worker: this runs at the click") :-
  frozen_by(I, Node, _),
  place_of(I, Where).
node_text(Node, Text) :-
  busy_node(Script, Node),
  in_script(Script, In),
  Text = fn:string:concat("a long task", In).
change_at(Node, Script, "do less at once, or in parts or in a worker") :-
  busy_node(Script, Node),
  Script != "".

# What a user did right before it runs there.
run_by(Node, I) :-
  frozen(Script, Most),
  busy_node(Script, Node),
  task(Script, Most, At),
  input(I, Type, _, _)@[T, _],
  is_deed(Type),
  ms(T, Ms),
  Ms <= fn:plus(At, 60),
  At <= fn:plus(Ms, 150).
run_first(Node, I) :- run_by(Node, X) |> do fn:group_by(Node), let I = fn:pick_any(X).
change_at(Node, Where, "do less at once, or in parts or in a worker") :-
  run_first(Node, I),
  place_of(I, Where).
change_at(Node, Target, "what this deed runs: do less at once, or in parts or in a worker") :-
  run_first(Node, I),
  input(I, _, Target, _)@[T, _],
  Target != "".

# ---- jumping ---------------------------------------------------------------------------------------------------

shift(By, At) :- shifted(By)@[T, _], ms(T, At).
shift_sum(Sum) :- shift(By, At) |> do fn:group_by(), let Sum = fn:sum(By).
# Browsers call 250 bad. Pages that are well otherwise reach that while they load, so that a jump counts from twice of it.
jumps(Sum) :- shift_sum(Sum), 600 <= Sum.
suspect("layout", "layout_shift", Text) :-
  jumps(Sum),
  Text = fn:string:concat("the layout jumped by ", Sum, " thousandths (above 250 is bad)").
trouble("layout", 31, Text) :-
  jumps(Sum),
  Text = fn:string:concat("the content jumps: layout shift ", Sum, " thousandths").
node_text("layout", "the layout jumps") :- jumps(_).
shift_most(By) :- shift(B, _) |> do fn:group_by(), let By = fn:max(B).
# What arrived right before the greatest jump.
moves("image").
moves("font").
moves("style").
moves("data").
moves("media").
moves("frame").
before_shift(R, Gap) :-
  jumps(_),
  shift_most(By),
  shift(By, At),
  ended_at(R, End),
  kind_of(R, Kind),
  moves(Kind),
  End <= fn:plus(At, 30),
  Gap = fn:minus(At, End),
  Gap <= 400.
nearest_shift(Gap) :- before_shift(R, G) |> do fn:group_by(), let Gap = fn:min(G).
moved_layout(R) :- nearest_shift(Gap), before_shift(R, Gap).
suspect(R, "layout_shift", Text) :-
  moved_layout(R),
  request_label(R, Label),
  Text = fn:string:concat(Label, " came late, and no room was kept for it").
causes("layout", R, "it arrived right before the jump") :- moved_layout(R).

# ---- waiting for ever ---------------------------------------------------------------------------------------------

spins :- shown("spinner", _).
spins :- shown("waiting", _).
spins :- shown("text", Text), waiting_word(Word), :string:contains(Text, Word).
waiting_word("\nLoading\n").
waiting_word("\nLoading…").
waiting_word("\nLoading ...").
waiting_word("\nLoading...").
waiting_word("\nPlease wait").
waited_for(R) :- never_answered(R, _), !third_party(R).
waited_for(R) :- went_wrong(R), own_data(R), !is_soft(R).
waited_for(R) :- suspect(R, "wrong_content_type", _), own_data(R).
waited_for(R) :- suspect(R, "invalid_json", _), own_data(R).
waited_for(R) :- is_cancelled(R), own_data(R), !was_superseded(R), !left_by_navigation(R).
has_reason_to_wait() :- waited_for(_).
has_reason_to_wait() :- is_thrown(E), !is_harmless(E).
node_text("shown:spinner", "it still says that it is loading") :- spins().
trouble("shown:spinner", 58, "the page still says that it is loading") :-
  spins(),
  has_reason_to_wait().
causes("shown:spinner", R, "what it waits for did not come") :-
  spins(),
  waited_for(R),
  kind_of(R, "data").
causes("shown:spinner", E, "the code that would end it failed") :-
  spins(),
  is_thrown(E),
  !is_harmless(E),
  has_own_frame(E).

repair("endless_rendering", "node",
       "end the circle: do not change what is being observed or drawn").
repair("self_observed", "code", "do not change the size that is observed").
repair("endless_rendering", "code", "do not change state while drawing").
repair("endless_recursion", "code", "end the recursion").
repair("request_loop", "code", "ask once: not after each drawing or answer").
repair("error_flood", "code", "end what fails again and again, and report it once").
repair("growth", "code", "take away what was added before").
repair("growth", "node", "take away what is no longer used: nodes, listeners, timers").
repair("layout_shift", "endpoint", "keep room for it: width and height, or a placeholder").

check("endless_rendering", "the page comes to rest").
check("self_observed", "the page comes to rest").
check("endless_recursion", "the same steps throw nothing there").
check("request_loop", "is asked once").
check("error_flood", "reports nothing more while nothing is done").
check("growth", "the count stays level while nothing is done").
check("long_task", "no task takes longer than 50 ms").
check("layout_shift", "the layout shift stays below 0.1").
