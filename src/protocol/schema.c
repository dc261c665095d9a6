/* Compiling a schema: JSON to nodes, each a list of checks (protocol.md §2.12, D-43).
 *
 * 1. Every place that holds a subschema becomes a node, once, found again by its address.
 * 2. References are resolved when all else is compiled; what they reach is compiled then.
 * 3. Keywords that judge the same instance (references, allOf, ...) must not form a cycle.
 * A keyword is a row of `keywords`; checking is in schema_check.c. */
#include "protocol/schema_int.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "protocol/error.h"

#define DRAFT      "https://json-schema.org/draft/2020-12/schema"
#define BRIEF_WORK 32768 /* bytes of instance times checks: a third of a millisecond at worst */

struct pending_ref {
    struct schema_check *check;
    const struct json *value;
    const char *path;
};

struct anchor {
    struct str name;
    struct schema_node *node;
};

struct compiler {
    struct schema *s;
    const struct json *root;
    int flags;
    struct schema_issues *issues;
    struct buf path; /* JSON Pointer of where we are */
    uint32_t depth;
    bool nomem;
    struct schema_node **table; /* by address of the source, open addressing */
    size_t table_count, table_cap;
    struct pending_ref *refs;
    size_t ref_count, ref_cap;
    struct anchor *anchors;
    size_t anchor_count, anchor_cap;
};

/* ---- issues --------------------------------------------------------------------------------- */

void mgi_schema_issues_init(struct schema_issues *s, struct arena *arena, size_t max)
{
    *s = (struct schema_issues){ .arena = arena, .max = max ? max : 50 };
}

void mgi_schema_issue(struct schema_issues *s, const char *path, const char *keyword,
                      const char *message)
{
    if (s->count >= s->max ||
        !mgi_arena_grow(s->arena, &s->items, &s->cap, s->count + 1, sizeof *s->items))
        return;
    s->items[s->count++] =
        (struct schema_issue){ path ? path : "", keyword, message ? message : "is not valid" };
}

static void complain(struct compiler *c, const char *keyword, const char *message)
{
    mgi_schema_issue(c->issues,
                     mgi_arena_printf(c->issues->arena, "%.*s", STR_ARG(mgi_buf_view(&c->path))),
                     keyword, message);
}

static void *compiler_alloc(struct compiler *c, size_t count, size_t size)
{
    void *p = mgi_arena_calloc(&c->s->arena, count ? count : 1, size);
    c->nomem |= !p;
    return p;
}

/* ---- copies: the schema keeps nothing of the document it came from ------------------------- */

static struct str keep_str(struct compiler *c, struct str s)
{
    struct str copy = mgi_arena_str(&c->s->arena, s);
    c->nomem |= !copy.ptr;
    return copy;
}

