# What travels with fx.skill: everything, if the client says that it is needed.

tool_relevant_to_intent("fx_skill", "fx.skill", 90).
tool_relevant_to_intent("fx_skill_helper", "fx.skill", 75).
needs_skill("fx_skill", "fx-skill") :- fx_needs_skill(_).
needs_file("fx_skill", "s3://fx-bucket/first.json", "Read this first.", 90) :- fx_needs_skill(_).
needs_file("fx_skill", "notes/second.md", "Read this if the first is not enough.", 40) :-
  fx_needs_skill(_).
instruction("fx_skill", Text) :-
  fx_needs_skill(Why),
  Text = fn:string:concat("The skill is needed because of ", Why, ".").
