tool_relevant_to_intent(T, I, S) :- x_relevant(T, I, S).
mandatory_for_intent(I, T) :- x_mandatory(T, I).
serves_intent(T, I) :- x_serves(T, I).
tool_constraint(T, K, "yes") :- x_constraint(T, K).
satisfied_constraint(K, "yes") :- x_met(K).
tool_requires(T, O) :- x_requires(T, O).
conflicts_with(T, O) :- x_conflict(T, O).
prohibited(T, "told so") :- x_prohibited(T).
macro_tool(T, L) :- x_macro(T, L).
