/* What must and must not come out of an invocation. What is looked at is the answer on the wire:
 * the payload of an invoke_response, or an error and its details. */
#include "protocol/wire_time.h"
#include "scenario/scenario_int.h"

static const char *const outcome_keys[] = {
    "result",  "error",    "reason", "steps",    "inputs",       "picks",   "asks",
    "asserts", "retracts", "only",   "suggests", "continuation", "summary", "effects_complete",
    NULL
};

/* A member of a member of the answer; NULL: it is not there. */
static const struct json *member(const struct outcome *o, const char *outer, const char *inner)
{
    const struct json *v = mgi_json_get(&o->answer, outer);
    return v ? mgi_json_get(v, inner) : NULL;
}

/* ---- before: is what is expected sense? ---------------------------------------------------- */

#define UNDO "undo " /* and a step's id: what undoes it */

static bool has_undo(const struct step *step)
{
    bool has = false;
    for (size_t i = 0; i < mgi_step_actions(step); i++)
        has |= mgi_step_undo(step, i)->action != NULL;
    return has;
}

static void check_step(struct run *r, const struct tool *tool, const struct yaml_node *at,
                       struct str id)
{
    bool undo = mgi_str_starts(id, STR_LIT(UNDO));
    struct str step = undo ? (struct str){ id.ptr + strlen(UNDO), id.len - strlen(UNDO) } : id;
    struct near near = mgi_near(step);
    for (size_t i = 0; i < tool->step_count; i++) {
        if (str_eq(tool->steps[i].id, step) && (!undo || has_undo(&tool->steps[i])))
            return;
        mgi_near_try(&near, tool->steps[i].id);
    }
    mgi_yaml_error(&r->yaml, at, "UNKNOWN_STEP", mgi_scenario_hint(r, &near),
                   "%.*s has no step \"%.*s\"", STR_ARG(tool->name), STR_ARG(id));
}

/* A list of facts (asserts, retracts, continuation). */
static void check_facts(struct run *r, const struct yaml_node *expect, const char *key)
{
    const struct yaml_node *list = mgi_yaml_get(expect, key);
    if (list && list->kind != YAML_LIST)
        mgi_yaml_error(&r->yaml, list, "BAD_VALUE", NULL, "%s is a list of facts", key);
    for (size_t i = 0; list && list->kind == YAML_LIST && i < list->count; i++) {
        const struct yaml_node *n = list->entries[i].value;
        if (n->kind != YAML_MAP)
            mgi_yaml_error(&r->yaml, n, "BAD_FACT", "Write {predicate: [arguments]}.",
                           "a fact is a map");
        else if (mgi_yaml_get(n, "named_args"))
            mgi_yaml_error(&r->yaml, n, "BAD_FACT", "Write {predicate: [arguments]}.",
                           "what is expected has its arguments in their order");
    }
}

static void check_kinds(struct run *r, const struct yaml_node *expect)
{
    static const char *const texts[] = { "error", "reason", "summary" };
    static const char *const flags[] = { "only", "effects_complete" };
    bool flag;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const struct yaml_node *n = mgi_yaml_get(expect, texts[i]);
        if (n && (n->kind != YAML_SCALAR || n->text.len == 0))
            mgi_yaml_error(&r->yaml, n, "BAD_VALUE", NULL, "%s is a text", texts[i]);
    }
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        const struct yaml_node *n = mgi_yaml_get(expect, flags[i]);
        if (n && !mgi_yaml_bool(n, &flag))
            mgi_yaml_error(&r->yaml, n, "BAD_VALUE", NULL, "%s must be true or false", flags[i]);
    }
    const struct yaml_node *n = mgi_yaml_get(expect, "suggests");
    if (n && n->kind == YAML_SCALAR)
        mgi_yaml_error(&r->yaml, n, "BAD_VALUE", "Write [NAME, ...] or {NAME: {PARAM: VALUE}}.",
                       "suggests is a list or a map of intents");
}

/* `picks` are of steps, and `asks` are texts. */
static void check_menus(struct run *r, const struct yaml_node *expect, const struct tool *tool)
{
    const struct yaml_node *picks = mgi_yaml_get(expect, "picks");
    const struct yaml_node *asks = mgi_yaml_get(expect, "asks");
    if (picks && picks->kind != YAML_MAP)
        mgi_yaml_error(&r->yaml, picks, "BAD_VALUE", "Write {STEP: [AID, ...]}.",
                       "picks is a map from step to actions");
    for (size_t i = 0; picks && picks->kind == YAML_MAP && i < picks->count; i++)
        check_step(r, tool, picks->entries[i].value, picks->entries[i].key);
    if (asks && asks->kind != YAML_LIST)
        mgi_yaml_error(&r->yaml, asks, "BAD_VALUE", NULL, "asks is a list of questions");
}

