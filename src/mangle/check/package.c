/* Packages (mangle.md section 7): after this stage every predicate has its full name and no later
 * stage knows of packages, but for private(). Two passes: what each package defines, then renaming
 * of what refers to it. */
#include "base/alloc.h"
#include "base/buf.h"
#include "mangle/check/check.h"
#include "mangle/check/suggest.h"

struct packages {
    mangle_program *p;
    mangle_diags *diags;
    struct strmap defined; /* "package NUL name/arity" */
    struct strmap used;    /* "package NUL other" */
    struct buf key;
    bool oom;
};

static struct str package_of(const struct packages *k, uint32_t unit)
{
    return k->p->units[unit].package.name;
}

static struct str symbol_key(struct packages *k, struct str package, struct str name,
                             uint32_t arity)
{
    mgi_buf_clear(&k->key);
    mgi_buf_str(&k->key, package);
    mgi_buf_putc(&k->key, 0);
    mgi_buf_str(&k->key, name);
    mgi_buf_printf(&k->key, "/%u", arity);
    k->oom |= k->key.oom;
    return mgi_buf_view(&k->key);
}

static struct str use_key(struct packages *k, struct str package, struct str other)
{
    mgi_buf_clear(&k->key);
    mgi_buf_str(&k->key, package);
    mgi_buf_putc(&k->key, 0);
    mgi_buf_str(&k->key, other);
    k->oom |= k->key.oom;
    return mgi_buf_view(&k->key);
}

static void define(struct packages *k, uint32_t unit, const struct atom *a)
{
    struct str key = symbol_key(k, package_of(k, unit), a->name, a->count);
    k->oom |= !mgi_strmap_put(&k->defined, key, 1);
}

static bool defines(struct packages *k, struct str package, struct str name, uint32_t arity)
{
    uint32_t found;
    return mgi_strmap_get(&k->defined, symbol_key(k, package, name, arity), &found);
}

/* ---- pass 1 ------------------------------------------------------------------------------ */

static void collect(struct packages *k)
{
    const mangle_program *p = k->p;
    for (size_t i = 0; i < p->decl_count; i++)
        define(k, p->decls[i].unit, &p->decls[i].atom);
    for (size_t i = 0; i < p->clause_count; i++)
        define(k, p->clauses[i].unit, &p->clauses[i].head);
    for (uint32_t u = 0; u < p->source_count; u++) {
        struct str package = package_of(k, u);
        for (uint32_t i = 0; i < p->units[u].use_count; i++) {
            const struct package_use *use = &p->units[u].uses[i];
            if (package.len && str_eq(use->name, package))
                mgi_diag(k->diags, p, MANGLE_ERROR, "PKG_SELF_USE", use->span,
                         "Names of the own package need no prefix.",
                         "the package \"%.*s\" uses itself", STR_ARG(package));
            k->oom |= !mgi_strmap_put(&k->used, use_key(k, package, use->name), 1);
        }
    }
}

/* ---- pass 2 ------------------------------------------------------------------------------ */

static void rename_to(struct packages *k, struct str package, struct str *name)
{
    if (!package.len || !name->len || name->ptr[0] == ':')
        return;
    char *full = mgi_arena_printf(&k->p->arena, "%.*s.%.*s", STR_ARG(package), STR_ARG(*name));
    if (full)
        *name = str_of(full);
    else
        k->oom = true;
}

static bool is_package(const mangle_program *p, struct str name)
{
    bool found = false;
    for (uint32_t u = 0; u < p->source_count; u++)
        found |= str_eq(p->units[u].package.name, name);
    return found;
}

/* A reference from `unit` to name/arity: to its own package, or with a Use. */
static void refer(struct packages *k, uint32_t unit, struct str *name, uint32_t arity,
                  struct span span)
{
    struct str package = package_of(k, unit);
    if (!name->len || name->ptr[0] == ':')
        return;
    if (defines(k, package, *name, arity)) {
        rename_to(k, package, name);
        return;
    }
    size_t dot = name->len;
    while (dot > 0 && name->ptr[dot - 1] != '.')
        dot--;
    if (dot == 0)
        return;
    struct str other = { name->ptr, dot - 1 };
    uint32_t found;
    if (str_eq(other, package) || mgi_strmap_get(&k->used, use_key(k, package, other), &found))
        return;
    const char *near = is_package(k->p, other) ? NULL : mgi_hint_package(k->p, other, k->diags);
    if (!near)
        near = mgi_diag_text(k->diags, "Write \"Use %.*s!\" at the beginning of the file.",
                             STR_ARG(other));
    mgi_diag(k->diags, k->p, MANGLE_ERROR, "PKG_USE_MISSING", span, near,
             "the package \"%.*s\" is not used here", STR_ARG(other));
}

/* A string that names a predicate: in bounds and in merge(). */
static void refer_string(struct packages *k, uint32_t unit, struct term *t, uint32_t arity)
{
    if (t->kind != TERM_CONST || mangle_kind_of(k->p->values, t->value) != MANGLE_STRING)
        return;
    struct str name;
    name.ptr = mangle_text_of(k->p->values, t->value, &name.len);
    refer(k, unit, &name, arity, t->span);
    t->value = mangle_string(k->p->values, name.ptr, name.len);
    k->oom |= t->value == MANGLE_NONE;
}

static void rename_decl(struct packages *k, struct decl *d)
{
    for (uint32_t i = 0; i < d->bound_row_count; i++)
        for (uint32_t j = 0; j < d->bound_counts[i]; j++)
            refer_string(k, d->unit, &d->bounds[i][j], 1);
    for (uint32_t i = 0; i < d->inclusion_count; i++)
        refer(k, d->unit, &d->inclusion[i].name, d->inclusion[i].count, d->inclusion[i].span);
    for (uint32_t i = 0; i < d->descr_count; i++)
        if (str_is(d->descr[i].name, "merge") && d->descr[i].count == 2)
            refer_string(k, d->unit, &d->descr[i].args[1], 3);
    rename_to(k, package_of(k, d->unit), &d->atom.name);
}

static void rename_clause(struct packages *k, struct clause *c)
{
    mgi_diags_anchor(k->diags, &c->span);
    for (uint32_t i = 0; i < c->premise_count; i++) {
        struct premise *premise = &c->premises[i];
        if (premise->kind == PREMISE_ATOM || premise->kind == PREMISE_TEMPORAL)
            refer(k, c->unit, &premise->atom.name, premise->atom.count, premise->atom.span);
    }
    rename_to(k, package_of(k, c->unit), &c->head.name);
    mgi_diags_anchor(k->diags, NULL);
}

enum mangle_status mgi_packages(mangle_program *p, mangle_diags *diags)
{
    struct packages k = { .p = p, .diags = diags };
    mgi_strmap_init(&k.defined);
    mgi_strmap_init(&k.used);
    collect(&k);
    for (size_t i = 0; i < p->decl_count; i++)
        rename_decl(&k, &p->decls[i]);
    for (size_t i = 0; i < p->clause_count; i++)
        rename_clause(&k, &p->clauses[i]);
    mgi_strmap_fini(&k.defined);
    mgi_strmap_fini(&k.used);
    mgi_buf_fini(&k.key);
    return k.oom ? MANGLE_ERR_NOMEM : MANGLE_OK;
}
