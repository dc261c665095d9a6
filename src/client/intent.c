/* An intent: what of the client's knowledge it needs, and whether the server will take it.
 *
 * Everything is checked before anything is sent, and all faults are noted. What is sent is what the
 * manifest lists for the intent (P-MIN-1, P-MIN-2). */
#include <inttypes.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/time.h"
#include "base/utf8.h"
#include "client/client_int.h"
#include "client/facts_int.h"
#include "protocol/wire_time.h"

#define MAX_NAMES     20 /* of intents in one message */
#define MEANING_BYTES 200

#define UPGRADE "disclosure_upgrade"

/* ---- which facts --------------------------------------------------------------------------- */

static bool add_all(struct strmap *preds, const struct str *names, uint32_t count)
{
    bool ok = true;
    for (uint32_t i = 0; i < count && ok; i++)
        ok = mgi_pred_set_add(preds, names[i]);
    return ok;
}

/* Does any intent of the manifest say what it wants? */
static bool manifest_says(const struct manifest *m)
{
    for (uint32_t i = 0; i < m->intent_count; i++)
        if (m->intents[i].required_count + m->intents[i].optional_count > 0)
            return true;
    return false;
}

/* The predicates whose facts go along. *all: there is no telling, so all do. False: memory. */
static bool wanted_predicates(const struct manifest *m, const struct manifest_intent *e,
                              struct strmap *preds, bool *all)
{
    bool ok = mgi_pred_set_add(preds, STR_LIT(UPGRADE));
    *all = !manifest_says(m) && !m->profile.closed;
    if (e && manifest_says(m))
        return ok && add_all(preds, e->required, e->required_count) &&
               add_all(preds, e->optional, e->optional_count);
    for (size_t i = 0; i < m->profile.count && ok; i++)
        if (m->profile.schemas[i].direction != DIRECTION_OUTPUT)
            ok = mgi_pred_set_add(preds, m->profile.schemas[i].predicate);
    return ok && add_all(preds, m->open_names, m->open_count);
}

/* ---- checks -------------------------------------------------------------------------------- */

static void check_name(manglecp_client *c, const char *name, const struct manifest_intent *e)
{
    struct buf names = { 0 };
    const struct manifest *m = c->manifest;
    if (e || m->intent_count == 0)
        return;
    for (uint32_t i = 0; i < m->intent_count && i < MAX_NAMES; i++)
        mgi_buf_printf(&names, "%s%.*s", i ? ", " : "", STR_ARG(m->intents[i].name));
    mgi_buf_puts(&names, m->intent_count > MAX_NAMES ? ", ..." : "");
    mgi_problem(c, "/intent/name", "unknown_intent", "the server lists no intent \"%s\"; it has %s",
                name, names.ptr ? names.ptr : "");
    mgi_buf_fini(&names);
}

static void check_constraints(manglecp_client *c, const struct manglecp_intent *intent)
{
    const struct {
        const char *where;
        const int64_t *value;
        int64_t least; /* D-27 */
    } rows[] = {
        { "/constraints/max_tools_returned", intent->max_tools, 0 },
        { "/constraints/max_tokens_budget", intent->max_tokens, 0 },
        { "/constraints/max_facts_created", intent->max_facts_created, 1 },
        { "/constraints/max_intervals_per_atom", intent->max_intervals_per_atom, 1 },
        { "/constraints/max_compute_ms", intent->max_compute_ms, 1 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].value && *rows[i].value < rows[i].least)
            mgi_problem(c, rows[i].where, "minimum", "must be %" PRId64 " or more, and is %" PRId64,
                        rows[i].least, *rows[i].value);
}

static void note_violation(manglecp_client *c, const struct violation *v)
{
    const char *where = mgi_arena_printf(&c->last, "/facts/%u", v->fact_index);
    const char *pred = mgi_show(&c->last, v->predicate, 60);
    const char *hint = v->suggestion ? mgi_show(&c->last, str_of(v->suggestion), 130) : NULL;
    if (where)
        mgi_problem(c, where, v->issue, "%s%s%s%s%s%s", pred, pred[0] ? ": " : "", v->message,
                    hint ? "; did you mean " : "", hint ? hint : "", hint ? "?" : "");
}

