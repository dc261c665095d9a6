/* Nodes: each subschema becomes one, with a list of checks. A keyword is a row of `keywords`; what
 * it refers to is noted for later. A subschema with an $id is a resource: the base of the URIs
 * below it. */
#include "protocol/schema_compile_int.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "protocol/error.h"

#define DRAFT    "https://json-schema.org/draft/2020-12/schema"
#define MAX_URI  4096 /* bytes; each below a base holds that base again */
#define MAX_PATH 4096 /* bytes kept of a path that only messages will show */

void mgi_schema_complain(struct compiler *c, const char *keyword, const char *message)
{
    c->faulty = true;
    mgi_schema_issue(c->issues,
                     mgi_arena_printf(c->issues->arena, "%.*s", STR_ARG(mgi_buf_view(&c->path))),
                     keyword, message);
}

void *mgi_schema_alloc(struct compiler *c, size_t count, size_t size)
{
    void *p = mgi_arena_calloc(&c->s->arena, count ? count : 1, size);
    c->nomem |= !p;
    return p;
}

void mgi_schema_go_to(struct compiler *c, struct str pointer)
{
    c->nomem |= c->path.oom; /* clearing forgets it */
    mgi_buf_clear(&c->path);
    mgi_buf_str(&c->path, pointer);
}

/* ---- copies: the schema keeps nothing of the document it came from ------------------------- */

static struct str keep_str(struct compiler *c, struct str s)
{
    struct str copy = mgi_arena_str(&c->s->arena, s);
    c->nomem |= !copy.ptr;
    return copy;
}

static struct str keep_path(struct compiler *c)
{
    struct str path = mgi_buf_view(&c->path);
    path.len = path.len < MAX_PATH ? path.len : MAX_PATH;
    return path.len > 0 ? keep_str(c, path) : STR_LIT("");
}

static struct json keep_json(struct compiler *c, const struct json *v)
{
    struct json copy = *v; /* the depth is bounded by the parser's */
    copy.text = v->text.len > 0 ? keep_str(c, v->text) : STR_LIT("");
    if (v->type == JSON_STRING)
        copy.string = keep_str(c, v->string);
    if (v->type == JSON_ARRAY) {
        copy.items = mgi_schema_alloc(c, v->count, sizeof *copy.items);
        for (uint32_t i = 0; copy.items && i < v->count; i++)
            copy.items[i] = keep_json(c, &v->items[i]);
    }
    if (v->type == JSON_OBJECT) {
        copy.members = mgi_schema_alloc(c, v->count, sizeof *copy.members);
        for (uint32_t i = 0; copy.members && i < v->count; i++) {
            copy.members[i].name = keep_str(c, v->members[i].name);
            copy.members[i].value = keep_json(c, &v->members[i].value);
        }
    }
    return copy;
}

/* ---- nodes ---------------------------------------------------------------------------------- */

static size_t slot_of(const struct compiler *c, const struct json *source)
{
    size_t i =
        (size_t)((uintptr_t)source / sizeof(struct json) * UINT64_C(0x9E3779B97F4A7C15) >> 20) &
        (c->table_cap - 1);
    while (c->table[i] && c->table[i]->source != source)
        i = (i + 1) & (c->table_cap - 1);
    return i;
}

static bool grow_table(struct compiler *c)
{
    if (c->table_count * 2 < c->table_cap)
        return true;
    size_t old_cap = c->table_cap;
    struct schema_node **old = c->table;
    struct schema_node **table = mgi_calloc(old_cap ? old_cap * 2 : 64, sizeof(void *));
    if (!table) {
        c->nomem = true;
        return false;
    }
    c->table = table;
    c->table_cap = old_cap ? old_cap * 2 : 64;
    for (size_t i = 0; i < old_cap; i++)
        if (old[i])
            table[slot_of(c, old[i]->source)] = old[i];
    mgi_free(old);
    return true;
}

static void compile_into(struct compiler *c, struct schema_node *node);

/* The node of the subschema at `source`; c->path is its place. NULL when memory is short. */
struct schema_node *mgi_schema_node_at(struct compiler *c, const struct json *source)
{
    if (!grow_table(c))
        return NULL;
    size_t slot = slot_of(c, source);
    if (c->table[slot])
        return c->table[slot];
    struct schema_node *node = mgi_schema_alloc(c, 1, sizeof *node);
    if (!node)
        return NULL;
    node->source = source;
    node->resource = c->resource;
    node->made_before = c->s->newest;
    c->s->newest = node;
    c->table[slot] = node;
    c->table_count++;
    if (++c->depth > SCHEMA_MAX_DEPTH)
        mgi_schema_complain(c, "$ref", "subschemas nest too deeply");
    else
        compile_into(c, node);
    c->depth--;
    return node;
}