void mgi_outcome_check(struct run *r, const struct yaml_node *expect, const struct tool *tool)
{
    if (!mgi_scenario_expects(r, expect, "expect of invoke", outcome_keys))
        return;
    check_kinds(r, expect);
    const struct yaml_node *steps = mgi_yaml_get(expect, "steps");
    const struct yaml_node *inputs = mgi_yaml_get(expect, "inputs");
    if (steps && steps->kind != YAML_LIST)
        mgi_yaml_error(&r->yaml, steps, "BAD_VALUE", NULL, "steps is a list of their ids");
    for (size_t i = 0; steps && steps->kind == YAML_LIST && i < steps->count; i++)
        check_step(r, tool, steps->entries[i].value, steps->entries[i].value->text);
    if (inputs && inputs->kind != YAML_MAP)
        mgi_yaml_error(&r->yaml, inputs, "BAD_VALUE", NULL, "inputs is a map from step to inputs");
    for (size_t i = 0; inputs && inputs->kind == YAML_MAP && i < inputs->count; i++)
        check_step(r, tool, inputs->entries[i].value, inputs->entries[i].key);
    check_menus(r, expect, tool);
    check_facts(r, expect, "asserts");
    check_facts(r, expect, "retracts");
    check_facts(r, expect, "continuation");
}

/* ---- result or error ----------------------------------------------------------------------- */

/* False: it came out otherwise, and there is no use in looking further. */
static bool judge_error(struct run *r, const struct yaml_node *expect, const struct outcome *o)
{
    const struct yaml_node *want = mgi_yaml_get(expect, "error");
    const char *got = o->error.code ? mgi_wire_code(o->error.code)->name : NULL;
    struct str tool = o->tool->name;
    if (want && !got)
        mgi_scenario_fail(r, "%.*s: expected %.*s, got an answer: %.*s", STR_ARG(tool),
                          STR_ARG(want->text), STR_ARG(o->answer.text));
    else if (!want && got)
        mgi_scenario_fail(r, "%.*s: expected an answer, got %s: %s %.*s", STR_ARG(tool), got,
                          o->error.message, STR_ARG(o->error.details));
    else if (want && !str_is(want->text, got))
        mgi_scenario_fail(r, "%.*s: expected %.*s, got %s: %s", STR_ARG(tool), STR_ARG(want->text),
                          got, o->error.message);
    else
        return true;
    return false;
}

/* ---- steps --------------------------------------------------------------------------------- */

static struct str step_id(struct run *r, const struct outcome *o, const struct call_made *c)
{
    struct str id = o->tool->steps[o->macro.steps[c->step]].id;
    const char *undo = c->undoes ? mgi_arena_printf(r->yaml.arena, UNDO "%.*s", STR_ARG(id)) : NULL;
    return undo ? str_of(undo) : id;
}

static void judge_steps(struct run *r, const struct yaml_node *want, const struct outcome *o)
{
    const struct player *p = &r->player;
    struct str *ids = mgi_arena_calloc(r->yaml.arena, p->count + 1, sizeof *ids);
    for (size_t i = 0; ids && i < p->count; i++)
        ids[i] = step_id(r, o, &p->calls[i]);
    if (ids)
        mgi_scenario_expect_texts(r, o->tool->name, "steps", want, ids, p->count);
}

/* What a step was called with the last time; or, where a list is expected, every time. */
static bool find_inputs(struct run *r, const struct outcome *o, struct str id, bool all,
                        struct json *out)
{
    const struct player *p = &r->player;
    struct buf text = { 0 };
    struct json_writer w;
    bool any = false;
    mgi_json_writer_init(&w, &text, 0);
    mgi_jw_begin_array(&w);
    for (size_t k = 0; k < p->count; k++) {
        if (!str_eq(step_id(r, o, &p->calls[k]), id))
            continue;
        any = true;
        *out = p->calls[k].inputs;
        mgi_jw_value(&w, out);
    }
    mgi_jw_end_array(&w);
    if (all && any)
        return mgi_json_take(r->yaml.arena, &text, out);
    mgi_buf_fini(&text);
    return any;
}

static void judge_inputs(struct run *r, const struct yaml_node *want, const struct outcome *o)
{
    for (size_t i = 0; i < want->count; i++) {
        const struct yaml_entry *e = &want->entries[i];
        struct json got;
        const char *what = mgi_arena_printf(r->yaml.arena, "inputs of %.*s", STR_ARG(e->key));
        bool there = find_inputs(r, o, e->key, e->value->kind == YAML_LIST, &got);
        mgi_scenario_expect(r, o->tool->name, what ? what : "inputs", e->value,
                            there ? &got : NULL);
    }
}

/* ---- menus --------------------------------------------------------------------------------- */

