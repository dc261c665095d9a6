# Macro-tools, section 3.2: a failed request that may be the cause. M-SYN-41
Decl intent_type(Intent, Name). Decl has_console_errors. Decl has_failed_request. Decl has_docker_logs.
Decl causal_chain_candidate(Cause, Effect).
intent_type(/intent, "diagnose_error").
has_console_errors. has_failed_request.
causal_chain_candidate("GET /api/users", "TypeError").
{{tools-3.2-single.mg}}
{{tools-3.2-chain.mg}}
{{tools-3.2-conditional.mg}}
