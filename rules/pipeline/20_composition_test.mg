# What follows from a chain for safety: mangle test rules
#: load 20_composition.mg
Decl tool(Tool).
Decl tool_step(Tool, Step, Action).
Decl optional_step(Tool, Step).
Decl omits_step(Tool, Step).
Decl includes_step(Tool, Step).
Decl step_reads(Tool, Step, Earlier).
Decl step_undo(Tool, Step, Action).
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

#: test optional steps come in, any step goes out, and a chain that lacks what it reads is broken
tool_step("copy", "c", "READ").
optional_step("copy", "c").
tool_step("look", "d", "READ").
optional_step("look", "d").
includes_step("look", "d").
omits_step("copy", "a").
step_reads("copy", "b", "a").
step_reads("look", "", "a").
#: expect
chain_step("look", "a").
chain_step("look", "d").
chain_step("copy", "b").
broken_chain("copy").

#: test a chain can be undone and repeated only if every step can
action_idempotent("READ").
#: expect
macro_reversible("look").
macro_idempotent("look").

#: test what is dangerous asks, whoever trusts it; what reaches out asks unless it is trusted
tool("wipe").
tool_step("wipe", "a", "WIPE").
tool("call").
tool_step("call", "a", "CALL").
tool("post").
tool_step("post", "a", "POST").
action_side_effect("WIPE", "destructive").
action_tier("WIPE", 3).
action_side_effect("CALL", "network").
action_tier("CALL", 2).
action_side_effect("POST", "network").
action_tier("POST", 2).
trusted_action("WIPE").
trusted_action("CALL").
#: expect
confirm("copy").
confirm("wipe").
confirm("post").

#: test a tool without effects asks if a rule says so
tool("think").
requires_confirmation("think").
#: expect
confirm("copy").
confirm("think").
asks("copy", "filesystem").
asks("think", "none").

#: test no waiver covers what asks without an effect
tool("think").
requires_confirmation("think").
waived_effect("none").
waived_effect("filesystem").
#: expect
confirm("think").

#: test what undoes a step may run, so it counts
step_undo("look", "a", "WRITE").
#: expect
macro_has_side_effect("look", "filesystem").
macro_has_side_effect("copy", "filesystem").
confirm("copy").
confirm("look").
