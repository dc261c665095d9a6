/* Facts and rules: what the client sent goes into the worker's overlay, the rules run, and what
 * went wrong becomes the answer the protocol has for it. */
#include "intent/intent_int.h"

#include "base/time.h"

#define PERMISSION_TIMEOUT_NS (100 * NS_PER_MS) /* a small run takes far less than one */

/* ---- reading what the rules say ----------------------------------------------------------- */

const struct mangle_fact *mgi_ev_facts(struct evaluation *ev, mangle_pred pred, size_t *count)
{
    const struct mangle_fact *facts = NULL;
    *count = 0;
    if (pred == MANGLE_NO_PRED)
        return NULL;
    if (mangle_overlay_facts(ev->overlay, pred, &facts, count)) {
        ev->nomem = true;
        *count = 0;
    }
    return facts;
}

const struct mangle_fact *mgi_ev_match(struct evaluation *ev, mangle_pred pred, mangle_value first,
                                       size_t *count)
{
    const struct mangle_fact *facts = NULL;
    mangle_value pattern[8] = { first };
    *count = 0;
    if (pred == MANGLE_NO_PRED)
        return NULL;
    if (mangle_overlay_match(ev->overlay, pred, pattern, &facts, count)) {
        ev->nomem = true;
        *count = 0;
    }
    return facts;
}

struct str mgi_ev_text(const struct evaluation *ev, mangle_value v)
{
    enum mangle_kind kind = mangle_kind_of(ev->values, v);
    size_t len = 0;
    if (kind != MANGLE_STRING && kind != MANGLE_NAME)
        return (struct str){ "", 0 };
    const char *text = mangle_text_of(ev->values, v, &len);
    return (struct str){ text, len };
}

/* ---- telling ------------------------------------------------------------------------------ */

struct telling {
    struct evaluation *ev;
    enum mangle_status status;
    struct mangle_error error;
};

static mangle_value text(struct telling *t, struct str s)
{
    return mangle_string(t->ev->values, s.ptr ? s.ptr : "", s.len);
}

static void tell(struct telling *t, mangle_pred pred, const mangle_value *args, uint32_t count,
                 const struct mangle_interval *at)
{
    for (uint32_t i = 0; i < count; i++)
        if (args[i] == MANGLE_NONE && !t->status)
            t->status = MANGLE_ERR_NOMEM;
    if (!t->status && pred != MANGLE_NO_PRED)
        t->status = mangle_overlay_add(t->ev->overlay, pred, args, count, at, &t->error);
}

static void tell1(struct telling *t, mangle_pred pred, struct str s)
{
    mangle_value v = text(t, s);
    tell(t, pred, &v, 1, NULL);
}

static void tell_caller(struct telling *t)
{
    static const char *const kinds[] = { "anonymous", "local", "known" };
    const struct interface *p = &t->ev->s->pred;
    const struct principal *who = t->ev->call->who;
    tell1(t, p->client_kind, str_of(kinds[who->kind]));
    if (who->kind != PRINCIPAL_ANONYMOUS)
        tell1(t, p->client_identity, who->identity);
    for (size_t i = 0; i < who->permission_count; i++)
        tell1(t, p->client_permission, who->permissions[i]);
    if (who->automated)
        tell1(t, p->client_trust_level, STR_LIT("automated"));
    for (size_t i = 0; who->automated && i < who->auto_confirm_count; i++)
        tell1(t, p->waived_effect, who->auto_confirm[i]);
}

static mangle_value tell_intent(struct telling *t)
{
    mangle_value intent = mangle_name(t->ev->values, "/intent", 7);
    mangle_value args[] = { intent, text(t, t->ev->request.name) };
    tell(t, t->ev->s->pred.intent_type, args, 2, NULL);
    return intent;
}

/* False: a parameter is not a value (malformed_message: it is no fact). */
static bool tell_params(struct telling *t, mangle_value intent)
{
    struct evaluation *ev = t->ev;
    const struct json *params = ev->request.params;
    struct shape shape;
    mgi_shape_init(&shape, ev->arena);
    for (uint32_t i = 0; params && i < params->count; i++) {
        const struct json_member *m = &params->members[i];
        const char *issue = NULL, *why = NULL;
        if (m->value.type == JSON_NULL)
            continue;
        mangle_value v =
            mgi_value_from_json(ev->values, &m->value, false, false, ev->arena, &issue, &why);
        mangle_value args[] = { intent, text(t, m->name), v };
        if (issue == mgi_issue_nomem) {
            t->status = MANGLE_ERR_NOMEM;
            break;
        }
        if (issue) {
            struct buf pointer = { 0 };
            mgi_buf_puts(&pointer, "/intent/params");
            mgi_json_pointer_push(&pointer, m->name);
            mgi_shape_fault(&shape, pointer.ptr ? pointer.ptr : "/intent/params", "%s", why);
            mgi_buf_fini(&pointer);
            continue;
        }
        tell(t, ev->s->pred.intent_param, args, 3, NULL);
    }
    bool failed = mgi_shape_failed(&shape, ev->e);
    mgi_shape_fini(&shape);
    return !failed;
}

