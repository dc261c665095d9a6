/* Column files into a base (M-IO-40, 43 to 47). A file costs its values and no syntax trees; facts
 * are added when everything has been read and found right. */
#include <assert.h>

#include "base/alloc.h"
#include "mangle/run/base.h"
#include "mangle/columns/columns.h"
#include "mangle/check/target.h"
#include "mangle/text/plain.h"

#define TEXTS_TOGETHER 256
#define ROWS_WORDS     4096 /* of the rows that go into the base together */
static_assert(ROWS_WORDS >= COLUMNS_MAX_ARITY, "one row at least");

struct column_reader {
    mangle_base *base;
    mangle_diags *diags;
    struct columns *c;
    struct value_reader *lines;
    mangle_pred *preds;  /* of the header's, in its order; heap */
    mangle_value *cells; /* all values in the order of the file; heap */
    size_t cell_count;
    struct mangle_text texts[TEXTS_TOGETHER];
    size_t text_count;
    bool failed, oom;
};

static bool find_column_preds(struct column_reader *r)
{
    const struct columns *c = r->c;
    r->preds = mgi_alloc((c->count + 1) * sizeof *r->preds);
    if (!r->preds)
        return false;
    for (size_t i = 0; i < c->count; i++) {
        const struct column_pred *p = &c->preds[i];
        r->preds[i] = mgi_value_reader_pred(r->lines, p->name, p->arity, p->span);
        r->failed |= r->preds[i] == MANGLE_NO_PRED;
        r->cell_count += (size_t)(p->arity * p->facts); /* not more than lines in the text */
    }
    return true;
}

/* Values that are written plainly need no parser; texts among them become values together. */
static void end_plain(struct column_reader *r)
{
    mangle_texts(r->base->values, r->texts, r->text_count);
    for (size_t i = 0; i < r->text_count; i++)
        r->oom |= *r->texts[i].out == MANGLE_NONE;
    r->text_count = 0;
}

static bool read_plain(struct column_reader *r, struct str line, mangle_value *out)
{
    struct plain_arg a;
    if (!mgi_plain_value(line, &a))
        return false;
    if (a.kind == MANGLE_NUMBER) {
        *out = mangle_number(r->base->values, a.number);
        r->oom |= *out == MANGLE_NONE;
        return true;
    }
    r->texts[r->text_count++] = (struct mangle_text){ a.kind, a.text.ptr, a.text.len, out };
    if (r->text_count == TEXTS_TOGETHER)
        end_plain(r);
    return true;
}

static bool read_values(struct column_reader *r)
{
    struct str text = r->c->source.text;
    uint32_t at = r->c->body;
    struct span line = { 0 };
    r->cells = mgi_alloc((r->cell_count + 1) * sizeof *r->cells);
    if (!r->cells)
        return false;
    for (size_t i = 0; i < r->cell_count && !r->oom; i++) {
        mgi_columns_line(text, &at, &line);
        struct str plain = { text.ptr + line.start, line.end - line.start };
        if (read_plain(r, plain, &r->cells[i]))
            continue;
        end_plain(r);
        r->cells[i] = mgi_value_reader_line(r->lines, line);
        r->failed |= r->cells[i] == MANGLE_NONE;
        r->oom |= mgi_value_reader_oom(r->lines);
    }
    end_plain(r);
    return !r->oom;
}

/* Facts of one predicate, some rows at a time. */
static enum mangle_status add_pred(struct column_reader *r, const struct column_pred *p,
                                   mangle_pred pred, const mangle_value *cells)
{
    mangle_value rows[ROWS_WORDS];
    size_t facts = (size_t)p->facts, most = p->arity ? ROWS_WORDS / p->arity : facts;
    enum mangle_status st = MANGLE_OK;
    for (size_t from = 0, count; from < facts && !st; from += count) {
        count = facts - from < most ? facts - from : most;
        for (uint32_t a = 0; a < p->arity; a++)
            for (size_t f = 0; f < count; f++)
                rows[f * p->arity + a] = cells[a * facts + from + f];
        st = mgi_base_give_rows(r->base, pred, rows, count);
    }
    return st;
}

/* M-IO-46: atoms only; of a temporal predicate they hold always (M-SYN-56). */
static enum mangle_status add_columns(struct column_reader *r)
{
    enum mangle_status st = MANGLE_OK;
    const mangle_value *cells = r->cells;
    for (size_t i = 0; i < r->c->count && !st; i++) {
        const struct column_pred *p = &r->c->preds[i];
        st = add_pred(r, p, r->preds[i], cells);
        cells += p->arity * p->facts;
    }
    r->base->failed = st != MANGLE_OK;
    return st;
}

static enum mangle_status read_all(struct column_reader *r)
{
    if (!find_column_preds(r) || !read_values(r) ||
        (r->diags && mgi_diags_status(r->diags) == MANGLE_ERR_NOMEM))
        return MANGLE_ERR_NOMEM;
    return r->failed ? MANGLE_ERR_PROGRAM : add_columns(r);
}

enum mangle_status mangle_base_add_columns(mangle_base *base, const struct mangle_source *source,
                                           mangle_diags *diags)
{
    struct columns c;
    if (base->closed || base->failed)
        return MANGLE_ERR_INPUT;
    if (diags)
        mgi_diags_begin(diags);
    enum mangle_status st = mgi_columns_open(source, diags, &c);
    if (!st) {
        struct parse_target target = { base->program, NULL, base->values, diags };
        struct column_reader r = { .base = base, .diags = diags, .c = &c };
        r.lines = mgi_value_reader_new(&target, &c.source);
        st = r.lines ? read_all(&r) : MANGLE_ERR_NOMEM;
        mgi_value_reader_free(r.lines);
        mgi_free(r.preds);
        mgi_free(r.cells);
    }
    mgi_diags_sort(diags);
    mgi_columns_fini(&c);
    return st;
}
