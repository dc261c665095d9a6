/* The body of an operation's request: see openapi_int.h.
 *
 * An object whose members are known becomes arguments, one each; all else is one argument, body. A
 * form has members always. */
#include <strings.h>

#include "actions/openapi_int.h"

enum { MOST_MEMBERS = 200, ALL_OF_DEPTH = 8 };

/* ---- media types ----------------------------------------------------------------------------- */

static bool ends_like(struct str s, const char *end)
{
    size_t len = strlen(end);
    return s.len >= len && strncasecmp(s.ptr + s.len - len, end, len) == 0;
}

static enum openapi_media media_of(struct str name)
{
    const char *end = memchr(name.ptr, ';', name.len);
    struct str s =
        mgi_str_trim((struct str){ name.ptr, end ? (size_t)(end - name.ptr) : name.len }, " ");
    if (mgi_str_same(s, STR_LIT("application/json")))
        return MEDIA_JSON;
    if (ends_like(s, "+json"))
        return MEDIA_LIKE_JSON;
    if (mgi_str_same(s, STR_LIT("*/*")) || mgi_str_same(s, STR_LIT("application/*")))
        return MEDIA_ANY;
    if (mgi_str_same(s, STR_LIT("application/x-www-form-urlencoded")))
        return MEDIA_FORM;
    bool text = s.len > 5 && strncasecmp(s.ptr, "text/", 5) == 0;
    return text || ends_like(s, "xml") || ends_like(s, "yaml") ? MEDIA_TEXT : MEDIA_OTHER;
}

const struct json_member *mgi_openapi_media(const struct json *content, enum openapi_media *kind)
{
    const struct json_member *best = NULL;
    for (uint32_t i = 0; content && content->type == JSON_OBJECT && i < content->count; i++) {
        enum openapi_media one = media_of(content->members[i].name);
        if (best && one >= *kind)
            continue;
        best = &content->members[i];
        *kind = one;
    }
    return best;
}

/* ---- members --------------------------------------------------------------------------------- */

struct member {
    struct str name;
    const struct json *schemas[4];
    size_t schema_count;
    bool required;
};
struct members {
    struct openapi_operation *op;
    struct member items[MOST_MEMBERS];
    size_t count;
    bool loose; /* they are not all, or more is said of them */
};

static struct member *member_of(struct members *m, struct str name)
{
    for (size_t i = 0; i < m->count; i++)
        if (str_eq(m->items[i].name, name))
            return &m->items[i];
    if (m->count == MOST_MEMBERS) {
        m->loose = true;
        return NULL;
    }
    m->items[m->count] = (struct member){ .name = name };
    return &m->items[m->count++];
}

/* Does it say nothing of an object but which members that has? */
static bool is_plain_object(const struct openapi *doc, const struct json *s)
{
    static const char *const more[] = { "oneOf",
                                        "anyOf",
                                        "not",
                                        "if",
                                        "enum",
                                        "const",
                                        "minProperties",
                                        "maxProperties",
                                        "propertyNames",
                                        "patternProperties",
                                        "dependentRequired",
                                        "dependentSchemas",
                                        "unevaluatedProperties",
                                        NULL };
    const struct json *type = mgi_json_get(s, "type");
    const struct json *others = mgi_json_get(s, "additionalProperties");
    for (const char *const *name = more; *name; name++)
        if (mgi_json_get(s, *name))
            return false;
    bool object = type ? type->type == JSON_STRING && str_is(type->string, "object")
                       : mgi_json_get(s, "properties") || mgi_json_get(s, "allOf") ||
                             mgi_json_get(s, "required");
    return object && !(!doc->is_31 && mgi_openapi_true(s, "nullable")) &&
           (!others || (others->type == JSON_BOOL && !others->boolean));
}

