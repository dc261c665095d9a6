# Findings: a root with what came of it, in order of weight; and the story of each, from the root to its effect.

# ---- findings -----------------------------------------------------------------------------------------------

# What is an effect of a root, best to tell of first: what a reader or the console shows rather than a request.
Decl effect_weight(Root, X, Weight) bound [/string, /string, /number].
effect_weight(R, X, W) :- cause_of(X, R), to_explain(X, N), method_of(X, _), R != X, W = N.
effect_weight(R, X, W) :-
  cause_of(X, R),
  to_explain(X, N),
  !method_of(X, _),
  R != X,
  !is_report(X),
  W = fn:plus(N, 100).
effect_weight(R, X, 10) :- cause_of(X, R), to_explain(X, _), !method_of(X, _), R != X, is_report(X).
effect_weight(R, R, W) :- cause_of(R, R), to_explain(R, N), W = fn:minus(N, 40).
Decl worst_effect(Root, Weight) bound [/string, /number].
worst_effect(R, W) :- effect_weight(R, X, N) |> do fn:group_by(R), let W = fn:max(N).
Decl is_told_effect(Root, X) bound [/string, /string].
is_told_effect(R, X) :- worst_effect(R, W), effect_weight(R, X, W).
Decl told_effect_at(Root, Ms) bound [/string, /number].
told_effect_at(R, Ms) :- is_told_effect(R, X), when_or_never(X, M)
  |> do fn:group_by(R), let Ms = fn:min(M).
Decl when_or_never(X, Ms) bound [/string, /number].
when_or_never(X, Ms) :- when(X, Ms).
when_or_never(X, 0) :- trouble_weight(X, _), !has_time(X), !odd(X).
Decl told_effect(Root, X) bound [/string, /string].
told_effect(R, X) :- told_effect_at(R, Ms), is_told_effect(R, Y), when_or_never(Y, Ms)
  |> do fn:group_by(R), let X = fn:pick_any(Y).

# How much it matters: the worst that came of it, how much came of it, and how sure that is.
Decl heaviest(Root, Weight) bound [/string, /number].
heaviest(R, Weight) :- cause_of(X, R), to_explain(X, W)
  |> do fn:group_by(R), let Weight = fn:max(W).
Decl effects_of(Root, Count) bound [/string, /number].
effects_of(R, Count) :- cause_of(X, R) |> do fn:group_by(R), let Count = fn:count().
Decl evidence_for(Root, Score) bound [/string, /number].
evidence_for(R, Score) :- told_effect(R, X), best_score(X, S), R != X, at_most_95(S, Score).
evidence_for(R, 80) :- told_effect(R, R), !fault_kind(R, "script_error").
evidence_for(R, 50) :- told_effect(R, R), fault_kind(R, "script_error").
Decl at_most_5(N, M)
  descr [mode('+', '-'), deferred()]
  bound [/number, /number].
at_most_5(N, N) :- N <= 5.
at_most_5(N, 5) :- 5 < N.
Decl raw_score(Root, Score) bound [/string, /number].
raw_score(R, Score) :-
  heaviest(R, W),
  30 <= W,
  effects_of(R, N),
  at_most_5(N, Many),
  evidence_for(R, E),
  !is_same_host(R),
  !is_same_fault(R),
  Score = fn:plus(fn:mult(W, 10), fn:mult(Many, 40), fn:mult(E, 3)).

# Beside a finding that something came of, these are told as spared: questions that failed and nothing depends on, and
# circumstances of a busy machine or a page that is being filled.
Decl is_proven(Root) bound [/string].
is_proven(R) :- raw_score(R, _), told_effect(R, X), X != R, !is_circumstance(R).
is_proven(R) :- raw_score(R, _), told_effect(R, R), !is_minor(R), !is_circumstance(R).
Decl has_proven().
has_proven() :- is_proven(_).
Decl is_circumstance(Root) bound [/string].
is_circumstance(R) :- fault_kind(R, Kind), circumstance(Kind).
Decl circumstance(Kind) bound [/string].
circumstance("layout_shift").
circumstance("long_task").
circumstance("busy").
circumstance("slow").
circumstance("serial").
circumstance("waterfall").
circumstance("big_answer").
Decl is_minor(Root)
  descr [doc("A question that failed, and nothing came of it.")]
  bound [/string].
