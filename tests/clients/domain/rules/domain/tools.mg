tool_relevant_to_intent("half_told", "half.told", 90).
