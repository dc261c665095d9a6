/* Predicates: who declares them, who defines them, and what a Decl says (mangle.md section 6).
 *
 * In order (M-ANA-1): the host's predicates, declarations, clause heads, then the contents of the
 * declarations. A predicate that only a clause defines gets a synthetic entry (M-DECL-3). */
#include "base/alloc.h"
#include "base/buf.h"
#include "mangle/check/check_int.h"
#include "mangle/check/suggest.h"

#define MAX_ARITY  1024 /* M-IO-47 */
#define NOW_MARKER "__now"

struct declare {
    mangle_program *p;
    mangle_diags *diags;
    const struct mangle_compile_options *options;
    struct strmap names; /* name -> latest predicate of that name */
    struct strmap own;   /* names that the sources define; filled if the host yields */
    bool oom;
};

/* ---- the table --------------------------------------------------------------------------- */

static mangle_pred add(struct declare *k, struct str name, uint32_t arity, struct span first)
{
    mangle_pred pred = mgi_pred_add(k->p, name, arity);
    if (pred == MANGLE_NO_PRED || !mgi_strmap_put(&k->names, name, pred)) {
        k->oom = true;
        return MANGLE_NO_PRED;
    }
    k->p->preds[pred].first = first;
    return pred;
}

/* ---- the host's predicates and the declared ones ----------------------------------------- */

static void collect_own_names(struct declare *k)
{
    for (size_t i = 0; i < k->p->decl_count; i++)
        k->oom |= !mgi_strmap_put(&k->own, k->p->decls[i].atom.name, 1);
    for (size_t i = 0; i < k->p->clause_count; i++)
        k->oom |= !mgi_strmap_put(&k->own, k->p->clauses[i].head.name, 1);
}

static void add_host_preds(struct declare *k)
{
    if (k->options && k->options->host_yields)
        collect_own_names(k);
    for (size_t i = 0; k->options && i < k->options->host_pred_count && !k->oom; i++) {
        const struct mangle_host_pred *host = &k->options->host_preds[i];
        struct str name = str_of(host->name);
        uint32_t own;
        if (mgi_strmap_get(&k->own, name, &own))
            continue;
        mangle_pred pred = mgi_pred_find(k->p, name, host->arity);
        if (pred == MANGLE_NO_PRED)
            pred = add(k, name, host->arity, (struct span){ 0 });
        if (pred == MANGLE_NO_PRED)
            return;
        k->p->preds[pred].host = true;
        k->p->preds[pred].temporal |= host->temporal;
    }
}

static void add_now_marker(struct declare *k)
{
    struct str name = str_of(NOW_MARKER);
    k->p->now_marker = MANGLE_NO_PRED;
    if (!k->options || !k->options->now_marker || k->oom)
        return;
    mangle_pred pred = mgi_pred_find(k->p, name, 1);
    if (pred == MANGLE_NO_PRED)
        pred = add(k, name, 1, (struct span){ 0 });
    if (pred == MANGLE_NO_PRED)
        return;
    k->p->preds[pred].host = k->p->preds[pred].temporal = true;
    k->p->now_marker = pred;
}

/* The host knows the name with another arity, and not with this one. */
static bool host_disagrees(const struct declare *k, struct str name)
{
    uint32_t other;
    return mgi_strmap_get(&k->names, name, &other) && k->p->preds[other].host;
}

static void refuse_now_marker(struct declare *k, const struct atom *atom)
{
    if (str_eq(atom->name, str_of(NOW_MARKER)))
        mgi_diag(k->diags, k->p, MANGLE_ERROR, "SYNTAX", atom->span,
                 "Rules can read it in their bodies; its facts come from the host.",
                 "\"" NOW_MARKER "\" cannot be declared or defined");
}

