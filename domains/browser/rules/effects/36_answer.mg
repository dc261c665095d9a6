# From causes to an answer: findings in order of weight, each with its chain, why one thing led to the next, what to
# change and how to check it. Short, for every word is paid for by a model.

# ---- what is asked ------------------------------------------------------------------------------------------

Decl gathered() descr [doc("The tool that ran looked at the whole page.")].
gathered() :- invoked("diagnose_page").
gathered() :- invoked("verify_fix").
gathered() :- invoked("explain_change").

# One error is asked about; its id, its instant or its text, the plugin knows which is meant.
Decl asks_about_error() descr [doc("The tool that ran explains one error.")].
asks_about_error() :- invoked("diagnose_causal_chain").
asks_about_error() :- invoked("propose_fix").
Decl asked_error(E) bound [/string].
asked_error(E) :-
  asks_about_error(),
  step_output("trace", Out),
  :match_entry(Out, "error", Error),
  :match_entry(Error, "error_id", E).

# ---- how things are called -----------------------------------------------------------------------------------

# Several kinds may fit one thing: the one that says most counts.
Decl says_little(Kind, Rank) bound [/string, /number].
says_little("script_error", 1).
says_little("cancelled", 2).
says_little("failed", 2).
says_little("status", 3).
says_little("slow", 4).
says_little("rejected", 5).
says_little("conflict", 5).
says_little("not_authorized", 6).
says_little("bad_argument", 7).
Decl is_plain_kind(Kind) bound [/string].
is_plain_kind(Kind) :- says_little(Kind, _).
Decl kind_rank(X, Kind, Rank) bound [/string, /string, /number].
kind_rank(X, Kind, Rank) :- suspect(X, Kind, _), says_little(Kind, Rank).
kind_rank(X, Kind, 9) :- suspect(X, Kind, _), !is_plain_kind(Kind).
Decl best_kind_rank(X, Rank) bound [/string, /number].
best_kind_rank(X, Rank) :- kind_rank(X, Kind, N) |> do fn:group_by(X), let Rank = fn:max(N).
Decl fault_kind(X, Kind) bound [/string, /string].
fault_kind(X, Kind) :- best_kind_rank(X, N), kind_rank(X, K, N)
  |> do fn:group_by(X), let Kind = fn:pick_any(K).
Decl fault_text(X, Text) bound [/string, /string].
fault_text(X, Text) :- fault_kind(X, K), suspect(X, K, T)
  |> do fn:group_by(X), let Text = fn:pick_any(T).

Decl plain_text(X, Text) bound [/string, /string].
plain_text(R, Text) :- went_text(R, Text).
plain_text(R, Text) :-
  status_of(R, Status),
  !went_wrong(R),
  request_label(R, Label),
  Text = fn:string:concat(Label, " answered ", Status).
plain_text(R, Label) :- request_label(R, Label), !went_wrong(R), !answered_at(R, _).
plain_text(E, Text) :- error_said(E, Text).
plain_text(M, Text) :- message(M, _, Text)@[T, _].
plain_text(I, Text) :-
  input(I, Type, Target, _)@[T, _],
  Text = fn:string:concat(Type, " on ", Target).
plain_text(D, Text) :- dialog(D, Kind, Said)@[T, _], Text = fn:string:concat(Kind, ": ", Said).
plain_text(S, Text) :- script(S, Url, _)@[T, _], Text = fn:string:concat("script ", Url).
plain_text(X, Text) :-
  issue(X, Code, Detail, _)@[T, _],
  Text = fn:string:concat(Code, ": ", Detail).
plain_text(N, Text) :- navigation(N, Url, _)@[T, _], Text = fn:string:concat("opened ", Url).
plain_text(X, Text) :- node_text(X, Text).
Decl is_thing(X) bound [/string].
is_thing(X) :- odd(X).
is_thing(X) :- trouble_weight(X, _).
is_thing(X) :- plain_text(X, _).
is_thing(X) :- link(X, _, _).
is_thing(X) :- link(_, X, _).
Decl has_plain_text(X) bound [/string].
has_plain_text(X) :- plain_text(X, _).
Decl has_fault_text(X) bound [/string].
has_fault_text(X) :- fault_text(X, _).
Decl any_text(X, Text) bound [/string, /string].
any_text(X, Text) :- plain_text(X, T) |> do fn:group_by(X), let Text = fn:pick_any(T).
any_text(X, Text) :- !has_plain_text(X), trouble_text(X, Text).
Decl has_any_text(X) bound [/string].
has_any_text(X) :- any_text(X, _).

