# What follows from a chain for safety: mangle test rules
#: load 20_composition.mg
Decl tool(Tool).
Decl tool_step(Tool, Step, Action).
Decl optional_step(Tool, Step).
Decl omits_step(Tool, Step).
Decl includes_step(Tool, Step).
Decl step_reads(Tool, Step, Earlier).
Decl action_side_effect(Action, Effect).
Decl action_tier(Action, Tier).
Decl action_reversible(Action).
Decl action_idempotent(Action).
Decl trusted_action(Action).
Decl requires_confirmation(Tool).
Decl waived_effect(Effect).
tool("look").
tool_step("look", "a", "READ").
tool("copy").
tool_step("copy", "a", "READ").
tool_step("copy", "b", "WRITE").
action_side_effect("READ", "filesystem").
action_side_effect("READ", "x-filesystem-read").
action_side_effect("WRITE", "filesystem").
action_tier("READ", 0).
action_tier("WRITE", 1).
action_reversible("READ").

#: test a chain that only reads is marked, one that writes is not
#: expect
macro_has_side_effect("look", "filesystem").
macro_has_side_effect("look", "x-filesystem-read").
macro_has_side_effect("copy", "filesystem").

#: test reading asks nobody, writing for good does
#: expect
confirm("copy").

#: test a waiver of reading covers what only reads
requires_confirmation("look").
requires_confirmation("copy").
waived_effect("x-filesystem-read").
#: expect
confirm("copy").

#: test a waiver of writing covers reading
requires_confirmation("look").
requires_confirmation("copy").
waived_effect("filesystem").
#: expect none confirm/1

#: test without a waiver both ask
requires_confirmation("look").
#: expect
confirm("look").
confirm("copy").