static struct schema_node *node_below(struct compiler *c, struct str token,
                                      const struct json *source)
{
    size_t len = c->path.len;
    mgi_json_pointer_push(&c->path, token);
    struct schema_node *node = mgi_schema_node_at(c, source);
    c->path.len = len;
    return node;
}

static struct schema_check *add_check(struct compiler *c, struct schema_node *node,
                                      enum schema_check_kind kind, const char *keyword)
{
    struct schema_check *check = mgi_schema_alloc(c, 1, sizeof *check);
    if (!check)
        return NULL;
    check->kind = kind;
    check->keyword = keyword;
    if (node->last)
        node->last->next = check;
    else
        node->first = check;
    node->last = check;
    return check;
}

/* ---- keywords ------------------------------------------------------------------------------- */

struct keyword {
    const char *name;
    size_t name_len;
    uint32_t vocabulary;
    void (*compile)(struct compiler *c, struct schema_node *node, const struct keyword *k,
                    const struct json *v); /* NULL: an annotation, or handled with another */
    enum schema_check_kind kind;
};

static void compile_type(struct compiler *c, struct schema_node *node, const struct keyword *k,
                         const struct json *v)
{
    static const struct {
        const char *name;
        uint32_t bits;
    } types[] = { { "null", TYPE_BIT_NULL },       { "boolean", TYPE_BIT_BOOLEAN },
                  { "integer", TYPE_BIT_INTEGER }, { "number", TYPE_BIT_NUMBER },
                  { "string", TYPE_BIT_STRING },   { "array", TYPE_BIT_ARRAY },
                  { "object", TYPE_BIT_OBJECT } };
    uint32_t bits = 0;
    uint32_t count = v->type == JSON_ARRAY ? v->count : 1;
    for (uint32_t i = 0; i < count; i++) {
        const struct json *one = v->type == JSON_ARRAY ? &v->items[i] : v;
        uint32_t found = 0;
        for (size_t t = 0; one->type == JSON_STRING && t < sizeof types / sizeof *types; t++)
            if (str_is(one->string, types[t].name))
                found = types[t].bits;
        if (!found)
            mgi_schema_complain(
                c, k->name,
                "type is null, boolean, integer, number, string, array or object, or a list");
        bits |= found;
    }
    struct schema_check *check = add_check(c, node, k->kind, k->name);
    if (check)
        check->types = bits;
}

static void compile_value(struct compiler *c, struct schema_node *node, const struct keyword *k,
                          const struct json *v)
{
    if (k->kind == CHECK_ENUM && v->type != JSON_ARRAY) {
        mgi_schema_complain(c, k->name, "enum must be an array");
        return;
    }
    struct schema_check *check = add_check(c, node, k->kind, k->name);
    if (check)
        check->value = keep_json(c, v);
}

static void compile_limit(struct compiler *c, struct schema_node *node, const struct keyword *k,
                          const struct json *v)
{
    bool number = v->type == JSON_INT || v->type == JSON_FLOAT || v->type == JSON_HUGE;
    bool positive = (v->type == JSON_INT && v->integer > 0) ||
                    (v->type == JSON_FLOAT && v->number > 0) || v->type == JSON_HUGE;
    if (!number)
        mgi_schema_complain(c, k->name, "must be a number");
    else if (k->kind == CHECK_MULTIPLE_OF && !positive)
        mgi_schema_complain(c, k->name, "must be above 0");
    else
        compile_value(c, node, k, v);
}

static bool count_of(const struct json *v, uint64_t *out)
{
    if (v->type == JSON_INT && v->integer >= 0) {
        *out = (uint64_t)v->integer;
        return true;
    }
    if (v->type == JSON_FLOAT && v->number >= 0 && v->number < 1e18 &&
        floor(v->number) == v->number) {
        *out = (uint64_t)v->number;
        return true;
    }
    return false;
}

