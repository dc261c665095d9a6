/* Keeping what is observed of a live page as a recording: a folder that is opened later as a
 * capture, in which all tools see what they see of the live page (captures/README.md).
 *
 * A recording lies in the folder that the operator has set (`recordings`) and nowhere else. It is
 * written into a folder beside its place and moved there when it is whole: what is found under its
 * name is a recording, or nothing. One that is there already stays, unless it is to be replaced;
 * then only files that a recording has are removed, and a folder with others is refused. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/encode.h"
#include "record.h"
#include "trace.h"

#define NAME_BYTES_MOST 64
#define RECORDINGS_MOST 500 /* in one folder */
#define PICTURE_BYTES   (16u * 1024 * 1024)

static const char *const files[] = { "events.jsonl", "dom.json", "storage.json", "performance.json",
                                     "screenshot.png" };
enum { FILES = sizeof files / sizeof files[0] };

/* One recording under way. */
struct recording {
    struct job *job;
    const char *root, *name; /* the folder of all of them; its own */
    char part[NAME_BYTES_MOST + 8];
    int root_fd, part_fd;
    bool replace;
    size_t bytes[FILES];
    const char *lacks; /* the first file that could not be had, NULL: none */
    struct buf why;
};

/* ---- names and folders ---------------------------------------------------------------------- */

static bool is_plain_name(struct str name)
{
    bool plain = name.len > 0 && name.len <= NAME_BYTES_MOST && name.ptr[0] != '.';
    for (size_t i = 0; plain && i < name.len; i++) {
        char c = name.ptr[i];
        plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                c == '-' || c == '_' || c == '.';
    }
    return plain;
}

static struct str host_of(struct str url)
{
    struct str origin = mgi_url_origin(url);
    size_t scheme = mgi_str_find(origin, STR_LIT("://"));
    size_t skip = scheme == SIZE_MAX ? 0 : scheme + 3;
    return (struct str){ origin.ptr + skip, origin.len - skip };
}

/* The argument, or one made of the page's host and the time: "localhost-20261129-091502". */
static bool choose_name(struct recording *r)
{
    struct job *job = r->job;
    struct str name = { 0 }, host = host_of(job->capture.url);
    if (!mgi_job_string(job, "name", &name))
        return false;
    if (name.len == 0) {
        struct timespec now;
        struct tm tm;
        char *made;
        clock_gettime(CLOCK_REALTIME, &now);
        gmtime_r(&now.tv_sec, &tm);
        made = mgi_arena_printf(job->arena, "%.*s-%04d%02d%02d-%02d%02d%02d",
                                (int)(host.len < 40 ? host.len : 40), host.ptr ? host.ptr : "",
                                tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday, tm.tm_hour, tm.tm_min,
                                tm.tm_sec);
        for (char *c = made; c && *c; c++)
            *c = is_plain_name((struct str){ c, 1 }) || *c == '.' ? *c : '-';
        name = made ? str_of(made[0] == '-' ? made + 1 : made) : name;
    }
    if (!is_plain_name(name))
        return mgi_job_fail(job,
                            "the name of a recording has letters, digits, - _ and dots, at most %d "
                            "of them, and begins with no dot",
                            NAME_BYTES_MOST);
    r->name = mgi_arena_str(job->arena, name).ptr;
    return r->name || mgi_job_no_memory(job);
}