static void tell_sent(struct telling *t, const struct wire_fact *f)
{
    mangle_overlay *o = t->ev->overlay;
    const struct mangle_interval *at = f->has_t ? &f->t : NULL;
    if (!t->status && f->vouched)
        t->status = mangle_overlay_vouch(o, f->schema->pred, f->args, f->count, at, &t->error);
    else
        tell(t, f->schema->pred, f->args, f->count, at);
}

static void tell_facts(struct telling *t)
{
    struct evaluation *ev = t->ev;
    struct str *upgrades = mgi_arena_calloc(ev->arena, ev->facts.count + 1, sizeof *upgrades);
    if (!upgrades) {
        t->status = MANGLE_ERR_NOMEM;
        return;
    }
    for (size_t i = 0; i < ev->facts.count && !t->status; i++) {
        const struct wire_fact *f = &ev->facts.facts[i];
        if (f->schema) {
            tell_sent(t, f);
        } else if (str_is(f->pred, "disclosure_upgrade")) {
            tell(t, ev->s->pred.disclosure_upgrade, f->args, f->count, NULL);
            upgrades[ev->upgrade_count++] = mgi_ev_text(ev, f->args[0]);
        } /* other names without a schema are accepted and mean nothing to any rule */
    }
    ev->upgrades = upgrades;
}

/* ---- gate 10a ----------------------------------------------------------------------------- */

static const struct intent_entry *find_listed(const struct snapshot *s, struct str name)
{
    for (size_t i = 0; i < s->settings.intent_count; i++)
        if (str_eq(s->settings.intents[i].name, name))
            return &s->settings.intents[i];
    return NULL;
}

static bool was_sent(const struct json *facts, struct str name)
{
    for (uint32_t i = 0; i < facts->count; i++) {
        const struct json *pred = mgi_json_get(&facts->items[i], "pred");
        if (pred && pred->type == JSON_STRING && str_eq(pred->string, name))
            return true;
    }
    return false;
}

static bool facts_fault(struct evaluation *ev, const struct fact_list *list, size_t missing)
{
    struct buf details = { 0 };
    struct json_writer w;
    mgi_json_writer_init(&w, &details, 0);
    mgi_jw_begin_object(&w);
    mgi_jw_key(&w, "violations");
    mgi_violations_write(&w, list->violations, list->violation_count);
    if (missing > 0) {
        mgi_jw_key(&w, "missing_facts");
        mgi_jw_begin_array(&w);
        for (size_t i = 0; i < ev->listed->required_count; i++)
            if (!was_sent(ev->request.facts, ev->listed->required_facts[i]))
                mgi_jw_string(&w, ev->listed->required_facts[i]);
        mgi_jw_end_array(&w);
    }
    mgi_jw_end_object(&w);
    enum wire_code code = WIRE_INVALID_FACTS;
    if (missing == 0)
        code = (enum wire_code)mgi_violations_code(list->violations, list->violation_count,
                                                   list->fault_count);
    if (list->fault_count == 0)
        mgi_wire_error(ev->e, ev->arena, code, "The intent needs facts that were not sent.");
    else if (list->fault_count == 1 && list->violation_count == 1)
        mgi_wire_error(ev->e, ev->arena, code, "Fact %u: %s.", list->violations[0].fact_index,
                       list->violations[0].message);
    else
        mgi_wire_error(ev->e, ev->arena, code, "%zu facts are faulty.", list->fault_count);
    mgi_wire_details(ev->e, ev->arena, &details);
    mgi_buf_fini(&details);
    return false;
}

static bool too_many(struct evaluation *ev)
{
    int64_t limit = ev->s->settings.limits.max_facts_per_request;
    if (ev->request.facts->count <= limit)
        return false;
    struct buf details = { 0 };
    mgi_buf_printf(&details, "{\"limit\":%lld,\"actual\":%u}", (long long)limit,
                   ev->request.facts->count);
    mgi_wire_error(ev->e, ev->arena, WIRE_TOO_MANY_FACTS,
                   "At most %lld facts fit into one request.", (long long)limit);
    mgi_wire_details(ev->e, ev->arena, &details);
    mgi_buf_fini(&details);
    return true;
}

