# The other tool is always of some use: in one line, below what matters more.
tool_relevant_to_intent("clock", "welcome", 50).
