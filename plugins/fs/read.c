/* Reading one file, and what is known of one path. */
#include "plugins/fs/fs.h"

#include <errno.h>
#include <unistd.h>

#include "base/utf8.h"

#define ANSWER_BYTES_DEFAULT (256 * 1024)
#define ANSWER_BYTES_MOST    700000

struct part {
    const char *path;
    int64_t first_line, last_line; /* from 1; 0: not asked by lines */
    int64_t offset, length;        /* length -1: to the end */
    int64_t most;                  /* bytes of content in the answer */
    size_t encoding;
    bool by_bytes;
};

static const char *const encodings[] = { "auto", "text", "base64", NULL };
enum encoding { ENCODING_AUTO, ENCODING_TEXT, ENCODING_BASE64 };

static bool read_arguments(struct action *a, struct part *p)
{
    static const char *const known[] = { "path",   "first_line", "last_line", "offset",
                                         "length", "encoding",   "max_bytes", NULL };
    *p = (struct part){ .length = -1, .most = ANSWER_BYTES_DEFAULT };
    mgi_arg_known(a, known);
    if (mgi_arg_need(a, "path"))
        mgi_fs_arg_path(a, "path", &p->path);
    mgi_arg_int(a, "first_line", 1, INT64_MAX, &p->first_line);
    mgi_arg_int(a, "last_line", 1, INT64_MAX, &p->last_line);
    p->by_bytes = mgi_arg_int(a, "offset", 0, INT64_MAX, &p->offset);
    p->by_bytes |= mgi_arg_int(a, "length", 0, INT64_MAX, &p->length);
    mgi_arg_int(a, "max_bytes", 1, ANSWER_BYTES_MOST, &p->most);
    mgi_arg_word(a, "encoding", encodings, &p->encoding);
    bool by_lines = p->first_line || p->last_line;
    if (by_lines && p->by_bytes)
        mgi_action_fail(a, "first_line, last_line: cannot be combined with offset and length");
    if (p->first_line && p->last_line && p->last_line < p->first_line)
        mgi_action_fail(a, "last_line: %lld is before first_line %lld", (long long)p->last_line,
                        (long long)p->first_line);
    if (by_lines && p->first_line == 0)
        p->first_line = 1;
    return a->faults == 0;
}

/* Text, if it is wanted and can be: UTF-8 without NUL. A character that the end of the part has
 * cut is left for the next part. */
static bool as_text(const struct part *p, struct str *bytes, bool whole)
{
    size_t bad = 0;
    if (p->encoding == ENCODING_BASE64 || (bytes->len && memchr(bytes->ptr, '\0', bytes->len)))
        return false;
    if (mgi_utf8_valid(*bytes, &bad))
        return true;
    struct utf8_stream end = { 0 };
    if (whole || bad == 0 || bytes->len - bad > 3 ||
        !mgi_utf8_feed(&end, (struct str){ bytes->ptr + bad, bytes->len - bad }))
        return false;
    bytes->len = bad;
    return true;
}

/* Cut to what the caller wants and the answer holds, then written. *taken is what was. */
static bool put_content(struct action *a, const struct part *p, struct str bytes, bool to_the_end,
                        size_t *taken)
{
    struct str cut = bytes;
    if (cut.len > (size_t)p->most) {
        cut.len = (size_t)p->most;
        to_the_end = false;
    }
    bool text = as_text(p, &cut, to_the_end && cut.len == bytes.len);
    if (!text && p->encoding == ENCODING_TEXT)
        return mgi_action_fail(a, "%s: is no UTF-8 text; ask for encoding base64", p->path);
    mgi_jw_member_cstr(&a->out, "encoding", text ? "utf-8" : "base64");
    if (text) {
        cut.len = mgi_json_fit(cut, mgi_action_room(a));
        mgi_jw_member_str(&a->out, "text", cut);
    } else {
        size_t room = mgi_action_room(a) / 4 * 3;
        cut.len = cut.len < room ? cut.len : room;
        struct buf coded;
        mgi_buf_init(&coded);
        mgi_base64_put(&coded, cut);
        mgi_jw_member_str(&a->out, "base64", mgi_buf_view(&coded));
        bool oom = coded.oom;
        mgi_buf_fini(&coded);
        if (oom)
            return mgi_action_nomem(a);
    }
    *taken = cut.len;
    return true;
}

static void put_digest(struct action *a, struct str bytes)
{
    char digest[SHA256_TEXT_BYTES];
    mgi_sha256_text(bytes, digest);
    mgi_jw_member_cstr(&a->out, "sha256", digest);
}

/* Where line `number` begins; text.len if there are fewer. */
static size_t line_start(struct str text, int64_t number)
{
    size_t at = 0;
    for (int64_t n = 1; n < number && at < text.len; n++) {
        const char *lf = memchr(text.ptr + at, '\n', text.len - at);
        at = lf ? (size_t)(lf - text.ptr) + 1 : text.len;
    }
    return at;
}

