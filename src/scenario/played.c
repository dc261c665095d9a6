/* Actions that a scenario plays. The chain runs as it does in a server, over a tool pool whose
 * answers come from the scenario instead of from plugin hosts (toolpool_options.play). */
#include "scenario/scenario_int.h"

static const char *const play_keys[] = { "output", "state_delta", "evidence", "evidence_file",
                                         "fails",  "code",        NULL };

/* ---- what an action is said to answer ------------------------------------------------------ */

static const struct tool_code *code_of(struct str name)
{
    for (const struct tool_code *c = mgi_tool_codes; c->code; c++)
        if (str_is(name, c->code))
            return c;
    return NULL;
}

static void check_code(struct run *r, const struct yaml_node *n)
{
    const struct yaml_node *code = mgi_yaml_get(n, "code");
    if (!code || code_of(code->text))
        return;
    struct near near = mgi_near(code->text);
    for (const struct tool_code *c = mgi_tool_codes; c->code; c++)
        mgi_near_try(&near, str_of(c->code));
    mgi_yaml_error(&r->yaml, code, "BAD_VALUE", mgi_scenario_hint(r, &near),
                   "\"%.*s\" is no code of a toolhost", STR_ARG(code->text));
}

static void check_map(struct run *r, const struct yaml_node *n, const char *key)
{
    const struct yaml_node *v = mgi_yaml_get(n, key);
    if (v && v->kind != YAML_MAP)
        mgi_yaml_error(&r->yaml, v, "BAD_VALUE", NULL, "%s is a map", key);
}

/* Facts belong to what went well. */
static void check_facts_told(struct run *r, const struct yaml_node *n, bool fails)
{
    const struct yaml_node *evidence = mgi_yaml_get(n, "evidence");
    if (evidence && evidence->kind != YAML_LIST)
        mgi_yaml_error(&r->yaml, evidence, "BAD_VALUE", NULL, "evidence is a list of facts");
    if (fails && mgi_yaml_get(n, "state_delta"))
        mgi_yaml_error(&r->yaml, n, "BAD_VALUE", NULL, "an action that fails changes no state");
    if (fails && (evidence || mgi_yaml_get(n, "evidence_file")))
        mgi_yaml_error(&r->yaml, n, "BAD_VALUE", NULL, "an action that fails tells no evidence");
}

static void check_play(struct run *r, const struct yaml_node *n)
{
    if (n->kind != YAML_MAP) {
        mgi_yaml_error(&r->yaml, n, "BAD_VALUE", "Write {output: {...}} or {fails: TEXT}.",
                       "what an action answers is a map");
        return;
    }
    mgi_yaml_known_keys(&r->yaml, n, "an answer of an action", play_keys);
    check_map(r, n, "output");
    check_map(r, n, "state_delta");
    check_code(r, n);
    const struct yaml_node *fails = mgi_yaml_get(n, "fails");
    if (fails && fails->kind != YAML_SCALAR)
        mgi_yaml_error(&r->yaml, fails, "BAD_VALUE", NULL, "fails is the text of the failure");
    check_facts_told(r, n, fails);
    if (!fails && mgi_yaml_get(n, "code"))
        mgi_yaml_error(&r->yaml, n, "BAD_VALUE", "Say what failed: {fails: TEXT, code: CODE}.",
                       "only an action that fails has a code");
}

static void check_aid(struct run *r, const struct yaml_entry *e)
{
    if (mgi_snapshot_action(r->s, e->key))
        return;
    struct near near = mgi_near(e->key);
    for (size_t i = 0; i < r->s->action_count; i++)
        mgi_near_try(&near, r->s->actions[i].aid);
    mgi_findings_add(r->yaml.findings, MANGLE_ERROR, "UNKNOWN_ACTION", e->value->origin, e->line,
                     e->column, mgi_scenario_hint(r, &near), "the plugins have no action \"%.*s\"",
                     STR_ARG(e->key));
}

static void check_actions(struct run *r, const struct yaml_node *actions)
{
    if (actions->kind != YAML_MAP) {
        mgi_yaml_error(&r->yaml, actions, "BAD_VALUE", NULL,
                       "actions is a map from action to answer");
        return;
    }
    for (size_t i = 0; i < actions->count; i++) {
        const struct yaml_node *n = actions->entries[i].value;
        check_aid(r, &actions->entries[i]);
        if (n->kind != YAML_LIST)
            check_play(r, n);
        for (size_t k = 0; n->kind == YAML_LIST && k < n->count; k++)
            check_play(r, n->entries[k].value);
    }
}

/* ---- playing ------------------------------------------------------------------------------- */

/* A copy: what the call is made of goes with the invocation. */
static void note_call(struct run *r, const struct tool_request *request)
{
    struct player *p = &r->player;
    struct arena *a = r->yaml.arena;
    struct call_made call = { .step = request->step,
                              .undoes = mgi_str_ends(request->part, STR_LIT("-undo")),
                              .aid = mgi_arena_str(a, request->aid) };
    struct str text = mgi_arena_str(a, request->inputs->value.text);
    if (text.ptr && call.aid.ptr && mgi_json_parse(a, text, NULL, &call.inputs, NULL) == JSON_OK &&
        mgi_arena_grow(a, &p->calls, &p->cap, p->count + 1, sizeof *p->calls))
        p->calls[p->count++] = call;
}

