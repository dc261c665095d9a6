/* Reading one file, and what is known of one path. */
#include "plugins/fs/fs.h"

#include <errno.h>
#include <unistd.h>

#include "plugins/support/content.h"

struct part {
    struct content content;
    int64_t offset, length; /* length -1: to the end */
    bool by_bytes;
};

static bool read_arguments(struct action *a, struct part *p)
{
    static const char *const known[] = { "path",   "first_line", "last_line", "offset",
                                         "length", "encoding",   "max_bytes", NULL };
    *p = (struct part){ .length = -1 };
    mgi_arg_known(a, known);
    if (mgi_arg_need(a, "path"))
        mgi_arg_path(a, "path", &p->content.path);
    mgi_content_arguments(a, &p->content);
    p->by_bytes = mgi_arg_int(a, "offset", 0, INT64_MAX, &p->offset);
    p->by_bytes |= mgi_arg_int(a, "length", 0, INT64_MAX, &p->length);
    if (p->content.first_line && p->by_bytes)
        mgi_action_fail(a, "first_line, last_line: cannot be combined with offset and length");
    return a->faults == 0;
}

static void put_digest(struct action *a, struct str bytes)
{
    char digest[SHA256_TEXT_BYTES];
    mgi_sha256_text(bytes, digest);
    mgi_jw_member_cstr(&a->out, "sha256", digest);
}

static bool put_lines(struct action *a, const struct part *p, struct str all)
{
    size_t behind;
    bool truncated;
    if (!mgi_content_put_lines(a, &p->content, all, &behind, &truncated))
        return false;
    if (truncated) /* a line that was cut has to be read by bytes */
        mgi_jw_member_int(&a->out, "next_offset", (int64_t)behind);
    return true;
}

static bool put_bytes(struct action *a, const struct part *p, struct str bytes, int64_t size)
{
    size_t taken;
    bool to_the_end = p->offset + (int64_t)bytes.len >= size;
    if (!mgi_content_put(a, &p->content, bytes, to_the_end, &taken))
        return false;
    mgi_jw_member_int(&a->out, "offset", p->offset);
    mgi_jw_member_int(&a->out, "bytes", (int64_t)taken);
    mgi_jw_member_bool(&a->out, "truncated", taken < bytes.len);
    if (p->offset + (int64_t)taken < size)
        mgi_jw_member_int(&a->out, "next_offset", p->offset + (int64_t)taken);
    return true;
}

static bool read_part(struct action *a, int fd, const struct part *p, int64_t size)
{
    int64_t left = size > p->offset ? size - p->offset : 0;
    int64_t want = p->length < 0 || p->length > left ? left : p->length;
    if (want >
        p->content.most + 3) /* what will not be shown is not read; 3: the end of a character */
        want = p->content.most + 3;
    char *out = mgi_arena_alloc(&a->arena, (size_t)want + 1);
    if (!out)
        return mgi_action_nomem(a);
    size_t len = 0;
    while (len < (size_t)want) {
        ssize_t n = pread(fd, out + len, (size_t)want - len, (off_t)(p->offset + (int64_t)len));
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return mgi_fs_fail(a, p->content.path, errno);
        if (n == 0)
            break;
        len += (size_t)n;
    }
    return put_bytes(a, p, (struct str){ out, len }, size);
}

static bool read_file(struct action *a, int fd, const struct part *p, const struct stat *st)
{
    struct str all;
    mgi_jw_member_cstr(&a->out, "path", p->content.path);
    mgi_jw_member_int(&a->out, "size", st->st_size);
    mgi_put_time(a, "modified", mgi_fs_modified_ns(st));
    mgi_fs_put_permissions(a, st->st_mode);
    if (p->by_bytes)
        return read_part(a, fd, p, st->st_size);
    if (!mgi_fs_read_all(a, fd, p->content.path, &all))
        return mgi_action_fail(a, "parts of it can be read with offset and length");
    put_digest(a, all);
    return p->content.first_line ? put_lines(a, p, all) : put_bytes(a, p, all, (int64_t)all.len);
}

bool mgi_fs_read(struct action *a)
{
    struct part part;
    struct stat st;
    int root = read_arguments(a, &part) ? mgi_fs_root(a) : -1;
    int fd = root >= 0 ? mgi_fs_open_file(a, root, part.content.path, PATH_FOLLOW, &st) : -1;
    if (fd < 0)
        return false;
    bool ok = read_file(a, fd, &part, &st);
    close(fd);
    return ok;
}

/* ---- stat ----------------------------------------------------------------------------------- */

static void put_link(struct action *a, int root, const char *path)
{
    char target[PATH_MOST + 1];
    const char *name;
    struct stat st;
    int folder = mgi_fs_open_parent(a, root, path, PATH_FOLLOW, &name);
    if (folder < 0)
        return;
    ssize_t len = readlinkat(folder, name, target, sizeof target);
    close(folder);
    if (len >= 0) /* the writer replaces what is no UTF-8 */
        mgi_jw_member_str(&a->out, "target", (struct str){ target, (size_t)len });
    int end = mgi_fs_open(a, root, path, O_PATH, PATH_FOLLOW);
    if (end >= 0 && fstat(end, &st) == 0)
        mgi_jw_member_cstr(&a->out, "target_type", mgi_fs_type(st.st_mode));
    if (end >= 0)
        close(end);
}

static bool put_file_digest(struct action *a, int root, const char *path)
{
    struct stat st;
    struct str all;
    int fd = mgi_fs_open_file(a, root, path, PATH_FOLLOW, &st);
    if (fd < 0)
        return false;
    bool ok = mgi_fs_read_all(a, fd, path, &all);
    close(fd);
    if (ok)
        put_digest(a, all);
    return ok;
}

/* The entry itself, not what a link at its end leads to. */
static bool stat_entry(const struct action *a, int root, const char *path, struct stat *st)
{
    int fd = mgi_fs_open(a, root, path, O_PATH | O_NOFOLLOW, PATH_FOLLOW);
    if (fd < 0)
        return false;
    bool ok = fstat(fd, st) == 0;
    close(fd);
    return ok;
}

bool mgi_fs_stat(struct action *a)
{
    static const char *const known[] = { "path", "digest", NULL };
    const char *path = ".";
    bool digest = false;
    struct stat st;
    mgi_arg_known(a, known);
    if (mgi_arg_need(a, "path"))
        mgi_arg_path(a, "path", &path);
    mgi_arg_bool(a, "digest", &digest);
    int root = a->faults == 0 ? mgi_fs_root(a) : -1;
    if (root < 0)
        return false;
    bool exists = stat_entry(a, root, path, &st);
    if (!exists && errno != ENOENT)
        return mgi_fs_fail(a, path, errno);
    mgi_jw_member_cstr(&a->out, "path", path);
    mgi_jw_member_bool(&a->out, "exists", exists);
    if (!exists)
        return true;
    mgi_jw_member_cstr(&a->out, "type", mgi_fs_type(st.st_mode));
    mgi_jw_member_int(&a->out, "size", st.st_size);
    mgi_put_time(a, "modified", mgi_fs_modified_ns(&st));
    mgi_fs_put_permissions(a, st.st_mode);
    if (S_ISLNK(st.st_mode))
        put_link(a, root, path);
    return !digest || !S_ISREG(st.st_mode) || put_file_digest(a, root, path);
}
