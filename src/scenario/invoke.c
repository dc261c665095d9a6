/* `invoke` of a scenario: a tool of the answer is called as a client would call it, through the
 * gates, the chain and the effects rules of src/invoke. Only the actions are played. */
#include <inttypes.h>

#include "scenario/scenario_int.h"

#define MOST_QUESTIONS 1000 /* that are agreed to, of one invocation */

static const char *const invoke_keys[] = { "tool",    "args",       "consent", "eval_time",
                                           "actions", "selections", "expect",  NULL };

struct attempt {
    bool reserved, ran;
    struct run *run;
    struct wire_error *error;
};

/* ---- the steps of invoke/invoke.h ---------------------------------------------------------- */

static void on_reserved(void *context, const struct wire_error *e)
{
    struct attempt *a = context;
    a->reserved = true;
    if (!e)
        return;
    *a->error = *e; /* its message is a constant */
    a->error->details = mgi_arena_str(a->run->yaml.arena, e->details);
}

static void on_ran(void *context)
{
    ((struct attempt *)context)->ran = true;
}

/* Whoever wrote the scenario consents. */
static bool approved(void *context, struct str challenge, struct buf *by)
{
    (void)by;
    (void)context;
    return challenge.len > 0;
}

/* Until it is over, or asks a person. */
static void run_chain(struct invocation *inv, struct attempt *a, struct buf *out)
{
    struct run *r = a->run;
    if (!mgi_invocation_reserve(inv, on_reserved))
        mgi_player_await(r, &a->reserved);
    if (a->error->code ||
        (mgi_invocation_is_consented(inv) && !mgi_invocation_spend(inv, a->error)))
        return;
    if (!mgi_invocation_run(inv, on_ran))
        mgi_player_await(r, &a->ran);
    mgi_invocation_conclude(inv, mgi_intent_worker_overlay(r->worker, r->s), out, a->error);
}

/* The one that asks goes on, as `by` has the answer. */
static void go_on(struct invocation *by, const struct invoke_call *call, struct attempt *a,
                  struct buf *out)
{
    struct run *r = a->run;
    if (!mgi_invocation_spend(by, a->error))
        return;
    mgi_invocation_rehost(r->asking, r->yaml.arena, call, by);
    if (!mgi_invocation_go_on(r->asking, NULL, on_ran))
        mgi_player_await(r, &a->ran);
    mgi_invocation_conclude(r->asking, mgi_intent_worker_overlay(r->worker, r->s), out, a->error);
}

/* What asks is kept, or goes on being kept; of the rest nothing is needed any more. */
static void keep_or_free(struct run *r, struct invocation *inv)
{
    struct invocation *ran = r->asking ? r->asking : inv;
    bool asks = ran && mgi_invocation_asks(ran);
    if (ran != inv)
        mgi_invocation_free(inv);
    if (!asks)
        mgi_invocation_free(ran);
    r->asking = asks ? ran : NULL;
}

static bool note_question(struct run *r, const struct outcome *o)
{
    const struct json *question = mgi_json_get(mgi_json_get(&o->answer, "show"), "question");
    if (!r->asking || !question)
        return true;
    if (!mgi_arena_grow(r->yaml.arena, &r->asked, &r->asked_cap, r->asked_count + 1,
                        sizeof *r->asked))
        return false;
    r->asked[r->asked_count++] = question->string;
    return true;
}

/* One invoke_request and what is answered. False: memory. */
static bool call_tool(struct run *r, const struct json *payload, struct outcome *o)
{
    const struct confirmation_keys keys = { .server_key = STR_LIT("the key of a scenario"),
                                            .approved = approved };
    const char *id = mgi_arena_printf(r->yaml.arena, "%032" PRIx32, ++r->serial);
    struct attempt a = { .run = r, .error = &o->error };
    struct invoke_notes notes = { .fired = r->fired };
    const struct menu_pickers pickers = mgi_selected_pickers(r);
    struct invoke_call call = { .snapshot = r->s,
                                .who = &r->who,
                                .payload = payload,
                                .request_id = r->result->name,
                                .invocation_id = str_of(id),
                                .clock_ns = r->clock_ns,
                                .store = &r->store,
                                .keys = &keys,
                                .pickers = &pickers,
                                .answers = r->asking,
                                .pool = r->player.pool,
                                .log = &r->log,
                                .context = &a,
                                .notes = &notes };
    struct buf out = { 0 };
    o->error = (struct wire_error){ .retry_after_ms = -1 };
    o->answer = (struct json){ .type = JSON_NULL };
    if (!id)
        return false;
    struct invocation *inv = mgi_invocation_new(r->yaml.arena, &call, NULL, &o->error);
    bool good = inv && mgi_invocation_check(inv, r->worker, &o->error);
    if (good && r->asking) {
        go_on(inv, &call, &a, &out);
    } else if (good) {
        mgi_reach_invoked(r, o->tool);
        run_chain(inv, &a, &out);
    }
    keep_or_free(r, inv);
    struct str text = o->error.code ? o->error.details : mgi_buf_view(&out);
    struct str kept = mgi_arena_str(r->yaml.arena, text);
    mgi_buf_fini(&out);
    return kept.ptr &&
           (kept.len == 0 ||
            mgi_json_parse(r->yaml.arena, kept, NULL, &o->answer, NULL) == JSON_OK) &&
           note_question(r, o);
}

