# From causes to an answer: findings in order of weight, each with its chain, why one thing led to the next, what to
# change and how to check it. Short, for every word is paid for by a model.

# ---- what is asked ------------------------------------------------------------------------------------------

Decl gathered() descr [doc("The tool that ran looked at the whole page.")].
gathered() :- invoked("diagnose_page"), step_status("gather", "success").
gathered() :- invoked("verify_fix"), step_status("gather", "success").
gathered() :- invoked("explain_change"), step_status("gather", "success").

# One error is asked about; its id, its instant or its text, the plugin knows which is meant.
Decl asks_about_error() descr [doc("The tool that ran explains one error.")].
asks_about_error() :- invoked("diagnose_causal_chain").
asks_about_error() :- invoked("propose_fix").
Decl asked_error(E) bound [/string].
asked_error(E) :-
  asks_about_error(),
  step_output("trace", Out),
  :match_entry(Out, "error", Error),
  :match_entry(Error, "error_id", E),
  error_source(E, _).

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
says_little("empty_data", 8).
says_little("missing_member", 8).
says_little("double_submit", 8).
says_little("layout_shift", 1).
says_little("error_in_body", 10).
says_little("wrong_content_type", 10).
says_little("wrong_body_type", 10).
says_little("redirect_to_sign_in", 10).
says_little("cookie_refused", 10).
says_little("mixed_up_id", 10).
says_little("missing_route", 8).
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

# With what an answer that is an error says itself. These are words of the page's server, so they are quoted.
Decl quoted(X, Said, Text)
  descr [doc("Said of X, and what it says."), mode('+', '+', '-'), deferred()]
  bound [/string, /string, /string].
quoted(R, Said, Text) :- own_words(R, Words), Text = fn:string:concat(Said, ": \"", Words, "\"").
quoted(X, Said, Said) :- !has_own_words(X).
Decl has_own_words(X) bound [/string].
has_own_words(X) :- own_words(X, _).

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
label_of(E, Text) :- error_text(E, _), any_text(E, Text).
label_of(X, Text) :- fault_text(X, Text), !error_text(X, _).
label_of(X, Text) :- !has_fault_text(X), !error_text(X, _), any_text(X, Text).
label_of(X, X) :- is_thing(X), !has_fault_text(X), !has_any_text(X).

Decl stamp(X, Text) bound [/string, /string].
stamp(X, Text) :-
  when(X, Ms),
  0 < Ms,
  Text = fn:time:format(fn:time:from_unix_nanos(fn:mult(Ms, 1000000)), /millisecond).

# ---- diagnose_page -----------------------------------------------------------------------------------------------

# No bound: of numbers and floats bounds take but one here.
Decl as_share(Percent, Share) descr [mode('+', '-'), deferred()].
as_share(P, Share) :- Share = fn:float:div(P, 100.0).
Decl told_finding(Rank, Finding) bound [/number, /any].
told_finding(Rank, Finding) :-
  finding(Rank, R, X),
  fault_kind(R, Kind),
  label_of(X, EffectSaid),
  quoted(X, EffectSaid, EffectText),
  fault_text(R, CauseSaid),
  quoted(R, CauseSaid, CauseText),
  sureness(X, R, P),
  as_share(P, Sure),
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
result_member("findings", []) :- invoked("diagnose_page"), gathered(), !has_findings().

Decl is_faulty().
is_faulty() :- has_findings().
Decl unexplained(X, Text)
  descr [doc("Seen by a reader, and nothing explains it.")]
  bound [/string, /string].
unexplained(X, Text) :- to_explain(X, W), 45 <= W, !has_cause(X), trouble_text(X, Text).
Decl has_cause(X) bound [/string].
has_cause(X) :- cause_of(X, _).
Decl is_suspicious().
is_suspicious() :- unexplained(_, _), !is_faulty().
is_suspicious() :- unready(_), !is_faulty().

# Nobody can say that a page is well that was not there yet. What other sites are asked for holds up many a page, and what
# waits for news waits on purpose.
Decl waits_for_own(R) bound [/string].
waits_for_own(R) :-
  waits(R, _),
  !third_party(R),
  !earlier_document(R),
  !is_socket(R),
  !is_for_news(R).
Decl own_waits().
own_waits() :- waits_for_own(_).
Decl others_wait().
others_wait() :- waits(R, _), third_party(R).
Decl held_up_by_others().
held_up_by_others() :- others_wait(), !own_waits().
Decl is_for_news(R) bound [/string].
is_for_news(R) :- is_long_poll(R).
is_for_news(R) :- request_query(R, Name, _), is_news_word(Name).
is_for_news(R) :- request_path(R, _, Path), is_news_word(Word), :string:contains(Path, Word).
Decl is_news_word(Word) bound [/string].
is_news_word("since").
is_news_word("cursor").
is_news_word("timeout").
is_news_word("events").
is_news_word("stream").
is_news_word("subscribe").
is_news_word("updates").
is_news_word("longpoll").
is_news_word("hub").
Decl unready(Note)
  descr [doc("Why the page was not there to be judged when it was looked at.")]
  bound [/string].
unready("the page was still loading when it was looked at: look again") :-
  gathered(),
  page(_, _, "loading"),
  !held_up_by_others().
unready(Note) :-
  gathered(),
  waits_for_own(R),
  is_data(R),
  waits(R, Ms),
  2000 <= Ms,
  request_label(R, Label),
  Note = fn:string:concat(Label, " was still under way when the page was looked at: look again").
result_member("note", Text) :- invoked("diagnose_page"), unready(T), is_suspicious()
  |> do fn:group_by(), let Text = fn:pick_any(T).
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
spared(X, Why) :- cleared(X, W), suspect(X, _, _), !cause_of(_, X), !kind_of(X, "preflight")
  |> do fn:group_by(X), let Why = fn:pick_any(W).
spared(R, "nothing on the page came of it") :- set_aside(R).
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
is_told_spared(X) :- spared_order(X, _), !has_spared_before(X), !is_idle_talk(X).
is_told_spared(X) :- spared_rank(X, N), N < 3, !is_idle_talk(X).
# Where the fault is known, nobody is tempted to blame what others' sites do.
Decl is_idle_talk(X) bound [/string].
is_idle_talk(X) :- spared(X, _), !is_tempting(X), has_findings().
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

# Nobody has said what to look at: then it is a recording that comes with the domain, and no page of theirs.
Decl is_example().
is_example() :-
  setting("page", ""),
  setting("attach", ""),
  setting("capture", Capture),
  :string:ends_with(Capture, "captures/users-404").
result_member("looked_at",
              "an example, the recording users-404: neither page nor capture is set (--set page=ADDRESS)") :-
  invoked("diagnose_page"),
  is_example().