/* The actions that were called for it, in their order. */
static void judge_picks_of(struct run *r, const struct yaml_entry *want, const struct outcome *o)
{
    const struct player *p = &r->player;
    struct str *aids = mgi_arena_calloc(r->yaml.arena, p->count + 1, sizeof *aids);
    const char *what = mgi_arena_printf(r->yaml.arena, "picks of %.*s", STR_ARG(want->key));
    size_t count = 0;
    for (size_t i = 0; aids && i < p->count; i++)
        if (str_eq(step_id(r, o, &p->calls[i]), want->key))
            aids[count++] = p->calls[i].aid;
    if (aids)
        mgi_scenario_expect_texts(r, o->tool->name, what ? what : "picks", want->value, aids,
                                  count);
}

static void judge_menus(struct run *r, const struct yaml_node *expect, const struct outcome *o)
{
    const struct yaml_node *picks = mgi_yaml_get(expect, "picks");
    const struct yaml_node *asks = mgi_yaml_get(expect, "asks");
    for (size_t i = 0; picks && i < picks->count; i++)
        judge_picks_of(r, &picks->entries[i], o);
    if (asks)
        mgi_scenario_expect_texts(r, o->tool->name, "asks", asks, r->asked, r->asked_count);
}

/* ---- facts --------------------------------------------------------------------------------- */

static bool read_fact(struct run *r, const struct yaml_node *n, struct json *out)
{
    struct buf text = { 0 };
    struct json_writer w;
    mgi_json_writer_init(&w, &text, 0);
    mgi_scenario_fact(r, &w, n);
    return mgi_json_take(r->yaml.arena, &text, out);
}

static bool same_member(const struct json *a, const struct json *b, const char *name)
{
    const struct json *x = mgi_json_get(a, name), *y = mgi_json_get(b, name);
    return x && y && mgi_json_equal(x, y, false);
}

/* A fact that is expected without a time may hold at any. */
static bool same_time(struct run *r, const struct json *want, const struct json *got)
{
    const struct json *t = mgi_json_get(want, "t"), *u = mgi_json_get(got, "t");
    const int formats = WIRE_TIME_RFC3339 | WIRE_TIME_EPOCH_MS | WIRE_TIME_EPOCH_NS;
    struct mangle_interval a, b;
    const char *issue = NULL, *why;
    if (!t || t->type == JSON_NULL)
        return true;
    return u && mgi_wire_interval(t, formats, r->clock_ns, &a, &issue, &why) && !issue &&
           mgi_wire_interval(u, formats, r->clock_ns, &b, &issue, &why) && !issue &&
           a.start_ns == b.start_ns && a.end_ns == b.end_ns;
}

static bool has_fact(struct run *r, const struct json *want, const struct json *list,
                     bool *expected)
{
    bool found = false;
    for (uint32_t i = 0; list && i < list->count; i++) {
        const struct json *got = &list->items[i];
        if (!same_member(want, got, "pred") || !same_member(want, got, "args") ||
            !same_time(r, want, got))
            continue;
        expected[i] = found = true;
    }
    return found;
}

static void print_facts(struct buf *out, const struct json *list)
{
    mgi_buf_puts(out, list && list->count > 0 ? "" : "nothing");
    for (uint32_t i = 0; list && i < list->count; i++)
        mgi_buf_printf(out, "%s%.*s", i ? ", " : "", STR_ARG(list->items[i].text));
}

/* Every fact of `want` (NULL: none) is in `got`, and, if asked for, no other. */
static void judge_fact_list(struct run *r, const struct outcome *o, const char *what,
                            const struct yaml_node *want, const struct json *got, bool only)
{
    uint32_t there = got ? got->count : 0;
    bool *expected = mgi_arena_calloc(r->yaml.arena, (size_t)there + 1, sizeof *expected);
    struct json fact;
    for (size_t i = 0; expected && want && i < want->count; i++) {
        if (!read_fact(r, want->entries[i].value, &fact)) {
            mgi_scenario_fail(r, "memory ran out");
            return;
        }
        if (has_fact(r, &fact, got, expected))
            continue;
        struct buf text = { 0 };
        print_facts(&text, got);
        mgi_scenario_fail(r, "%.*s: %s: expected %.*s, got %.*s", STR_ARG(o->tool->name), what,
                          STR_ARG(fact.text), STR_ARG(mgi_buf_view(&text)));
        mgi_buf_fini(&text);
    }
    for (uint32_t i = 0; expected && only && i < there; i++)
        if (!expected[i])
            mgi_scenario_fail(r, "%.*s: %s: %.*s is there too", STR_ARG(o->tool->name), what,
                              STR_ARG(got->items[i].text));
}