is_minor(R) :- told_effect(R, R), method_of(R, "GET"), is_data(R), !is_grave(R).
Decl is_grave(R)
  descr [doc("Nothing failed, and it is a trouble by itself: asked without end, shown although it is old.")]
  bound [/string].
is_grave(R) :- heaviest(R, W), 55 <= W, is_data(R), !went_wrong(R).
is_minor(R) :- told_effect(R, R), kind_of(R, "style").
Decl set_aside(Root) bound [/string].
set_aside(R) :- raw_score(R, _), is_circumstance(R), has_proven().
set_aside(R) :- raw_score(R, _), is_minor(R), has_proven().
Decl finding_score(Root, Score) bound [/string, /number].
finding_score(R, Score) :- raw_score(R, Score), !set_aside(R).

# A host that does not answer is one finding, not one for each request.
Decl unreachable_at(R, Origin, Ms) bound [/string, /string, /number].
unreachable_at(R, Origin, Ms) :-
  fault_kind(R, "unreachable"),
  cause_of(_, R),
  request_path(R, Origin, _),
  heaviest(R, W),
  Ms = fn:minus(fn:mult(1000, W), 0).
Decl is_same_host(R) bound [/string].
is_same_host(R) :- unreachable_at(R, Origin, A), unreachable_at(Other, Origin, B), A < B.
is_same_host(R) :-
  unreachable_at(R, Origin, A),
  unreachable_at(Other, Origin, A),
  when(R, T1),
  when(Other, T2),
  T2 < T1.

# The same of the same endpoint is one finding: that of the first which matters most.
Decl fault_of(R, Kind, Method, Route) bound [/string, /string, /string, /string].
fault_of(R, Kind, Method, Route) :- fault_kind(R, Kind), cause_of(_, R), endpoint(R, Method, Route).
Decl is_same_fault(R) bound [/string].
is_same_fault(R) :-
  fault_of(R, Kind, Method, Route),
  fault_of(Other, Kind, Method, Route),
  heaviest(R, A),
  heaviest(Other, B),
  A < B.
is_same_fault(R) :-
  fault_of(R, Kind, Method, Route),
  fault_of(Other, Kind, Method, Route),
  heaviest(R, W),
  heaviest(Other, W),
  when(R, T1),
  when(Other, T2),
  T2 < T1.

Decl is_better(A, B) bound [/string, /string].
is_better(A, B) :- finding_score(A, S1), finding_score(B, S2), S2 < S1.
is_better(A, B) :- finding_score(A, S), finding_score(B, S), when(A, T1), when(B, T2), T1 < T2.
is_better(A, B) :-
  finding_score(A, S),
  finding_score(B, S),
  when(A, T),
  when(B, T),
  :string:lt(A, B).
Decl better_count(Root, Count) bound [/string, /number].
better_count(R, Count) :- is_better(B, R) |> do fn:group_by(R), let Count = fn:count().
Decl has_better(R) bound [/string].
has_better(R) :- is_better(_, R).
Decl finding(Rank, Root, Effect) bound [/number, /string, /string].
finding(1, R, X) :- finding_score(R, _), !has_better(R), told_effect(R, X).
finding(Rank, R, X) :- better_count(R, N), N < 3, told_effect(R, X), Rank = fn:plus(N, 1).

Decl other_root(X, Score)
  descr [doc("The best score of a root that was not chosen and does not lie on the way.")]
  bound [/string, /number].
other_root(X, Score) :- cause_of(X, R), deepest(X, Q, S), Q != R
  |> do fn:group_by(X), let Score = fn:max(S).
Decl is_contested(X) bound [/string].
is_contested(X) :- other_root(X, S), best_score(X, Best), Least = fn:minus(Best, 10), Least <= S.
Decl sureness(X, Root, Percent) bound [/string, /string, /number].
sureness(X, R, P) :- told_effect(R, X), evidence_for(R, P), !is_contested(X).
sureness(X, R, P) :- told_effect(R, X), evidence_for(R, S), is_contested(X), P = fn:minus(S, 15).

# ---- chains, oldest first -------------------------------------------------------------------------------------

Decl story(Effect, Root) bound [/string, /string].
story(X, R) :- finding(_, R, X).
story(E, R) :- asked_error(E), cause_of(E, R).
story(E, R) :- asked_cause(E, R).