static void compile_count(struct compiler *c, struct schema_node *node, const struct keyword *k,
                          const struct json *v)
{
    uint64_t count;
    if (!count_of(v, &count)) {
        mgi_schema_complain(c, k->name, "must be a whole number, 0 or more");
        return;
    }
    struct schema_check *check = add_check(c, node, k->kind, k->name);
    if (check)
        check->count = count;
}

static struct schema_pattern *pattern_of(struct compiler *c, const char *keyword, struct str source)
{
    const char *why = NULL;
    struct schema_pattern *p = mgi_schema_pattern(&c->s->arena, source, c->issues->arena, &why);
    if (!p && why)
        mgi_schema_complain(c, keyword,
                            mgi_arena_printf(c->issues->arena,
                                             "the pattern \"%s\" cannot be used: %s",
                                             mgi_show(c->issues->arena, source, 80), why));
    else if (!p)
        c->nomem = true;
    return p;
}

static void compile_pattern(struct compiler *c, struct schema_node *node, const struct keyword *k,
                            const struct json *v)
{
    if (v->type != JSON_STRING) {
        mgi_schema_complain(c, k->name, "must be a regular expression in a string");
        return;
    }
    struct schema_check *check = add_check(c, node, k->kind, k->name);
    if (!check)
        return;
    check->value = keep_json(c, v);
    check->pattern = pattern_of(c, k->name, v->string);
    if (!check->pattern)
        node->special |=
            NODE_NEVER; /* the schema is thrown away; until then nothing may match with it */
}

static void compile_unique(struct compiler *c, struct schema_node *node, const struct keyword *k,
                           const struct json *v)
{
    if (v->type != JSON_BOOL)
        mgi_schema_complain(c, k->name, "must be true or false");
    else if (v->boolean)
        add_check(c, node, k->kind, k->name);
}

static bool names_of(struct compiler *c, const struct json *v, const struct str **names,
                     size_t *count)
{
    if (v->type != JSON_ARRAY)
        return false;
    struct str *kept = mgi_schema_alloc(c, v->count, sizeof *kept);
    for (uint32_t i = 0; kept && i < v->count; i++) {
        if (v->items[i].type != JSON_STRING)
            return false;
        kept[i] = keep_str(c, v->items[i].string);
    }
    *names = kept;
    *count = kept ? v->count : 0;
    return true;
}

static void compile_required(struct compiler *c, struct schema_node *node, const struct keyword *k,
                             const struct json *v)
{
    struct schema_check *check = add_check(c, node, k->kind, k->name);
    if (check && !names_of(c, v, &check->names, &check->name_count))
        mgi_schema_complain(c, k->name, "must be an array of strings");
}

static void compile_one(struct compiler *c, struct schema_node *node, const struct keyword *k,
                        const struct json *v)
{
    struct schema_check *check = add_check(c, node, k->kind, k->name);
    struct schema_node **nodes = check ? mgi_schema_alloc(c, 1, sizeof(void *)) : NULL;
    struct schema_node *only = nodes ? node_below(c, str_of(k->name), v) : NULL;
    if (!only)
        return;
    nodes[0] = only;
    check->nodes = nodes;
    check->node_count = 1;
}

/* The subschemas of an array into check->nodes. */
static void compile_nodes(struct compiler *c, struct schema_check *check, const char *name,
                          const struct json *v)
{
    if (v->type != JSON_ARRAY || v->count == 0) {
        mgi_schema_complain(c, name, "must be an array of at least one schema");
        return;
    }
    struct schema_node **nodes = mgi_schema_alloc(c, v->count, sizeof(void *));
    size_t len = c->path.len;
    mgi_json_pointer_push(&c->path, str_of(name));
    for (uint32_t i = 0; nodes && i < v->count; i++) {
        size_t inner = c->path.len;
        mgi_json_pointer_index(&c->path, i);
        nodes[i] = mgi_schema_node_at(c, &v->items[i]);
        c->path.len = inner;
        if (!nodes[i])
            break;
        check->nodes = nodes;
        check->node_count = i + 1;
    }
    c->path.len = len;
}

static void compile_list(struct compiler *c, struct schema_node *node, const struct keyword *k,
                         const struct json *v)
{
    struct schema_check *check = add_check(c, node, k->kind, k->name);
    if (check)
        compile_nodes(c, check, k->name, v);
}

/* Nothing is judged by it, but it must be good, and references may lead there. */
static void compile_unjudged(struct compiler *c, struct schema_node *node, const struct keyword *k,
                             const struct json *v)
{
    (void)node;
    node_below(c, str_of(k->name), v);
}

