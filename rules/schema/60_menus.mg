# While a step runs that is a menu: what the server tells the rules each time something is to be picked,
# and what they answer. Evaluated on their own, without the intent and the client's facts, beside
# invoke_arg, step_status and step_output of what has run before (50_effects.mg).

Decl choosing(Tool, Step)
  descr [doc("Something is to be picked from the menu of Step now. Its actions are those of tool_step.")]
  bound [/string, /string].
Decl menu_turn(Turn)
  descr [doc("The how manyth time this is, from 1.")]
  bound [/number].
Decl menu_input(Name, Value)
  descr [doc("What a picked action is given, unless the pick changes it.")]
  bound [/string, /any].
Decl menu_slot(Slot)
  descr [doc("A slot of the working state that is used, 0 to 7.")]
  bound [/number].
Decl menu_called(Call, Action, Status)
  descr [doc("The how manyth call of this menu, from 1: its action (AID), and \"OK\", \"TOOL_ERROR\", \"INVALID_PICK\" or \"BREAKER_TRIP\".")]
  bound [/number, /string, /string].
Decl menu_output(Call, Value)
  descr [doc("What that call returned, a map with string keys.")]
  bound [/number, .Map</string, /any>].

Decl menu_pick(Tool, Step, Action, Priority)
  descr [doc("Run this action next. The highest Priority counts; two actions with the same are an invalid pick. None: nothing more is to be done."),
         open_to("policy", "domain")]
  bound [/string, /string, /string, /number].
Decl menu_set(Tool, Step, Action, Name, Value)
  descr [doc("If Action is picked, set this input first, for it and for what follows."),
         open_to("policy", "domain")]
  bound [/string, /string, /string, /string, /any].
Decl menu_ask(Tool, Step, Action, Question)
  descr [doc("Before Action runs, whoever picked it, a person has to agree."),
         open_to("policy", "domain")]
  bound [/string, /string, /string, /string].