static void judge_facts(struct run *r, const struct yaml_node *expect, const struct outcome *o)
{
    bool only = false;
    const struct yaml_node *n = mgi_yaml_get(expect, "only");
    if (n)
        (void)mgi_yaml_bool(n, &only);
    judge_fact_list(r, o, "asserts", mgi_yaml_get(expect, "asserts"),
                    member(o, "state_delta", "assert"), only);
    judge_fact_list(r, o, "retracts", mgi_yaml_get(expect, "retracts"),
                    member(o, "state_delta", "retract"), only);
    const struct yaml_node *continuation = mgi_yaml_get(expect, "continuation");
    if (continuation)
        judge_fact_list(r, o, "continuation", continuation, member(o, "next", "continuation_facts"),
                        only);
}

/* ---- what to ask next ---------------------------------------------------------------------- */

static const struct json *find_suggestion(const struct outcome *o, struct str name)
{
    const struct json *list = member(o, "next", "suggested_intents");
    for (uint32_t i = 0; list && i < list->count; i++) {
        const struct json *v = mgi_json_get(&list->items[i], "name");
        if (v && v->type == JSON_STRING && str_eq(v->string, name))
            return &list->items[i];
    }
    return NULL;
}

/* [name, …] or {name: params, …}: exactly these, in any order. */
static void judge_suggests(struct run *r, const struct yaml_node *want, const struct outcome *o)
{
    const struct json *list = member(o, "next", "suggested_intents");
    for (size_t i = 0; i < want->count; i++) {
        const struct yaml_node *params = want->entries[i].value;
        struct str name = want->kind == YAML_MAP ? want->entries[i].key : params->text;
        const struct json *got = find_suggestion(o, name);
        if (!got)
            mgi_scenario_fail(r, "%.*s does not suggest %.*s", STR_ARG(o->tool->name),
                              STR_ARG(name));
        else if (want->kind == YAML_MAP && params->kind == YAML_MAP)
            mgi_scenario_expect(r, name, "params", params, mgi_json_get(got, "params"));
    }
    for (uint32_t i = 0; list && i < list->count; i++) {
        struct str name = mgi_json_get(&list->items[i], "name")->string;
        bool known = false;
        for (size_t k = 0; k < want->count && !known; k++)
            known = str_eq(
                want->kind == YAML_MAP ? want->entries[k].key : want->entries[k].value->text, name);
        if (!known)
            mgi_scenario_fail(r, "%.*s suggests %.*s too", STR_ARG(o->tool->name), STR_ARG(name));
    }
}

/* ---- the rest ------------------------------------------------------------------------------ */

static void judge_summary(struct run *r, const struct yaml_node *want, const struct outcome *o)
{
    const struct json *text = member(o, "observability", "summary");
    if (!text || mgi_str_find(text->string, want->text) == SIZE_MAX)
        mgi_scenario_fail(r, "%.*s: summary: expected \"%.*s\" in \"%.*s\"", STR_ARG(o->tool->name),
                          STR_ARG(want->text), STR_ARG(text ? text->string : STR_LIT("")));
}

/* The wire says it only where something is missing. Where nobody speaks of it, nothing may be. */
static void judge_complete(struct run *r, const struct yaml_node *want, const struct outcome *o)
{
    const struct json *v = mgi_json_get(&o->answer, "effects_complete");
    bool expected = true, got = !v || v->boolean;
    if (want)
        (void)mgi_yaml_bool(want, &expected);
    if (expected != got)
        mgi_scenario_fail(r, "%.*s: its effects are %s", STR_ARG(o->tool->name),
                          got ? "complete" : "not complete");
}

void mgi_outcome_judge(struct run *r, const struct yaml_node *expect, const struct outcome *o)
{
    static const struct yaml_node nothing = { .kind = YAML_MAP };
    expect = expect ? expect : &nothing;
    if (!judge_error(r, expect, o))
        return;
    const struct yaml_node *n = mgi_yaml_get(expect, "result");
    if (n)
        mgi_scenario_expect(r, o->tool->name, "result", n, mgi_json_get(&o->answer, "result"));
    if ((n = mgi_yaml_get(expect, "reason")) != NULL)
        mgi_scenario_expect(r, o->tool->name, "reason", n, mgi_json_get(&o->answer, "reason"));
    if ((n = mgi_yaml_get(expect, "steps")) != NULL)
        judge_steps(r, n, o);
    if ((n = mgi_yaml_get(expect, "inputs")) != NULL)
        judge_inputs(r, n, o);
    judge_menus(r, expect, o);
    judge_facts(r, expect, o);
    if ((n = mgi_yaml_get(expect, "suggests")) != NULL)
        judge_suggests(r, n, o);
    if ((n = mgi_yaml_get(expect, "summary")) != NULL)
        judge_summary(r, n, o);
    judge_complete(r, mgi_yaml_get(expect, "effects_complete"), o);
}
