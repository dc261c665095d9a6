/* Findings: what loading a domain has to say, collected, sorted and printed.
 *
 * Running out of memory while a finding is added must not make a bad domain look good: the counts
 * are kept even when the texts are lost. */
#include <stdlib.h>

#include "base/alloc.h"
#include "base/strmap.h"
#include "base/utf8.h"
#include "domain/domain_int.h"

#define MOST_QUOTED 1000

struct quoted_source { /* a text that findings quote lines of */
    const char *file;
    struct str text;
    uint32_t *starts; /* where its lines begin; heap, made for the first finding. NULL: not yet */
    uint32_t line_count;
};

struct findings {
    struct arena arena;
    struct finding *items;
    size_t count, cap;
    size_t errors; /* lost ones included */
    bool nomem;
    bool sorted;
    struct quoted_source *sources;
    size_t source_count, source_cap;
    struct strmap source_index; /* file -> the first source of that name */
};

struct findings *mgi_findings_new(void)
{
    struct findings *f = mgi_calloc(1, sizeof *f);
    if (f) {
        mgi_arena_init(&f->arena, 0);
        mgi_strmap_init(&f->source_index);
    }
    return f;
}

void mgi_findings_free(struct findings *f)
{
    if (!f)
        return;
    mgi_findings_forget(f);
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

bool mgi_findings_nomem(const struct findings *f)
{
    return f->nomem;
}

void mgi_findings_source(struct findings *f, const char *file, struct str text)
{
    uint32_t known;
    bool again = mgi_strmap_get(&f->source_index, str_of(file), &known);
    if (again && !f->sources[known].text.ptr && text.len < UINT32_MAX)
        f->sources[known].text = text;
    if (again || text.len >= UINT32_MAX ||
        !mgi_grow(&f->sources, &f->source_cap, f->source_count + 1, sizeof *f->sources) ||
        !mgi_strmap_put(&f->source_index, str_of(file), (uint32_t)f->source_count))
        return; /* nothing of it is quoted */
    f->sources[f->source_count++] = (struct quoted_source){ .file = file, .text = text };
}

void mgi_findings_source_ends(struct findings *f, const char *file)
{
    uint32_t known;
    if (!mgi_strmap_get(&f->source_index, str_of(file), &known))
        return;
    mgi_free(f->sources[known].starts);
    f->sources[known] = (struct quoted_source){ .file = f->sources[known].file };
}

void mgi_findings_forget(struct findings *f)
{
    for (size_t i = 0; i < f->source_count; i++)
        mgi_free(f->sources[i].starts);
    f->source_count = 0;
    mgi_strmap_fini(&f->source_index);
    mgi_strmap_init(&f->source_index);
}

/* Once a source: a file with a finding on every line is read twice, not once a finding. */
static bool index_lines(struct quoted_source *s)
{
    uint32_t count = 1;
    for (size_t i = 0; i < s->text.len; i++)
        count += s->text.ptr[i] == '\n';
    s->starts = mgi_alloc(count * sizeof *s->starts);
    if (!s->starts)
        return false;
    s->starts[s->line_count++] = 0;
    for (size_t i = 0; i < s->text.len; i++)
        if (s->text.ptr[i] == '\n')
            s->starts[s->line_count++] = (uint32_t)i + 1;
    return true;
}

/* Line `line` of `file`, copied, or NULL: nobody reads one of more than MOST_QUOTED bytes. */
static const char *quoted_line(struct findings *f, const char *file, uint32_t line)
{
    uint32_t index;
    if (line == 0 || !mgi_strmap_get(&f->source_index, str_of(file), &index))
        return NULL;
    struct quoted_source *s = &f->sources[index];
    if ((!s->starts && !index_lines(s)) || line > s->line_count)
        return NULL;
    size_t from = s->starts[line - 1];
    if (from == s->text.len) /* behind the last line end is no line */
        return NULL;
    size_t end = line < s->line_count ? s->starts[line] - 1 : s->text.len;
    if (end - from > MOST_QUOTED)
        return NULL;
    return mgi_arena_str(&f->arena, (struct str){ s->text.ptr + from, end - from }).ptr;
}

static struct finding *new_finding(struct findings *f, enum mangle_severity severity)
{
    f->errors += severity == MANGLE_ERROR;
    f->sorted = false;
    if (!mgi_grow(&f->items, &f->cap, f->count + 1, sizeof *f->items)) {
        f->nomem = true;
        return NULL;
    }
    struct finding *one = &f->items[f->count++];
    *one = (struct finding){ .severity = severity };
    return one;
}

static const char *kept(struct findings *f, const char *s)
{
    const char *copy = s ? mgi_arena_strdup(&f->arena, s) : NULL;
    f->nomem |= s && !copy;
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
    f->nomem |= text.oom;
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

void mgi_findings_lack_memory(struct findings *f, const char *folder)
{
    f->nomem = true;
    mgi_findings_add(f, MANGLE_ERROR, "NOMEM", folder, 0, 0, NULL, "out of memory");
}

static void take_one(struct findings *f, const struct mangle_diag *d)
{
    struct finding *one = new_finding(f, d->severity);
    if (!one)
        return;
    one->code = kept(f, d->code);
    one->file = kept(f, d->file);
    one->line = d->line;
    one->column = d->column;
    one->message = kept(f, d->message);
    one->hint = kept(f, d->hint);
    one->text = kept(f, d->text);
}

void mgi_findings_take(struct findings *f, const mangle_diags *diags, const char *prefix)
{
    for (size_t i = 0; i < mangle_diags_count(diags); i++)
        if (mgi_str_starts(str_of(mangle_diags_get(diags, i)->code), str_of(prefix)))
            take_one(f, mangle_diags_get(diags, i));
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
    mgi_buf_printf(out, " [%s]\n", one->code);
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

void mgi_findings_print(struct buf *out, struct findings *f)
{
    for (size_t i = 0; i < f->count; i++)
        mgi_finding_print(out, mgi_findings_get(f, i));
}