static struct json keep_json(struct compiler *c, const struct json *v)
{
    struct json copy = *v; /* the depth is bounded by the parser's */
    copy.text = v->text.len > 0 ? keep_str(c, v->text) : STR_LIT("");
    if (v->type == JSON_STRING)
        copy.string = keep_str(c, v->string);
    if (v->type == JSON_ARRAY) {
        copy.items = compiler_alloc(c, v->count, sizeof *copy.items);
        for (uint32_t i = 0; copy.items && i < v->count; i++)
            copy.items[i] = keep_json(c, &v->items[i]);
    }
    if (v->type == JSON_OBJECT) {
        copy.members = compiler_alloc(c, v->count, sizeof *copy.members);
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
static struct schema_node *node_at(struct compiler *c, const struct json *source)
{
    if (!grow_table(c))
        return NULL;
    size_t slot = slot_of(c, source);
    if (c->table[slot])
        return c->table[slot];
    struct schema_node *node = compiler_alloc(c, 1, sizeof *node);
    if (!node)
        return NULL;
    node->source = source;
    node->made_before = c->s->newest;
    c->s->newest = node;
    c->table[slot] = node;
    c->table_count++;
    if (++c->depth > SCHEMA_MAX_DEPTH)
        complain(c, "$ref", "subschemas nest too deeply");
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
    struct schema_node *node = node_at(c, source);
    c->path.len = len;
    return node;
}

static struct schema_check *add_check(struct compiler *c, struct schema_node *node,
                                      enum schema_check_kind kind, const char *keyword)
{
    struct schema_check *check = compiler_alloc(c, 1, sizeof *check);
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
            complain(c, k->name,
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
        complain(c, k->name, "enum must be an array");
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
        complain(c, k->name, "must be a number");
    else if (k->kind == CHECK_MULTIPLE_OF && !positive)
        complain(c, k->name, "must be above 0");
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
        complain(c, k->name, "must be a whole number, 0 or more");
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
        complain(c, keyword,
                 mgi_arena_printf(c->issues->arena, "the pattern \"%s\" cannot be used: %s",
                                  mgi_show(c->issues->arena, source, 80), why));
    else if (!p)
        c->nomem = true;
    return p;
}

static void compile_pattern(struct compiler *c, struct schema_node *node, const struct keyword *k,
                            const struct json *v)
{
    if (v->type != JSON_STRING) {
        complain(c, k->name, "must be a regular expression in a string");
        return;
    }
    struct schema_check *check = add_check(c, node, k->kind, k->name);
    if (!check)
        return;
    check->value = keep_json(c, v);
    check->pattern = pattern_of(c, k->name, v->string);
    if (!check->pattern)
        node->never = true; /* the schema is thrown away; until then nothing may match with it */
}

static void compile_unique(struct compiler *c, struct schema_node *node, const struct keyword *k,
                           const struct json *v)
{
    if (v->type != JSON_BOOL)
        complain(c, k->name, "must be true or false");
    else if (v->boolean)
        add_check(c, node, k->kind, k->name);
}

static bool names_of(struct compiler *c, const struct json *v, const struct str **names,
                     size_t *count)
{
    if (v->type != JSON_ARRAY)
        return false;
    struct str *kept = compiler_alloc(c, v->count, sizeof *kept);
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
        complain(c, k->name, "must be an array of strings");
}

static void compile_one(struct compiler *c, struct schema_node *node, const struct keyword *k,
                        const struct json *v)
{
    struct schema_check *check = add_check(c, node, k->kind, k->name);
    struct schema_node **nodes = check ? compiler_alloc(c, 1, sizeof(void *)) : NULL;
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
        complain(c, name, "must be an array of at least one schema");
        return;
    }
    struct schema_node **nodes = compiler_alloc(c, v->count, sizeof(void *));
    size_t len = c->path.len;
    mgi_json_pointer_push(&c->path, str_of(name));
    for (uint32_t i = 0; nodes && i < v->count; i++) {
        size_t inner = c->path.len;
        mgi_json_pointer_index(&c->path, i);
        nodes[i] = node_at(c, &v->items[i]);
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

static void compile_if(struct compiler *c, struct schema_node *node, const struct keyword *k,
                       const struct json *v)
{
    const struct json *then = mgi_json_get(node->source, "then");
    const struct json *other = mgi_json_get(node->source, "else");
    struct schema_check *check = add_check(c, node, k->kind, k->name);
    struct schema_node **nodes = check ? compiler_alloc(c, 3, sizeof(void *)) : NULL;
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
        complain(c, "items", "a list of schemas is called prefixItems in this draft");
    else if (items)
        check->rest = node_below(c, STR_LIT("items"), items);
}

static void compile_contains(struct compiler *c, struct schema_node *node, const struct keyword *k,
                             const struct json *v)
{
    const struct json *least = mgi_json_get(node->source, "minContains");
    const struct json *most = mgi_json_get(node->source, "maxContains");
    compile_one(c, node, k, v);
    if (!node->last || node->last->kind != CHECK_CONTAINS)
        return;
    node->last->count = 1;
    node->last->max_count = UINT64_MAX;
    if (least && !count_of(least, &node->last->count))
        complain(c, "minContains", "must be a whole number, 0 or more");
    if (most && !count_of(most, &node->last->max_count))
        complain(c, "maxContains", "must be a whole number, 0 or more");
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
        complain(c, name, "must be an object of schemas");
        return;
    }
    struct schema_property *properties = compiler_alloc(c, v->count, sizeof *properties);
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
        complain(c, "patternProperties", "must be an object of schemas");
        return;
    }
    check->patterns = compiler_alloc(c, v->count, sizeof *check->patterns);
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
        check->properties = compiler_alloc(c, v->count, sizeof *check->properties);
    for (uint32_t i = 0; good && check->properties && i < v->count; i++) {
        struct schema_property *p = &check->properties[i];
        p->name = keep_str(c, v->members[i].name);
        good = names_of(c, &v->members[i].value, &p->names, &p->name_count);
        check->property_count = i + 1;
    }
    if (!good)
        complain(c, k->name, "must be an object of arrays of strings");
}

/* $defs: nothing to check, but the schemas in it must be good. */
static void compile_defs(struct compiler *c, struct schema_node *node, const struct keyword *k,
                         const struct json *v)
{
    (void)node;
    struct schema_check unused = { 0 };
    compile_members(c, &unused, k->name, v);
}

static void compile_ref(struct compiler *c, struct schema_node *node, const struct keyword *k,
                        const struct json *v)
{
    struct schema_check *check = add_check(c, node, k->kind, k->name);
    if (!check ||
        !mgi_arena_grow(&c->s->arena, &c->refs, &c->ref_cap, c->ref_count + 1, sizeof *c->refs)) {
        c->nomem = true;
        return;
    }
    struct str path = mgi_arena_str(&c->s->arena, mgi_buf_view(&c->path));
    c->refs[c->ref_count++] = (struct pending_ref){ check, v, path.ptr };
}

static void compile_anchor(struct compiler *c, struct schema_node *node, const struct keyword *k,
                           const struct json *v)
{
    if (v->type != JSON_STRING) {
        complain(c, k->name, "must be a string");
    } else if (!mgi_arena_grow(&c->s->arena, &c->anchors, &c->anchor_cap, c->anchor_count + 1,
                               sizeof *c->anchors)) {
        c->nomem = true;
    } else {
        c->anchors[c->anchor_count++] = (struct anchor){ v->string, node };
    }
}

static void compile_dialect(struct compiler *c, struct schema_node *node, const struct keyword *k,
                            const struct json *v)
{
    (void)node;
    if (!(c->flags & SCHEMA_LENIENT) &&
        (v->type != JSON_STRING || (!str_is(v->string, DRAFT) && !str_is(v->string, DRAFT "#"))))
        complain(c, k->name, "only draft 2020-12 is understood: \"" DRAFT "\"");
}

static const struct keyword keywords[] = {
    { "type", compile_type, CHECK_TYPE },
    { "enum", compile_value, CHECK_ENUM },
    { "const", compile_value, CHECK_CONST },
    { "multipleOf", compile_limit, CHECK_MULTIPLE_OF },
    { "maximum", compile_limit, CHECK_MAXIMUM },
    { "exclusiveMaximum", compile_limit, CHECK_EXCLUSIVE_MAXIMUM },
    { "minimum", compile_limit, CHECK_MINIMUM },
    { "exclusiveMinimum", compile_limit, CHECK_EXCLUSIVE_MINIMUM },
    { "maxLength", compile_count, CHECK_MAX_LENGTH },
    { "minLength", compile_count, CHECK_MIN_LENGTH },
    { "pattern", compile_pattern, CHECK_PATTERN },
    { "maxItems", compile_count, CHECK_MAX_ITEMS },
    { "minItems", compile_count, CHECK_MIN_ITEMS },
    { "uniqueItems", compile_unique, CHECK_UNIQUE_ITEMS },
    { "prefixItems", compile_items, CHECK_ITEMS },
    { "items", compile_items, CHECK_ITEMS },
    { "contains", compile_contains, CHECK_CONTAINS },
    { "minContains", NULL, CHECK_CONTAINS },
    { "maxContains", NULL, CHECK_CONTAINS },
    { "maxProperties", compile_count, CHECK_MAX_PROPERTIES },
    { "minProperties", compile_count, CHECK_MIN_PROPERTIES },
    { "required", compile_required, CHECK_REQUIRED },
    { "dependentRequired", compile_dependent_required, CHECK_DEPENDENT_REQUIRED },
    { "properties", compile_properties, CHECK_PROPERTIES },
    { "patternProperties", compile_properties, CHECK_PROPERTIES },
    { "additionalProperties", compile_properties, CHECK_PROPERTIES },
    { "propertyNames", compile_one, CHECK_PROPERTY_NAMES },
    { "dependentSchemas", compile_dependent_schemas, CHECK_DEPENDENT_SCHEMAS },
    { "$ref", compile_ref, CHECK_REF },
    { "$anchor", compile_anchor, CHECK_REF },
    { "$defs", compile_defs, CHECK_REF },
    { "$schema", compile_dialect, CHECK_REF },
    { "allOf", compile_list, CHECK_ALL_OF },
    { "anyOf", compile_list, CHECK_ANY_OF },
    { "oneOf", compile_list, CHECK_ONE_OF },
    { "not", compile_one, CHECK_NOT },
    { "if", compile_if, CHECK_IF },
    { "then", NULL, CHECK_IF },
    { "else", NULL, CHECK_IF },
    /* Annotations: they say something and check nothing. */
    { "$id", NULL, CHECK_REF },
    { "$comment", NULL, CHECK_REF },
    { "title", NULL, CHECK_REF },
    { "description", NULL, CHECK_REF },
    { "default", NULL, CHECK_REF },
    { "examples", NULL, CHECK_REF },
    { "format", NULL, CHECK_REF },
    { "deprecated", NULL, CHECK_REF },
    { "readOnly", NULL, CHECK_REF },
    { "writeOnly", NULL, CHECK_REF },
    { "contentEncoding", NULL, CHECK_REF },
    { "contentMediaType", NULL, CHECK_REF },
};

static const struct keyword *keyword_of(struct str name)
{
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
        if (str_is(name, keywords[i].name))
            return &keywords[i];
    return NULL;
}

static void compile_into(struct compiler *c, struct schema_node *node)
{
    const struct json *source = node->source;
    if (source->type == JSON_BOOL) {
        node->never = !source->boolean;
        return;
    }
    if (source->type != JSON_OBJECT) {
        complain(c, "type", "a schema is an object, true or false");
        return;
    }
    for (uint32_t i = 0; i < source->count && !c->nomem; i++) {
        const struct json_member *m = &source->members[i];
        const struct keyword *k = keyword_of(m->name);
        if (k && k->compile)
            k->compile(c, node, k, &m->value);
        else if (!k && !(c->flags & SCHEMA_LENIENT) && !mgi_str_starts(m->name, STR_LIT("x-")))
            complain(c, mgi_show(c->issues->arena, m->name, 40),
                     "is not a keyword that is enforced here");
    }
}

/* ---- references ----------------------------------------------------------------------------- */

static int ref_hex(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static void percent_decode(struct str s, struct buf *out)
{
    for (size_t i = 0; i < s.len; i++) {
        if (s.ptr[i] == '%' && i + 2 < s.len && ref_hex(s.ptr[i + 1]) >= 0 &&
            ref_hex(s.ptr[i + 2]) >= 0) {
            mgi_buf_putc(out, (char)(ref_hex(s.ptr[i + 1]) * 16 + ref_hex(s.ptr[i + 2])));
            i += 2;
        } else {
            mgi_buf_putc(out, s.ptr[i]);
        }
    }
}

static void go_to(struct compiler *c, struct str pointer)
{
    c->nomem |= c->path.oom; /* clearing forgets it */
    mgi_buf_clear(&c->path);
    mgi_buf_str(&c->path, pointer);
}

static struct schema_node *resolve(struct compiler *c, struct str ref)
{
    struct buf fragment = { 0 };
    struct schema_node *node = NULL;
    percent_decode((struct str){ ref.ptr + 1, ref.len - 1 }, &fragment);
    struct str pointer = mgi_buf_view(&fragment);
    c->nomem |= fragment.oom;
    if (pointer.len == 0 || pointer.ptr[0] == '/') {
        const struct json *target = mgi_json_pointer_get(c->root, pointer);
        go_to(c, pointer);
        node = target ? node_at(c, target) : NULL;
    }
    for (size_t i = 0; !node && i < c->anchor_count; i++)
        if (str_eq(c->anchors[i].name, pointer))
            node = c->anchors[i].node;
    mgi_buf_fini(&fragment);
    return node;
}

static void resolve_ref(struct compiler *c, struct pending_ref ref)
{
    bool local = ref.value->type == JSON_STRING && ref.value->string.len > 0 &&
                 ref.value->string.ptr[0] == '#';
    struct schema_node *target = local ? resolve(c, ref.value->string) : NULL;
    struct schema_node **nodes = target ? compiler_alloc(c, 1, sizeof(void *)) : NULL;
    if (nodes) {
        nodes[0] = target;
        ref.check->nodes = nodes;
        ref.check->node_count = 1;
        return;
    }
    go_to(c, str_of(ref.path ? ref.path : ""));
    if (!local)
        complain(c, "$ref", "only references within the schema are understood: \"#/$defs/...\"");
    else if (!c->nomem)
        complain(c, "$ref",
                 mgi_arena_printf(c->issues->arena, "there is nothing at \"%s\"",
                                  mgi_show(c->issues->arena, ref.value->string, 80)));
}

/* ---- cycles --------------------------------------------------------------------------------- */

enum { WHITE, GREY, BLACK };

static bool in_place(const struct schema_check *check)
{
    return check->kind >= CHECK_DEPENDENT_SCHEMAS;
}

/* True if a cycle (or too long a chain) of in-place keywords starts at `node`. */
static bool turns_in_circles(struct schema_node *node, unsigned depth)
{
    if (node->colour != WHITE)
        return node->colour == GREY;
    if (depth > SCHEMA_MAX_DEPTH)
        return true;
    node->colour = GREY;
    bool found = false;
    for (const struct schema_check *k = node->first; k && !found; k = k->next) {
        if (!in_place(k))
            continue;
        for (size_t i = 0; i < k->node_count && !found; i++)
            found = k->nodes[i] && turns_in_circles(k->nodes[i], depth + 1);
        for (size_t i = 0; i < k->property_count && !found; i++)
            found = turns_in_circles(k->properties[i].node, depth + 1);
    }
    if (!found)
        node->colour = BLACK;
    return found;
}

static void refuse_cycles(struct compiler *c)
{
    go_to(c, STR_LIT(""));
    for (struct schema_node *node = c->s->newest; node; node = node->made_before)
        if (node->colour == WHITE && turns_in_circles(node, 0)) {
            complain(c, "$ref", "refers to itself without end");
            return;
        }
}

/* ---- how much work -------------------------------------------------------------------------- */

/* Where every value of the instance is judged by one node at most, the work is the number of values
 * times what the heaviest node asks of one. Whatever judges a value more than once, or in more than
 * linear time, has no such bound. */
static bool has_bound(const struct schema_check *k)
{
    switch (k->kind) {
    case CHECK_PATTERN:
    case CHECK_UNIQUE_ITEMS:
    case CHECK_CONTAINS:
    case CHECK_PROPERTY_NAMES:
        return false;
    default:
        return !in_place(k) && k->pattern_count == 0;
    }
}

static size_t weigh(const struct schema *s)
{
    size_t heaviest = 1;
    for (const struct schema_node *node = s->newest; node; node = node->made_before) {
        size_t weight = 1;
        for (const struct schema_check *k = node->first; k; k = k->next) {
            if (!has_bound(k))
                return SIZE_MAX;
            weight += 1 + k->name_count + k->property_count / 8 + k->value.text.len / 8;
            for (size_t i = 0; k->kind == CHECK_DEPENDENT_REQUIRED && i < k->property_count; i++)
                weight += 1 + k->properties[i].name_count;
        }
        heaviest = weight > heaviest ? weight : heaviest;
    }
    return heaviest;
}

bool mgi_schema_is_brief(const struct schema *s, size_t instance_bytes)
{
    return s->weight <= BRIEF_WORK && instance_bytes <= BRIEF_WORK / s->weight;
}

/* ---- the whole ------------------------------------------------------------------------------ */

struct schema *mgi_schema_compile(const struct json *json, int flags, struct schema_issues *issues)
{
    struct schema *s = mgi_calloc(1, sizeof *s);
    if (!s)
        return NULL;
    mgi_arena_init(&s->arena, 0);
    struct compiler c = { .s = s, .root = json, .flags = flags, .issues = issues };
    size_t before = issues->count;

    s->root = node_at(&c, json); /* everything that nests */
    for (size_t i = 0; i < c.ref_count && !c.nomem; i++)
        resolve_ref(&c, c.refs[i]); /* may add further references */
    if (!c.nomem)
        refuse_cycles(&c); /* every reference is known */
    for (struct schema_node *node = s->newest; node; node = node->made_before)
        node->source = NULL;
    s->weight = weigh(s);

    bool failed = c.nomem || c.path.oom || s->arena.oom || issues->count > before || !s->root;
    mgi_free(c.table);
    mgi_buf_fini(&c.path);
    if (failed) {
        mgi_schema_free(s);
        return NULL;
    }
    return s;
}

void mgi_schema_free(struct schema *s)
{
    if (!s)
        return;
    mgi_arena_fini(&s->arena);
    mgi_free(s);
}
