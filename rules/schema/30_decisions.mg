# What a domain tells the server, before the choice is made: facts and rules of these predicates are
# what a domain consists of. open_to says which layers may define a predicate; layers are, from most
# to least trusted: pipeline, schema, policy, domain, effects. Facts in facts/ count as domain.
# Nothing here may depend on what was chosen (kept, final_selected): that would be a cycle.

# ---- which tools serve which intent ----
Decl mandatory_for_intent(Intent, Tool)
  descr [doc("Whoever asks for Intent needs Tool (class 1, score 100)."),
         open_to("policy", "domain")]
  bound [/string, /string].
Decl serves_intent(Tool, Intent)
  descr [doc("Tool can serve Intent, if all its constraints are met (class 2, score 90)."),
         open_to("policy", "domain")]
  bound [/string, /string].
Decl tool_constraint(Tool, Key, Value)
  descr [doc("Tool makes sense only where satisfied_constraint(Key, Value)."),
         open_to("policy", "domain")]
  bound [/string, /any, /any].
Decl satisfied_constraint(Key, Value)
  descr [doc("The constraint is met now."), open_to("policy", "domain")]
  bound [/any, /any].
Decl blocked_by_context(Tool)
  descr [doc("Tool does not fit the situation although its constraints are met."),
         open_to("policy", "domain")]
  bound [/string].
Decl tool_relevant_to_intent(Tool, Intent, Score)
  descr [doc("Tool helps with Intent this much: a whole number from 0 to 100 (class 3)."),
         open_to("policy", "domain")]
  bound [/string, /string, /number].
Decl vector_similarity(Tool, Intent, Score)
  descr [doc("Similarity of Tool to the request /intent, 0 to 100; above 30 it counts (class 3)."),
         open_to("policy", "domain")]
  bound [/string, .Singleton</intent>, /number].
Decl macro_tool(Tool, Level)
  descr [doc("Show Tool at this level or better: \"full\", \"condensed\" or \"minimal\". Selects it too."),
         open_to("policy", "domain")]
  bound [/string, /string].

# ---- what is out ----
Decl prohibited(Tool, Reason)
  descr [doc("Tool must not be offered, whatever speaks for it. Reason is never shown."),
         open_to("policy", "domain")]
  bound [/string, /any].
Decl requires_capability(Tool, Capability)
  descr [doc("Tool is out unless server_has_capability(Capability)."), open_to("policy", "domain")]
  bound [/string, /any].
Decl server_has_capability(Capability)
  descr [doc("The server can do this now."), open_to("policy", "domain")]
  bound [/any].
Decl tool_category(Tool, Category)
  descr [doc("Tool belongs to Category."), open_to("policy", "domain")]
  bound [/string, /any].
Decl client_excludes(Category)
  descr [doc("The request does not want tools of Category."), open_to("policy", "domain")]
  bound [/any].
Decl permitted_intent(Who, Intent)
  descr [doc("Who (an identity) may use Intent, beside what its permissions say. Must not read client facts."),
         open_to("policy")]
  bound [/string, /string].

# ---- how tools relate ----
Decl tool_requires(Tool, Other)
  descr [doc("Tool is of no use without Other: they come together or not at all."),
         open_to("policy", "domain")]
  bound [/string, /string].
Decl conflicts_with(Tool, Other)
  descr [doc("Only one of the two may be offered; the better one wins."),
         open_to("policy", "domain")]
  bound [/string, /string].
Decl incompatible(Tool, Other)
  descr [doc("The same as conflicts_with."), open_to("policy", "domain")]
  bound [/string, /string].

# ---- what the tool is made of now ----
Decl includes_step(Tool, Step)
  descr [doc("Put this optional step into the chain."), open_to("policy", "domain")]
  bound [/string, /string].
Decl omits_step(Tool, Step)
  descr [doc("Leave this step out of the chain; wins over includes_step."),
         open_to("policy", "domain")]
  bound [/string, /string].
Decl param_value(Tool, Param, Value)
  descr [doc("Param can only be one of these values now: the input schema is narrowed to them."),
         open_to("policy", "domain")]
  bound [/string, /string, /any].
Decl param_bound(Tool, Param, Value)
  descr [doc("Param is Value now: filled in, hidden from the input schema, and bound.Param for steps."),
         open_to("policy", "domain")]
  bound [/string, /string, /any].
Decl macro_has_side_effect(Tool, Effect)
  descr [doc("Tool has this effect. Those of the actions in its chain are added by the pipeline."),
         open_to("policy", "domain")]
  bound [/string, /string].
Decl requires_confirmation(Tool)
  descr [doc("Ask the user before Tool runs, beyond what the pipeline asks for by itself."),
         open_to("policy", "domain")]
  bound [/string].
Decl trusted_action(Action)
  descr [doc("This action alone is no reason to ask the user. No effect on dangerous actions."),
         open_to("policy")]
  bound [/string].
