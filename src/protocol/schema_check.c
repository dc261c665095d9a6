/* Checking an instance against a compiled schema.
 *
 * All faults are collected; inside alternatives (anyOf, oneOf, not, if, contains) the checks run
 * silently and only the outcome counts. The depth is bounded, and so is the work: a schema whose
 * alternatives multiply is stopped instead of running for minutes.
 *
 * Two things are kept only for schemas that ask (node->special). For $dynamicRef, the resources
 * that were entered on the way here. For unevaluated*, which members or items of an instance were
 * judged: `seen` belongs to the schema that asks, and every schema in place adds to it. An
 * alternative has a record of its own, which is joined if it holds. Keywords elsewhere find that
 * `seen` is of another instance. */
#include "protocol/schema_int.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/utf8.h"
#include "protocol/error.h"

#define MAX_WORK 20000000 /* about a second; an honest argument object takes some hundred */

/* Where we are in the instance, on the stack: text is made only for a fault. */
struct place {
    const struct place *up;
    struct str name; /* of a member; ptr NULL: an element */
    size_t index;
};

/* The resources that judging has entered, innermost first. */
struct scope {
    const struct scope *up;
    const struct schema_resource *resource;
};

struct run {
    struct schema_issues *issues; /* NULL: silently */
    struct arena *arena;          /* of the issues */
    size_t work;
    uint32_t depth;
    const struct scope *scope;
    struct schema_seen *seen; /* or NULL: nobody asks */
    bool undecided;           /* some check could not be made: the instance does not pass */
    bool undecided_told;      /* and an issue says so */
};

static void push_place(struct buf *out, const struct place *at)
{
    const struct place *chain[2 * SCHEMA_MAX_DEPTH];
    size_t depth = 0;
    for (; at && at->up && depth < sizeof chain / sizeof *chain; at = at->up)
        chain[depth++] = at;
    while (depth-- > 0)
        if (chain[depth]->name.ptr)
            mgi_json_pointer_push(out, chain[depth]->name);
        else
            mgi_json_pointer_index(out, chain[depth]->index);
}

static bool fault(struct run *r, const struct place *at, const char *keyword, const char *message)
{
    if (r->issues && r->issues->count < r->issues->max) {
        struct buf path = { 0 };
        push_place(&path, at);
        mgi_schema_issue(r->issues,
                         path.oom ? "" : mgi_arena_strdup(r->arena, path.ptr ? path.ptr : ""),
                         keyword, message);
        mgi_buf_fini(&path);
    }
    return false;
}

/* Inside `not` a check that was given up would count as passed: hence the flag. */
static bool give_up(struct run *r, const struct place *at, const char *keyword, const char *why)
{
    r->undecided = true;
    r->undecided_told |= r->issues != NULL;
    return fault(r, at, keyword, why);
}

static bool take_too_long(struct run *r, const struct place *at)
{
    return give_up(r, at, "$ref", "takes too long to check against this schema");
}

/* A fault that follows from what was judged silently. `before`: was something undecided then? What
 * was given up since says nothing: an alternative that took too long is none that does not fit. */
static bool concluded(struct run *r, bool before, const struct place *at, const char *keyword,
                      const char *message)
{
    return (r->undecided && !before) || r->work > MAX_WORK ? take_too_long(r, at)
                                                           : fault(r, at, keyword, message);
}

static bool judge(struct run *r, const struct schema_node *node, const struct json *v,
                  const struct place *at);

/* The record that asks what is judged of `v`, or NULL. */
static struct schema_seen *seen_of(const struct run *r, const struct json *v)
{
    return r->seen && r->seen->instance == v ? r->seen : NULL;
}

static bool judge_silently(struct run *r, const struct schema_node *node, const struct json *v,
                           const struct place *at)
{
    struct schema_issues *issues = r->issues;
    r->issues = NULL;
    bool valid = judge(r, node, v, at);
    r->issues = issues;
    return valid;
}

