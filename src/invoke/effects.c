/* What the rules say about an outcome: rules/effects of the domain, evaluated on what ran and what
 * came out, without the intent and its facts. Where nothing says anything of outcomes, no rule
 * runs. */
#include "invoke/invoke_int.h"

/* Of a plain result: written and read again in some ten microseconds. */
#define PLAIN_STEPS 8
#define PLAIN_BYTES 4096

/* ---- telling ----------------------------------------------------------------------------- */

/* The facts that the tools asserted, as facts of their predicates. */
static void tell_delta(struct telling *t, const struct invocation *inv)
{
    for (size_t i = 0; i < inv->asserts.count; i++) {
        const struct delta_fact *f = &inv->asserts.items[i];
        const struct pred_schema *schema = mgi_profile_find(&inv->snapshot->profile, f->pred);
        if (!f->dropped && schema && schema->arity == f->count)
            mgi_tell(t, schema->pred, f->args, f->count, f->has_t ? &f->t : NULL);
    }
}

/* False: not all that actions told as evidence could be told. */
static bool tell_all(struct invocation *inv, const struct json *result)
{
    const struct interface *p = &inv->snapshot->pred;
    struct telling t = { .inv = inv,
                         .overlay = inv->overlay,
                         .values = inv->values,
                         .arena = inv->arena,
                         .nomem = inv->nomem };
    mgi_tell(&t, p->invoked, (mangle_value[]){ mgi_tell_text(&t, inv->tool->name) }, 1, NULL);
    mgi_tell_arguments(&t);
    for (size_t i = 0; i < inv->run_count; i++)
        mgi_tell_run(&t, &inv->runs[i]);
    mangle_value v = result ? mgi_tell_object(&t, result) : MANGLE_NONE;
    if (v != MANGLE_NONE)
        mgi_tell(&t, p->result, &v, 1, NULL);
    tell_delta(&t, inv);
    bool whole = mgi_step_evidence_tell(&t);
    inv->nomem = t.nomem;
    return whole;
}

/* ---- hearing ----------------------------------------------------------------------------- */

static const struct mangle_fact *facts_of(struct invocation *inv, mangle_pred pred, size_t *count)
{
    const struct mangle_fact *facts = NULL;
    *count = 0;
    if (pred == MANGLE_NO_PRED)
        return NULL;
    if (mangle_overlay_facts(inv->overlay, pred, &facts, count) != MANGLE_OK) {
        inv->nomem = true;
        *count = 0;
    }
    return facts;
}

/* The text of a string; ptr NULL for any other kind. */
static struct str text_of(struct invocation *inv, mangle_value v)
{
    struct str s = { NULL, 0 };
    if (mangle_kind_of(inv->values, v) == MANGLE_STRING)
        s.ptr = mangle_text_of(inv->values, v, &s.len);
    return s;
}

static bool is_name(struct invocation *inv, mangle_value v, const char *name)
{
    size_t len;
    if (mangle_kind_of(inv->values, v) != MANGLE_NAME)
        return false;
    const char *text = mangle_text_of(inv->values, v, &len);
    return str_is((struct str){ text, len }, name);
}

/* pred and args of an answer: Pred a string, Args a list. /any in a pattern is the wildcard. */
static bool read_fact(struct invocation *inv, const mangle_value *args, bool pattern,
                      struct delta_fact *out)
{
    out->pred = text_of(inv, args[0]);
    if (!out->pred.ptr || mangle_kind_of(inv->values, args[1]) != MANGLE_LIST)
        return false;
    size_t count = mangle_count_of(inv->values, args[1]);
    mangle_value *values = mgi_arena_calloc(inv->arena, count + 1, sizeof *values);
    mangle_value cursor = args[1], key, value;
    if (!values)
        return false;
    out->args = values;
    out->count = (uint32_t)count;
    while (mangle_next(inv->values, &cursor, &key, &value))
        *values++ = pattern && is_name(inv, value, "/any") ? MANGLE_NONE : value;
    return true;
}

static void complain(struct invocation *inv, struct effects *out, const char *pred)
{
    if (mgi_str_starts(str_of(pred), STR_LIT("delta_")))
        out->incomplete = "A change that the rules describe could not be understood.";
    mgi_log(inv->call.log, LOG_WARN,
            "%.*s: a %s is not of the form the server expects and was left out",
            STR_ARG(inv->tool->name), pred);
}

/* The server stands for what a rule calls "server"; the rest was worked out from whatever came in.
 */
static bool read_category(struct invocation *inv, mangle_value v, struct delta_fact *out)
{
    out->category = text_of(inv, v);
    out->source_type = str_is(out->category, "server") ? STR_LIT("server") : STR_LIT("derived");
    return str_is(out->category, "server") || str_is(out->category, "session") ||
           str_is(out->category, "derived");
}

