# Intents automate, measure_performance, inspect_storage.

# Without a word on what to do: see what the page offers.
action(What) :- intent_param(/intent, "action", What).
has_action :- action(_).
mandatory_for_intent("automate", "inspect_dom").
tool_relevant_to_intent("form_fill", "automate", 60) :- current_url(_), !has_action.
tool_relevant_to_intent("click_element", "automate", 55) :- current_url(_), !has_action.
tool_relevant_to_intent("navigate_to", "automate", 50) :- current_url(_), !has_action.
tool_relevant_to_intent("list_links", "automate", 30) :- current_url(_), !has_action.
tool_relevant_to_intent("form_fill", "automate", 95) :- action("fill").
tool_relevant_to_intent("click_element", "automate", 95) :- action("click").
tool_relevant_to_intent("navigate_to", "automate", 95) :- action("navigate").
tool_relevant_to_intent("list_links", "automate", 60) :- action("navigate").
tool_relevant_to_intent("screenshot_view", "automate", 30) :- has_action.

mandatory_for_intent("measure_performance", "performance_report").
tool_relevant_to_intent("slow_requests", "measure_performance", 80) :- has_slow_responses.
tool_relevant_to_intent("slow_requests", "measure_performance", 55) :-
  intent_type(_, "measure_performance").
tool_relevant_to_intent("timing_waterfall", "measure_performance", 60) :- has_slow_responses.
tool_relevant_to_intent("timing_waterfall", "measure_performance", 45) :-
  intent_type(_, "measure_performance").

mandatory_for_intent("inspect_storage", "storage_report").
