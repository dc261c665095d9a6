# Skill injection rule
needs_skill(Intent, "react-best-practices") :-
    selected_tool(_, Tool),
    tool_touches_frontend(Tool),
    project_uses_react.

needs_skill(Intent, "api-contract-validation") :-
    selected_tool(_, Tool),
    tool_modifies_endpoint(Tool).