static void take_members(struct members *m, const struct json *schema, int depth)
{
    const char *why;
    const struct json *s = mgi_openapi_follow(m->op->doc, schema, &why);
    const struct json *properties = mgi_json_get(s, "properties"), *all = mgi_json_get(s, "allOf");
    const struct json *required = mgi_json_get(s, "required");
    bool beside = s != schema && m->op->doc->is_31 && schema && schema->count > 1;
    if (!s || depth > ALL_OF_DEPTH || beside || !is_plain_object(m->op->doc, s)) {
        m->loose = true;
        return;
    }
    for (uint32_t i = 0; properties && properties->type == JSON_OBJECT && i < properties->count;
         i++) {
        struct member *one = member_of(m, properties->members[i].name);
        if (one && one->schema_count < sizeof one->schemas / sizeof *one->schemas)
            one->schemas[one->schema_count++] = &properties->members[i].value;
        else
            m->loose = true;
    }
    for (uint32_t i = 0; required && required->type == JSON_ARRAY && i < required->count; i++) {
        struct member *one =
            required->items[i].type == JSON_STRING ? member_of(m, required->items[i].string) : NULL;
        if (one)
            one->required = true;
    }
    for (uint32_t i = 0; all && all->type == JSON_ARRAY && i < all->count; i++)
        take_members(m, &all->items[i], depth + 1);
}

/* Members that only answers have are none here. */
static void drop_answered(struct members *m)
{
    size_t kept = 0;
    for (size_t i = 0; i < m->count; i++) {
        bool answered = false;
        for (size_t k = 0; k < m->items[i].schema_count; k++)
            answered |= mgi_openapi_is_only(m->op->doc, m->items[i].schemas[k], "readOnly");
        if (!answered)
            m->items[kept++] = m->items[i];
    }
    m->count = kept;
}

/* ---- what is sent ---------------------------------------------------------------------------- */

struct sending {
    struct openapi_operation *op;
    const struct json *body;  /* the request body */
    const struct json *media; /* its schema and encoding */
    struct yaml_node *out;    /* {json: …} and so on */
    bool required;
};

static struct openapi_argument *member_argument(struct sending *s, const struct member *m)
{
    const struct json *at = m->schema_count ? m->schemas[0] : s->media;
    struct openapi_argument *a = mgi_openapi_argument(s->op, OPENAPI_BODY, m->name, at);
    for (size_t i = 0; a && i < m->schema_count; i++)
        if (!mgi_openapi_argument_schema(s->op, a, m->schemas[i]))
            return NULL;
    if (a)
        a->required = m->required && s->required;
    return a;
}

static bool add_member(struct sending *s, const struct member *m, struct yaml_node *map)
{
    struct openapi_argument *a = member_argument(s, m);
    const char *word =
        a ? mgi_arena_printf(s->op->doc->r->yaml->arena, "{%.*s}", STR_ARG(a->name)) : NULL;
    return word ? mgi_openapi_put(s->op->doc, map, m->name, a->at, str_of(word)) : s->op->left_out;
}

static bool add_field(struct sending *s, const struct member *m, struct yaml_node *map)
{
    struct openapi_operation *op = s->op;
    const struct json *encoding = mgi_json_get_str(mgi_json_get(s->media, "encoding"), m->name);
    const struct json *schema = m->schema_count ? m->schemas[0] : NULL;
    const struct json *at = schema ? schema : s->media;
    const char *why;
    if (!mgi_openapi_value(op, at, encoding, schema, STR_LIT("x"), &why)) {
        if (why && m->required && s->required)
            mgi_openapi_leave_out(op, at, "the member \"%.*s\" of its form %s", STR_ARG(m->name),
                                  why);
        else if (why)
            mgi_openapi_remark(op, at, "the member \"%.*s\" of its form is left out: it %s",
                               STR_ARG(m->name), why);
        return why != NULL;
    }
    struct openapi_argument *a = member_argument(s, m);
    struct yaml_node *n = a ? mgi_openapi_value(op, at, encoding, schema, a->name, &why) : NULL;
    return n ? mgi_yaml_put(op->doc->r->yaml->arena, map, m->name, n) : op->left_out;
}

static bool send_members(struct sending *s, const struct members *m, bool form)
{
    struct openapi *doc = s->op->doc;
    struct yaml_node *map = mgi_openapi_node(doc, s->body, YAML_MAP, STR_LIT(""));
    for (size_t i = 0; map && i < m->count; i++)
        if (!(form ? add_field(s, &m->items[i], map) : add_member(s, &m->items[i], map)))
            return false;
    return map &&
           mgi_yaml_put(doc->r->yaml->arena, s->out, form ? STR_LIT("form") : STR_LIT("json"), map);
}

