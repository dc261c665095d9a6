macro_tool("diagnose_causal_chain", "full") :-
    intent_type(_, "diagnose_error"),
    has_console_errors,
    has_failed_request,
    causal_chain_candidate(_, _).