/* The answer whose turn it is; NULL: the scenario has none, and is told so. */
static const struct yaml_node *next_answer(struct run *r, struct str aid)
{
    const struct yaml_node *actions = r->player.actions;
    size_t i = 0, count = actions ? actions->count : 0;
    while (i < count && !str_eq(actions->entries[i].key, aid))
        i++;
    if (i == count) {
        mgi_scenario_fail(r, "%.*s was called, and actions do not say what it answers",
                          STR_ARG(aid));
        return NULL;
    }
    const struct yaml_node *n = actions->entries[i].value;
    size_t turn = r->player.turns[i]++;
    if (n->kind != YAML_LIST)
        return n;
    if (turn < n->count)
        return n->entries[turn].value;
    mgi_scenario_fail(r, "%.*s was called %zu times, and actions have %zu answer%s", STR_ARG(aid),
                      turn + 1, n->count, n->count == 1 ? "" : "s");
    return NULL;
}

static void answer_failure(const struct yaml_node *n, const struct yaml_node *fails,
                           struct tool_result *result)
{
    const struct yaml_node *named = mgi_yaml_get(n, "code");
    const struct tool_code *code = named ? code_of(named->text) : NULL;
    result->outcome = code ? code->outcome : TOOL_ERROR;
    result->indeterminate = code && code->indeterminate;
    result->error = fails->text;
}

/* False: memory. */
static bool play_evidence(struct run *r, const struct yaml_node *n, struct tool_result *result)
{
    const struct yaml_node *list = mgi_yaml_get(n, "evidence");
    const struct yaml_node *files = mgi_yaml_get(n, "evidence_file");
    struct buf text = { 0 };
    struct json_writer w;
    if (!list && !files)
        return true;
    result->evidence = mgi_arena_calloc(r->yaml.arena, 1, sizeof *result->evidence);
    mgi_json_writer_init(&w, &text, 0);
    mgi_jw_begin_object(&w);
    mgi_scenario_facts(r, &w, list, files);
    mgi_jw_end_object(&w);
    result->evidence_count = 1;
    if (result->evidence && mgi_json_take(r->yaml.arena, &text, result->evidence))
        return true;
    mgi_buf_fini(&text);
    return false;
}

/* The pool's `play`. */
static void play(void *context, const struct tool_request *request, struct tool_result *result)
{
    struct run *r = context;
    note_call(r, request);
    const struct yaml_node *n = next_answer(r, request->aid);
    const struct yaml_node *output = n ? mgi_yaml_get(n, "output") : NULL;
    const struct yaml_node *delta = n ? mgi_yaml_get(n, "state_delta") : NULL;
    const struct yaml_node *fails = n ? mgi_yaml_get(n, "fails") : NULL;
    if (!n) {
        result->outcome = TOOL_UNAVAILABLE;
        result->error = STR_LIT("the scenario does not play it");
        return;
    }
    if (fails)
        answer_failure(n, fails, result);
    if ((output && !mgi_yaml_to_json(r->yaml.arena, output, &result->output)) ||
        (delta && !mgi_yaml_to_json(r->yaml.arena, delta, &result->state_delta)) ||
        !play_evidence(r, n, result))
        mgi_scenario_fail(r, "there is no memory to play %.*s", STR_ARG(request->aid));
}

/* ---- the player ---------------------------------------------------------------------------- */

bool mgi_player_open(struct run *r)
{
    struct player *p = &r->player;
    struct toolpool_options options = { .hosts = r->s->settings.hosts,
                                        .timeout_ms = r->s->settings.action_timeout_ms,
                                        .enforce_leases = true,
                                        .play = play,
                                        .play_context = r };
    p->looping = uv_loop_init(&p->loop) == 0;
    p->pool = p->looping ? mgi_toolpool_new(&p->loop, &options) : NULL;
    return p->pool != NULL;
}

static void pool_closed(void *context)
{
    *(bool *)context = true;
}

void mgi_player_close(struct run *r)
{
    struct player *p = &r->player;
    bool closed = !p->pool;
    if (p->pool)
        mgi_toolpool_close(p->pool, pool_closed, &closed);
    mgi_player_await(r, &closed);
    if (p->looping)
        (void)uv_loop_close(&p->loop);
    *p = (struct player){ 0 };
}

bool mgi_player_begin(struct run *r, const struct yaml_node *actions)
{
    struct player *p = &r->player;
    if (actions)
        check_actions(r, actions);
    p->actions = actions && actions->kind == YAML_MAP ? actions : NULL;
    p->turns =
        mgi_arena_calloc(r->yaml.arena, (p->actions ? actions->count : 0) + 1, sizeof *p->turns);
    p->calls = NULL;
    p->count = p->cap = 0;
    return p->turns != NULL;
}

void mgi_player_await(struct run *r, const bool *over)
{
    while (!*over)
        uv_run(&r->player.loop, UV_RUN_ONCE);
}
