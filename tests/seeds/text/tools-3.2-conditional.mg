macro_tool("full_stack_diagnosis", "full") :-
    intent_type(_, "diagnose_error"),
    has_console_errors,
    has_failed_request,
    has_docker_logs.  # Only include backend diagnosis if docker logs are available

macro_tool("frontend_diagnosis", "full") :-
    intent_type(_, "diagnose_error"),
    has_console_errors,
    !has_docker_logs.  # Fallback to frontend-only diagnosis
