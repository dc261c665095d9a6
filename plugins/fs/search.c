/* Text or a regular expression in the lines of files (support/lines.h). They are read one after the
 * other, in the order of their paths, so the same tree gives the same answer. */
#include "plugins/fs/fs.h"

#include <errno.h>
#include <unistd.h>

#include "base/utf8.h"
#include "plugins/support/lines.h"

struct search {
    const char *path;
    struct str glob;
    bool hidden;
    struct line_search lines;
};

/* A file that cannot be opened any more is counted, and nothing else. */
static bool search_open_file(struct action *a, struct search *s, int fd, const char *path,
                             const struct stat *st)
{
    struct str all;
    if (st->st_size > mgi_fs_settings(a)->max_bytes) {
        s->lines.too_large++;
        return true;
    }
    return mgi_fs_read_all(a, fd, path, &all) &&
           mgi_line_search_file(a, &s->lines, path, (struct str){ NULL, 0 }, all);
}

static bool search_file(struct action *a, struct search *s, int start, enum path_links links,
                        const char *below, const char *path)
{
    struct stat st;
    struct arena_mark mark = mgi_arena_mark(&a->arena);
    int seen = mgi_fs_open(a, start, below, O_PATH, links);
    bool regular = seen >= 0 && fstat(seen, &st) == 0 && S_ISREG(st.st_mode);
    if (seen >= 0)
        close(seen);
    int fd = regular ? mgi_fs_open(a, start, below, O_RDONLY, links) : -1;
    if (fd < 0 || fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
        if (fd >= 0)
            close(fd);
        s->lines.unreadable++;
        return !mgi_action_stops(a);
    }
    bool ok = search_open_file(a, s, fd, path, &st);
    close(fd);
    mgi_arena_rewind(&a->arena, mark);
    return ok && !mgi_action_stops(a);
}

/* ---- all files ------------------------------------------------------------------------------ */

static bool search_folder(struct action *a, struct search *s, int start)
{
    struct fs_walk walk = { .depth = FS_DEPTH_MOST, .hidden = s->hidden };
    if (!mgi_fs_walk(a, start, &walk))
        return false;
    s->lines.unreadable += (int64_t)(walk.unreadable + walk.unnamed);
    for (size_t i = 0; i < walk.count && !s->lines.truncated; i++) {
        const struct fs_entry *e = &walk.entries[i];
        if (!S_ISREG(e->st.st_mode) || (s->glob.len && !mgi_glob(s->glob, str_of(e->path))))
            continue;
        const char *path = mgi_fs_join(&a->arena, s->path, e->path);
        if (!path)
            return mgi_action_nomem(a);
        if (!search_file(a, s, start, PATH_NO_LINKS, e->path, path))
            return false;
        if (i % 64 == 0)
            a->host->progress(a->call, 100.0 * (double)i / (double)walk.count, path,
                              mgi_utf8_prefix(str_of(path), 200).len);
    }
    s->lines.truncated |= walk.incomplete;
    return true;
}

static bool search_start(struct action *a, struct search *s)
{
    struct stat st;
    int root = mgi_fs_root(a);
    int seen = root >= 0 ? mgi_fs_open(a, root, s->path, O_PATH, PATH_FOLLOW) : -1;
    if (seen < 0)
        return root >= 0 && mgi_fs_fail(a, s->path, errno);
    bool ok = fstat(seen, &st) == 0;
    close(seen);
    if (!ok || !S_ISDIR(st.st_mode))
        return search_file(a, s, root, PATH_FOLLOW, s->path, s->path);
    int start = mgi_fs_open(a, root, s->path, O_RDONLY | O_DIRECTORY, PATH_FOLLOW);
    if (start < 0)
        return mgi_fs_fail(a, s->path, errno);
    ok = search_folder(a, s, start);
    close(start);
    return ok;
}

static bool search_arguments(struct action *a, struct search *s)
{
    static const char *const known[] = { "pattern", "regex",   "ignore_case", "path", "glob",
                                         "hidden",  "context", "limit",       NULL };
    *s = (struct search){ .path = "." };
    mgi_arg_known(a, known);
    mgi_line_search_arguments(a, &s->lines);
    mgi_arg_bool(a, "hidden", &s->hidden);
    mgi_arg_path(a, "path", &s->path);
    mgi_arg_glob(a, "glob", &s->glob);
    return a->faults == 0;
}

bool mgi_fs_search(struct action *a)
{
    struct search s;
    if (!search_arguments(a, &s) || !mgi_line_search_begin(a, &s.lines))
        return false;
    mgi_jw_key(&a->out, "matches");
    mgi_jw_begin_array(&a->out);
    if (!search_start(a, &s))
        return false;
    mgi_jw_end_array(&a->out);
    mgi_line_search_counts(a, &s.lines);
    return true;
}
