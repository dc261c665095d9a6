macro_tool("observe_console", "full") :-
    intent_type(_, "diagnose_error"),
    has_console_errors.