static void declare_pred(struct declare *k, const struct decl *d)
{
    mangle_program *p = k->p;
    refuse_now_marker(k, &d->atom);
    mangle_pred pred = mgi_pred_find(p, d->atom.name, d->atom.count);
    if (d->atom.count > MAX_ARITY)
        mgi_diag(k->diags, p, MANGLE_ERROR, "SYNTAX", d->atom.span, NULL,
                 "a predicate has at most %d arguments", MAX_ARITY);
    if (pred == MANGLE_NO_PRED) {
        if (host_disagrees(k, d->atom.name))
            mgi_diag(k->diags, p, MANGLE_ERROR, "DECL_ARITY_CONFLICT", d->atom.span,
                     "Declare it with the arguments that the host gives.",
                     "\"%.*s\" has %u argument%s here, but comes from the host with %s",
                     STR_ARG(d->atom.name), d->atom.count, d->atom.count == 1 ? "" : "s",
                     mgi_known_arities(p, d->atom.name, k->diags));
        pred = add(k, d->atom.name, d->atom.count, d->span);
        if (pred == MANGLE_NO_PRED)
            return;
    } else if (p->preds[pred].decl) {
        mgi_diag(k->diags, p, MANGLE_ERROR, "DECL_DUPLICATE", d->atom.span,
                 "Keep one of the two declarations.",
                 "\"%.*s\" with %u argument%s is declared already, %s", STR_ARG(d->atom.name),
                 d->atom.count, d->atom.count == 1 ? "" : "s",
                 mgi_where(p, d->atom.span, p->preds[pred].first, k->diags));
        return;
    }
    struct pred *self = &p->preds[pred];
    self->host = false;
    self->decl = d;
    self->temporal = d->temporal;
    self->first = d->atom.span;
}

/* ---- heads ------------------------------------------------------------------------------- */

static void head_redefines(struct declare *k, const struct clause *c, const char *why)
{
    mgi_diag(k->diags, k->p, MANGLE_ERROR, "PRED_REDEFINED", c->head.span,
             "Give the predicate of this rule another name.", "\"%.*s\" cannot be defined here: %s",
             STR_ARG(c->head.name), why);
}

/* The entry of a head that no Decl declares and no clause defined before. */
static mangle_pred define_head(struct declare *k, struct clause *c)
{
    mangle_program *p = k->p;
    uint32_t other;
    if (host_disagrees(k, c->head.name)) {
        head_redefines(k, c, "its facts come from the host");
    } else if (mgi_strmap_get(&k->names, c->head.name, &other) &&
               !mgi_name_broken(p, c->head.name)) {
        mgi_diag(k->diags, p, MANGLE_ERROR, "ARITY_HEAD", c->head.span,
                 "To overload a name by its number of arguments, declare each with Decl.",
                 "\"%.*s\" has %u argument%s here and %u %s", STR_ARG(c->head.name), c->head.count,
                 c->head.count == 1 ? "" : "s", p->preds[other].arity,
                 mgi_where(p, c->head.span, p->preds[other].first, k->diags));
    }
    if (c->head.count > MAX_ARITY)
        mgi_diag(k->diags, p, MANGLE_ERROR, "SYNTAX", c->head.span, NULL,
                 "a predicate has at most %d arguments", MAX_ARITY);
    mangle_pred pred = add(k, c->head.name, c->head.count, c->head.span);
    if (pred != MANGLE_NO_PRED)
        p->preds[pred].temporal = c->annotation.present && !mgi_annotation_eternal(&c->annotation);
    return pred;
}

static void resolve_head(struct declare *k, struct clause *c)
{
    mangle_program *p = k->p;
    if (c->head.name.ptr[0] == ':') {
        head_redefines(k, c, "names that begin with ':' are built in");
        return;
    }
    refuse_now_marker(k, &c->head);
    mangle_pred pred = mgi_pred_find(p, c->head.name, c->head.count);
    if (pred == MANGLE_NO_PRED)
        pred = define_head(k, c);
    else if (p->preds[pred].host)
        head_redefines(k, c, "its facts come from the host");
    if (pred == MANGLE_NO_PRED)
        return;
    c->head.pred = pred;
    p->preds[pred].derived |= c->premise_count > 0;

    if (p->preds[pred].temporal || !c->annotation.present)
        return;
    if (mgi_annotation_eternal(&c->annotation)) {
        c->annotation.present = false; /* an ordinary fact (M-EVAL-2, M-TEMP-97) */
    } else if (!mgi_name_broken(p, c->head.name)) {
        mgi_diags_anchor(k->diags, &c->span);
        mgi_diag(k->diags, p, MANGLE_ERROR, "TEMP_NOT_DECLARED", c->annotation.span,
                 mgi_diag_text(k->diags,
                               "Write Decl %.*s(...) temporal, or take the annotation away.",
                               STR_ARG(c->head.name)),
                 "\"%.*s\" is not temporal", STR_ARG(c->head.name));
        mgi_diags_anchor(k->diags, NULL);
    }
}

/* ---- what declarations say --------------------------------------------------------------- */

