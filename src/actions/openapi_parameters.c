/* Parameters of an operation -> its address, query and headers: see openapi_int.h.
 *
 * Of the ways in which OpenAPI writes values those that requests have: "simple" in path and
 * headers, "form", "spaceDelimited", "pipeDelimited" and "deepObject" in the query. What cannot be
 * sent is left out, with its operation if it has to be given. */
#include "actions/openapi_int.h"

#define MOST_PARAMETERS 256

struct parameters {
    struct openapi_operation *op;
    const struct json *items[MOST_PARAMETERS];
    size_t count;
};

/* ---- which there are ------------------------------------------------------------------------- */

static bool same_parameter(const struct json *a, const struct json *b)
{
    return str_eq(mgi_openapi_text(a, "name"), mgi_openapi_text(b, "name")) &&
           str_eq(mgi_openapi_text(a, "in"), mgi_openapi_text(b, "in"));
}

/* Those of the operation stand in for those of its path. */
static void add_parameter(struct parameters *all, const struct json *v)
{
    for (size_t i = 0; i < all->count; i++)
        if (same_parameter(all->items[i], v)) {
            all->items[i] = v;
            return;
        }
    if (all->count < MOST_PARAMETERS)
        all->items[all->count++] = v;
    else
        mgi_openapi_leave_out(all->op, v, "it has more than %d parameters", MOST_PARAMETERS);
}

static void collect(struct parameters *all, const struct json *of)
{
    const struct json *list = mgi_json_get(of, "parameters");
    struct openapi_operation *op = all->op;
    const char *why;
    if (list && list->type != JSON_ARRAY)
        mgi_openapi_leave_out(op, list, "its parameters are no list");
    for (uint32_t i = 0; list && list->type == JSON_ARRAY && i < list->count; i++) {
        const struct json *v = mgi_openapi_follow(op->doc, &list->items[i], &why);
        if (!v)
            mgi_openapi_leave_out(op, &list->items[i], "a parameter %s", why);
        else if (mgi_openapi_text(v, "name").len == 0 || mgi_openapi_text(v, "in").len == 0)
            mgi_openapi_leave_out(op, v, "a parameter has no name, or does not say where it is");
        else
            add_parameter(all, v);
    }
}

/* ---- one of them ----------------------------------------------------------------------------- */

/* It cannot be sent. */
static bool without(struct openapi_operation *op, const struct json *p, const char *what)
{
    struct str name = mgi_openapi_text(p, "name");
    if (mgi_openapi_true(p, "required"))
        mgi_openapi_leave_out(op, p, "its parameter \"%.*s\" %s", STR_ARG(name), what);
    else
        mgi_openapi_remark(op, p, "its parameter \"%.*s\" is left out: it %s", STR_ARG(name), what);
    return true;
}

static struct openapi_argument *add_argument(struct openapi_operation *op, enum openapi_in in,
                                             const struct json *p)
{
    struct openapi_argument *a = mgi_openapi_argument(op, in, mgi_openapi_text(p, "name"), p);
    if (!a)
        return NULL;
    a->description = mgi_openapi_text(p, "description");
    a->required = in == OPENAPI_PATH || mgi_openapi_true(p, "required");
    return mgi_openapi_argument_schema(op, a, mgi_json_get(p, "schema")) ? a : NULL;
}

static bool has_lists_of_more(struct openapi_operation *op, const struct json *schema)
{
    const char *why;
    const struct json *s = mgi_openapi_follow(op->doc, schema, &why);
    const struct json *items = mgi_json_get(s, "items");
    unsigned shape = items ? mgi_openapi_shape(op->doc, items) : 0;
    return shape && !(shape & OPENAPI_SINGLE);
}

/* NULL: single values, and lists of them, it can be. */
static const char *not_simple(struct openapi_operation *op, const struct json *schema)
{
    unsigned shape = mgi_openapi_shape(op->doc, schema);
    if (shape == OPENAPI_OBJECT)
        return "is an object, which style deepObject alone can send";
    if (shape == OPENAPI_LIST && has_lists_of_more(op, schema))
        return "is a list of what are no single values";
    return NULL;
}

/* {WORD: name, with: WITH} */
static struct yaml_node *shaped(struct openapi *doc, const struct json *at, const char *word,
                                struct str name, const char *with)
{
    struct yaml_node *n = mgi_openapi_node(doc, at, YAML_MAP, STR_LIT(""));
    bool good = n && mgi_openapi_put(doc, n, str_of(word), at, name) &&
                (!with || mgi_openapi_put(doc, n, STR_LIT("with"), at, str_of(with)));
    return good ? n : NULL;
}

