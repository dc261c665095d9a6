# What the server tells the rules about the domain: read from domain.yaml, tools/, skills/ and the
# plugins when the domain is loaded, the same for every request.

Decl tool(Tool)
  descr [doc("A template in tools/; Tool is its name, a string.")]
  bound [/string].
Decl tool_rank(Tool, Rank)
  descr [doc("Place of the name in byte order, from 0: the last resort when two tools tie.")]
  bound [/string, /number].
Decl line_tokens(Tool, Tokens)
  descr [doc("A model reads about so many tokens where Tool is one line that says how it is called.")]
  bound [/string, /number].
Decl tool_tag(Tool, Tag)
  descr [doc("A tag of the template.")]
  bound [/string, /string].
Decl tool_step(Tool, Step, Action)
  descr [doc("The template has this step, which runs this action (AID); of a menu, one of those that it may run.")]
  bound [/string, /string, /string].
Decl menu_step(Tool, Step)
  descr [doc("The step is a menu: which of its actions run is picked while it runs.")]
  bound [/string, /string].
Decl optional_step(Tool, Step)
  descr [doc("The step says optional: true, so it is in the chain only if includes_step says so.")]
  bound [/string, /string].
Decl step_reads(Tool, Step, Earlier)
  descr [doc("Step cannot do without an output of Earlier. Step is \"\" for the tool's result.")]
  bound [/string, /string, /string].
Decl step_undo(Tool, Step, Action)
  descr [doc("This action (AID) undoes what Step did, if the chain is undone.")]
  bound [/string, /string, /string].

Decl action_side_effect(Action, Effect)
  descr [doc("A side-effect category of the action, \"none\" if it has none.")]
  bound [/string, /string].
Decl action_tier(Action, Tier)
  descr [doc("0 reads only, 1 changes things, 2 reaches out, 3 is dangerous.")]
  bound [/string, /number].
Decl action_tag(Action, Tag)
  descr [doc("A tag of the action, as its plugin lists it.")]
  bound [/string, /string].
Decl action_reversible(Action)
  descr [doc("What the action does can be undone.")]
  bound [/string].
Decl action_idempotent(Action)
  descr [doc("Doing it again changes nothing more.")]
  bound [/string].

Decl skill(Skill)
  descr [doc("A folder in skills/; Skill is its id, a string.")]
  bound [/string].
Decl setting(Key, Value)
  descr [doc("A value of settings: a string, a number, or /true and /false.")]
  bound [/string, /any].
Decl listed_intent(Name)
  descr [doc("The manifest lists this intent.")]
  bound [/string].
Decl open_intent(Name)
  descr [doc("The intent says open: true: anonymous callers may use it in open demo mode.")]
  bound [/string].
