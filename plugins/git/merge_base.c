/* What commits have in common, and how two of them lie. */
#include "plugins/git/history.h"

#define REVISIONS_MOST 16

struct revisions {
    const char *texts[REVISIONS_MOST];
    struct commit_node *nodes[REVISIONS_MOST];
    size_t count;
};

static bool read_revision(struct action *a, th_str value, struct revisions *r)
{
    if (r->count == REVISIONS_MOST)
        return mgi_action_fail(a, "revisions: more than %d", REVISIONS_MOST);
    struct str text =
        value.ptr[0] == '"' ? mgi_arg_string(&a->arena, value) : (struct str){ NULL, 0 };
    if (!text.ptr && value.ptr[0] == '"')
        return mgi_action_nomem(a);
    if (!text.ptr || text.len == 0 || text.len > REVISION_MOST || memchr(text.ptr, '\0', text.len))
        return mgi_action_fail(a, "revisions: has an element that is no text of 1 to %d bytes",
                               REVISION_MOST);
    r->texts[r->count++] = text.ptr;
    return true;
}

static void read_revisions(struct action *a, struct revisions *r)
{
    th_str list, unused, value;
    if (!mgi_arg_need(a, "revisions") || !mgi_arg_raw(a, "revisions", &list))
        return;
    if (list.ptr[0] != '[') {
        mgi_action_fail(a, "revisions: not an array");
        return;
    }
    for (size_t at = 0; a->faults == 0 && mgi_arg_each(list, &at, &unused, &value);)
        read_revision(a, value, r);
    if (a->faults == 0 && r->count < 2)
        mgi_action_fail(a, "revisions: needs two or more");
}

static bool find_nodes(struct git *g, struct history *h, struct revisions *r)
{
    for (size_t i = 0; i < r->count; i++) {
        git_commit *commit;
        if (!mgi_git_commit(g, "revisions", r->texts[i], &commit))
            return false;
        r->nodes[i] = mgi_history_node(h, git_commit_id(commit));
        if (!r->nodes[i])
            return false;
    }
    return true;
}

static const char *relation_of(const struct revisions *r, const struct compared *c)
{
    if (r->nodes[0] == r->nodes[1])
        return "same";
    if (c->base_count == 0)
        return "unrelated";
    if (c->ahead == 0)
        return "ancestor";
    return c->behind == 0 ? "descendant" : "diverged";
}

static void put_answer(struct action *a, const struct revisions *r, const struct compared *c)
{
    char text[GIT_ID_TEXT_BYTES];
    mgi_jw_key(&a->out, "commits");
    mgi_jw_begin_array(&a->out);
    for (size_t i = 0; i < r->count; i++)
        mgi_jw_cstring(&a->out, git_oid_tostr(text, sizeof text, &r->nodes[i]->id));
    mgi_jw_end_array(&a->out);
    mgi_jw_key(&a->out, "bases");
    mgi_jw_begin_array(&a->out);
    for (size_t i = 0; i < c->base_count; i++) {
        mgi_jw_begin_object(&a->out);
        mgi_git_put_id(a, "id", &c->bases[i]->id);
        mgi_git_put_time(a, "time", c->bases[i]->time);
        mgi_jw_end_object(&a->out);
    }
    mgi_jw_end_array(&a->out);
    if (r->count != 2)
        return;
    mgi_jw_member_cstr(&a->out, "relation", relation_of(r, c));
    mgi_jw_member_int(&a->out, "ahead", c->ahead);
    mgi_jw_member_int(&a->out, "behind", c->behind);
}

bool mgi_git_merge_base(struct action *a)
{
    static const char *const known[] = { "revisions", "look", NULL };
    struct git g;
    struct history h;
    struct compared c;
    struct revisions r = { .count = 0 };
    int64_t look;
    mgi_arg_known(a, known);
    read_revisions(a, &r);
    mgi_history_arg_look(a, &look);
    if (a->faults > 0 || !mgi_git_open(a, &g))
        return false;
    mgi_history_init(&h, &g, look);
    if (!find_nodes(&g, &h, &r) ||
        !mgi_history_compare(&h, r.nodes[0], &r.nodes[1], r.count - 1, &c))
        return false;
    put_answer(a, &r, &c);
    mgi_history_put_bounds(a, &h);
    return true;
}