/* Merging compares retractions with assertions: their number is bounded, and so is that. */
static size_t room_for(struct invocation *inv, struct effects *out, size_t count)
{
    size_t taken = inv->asserts.count + inv->retracts.count;
    size_t room = taken < DELTA_MAX_ENTRIES ? DELTA_MAX_ENTRIES - taken : 0;
    if (count <= room)
        return count;
    out->incomplete = "More changed than can be told.";
    mgi_log(inv->call.log, LOG_WARN, "%.*s: the effects rules say more than %d changes",
            STR_ARG(inv->tool->name), DELTA_MAX_ENTRIES);
    return room;
}

static void hear_asserts(struct invocation *inv, struct effects *out)
{
    size_t count;
    const struct mangle_fact *f = facts_of(inv, inv->snapshot->pred.delta_assert, &count);
    count = room_for(inv, out, count);
    for (size_t i = 0; i < count; i++) {
        struct delta_fact fact = { 0 };
        if (!read_fact(inv, f[i].args, false, &fact) || !read_category(inv, f[i].args[2], &fact))
            complain(inv, out, "delta_assert");
        else
            inv->nomem |= !mgi_delta_assert(inv, &fact);
    }
}

static bool read_instant(struct invocation *inv, mangle_value v, int64_t open, int64_t *out)
{
    if (is_name(inv, v, "/open")) {
        *out = open;
        return true;
    }
    if (mangle_kind_of(inv->values, v) != MANGLE_TIME)
        return false;
    *out = mangle_int_of(inv->values, v);
    return true;
}

static void hear_asserts_during(struct invocation *inv, struct effects *out)
{
    size_t count;
    const struct mangle_fact *f = facts_of(inv, inv->snapshot->pred.delta_assert_during, &count);
    count = room_for(inv, out, count);
    for (size_t i = 0; i < count; i++) {
        struct delta_fact fact = { .has_t = true };
        if (!read_fact(inv, f[i].args, false, &fact) || !read_category(inv, f[i].args[2], &fact) ||
            !read_instant(inv, f[i].args[3], MANGLE_MIN_TIME, &fact.t.start_ns) ||
            !read_instant(inv, f[i].args[4], MANGLE_MAX_TIME, &fact.t.end_ns) ||
            fact.t.start_ns > fact.t.end_ns)
            complain(inv, out, "delta_assert_during");
        else
            inv->nomem |= !mgi_delta_assert(inv, &fact);
    }
}

static void hear_retracts(struct invocation *inv, struct effects *out)
{
    size_t count;
    const struct mangle_fact *f = facts_of(inv, inv->snapshot->pred.delta_retract, &count);
    count = room_for(inv, out, count);
    for (size_t i = 0; i < count; i++) {
        struct delta_fact fact = { 0 };
        if (!read_fact(inv, f[i].args, true, &fact))
            complain(inv, out, "delta_retract");
        else
            inv->nomem |= !mgi_delta_retract(inv, &fact);
    }
}

static void hear_suggestions(struct invocation *inv, struct effects *out)
{
    size_t count;
    const struct mangle_fact *f = facts_of(inv, inv->snapshot->pred.suggest_intent, &count);
    out->suggestions = mgi_arena_calloc(inv->arena, count + 1, sizeof *out->suggestions);
    if (!out->suggestions) {
        inv->nomem = true;
        return;
    }
    for (size_t i = 0; i < count; i++) {
        struct suggestion s = { text_of(inv, f[i].args[0]), text_of(inv, f[i].args[1]),
                                f[i].args[0] };
        if (s.name.ptr && s.name.len > 0)
            out->suggestions[out->suggestion_count++] = s;
        else
            complain(inv, out, "suggest_intent");
    }
}

static void hear_continuation(struct invocation *inv, struct effects *out)
{
    size_t count;
    const struct mangle_fact *f = facts_of(inv, inv->snapshot->pred.continuation_fact, &count);
    for (size_t i = 0; i < count; i++) {
        struct delta_fact fact = { .source_type = STR_LIT("server"),
                                   .category = STR_LIT("session") };
        if (!read_fact(inv, f[i].args, false, &fact))
            complain(inv, out, "continuation_fact");
        else if (mgi_delta_acceptable(inv, &fact)) {
            struct fact_vec *to = &out->continuation;
            if (mgi_arena_grow(inv->arena, &to->items, &to->cap, to->count + 1, sizeof *to->items))
                to->items[to->count++] = fact;
            else
                inv->nomem = true;
        }
    }
}

static void hear_members(struct invocation *inv, struct effects *out)
{
    size_t count;
    const struct mangle_fact *f = facts_of(inv, inv->snapshot->pred.result_member, &count);
    struct buf text = { 0 };
    struct json_writer w;
    struct str last = { NULL, 0 };
    struct json *members = count ? mgi_arena_calloc(inv->arena, 1, sizeof *members) : NULL;
    if (!members) {
        inv->nomem |= count > 0;
        return;
    }
    mgi_json_writer_init(&w, &text, 0);
    mgi_jw_begin_object(&w);
    for (size_t i = 0; i < count; i++) {
        struct str name = text_of(inv, f[i].args[0]);
        if (!name.ptr)
            complain(inv, out, "result_member");
        else if (!last.ptr || !str_eq(last, name)) { /* facts are sorted */
            mgi_jw_key_str(&w, name);
            mgi_value_to_json(&w, inv->values, f[i].args[1]);
            last = name;
        }
    }
    mgi_jw_end_object(&w);
    if (mgi_json_take(inv->arena, &text, members))
        out->members = members;
    else
        inv->nomem = true;
}

