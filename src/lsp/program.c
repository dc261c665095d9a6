/* Which files form one program. A rule file of a domain: the standard rules and all rules and facts
 * of the domain. A file below a mangle.yaml: all below it. Any other file: itself and, as far as
 * they are there, the files of the packages it names with Use or belongs to; of several packages
 * with one name those that lie nearest. The client may ask for whole folders instead. */
#include "base/alloc.h"
#include "domain/standard_rules.h"
#include "lsp/lsp_int.h"

/* ---- collecting ----------------------------------------------------------------------------- */

struct gathering {
    struct lsp *s;
    struct lsp_unit *units;
    size_t count, cap;
    struct strmap seen; /* keys */
};

static bool add_unit(struct gathering *g, struct lsp_file *f)
{
    uint32_t known;
    if (f && mgi_strmap_get(&g->seen, str_of(f->key), &known))
        return true;
    if (!mgi_grow(&g->units, &g->cap, g->count + 1, sizeof *g->units) ||
        (f && !mgi_strmap_put(&g->seen, str_of(f->key), (uint32_t)g->count)))
        return false;
    g->units[g->count++] = (struct lsp_unit){ f, f ? f->revision : 0 };
    return true;
}

static size_t folder_len(const char *key)
{
    const char *slash = strrchr(key, '/');
    return slash ? (size_t)(slash - key) + 1 : 0;
}

/* How far away the folder of `b` is from that of `a`: first the steps up, then those down. */
static size_t distance(const char *a, const char *b)
{
    size_t shared = 0, up = 0, down = 0, most = folder_len(a), other = folder_len(b);
    for (size_t i = 0; i < most && i < other && a[i] == b[i]; i++)
        if (a[i] == '/')
            shared = i + 1;
    for (size_t i = shared; i < most; i++)
        up += a[i] == '/';
    for (size_t i = shared; i < other; i++)
        down += b[i] == '/';
    return up * 1000 + down;
}

static bool same_folder(const struct lsp_file *a, const struct lsp_file *b)
{
    size_t len = folder_len(a->key);
    return len == folder_len(b->key) && memcmp(a->key, b->key, len) == 0;
}

static bool offers(const struct lsp_file *f, struct str package)
{
    return f->exists && !f->home && str_eq(f->package, package);
}

/* The files of a package in the folder that lies nearest to `from`. */
static bool add_package(struct gathering *g, const struct lsp_file *from, struct str package)
{
    const struct lsp_file *nearest = NULL;
    for (size_t i = 0; i < g->s->file_count; i++) {
        const struct lsp_file *f = g->s->files[i];
        if (!offers(f, package))
            continue;
        size_t far = distance(from->key, f->key);
        size_t best = nearest ? distance(from->key, nearest->key) : SIZE_MAX;
        if (far < best || (far == best && strcmp(f->key, nearest->key) < 0))
            nearest = f;
    }
    for (size_t i = 0; nearest && i < g->s->file_count; i++) {
        struct lsp_file *f = g->s->files[i];
        if (offers(f, package) && same_folder(f, nearest) && !add_unit(g, f))
            return false;
    }
    return true;
}

/* What `mangle test` runs is a part of no program but its own. */
static bool is_part(const struct lsp_file *f, const struct lsp_file *of)
{
    return f == of || (f->exists && f->home && strcmp(f->home, of->home) == 0 &&
                       !mgi_str_ends(str_of(f->key), STR_LIT("_test.mg")));
}

static bool add_home(struct gathering *g, struct lsp_file *of)
{
    for (size_t i = 0; !of->project && i < mgi_standard_rules_count; i++)
        if (!add_unit(g, NULL))
            return false;
    for (size_t i = 0; i < g->s->file_count; i++) {
        struct lsp_file *f = g->s->files[i];
        if (is_part(f, of) && !add_unit(g, f))
            return false;
    }
    return true;
}

static bool gather(struct gathering *g, struct lsp_file *f)
{
    if (f->home)
        return add_home(g, f);
    if (!add_unit(g, f))
        return false;
    for (size_t i = 0; g->s->by_folder && i < g->s->file_count; i++) {
        struct lsp_file *other = g->s->files[i];
        if (other->exists && !other->home && same_folder(f, other) && !add_unit(g, other))
            return false;
    }
    for (size_t i = 0; i < g->count; i++) { /* grows */
        struct lsp_file *unit = g->units[i].file;
        if (unit->package.len && !add_package(g, unit, unit->package))
            return false;
        for (size_t u = 0; u < unit->use_count; u++)
            if (unit->uses[u].len && !add_package(g, unit, unit->uses[u]))
                return false;
    }
    return true;
}

