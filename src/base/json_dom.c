/* Builds the DOM without recursion. Values wait on one stack until their container closes; then
 * they move, contiguous, into the arena. An open container lies on the stack below its elements and
 * remembers the one around it in `integer`, so there is no second stack.
 *
 *       +--------- element, ',' --------+
 *       v                               |
 *   AT_VALUE --scalar, '}', ']'--> AFTER_VALUE --none open--> end of text
 *       |  ^                            |
 *      '{' +------ name, ':' -----+    ',' in an object
 *       +-------> AT_NAME <-------|-----+
 *
 * Repeated names are looked for when an object closes: in small ones pairwise, in large ones with a
 * hash table whose seed differs from run to run. Cost: linear in the text. */
#include "base/json_int.h"

#include <stdlib.h>

#include "base/alloc.h"

#define INLINE_STACK 48 /* values on the C stack, 56 bytes each: a usual message allocates none */
#define SMALL_OBJECT 12 /* members up to which comparing pairs beats a hash table */
#define NONE         (-1)

enum state { AT_VALUE, AT_NAME, AFTER_VALUE, AT_END };

struct builder {
    struct arena *arena;
    struct str text;
    const char *p, *end;
    uint32_t depth, max_depth;
    struct json_member *stack; /* local, or on the heap once it has grown */
    size_t count, cap;
    int64_t open;    /* index of the innermost open container, or NONE */
    struct str name; /* of the member whose value comes next */
    uint32_t *table; /* scratch of find_duplicate() */
    size_t table_cap;
    struct json_fail fail;
    struct json_member local[INLINE_STACK];
};

static enum json_fault fail_at(struct builder *b, enum json_fault fault, const char *at,
                               const char *message)
{
    b->fail = (struct json_fail){ fault, at, message };
    return fault;
}

static enum json_fault out_of_memory(struct builder *b)
{
    return fail_at(b, JSON_NOMEM, b->p, "out of memory");
}

static enum json_fault unexpected_here(struct builder *b, const char *message)
{
    (void)mgi_json_unexpected(b->p, b->end, message, &b->fail);
    return b->fail.fault;
}

/* What does not fit into the arena in the end is not gathered either: the same values there take
 * less than they do here. */
static bool grow_stack(struct builder *b)
{
    size_t limit = b->arena->limit;
    if (limit > 0 && b->count * sizeof *b->stack / 2 > limit)
        return false;
    if (b->stack != b->local)
        return mgi_grow(&b->stack, &b->cap, b->count + 1, sizeof *b->stack);
    struct json_member *heap = NULL;
    size_t cap = 0;
    if (!mgi_grow(&heap, &cap, (size_t)INLINE_STACK * 4, sizeof *heap))
        return false;
    memcpy(heap, b->local, sizeof b->local);
    b->stack = heap;
    b->cap = cap;
    return true;
}

/* A new value on the stack, under the pending name; NULL when memory is short. */
static struct json *push(struct builder *b)
{
    if (b->count == b->cap && !grow_stack(b))
        return NULL;
    struct json_member *m = &b->stack[b->count++];
    m->name = b->name;
    m->value.count = 0;
    return &m->value;
}

/* The string whose opening quote is at p. */
static enum json_fault read_string(struct builder *b, struct str *out)
{
    const char *start = b->p + 1;
    const char *quote = mgi_json_plain_end(start, b->end);
    bool escaped = false;
    if (!quote)
        quote = mgi_json_scan_string(start, b->end, &escaped, &b->fail);
    if (!quote)
        return b->fail.fault;
    *out = mgi_str_between(start, quote);
    if (escaped) {
        char *copy = mgi_arena_alloc(b->arena, out->len + 1);
        if (!copy)
            return out_of_memory(b);
        out->len = mgi_json_unescape(*out, copy);
        copy[out->len] = '\0';
        out->ptr = copy;
    }
    b->p = quote + 1;
    return JSON_OK;
}

static enum json_fault read_scalar(struct builder *b, struct json *v)
{
    const char *start = b->p;
    enum json_fault fault = JSON_OK;
    if (*start == '"') {
        v->type = JSON_STRING;
        fault = read_string(b, &v->string);
    } else {
        bool number = *start == '-' || (*start >= '0' && *start <= '9');
        const char *next = number ? mgi_json_scan_number(start, b->end, v, &b->fail)
                                  : mgi_json_scan_word(start, b->end, v, &b->fail);
        if (next)
            b->p = next;
        else
            fault = b->fail.fault;
    }
    if (!fault)
        v->text = mgi_str_between(start, b->p);
    return fault;
}