static void compile_if(struct compiler *c, struct schema_node *node, const struct keyword *k,
                       const struct json *v)
{
    const struct json *then = mgi_json_get(node->source, "then");
    const struct json *other = mgi_json_get(node->source, "else");
    struct schema_check *check = add_check(c, node, k->kind, k->name);
    struct schema_node **nodes = check ? mgi_schema_alloc(c, 3, sizeof(void *)) : NULL;
    if (!nodes)
        return;
    nodes[0] = node_below(c, STR_LIT("if"), v);
    nodes[1] = then ? node_below(c, STR_LIT("then"), then) : NULL;
    nodes[2] = other ? node_below(c, STR_LIT("else"), other) : NULL;
    if (nodes[0]) {
        check->nodes = nodes;
        check->node_count = 3;
    }
}

/* then and else belong to if. */
static void compile_branch(struct compiler *c, struct schema_node *node, const struct keyword *k,
                           const struct json *v)
{
    if (!mgi_json_get(node->source, "if"))
        compile_unjudged(c, node, k, v);
}

/* prefixItems and items are judged together, by whichever of them stands first. */
static void compile_items(struct compiler *c, struct schema_node *node, const struct keyword *k,
                          const struct json *v)
{
    const struct json *prefix = mgi_json_get(node->source, "prefixItems");
    const struct json *items = mgi_json_get(node->source, "items");
    (void)v;
    if (str_is(str_of(k->name), "items") && prefix)
        return; /* done with prefixItems */
    struct schema_check *check = add_check(c, node, k->kind, "items");
    if (!check)
        return;
    if (prefix)
        compile_nodes(c, check, "prefixItems", prefix);
    if (items && items->type == JSON_ARRAY)
        mgi_schema_complain(c, "items", "a list of schemas is called prefixItems in this draft");
    else if (items)
        check->rest = node_below(c, STR_LIT("items"), items);
}

static void compile_contains(struct compiler *c, struct schema_node *node, const struct keyword *k,
                             const struct json *v)
{
    bool counts = c->resource->vocabularies & VOCABULARY_VALIDATION;
    const struct json *least = counts ? mgi_json_get(node->source, "minContains") : NULL;
    const struct json *most = counts ? mgi_json_get(node->source, "maxContains") : NULL;
    compile_one(c, node, k, v);
    if (!node->last || node->last->kind != CHECK_CONTAINS)
        return;
    node->last->count = 1;
    node->last->max_count = UINT64_MAX;
    if (least && !count_of(least, &node->last->count))
        mgi_schema_complain(c, "minContains", "must be a whole number, 0 or more");
    if (most && !count_of(most, &node->last->max_count))
        mgi_schema_complain(c, "maxContains", "must be a whole number, 0 or more");
}

static int compare_properties(const void *a, const void *b)
{
    return mgi_str_compare(((const struct schema_property *)a)->name,
                           ((const struct schema_property *)b)->name);
}

/* The members of `v` as sorted properties, with a subschema each. */
static void compile_members(struct compiler *c, struct schema_check *check, const char *name,
                            const struct json *v)
{
    if (v->type != JSON_OBJECT) {
        mgi_schema_complain(c, name, "must be an object of schemas");
        return;
    }
    struct schema_property *properties = mgi_schema_alloc(c, v->count, sizeof *properties);
    size_t len = c->path.len, count = 0;
    mgi_json_pointer_push(&c->path, str_of(name));
    for (uint32_t i = 0; properties && i < v->count; i++) {
        struct schema_node *node = node_below(c, v->members[i].name, &v->members[i].value);
        if (!node)
            break;
        properties[count].name = keep_str(c, v->members[i].name);
        properties[count++].node = node;
    }
    c->path.len = len;
    if (!properties || c->nomem)
        return;
    qsort(properties, count, sizeof *properties, compare_properties);
    check->properties = properties;
    check->property_count = count;
}

static void compile_pattern_members(struct compiler *c, struct schema_check *check,
                                    const struct json *v)
{
    if (v->type != JSON_OBJECT) {
        mgi_schema_complain(c, "patternProperties", "must be an object of schemas");
        return;
    }
    check->patterns = mgi_schema_alloc(c, v->count, sizeof *check->patterns);
    size_t len = c->path.len;
    mgi_json_pointer_push(&c->path, STR_LIT("patternProperties"));
    for (uint32_t i = 0; check->patterns && i < v->count; i++) {
        struct schema_pattern *pattern = pattern_of(c, "patternProperties", v->members[i].name);
        struct schema_node *node = node_below(c, v->members[i].name, &v->members[i].value);
        if (pattern && node)
            check->patterns[check->pattern_count++] =
                (struct schema_pattern_property){ pattern, node };
    }
    c->path.len = len;
}

