tool_relevant_to_intent("review", "release", 60).
tool_relevant_to_intent("deploy", "release", 80) :- approved(_).
tool_relevant_to_intent("ship", "release", 80) :- cleared(_).
tool_relevant_to_intent("call", "release", 80) :- callable(_).
