/* Reading facts after evaluation: all of a predicate, those that match, those of a query text. */
#include "mangle/run/base.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "mangle/program/diag.h"
#include "mangle/check/suggest.h"
#include "mangle/check/target.h"

/* ---- rows ------------------------------------------------------------------------------------ */

static bool matches(const struct rel *rel, uint32_t row, const mangle_value *pattern)
{
    const uint32_t *words = mgi_rel_row(rel, row);
    if (!mgi_rel_live(rel, row))
        return false;
    for (uint32_t i = 0; pattern && i < rel->arity; i++)
        if (pattern[i] != MANGLE_NONE && pattern[i] != words[i])
            return false;
    return true;
}

/* The frozen index with the most columns that the pattern knows. */
static uint32_t best_index(const struct rel *rel, const mangle_value *pattern)
{
    uint32_t best = REL_NONE;
    for (uint32_t i = 0; pattern && i < rel->index_count; i++) {
        const struct search *s = rel->indexes[i].search;
        bool known = s->frozen;
        for (uint32_t k = 0; k < s->count; k++)
            known &= pattern[s->columns[k]] != MANGLE_NONE;
        if (known && (best == REL_NONE || s->count > rel->indexes[best].search->count))
            best = i;
    }
    return best;
}

struct row_list {
    struct arena *arena;
    uint32_t *rows;
    size_t count, cap;
    bool oom;
};

static void add_row(struct row_list *list, uint32_t row)
{
    if (list->count == list->cap &&
        !mgi_arena_grow(list->arena, &list->rows, &list->cap, list->count + 1, sizeof row)) {
        list->oom = true;
        return;
    }
    list->rows[list->count++] = row;
}

/* Those of the base, where no plan has asked for an index that the pattern knows. */
static size_t collect_scanned(mangle_overlay *o, mangle_pred pred, const mangle_value *pattern,
                              struct row_list *list)
{
    const struct rel *rel = &o->rels[pred];
    uint32_t begin = 0, end = rel->first;
    const uint32_t *rows = pattern && rel->arity > 0 && pattern[0] != MANGLE_NONE
                               ? mgi_match_rows(o->matched, pred, rel, pattern[0], &begin, &end)
                               : NULL;
    for (uint32_t i = begin; i < end; i++)
        if (matches(rel, rows ? rows[i] : i, pattern))
            add_row(list, rows ? rows[i] : i);
    return end - begin;
}

/* How many rows were looked at: few where an index knows what the pattern does. */
static size_t collect_below(mangle_overlay *o, mangle_pred pred, const mangle_value *pattern,
                            struct row_list *list)
{
    const struct rel *rel = &o->rels[pred];
    uint32_t index = best_index(rel, pattern);
    if (index == REL_NONE)
        return collect_scanned(o, pred, pattern, list);
    const struct search *s = rel->indexes[index].search;
    uint32_t key[SEARCH_MAX_COLUMNS];
    for (uint32_t k = 0; k < s->count; k++)
        key[k] = pattern[s->columns[k]];
    struct group g = mgi_index_group(rel->below, index, key);
    for (uint32_t i = g.start; i < g.end; i++) {
        uint32_t row = mgi_index_row(rel->below, index, i, key);
        if (matches(rel, row, pattern))
            add_row(list, row);
    }
    return g.end - g.start;
}

static size_t collect(mangle_overlay *o, mangle_pred pred, const mangle_value *pattern,
                      struct row_list *list)
{
    const struct rel *rel = &o->rels[pred];
    size_t looked_at = collect_below(o, pred, pattern, list);
    for (uint32_t row = rel->first; row < mgi_rel_end(rel); row++)
        if (matches(rel, row, pattern))
            add_row(list, row);
    return looked_at + (mgi_rel_end(rel) - rel->first);
}

const uint32_t *mgi_overlay_matching(mangle_overlay *o, mangle_pred pred,
                                     const mangle_value *pattern, size_t *count, int64_t *steps)
{
    static const uint32_t none;
    struct row_list list = { .arena = &o->arena };
    *steps -= (int64_t)collect(o, pred, pattern, &list);
    *count = list.count;
    return list.oom ? NULL : list.count ? list.rows : &none;
}

