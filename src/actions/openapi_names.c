/* Which operations are wanted, and what they are called: see openapi_int.h. */
#include "actions/openapi_int.h"
#include "base/content_hash.h"
#include "base/near.h"

enum { MOST_NAME = 64, MOST_AID = 128 };

/* ---- patterns -------------------------------------------------------------------------------- */

static bool is_exact(struct str pattern)
{
    return !memchr(pattern.ptr, '*', pattern.len);
}

static bool has_tag(const struct openapi_operation *op, struct str pattern)
{
    const struct json *tags = mgi_json_get(op->value, "tags");
    if (mgi_openapi_true(op->value, "deprecated") && mgi_str_fits(STR_LIT("deprecated"), pattern))
        return true;
    for (uint32_t i = 0; tags && tags->type == JSON_ARRAY && i < tags->count; i++)
        if (tags->items[i].type == JSON_STRING && mgi_str_fits(tags->items[i].string, pattern))
            return true;
    return false;
}

/* By "GET /orders/{id}", "/orders/{id}", its id or one of its tags. *itself: it alone is meant. */
static bool is_meant(const struct openapi_operation *op, struct str pattern, bool *itself)
{
    *itself = is_exact(pattern);
    if (mgi_str_fits(str_of(op->title), pattern) ||
        (op->id.len > 0 && mgi_str_fits(op->id, pattern)))
        return true;
    *itself = false;
    return (pattern.len > 0 && pattern.ptr[0] == '/' && mgi_str_fits(op->path, pattern)) ||
           has_tag(op, pattern);
}

/* ---- what the entry says --------------------------------------------------------------------- */

static struct str pattern_at(const struct openapi_choice *c, size_t i)
{
    const struct yaml_node *n = c->list->kind == YAML_LIST ? c->list->entries[i].value : c->list;
    return n->kind == YAML_SCALAR ? n->text : STR_LIT("");
}

static size_t pattern_count(const struct openapi_choice *c)
{
    return !c->list ? 0 : c->list->kind == YAML_LIST ? c->list->count : 1;
}

static bool read_choice(struct openapi *doc, const char *key, struct openapi_choice *out)
{
    const struct yaml_node *n = mgi_yaml_get(doc->entry, key);
    *out = (struct openapi_choice){ 0 };
    if (!n)
        return true;
    bool good = n->kind == YAML_LIST ? n->count > 0 : n->kind == YAML_SCALAR && n->text.len > 0;
    for (size_t i = 0; good && n->kind == YAML_LIST && i < n->count; i++)
        good = n->entries[i].value->kind == YAML_SCALAR && n->entries[i].value->text.len > 0;
    if (!good) {
        mgi_yaml_error(doc->r->yaml, n, "BAD_VALUE",
                       "Write it as [getOrder, billing, /orders/*, \"DELETE *\"].",
                       "%s is a list of operations: by their ids, tags or paths", key);
        return true;
    }
    out->list = n;
    out->used = mgi_arena_calloc(doc->r->yaml->arena, pattern_count(out), sizeof *out->used);
    return out->used != NULL;
}

static bool is_prefix(struct str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (!((s.ptr[i] >= 'a' && s.ptr[i] <= 'z') || s.ptr[i] == '_' ||
              (i > 0 && ((s.ptr[i] >= '0' && s.ptr[i] <= '9') || s.ptr[i] == '.'))))
            return false;
    return s.len <= 24;
}