/* properties, patternProperties and additionalProperties are one check, made by the first of them
 * in this order. */
static void compile_properties(struct compiler *c, struct schema_node *node,
                               const struct keyword *k, const struct json *v)
{
    const struct json *properties = mgi_json_get(node->source, "properties");
    const struct json *patterns = mgi_json_get(node->source, "patternProperties");
    const struct json *rest = mgi_json_get(node->source, "additionalProperties");
    if (v != (properties ? properties : patterns ? patterns : rest))
        return;
    struct schema_check *check = add_check(c, node, k->kind, "properties");
    if (!check)
        return;
    if (properties)
        compile_members(c, check, "properties", properties);
    if (patterns)
        compile_pattern_members(c, check, patterns);
    if (rest)
        check->rest = node_below(c, STR_LIT("additionalProperties"), rest);
}

static void compile_dependent_schemas(struct compiler *c, struct schema_node *node,
                                      const struct keyword *k, const struct json *v)
{
    struct schema_check *check = add_check(c, node, k->kind, k->name);
    if (check)
        compile_members(c, check, k->name, v);
}

static void compile_dependent_required(struct compiler *c, struct schema_node *node,
                                       const struct keyword *k, const struct json *v)
{
    struct schema_check *check = add_check(c, node, k->kind, k->name);
    bool good = check && v->type == JSON_OBJECT;
    if (good)
        check->properties = mgi_schema_alloc(c, v->count, sizeof *check->properties);
    for (uint32_t i = 0; good && check->properties && i < v->count; i++) {
        struct schema_property *p = &check->properties[i];
        p->name = keep_str(c, v->members[i].name);
        good = names_of(c, &v->members[i].value, &p->names, &p->name_count);
        check->property_count = i + 1;
    }
    if (!good)
        mgi_schema_complain(c, k->name, "must be an object of arrays of strings");
}

/* $defs: nothing to check, but the schemas in it must be good. */
static void compile_defs(struct compiler *c, struct schema_node *node, const struct keyword *k,
                         const struct json *v)
{
    (void)node;
    struct schema_check unused = { 0 };
    compile_members(c, &unused, k->name, v);
}

/* Judged after all other keywords, so they are no part of the list of checks. */
static void compile_unevaluated(struct compiler *c, struct schema_node *node,
                                const struct keyword *k, const struct json *v)
{
    struct schema_node all = { 0 };
    compile_one(c, &all, k, v);
    if (!all.first)
        return;
    all.first->next = node->unevaluated;
    node->unevaluated = all.first;
}

static void compile_ref(struct compiler *c, struct schema_node *node, const struct keyword *k,
                        const struct json *v)
{
    if (v->type != JSON_STRING) {
        mgi_schema_complain(c, k->name, "must be a URI reference in a string");
        return;
    }
    struct schema_check *check = add_check(c, node, k->kind, k->name);
    if (!check ||
        !mgi_arena_grow(&c->s->arena, &c->refs, &c->ref_cap, c->ref_count + 1, sizeof *c->refs)) {
        c->nomem = true;
        return;
    }
    c->refs[c->ref_count++] = (struct pending_ref){ check, v, keep_path(c), c->resource };
}

static struct schema_dynamic_name *add_dynamic(struct compiler *c, struct schema_node *node,
                                               struct str anchor)
{
    struct schema_dynamic_name *name = mgi_schema_dynamic_name(&c->names, &c->s->arena, anchor);
    struct schema_dynamic *d = name ? mgi_schema_alloc(c, 1, sizeof *d) : NULL;
    if (!d)
        return NULL;
    *d = (struct schema_dynamic){ name, node, c->resource->dynamics, name->first };
    c->resource->dynamics = name->first = d;
    name->count++;
    return name;
}

