/* Tags with what they name. */
#include "plugins/git/history.h"
#include "plugins/git/references.h"

#define TAGS_DEFAULT 200
#define TAGS_MOST    5000

struct tags {
    struct git g;
    struct history h;
    struct str pattern;
    const char *contains;
    int64_t limit, look;
    struct listed_refs refs;
    int64_t shown, total;
    bool truncated;
};

/* ---- which reach a commit ------------------------------------------------------------------- */

struct reach {
    struct history *h;
    struct commit_node **stack;
    size_t count, cap;
};

static bool push_reach(struct reach *r, struct commit_node *node)
{
    struct action *a = r->h->g->a;
    if (!mgi_arena_grow(&a->arena, &r->stack, &r->cap, r->count + 1, sizeof *r->stack))
        return mgi_action_nomem(a);
    r->stack[r->count++] = node;
    return true;
}

/* What its parents say, or the first of them that nobody has asked yet. */
static bool ask_parents(const struct commit_node *node, struct commit_node **unknown)
{
    *unknown = NULL;
    for (unsigned i = 0; i < node->parent_count; i++) {
        unsigned flags = node->parents[i]->flags;
        if (flags & HISTORY_REACHES)
            return true;
        if (!(flags & HISTORY_REACHES_NOT) && !*unknown)
            *unknown = node->parents[i];
    }
    return false;
}

/* Does `start` reach what is marked? Every commit is asked once, whatever number of starts. */
static bool reaches(struct reach *r, struct commit_node *start, bool *yes)
{
    r->count = 0;
    if (!push_reach(r, start))
        return false;
    while (r->count > 0) {
        struct commit_node *node = r->stack[r->count - 1], *unknown;
        bool there = true;
        if (!(node->flags & (HISTORY_REACHES | HISTORY_REACHES_NOT)) &&
            !mgi_history_load(r->h, node, &there))
            return false;
        bool known = (node->flags & (HISTORY_REACHES | HISTORY_REACHES_NOT)) != 0;
        if (!known && there && ask_parents(node, &unknown)) {
            node->flags |= HISTORY_REACHES;
        } else if (!known && there && unknown) {
            if (!push_reach(r, unknown))
                return false;
            continue;
        } else if (!known) {
            node->flags |= HISTORY_REACHES_NOT;
        }
        r->count--;
    }
    *yes = (start->flags & HISTORY_REACHES) != 0;
    return true;
}

/* Take out those that do not. */
static bool keep_containing(struct tags *t)
{
    git_commit *commit;
    size_t kept = 0;
    struct reach r = { .h = &t->h };
    if (!mgi_git_commit(&t->g, "contains", t->contains, &commit))
        return false;
    struct commit_node *wanted = mgi_history_node(&t->h, git_commit_id(commit));
    if (!wanted)
        return false;
    wanted->flags |= HISTORY_REACHES;
    for (size_t i = 0; i < t->refs.count; i++) {
        const struct listed_ref *ref = &t->refs.items[i];
        bool yes = false;
        if (ref->broken || ref->type != GIT_OBJECT_COMMIT)
            continue;
        struct commit_node *node = mgi_history_node(&t->h, &ref->id);
        if (!node || !reaches(&r, node, &yes))
            return false;
        if (yes)
            t->refs.items[kept++] = *ref;
    }
    t->refs.count = kept;
    return true;
}

/* ---- the answer ----------------------------------------------------------------------------- */

static void put_first_line(struct action *a, const char *message)
{
    struct str text = mgi_str_trim(str_of(message ? message : ""), "\r\n \t");
    const char *lf = text.len ? memchr(text.ptr, '\n', text.len) : NULL;
    if (lf)
        text.len = (size_t)(lf - text.ptr);
    mgi_git_put_cut(a, "subject", text, 400);
}

static bool put_what_it_says(struct tags *t, const struct listed_ref *r)
{
    git_tag *tag = NULL;
    git_commit *commit = NULL;
    struct action *a = t->g.a;
    bool annotated = !git_oid_is_zero(&r->tag_id);
    mgi_jw_member_bool(&a->out, "annotated", annotated);
    if (annotated) {
        int error = git_tag_lookup(&tag, t->g.repo, &r->tag_id);
        if (error)
            return mgi_git_fail(&t->g, error, "%s", r->shown);
        mgi_git_put_id(a, "tag_id", &r->tag_id);
        if (git_tag_tagger(tag))
            mgi_git_put_person(a, "tagger", git_tag_tagger(tag));
        put_first_line(a, git_tag_message(tag));
    } else if (r->type == GIT_OBJECT_COMMIT && git_commit_lookup(&commit, t->g.repo, &r->id) == 0) {
        put_first_line(a, git_commit_message(commit));
    }
    git_tag_free(tag);
    git_commit_free(commit);
    return true;
}

static bool put_tag(struct tags *t, const struct listed_ref *r)
{
    struct action *a = t->g.a;
    struct action_mark mark = mgi_action_mark(a);
    mgi_jw_begin_object(&a->out);
    mgi_git_put_cut(a, "name", str_of(r->shown), REVISION_MOST);
    mgi_git_put_id(a, "id", &r->id);
    mgi_jw_member_cstr(&a->out, "type", git_object_type2string(r->type));
    if (!put_what_it_says(t, r))
        return false;
    if (r->time != INT64_MIN)
        mgi_git_put_time(a, "time", r->time);
    mgi_jw_end_object(&a->out);
    t->truncated = !mgi_action_fits(a, mark);
    t->shown += !t->truncated;
    return true;
}

bool mgi_git_tags(struct action *a)
{
    static const char *const known[] = { "pattern", "contains", "limit", "look", NULL };
    static const char *const folders[] = { "refs/tags/", NULL };
    struct tags t = { .limit = TAGS_DEFAULT };
    mgi_arg_known(a, known);
    mgi_arg_glob(a, "pattern", &t.pattern);
    mgi_git_arg_cstr(a, "contains", REVISION_MOST, &t.contains);
    mgi_arg_int(a, "limit", 1, TAGS_MOST, &t.limit);
    mgi_history_arg_look(a, &t.look);
    if (a->faults > 0 || !mgi_git_open(a, &t.g))
        return false;
    mgi_history_init(&t.h, &t.g, t.look);
    if (!mgi_git_list_refs(&t.g, folders, t.pattern, &t.refs) ||
        (t.contains && !keep_containing(&t)))
        return false;
    mgi_jw_key(&a->out, "tags");
    mgi_jw_begin_array(&a->out);
    for (size_t i = 0; i < t.refs.count; i++) {
        if (t.refs.items[i].broken)
            continue;
        t.total++;
        t.truncated |= t.shown == t.limit;
        if (!t.truncated && (!put_tag(&t, &t.refs.items[i]) || mgi_action_stops(a)))
            return false;
    }
    mgi_jw_end_array(&a->out);
    mgi_git_put_broken(a, &t.refs);
    mgi_jw_member_int(&a->out, "total", t.total);
    mgi_history_put_bounds(a, &t.h);
    mgi_jw_member_bool(&a->out, "truncated", t.truncated);
    return true;
}
