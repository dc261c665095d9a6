# Keeping a live page as a recording. It goes into the operator's folder, beside what is there and never over it, so
# that nobody has to be asked; where there is no such folder, there is nothing to offer.

tool_relevant_to_intent("record_page", "observe", 90) :- focus("recording"), has_page.
tool_relevant_to_intent("record_page", "observe", 25) :- has_page, has_recent_events.
tool_relevant_to_intent("record_page", "diagnose_error", 25) :- has_page, has_recent_events.
prohibited("record_page", "the operator has set no folder for recordings") :-
  setting("recordings", "").
