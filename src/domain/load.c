/* Loading a domain folder: the main line, and the snapshot's life. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "domain/domain_int.h"

/* ---- the snapshot ------------------------------------------------------------------------ */

static struct snapshot *new_snapshot(const char *folder)
{
    struct snapshot *s = mgi_calloc(1, sizeof *s);
    if (!s)
        return NULL;
    atomic_init(&s->refs, 1);
    mgi_arena_init(&s->arena, 0);
    char *whole = realpath(folder, NULL);
    s->folder = mgi_arena_str(&s->arena, str_of(whole ? whole : folder));
    free(whole);
    if (!s->folder.ptr) {
        mgi_snapshot_unref(s);
        return NULL;
    }
    return s;
}

struct snapshot *mgi_snapshot_ref(struct snapshot *s)
{
    atomic_fetch_add_explicit(&s->refs, 1, memory_order_relaxed);
    return s;
}

void mgi_snapshot_unref(struct snapshot *s)
{
    if (!s || atomic_fetch_sub_explicit(&s->refs, 1, memory_order_acq_rel) != 1)
        return;
    if (s->base)
        mangle_base_unref(s->base);
    if (s->program)
        mangle_program_unref(s->program);
    mangle_zone_folder_free(s->zones);
    for (size_t i = 0; i < s->external_count; i++)
        mgi_search_index_free(s->externals[i].index);
    for (size_t i = 0; i < s->external_count; i++)
        if (s->externals[i].kept)
            s->externals[i].let_go(s->externals[i].kept);
    mgi_arena_fini(&s->arena);
    mgi_free(s);
}

static bool good_so_far(const struct loading *l)
{
    return mgi_findings_errors(l->yaml.findings) == 0;
}

/* The snapshot if all of it is good; else NULL, and the findings say why. */
static struct snapshot *conclude(struct loading *l, bool ok)
{
    struct snapshot *s = l->s;
    mgi_forget_actions(l);
    mgi_findings_forget(l->yaml.findings);
    bool oom = s->arena.oom || l->scratch.oom;
    mgi_arena_fini(&l->scratch);
    if (ok && !oom && good_so_far(l))
        return s;
    if (good_so_far(l) || oom)
        mgi_findings_lack_memory(l->yaml.findings, l->folder);
    mgi_snapshot_unref(s);
    return NULL;
}

/* Said once, in place of what each part of the folder would say of it. */
static bool is_no_folder(const char *folder, struct findings *findings)
{
    struct stat st;
    if (stat(folder, &st) != 0 || S_ISDIR(st.st_mode))
        return false; /* what is missing is for domain.yaml to say */
    mgi_findings_add(findings, MANGLE_ERROR, "NO_DOMAIN", folder, 0, 0,
                     "Give the folder that holds domain.yaml.",
                     "a domain is a folder, and this is not one");
    return true;
}

/* One line for who keeps a log. */
static void tell_prepared(const struct loading *l, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void tell_prepared(const struct loading *l, const char *format, ...)
{
    struct buf *out = l->options->prepared_text;
    va_list args;
    if (!out)
        return;
    mgi_buf_printf(out, "snapshot %s: ", l->options->prepared);
    va_start(args, format);
    mgi_buf_vprintf(out, format, args);
    va_end(args);
    mgi_buf_putc(out, '\n');
}

static void open_prepared(struct loading *l)
{
    const char *path = l->options->prepared;
    const char *why = path ? mgi_prepared_open(path, &l->s->arena, &l->prepared) : NULL;
    if (why)
        tell_prepared(l, "%s: the domain is loaded from its folder alone", why);
    l->prepared.notes = l->options->notes;
    if (l->prepared.from.count > 0 || l->prepared.notes)
        l->yaml.prepared = &l->prepared;
}

/* Its checks need not be run again; or it is another domain than the one that was prepared. */
static void conclude_prepared(struct loading *l)
{
    l->s->linted = mgi_prepared_linted(&l->prepared, l->s);
    if (l->prepared.missed > 0)
        tell_prepared(l, "%zu of %zu parts are not in it: they changed since, or are set otherwise",
                      l->prepared.missed, l->prepared.asked);
}

static bool begin_loading(struct loading *l, const char *folder,
                          const struct domain_options *options, struct findings *findings)
{
    static const struct domain_options none;
    if (is_no_folder(folder, findings))
        return false;
    struct snapshot *s = new_snapshot(folder);
    if (!s) {
        mgi_findings_lack_memory(findings, folder);
        return false;
    }
    *l = (struct loading){
        .yaml = { .arena = &s->arena, .findings = findings, .scratch = &l->scratch },
        .folder = s->folder.ptr,
        .options = options ? options : &none,
        .s = s
    };
    mgi_arena_init(&l->scratch, 0);
    open_prepared(l);
    return true;
}

struct snapshot *mgi_domain_settings(const char *folder, const struct domain_options *options,
                                     struct findings *findings)
{
    struct loading l;
    if (!begin_loading(&l, folder, options, findings))
        return NULL;
    bool ok = mgi_load_settings(&l) && mgi_load_masking(&l);
    l.s->profile = mgi_profile_begin(&l.s->settings);
    return conclude(&l, ok);
}

struct snapshot *mgi_domain_load(const char *folder, const struct domain_options *options,
                                 struct findings *findings)
{
    struct loading l;
    if (!begin_loading(&l, folder, options, findings))
        return NULL;
    bool ok = mgi_load_settings(&l); /* domain.yaml and --set */
    if (ok)
        ok = mgi_load_externals(&l); /* who answers predicates of the rules */
    if (ok)
        ok = mgi_load_policies(&l); /* programs that pick from menus */
    if (ok)
        ok = mgi_read_templates(&l); /* tools may bring commands of their own */
    if (ok)
        ok = mgi_begin_actions(&l); /* ask the plugins what they can do */
    if (ok)
        ok = mgi_load_rules(&l); /* one program out of all layers */
    if (ok)
        ok = mgi_load_actions(&l) && mgi_find_external_actions(&l); /* what the plugins answered */
    if (ok)
        ok = mgi_load_skills(&l);
    if (ok)
        ok = mgi_load_tools(&l); /* templates: texts, schemas, chains */
    if (ok)
        ok = mgi_load_version(&l); /* a digest of rules and templates */
    if (ok)
        ok = mgi_load_profile(&l); /* what clients may send */
    if (ok) {
        ok = mgi_load_masking(&l); /* what no log may show */
        mgi_load_masked_arguments(&l);
        l.s->hints = mgi_load_hints(l.s);
    }
    if (ok)
        ok = mgi_load_steering(&l); /* what decides about tools */
    if (ok)
        ok = mgi_load_hazards(&l); /* temporal recursion that may not end */
    if (ok)
        ok = mgi_load_base(&l); /* facts and catalogue; closed if all is good */
    if (ok)
        ok = mgi_load_searches(&l); /* texts among them, as indexes */
    if (ok)
        ok = mgi_load_digest(&l) && mgi_load_deciding(&l) && mgi_load_speakers(&l);
    if (ok)
        conclude_prepared(&l);
    return conclude(&l, ok);
}
