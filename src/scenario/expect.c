/* What must and must not come out of an evaluation. */
#include "base/time.h"
#include "scenario/scenario_int.h"

typedef void check_fn(struct run *r, struct str tool, const struct yaml_node *want);

static void check_level(struct run *r, struct str tool, const struct yaml_node *want)
{
    const struct json *level = mgi_json_get(mgi_scenario_tool(r, tool), "disclosure_level");
    if (!level)
        mgi_scenario_fail(r, "%.*s is not there", STR_ARG(tool));
    else if (!str_is(want->text, "any") && !str_eq(level->string, want->text))
        mgi_scenario_fail(r, "%.*s: expected %.*s, got %.*s", STR_ARG(tool), STR_ARG(want->text),
                          STR_ARG(level->string));
}

static void check_score(struct run *r, struct str tool, const struct yaml_node *want)
{
    const struct json *meta = mgi_json_get(mgi_scenario_tool(r, tool), "metadata");
    mgi_scenario_expect(r, tool, "score", want, meta ? mgi_json_get(meta, "score") : NULL);
}

static void check_phase(struct run *r, struct str tool, const struct yaml_node *want)
{
    const struct json *meta = mgi_json_get(mgi_scenario_tool(r, tool), "metadata");
    mgi_scenario_expect(r, tool, "phase", want,
                        meta ? mgi_json_get(meta, "selection_phase") : NULL);
}

static bool need_macro(struct run *r, struct str tool, struct macro *m)
{
    if (mgi_scenario_macro(r, tool, m))
        return true;
    mgi_scenario_fail(r, "%.*s is not there", STR_ARG(tool));
    return false;
}

static void check_steps(struct run *r, struct str tool, const struct yaml_node *want)
{
    struct macro m;
    const struct tool *template = mgi_snapshot_tool(r->s, tool);
    if (!template || !need_macro(r, tool, &m))
        return;
    struct str *ids = mgi_arena_calloc(r->yaml.arena, m.step_count + 1, sizeof *ids);
    for (size_t i = 0; ids && i < m.step_count; i++)
        ids[i] = template->steps[m.steps[i]].id;
    if (ids)
        mgi_scenario_expect_texts(r, tool, "steps", want, ids, m.step_count);
}

static void check_effects(struct run *r, struct str tool, const struct yaml_node *want)
{
    struct macro m;
    if (need_macro(r, tool, &m))
        mgi_scenario_expect_texts(r, tool, "effects", want, m.effects, m.effect_count);
}

static void check_confirm(struct run *r, struct str tool, const struct yaml_node *want)
{
    struct macro m;
    bool expected;
    if (!mgi_yaml_bool(want, &expected))
        mgi_yaml_error(&r->yaml, want, "BAD_VALUE", NULL, "confirm is true or false");
    else if (need_macro(r, tool, &m) && m.requires_confirmation != expected)
        mgi_scenario_fail(r, "%.*s %s for confirmation", STR_ARG(tool),
                          expected ? "does not ask" : "asks");
}

static void check_bound(struct run *r, struct str tool, const struct yaml_node *want)
{
    struct macro m;
    if (!need_macro(r, tool, &m))
        return;
    for (size_t i = 0; i < want->count; i++) {
        const struct json *got = NULL;
        for (size_t k = 0; k < m.bound_count; k++)
            if (str_eq(m.bound[k].name, want->entries[i].key))
                got = &m.bound[k].value;
        mgi_scenario_expect(r, tool, "bound", want->entries[i].value, got);
    }
}

static const struct json *property(struct run *r, struct macro *m, struct str tool, struct str name)
{
    if (!mgi_scenario_macro(r, tool, m))
        return NULL;
    const struct json *all = mgi_json_get(&m->input_schema, "properties");
    return all ? mgi_json_get_str(all, name) : NULL;
}

static void check_values(struct run *r, struct str tool, const struct yaml_node *want)
{
    for (size_t i = 0; i < want->count; i++) {
        struct macro m;
        const struct json *p = property(r, &m, tool, want->entries[i].key);
        const struct json *values = p ? mgi_json_get(p, "enum") : NULL;
        if (p && !values && mgi_json_get(p, "items"))
            values = mgi_json_get(mgi_json_get(p, "items"), "enum");
        mgi_scenario_expect(r, tool, "values", want->entries[i].value, values);
    }
}

static void check_hidden(struct run *r, struct str tool, const struct yaml_node *want)
{
    for (size_t i = 0; i < want->count; i++) {
        struct macro m;
        if (property(r, &m, tool, want->entries[i].value->text))
            mgi_scenario_fail(r, "%.*s shows the parameter %.*s", STR_ARG(tool),
                              STR_ARG(want->entries[i].value->text));
    }
}

