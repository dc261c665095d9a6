# Data model, section 4.6: the fact as the server stores it, and the rule that reads it.
# M-TEMP-100 M-SYN-40 M-SYN-42 M-SYN-48
Decl console_event(Session, Level) temporal.
{{data-model-4.6-fact.mg}}
{{data-model-4.6-rule.mg}}
