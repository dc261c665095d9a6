/* Outlines for editors: occurrences (outline_scan.c), the packages that names belong to, and what
 * the analysed program knows of predicates and types. */
#include "base/alloc.h"
#include "base/buf.h"
#include "mangle/compile.h"
#include "mangle/program/diag.h"
#include "mangle/edit/outline_int.h"
#include "mangle/check/type.h"

/* ---- packages (section 7) ------------------------------------------------------------------- */

struct naming {
    struct mangle_outline *o;
    struct strmap defined; /* "package NUL name/arity" */
    struct buf key;
    bool oom;
};

static struct str defined_key(struct naming *n, struct str package,
                              const struct mangle_occurrence *at)
{
    mgi_buf_clear(&n->key);
    mgi_buf_str(&n->key, package);
    mgi_buf_putc(&n->key, 0);
    mgi_buf_printf(&n->key, "%s/%u", at->text, at->arity);
    n->oom |= n->key.oom;
    return mgi_buf_view(&n->key);
}

static void name_occurrence(struct naming *n, struct mangle_occurrence *at)
{
    struct str text = str_of(at->text), package = n->o->packages[at->source];
    uint32_t found;
    at->prefix = (uint32_t)text.len;
    while (at->prefix > 0 && text.ptr[at->prefix - 1] != '.')
        at->prefix--;
    if (!package.len || !mgi_strmap_get(&n->defined, defined_key(n, package, at), &found))
        return;
    at->name = mgi_arena_printf(&n->o->arena, "%.*s.%s", STR_ARG(package), at->text);
    n->oom |= !at->name;
}

static bool name_all(struct mangle_outline *o)
{
    struct naming n = { .o = o };
    mgi_strmap_init(&n.defined);
    for (size_t i = 0; i < o->count; i++)
        if (o->items[i].kind == MANGLE_AT_PREDICATE && o->items[i].role != MANGLE_USES)
            n.oom |= !mgi_strmap_put(
                &n.defined, defined_key(&n, o->packages[o->items[i].source], &o->items[i]), 1);
    for (size_t i = 0; i < o->count && !n.oom; i++)
        if (o->items[i].kind == MANGLE_AT_PREDICATE)
            name_occurrence(&n, &o->items[i]);
    mgi_strmap_fini(&n.defined);
    mgi_buf_fini(&n.key);
    return !n.oom;
}

/* ---- types ---------------------------------------------------------------------------------- */

struct listening {
    struct mangle_outline *o;
    const mangle_diags *diags;
    bool oom;
};

static bool blamed(void *context, struct span clause)
{
    struct listening *l = context;
    return mgi_diags_blame(l->diags, clause);
}

static const char *type_text(struct listening *l, const struct term *type)
{
    struct buf text = { 0 };
    mgi_term_print(&text, l->o->program->values, NULL, type);
    const char *kept = text.oom ? NULL : mgi_arena_str(&l->o->arena, mgi_buf_view(&text)).ptr;
    mgi_buf_fini(&text);
    l->oom |= !kept;
    return kept;
}

static void hear_rule(void *context, const struct clause *c, const struct term *const *vars)
{
    struct listening *l = context;
    const char **texts = mgi_arena_calloc(&l->o->arena, (size_t)c->var_count + 1, sizeof *texts);
    if (!texts) {
        l->oom = true;
        return;
    }
    for (uint32_t i = 0; i < c->var_count; i++)
        texts[i] = vars[i] ? type_text(l, vars[i]) : NULL;
    l->o->vars[c - l->o->program->clauses] = texts;
}

static void hear_column(void *context, mangle_pred pred, uint32_t column, const struct term *type)
{
    struct listening *l = context;
    const char ***texts = &l->o->columns[pred];
    if (!*texts)
        *texts = mgi_arena_calloc(&l->o->arena, (size_t)l->o->program->preds[pred].arity + 1,
                                  sizeof **texts);
    if (*texts)
        (*texts)[column] = type_text(l, type);
    else
        l->oom = true;
}

/* Types that are not well-formed would lead the inference astray: none is told then. */
static enum mangle_status infer(struct mangle_outline *o, const mangle_diags *diags)
{
    struct listening l = { .o = o, .diags = diags };
    struct type_listener listener = { blamed, hear_rule, hear_column, &l };
    const mangle_program *p = o->program;
    o->columns = mgi_arena_calloc(&o->arena, p->pred_count + 1, sizeof *o->columns);
    o->vars = mgi_arena_calloc(&o->arena, p->clause_count + 1, sizeof *o->vars);
    if (!o->columns || !o->vars)
        return MANGLE_ERR_NOMEM;
    if (mgi_diags_has_class(diags, "DECL_BOUND_") || mgi_diags_has_class(diags, "DECL_CYCLE"))
        return MANGLE_OK;
    enum mangle_status st = mgi_infer_types(o->program, &listener);
    return l.oom ? MANGLE_ERR_NOMEM : st;
}

/* ---- life ----------------------------------------------------------------------------------- */

static enum mangle_status scan_sources(struct mangle_outline *o, size_t count)
{
    o->packages = mgi_arena_calloc(&o->arena, count + 1, sizeof *o->packages);
    o->source_first = mgi_arena_calloc(&o->arena, count + 1, sizeof *o->source_first);
    if (!o->packages || !o->source_first)
        return MANGLE_ERR_NOMEM;
    for (size_t i = 0; i < count; i++) {
        if (!mgi_outline_scan(o, (uint32_t)i))
            return MANGLE_ERR_NOMEM;
        o->source_first[i + 1] = o->count;
    }
    return name_all(o) ? MANGLE_OK : MANGLE_ERR_NOMEM;
}