# In a chain an error says what it said, whatever it is suspected of.
Decl label_of(X, Text) bound [/string, /string].
label_of(E, Text) :- error_source(E, _), any_text(E, Text).
label_of(X, Text) :- fault_text(X, Text), !error_text(X, _).
label_of(X, Text) :- !has_fault_text(X), !error_text(X, _), any_text(X, Text).
label_of(X, X) :- is_thing(X), !has_fault_text(X), !has_any_text(X).

Decl stamp(X, Text) bound [/string, /string].
stamp(X, Text) :-
  when(X, Ms),
  0 < Ms,
  Text = fn:time:format(fn:time:from_unix_nanos(fn:mult(Ms, 1000000)), /millisecond).

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
evidence_for(R, Score) :- told_effect(R, X), best_score(X, Score), R != X.
evidence_for(R, 80) :- told_effect(R, R), !fault_kind(R, "script_error").
evidence_for(R, 50) :- told_effect(R, R), fault_kind(R, "script_error").
Decl at_most_5(N, M)
  descr [mode('+', '-'), deferred()]
  bound [/number, /number].
at_most_5(N, N) :- N <= 5.
at_most_5(N, 5) :- 5 < N.
Decl finding_score(Root, Score) bound [/string, /number].
finding_score(R, Score) :-
  heaviest(R, W),
  effects_of(R, N),
  at_most_5(N, Many),
  evidence_for(R, E),
  !is_same_host(R),
  Score = fn:plus(fn:mult(W, 10), fn:mult(Many, 40), fn:mult(E, 3)).

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
finding(Rank, R, X) :- better_count(R, N), N < 5, told_effect(R, X), Rank = fn:plus(N, 1).

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

# From one thing back towards the root: of the direct causes on the way the latest, so that nothing between is left out.
Decl way_back(X, Root, C) bound [/string, /string, /string].
way_back(X, R, R) :- story(_, R), link(X, R, _).
way_back(X, R, C) :- story(_, R), leads(C, R), link(X, C, _), C != R.
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
Decl set_off(Root, I) bound [/string, /string].
set_off(R, I) :- link(R, J, _), input(J, _, _, _)@[T, _]
  |> do fn:group_by(R), let I = fn:pick_any(J).
Decl root_depth(Effect, Root, Depth) bound [/string, /string, /number].
root_depth(X, R, Depth) :- walk(X, R, N, D) |> do fn:group_by(X, R), let Depth = fn:max(D).
Decl walk_on(Effect, Root, Node, Depth) bound [/string, /string, /string, /number].
walk_on(X, R, N, D) :- walk(X, R, N, D).
walk_on(X, R, I, D) :- walk(X, R, R, Last), set_off(R, I), D = fn:plus(Last, 1).
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
Decl has_stamp(X) bound [/string].
has_stamp(X) :- stamp(X, _).
Decl story_step(Effect, Root, Number, Step) bound [/string, /string, /number, /any].
Decl story_chain(Effect, Root, Number, List) bound [/string, /string, /number, .List</any>].
story_step(X, R, Number, Step) :-
  chain_node(X, R, Number, N),
  label_of(N, Text),
  node_stamp(N, Stamp),
  Step = fn:map("step", Number, "id", N, "event", Text, "timestamp", Stamp).
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
any_change(X, Where, What) :- change_at(X, Where, What).
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

# ---- diagnose_page -----------------------------------------------------------------------------------------------

Decl told_finding(Rank, Finding) bound [/number, /any].
told_finding(Rank, Finding) :-
  finding(Rank, R, X),
  fault_kind(R, Kind),
  label_of(X, EffectText),
  fault_text(R, CauseText),
  sureness(X, R, P),
  Sure = fn:float:div(P, 100),
  whole_chain(X, R, Chain),
  whole_why(X, R, Why),
  changes(R, Change),
  check_of(R, Check),
  Effect = fn:map("id", X, "text", EffectText),
  Cause = fn:map("id", R, "text", CauseText),
  Finding = fn:map("rank", Rank, "kind", Kind, "effect", Effect, "cause", Cause, "confidence", Sure,
                   "chain", Chain, "why", Why, "change", Change, "check", Check).
