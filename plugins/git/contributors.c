/* Who contributed: commits, and, if asked, lines. */
#include <ctype.h>
#include <stdlib.h>

#include "base/strmap.h"
#include "plugins/git/changes.h"
#include "plugins/git/lineage.h"
#include "plugins/git/trees.h"
#include "plugins/support/content.h"

#define PERSONS_DEFAULT 100
#define PERSONS_MOST    2000

struct person {
    struct str name, email;
    int64_t commits, first, last; /* times of the author */
    int64_t added, deleted, lines;
};

struct contributors {
    struct git g;
    struct history h;
    struct walk walk;
    const char *range, *path;
    int64_t until, limit, look;
    bool mailmap, merges, changes, lines;

    git_mailmap *map; /* NULL: none */
    struct strmap by_email;
    struct person **persons;
    size_t count, cap;
    int64_t commits, all_lines;
};

/* ---- persons -------------------------------------------------------------------------------- */

static void release_mailmap(void *map)
{
    git_mailmap_free(map);
}

/* HEAD's .mailmap; a file that the configuration names is not read. */
static bool read_mailmap(struct contributors *c)
{
    git_commit *head;
    git_tree *tree;
    struct tree_entry e;
    struct str text;
    struct git *g = &c->g;
    if (!mgi_git_head(g, &head) || !mgi_git_tree(g, head, &tree))
        return false;
    if (!tree)
        return true;
    if (!mgi_walk_entry(g, git_tree_id(tree), ".mailmap", &e))
        return false;
    if (!e.found || (e.mode & 0170000) != 0100000)
        return true;
    if (!mgi_git_blob(g, &e.id, ".mailmap", &text))
        return false;
    int error = git_mailmap_from_buffer(&c->map, text.ptr, text.len);
    if (error)
        return mgi_git_fail(g, error, ".mailmap");
    return mgi_git_keep(g, release_mailmap, c->map);
}

static struct str lower_case(struct arena *arena, const char *email)
{
    char *out = mgi_arena_strdup(arena, email);
    for (char *p = out; p && *p; p++)
        *p = (char)tolower((unsigned char)*p);
    return str_of(out);
}

/* The person of that address, made if unknown; NULL: memory is short. */
static struct person *find_person(struct contributors *c, const git_signature *who)
{
    uint32_t place;
    struct arena *arena = &c->g.a->arena;
    struct str email = lower_case(arena, who->email);
    if (!email.ptr)
        return NULL;
    if (mgi_strmap_get(&c->by_email, email, &place))
        return c->persons[place];
    struct person *p = mgi_arena_calloc(arena, 1, sizeof *p);
    struct str name = mgi_arena_str(arena, str_of(who->name));
    if (!p || !name.ptr ||
        !mgi_arena_grow(arena, &c->persons, &c->cap, c->count + 1, sizeof *c->persons) ||
        !mgi_strmap_put(&c->by_email, email, (uint32_t)c->count))
        return NULL;
    *p = (struct person){ .name = name, .email = email, .first = INT64_MAX, .last = INT64_MIN };
    return c->persons[c->count++] = p;
}

/* Who that is by the mailmap. NULL: the call failed. */
static struct person *person_of(struct contributors *c, const git_signature *who)
{
    git_signature *real = NULL;
    if (c->map && git_mailmap_resolve_signature(&real, c->map, who) != 0) {
        mgi_git_fail(&c->g, -1, ".mailmap");
        return NULL;
    }
    const git_signature *use = real ? real : who;
    struct person *p = find_person(c, use);
    if (p && use->when.time > p->last && !str_is(p->name, use->name)) {
        p->name = mgi_arena_str(&c->g.a->arena, str_of(use->name));
        p = p->name.ptr ? p : NULL;
    }
    git_signature_free(real);
    if (!p)
        mgi_action_nomem(c->g.a);
    return p;
}

/* ---- commits -------------------------------------------------------------------------------- */