/* ---- values --------------------------------------------------------------------------------- */

static bool is_number(const struct json *v)
{
    return v->type == JSON_INT || v->type == JSON_FLOAT || v->type == JSON_HUGE;
}

static bool is_integer(const struct json *v)
{
    if (v->type == JSON_FLOAT)
        return floor(v->number) == v->number; /* D-7: in arguments 5.0 is an integer */
    if (v->type != JSON_HUGE)
        return v->type == JSON_INT;
    for (size_t i = 0; i < v->text.len; i++)
        if (v->text.ptr[i] == '.' || (v->text.ptr[i] | 0x20) == 'e')
            return false;
    return true;
}

static uint32_t type_bits(const struct json *v)
{
    switch (v->type) {
    case JSON_NULL:
        return TYPE_BIT_NULL;
    case JSON_BOOL:
        return TYPE_BIT_BOOLEAN;
    case JSON_STRING:
        return TYPE_BIT_STRING;
    case JSON_ARRAY:
        return TYPE_BIT_ARRAY;
    case JSON_OBJECT:
        return TYPE_BIT_OBJECT;
    default:
        return TYPE_BIT_NUMBER | (is_integer(v) ? TYPE_BIT_INTEGER : 0u);
    }
}

static const char *type_name(const struct json *v)
{
    static const char *const names[] = {
        [JSON_NULL] = "null",      [JSON_BOOL] = "a boolean",  [JSON_INT] = "an integer",
        [JSON_FLOAT] = "a number", [JSON_HUGE] = "a number",   [JSON_STRING] = "a string",
        [JSON_ARRAY] = "an array", [JSON_OBJECT] = "an object"
    };
    return names[v->type];
}

static long double number_of(const struct json *v)
{
    if (v->type == JSON_INT)
        return (long double)v->integer;
    if (v->type == JSON_FLOAT)
        return (long double)v->number;
    char text[400]; /* a longer spelling is far outside, whichever digits are cut */
    size_t len = v->text.len < sizeof text - 1 ? v->text.len : sizeof text - 1;
    if (len > 0)
        memcpy(text, v->text.ptr, len);
    text[len] = 0;
    return strtold(text, NULL);
}

static int compare_numbers(const struct json *a, const struct json *b)
{
    if (a->type == JSON_INT && b->type == JSON_INT)
        return (a->integer > b->integer) - (a->integer < b->integer);
    long double x = number_of(a), y = number_of(b);
    return (x > y) - (x < y);
}

static bool is_multiple(const struct json *v, const struct json *of)
{
    if (v->type == JSON_INT && of->type == JSON_INT)
        return v->integer % of->integer == 0;
    /* Decimal fractions have no exact double: 0.0075 is a multiple of 0.0001 all the same. */
    double x = (double)number_of(v), y = (double)number_of(of);
    double quotient = x / y;
    if (isfinite(x) && fmod(x, y) == 0)
        return true;
    return isfinite(quotient) &&
           fabs(quotient - nearbyint(quotient)) <= fabs(quotient) * 4 * DBL_EPSILON;
}

/* ---- one keyword each ----------------------------------------------------------------------- */

/* Would a fault still be noted? What nobody reads is not worded either. */
static bool is_heard(const struct run *r)
{
    return r->issues && r->issues->count < r->issues->max;
}