static bool check_facts(struct evaluation *ev)
{
    struct fact_rules rules = { 0 };
    size_t missing = 0;
    if (too_many(ev))
        return false;
    if (ev->listed) {
        struct str *open = mgi_arena_calloc(
            ev->arena, ev->listed->required_count + ev->listed->optional_count + 1, sizeof *open);
        if (!open)
            return false;
        for (size_t i = 0; i < ev->listed->required_count; i++)
            open[rules.open_count++] = ev->listed->required_facts[i];
        for (size_t i = 0; i < ev->listed->optional_count; i++)
            open[rules.open_count++] = ev->listed->optional_facts[i];
        rules.open_names = open;
        for (size_t i = 0; i < ev->listed->required_count; i++)
            missing += !was_sent(ev->request.facts, ev->listed->required_facts[i]);
    }
    if (!mgi_facts_decode(ev->arena, ev->values, &ev->s->profile, &rules, ev->request.facts,
                          ev->request.now_ns, &ev->facts)) {
        ev->nomem = true;
        return false;
    }
    return ev->facts.fault_count + missing == 0 || facts_fault(ev, &ev->facts, missing);
}

/* ---- what went wrong (gate 12) -------------------------------------------------------------- */

static void budget_fault(struct evaluation *ev, const struct mangle_error *error)
{
    static const struct {
        enum wire_code code;
        const char *unit, *message, *suggestion;
    } rows[] = {
        [MANGLE_LIMIT_FACTS] = { WIRE_DERIVATION_LIMIT_EXCEEDED, "derived_facts",
                                 "The rules derived more facts than allowed.",
                                 "Send fewer facts, or raise constraints.max_facts_created." },
        [MANGLE_LIMIT_INTERVALS] = { WIRE_INTERVAL_LIMIT_EXCEEDED, "intervals_per_atom",
                                     "One fact holds at more separate intervals than allowed.",
                                     "Merge or narrow the intervals you send." },
        [MANGLE_LIMIT_TIME] = { WIRE_EVALUATION_TIMEOUT, "milliseconds",
                                "The evaluation took longer than allowed.",
                                "Send fewer facts, or raise constraints.max_compute_ms." },
        [MANGLE_LIMIT_MEMORY] = { WIRE_EVALUATION_FAILED, "bytes",
                                  "The evaluation needed more memory than allowed.",
                                  "Send fewer facts." },
    };
    enum mangle_limit_kind kind = error->limit.kind;
    int64_t limit = error->limit.limit, consumed = error->limit.consumed;
    if (kind == MANGLE_LIMIT_TIME) {
        limit = ev->request.max_ms;
        consumed = (consumed + 999999) / 1000000;
    }
    const struct hazard *hazard = mgi_snapshot_hazard_of_rule(ev->s, error->limit.rule);
    struct buf text = { 0 };
    struct json_writer w;
    mgi_json_writer_init(&w, &text, 0);
    mgi_jw_begin_object(&w);
    mgi_jw_key(&w, "budget");
    mgi_jw_begin_object(&w);
    mgi_jw_member_int(&w, "limit", limit);
    mgi_jw_member_int(&w, "consumed", consumed < limit ? limit : consumed);
    mgi_jw_member_cstr(&w, "unit", rows[kind].unit);
    mgi_jw_end_object(&w);
    mgi_jw_member_bool(&w, "partial_results_available", false);
    mgi_jw_member_cstr(&w, "suggestion", rows[kind].suggestion);
    if (hazard) /* what ran, not what the domain has besides */
        mgi_jw_member_cstr(&w, "hazard", "temporal recursion that may not end");
    if (rows[kind].code == WIRE_EVALUATION_FAILED)
        mgi_jw_member_cstr(&w, "stage", "evaluate");
    mgi_jw_end_object(&w);
    mgi_wire_error(ev->e, ev->arena, rows[kind].code, "%s%s", rows[kind].message,
                   hazard ? " What was running recurses through time." : "");
    mgi_wire_details(ev->e, ev->arena, &text);
    mgi_buf_fini(&text);
}

