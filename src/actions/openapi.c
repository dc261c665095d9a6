/* The operations of an OpenAPI document as requests: the main line over the files of openapi_int.h.
 *
 * What the entry says is checked once, by a request that is written and thrown away; what an
 * operation says in `operations` likewise. So nothing of it is told a thousand times. */
#include "actions/openapi_int.h"

#include "base/url.h"
#include "protocol/schema.h"

#define MOST_DESCRIPTION 1000 /* bytes */

struct reading {
    struct openapi doc;
    struct openapi_choices choices;
    struct openapi_auth auth;
    bool entry_bad;  /* told: nothing is written */
    bool server_bad; /* likewise, by what the document says of servers */
    bool clear_text; /* told */
    bool with_answers;
    size_t operations, wanted, taken;
    bool (*take)(void *context, const struct http_one *one);
    void *context;
};

/* ---- findings of an operation ---------------------------------------------------------------- */

static void tell_of(struct openapi_operation *op, enum mangle_severity severity,
                    const struct json *at, const char *format, va_list args)
{
    struct buf text = { 0 };
    mgi_buf_vprintf(&text, format, args);
    const char *what = text.ptr && !text.oom ? text.ptr : "out of memory";
    if (severity == MANGLE_ERROR)
        mgi_openapi_error(op->doc, at ? at : op->value, NULL, "%s: %s", op->title, what);
    else
        mgi_openapi_warn(op->doc, at ? at : op->value, "%s%s: %s", op->title,
                         op->left_out ? " is left out" : "", what);
    mgi_buf_fini(&text);
}

void mgi_openapi_leave_out(struct openapi_operation *op, const struct json *at, const char *format,
                           ...)
{
    va_list args;
    va_start(args, format);
    op->left_out = true;
    tell_of(op, op->named ? MANGLE_ERROR : MANGLE_WARNING, at, format, args);
    va_end(args);
}

void mgi_openapi_remark(struct openapi_operation *op, const struct json *at, const char *format,
                        ...)
{
    va_list args;
    va_start(args, format);
    if (!op->left_out)
        tell_of(op, MANGLE_WARNING, at, format, args);
    va_end(args);
}

static bool says_header_in(const struct yaml_node *map, struct str name)
{
    for (size_t i = 0; map && map->kind == YAML_MAP && i < map->count; i++)
        if (mgi_http_same_header(map->entries[i].key, name))
            return true;
    return false;
}

bool mgi_openapi_says_header(const struct openapi_operation *op, struct str name)
{
    return says_header_in(mgi_yaml_get(op->said, "headers"), name) ||
           says_header_in(mgi_yaml_get(op->doc->entry, "headers"), name);
}

/* ---- servers --------------------------------------------------------------------------------- */

/* The address of a server, its variables put in; ptr NULL: *why. */
static struct str server_address(struct openapi *doc, const struct json *server, const char **why)
{
    struct arena *a = doc->r->yaml->arena;
    const struct json *variables = mgi_json_get(server, "variables");
    struct str text = mgi_openapi_text(server, "url");
    struct buf out = { 0 };
    *why = text.len > 0 ? NULL : "a server has no url";
    for (size_t i = 0; i < text.len && !*why; i++) {
        const char *end = text.ptr[i] == '{' ? memchr(text.ptr + i, '}', text.len - i) : NULL;
        struct str name = { text.ptr + i + 1, end ? (size_t)(end - text.ptr) - i - 1 : 0 };
        if (!end) {
            mgi_buf_putc(&out, text.ptr[i]);
            continue;
        }
        struct str value = mgi_openapi_text(mgi_json_get_str(variables, name), "default");
        if (value.len == 0)
            *why = mgi_arena_printf(a, "the variable \"%.*s\" of a server has no default",
                                    STR_ARG(name));
        mgi_buf_str(&out, value);
        i += name.len + 1;
    }
    struct str address = mgi_arena_str(a, mgi_buf_view(&out));
    a->oom |= out.oom;
    mgi_buf_fini(&out);
    struct url u;
    if (!*why && mgi_str_find(address, STR_LIT("://")) == SIZE_MAX)
        *why = mgi_arena_printf(a, "the server \"%.*s\" is no whole address", STR_ARG(address));
    else if (!*why && (!mgi_url_read(address, &u) || u.tail.len > 0 ||
                       memchr(address.ptr, '{', address.len)))
        *why = mgi_arena_printf(a, "the server \"%.*s\" is no address of HTTP", STR_ARG(address));
    return *why ? (struct str){ NULL, 0 } : address;
}

