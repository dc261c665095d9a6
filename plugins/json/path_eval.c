/* JSONPath: what a path selects. Nodes are found in the order of the standard: a segment applies
 * its selectors to each node of the list before it, one after the other; a descendant segment
 * visits a node before what is in it. Recursion goes as deep as the document or the path, both
 * bounded. */
#include "plugins/json/json_plugin.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "base/alloc.h"
#include "base/utf8.h"

#define MATCH_STEPS 100000

/* ---- patterns ------------------------------------------------------------------------------- */

struct regex {
    pcre2_general_context *memory;
    pcre2_code *code;
    pcre2_match_context *limits;
};

static void *regex_alloc(size_t size, void *unused)
{
    (void)unused;
    return mgi_alloc(size);
}

static void regex_release(void *p, void *unused)
{
    (void)unused;
    mgi_free(p);
}

static void regex_free(void *thing)
{
    struct regex *x = thing;
    pcre2_match_context_free(x->limits);
    pcre2_code_free(x->code);
    pcre2_general_context_free(x->memory);
}

/* RFC 9485: "." is anything but CR and LF, and match() means the whole string. What PCRE2 knows
 * beyond it is not refused, except what reaches into single bytes. */
static pcre2_code *compile(struct regex *x, struct str pattern, bool whole)
{
    int error;
    PCRE2_SIZE offset;
    pcre2_compile_context *context = pcre2_compile_context_create(x->memory);
    if (!context)
        return NULL;
    pcre2_set_newline(context, PCRE2_NEWLINE_ANYCRLF);
    uint32_t options = PCRE2_UTF | PCRE2_UCP | PCRE2_NEVER_BACKSLASH_C | PCRE2_DOLLAR_ENDONLY |
                       (whole ? PCRE2_ANCHORED | PCRE2_ENDANCHORED : 0);
    pcre2_code *code = pcre2_compile((PCRE2_SPTR)(pattern.len ? pattern.ptr : ""), pattern.len,
                                     options, &error, &offset, context);
    pcre2_compile_context_free(context);
    return code;
}

void *mgi_path_regex(struct arena *arena, struct str pattern, bool whole)
{
    struct regex *x = mgi_arena_calloc(arena, 1, sizeof *x);
    if (!x || !mgi_arena_defer(arena, regex_free, x))
        return NULL;
    x->memory = pcre2_general_context_create(regex_alloc, regex_release, NULL);
    x->limits = x->memory ? pcre2_match_context_create(x->memory) : NULL;
    if (!x->limits || !(x->code = compile(x, pattern, whole)))
        return NULL;
    pcre2_set_match_limit(x->limits, MATCH_STEPS);
    pcre2_set_heap_limit(x->limits, 10000);
    return x;
}

bool mgi_path_regex_matches(void *regex, struct str text)
{
    struct regex *x = regex;
    pcre2_match_data *data = pcre2_match_data_create(1, x->memory);
    if (!data)
        return false;
    int found = pcre2_match(x->code, (PCRE2_SPTR)(text.len ? text.ptr : ""), text.len, 0, 0, data,
                            x->limits);
    pcre2_match_data_free(data);
    return found >= 0;
}

/* ---- nodes ---------------------------------------------------------------------------------- */

/* What is the same for a whole evaluation. */
struct scope {
    struct work *work;
    const struct json *root;
};

static bool holds(struct scope *s, const struct path_expression *e, const struct json *current);
static bool select_path(struct scope *s, const struct path *path, const struct path_node *start,
                        struct path_nodes *out);

static bool add(struct scope *s, struct path_nodes *nodes, const struct path_node *node)
{
    if (!mgi_work_step(s->work, 1))
        return false;
    if (nodes->count >= JSON_MOST_NODES) {
        s->work->fault = "selects more than 100000 nodes";
        return false;
    }
    if (!mgi_arena_grow(s->work->arena, &nodes->items, &nodes->cap, nodes->count + 1,
                        sizeof *nodes->items)) {
        s->work->fault = "out of memory";
        return false;
    }
    nodes->items[nodes->count++] = node;
    return true;
}