/* A descriptor's argument as a value: a variable is the string of its name; MANGLE_NONE if it is
 * none (or memory is short: then *oom). */
static mangle_value descriptor_value(struct declare *k, const struct decl *d, const struct term *t)
{
    mangle_values *values = k->p->values;
    mangle_value v = MANGLE_NONE;
    if (t->kind == TERM_CONST)
        return t->value;
    if (t->kind == TERM_VAR) {
        v = mangle_string(values, d->vars[t->var].name.ptr, d->vars[t->var].name.len);
    } else if (str_is(t->apply.name, "fn:list")) {
        mangle_value *items = mgi_calloc((size_t)t->apply.count + 1, sizeof *items);
        for (uint32_t i = 0; items && i < t->apply.count; i++) {
            items[i] = descriptor_value(k, d, &t->apply.args[i]);
            if (items[i] == MANGLE_NONE) {
                mgi_free(items);
                return MANGLE_NONE;
            }
        }
        if (items)
            v = mangle_list(values, items, t->apply.count);
        mgi_free(items);
    } else {
        return MANGLE_NONE;
    }
    k->oom |= v == MANGLE_NONE;
    return v;
}

static void keep_descriptors(struct declare *k, struct pred *pred, const struct decl *d)
{
    struct descriptor *kept =
        mgi_arena_calloc(&k->p->arena, (size_t)d->descr_count + 1, sizeof *kept);
    if (!kept) {
        k->oom = true;
        return;
    }
    for (uint32_t i = 0; i < d->descr_count; i++) {
        const struct atom *a = &d->descr[i];
        kept[i].name = a->name;
        kept[i].args = mgi_arena_calloc(&k->p->arena, (size_t)a->count + 1, sizeof *kept[i].args);
        if (!kept[i].args) {
            k->oom = true;
            return;
        }
        for (uint32_t j = 0; j < a->count; j++)
            kept[i].args[j] = descriptor_value(k, d, &a->args[j]);
        kept[i].count = a->count;
    }
    pred->descriptors = kept;
    pred->descriptor_count = d->descr_count;
}

static bool is_string(const struct declare *k, const struct term *t)
{
    return t->kind == TERM_CONST && mangle_kind_of(k->p->values, t->value) == MANGLE_STRING;
}

static void decl_error(struct declare *k, const char *code, struct span span, const char *hint,
                       const char *message)
{
    mgi_diag(k->diags, k->p, MANGLE_ERROR, code, span, hint, "%s", message);
}

/* doc("…", …): at most one, strings (M-DECL-10). */
static void check_doc(struct declare *k, struct pred *pred, const struct decl *d)
{
    const struct atom *doc = NULL;
    for (uint32_t i = 0; i < d->descr_count; i++) {
        const struct atom *a = &d->descr[i];
        if (!str_is(a->name, "doc"))
            continue;
        if (doc) {
            decl_error(k, "DECL_DOC", a->span, "Join the texts in one doc(...).",
                       "a declaration has at most one doc");
            continue;
        }
        doc = a;
        if (a->count == 0)
            decl_error(k, "DECL_DOC", a->span, "Write doc(\"what it is\").", "doc needs a string");
        struct buf text = { 0 };
        for (uint32_t j = 0; j < a->count; j++) {
            if (!is_string(k, &a->args[j])) {
                decl_error(k, "DECL_DOC", a->args[j].span, "Write doc(\"what it is\").",
                           "doc takes strings only");
                continue;
            }
            struct str s;
            s.ptr = mangle_text_of(k->p->values, a->args[j].value, &s.len);
            if (text.len)
                mgi_buf_putc(&text, ' ');
            mgi_buf_str(&text, s);
        }
        const char *kept = text.oom ? NULL : mgi_arena_str(&k->p->arena, mgi_buf_view(&text)).ptr;
        mgi_buf_fini(&text);
        if (kept)
            pred->doc = kept;
        else
            k->oom = true;
    }
}

