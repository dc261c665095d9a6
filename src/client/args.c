/* Values on their way to a server: written out, typed by a schema, held against it.
 *
 * What a person typed is a word, and only the schema knows whether `9` is a number or the name of a
 * tag. Both readings are held against it, alone; where one fits that is what it is. Where both do
 * (or there is no schema) a word is JSON if it reads as JSON. A word in double quotes is the text
 * between them in any case. */
#include <stdio.h>

#include "client/client_int.h"

#define MAX_ISSUES 200 /* a judged word must not be crowded out by what other members lack */

/* ---- one value ---------------------------------------------------------------------------- */

static bool write_json(struct json_writer *w, struct arena *scratch, const char *text)
{
    struct json v;
    if (mgi_json_parse(scratch, str_of(text), NULL, &v, NULL) != JSON_OK)
        return false;
    mgi_jw_value(w, &v);
    return true;
}

bool mgi_value_write(struct json_writer *w, struct arena *scratch, const struct manglecp_value *v)
{
    switch (v->kind) {
    case MANGLECP_NULL:
        mgi_jw_null(w);
        return true;
    case MANGLECP_TEXT:
        mgi_jw_cstring(w, v->text);
        return true;
    case MANGLECP_INT:
        mgi_jw_int(w, v->integer);
        return true;
    case MANGLECP_FLOAT:
        mgi_jw_float(w, v->number);
        return true;
    case MANGLECP_BOOL:
        mgi_jw_bool(w, v->boolean);
        return true;
    case MANGLECP_JSON:
        return write_json(w, scratch, v->text);
    case MANGLECP_WORD:
        if (!write_json(w, scratch, v->text))
            mgi_jw_cstring(w, v->text);
        return !scratch->oom;
    }
    return false;
}

/* ---- words -------------------------------------------------------------------------------- */

static bool is_at(const char *path, const char *at)
{
    size_t len = strlen(at);
    return strncmp(path, at, len) == 0 && (path[len] == '\0' || path[len] == '/');
}

/* Does the member `name` of `value` fit, whatever the other members lack? */
static bool fits(struct arena *scratch, const struct schema *schema, struct str name,
                 const struct json *value)
{
    struct json_member member = { name, *value };
    struct json object = { .type = JSON_OBJECT, .count = 1, .members = &member };
    struct schema_issues issues;
    struct buf at = { 0 };
    bool ok = true;
    mgi_schema_issues_init(&issues, scratch, MAX_ISSUES);
    mgi_json_pointer_push(&at, name);
    if (!mgi_schema_validate(schema, &object, &issues))
        for (size_t i = 0; i < issues.count && ok && at.ptr; i++)
            ok = !is_at(issues.items[i].path, at.ptr);
    mgi_buf_fini(&at);
    return ok;
}

/* A member whose value is a word. */
static void write_word(struct json_writer *w, struct arena *scratch, const struct schema *schema,
                       const struct manglecp_member *m)
{
    struct str word = str_of(m->value.text), name = str_of(m->name);
    struct json as_json, as_text;
    struct buf quoted = { 0 };
    struct json_writer q;
    bool reads = mgi_json_parse(scratch, word, NULL, &as_json, NULL) == JSON_OK;
    mgi_json_writer_init(&q, &quoted, 0);
    mgi_jw_string(&q, word);
    bool made = !quoted.oom &&
                mgi_json_parse(scratch, mgi_buf_view(&quoted), NULL, &as_text, NULL) == JSON_OK;
    bool json = reads;
    if (reads && made && as_json.type != JSON_STRING && schema)
        json = fits(scratch, schema, name, &as_json) || !fits(scratch, schema, name, &as_text);
    if (json)
        mgi_jw_value(w, &as_json);
    else
        mgi_jw_string(w, word);
    mgi_buf_fini(&quoted);
}

/* ---- objects ------------------------------------------------------------------------------ */

static enum manglecp_status write_members(manglecp_client *c, const char *where, struct buf *out,
                                          const struct object_source *source,
                                          const struct schema *schema)
{
    struct json_writer w;
    enum manglecp_status status = MANGLECP_OK;
    mgi_json_writer_init(&w, out, 0);
    mgi_jw_begin_object(&w);
    for (size_t i = 0; i < source->count; i++) {
        const struct manglecp_member *m = &source->members[i];
        bool twice = false;
        for (size_t k = 0; k < i; k++)
            twice |= strcmp(source->members[k].name, m->name) == 0;
        if (twice) {
            status = mgi_problem(c, where, "duplicate", "%s is given twice", m->name);
            continue;
        }
        mgi_jw_key(&w, m->name);
        if (m->value.kind == MANGLECP_WORD) {
            write_word(&w, &c->last, schema, m);
        } else if (!mgi_value_write(&w, &c->last, &m->value)) {
            status = mgi_problem(c, where, "json", "%s is not JSON", m->name);
            mgi_jw_null(&w);
        }
    }
    mgi_jw_end_object(&w);
    return status;
}

enum manglecp_status mgi_object_make(manglecp_client *c, const char *where,
                                     const struct object_source *source,
                                     const struct schema *schema, const struct json **out)
{
    struct buf text = { 0 };
    struct json_error fault = { 0 };
    enum manglecp_status status = MANGLECP_OK;
    struct json *object = mgi_arena_calloc(&c->last, 1, sizeof *object);
    *out = NULL;
    if (source->json)
        mgi_buf_puts(&text, source->json);
    else
        status = write_members(c, where, &text, source, schema);
    struct str kept = mgi_arena_str(&c->last, mgi_buf_view(&text));
    bool ok = object && kept.ptr && !text.oom;
    mgi_buf_fini(&text);
    if (!ok)
        return MANGLECP_ERR_NOMEM;
    if (status)
        return status;
    enum json_fault parsed = mgi_json_parse(&c->last, kept, NULL, object, &fault);
    if (parsed == JSON_NOMEM || c->last.oom)
        return MANGLECP_ERR_NOMEM;
    if (parsed)
        return mgi_problem(c, where, "json", "column %u: %s", fault.column, fault.message);
    if (object->type != JSON_OBJECT)
        return mgi_problem(c, where, "type", "must be a JSON object");
    *out = object;
    return MANGLECP_OK;
}

enum manglecp_status mgi_object_check(manglecp_client *c, const char *where,
                                      const struct json *object, const struct schema *schema)
{
    struct schema_issues issues;
    enum manglecp_status status = MANGLECP_OK;
    mgi_schema_issues_init(&issues, &c->last, 0);
    if (mgi_schema_validate(schema, object, &issues))
        return MANGLECP_OK;
    for (size_t i = 0; i < issues.count && status != MANGLECP_ERR_NOMEM; i++) {
        const char *at = mgi_arena_printf(&c->last, "%s%s", where, issues.items[i].path);
        status = at ? mgi_problem(c, at, issues.items[i].keyword, "%s", issues.items[i].message)
                    : MANGLECP_ERR_NOMEM;
    }
    return issues.count ? status : MANGLECP_ERR_NOMEM;
}