static const struct path_node *child(struct scope *s, const struct path_node *parent, uint32_t i)
{
    struct path_node *node = mgi_work_alloc(s->work, 1, sizeof *node);
    const struct json *v = parent->value;
    if (!node)
        return NULL;
    *node = (struct path_node){ .parent = parent, .index = i };
    if (v->type == JSON_OBJECT) {
        node->value = &v->members[i].value;
        node->name = v->members[i].name;
        if (!node->name.ptr)
            node->name.ptr = "";
    } else {
        node->value = &v->items[i];
    }
    return node;
}

static bool add_child(struct scope *s, const struct path_node *parent, uint32_t i,
                      struct path_nodes *out)
{
    const struct path_node *node = child(s, parent, i);
    return node && add(s, out, node);
}

static bool is_container(const struct json *v)
{
    return v->type == JSON_ARRAY || v->type == JSON_OBJECT;
}

/* ---- selectors ------------------------------------------------------------------------------ */

static bool select_name(struct scope *s, struct str name, const struct path_node *node,
                        struct path_nodes *out)
{
    const struct json *v = node->value;
    if (v->type != JSON_OBJECT)
        return true;
    if (!mgi_work_step(s->work, 1 + v->count / 8))
        return false;
    for (uint32_t i = 0; i < v->count; i++)
        if (str_eq(v->members[i].name, name))
            return add_child(s, node, i, out);
    return true;
}

static bool select_index(struct scope *s, int64_t index, const struct path_node *node,
                         struct path_nodes *out)
{
    const struct json *v = node->value;
    int64_t at = index < 0 ? index + (int64_t)v->count : index;
    if (v->type != JSON_ARRAY || at < 0 || at >= (int64_t)v->count)
        return true;
    return add_child(s, node, (uint32_t)at, out);
}

static int64_t clamp(int64_t n, int64_t least, int64_t most)
{
    return n < least ? least : n > most ? most : n;
}

/* 2.3.4.2.2, to the letter. */
static bool select_slice(struct scope *s, const struct path_selector *x,
                         const struct path_node *node, struct path_nodes *out)
{
    if (node->value->type != JSON_ARRAY || x->step == 0)
        return true;
    int64_t len = node->value->count;
    int64_t start = x->has_start ? x->start : x->step > 0 ? 0 : len - 1;
    int64_t end = x->has_end ? x->end : x->step > 0 ? len : -len - 1;
    start = start >= 0 ? start : len + start;
    end = end >= 0 ? end : len + end;
    if (x->step > 0) {
        start = clamp(start, 0, len);
        end = clamp(end, 0, len);
        for (int64_t i = start; i < end; i += x->step)
            if (!add_child(s, node, (uint32_t)i, out))
                return false;
        return true;
    }
    start = clamp(start, -1, len - 1);
    end = clamp(end, -1, len - 1);
    for (int64_t i = start; i > end; i += x->step)
        if (!add_child(s, node, (uint32_t)i, out))
            return false;
    return true;
}

static bool select_all(struct scope *s, const struct path_expression *filter,
                       const struct path_node *node, struct path_nodes *out)
{
    const struct json *v = node->value;
    for (uint32_t i = 0; is_container(v) && i < v->count; i++) {
        const struct json *item = v->type == JSON_ARRAY ? &v->items[i] : &v->members[i].value;
        if (filter && !holds(s, filter, item)) {
            if (!mgi_work_step(s->work, 1))
                return false;
            continue;
        }
        if (!add_child(s, node, i, out))
            return false;
    }
    return true;
}

