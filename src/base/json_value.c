/* Looking at a DOM: members, pointers, equality. No recursion: the depth of a DOM is bounded by
 * JSON_MAX_DEPTH, so a walk keeps its path in an array. */
#include "base/json.h"

#include <assert.h>
#include <math.h>

#include "base/json_int.h"

const struct json *mgi_json_get_str(const struct json *object, struct str name)
{
    if (!object || object->type != JSON_OBJECT)
        return NULL;
    for (uint32_t i = 0; i < object->count; i++)
        if (str_eq(object->members[i].name, name))
            return &object->members[i].value;
    return NULL;
}

const struct json *mgi_json_get(const struct json *object, const char *name)
{
    return mgi_json_get_str(object, str_of(name));
}

/* ---- RFC 6901 ------------------------------------------------------------------------------ */

void mgi_json_pointer_push(struct buf *path, struct str token)
{
    mgi_buf_putc(path, '/');
    for (size_t i = 0; i < token.len; i++) {
        if (token.ptr[i] == '~')
            mgi_buf_puts(path, "~0");
        else if (token.ptr[i] == '/')
            mgi_buf_puts(path, "~1");
        else
            mgi_buf_putc(path, token.ptr[i]);
    }
}

void mgi_json_pointer_index(struct buf *path, size_t index)
{
    mgi_buf_printf(path, "/%zu", index);
}

/* Does the escaped `token` spell `name`? */
static bool token_is(struct str token, struct str name)
{
    size_t n = 0;
    for (size_t i = 0; i < token.len; i++, n++) {
        char c = token.ptr[i];
        if (c == '~') {
            i++;
            if (i == token.len || (token.ptr[i] != '0' && token.ptr[i] != '1'))
                return false;
            c = token.ptr[i] == '0' ? '~' : '/';
        }
        if (n == name.len || name.ptr[n] != c)
            return false;
    }
    return n == name.len;
}

static const struct json *step_into(const struct json *v, struct str token)
{
    if (v->type == JSON_OBJECT) {
        for (uint32_t i = 0; i < v->count; i++)
            if (token_is(token, v->members[i].name))
                return &v->members[i].value;
        return NULL;
    }
    if (v->type != JSON_ARRAY || token.len == 0 || token.len > 10 ||
        (token.ptr[0] == '0' && token.len > 1))
        return NULL;
    uint64_t index = 0;
    for (size_t i = 0; i < token.len; i++) {
        if (token.ptr[i] < '0' || token.ptr[i] > '9')
            return NULL;
        index = index * 10 + (uint64_t)(token.ptr[i] - '0');
    }
    return index < v->count ? &v->items[index] : NULL;
}

const struct json *mgi_json_pointer_get(const struct json *root, struct str pointer)
{
    const struct json *v = root;
    size_t at = 0;
    while (v && at < pointer.len) {
        if (pointer.ptr[at] != '/')
            return NULL;
        size_t start = ++at;
        while (at < pointer.len && pointer.ptr[at] != '/')
            at++;
        v = step_into(v, (struct str){ pointer.ptr + start, at - start });
    }
    return v;
}

/* ---- equality of numbers ------------------------------------------------------------------- */

/* A number's text as a sign, significant digits (read on the fly, the point skipped) and the power
 * of ten of the first of them: equal numbers have equal ones. */
struct spelled {
    bool negative;
    struct str
        digits; /* from the first to the last digit that is not zero, a point perhaps inside */
    int64_t power;
};

static int64_t spelled_exponent(struct str text)
{
    bool negative = text.len && text.ptr[0] == '-';
    int64_t n = 0;
    for (size_t i = 0; i < text.len; i++)
        if (text.ptr[i] >= '0' && text.ptr[i] <= '9' && n < INT64_C(1000000000000000000) / 10)
            n = n * 10 + (text.ptr[i] - '0');
    return negative ? -n : n;
}

static struct spelled spell(struct str text)
{
    struct spelled s = { .negative = text.len && text.ptr[0] == '-' };
    size_t end = 0, first = SIZE_MAX, last = 0, point = SIZE_MAX;
    for (; end < text.len && text.ptr[end] != 'e' && text.ptr[end] != 'E'; end++) {
        if (text.ptr[end] == '.')
            point = end;
        if (text.ptr[end] >= '1' && text.ptr[end] <= '9') {
            first = first == SIZE_MAX ? end : first;
            last = end;
        }
    }
    if (first == SIZE_MAX) { /* zero has no sign either */
        s.negative = false;
        return s;
    }
    if (point == SIZE_MAX)
        point = end;
    s.digits = (struct str){ text.ptr + first, last - first + 1 };
    s.power = first < point ? (int64_t)(point - first) : -(int64_t)(first - point - 1);
    if (end < text.len)
        s.power += spelled_exponent((struct str){ text.ptr + end + 1, text.len - end - 1 });
    return s;
}