static void hear_summary(struct invocation *inv, struct effects *out)
{
    size_t count;
    const struct mangle_fact *f = facts_of(inv, inv->snapshot->pred.execution_summary, &count);
    for (size_t i = 0; i < count && out->summary.len == 0; i++)
        out->summary = text_of(inv, f[i].args[0]);
}

void mgi_suggestion_write(struct invocation *inv, struct json_writer *w, const struct suggestion *s)
{
    size_t count;
    const struct mangle_fact *f = facts_of(inv, inv->snapshot->pred.suggest_param, &count);
    mgi_jw_begin_object(w);
    mgi_jw_member_str(w, "name", s->name);
    mgi_jw_key(w, "params");
    mgi_jw_begin_object(w);
    struct str last = { NULL, 0 };
    for (size_t i = 0; i < count; i++) {
        struct str key = text_of(inv, f[i].args[1]);
        if (f[i].args[0] != s->value || !key.ptr || (last.ptr && str_eq(last, key)))
            continue; /* facts are sorted: the first of several values wins */
        mgi_jw_key_str(w, key);
        mgi_value_to_json(w, inv->values, f[i].args[2]);
        last = key;
    }
    mgi_jw_end_object(w);
    mgi_jw_member_str(w, "description", s->description);
    mgi_jw_end_object(w);
}

/* ---- both -------------------------------------------------------------------------------- */

static enum mangle_status derive(struct invocation *inv, struct mangle_error *err)
{
    if (inv->nomem)
        return MANGLE_ERR_NOMEM;
    return mgi_tell_rules(inv, inv->overlay, inv->call.cancelled, inv->call.context, err);
}

/* For clients: what failed, but no text of rules. */
static const char *told_as(enum mangle_status status)
{
    switch (status) {
    case MANGLE_ERR_LIMIT:
        return "Deriving what changed reached a limit of the server.";
    case MANGLE_ERR_NOMEM:
        return "The server ran out of memory while it derived what changed.";
    default:
        return "A rule that derives what changed has failed.";
    }
}

static void hear_all(struct invocation *inv, struct effects *out)
{
    hear_retracts(inv, out); /* first: "drop the old position, add the new one" keeps the new one */
    hear_asserts(inv, out);
    hear_asserts_during(inv, out);
    hear_suggestions(inv, out);
    hear_continuation(inv, out);
    hear_members(inv, out);
    hear_summary(inv, out);
    if (inv->nomem) {
        out->incomplete = told_as(MANGLE_ERR_NOMEM);
        out->partly_told = true;
    }
}

static bool has_effects_rules(const struct invocation *inv)
{
    bool counts = inv->call.notes && inv->call.notes->fired; /* somebody wants to know what fires */
    return inv->snapshot->speaks_of_outcomes || counts;
}

bool mgi_invocation_is_plain(const struct invocation *inv)
{
    size_t bytes = 0;
    if (inv->asking || inv->chain_ended || inv->undone || inv->tool->output ||
        inv->macro.bound_count > 0 || inv->run_count > PLAIN_STEPS || has_effects_rules(inv))
        return false;
    for (size_t i = 0; i < inv->run_count; i++) {
        const struct step_run *run = &inv->runs[i];
        if (mgi_run_has_items(run) || run->asserts.count + run->retracts.count > 0)
            return false;
        bytes += run->has_output ? run->output.text.len : 0;
    }
    return bytes <= PLAIN_BYTES;
}

void mgi_effects(struct invocation *inv, const struct json *result, struct effects *out)
{
    struct mangle_error err = { 0 };
    *out = (struct effects){ 0 };
    if (!has_effects_rules(inv))
        return;
    if (!mgi_delta_ready(inv)) {
        out->incomplete = told_as(MANGLE_ERR_NOMEM);
        out->partly_told = true;
        return;
    }
    if (!tell_all(inv, result)) {
        out->incomplete = "More was seen than rules can be told.";
        out->partly_told = true;
    }
    enum mangle_status status = derive(inv, &err);
    if (!status) {
        hear_all(inv, out);
    } else if (status == MANGLE_ERR_CANCELLED) {
        out->cancelled = true;
    } else {
        out->incomplete = told_as(status);
        out->partly_told = true;
        mgi_log(inv->call.log, LOG_ERROR, "%.*s: the effects rules could not be evaluated: %s%s%s",
                STR_ARG(inv->tool->name), mangle_status_text(status), err.message[0] ? ": " : "",
                mgi_invocation_masked(inv, result, err.message));
    }
}
