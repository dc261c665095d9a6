# Which tools are shown, and how much of each. Three tiers in one answer:
#
#   overview   the servers that have something to offer, a line each; of more than twenty those of the tools below,
#              and the others by name
#   full       what rules prove: prove(T)
#   condensed  what is allowed and alike, the best first, as lines that can be called, while `line_budget` lasts;
#              with open_server(S): all that is allowed of S, while `open_budget` lasts, and the rest by name;
#              all that is allowed, where `line_budget` has room for it
#
# What is alike is a matter of points: each ranking gives a tool points by its place (reciprocal rank fusion), and the sum
# decides. Rankings order what is allowed; they forbid nothing.

allowed(T) :- imported(T, _, _), !prohibited(T, _).
usable(S, Line) :- server(S, Line), imported(T, S, _), allowed(T).
server_count(N) :- server(S, _) |> do fn:group_by(), let N = fn:count().
many_servers() :- server_count(N), 20 < N.
shown_server(S) :- affordable(T, _), imported(T, S, _).
shown_server(S) :- proved(T), imported(T, S, _).
overview(S, Line) :- usable(S, Line), !many_servers().
overview(S, Line) :- usable(S, Line), shown_server(S).
overview(S, "") :- usable(S, _), many_servers(), !shown_server(S).
overview("", "servers; open_server NAME, a fact or a parameter, shows all tools of one").

# ---- what is said ----
# As facts, or as parameters of the intent, which are of one request.
said(Text) :- request(Text).
said(Text) :- intent_param(/intent, "request", Text).
wanted(V) :- wants(V).
wanted(V) :- intent_param(/intent, "wants", V).
named(Name) :- intent_type(_, Name).
named(Text) :- intent_param(/intent, "goal", Text).
named(V) :- wanted(V).
piece(Text) :- said(Text).
piece(Name) :- named(Name).
piece([Kind, Value]) :- has(Kind, Value).
piece([Subject, Key, Value]) :- state(Subject, Key, Value).
everything(All) :- piece(X) |> do fn:group_by(), let All = fn:collect(X).

# ---- points: weight / (60 + place) ----
place_points(T, /said, Points) :-
  said(Text),
  tool_match(Text, T, Rank),
  Place = fn:plus(60, Rank),
  Points = fn:div(1000000, Place).
place_points(T, /named, Points) :-
  named(Name),
  tool_match(Name, T, Rank),
  Place = fn:plus(60, Rank),
  Points = fn:div(1000000, Place).
place_points(T, /everything, Points) :-
  everything(All),
  tool_match(All, T, Rank),
  Place = fn:plus(60, Rank),
  Points = fn:div(1000000, Place).
alike(T) :- place_points(T, /everything, _).  # a hundred at most: each is compared with each

# Verbs that are named, or said; the first three that a text may mean.
named_verb(V) :- wanted(V), verb_words(V, _).
named_verb(V) :- named(Name), verb_match(Name, V, Rank), Rank <= 3.
said_verb(V) :- said(Text), verb_match(Text, V, Rank), Rank <= 3.
place_points(T, /named_verb, 12000) :- named_verb(V), verb(T, V).
place_points(T, /said_verb, 6000) :- said_verb(V), verb(T, V).

# A kind of thing that is at hand, and that the tool works on.
works_on(T, Kind) :- object(T, Kind).
works_on(T, Kind) :- tag(T, Kind).
works_on(T, Kind) :- argument(T, _, _, _, Kind), Kind != "".
place_points(T, /kind, 4000) :- there(Kind), works_on(T, Kind).

# A server that something names.
place_points(T, /server, 8000) :- everything(All), server_match(All, S, _), imported(T, S, _).