static bool send_whole(struct sending *s, const char *kind)
{
    struct openapi_operation *op = s->op;
    struct openapi_argument *a = mgi_openapi_argument(op, OPENAPI_BODY, STR_LIT("body"), s->body);
    if (!a)
        return op->left_out;
    a->required = s->required;
    a->description = mgi_openapi_text(s->body, "description");
    const char *word = mgi_arena_printf(op->doc->r->yaml->arena, "{%.*s}", STR_ARG(a->name));
    return word && mgi_openapi_argument_schema(op, a, mgi_json_get(s->media, "schema")) &&
           mgi_openapi_put(op->doc, s->out, str_of(kind), s->body, str_of(word));
}

static bool send(struct sending *s, enum openapi_media kind)
{
    struct openapi_operation *op = s->op;
    const struct json *schema = mgi_json_get(s->media, "schema");
    struct members *m = mgi_arena_calloc(op->doc->r->yaml->arena, 1, sizeof *m);
    if (!m)
        return false;
    m->op = op;
    take_members(m, schema, 0);
    drop_answered(m);
    bool known = schema && !m->loose && m->count > 0;
    if (kind == MEDIA_TEXT)
        return send_whole(s, "text");
    if (kind != MEDIA_FORM)
        return known ? send_members(s, m, false) : send_whole(s, "json");
    if (known)
        return send_members(s, m, true);
    mgi_openapi_leave_out(op, s->body, "its body is a form whose members are not said");
    return true;
}

/* What the plugin would say by itself need not be said. */
static bool say_type(struct sending *s, struct str type, enum openapi_media kind)
{
    bool usual = kind == MEDIA_FORM || kind == MEDIA_ANY ||
                 mgi_str_same(type, STR_LIT("application/json")) ||
                 mgi_str_same(type, STR_LIT("text/plain"));
    for (size_t i = 0; i < type.len; i++)
        usual |= (unsigned char)type.ptr[i] < ' ' || type.ptr[i] == 0x7f || type.ptr[i] == '{' ||
                 type.ptr[i] == '}'; /* no type at all */
    return usual ||
           mgi_openapi_put(s->op->doc, s->op->headers, STR_LIT("Content-Type"), s->body, type);
}

bool mgi_openapi_body(struct openapi_operation *op)
{
    struct openapi *doc = op->doc;
    const struct json *said = mgi_json_get(op->value, "requestBody");
    const char *why;
    enum openapi_media kind = MEDIA_OTHER;
    if (!said)
        return true;
    const struct json *body = mgi_openapi_follow(doc, said, &why);
    if (!body) {
        mgi_openapi_leave_out(op, said, "its body %s", why);
        return true;
    }
    bool required = mgi_openapi_true(body, "required");
    const struct json_member *media = mgi_openapi_media(mgi_json_get(body, "content"), &kind);
    bool bodiless = strcmp(op->method, "GET") == 0 || strcmp(op->method, "HEAD") == 0 ||
                    strcmp(op->method, "OPTIONS") == 0;
    if (!media || kind == MEDIA_OTHER || bodiless) {
        const char *what = bodiless ? "this method has none" : "JSON, forms and texts alone are";
        if (required)
            mgi_openapi_leave_out(op, body, "its body cannot be sent: %s", what);
        else
            mgi_openapi_remark(op, body, "its body is not sent: %s", what);
        return true;
    }
    struct sending s = { op, body, &media->value,
                         mgi_openapi_node(doc, body, YAML_MAP, STR_LIT("")), required };
    struct yaml_node *optional = mgi_openapi_node(doc, body, YAML_SCALAR, STR_LIT("true"));
    if (!s.out || !optional || !say_type(&s, media->name, kind) || !send(&s, kind))
        return false;
    optional->plain = true;
    return (required || mgi_yaml_set(doc->r->yaml->arena, s.out, "optional", optional)) &&
           mgi_yaml_set(doc->r->yaml->arena, op->request, "body", s.out);
}
