/* Prometheus' text format: see the header. Numbers do not follow the locale (base/json.h). */
#include "service/exposition.h"

#include <inttypes.h>
#include <math.h>

#include "base/json.h"

/* ---- writing ------------------------------------------------------------------------------- */

void mgi_metric_family(struct buf *out, const char *name, enum metric_kind kind, const char *help)
{
    static const char *const kinds[] = { "counter", "gauge", "histogram" };
    mgi_buf_printf(out, "# HELP %s ", name);
    for (const char *c = help; *c; c++) {
        if (*c == '\\' || *c == '\n')
            mgi_buf_puts(out, *c == '\n' ? "\\n" : "\\\\");
        else
            mgi_buf_putc(out, *c);
    }
    mgi_buf_printf(out, "\n# TYPE %s %s\n", name, kinds[kind]);
}

static void write_label(struct buf *out, const char *name, struct str value, bool first)
{
    mgi_buf_printf(out, "%s%s=\"", first ? "" : ",", name);
    for (size_t i = 0; i < value.len; i++) {
        char c = value.ptr[i];
        if (c == '\\' || c == '"')
            mgi_buf_putc(out, '\\');
        if (c == '\n')
            mgi_buf_puts(out, "\\n");
        else
            mgi_buf_putc(out, c);
    }
    mgi_buf_putc(out, '"');
}

/* The name and its labels; `le` (may be NULL) is one more label behind them. */
static void write_series(struct buf *out, const char *name, const char *suffix,
                         const struct metric_label *labels, const char *le)
{
    bool first = true;
    mgi_buf_printf(out, "%s%s", name, suffix);
    bool any = le || (labels && labels->name);
    if (any)
        mgi_buf_putc(out, '{');
    for (; labels && labels->name; labels++, first = false)
        write_label(out, labels->name, labels->value, first);
    if (le)
        write_label(out, "le", str_of(le), first);
    if (any)
        mgi_buf_putc(out, '}');
    mgi_buf_putc(out, ' ');
}

/* As the format spells what is not finite. */
static void spell(double value, char out[32])
{
    if (isnan(value))
        memcpy(out, "NaN", 4);
    else if (isinf(value))
        memcpy(out, value > 0 ? "+Inf" : "-Inf", 5);
    else
        (void)mgi_double_print(value, out);
}

static void write_value(struct buf *out, double value)
{
    char text[32];
    spell(value, text);
    mgi_buf_printf(out, "%s\n", text);
}

void mgi_metric_int(struct buf *out, const char *name, const struct metric_label *labels,
                    int64_t value)
{
    write_series(out, name, "", labels, NULL);
    mgi_buf_printf(out, "%" PRId64 "\n", value);
}

void mgi_metric_float(struct buf *out, const char *name, const struct metric_label *labels,
                      double value)
{
    write_series(out, name, "", labels, NULL);
    write_value(out, value);
}

void mgi_metric_histogram(struct buf *out, const char *name, const struct metric_label *labels,
                          const double *bounds, const uint64_t *counts, size_t count, double sum)
{
    uint64_t total = 0;
    char le[32];
    for (size_t i = 0; i <= count; i++) {
        total += counts[i];
        spell(i < count ? bounds[i] : INFINITY, le);
        write_series(out, name, "_bucket", labels, le);
        mgi_buf_printf(out, "%" PRIu64 "\n", total);
    }
    write_series(out, name, "_sum", labels, NULL);
    write_value(out, sum);
    write_series(out, name, "_count", labels, NULL);
    mgi_buf_printf(out, "%" PRIu64 "\n", total);
}

/* ---- reading ------------------------------------------------------------------------------- */

static bool is_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == ':';
}

static void skip_blanks(struct str *s)
{
    while (s->len > 0 && (*s->ptr == ' ' || *s->ptr == '\t')) {
        s->ptr++;
        s->len--;
    }
}