/* arg(X, "…"): all arguments or none (M-DECL-11, M-DECL-12). */
static void check_arg_docs(struct declare *k, const struct decl *d)
{
    uint32_t described = 0;
    const struct atom *last = NULL;
    for (uint32_t i = 0; i < d->descr_count; i++) {
        const struct atom *a = &d->descr[i];
        if (!str_is(a->name, "arg"))
            continue;
        bool known = false, again = false;
        for (uint32_t j = 0; a->count && a->args[0].kind == TERM_VAR && j < d->atom.count; j++)
            known |= d->atom.args[j].var == a->args[0].var;
        for (uint32_t j = 0; known && j < i; j++)
            again |= str_is(d->descr[j].name, "arg") && d->descr[j].count &&
                     d->descr[j].args[0].kind == TERM_VAR &&
                     d->descr[j].args[0].var == a->args[0].var;
        bool texts = a->count >= 2;
        for (uint32_t j = 1; j < a->count; j++)
            texts &= is_string(k, &a->args[j]);
        if (!known)
            decl_error(k, "DECL_ARGDOC", a->span,
                       "Write arg(X, \"what X is\") for an argument X of the declaration.",
                       "arg does not begin with an argument of this declaration");
        else if (again)
            decl_error(k, "DECL_ARGDOC", a->span, "Join the texts in one arg(...).",
                       "this argument is described twice");
        else if (!texts)
            decl_error(k, "DECL_ARGDOC", a->span, "Write arg(X, \"what X is\").",
                       "arg needs strings after the argument");
        described++;
        last = a;
    }
    if (last && described < d->atom.count && !mgi_decl_says(d, "synthetic"))
        decl_error(k, "DECL_ARGDOC", last->span, "Describe every argument or none.",
                   "some arguments have no description");
}

/* One character of '+', '-', '?' for each argument of a mode atom; false if it is no mode. */
static bool mode_chars(const struct declare *k, const struct atom *a)
{
    for (uint32_t i = 0; i < a->count; i++) {
        if (!is_string(k, &a->args[i]))
            return false;
        size_t len;
        const char *s = mangle_text_of(k->p->values, a->args[i].value, &len);
        if (len != 1 || !strchr("+-?", s[0]))
            return false;
    }
    return true;
}

static uint32_t check_modes(struct declare *k, struct pred *pred, const struct decl *d)
{
    uint32_t modes = 0;
    for (uint32_t i = 0; i < d->descr_count; i++) {
        const struct atom *a = &d->descr[i];
        if (!str_is(a->name, "mode") || !mode_chars(k, a))
            continue;
        if (a->count != d->atom.count) {
            decl_error(k, "DECL_MODE", a->span,
                       "Write '+' (input), '-' (output) or '?' (either) for each.",
                       "a mode has one sign for each argument");
            continue;
        }
        if (!pred->input) {
            pred->input = mgi_arena_calloc(&k->p->arena, (size_t)a->count + 1, sizeof(bool));
            if (!pred->input) {
                k->oom = true;
                return modes;
            }
            memset(pred->input, 1, a->count * sizeof(bool));
        }
        for (uint32_t j = 0; j < a->count; j++) {
            size_t len;
            pred->input[j] &= *mangle_text_of(k->p->values, a->args[j].value, &len) == '+';
        }
        modes++;
    }
    return modes;
}

/* Unknown descriptors are ignored; one that looks like a slip of the pen is told. */
static void check_descriptor_names(struct declare *k, const struct decl *d)
{
    for (uint32_t i = 0; i < d->descr_count; i++) {
        const char *near = mgi_near_descriptor(d->descr[i].name);
        if (near)
            mgi_diag(k->diags, k->p, MANGLE_WARNING, "DECL_DESCR", d->descr[i].span,
                     mgi_diag_text(k->diags, "Did you mean \"%s\"?", near),
                     "the descriptor \"%.*s\" is not known and has no effect",
                     STR_ARG(d->descr[i].name));
    }
}

static const struct atom *find_descriptor(const struct decl *d, const char *name)
{
    for (uint32_t i = 0; i < d->descr_count; i++)
        if (str_is(d->descr[i].name, name))
            return &d->descr[i];
    return NULL;
}

static void check_kinds(struct declare *k, struct pred *pred, const struct decl *d, uint32_t modes)
{
    const struct atom *external = find_descriptor(d, "external");
    if (external && modes != 1) {
        decl_error(k, "DECL_EXT_MODE", external->span, "Add mode(...), one sign for each argument.",
                   "an external predicate needs exactly one mode");
        return;
    }
    const struct atom *deferred = find_descriptor(d, "deferred");
    if (deferred && modes == 0)
        decl_error(k, "DECL_MODE", deferred->span, "Add mode(...), one sign for each argument.",
                   "a predicate that is evaluated on demand needs a mode");
    if (deferred && pred->temporal)
        decl_error(k, "NOT_SUPPORTED", deferred->span,
                   "Let it answer with times as arguments, or leave one of the two out.",
                   "a predicate that is evaluated on demand cannot be temporal");
    pred->deferred = deferred && pred->derived;
    pred->private_to_package = find_descriptor(d, "private") != NULL;
    const struct atom *reflects = find_descriptor(d, "reflects");
    if (reflects && reflects->count == 1 && d->atom.count == 1 &&
        reflects->args[0].kind == TERM_CONST &&
        mangle_kind_of(k->p->values, reflects->args[0].value) == MANGLE_NAME)
        pred->reflects = reflects->args[0].value;
}

