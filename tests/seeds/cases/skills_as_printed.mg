# Macro-tools, section 4.3, "conceptual pattern": the layout is fine (M-SYN-41), but nothing in the
# bodies says which intent is meant, so the rules are refused as unsafe. M-ANA-30
Decl selected_tool(Intent, Tool). Decl tool_touches_frontend(Tool). Decl project_uses_react.
Decl tool_modifies_endpoint(Tool).
{{tools-4.3.mg}}