static void compile_anchor(struct compiler *c, struct schema_node *node, const struct keyword *k,
                           const struct json *v)
{
    struct schema_target target = { .node = node };
    if (v->type != JSON_STRING || !mgi_schema_is_anchor(v->string)) {
        mgi_schema_complain(c, k->name,
                            "must be a letter or _, then letters, digits, \"-\", \"_\" and \".\"");
        return;
    }
    if (k->kind == CHECK_DYNAMIC_REF)
        target.dynamic = add_dynamic(c, node, v->string);
    if (!mgi_schema_name_anchor(&c->names, &c->s->arena, c->resource, v->string, target) &&
        !c->names.nomem)
        mgi_schema_complain(c, k->name, "is the name of two places");
}

const struct schema_other *mgi_schema_other(const struct compiler *c, struct str uri)
{
    for (size_t i = 0; c->others && i < c->others->count; i++)
        if (str_eq(c->others->items[i].uri, uri))
            return &c->others->items[i];
    return NULL;
}

/* The schema of the table that "$schema" names. */
static const struct schema_other *metaschema_of(const struct compiler *c, const struct json *v)
{
    struct str uri, fragment;
    if (v->type != JSON_STRING)
        return NULL;
    mgi_schema_split_uri(v->string, &uri, &fragment);
    return fragment.len == 0 ? mgi_schema_other(c, uri) : NULL;
}

static bool is_draft(const struct json *v)
{
    return v->type == JSON_STRING && (str_is(v->string, DRAFT) || str_is(v->string, DRAFT "#"));
}

/* What it says of vocabularies was heard when the resource was entered. */
static void compile_dialect(struct compiler *c, struct schema_node *node, const struct keyword *k,
                            const struct json *v)
{
    (void)node;
    if (!(c->flags & SCHEMA_LENIENT) && !is_draft(v) && !metaschema_of(c, v))
        mgi_schema_complain(c, k->name, "only draft 2020-12 is understood: \"" DRAFT "\"");
}

#define NAME(literal) literal, sizeof(literal) - 1