static const char *column_bound(struct declare *k, const struct decl *d, uint32_t column)
{
    struct buf text = { 0 };
    for (uint32_t row = 0; row < d->bound_row_count; row++) {
        if (column >= d->bound_counts[row])
            continue;
        if (text.len)
            mgi_buf_puts(&text, " | ");
        mgi_term_print(&text, k->p->values, d->vars, &d->bounds[row][column]);
    }
    if (!text.len)
        mgi_buf_puts(&text, "/any");
    const char *kept = text.oom ? NULL : mgi_arena_str(&k->p->arena, mgi_buf_view(&text)).ptr;
    mgi_buf_fini(&text);
    k->oom |= !kept;
    return kept;
}

static void keep_columns(struct declare *k, struct pred *pred, const struct decl *d)
{
    struct arena *arena = &k->p->arena;
    const char **names = mgi_arena_calloc(arena, (size_t)pred->arity + 1, sizeof *names);
    const char **bounds = mgi_arena_calloc(arena, (size_t)pred->arity + 1, sizeof *bounds);
    if (!names || !bounds) {
        k->oom = true;
        return;
    }
    for (uint32_t i = 0; i < pred->arity && !k->oom; i++) {
        names[i] = mgi_arena_str(arena, d->vars[d->atom.args[i].var].name).ptr;
        bounds[i] = column_bound(k, d, i);
        k->oom |= !names[i];
    }
    pred->arg_names = names;
    pred->bounds = bounds;
}

static void check_decl(struct declare *k, const struct decl *d)
{
    mangle_pred index = mgi_pred_find(k->p, d->atom.name, d->atom.count);
    if (index == MANGLE_NO_PRED || k->p->preds[index].decl != d)
        return; /* the second of two */
    struct pred *pred = &k->p->preds[index];
    mgi_diags_anchor(k->diags, &d->span);
    keep_columns(k, pred, d);
    keep_descriptors(k, pred, d);
    check_doc(k, pred, d);
    check_arg_docs(k, d);
    check_descriptor_names(k, d);
    uint32_t modes = check_modes(k, pred, d);
    check_kinds(k, pred, d, modes);
    for (uint32_t i = 0; i < d->bound_row_count; i++)
        if (d->bound_counts[i] != d->atom.count)
            mgi_diag(k->diags, k->p, MANGLE_ERROR, "DECL_BOUND_ARITY",
                     d->bound_counts[i] ? d->bounds[i][0].span : d->atom.span,
                     "Write one type for each argument.", "bound has %u type%s for %u argument%s",
                     d->bound_counts[i], d->bound_counts[i] == 1 ? "" : "s", d->atom.count,
                     d->atom.count == 1 ? "" : "s");
    mgi_check_bound_terms(k->p, d, k->diags);
    mgi_diags_anchor(k->diags, NULL);
}

/* ---- the stage --------------------------------------------------------------------------- */

/* A host predicate that rules read with a window or annotation has intervals (M-SYN-56). */
static void mark_temporal_host_preds(struct declare *k)
{
    for (size_t i = 0; i < k->p->clause_count; i++) {
        const struct clause *c = &k->p->clauses[i];
        for (uint32_t j = 0; j < c->premise_count; j++) {
            if (c->premises[j].kind != PREMISE_TEMPORAL)
                continue;
            const struct atom *a = &c->premises[j].atom;
            mangle_pred pred = mgi_pred_find(k->p, a->name, a->count);
            if (pred != MANGLE_NO_PRED && k->p->preds[pred].host)
                k->p->preds[pred].temporal = true;
        }
    }
}

/* ---- lattice relations --------------------------------------------------------------------- */

