/* Column files into a base (M-IO-40, 43 to 47). A line is parsed as one term and evaluated, with
 * one parser for all of them and scratch memory that each line uses again: a file costs its values
 * and no syntax trees. Facts are added when everything has been read and found right. */
#include "base/alloc.h"
#include "mangle/base.h"
#include "mangle/columns.h"
#include "mangle/front_int.h"
#include "mangle/parse_int.h"

struct column_reader {
    mangle_base *base;
    mangle_diags *diags;
    struct columns *c;
    mangle_pred *preds;  /* of the header's, in its order; heap */
    mangle_value *cells; /* all values in the order of the file; heap */
    size_t cell_count;
    struct parser parser;
    struct check check;
    struct clause clause; /* what the check looks at */
    struct arena scratch; /* of the line at hand */
    bool failed, oom;
};

/* ---- predicates -------------------------------------------------------------------------- */

static bool find_column_preds(struct column_reader *r)
{
    const struct columns *c = r->c;
    r->preds = mgi_alloc((c->count + 1) * sizeof *r->preds);
    if (!r->preds)
        return false;
    for (size_t i = 0; i < c->count; i++) {
        const struct column_pred *p = &c->preds[i];
        r->check.failed = false;
        r->preds[i] = mgi_fact_pred(&r->check, p->name, p->arity, p->span);
        r->failed |= r->check.failed;
        r->cell_count += (size_t)(p->arity * p->facts); /* not more than lines in the text */
    }
    return true;
}

/* ---- values ------------------------------------------------------------------------------ */

static void refuse_value(struct column_reader *r, const char *code, struct span span,
                         const char *hint, const char *message)
{
    mgi_check_error(&r->check, code, span, hint, "%s", message);
}

/* After the term only one `.`, blanks and comments may follow (M-SYN-16). */
static bool term_ends(struct parser *x)
{
    if (x->token.kind == TOKEN_DOT)
        mgi_parser_next(x);
    return x->token.kind == TOKEN_END || mgi_parser_expected(x, "nothing after the value");
}

static mangle_value evaluate_value(struct column_reader *r, struct term *t)
{
    struct check *k = &r->check;
    struct parser *x = &r->parser;
    if (x->var_count) {
        refuse_value(r, "VAR_UNBOUND", x->vars[0].first, "Facts hold values only.",
                     "a variable has no value here");
        return MANGLE_NONE;
    }
    r->clause.head.args = t;
    r->clause.head.count = 1;
    mgi_resolve_functions(k);
    if (k->failed)
        return MANGLE_NONE;
    if (mgi_term_reads_now(t)) {
        refuse_value(r, "FACT_EVAL", t->span, "Write it into the program.",
                     "a fact of a base cannot read the evaluation time");
        return MANGLE_NONE;
    }
    return mgi_term_evaluate(k, t);
}

/* MANGLE_NONE after reporting. */
static mangle_value read_value(struct column_reader *r, struct span line)
{
    struct parser *x = &r->parser;
    struct term t;
    x->lexer.at = line.start;
    x->lexer.text.len = line.end; /* a term ends with its line */
    x->consumed_end = line.start;
    mgi_parser_forget(x);
    mgi_parser_next(x);
    r->check.failed = false;
    mangle_value v = MANGLE_NONE;
    if (mgi_parse_value(x, &t, 0) && term_ends(x))
        v = t.kind == TERM_CONST ? t.value : evaluate_value(r, &t);
    mgi_arena_reset(&r->scratch);
    mgi_arena_reset(&r->check.scratch);
    return v;
}

static bool read_values(struct column_reader *r)
{
    uint32_t at = r->c->body;
    struct span line = { 0 };
    r->cells = mgi_alloc((r->cell_count + 1) * sizeof *r->cells);
    if (!r->cells)
        return false;
    mgi_parser_init(&r->parser, &r->c->source, 0, &r->scratch, r->base->values, r->diags);
    for (size_t i = 0; i < r->cell_count && !r->parser.oom && !r->check.oom; i++) {
        mgi_columns_line(r->c->source.text, &at, &line);
        r->cells[i] = read_value(r, line);
        r->failed |= r->cells[i] == MANGLE_NONE;
    }
    bool oom = r->parser.oom || r->check.oom;
    mgi_parser_fini(&r->parser);
    return !oom;
}

/* ---- facts ------------------------------------------------------------------------------- */

/* M-IO-46: atoms only; of a temporal predicate they hold always (M-SYN-56). */
static enum mangle_status add_columns(struct column_reader *r)
{
    enum mangle_status st = MANGLE_OK;
    const mangle_value *cells = r->cells;
    mangle_value row[COLUMNS_MAX_ARITY];
    for (size_t i = 0; i < r->c->count && !st; i++) {
        const struct column_pred *p = &r->c->preds[i];
        size_t facts = (size_t)p->facts;
        for (size_t f = 0; f < facts && !st; f++) {
            for (uint32_t a = 0; a < p->arity; a++)
                row[a] = cells[a * facts + f];
            st = mgi_eval_give(&r->base->eval, r->preds[i], row, MANGLE_ALWAYS);
        }
        cells += p->arity * facts;
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
        struct column_reader r = { .base = base, .diags = diags, .c = &c };
        mgi_arena_init(&r.scratch, 0);
        r.check = (struct check){ .p = base->program,
                                  .values = base->values,
                                  .arena = &r.scratch,
                                  .diags = diags,
                                  .source = &c.source,
                                  .c = &r.clause };
        mgi_arena_init(&r.check.scratch, 0);
        st = read_all(&r);
        mgi_free(r.preds);
        mgi_free(r.cells);
        mgi_arena_fini(&r.check.scratch);
        mgi_arena_fini(&r.scratch);
    }
    mgi_diags_sort(diags);
    mgi_columns_fini(&c);
    return st;
}