/* "{name}", or how else a value of a query or form is written. NULL: memory; or *why. */
static struct yaml_node *value_node(struct openapi_operation *op, const struct json *at,
                                    struct str style, bool explode, const struct json *schema,
                                    struct str name, const char **why)
{
    static const struct {
        const char *style, *with;
    } joined[] = { { "form", "," }, { "spaceDelimited", " " }, { "pipeDelimited", "|" } };
    struct openapi *doc = op->doc;
    *why = NULL;
    if (str_is(style, "deepObject"))
        return shaped(doc, at, "deep", name, NULL);
    const char *with = NULL;
    for (size_t i = 0; i < sizeof joined / sizeof *joined; i++)
        if (str_is(style, joined[i].style))
            with = joined[i].with;
    if (!with)
        *why = "has a style that is not known here";
    else
        *why = not_simple(op, schema);
    if (*why)
        return NULL;
    if (!explode && (mgi_openapi_shape(doc, schema) & OPENAPI_LIST))
        return shaped(doc, at, "join", name, with);
    const char *word = mgi_arena_printf(doc->r->yaml->arena, "{%.*s}", STR_ARG(name));
    return word ? mgi_openapi_node(doc, at, YAML_SCALAR, str_of(word)) : NULL;
}

struct yaml_node *mgi_openapi_value(struct openapi_operation *op, const struct json *at,
                                    const struct json *encoding, const struct json *schema,
                                    struct str name, const char **why)
{
    struct str style = mgi_openapi_text(encoding, "style");
    const struct json *explode = mgi_json_get(encoding, "explode");
    if (style.len == 0)
        style = STR_LIT("form");
    bool explodes =
        explode && explode->type == JSON_BOOL ? explode->boolean : str_is(style, "form");
    return value_node(op, at, style, explodes, schema, name, why);
}

static bool add_query(struct openapi_operation *op, const struct json *p)
{
    struct yaml_node *probe;
    struct str name = mgi_openapi_text(p, "name");
    const struct json *schema = mgi_json_get(p, "schema");
    const char *why;
    if (mgi_openapi_is_credential(op, "query", name))
        return true;
    probe = mgi_openapi_value(op, p, p, schema, STR_LIT("x"), &why);
    if (!probe)
        return why ? without(op, p, why) : false;
    struct openapi_argument *a = add_argument(op, OPENAPI_QUERY, p);
    struct yaml_node *n = a ? mgi_openapi_value(op, p, p, schema, a->name, &why) : NULL;
    return n ? mgi_yaml_put(op->doc->r->yaml->arena, op->url_query, name, n) : op->left_out;
}

static bool add_header(struct openapi_operation *op, const struct json *p)
{
    static const char *const elsewhere[] = { "Accept", "Content-Type", "Authorization", NULL };
    struct str name = mgi_openapi_text(p, "name"), style = mgi_openapi_text(p, "style");
    for (const char *const *one = elsewhere; *one; one++)
        if (mgi_str_same(name, str_of(*one)))
            return true; /* as the specification says: media types and security tell them */
    if (mgi_openapi_is_credential(op, "header", name) || mgi_openapi_says_header(op, name))
        return true;
    if (!mgi_http_header_named(name) || mgi_http_header_taken(name))
        return without(op, p, "is a header that nobody sets");
    const char *why = style.len > 0 && !str_is(style, "simple")
                          ? "has a style that is not known here"
                          : not_simple(op, mgi_json_get(p, "schema"));
    if (why)
        return without(op, p, why);
    struct openapi_argument *a = add_argument(op, OPENAPI_HEADER, p);
    const char *word =
        a ? mgi_arena_printf(op->doc->r->yaml->arena, "{%.*s}", STR_ARG(a->name)) : NULL;
    return word ? mgi_openapi_put(op->doc, op->headers, name, p, str_of(word)) : op->left_out;
}

static bool add_to_path(struct openapi_operation *op, const struct json *p)
{
    struct str name = mgi_openapi_text(p, "name"), style = mgi_openapi_text(p, "style");
    const char *word = mgi_arena_printf(op->doc->r->yaml->arena, "{%.*s}", STR_ARG(name));
    if (!word)
        return false;
    if (mgi_str_find(op->path, str_of(word)) == SIZE_MAX) {
        mgi_openapi_remark(op, p, "its parameter \"%.*s\" is left out: the path has no %s",
                           STR_ARG(name), word);
        return true;
    }
    const char *why = style.len > 0 && !str_is(style, "simple")
                          ? "has a style that is not known here"
                          : not_simple(op, mgi_json_get(p, "schema"));
    if (why) {
        mgi_openapi_leave_out(op, p, "its parameter \"%.*s\" %s", STR_ARG(name), why);
        return true;
    }
    return add_argument(op, OPENAPI_PATH, p) || op->left_out;
}

