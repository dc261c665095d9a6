# What is offered for acting, and what menus run: mangle test domains/browser
#: load ../schema/10_page.mg ../schema/30_elements.mg 50_act.mg
#: now 2026-02-19T12:00:00Z
Decl setting(Key, Value).
Decl intent_type(Intent, Name).
Decl intent_param(Intent, Key, Value).
Decl choosing(Tool, Step).
Decl menu_turn(Turn).
Decl menu_input(Name, Value).
Decl invoke_arg(Name, Value).
Decl tool_relevant_to_intent(Tool, Intent, Score).
Decl mandatory_for_intent(Intent, Tool).
Decl param_value(Tool, Parameter, Value).
Decl menu_pick(Tool, Step, Action, Priority).
Decl menu_set(Tool, Step, Action, Name, Value).
Decl has_slow_responses().
Decl looked_at(Seen).

#: test without a page there is a recording to plan on
setting("page", "").
intent_type(/intent, "automate").
current_url("http://shop.test/").
#: expect
mandatory_for_intent("automate", "inspect_dom").
mandatory_for_intent("measure_performance", "performance_report").
mandatory_for_intent("inspect_storage", "storage_report").
#: expect none has_page/0 action/1

#: test with one there is a page to act upon
setting("page", "http://shop.test/").
intent_type(/intent, "automate").
intent_param(/intent, "action", "extract").
#: expect
mandatory_for_intent("automate", "find_elements").
mandatory_for_intent("measure_performance", "performance_report").
mandatory_for_intent("inspect_storage", "storage_report").
#: expect
tool_relevant_to_intent("extract_table", "automate", 95).
tool_relevant_to_intent("extract_list", "automate", 90).
tool_relevant_to_intent("read_page", "automate", 50).
tool_relevant_to_intent("take_screenshot", "automate", 30).
#: expect none is_recorded/0

#: test what was seen narrows what can be said
setting("page", "http://shop.test/").
element("e1", "button", "Save").
element("e2", "textbox", "Name").
element("e3", "file", "Picture").
page_form("f1", "post", "Save").
#: expect
param_value("click_element", "ref", "e1").
param_value("act_on_page", "ref", "e1").
param_value("act_on_page", "ref", "e2").
param_value("act_on_page", "ref", "e3").
param_value("upload_file", "ref", "e3").
param_value("form_fill", "form", "f1").

#: test a box that is to be unchecked is
choosing("act_on_page", "act").
menu_turn(1).
invoke_arg("do", "uncheck").
#: expect
menu_pick("act_on_page", "act", "AID.BROWSER.CHECK.v1", 1).
menu_set("act_on_page", "act", "AID.BROWSER.CHECK.v1", "checked", /false).

#: test nothing is done twice
choosing("click_element", "act").
menu_turn(2).
#: expect none menu_pick/4

#: test a plan looks before each step
choosing("run_plan", "run").
menu_input("steps", [["do" : "reload"], ["do" : "back"]]).
menu_turn(3).
#: expect
menu_pick("run_plan", "run", "AID.BROWSER.STEP_LOOK.v1", 1).
menu_set("run_plan", "run", "AID.BROWSER.STEP_LOOK.v1", "index", 1).

#: test and runs it with the mark of what was seen
choosing("run_plan", "run").
menu_input("steps", [["do" : "reload"], ["do" : "back"]]).
menu_turn(4).
looked_at(["mark" : "abc"]).
#: expect
menu_pick("run_plan", "run", "AID.BROWSER.STEP.v1", 1).
menu_set("run_plan", "run", "AID.BROWSER.STEP.v1", "index", 1).
menu_set("run_plan", "run", "AID.BROWSER.STEP.v1", "mark", "abc").

#: test it ends behind the last one
choosing("run_plan", "run").
menu_input("steps", [["do" : "reload"], ["do" : "back"]]).
menu_turn(5).
#: expect none menu_pick/4
