# Macro-tools, section 3.2: another intent gets none of them.
Decl intent_type(Intent, Name). Decl has_console_errors. Decl has_failed_request. Decl has_docker_logs.
Decl causal_chain_candidate(Cause, Effect).
intent_type(/intent, "observe").
has_console_errors. has_failed_request. has_docker_logs.
{{tools-3.2-single.mg}}
{{tools-3.2-chain.mg}}
{{tools-3.2-conditional.mg}}
