/* The operations of an OpenAPI document as requests: the main line over the files of openapi_int.h.
 */
#include "actions/openapi_int.h"
#include "protocol/schema.h"

#define MOST_DESCRIPTION 1000 /* bytes */

struct reading {
    struct openapi doc;
    struct openapi_choices choices;
    struct openapi_auth auth;
    struct openapi_servers servers;
    bool entry_good; /* else it is told, and nothing is written */
    bool with_answers;
    size_t operations, wanted, taken;
    bool (*take)(void *context, const struct http_one *one);
    void *context;
};

/* ---- what else a request says ---------------------------------------------------------------- */

static bool say_words(struct openapi_operation *op, struct str name)
{
    struct openapi *doc = op->doc;
    struct arena *a = doc->r->yaml->arena;
    struct str summary = mgi_openapi_text(op->value, "summary");
    struct str description = mgi_openapi_text(op->value, "description");
    struct str text = description.len > 0 ? description : summary;
    if (summary.len > 0 && description.len > 0 && !str_eq(summary, description)) {
        const char *both =
            mgi_arena_printf(a, "%.*s\n\n%.*s", STR_ARG(summary), STR_ARG(description));
        text = both ? str_of(both) : STR_LIT("");
    }
    text = mgi_openapi_cut(doc, mgi_str_trim(text, " \n\r\t"), MOST_DESCRIPTION);
    if (text.len == 0)
        text = str_of(op->title);
    return mgi_openapi_put(doc, op->request, STR_LIT("name"), op->value, name) &&
           mgi_openapi_put(doc, op->request, STR_LIT("description"), op->value, text) &&
           mgi_openapi_put(doc, op->request, STR_LIT("method"), op->value, str_of(op->method));
}

static bool say_tags(struct openapi_operation *op)
{
    struct openapi *doc = op->doc;
    const struct json *tags = mgi_json_get(op->value, "tags");
    struct yaml_node *list = mgi_openapi_node(doc, op->value, YAML_LIST, STR_LIT(""));
    bool good = list != NULL;
    for (uint32_t i = 0; good && tags && tags->type == JSON_ARRAY && i < tags->count && i < 16; i++)
        if (tags->items[i].type == JSON_STRING && tags->items[i].string.len > 0)
            good = mgi_openapi_append(
                doc, list,
                mgi_openapi_node(doc, &tags->items[i], YAML_SCALAR, tags->items[i].string));
    if (good && mgi_openapi_true(op->value, "deprecated"))
        good = mgi_openapi_append(
            doc, list, mgi_openapi_node(doc, op->value, YAML_SCALAR, STR_LIT("deprecated")));
    return good &&
           (list->count == 0 || mgi_yaml_set(doc->r->yaml->arena, op->request, "tags", list));
}

/* What `operations` says stands in for what the document says; of headers each. */
static bool say_otherwise(struct openapi_operation *op)
{
    struct arena *a = op->doc->r->yaml->arena;
    for (size_t i = 0; op->said && i < op->said->count; i++) {
        const struct yaml_entry *e = &op->said->entries[i];
        bool headers = str_is(e->key, "headers") && e->value->kind == YAML_MAP;
        if (!headers && !mgi_yaml_put(a, op->request, e->key, e->value))
            return false;
        for (size_t k = 0; headers && k < e->value->count; k++)
            if (!mgi_yaml_put(a, op->headers, e->value->entries[k].key, e->value->entries[k].value))
                return false;
    }
    return true;
}

/* The last word on a schema that was put together: is it one? */
static bool is_sound(struct openapi_operation *op, struct str text, const char **why)
{
    struct arena *a = op->doc->r->yaml->arena;
    struct arena_mark mark = mgi_arena_mark(a);
    struct json value;
    struct schema_issues issues;
    struct schema *schema = NULL;
    *why = NULL;
    mgi_schema_issues_init(&issues, a, 1);
    enum json_fault fault = mgi_json_parse(a, text, NULL, &value, NULL);
    if (fault == JSON_OK)
        schema = mgi_schema_compile(&value, 0, &issues);
    bool good = schema != NULL;
    mgi_schema_free(schema);
    if (good) {
        mgi_arena_rewind(a, mark);
        return true;
    }
    a->oom |= fault == JSON_NOMEM || (fault == JSON_OK && issues.count == 0);
    const char *path = issues.count > 0 ? issues.items[0].path : "";
    *why = issues.count > 0
               ? mgi_arena_printf(a, "its schema%s%s: \"%s\" %s", *path ? " at " : "", path,
                                  issues.items[0].keyword, issues.items[0].message)
               : "its schema cannot be written";
    return false;
}

