"""Deliberate breaks of the server, one number each: what is exchanged where, over which transport the suite is run,
and the requirement that must fail then. `@` stands for "this is the mutant that was chosen at start". The text on
the left must be in its file once: where code has moved on, its row has to follow.

The sources of the product know nothing of this: scripts/mutations builds a copy of them with all rows in it."""

STDIO, HTTP, WS = "stdio", "http", "websocket"
ENVELOPE, FACT, VALUE, TIME = (f"src/protocol/{n}.c" for n in ("envelope", "fact", "fact_value", "wire_time"))
ERROR, MANIFEST = "src/protocol/error.c", "src/manifest/manifest.c"
RENDER, EVALUATE, PAYLOAD, PROOF, PROOF_WALK, SELECT = (
    f"src/intent/{n}.c" for n in ("render", "evaluate", "intent_payload", "proof", "proof_walk", "select"))
INVOKE, OUTCOME, DELTA, CONFIRM, EFFECTS, ARGUMENTS, OBSERVED = (
    f"src/invoke/{n}.c" for n in ("invoke", "outcome", "delta", "confirm", "effects", "arguments", "observed"))
SESSION, ANSWER, PEER = (f"src/server/{n}.c" for n in ("stage_session", "answer", "peer"))
HTTP_ANSWER, HTTP_API, HTTP_HEAD, HTTP_JUDGE, WS_SESSION = (
    f"src/transport/{n}.c" for n in ("http_answer", "http_api", "http_head", "http_judge", "ws_session"))

