# What was worked on is at hand from then on: an argument that names a kind of thing.
delta_assert("has", [Kind, Value], "session") :-
  invoked(T),
  argument(T, Name, _, _, Kind),
  Kind != "",
  invoke_arg(Name, Value).
