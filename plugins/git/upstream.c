/* What a branch follows; see upstream.h. */
#include "plugins/git/upstream.h"

#define REMOTE_MOST 400 /* bytes of a remote's name */

const char *mgi_git_short_name(const char *refname)
{
    if (strncmp(refname, "refs/remotes/", 13) == 0)
        return refname + 13;
    return strncmp(refname, "refs/heads/", 11) == 0 ? refname + 11 : refname;
}

/* ---- refspecs ------------------------------------------------------------------------------- */

/* Carries a name from a remote to here, or back. */
struct carrying {
    struct git *g;
    const char *name;
    bool back;
    const char *result; /* in the arena; NULL: no refspec knows it */
};

static void carry(struct carrying *c, const char *text)
{
    git_refspec *spec = NULL;
    git_buf out = GIT_BUF_INIT;
    if (c->result || git_refspec_parse(&spec, text, 1) != 0)
        return; /* one that is none: git says so, here it brings nothing */
    bool matches = c->back ? git_refspec_dst_matches(spec, c->name) == 1
                           : git_refspec_src_matches(spec, c->name) == 1;
    if (matches && (c->back ? git_refspec_rtransform(&out, spec, c->name)
                            : git_refspec_transform(&out, spec, c->name)) == 0)
        c->result = mgi_arena_strdup(&c->g->a->arena, out.ptr);
    git_buf_dispose(&out);
    git_refspec_free(spec);
}

static int carry_entry(const git_config_entry *e, void *payload)
{
    carry(payload, e->value ? e->value : "");
    return 0;
}

/* ---- reading -------------------------------------------------------------------------------- */

static void release_config(void *config)
{
    git_config_free(config);
}

static bool open_config(struct git *g, git_config **config)
{
    int error = git_repository_config_snapshot(config, g->repo);
    if (error)
        return mgi_git_fail(g, error, "the configuration");
    return mgi_git_keep(g, release_config, *config);
}

/* "branch.NAME.KEY"; NULL: it is not there. */
static const char *value_of(struct git *g, git_config *config, const char *section,
                            const char *name, const char *key)
{
    const char *value = NULL;
    char *full = mgi_arena_printf(&g->a->arena, "%s.%s.%s", section, name, key);
    return full && git_config_get_string(&value, config, full) == 0 ? value : NULL;
}

bool mgi_git_upstream(struct git *g, const char *branch, const char **upstream)
{
    git_config *config;
    const char *name = branch + strlen("refs/heads/");
    struct carrying c = { .g = g };
    *upstream = NULL;
    if (strncmp(branch, "refs/heads/", 11) != 0)
        return true;
    if (!open_config(g, &config))
        return false;
    const char *remote = value_of(g, config, "branch", name, "remote");
    c.name = value_of(g, config, "branch", name, "merge");
    if (remote && c.name && strcmp(remote, ".") == 0) {
        *upstream = c.name;
    } else if (remote && c.name) {
        char *key = mgi_arena_printf(&g->a->arena, "remote.%s.fetch", remote);
        if (key)
            (void)git_config_get_multivar_foreach(config, key, NULL, carry_entry, &c);
        *upstream = c.result;
    }
    return !g->a->arena.oom || mgi_action_nomem(g->a);
}

static bool put_distance(struct history *h, const git_oid *here, const git_oid *there)
{
    struct compared c;
    struct action *a = h->g->a;
    struct commit_node *one = mgi_history_node(h, here), *other = mgi_history_node(h, there);
    if (!one || !other || !mgi_history_compare(h, one, &other, 1, &c))
        return false;
    mgi_jw_member_int(&a->out, "ahead", c.ahead);
    mgi_jw_member_int(&a->out, "behind", c.behind);
    return true;
}