# ---- what is compared: all that is alike, or all of the servers that are opened ----
opened(S) :- open_server(S), server(S, _).
opened(S) :- intent_param(/intent, "open_server", S), server(S, _).
opened(S) :- intent_param(/intent, "open_server", Several), :list:member(S, Several), server(S, _).
any_opened() :- opened(_).
place_points(T, /opened, 0) :- opened(S), imported(T, S, _).
compared(T) :- alike(T), allowed(T), !proved(T), !any_opened().
compared(T) :- opened(S), imported(T, S, _), alike(T), allowed(T), !proved(T).
compared(T) :- opened(S), imported(T, S, _), few_opened(), allowed(T), !proved(T).
compared(T) :- small(), allowed(T), !proved(T), !any_opened().
place_points(T, /small, 0) :- small(), imported(T, _, _).
all_lines(Sum) :- allowed(T), line_tokens(T, Tokens) |> do fn:group_by(), let Sum = fn:sum(Tokens).
something_said() :- said(_).
something_said() :- intent_param(/intent, "goal", _).
small() :- something_said(), all_lines(Sum), setting("line_budget", Budget), Sum <= Budget.
opened_count(N) :- opened(S), imported(T, S, _) |> do fn:group_by(), let N = fn:count().
few_opened() :- opened_count(N), N <= 100.

# ---- the order, and what it costs ----
total(T, Sum) :- place_points(T, Source, Points) |> do fn:group_by(T), let Sum = fn:sum(Points).
worth(T, Points) :-
  total(T, Sum),
  compared(T),
  tool_rank(T, N),
  Many = fn:mult(Sum, 1000),
  Points = fn:minus(Many, N).  # no two are equal
ahead(T, Other, Tokens) :-
  worth(T, Points),
  worth(Other, More),
  Points <= More,
  line_tokens(Other, Tokens).
place(T, Count) :- ahead(T, Other, _) |> do fn:group_by(T), let Count = fn:count().
spent(T, Sum) :- ahead(T, Other, Tokens) |> do fn:group_by(T), let Sum = fn:sum(Tokens).

# ---- the tiers: 70 and more in full, 40 and more as lines, 20 and more by name ----
proved(T) :- prove(T), imported(T, _, _), !prohibited(T, _).
tool_relevant_to_intent(T, Intent, 95) :- intent_type(_, Intent), proved(T).

budget(Budget) :- setting("line_budget", Budget), 0 <= Budget, !any_opened().
budget(Budget) :- setting("open_budget", Budget), 0 <= Budget, any_opened().
affordable(T, Place) :- place(T, Place), spent(T, Tokens), budget(Budget), Tokens <= Budget.
tool_relevant_to_intent(T, Intent, Score) :-
  intent_type(_, Intent),
  affordable(T, Place),
  Place < 30,
  Score = fn:minus(70, Place).
tool_relevant_to_intent(T, Intent, 40) :-
  intent_type(_, Intent),
  affordable(T, Place),
  to_the_end(),
  30 <= Place.
to_the_end() :- any_opened().
to_the_end() :- small().
tool_relevant_to_intent(T, Intent, 25) :- intent_type(_, Intent), opened(S), imported(T, S, _).

# ---- what is proved without an author: a verb that the client names, of the one harmless tool whose own name has it; what it does
# that to is spoken of, or at hand where something else of it is spoken of ----
object_word(O, O) :- object(_, O).
spoken(O) :- said(Text), object_match(Text, O, _).
spoken(O) :- named(Text), object_match(Text, O, _).
evident(O) :- spoken(O).
evident(O) :- there(O), object_word(O, _).
wanting(T) :- object(T, O), !evident(O).
harmful(T) :- harm_class(T, "destructive").
fitting(T) :-
  wanted(V),
  verb(T, V),
  imported(T, _, Name),
  :string:contains(Name, V),
  object(T, O),
  spoken(O),
  !wanting(T),
  !harmful(T),
  allowed(T).
fitting_count(N) :- fitting(T) |> do fn:group_by(), let N = fn:count().
prove(T) :- fitting(T), fitting_count(1).
