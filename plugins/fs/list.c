/* What a folder has. */
#include "plugins/fs/fs.h"

#include <errno.h>
#include <unistd.h>

#define LIMIT_DEFAULT 500
#define LIMIT_MOST    5000

/* Room that is left for what follows the entries. */
#define TAIL_BYTES 4096

static const char *const types[] = { "any", "file", "folder", "symlink", NULL };

struct listing {
    const char *path;
    struct str glob;
    int64_t limit;
    size_t type;
    struct fs_walk walk;
};

static bool listing_arguments(struct action *a, struct listing *l)
{
    static const char *const known[] = { "path", "depth", "glob", "type", "hidden", "limit", NULL };
    *l = (struct listing){ .path = ".", .limit = LIMIT_DEFAULT, .walk = { .depth = 1 } };
    mgi_arg_known(a, known);
    mgi_arg_path(a, "path", &l->path);
    mgi_arg_int(a, "depth", 1, FS_DEPTH_MOST, &l->walk.depth);
    mgi_arg_bool(a, "hidden", &l->walk.hidden);
    mgi_arg_int(a, "limit", 1, LIMIT_MOST, &l->limit);
    mgi_arg_word(a, "type", types, &l->type);
    mgi_arg_glob(a, "glob", &l->glob);
    return a->faults == 0;
}

static bool is_wanted(const struct listing *l, const struct fs_entry *e)
{
    if (l->type && strcmp(types[l->type], mgi_fs_type(e->st.st_mode)) != 0)
        return false;
    return l->glob.len == 0 || mgi_glob(l->glob, str_of(e->path));
}

static void put_entry(struct action *a, const struct listing *l, const struct fs_entry *e)
{
    mgi_jw_begin_object(&a->out);
    mgi_jw_member_cstr(&a->out, "path", mgi_fs_join(&a->arena, l->path, e->path));
    mgi_jw_member_cstr(&a->out, "type", mgi_fs_type(e->st.st_mode));
    if (S_ISREG(e->st.st_mode))
        mgi_jw_member_int(&a->out, "size", e->st.st_size);
    mgi_put_time(a, "modified", mgi_fs_modified_ns(&e->st));
    mgi_jw_end_object(&a->out);
}

static void put_entries(struct action *a, const struct listing *l)
{
    int64_t wanted = 0, shown = 0;
    mgi_jw_key(&a->out, "entries");
    mgi_jw_begin_array(&a->out);
    for (size_t i = 0; i < l->walk.count; i++) {
        if (!is_wanted(l, &l->walk.entries[i]))
            continue;
        /* Six bytes for one: what a name of control characters takes. */
        size_t most = 6 * (strlen(l->path) + strlen(l->walk.entries[i].path)) + 200;
        if (wanted++ == shown && shown < l->limit && mgi_action_room(a) > most + TAIL_BYTES) {
            put_entry(a, l, &l->walk.entries[i]);
            shown++;
        }
    }
    mgi_jw_end_array(&a->out);
    mgi_jw_member_int(&a->out, "total", wanted);
    mgi_jw_member_bool(&a->out, "truncated", shown < wanted || l->walk.incomplete);
    mgi_jw_member_bool(&a->out, "deeper", l->walk.deeper);
    mgi_jw_member_int(&a->out, "hidden_skipped", (int64_t)l->walk.hidden_skipped);
    mgi_jw_member_int(&a->out, "unreadable", (int64_t)l->walk.unreadable);
    mgi_jw_member_int(&a->out, "unnamed", (int64_t)l->walk.unnamed);
}

bool mgi_fs_list(struct action *a)
{
    struct listing l;
    int root = listing_arguments(a, &l) ? mgi_fs_root(a) : -1;
    if (root < 0)
        return false;
    int start = mgi_fs_open(a, root, l.path, O_RDONLY | O_DIRECTORY, PATH_FOLLOW);
    if (start < 0)
        return mgi_fs_fail(a, l.path, errno);
    bool ok = mgi_fs_walk(a, start, &l.walk);
    close(start);
    if (!ok)
        return false;
    mgi_jw_member_cstr(&a->out, "path", l.path);
    put_entries(a, &l);
    return true;
}