bool mgi_openapi_read_choices(struct openapi *doc, struct openapi_choices *out)
{
    const struct yaml_node *operations = mgi_yaml_get(doc->entry, "operations");
    const struct yaml_node *prefix = mgi_yaml_get(doc->entry, "prefix");
    *out = (struct openapi_choices){ .prefix = "" };
    mgi_strmap_init(&out->names);
    if (!read_choice(doc, "only", &out->only) || !read_choice(doc, "except", &out->except))
        return false;
    if (prefix && (prefix->kind != YAML_SCALAR || !is_prefix(prefix->text)))
        mgi_yaml_error(doc->r->yaml, prefix, "BAD_NAME", NULL,
                       "a prefix is named [a-z_][a-z0-9_.]*, at most 24 characters");
    else if (prefix)
        out->prefix = mgi_arena_printf(doc->r->yaml->arena, "%.*s", STR_ARG(prefix->text));
    if (operations && operations->kind != YAML_MAP) {
        mgi_yaml_error(doc->r->yaml, operations, "BAD_VALUE",
                       "Write it as {getOrder: {tags: [read]}}.",
                       "operations is a map of operations to what they say otherwise");
        return true;
    }
    out->operations = operations;
    if (operations)
        out->said_used =
            mgi_arena_calloc(doc->r->yaml->arena, operations->count + 1, sizeof *out->said_used);
    return out->prefix && (!operations || out->said_used);
}

void mgi_openapi_choices_end(struct openapi_choices *c)
{
    mgi_strmap_fini(&c->names);
}

static bool matches(const struct openapi_operation *op, struct openapi_choice *c, bool *named)
{
    bool any = false, itself;
    for (size_t i = 0; i < pattern_count(c); i++)
        if (is_meant(op, pattern_at(c, i), &itself)) {
            c->used[i] = true;
            any = true;
            *named |= itself;
        }
    return any;
}

bool mgi_openapi_is_wanted(struct openapi_operation *op, struct openapi_choices *c)
{
    bool ignored = false, wanted = !c->only.list || matches(op, &c->only, &op->named);
    for (size_t i = 0; c->operations && i < c->operations->count; i++) {
        const struct yaml_entry *e = &c->operations->entries[i];
        if (!str_eq(e->key, str_of(op->title)) && !(op->id.len > 0 && str_eq(e->key, op->id)))
            continue;
        c->said_used[i] = true;
        op->said = e->value->kind == YAML_MAP ? e->value : NULL;
    }
    return !matches(op, &c->except, &ignored) && wanted;
}

/* ---- what chose nothing ---------------------------------------------------------------------- */

static void offer(const struct openapi *doc, struct near *near)
{
    const struct json *paths = mgi_json_get(&doc->root, "paths");
    for (uint32_t i = 0; paths && paths->type == JSON_OBJECT && i < paths->count; i++) {
        const struct json *item = &paths->members[i].value;
        for (uint32_t k = 0; item->type == JSON_OBJECT && k < item->count; k++)
            mgi_near_try(near, mgi_openapi_text(&item->members[k].value, "operationId"));
        mgi_near_try(near, paths->members[i].name);
    }
}

static void tell_unknown(struct openapi *doc, const struct yaml_node *at, struct str what)
{
    struct near near = mgi_near(what);
    offer(doc, &near);
    mgi_yaml_error(doc->r->yaml, at, "UNKNOWN_KEY",
                   near.best.len > 0 ? mgi_arena_printf(doc->r->yaml->arena, "Did you mean %.*s?",
                                                        STR_ARG(near.best))
                                     : NULL,
                   "%s has no operation \"%.*s\"", doc->file, STR_ARG(what));
}

static void tell_choice(struct openapi *doc, const struct openapi_choice *c)
{
    for (size_t i = 0; i < pattern_count(c); i++)
        if (!c->used[i] && !str_is(pattern_at(c, i), "deprecated")) /* of which there may be none */
            tell_unknown(doc, c->list->kind == YAML_LIST ? c->list->entries[i].value : c->list,
                         pattern_at(c, i));
}

void mgi_openapi_tell_unused(struct openapi *doc, struct openapi_choices *c)
{
    tell_choice(doc, &c->only);
    tell_choice(doc, &c->except);
    for (size_t i = 0; c->operations && i < c->operations->count; i++)
        if (!c->said_used[i])
            tell_unknown(doc, c->operations->entries[i].value, c->operations->entries[i].key);
}

/* ---- names ----------------------------------------------------------------------------------- */

static bool is_capital(char c)
{
    return c >= 'A' && c <= 'Z';
}

