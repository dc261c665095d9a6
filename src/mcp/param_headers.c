/* Arguments as headers: see param_headers.h. The keyword counts where it can be reached from the
 * root by `properties` alone; anywhere else it is an error of the schema. */
#include "mcp/param_headers.h"

#include <string.h>

#include "base/encode.h"
#include "base/utf8.h"

#define KEYWORD  "x-mcp-header"
#define MARK     "=?base64?"
#define END_MARK "?="

struct walk {
    struct arena *arena;
    struct header_rules *rules;
    struct buf *why;
    struct str path[JSON_MAX_DEPTH];
    bool failed;
};

static void fail_walk(struct walk *x, struct str name, const char *what)
{
    if (!x->failed)
        mgi_buf_printf(x->why, KEYWORD " \"%.*s\" %s", STR_ARG(name), what);
    x->failed = true;
}

static bool is_token(struct str s)
{
    static const char signs[] = "!#$%&'*+-.^_|~`";
    for (size_t i = 0; i < s.len; i++) {
        char c = s.ptr[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (!letter && (c == 0 || !strchr(signs, c)))
            return false;
    }
    return s.len > 0;
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

bool mgi_mcp_same_name(struct str a, struct str b)
{
    if (a.len != b.len)
        return false;
    for (size_t i = 0; i < a.len; i++)
        if (lower(a.ptr[i]) != lower(b.ptr[i]))
            return false;
    return true;
}

static bool read_type(const struct json *schema, enum header_type *type)
{
    const struct json *t = mgi_json_get(schema, "type");
    if (!t || t->type != JSON_STRING)
        return false;
    *type = str_is(t->string, "string")    ? HEADER_TEXT
            : str_is(t->string, "integer") ? HEADER_INT
                                           : HEADER_BOOL;
    return *type != HEADER_BOOL || str_is(t->string, "boolean");
}

static void add_rule(struct walk *x, const struct json *schema, const struct json *keyword,
                     size_t depth)
{
    struct header_rules *rules = x->rules;
    struct header_rule rule = { .depth = depth };
    if (keyword->type != JSON_STRING || !is_token(keyword->string)) {
        fail_walk(x, keyword->type == JSON_STRING ? keyword->string : keyword->text,
                  "is no name of a header");
        return;
    }
    rule.name = keyword->string;
    if (!read_type(schema, &rule.type))
        fail_walk(x, rule.name, "needs a property of type string, integer or boolean");
    if (rules->count == MCP_MOST_RULES)
        fail_walk(x, rule.name, "is one too many: a tool has at most 64");
    for (size_t i = 0; i < rules->count; i++)
        if (mgi_mcp_same_name(rules->items[i].name, rule.name))
            fail_walk(x, rule.name, "is there twice");
    struct str *path = mgi_arena_alloc(x->arena, (depth + 1) * sizeof *path);
    if (x->failed || !path ||
        !mgi_arena_grow(x->arena, &rules->items, &rules->cap, rules->count + 1,
                        sizeof *rules->items))
        return;
    memcpy(path, x->path, depth * sizeof *path);
    rule.path = path;
    rules->items[rules->count++] = rule;
}

enum place { SCHEMA, PROPERTIES, ELSEWHERE };

struct frame {
    const struct json *v;
    uint32_t next;
    enum place place;
    size_t depth; /* of properties */
};

static bool is_data(struct str keyword)
{
    return str_is(keyword, "default") || str_is(keyword, "const") || str_is(keyword, "enum") ||
           str_is(keyword, "examples");
}

static void enter(struct walk *x, const struct frame *f)
{
    const struct json *keyword = f->place == PROPERTIES ? NULL : mgi_json_get(f->v, KEYWORD);
    if (!keyword)
        return;
    if (f->place == ELSEWHERE || f->depth == 0)
        fail_walk(x, keyword->text, "cannot be reached from the root by properties alone");
    else
        add_rule(x, f->v, keyword, f->depth);
}

/* The next of what is inside; false: there is no more. */
static bool next_child(struct walk *x, struct frame *f, struct frame *child)
{
    while (f->next < f->v->count) {
        uint32_t i = f->next++;
        *child = (struct frame){ .place = ELSEWHERE, .depth = f->depth };
        if (f->v->type == JSON_ARRAY) {
            child->v = &f->v->items[i];
            return true;
        }
        const struct json_member *m = &f->v->members[i];
        child->v = &m->value;
        if (f->place == PROPERTIES) {
            x->path[f->depth] = m->name;
            child->place = SCHEMA;
            child->depth++;
        } else if (is_data(m->name) || str_is(m->name, KEYWORD)) {
            continue;
        } else if (f->place == SCHEMA && str_is(m->name, "properties")) {
            child->place = PROPERTIES;
        }
        return true;
    }
    return false;
}

static void look(struct walk *x, const struct json *schema)
{
    struct frame stack[JSON_MAX_DEPTH + 2] = { { .v = schema } };
    size_t count = 1;
    enter(x, stack);
    while (count > 0) {
        struct frame *top = &stack[count - 1];
        bool holds = top->v->type == JSON_ARRAY || top->v->type == JSON_OBJECT;
        if (!holds || !next_child(x, top, &stack[count])) {
            count--;
            continue;
        }
        enter(x, &stack[count++]);
    }
}

bool mgi_mcp_header_rules(struct arena *a, const struct json *schema, struct header_rules *out,
                          struct buf *why)
{
    struct walk x = { .arena = a, .rules = out, .why = why };
    *out = (struct header_rules){ 0 };
    look(&x, schema);
    return !x.failed && !a->oom;
}

const struct json *mgi_mcp_header_argument(const struct json *arguments,
                                           const struct header_rule *rule)
{
    const struct json *v = arguments;
    for (size_t i = 0; v && i < rule->depth; i++)
        v = v->type == JSON_OBJECT ? mgi_json_get_str(v, rule->path[i]) : NULL;
    return v && v->type != JSON_NULL ? v : NULL;
}

/* ---- values --------------------------------------------------------------------------------- */

static bool looks_encoded(struct str v)
{
    return v.len >= sizeof MARK - 1 + sizeof END_MARK - 1 && mgi_str_starts(v, STR_LIT(MARK)) &&
           mgi_str_ends(v, STR_LIT(END_MARK));
}

static bool is_plain(struct str v)
{
    for (size_t i = 0; i < v.len; i++)
        if (v.ptr[i] < 0x20 || v.ptr[i] > 0x7E)
            return false;
    return v.len == 0 || (v.ptr[0] != ' ' && v.ptr[v.len - 1] != ' ' && !looks_encoded(v));
}

void mgi_mcp_header_encode(struct buf *out, struct str value)
{
    if (is_plain(value)) {
        mgi_buf_str(out, value);
        return;
    }
    mgi_buf_puts(out, MARK);
    size_t from = out->len;
    if (!mgi_buf_reserve(out, (value.len + 2) / 3 * 4 + 1))
        return;
    out->len += mgi_base64url_encode((const uint8_t *)value.ptr, value.len, out->ptr + from);
    for (size_t i = from; i < out->len; i++)
        out->ptr[i] = (char)(out->ptr[i] == '-' ? '+' : out->ptr[i] == '_' ? '/' : out->ptr[i]);
    while ((out->len - from) % 4 != 0)
        mgi_buf_putc(out, '=');
    mgi_buf_puts(out, END_MARK);
}

/* Standard alphabet, padding, canonical. */
static bool decode_base64(struct buf *out, struct str text)
{
    struct buf url = { 0 };
    bool fine = text.len % 4 == 0;
    for (int i = 0; fine && i < 2 && text.len > 0 && text.ptr[text.len - 1] == '='; i++)
        text.len--;
    for (size_t i = 0; fine && i < text.len; i++) {
        char c = text.ptr[i];
        fine = c != '-' && c != '_' && c != '=';
        mgi_buf_putc(&url, (char)(c == '+' ? '-' : c == '/' ? '_' : c));
    }
    size_t from = out->len;
    if (!fine || url.oom || !mgi_buf_reserve(out, text.len + 1)) {
        out->oom |= url.oom;
        mgi_buf_fini(&url);
        return false;
    }
    size_t n = mgi_base64url_decode(mgi_buf_view(&url), (uint8_t *)out->ptr + from, text.len + 1);
    mgi_buf_fini(&url);
    if (n == SIZE_MAX)
        return false;
    out->len += n;
    out->ptr[out->len] = '\0';
    return mgi_utf8_valid((struct str){ out->ptr + from, n }, NULL);
}

bool mgi_mcp_header_value(struct buf *out, const struct json *value)
{
    switch (value->type) {
    case JSON_STRING:
        mgi_mcp_header_encode(out, value->string);
        return true;
    case JSON_BOOL:
        mgi_buf_puts(out, value->boolean ? "true" : "false");
        return true;
    case JSON_INT:
    case JSON_FLOAT:
    case JSON_HUGE:
        mgi_buf_str(out, value->text);
        return true;
    default:
        return false;
    }
}

bool mgi_mcp_header_decode(struct buf *out, struct str value)
{
    if (!looks_encoded(value)) {
        mgi_buf_str(out, value);
        return true;
    }
    size_t marks = sizeof MARK - 1 + sizeof END_MARK - 1;
    return decode_base64(out, (struct str){ value.ptr + sizeof MARK - 1, value.len - marks });
}
