# What is offered to somebody who asks what is wrong: mangle test domains/browser
#: load ../schema/10_page.mg 10_situation.mg 30_diagnose.mg
#: now 2026-02-19T12:00:00Z
Decl intent_type(Intent, Name).
Decl intent_param(Intent, Key, Value).
Decl tool_relevant_to_intent(Tool, Intent, Score).
Decl mandatory_for_intent(Intent, Tool).
Decl param_value(Tool, Parameter, Value).
Decl has_page().

#: test of a live page, to do something there
has_page.
intent_type(/intent, "diagnose_error").
#: expect
mandatory_for_intent("diagnose_error", "diagnose_page").
tool_relevant_to_intent("run_plan", "diagnose_error", 85).
tool_relevant_to_intent("find_elements", "diagnose_error", 70).
tool_relevant_to_intent("observe_page", "diagnose_error", 60).

#: test of a recording, to look
intent_type(/intent, "diagnose_error").
#: expect
tool_relevant_to_intent("observe_page", "diagnose_error", 80).