/* Hold the array `facts` against the manifest (P-SCHEMA-9). False: memory. */
static bool check_facts(manglecp_client *c, const struct json *facts, int64_t now_ns)
{
    const struct manifest *m = c->manifest;
    struct fact_rules rules = { .open_names = m->open_names, .open_count = m->open_count };
    struct fact_list list;
    if (!mgi_facts_decode(&c->last, NULL, &m->profile, &rules, facts, now_ns, &list))
        return false;
    for (size_t i = 0; i < list.violation_count; i++)
        note_violation(c, &list.violations[i]);
    return true;
}

static bool is_sent(const struct json *facts, struct str pred)
{
    for (uint32_t i = 0; i < facts->count; i++) {
        const struct json *p = mgi_json_get(&facts->items[i], "pred");
        if (p && p->type == JSON_STRING && str_eq(p->string, pred))
            return true;
    }
    return false;
}

/* What a fact says, in the words of the domain: perhaps also where it comes from. */
static void put_meaning(struct buf *out, const struct pred_schema *schema)
{
    if (schema && schema->description.len > 0)
        mgi_buf_printf(out, "; %.*s: %.*s", STR_ARG(schema->predicate),
                       STR_ARG(mgi_utf8_prefix(schema->description, MEANING_BYTES)));
}

static void check_required(manglecp_client *c, const struct manifest_intent *e,
                           const struct json *facts)
{
    struct buf names = { 0 }, what = { 0 };
    for (uint32_t i = 0; e && i < e->required_count; i++)
        if (!is_sent(facts, e->required[i])) {
            mgi_buf_printf(&names, "%s%.*s", names.len ? ", " : "", STR_ARG(e->required[i]));
            put_meaning(&what, mgi_profile_find(&c->manifest->profile, e->required[i]));
        }
    if (names.len)
        mgi_problem(c, "/facts", "missing_facts", "%.*s needs facts of %s, and there are none%s",
                    STR_ARG(e->name), names.ptr, what.len ? what.ptr : "");
    mgi_buf_fini(&names);
    mgi_buf_fini(&what);
}

static void check_count(manglecp_client *c, const struct json *facts)
{
    if (facts->count > (uint64_t)c->manifest->max_facts)
        mgi_problem(c, "/facts", "too_many_facts",
                    "%u facts, and the server takes %" PRId64 " in one request", facts->count,
                    c->manifest->max_facts);
}

/* ---- the facts of a request ------------------------------------------------------------------ */

/* One more fact, as it is sent; what is known and goes along already is not sent twice (D-49), but
 * with a signature that it has not yet. What has not the shape of a fact goes as it is: it is
 * looked at with the others. False: memory. */
static bool write_one_more(struct json_writer *w, const struct manglecp_facts *sent,
                           const struct strmap *preds, const struct json *v)
{
    if (mgi_fact_fault(v)) {
        mgi_jw_value(w, v);
        return true;
    }
    struct known_fact *f = mgi_fact_keep(v, NULL, 0);
    uint32_t ignored;
    if (!f)
        return false;
    size_t at = sent ? mgi_facts_find(sent, f->key) : SIZE_MAX;
    bool goes_along = at != SIZE_MAX && (sent->items[at]->is_signed || !f->is_signed) &&
                      (!preds || mgi_strmap_get(preds, f->pred, &ignored));
    if (!goes_along)
        mgi_jw_raw(w, f->text);
    mgi_free(f);
    return true;
}

/* Elements of the array `json` behind what `w` has: the facts of `sent` whose predicates are in
 * `preds` (NULL: all). */
static bool write_more(manglecp_client *c, struct json_writer *w, const struct manglecp_facts *sent,
                       const struct strmap *preds, const char *json)
{
    struct json v;
    struct json_error e;
    bool ok = true;
    enum json_fault fault = mgi_json_parse(&c->last, str_of(json), NULL, &v, &e);
    if (fault == JSON_NOMEM)
        return false;
    if (fault)
        mgi_problem(c, "/facts", "json", "column %u: %s", e.column, e.message);
    else if (v.type != JSON_ARRAY)
        mgi_problem(c, "/facts", "type", "must be a JSON array");
    for (uint32_t i = 0; !fault && v.type == JSON_ARRAY && i < v.count && ok; i++)
        ok = write_one_more(w, sent, preds, &v.items[i]);
    return ok;
}

static bool parse_facts(manglecp_client *c, const struct buf *text, struct json *out)
{
    struct str kept = mgi_arena_str(&c->last, mgi_buf_view(text));
    return !text->oom && kept.ptr && mgi_json_parse(&c->last, kept, NULL, out, NULL) == JSON_OK;
}