uint32_t *mgi_overlay_rows(mangle_overlay *o, mangle_pred pred, const mangle_value *pattern,
                           size_t *count)
{
    const struct rel *rel = &o->rels[pred];
    struct row_list list = { .arena = &o->arena };
    (void)collect(o, pred, pattern, &list);
    *count = list.count;
    if (list.oom || list.count == 1)
        return list.oom ? NULL : list.rows;
    uint32_t *spare = mgi_arena_alloc(&o->arena, (list.count + 1) * sizeof *spare);
    if (!spare || list.count == 0)
        return spare;
    return mgi_sort_rows(&o->eval, rel, list.rows, spare, list.count) ? NULL : list.rows;
}

/* ---- facts ----------------------------------------------------------------------------------- */

static size_t count_facts(const struct rel *rel, const uint32_t *rows, size_t count)
{
    if (!rel->temporal)
        return count;
    size_t n = 0;
    for (size_t i = 0; i < count; i++)
        n += mgi_times_count(rel, rows[i]);
    return n;
}

static bool make_facts(mangle_overlay *o, mangle_pred pred, const mangle_value *pattern,
                       struct fact_list *out)
{
    const struct rel *rel = &o->rels[pred];
    size_t rows_count = 0, n = 0;
    const uint32_t *rows = NULL;
    if (mgi_rel_end(rel) > 0 && !(rows = mgi_overlay_rows(o, pred, pattern, &rows_count)))
        return false;
    out->count = count_facts(rel, rows, rows_count);
    out->facts = mgi_arena_alloc(&o->arena, (out->count + 1) * sizeof *out->facts);
    if (!out->facts)
        return false;
    for (size_t i = 0; i < rows_count; i++) {
        struct mangle_fact fact = { .pred = pred, .count = rel->arity, .t = MANGLE_ALWAYS };
        fact.args = mgi_rel_row(rel, rows[i]);
        fact.temporal = rel->temporal;
        uint32_t spans = 1;
        const struct mangle_interval *run =
            rel->temporal ? mgi_times_run(rel, rows[i], &spans) : NULL;
        for (uint32_t s = 0; s < spans; s++) {
            if (run)
                fact.t = run[s];
            out->facts[n++] = fact;
        }
    }
    return true;
}

static bool readable(const mangle_overlay *o, mangle_pred pred)
{
    return o->evaluated && !o->failed && pred < o->base->program->pred_count;
}

enum mangle_status mangle_overlay_facts(mangle_overlay *o, mangle_pred pred,
                                        const struct mangle_fact **facts, size_t *count)
{
    *facts = NULL;
    *count = 0;
    if (!readable(o, pred))
        return MANGLE_ERR_INPUT;
    enum mangle_status st = mgi_overlay_complete(o, pred);
    if (st)
        return st;
    struct fact_list *list = &o->lists[pred];
    if (!list->facts) {
        if (!make_facts(o, pred, NULL, list)) {
            *list = (struct fact_list){ 0 };
            return MANGLE_ERR_NOMEM;
        }
        o->listed[o->listed_count++] = pred;
    }
    *facts = list->facts;
    *count = list->count;
    return MANGLE_OK;
}

enum mangle_status mangle_overlay_match(mangle_overlay *o, mangle_pred pred,
                                        const mangle_value *pattern,
                                        const struct mangle_fact **facts, size_t *count)
{
    struct fact_list list = { 0 };
    *facts = NULL;
    *count = 0;
    if (!readable(o, pred))
        return MANGLE_ERR_INPUT;
    enum mangle_status st = mgi_overlay_complete(o, pred);
    if (st)
        return st;
    if (!make_facts(o, pred, pattern, &list))
        return MANGLE_ERR_NOMEM;
    *facts = list.facts;
    *count = list.count;
    return MANGLE_OK;
}

bool mangle_overlay_holds(mangle_overlay *o, mangle_pred pred, const mangle_value *args)
{
    return readable(o, pred) && !mgi_overlay_complete(o, pred) &&
           mgi_rel_find(&o->rels[pred], args) != REL_NONE;
}