static bool add_changes(struct contributors *c, const struct commit_node *node, struct person *p)
{
    struct git *g = &c->g;
    struct changes how = { .renames = true };
    git_diff *diff = NULL;
    bool first = node->parent_count > 0 && (node->parents[0]->flags & HISTORY_LOADED);
    struct arena_mark mark = mgi_arena_mark(&g->a->arena);
    if (c->path && strcmp(c->path, ".") != 0) {
        how.paths.items = &c->path;
        how.paths.count = 1;
    }
    bool ok = mgi_git_diff_ids(g, &how, first ? &node->parents[0]->tree : NULL, &node->tree, &diff);
    for (size_t i = 0; ok && i < git_diff_num_deltas(diff); i++) {
        int64_t added, deleted;
        bool counted;
        ok = mgi_git_count_lines(g, diff, i, &added, &deleted, &counted) && !mgi_action_stops(g->a);
        if (ok && counted) {
            p->added += added;
            p->deleted += deleted;
        }
    }
    mgi_arena_rewind(&g->a->arena, mark);
    return ok;
}

static bool add_commit(struct contributors *c, const struct commit_node *node)
{
    git_commit *commit = NULL;
    if ((node->parent_count > 1 && !c->merges) || node->time < c->walk.since ||
        node->time > c->until)
        return true;
    int error = git_commit_lookup(&commit, c->g.repo, &node->id);
    if (error)
        return mgi_git_fail(&c->g, error, "a commit");
    const git_signature *who = git_commit_author(commit);
    struct person *p = person_of(c, who);
    if (p) {
        p->commits++;
        p->first = who->when.time < p->first ? who->when.time : p->first;
        p->last = who->when.time > p->last ? who->when.time : p->last;
        c->commits++;
    }
    git_commit_free(commit);
    return p && (!c->changes || add_changes(c, node, p));
}

static bool add_commits(struct contributors *c)
{
    struct commit_node *node;
    const char *unused;
    for (;;) {
        if (!mgi_walk_next(&c->walk, &node, &unused))
            return false;
        if (!node)
            return true;
        if (!add_commit(c, node))
            return false;
    }
}

/* ---- lines ---------------------------------------------------------------------------------- */

static bool add_owner(struct contributors *c, const struct lineage_range *r)
{
    git_commit *commit = NULL;
    int error = git_commit_lookup(&commit, c->g.repo, &r->node->id);
    if (error)
        return mgi_git_fail(&c->g, error, "a commit");
    struct person *p = person_of(c, git_commit_author(commit));
    if (p)
        p->lines += (int64_t)r->count;
    git_commit_free(commit);
    return p != NULL;
}

static bool add_lines(struct contributors *c)
{
    struct tree_entry e;
    struct str text;
    struct lineage lineage;
    struct git *g = &c->g;
    bool there;
    if (!c->walk.has_end)
        return true;
    struct commit_node *end = mgi_history_node(&c->h, &c->walk.end);
    if (!end || !mgi_history_load(&c->h, end, &there) || !there ||
        !mgi_walk_entry(g, &end->tree, c->path, &e))
        return g->a->faults == 0;
    if (!e.found || (e.mode & 0170000) != 0100000)
        return mgi_action_fail(g->a, "path: %s is %s in that commit", c->path,
                               e.found ? "no file" : "not");
    if (!mgi_git_blob(g, &e.id, c->path, &text))
        return false;
    c->all_lines = mgi_count_lines(text);
    if (!mgi_git_lineage(&c->h, end, c->path, NULL, 0, (size_t)c->all_lines, false, &lineage))
        return false;
    for (size_t i = 0; i < lineage.count; i++)
        if (lineage.items[i].node && !add_owner(c, &lineage.items[i]))
            return false;
    return true;
}

/* ---- the answer ----------------------------------------------------------------------------- */

static int most_first(const void *a, const void *b)
{
    const struct person *x = *(struct person *const *)a, *y = *(struct person *const *)b;
    if (x->commits != y->commits)
        return x->commits > y->commits ? -1 : 1;
    if (x->lines != y->lines)
        return x->lines > y->lines ? -1 : 1;
    return mgi_str_compare(x->email, y->email);
}