bool mgi_git_put_upstream(struct history *h, const char *branch, const git_oid *tip)
{
    struct git *g = h->g;
    const char *upstream;
    git_oid id;
    if (!mgi_git_upstream(g, branch, &upstream))
        return false;
    if (!upstream)
        return true;
    bool found = mgi_git_target(g, upstream, GIT_OBJECT_COMMIT, &id);
    mgi_jw_key(&g->a->out, "upstream");
    mgi_jw_begin_object(&g->a->out);
    mgi_git_put_cut(g->a, "name", str_of(mgi_git_short_name(upstream)), REMOTE_MOST);
    mgi_jw_member_bool(&g->a->out, "gone", !found);
    if (found)
        mgi_git_put_id(g->a, "id", &id);
    bool ok = !found || put_distance(h, tip, &id);
    mgi_jw_end_object(&g->a->out);
    return ok;
}

/* ---- writing -------------------------------------------------------------------------------- */

/* The remote's name in "remote.NAME.fetch"; len 0: another entry. */
static struct str remote_of(const char *key)
{
    struct str name = { key + 7, strlen(key) };
    if (strncmp(key, "remote.", 7) != 0 || !mgi_str_ends(str_of(key), STR_LIT(".fetch")))
        return (struct str){ NULL, 0 };
    name.len -= 7 + strlen(".fetch");
    return name;
}

static bool find_remote(struct git *g, const char *refname, struct followed *out)
{
    git_config *config;
    git_config_iterator *it = NULL;
    git_config_entry *e;
    struct carrying c = { .g = g, .name = refname, .back = true };
    if (!open_config(g, &config))
        return false;
    int error = git_config_iterator_new(&it, config);
    while (!error && !c.result && git_config_next(&e, it) == 0) {
        struct str remote = remote_of(e->name);
        if (remote.len == 0 || remote.len > REMOTE_MOST || !e->value)
            continue;
        carry(&c, e->value);
        if (c.result)
            out->remote = mgi_arena_str(&g->a->arena, remote).ptr;
    }
    git_config_iterator_free(it);
    out->merge = c.result;
    if (error)
        return mgi_git_fail(g, error, "the configuration");
    return out->merge ||
           mgi_action_fail(g->a, "upstream: no remote of the configuration brings %s", refname);
}

bool mgi_git_find_followed(struct git *g, const char *branch, const char *refname,
                           struct followed *out)
{
    struct arena *arena = &g->a->arena;
    *out = (struct followed){ .remote = ".", .merge = refname };
    if (strncmp(refname, "refs/heads/", 11) != 0 && !find_remote(g, refname, out))
        return false;
    out->remote_key = mgi_arena_printf(arena, "branch.%s.remote", branch);
    out->merge_key = mgi_arena_printf(arena, "branch.%s.merge", branch);
    return !arena->oom || mgi_action_nomem(g->a);
}

int mgi_git_set_followed(struct git *g, const struct followed *f)
{
    git_config *config = NULL;
    int error = git_repository_config(&config, g->repo);
    if (!error)
        error = git_config_set_string(config, f->remote_key, f->remote);
    if (!error)
        error = git_config_set_string(config, f->merge_key, f->merge);
    git_config_free(config);
    return error;
}

bool mgi_git_find_branch_keys(struct git *g, const char *branch, struct branch_keys *out)
{
    git_config *config;
    git_config_iterator *it = NULL;
    git_config_entry *e;
    struct arena *arena = &g->a->arena;
    out->count = 0;
    char *section = mgi_arena_printf(arena, "branch.%s.", branch);
    if (!section)
        return mgi_action_nomem(g->a);
    if (!open_config(g, &config))
        return false;
    size_t len = strlen(section);
    int error = git_config_iterator_new(&it, config);
    while (!error && out->count < BRANCH_KEYS_MOST && git_config_next(&e, it) == 0)
        if (strncmp(e->name, section, len) == 0 && !strchr(e->name + len, '.'))
            out->items[out->count++] = mgi_arena_strdup(arena, e->name);
    git_config_iterator_free(it);
    if (error)
        return mgi_git_fail(g, error, "the configuration");
    return !arena->oom || mgi_action_nomem(g->a);
}

/* The section's name stays in the file, empty: to take it out libgit2 would use an expression. */
void mgi_git_forget_branch(struct git *g, const struct branch_keys *keys)
{
    git_config *config = NULL;
    if (git_repository_config(&config, g->repo) == 0)
        for (size_t i = 0; i < keys->count; i++)
            (void)git_config_delete_entry(config, keys->items[i]);
    git_config_free(config);
}
