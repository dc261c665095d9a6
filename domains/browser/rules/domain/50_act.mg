# Intents automate, measure_performance, inspect_storage.

# Live, if the operator has set a page: then there is more that one can do than to plan.
has_page :- setting("page", Page), Page != "".
is_recorded :- intent_type(_, _), !has_page.

# Without a word on what to do: see what the page offers.
action(What) :- intent_param(/intent, "action", What), known_action(What).
has_action :- action(_).
known_action("fill").
known_action("click").
known_action("navigate").
known_action(What) :- live_tool(What, _, _).
# A word that there is not is answered as if none had been said; and that it is.
unknown_action(What) :- intent_param(/intent, "action", What), !known_action(What).
instruction("find_elements", Text) :- has_page, unknown_action_text(Text).
instruction("inspect_dom", Text) :- is_recorded, unknown_action_text(Text).
unknown_action_text(Text) :-
  unknown_action(What),
  Text = fn:string:concat("There is no action ", What,
                          "; there are act, click, fill, navigate, read, extract, plan, check, wait, sign_in, upload, dialogs, screenshot, pdf, emulate, intercept, history, reload, pages, storage, evaluate and reproduce.").
mandatory_for_intent("automate", "inspect_dom") :- is_recorded.
mandatory_for_intent("automate", "find_elements") :- has_page.
tool_relevant_to_intent("form_fill", "automate", 60) :- current_url(_), !has_action.
tool_relevant_to_intent("click_element", "automate", 55) :-
  current_url(_),
  !has_action,
  is_recorded.
tool_relevant_to_intent("act_on_page", "automate", 80) :- has_page, current_url(_), !has_action.
tool_relevant_to_intent("navigate_to", "automate", 50) :- current_url(_), !has_action.
tool_relevant_to_intent("list_links", "automate", 30) :- current_url(_), !has_action, is_recorded.
tool_relevant_to_intent("read_page", "automate", 45) :- has_page, !has_action.
tool_relevant_to_intent("watch_page", "automate", 42) :- has_page, !has_action.
tool_relevant_to_intent("run_plan", "automate", 40) :- has_page, !has_action.
tool_relevant_to_intent("take_screenshot", "automate", 30) :- has_page, !has_action.
tool_relevant_to_intent("extract_table", "automate", 30) :- has_page, !has_action.

tool_relevant_to_intent("form_fill", "automate", 95) :- action("fill").
tool_relevant_to_intent("click_element", "automate", 95) :- action("click").
tool_relevant_to_intent("navigate_to", "automate", 95) :- action("navigate").
tool_relevant_to_intent("list_links", "automate", 60) :- action("navigate").
tool_relevant_to_intent("screenshot_view", "automate", 30) :- has_action, is_recorded.
tool_relevant_to_intent("take_screenshot", "automate", 30) :- has_action, has_page.

# One word, and the tools for it; the first of them in full.
live_tool("act", "act_on_page", 95).
live_tool("act", "watch_page", 45).
live_tool("fill", "act_on_page", 50).
live_tool("click", "act_on_page", 50).
live_tool("navigate", "go_back", 60).
live_tool("navigate", "reload_page", 60).
live_tool("read", "read_page", 95).
live_tool("extract", "extract_table", 95).
live_tool("extract", "extract_list", 90).
live_tool("extract", "read_page", 50).
live_tool("plan", "run_plan", 95).
live_tool("plan", "assert_story", 60).
live_tool("plan", "record_reproduction", 55).
live_tool("check", "assert_story", 95).
live_tool("wait", "watch_page", 95).
live_tool("sign_in", "sign_in", 95).
live_tool("upload", "upload_file", 95).
live_tool("screenshot", "take_screenshot", 95).
live_tool("pdf", "save_pdf", 95).
live_tool("emulate", "emulate_device", 95).
live_tool("intercept", "intercept_requests", 95).
live_tool("intercept", "reload_page", 50).
live_tool("dialogs", "handle_dialogs", 95).
live_tool("dialogs", "act_on_page", 50).
live_tool("history", "go_back", 95).
live_tool("reload", "reload_page", 95).
live_tool("pages", "open_pages", 95).
live_tool("download", "open_pages", 95).
live_tool("storage", "set_storage", 95).
live_tool("storage", "clear_site", 80).
live_tool("storage", "storage_report", 50).
live_tool("evaluate", "evaluate_script", 95).
live_tool("reproduce", "record_reproduction", 95).
live_tool("reproduce", "run_plan", 50).
tool_relevant_to_intent(T, "automate", Score) :- has_page, action(What), live_tool(What, T, Score).

# What was seen of the page narrows what can be said. A ref that a client made up passes here as any fact
# of a client does; the tool looks for it on the page and says what there is.
clickable("button").
clickable("link").
clickable("checkbox").
clickable("radio").
clickable("switch").
clickable("tab").
clickable("menuitem").
clickable("option").
clickable("generic").
param_value("click_element", "ref", Ref) :- element(Ref, Role, _), clickable(Role).
param_value("act_on_page", "ref", Ref) :- element(Ref, _, _).
param_value("upload_file", "ref", Ref) :- element(Ref, "file", _).
param_value("form_fill", "form", Form) :- page_form(Form, _, _).

