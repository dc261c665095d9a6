/* A column file of an evaluated overlay (M-IO-40 to 47): the same facts always give the same bytes.
 *
 * Facts stand in the order of their hashes; a text of the atom is made only where hashes are equal.
 * What could not be read back is refused before anything is handed out. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/utf8.h"
#include "mangle/run/base.h"
#include "mangle/columns/columns.h"
#include "mangle/text/parse.h"

struct column_row {
    uint64_t hash;
    uint32_t row;  /* of the relation */
    uint32_t rank; /* in the order of values */
    size_t text;   /* of atoms with the same hash: place in texts, and length */
    size_t text_len;
};

struct column_writer {
    mangle_overlay *o;
    struct buf *out;
    struct mangle_error *err;
    mangle_pred *preds; /* sorted; heap */
    size_t pred_count;
    struct column_row **rows; /* of each predicate; heap */
    size_t *row_counts;       /* heap */
    struct buf texts;         /* scratch */
    mangle_value *stack;      /* scratch: what is still to be looked at */
    size_t stack_cap;
};

static enum mangle_status refuse_columns(struct column_writer *w, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static enum mangle_status refuse_columns(struct column_writer *w, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (w->err)
        vsnprintf(w->err->message, sizeof w->err->message, format, args);
    va_end(args);
    return MANGLE_ERR_INPUT;
}

static const struct pred *column_pred(const struct column_writer *w, size_t i)
{
    return &w->o->base->program->preds[w->preds[i]];
}

/* ---- which predicates -------------------------------------------------------------------- */

struct column_key {
    const struct pred *pred;
    mangle_pred index;
};

/* By arity, then name (M-IO-41). */
static int compare_column_preds(const void *left, const void *right)
{
    const struct column_key *a = left, *b = right;
    if (a->pred->arity != b->pred->arity)
        return a->pred->arity < b->pred->arity ? -1 : 1;
    return mgi_str_compare(a->pred->name, b->pred->name);
}

static enum mangle_status sort_preds(struct column_writer *w, const mangle_pred *preds,
                                     size_t count)
{
    const mangle_program *p = w->o->base->program;
    struct column_key *keys = mgi_calloc(count + 1, sizeof *keys);
    w->preds = mgi_calloc(count + 1, sizeof *w->preds);
    w->rows = mgi_calloc(count + 1, sizeof *w->rows);
    w->row_counts = mgi_calloc(count + 1, sizeof *w->row_counts);
    enum mangle_status st =
        keys && w->preds && w->rows && w->row_counts ? MANGLE_OK : MANGLE_ERR_NOMEM;
    for (size_t i = 0; i < count && !st; i++) {
        keys[i].index = preds ? preds[i] : (mangle_pred)i;
        if (keys[i].index >= p->pred_count)
            st = refuse_columns(w, "there is no such predicate");
        else
            keys[i].pred = &p->preds[keys[i].index];
    }
    if (!st && count)
        qsort(keys, count, sizeof *keys, compare_column_preds);
    for (size_t i = 0; i < count && !st; i++)
        w->preds[i] = keys[i].index;
    w->pred_count = st ? 0 : count;
    mgi_free(keys);
    return st;
}

/* ---- in which order ---------------------------------------------------------------------- */

static int compare_hashes(const void *left, const void *right)
{
    const struct column_row *a = left, *b = right;
    if (a->hash != b->hash)
        return a->hash < b->hash ? -1 : 1;
    return a->rank < b->rank ? -1 : a->rank > b->rank;
}

static int compare_column_texts(const void *left, const void *right, void *context)
{
    const struct column_row *a = left, *b = right;
    const struct buf *texts = context;
    int order = mgi_str_compare((struct str){ texts->ptr + a->text, a->text_len },
                                (struct str){ texts->ptr + b->text, b->text_len });
    return order ? order : a->rank < b->rank ? -1 : a->rank > b->rank;
}

/* Room for one more text in `out`. */
static void allow_text(struct buf *out)
{
    out->limit = out->len + VALUE_TEXT_MAX;
}

static enum mangle_status text_failed(struct column_writer *w, const struct buf *out,
                                      const struct pred *pred)
{
    return out->full ? refuse_columns(w, "a fact of \"%.*s\" has a text of more than 64 MiB",
                                      STR_ARG(pred->name))
                     : MANGLE_ERR_NOMEM;
}

/* Atoms of one hash, by canonical text. */
static enum mangle_status sort_ties(struct column_writer *w, const struct pred *pred,
                                    const struct rel *rel, struct column_row *rows, size_t count)
{
    mgi_buf_clear(&w->texts);
    for (size_t i = 0; i < count; i++) {
        rows[i].text = w->texts.len;
        allow_text(&w->texts);
        for (uint32_t a = 0; a < pred->arity; a++) {
            mgi_buf_puts(&w->texts, a ? "," : "(");
            mgi_value_print(&w->texts, w->o->values, mgi_rel_row(rel, rows[i].row)[a],
                            MANGLE_CANONICAL);
        }
        mgi_buf_putc(&w->texts, ')');
        if (w->texts.oom)
            return text_failed(w, &w->texts, pred);
        rows[i].text_len = w->texts.len - rows[i].text;
    }
    qsort_r(rows, count, sizeof *rows, compare_column_texts, &w->texts);
    return MANGLE_OK;
}

static enum mangle_status sort_rows(struct column_writer *w, size_t i)
{
    const struct pred *pred = column_pred(w, i);
    const struct rel *rel = &w->o->rels[w->preds[i]];
    size_t count = 0;
    const uint32_t *found = mgi_overlay_rows(w->o, w->preds[i], NULL, &count);
    struct column_row *rows = found ? mgi_calloc(count + 1, sizeof *rows) : NULL;
    if (!rows)
        return MANGLE_ERR_NOMEM;
    w->rows[i] = rows;
    w->row_counts[i] = count;
    for (size_t f = 0; f < count; f++)
        rows[f] =
            (struct column_row){ .hash = mgi_atom_hash(w->o->values, pred->name,
                                                       mgi_rel_row(rel, found[f]), pred->arity),
                                 .row = found[f],
                                 .rank = (uint32_t)f };
    if (count)
        qsort(rows, count, sizeof *rows, compare_hashes);
    enum mangle_status st = MANGLE_OK;
    for (size_t from = 0, to; from < count && !st; from = to) {
        for (to = from + 1; to < count && rows[to].hash == rows[from].hash; to++) {
        }
        if (to > from + 1)
            st = sort_ties(w, pred, rel, rows + from, to - from);
    }
    return st;
}

/* ---- what can be read back --------------------------------------------------------------- */

/* A dot at the end of a name ends a clause if a blank or nothing follows (M-LEX-22). */
static bool name_reads_back(struct str s, bool before_blank)
{
    return mgi_name_is_lexical(s) && !(before_blank && s.ptr[s.len - 1] == '.');
}

static bool scalar_reads_back(const mangle_values *t, mangle_value v, bool before_blank)
{
    struct str s;
    if (mangle_kind_of(t, v) != MANGLE_NAME)
        return true;
    s.ptr = mangle_text_of(t, v, &s.len);
    return name_reads_back(s, before_blank);
}

static bool push_part(struct column_writer *w, size_t *count, mangle_value v)
{
    if (mangle_kind_of(w->o->values, v) < MANGLE_PAIR)
        return true;
    if (!mgi_grow(&w->stack, &w->stack_cap, *count + 1, sizeof *w->stack))
        return false;
    w->stack[(*count)++] = v;
    return true;
}

/* Are all names of `v` such that the tokeniser finds them again? *oom: memory was short. */
static bool names_read_back(struct column_writer *w, mangle_value v, bool *oom)
{
    const mangle_values *t = w->o->values;
    bool good = scalar_reads_back(t, v, true);
    size_t count = 0;
    *oom = !push_part(w, &count, v);
    while (good && count > 0 && !*oom) {
        mangle_value at = w->stack[--count], key, part;
        if (mangle_kind_of(t, at) == MANGLE_PAIR) {
            mangle_pair_of(t, at, &key, &part);
            good = scalar_reads_back(t, key, false) && scalar_reads_back(t, part, false);
            *oom = !push_part(w, &count, key) || !push_part(w, &count, part);
            continue;
        }
        while (good && !*oom && mangle_next(t, &at, &key, &part)) {
            good = scalar_reads_back(t, part, false);
            if (key != MANGLE_NONE) {
                good = good && scalar_reads_back(t, key, true);
                *oom = !push_part(w, &count, key);
            }
            *oom = *oom || !push_part(w, &count, part);
        }
    }
    return good && !*oom;
}

static enum mangle_status refuse_fact_text(struct column_writer *w, size_t i, size_t f,
                                           uint32_t column, const char *why)
{
    const struct pred *pred = column_pred(w, i);
    struct mangle_fact fact = { .pred = w->preds[i],
                                .count = pred->arity,
                                .args = mgi_rel_row(&w->o->rels[w->preds[i]], w->rows[i][f].row) };
    char *text =
        mangle_fact_print(w->o->base->program, w->o->values, &fact, MANGLE_CANONICAL, NULL);
    struct buf shown = { 0 };
    if (text)
        mgi_utf8_show(&shown, mgi_utf8_prefix(str_of(text), 200));
    else
        mgi_buf_str(&shown, pred->name);
    mangle_free(text);
    enum mangle_status st = shown.oom ? MANGLE_ERR_NOMEM
                                      : refuse_columns(w, "argument %u of %s cannot be written: %s",
                                                       column + 1, shown.ptr ? shown.ptr : "", why);
    mgi_buf_fini(&shown);
    return st;
}

static enum mangle_status write_value(struct column_writer *w, size_t i, size_t f, uint32_t column)
{
    mangle_value v = mgi_rel_row(&w->o->rels[w->preds[i]], w->rows[i][f].row)[column];
    bool oom;
    allow_text(w->out);
    bool printed = mgi_value_print(w->out, w->o->values, v, MANGLE_FILE);
    if (w->out->oom)
        return text_failed(w, w->out, column_pred(w, i));
    if (!printed)
        return refuse_fact_text(w, i, f, column, "NaN, an infinity, or text that is not UTF-8");
    if (mgi_value_depth(w->o->values, v) >= PARSE_MAX_DEPTH)
        return refuse_fact_text(w, i, f, column, "nested too deep to be read");
    if (!names_read_back(w, v, &oom))
        return oom ? MANGLE_ERR_NOMEM
                   : refuse_fact_text(w, i, f, column, "a name that no program text can hold");
    w->out->limit = 0;
    mgi_buf_putc(w->out, '\n');
    return MANGLE_OK;
}

/* ---- the file ---------------------------------------------------------------------------- */

static enum mangle_status write_header(struct column_writer *w, bool empty_ones)
{
    size_t kept = 0;
    for (size_t i = 0; i < w->pred_count; i++) {
        const struct pred *pred = column_pred(w, i);
        if (!empty_ones && !w->row_counts[i])
            continue;
        kept++;
        if (pred->arity > COLUMNS_MAX_ARITY)
            return refuse_columns(w, "\"%.*s\" has more than %d arguments", STR_ARG(pred->name),
                                  COLUMNS_MAX_ARITY);
    }
    if (kept > COLUMNS_MAX_PREDS)
        return refuse_columns(w, "there are more than %d predicates", COLUMNS_MAX_PREDS);
    w->out->limit = 0;
    mgi_buf_printf(w->out, "%zu\n", kept);
    for (size_t i = 0; i < w->pred_count; i++)
        if (empty_ones || w->row_counts[i])
            mgi_buf_printf(w->out, "%.*s %u %zu\n", STR_ARG(column_pred(w, i)->name),
                           column_pred(w, i)->arity, w->row_counts[i]);
    return w->out->oom ? MANGLE_ERR_NOMEM : MANGLE_OK;
}

static enum mangle_status write_columns(struct column_writer *w, const mangle_pred *preds,
                                        size_t count)
{
    enum mangle_status st =
        sort_preds(w, preds, preds ? count : mangle_program_pred_count(w->o->base->program));
    for (size_t i = 0; i < w->pred_count && !st; i++)
        st = sort_rows(w, i);
    if (!st)
        st = write_header(w, preds != NULL);
    for (size_t i = 0; i < w->pred_count && !st; i++)
        for (uint32_t column = 0; column < column_pred(w, i)->arity && !st; column++)
            for (size_t f = 0; f < w->row_counts[i] && !st; f++)
                st = write_value(w, i, f, column);
    return !st && w->out->oom ? MANGLE_ERR_NOMEM : st;
}

enum mangle_status mangle_overlay_columns(mangle_overlay *o, const mangle_pred *preds, size_t count,
                                          char **out, size_t *len, struct mangle_error *err)
{
    struct buf text = { 0 };
    struct column_writer w = { .o = o, .out = &text, .err = err };
    *out = NULL;
    *len = 0;
    if (!o->evaluated || o->failed)
        return refuse_columns(&w, "the overlay is not evaluated");
    struct arena_mark mark = mgi_arena_mark(&o->arena);
    enum mangle_status st = mgi_overlay_complete(o, MANGLE_NO_PRED);
    if (!st)
        st = write_columns(&w, preds, count);
    mgi_arena_rewind(&o->arena, mark);
    if (!st)
        *out = mgi_buf_take(&text, len);
    else
        mgi_buf_fini(&text);
    for (size_t i = 0; i < w.pred_count; i++)
        mgi_free(w.rows[i]);
    mgi_free(w.rows);
    mgi_free(w.row_counts);
    mgi_free(w.preds);
    mgi_free(w.stack);
    mgi_buf_fini(&w.texts);
    return st;
}
