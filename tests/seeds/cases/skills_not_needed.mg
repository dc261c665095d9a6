# Macro-tools, section 4.3: a skill comes only when its rule holds. P-SKILL-4
Decl selected_tool(Intent, Tool). Decl tool_touches_frontend(Tool). Decl project_uses_react.
Decl tool_modifies_endpoint(Tool).
selected_tool("i1", "restyle_page").
tool_touches_frontend("restyle_page").
{{tools-4.3.mg Intent="i1"}}