/* The first of the list that is nearest to the operation; NULL: none is said. */
static const struct json *servers_of(const struct json *of)
{
    const struct json *list = mgi_json_get(of, "servers");
    return list && list->type == JSON_ARRAY && list->count > 0 ? &list->items[0] : NULL;
}

static const char *server_hint(struct openapi *doc)
{
    return doc->entry ? "Say server: https://api.example.com beside its path."
                      : mgi_arena_printf(doc->r->yaml->arena,
                                         "Write it as {openapi: %s, server: "
                                         "https://api.example.com}.",
                                         doc->file);
}

/* "server" of the request. False: memory. */
static bool choose_server(struct reading *r, struct openapi_operation *op)
{
    struct openapi *doc = &r->doc;
    const struct json *own = servers_of(op->value);
    const char *why;
    if (!own)
        own = servers_of(op->item);
    if (mgi_yaml_get(op->said, "server"))
        return true;
    if (mgi_yaml_get(doc->entry, "server")) {
        if (own)
            mgi_openapi_leave_out(op, own,
                                  "it has a server of its own, \"%.*s\": say server for it in "
                                  "operations",
                                  STR_ARG(mgi_openapi_text(own, "url")));
        return true;
    }
    const struct json *server = own ? own : servers_of(&doc->root);
    struct str address = server ? server_address(doc, server, &why) : (struct str){ NULL, 0 };
    if (address.ptr)
        return mgi_openapi_put(doc, op->request, STR_LIT("server"), server, address);
    op->left_out = true;
    if (own)
        mgi_openapi_leave_out(op, own, "%s", why);
    else if (!r->server_bad)
        mgi_openapi_error(doc, server ? server : &doc->root, server_hint(doc), "%s",
                          server ? why : "it names no server");
    r->server_bad |= !own;
    return true;
}