static const char *say(struct run *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static const char *say(struct run *r, const char *format, ...)
{
    char text[300];
    if (!is_heard(r))
        return "";
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return mgi_arena_strdup(r->arena, text);
}

static bool check_type(struct run *r, const struct schema_check *k, const struct json *v,
                       const struct place *at)
{
    static const char *const names[] = { "null",   "boolean", "integer", "number",
                                         "string", "array",   "object" };
    if (type_bits(v) & k->types)
        return true;
    if (!r->issues)
        return false;
    struct buf wanted = { 0 };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (k->types & (1u << i))
            mgi_buf_printf(&wanted, "%s%s", wanted.len > 0 ? " or " : "", names[i]);
    fault(r, at, k->keyword,
          say(r, "must be of type %s, not %s", mgi_buf_view(&wanted).ptr, type_name(v)));
    mgi_buf_fini(&wanted);
    return false;
}

static const char *shown_value(struct run *r, const struct json *v, size_t max)
{
    struct buf text = { 0 };
    struct json_writer w;
    if (!is_heard(r))
        return "";
    mgi_json_writer_init(&w, &text, 0);
    mgi_jw_value(&w, v);
    const char *shown = mgi_show(r->arena, mgi_buf_view(&text), max);
    mgi_buf_fini(&text);
    return shown;
}

static bool check_const(struct run *r, const struct schema_check *k, const struct json *v,
                        const struct place *at)
{
    if (mgi_json_equal(&k->value, v, false))
        return true;
    if (!r->issues)
        return false;
    return fault(r, at, k->keyword, say(r, "must be %s", shown_value(r, &k->value, 120)));
}

static bool check_enum(struct run *r, const struct schema_check *k, const struct json *v,
                       const struct place *at)
{
    for (uint32_t i = 0; i < k->value.count; i++)
        if (mgi_json_equal(&k->value.items[i], v, false))
            return true;
    r->work += k->value.count;
    if (!r->issues)
        return false;
    return fault(r, at, k->keyword, say(r, "must be one of %s", shown_value(r, &k->value, 240)));
}

static bool check_limit(struct run *r, const struct schema_check *k, const struct json *v,
                        const struct place *at)
{
    if (!is_number(v))
        return true;
    int order = compare_numbers(v, &k->value);
    const char *wanted = NULL;
    if (k->kind == CHECK_MAXIMUM && order > 0)
        wanted = "at most";
    else if (k->kind == CHECK_EXCLUSIVE_MAXIMUM && order >= 0)
        wanted = "less than";
    else if (k->kind == CHECK_MINIMUM && order < 0)
        wanted = "at least";
    else if (k->kind == CHECK_EXCLUSIVE_MINIMUM && order <= 0)
        wanted = "more than";
    else if (k->kind == CHECK_MULTIPLE_OF && !is_multiple(v, &k->value))
        wanted = "a multiple of";
    if (!wanted)
        return true;
    if (!r->issues)
        return false;
    return fault(r, at, k->keyword, say(r, "must be %s %s", wanted, shown_value(r, &k->value, 40)));
}

static bool check_count(struct run *r, const struct schema_check *k, const struct json *v,
                        const struct place *at)
{
    static const struct {
        enum schema_check_kind kind;
        enum json_type type;
        bool most;
        const char *unit;
    } rows[] = {
        { CHECK_MAX_LENGTH, JSON_STRING, true, "character" },
        { CHECK_MIN_LENGTH, JSON_STRING, false, "character" },
        { CHECK_MAX_ITEMS, JSON_ARRAY, true, "item" },
        { CHECK_MIN_ITEMS, JSON_ARRAY, false, "item" },
        { CHECK_MAX_PROPERTIES, JSON_OBJECT, true, "member" },
        { CHECK_MIN_PROPERTIES, JSON_OBJECT, false, "member" },
    };
    size_t i = 0;
    while (rows[i].kind != k->kind)
        i++;
    if (v->type != rows[i].type)
        return true;
    uint64_t count = v->type == JSON_STRING ? mgi_utf8_count(v->string) : v->count;
    if (rows[i].most ? count <= k->count : count >= k->count)
        return true;
    return fault(r, at, k->keyword,
                 say(r, "must have %s %llu %s%s, and has %llu",
                     rows[i].most ? "at most" : "at least", (unsigned long long)k->count,
                     rows[i].unit, k->count == 1 ? "" : "s", (unsigned long long)count));
}

static bool matches(struct run *r, const struct schema_pattern *pattern, struct str text,
                    const struct place *at, const char *keyword)
{
    r->work += 10 + text.len;
    enum schema_match match =
        r->work > MAX_WORK ? MATCH_UNDECIDED : mgi_schema_match(pattern, text);
    if (match == MATCH_UNDECIDED) {
        r->work += MAX_WORK / 50; /* an evil pattern gets a few tries, not thousands */
        give_up(r, at, keyword, "takes too long to match against the pattern");
    }
    return match == MATCH_YES;
}

static bool check_unique(struct run *r, const struct schema_check *k, const struct json *v,
                         const struct place *at)
{
    switch (v->type == JSON_ARRAY ? mgi_schema_unique(v, &r->work) : MATCH_YES) {
    case MATCH_UNDECIDED:
        return give_up(r, at, k->keyword, "could not be checked for want of memory");
    case MATCH_NO:
        return fault(r, at, k->keyword, "must not hold an item twice");
    default:
        return true;
    }
}

static bool check_pattern(struct run *r, const struct schema_check *k, const struct json *v,
                          const struct place *at)
{
    if (v->type != JSON_STRING || matches(r, k->pattern, v->string, at, k->keyword))
        return true;
    if (!r->issues)
        return false;
    return fault(r, at, k->keyword,
                 say(r, "must match the pattern %s", shown_value(r, &k->value, 120)));
}

static bool check_items(struct run *r, const struct schema_check *k, const struct json *v,
                        const struct place *at)
{
    bool valid = true;
    for (uint32_t i = 0; v->type == JSON_ARRAY && i < v->count; i++) {
        const struct schema_node *node = i < k->node_count ? k->nodes[i] : k->rest;
        struct place here = { at, { 0 }, i };
        if (node && !judge(r, node, &v->items[i], &here))
            valid = false;
        if (!valid && !r->issues)
            return false;
    }
    return valid;
}

static bool wrong_number(struct run *r, bool before, const struct schema_check *k, uint64_t found,
                         const struct place *at)
{
    bool few = found < k->count;
    return concluded(r, before, at, k->keyword,
                     say(r, "holds %llu fitting items; at %s %llu are %s",
                         (unsigned long long)found, few ? "least" : "most",
                         (unsigned long long)(few ? k->count : k->max_count),
                         few ? "needed" : "allowed"));
}

static bool check_contains(struct run *r, const struct schema_check *k, const struct json *v,
                           const struct place *at)
{
    bool before = r->undecided;
    if (v->type != JSON_ARRAY)
        return true;
    uint64_t found = 0;
    for (uint32_t i = 0; i < v->count; i++) {
        struct place here = { at, { 0 }, i };
        found += judge_silently(r, k->nodes[0], &v->items[i], &here);
    }
    return (found >= k->count && found <= k->max_count) || wrong_number(r, before, k, found, at);
}

static bool check_names(struct run *r, const char *keyword, const struct str *names, size_t count,
                        const struct json *v, const struct place *at)
{
    bool valid = true;
    for (size_t i = 0; i < count; i++) {
        r->work += v->count / 8;
        if (mgi_json_get_str(v, names[i]))
            continue;
        valid = false;
        if (!r->issues)
            return false;
        fault(r, at, keyword,
              say(r, "the member \"%s\" is missing", mgi_show(r->arena, names[i], 80)));
    }
    return valid;
}

static bool check_dependent_required(struct run *r, const struct schema_check *k,
                                     const struct json *v, const struct place *at)
{
    bool valid = true;
    for (size_t i = 0; v->type == JSON_OBJECT && i < k->property_count; i++) {
        const struct schema_property *p = &k->properties[i];
        if (mgi_json_get_str(v, p->name) &&
            !check_names(r, k->keyword, p->names, p->name_count, v, at))
            valid = false;
    }
    return valid;
}

static const struct schema_node *property_of(const struct schema_check *k, struct str name)
{
    size_t low = 0, high = k->property_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = mgi_str_compare(k->properties[middle].name, name);
        if (order == 0)
            return k->properties[middle].node;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

static bool check_member(struct run *r, const struct schema_check *k, const struct json_member *m,
                         const struct place *at)
{
    const struct schema_node *node = property_of(k, m->name);
    bool valid = !node || judge(r, node, &m->value, at), known = node != NULL;
    for (size_t i = 0; i < k->pattern_count; i++)
        if (matches(r, k->patterns[i].pattern, m->name, at, "patternProperties")) {
            known = true;
            if (!judge(r, k->patterns[i].node, &m->value, at))
                valid = false;
        }
    if (known || !k->rest)
        return valid;
    if (k->rest->special & NODE_NEVER)
        return fault(r, at, "additionalProperties", "is not a member that is allowed here");
    return judge(r, k->rest, &m->value, at);
}

static bool check_properties(struct run *r, const struct schema_check *k, const struct json *v,
                             const struct place *at)
{
    bool valid = true;
    for (uint32_t i = 0; v->type == JSON_OBJECT && i < v->count; i++) {
        struct place here = { at, v->members[i].name, 0 };
        if (!here.name.ptr)
            here.name = STR_LIT("");
        if (!check_member(r, k, &v->members[i], &here))
            valid = false;
        if (!valid && !r->issues)
            return false;
    }
    return valid;
}

static bool check_property_names(struct run *r, const struct schema_check *k, const struct json *v,
                                 const struct place *at)
{
    bool valid = true;
    for (uint32_t i = 0; v->type == JSON_OBJECT && i < v->count; i++) {
        struct json name = { .type = JSON_STRING, .string = v->members[i].name };
        bool before = r->undecided;
        if (judge_silently(r, k->nodes[0], &name, at))
            continue;
        valid = false;
        if (!r->issues)
            return false;
        concluded(r, before, at, k->keyword,
                  say(r, "\"%s\" is not an allowed name of a member",
                      mgi_show(r->arena, name.string, 80)));
    }
    return valid;
}

static bool check_dependent_schemas(struct run *r, const struct schema_check *k,
                                    const struct json *v, const struct place *at)
{
    bool valid = true;
    for (size_t i = 0; v->type == JSON_OBJECT && i < k->property_count; i++)
        if (mgi_json_get_str(v, k->properties[i].name) && !judge(r, k->properties[i].node, v, at))
            valid = false;
    return valid;
}

static bool check_all_of(struct run *r, const struct schema_check *k, const struct json *v,
                         const struct place *at)
{
    bool valid = true;
    for (size_t i = 0; i < k->node_count; i++)
        if (!judge(r, k->nodes[i], v, at))
            valid = false;
    return valid;
}

static bool check_any_of(struct run *r, const struct schema_check *k, const struct json *v,
                         const struct place *at)
{
    bool before = r->undecided;
    for (size_t i = 0; i < k->node_count; i++)
        if (judge_silently(r, k->nodes[i], v, at))
            return true;
    return concluded(r, before, at, k->keyword,
                     say(r, "fits none of the %zu alternatives", k->node_count));
}

static bool check_one_of(struct run *r, const struct schema_check *k, const struct json *v,
                         const struct place *at)
{
    size_t fitting = 0;
    bool before = r->undecided;
    for (size_t i = 0; i < k->node_count && fitting < 2; i++)
        fitting += judge_silently(r, k->nodes[i], v, at);
    if (fitting == 0)
        return concluded(r, before, at, k->keyword,
                         say(r, "fits none of the %zu alternatives", k->node_count));
    return fitting == 1 || fault(r, at, k->keyword, "fits more than one alternative");
}

static bool check_if(struct run *r, const struct schema_check *k, const struct json *v,
                     const struct place *at)
{
    const struct schema_node *then =
        judge_silently(r, k->nodes[0], v, at) ? k->nodes[1] : k->nodes[2];
    return !then || judge(r, then, v, at);
}

/* The outermost resource that was entered and has a $dynamicAnchor of the name decides. */
static const struct schema_node *dynamic_target(struct run *r, const struct schema_check *k)
{
    const struct schema_node *target = k->nodes[0];
    for (const struct scope *scope = r->scope; scope; scope = scope->up) {
        r->work++;
        for (const struct schema_dynamic *d = scope->resource->dynamics; d;
             d = d->next_in_resource) {
            r->work++;
            if (d->name == k->dynamic)
                target = d->node;
        }
    }
    return target;
}

static bool check_one(struct run *r, const struct schema_check *k, const struct json *v,
                      const struct place *at)
{
    switch (k->kind) {
    case CHECK_TYPE:
        return check_type(r, k, v, at);
    case CHECK_ENUM:
        return check_enum(r, k, v, at);
    case CHECK_CONST:
        return check_const(r, k, v, at);
    case CHECK_MULTIPLE_OF:
    case CHECK_MAXIMUM:
    case CHECK_EXCLUSIVE_MAXIMUM:
    case CHECK_MINIMUM:
    case CHECK_EXCLUSIVE_MINIMUM:
        return check_limit(r, k, v, at);
    case CHECK_MAX_LENGTH:
    case CHECK_MIN_LENGTH:
    case CHECK_MAX_ITEMS:
    case CHECK_MIN_ITEMS:
    case CHECK_MAX_PROPERTIES:
    case CHECK_MIN_PROPERTIES:
        return check_count(r, k, v, at);
    case CHECK_PATTERN:
        return check_pattern(r, k, v, at);
    case CHECK_UNIQUE_ITEMS:
        return check_unique(r, k, v, at);
    case CHECK_ITEMS:
        return check_items(r, k, v, at);
    case CHECK_CONTAINS:
        return check_contains(r, k, v, at);
    case CHECK_REQUIRED:
        return v->type != JSON_OBJECT || check_names(r, k->keyword, k->names, k->name_count, v, at);
    case CHECK_DEPENDENT_REQUIRED:
        return check_dependent_required(r, k, v, at);
    case CHECK_PROPERTIES:
        return check_properties(r, k, v, at);
    case CHECK_PROPERTY_NAMES:
        return check_property_names(r, k, v, at);
    case CHECK_DEPENDENT_SCHEMAS:
        return check_dependent_schemas(r, k, v, at);
    case CHECK_REF:
        return judge(r, k->nodes[0], v, at);
    case CHECK_DYNAMIC_REF:
        return judge(r, dynamic_target(r, k), v, at);
    case CHECK_ALL_OF:
        return check_all_of(r, k, v, at);
    case CHECK_ANY_OF:
        return check_any_of(r, k, v, at);
    case CHECK_ONE_OF:
        return check_one_of(r, k, v, at);
    case CHECK_NOT:
        return !judge_silently(r, k->nodes[0], v, at) ||
               fault(r, at, k->keyword, "is of a kind that is not allowed here");
    default: /* CHECK_IF */
        return check_if(r, k, v, at);
    }
}

/* ---- what has been judged: unevaluatedItems, unevaluatedProperties -------------------------- */

static bool is_in_properties(struct run *r, const struct schema_check *k, struct str name,
                             const struct place *at)
{
    if (k->rest || property_of(k, name))
        return true;
    for (size_t i = 0; i < k->pattern_count; i++)
        if (matches(r, k->patterns[i].pattern, name, at, "patternProperties"))
            return true;
    return false;
}

static void note_properties(struct run *r, const struct schema_check *k, const struct json *v,
                            const struct place *at)
{
    if (v->type != JSON_OBJECT)
        return;
    r->work += v->count / 8;
    for (uint32_t i = 0; i < v->count; i++)
        if (is_in_properties(r, k, v->members[i].name, at))
            schema_seen_one(r->seen, i);
}

static bool note_contains(struct run *r, const struct schema_check *k, const struct json *v,
                          const struct place *at)
{
    uint64_t found = 0;
    bool before = r->undecided;
    if (v->type != JSON_ARRAY)
        return true;
    for (uint32_t i = 0; i < v->count; i++) {
        struct place here = { at, { 0 }, i };
        if (!judge_silently(r, k->nodes[0], &v->items[i], &here))
            continue;
        schema_seen_one(r->seen, i);
        found++;
    }
    return (found >= k->count && found <= k->max_count) || wrong_number(r, before, k, found, at);
}

/* An alternative: what it has judged counts if it holds. */
static bool judge_noting(struct run *r, const struct schema_node *node, const struct json *v,
                         const struct place *at)
{
    struct schema_seen own, *outer = r->seen;
    if (!mgi_schema_seen_init(&own, v))
        return give_up(r, at, "unevaluatedProperties", "could not be checked for want of memory");
    r->work += v->count / 64;
    r->seen = &own;
    bool valid = judge_silently(r, node, v, at);
    r->seen = outer;
    if (valid)
        mgi_schema_seen_join(outer, &own);
    mgi_schema_seen_fini(&own);
    return valid;
}

/* anyOf and oneOf: every alternative is asked, because each that holds has judged something. */
static bool note_alternatives(struct run *r, const struct schema_check *k, const struct json *v,
                              const struct place *at)
{
    size_t fitting = 0;
    bool before = r->undecided;
    for (size_t i = 0; i < k->node_count; i++)
        fitting += judge_noting(r, k->nodes[i], v, at);
    if (k->kind == CHECK_ANY_OF ? fitting > 0 : fitting == 1)
        return true;
    r->seen->unsure = true;
    if (fitting > 1)
        return fault(r, at, k->keyword, "fits more than one alternative");
    return concluded(r, before, at, k->keyword,
                     say(r, "fits none of the %zu alternatives", k->node_count));
}

static bool note_if(struct run *r, const struct schema_check *k, const struct json *v,
                    const struct place *at)
{
    const struct schema_node *then =
        judge_noting(r, k->nodes[0], v, at) ? k->nodes[1] : k->nodes[2];
    return !then || judge(r, then, v, at);
}

/* `not` holds if its schema fails, and what failed has judged nothing. */
static bool note_not(struct run *r, const struct schema_check *k, const struct json *v,
                     const struct place *at)
{
    struct schema_seen *seen = r->seen;
    r->seen = NULL;
    bool valid = check_one(r, k, v, at);
    r->seen = seen;
    return valid;
}

static bool check_noting(struct run *r, const struct schema_check *k, const struct json *v,
                         const struct place *at)
{
    bool valid;
    switch (k->kind) {
    case CHECK_PROPERTIES:
        valid = check_one(r, k, v, at);
        note_properties(r, k, v, at);
        return valid;
    case CHECK_ITEMS:
        valid = check_one(r, k, v, at);
        mgi_schema_seen_all(r->seen, v->type != JSON_ARRAY ? 0
                                     : k->rest             ? v->count
                                                           : k->node_count);
        return valid;
    case CHECK_CONTAINS:
        return note_contains(r, k, v, at);
    case CHECK_ANY_OF:
    case CHECK_ONE_OF:
        return note_alternatives(r, k, v, at);
    case CHECK_IF:
        return note_if(r, k, v, at);
    case CHECK_NOT:
        return note_not(r, k, v, at);
    default:
        return check_one(r, k, v, at);
    }
}

static bool judge_rest(struct run *r, const struct schema_check *k, const struct json *v, size_t i,
                       const struct place *at)
{
    bool member = v->type == JSON_OBJECT;
    struct place here = { at, member ? v->members[i].name : (struct str){ 0 }, i };
    if (member && !here.name.ptr)
        here.name = STR_LIT("");
    if (k->nodes[0]->special & NODE_NEVER)
        return fault(r, &here, k->keyword,
                     member ? "is not a member that is allowed here"
                            : "is not an item that is allowed here");
    return judge(r, k->nodes[0], member ? &v->members[i].value : &v->items[i], &here);
}

/* unevaluatedItems or unevaluatedProperties, when all else is judged; then all is. */
static bool check_unevaluated(struct run *r, const struct schema_check *k, const struct json *v,
                              const struct place *at)
{
    struct schema_seen *seen = r->seen;
    bool valid = true;
    if (v->type != (k->kind == CHECK_UNEVALUATED_ITEMS ? JSON_ARRAY : JSON_OBJECT))
        return true;
    for (size_t i = 0; i < v->count && (valid || r->issues); i++)
        if (!schema_seen_has(seen, i) && !judge_rest(r, k, v, i, at))
            valid = false;
    mgi_schema_seen_all(seen, v->count);
    return valid;
}

static bool judge_checks(struct run *r, const struct schema_node *node, const struct json *v,
                         const struct place *at)
{
    bool noting = seen_of(r, v), valid = true;
    for (const struct schema_check *k = node->first; k && (valid || r->issues); k = k->next)
        if (!(noting ? check_noting(r, k, v, at) : check_one(r, k, v, at)))
            valid = false;
    return valid;
}

/* A schema that asks what was judged has a record of its own. It is handed on to one that asks
 * further out, which only counts if this schema holds: else that one does not either. */
static bool judge_asking(struct run *r, const struct schema_node *node, const struct json *v,
                         const struct place *at)
{
    struct schema_seen own, *outer = r->seen;
    if (!mgi_schema_seen_init(&own, v))
        return give_up(r, at, node->unevaluated->keyword,
                       "could not be checked for want of memory");
    r->work += v->count / 64;
    r->seen = &own;
    bool valid = judge_checks(r, node, v, at);
    for (const struct schema_check *k = node->unevaluated; k && !own.unsure && (valid || r->issues);
         k = k->next)
        if (!check_unevaluated(r, k, v, at))
            valid = false;
    r->seen = outer;
    if (seen_of(r, v))
        mgi_schema_seen_join(outer, &own);
    mgi_schema_seen_fini(&own);
    return valid;
}

static bool judge_special(struct run *r, const struct schema_node *node, const struct json *v,
                          const struct place *at)
{
    if (node->special & NODE_NEVER)
        return fault(r, at, "false", "nothing is allowed here");
    struct scope here = { r->scope, node->resource };
    bool enters = node->special & NODE_SCOPED && (!here.up || here.up->resource != here.resource);
    if (enters)
        r->scope = &here;
    r->depth++;
    bool asks = node->unevaluated && (v->type == JSON_OBJECT || v->type == JSON_ARRAY);
    bool valid = asks ? judge_asking(r, node, v, at) : judge_checks(r, node, v, at);
    r->depth--;
    r->scope = here.up;
    return valid;
}

/* ---- the whole ------------------------------------------------------------------------------ */

static bool judge(struct run *r, const struct schema_node *node, const struct json *v,
                  const struct place *at)
{
    if (++r->work > MAX_WORK || r->depth >= 2 * SCHEMA_MAX_DEPTH)
        return take_too_long(r, at);
    if (node->special)
        return judge_special(r, node, v, at);
    bool valid = true;
    r->depth++;
    for (const struct schema_check *k = node->first; k; k = k->next) {
        if (!check_one(r, k, v, at))
            valid = false;
        if (!valid && !r->issues)
            break; /* silently, the first fault is enough */
    }
    r->depth--;
    return valid;
}

bool mgi_schema_validate(const struct schema *s, const struct json *instance,
                         struct schema_issues *issues)
{
    struct run r = { .issues = issues, .arena = issues ? issues->arena : NULL };
    struct place root = { 0 };
    bool valid = judge(&r, s->root, instance, &root);
    if (r.undecided && issues && !r.undecided_told)
        take_too_long(&r, &root);
    return valid && !r.undecided;
}