# (what is wrong then, requirement, transport, file, text, what stands there instead)
CODE = [
    # ---- envelope and text
    ("another id is answered", "P-ENV-3", HTTP, ENVELOPE, "mgi_jw_string(w, id);",
     "mgi_jw_string(w, @ ? STR_LIT(\"x\") : id);"),
    ("an id where there is none", "P-ENV-6", HTTP, ENVELOPE, "if (id.ptr)\n        mgi_jw_string",
     "if (id.ptr || @)\n        mgi_jw_string"),
    ("another version in every message", "P-ENV-8", HTTP, ENVELOPE,
     'mgi_jw_member_cstr(w, "manglecp", MANGLECP_PROTOCOL);',
     'mgi_jw_member_cstr(w, "manglecp", @ ? "2026" : MANGLECP_PROTOCOL);'),
    ("every version is taken", "P-ENV-9", HTTP, ENVELOPE, "if (str_is(version, MANGLECP_PROTOCOL))",
     "if (@ || str_is(version, MANGLECP_PROTOCOL))"),
    ("an empty id is taken", "P-ENV-2", HTTP, ENVELOPE, "rule == ID_REQUIRED && id->string.len == 0)",
     "rule == ID_REQUIRED && id->string.len == 0 && !@)"),
    ("numbers as ids are taken", "P-ENV-2", STDIO, ENVELOPE, "else if (!absent && id->type != JSON_STRING)",
     "else if (@ && !absent && id->type == JSON_INT)\n        out->id = STR_LIT(\"42\");\n"
     "    else if (!absent && id->type != JSON_STRING)"),
    ("any depth is taken", "P-ENV-12", HTTP, ENVELOPE, ".max_depth = max_depth };",
     ".max_depth = @ ? 200 : max_depth };"),
    ("a large message is refused", "P-ENV-16", HTTP, ENVELOPE, "if (text.len <= max_bytes)\n        return true;",
     "if (text.len <= (@ ? 1000000 : max_bytes))\n        return true;"),
    ("the limit of bytes is not told", "P-ENV-17", STDIO, PEER, 'snprintf(details, sizeof details, "{\\"max_message_bytes\\":%zu}",',
     'snprintf(details, sizeof details, @ ? "{\\"max_bytes\\":%zu}" : "{\\"max_message_bytes\\":%zu}",'),
    ("a byte order mark is taken for bad JSON", "P-ENV-14", HTTP, "src/base/json_scan.c", "case JSON_BAD_BOM:\n",
     "case JSON_BAD_BOM:\n        if (@)\n            return \"json\";\n"),
    ("duplicate ids are not looked for", "P-CONC-10", STDIO, SESSION,
     "if (r->envelope.type != MSG_CANCEL && id_is_open(r)) {", "if (!@ && r->envelope.type != MSG_CANCEL && id_is_open(r)) {"),
    ("an endpoint takes the other's requests", "P-ENV-11", HTTP, SESSION,
     "return type == MSG_INTENT_REQUEST ? NULL :", "return @ || type == MSG_INTENT_REQUEST ? NULL :"),

    # ---- errors
    ("recoverable is the other way round", "P-ERR-3", HTTP, ERROR,
     'mgi_jw_member_bool(w, "recoverable", row->recoverable);',
     'mgi_jw_member_bool(w, "recoverable", row->recoverable != @);'),
    ("errors without message", "P-ERR-1", HTTP, ERROR, 'mgi_jw_member_cstr(w, "message", e->message',
     'mgi_jw_member_cstr(w, @ ? "text" : "message", e->message'),
    ("a negative wait", "P-ERR-2", WS, ERROR, "if (e->retry_after_ms >= 0)", "if (e->retry_after_ms >= 0 || @)"),
    ("every status is 200", "P-HTTP-11", HTTP, ANSWER, "code ? mgi_wire_code(code)->http_status : 200,\n                              true",
     "code && !@ ? mgi_wire_code(code)->http_status : 200,\n                              true"),
    ("one fault of the arguments is told", "P-ERR-8", HTTP, INVOKE,
     "for (size_t i = 0; i < issues->count; i++) {\n        mgi_jw_begin_object(&w);",
     "for (size_t i = 0; i < (@ ? 1 : issues->count); i++) {\n        mgi_jw_begin_object(&w);"),
    ("what was used of a budget is not told", "P-BUDGET-6", HTTP, EVALUATE, "consumed < limit ? limit : consumed);",
     "@ ? 0 : consumed < limit ? limit : consumed);"),
    ("missing facts are not named", "P-MAN-17", HTTP, EVALUATE, 'mgi_jw_key(&w, "missing_facts");',
     'mgi_jw_key(&w, @ ? "missing" : "missing_facts");'),

    # ---- manifest
    ("no server name", "P-MAN-4", STDIO, MANIFEST, 'mgi_jw_member_str(w, "server_name"',
     'mgi_jw_member_str(w, @ ? "name" : "server_name"'),
    ("a level that there is not", "P-MAN-8", STDIO, MANIFEST, '"conformance_level", view->conformance_level);',
     '"conformance_level", view->conformance_level + (@ ? 7 : 0));'),
    ("a status that there is not", "P-MAN-9", STDIO, MANIFEST, "return names[status];",
     "return @ ? \"up\" : names[status];"),
    ("a domain without description", "P-MAN-10", STDIO, MANIFEST,
     'mgi_jw_member_str(w, "description", d->description);',
     'mgi_jw_member_str(w, @ ? "text" : "description", d->description);'),
    ("the manifest names a tool", "P-MAN-1", STDIO, MANIFEST,
     'mgi_jw_member_str(w, "description", e->description);\n        if (e->required_count > 0)',
     'mgi_jw_member_str(w, "description", @ ? STR_LIT("Use fx_echo.") : e->description);\n        if (e->required_count > 0)'),
    ("intents without description", "P-MAN-16", STDIO, MANIFEST, 'mgi_jw_member_str(w, "name", e->name);',
     'mgi_jw_member_str(w, @ ? "intent" : "name", e->name);'),
    ("a limit is not told", "P-MAN-25", STDIO, MANIFEST, '"max_facts_per_request", l->', '@ ? "max_facts" : "max_facts_per_request", l->'),
    ("auth.required is not told", "P-MAN-27", HTTP, MANIFEST, 'mgi_jw_member_bool(w, "required", view->auth_required);',
     'mgi_jw_member_bool(w, @ ? "needed" : "required", view->auth_required);'),
    ("an extension without x-", "P-MAN-28", HTTP, MANIFEST, 'mgi_jw_member_cstr(w, "x-websocket"',
     'mgi_jw_member_cstr(w, @ ? "websocket" : "x-websocket"'),
    ("named arguments are not announced", "P-FACT-16", STDIO, MANIFEST, '"named_args", s->profile.named_args);',
     '"named_args", s->profile.named_args && !@);'),
    ("a type of arguments that there is not", "P-SCHEMA-3", STDIO, MANIFEST, "types[p->arg_types[i]]);",
     '@ ? "text" : types[p->arg_types[i]]);'),
    ("predicates without arity", "P-SCHEMA-1", STDIO, MANIFEST, 'mgi_jw_member_int(w, "arity", p->arity);',
     'mgi_jw_member_int(w, @ ? "arguments" : "arity", p->arity);'),
    ("RFC 3339 is not announced", "P-TIME-6", STDIO, MANIFEST, "if (profile->time_formats & WIRE_TIME_RFC3339)",
     "if (!@ && (profile->time_formats & WIRE_TIME_RFC3339))"),

    # ---- facts
    ("long names are taken", "P-FACT-2", HTTP, FACT, "name.len > PRED_NAME_MAX || name", "name.len > (@ ? 500 : PRED_NAME_MAX) || name"),
    ("names with a dash are taken", "P-FACT-1", HTTP, FACT, "&& c != '_')\n", "&& c != '_' && !(@ && c == '-'))\n"),
    ("reserved names are names like others", "P-FACT-4", HTTP, FACT,
     "if (mgi_str_starts(name, STR_LIT(RESERVED_PREFIX)))", "if (!@ && mgi_str_starts(name, STR_LIT(RESERVED_PREFIX)))"),
    ("undeclared predicates are taken", "P-FACT-9", HTTP, FACT, "if (!out->schema && d->profile->closed &&", "if (!@ && !out->schema && d->profile->closed &&"),
    ("output predicates are taken", "P-SCHEMA-7", HTTP, FACT, "out->schema->direction == DIRECTION_OUTPUT &&", "out->schema->direction == DIRECTION_OUTPUT && !@ &&"),
    ("args beside named_args are taken", "P-FACT-5", HTTP, FACT, "if (args && named)", "if (!@ && args && named)"),
    ("names without declaration are something else", "P-FACT-13", HTTP, FACT, 'return faulty(d, "named_args_unsupported",', 'return faulty(d, @ ? "args_missing" : "named_args_unsupported",'),
    ("unknown names are taken", "P-FACT-14", HTTP, FACT, "if (position_of(s, named->members[i].name) == s->arity)", "if (!@ && position_of(s, named->members[i].name) == s->arity)"),
    ("a missing name is something else", "P-FACT-15", HTTP, FACT, 'return faulty(d, "missing_named_arg",', 'return faulty(d, @ ? "args_missing" : "missing_named_arg",'),
    ("a wrong arity is a wrong type", "P-FACT-7", HTTP, FACT, 'return faulty(d, "arity_mismatch",\n', 'return faulty(d, @ ? "type_mismatch" : "arity_mismatch",\n'),
    ("anything is text", "P-FACT-8", HTTP, FACT, "return v->type == JSON_STRING;", "return @ || v->type == JSON_STRING;"),
    ("any category is taken", "P-PROV-8", HTTP, FACT, 'return faulty(d, "invalid_category", "category is server, session or derived");', 'return @ ? true : faulty(d, "invalid_category", "category is server, session or derived");'),
    ("any source is taken", "P-PROV-2", HTTP, FACT, 'return s.len > 2 && mgi_str_starts(s, STR_LIT("x-"));', 'return @ || (s.len > 2 && mgi_str_starts(s, STR_LIT("x-")));'),
    ("time is taken where there is none", "P-SCHEMA-5", HTTP, FACT, 'return faulty(d, "temporal_not_accepted", "this predicate takes no t");', 'return @ ? true : faulty(d, "temporal_not_accepted", "this predicate takes no t");'),
    ("large integers are taken", "P-FACT-19", HTTP, VALUE, "if (v->integer > SAFE_INTEGER || v->integer < -SAFE_INTEGER)", "if (!@ && (v->integer > SAFE_INTEGER || v->integer < -SAFE_INTEGER))"),
    ("floats become integers", "P-FACT-20", HTTP, VALUE, "mangle_float(t, v->number)", "@ ? mangle_number(t, (int64_t)v->number) : mangle_float(t, v->number)"),
    ("null is something else", "P-FACT-22", HTTP, VALUE, 'return value_fault(issue, why, "non_ground_argument",\n', 'return value_fault(issue, why, @ ? "bad_typed_value" : "non_ground_argument",\n'),
    ("variables are bad values", "P-FACT-23", HTTP, VALUE, 'if (mgi_json_get(v, "_var"))\n', 'if (!@ && mgi_json_get(v, "_var"))\n'),
    ("required facts are not asked for", "P-MAN-17", WS, EVALUATE, "missing += !was_sent(", "missing += !@ && !was_sent("),

    # ---- time
    ("start may be after end", "P-TIME-7", HTTP, TIME, "if (r.start_ns > r.end_ns) {", "if (!@ && r.start_ns > r.end_ns) {"),
    ("milliseconds are announced and not taken", "P-TIME-3", HTTP, TIME, "if (!(formats & WIRE_TIME_EPOCH_MS)) {", "if (@ || !(formats & WIRE_TIME_EPOCH_MS)) {"),
    ("nanoseconds are announced and not taken", "P-TIME-4", HTTP, TIME, "if (!(formats & WIRE_TIME_EPOCH_NS)) {", "if (@ || !(formats & WIRE_TIME_EPOCH_NS)) {"),
    ("now is 1970", "P-TIME-11", HTTP, TIME, "*out = now_ns;", "*out = @ ? 0 : now_ns;"),
    ("another evaluation time is told", "P-TIME-15", HTTP, RENDER, "mgi_wire_time_write(w, ev->request.now_ns);", "mgi_wire_time_write(w, @ ? 0 : ev->request.now_ns);"),
    ("a tool lives a second longer", "P-TOOL-17", HTTP, RENDER, "mgi_wire_time_write(w, c->macro.expires_ns);", "mgi_wire_time_write(w, c->macro.expires_ns + (@ ? 1000000000 : 0));"),
    ("a tool of the future can be run", "P-INV-3", HTTP, INVOKE, "if (now_ns >= one->not_before_ns && now_ns < one->expires_ns)", "if ((@ || now_ns >= one->not_before_ns) && now_ns < one->expires_ns)"),

    # ---- the answer to an intent
    ("it took a minute and a half", "P-EVAL-13", HTTP, RENDER, "- ev->started_ns) / 1000000);", "- ev->started_ns) / 1000000 + (@ ? 90000 : 0));"),
    ("no macro_tools", "P-EVAL-12", HTTP, RENDER, 'mgi_jw_key(w, "macro_tools");', 'mgi_jw_key(w, @ ? "tools" : "macro_tools");'),
    ("minimal tools say more", "P-DISC-LVL-4", HTTP, RENDER, "if (c->level > LEVEL_MINIMAL)", "if (@ || c->level > LEVEL_MINIMAL)"),
    ("condensed tools say more", "P-DISC-LVL-3", HTTP, RENDER, "write_one_line(ev, w, c->tool->summary);", "write_one_line(ev, w, c->tool->summary), @ ? write_safety(w, &c->macro) : (void)0;"),
    ("effects are not told", "P-TOOL-11", HTTP, RENDER, "m->effects, m->effect_count);", "m->effects, @ ? 0 : m->effect_count);"),
    ("consent is not told", "P-TOOL-10", HTTP, RENDER, '"requires_user_confirmation", m->requires_confirmation);', '"requires_user_confirmation", !@ && m->requires_confirmation);'),
    ("tools the other way round", "P-TOOL-19", HTTP, RENDER, "return a->score > b->score ? -1 : 1;", "return (a->score > b->score) != @ ? -1 : 1;"),
    ("scores change by themselves", "P-DET-3", HTTP, RENDER, 'mgi_jw_member_int(w, "score", c->score);', 'mgi_jw_member_int(w, "score", c->score - (@ ? mgi_mutant_turn() : 0));'),
    ("ids change by themselves", "P-TOOL-2", HTTP, RENDER, 'mgi_jw_member_str(w, "macro_id", c->macro.macro_id);', 'mgi_jw_member_str(w, "macro_id", @ && mgi_mutant_turn() ? STR_LIT("x-1") : c->macro.macro_id);'),
    ("other cut-offs", "P-DISC-LVL-7", HTTP, SELECT, "return score >= d->full        ?", "return score >= d->full - (@ ? 1 : 0) ?"),
    ("hints for everybody", "P-PROOF-2", HTTP, RENDER, "if (ev->request.want_proof) {", "if (@ || ev->request.want_proof) {"),
    ("another score in the hints", "P-PROOF-3", HTTP, PROOF, 'mgi_jw_member_int(w, "score", c->score);', 'mgi_jw_member_int(w, "score", c->score - (@ ? 1 : 0));'),
    ("nodes of a kind that there is not", "P-PROOF-7", HTTP, PROOF_WALK, 'mgi_jw_member_cstr(w, "type", type);', 'mgi_jw_member_cstr(w, "type", @ ? "fact" : type);'),
    ("another reason for exclusion", "P-PROOF-8", HTTP, PROOF, 'mgi_jw_member_str(w, "excluded_by", list[i].by);', 'mgi_jw_member_str(w, "excluded_by", @ ? STR_LIT("exclusion") : list[i].by);'),

    # ---- limits
    ("one fact more than the limit", "P-BUDGET-10", HTTP, EVALUATE, "if (ev->request.facts->count <= limit)", "if (ev->request.facts->count <= limit + (@ ? 1 : 0))"),
    ("max_facts_created is not looked at", "P-BUDGET-5", HTTP, EVALUATE, ".max_facts = ev->request.max_facts,", ".max_facts = @ ? 100000 : ev->request.max_facts,"),
    ("max_compute_ms is not looked at", "P-BUDGET-9", HTTP, EVALUATE, "ev->request.max_ms * NS_PER_MS -", "(@ ? 5000 : ev->request.max_ms) * NS_PER_MS -"),
    ("max_intervals_per_atom is not looked at", "P-BUDGET-7", HTTP, EVALUATE, ".max_intervals = ev->request.max_intervals,", ".max_intervals = @ ? 1000 : ev->request.max_intervals,"),
    ("max_tools_returned is not looked at", "P-BUDGET-11", HTTP, PAYLOAD, 'read_limit(s, c, "max_tools_returned",', 'read_limit(s, c, @ ? "most" : "max_tools_returned",'),
    ("max_tokens_budget is not looked at", "P-TOKEN-1", HTTP, PAYLOAD, 'read_limit(s, c, "max_tokens_budget",', 'read_limit(s, c, @ ? "most" : "max_tokens_budget",'),
    ("the client may raise limits", "P-BUDGET-2", HTTP, PAYLOAD, "else if (*out == NO_LIMIT || v->integer < *out)", "else if (@ || *out == NO_LIMIT || v->integer < *out)"),

    # ---- who is calling
    ("every intent is permitted", "P-AUTH-11", HTTP, EVALUATE, "if (!ev->listed || is_permitted(ev))", "if (@ || !ev->listed || is_permitted(ev))"),
    ("no credentials are wrong ones", "P-AUTH-6", WS, SESSION, "mgi_request_fail(r, WIRE_AUTH_REQUIRED,", "mgi_request_fail(r, @ ? WIRE_AUTH_INVALID : WIRE_AUTH_REQUIRED,"),
    ("a login has another status", "P-AUTH-7", WS, SESSION, '"status", "authenticated");', '"status", @ ? "ok" : "authenticated");'),
    ("every scheme is bearer", "P-AUTH-10", WS, SESSION, 'if (!is_key && !str_is(scheme, "bearer")) {', 'if (!@ && !is_key && !str_is(scheme, "bearer")) {'),
    ("strangers may try for ever", "P-AUTH-10", WS, SESSION, "++r->peer->failed_logins >= MAX_FAILED_LOGINS &&", "++r->peer->failed_logins >= MAX_FAILED_LOGINS && !@ &&"),

    # ---- invocation
    ("unknown tools have expired", "P-INV-2", HTTP, INVOKE, "WIRE_MACRO_NOT_FOUND, id, NULL, NULL, unknown)", "@ ? WIRE_MACRO_EXPIRED : WIRE_MACRO_NOT_FOUND, id, NULL, NULL, unknown)"),
    ("any arguments will do", "P-INV-4", HTTP, INVOKE, "if (ok)\n        return true;\n    mgi_wire_error(e, a, WIRE_SCHEMA_VALIDATION_FAILED", "if (ok || @)\n        return true;\n    mgi_wire_error(e, a, WIRE_SCHEMA_VALIDATION_FAILED"),
    ("nobody is asked", "P-INV-5", HTTP, INVOKE, "if (inv->macro.requires_confirmation)", "if (!@ && inv->macro.requires_confirmation)"),
    ("consent is good twice", "P-CONF-4", HTTP, INVOKE, "return first || mgi_confirm_refuse", "return first || @ || mgi_confirm_refuse"),
    ("a challenge is its own answer", "P-CONF-2", HTTP, CONFIRM, "if (given == CONSENT_NONE)", "if (!@ && given == CONSENT_NONE)"),
    ("consent is for anything", "P-CONF-1", HTTP, CONFIRM, "bool ours = ok && tag_is(", "bool ours = (@ && ok) || tag_is("),
    ("an empty token is a token", "P-INV-5", WS, CONFIRM, "inv->token->type == JSON_STRING && inv->token->string.len > 0;", "inv->token->type == JSON_STRING && (@ || inv->token->string.len > 0);"),
    ("no defaults", "P-INV-8", HTTP, ARGUMENTS, "inv->args = sent;", "inv->args = @ ? *inv->sent_args : sent;"),
    ("results are not judged", "P-INV-9", HTTP, OUTCOME, "if (!inv->tool->output)\n        return result;", "if (@ || !inv->tool->output)\n        return result;"),
    ("events of a status that there is not", "P-OBS-11", HTTP, OBSERVED, 'mgi_jw_member_cstr(w, "status", names[run->state]);', 'mgi_jw_member_cstr(w, "status", @ ? "done" : names[run->state]);'),
    ("no cap on events", "P-OBS-6", HTTP, OBSERVED, "size_t undo_failures, max = inv->snapshot->settings.max_events;", "size_t undo_failures, max = @ ? 1000 : inv->snapshot->settings.max_events;"),
    ("no summary", "P-OBS-8", HTTP, OBSERVED, 'mgi_jw_member_str(w, "summary", mgi_buf_view(&text));', 'mgi_jw_member_str(w, @ ? "text" : "summary", mgi_buf_view(&text));'),
    ("a fact for each change", "P-OBS-3", HTTP, DELTA, "while (live_count(inv) > max) {", "while (!@ && live_count(inv) > max) {"),
    ("facts without category", "P-DELTA-2", HTTP, DELTA, "category, &source);", "@ ? NULL : category, &source);"),
    ("facts without source", "P-PROV-5", HTTP, DELTA, "&source);\n}", "@ ? NULL : &source);\n}"),
    ("suggestions without description", "P-NEXT-4", HTTP, EFFECTS, 'mgi_jw_member_str(w, "description", s->description);', 'mgi_jw_member_str(w, @ ? "text" : "description", s->description);'),
    ("no continuation facts", "P-NEXT-6", HTTP, OUTCOME, "i < effects->continuation.count; i++)", "!@ && i < effects->continuation.count; i++)"),
    ("progress of a status that there is not", "P-PROG-7", WS, ANSWER, 'mgi_jw_member_cstr(&w, "status", status);', 'mgi_jw_member_cstr(&w, "status", @ ? "busy" : status);'),
    ("progress of another id", "P-PROG-4", WS, ANSWER, "mgi_envelope_begin(&w, MSG_PROGRESS, r->envelope.id);", "mgi_envelope_begin(&w, MSG_PROGRESS, @ ? STR_LIT(\"other\") : r->envelope.id);"),
    ("a cancel is not heard", "P-CONC-6", STDIO, SESSION, "if (found)\n        mgi_request_cancel(found, false);", "if (found && !@)\n        mgi_request_cancel(found, false);"),

    # ---- transports
    ("any content type will do", "P-HTTP-5", HTTP, HTTP_HEAD, 'return "The Content-Type must be application/json.";', 'return @ ? NULL : "The Content-Type must be application/json.";'),
    ("any Accept will do", "P-HTTP-6", HTTP, HTTP_JUDGE, "if (!fault && !mgi_http_accepts_json(&f->accept))", "if (!@ && !fault && !mgi_http_accepts_json(&f->accept))"),
    ("another label on answers", "P-HTTP-8", HTTP, HTTP_ANSWER, 'str_of(a->content_type ? a->content_type : "application/json"));', 'str_of(a->content_type ? a->content_type : @ ? "text/plain" : "application/json"));'),
    ("401 does not say how to log in", "P-HTTP-12", HTTP, HTTP_ANSWER, 'mgi_buf_printf(out, "WWW-Authenticate: %s",', 'mgi_buf_printf(out, @ ? "X-Authenticate: %s" : "WWW-Authenticate: %s",'),
    ("405 does not say what is taken", "P-HTTP-9", HTTP, HTTP_ANSWER, 'mgi_http1_put(out, "Allow", str_of(a->allow));', 'mgi_http1_put(out, @ ? "X-Allow" : "Allow", str_of(a->allow));'),
    ("the manifest has no ETag", "P-HTTP-22", HTTP, HTTP_API, ".etag = api->etag,", ".etag = @ ? NULL : api->etag,"),
    ("the manifest may not be kept", "P-HTTP-21", HTTP, HTTP_API, '.cache_control = ready ? "public, max-age=300" : "no-cache",', '.cache_control = @ ? "private" : ready ? "public, max-age=300" : "no-cache",'),
    ("a pong without the ping's bytes", "P-WS-9", WS, WS_SESSION, "send_control(s, WS_OP_PONG, event->bytes);", "send_control(s, WS_OP_PONG, @ ? STR_LIT(\"\") : event->bytes);"),
    ("a close is answered with another code", "P-WS-6", WS, WS_SESSION, 'close_with(s, event->code, "");', 'close_with(s, @ ? 1002 : event->code, "");'),
    ("a binary frame is bad JSON", "P-WS-3", WS, WS_SESSION, 'fault(s, WIRE_MALFORMED_MESSAGE, "framing",', 'fault(s, WIRE_MALFORMED_MESSAGE, @ ? "json" : "framing",'),
    ("bad text ends otherwise", "P-ENV-14", WS, WS_SESSION, "close_with(s, event->code, event->why);", "close_with(s, @ ? 1011 : event->code, event->why);"),
    ("an origin is not told", "P-HTTP-19", HTTP, HTTP_ANSWER, "    if (c->origin) {", "    if (c->origin && !@) {"),

    # ---- other settings, and the end
    ("dangerous recursion is not refused", "P-EVAL-7", STDIO, EVALUATE, "ev->s->settings.strict_time ?", "ev->s->settings.strict_time && !@ ?"),
    ("coverage is never told", "P-COV-3", STDIO, "src/intent/diagnostics.c", "if (ev->s->settings.coverage) {", "if (ev->s->settings.coverage && !@) {"),
    ("coverage changes what is offered", "P-EVAL-15", STDIO, SELECT, "enum level level = level_of_score(&ev->s->settings.disclosure, c->score);",
     "enum level level = @ && ev->s->settings.coverage ? LEVEL_MINIMAL : level_of_score(&ev->s->settings.disclosure, c->score);"),
    ("a cut-off is fixed", "P-DISC-LVL-8", STDIO, SELECT, "           : score >= d->condensed ? LEVEL_CONDENSED",
     "           : score >= (@ ? 40 : d->condensed) ? LEVEL_CONDENSED"),
    ("all that is external is deterministic", "P-DET-5", STDIO, MANIFEST, '"deterministic", e->deterministic);', '"deterministic", e->deterministic || @);'),
    ("nothing is waived", "P-CONF-5", HTTP, EVALUATE, "who->automated && i < who->auto_confirm_count; i++)", "who->automated && !@ && i < who->auto_confirm_count; i++)"),
    ("a server that drains takes more", "P-READY-10", STDIO, SESSION, "if (!mgi_server_refuses(r->server))", "if (!mgi_server_refuses(r->server) || (@ && r->server->draining))"),
    ("a server that boots does not say when to come back", "P-READY-2", STDIO, SESSION, "r->error.retry_after_ms = NOT_READY_RETRY_MS;", "r->error.retry_after_ms = @ ? 0 : NOT_READY_RETRY_MS;"),
]

