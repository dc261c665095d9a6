/* Branches and tags, listed; see references.h. */
#include "plugins/git/references.h"

#include <stdlib.h>

static void take_time(struct git *g, struct listed_ref *r, git_object *object)
{
    git_tag *tag = NULL;
    r->time = INT64_MIN;
    if (r->type == GIT_OBJECT_COMMIT)
        r->time = git_commit_time((git_commit *)object);
    if (!git_oid_is_zero(&r->tag_id) && git_tag_lookup(&tag, g->repo, &r->tag_id) == 0 &&
        git_tag_tagger(tag))
        r->time = git_tag_tagger(tag)->when.time;
    git_tag_free(tag);
}

/* Where it leads; false with `broken`. packed-refs can have names that lead out of its folder. */
static bool take_target(struct git *g, git_reference *reference, struct listed_ref *r)
{
    git_object *object = NULL;
    git_tag *tag = NULL;
    const git_oid *direct = git_reference_target(reference);
    int valid = 0;
    if (git_reference_name_is_valid(&valid, git_reference_name(reference)) != 0 || !valid) {
        r->broken = "it cannot be the name of a reference";
        return false;
    }
    int error = git_reference_peel(&object, reference, GIT_OBJECT_ANY);
    if (error) {
        const git_error *last = git_error_last();
        r->broken = mgi_arena_strdup(&g->a->arena, last ? last->message : "leads nowhere");
        return false;
    }
    r->type = git_object_type(object);
    git_oid_cpy(&r->id, git_object_id(object));
    if (direct && git_tag_lookup(&tag, g->repo, direct) == 0)
        git_oid_cpy(&r->tag_id, direct);
    git_tag_free(tag);
    take_time(g, r, object);
    git_object_free(object);
    return true;
}

static const char *without_folder(const char *name, const char *const *folders)
{
    for (size_t i = 0; folders[i]; i++)
        if (strncmp(name, folders[i], strlen(folders[i])) == 0)
            return name + strlen(folders[i]);
    return NULL;
}

static bool add_ref(struct git *g, git_reference *reference, const char *const *folders,
                    struct str pattern, struct listed_refs *out)
{
    struct arena *arena = &g->a->arena;
    const char *shown = without_folder(git_reference_name(reference), folders);
    if (!shown || git_reference_type(reference) == GIT_REFERENCE_SYMBOLIC ||
        (pattern.len && !mgi_glob(pattern, str_of(shown))))
        return true;
    char *name = mgi_arena_strdup(arena, git_reference_name(reference));
    if (!name || !mgi_arena_grow(arena, &out->items, &out->cap, out->count + 1, sizeof *out->items))
        return mgi_action_nomem(g->a);
    struct listed_ref *r = &out->items[out->count++];
    *r = (struct listed_ref){ .name = name, .shown = without_folder(name, folders) };
    take_target(g, reference, r);
    return !arena->oom || mgi_action_nomem(g->a);
}

static int newest_first(const void *a, const void *b)
{
    const struct listed_ref *x = a, *y = b;
    if (x->time != y->time)
        return x->time > y->time ? -1 : 1;
    return strcmp(x->name, y->name);
}

bool mgi_git_list_refs(struct git *g, const char *const *folders, struct str pattern,
                       struct listed_refs *out)
{
    git_reference_iterator *it = NULL;
    git_reference *reference = NULL;
    *out = (struct listed_refs){ 0 };
    int error = git_reference_iterator_new(&it, g->repo);
    bool ok = !error || mgi_git_fail(g, error, "the references");
    while (ok && (error = git_reference_next(&reference, it)) == 0) {
        ok = add_ref(g, reference, folders, pattern, out) && !mgi_action_stops(g->a);
        git_reference_free(reference);
    }
    git_reference_iterator_free(it);
    if (ok && error != GIT_ITEROVER)
        return mgi_git_fail(g, error, "the references");
    if (ok && out->count > 0)
        qsort(out->items, out->count, sizeof *out->items, newest_first);
    return ok;
}

void mgi_git_put_broken(struct action *a, const struct listed_refs *refs)
{
    size_t shown = 0;
    mgi_jw_key(&a->out, "broken");
    mgi_jw_begin_array(&a->out);
    for (size_t i = 0; i < refs->count && shown < BROKEN_MOST; i++) {
        if (!refs->items[i].broken)
            continue;
        shown++;
        mgi_jw_begin_object(&a->out);
        mgi_git_put_cut(a, "name", str_of(refs->items[i].shown), 300);
        mgi_git_put_cut(a, "reason", str_of(refs->items[i].broken), 400);
        mgi_jw_end_object(&a->out);
    }
    mgi_jw_end_array(&a->out);
}