Decl findings_to(Rank, List) bound [/number, .List</any>].
findings_to(1, List) :- told_finding(1, F), List = fn:list(F).
findings_to(Rank, List) :-
  findings_to(Before, L),
  Rank = fn:plus(Before, 1),
  told_finding(Rank, F),
  List = fn:list:append(L, F).
Decl last_finding(Rank) bound [/number].
last_finding(Rank) :- findings_to(N, _) |> do fn:group_by(), let Rank = fn:max(N).
Decl has_findings().
has_findings() :- last_finding(_).
result_member("findings", List) :- invoked("diagnose_page"), last_finding(N), findings_to(N, List).
result_member("findings", []) :- invoked("diagnose_page"), !has_findings().

Decl is_faulty().
is_faulty() :- finding(_, R, _), heaviest(R, W), 40 <= W.
Decl unexplained(X, Text)
  descr [doc("Seen by a reader, and nothing explains it.")]
  bound [/string, /string].
unexplained(X, Text) :- to_explain(X, W), 45 <= W, !has_cause(X), trouble_text(X, Text).
Decl has_cause(X) bound [/string].
has_cause(X) :- cause_of(X, _).
Decl is_suspicious().
is_suspicious() :- has_findings(), !is_faulty().
is_suspicious() :- unexplained(_, _), !is_faulty().
Decl verdict(Word) bound [/string].
verdict("faulty") :- gathered(), is_faulty().
verdict("suspicious") :- gathered(), is_suspicious().
verdict("healthy") :- gathered(), !is_faulty(), !is_suspicious().
result_member("verdict", Word) :- invoked("diagnose_page"), verdict(Word).
result_member("unexplained", List) :-
  invoked("diagnose_page"),
  unexplained(X, Text),
  Item = fn:map("id", X, "text", Text)
  |> do fn:group_by(), let List = fn:collect(Item).

# Those that could be taken for a cause come first, then what is first in time.
Decl spared(X, Why) bound [/string, /string].
spared(X, Why) :- cleared(X, W), odd(X), !cause_of(_, X), !kind_of(X, "preflight")
  |> do fn:group_by(X), let Why = fn:pick_any(W).
Decl is_tempting(X) bound [/string].
is_tempting(X) :- lost_cause(_, X, _).
is_tempting(X) :- is_data(X), !third_party(X).
Decl spared_order(X, Order) bound [/string, /number].
spared_order(X, Ms) :- spared(X, _), is_tempting(X), when(X, Ms).
spared_order(X, Order) :- spared(X, _), !is_tempting(X), when(X, Ms), Order = fn:mult(Ms, 2).
Decl is_spared_before(A, B) bound [/string, /string].
is_spared_before(A, B) :- spared_order(A, N), spared_order(B, M), N < M.
is_spared_before(A, B) :- spared_order(A, N), spared_order(B, N), :string:lt(A, B).
Decl spared_rank(X, Rank) bound [/string, /number].
spared_rank(X, Rank) :- is_spared_before(B, X) |> do fn:group_by(X), let Rank = fn:count().
Decl is_told_spared(X) bound [/string].
is_told_spared(X) :- spared_order(X, _), !has_spared_before(X).
is_told_spared(X) :- spared_rank(X, N), N < 5.
Decl has_spared_before(X) bound [/string].
has_spared_before(X) :- is_spared_before(_, X).
result_member("not_blamed", List) :-
  invoked("diagnose_page"),
  is_told_spared(X),
  spared(X, Why),
  fault_text(X, Text),
  Item = fn:map("id", X, "text", Text, "why", Why)
  |> do fn:group_by(), let List = fn:collect(Item).
result_member("lost", Map) :- invoked("diagnose_page"), lost(What, Count)
  |> do fn:group_by(), let Map = fn:collect_to_map(What, Count).
