# What travels with the tools. selected_tool holds for every tool that may be shown: the ones chosen
# above and the ones still undecided; the server sends what belongs to those it shows in full.

selected_tool(Intent, Tool) :- intent_type(Intent, _), final_selected(Tool, _, _).
selected_tool(Intent, Tool) :- intent_type(Intent, _), undecided(Root), bundle(Root, Tool).

tool_skill(Tool, Skill) :- needs_skill(Tool, Skill), tool(Tool), skill(Skill).
tool_skill(Tool, Skill) :- needs_skill(Intent, Skill), selected_tool(Intent, Tool), skill(Skill).