static const struct keyword keywords[] = {
    { NAME("type"), VOCABULARY_VALIDATION, compile_type, CHECK_TYPE },
    { NAME("enum"), VOCABULARY_VALIDATION, compile_value, CHECK_ENUM },
    { NAME("const"), VOCABULARY_VALIDATION, compile_value, CHECK_CONST },
    { NAME("multipleOf"), VOCABULARY_VALIDATION, compile_limit, CHECK_MULTIPLE_OF },
    { NAME("maximum"), VOCABULARY_VALIDATION, compile_limit, CHECK_MAXIMUM },
    { NAME("exclusiveMaximum"), VOCABULARY_VALIDATION, compile_limit, CHECK_EXCLUSIVE_MAXIMUM },
    { NAME("minimum"), VOCABULARY_VALIDATION, compile_limit, CHECK_MINIMUM },
    { NAME("exclusiveMinimum"), VOCABULARY_VALIDATION, compile_limit, CHECK_EXCLUSIVE_MINIMUM },
    { NAME("maxLength"), VOCABULARY_VALIDATION, compile_count, CHECK_MAX_LENGTH },
    { NAME("minLength"), VOCABULARY_VALIDATION, compile_count, CHECK_MIN_LENGTH },
    { NAME("pattern"), VOCABULARY_VALIDATION, compile_pattern, CHECK_PATTERN },
    { NAME("maxItems"), VOCABULARY_VALIDATION, compile_count, CHECK_MAX_ITEMS },
    { NAME("minItems"), VOCABULARY_VALIDATION, compile_count, CHECK_MIN_ITEMS },
    { NAME("uniqueItems"), VOCABULARY_VALIDATION, compile_unique, CHECK_UNIQUE_ITEMS },
    { NAME("prefixItems"), VOCABULARY_APPLICATOR, compile_items, CHECK_ITEMS },
    { NAME("items"), VOCABULARY_APPLICATOR, compile_items, CHECK_ITEMS },
    { NAME("contains"), VOCABULARY_APPLICATOR, compile_contains, CHECK_CONTAINS },
    { NAME("minContains"), VOCABULARY_VALIDATION, NULL, CHECK_CONTAINS },
    { NAME("maxContains"), VOCABULARY_VALIDATION, NULL, CHECK_CONTAINS },
    { NAME("maxProperties"), VOCABULARY_VALIDATION, compile_count, CHECK_MAX_PROPERTIES },
    { NAME("minProperties"), VOCABULARY_VALIDATION, compile_count, CHECK_MIN_PROPERTIES },
    { NAME("required"), VOCABULARY_VALIDATION, compile_required, CHECK_REQUIRED },
    { NAME("dependentRequired"), VOCABULARY_VALIDATION, compile_dependent_required,
      CHECK_DEPENDENT_REQUIRED },
    { NAME("properties"), VOCABULARY_APPLICATOR, compile_properties, CHECK_PROPERTIES },
    { NAME("patternProperties"), VOCABULARY_APPLICATOR, compile_properties, CHECK_PROPERTIES },
    { NAME("additionalProperties"), VOCABULARY_APPLICATOR, compile_properties, CHECK_PROPERTIES },
    { NAME("propertyNames"), VOCABULARY_APPLICATOR, compile_one, CHECK_PROPERTY_NAMES },
    { NAME("dependentSchemas"), VOCABULARY_APPLICATOR, compile_dependent_schemas,
      CHECK_DEPENDENT_SCHEMAS },
    { NAME("$ref"), VOCABULARY_CORE, compile_ref, CHECK_REF },
    { NAME("$anchor"), VOCABULARY_CORE, compile_anchor, CHECK_REF },
    { NAME("$defs"), VOCABULARY_CORE, compile_defs, CHECK_REF },
    { NAME("$schema"), VOCABULARY_CORE, compile_dialect, CHECK_REF },
    { NAME("allOf"), VOCABULARY_APPLICATOR, compile_list, CHECK_ALL_OF },
    { NAME("anyOf"), VOCABULARY_APPLICATOR, compile_list, CHECK_ANY_OF },
    { NAME("oneOf"), VOCABULARY_APPLICATOR, compile_list, CHECK_ONE_OF },
    { NAME("not"), VOCABULARY_APPLICATOR, compile_one, CHECK_NOT },
    { NAME("if"), VOCABULARY_APPLICATOR, compile_if, CHECK_IF },
    { NAME("then"), VOCABULARY_APPLICATOR, compile_branch, CHECK_IF },
    { NAME("else"), VOCABULARY_APPLICATOR, compile_branch, CHECK_IF },
    { NAME("unevaluatedItems"), VOCABULARY_UNEVALUATED, compile_unevaluated,
      CHECK_UNEVALUATED_ITEMS },
    { NAME("unevaluatedProperties"), VOCABULARY_UNEVALUATED, compile_unevaluated,
      CHECK_UNEVALUATED_PROPERTIES },
    { NAME("$dynamicRef"), VOCABULARY_CORE, compile_ref, CHECK_DYNAMIC_REF },
    { NAME("$dynamicAnchor"), VOCABULARY_CORE, compile_anchor, CHECK_DYNAMIC_REF },
    /* Annotations: they say something and check nothing. */
    { NAME("$id"), VOCABULARY_CORE, NULL, CHECK_REF },
    { NAME("$vocabulary"), VOCABULARY_CORE, NULL, CHECK_REF },
    { NAME("$comment"), VOCABULARY_CORE, NULL, CHECK_REF },
    { NAME("title"), VOCABULARY_OTHER, NULL, CHECK_REF },
    { NAME("description"), VOCABULARY_OTHER, NULL, CHECK_REF },
    { NAME("default"), VOCABULARY_OTHER, NULL, CHECK_REF },
    { NAME("examples"), VOCABULARY_OTHER, NULL, CHECK_REF },
    { NAME("format"), VOCABULARY_OTHER, NULL, CHECK_REF },
    { NAME("deprecated"), VOCABULARY_OTHER, NULL, CHECK_REF },
    { NAME("readOnly"), VOCABULARY_OTHER, NULL, CHECK_REF },
    { NAME("writeOnly"), VOCABULARY_OTHER, NULL, CHECK_REF },
    { NAME("contentEncoding"), VOCABULARY_OTHER, NULL, CHECK_REF },
    { NAME("contentMediaType"), VOCABULARY_OTHER, NULL, CHECK_REF },
    { NAME("contentSchema"), VOCABULARY_OTHER, compile_unjudged, CHECK_REF },
};

#undef NAME

static const struct keyword *keyword_of(struct str name)
{
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
        if (name.len == keywords[i].name_len && memcmp(name.ptr, keywords[i].name, name.len) == 0)
            return &keywords[i];
    return NULL;
}

/* ---- resources ------------------------------------------------------------------------------ */