/* ---- programs ------------------------------------------------------------------------------- */

void mgi_lsp_program_free(struct lsp_program *p)
{
    if (!p)
        return;
    mgi_free(p->units);
    mangle_outline_free(p->outline);
    mangle_diags_free(p->diags);
    mgi_free(p);
}

uint32_t mgi_lsp_unit_of(const struct lsp_program *p, const struct lsp_file *f)
{
    for (size_t i = 0; i < p->count; i++)
        if (p->units[i].file == f)
            return (uint32_t)i;
    return UINT32_MAX;
}

bool mgi_lsp_program_has(const struct lsp_program *p, const struct lsp_file *f)
{
    return mgi_lsp_unit_of(p, f) != UINT32_MAX;
}

static struct lsp_program *analyse(struct lsp *s, struct lsp_unit *units, size_t count)
{
    struct lsp_program *p = mgi_calloc(1, sizeof *p);
    struct mangle_source *sources = mgi_calloc(count + 1, sizeof *sources);
    if (!p || !sources) {
        mgi_free(units);
        mgi_free(sources);
        mgi_free(p);
        return NULL;
    }
    p->units = units;
    p->count = count;
    p->diags = mangle_diags_new();
    for (size_t i = 0; i < count; i++) {
        const struct lsp_file *f = units[i].file;
        if (f) {
            struct str text = mgi_buf_view(&f->text.body);
            sources[i] = (struct mangle_source){ f->key, text.ptr, text.len };
        } else { /* the standard rules come first */
            const struct standard_rule *r = &mgi_standard_rules[i];
            sources[i] = (struct mangle_source){ r->path, r->text, r->len };
        }
    }
    /* As `manglecp check` has it: what a domain computes from JSON is rarely known for sure. */
    bool domain = count > 0 && !units[0].file;
    struct mangle_compile_options options = { .check_bounds = s->check_bounds,
                                              .doubt_warns = domain,
                                              .host_source_count =
                                                  domain ? mgi_standard_rules_count : 0 };
    bool ok = p->diags && !mangle_outline_new(sources, count, &options, &p->outline, p->diags);
    mgi_free(sources);
    if (ok)
        return p;
    mgi_lsp_program_free(p);
    return NULL;
}

static bool is_current(const struct lsp_program *p, const struct gathering *g)
{
    return p && p->count == g->count &&
           memcmp(p->units, g->units, g->count * sizeof *g->units) == 0;
}

struct lsp_program *mgi_lsp_program(struct lsp *s, struct lsp_file *f)
{
    struct gathering g = { .s = s };
    mgi_strmap_init(&g.seen);
    bool ok = gather(&g, f);
    mgi_strmap_fini(&g.seen);
    if (ok && is_current(f->program, &g)) {
        mgi_free(g.units);
        return f->program;
    }
    mgi_lsp_program_free(f->program);
    f->program = NULL;
    if (ok)
        f->program = analyse(s, g.units, g.count);
    else
        mgi_free(g.units);
    s->oom |= !f->program;
    return f->program;
}

/* Does the program around `f` hold one of the files of `g`? */
static bool touches(struct lsp *s, struct lsp_file *f, const struct gathering *target, bool *found)
{
    struct gathering g = { .s = s };
    mgi_strmap_init(&g.seen);
    bool ok = gather(&g, f);
    *found = false;
    for (size_t i = 0; ok && i < g.count && !*found; i++) {
        uint32_t known;
        *found = mgi_strmap_get(&target->seen, str_of(g.units[i].file->key), &known);
    }
    mgi_strmap_fini(&g.seen);
    mgi_free(g.units);
    return ok;
}

struct lsp_program *mgi_lsp_wide_program(struct lsp *s, struct lsp_file *f)
{
    struct gathering g = { .s = s };
    mgi_strmap_init(&g.seen);
    bool ok = gather(&g, f);
    for (size_t i = 0; ok && !f->home && f->package.len && i < s->file_count; i++) {
        struct lsp_file *other = s->files[i];
        bool found;
        if (!other->exists || other->home || !(other->use_count || other->package.len))
            continue;
        ok = touches(s, other, &g, &found) && (!found || add_unit(&g, other));
    }
    mgi_strmap_fini(&g.seen);
    struct lsp_program *p = NULL;
    if (ok)
        p = analyse(s, g.units, g.count);
    else
        mgi_free(g.units);
    s->oom |= !p;
    return p;
}