static enum json_fault open_container(struct builder *b, struct json *v, enum state *state)
{
    if (b->depth == b->max_depth)
        return fail_at(b, JSON_TOO_DEEP, b->p, "nested too deeply");
    bool object = *b->p == '{';
    b->depth++;
    v->type = object ? JSON_OBJECT : JSON_ARRAY;
    v->text = (struct str){ b->p, 0 };
    v->integer = b->open;
    b->open = (int64_t)b->count - 1;
    b->name = (struct str){ NULL, 0 };
    b->p = mgi_json_skip_space(b->p + 1, b->end);
    /* An empty container closes where one with elements would. */
    if (b->p < b->end && *b->p == (object ? '}' : ']'))
        *state = AFTER_VALUE;
    else
        *state = object ? AT_NAME : AT_VALUE;
    return JSON_OK;
}

static enum json_fault read_value(struct builder *b, enum state *state)
{
    if (b->p == b->end)
        return unexpected_here(b, "expected a value");
    struct json *v = push(b);
    if (!v)
        return out_of_memory(b);
    if (*b->p == '{' || *b->p == '[')
        return open_container(b, v, state);
    *state = AFTER_VALUE;
    return read_scalar(b, v);
}

static enum json_fault read_name(struct builder *b, enum state *state)
{
    if (b->p == b->end || *b->p != '"')
        return unexpected_here(b, "expected a name in double quotes");
    enum json_fault fault = read_string(b, &b->name);
    if (fault)
        return fault;
    b->p = mgi_json_skip_space(b->p, b->end);
    if (b->p == b->end || *b->p != ':')
        return unexpected_here(b, "expected ':' after a name");
    b->p++;
    *state = AT_VALUE;
    return JSON_OK;
}

/* ---- repeated names ------------------------------------------------------------------------ */

/* Most names differ in length or in how they begin. */
static bool names_match(struct str a, struct str b)
{
    return a.len == b.len && (a.len == 0 || (*a.ptr == *b.ptr && memcmp(a.ptr, b.ptr, a.len) == 0));
}

/* The index of the first member whose name an earlier one has, `count` if there is none. */
static size_t find_duplicate_small(const struct json_member *m, size_t count)
{
    for (size_t i = 1; i < count; i++)
        for (size_t j = 0; j < i; j++)
            if (names_match(m[i].name, m[j].name))
                return i;
    return count;
}

/* The same with a table of indexes + 1; SIZE_MAX when memory is short. */
static size_t find_duplicate_large(struct builder *b, const struct json_member *m, size_t count)
{
    size_t size = 64;
    while (size < count * 2)
        size *= 2;
    if (!mgi_grow(&b->table, &b->table_cap, size, sizeof *b->table))
        return SIZE_MAX;
    memset(b->table, 0, size * sizeof *b->table);
    uint64_t seed = (uint64_t)(uintptr_t)b;
    for (size_t i = 0; i < count; i++) {
        size_t at = (size_t)mgi_hash_bytes(m[i].name.ptr, m[i].name.len, seed) & (size - 1);
        for (; b->table[at]; at = (at + 1) & (size - 1))
            if (str_eq(m[b->table[at] - 1].name, m[i].name))
                return i;
        b->table[at] = (uint32_t)(i + 1);
    }
    return count;
}

/* Where a member's name begins: behind what ends before it and the comma. */
static const char *name_position(const struct builder *b, const struct json *object,
                                 const struct json_member *members, size_t index)
{
    struct str before = index ? members[index - 1].value.text : (struct str){ object->text.ptr, 1 };
    const char *p = mgi_json_skip_space(before.ptr + before.len, b->end);
    if (index)
        p = mgi_json_skip_space(p + 1, b->end);
    return p;
}

static enum json_fault check_names(struct builder *b, const struct json *object,
                                   const struct json_member *members, size_t count)
{
    size_t found = count <= SMALL_OBJECT ? find_duplicate_small(members, count)
                                         : find_duplicate_large(b, members, count);
    if (found == SIZE_MAX)
        return out_of_memory(b);
    if (found < count)
        return fail_at(b, JSON_DUPLICATE_KEY, name_position(b, object, members, found),
                       "name appears twice in one object");
    return JSON_OK;
}

/* ---- closing ------------------------------------------------------------------------------- */

