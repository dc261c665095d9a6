/* Findings: what loading a domain has to say, collected, sorted and printed.
 *
 * Running out of memory while a finding is added must not make a bad domain look good: the counts
 * are kept even when the texts are lost. */
#include <stdlib.h>

#include "base/alloc.h"
#include "base/utf8.h"
#include "domain/domain_int.h"

struct quoted_source {
    const char *file;
    struct str text;
};

struct findings {
    struct arena arena;
    struct finding *items;
    size_t count, cap;
    size_t errors; /* lost ones included */
    bool sorted;
    struct quoted_source *sources;
    size_t source_count, source_cap;
};

struct findings *mgi_findings_new(void)
{
    struct findings *f = mgi_calloc(1, sizeof *f);
    if (f)
        mgi_arena_init(&f->arena, 0);
    return f;
}

void mgi_findings_free(struct findings *f)
{
    if (!f)
        return;
    mgi_arena_fini(&f->arena);
    mgi_free(f->items);
    mgi_free(f->sources);
    mgi_free(f);
}

size_t mgi_findings_count(const struct findings *f)
{
    return f->count;
}

size_t mgi_findings_errors(const struct findings *f)
{
    return f->errors;
}

void mgi_findings_source(struct findings *f, const char *file, struct str text)
{
    if (mgi_grow(&f->sources, &f->source_cap, f->source_count + 1, sizeof *f->sources))
        f->sources[f->source_count++] = (struct quoted_source){ file, text };
}

void mgi_findings_forget(struct findings *f)
{
    f->source_count = 0;
}

/* Line `line` of `file`, copied, or NULL. */
static const char *quoted_line(struct findings *f, const char *file, uint32_t line)
{
    for (size_t i = 0; i < f->source_count && line > 0; i++) {
        if (strcmp(f->sources[i].file, file) != 0)
            continue;
        struct str rest = f->sources[i].text;
        for (uint32_t n = 1; rest.len > 0; n++) {
            const char *end = memchr(rest.ptr, '\n', rest.len);
            size_t len = end ? (size_t)(end - rest.ptr) : rest.len;
            if (n == line)
                return mgi_arena_str(&f->arena, (struct str){ rest.ptr, len }).ptr;
            if (!end)
                break;
            rest.ptr += len + 1;
            rest.len -= len + 1;
        }
    }
    return NULL;
}

static struct finding *new_finding(struct findings *f, enum mangle_severity severity)
{
    f->errors += severity == MANGLE_ERROR;
    f->sorted = false;
    if (!mgi_grow(&f->items, &f->cap, f->count + 1, sizeof *f->items))
        return NULL;
    struct finding *one = &f->items[f->count++];
    *one = (struct finding){ .severity = severity };
    return one;
}

static const char *kept(struct findings *f, const char *s)
{
    const char *copy = s ? mgi_arena_strdup(&f->arena, s) : NULL;
    return copy || !s ? copy : "(out of memory)";
}

void mgi_findings_vadd(struct findings *f, enum mangle_severity severity, const char *code,
                       const char *file, uint32_t line, uint32_t column, const char *hint,
                       const char *format, va_list args)
{
    struct finding *one = new_finding(f, severity);
    if (!one)
        return;
    struct buf text = { 0 };
    mgi_buf_vprintf(&text, format, args);
    one->message = kept(f, text.oom || !text.ptr ? "(out of memory)" : text.ptr);
    mgi_buf_fini(&text);
    one->code = kept(f, code);
    one->file = kept(f, file);
    one->line = line;
    one->column = column;
    one->hint = kept(f, hint);
    one->text = quoted_line(f, file, line);
}

void mgi_findings_add(struct findings *f, enum mangle_severity severity, const char *code,
                      const char *file, uint32_t line, uint32_t column, const char *hint,
                      const char *format, ...)
{
    va_list args;
    va_start(args, format);
    mgi_findings_vadd(f, severity, code, file, line, column, hint, format, args);
    va_end(args);
}

void mgi_findings_take(struct findings *f, const mangle_diags *diags)
{
    for (size_t i = 0; i < mangle_diags_count(diags); i++) {
        const struct mangle_diag *d = mangle_diags_get(diags, i);
        struct finding *one = new_finding(f, d->severity);
        if (!one)
            continue;
        one->code = kept(f, d->code);
        one->file = kept(f, d->file);
        one->line = d->line;
        one->column = d->column;
        one->message = kept(f, d->message);
        one->hint = kept(f, d->hint);
        one->text = kept(f, d->text);
    }
}

static int compare_findings(const void *x, const void *y)
{
    const struct finding *a = x, *b = y;
    int c = strcmp(a->file, b->file);
    if (c == 0)
        c = (a->line > b->line) - (a->line < b->line);
    if (c == 0)
        c = (a->column > b->column) - (a->column < b->column);
    return c ? c : strcmp(a->message, b->message);
}

const struct finding *mgi_findings_get(struct findings *f, size_t index)
{
    if (!f->sorted && f->count > 1)
        qsort(f->items, f->count, sizeof *f->items, compare_findings);
    f->sorted = true;
    return index < f->count ? &f->items[index] : NULL;
}

void mgi_finding_print(struct buf *out, const struct finding *one)
{
    mgi_utf8_show(out, str_of(one->file));
    if (one->line > 0)
        mgi_buf_printf(out, ":%u:%u", one->line, one->column > 0 ? one->column : 1);
    mgi_buf_puts(out, one->severity == MANGLE_ERROR ? ": error: " : ": warning: ");
    mgi_utf8_show(out, str_of(one->message));
    mgi_buf_putc(out, '\n');
    if (one->text) {
        mgi_buf_puts(out, "    ");
        mgi_utf8_show(out, str_of(one->text));
        mgi_buf_putc(out, '\n');
        if (one->column > 0)
            mgi_buf_printf(out, "    %*s^\n", (int)one->column - 1, "");
    }
    if (one->hint) {
        mgi_buf_puts(out, "  hint: ");
        mgi_utf8_show(out, str_of(one->hint));
        mgi_buf_putc(out, '\n');
    }
}
