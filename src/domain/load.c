/* Loading a domain folder: the main line, and the snapshot's life. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "domain/domain_int.h"

/* ---- actions ----------------------------------------------------------------------------- */

/* DOMAIN/plugins/NAME.so, then NAME.so in each plugin folder. NULL: nowhere. */
static const char *find_plugin(struct loading *l, struct str name)
{
    struct arena *a = l->yaml.arena;
    char *path = mgi_arena_printf(a, "%s/plugins/%.*s.so", l->folder, STR_ARG(name));
    for (size_t i = 0; path; i++) {
        if (access(path, F_OK) == 0)
            return path;
        if (i == l->options->plugin_path_count)
            return NULL;
        path = mgi_arena_printf(a, "%s/%.*s.so", l->options->plugin_paths[i], STR_ARG(name));
    }
    return NULL;
}

static int compare_actions(const void *a, const void *b)
{
    return mgi_str_compare(((const struct action *)a)->aid, ((const struct action *)b)->aid);
}

/* A plugin that domain.yaml names. */
struct plugin_begun {
    const struct yaml_node *node;
    const char *path; /* NULL: not found */
    bool refused;     /* and said so */
    void *work;       /* of action_source.begin; NULL: none */
};

static bool is_plugin_name(const struct yaml_node *n)
{
    return n->kind == YAML_SCALAR && n->text.len > 0 && !memchr(n->text.ptr, '/', n->text.len);
}

bool mgi_begin_actions(struct loading *l)
{
    const struct action_source *source = l->options->actions;
    const struct yaml_node *list = mgi_yaml_get(mgi_yaml_get(l->domain_yaml, "actions"), "plugins");
    if (list && list->kind != YAML_LIST)
        mgi_yaml_error(&l->yaml, list, "BAD_VALUE", "Write it as [text, browser].",
                       "plugins must be a list, not %s", mgi_yaml_kind_name(list));
    size_t count = list && list->kind == YAML_LIST ? list->count : 0;
    l->begun = mgi_arena_calloc(l->yaml.arena, count + 1, sizeof *l->begun);
    if (!l->begun)
        return false;
    for (size_t i = 0; i < count; i++) {
        const struct yaml_node *n = list->entries[i].value;
        if (!is_plugin_name(n)) {
            mgi_yaml_error(&l->yaml, n, "BAD_VALUE", NULL, "a plugin is named by one word");
            continue;
        }
        struct plugin_begun *b = &l->begun[l->begun_count++];
        b->node = n;
        b->path = find_plugin(l, n->text);
        b->refused = b->path && !mgi_plugin_trusted(l, n, b->path);
        if (b->path && !b->refused && source && source->begin)
            b->work = source->begin(source->context, b->path);
    }
    return !l->yaml.arena->oom;
}

void mgi_forget_actions(struct loading *l)
{
    for (size_t i = 0; i < l->begun_count; i++)
        if (l->begun[i].work)
            l->options->actions->forget(l->begun[i].work);
    l->begun_count = 0;
}

static bool list_plugin(struct loading *l, struct plugin_begun *b)
{
    size_t errors = mgi_findings_errors(l->yaml.findings);
    if (!b->path) {
        mgi_yaml_error(
            &l->yaml, b->node, "NO_PLUGIN", "Build it, or name its folder with --plugins.",
            "there is no plugin %.*s.so in plugins/ or the plugin folders", STR_ARG(b->node->text));
        l->actions_unknown = true;
        return true;
    }
    if (b->refused) {
        l->actions_unknown = true;
        return true;
    }
    const char *why = "no program lists plugins here";
    const struct action_source *source = l->options->actions;
    void *work = b->work;
    b->work = NULL;
    if (!source || !source->list(source->context, work, l->yaml.arena, str_of(b->path),
                                 &l->s->actions, &l->s->action_count, &why))
        mgi_yaml_error(&l->yaml, b->node, "BAD_PLUGIN", NULL, "plugin %.*s could not be listed: %s",
                       STR_ARG(b->node->text), why ? why : "unknown");
    l->actions_unknown |= mgi_findings_errors(l->yaml.findings) > errors;
    return !l->yaml.arena->oom;
}

bool mgi_load_actions(struct loading *l)
{
    struct snapshot *s = l->s;
    for (size_t i = 0; i < l->begun_count; i++)
        if (!list_plugin(l, &l->begun[i]))
            return false;
    const struct yaml_node *list = mgi_yaml_get(mgi_yaml_get(l->domain_yaml, "actions"), "plugins");
    if (s->action_count > 1)
        qsort(s->actions, s->action_count, sizeof *s->actions, compare_actions);
    for (size_t i = 1; i < s->action_count; i++)
        if (str_eq(s->actions[i].aid, s->actions[i - 1].aid))
            mgi_yaml_error(&l->yaml, list, "DUPLICATE", NULL, "action %.*s is in %.*s and in %.*s",
                           STR_ARG(s->actions[i].aid), STR_ARG(s->actions[i - 1].plugin),
                           STR_ARG(s->actions[i].plugin));
    return true;
}

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
    if (ok && !s->arena.oom && good_so_far(l))
        return s;
    if (good_so_far(l) || s->arena.oom)
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
    *l = (struct loading){ .yaml = { &s->arena, findings },
                           .folder = s->folder.ptr,
                           .options = options ? options : &none,
                           .s = s };
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
    }
    if (ok)
        ok = mgi_load_steering(&l); /* what decides about tools */
    if (ok)
        ok = mgi_load_hazards(&l); /* temporal recursion that may not end */
    if (ok)
        ok = mgi_load_base(&l); /* facts and catalogue; closed if all is good */
    if (ok)
        ok = mgi_load_digest(&l) && mgi_load_deciding(&l) && mgi_load_speakers(&l);
    return conclude(&l, ok);
}