/* A credential in clear text: told once, and not with each operation. */
static void check_wire(struct reading *r, struct openapi_operation *op)
{
    const struct yaml_node *auth = mgi_yaml_get(op->request, "auth");
    const struct yaml_node *server = mgi_yaml_get(op->request, "server");
    const struct yaml_node *may = mgi_yaml_get(r->doc.entry, "private");
    bool private = false;
    if (mgi_http_auth_is_none(auth) || !server || (may && mgi_yaml_bool(may, &private) && private))
        return;
    const char *address = mgi_arena_printf(r->doc.r->yaml->arena, "%.*s", STR_ARG(server->text));
    if (!address || !mgi_url_fault(address))
        return;
    op->left_out = true;
    if (!r->clear_text)
        mgi_yaml_error(r->doc.r->yaml, auth, "BAD_VALUE", "Use https://.",
                       "the credential would go to %s where everybody on the way can read it",
                       address);
    r->clear_text = true;
}

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
    *why = issues.count > 0
               ? mgi_arena_printf(a, "at %s of its schema, %s: %s", issues.items[0].path,
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
           choose_server(r, op) && mgi_openapi_secure(op, &r->auth) && mgi_openapi_parameters(op) &&
           mgi_openapi_body(op) && mgi_openapi_write_input(op) &&
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
    check_wire(r, op);
    if (op->left_out || !check_schemas(op) || op->left_out || r->entry_bad)
        return !r->doc.r->yaml->arena->oom;
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

/* ---- the entry ------------------------------------------------------------------------------- */

static bool write_away(struct openapi *doc, const struct yaml_node *group,
                       struct yaml_node *request)
{
    struct buf text = { 0 };
    struct json_writer w;
    struct action_place place;
    const struct http_schemas any = { STR_LIT("{}"), STR_LIT("{}"), STR_LIT("") };
    const struct http_one one = { group, request, &any };
    mgi_json_writer_init(&w, &text, 0);
    bool good = mgi_http_write(doc->r, &one, &w, &place);
    mgi_buf_wipe(&text);
    return good;
}

/* {name: x, description: x, url: /, auth: none}, with what `said` has. NULL: memory. */
static struct yaml_node *probe(struct openapi *doc, const struct yaml_node *said, bool server)
{
    static const char *const words[][2] = {
        { "name", "x" },      { "description", "x" }, { "url", "/" },
        { "method", "POST" }, { "auth", "none" },     { "server", "https://api.example.com" }
    };
    struct arena *a = doc->r->yaml->arena;
    struct yaml_node *n = mgi_openapi_node(doc, &doc->root, YAML_MAP, STR_LIT(""));
    for (size_t i = 0; n && i < sizeof words / sizeof *words - !server; i++)
        if (!mgi_openapi_put(doc, n, str_of(words[i][0]), &doc->root, str_of(words[i][1])))
            return NULL;
    for (size_t i = 0; n && said && i < said->count; i++)
        if (!mgi_yaml_put(a, n, said->entries[i].key, said->entries[i].value))
            return NULL;
    return n;
}

static bool check_flag(struct reading *r)
{
    const struct yaml_node *n = mgi_yaml_get(r->doc.entry, "output_schema");
    r->with_answers = true;
    if (n && !mgi_yaml_bool(n, &r->with_answers))
        mgi_yaml_error(r->doc.r->yaml, n, "BAD_VALUE", NULL,
                       "output_schema of a document must be true or false");
    return true;
}

static bool check_entry(struct reading *r)
{
    static const char *const own[] = { "openapi",    "only",          "except", "prefix",
                                       "operations", "output_schema", NULL };
    const struct yaml_node *entry = r->doc.entry;
    struct provider_reader *reader = r->doc.r;
    const char *keys[24];
    size_t count = 0;
    for (; own[count]; count++)
        keys[count] = own[count];
    for (size_t i = 0; mgi_http_shared_keys[i]; i++)
        keys[count++] = mgi_http_shared_keys[i];
    keys[count] = NULL;
    size_t errors = mgi_findings_errors(reader->yaml->findings);
    mgi_yaml_known_keys(reader->yaml, entry, "an entry of a document", keys);
    const struct yaml_node *headers = mgi_yaml_get(entry, "headers");
    if (headers && headers->kind != YAML_MAP)
        mgi_yaml_error(reader->yaml, headers, "BAD_VALUE", NULL,
                       "\"headers\" must be a map, not %s", mgi_yaml_kind_name(headers));
    struct yaml_node *request = probe(&r->doc, NULL, !mgi_yaml_get(entry, "server"));
    bool good = request && check_flag(r) && write_away(&r->doc, entry, request);
    r->entry_bad = mgi_findings_errors(reader->yaml->findings) > errors;
    return good;
}

/* Each says what requests can, but for what the document says. */
static bool check_operations(struct reading *r)
{
    static const char *const keys[] = { "aid",    "name",       "description", "output",
                                        "select", "ok",         "statuses",    "output_schema",
                                        "tags",   "idempotent", "reversible",  "side_effects",
                                        "server", "allow",      "private",     "auth",
                                        "ca",     "headers",    "timeout",     "max_bytes",
                                        NULL };
    const struct yaml_node *all = r->choices.operations;
    struct provider_reader *reader = r->doc.r;
    size_t errors = mgi_findings_errors(reader->yaml->findings);
    for (size_t i = 0; all && i < all->count; i++) {
        const struct yaml_node *said = all->entries[i].value;
        if (said->kind != YAML_MAP) {
            mgi_yaml_error(
                reader->yaml, said, "BAD_VALUE", "Write it as {getOrder: {tags: [read]}}.",
                "what an operation says otherwise must be a map, not %s", mgi_yaml_kind_name(said));
            continue;
        }
        mgi_yaml_known_keys(reader->yaml, said, "an operation", keys);
        struct yaml_node *request = probe(&r->doc, said, true);
        if (!request || !write_away(&r->doc, NULL, request))
            return false;
    }
    r->entry_bad |= mgi_findings_errors(reader->yaml->findings) > errors;
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
    if (doc->text.len > OPENAPI_MOST_BYTES) {
        mgi_openapi_error(doc, &doc->root, "Take what is of use out of it.",
                          "it has more than 32 MiB");
        return true;
    }
    if (!check_version(doc) || !check_dialect(doc))
        return true;
    if (!mgi_openapi_read_choices(doc, &r->choices) || !mgi_openapi_read_auth(doc, &r->auth) ||
        (doc->entry && (!check_entry(r) || !check_operations(r))))
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
    struct reading r = { .doc = { .r = reader, .entry = entry },
                         .with_answers = true,
                         .take = take,
                         .context = context };
    mgi_strmap_init(&r.choices.names);
    bool good = mgi_openapi_open(&r.doc, text) && read_document(&r);
    mgi_openapi_choices_end(&r.choices);
    mgi_openapi_close(&r.doc);
    return good && !reader->yaml->arena->oom;
}
