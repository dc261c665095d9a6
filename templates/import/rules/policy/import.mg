# What must not be offered, and what needs consent. Rules here may remove a tool; nothing that ranks
# (rules/domain/import.mg) can bring it back.

prohibited(T, Why) :- forbid(T, Why).

# ---- a session that only reads ----
# What a tool makes and has no place for (a path, a page, ...) goes into its answer; a search that is started only looks. What a
# server says of itself (readOnlyHint) takes nothing back.
placed(T) :- argument(T, _, _, _, Kind), Kind != "".
makes("generate").
makes("render").
makes("draw").
makes("plot").
answers(T) :-
  effect(T, "add"),
  imported(T, _, Name),
  makes(Word),
  :string:contains(Name, Word),
  !placed(T).
answers(T) :- verb(T, "start"), object(T, "search").
answers(T) :- verb(T, "stop"), object(T, "search").
changes(T) :- effect(T, "add"), !answers(T).
changes(T) :- effect(T, "change"), !answers(T).
changes(T) :- effect(T, "delete").
changes(T) :- effect(T, "execute").
forbid(T, "this session only reads") :- read_only(), changes(T).

# ---- what a policy at hand rules out ----
limits_effect("no_delete", "delete").
limits_effect("no_shell", "execute").
limits_effect("no_write", "add").
limits_effect("no_write", "change").
limits_effect("no_write", "delete").
limits_effect("no_network", "network").
forbid(T, "a policy rules out what it does") :-
  has("policy", Policy),
  limits_effect(Policy, E),
  effect(T, E).

# ---- what it cannot do without ----
there(Kind) :- has(Kind, _).
there(Kind) :- state(Kind, _, _).
is(Kind, Value) :- has(Kind, Value).
is(Kind, Value) :- state(Kind, Value, _).

demanding(T) :- tool_needs(T, _).
demanding(T) :- tool_needs_value(T, _, _).
served(T) :- tool_needs(T, Kind), there(Kind).
served(T) :- tool_needs_value(T, Kind, Value), is(Kind, Value).
forbid(T, "what it works on is not at hand") :- demanding(T), !served(T).

demanding_server(S) :- server_needs(S, _).
demanding_server(S) :- server_needs_value(S, _, _).
served_server(S) :- server_needs(S, Kind), there(Kind).
served_server(S) :- server_needs_value(S, Kind, Value), is(Kind, Value).
forbid(T, "what its server works on is not at hand") :-
  imported(T, S, _),
  demanding_server(S),
  !served_server(S),
  !demanding(T).  # what is said of a tool stands in place of what is said of its server

forbid(T, "it is out in this state") :- tool_refuses(T, Kind, Value), is(Kind, Value).
forbid(T, "its server is out in this state") :-
  imported(T, S, _),
  server_refuses(S, Kind, Value),
  is(Kind, Value).

# ---- harm: as the author says; until then as the importer guesses ----
judged(T) :- harm(T, _).
harm_class(T, Class) :- harm(T, Class).
harm_class(T, Class) :- harm_guess(T, Class), !judged(T).
requires_confirmation(T) :- harm_class(T, "destructive").

# What does no harm, or can be mended, asks nobody. (What an action says of itself still counts where it is destructive.)
trusted_action(Action) :- tool_step(T, _, Action), harm_class(T, "none").
trusted_action(Action) :- tool_step(T, _, Action), harm_class(T, "write").

# What destroys, stops or reaches others at once is not offered to who did not ask for it: by a verb, or by opening its server.
# By verbs, and by harm that is confirmed: a guess of harm asks for consent, and takes nothing away.
asked_for(T) :- verb(T, V), named_verb(V).
asked_for(T) :- verb(T, V), said_verb(V).
asked_for(T) :- imported(T, S, _), opened(S).
grave("delete").
grave("reset").
grave("stop").
grave("push").
grave("merge").
weighty(T) :- harm(T, "destructive").
weighty(T) :- verb(T, V), grave(V), changes(T).
forbid(T, "nobody asked for what it does, and that is weighty") :- weighty(T), !asked_for(T).