static bool is_in(const struct json *p, const char *where)
{
    return str_is(mgi_openapi_text(p, "in"), where);
}

static bool take_parameter(struct openapi_operation *op, const struct json *p)
{
    if (mgi_json_get(p, "content"))
        return without(op, p, "is a whole document (\"content\"), which is not sent");
    if (is_in(p, "query"))
        return add_query(op, p);
    if (is_in(p, "header"))
        return add_header(op, p);
    if (is_in(p, "cookie"))
        return without(op, p, "is a cookie, which is not sent");
    return without(op, p, "is neither in the path nor in the query or a header");
}

/* ---- the address ----------------------------------------------------------------------------- */

static const struct json_member text_member = {
    { "type", 4 }, { .type = JSON_STRING, .text = { "\"string\"", 8 }, .string = { "string", 6 } }
};
static const struct json text_schema = { .type = JSON_OBJECT,
                                         .count = 1,
                                         .members = (struct json_member *)&text_member };

/* The argument of a place in the path; one that nobody described is a text. */
static const struct openapi_argument *path_argument(struct openapi_operation *op, struct str name)
{
    for (size_t i = 0; i < op->argument_count; i++)
        if (op->arguments[i].in == OPENAPI_PATH && str_eq(op->arguments[i].wire, name))
            return &op->arguments[i];
    mgi_openapi_remark(op, op->value,
                       "its path has {%.*s}, which no parameter describes: it is any "
                       "text",
                       STR_ARG(name));
    struct openapi_argument *a = mgi_openapi_argument(op, OPENAPI_PATH, name, op->value);
    if (!a || !mgi_openapi_argument_schema(op, a, &text_schema))
        return NULL;
    a->required = true;
    return a;
}

/* A byte of the path that is none of a place: as an address has it, and as a template has it. */
static void put_literal(struct buf *url, char c)
{
    if ((unsigned char)c <= ' ' || (unsigned char)c >= 0x7f || strchr("\"\\{}", c))
        mgi_buf_printf(url, "%%%02X", (unsigned char)c);
    else
        mgi_buf_putc(url, c);
}

static bool write_path(struct openapi_operation *op)
{
    struct buf url = { 0 };
    struct str path = op->path;
    for (size_t i = 0; i < path.len; i++) {
        const char *end = path.ptr[i] == '{' ? memchr(path.ptr + i, '}', path.len - i) : NULL;
        struct str name = { path.ptr + i + 1, end ? (size_t)(end - path.ptr) - i - 1 : 0 };
        if (!end || name.len == 0 || memchr(name.ptr, '/', name.len)) {
            if (path.ptr[i] == '{')
                mgi_openapi_leave_out(op, op->value, "its path has a { that names no parameter");
            put_literal(&url, path.ptr[i]);
            continue;
        }
        const struct openapi_argument *a = path_argument(op, name);
        if (a)
            mgi_buf_printf(&url, "{%.*s}", STR_ARG(a->name));
        i += name.len + 1;
    }
    struct str kept = mgi_arena_str(op->doc->r->yaml->arena, mgi_buf_view(&url));
    bool good = !url.oom && kept.ptr;
    mgi_buf_fini(&url);
    return good && mgi_openapi_put(op->doc, op->request, STR_LIT("url"), op->value, kept);
}

bool mgi_openapi_parameters(struct openapi_operation *op)
{
    struct parameters all = { .op = op };
    collect(&all, op->item);
    collect(&all, op->value);
    if (op->path.len == 0 || op->path.ptr[0] != '/' || memchr(op->path.ptr, '?', op->path.len) ||
        memchr(op->path.ptr, '#', op->path.len))
        mgi_openapi_leave_out(op, op->value, "its path does not begin with /, or has ? or # in it");
    for (size_t i = 0; i < all.count; i++) /* the path's first: their names are the plain ones */
        if (is_in(all.items[i], "path") && !mgi_json_get(all.items[i], "content") &&
            !add_to_path(op, all.items[i]))
            return false;
    if (!write_path(op))
        return false;
    for (size_t i = 0; i < all.count; i++)
        if ((!is_in(all.items[i], "path") || mgi_json_get(all.items[i], "content")) &&
            !take_parameter(op, all.items[i]))
            return false;
    return true;
}