mandatory_for_intent("measure_performance", "performance_report").
tool_relevant_to_intent("slow_requests", "measure_performance", 80) :- has_slow_responses.
tool_relevant_to_intent("slow_requests", "measure_performance", 55) :-
  intent_type(_, "measure_performance").
tool_relevant_to_intent("timing_waterfall", "measure_performance", 60) :- has_slow_responses.
tool_relevant_to_intent("timing_waterfall", "measure_performance", 45) :-
  intent_type(_, "measure_performance").

mandatory_for_intent("inspect_storage", "storage_report").
tool_relevant_to_intent("set_storage", "inspect_storage", 40) :- has_page, current_url(_).
tool_relevant_to_intent("clear_site", "inspect_storage", 35) :- has_page, current_url(_).

# ---- which action a menu runs -------------------------------------------------------------------------

deed_action("click", "AID.BROWSER.CLICK.v1").
deed_action("double_click", "AID.BROWSER.DOUBLE_CLICK.v1").
deed_action("hover", "AID.BROWSER.HOVER.v1").
deed_action("type", "AID.BROWSER.TYPE.v1").
deed_action("fill", "AID.BROWSER.FILL.v1").
deed_action("clear", "AID.BROWSER.CLEAR.v1").
deed_action("select", "AID.BROWSER.SELECT.v1").
deed_action("check", "AID.BROWSER.CHECK.v1").
deed_action("uncheck", "AID.BROWSER.CHECK.v1").
deed_action("press", "AID.BROWSER.PRESS.v1").
deed_action("focus", "AID.BROWSER.FOCUS.v1").
deed_action("scroll", "AID.BROWSER.SCROLL.v1").
deed_action("drag", "AID.BROWSER.DRAG.v1").
menu_pick("act_on_page", "act", Action, 1) :-
  choosing("act_on_page", "act"),
  menu_turn(1),
  invoke_arg("do", Deed),
  deed_action(Deed, Action).
menu_set("act_on_page", "act", "AID.BROWSER.CHECK.v1", "checked", /false) :-
  choosing("act_on_page", "act"),
  invoke_arg("do", "uncheck").

menu_pick("click_element", "act", "AID.BROWSER.CLICK.v1", 1) :-
  choosing("click_element", "act"),
  menu_turn(1).
menu_pick("form_fill", "fill", "AID.BROWSER.FORM_FILL.v1", 1) :-
  choosing("form_fill", "fill"),
  menu_turn(1).
menu_pick("navigate_to", "act", "AID.BROWSER.NAVIGATE.v1", 1) :-
  choosing("navigate_to", "act"),
  menu_turn(1).
menu_pick("set_storage", "act", "AID.BROWSER.COOKIE_SET.v1", 1) :-
  choosing("set_storage", "act"),
  menu_turn(1),
  invoke_arg("area", "cookie").
menu_pick("set_storage", "act", "AID.BROWSER.STORAGE_SET.v1", 1) :-
  choosing("set_storage", "act"),
  menu_turn(1),
  invoke_arg("area", Area),
  Area != "cookie".

# A plan is gone through step by step: each is looked at first, then it runs with what was seen as its mark.
plan_length(N) :- choosing("run_plan", "run"), menu_input("steps", Steps), N = fn:list:len(Steps).
plan_looks(Step) :-
  choosing("run_plan", "run"),
  menu_turn(Turn),
  1 = fn:mod(Turn, 2),
  Half = fn:minus(Turn, 1),
  Step = fn:div(Half, 2),
  plan_length(N),
  Step < N.
plan_runs(Step) :-
  choosing("run_plan", "run"),
  menu_turn(Turn),
  0 = fn:mod(Turn, 2),
  Half = fn:div(Turn, 2),
  Step = fn:minus(Half, 1).
menu_pick("run_plan", "run", "AID.BROWSER.STEP_LOOK.v1", 1) :- plan_looks(_).
menu_set("run_plan", "run", "AID.BROWSER.STEP_LOOK.v1", "index", Step) :- plan_looks(Step).
menu_pick("run_plan", "run", "AID.BROWSER.STEP.v1", 1) :- plan_runs(_).
menu_set("run_plan", "run", "AID.BROWSER.STEP.v1", "index", Step) :- plan_runs(Step).
menu_set("run_plan", "run", "AID.BROWSER.STEP.v1", "mark", Mark) :-
  plan_runs(_),
  looked_at(Seen),
  :match_entry(Seen, "mark", Mark).
menu_set("run_plan", "run", "AID.BROWSER.STEP.v1", "leaves", Origin) :-
  plan_runs(_),
  looked_at(Seen),
  :match_entry(Seen, "leaves", Origin).