static bool is_small(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

/* getOrder -> get_order, repos/get-content -> repos.get_content, HTTPPing -> http_ping. All of it;
 * it may be long. */
static void put_name(struct buf *out, struct str id)
{
    char gap = '\0'; /* what stands before the next letter, if one comes */
    size_t begin = out->len;
    for (size_t i = 0; i < id.len; i++) {
        char c = id.ptr[i];
        bool before = i > 0 && is_small(id.ptr[i - 1]);
        bool after =
            i + 1 < id.len && is_small(id.ptr[i + 1]) && i > 0 && is_capital(id.ptr[i - 1]);
        if (c == '/' || c == '.') {
            gap = '.';
        } else if (!is_capital(c) && !is_small(c)) {
            gap = gap == '.' ? '.' : '_';
        } else {
            if (!gap && is_capital(c) && (before || after))
                gap = '_';
            if (gap && out->len > begin)
                mgi_buf_putc(out, gap);
            gap = '\0';
            mgi_buf_putc(out, (char)(is_capital(c) ? c - 'A' + 'a' : c));
        }
    }
}

/* GET /orders/{id}/lines -> get_orders_id_lines */
static void put_title(struct buf *out, const struct openapi_operation *op)
{
    struct buf flat = { 0 };
    mgi_buf_printf(&flat, "%s %.*s", op->method, STR_ARG(op->path));
    for (size_t i = 0; i < flat.len; i++)
        if (flat.ptr[i] == '/' || flat.ptr[i] == '.')
            flat.ptr[i] = '_';
    put_name(out, mgi_buf_view(&flat));
    out->oom |= flat.oom;
    mgi_buf_fini(&flat);
}

/* Not longer than names and AIDs may be: the end of a long one becomes its digest. */
static void shorten(struct buf *name, size_t most)
{
    uint8_t hash[CONTENT_HASH_BYTES];
    if (name->len <= most || name->oom)
        return;
    mgi_content_hash(name->ptr, name->len, hash);
    name->len = most - 9;
    mgi_buf_printf(name, "_%02x%02x%02x%02x", hash[0], hash[1], hash[2], hash[3]);
}

/* The name, or with the first number that makes it one. `times`: how often it was asked for. */
static struct str free_operation_name(struct openapi *doc, struct openapi_choices *c,
                                      struct buf *name, bool *renamed)
{
    struct arena *a = doc->r->yaml->arena;
    uint32_t times = 0, other;
    struct str plain = mgi_arena_str(a, mgi_buf_view(name)), kept = plain;
    mgi_strmap_get(&c->names, plain, &times);
    *renamed = times > 0;
    for (uint32_t n = times; kept.ptr && mgi_strmap_get(&c->names, kept, &other);) {
        const char *numbered = mgi_arena_printf(a, "%.*s_%u", STR_ARG(plain), ++n);
        kept = str_of(numbered);
        times = n - 1;
    }
    bool good = !name->oom && kept.ptr && mgi_strmap_put(&c->names, plain, times + 1) &&
                mgi_strmap_put(&c->names, kept, 1 + (str_eq(kept, plain) ? times : 0));
    return good ? kept : (struct str){ NULL, 0 };
}

struct str mgi_openapi_name(struct openapi_operation *op, struct openapi_choices *c)
{
    struct openapi *doc = op->doc;
    struct buf name = { 0 };
    size_t around = sizeof "AID...v1" - 1 + doc->r->settings->id.len + 4;
    size_t most = around + MOST_NAME <= MOST_AID ? MOST_NAME
                  : around + 20 < MOST_AID       ? MOST_AID - around
                                                 : 20;
    mgi_buf_puts(&name, c->prefix);
    size_t prefixed = name.len;
    if (op->id.len > 0)
        put_name(&name, op->id);
    if (name.len == prefixed)
        put_title(&name, op);
    if (name.ptr && name.len > 0 && name.ptr[0] >= '0' && name.ptr[0] <= '9') {
        struct str digits = mgi_arena_str(doc->r->yaml->arena, mgi_buf_view(&name));
        mgi_buf_clear(&name);
        mgi_buf_putc(&name, '_');
        mgi_buf_str(&name, digits);
    }
    shorten(&name, most - 5);
    struct str kept = free_operation_name(doc, c, &name, &op->renamed);
    mgi_buf_fini(&name);
    return kept;
}