static const struct descriptor *only_descriptor(const struct pred *pred, const char *name,
                                                uint32_t args)
{
    const struct descriptor *found = NULL;
    for (uint32_t i = 0; i < pred->descriptor_count; i++) {
        if (!str_is(pred->descriptors[i].name, name))
            continue;
        if (found || pred->descriptors[i].count != args)
            return NULL;
        found = &pred->descriptors[i];
    }
    return found;
}

/* The columns that a list of variables names; false if it is no such list. `columns` has room. */
static bool read_columns(const struct declare *k, const struct decl *d, mangle_value list,
                         uint32_t *columns, uint32_t *count)
{
    const mangle_values *values = k->p->values;
    *count = 0;
    if (list == MANGLE_NONE || mangle_kind_of(values, list) != MANGLE_LIST)
        return false;
    mangle_value cursor = list, key, item;
    for (size_t left = mangle_count_of(values, list);
         left && mangle_next(values, &cursor, &key, &item); left--) {
        uint32_t column = 0;
        struct str name = STR_LIT("");
        if (mangle_kind_of(values, item) == MANGLE_STRING)
            name.ptr = mangle_text_of(values, item, &name.len);
        while (column < d->atom.count && !str_eq(d->vars[d->atom.args[column].var].name, name))
            column++;
        for (uint32_t i = 0; i < *count; i++)
            if (columns[i] == column)
                return false;
        if (column == d->atom.count)
            return false;
        columns[(*count)++] = column;
    }
    return true;
}

static bool can_merge(const struct declare *k, mangle_pred merge)
{
    static const bool wanted[] = { true, true, false };
    const struct pred *pred = merge == MANGLE_NO_PRED ? NULL : &k->p->preds[merge];
    return pred && pred->decl && find_descriptor(pred->decl, "deferred") && pred->input &&
           memcmp(pred->input, wanted, sizeof wanted) == 0;
}

/* fundep([S...], [T]) and merge([T], "m") together (M-EVAL-40). */
static void check_lattice(struct declare *k, const struct decl *d)
{
    mangle_program *p = k->p;
    const struct atom *marker = find_descriptor(d, "merge");
    mangle_pred index = mgi_pred_find(p, d->atom.name, d->atom.count);
    if (!marker || index == MANGLE_NO_PRED || p->preds[index].decl != d)
        return;
    struct pred *pred = &p->preds[index];
    const struct descriptor *merge = only_descriptor(pred, "merge", 2);
    const struct descriptor *fundep = only_descriptor(pred, "fundep", 2);
    struct lattice_decl *l = mgi_arena_calloc(&p->arena, 1, sizeof *l);
    uint32_t *targets = mgi_arena_calloc(&p->arena, (size_t)d->atom.count + 1, sizeof *targets);
    uint32_t *again = mgi_arena_calloc(&p->arena, (size_t)d->atom.count + 1, sizeof *again);
    if (!l || !targets || !again ||
        !(l->source = mgi_arena_calloc(&p->arena, (size_t)d->atom.count + 1, sizeof *l->source))) {
        k->oom = true;
        return;
    }
    uint32_t again_count;
    bool fits =
        merge && fundep && read_columns(k, d, fundep->args[0], l->source, &l->source_count) &&
        read_columns(k, d, fundep->args[1], targets, &l->target_count) &&
        read_columns(k, d, merge->args[0], again, &again_count) && again_count == l->target_count &&
        memcmp(again, targets, again_count * sizeof *again) == 0;
    if (!fits) {
        decl_error(k, "NOT_SUPPORTED", marker->span,
                   "Write fundep([X], [Y]), merge([Y], \"m\") with arguments of the declaration.",
                   "merge needs one fundep whose target it merges");
        return;
    }
    for (uint32_t i = 0; i < l->source_count; i++)
        fits &= l->target_count == 0 || l->source[i] != targets[0];
    if (!fits || pred->temporal)
        decl_error(k, "NOT_SUPPORTED", marker->span, NULL,
                   fits ? "a temporal predicate cannot be merged"
                        : "the column that is merged is a source of the fundep, too");
    struct str name = STR_LIT("");
    if (merge->args[1] != MANGLE_NONE && mangle_kind_of(p->values, merge->args[1]) == MANGLE_STRING)
        name.ptr = mangle_text_of(p->values, merge->args[1], &name.len);
    l->target = targets[0];
    l->merge = mgi_pred_find(p, name, 3);
    if (!can_merge(k, l->merge))
        decl_error(k, "NOT_SUPPORTED", marker->span,
                   "Declare it with mode('+', '+', '-') and deferred().",
                   "merge names no predicate of three arguments that can merge two values");
    else
        pred->lattice = l;
}

