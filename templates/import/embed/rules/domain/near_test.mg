# A ranking by meaning beside the one by words: mangle test rules
#: load near.mg ../schema/near.mg ../../../rules/domain/import.mg ../../../rules/policy/import.mg ../../../rules/schema/import.mg
Decl prohibited(Tool, Reason).
Decl requires_confirmation(Tool).
Decl trusted_action(Action).
Decl tool_step(Tool, Step, Action).
Decl intent_type(Intent, Name).
Decl intent_param(Intent, Key, Value).
Decl setting(Key, Value).
Decl tool_rank(Tool, Rank).
Decl line_tokens(Tool, Tokens).
Decl overview(Part, Line).
Decl tool_relevant_to_intent(Tool, Intent, Score).
intent_type(/intent, "use").
setting("line_budget", 60).
server("desk", "A desk").
imported("look", "desk", "look").
imported("sweep", "desk", "sweep").
tool_rank("look", 1).
tool_rank("sweep", 2).
line_tokens("look", 50).
line_tokens("sweep", 50).

#: test what the model finds is alike, without a word in common
request("it is dusty").
has("broom", 1).
tool_near(["broom", "it is dusty"], "sweep", 1).
#: expect
tool_relevant_to_intent("sweep", "use", 69).

#: test a model and words vote together
request("look").
tool_match("look", "look", 1).
tool_match(["look", "use"], "look", 1).
tool_near(["look"], "sweep", 1).
#: expect
tool_relevant_to_intent("look", "use", 69).
place_points("look", /said, 16393).
place_points("look", /everything, 16393).
place_points("sweep", /near, 16393).

#: test where it does not answer words decide, and the answer says why
request("look").
tool_match(["look", "use"], "look", 1).
tool_near(["look"], "no model here", 0).
#: expect
tool_relevant_to_intent("look", "use", 69).
overview("", "servers; open_server NAME, a fact or a parameter, shows all tools of one").
overview("desk", "A desk").
overview("ranking", "by words alone: no model here").

#: test where nothing is said it is not asked
has("broom", 1).
#: expect none meaning/1