static enum json_fault close_array(struct builder *b, struct json *array,
                                   const struct json_member *elements, size_t count)
{
    struct json *items = mgi_arena_alloc(b->arena, count * sizeof *items);
    if (!items)
        return out_of_memory(b);
    for (size_t i = 0; i < count; i++)
        items[i] = elements[i].value;
    array->items = items;
    return JSON_OK;
}

static enum json_fault close_object(struct builder *b, struct json *object,
                                    const struct json_member *elements, size_t count)
{
    enum json_fault fault = check_names(b, object, elements, count);
    if (fault)
        return fault;
    struct json_member *members = mgi_arena_alloc(b->arena, count * sizeof *members);
    if (!members)
        return out_of_memory(b);
    memcpy(members, elements, count * sizeof *members);
    object->members = members;
    return JSON_OK;
}

/* The innermost container ends with the bracket at p. */
static enum json_fault close_container(struct builder *b)
{
    struct json *v = &b->stack[b->open].value;
    const struct json_member *elements = b->stack + b->open + 1;
    size_t count = b->count - (size_t)b->open - 1;
    if (count > UINT32_MAX - 1)
        return out_of_memory(b);

    int64_t around = v->integer;
    v->items = NULL;
    enum json_fault fault = JSON_OK;
    if (count)
        fault = v->type == JSON_ARRAY ? close_array(b, v, elements, count)
                                      : close_object(b, v, elements, count);
    if (fault)
        return fault;
    b->p++;
    v->count = (uint32_t)count;
    v->text.len = (size_t)(b->p - v->text.ptr);
    b->count -= count;
    b->open = around;
    b->depth--;
    return JSON_OK;
}

static enum json_fault after_value(struct builder *b, enum state *state)
{
    if (b->open == NONE) {
        *state = AT_END;
        return JSON_OK;
    }
    bool object = b->stack[b->open].value.type == JSON_OBJECT;
    char c = b->p < b->end ? *b->p : '\0';
    if (c == (object ? '}' : ']'))
        return close_container(b);
    if (c != ',')
        return unexpected_here(b, object ? "expected ',' or '}' after a member"
                                         : "expected ',' or ']' after an element");
    b->p++;
    *state = object ? AT_NAME : AT_VALUE;
    return JSON_OK;
}

static enum json_fault build(struct builder *b)
{
    if (mgi_json_has_bom(b->text))
        return fail_at(b, JSON_BAD_BOM, b->p, "text begins with a byte order mark");
    enum json_fault fault = JSON_OK;
    enum state state = AT_VALUE;
    while (!fault && state != AT_END) {
        b->p = mgi_json_skip_space(b->p, b->end);
        switch (state) {
        case AT_VALUE:
            fault = read_value(b, &state);
            break;
        case AT_NAME:
            fault = read_name(b, &state);
            break;
        case AFTER_VALUE:
            fault = after_value(b, &state);
            break;
        case AT_END:
            break;
        }
    }
    if (!fault && b->p != b->end)
        fault = unexpected_here(b, "text goes on after the value");
    return fault;
}

enum json_fault mgi_json_parse(struct arena *arena, struct str text,
                               const struct json_options *options, struct json *out,
                               struct json_error *error)
{
    if (!text.ptr)
        text = STR_LIT("");
    struct builder b;
    b.arena = arena;
    b.text = text;
    b.p = text.ptr;
    b.end = text.ptr + text.len;
    b.depth = 0;
    b.max_depth = mgi_json_depth(options ? options->max_depth : 0);
    b.stack = b.local;
    b.count = 0;
    b.cap = INLINE_STACK;
    b.open = NONE;
    b.name = (struct str){ NULL, 0 };
    b.table = NULL;
    b.table_cap = 0;

    struct arena_mark mark = mgi_arena_mark(arena);
    enum json_fault fault = build(&b);
    if (fault) {
        mgi_json_error_at(error, text, &b.fail);
        mgi_arena_rewind(arena, mark);
    } else {
        *out = b.stack[0].value;
    }
    if (b.stack != b.local)
        mgi_free(b.stack);
    mgi_free(b.table);
    return fault;
}

bool mgi_json_take(struct arena *arena, struct buf *text, struct json *out)
{
    const struct json_options options = { .max_depth = JSON_MAX_DEPTH };
    struct str kept = text->oom ? (struct str){ 0 } : mgi_arena_str(arena, mgi_buf_view(text));
    mgi_buf_fini(text);
    return kept.ptr && mgi_json_parse(arena, kept, &options, out, NULL) == JSON_OK;
}
