# Macro-tools, section 3.2: console errors alone. M-SYN-41 M-SYN-49 M-TEMP-101
Decl intent_type(Intent, Name). Decl has_console_errors. Decl has_failed_request. Decl has_docker_logs.
Decl causal_chain_candidate(Cause, Effect).
intent_type(/intent, "diagnose_error").
has_console_errors.
{{tools-3.2-single.mg}}
{{tools-3.2-chain.mg}}
{{tools-3.2-conditional.mg}}