static bool spelled_equal(struct str a, struct str b)
{
    struct spelled x = spell(a), y = spell(b);
    if (x.negative != y.negative || x.power != y.power)
        return false;
    size_t i = 0, j = 0;
    for (;;) {
        i += i < x.digits.len && x.digits.ptr[i] == '.';
        j += j < y.digits.len && y.digits.ptr[j] == '.';
        if (i == x.digits.len || j == y.digits.len)
            return i == x.digits.len && j == y.digits.len;
        if (x.digits.ptr[i++] != y.digits.ptr[j++])
            return false;
    }
}

static bool spelled_as_float(const struct json *v)
{
    if (v->type != JSON_HUGE)
        return v->type == JSON_FLOAT;
    for (size_t i = 0; i < v->text.len; i++)
        if (v->text.ptr[i] == '.' || v->text.ptr[i] == 'e' || v->text.ptr[i] == 'E')
            return true;
    return false;
}

static bool int_equals_double(int64_t n, double d)
{
    /* 2^63 is a double, INT64_MAX is not: the range is tested before the cast, half open. */
    return d >= -0x1p63 && d < 0x1p63 && d == floor(d) && (int64_t)d == n;
}

static bool is_number(const struct json *v)
{
    return v->type == JSON_INT || v->type == JSON_FLOAT || v->type == JSON_HUGE;
}

static bool numbers_equal(const struct json *a, const struct json *b, bool typed)
{
    if (typed && spelled_as_float(a) != spelled_as_float(b))
        return false;
    if (a->type == JSON_HUGE || b->type == JSON_HUGE)
        return spelled_equal(a->text, b->text);
    if (a->type == JSON_INT && b->type == JSON_INT)
        return a->integer == b->integer;
    if (a->type == JSON_FLOAT && b->type == JSON_FLOAT)
        return a->number == b->number;
    return a->type == JSON_INT ? int_equals_double(a->integer, b->number)
                               : int_equals_double(b->integer, a->number);
}

/* ---- equality of values -------------------------------------------------------------------- */

struct pair {
    const struct json *a, *b;
    uint32_t next; /* the element of `a` to compare next */
};

/* Equal as far as their own level goes; containers still have to be entered. */
static bool heads_equal(const struct json *a, const struct json *b, bool typed)
{
    if (is_number(a) && is_number(b))
        return numbers_equal(a, b, typed);
    if (a->type != b->type)
        return false;
    switch (a->type) {
    case JSON_BOOL:
        return a->boolean == b->boolean;
    case JSON_STRING:
        return str_eq(a->string, b->string);
    case JSON_ARRAY:
    case JSON_OBJECT:
        return a->count == b->count;
    default:
        return true;
    }
}

/* The member of `object` with this name; usually both objects have the same order, so it is looked
 * for at the same place first. */
static const struct json *member_near(const struct json *object, struct str name, uint32_t index)
{
    if (str_eq(object->members[index].name, name))
        return &object->members[index].value;
    return mgi_json_get_str(object, name);
}

bool mgi_json_equal(const struct json *a, const struct json *b, bool typed)
{
    struct pair path[JSON_MAX_DEPTH];
    size_t depth = 0;
    for (;;) {
        if (!heads_equal(a, b, typed))
            return false;
        if ((a->type == JSON_ARRAY || a->type == JSON_OBJECT) && a->count) {
            assert(depth < JSON_MAX_DEPTH);
            path[depth++] = (struct pair){ a, b, 0 };
        }
        while (depth && path[depth - 1].next == path[depth - 1].a->count)
            depth--;
        if (depth == 0)
            return true;
        struct pair *at = &path[depth - 1];
        uint32_t i = at->next++;
        if (at->a->type == JSON_ARRAY) {
            a = &at->a->items[i];
            b = &at->b->items[i];
        } else {
            a = &at->a->members[i].value;
            b = member_near(at->b, at->a->members[i].name, i);
            if (!b)
                return false;
        }
    }
}