static bool check_schemas(struct openapi_operation *op)
{
    const char *why;
    if (!is_sound(op, op->schemas.input, &why) && why)
        mgi_openapi_leave_out(op, op->value, "%s", why);
    if (op->schemas.output.len > 0 && !is_sound(op, op->schemas.output, &why)) {
        if (why)
            mgi_openapi_remark(op, op->value, "its answers are not checked: %s", why);
        op->schemas.output = STR_LIT("");
    }
    return !op->doc->r->yaml->arena->oom;
}

/* ---- an operation ---------------------------------------------------------------------------- */

static bool make_request(struct reading *r, struct openapi_operation *op, struct str name)
{
    struct openapi *doc = &r->doc;
    struct arena *a = doc->r->yaml->arena;
    op->request = mgi_openapi_node(doc, op->value, YAML_MAP, STR_LIT(""));
    op->url_query = mgi_openapi_node(doc, op->value, YAML_MAP, STR_LIT(""));
    op->headers = mgi_openapi_node(doc, op->value, YAML_MAP, STR_LIT(""));
    return op->request && op->url_query && op->headers && say_words(op, name) && say_tags(op) &&
           mgi_openapi_choose_server(op, &r->servers) && mgi_openapi_secure(op, &r->auth) &&
           mgi_openapi_parameters(op) && mgi_openapi_body(op) && mgi_openapi_write_input(op) &&
           mgi_openapi_answer(op, r->with_answers) &&
           mgi_yaml_set(a, op->request, "query", op->url_query) &&
           mgi_yaml_set(a, op->request, "headers", op->headers) && say_otherwise(op);
}

static bool take_operation(struct reading *r, struct openapi_operation *op)
{
    r->operations++;
    struct str name = mgi_openapi_name(op, &r->choices);
    if (!name.ptr)
        return false;
    if (!mgi_openapi_is_wanted(op, &r->choices))
        return true;
    r->wanted++;
    if (op->renamed && !mgi_yaml_get(op->said, "name"))
        mgi_openapi_remark(op, op->value,
                           "its name is %.*s, for another one has it without a number",
                           STR_ARG(name));
    if (!make_request(r, op, name))
        return false;
    if (!check_schemas(op))
        return false;
    if (r->entry_good)
        mgi_openapi_check_wire(op, &r->servers);
    if (op->left_out || !r->entry_good)
        return true;
    r->taken++;
    const struct http_one one = { r->doc.entry, op->request, &op->schemas };
    return r->take(r->context, &one);
}

static bool take_method(struct reading *r, const struct json_member *path, const struct json *item,
                        const struct json *value, const char *key, const char *method)
{
    struct openapi_operation op = {
        .doc = &r->doc,
        .item = item,
        .value = value,
        .path = path->name,
        .id = mgi_openapi_text(value, "operationId"),
        .method = method,
        .title = mgi_arena_printf(r->doc.r->yaml->arena, "%s %.*s", method, STR_ARG(path->name)),
    };
    if (!op.title)
        return false;
    if (value->type == JSON_OBJECT)
        return take_operation(r, &op);
    mgi_openapi_warn(&r->doc, value, "%s is left out: \"%s\" is no object", op.title, key);
    return true;
}

static bool take_path(struct reading *r, const struct json_member *path)
{
    static const char *const methods[][2] = { { "get", "GET" },        { "put", "PUT" },
                                              { "post", "POST" },      { "delete", "DELETE" },
                                              { "patch", "PATCH" },    { "head", "HEAD" },
                                              { "options", "OPTIONS" } };
    const char *why;
    const struct json *item = mgi_openapi_follow(&r->doc, &path->value, &why);
    if (mgi_str_starts(path->name, STR_LIT("x-")))
        return true;
    if (!item || item->type != JSON_OBJECT) {
        mgi_openapi_warn(&r->doc, &path->value, "the path %.*s is left out: it %s",
                         STR_ARG(path->name), item ? "is no object" : why);
        return true;
    }
    if (mgi_json_get(item, "trace"))
        mgi_openapi_warn(&r->doc, mgi_json_get(item, "trace"),
                         "TRACE %.*s is left out: no request has this method", STR_ARG(path->name));
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        const struct json *value = mgi_json_get(item, methods[i][0]);
        if (value && !take_method(r, path, item, value, methods[i][0], methods[i][1]))
            return false;
    }
    return true;
}