static const struct json *identifier_of(const struct json *source)
{
    for (uint32_t i = 0; i < source->count; i++)
        if (source->members[i].name.len == 3 && memcmp(source->members[i].name.ptr, "$id", 3) == 0)
            return &source->members[i].value;
    return NULL;
}

struct schema_resource *mgi_schema_add_resource(struct compiler *c, struct str uri,
                                                const struct json *root)
{
    struct schema_resource *r = mgi_schema_alloc(c, 1, sizeof *r);
    if (!r)
        return NULL;
    r->root = root;
    r->uri = uri;
    r->number = c->resources++;
    r->vocabularies = c->resource ? c->resource->vocabularies : VOCABULARY_ALL;
    r->place = keep_path(c);
    return r;
}

/* "$schema" counts at the root of a resource, and there before all other keywords. */
static void choose_vocabularies(struct compiler *c, const struct json *source)
{
    const struct json *dialect = mgi_json_get(source, "$schema");
    if (!dialect)
        return;
    const struct schema_other *metaschema = is_draft(dialect) ? NULL : metaschema_of(c, dialect);
    struct str unknown = { 0 };
    c->resource->vocabularies =
        metaschema ? mgi_schema_vocabularies(metaschema->schema, &unknown) : VOCABULARY_ALL;
    if (unknown.ptr)
        mgi_schema_complain(c, "$schema",
                            mgi_arena_printf(c->issues->arena,
                                             "needs the vocabulary \"%s\", which is not known",
                                             mgi_show(c->issues->arena, unknown, 200)));
}

/* The URI of `ref` where `from` is the base. In the arena, which is the schema's. */
struct str mgi_schema_absolute(struct compiler *c, const struct schema_resource *from,
                               struct str ref)
{
    struct buf out = { 0 };
    mgi_schema_resolve_uri(from->uri, ref, &out);
    c->nomem |= out.oom;
    struct str uri = mgi_buf_view(&out);
    uri = uri.len <= MAX_URI ? keep_str(c, uri) : (struct str){ 0 };
    mgi_buf_fini(&out);
    return uri;
}

/* The subschema of `node` has an $id: from here on that is the base. The caller goes back. */
static void enter_resource(struct compiler *c, struct schema_node *node, const struct json *id)
{
    struct str ref, fragment = { 0 };
    if (id->type == JSON_STRING)
        mgi_schema_split_uri(id->string, &ref, &fragment);
    if (id->type != JSON_STRING || fragment.len > 0) {
        mgi_schema_complain(c, "$id", "must be a URI without a fragment");
        return;
    }
    struct str uri = mgi_schema_absolute(c, c->resource, ref);
    if (!uri.ptr && !c->nomem)
        mgi_schema_complain(c, "$id", "is a URI of more than 4096 bytes");
    struct schema_resource *r = uri.ptr ? mgi_schema_add_resource(c, uri, node->source) : NULL;
    if (!r)
        return;
    if (!mgi_schema_name_resource(&c->names, &c->s->arena, uri, r) && !c->names.nomem)
        mgi_schema_complain(c, "$id",
                            mgi_arena_printf(c->issues->arena, "\"%s\" is the URI of two schemas",
                                             mgi_show(c->issues->arena, uri, 200)));
    c->resource = node->resource = r;
    choose_vocabularies(c, node->source);
}

static void compile_into(struct compiler *c, struct schema_node *node)
{
    const struct json *source = node->source;
    if (source->type == JSON_BOOL) {
        node->special |= source->boolean ? 0 : NODE_NEVER;
        return;
    }
    if (source->type != JSON_OBJECT) {
        mgi_schema_complain(c, "type", "a schema is an object, true or false");
        return;
    }
    struct schema_resource *outer = c->resource;
    const struct json *id = identifier_of(source);
    if (id)
        enter_resource(c, node, id);
    else if (source == outer->root)
        choose_vocabularies(c, source);
    for (uint32_t i = 0; i < source->count && !c->nomem; i++) {
        const struct json_member *m = &source->members[i];
        const struct keyword *k = keyword_of(m->name);
        if (k && !(k->vocabulary & c->resource->vocabularies))
            k = NULL;
        if (k && k->compile)
            k->compile(c, node, k, &m->value);
        else if (!k && !(c->flags & SCHEMA_LENIENT) && !mgi_str_starts(m->name, STR_LIT("x-")))
            mgi_schema_complain(c, mgi_show(c->issues->arena, m->name, 40),
                                "is not a keyword that is enforced here");
    }
    c->resource = outer;
}