static int64_t count_lines(struct str text)
{
    int64_t count = text.len && text.ptr[text.len - 1] != '\n';
    for (size_t i = 0; i < text.len; i++)
        count += text.ptr[i] == '\n';
    return count;
}

static bool put_lines(struct action *a, const struct part *p, struct str all)
{
    size_t begin = line_start(all, p->first_line), taken;
    struct str rest = { all.ptr + begin, all.len - begin };
    size_t end = p->last_line ? line_start(rest, p->last_line - p->first_line + 2) : rest.len;
    mgi_jw_member_int(&a->out, "lines", count_lines(all));
    mgi_jw_member_int(&a->out, "first_line", p->first_line);
    if (!put_content(a, p, (struct str){ rest.ptr, end }, true, &taken))
        return false;
    struct str shown = { rest.ptr, taken };
    int64_t last = p->first_line - 1 + count_lines(shown);
    mgi_jw_member_int(&a->out, "last_line", last);
    mgi_jw_member_bool(&a->out, "truncated", taken < end);
    if (taken < end) /* a line that was cut has to be read by bytes */
        mgi_jw_member_int(&a->out, "next_offset", (int64_t)(begin + taken));
    return true;
}

static bool put_bytes(struct action *a, const struct part *p, struct str bytes, int64_t size)
{
    size_t taken;
    bool to_the_end = p->offset + (int64_t)bytes.len >= size;
    if (!put_content(a, p, bytes, to_the_end, &taken))
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
    if (want > p->most + 3) /* what will not be shown is not read; 3: the end of a character */
        want = p->most + 3;
    char *out = mgi_arena_alloc(&a->arena, (size_t)want + 1);
    if (!out)
        return mgi_action_nomem(a);
    size_t len = 0;
    while (len < (size_t)want) {
        ssize_t n = pread(fd, out + len, (size_t)want - len, (off_t)(p->offset + (int64_t)len));
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return mgi_fs_fail(a, p->path, errno);
        if (n == 0)
            break;
        len += (size_t)n;
    }
    return put_bytes(a, p, (struct str){ out, len }, size);
}

static bool read_file(struct action *a, int fd, const struct part *p, const struct stat *st)
{
    struct str all;
    mgi_jw_member_cstr(&a->out, "path", p->path);
    mgi_jw_member_int(&a->out, "size", st->st_size);
    mgi_fs_put_time(a, "modified", mgi_fs_modified_ns(st));
    mgi_fs_put_permissions(a, st->st_mode);
    if (p->by_bytes)
        return read_part(a, fd, p, st->st_size);
    if (!mgi_fs_read_all(a, fd, p->path, &all))
        return mgi_action_fail(a, "parts of it can be read with offset and length");
    put_digest(a, all);
    return p->first_line ? put_lines(a, p, all) : put_bytes(a, p, all, (int64_t)all.len);
}

bool mgi_fs_read(struct action *a)
{
    struct part part;
    struct stat st;
    int root = read_arguments(a, &part) ? mgi_fs_root(a) : -1;
    int fd = root >= 0 ? mgi_fs_open_file(a, root, part.path, FS_FOLLOW, &st) : -1;
    if (fd < 0)
        return false;
    bool ok = read_file(a, fd, &part, &st);
    close(fd);
    return ok;
}

/* ---- stat ----------------------------------------------------------------------------------- */

static void put_link(struct action *a, int root, const char *path)
{
    char target[FS_PATH_MOST + 1];
    const char *name;
    struct stat st;
    int folder = mgi_fs_open_parent(a, root, path, FS_FOLLOW, &name);
    if (folder < 0)
        return;
    ssize_t len = readlinkat(folder, name, target, sizeof target);
    close(folder);
    if (len >= 0) /* the writer replaces what is no UTF-8 */
        mgi_jw_member_str(&a->out, "target", (struct str){ target, (size_t)len });
    int end = mgi_fs_open(a, root, path, O_PATH, FS_FOLLOW);
    if (end >= 0 && fstat(end, &st) == 0)
        mgi_jw_member_cstr(&a->out, "target_type", mgi_fs_type(st.st_mode));
    if (end >= 0)
        close(end);
}

static bool put_file_digest(struct action *a, int root, const char *path)
{
    struct stat st;
    struct str all;
    int fd = mgi_fs_open_file(a, root, path, FS_FOLLOW, &st);
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
    int fd = mgi_fs_open(a, root, path, O_PATH | O_NOFOLLOW, FS_FOLLOW);
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
        mgi_fs_arg_path(a, "path", &path);
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
    mgi_fs_put_time(a, "modified", mgi_fs_modified_ns(&st));
    mgi_fs_put_permissions(a, st.st_mode);
    if (S_ISLNK(st.st_mode))
        put_link(a, root, path);
    return !digest || !S_ISREG(st.st_mode) || put_file_digest(a, root, path);
}
