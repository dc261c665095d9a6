# Phases 1 and 3: what speaks for a tool. Nothing here looks at what speaks against it.
# candidate(Tool, Class, Score): class 1 is mandatory, 2 constrained, 3 anything else.

asked(Type) :- intent_type(_, Type), intent_permitted(Type).

candidate(Tool, 1, 100) :- asked(Type), mandatory_for_intent(Type, Tool), tool(Tool).

unmet_constraint(Tool) :- tool_constraint(Tool, Key, Value), !satisfied_constraint(Key, Value).
candidate(Tool, 2, 90) :-
  asked(Type),
  serves_intent(Tool, Type),
  tool(Tool),
  tool_constraint(Tool, _, _),
  !unmet_constraint(Tool),
  !blocked_by_context(Tool).

# Scores of the domain are kept within 0 to 100.
candidate(Tool, 3, Score) :-
  asked(Type),
  tool_relevant_to_intent(Tool, Type, Score),
  tool(Tool),
  0 <= Score,
  Score <= 100.
candidate(Tool, 3, 100) :-
  asked(Type),
  tool_relevant_to_intent(Tool, Type, Score),
  tool(Tool),
  100 < Score.
candidate(Tool, 3, 0) :-
  asked(Type),
  tool_relevant_to_intent(Tool, Type, Score),
  tool(Tool),
  Score < 0.
candidate(Tool, 3, Score) :-
  asked(Type),
  intent_type(Intent, Type),
  vector_similarity(Tool, Intent, Score),
  tool(Tool),
  30 < Score,
  Score <= 100.

# A rule that names a tool and a level selects it. A tool that says which intents it serves is shown
# for no other one. Only what is named is looked at: there may be thousands of other tools.
level_worth("full", 85).
level_worth("condensed", 55).
level_worth("minimal", 30).
has_own_intents(Tool) :- serves_intent(Tool, _).
fits(Tool) :- macro_tool(Tool, _), asked(Type), serves_intent(Tool, Type).
fits(Tool) :- macro_tool(Tool, _), asked(_), !has_own_intents(Tool).
candidate(Tool, 3, Score) :-
  macro_tool(Tool, Level),
  level_worth(Level, Score),
  tool(Tool),
  fits(Tool).