char *mangle_fact_print(const mangle_program *program, const mangle_values *t,
                        const struct mangle_fact *fact, enum mangle_text_form form, size_t *len)
{
    struct buf out = { .limit = VALUE_TEXT_MAX };
    mgi_buf_str(&out, program->preds[fact->pred].name);
    mgi_buf_putc(&out, '(');
    bool ok = true;
    for (uint32_t i = 0; i < fact->count && ok; i++) {
        if (i)
            mgi_buf_putc(&out, ',');
        if (fact->args[i] == MANGLE_NONE) /* `_` in the proof of an absence */
            mgi_buf_putc(&out, '_');
        else
            ok = mgi_value_print(&out, t, fact->args[i], form);
    }
    mgi_buf_putc(&out, ')');
    if (fact->temporal)
        mgi_interval_print(&out, fact->t, form == MANGLE_FILE);
    size_t length = 0;
    char *text = ok ? mgi_buf_take(&out, &length) : NULL;
    if (!ok)
        mgi_buf_fini(&out);
    if (len)
        *len = length;
    return text;
}

/* ---- query texts ----------------------------------------------------------------------------- */

/* The column where the variable of column `i` stands first, or `i`. */
static uint32_t first_column(const struct clause *c, uint32_t i)
{
    const struct term *t = &c->head.args[i];
    for (uint32_t j = 0; j < i && !c->vars[t->var].wildcard; j++)
        if (c->head.args[j].kind == TERM_VAR && c->head.args[j].var == t->var)
            return j;
    return i;
}

/* Repeated variables must match equal values (M-IO-2). */
static size_t keep_repeats(const struct clause *c, struct mangle_fact *facts, size_t count)
{
    size_t kept = 0;
    for (size_t f = 0; f < count; f++) {
        bool equal = true;
        for (uint32_t i = 0; i < c->head.count; i++)
            if (c->head.args[i].kind == TERM_VAR)
                equal &= facts[f].args[i] == facts[f].args[first_column(c, i)];
        if (equal)
            facts[kept++] = facts[f];
    }
    return kept;
}

static enum mangle_status make_pattern(mangle_overlay *o, const struct clause *c,
                                       mangle_value *pattern, mangle_diags *diags,
                                       const struct source *source)
{
    struct mangle_error err = { 0 };
    enum mangle_status st = MANGLE_OK;
    o->eval.err = &err;
    o->eval.rule = NULL;
    for (uint32_t i = 0; i < c->head.count && !st; i++) {
        pattern[i] = MANGLE_NONE;
        if (c->head.args[i].kind != TERM_VAR)
            st = mgi_eval_term(&o->eval, &c->head.args[i], &pattern[i]);
    }
    o->eval.err = NULL;
    if (st == MANGLE_ERR_EVAL && diags)
        mgi_diag_at(diags, source, MANGLE_ERROR, "EVAL_ERROR", c->head.span, NULL, "%s",
                    err.message);
    return st == MANGLE_ERR_EVAL ? MANGLE_ERR_PROGRAM : st;
}

enum mangle_status mgi_query_atom(mangle_overlay *o, struct str text, struct clause *c,
                                  mangle_value **pattern, mangle_diags *diags)
{
    struct parse_target target = { o->base->program, &o->arena, o->values, diags };
    struct source source = { .name = "query", .text = text };
    enum mangle_status st = mgi_parse_atom(&target, text, c);
    if (st)
        return st;
    *pattern = mgi_arena_alloc(&o->arena, ((size_t)c->head.count + 1) * sizeof **pattern);
    return *pattern ? make_pattern(o, c, *pattern, diags, &source) : MANGLE_ERR_NOMEM;
}

