# When is a tool of use? This is the decision; nobody else makes it. Scores go to 100; from 70 on a tool
# is shown in full, from 40 on in one line, from 20 on by its name.
tool_relevant_to_intent("greet", "welcome", 90) :- waiting(_).

# Who has come within ten minutes, and has not been greeted.
waiting(Name) :- <-[10m] visitor(Name), !greeted(Name).

# Only who is waiting can be greeted: the schema that a client sees is narrowed to these names.
param_value("greet", "name", Name) :- waiting(Name).

# What travels with the tool when it is shown.
needs_skill("greet", "manners") :- selected_tool(_, "greet").
