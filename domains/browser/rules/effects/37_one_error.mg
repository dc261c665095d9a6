# The same for one error: diagnose_causal_chain and propose_fix. Where nothing connects, that is said, and no cause is guessed.

Decl told_root(E, Root)
  descr [doc("The error was asked about, and something else is behind it.")]
  bound [/string, /string].
told_root(E, R) :- asked_error(E), cause_of(E, R), R != E.
told_root(E, R) :- asked_cause(E, R), !cause_of(E, R).
told_root(E, E) :- asked_error(E), cause_of(E, E), !fault_kind(E, "script_error").
Decl has_told_root().
has_told_root() :- told_root(_, _).

# ---- diagnose_causal_chain ----------------------------------------------------------------------------------

result_member("causal_chain", List) :-
  invoked("diagnose_causal_chain"),
  told_root(E, R),
  whole_chain(E, R, List).

Decl root_sentence(E, R, Text) bound [/string, /string, /string].
root_sentence(E, R, Text) :-
  told_root(E, R),
  fault_text(R, Said),
  first_why(E, R, Why),
  Text = fn:string:concat(Said, ": ", Why).
root_sentence(E, E, Text) :- told_root(E, E), fault_text(E, Text).
Decl first_why(E, R, Why)
  descr [doc("How the first effect of the root came about.")]
  bound [/string, /string, /string].
first_why(E, R, Why) :- told_root(E, R), why_of_root(E, R, Number, Why).
Decl why_of_root(E, R, Number, Why) bound [/string, /string, /number, /string].
why_of_root(E, R, Number, Why) :- chain_node(E, R, Number, R), why_step(E, R, Number, Why).

result_member("root_cause", Text) :- invoked("diagnose_causal_chain"), root_sentence(_, _, Text).
result_member("cause", Kind) :-
  invoked("diagnose_causal_chain"),
  told_root(_, R),
  fault_kind(R, Kind).
Decl sure_of(E, Root, Percent) bound [/string, /string, /number].
sure_of(E, R, P) :- told_root(E, R), best_score(E, S), !is_contested(E), at_most_95(S, P).
sure_of(E, R, 95) :- asked_cause(E, R).
sure_of(E, R, P) :-
  told_root(E, R),
  best_score(E, S),
  is_contested(E),
  at_most_95(S, Most),
  P = fn:minus(Most, 15).
result_member("confidence", Sure) :-
  invoked("diagnose_causal_chain"),
  sure_of(_, _, P),
  as_share(P, Sure).
result_member("why", List) :-
  invoked("diagnose_causal_chain"),
  told_root(E, R),
  whole_why(E, R, List).
result_member("change", List) :-
  invoked("diagnose_causal_chain"),
  told_root(_, R),
  changes(R, List).
result_member("check", How) :- invoked("diagnose_causal_chain"), told_root(_, R), check_of(R, How).

Decl candidate_number(Count) bound [/number].
candidate_number(Count) :- asked_error(E), possible_cause(E, R, S), R != E
  |> do fn:group_by(), let Count = fn:count().
result_member("candidates", Count) :- invoked("diagnose_causal_chain"), candidate_number(Count).
result_member("lost", List) :-
  invoked("diagnose_causal_chain"),
  asked_error(E),
  lost_cause(E, R, Why),
  R != E,
  label_of(R, Text),
  Item = fn:map("id", R, "text", Text, "why", Why)
  |> do fn:group_by(), let List = fn:collect(Item).
Decl asked_place(Text) bound [/string].
asked_place(Text) :-
  asked_error(E),
  place_of(E, Where),
  Text = fn:string:concat("nothing that was seen before this error is connected with it; the code that failed is ",
                          Where).
Decl has_asked_place().
has_asked_place() :- asked_place(_).
result_member("note", Text) :-
  invoked("diagnose_causal_chain"),
  !has_told_root(),
  asked_place(Text).
result_member("note", "nothing that was seen before this error is connected with it") :-
  invoked("diagnose_causal_chain"),
  !has_told_root(),
  !has_asked_place().

# ---- propose_fix ----------------------------------------------------------------------------------------------

Decl change_sentence(Root, Text) bound [/string, /string].
change_sentence(R, Text) :-
  told_root(_, R),
  any_change(R, Where, What),
  Text = fn:string:concat(Where, ": ", What).
# At the root itself rather than where its answer is read.
Decl is_said_of_root(Text) bound [/string].
is_said_of_root(Text) :-
  told_root(_, R),
  request_label(R, Label),
  change_sentence(R, Text),
  :string:starts_with(Text, Label).
Decl says_of_root().
says_of_root() :- is_said_of_root(_).
result_member("proposal", Text) :- invoked("propose_fix"), is_said_of_root(T)
  |> do fn:group_by(), let Text = fn:pick_any(T).
result_member("proposal", Text) :- invoked("propose_fix"), !says_of_root(), change_sentence(_, T)
  |> do fn:group_by(), let Text = fn:pick_any(T).
result_member("because", Text) :- invoked("propose_fix"), root_sentence(_, _, Text).
result_member("where", List) :- invoked("propose_fix"), told_root(_, R), changes(R, List).
result_member("check", How) :- invoked("propose_fix"), told_root(_, R), check_of(R, How).
