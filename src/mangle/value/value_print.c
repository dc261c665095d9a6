/* Values, facts and intervals as text: canonical, display and file form (M-VAL-50 to 69).
 *
 * Printing walks with a stack of its own, so that nesting costs memory and not the C stack. Shared
 * parts are printed each time, so the text of a small value can be exponentially long: whoever
 * prints what outsiders made sets the buffer's limit, and printing stops there. */
#include "mangle/value/value_int.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/time.h"
#include "base/utf8.h"

/* ---- scalars ------------------------------------------------------------------------------- */

static void print_hex_byte(struct buf *out, unsigned char c)
{
    static const char digits[] = "0123456789abcdef";
    char text[4] = { '\\', 'x', digits[c >> 4], digits[c & 15] };
    mgi_buf_append(out, text, sizeof text);
}

static bool is_control(unsigned char c)
{
    return (c < 0x20 && c != '\n' && c != '\t') || c == 0x7f;
}

static void print_code(struct buf *out, uint32_t code, bool show_controls)
{
    switch (code) {
    case '\n':
        mgi_buf_puts(out, "\\n");
        return;
    case '\t':
        mgi_buf_puts(out, "\\t");
        return;
    case '"':
    case '\'':
    case '\\':
        mgi_buf_putc(out, '\\');
        mgi_buf_putc(out, (char)code);
        return;
    default:
        if (code >= 0x80)
            mgi_buf_printf(out, "\\u{%06x}", (unsigned)code);
        else if (show_controls && is_control((unsigned char)code))
            print_hex_byte(out, (unsigned char)code);
        else
            mgi_buf_putc(out, (char)code);
    }
}

/* Characters that are copied as they are in every escaped form. */
static bool is_plain(unsigned char c)
{
    return c >= 0x20 && c < 0x7f && c != '"' && c != '\'' && c != '\\';
}

void mgi_string_print(struct buf *out, struct str s, enum mangle_text_form form)
{
    if (form != MANGLE_DISPLAY && !mgi_utf8_valid(s, NULL)) {
        mgi_buf_puts(out, "<bad>");
        return;
    }
    mgi_buf_putc(out, '"');
    if (form == MANGLE_DISPLAY) {
        mgi_buf_str(out, s);
    } else {
        for (size_t at = 0; at < s.len && !out->oom;) {
            size_t from = at;
            while (at < s.len && is_plain((unsigned char)s.ptr[at]))
                at++;
            mgi_buf_append(out, s.ptr + from, at - from);
            if (at < s.len)
                print_code(out, mgi_utf8_next(s, &at), form == MANGLE_FILE);
        }
    }
    mgi_buf_putc(out, '"');
}

static void print_bytes(struct buf *out, struct str s, enum mangle_text_form form)
{
    mgi_buf_puts(out, "b\"");
    if (form == MANGLE_DISPLAY) {
        mgi_buf_str(out, s);
    } else {
        for (size_t i = 0; i < s.len && !out->oom; i++) {
            unsigned char c = (unsigned char)s.ptr[i];
            bool escaped = c == '\n' || c == '\t' || c == '"' || c == '\'' || c == '\\' ||
                           c >= 0x80 || (form == MANGLE_FILE && is_control(c));
            if (escaped)
                print_hex_byte(out, c);
            else
                mgi_buf_putc(out, (char)c);
        }
    }
    mgi_buf_putc(out, '"');
}

#define DOUBLE_DIGITS 17 /* always enough to read back */

/* The fewest significant digits that read back to `d` (finite, not 0), and the place of the decimal
 * point behind the first of them. Every decimal of 15 digits survives a normal double, so only the
 * denormal ones may need fewer than the trimmed 15. */
static int shortest_digits(double d, char digits[DOUBLE_DIGITS], int *point)
{
    char text[40];
    for (int precision = fabs(d) < DBL_MIN ? 1 : 15;; precision++) {
        snprintf(text, sizeof text, "%.*e", precision - 1, fabs(d));
        if (precision == DOUBLE_DIGITS || strtod(text, NULL) == fabs(d))
            break;
    }
    int count = 0;
    const char *c = text;
    for (; *c != 'e'; c++) /* whatever stands for the point in this locale is skipped */
        if (*c >= '0' && *c <= '9')
            digits[count++] = *c;
    *point = atoi(c + 1) + 1;
    while (count > 1 && digits[count - 1] == '0')
        count--;
    return count;
}