/* ---- callbacks --------------------------------------------------------------------------- */

static void check_external(struct declare *k, struct mangle_external *external)
{
    mangle_program *p = k->p;
    struct str name = str_of(external->name);
    mangle_pred index = mgi_pred_find(p, name, external->arity);
    struct pred *pred = index == MANGLE_NO_PRED ? NULL : &p->preds[index];
    if (!pred || !pred->decl) {
        struct source host = { .name = "host" };
        mgi_diag_at(k->diags, &host, MANGLE_ERROR, "EXT_UNDECLARED", (struct span){ 0 },
                    "Declare it with external() and a mode, or take the callback away.",
                    "the host answers \"%.*s\" with %u argument%s, which is not declared",
                    STR_ARG(name), external->arity, external->arity == 1 ? "" : "s");
        return;
    }
    const struct atom *marker = find_descriptor(pred->decl, "external");
    if (!marker) {
        mgi_diag(k->diags, p, MANGLE_ERROR, "EXT_NOT_EXTERNAL", pred->decl->atom.span,
                 "Add external() and a mode to its declaration, or take the callback away.",
                 "the host answers \"%.*s\", which is not declared as external", STR_ARG(name));
        return;
    }
    if (pred->lattice)
        decl_error(k, "NOT_SUPPORTED", marker->span, "Merge in a predicate that reads this one.",
                   "a predicate that the host answers cannot be merged");
    if (pred->temporal)
        decl_error(k, "NOT_SUPPORTED", marker->span,
                   "Let it answer with times as arguments, or leave one of the two out.",
                   "a predicate that the host answers cannot be temporal");
    if (pred->derived)
        decl_error(k, "PRED_REDEFINED", pred->decl->atom.span,
                   "Give the predicate of its rules another name.",
                   "the host answers this predicate, so no rule may define it");
    pred->external = external;
}

static void keep_externals(struct declare *k)
{
    mangle_program *p = k->p;
    size_t count = k->options ? k->options->external_count : 0;
    p->externals = mgi_arena_calloc(&p->arena, count + 1, sizeof *p->externals);
    if (!p->externals) {
        k->oom = true;
        return;
    }
    p->external_count = count;
    for (size_t i = 0; i < count && !k->oom; i++) {
        p->externals[i] = k->options->externals[i];
        p->externals[i].name = mgi_arena_str(&p->arena, str_of(p->externals[i].name)).ptr;
        k->oom = !p->externals[i].name;
        if (!k->oom)
            check_external(k, &p->externals[i]);
    }
}

static void ask_what_changes(struct declare *k)
{
    for (size_t i = 0; i < k->p->pred_count; i++) {
        struct pred *pred = &k->p->preds[i];
        pred->assertable =
            k->options && k->options->changeable
                ? k->options->changeable(k->options->changeable_context, k->p, (mangle_pred)i)
                : !pred->derived;
        pred->output = k->options && k->options->outputs &&
                       k->options->outputs(k->options->outputs_context, k->p, (mangle_pred)i);
    }
    k->p->outputs_known = k->options && k->options->outputs;
}

enum mangle_status mgi_declare(mangle_program *p, const struct mangle_compile_options *options,
                               mangle_diags *diags)
{
    struct declare k = { .p = p, .diags = diags, .options = options };
    mgi_strmap_init(&k.names);
    mgi_strmap_init(&k.own);
    add_host_preds(&k);
    add_now_marker(&k);
    for (size_t i = 0; i < p->decl_count && !k.oom; i++)
        declare_pred(&k, &p->decls[i]);
    for (size_t i = 0; i < p->clause_count && !k.oom; i++)
        resolve_head(&k, &p->clauses[i]);
    for (size_t i = 0; i < p->decl_count && !k.oom; i++)
        check_decl(&k, &p->decls[i]);
    for (size_t i = 0; i < p->decl_count && !k.oom; i++)
        check_lattice(&k, &p->decls[i]);
    if (!k.oom) {
        k.oom = !mgi_check_bound_references(p, diags);
        mark_temporal_host_preds(&k);
        keep_externals(&k);
        ask_what_changes(&k);
    }
    mgi_strmap_fini(&k.names);
    mgi_strmap_fini(&k.own);
    return k.oom ? MANGLE_ERR_NOMEM : MANGLE_OK;
}