/* With know_all every working fact must be one that the server declares, sent or not. */
static bool check_known(manglecp_client *c, const struct manglecp_facts *facts, int64_t now_ns)
{
    struct buf text = { 0 };
    struct json_writer w;
    struct json all;
    mgi_json_writer_init(&w, &text, 0);
    mgi_jw_begin_array(&w);
    mgi_facts_write(&w, facts, NULL);
    mgi_jw_end_array(&w);
    bool ok = parse_facts(c, &text, &all) && check_facts(c, &all, now_ns);
    mgi_buf_fini(&text);
    return ok;
}

struct selection {
    struct json facts; /* the array that is sent */
    const char **left_out;
    size_t left_out_count;
};

/* Choose the facts, and check them. False: memory. */
static bool select_facts(manglecp_client *c, const struct manglecp_intent *intent,
                         const struct manifest_intent *e, const struct manglecp_facts *facts,
                         const char *upgrade, int64_t now_ns, struct selection *out)
{
    struct strmap preds;
    struct buf text = { 0 };
    struct json_writer w;
    bool all = false;
    mgi_strmap_init(&preds);
    bool ok = wanted_predicates(c->manifest, e, &preds, &all);
    mgi_json_writer_init(&w, &text, 0);
    mgi_jw_begin_array(&w);
    if (ok && facts && intent->know_all)
        ok = check_known(c, facts, now_ns);
    bool known_checked = facts && intent->know_all && c->problem_count > 0;
    if (ok && facts) {
        mgi_facts_write(&w, facts, all ? NULL : &preds);
        if (!all)
            ok = mgi_facts_others(facts, &preds, &c->last, &out->left_out, &out->left_out_count);
    }
    if (ok && intent->more_facts)
        ok = write_more(c, &w, facts, all ? NULL : &preds, intent->more_facts);
    if (upgrade) {
        mgi_jw_begin_object(&w);
        mgi_jw_member_cstr(&w, "pred", UPGRADE);
        mgi_jw_key(&w, "args");
        mgi_jw_begin_array(&w);
        mgi_jw_cstring(&w, upgrade);
        mgi_jw_end_array(&w);
        mgi_jw_end_object(&w);
    }
    mgi_jw_end_array(&w);
    ok = ok && parse_facts(c, &text, &out->facts) &&
         (known_checked || check_facts(c, &out->facts, now_ns));
    mgi_strmap_fini(&preds);
    mgi_buf_fini(&text);
    return ok;
}

/* ---- the payload ----------------------------------------------------------------------------- */

static void write_limit(struct json_writer *w, const char *name, const int64_t *value)
{
    if (value)
        mgi_jw_member_int(w, name, *value);
}

static void write_payload(struct buf *out, const struct manglecp_intent *intent,
                          const struct json *params, const struct json *facts,
                          const int64_t *eval_time_ns)
{
    static const char *const levels[] = { "adaptive", "minimal", "condensed", "full" };
    struct json_writer w;
    mgi_json_writer_init(&w, out, 0);
    mgi_jw_begin_object(&w);
    mgi_jw_key(&w, "intent");
    mgi_jw_begin_object(&w);
    mgi_jw_member_cstr(&w, "name", intent->name);
    mgi_jw_key(&w, "params");
    mgi_jw_value(&w, params);
    mgi_jw_end_object(&w);
    mgi_jw_key(&w, "facts");
    mgi_jw_raw(&w, facts->text);
    if (eval_time_ns) {
        mgi_jw_key(&w, "eval_time");
        mgi_wire_time_write(&w, *eval_time_ns);
    }
    mgi_jw_key(&w, "constraints");
    mgi_jw_begin_object(&w);
    write_limit(&w, "max_tools_returned", intent->max_tools);
    write_limit(&w, "max_tokens_budget", intent->max_tokens);
    write_limit(&w, "max_facts_created", intent->max_facts_created);
    write_limit(&w, "max_intervals_per_atom", intent->max_intervals_per_atom);
    write_limit(&w, "max_compute_ms", intent->max_compute_ms);
    mgi_jw_end_object(&w);
    mgi_jw_key(&w, "options");
    mgi_jw_begin_object(&w);
    mgi_jw_member_bool(&w, "include_proof_hints", intent->proofs);
    if (intent->level != MANGLECP_LEVEL_ADAPTIVE)
        mgi_jw_member_cstr(&w, "disclosure_preference", levels[intent->level]);
    mgi_jw_end_object(&w);
    mgi_jw_end_object(&w);
}

/* ---- remembering ----------------------------------------------------------------------------- */