static void check_expires(struct run *r, struct str tool, const struct yaml_node *want)
{
    struct macro m;
    int64_t ns = INT64_MAX;
    if (!str_is(want->text, "none") &&
        mgi_time_parse(want->text, TIME_LOWER_CASE, &ns) != TIME_OK) {
        mgi_yaml_error(&r->yaml, want, "BAD_VALUE", NULL, "expires is an RFC 3339 time or none");
        return;
    }
    if (!need_macro(r, tool, &m) || m.expires_ns == ns)
        return;
    struct buf got = { 0 };
    if (m.expires_ns == INT64_MAX)
        mgi_buf_puts(&got, "none");
    else
        mgi_time_print(&got, m.expires_ns);
    mgi_scenario_fail(r, "%.*s: expires: expected %.*s, got %s", STR_ARG(tool), STR_ARG(want->text),
                      got.ptr ? got.ptr : "");
    mgi_buf_fini(&got);
}

static const struct json *context_of(struct run *r, struct str tool, const char *member)
{
    const struct json *context = mgi_json_get(mgi_scenario_tool(r, tool), "context_injection");
    return context ? mgi_json_get(context, member) : NULL;
}

static void check_instructions(struct run *r, struct str tool, const struct yaml_node *want)
{
    const struct json *text = context_of(r, tool, "instructions");
    if (!text || mgi_str_find(text->string, want->text) == SIZE_MAX)
        mgi_scenario_fail(r, "%.*s: instructions: expected \"%.*s\" in \"%.*s\"", STR_ARG(tool),
                          STR_ARG(want->text), STR_ARG(text ? text->string : STR_LIT("")));
}

static void check_resources(struct run *r, struct str tool, const struct yaml_node *want)
{
    const struct json *list = context_of(r, tool, "context_resources");
    uint32_t count = list ? list->count : 0;
    struct str *uris = mgi_arena_calloc(r->yaml.arena, (size_t)count + 1, sizeof *uris);
    for (uint32_t i = 0; uris && i < count; i++)
        uris[i] = mgi_json_get(&list->items[i], "uri")->string;
    if (uris)
        mgi_scenario_expect_texts(r, tool, "resources", want, uris, count);
}

static void check_excluded(struct run *r, struct str tool, const struct yaml_node *want)
{
    const struct json *hints = mgi_json_get(&r->response, "proof_hints");
    const struct json *list = hints ? mgi_json_get(hints, "excluded") : NULL;
    for (uint32_t i = 0; list && i < list->count; i++)
        if (str_eq(mgi_json_get(&list->items[i], "candidate")->string, tool)) {
            mgi_scenario_expect(r, tool, "excluded", want,
                                mgi_json_get(&list->items[i], "excluded_by"));
            return;
        }
    mgi_scenario_fail(r, "%.*s is not among the excluded%s", STR_ARG(tool),
                      hints ? "" : " (ask for options: {include_proof_hints: true})");
}

static const struct {
    const char *key;
    check_fn *check;
} tool_checks[] = {
    { "tools", check_level },
    { "score", check_score },
    { "phase", check_phase },
    { "steps", check_steps },
    { "confirm", check_confirm },
    { "effects", check_effects },
    { "values", check_values },
    { "bound", check_bound },
    { "hidden", check_hidden },
    { "expires", check_expires },
    { "instructions", check_instructions },
    { "resources", check_resources },
    { "excluded", check_excluded },
    { "why_not", mgi_scenario_judge_why },
};
#define TOOL_CHECKS (sizeof tool_checks / sizeof *tool_checks)

static const char *const expect_keys[] = { "tools",     "only",     "absent",  "order",
                                           "error",     "skills",   "score",   "phase",
                                           "steps",     "confirm",  "effects", "values",
                                           "bound",     "hidden",   "expires", "instructions",
                                           "resources", "excluded", "why_not", NULL };

/* ---- before: does what is spoken of exist? --------------------------------------------------- */

static void check_tools(struct run *r, const struct yaml_node *n)
{
    for (size_t i = 0; n && n->kind == YAML_MAP && i < n->count; i++) {
        const struct yaml_entry *e = &n->entries[i];
        const struct yaml_place place = { e->value->origin, e->line, e->column };
        (void)mgi_scenario_template(r, e->key, &place);
    }
    for (size_t i = 0; n && n->kind == YAML_LIST && i < n->count; i++) {
        const struct yaml_node *v = n->entries[i].value;
        const struct yaml_place place = { v->origin, v->line, v->column };
        (void)mgi_scenario_template(r, v->text, &place);
    }
}

static void check_skill_names(struct run *r, const struct yaml_node *list)
{
    for (size_t i = 0; list && i < list->count; i++) {
        const struct yaml_node *v = list->entries[i].value;
        struct near near = mgi_near(v->text);
        if (mgi_snapshot_skill(r->s, v->text))
            continue;
        for (size_t k = 0; k < r->s->skill_count; k++)
            mgi_near_try(&near, r->s->skills[k].id);
        mgi_yaml_error(&r->yaml, v, "UNKNOWN_SKILL", mgi_scenario_hint(r, &near),
                       "the domain has no skill \"%.*s\"", STR_ARG(v->text));
    }
}

void mgi_scenario_check(struct run *r, const struct yaml_node *expect)
{
    if (!mgi_scenario_expects(r, expect, "expect", expect_keys))
        return;
    for (size_t i = 0; i < TOOL_CHECKS; i++)
        check_tools(r, mgi_yaml_get(expect, tool_checks[i].key));
    check_tools(r, mgi_yaml_get(expect, "absent"));
    check_tools(r, mgi_yaml_get(expect, "order"));
    check_skill_names(r, mgi_yaml_get(expect, "skills"));
}