static bool put_person(struct contributors *c, const struct person *p)
{
    struct action *a = c->g.a;
    struct action_mark mark = mgi_action_mark(a);
    mgi_jw_begin_object(&a->out);
    mgi_git_put_cut(a, "name", p->name, 400);
    mgi_git_put_cut(a, "email", p->email, 400);
    mgi_jw_member_int(&a->out, "commits", p->commits);
    if (p->commits > 0) {
        mgi_git_put_time(a, "first", p->first);
        mgi_git_put_time(a, "last", p->last);
    }
    if (c->changes) {
        mgi_jw_member_int(&a->out, "added", p->added);
        mgi_jw_member_int(&a->out, "deleted", p->deleted);
    }
    if (c->lines)
        mgi_jw_member_int(&a->out, "lines", p->lines);
    mgi_jw_end_object(&a->out);
    return mgi_action_fits(a, mark);
}

static bool put_answer(struct contributors *c)
{
    struct action *a = c->g.a;
    bool truncated = false;
    if (c->count > 0)
        qsort(c->persons, c->count, sizeof *c->persons, most_first);
    mgi_jw_key(&a->out, "contributors");
    mgi_jw_begin_array(&a->out);
    for (size_t i = 0; i < c->count && !truncated; i++)
        truncated = (int64_t)i == c->limit || !put_person(c, c->persons[i]);
    mgi_jw_end_array(&a->out);
    mgi_jw_member_int(&a->out, "persons", (int64_t)c->count);
    mgi_jw_member_int(&a->out, "commits", c->commits);
    if (c->lines)
        mgi_jw_member_int(&a->out, "lines", c->all_lines);
    mgi_history_put_bounds(a, &c->h);
    mgi_jw_member_bool(&a->out, "truncated", truncated);
    return true;
}

static bool contributors_arguments(struct action *a, struct contributors *c)
{
    static const char *const known[] = { "range",   "path",  "since", "until", "mailmap", "merges",
                                         "changes", "lines", "limit", "look",  NULL };
    *c = (struct contributors){
        .range = "HEAD", .until = INT64_MAX, .limit = PERSONS_DEFAULT, .mailmap = true
    };
    c->walk.since = INT64_MIN;
    mgi_arg_known(a, known);
    mgi_git_arg_cstr(a, "range", RANGE_MOST, &c->range);
    mgi_git_arg_path(a, "path", true, &c->path);
    mgi_git_arg_time(a, "since", false, &c->walk.since);
    mgi_git_arg_time(a, "until", true, &c->until);
    mgi_arg_bool(a, "mailmap", &c->mailmap);
    mgi_arg_bool(a, "merges", &c->merges);
    mgi_arg_bool(a, "changes", &c->changes);
    mgi_arg_bool(a, "lines", &c->lines);
    mgi_arg_int(a, "limit", 1, PERSONS_MOST, &c->limit);
    mgi_history_arg_look(a, &c->look);
    if (c->lines && (!c->path || strcmp(c->path, ".") == 0))
        mgi_action_fail(a, "lines: needs the path of a file");
    c->walk.path = c->path;
    return a->faults == 0;
}

static bool count_all(struct contributors *c)
{
    mgi_history_init(&c->h, &c->g, c->look);
    return (!c->mailmap || read_mailmap(c)) && mgi_walk_begin(&c->walk, &c->h, c->range, false) &&
           add_commits(c) && (!c->lines || add_lines(c)) && put_answer(c);
}

bool mgi_git_contributors(struct action *a)
{
    struct contributors *c = mgi_arena_alloc(&a->arena, sizeof *c);
    if (!c)
        return mgi_action_nomem(a);
    if (!contributors_arguments(a, c) || !mgi_git_open(a, &c->g))
        return false;
    mgi_strmap_init(&c->by_email);
    bool ok = count_all(c);
    mgi_strmap_fini(&c->by_email);
    return ok;
}