/* Which rule, and what: for the log. Evaluation errors name the place themselves. */
static void log_fault(struct evaluation *ev, enum mangle_status st,
                      const struct mangle_error *error)
{
    const char *name = mgi_show(ev->arena, ev->request.name, 80);
    const char *message = mgi_ev_masked_failure(ev, error->message);
    if (st != MANGLE_ERR_LIMIT || error->limit.rule >= mangle_program_rule_count(ev->s->program)) {
        mgi_log(ev->call->log, LOG_ERROR, "intent \"%s\": %s", name, message);
        return;
    }
    struct mangle_rule_view rule = mangle_program_rule(ev->s->program, error->limit.rule);
    mgi_log(ev->call->log, LOG_WARN, "intent \"%s\": %s:%u: %s", name, rule.file, rule.line,
            message);
}

/* The text of the engine names rules: it is for the log, not for the wire. */
static void engine_fault(struct evaluation *ev, enum mangle_status st,
                         const struct mangle_error *error)
{
    static const char details[] = "{\"stage\":\"evaluate\"}";
    struct buf text = { 0 };
    if (st != MANGLE_ERR_CANCELLED && st != MANGLE_ERR_NOMEM)
        log_fault(ev, st, error);
    switch (st) {
    case MANGLE_ERR_LIMIT:
        budget_fault(ev, error);
        break;
    case MANGLE_ERR_CANCELLED:
        mgi_wire_error(ev->e, ev->arena, WIRE_CANCELLED, "The request was cancelled.");
        break;
    case MANGLE_ERR_NOMEM:
        ev->nomem = true;
        break;
    default:
        mgi_wire_error(ev->e, ev->arena, WIRE_EVALUATION_FAILED,
                       "The rules could not be evaluated for these facts.");
        mgi_buf_puts(&text, details);
        mgi_wire_details(ev->e, ev->arena, &text);
        mgi_buf_fini(&text);
        break;
    }
}

/* ---- gate 10b ----------------------------------------------------------------------------- */

static bool is_permitted(struct evaluation *ev)
{
    mangle_value name = mangle_string(ev->values, ev->request.name.ptr, ev->request.name.len);
    return name != MANGLE_NONE && ev->s->pred.intent_permitted != MANGLE_NO_PRED &&
           mangle_overlay_holds(ev->overlay, ev->s->pred.intent_permitted, &name);
}

/* An unlisted intent gets no tools instead: an error would tell that it exists. */
static bool check_permission(struct evaluation *ev)
{
    if (!ev->listed || is_permitted(ev))
        return true;
    if (ev->call->who->kind == PRINCIPAL_ANONYMOUS) {
        struct buf details = { 0 };
        mgi_wire_error(ev->e, ev->arena, WIRE_AUTH_REQUIRED, "This intent needs an identity.");
        mgi_buf_puts(&details, "{\"schemes\":[\"bearer\"]}");
        mgi_wire_details(ev->e, ev->arena, &details);
        mgi_buf_fini(&details);
    } else {
        mgi_wire_error(ev->e, ev->arena, WIRE_AUTH_INSUFFICIENT, "You may not use this intent.");
    }
    return false;
}

/* ---- the whole ---------------------------------------------------------------------------- */

/* The rules run; how long they take is noted, and which of them fired. */
static enum mangle_status run_rules(struct evaluation *ev, const struct mangle_limits *limits,
                                    struct mangle_stats *stats, struct mangle_error *error)
{
    const struct intent_call *call = ev->call;
    int64_t began_ns = call->mono ? call->mono(call->mono_context) : 0;
    struct mangle_limits profiled = *limits;
    profiled.profile = ev->profile;
    mgi_ev_lap(ev, INTENT_DECODE);
    enum mangle_status st =
        mangle_overlay_eval(ev->overlay, ev->request.now_ns, &profiled, stats, error);
    mgi_ev_lap(ev, INTENT_RULES);
    if (call->mono && call->notes)
        call->notes->rules_ns += call->mono(call->mono_context) - began_ns;
    if (!st && call->notes && call->notes->fired)
        for (size_t i = 0; i < mangle_program_rule_count(ev->s->program); i++)
            call->notes->fired[i] += mangle_overlay_firings(ev->overlay, i);
    return st;
}

struct mangle_limits mgi_ev_limits(const struct evaluation *ev)
{
    const struct intent_call *call = ev->call;
    int64_t left_ns = 0;
    if (call->mono) {
        left_ns =
            ev->request.max_ms * NS_PER_MS - (call->mono(call->mono_context) - ev->started_ns);
        left_ns = left_ns > 0 ? left_ns : 1;
    }
    return (struct mangle_limits){
        .max_facts = ev->request.max_facts,
        .max_intervals = ev->request.max_intervals,
        .timeout_ns = left_ns,
        .cancelled = call->cancelled,
        .cancel_context = call->cancel_context,
        .clock = call->mono,
        .clock_context = call->mono_context,
    };
}

