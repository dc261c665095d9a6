# What a domain tells the server about tools that may be shown: these rules may read selected_tool.

Decl needs_skill(Tool, Skill)
  descr [doc("Send Skill along with Tool. With /intent instead of a tool: with every tool shown in full."),
         open_to("policy", "domain")]
  bound [.Union</string, .Singleton</intent>>, /string].
Decl needs_file(Tool, Uri, Relevance, Priority)
  descr [doc("Point to Uri: why it matters, and how much (0 to 100)."), open_to("policy", "domain")]
  bound [/string, /string, /string, .Union</number, /float64>].
Decl instruction(Tool, Text)
  descr [doc("One or two sentences on how to use Tool in this situation."),
         open_to("policy", "domain")]
  bound [/string, /string].
Decl overview(Part, Line)
  descr [doc("A line about a part of what there is, whatever tools are chosen: shown to a model before them. With Part \"\" it is the heading."),
         open_to("policy", "domain")]
  bound [/string, /string].
Decl valid_for(Tool, Duration)
  descr [doc("Tool may be used this long from the evaluation time, at most."),
         open_to("policy", "domain")]
  bound [/string, /duration].
Decl valid_until(Tool, Time)
  descr [doc("Tool may be used until Time, at most."), open_to("policy", "domain")]
  bound [/string, /time].