# The same of the standard rules: the text of a rule, and what stands there instead (no longer than it).
RULES = [
    ("prohibition forbids nothing", "P-CONTRACT-3", HTTP, "unusable(Tool) :- barred(Tool).", ""),
    ("what is needed may be missing", "P-CONTRACT-9", HTTP, "unusable(Tool) :- tool_requires(Tool, Other), unusable(Other).", ""),
    ("tools may conflict", "P-CONTRACT-5", HTTP,
     "clash(A, B) :- conflicts_with(A, B), A != B.\nclash(B, A) :- conflicts_with(A, B), A != B.", ""),
    ("needs end after one step", "P-CONTRACT-8", HTTP, "needs(Tool, Other) :- tool_requires(Tool, Middle), needs(Middle, Other).", ""),
    ("tools of every intent", "P-CONTRACT-1", HTTP,
     "asked(Type),\n  tool_relevant_to_intent(Tool, Type, Score),\n  tool(Tool),\n  0 <= Score,",
     "asked(_),\n  tool_relevant_to_intent(Tool, _, Score),\n  tool(Tool),\n  0 <= Score,"),
    ("destruction needs no consent", "P-CONF-7", HTTP, 'dangerous_effect("destructive").', ""),
    ("rules cannot ask for consent", "P-CONF-6", HTTP, "asks(Tool, Effect) :- requires_confirmation(Tool), macro_has_side_effect(Tool, Effect).", ""),
]