enum mangle_status mangle_outline_new(const struct mangle_source *sources, size_t count,
                                      const struct mangle_compile_options *options,
                                      mangle_outline **out, mangle_diags *diags)
{
    *out = NULL;
    mangle_outline *o = mgi_calloc(1, sizeof *o);
    mangle_diags *own = diags ? NULL : mangle_diags_new(), *to = diags ? diags : own;
    enum mangle_status st = MANGLE_ERR_NOMEM;
    if (o) {
        mgi_arena_init(&o->arena, 0);
        o->program = mgi_program_new();
    }
    if (o && o->program && to) {
        /* clang-format off */
        st = mgi_analyse(o->program, sources, count, options, to);
        if (!st) st = scan_sources(o, count); /* what stands where */
        if (!st) st = infer(o, to);           /* and of which type it is */
        if (!st && mgi_diags_status(to) == MANGLE_ERR_NOMEM) st = MANGLE_ERR_NOMEM;
        /* clang-format on */
        mgi_diags_sort(to);
    }
    mangle_diags_free(own);
    if (st)
        mangle_outline_free(o);
    else
        *out = o;
    return st;
}

void mangle_outline_free(mangle_outline *o)
{
    if (!o)
        return;
    mgi_program_free(o->program);
    mgi_free(o->items);
    mgi_free(o->clauses);
    mgi_arena_fini(&o->arena);
    mgi_free(o);
}

/* ---- reading -------------------------------------------------------------------------------- */

size_t mangle_outline_count(const mangle_outline *o)
{
    return o->count;
}

struct mangle_occurrence mangle_outline_get(const mangle_outline *o, size_t index)
{
    return o->items[index];
}

size_t mangle_outline_find(const mangle_outline *o, uint32_t source, uint32_t offset)
{
    size_t low = o->source_first[source], end = o->source_first[source + 1], high = end;
    while (low < high) { /* the first that ends at the offset or behind it */
        size_t middle = low + (high - low) / 2;
        if (o->items[middle].end < offset)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < end && o->items[low].end == offset && low + 1 < end &&
        o->items[low + 1].start == offset)
        return low + 1; /* between two: the one that begins here */
    return low < end && o->items[low].start <= offset ? low : SIZE_MAX;
}

size_t mangle_outline_clause_count(const mangle_outline *o)
{
    return o->clause_count;
}

struct mangle_outline_clause mangle_outline_clause(const mangle_outline *o, size_t index)
{
    return o->clauses[index];
}

const mangle_program *mangle_outline_program(const mangle_outline *o)
{
    return o->program;
}

const char *mangle_outline_column_type(const mangle_outline *o, mangle_pred pred, uint32_t column)
{
    const struct pred *p = &o->program->preds[pred];
    if (column >= p->arity)
        return NULL;
    if (p->decl && p->decl->bound_row_count && p->bounds)
        return p->bounds[column];
    return o->columns[pred] ? o->columns[pred][column] : NULL;
}

/* The parsed clause that begins there, or NULL: clauses stand in the order of the text. */
static const struct clause *parsed_clause(const mangle_outline *o, uint32_t source, uint32_t start)
{
    size_t low = 0, high = o->program->clause_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct span *s = &o->program->clauses[middle].span;
        if (s->source < source || (s->source == source && s->start < start))
            low = middle + 1;
        else
            high = middle;
    }
    if (low >= o->program->clause_count)
        return NULL;
    const struct clause *c = &o->program->clauses[low];
    return c->span.source == source && c->span.start == start ? c : NULL;
}

static const char *declared_var_type(const mangle_outline *o, const struct mangle_occurrence *head,
                                     const char *var)
{
    mangle_pred pred = mangle_pred_find(o->program, head->name, head->arity);
    if (pred == MANGLE_NO_PRED || !o->program->preds[pred].arg_names)
        return NULL;
    for (uint32_t i = 0; i < o->program->preds[pred].arity; i++)
        if (strcmp(o->program->preds[pred].arg_names[i], var) == 0)
            return mangle_outline_column_type(o, pred, i);
    return NULL;
}

const char *mangle_outline_var_type(const mangle_outline *o, size_t occurrence)
{
    const struct mangle_occurrence *at = &o->items[occurrence];
    if (at->kind != MANGLE_AT_VARIABLE || at->clause == MANGLE_NO_CLAUSE)
        return NULL;
    const struct mangle_outline_clause *clause = &o->clauses[at->clause];
    if (clause->declaration)
        return clause->head == SIZE_MAX ? NULL
                                        : declared_var_type(o, &o->items[clause->head], at->text);
    const struct clause *c = parsed_clause(o, clause->source, clause->start);
    const char **types = c ? o->vars[c - o->program->clauses] : NULL;
    for (uint32_t i = 0; types && i < c->var_count; i++)
        if (str_is(c->vars[i].name, at->text))
            return types[i];
    return NULL;
}

const char *mangle_outline_arg_doc(const mangle_outline *o, mangle_pred pred, uint32_t column)
{
    const struct pred *p = &o->program->preds[pred];
    const mangle_values *values = o->program->values;
    for (uint32_t i = 0; p->arg_names && column < p->arity && i < p->descriptor_count; i++) {
        const struct descriptor *d = &p->descriptors[i];
        size_t len;
        if (!str_is(d->name, "arg") || d->count < 2 || d->args[0] == MANGLE_NONE ||
            d->args[1] == MANGLE_NONE || mangle_kind_of(values, d->args[0]) != MANGLE_STRING ||
            mangle_kind_of(values, d->args[1]) != MANGLE_STRING)
            continue;
        const char *name = mangle_text_of(values, d->args[0], &len);
        if (str_eq((struct str){ name, len }, str_of(p->arg_names[column])))
            return mangle_text_of(values, d->args[1], &len);
    }
    return NULL;
}