# Asked about a report of the browser: the request, even where it is not to blame for anything.
Decl asked_cause(E, R) bound [/string, /string].
asked_cause(E, R) :- asked_error(E), error_about_request(E, R), suspect(R, _, _), !has_cause(E).

# From one thing back towards the root: of the direct causes on the way the latest, so that nothing between is left out.
Decl way_back(X, Root, C) bound [/string, /string, /string].
way_back(X, R, R) :- story(_, R), link(X, R, _).
way_back(X, R, C) :- story(_, R), leads(C, R), link(X, C, _), C != R, !cleared(C, _).
way_back(X, R, C) :- story(_, R), leads(C, R), link(X, C, _), C != R, !has_clear_way(X, R).
Decl has_clear_way(X, Root)
  descr [doc("Without those that are not to blame for anything.")]
  bound [/string, /string].
has_clear_way(X, R) :- story(_, R), link(X, R, _).
has_clear_way(X, R) :- story(_, R), leads(C, R), link(X, C, _), !cleared(C, _).
Decl latest_back(X, Root, Ms) bound [/string, /string, /number].
latest_back(X, R, Ms) :- way_back(X, R, C), when_or_never(C, M)
  |> do fn:group_by(X, R), let Ms = fn:max(M).
Decl step_back(X, Root, C) bound [/string, /string, /string].
step_back(X, R, Next) :- latest_back(X, R, Ms), way_back(X, R, C), when_or_never(C, Ms)
  |> do fn:group_by(X, R), let Next = fn:pick_any(C).
Decl walk(Effect, Root, Node, Depth) bound [/string, /string, /string, /number].
walk(X, R, X, 0) :- story(X, R).
walk(X, R, C, D) :-
  walk(X, R, N, Before),
  N != R,
  Before < 12,
  step_back(N, R, C),
  D = fn:plus(Before, 1).

# What the user did that set it off comes first.
Decl began_with(Root, I) bound [/string, /string].
began_with(R, I) :- link(R, J, _), input(J, _, _, _)@[T, _]
  |> do fn:group_by(R), let I = fn:pick_any(J).
Decl walk_on(Effect, Root, Node, Depth) bound [/string, /string, /string, /number].
walk_on(X, R, N, D) :- walk(X, R, N, D).
walk_on(X, R, I, D) :- walk(X, R, R, Last), began_with(R, I), D = fn:plus(Last, 1).
Decl walk_length(Effect, Root, Count) bound [/string, /string, /number].
walk_length(X, R, Count) :- walk_on(X, R, N, D) |> do fn:group_by(X, R), let Count = fn:max(D).
Decl chain_node(Effect, Root, Number, Node) bound [/string, /string, /number, /string].
chain_node(X, R, Number, N) :-
  walk_length(X, R, Last),
  walk_on(X, R, N, D),
  Number = fn:plus(fn:minus(Last, D), 1).

Decl node_stamp(X, Text) bound [/string, /string].
node_stamp(X, Text) :- stamp(X, Text).
node_stamp(X, "") :- is_thing(X), !has_stamp(X).
Decl node_clock(X, Text) bound [/string, /string].
node_clock(X, Text) :-
  when(X, Ms),
  0 < Ms,
  T = fn:time:from_unix_nanos(fn:mult(Ms, 1000000)),
  Date = fn:string:concat(fn:time:format_civil(T, "UTC", /day), "T"),
  Clock = fn:string:replace(fn:time:format(T, /millisecond), Date, "", 1),
  Text = fn:string:replace(Clock, "Z", "", 1).
node_clock(X, "") :- is_thing(X), !has_stamp(X).
Decl has_stamp(X) bound [/string].
has_stamp(X) :- stamp(X, _).
Decl story_step(Effect, Root, Number, Step) bound [/string, /string, /number, /any].
Decl story_chain(Effect, Root, Number, List) bound [/string, /string, /number, .List</any>].
story_step(X, R, Number, Step) :-
  chain_node(X, R, Number, N),
  label_of(N, Text),
  node_stamp(N, Stamp),
  !invoked("diagnose_page"),
  Step = fn:map("step", Number, "id", N, "event", Text, "timestamp", Stamp).
