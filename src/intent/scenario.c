/* Running scenarios: YAML -> request -> mgi_intent_evaluate -> what was expected. */
#include "intent/scenario.h"

#include "base/time.h"
#include "domain/files.h"
#include "intent/intent.h"
#include "macro/macro.h"
#include "protocol/wire_time.h"

#define STORE_BYTES (64u << 20)

struct run {
    struct snapshot *s;
    const struct scenario_options *options;
    struct yaml_context yaml;
    struct intent_worker *worker;
    struct store store;
    struct scenario_report *report;
    size_t cap;
    int64_t clock_ns; /* of the file */
    /* of the scenario that runs */
    struct scenario_result *result;
    size_t failure_cap;
    struct principal who;
    struct json response;
    const char *error; /* wire name, or NULL */
    char *reason;      /* what the server's log would say of it: for authors, not for clients */
};

static const char *const file_keys[] = { "clock", "scenarios", NULL };
static const char *const scenario_keys[] = { "name",       "intent",    "params",      "facts",
                                             "facts_file", "eval_time", "constraints", "options",
                                             "principal",  "expect",    NULL };
static const char *const principal_keys[] = { "kind",      "identity",     "permissions",
                                              "automated", "auto_confirm", NULL };

static void fail(struct run *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void fail(struct run *r, const char *format, ...)
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

/* ---- the request -------------------------------------------------------------------------- */

static bool is_time_key(struct str key)
{
    return str_is(key, "at") || str_is(key, "start") || str_is(key, "end");
}

/* {reading: [a, 1], at: T} -> {"pred":"reading","args":["a",1],"t":{"at":T}} */
static void write_fact(struct run *r, struct json_writer *w, const struct yaml_node *n)
{
    if (n->kind != YAML_MAP || mgi_yaml_get(n, "pred")) {
        mgi_yaml_write_json(w, n);
        return;
    }
    const struct yaml_entry *fact = NULL;
    size_t times = 0;
    for (size_t i = 0; i < n->count; i++) {
        if (is_time_key(n->entries[i].key))
            times++;
        else if (!fact)
            fact = &n->entries[i];
        else
            mgi_yaml_error(&r->yaml, n, "BAD_FACT", "Write {predicate: [arguments], at: TIME}.",
                           "a fact in short form has one predicate");
    }
    if (!fact) {
        mgi_yaml_error(&r->yaml, n, "BAD_FACT", NULL, "a fact names a predicate");
        mgi_jw_null(w);
        return;
    }
    mgi_jw_begin_object(w);
    mgi_jw_member_str(w, "pred", fact->key);
    mgi_jw_key(w, "args");
    if (mgi_yaml_is_null(fact->value)) { /* {has_errors: } */
        mgi_jw_begin_array(w);
        mgi_jw_end_array(w);
    } else {
        mgi_yaml_write_json(w, fact->value);
    }
    if (times > 0) {
        mgi_jw_key(w, "t");
        mgi_jw_begin_object(w);
        for (size_t i = 0; i < n->count; i++)
            if (is_time_key(n->entries[i].key)) {
                mgi_jw_key_str(w, n->entries[i].key);
                mgi_yaml_write_json(w, n->entries[i].value);
            }
        mgi_jw_end_object(w);
    }
    mgi_jw_end_object(w);
}

static void write_facts_file(struct run *r, struct json_writer *w, const struct yaml_node *n)
{
    struct file file = { 0 };
    bool found = false;
    const char *path = n->kind == YAML_SCALAR ? mgi_arena_str(r->yaml.arena, n->text).ptr : NULL;
    if (path && !mgi_file_read(&r->yaml, r->s->folder.ptr, path, &file, &found))
        return;
    if (!found) {
        mgi_yaml_error(&r->yaml, n, "NO_FILE", "Paths count from the domain folder.",
                       "there is no file \"%.*s\"", STR_ARG(n->text));
        return;
    }
    struct str rest = file.text;
    for (uint32_t line = 1; rest.len > 0; line++) {
        const char *end = memchr(rest.ptr, '\n', rest.len);
        struct str one = { rest.ptr, end ? (size_t)(end - rest.ptr) : rest.len };
        size_t skip = one.len + (end ? 1 : 0);
        rest.ptr += skip;
        rest.len -= skip;
        while (one.len > 0 && strchr(" \t\r", one.ptr[one.len - 1]))
            one.len--;
        struct json v;
        struct json_error e;
        if (one.len == 0)
            continue;
        if (mgi_json_parse(r->yaml.arena, one, NULL, &v, &e) == JSON_OK)
            mgi_jw_raw(w, v.text);
        else
            mgi_findings_add(r->yaml.findings, MANGLE_ERROR, "JSON", path, line, e.column, NULL,
                             "%s", e.message);
    }
}

static void write_facts(struct run *r, struct json_writer *w, const struct yaml_node *n)
{
    const struct yaml_node *list = mgi_yaml_get(n, "facts");
    const struct yaml_node *files = mgi_yaml_get(n, "facts_file");
    mgi_jw_key(w, "facts");
    mgi_jw_begin_array(w);
    for (size_t i = 0; list && list->kind == YAML_LIST && i < list->count; i++)
        write_fact(r, w, list->entries[i].value);
    if (files && files->kind == YAML_LIST)
        for (size_t i = 0; i < files->count; i++)
            write_facts_file(r, w, files->entries[i].value);
    else if (files)
        write_facts_file(r, w, files);
    mgi_jw_end_array(w);
}

static void write_member(struct json_writer *w, const struct yaml_node *n, const char *name)
{
    const struct yaml_node *v = mgi_yaml_get(n, name);
    if (!v)
        return;
    mgi_jw_key(w, name);
    mgi_yaml_write_json(w, v);
}

static bool build_request(struct run *r, const struct yaml_node *n, struct json *out)
{
    struct buf text = { 0 };
    struct json_writer w;
    mgi_json_writer_init(&w, &text, 0);
    mgi_jw_begin_object(&w);
    mgi_jw_key(&w, "intent");
    mgi_jw_begin_object(&w);
    const struct yaml_node *intent = mgi_yaml_get(n, "intent");
    mgi_jw_member_str(&w, "name",
                      intent && intent->kind == YAML_SCALAR ? intent->text : (struct str){ "", 0 });
    write_member(&w, n, "params");
    mgi_jw_end_object(&w);
    write_facts(r, &w, n);
    write_member(&w, n, "eval_time");
    write_member(&w, n, "constraints");
    write_member(&w, n, "options");
    mgi_jw_end_object(&w);
    struct str kept =
        text.oom ? (struct str){ 0 } : mgi_arena_str(r->yaml.arena, mgi_buf_view(&text));
    mgi_buf_fini(&text);
    return kept.ptr && mgi_json_parse(r->yaml.arena, kept, NULL, out, NULL) == JSON_OK;
}

static bool read_names(struct run *r, const struct yaml_node *n, const struct str **out,
                       size_t *count)
{
    struct str *names = mgi_arena_calloc(r->yaml.arena, (n ? n->count : 0) + 1, sizeof *names);
    if (!names)
        return false;
    for (size_t i = 0; n && n->kind == YAML_LIST && i < n->count; i++)
        names[(*count)++] = n->entries[i].value->text;
    *out = names;
    return true;
}

static bool read_principal(struct run *r, const struct yaml_node *n)
{
    r->who = (struct principal){ .kind = PRINCIPAL_LOCAL,
                                 .identity = STR_LIT("local"),
                                 .expires_ns = INT64_MAX };
    if (!n)
        return true;
    mgi_yaml_known_keys(&r->yaml, n, "a principal", principal_keys);
    struct str kind = mgi_yaml_text(&r->yaml, n, "kind", true);
    r->who.identity = mgi_yaml_text(&r->yaml, n, "identity", false);
    r->who.kind = str_is(kind, "known")       ? PRINCIPAL_KNOWN
                  : str_is(kind, "anonymous") ? PRINCIPAL_ANONYMOUS
                                              : PRINCIPAL_LOCAL;
    if (!str_is(kind, "known") && !str_is(kind, "anonymous") && !str_is(kind, "local"))
        mgi_yaml_error(&r->yaml, n, "BAD_VALUE", NULL, "kind is local, known or anonymous");
    const struct yaml_node *automated = mgi_yaml_get(n, "automated");
    if (automated && !mgi_yaml_bool(automated, &r->who.automated))
        mgi_yaml_error(&r->yaml, automated, "BAD_VALUE", NULL, "automated must be true or false");
    return read_names(r, mgi_yaml_get(n, "permissions"), &r->who.permissions,
                      &r->who.permission_count) &&
           read_names(r, mgi_yaml_get(n, "auto_confirm"), &r->who.auto_confirm,
                      &r->who.auto_confirm_count);
}

/* ---- the answer --------------------------------------------------------------------------- */

static const struct json *tools(const struct run *r)
{
    static const struct json none = { .type = JSON_ARRAY };
    const struct json *list = mgi_json_get(&r->response, "macro_tools");
    return list ? list : &none;
}

static const struct json *find_tool(const struct run *r, struct str name)
{
    const struct json *list = tools(r);
    for (uint32_t i = 0; i < list->count; i++) {
        const struct json *n = mgi_json_get(&list->items[i], "name");
        if (n && str_eq(n->string, name))
            return &list->items[i];
    }
    return NULL;
}

static bool find_macro(struct run *r, struct str name, struct macro *out)
{
    const struct json *tool = find_tool(r, name);
    struct macro_entry entry;
    enum macro_found found;
    return tool &&
           mgi_store_macro_get(&r->store, mgi_principal_key(&r->who),
                               mgi_json_get(tool, "macro_id")->string, r->clock_ns, r->yaml.arena,
                               &found, &entry) == STORE_OK &&
           found == MACRO_FOUND && mgi_macro_read(r->yaml.arena, entry.definition, out);
}

/* What is there, as compact JSON, against what is expected. */
static void expect_json(struct run *r, struct str tool, const char *what,
                        const struct yaml_node *want, const struct json *got)
{
    struct json expected;
    if (!mgi_yaml_to_json(r->yaml.arena, want, &expected))
        return;
    if (got && mgi_json_equal(&expected, got, false))
        return;
    fail(r, "%.*s: %s: expected %.*s, got %.*s", STR_ARG(tool), what, STR_ARG(expected.text),
         STR_ARG(got ? got->text : STR_LIT("nothing")));
}

typedef void check_fn(struct run *r, struct str tool, const struct yaml_node *want);

static void check_level(struct run *r, struct str tool, const struct yaml_node *want)
{
    const struct json *level = mgi_json_get(find_tool(r, tool), "disclosure_level");
    if (!level)
        fail(r, "%.*s is not there", STR_ARG(tool));
    else if (!str_is(want->text, "any") && !str_eq(level->string, want->text))
        fail(r, "%.*s: expected %.*s, got %.*s", STR_ARG(tool), STR_ARG(want->text),
             STR_ARG(level->string));
}

static void check_score(struct run *r, struct str tool, const struct yaml_node *want)
{
    const struct json *meta = mgi_json_get(find_tool(r, tool), "metadata");
    expect_json(r, tool, "score", want, meta ? mgi_json_get(meta, "score") : NULL);
}

static void check_phase(struct run *r, struct str tool, const struct yaml_node *want)
{
    const struct json *meta = mgi_json_get(find_tool(r, tool), "metadata");
    expect_json(r, tool, "phase", want, meta ? mgi_json_get(meta, "selection_phase") : NULL);
}

static bool need_macro(struct run *r, struct str tool, struct macro *m)
{
    if (find_macro(r, tool, m))
        return true;
    fail(r, "%.*s is not there", STR_ARG(tool));
    return false;
}

/* A list of texts against a list of texts. */
static void expect_texts(struct run *r, struct str tool, const char *what,
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
        expect_json(r, tool, what, want, &v);
    mgi_buf_fini(&text);
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
        expect_texts(r, tool, "steps", want, ids, m.step_count);
}

static void check_effects(struct run *r, struct str tool, const struct yaml_node *want)
{
    struct macro m;
    if (need_macro(r, tool, &m))
        expect_texts(r, tool, "effects", want, m.effects, m.effect_count);
}

static void check_confirm(struct run *r, struct str tool, const struct yaml_node *want)
{
    struct macro m;
    bool expected;
    if (!mgi_yaml_bool(want, &expected))
        mgi_yaml_error(&r->yaml, want, "BAD_VALUE", NULL, "confirm is true or false");
    else if (need_macro(r, tool, &m) && m.requires_confirmation != expected)
        fail(r, "%.*s %s for confirmation", STR_ARG(tool), expected ? "does not ask" : "asks");
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
        expect_json(r, tool, "bound", want->entries[i].value, got);
    }
}