/* ---- expectations about the whole ---------------------------------------------------------- */

static void check_absent(struct run *r, const struct yaml_node *list)
{
    for (size_t i = 0; list && i < list->count; i++)
        if (mgi_scenario_tool(r, list->entries[i].value->text))
            mgi_scenario_fail(r, "%.*s is there", STR_ARG(list->entries[i].value->text));
}

static void check_only(struct run *r, const struct yaml_node *expect)
{
    bool only = false;
    const struct yaml_node *n = mgi_yaml_get(expect, "only");
    if (!n || !mgi_yaml_bool(n, &only) || !only)
        return;
    const struct json *list = mgi_scenario_tools(r);
    const struct yaml_node *wanted = mgi_yaml_get(expect, "tools");
    for (uint32_t i = 0; i < list->count; i++) {
        struct str name = mgi_json_get(&list->items[i], "name")->string;
        bool known = false;
        for (size_t k = 0; wanted && k < wanted->count && !known; k++)
            known = str_eq(wanted->entries[k].key, name);
        if (!known)
            mgi_scenario_fail(r, "%.*s is there too", STR_ARG(name));
    }
}

static void check_order(struct run *r, const struct yaml_node *list)
{
    const struct json *before = NULL;
    for (size_t i = 0; list && i < list->count; i++) {
        const struct json *tool = mgi_scenario_tool(r, list->entries[i].value->text);
        if (tool && before && tool < before) /* both are elements of one array */
            mgi_scenario_fail(r, "%.*s comes before %.*s", STR_ARG(list->entries[i].value->text),
                              STR_ARG(mgi_json_get(before, "name")->string));
        before = tool ? tool : before;
    }
}

static bool has_skill(struct run *r, struct str id)
{
    const struct json *required = mgi_json_get(&r->response, "required_skills");
    for (uint32_t i = 0; required && i < required->count; i++)
        if (str_eq(mgi_json_get(&required->items[i], "skill_id")->string, id))
            return true;
    const struct json *list = mgi_scenario_tools(r);
    for (uint32_t i = 0; i < list->count; i++) {
        const struct json *context = mgi_json_get(&list->items[i], "context_injection");
        const struct json *skills = context ? mgi_json_get(context, "skills") : NULL;
        for (uint32_t k = 0; skills && k < skills->count; k++)
            if (str_eq(mgi_json_get(&skills->items[k], "skill_id")->string, id))
                return true;
    }
    return false;
}

static void check_skills(struct run *r, const struct yaml_node *list)
{
    for (size_t n = 0; list && n < r->s->skill_count; n++) {
        struct str id = r->s->skills[n].id;
        bool wanted = false, got = has_skill(r, id);
        for (size_t i = 0; i < list->count; i++)
            wanted |= str_eq(list->entries[i].value->text, id);
        if (wanted != got)
            mgi_scenario_fail(r, "skill %.*s is %s", STR_ARG(id), got ? "there" : "not there");
    }
}

static void check_error(struct run *r, const struct yaml_node *expect, const struct wire_error *e)
{
    const struct yaml_node *want = mgi_yaml_get(expect, "error");
    /* Which rule failed, and why: for authors, as the server's log has it. */
    const char *log = r->told ? "; log: " : "", *told = r->told ? r->told : "";
    if (want && !r->error)
        mgi_scenario_fail(r, "expected %.*s, got an answer", STR_ARG(want->text));
    else if (!want && r->error)
        mgi_scenario_fail(r, "expected an answer, got %s: %s %.*s%s%s", r->error, e->message,
                          STR_ARG(e->details), log, told);
    else if (want && !str_is(want->text, r->error))
        mgi_scenario_fail(r, "expected %.*s, got %s: %s%s%s", STR_ARG(want->text), r->error,
                          e->message, log, told);
}

void mgi_scenario_judge(struct run *r, const struct yaml_node *expect, const struct wire_error *e)
{
    check_error(r, expect, e);
    if (!expect || r->error)
        return;
    for (size_t i = 0; i < TOOL_CHECKS; i++) {
        const struct yaml_node *map = mgi_yaml_get(expect, tool_checks[i].key);
        for (size_t k = 0; map && map->kind == YAML_MAP && k < map->count; k++)
            tool_checks[i].check(r, map->entries[k].key, map->entries[k].value);
        if (map && map->kind == YAML_LIST && i == 0) /* tools: [a, b] means any level */
            for (size_t k = 0; k < map->count; k++)
                if (!mgi_scenario_tool(r, map->entries[k].value->text))
                    mgi_scenario_fail(r, "%.*s is not there", STR_ARG(map->entries[k].value->text));
    }
    check_absent(r, mgi_yaml_get(expect, "absent"));
    check_only(r, expect);
    check_order(r, mgi_yaml_get(expect, "order"));
    check_skills(r, mgi_yaml_get(expect, "skills"));
}
