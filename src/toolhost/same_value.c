/* Sameness of JSON values: see same_value.h. Every number gets one spelling, and then the canonical
 * texts are compared; sorting members makes that cost n log n, whatever their order. */
#include "toolhost/same_value.h"

#include <assert.h>
#include <inttypes.h>

/* What the parser's depth limit allows. */
enum { MAX_LEVELS = 64 };

/* A number's text in parts: its digits, times ten to the exponent. */
struct spelled {
    bool negative;
    struct str digits; /* with the point in it, if there is one */
    int64_t exponent;
};

/* Exponents beyond this are left as they are spelled: nobody means them. */
static const int64_t max_exponent = INT64_C(1) << 40;

static bool read_number_exponent(struct str text, int64_t *exponent)
{
    size_t at = text.ptr[0] == '-' || text.ptr[0] == '+';
    int64_t n = 0;
    for (; at < text.len; at++) {
        n = n * 10 + (text.ptr[at] - '0');
        if (n > max_exponent)
            return false;
    }
    *exponent = text.ptr[0] == '-' ? -n : n;
    return true;
}

static bool take_apart(struct str text, struct spelled *s)
{
    *s = (struct spelled){ .negative = text.ptr[0] == '-' };
    s->digits = (struct str){ text.ptr + s->negative, text.len - s->negative };
    for (size_t i = 0; i < s->digits.len; i++) {
        if (s->digits.ptr[i] != 'e' && s->digits.ptr[i] != 'E')
            continue;
        struct str rest = { s->digits.ptr + i + 1, s->digits.len - i - 1 };
        s->digits.len = i;
        return read_number_exponent(rest, &s->exponent);
    }
    return true;
}

/* "<digits>e<exponent>", the digits without a point and without zeros at either end; "0" for zero.
 */
static struct str respell(struct arena *arena, struct str text)
{
    struct spelled s;
    if (!take_apart(text, &s))
        return text;
    char *digits = mgi_arena_alloc(arena, s.digits.len + 1);
    if (!digits)
        return (struct str){ NULL, 0 };
    size_t len = 0;
    bool fraction = false;
    for (size_t i = 0; i < s.digits.len; i++) {
        if (s.digits.ptr[i] == '.') {
            fraction = true;
            continue;
        }
        s.exponent -= fraction;
        if (len > 0 || s.digits.ptr[i] != '0')
            digits[len++] = s.digits.ptr[i];
    }
    for (; len > 0 && digits[len - 1] == '0'; len--)
        s.exponent++;
    if (len == 0)
        return STR_LIT("0");
    char *z = mgi_arena_printf(arena, "%s%.*se%" PRId64, s.negative ? "-" : "", (int)len, digits,
                               s.exponent);
    return str_of(z);
}

static bool is_number_node(const struct json *v)
{
    return v->type == JSON_INT || v->type == JSON_FLOAT || v->type == JSON_HUGE;
}

struct level {
    struct json *container;
    uint32_t next;
};

static bool respell_numbers(struct arena *arena, struct json *root)
{
    struct level path[MAX_LEVELS];
    size_t depth = 0;
    for (struct json *v = root; v;) {
        if (is_number_node(v)) {
            v->text = respell(arena, v->text);
            if (!v->text.ptr)
                return false;
        }
        if (v->type == JSON_ARRAY || v->type == JSON_OBJECT) {
            assert(depth < MAX_LEVELS);
            path[depth++] = (struct level){ v, 0 };
        }
        while (depth && path[depth - 1].next == path[depth - 1].container->count)
            depth--;
        if (depth == 0)
            return true;
        struct level *at = &path[depth - 1];
        uint32_t i = at->next++;
        v = at->container->type == JSON_ARRAY ? &at->container->items[i]
                                              : &at->container->members[i].value;
    }
    return true;
}

bool mgi_same_value(struct arena *arena, struct json *a, struct json *b, bool *same)
{
    struct buf x = { 0 }, y = { 0 };
    bool ok = respell_numbers(arena, a) && respell_numbers(arena, b);
    if (ok) {
        mgi_json_canonical(&x, a);
        mgi_json_canonical(&y, b);
        ok = !x.oom && !y.oom;
        *same = ok && str_eq(mgi_buf_view(&x), mgi_buf_view(&y));
    }
    mgi_buf_fini(&x);
    mgi_buf_fini(&y);
    return ok;
}