# Of a whole page the order says which step it is, and the time of day how far apart they were.
story_step(X, R, Number, Step) :-
  invoked("diagnose_page"),
  chain_node(X, R, Number, N),
  label_of(N, Text),
  node_clock(N, Clock),
  Step = fn:map("at", Clock, "event", Text, "id", N).
story_chain(X, R, 1, List) :- story_step(X, R, 1, S), List = fn:list(S).
story_chain(X, R, Number, List) :-
  story_chain(X, R, Before, L),
  Number = fn:plus(Before, 1),
  story_step(X, R, Number, S),
  List = fn:list:append(L, S).
Decl whole_chain(Effect, Root, List) bound [/string, /string, .List</any>].
whole_chain(X, R, List) :-
  walk_length(X, R, Last),
  Number = fn:plus(Last, 1),
  story_chain(X, R, Number, List).

Decl story_why(Effect, Root, Number, List) bound [/string, /string, /number, .List</string>].
Decl why_step(Effect, Root, Number, Why) bound [/string, /string, /number, /string].
why_step(X, R, Number, Why) :-
  chain_node(X, R, Number, C),
  Number2 = fn:plus(Number, 1),
  chain_node(X, R, Number2, N),
  link_why(N, C, Why).
story_why(X, R, 1, List) :- why_step(X, R, 1, W), List = fn:list(W).
story_why(X, R, Number, List) :-
  story_why(X, R, Before, L),
  Number = fn:plus(Before, 1),
  why_step(X, R, Number, W),
  List = fn:list:append(L, W).
Decl whole_why(Effect, Root, List) bound [/string, /string, .List</string>].
whole_why(X, R, List) :- walk_length(X, R, Last), 0 < Last, story_why(X, R, Last, List).
whole_why(X, R, List) :- walk_length(X, R, 0), label_of(R, Text), List = fn:list(Text).

# ---- what to change, how to check --------------------------------------------------------------------------------

Decl has_change(X) bound [/string].
has_change(X) :- change_at(X, _, _).
Decl any_change(X, Where, What) bound [/string, /string, /string].
# What is said for the kind that the fault is called by; one line a place.
Decl fits_kind(X, What) bound [/string, /string].
fits_kind(X, What) :- fault_kind(X, Kind), repair(Kind, _, What).
fits_kind(X, What) :- fault_kind(X, _), change_at(X, _, What), suits_any_kind(What).
Decl suits_any_kind(What)
  descr [doc("A change for what comes of a fault, of whatever kind that is.")]
  bound [/string].
Decl fitting_change(X, Where, What) bound [/string, /string, /string].
fitting_change(X, Where, What) :- change_at(X, Where, What), fits_kind(X, What).
Decl has_fitting_change(X) bound [/string].
has_fitting_change(X) :- fitting_change(X, _, _).
Decl possible_change(X, Where, What) bound [/string, /string, /string].
possible_change(X, Where, What) :- fitting_change(X, Where, What).
possible_change(X, Where, What) :- change_at(X, Where, What), !has_fitting_change(X).
any_change(X, Where, What) :- possible_change(X, Where, W)
  |> do fn:group_by(X, Where), let What = fn:pick_any(W).
any_change(R, Label, "find out why it does not answer as the page expects") :-
  odd(R),
  request_label(R, Label),
  !has_change(R).
any_change(E, Where, "the code fails here") :-
  odd(E),
  error_source(E, _),
  place_of(E, Where),
  !has_change(E).
Decl change_list(X, List) bound [/string, .List</any>].
change_list(X, List) :-
  story(_, X),
  any_change(X, Where, What),
  Change = fn:map("where", Where, "what", What)
  |> do fn:group_by(X), let List = fn:collect(Change).
Decl changes(X, List) bound [/string, .List</any>].
changes(X, List) :- change_list(X, List).
changes(X, []) :- story(_, X), !has_change_list(X).
Decl has_change_list(X) bound [/string].
has_change_list(X) :- change_list(X, _).

Decl has_check(X) bound [/string].
has_check(X) :- check_by(X, _).
Decl check_of(X, How) bound [/string, /string].
check_of(X, How) :- story(_, X), check_by(X, H) |> do fn:group_by(X), let How = fn:pick_any(H).
check_of(X, How) :-
  story(_, X),
  !has_check(X),
  label_of(X, Text),
  How = fn:string:concat("do the same again: no longer seen is: ", Text).
