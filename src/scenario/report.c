/* What the files of this room share: saying what does not hold, and looking into the answer of the
 * evaluation. */
#include "scenario/scenario_int.h"

void mgi_scenario_fail(struct run *r, const char *format, ...)
{
    struct buf text = { 0 };
    va_list args;
    va_start(args, format);
    mgi_buf_vprintf(&text, format, args);
    va_end(args);
    struct scenario_result *result = r->result;
    char *kept = text.ptr ? mgi_arena_strdup(r->yaml.arena, text.ptr) : NULL;
    if (kept && mgi_arena_grow(r->yaml.arena, &result->failures, &r->failure_cap,
                               result->failure_count + 1, sizeof(char *)))
        result->failures[result->failure_count++] = kept;
    result->passed = false;
    mgi_buf_fini(&text);
}

/* ---- the answer of the evaluation ---------------------------------------------------------- */

const struct json *mgi_scenario_tools(const struct run *r)
{
    static const struct json none = { .type = JSON_ARRAY };
    const struct json *list = mgi_json_get(&r->response, "macro_tools");
    return list ? list : &none;
}

const struct json *mgi_scenario_tool(const struct run *r, struct str name)
{
    const struct json *list = mgi_scenario_tools(r);
    for (uint32_t i = 0; i < list->count; i++) {
        const struct json *n = mgi_json_get(&list->items[i], "name");
        if (n && str_eq(n->string, name))
            return &list->items[i];
    }
    return NULL;
}

bool mgi_scenario_macro(struct run *r, struct str name, struct macro *out)
{
    const struct json *tool = mgi_scenario_tool(r, name);
    struct macro_entry entry;
    enum macro_found found;
    return tool &&
           mgi_store_macro_get(&r->store, mgi_principal_key(&r->who),
                               mgi_json_get(tool, "macro_id")->string, r->clock_ns, r->yaml.arena,
                               &found, &entry) == STORE_OK &&
           found == MACRO_FOUND && mgi_macro_read(r->yaml.arena, entry.definition, out);
}

/* ---- comparing ----------------------------------------------------------------------------- */

/* What is there, as compact JSON, against what is expected. */
void mgi_scenario_expect(struct run *r, struct str tool, const char *what,
                         const struct yaml_node *want, const struct json *got)
{
    struct json expected;
    if (!mgi_yaml_to_json(r->yaml.arena, want, &expected)) {
        mgi_scenario_fail(r, "memory ran out");
        return;
    }
    if (got && mgi_json_equal(&expected, got, false))
        return;
    mgi_scenario_fail(r, "%.*s: %s: expected %.*s, got %.*s", STR_ARG(tool), what,
                      STR_ARG(expected.text), STR_ARG(got ? got->text : STR_LIT("nothing")));
}

typedef void check_fn(struct run *r, struct str tool, const struct yaml_node *want);

/* A list of texts against a list of texts. */
void mgi_scenario_expect_texts(struct run *r, struct str tool, const char *what,
                               const struct yaml_node *want, const struct str *got, size_t count)
{
    struct buf text = { 0 };
    struct json_writer w;
    mgi_json_writer_init(&w, &text, 0);
    mgi_jw_begin_array(&w);
    for (size_t i = 0; i < count; i++)
        mgi_jw_string(&w, got[i]);
    mgi_jw_end_array(&w);
    struct json v;
    struct str kept = mgi_arena_str(r->yaml.arena, mgi_buf_view(&text));
    if (kept.ptr && mgi_json_parse(r->yaml.arena, kept, NULL, &v, NULL) == JSON_OK)
        mgi_scenario_expect(r, tool, what, want, &v);
    else
        mgi_scenario_fail(r, "memory ran out");
    mgi_buf_fini(&text);
}

/* ---- what is written is wrong ---------------------------------------------------------------- */

bool mgi_scenario_expects(struct run *r, const struct yaml_node *expect, const char *where,
                          const char *const *keys)
{
    if (!expect || mgi_yaml_is_null(expect))
        return false;
    if (expect->kind == YAML_MAP)
        mgi_yaml_known_keys(&r->yaml, expect, where, keys);
    else
        mgi_yaml_error(&r->yaml, expect, "BAD_VALUE", NULL, "%s is a map", where);
    return expect->kind == YAML_MAP;
}

/* ---- names that do not exist --------------------------------------------------------------- */

const char *mgi_scenario_hint(struct run *r, const struct near *near)
{
    return near->best.len > 0
               ? mgi_arena_printf(r->yaml.arena, "Did you mean %.*s?", STR_ARG(near->best))
               : NULL;
}

const struct tool *mgi_scenario_template(struct run *r, struct str name,
                                         const struct yaml_place *at)
{
    const struct tool *tool = mgi_snapshot_tool(r->s, name);
    struct near near = mgi_near(name);
    if (tool)
        return tool;
    for (size_t i = 0; i < r->s->tool_count; i++)
        mgi_near_try(&near, r->s->tools[i].name);
    mgi_findings_add(r->yaml.findings, MANGLE_ERROR, "UNKNOWN_TOOL", at->origin, at->line,
                     at->column, mgi_scenario_hint(r, &near), "the domain has no tool \"%.*s\"",
                     STR_ARG(name));
    return NULL;
}