static bool open_root(struct recording *r)
{
    struct job *job = r->job;
    struct str folder = mgi_live_settings()->folder;
    if (folder.len == 0)
        return mgi_job_fail(job, "no folder for recordings is set: set `recordings`");
    r->root = mgi_arena_str(job->arena, folder).ptr;
    if (!r->root)
        return mgi_job_no_memory(job);
    r->root_fd = open(r->root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (r->root_fd < 0)
        return mgi_job_fail(job, "the folder for recordings could not be opened: %s",
                            strerror(errno));
    return true;
}

/* How many entries; -1: it could not be read. *strange: one that no recording has. */
static int count_entries(int folder, bool *strange)
{
    int count = 0, again = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *dir = again < 0 ? NULL : fdopendir(again);
    if (!dir) {
        if (again >= 0)
            close(again);
        return -1;
    }
    for (struct dirent *e; (e = readdir(dir)) != NULL;) {
        bool known = false;
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
            continue;
        for (size_t i = 0; i < FILES; i++)
            known |= strcmp(e->d_name, files[i]) == 0;
        *strange |= !known;
        count++;
    }
    closedir(dir);
    return count;
}

/* What a recording has is removed, then the folder, if nothing else is in it. */
static bool remove_recording(int root, const char *name)
{
    int folder = openat(root, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder < 0)
        return errno == ENOENT;
    for (size_t i = 0; i < FILES; i++)
        unlinkat(folder, files[i], 0);
    close(folder);
    return unlinkat(root, name, AT_REMOVEDIR) == 0;
}

/* May something be put under this name? */
static bool check_place(struct recording *r)
{
    struct job *job = r->job;
    bool strange = false;
    int count = count_entries(r->root_fd, &strange);
    if (count >= RECORDINGS_MOST)
        return mgi_job_fail(job, "the folder for recordings has %d entries: remove some first",
                            count);
    struct stat about;
    if (fstatat(r->root_fd, r->name, &about, AT_SYMLINK_NOFOLLOW) != 0)
        return errno == ENOENT || mgi_job_fail(job, "%s: %s", r->name, strerror(errno));
    if (!r->replace)
        return mgi_job_fail(job,
                            "there is a recording %s already: choose another name, or ask for "
                            "`replace`",
                            r->name);
    int folder = openat(r->root_fd, r->name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    strange = folder < 0;
    if (folder >= 0) {
        strange |= count_entries(folder, &strange) < 0;
        close(folder);
    }
    return !strange ||
           mgi_job_fail(job, "%s is no recording, or more than one: it stays as it is", r->name);
}

static bool make_part(struct recording *r)
{
    snprintf(r->part, sizeof r->part, ".%s.part", r->name);
    if (!remove_recording(r->root_fd, r->part)) /* of one that was killed */
        return mgi_job_fail(r->job, "%s is in the way: %s", r->part, strerror(errno));
    if (mkdirat(r->root_fd, r->part, 0700) == 0)
        r->part_fd = openat(r->root_fd, r->part, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    return r->part_fd >= 0 ||
           mgi_job_fail(r->job, "the recording could not be begun: %s", strerror(errno));
}

/* ---- files ---------------------------------------------------------------------------------- */

static bool write_all(int fd, const char *bytes, size_t len)
{
    while (len > 0) {
        ssize_t n = write(fd, bytes, len);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        bytes += n;
        len -= (size_t)n;
    }
    return true;
}

static bool put_file(struct recording *r, size_t which, struct str bytes)
{
    int fd = openat(r->part_fd, files[which], O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                    0600);
    bool good = fd >= 0 && write_all(fd, bytes.ptr, bytes.len);
    int fault = errno;
    if (fd >= 0 && close(fd) != 0 && good) {
        good = false;
        fault = errno;
    }
    r->bytes[which] = bytes.len;
    return good ||
           mgi_job_fail(r->job, "%s could not be written: %s", files[which], strerror(fault));
}

static bool put_events(struct recording *r)
{
    struct buf text;
    struct trace *trace = mgi_live_trace();
    if (!trace)
        return mgi_job_fail(r->job, "nothing was seen of the page yet");
    mgi_buf_init(&text);
    bool good = mgi_trace_write(trace, &text) && !text.oom;
    good = good ? put_file(r, 0, mgi_buf_view(&text)) : mgi_job_no_memory(r->job);
    mgi_buf_fini(&text);
    return good;
}

/* Standard base64, as DevTools write it, in place. */
static size_t decode(struct json *picture, uint8_t **out, struct arena *arena)
{
    struct str text = picture->string;
    char *copy = mgi_arena_alloc(arena, text.len + 1);
    size_t cap = text.len / 4 * 3 + 3;
    *out = mgi_arena_alloc(arena, cap);
    if (!copy || !*out)
        return SIZE_MAX;
    while (text.len > 0 && text.ptr[text.len - 1] == '=')
        text.len--;
    for (size_t i = 0; i < text.len; i++)
        copy[i] = text.ptr[i] == '+' ? '-' : text.ptr[i] == '/' ? '_' : text.ptr[i];
    return mgi_base64url_decode((struct str){ copy, text.len }, *out, cap);
}

static bool take_picture(struct recording *r, struct str *bytes)
{
    struct json result;
    uint8_t *raw = NULL;
    if (!mgi_live_call(r->job, "Page.captureScreenshot", STR_LIT("{\"format\":\"png\"}"), &result))
        return false;
    const struct json *picture = mgi_json_get(&result, "data");
    if (!picture || picture->type != JSON_STRING || picture->string.len > PICTURE_BYTES)
        return mgi_job_fail(r->job, "the browser gave no picture, or too large a one");
    struct json kept = *picture;
    size_t len = decode(&kept, &raw, r->job->arena);
    if (len == SIZE_MAX)
        return mgi_job_fail(r->job, "the browser's picture cannot be read");
    *bytes = (struct str){ (const char *)raw, len };
    return true;
}

/* The optional ones: a page that failed has no document to be asked, and is recorded nevertheless.
 * Why a file is not there is part of the answer. */
static bool put_others(struct recording *r)
{
    struct job *job = r->job;
    for (size_t i = 1; i < FILES; i++) {
        struct buf *said = job->error;
        struct str bytes = { 0 };
        job->error = &r->why;
        bool had = i + 1 == FILES ? take_picture(r, &bytes) : mgi_live_file(job, files[i], &bytes);
        job->error = said;
        /* Memory that was missing anywhere on the way is no reason of the page's. */
        if (job->arena->oom || job->no_memory || r->why.oom)
            return mgi_job_no_memory(job);
        if (had && !put_file(r, i, bytes))
            return false;
        if (!had && !r->lacks)
            r->lacks = files[i];
    }
    return true;
}

static bool move_there(struct recording *r)
{
    if (r->replace && !remove_recording(r->root_fd, r->name))
        return mgi_job_fail(r->job, "%s could not be replaced: %s", r->name, strerror(errno));
    if (renameat2(r->root_fd, r->part, r->root_fd, r->name, RENAME_NOREPLACE) == 0)
        return true;
    return mgi_job_fail(r->job,
                        errno == EEXIST ? "there is a recording %s already"
                                        : "%s could not be put in its place",
                        r->name);
}

/* ---- the action ----------------------------------------------------------------------------- */

/* Why the address that was opened last has no page; empty: it has one. A recording of that is one,
 * too, but nobody shall take it for the page's. */
static struct str not_loaded(const struct job *job)
{
    size_t count = job->capture.more.navigations.count;
    return count > 0 ? job->capture.more.navigations.items[count - 1].failed : STR_LIT("");
}

static void answer(const struct recording *r)
{
    struct job *job = r->job;
    struct json_writer *w = &job->out;
    mgi_jw_member_cstr(w, "name", r->name);
    mgi_jw_member_cstr(w, "path", mgi_arena_printf(job->arena, "%s/%s", r->root, r->name));
    mgi_put_text(job, "url", job->capture.url);
    mgi_put_text(job, "title", job->capture.title);
    mgi_jw_member_int(w, "requests", (int64_t)job->capture.request_count);
    mgi_jw_member_int(w, "errors", (int64_t)job->capture.error_count);
    if (not_loaded(job).len > 0)
        mgi_put_text(job, "not_loaded", not_loaded(job));
    mgi_jw_key(w, "files");
    mgi_jw_begin_object(w);
    for (size_t i = 0; i < FILES; i++)
        if (r->bytes[i] > 0)
            mgi_jw_member_int(w, files[i], (int64_t)r->bytes[i]);
    mgi_jw_end_object(w);
    if (r->lacks)
        mgi_jw_member_cstr(w, "incomplete",
                           mgi_arena_printf(job->arena, "no %s: %.*s", r->lacks,
                                            STR_ARG(mgi_utf8_prefix(mgi_buf_view(&r->why), 200))));
    mgi_jw_member_cstr(w, "summary",
                       mgi_arena_printf(job->arena, "recorded %.*s as %s",
                                        STR_ARG(mgi_utf8_prefix(job->capture.url, 100)), r->name));
}

static bool keep(struct recording *r)
{
    if (!make_part(r))
        return false;
    bool good = put_events(r) && put_others(r) && move_there(r);
    close(r->part_fd);
    if (!good)
        (void)remove_recording(r->root_fd, r->part);
    return good;
}

static bool record_page(struct job *job)
{
    struct recording r = { .job = job, .root_fd = -1, .part_fd = -1 };
    if (!mgi_is_live(job))
        return mgi_job_fail(job, "a recording is made of a live page: set `page` to its address");
    if (!mgi_job_boolean(job, "replace", &r.replace) || !mgi_record_steps(job) ||
        !choose_name(&r) || !open_root(&r))
        return false;
    mgi_buf_init(&r.why);
    bool good = check_place(&r) && keep(&r);
    if (good)
        answer(&r);
    mgi_buf_fini(&r.why);
    close(r.root_fd);
    return good;
}

static const struct browser_action record_actions[] = {
    { "AID.BROWSER.RECORD.v1", "record_page",
      "Keeps what was observed of the live page as a recording, which is opened like a page later.",
      "browser.record", "filesystem_write",
      "\"name\":{\"type\":\"string\",\"maxLength\":64,\"description\":\"letters, digits, - _ and "
      "dots; without it one is made of the host and the time\"},"
      "\"replace\":{\"type\":\"boolean\",\"default\":false,\"description\":\"a recording of that "
      "name\"}," RECORD_STEPS,
      record_page },
};
const struct browser_actions mgi_record_actions = { record_actions, sizeof record_actions /
                                                                        sizeof record_actions[0] };