static bool apply_selector(struct scope *s, const struct path_selector *x,
                           const struct path_node *node, struct path_nodes *out)
{
    switch (x->kind) {
    case SELECT_NAME:
        return select_name(s, x->name, node, out);
    case SELECT_INDEX:
        return select_index(s, x->start, node, out);
    case SELECT_SLICE:
        return select_slice(s, x, node, out);
    case SELECT_WILDCARD:
        return select_all(s, NULL, node, out);
    default:
        return select_all(s, x->filter, node, out);
    }
}

/* The node, and with a descendant segment all below it. */
static bool apply_segment(struct scope *s, const struct path_segment *segment,
                          const struct path_node *node, struct path_nodes *out)
{
    for (const struct path_selector *x = segment->selectors; x; x = x->next)
        if (!apply_selector(s, x, node, out))
            return false;
    const struct json *v = node->value;
    for (uint32_t i = 0; segment->descendant && is_container(v) && i < v->count; i++) {
        if (!is_container(v->type == JSON_ARRAY ? &v->items[i] : &v->members[i].value))
            continue;
        const struct path_node *below = child(s, node, i);
        if (!below || !apply_segment(s, segment, below, out))
            return false;
    }
    return !s->work->fault;
}

static bool select_path(struct scope *s, const struct path *path, const struct path_node *start,
                        struct path_nodes *out)
{
    struct path_nodes now = { 0 };
    if (!add(s, &now, start))
        return false;
    for (const struct path_segment *segment = path->segments; segment; segment = segment->next) {
        struct path_nodes then = { 0 };
        for (size_t i = 0; i < now.count; i++)
            if (!apply_segment(s, segment, now.items[i], &then))
                return false;
        now = then;
    }
    *out = now;
    return true;
}

/* ---- expressions ---------------------------------------------------------------------------- */

static bool run_query(struct scope *s, const struct path *query, const struct json *current,
                      struct path_nodes *out)
{
    struct path_node *start = mgi_work_alloc(s->work, 1, sizeof *start);
    *out = (struct path_nodes){ 0 };
    if (!start)
        return false;
    start->value = query->relative ? current : s->root;
    return select_path(s, query, start, out);
}

static const struct json *value_of(struct scope *s, const struct path_expression *e,
                                   const struct json *current, struct json *room);

static const struct json *length_of(struct scope *s, const struct json *v, struct json *room)
{
    if (!v || (v->type != JSON_STRING && !is_container(v)))
        return NULL;
    int64_t n = v->type == JSON_STRING ? (int64_t)mgi_utf8_count(v->string) : (int64_t)v->count;
    if (v->type == JSON_STRING && !mgi_work_step(s->work, (int64_t)v->string.len / 64 + 1))
        return NULL;
    *room = (struct json){ .type = JSON_INT, .integer = n };
    *room = mgi_json_int_value(s->work, n);
    return room;
}

/* The value of a function that gives one. */
static const struct json *call_value(struct scope *s, const struct path_expression *e,
                                     const struct json *current, struct json *room)
{
    struct path_nodes nodes;
    struct json inner;
    if (e->function == FN_LENGTH)
        return length_of(s, value_of(s, e->left, current, &inner), room);
    if (!run_query(s, &e->left->query, current, &nodes))
        return NULL;
    if (e->function == FN_VALUE)
        return nodes.count == 1 ? nodes.items[0]->value : NULL;
    *room = mgi_json_int_value(s->work, (int64_t)nodes.count);
    return room;
}

/* NULL: nothing. */
static const struct json *value_of(struct scope *s, const struct path_expression *e,
                                   const struct json *current, struct json *room)
{
    struct path_nodes nodes;
    if (e->kind == EXPRESSION_LITERAL)
        return &e->literal;
    if (e->kind == EXPRESSION_FUNCTION)
        return call_value(s, e, current, room);
    if (!run_query(s, &e->query, current, &nodes))
        return NULL;
    return nodes.count == 1 ? nodes.items[0]->value : NULL;
}

