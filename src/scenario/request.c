/* The request of a scenario: YAML -> the payload of an intent_request, and who sends it. */
#include "domain/files.h"
#include "scenario/scenario_int.h"

static const char *const principal_keys[] = { "kind",      "identity",     "permissions",
                                              "automated", "auto_confirm", NULL };

/* ---- the request -------------------------------------------------------------------------- */

static bool is_time_key(struct str key)
{
    return str_is(key, "at") || str_is(key, "start") || str_is(key, "end");
}

void mgi_scenario_fact(struct run *r, struct json_writer *w, const struct yaml_node *n)
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

void mgi_scenario_facts(struct run *r, struct json_writer *w, const struct yaml_node *list,
                        const struct yaml_node *files)
{
    mgi_jw_key(w, "facts");
    mgi_jw_begin_array(w);
    for (size_t i = 0; list && list->kind == YAML_LIST && i < list->count; i++)
        mgi_scenario_fact(r, w, list->entries[i].value);
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

bool mgi_scenario_request(struct run *r, const struct yaml_node *n, struct json *out)
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
    mgi_scenario_facts(r, &w, mgi_yaml_get(n, "facts"), mgi_yaml_get(n, "facts_file"));
    write_member(&w, n, "eval_time");
    write_member(&w, n, "constraints");
    write_member(&w, n, "options");
    mgi_jw_end_object(&w);
    return mgi_json_take(r->yaml.arena, &text, out);
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

bool mgi_scenario_principal(struct run *r, const struct yaml_node *n)
{
    /* Each scenario has tools of its own: one that an earlier scenario made would stay live. */
    const char *key = mgi_arena_printf(r->yaml.arena, "scenario %zu", r->report->count);
    if (!key)
        return false;
    r->who = (struct principal){ .kind = PRINCIPAL_LOCAL,
                                 .identity = STR_LIT("local"),
                                 .expires_ns = INT64_MAX,
                                 .key = str_of(key),
                                 .caller_len = strlen(key) };
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
