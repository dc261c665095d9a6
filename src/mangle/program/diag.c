/* Diagnostics: what is wrong with a source, where, and what to do.
 *
 * A diag keeps copies of everything it shows, so it outlives the program it speaks of. Stages
 * report in whatever order they work; mgi_diags_sort() puts the findings in the order of the text.
 * Running out of memory is remembered and becomes the status at the end, so that reporting never
 * fails. */
#include "mangle/program/diag.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/utf8.h"

/* A source line longer than this is shown in part, around the mark. */
#define SHOWN_COLUMNS 120

struct entry {
    struct mangle_diag diag;
    uint32_t source, anchor; /* sort key: place of the clause, or of the finding itself */
    size_t order;            /* of reporting */
};

struct mangle_diags {
    struct arena arena;
    struct entry *items;
    size_t count, cap;
    size_t errors;
    size_t run_start, run_errors; /* since mgi_diags_begin() */
    const struct span *clause;
    bool strict;
    bool oom;
};

mangle_diags *mangle_diags_new(void)
{
    mangle_diags *diags = mgi_calloc(1, sizeof *diags);
    if (diags)
        mgi_arena_init(&diags->arena, 0);
    return diags;
}

void mangle_diags_free(mangle_diags *diags)
{
    if (!diags)
        return;
    mgi_arena_fini(&diags->arena);
    mgi_free(diags->items);
    mgi_free(diags);
}

size_t mangle_diags_count(const mangle_diags *diags)
{
    return diags->count;
}

size_t mangle_diags_errors(const mangle_diags *diags)
{
    return diags->errors;
}

const struct mangle_diag *mangle_diags_get(const mangle_diags *diags, size_t index)
{
    return index < diags->count ? &diags->items[index].diag : NULL;
}

void mgi_diags_begin(mangle_diags *diags)
{
    diags->run_start = diags->count;
    diags->run_errors = 0;
    diags->clause = NULL;
    diags->strict = false;
    diags->oom = false;
    diags->arena.oom = false;
}

void mgi_diags_strict(mangle_diags *diags)
{
    diags->strict = true;
}

void mgi_diags_anchor(mangle_diags *diags, const struct span *clause)
{
    if (diags)
        diags->clause = clause;
}

void mgi_diags_nomem(mangle_diags *diags)
{
    if (diags)
        diags->oom = true;
}

enum mangle_status mgi_diags_status(const mangle_diags *diags)
{
    if (!diags)
        return MANGLE_OK;
    if (diags->oom || diags->arena.oom)
        return MANGLE_ERR_NOMEM;
    return diags->run_errors ? MANGLE_ERR_PROGRAM : MANGLE_OK;
}

bool mgi_diags_blame(const mangle_diags *diags, struct span clause)
{
    for (size_t i = diags->run_start; i < diags->count; i++)
        if (diags->items[i].diag.severity == MANGLE_ERROR &&
            diags->items[i].source == clause.source && diags->items[i].anchor == clause.start)
            return true;
    return false;
}

bool mgi_diags_full(const mangle_diags *diags)
{
    return !diags || diags->run_errors >= DIAG_MAX_ERRORS;
}

bool mgi_diags_has_class(const mangle_diags *diags, const char *prefix)
{
    if (diags->run_errors > DIAG_MAX_ERRORS)
        return true;
    for (size_t i = diags->run_start; i < diags->count; i++)
        if (mgi_str_starts(str_of(diags->items[i].diag.code), str_of(prefix)))
            return true;
    return false;
}

static int compare_entries(const void *left, const void *right)
{
    const struct entry *a = left, *b = right;
    if (a->source != b->source)
        return a->source < b->source ? -1 : 1;
    if (a->anchor != b->anchor)
        return a->anchor < b->anchor ? -1 : 1;
    return a->order < b->order ? -1 : a->order > b->order;
}

void mgi_diags_sort(mangle_diags *diags)
{
    if (diags && diags->count > diags->run_start)
        qsort(diags->items + diags->run_start, diags->count - diags->run_start,
              sizeof *diags->items, compare_entries);
}

/* ---- reporting --------------------------------------------------------------------------- */

/* Line, column, length and text of the line where `span` starts. */
static void locate(mangle_diags *diags, struct mangle_diag *diag, struct str text, struct span span)
{
    size_t start = span.start < text.len ? span.start : text.len;
    size_t end = span.end < text.len ? span.end : text.len;
    size_t line_start = 0;
    diag->line = 1;
    for (size_t i = 0; i < start; i++) {
        if (text.ptr[i] == '\n') {
            diag->line++;
            line_start = i + 1;
        }
    }
    size_t line_end = start;
    while (line_end < text.len && text.ptr[line_end] != '\n')
        line_end++;
    if (end > line_end)
        end = line_end;

    size_t before = mgi_utf8_count((struct str){ text.ptr + line_start, start - line_start });
    size_t marked = end > start ? mgi_utf8_count((struct str){ text.ptr + start, end - start }) : 0;
    diag->column = (uint32_t)before + 1;
    diag->length = marked ? (uint32_t)marked : 1;
    if (line_end > line_start && text.ptr[line_end - 1] == '\r')
        line_end--;
    diag->text =
        mgi_arena_str(&diags->arena, (struct str){ text.ptr + line_start, line_end - line_start })
            .ptr;
}