/* No error (M-IO-5), but rarely what was meant. */
static void warn_of_unknown(const mangle_program *p, struct str text, const struct atom *head,
                            mangle_diags *diags)
{
    struct source source = { .name = "query", .text = text };
    if (!diags)
        return;
    const char *arities = mgi_known_arities(p, head->name, diags);
    if (mgi_builtin_pred_find(head->name))
        mgi_diag_at(diags, &source, MANGLE_WARNING, "PRED_UNKNOWN", head->span,
                    "Queries look facts up; a rule can ask it: r(X) :- p(X), :lt(X, 3).",
                    "\"%.*s\" is built in and has no facts", STR_ARG(head->name));
    else if (strcmp(arities, "none") != 0)
        mgi_diag_at(diags, &source, MANGLE_WARNING, "PRED_UNKNOWN", head->span, NULL,
                    "there is no predicate \"%.*s\" with %u argument%s, only with %s",
                    STR_ARG(head->name), head->count, head->count == 1 ? "" : "s", arities);
    else
        mgi_diag_at(diags, &source, MANGLE_WARNING, "PRED_UNKNOWN", head->span,
                    mgi_hint_pred(p, head->name, head->count, diags),
                    "there is no predicate \"%.*s\"", STR_ARG(head->name));
}

static enum mangle_status query_atom(mangle_overlay *o, struct str text,
                                     const struct mangle_fact **facts, size_t *count,
                                     mangle_diags *diags)
{
    struct clause c;
    mangle_value *pattern;
    struct fact_list list = { 0 };
    enum mangle_status st = mgi_query_atom(o, text, &c, &pattern, diags);
    if (!st && c.head.pred == MANGLE_NO_PRED)
        warn_of_unknown(o->base->program, text, &c.head, diags);
    if (st || c.head.pred == MANGLE_NO_PRED)
        return st; /* M-IO-5: no results */
    st = mgi_overlay_complete(o, c.head.pred);
    if (st)
        return st;
    if (!make_facts(o, c.head.pred, pattern, &list))
        return MANGLE_ERR_NOMEM;
    *count = keep_repeats(&c, list.facts, list.count);
    *facts = list.facts;
    return MANGLE_OK;
}

static struct str trim(struct str s)
{
    while (s.len && strchr(" \t\r\n", s.ptr[0])) {
        s.ptr++;
        s.len--;
    }
    while (s.len && strchr(" \t\r\n.", s.ptr[s.len - 1]))
        s.len--;
    return s;
}

/* All predicates of this name, by arity (M-EVAL-30). */
static enum mangle_status query_name(mangle_overlay *o, struct str name,
                                     const struct mangle_fact **facts, size_t *count,
                                     mangle_diags *diags)
{
    const mangle_program *p = o->base->program;
    struct mangle_fact *all = NULL;
    size_t n = 0, cap = 0;
    bool known = false;
    uint32_t arity_max = 0;
    for (size_t i = 0; i < p->pred_count; i++)
        if (str_eq(p->preds[i].name, name) && p->preds[i].arity > arity_max)
            arity_max = p->preds[i].arity;
    for (uint32_t arity = 0; arity <= arity_max; arity++) {
        mangle_pred pred = mgi_pred_find(p, name, arity);
        if (pred == MANGLE_NO_PRED)
            continue;
        const struct mangle_fact *some;
        size_t more;
        known = true;
        enum mangle_status st = mangle_overlay_facts(o, pred, &some, &more);
        if (st)
            return st;
        if (!mgi_arena_grow(&o->arena, &all, &cap, n + more + 1, sizeof *all))
            return MANGLE_ERR_NOMEM;
        memcpy(all + n, some, more * sizeof *all);
        n += more;
    }
    if (!known) {
        struct source source = { .name = "query", .text = name };
        if (diags)
            mgi_diag_at(diags, &source, MANGLE_ERROR, "PRED_UNKNOWN",
                        (struct span){ 0, 0, (uint32_t)name.len },
                        mgi_hint_pred(o->base->program, name, 0, diags),
                        "there is no predicate \"%.*s\"", STR_ARG(name));
        return MANGLE_ERR_PROGRAM;
    }
    *facts = all;
    *count = n;
    return MANGLE_OK;
}

enum mangle_status mangle_overlay_query(mangle_overlay *o, const char *text, size_t len,
                                        const struct mangle_fact **facts, size_t *count,
                                        mangle_diags *diags)
{
    *facts = NULL;
    *count = 0;
    if (!o->evaluated || o->failed)
        return MANGLE_ERR_INPUT;
    struct str query = trim((struct str){ text, len });
    if (query.len && !memchr(query.ptr, '(', query.len))
        return query_name(o, query, facts, count, diags);
    return query_atom(o, (struct str){ text, len }, facts, count, diags);
}