static bool matches(struct scope *s, const struct path_expression *e, const struct json *current)
{
    struct json a, b;
    const struct json *text = value_of(s, e->left, current, &a);
    const struct json *pattern = value_of(s, e->right, current, &b);
    if (!text || !pattern || text->type != JSON_STRING || pattern->type != JSON_STRING)
        return false;
    if (!mgi_work_step(s->work, 100 + (int64_t)text->string.len))
        return false;
    void *regex = e->regex;
    if (!regex && e->right->kind != EXPRESSION_LITERAL && mgi_work_step(s->work, 5000))
        regex = mgi_path_regex(s->work->arena, pattern->string, e->function == FN_MATCH);
    return regex && mgi_path_regex_matches(regex, text->string);
}

static bool is_same(struct scope *s, const struct json *a, const struct json *b)
{
    if (!a || !b)
        return !a && !b;
    return mgi_json_same(s->work, a, b);
}

static bool compare(struct scope *s, const struct path_expression *e, const struct json *current)
{
    struct json left_room, right_room;
    const struct json *a = value_of(s, e->left, current, &left_room);
    const struct json *b = value_of(s, e->right, current, &right_room);
    bool both = a && b;
    switch (e->comparison) {
    case IS_EQUAL:
        return is_same(s, a, b);
    case IS_UNEQUAL:
        return !is_same(s, a, b);
    case IS_LESS:
        return both && mgi_json_less(a, b);
    case IS_MORE:
        return both && mgi_json_less(b, a);
    case IS_AT_MOST:
        return (both && mgi_json_less(a, b)) || is_same(s, a, b);
    default:
        return (both && mgi_json_less(b, a)) || is_same(s, a, b);
    }
}

/* False also after a fault, which the caller sees. */
static bool holds(struct scope *s, const struct path_expression *e, const struct json *current)
{
    struct path_nodes nodes;
    if (!mgi_work_step(s->work, 1))
        return false;
    switch (e->kind) {
    case EXPRESSION_OR:
        return holds(s, e->left, current) || holds(s, e->right, current);
    case EXPRESSION_AND:
        return holds(s, e->left, current) && holds(s, e->right, current);
    case EXPRESSION_NOT:
        return !holds(s, e->left, current);
    case EXPRESSION_COMPARE:
        return compare(s, e, current);
    case EXPRESSION_FUNCTION:
        return matches(s, e, current);
    default:
        return run_query(s, &e->query, current, &nodes) && nodes.count > 0;
    }
}

/* ---- the whole ------------------------------------------------------------------------------ */

bool mgi_path_select(struct work *w, const struct path *path, const struct json *root,
                     struct path_nodes *out)
{
    struct scope s = { w, root };
    struct path_node *start = mgi_work_alloc(w, 1, sizeof *start);
    if (!start)
        return false;
    start->value = root;
    return select_path(&s, path, start, out) && !w->fault;
}

static void put_name(struct buf *out, struct str name)
{
    static const char short_ones[] = "\b\t\n\f\r'\\", letters[] = "btnfr'\\";
    for (size_t i = 0; i < name.len; i++) {
        char c = name.ptr[i];
        const char *found = c ? strchr(short_ones, c) : NULL;
        if (found)
            mgi_buf_printf(out, "\\%c", letters[found - short_ones]);
        else if ((unsigned char)c < 0x20)
            mgi_buf_printf(out, "\\u%04x", (unsigned)c);
        else
            mgi_buf_putc(out, c);
    }
}

void mgi_path_put(struct buf *out, const struct path_node *node)
{
    const struct path_node *chain[JSON_MAX_DEPTH];
    size_t count = 0;
    for (; node->parent && count < JSON_MAX_DEPTH; node = node->parent)
        chain[count++] = node;
    mgi_buf_putc(out, '$');
    while (count > 0) {
        const struct path_node *n = chain[--count];
        if (n->name.ptr) {
            mgi_buf_puts(out, "['");
            put_name(out, n->name);
            mgi_buf_puts(out, "']");
        } else {
            mgi_buf_printf(out, "[%u]", n->index);
        }
    }
}