/* ---- the document ---------------------------------------------------------------------------- */

bool mgi_openapi_is_one(const struct openapi_text *text)
{
    if (text->yaml)
        return mgi_yaml_get(text->yaml, "openapi") || mgi_yaml_get(text->yaml, "swagger");
    return mgi_json_get(&text->root, "openapi") || mgi_json_get(&text->root, "swagger");
}

static bool check_version(struct openapi *doc)
{
    const struct json *v = mgi_json_get(&doc->root, "openapi");
    const struct json *old = mgi_json_get(&doc->root, "swagger");
    struct str version = v && v->type == JSON_STRING ? v->string : v ? v->text : STR_LIT("");
    doc->is_31 = mgi_str_starts(version, STR_LIT("3.1"));
    if (doc->is_31 || mgi_str_starts(version, STR_LIT("3.0")))
        return true;
    mgi_openapi_error(doc,
                      v     ? v
                      : old ? old
                            : &doc->root,
                      old ? "Convert it to OpenAPI 3; there are programs that do." : NULL,
                      v ? "OpenAPI %.*s is not read: 3.0 and 3.1 are"
                        : "it is no document of OpenAPI 3.0 or 3.1%.*s",
                      STR_ARG(version));
    return false;
}

/* Other dialects of JSON Schema could mean something else by what they say. */
static bool check_dialect(struct openapi *doc)
{
    static const char *const known[] = { "https://spec.openapis.org/oas/3.1/dialect/base",
                                         "https://json-schema.org/draft/2020-12/schema", NULL };
    const struct json *v = mgi_json_get(&doc->root, "jsonSchemaDialect");
    for (const char *const *one = known; v && v->type == JSON_STRING && *one; one++)
        if (str_is(v->string, *one))
            return true;
    if (v)
        mgi_openapi_error(doc, v, NULL, "its schemas are of a dialect that is not known here");
    return !v;
}

static void tell_nothing_left(struct reading *r)
{
    if (r->taken > 0 || mgi_findings_errors(r->doc.r->yaml->findings) > 0)
        return;
    mgi_openapi_error(&r->doc, mgi_json_get(&r->doc.root, "paths"), NULL,
                      r->operations == 0 ? "it has no operations"
                      : r->wanted == 0   ? "none of its operations is chosen"
                                         : "none of its operations can be used");
}

static bool read_document(struct reading *r)
{
    struct openapi *doc = &r->doc;
    const struct json *paths = mgi_json_get(&doc->root, "paths");
    if (!check_version(doc) || !check_dialect(doc))
        return true;
    if (!mgi_openapi_read_choices(doc, &r->choices) || !mgi_openapi_read_auth(doc, &r->auth) ||
        !mgi_openapi_check_entry(doc, &r->choices, &r->entry_good))
        return false;
    for (uint32_t i = 0; paths && paths->type == JSON_OBJECT && i < paths->count; i++)
        if (!take_path(r, &paths->members[i]))
            return false;
    mgi_openapi_tell_unused(doc, &r->choices);
    mgi_openapi_tell_rest(doc);
    tell_nothing_left(r);
    return true;
}

bool mgi_openapi_read(struct provider_reader *reader, const struct openapi_text *text,
                      const struct yaml_node *entry,
                      bool (*take)(void *context, const struct http_one *one), void *context)
{
    struct reading r = { .doc = { .r = reader, .entry = entry }, .take = take, .context = context };
    const struct yaml_node *flag = mgi_yaml_get(entry, "output_schema");
    r.with_answers = !flag || !mgi_yaml_bool(flag, &r.with_answers) || r.with_answers;
    mgi_strmap_init(&r.choices.names);
    bool good = mgi_openapi_open(&r.doc, text) && read_document(&r);
    mgi_openapi_choices_end(&r.choices);
    mgi_openapi_close(&r.doc);
    return good && !reader->yaml->arena->oom;
}