static const struct json *property(struct run *r, struct macro *m, struct str tool, struct str name)
{
    if (!find_macro(r, tool, m))
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
        expect_json(r, tool, "values", want->entries[i].value, values);
    }
}

static void check_hidden(struct run *r, struct str tool, const struct yaml_node *want)
{
    for (size_t i = 0; i < want->count; i++) {
        struct macro m;
        if (property(r, &m, tool, want->entries[i].value->text))
            fail(r, "%.*s shows the parameter %.*s", STR_ARG(tool),
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
    fail(r, "%.*s: expires: expected %.*s, got %s", STR_ARG(tool), STR_ARG(want->text),
         got.ptr ? got.ptr : "");
    mgi_buf_fini(&got);
}

static const struct json *context_of(struct run *r, struct str tool, const char *member)
{
    const struct json *context = mgi_json_get(find_tool(r, tool), "context_injection");
    return context ? mgi_json_get(context, member) : NULL;
}

static void check_instructions(struct run *r, struct str tool, const struct yaml_node *want)
{
    const struct json *text = context_of(r, tool, "instructions");
    if (!text || mgi_str_find(text->string, want->text) == SIZE_MAX)
        fail(r, "%.*s: instructions: expected \"%.*s\" in \"%.*s\"", STR_ARG(tool),
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
        expect_texts(r, tool, "resources", want, uris, count);
}

static void check_excluded(struct run *r, struct str tool, const struct yaml_node *want)
{
    const struct json *hints = mgi_json_get(&r->response, "proof_hints");
    const struct json *list = hints ? mgi_json_get(hints, "excluded") : NULL;
    for (uint32_t i = 0; list && i < list->count; i++)
        if (str_eq(mgi_json_get(&list->items[i], "candidate")->string, tool)) {
            expect_json(r, tool, "excluded", want, mgi_json_get(&list->items[i], "excluded_by"));
            return;
        }
    fail(r, "%.*s is not among the excluded%s", STR_ARG(tool),
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
};
#define TOOL_CHECKS (sizeof tool_checks / sizeof *tool_checks)

static const char *const expect_keys[] = { "tools",     "only",     "absent",  "order",
                                           "error",     "skills",   "score",   "phase",
                                           "steps",     "confirm",  "effects", "values",
                                           "bound",     "hidden",   "expires", "instructions",
                                           "resources", "excluded", NULL };

/* ---- expectations about the whole ---------------------------------------------------------- */

static void check_absent(struct run *r, const struct yaml_node *list)
{
    for (size_t i = 0; list && i < list->count; i++)
        if (find_tool(r, list->entries[i].value->text))
            fail(r, "%.*s is there", STR_ARG(list->entries[i].value->text));
}

static void check_only(struct run *r, const struct yaml_node *expect)
{
    bool only = false;
    const struct yaml_node *n = mgi_yaml_get(expect, "only");
    if (!n || !mgi_yaml_bool(n, &only) || !only)
        return;
    const struct json *list = tools(r);
    const struct yaml_node *wanted = mgi_yaml_get(expect, "tools");
    for (uint32_t i = 0; i < list->count; i++) {
        struct str name = mgi_json_get(&list->items[i], "name")->string;
        bool known = false;
        for (size_t k = 0; wanted && k < wanted->count && !known; k++)
            known = str_eq(wanted->entries[k].key, name);
        if (!known)
            fail(r, "%.*s is there too", STR_ARG(name));
    }
}

static void check_order(struct run *r, const struct yaml_node *list)
{
    const struct json *before = NULL;
    for (size_t i = 0; list && i < list->count; i++) {
        const struct json *tool = find_tool(r, list->entries[i].value->text);
        if (tool && before && tool < before) /* both are elements of one array */
            fail(r, "%.*s comes before %.*s", STR_ARG(list->entries[i].value->text),
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
    const struct json *list = tools(r);
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
            fail(r, "skill %.*s is %s", STR_ARG(id), got ? "there" : "not there");
    }
}

static void check_error(struct run *r, const struct yaml_node *expect, const struct wire_error *e)
{
    const struct yaml_node *want = mgi_yaml_get(expect, "error");
    const char *reason = r->reason ? r->reason : "";
    if (want && !r->error)
        fail(r, "expected %.*s, got an answer", STR_ARG(want->text));
    else if (!want && r->error)
        fail(r, "expected an answer, got %s: %s %.*s%s", r->error, e->message, STR_ARG(e->details),
             reason);
    else if (want && !str_is(want->text, r->error))
        fail(r, "expected %.*s, got %s: %s%s", STR_ARG(want->text), r->error, e->message, reason);
}

static void judge(struct run *r, const struct yaml_node *expect, const struct wire_error *e)
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
                if (!find_tool(r, map->entries[k].value->text))
                    fail(r, "%.*s is not there", STR_ARG(map->entries[k].value->text));
    }
    check_absent(r, mgi_yaml_get(expect, "absent"));
    check_only(r, expect);
    check_order(r, mgi_yaml_get(expect, "order"));
    check_skills(r, mgi_yaml_get(expect, "skills"));
}

/* ---- running ------------------------------------------------------------------------------ */

/* One line each: which rule failed, and why. */
static void keep_reason(void *context, enum log_level level, const char *line, size_t len)
{
    struct run *r = context;
    (void)level;
    r->reason = mgi_arena_printf(r->yaml.arena, "%s; log: %.*s", r->reason ? r->reason : "",
                                 (int)len, line);
}

static bool evaluate(struct run *r, const struct json *payload, const struct yaml_node *expect)
{
    const struct logger log = { LOG_WARN, keep_reason, r };
    struct intent_call call = { .snapshot = r->s,
                                .who = &r->who,
                                .payload = payload,
                                .clock_ns = r->clock_ns,
                                .mono = r->options ? r->options->mono : NULL,
                                .mono_context = r->options ? r->options->mono_context : NULL,
                                .log = &log,
                                .store = &r->store };
    struct wire_error e = { .retry_after_ms = -1 };
    struct buf out = { 0 };
    bool ok = true;
    r->response = (struct json){ .type = JSON_NULL };
    r->error = NULL;
    r->reason = NULL;
    if (mgi_intent_evaluate(r->worker, &call, r->yaml.arena, &out, &e)) {
        struct str kept = mgi_arena_str(r->yaml.arena, mgi_buf_view(&out));
        ok = kept.ptr && mgi_json_parse(r->yaml.arena, kept, NULL, &r->response, NULL) == JSON_OK;
    } else {
        r->error = mgi_wire_code(e.code)->name;
    }
    mgi_buf_fini(&out);
    if (ok)
        judge(r, expect, &e);
    return ok;
}

static bool is_wanted(const struct run *r, struct str name)
{
    return !r->options || !r->options->only ||
           mgi_str_find(name, str_of(r->options->only)) != SIZE_MAX;
}

static bool run_scenario(struct run *r, const struct yaml_node *n)
{
    struct str name = mgi_yaml_text(&r->yaml, n, "name", true);
    if (!is_wanted(r, name))
        return true;
    size_t errors = mgi_findings_errors(r->yaml.findings);
    mgi_yaml_known_keys(&r->yaml, n, "a scenario", scenario_keys);
    const struct yaml_node *expect = mgi_yaml_get(n, "expect");
    if (expect)
        mgi_yaml_known_keys(&r->yaml, expect, "expect", expect_keys);
    struct scenario_report *report = r->report;
    if (!mgi_arena_grow(r->yaml.arena, &report->items, &r->cap, report->count + 1,
                        sizeof *report->items))
        return false;
    r->result = &report->items[report->count++];
    r->failure_cap = 0;
    *r->result = (struct scenario_result){ n->origin, n->line, name, true, NULL, 0 };
    struct json payload;
    if (!read_principal(r, mgi_yaml_get(n, "principal")) || !build_request(r, n, &payload) ||
        !evaluate(r, &payload, expect))
        return false;
    if (mgi_findings_errors(r->yaml.findings) > errors)
        fail(r, "the scenario itself is wrong");
    report->passed += r->result->passed;
    return true;
}

static bool run_file(struct run *r, const struct file *file)
{
    const struct yaml_node *root = mgi_yaml_parse(&r->yaml, file->path, file->text, 0);
    if (!root)
        return !r->yaml.arena->oom;
    if (root->kind != YAML_MAP) {
        mgi_yaml_error(&r->yaml, root, "BAD_VALUE", NULL, "a test file is a map with scenarios");
        return true;
    }
    mgi_yaml_known_keys(&r->yaml, root, "a test file", file_keys);
    const struct yaml_node *clock = mgi_yaml_get(root, "clock");
    r->clock_ns = 0;
    if (clock && mgi_time_parse(clock->text, TIME_LOWER_CASE, &r->clock_ns) != TIME_OK)
        mgi_yaml_error(&r->yaml, clock, "BAD_VALUE", NULL, "clock is an RFC 3339 time");
    const struct yaml_node *list = mgi_yaml_get(root, "scenarios");
    if (!list || list->kind != YAML_LIST) {
        mgi_yaml_error(&r->yaml, root, "MISSING_KEY", NULL, "\"scenarios\" must be a list");
        return true;
    }
    for (size_t i = 0; i < list->count; i++) {
        const struct yaml_node *n = list->entries[i].value;
        if (n->kind != YAML_MAP)
            mgi_yaml_error(&r->yaml, n, "BAD_VALUE", NULL, "a scenario is a map");
        else if (!run_scenario(r, n))
            return false;
    }
    return true;
}

bool mgi_scenarios_run(struct snapshot *s, const struct scenario_options *options,
                       struct findings *findings, struct arena *arena, struct scenario_report *out)
{
    static const char *const suffixes[] = { ".yaml", ".yml", NULL };
    struct run r = { .s = s, .options = options, .yaml = { arena, findings }, .report = out };
    struct file_list files = { 0 };
    *out = (struct scenario_report){ 0 };
    r.worker = mgi_intent_worker_new();
    bool ok = r.worker && mgi_store_memory(STORE_BYTES, &r.store) &&
              mgi_files_read(&r.yaml, s->folder.ptr, "tests", suffixes, &files);
    for (size_t i = 0; ok && i < files.count; i++)
        ok = run_file(&r, &files.items[i]);
    mgi_findings_forget(findings);
    mgi_store_close(&r.store);
    mgi_intent_worker_free(r.worker);
    return ok;
}