void mgi_ev_stopped(struct evaluation *ev, enum mangle_status status)
{
    const struct intent_call *call = ev->call;
    struct mangle_error error = { .message = "windows and proofs take too long" };
    if (!mgi_ev_goes_on(ev))
        return;
    error.limit.kind = MANGLE_LIMIT_TIME;
    error.limit.rule = SIZE_MAX;
    error.limit.consumed = call->mono ? call->mono(call->mono_context) - ev->started_ns : 0;
    engine_fault(ev, status, &error);
}

/* Who may not ask learns nothing from how far an evaluation got: permission comes first (gate 10b),
 * though it is derived in the same run. Here it is asked for alone: without intent_type few rules
 * have anything to do; where some do, the limits are short and the fault is what is reported. */
static bool permission_before_fault(struct evaluation *ev)
{
    mangle_overlay_reset(ev->overlay);
    struct telling t = { .ev = ev };
    struct mangle_limits limits = mgi_ev_limits(ev);
    limits.max_facts = ev->s->settings.limits.max_derived_facts;
    limits.max_intervals = ev->s->settings.limits.max_intervals_per_atom;
    if (limits.timeout_ns) /* though nothing may be left */
        limits.timeout_ns = PERMISSION_TIMEOUT_NS;
    tell_caller(&t);
    tell1(&t, ev->s->pred.permission_for, ev->request.name);
    if (!t.status)
        t.status = run_rules(ev, &limits, NULL, &t.error);
    return t.status || check_permission(ev);
}

/* Where the server is set to refuse it: the rules for this intent may not end (P-EVAL-7). */
static bool hazard_fault(struct evaluation *ev, const struct hazard *hazard)
{
    struct buf text = { 0 };
    struct json_writer w;
    if (!permission_before_fault(ev))
        return false;
    mgi_json_writer_init(&w, &text, 0);
    mgi_jw_begin_object(&w);
    mgi_jw_key(&w, "predicates");
    mgi_jw_begin_array(&w);
    for (size_t i = 0; i < hazard->pred_count; i++)
        mgi_jw_string(&w, hazard->preds[i]);
    mgi_jw_end_array(&w);
    mgi_jw_member_cstr(&w, "hazard", hazard->what);
    mgi_jw_end_object(&w);
    mgi_wire_error(ev->e, ev->arena, WIRE_INVALID_TEMPORAL_PATTERN,
                   "The rules for this intent recurse through time and may not end.");
    mgi_wire_details(ev->e, ev->arena, &text);
    mgi_buf_fini(&text);
    return false;
}

/* t->status is what became of it. False: memory, or a fault that was said. */
static bool tell_and_run(struct telling *t)
{
    struct evaluation *ev = t->ev;
    if (!mgi_vouch_for_facts(ev))
        return false;
    tell_caller(t);
    if (!tell_params(t, tell_intent(t)))
        return false;
    tell_facts(t);
    struct mangle_limits limits = mgi_ev_limits(ev);
    if (!t->status)
        t->status = run_rules(ev, &limits, &ev->stats, &t->error);
    return true;
}

bool mgi_intent_derive(struct evaluation *ev)
{
    ev->listed = find_listed(ev->s, ev->request.name);
    if (!check_facts(ev))
        return false;
    const struct hazard *hazard =
        ev->s->settings.strict_time ? mgi_snapshot_hazard(ev->s, ev->request.name) : NULL;
    if (hazard)
        return hazard_fault(ev, hazard);
    struct telling t = { .ev = ev };
    if (!tell_and_run(&t))
        return false;
    if (!t.status)
        return check_permission(ev);
    if (t.status == MANGLE_ERR_CANCELLED || t.status == MANGLE_ERR_NOMEM ||
        permission_before_fault(ev))
        engine_fault(ev, t.status, &t.error);
    return false;
}

bool mgi_intent_derive_again(struct evaluation *ev, int64_t told_ns)
{
    struct fact_rules rules = { 0 };
    struct telling t = { .ev = ev };
    ev->listed = find_listed(ev->s, ev->request.name);
    if (!mgi_facts_decode(ev->arena, ev->values, &ev->s->profile, &rules, ev->request.facts,
                          told_ns, &ev->facts)) {
        ev->nomem = true;
        return false;
    }
    if (ev->facts.fault_count > 0)
        return true;
    if (!tell_and_run(&t))
        return false;
    if (t.status)
        engine_fault(ev, t.status, &t.error);
    return !t.status;
}
