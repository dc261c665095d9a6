/* Values: making, comparing and ordering them, and what work on them may cost. */
#include "plugins/json/json_plugin.h"

#include <inttypes.h>

#define STEPS_PER_LOOK 4096 /* at the clock */

void mgi_work_init(struct work *w, struct arena *arena, struct action *action)
{
    *w = (struct work){ .arena = arena, .action = action, .steps = JSON_MOST_STEPS };
}

bool mgi_work_step(struct work *w, int64_t count)
{
    int64_t before = w->steps / STEPS_PER_LOOK;
    if (w->fault)
        return false;
    w->steps -= count;
    if (w->steps <= 0)
        w->fault = "takes too many steps: ask for less";
    else if (w->steps / STEPS_PER_LOOK != before && w->action && mgi_action_stops(w->action))
        w->fault = "stopped";
    return !w->fault;
}

void *mgi_work_alloc(struct work *w, size_t count, size_t size)
{
    if (!mgi_work_step(w, (int64_t)count + 1))
        return NULL;
    void *p = mgi_arena_calloc(w->arena, count ? count : 1, size);
    if (!p)
        w->fault = "out of memory";
    return p;
}

struct json mgi_json_text_value(struct str text)
{
    return (struct json){ .type = JSON_STRING, .string = text };
}

struct json mgi_json_int_value(struct work *w, int64_t n)
{
    const char *text = mgi_arena_printf(w->arena, "%" PRId64, n);
    if (!text)
        w->fault = "out of memory";
    return (struct json){ .type = JSON_INT, .text = str_of(text ? text : "0"), .integer = n };
}

struct json mgi_json_list(struct json *items, size_t count)
{
    return (struct json){ .type = JSON_ARRAY, .count = (uint32_t)count, .items = items };
}

struct json mgi_json_object(struct json_member *members, size_t count)
{
    return (struct json){ .type = JSON_OBJECT, .count = (uint32_t)count, .members = members };
}

/* ---- order ---------------------------------------------------------------------------------- */

static bool is_number(const struct json *v)
{
    return v->type == JSON_INT || v->type == JSON_FLOAT || v->type == JSON_HUGE;
}

/* A long double holds every int64 where it has 64 bits of digits; what differs by less than that is
 * told apart by mgi_json_equal(), which reads the spelling. */
static long double number_of(const struct json *v)
{
    double d;
    if (v->type == JSON_INT)
        return (long double)v->integer;
    if (v->type == JSON_FLOAT)
        return (long double)v->number;
    if (mgi_double_parse(v->text, &d))
        return (long double)d;
    return v->text.ptr[0] == '-' ? -__builtin_infl() : __builtin_infl();
}

bool mgi_json_less(const struct json *a, const struct json *b)
{
    if (a->type == JSON_STRING && b->type == JSON_STRING)
        return mgi_str_compare(a->string, b->string) < 0; /* UTF-8 sorts as code points do */
    if (!is_number(a) || !is_number(b))
        return false;
    if (a->type == JSON_INT && b->type == JSON_INT)
        return a->integer < b->integer;
    return number_of(a) < number_of(b);
}

/* Roughly what it costs to compare with the value, as far as its head tells. */
static int64_t weight(const struct json *v)
{
    int64_t count = v->type == JSON_ARRAY || v->type == JSON_OBJECT ? v->count : 0;
    return v->type == JSON_OBJECT ? 1 + count + count * count / 8 : 1 + count;
}

static bool count_weight(struct work *w, const struct json *v, unsigned depth)
{
    if (!mgi_work_step(w, weight(v)) || depth == 0)
        return false;
    for (uint32_t i = 0; v->type == JSON_ARRAY && i < v->count; i++)
        if (!count_weight(w, &v->items[i], depth - 1))
            return false;
    for (uint32_t i = 0; v->type == JSON_OBJECT && i < v->count; i++)
        if (!count_weight(w, &v->members[i].value, depth - 1))
            return false;
    return true;
}

bool mgi_json_same(struct work *w, const struct json *a, const struct json *b)
{
    bool containers = (a->type == JSON_ARRAY || a->type == JSON_OBJECT) && a->type == b->type;
    if (containers && a->count != b->count)
        return false;
    if (containers && !count_weight(w, a, JSON_MAX_DEPTH))
        return false;
    return mgi_json_equal(a, b, false);
}

static int rank(const struct json *v)
{
    switch (v->type) {
    case JSON_NULL:
        return 0;
    case JSON_BOOL:
        return v->boolean ? 2 : 1;
    case JSON_STRING:
        return 4;
    case JSON_ARRAY:
        return 5;
    case JSON_OBJECT:
        return 6;
    default:
        return 3;
    }
}

int mgi_json_order(const struct json *a, const struct json *b)
{
    if (rank(a) != rank(b))
        return rank(a) < rank(b) ? -1 : 1;
    return mgi_json_less(a, b) ? -1 : mgi_json_less(b, a) ? 1 : 0;
}

/* ---- depth ---------------------------------------------------------------------------------- */

/* Recursion as deep as JSON_DEPTH, and no deeper. */
static bool fits_below(struct work *w, const struct json *v, unsigned depth)
{
    bool container = v->type == JSON_ARRAY || v->type == JSON_OBJECT;
    if (container && depth == 0) {
        w->fault = "becomes deeper than 64 levels";
        return false;
    }
    if (!mgi_work_step(w, 1))
        return false;
    for (uint32_t i = 0; container && i < v->count; i++)
        if (!fits_below(w, v->type == JSON_ARRAY ? &v->items[i] : &v->members[i].value, depth - 1))
            return false;
    return true;
}

bool mgi_json_fits(struct work *w, const struct json *v)
{
    return fits_below(w, v, JSON_DEPTH);
}

bool mgi_json_is_pointer(struct str text)
{
    if (text.len && text.ptr[0] != '/')
        return false;
    for (size_t i = 0; i < text.len; i++)
        if (text.ptr[i] == '~' &&
            (i + 1 == text.len || (text.ptr[i + 1] != '0' && text.ptr[i + 1] != '1')))
            return false;
    return true;
}
