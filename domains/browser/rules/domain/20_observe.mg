# Intent observe: the page first; a closer look at what the client knows to be there, or asks for.

mandatory_for_intent("observe", "observe_page").

tool_relevant_to_intent("console_summary", "observe", 55) :- <-[5m] console_event(_, _, _, _).
tool_relevant_to_intent("network_summary", "observe", 50) :- <-[5m] net_response(_, _, _, _).
tool_relevant_to_intent("inspect_dom", "observe", 45) :- has_recent_events.
tool_relevant_to_intent("screenshot_view", "observe", 30) :- has_recent_events, !has_page.
tool_relevant_to_intent("take_screenshot", "observe", 30) :- has_recent_events, has_page.

# observe with a focus: the tool for it in full, and its sharper instruments beside it.
focus(What) :- intent_param(/intent, "focus", What).
tool_relevant_to_intent("console_summary", "observe", 90) :- focus("console").
tool_relevant_to_intent("search_console", "observe", 60) :- focus("console").
tool_relevant_to_intent("network_summary", "observe", 90) :- focus("network").
tool_relevant_to_intent("search_network", "observe", 60) :- focus("network").
tool_relevant_to_intent("failed_requests", "observe", 60) :- focus("network").
tool_relevant_to_intent("slow_requests", "observe", 50) :- focus("network").
tool_relevant_to_intent("timing_waterfall", "observe", 35) :- focus("network").
tool_relevant_to_intent("inspect_dom", "observe", 90) :- focus("dom").
tool_relevant_to_intent("list_links", "observe", 60) :- focus("dom").
tool_relevant_to_intent("screenshot_view", "observe", 90) :- focus("screenshot"), !has_page.
tool_relevant_to_intent("take_screenshot", "observe", 90) :- focus("screenshot"), has_page.
tool_relevant_to_intent("find_elements", "observe", 85) :- focus("dom"), has_page.
tool_relevant_to_intent("read_page", "observe", 60) :- focus("dom"), has_page.
tool_relevant_to_intent("watch_page", "observe", 90) :- focus("watch"), has_page.
tool_relevant_to_intent("open_pages", "observe", 90) :- focus("pages"), has_page.
tool_relevant_to_intent("capture_overview", "observe", 90) :- focus("capture").

# observe_page looks at what is asked for; only these three it can tell apart.
param_bound("observe_page", "focus", "console") :- focus("console").
param_bound("observe_page", "focus", "network") :- focus("network").