static void print_zeros(struct buf *out, int count)
{
    while (count-- > 0)
        mgi_buf_putc(out, '0');
}

void mgi_float_print(struct buf *out, double d)
{
    if (isnan(d) || isinf(d)) {
        mgi_buf_puts(out, isnan(d) ? "NaN" : d > 0 ? "+Inf" : "-Inf");
        return;
    }
    if (signbit(d))
        mgi_buf_putc(out, '-');
    if (d == 0) {
        mgi_buf_putc(out, '0');
        return;
    }
    char digits[DOUBLE_DIGITS];
    int point, count = shortest_digits(d, digits, &point);
    if (point <= 0) {
        mgi_buf_puts(out, "0.");
        print_zeros(out, -point);
        mgi_buf_append(out, digits, (size_t)count);
    } else if (count <= point) {
        mgi_buf_append(out, digits, (size_t)count);
        print_zeros(out, point - count);
    } else {
        mgi_buf_append(out, digits, (size_t)point);
        mgi_buf_putc(out, '.');
        mgi_buf_append(out, digits + point, (size_t)(count - point));
    }
}

static bool print_float(struct buf *out, double d, enum mangle_text_form form)
{
    if (form == MANGLE_FILE && !isfinite(d))
        return false;
    mgi_float_print(out, d);
    if (form == MANGLE_FILE && d == floor(d))
        mgi_buf_puts(out, ".0");
    return true;
}

static void print_call(struct buf *out, const char *function, enum mangle_text_form form,
                       int64_t ns, void (*print)(struct buf *out, int64_t ns))
{
    if (form != MANGLE_DISPLAY)
        mgi_buf_printf(out, "%s(\"", function);
    print(out, ns);
    if (form != MANGLE_DISPLAY)
        mgi_buf_puts(out, "\")");
}

static bool print_scalar(struct buf *out, const mangle_values *t, mangle_value v,
                         enum mangle_text_form form)
{
    struct str s;
    switch (mangle_kind_of(t, v)) {
    case MANGLE_NAME:
        mgi_buf_str(out, entry_text(entry_of(t, v)));
        return true;
    case MANGLE_STRING:
        s = entry_text(entry_of(t, v));
        if (form == MANGLE_FILE && !mgi_utf8_valid(s, NULL))
            return false;
        mgi_string_print(out, s, form);
        return true;
    case MANGLE_BYTES:
        print_bytes(out, entry_text(entry_of(t, v)), form);
        return true;
    case MANGLE_NUMBER:
        mgi_buf_int(out, mangle_int_of(t, v));
        return true;
    case MANGLE_FLOAT:
        return print_float(out, mangle_float_of(t, v), form);
    case MANGLE_TIME:
        print_call(out, "fn:time:parse_rfc3339", form, mangle_int_of(t, v), mgi_time_print);
        return true;
    case MANGLE_DURATION:
        print_call(out, "fn:duration:parse", form, mangle_int_of(t, v), mgi_duration_print);
        return true;
    default:
        return false; /* not a scalar */
    }
}

/* ---- structures ---------------------------------------------------------------------------- */

/* A structure that has been opened: what is still to be printed of it. */
struct print_frame {
    mangle_value rest; /* cursor of mangle_next(); of a pair: its second part, or MANGLE_NONE */
    mangle_value entry_value; /* of the entry whose key is being printed, or MANGLE_NONE */
    enum mangle_kind kind;
    bool first;
};

struct printer {
    struct buf *out;
    const mangle_values *t;
    enum mangle_text_form form;
    struct print_frame *frames;
    size_t count, cap;
};

/* Print a scalar, or open a structure. False if the form has no text for it. */
static bool print_begin(struct printer *p, mangle_value v)
{
    enum mangle_kind kind = mangle_kind_of(p->t, v);
    if (kind < MANGLE_PAIR)
        return print_scalar(p->out, p->t, v, p->form);
    if (v == VALUE_EMPTY_MAP) {
        mgi_buf_puts(p->out, "fn:map()");
        return true;
    }
    if (!mgi_grow(&p->frames, &p->cap, p->count + 1, sizeof *p->frames)) {
        p->out->oom = true;
        return true;
    }
    mgi_buf_puts(p->out, kind == MANGLE_PAIR ? "fn:pair(" : kind == MANGLE_STRUCT ? "{" : "[");
    p->frames[p->count++] = (struct print_frame){ .rest = v, .kind = kind, .first = true };
    return true;
}