/* ---- the request --------------------------------------------------------------------------- */

static bool make_payload(struct run *r, const struct yaml_node *n,
                         const struct yaml_node *eval_time, const struct outcome *o,
                         struct str token, struct json *out)
{
    const struct yaml_node *args = mgi_yaml_get(n, "args");
    const struct yaml_node *own_time = mgi_yaml_get(n, "eval_time");
    const struct yaml_node *at = own_time ? own_time : eval_time;
    struct buf text = { 0 };
    struct json_writer w;
    mgi_json_writer_init(&w, &text, 0);
    mgi_jw_begin_object(&w);
    mgi_jw_member_str(&w, "macro_id", o->macro.macro_id);
    mgi_jw_key(&w, "args");
    if (args) {
        mgi_yaml_write_json(&w, args);
    } else {
        mgi_jw_begin_object(&w);
        mgi_jw_end_object(&w);
    }
    if (token.len > 0)
        mgi_jw_member_str(&w, "confirmation_token", token);
    if (at) {
        mgi_jw_key(&w, "eval_time");
        mgi_yaml_write_json(&w, at);
    }
    mgi_jw_end_object(&w);
    return mgi_json_take(r->yaml.arena, &text, out);
}

/* A tool that asks is called again, as by a client, with what the user was asked: before it runs,
 * and as often as a menu of it asks. */
static bool call_with_consent(struct run *r, const struct yaml_node *n,
                              const struct yaml_node *eval_time, bool consent, struct outcome *o)
{
    struct str token = { NULL, 0 };
    for (int i = 0; i <= MOST_QUESTIONS; i++) {
        struct json payload;
        if (!make_payload(r, n, eval_time, o, token, &payload) || !call_tool(r, &payload, o))
            return false;
        const struct json *challenge = mgi_json_get(&o->answer, "challenge");
        if (!consent || o->error.code != WIRE_CONFIRMATION_REQUIRED || !challenge)
            return true;
        token = challenge->string;
    }
    mgi_scenario_fail(r, "%.*s asks without end", STR_ARG(o->tool->name));
    return true;
}

/* ---- one invocation ------------------------------------------------------------------------ */

/* The tool that is meant. NULL: the scenario is wrong, or does not hold, and is told so. */
static const struct tool *find_tool(struct run *r, const struct yaml_node *n, struct macro *out)
{
    struct str name = mgi_yaml_text(&r->yaml, n, "tool", true);
    if (name.len == 0)
        return NULL;
    const struct yaml_node *at = mgi_yaml_get(n, "tool");
    const struct yaml_place place = { at->origin, at->line, at->column };
    const struct tool *tool = mgi_scenario_template(r, name, &place);
    if (!tool)
        return NULL;
    if (mgi_scenario_macro(r, name, out))
        return tool;
    mgi_scenario_fail(r, "%.*s cannot be invoked: it was not shown", STR_ARG(name));
    return NULL;
}

static bool read_consent(struct run *r, const struct yaml_node *n)
{
    const struct yaml_node *v = mgi_yaml_get(n, "consent");
    bool consent = false;
    if (v && !mgi_yaml_bool(v, &consent))
        mgi_yaml_error(&r->yaml, v, "BAD_VALUE", NULL, "consent must be true or false");
    return consent;
}

static bool invoke(struct run *r, const struct yaml_node *n, const struct yaml_node *eval_time)
{
    size_t errors = mgi_findings_errors(r->yaml.findings);
    const struct yaml_node *expect = mgi_yaml_get(n, "expect");
    struct outcome o = { 0 };
    mgi_yaml_known_keys(&r->yaml, n, "invoke", invoke_keys);
    o.tool = find_tool(r, n, &o.macro);
    bool consent = read_consent(r, n);
    if (!mgi_player_begin(r, mgi_yaml_get(n, "actions")))
        return false;
    mgi_selected_begin(r, mgi_yaml_get(n, "selections"), o.tool);
    if (o.tool)
        mgi_outcome_check(r, expect, o.tool);
    if (!o.tool || mgi_findings_errors(r->yaml.findings) > errors)
        return true;
    r->told = NULL;
    r->asked_count = 0;
    bool good = call_with_consent(r, n, eval_time, consent, &o);
    mgi_invocation_free(r->asking);
    r->asking = NULL;
    if (!good)
        return false;
    mgi_outcome_judge(r, expect, &o);
    if (!r->result->passed && r->told)
        mgi_scenario_fail(r, "%.*s: the server logged: %s", STR_ARG(o.tool->name), r->told);
    return true;
}

bool mgi_scenario_invoke(struct run *r, const struct yaml_node *n,
                         const struct yaml_node *eval_time)
{
    size_t count = n->kind == YAML_LIST ? n->count : 1;
    if (r->error) {
        mgi_scenario_fail(r, "nothing can be invoked: the request was refused");
        return true;
    }
    if (count == 0)
        mgi_yaml_error(&r->yaml, n, "BAD_VALUE", NULL, "invoke names no tool");
    for (size_t i = 0; i < count; i++) {
        const struct yaml_node *one = n->kind == YAML_LIST ? n->entries[i].value : n;
        if (one->kind != YAML_MAP)
            mgi_yaml_error(&r->yaml, one, "BAD_VALUE", NULL, "invoke is a map with a tool");
        else if (!invoke(r, one, eval_time))
            return false;
    }
    return true;
}