static struct str take_name(struct str *s)
{
    struct str name = { s->ptr, 0 };
    while (name.len < s->len && is_name(s->ptr[name.len]))
        name.len++;
    s->ptr += name.len;
    s->len -= name.len;
    return name;
}

static bool take_char(struct str *s, char c)
{
    skip_blanks(s);
    if (s->len == 0 || *s->ptr != c)
        return false;
    s->ptr++;
    s->len--;
    return true;
}

/* A quoted text without its quotes. */
static bool take_quoted(struct str *s, struct str *out)
{
    if (!take_char(s, '"'))
        return false;
    *out = (struct str){ s->ptr, 0 };
    while (out->len < s->len && s->ptr[out->len] != '"')
        out->len += s->ptr[out->len] == '\\' && out->len + 1 < s->len ? 2 : 1;
    if (out->len >= s->len)
        return false;
    s->ptr += out->len + 1;
    s->len -= out->len + 1;
    return true;
}

static bool take_labels(struct str *s, struct metric_sample *out)
{
    if (!take_char(s, '{'))
        return true;
    while (!take_char(s, '}')) {
        struct str name = take_name(s), value;
        if (name.len == 0 || !take_char(s, '=') || !take_quoted(s, &value))
            return false;
        if (out->label_count < METRIC_LABELS_MAX) {
            out->labels[out->label_count].name = name;
            out->labels[out->label_count++].value = value;
        }
        (void)take_char(s, ',');
        skip_blanks(s);
    }
    return true;
}

static size_t digits_at(struct str s, size_t at)
{
    size_t n = 0;
    while (at + n < s.len && s.ptr[at + n] >= '0' && s.ptr[at + n] <= '9')
        n++;
    return n;
}

/* [+-]digits[.digits][e[+-]digits], the form that mgi_double_parse() wants. */
static bool is_number(struct str s)
{
    size_t at = s.len > 0 && (s.ptr[0] == '-' || s.ptr[0] == '+');
    size_t n = digits_at(s, at);
    at += n;
    if (n > 0 && at < s.len && s.ptr[at] == '.') {
        n = digits_at(s, at + 1);
        at += 1 + n;
    }
    if (n > 0 && at < s.len && (s.ptr[at] == 'e' || s.ptr[at] == 'E')) {
        at++;
        at += at < s.len && (s.ptr[at] == '-' || s.ptr[at] == '+');
        n = digits_at(s, at);
        at += n;
    }
    return n > 0 && at == s.len;
}

bool mgi_metric_number(struct str word, double *out)
{
    if (str_is(word, "NaN") || str_is(word, "+Inf") || str_is(word, "-Inf")) {
        *out = word.ptr[0] == 'N' ? NAN : word.ptr[0] == '+' ? INFINITY : -INFINITY;
        return true;
    }
    return is_number(word) && mgi_double_parse(word, out);
}

static bool take_value(struct str s, double *out)
{
    skip_blanks(&s);
    struct str word = { s.ptr, 0 };
    while (word.len < s.len && !strchr(" \t\r", s.ptr[word.len])) /* a NUL ends it, too */
        word.len++;
    return mgi_metric_number(word, out);
}

bool mgi_metric_next(struct str *text, struct metric_sample *out)
{
    while (text->len > 0) {
        const char *end = memchr(text->ptr, '\n', text->len);
        struct str line = { text->ptr, end ? (size_t)(end - text->ptr) : text->len };
        size_t used = line.len + (end != NULL);
        text->ptr += used;
        text->len -= used;
        *out = (struct metric_sample){ .label_count = 0 };
        skip_blanks(&line);
        if (line.len == 0 || *line.ptr == '#')
            continue;
        out->name = take_name(&line);
        if (out->name.len > 0 && take_labels(&line, out) && take_value(line, &out->value))
            return true;
    }
    return false;
}

struct str mgi_metric_label_of(const struct metric_sample *s, const char *name)
{
    for (size_t i = 0; i < s->label_count; i++)
        if (str_is(s->labels[i].name, name))
            return s->labels[i].value;
    return (struct str){ "", 0 };
}
