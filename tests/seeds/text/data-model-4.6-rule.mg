# "If there was a console error in the last 5 minutes, expose the diagnose tool"
macro_tool("diagnose_error", "full") :-
    <-[5m] console_event(_, "error").
