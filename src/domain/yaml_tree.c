/* Trees of YAML as bytes. Depth is at most YAML_MAX_DEPTH, in both directions. */
#include "domain/yaml_tree.h"

#include "base/strmap.h"
#include "base/utf8.h"

#define PLAIN_BIT   4u /* above the kind */
#define FEW_KEYS    16
#define ENTRY_BYTES 4 /* the least that an entry takes: kind, line, column, length or count */

/* ---- writing --------------------------------------------------------------------------------- */

static void put_number(struct buf *out, uint64_t n)
{
    for (; n >= 0x80; n >>= 7)
        mgi_buf_putc(out, (char)(n | 0x80));
    mgi_buf_putc(out, (char)n);
}

static void put_scalar(struct buf *out, struct str s)
{
    put_number(out, s.len);
    mgi_buf_str(out, s);
    mgi_buf_putc(out, '\0');
}

void mgi_yaml_tree_write(struct buf *out, const struct yaml_node *n)
{
    mgi_buf_putc(out, (char)((unsigned)n->kind | (n->plain ? PLAIN_BIT : 0)));
    put_number(out, n->line);
    put_number(out, n->column);
    if (n->kind == YAML_SCALAR) {
        put_scalar(out, n->text);
        return;
    }
    put_number(out, n->count);
    for (size_t i = 0; i < n->count; i++) {
        const struct yaml_entry *e = &n->entries[i];
        if (n->kind == YAML_MAP) {
            put_scalar(out, e->key);
            put_number(out, e->line);
            put_number(out, e->column);
        }
        mgi_yaml_tree_write(out, e->value);
    }
}

/* ---- reading --------------------------------------------------------------------------------- */

struct tree_reader {
    const struct yaml_context *context;
    const char *file;
    const char *at, *end;
};

static bool take_number(struct tree_reader *r, uint32_t *out)
{
    uint64_t n = 0;
    for (unsigned shift = 0; shift < 35 && r->at < r->end; shift += 7) {
        unsigned byte = (unsigned char)*r->at++;
        n |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) {
            *out = (uint32_t)n;
            return n <= UINT32_MAX;
        }
    }
    return false;
}

static bool take_text(struct tree_reader *r, struct str *out)
{
    uint32_t len;
    if (!take_number(r, &len) || len >= (size_t)(r->end - r->at) || r->at[len] != '\0')
        return false;
    *out = (struct str){ r->at, len };
    r->at += len + 1;
    return mgi_utf8_valid(*out, NULL);
}

static struct yaml_node *take_node(struct tree_reader *r, int depth);

static bool take_member(struct tree_reader *r, const struct yaml_node *parent, int depth,
                        struct yaml_entry *e)
{
    if (parent->kind == YAML_MAP &&
        !(take_text(r, &e->key) && take_number(r, &e->line) && take_number(r, &e->column)))
        return false;
    e->value = take_node(r, depth + 1);
    if (e->value && parent->kind == YAML_LIST) {
        e->line = e->value->line;
        e->column = e->value->column;
    }
    return e->value != NULL;
}

/* No key twice: a parser refuses that. */
static bool keys_differ(const struct tree_reader *r, const struct yaml_node *map)
{
    struct strmap seen;
    uint32_t before;
    bool differ = true;
    mgi_strmap_init(&seen);
    for (size_t i = 0; differ && i < map->count; i++) {
        differ = !mgi_strmap_get(&seen, map->entries[i].key, &before);
        if (differ && !mgi_strmap_put(&seen, map->entries[i].key, (uint32_t)i)) {
            r->context->arena->oom = true;
            differ = false;
        }
    }
    mgi_strmap_fini(&seen);
    return differ;
}

/* The same for few keys, without a table. */
static bool few_keys_differ(const struct yaml_node *map)
{
    for (size_t i = 1; i < map->count; i++)
        for (size_t k = 0; k < i; k++)
            if (str_eq(map->entries[i].key, map->entries[k].key))
                return false;
    return true;
}

/* NULL: there is none, or no memory. */
static struct yaml_node *take_node(struct tree_reader *r, int depth)
{
    struct arena *arena = mgi_yaml_scratch(r->context);
    struct yaml_node *n = mgi_arena_calloc(arena, 1, sizeof *n);
    unsigned kind = r->at < r->end ? (unsigned char)*r->at++ : UINT32_MAX;
    uint32_t count;
    if (!n || (kind & ~PLAIN_BIT) > YAML_MAP || (kind > YAML_MAP && kind != PLAIN_BIT) ||
        !take_number(r, &n->line) || !take_number(r, &n->column))
        return NULL;
    n->kind = (enum yaml_kind)(kind & ~PLAIN_BIT);
    n->plain = (kind & PLAIN_BIT) != 0;
    n->origin = r->file;
    if (n->kind == YAML_SCALAR)
        return take_text(r, &n->text) ? n : NULL;
    if (depth == YAML_MAX_DEPTH || !take_number(r, &count) ||
        count > (size_t)(r->end - r->at) / ENTRY_BYTES)
        return NULL;
    n->entries = count > 0 ? mgi_arena_calloc(arena, count, sizeof *n->entries) : NULL;
    if (count > 0 && !n->entries)
        return NULL;
    n->cap = count;
    for (; n->count < count; n->count++)
        if (!take_member(r, n, depth, &n->entries[n->count]))
            return NULL;
    if (n->kind == YAML_MAP && !(count <= FEW_KEYS ? few_keys_differ(n) : keys_differ(r, n)))
        return NULL;
    return n;
}

struct yaml_node *mgi_yaml_tree_read(const struct yaml_context *c, const char *file,
                                     struct str bytes)
{
    struct tree_reader r = { c, file, bytes.ptr, bytes.ptr + bytes.len };
    struct yaml_node *root = take_node(&r, 0);
    return r.at == r.end ? root : NULL;
}