/* Keep what was asked beside the answer, so that it can be asked again. */
static bool remember(struct manglecp_tools *t, const struct manglecp_intent *intent,
                     const struct json *params, const struct selection *s)
{
    const int64_t *from[] = { intent->eval_time_ns,
                              intent->max_tools,
                              intent->max_tokens,
                              intent->max_facts_created,
                              intent->max_intervals_per_atom,
                              intent->max_compute_ms };
    const int64_t **to[] = { &t->intent.eval_time_ns,
                             &t->intent.max_tools,
                             &t->intent.max_tokens,
                             &t->intent.max_facts_created,
                             &t->intent.max_intervals_per_atom,
                             &t->intent.max_compute_ms };
    t->intent = (struct manglecp_intent){ .server_time = intent->server_time,
                                          .level = intent->level,
                                          .proofs = intent->proofs };
    for (size_t i = 0; i < sizeof from / sizeof *from; i++)
        if (from[i]) {
            t->numbers[i] = *from[i];
            *to[i] = &t->numbers[i];
        }
    t->intent.name = mgi_arena_strdup(&t->arena, intent->name);
    t->intent.params_json = mgi_arena_str(&t->arena, params->text).ptr;
    t->facts = mgi_arena_str(&t->arena, s->facts.text).ptr;
    t->left_out = mgi_arena_calloc(&t->arena, s->left_out_count + 1, sizeof *t->left_out);
    for (size_t i = 0; t->left_out && i < s->left_out_count; i++)
        t->left_out[t->left_out_count++] = mgi_arena_strdup(&t->arena, s->left_out[i]);
    return !t->arena.oom;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static enum manglecp_status send_intent(manglecp_client *c, const struct manglecp_intent *intent,
                                        const struct json *params, const struct selection *s,
                                        const int64_t *eval_time_ns, struct manglecp_tools **out)
{
    struct buf payload = { 0 };
    struct question q = { .type = MSG_INTENT_REQUEST, .why_not = intent->why_not };
    write_payload(&payload, intent, params, &s->facts, eval_time_ns);
    q.payload = mgi_buf_view(&payload);
    enum manglecp_status status = payload.oom ? MANGLECP_ERR_NOMEM : mgi_session_ask(c, &q);
    mgi_buf_fini(&payload);
    if (!status)
        status = mgi_tools_read(c, mgi_buf_view(&c->in.text), out);
    if (!status && !remember(*out, intent, params, s)) {
        manglecp_tools_free(*out);
        *out = NULL;
        status = MANGLECP_ERR_NOMEM;
    }
    return status;
}

enum manglecp_status mgi_evaluate(manglecp_client *c, const struct manglecp_intent *intent,
                                  const struct manglecp_facts *facts, const char *upgrade,
                                  struct manglecp_tools **out)
{
    const struct json *params = NULL;
    struct selection s = { 0 };
    struct object_source source = { intent->params, intent->param_count, intent->params_json };
    *out = NULL;
    if (!intent->name || !intent->name[0])
        return mgi_fail(c, MANGLECP_ERR_USAGE, "an intent needs a name");
    const struct manifest_intent *e = mgi_manifest_intent(c->manifest, str_of(intent->name));
    int64_t now_ns = intent->eval_time_ns ? *intent->eval_time_ns : mgi_client_now_ns(c);
    bool says_time = intent->eval_time_ns || !intent->server_time; /* P-TIME-12 */

    check_name(c, intent->name, e);
    check_constraints(c, intent);
    enum manglecp_status status = mgi_object_make(c, "/intent/params", &source, NULL, &params);
    if (status == MANGLECP_ERR_NOMEM || !select_facts(c, intent, e, facts, upgrade, now_ns, &s))
        return MANGLECP_ERR_NOMEM;
    check_required(c, e, &s.facts);
    check_count(c, &s.facts);
    status = mgi_problems_status(c);
    return status ? status : send_intent(c, intent, params, &s, says_time ? &now_ns : NULL, out);
}

enum manglecp_status manglecp_evaluate(manglecp_client *c, const struct manglecp_intent *intent,
                                       const manglecp_facts *facts, manglecp_tools **out)
{
    *out = NULL;
    mgi_client_begin(c);
    /* A server that is booting does not say yet which facts it takes. */
    enum manglecp_status status =
        c->manifest->state == MANGLECP_BOOTING ? mgi_session_prepare(c) : MANGLECP_OK;
    return status ? status : mgi_evaluate(c, intent, facts, NULL, out);
}
