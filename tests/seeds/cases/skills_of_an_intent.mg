# Macro-tools, section 4.3, with the intent filled in. M-SYN-41
Decl selected_tool(Intent, Tool). Decl tool_touches_frontend(Tool). Decl project_uses_react.
Decl tool_modifies_endpoint(Tool).
selected_tool("i1", "restyle_page").
selected_tool("i1", "add_route").
tool_touches_frontend("restyle_page").
tool_modifies_endpoint("add_route").
project_uses_react.
{{tools-4.3.mg Intent="i1"}}