static bool next_of_pair(const struct printer *p, struct print_frame *f, mangle_value *v)
{
    mangle_value second;
    if (f->rest == MANGLE_NONE)
        return false;
    if (f->first) {
        mangle_pair_of(p->t, f->rest, v, &second);
        f->rest = second;
    } else {
        *v = f->rest;
        f->rest = MANGLE_NONE;
    }
    return true;
}

/* The part of the innermost structure that comes next; false at its end. */
static bool print_next_part(const struct printer *p, struct print_frame *f, mangle_value *v)
{
    mangle_value key, value;
    if (f->entry_value != MANGLE_NONE) {
        mgi_buf_puts(p->out, " : ");
        *v = f->entry_value;
        f->entry_value = MANGLE_NONE;
        return true;
    }
    if (f->kind == MANGLE_PAIR) {
        if (!next_of_pair(p, f, v))
            return false;
    } else {
        if (!mangle_next(p->t, &f->rest, &key, &value))
            return false;
        *v = key == MANGLE_NONE ? value : key;
        f->entry_value = key == MANGLE_NONE ? MANGLE_NONE : value;
    }
    if (!f->first)
        mgi_buf_puts(p->out, ", ");
    f->first = false;
    return true;
}

bool mgi_value_print(struct buf *out, const mangle_values *t, mangle_value v,
                     enum mangle_text_form form)
{
    struct printer p = { .out = out, .t = t, .form = form };
    bool ok = print_begin(&p, v);
    while (ok && p.count > 0 && !out->oom) {
        struct print_frame *innermost = &p.frames[p.count - 1];
        mangle_value part;
        if (print_next_part(&p, innermost, &part)) {
            ok = print_begin(&p, part);
        } else {
            enum mangle_kind kind = innermost->kind;
            mgi_buf_putc(out, kind == MANGLE_PAIR ? ')' : kind == MANGLE_STRUCT ? '}' : ']');
            p.count--;
        }
    }
    mgi_free(p.frames);
    return ok;
}

void mgi_value_show(struct buf *out, const mangle_values *t, mangle_value v)
{
    size_t before = out->len;
    if (mgi_value_print(out, t, v, MANGLE_FILE))
        return;
    out->len = before;
    mgi_value_print(out, t, v, MANGLE_CANONICAL);
}

char *mangle_value_print(const mangle_values *t, mangle_value v, enum mangle_text_form form,
                         size_t *len)
{
    struct buf out = { .limit = VALUE_TEXT_MAX };
    if (!mgi_value_print(&out, t, v, form)) {
        mgi_buf_fini(&out);
        return NULL;
    }
    return mgi_buf_take(&out, len);
}

int mgi_compare_canonical(const mangle_values *t, mangle_value a, mangle_value b)
{
    struct buf x = { .limit = CANONICAL_COMPARE_MAX }, y = { .limit = CANONICAL_COMPARE_MAX };
    mgi_value_print(&x, t, a, MANGLE_CANONICAL);
    mgi_value_print(&y, t, b, MANGLE_CANONICAL);
    int order = mgi_str_compare(mgi_buf_view(&x), mgi_buf_view(&y));
    mgi_buf_fini(&x);
    mgi_buf_fini(&y);
    return order;
}

/* ---- names and intervals ------------------------------------------------------------------- */

static bool is_part_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (c != '\0' && strchr(".-_~%", c) != NULL);
}

bool mgi_name_is_lexical(struct str s)
{
    if (!mgi_values_string_ok(s))
        return false;
    for (size_t i = 0; i < s.len; i++)
        if (s.ptr[i] != '/' && !is_part_char(s.ptr[i]))
            return false;
    return true;
}

static void print_instant(struct buf *out, int64_t ns)
{
    if (ns == MANGLE_MIN_TIME || ns == MANGLE_MAX_TIME)
        mgi_buf_putc(out, '_');
    else
        mgi_time_print(out, ns);
}

void mgi_interval_print(struct buf *out, struct mangle_interval t, bool always_shown)
{
    bool eternal = t.start_ns == MANGLE_MIN_TIME && t.end_ns == MANGLE_MAX_TIME;
    if (eternal && !always_shown)
        return;
    mgi_buf_puts(out, "@[");
    print_instant(out, t.start_ns);
    if (t.start_ns != t.end_ns) {
        mgi_buf_puts(out, ", ");
        print_instant(out, t.end_ns);
    }
    mgi_buf_putc(out, ']');
}