static const char *format_text(mangle_diags *diags, const char *format, va_list args)
{
    struct buf text = { 0 };
    mgi_buf_vprintf(&text, format, args);
    const char *copy = text.oom ? NULL : mgi_arena_str(&diags->arena, mgi_buf_view(&text)).ptr;
    if (!copy)
        diags->oom = true;
    mgi_buf_fini(&text);
    return copy;
}

const char *mgi_diag_text(mangle_diags *diags, const char *format, ...)
{
    if (!diags)
        return NULL;
    va_list args;
    va_start(args, format);
    const char *text = format_text(diags, format, args);
    va_end(args);
    return text;
}

void mgi_diag_va(mangle_diags *diags, const struct source *source, enum mangle_severity severity,
                 const char *code, struct span span, const char *hint, const char *format,
                 va_list args)
{
    if (!diags)
        return;
    if (diags->strict)
        severity = MANGLE_ERROR;
    if (severity == MANGLE_ERROR) {
        diags->errors++;
        if (++diags->run_errors > DIAG_MAX_ERRORS)
            return;
    }
    if (!mgi_grow(&diags->items, &diags->cap, diags->count + 1, sizeof *diags->items)) {
        diags->oom = true;
        return;
    }
    struct entry *e = &diags->items[diags->count];
    *e = (struct entry){ .source = span.source, .anchor = span.start, .order = diags->count };
    if (diags->clause) {
        e->source = diags->clause->source;
        e->anchor = diags->clause->start;
    }
    e->diag.severity = severity;
    e->diag.code = code;
    e->diag.file = mgi_arena_strdup(&diags->arena, source->name);
    e->diag.message = format_text(diags, format, args);
    e->diag.hint = hint ? mgi_arena_strdup(&diags->arena, hint) : NULL;
    locate(diags, &e->diag, source->text, span);
    if (!e->diag.file || !e->diag.message || !e->diag.text) {
        diags->oom = true;
        return;
    }
    diags->count++;
}

void mgi_diag_at(mangle_diags *diags, const struct source *source, enum mangle_severity severity,
                 const char *code, struct span span, const char *hint, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    mgi_diag_va(diags, source, severity, code, span, hint, format, args);
    va_end(args);
}

void mgi_diag(mangle_diags *diags, const mangle_program *p, enum mangle_severity severity,
              const char *code, struct span span, const char *hint, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    mgi_diag_va(diags, &p->sources[span.source], severity, code, span, hint, format, args);
    va_end(args);
}

/* ---- showing ----------------------------------------------------------------------------- */

/* Append the code points [from, to) of `line`, a tab as one blank, outsiders' control and invisible
 * characters escaped; the number of columns that takes. */
static size_t show_columns(struct buf *out, struct str line, size_t from, size_t to)
{
    size_t columns = 0, point = 0;
    for (size_t at = 0; at < line.len && point < to; point++) {
        size_t start = at;
        mgi_utf8_next(line, &at);
        if (point < from)
            continue;
        size_t before = out->len;
        if (line.ptr[start] == '\t')
            mgi_buf_putc(out, ' ');
        else
            mgi_utf8_show(out, (struct str){ line.ptr + start, at - start });
        if (!out->oom)
            columns += mgi_utf8_count((struct str){ out->ptr + before, out->len - before });
    }
    return columns;
}

static void show_marked_line(struct buf *out, const struct mangle_diag *diag)
{
    struct str line = str_of(diag->text);
    size_t points = mgi_utf8_count(line);
    size_t mark = diag->column - 1, from = 0, to = points;
    if (points > SHOWN_COLUMNS) { /* a window around the mark */
        from = mark > SHOWN_COLUMNS / 2 ? mark - SHOWN_COLUMNS / 2 : 0;
        to = from + SHOWN_COLUMNS < points ? from + SHOWN_COLUMNS : points;
    }
    size_t marked_end = mark + diag->length < to ? mark + diag->length : to;

    size_t blanks = 4;
    mgi_buf_puts(out, "    ");
    if (from > 0) {
        mgi_buf_puts(out, "...");
        blanks += 3;
    }
    blanks += show_columns(out, line, from, mark);
    size_t carets = show_columns(out, line, mark, marked_end);
    show_columns(out, line, marked_end, to);
    if (to < points)
        mgi_buf_puts(out, "...");
    mgi_buf_putc(out, '\n');
    for (size_t i = 0; i < blanks; i++)
        mgi_buf_putc(out, ' ');
    mgi_buf_putc(out, '^');
    for (size_t i = 1; i < carets; i++)
        mgi_buf_putc(out, '~');
    mgi_buf_putc(out, '\n');
}

char *mangle_diag_print(const struct mangle_diag *diag)
{
    struct buf out = { 0 };
    mgi_utf8_show(&out, str_of(diag->file));
    mgi_buf_printf(&out, ":%u:%u: %s: %s\n", diag->line, diag->column,
                   diag->severity == MANGLE_ERROR ? "error" : "warning", diag->message);
    if (diag->text && *diag->text)
        show_marked_line(&out, diag);
    if (diag->hint)
        mgi_buf_printf(&out, "  hint: %s\n", diag->hint);
    return mgi_buf_take(&out, NULL);
}
