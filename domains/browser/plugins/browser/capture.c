/* Opening a capture: the folder, its files, and every problem with them in one answer.
 *
 * A path is only opened as a folder, and in it only files whose names are known, when they are
 * regular and of a bearable size: a pipe, a device or a directory in a file's place is refused
 * without reading. */
#include "guard.h"
#include "live.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <unistd.h>

/* An answer names this many problems; a broken file may have thousands. */
#define PROBLEMS_SHOWN 12
#define OPEN_SHOWN     200 /* bytes of an address in an error */

void mgi_problem(struct problems *problems, const char *format, ...)
{
    problems->count++;
    if (problems->count > PROBLEMS_SHOWN)
        return;
    if (problems->count > 1)
        mgi_buf_puts(problems->text, "; ");
    va_list args;
    va_start(args, format);
    mgi_buf_vprintf(problems->text, format, args);
    va_end(args);
}

static bool read_all(int file, char *to, size_t len)
{
    size_t done = 0;
    while (done < len) {
        ssize_t n = read(file, to + done, len - done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        done += (size_t)n;
    }
    return true;
}

/* The content of an open file, without a byte order mark: some exports begin with one. */
static bool read_file(struct job *job, struct problems *problems, const char *name, int file,
                      struct str *text)
{
    struct stat about;
    if (fstat(file, &about) != 0) {
        mgi_problem(problems, "%s: %s", name, strerror(errno));
        return false;
    }
    if (!S_ISREG(about.st_mode)) {
        mgi_problem(problems, "%s is not a regular file", name);
        return false;
    }
    if (about.st_size > (off_t)CAPTURE_MAX_FILE_BYTES) {
        mgi_problem(problems, "%s has %lld bytes, the limit is %u", name, (long long)about.st_size,
                    CAPTURE_MAX_FILE_BYTES);
        return false;
    }
    size_t len = (size_t)about.st_size;
    char *bytes = mgi_arena_alloc(job->arena, len + 1);
    if (!bytes) {
        mgi_problem(problems, "%s: out of memory", name);
        return false;
    }
    if (!read_all(file, bytes, len)) {
        mgi_problem(problems, "%s: could not be read: %s", name,
                    errno ? strerror(errno) : "it shrank meanwhile");
        return false;
    }
    bytes[len] = '\0';
    *text = (struct str){ bytes, len };
    if (mgi_str_starts(*text, STR_LIT("\xef\xbb\xbf")))
        *text = (struct str){ bytes + 3, len - 3 };
    return true;
}

static int open_folder(const char *dir)
{
    return open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

bool mgi_capture_file(struct job *job, struct problems *problems, const char *name,
                      struct str *text, bool *missing)
{
    bool done = false;
    if (missing)
        *missing = false;
    int folder = open_folder(job->capture.dir);
    if (folder < 0) {
        mgi_problem(problems, "the capture is gone: %s", strerror(errno));
        return false;
    }
    errno = 0;
    int file = openat(folder, name, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (file >= 0) {
        errno = 0;
        done = read_file(job, problems, name, file, text);
        close(file);
    } else if (errno == ENOENT && missing) {
        *missing = true;
    } else if (errno == ENOENT) {
        mgi_problem(problems, "%s is missing", name);
    } else {
        mgi_problem(problems, "%s: could not be opened: %s", name, strerror(errno));
    }
    close(folder);
    return done;
}

bool mgi_capture_json(struct job *job, const char *name, struct json *out)
{
    struct problems problems = { .text = job->error };
    struct str text;
    bool missing = false;
    if (mgi_is_live(job)) {
        if (!mgi_live_file(job, name, &text))
            return false;
    } else if (!mgi_capture_file(job, &problems, name, &text, &missing)) {
        if (missing)
            mgi_job_fail(job, "this capture has no %s, which is optional", name);
        return false;
    }
    struct json_error fault;
    if (mgi_json_parse(job->arena, text, NULL, out, &fault))
        return mgi_job_fail(job, "%s:%u:%u: %s", name, fault.line, fault.column, fault.message);
    if (out->type != JSON_OBJECT)
        return mgi_job_fail(job, "%s: the file holds no JSON object", name);
    return true;
}

/* The folder's name from the input, checked. */
static bool find_folder(struct job *job)
{
    struct str dir = { 0 };
    if (!mgi_job_string(job, "capture", &dir))
        return false;
    if (dir.len == 0)
        return mgi_job_fail(job, "no capture is chosen: give the folder as `capture`");
    if (memchr(dir.ptr, '\0', dir.len))
        return mgi_job_fail(job, "the capture's path holds a zero byte");
    struct str kept = mgi_arena_str(job->arena, dir);
    if (!kept.ptr)
        return false;
    job->capture.dir = kept.ptr;
    int folder = open_folder(kept.ptr);
    if (folder < 0) {
        /* Only the last part is named: the whole path is nobody's business but the server's. */
        struct str name = mgi_url_file(dir);
        if (errno == ENOTDIR)
            return mgi_job_fail(job, "the capture \"%.*s\" is not a folder", STR_ARG(name));
        return mgi_job_fail(job, "the capture \"%.*s\" could not be opened: %s", STR_ARG(name),
                            strerror(errno));
    }
    close(folder);
    return true;
}

/* A recording of ours is a trace; any other is a HAR and what the console said. */
static void read_recording(struct job *job, struct problems *problems)
{
    struct str text;
    bool missing;
    if (mgi_capture_file(job, problems, "events.jsonl", &text, &missing))
        mgi_page_read(job, problems, text);
    if (!missing)
        return;
    bool har = mgi_capture_file(job, problems, "network.har", &text, NULL);
    if (har)
        mgi_har_read(job, problems, text);
    bool console = mgi_capture_file(job, problems, "console.jsonl", &text, NULL);
    if (console)
        mgi_console_read(job, problems, text);
    if (!har && !console)
        mgi_buf_puts(problems->text,
                     " (a recording is a folder with events.jsonl, or with these two)");
}

/* A user may let a page go elsewhere (navigate_to asks him), but only the operator to an address
 * that is internal; another port of the page's own host is another server. */
static bool say_not_allowed(struct job *job, struct str url, const struct guard_url *parts)
{
    const struct live_settings *s = mgi_live_settings();
    struct guard_url page;
    struct str host = mgi_utf8_prefix(parts->host, OPEN_SHOWN);
    bool own = mgi_guard_parse(s->page, &page) && mgi_guard_same_host(page.host, parts->host);
    if (!mgi_guard_refuses(s->allow, url))
        return mgi_job_fail(job, "%.*s is not among the hosts that are allowed: navigate_to asks",
                            STR_ARG(host));
    if (own)
        return mgi_job_fail(job,
                            "%.*s:%d is not among the hosts that are allowed: the page's own "
                            "server is %.*s:%d, and only the operator allows another port (setting "
                            "`allow`)",
                            STR_ARG(host), parts->port, STR_ARG(host), page.port);
    return mgi_job_fail(job,
                        "%.*s is not among the hosts that are allowed, and being internal it is "
                        "opened only where the operator names it (setting `allow`)",
                        STR_ARG(host));
}

bool mgi_live_open_asked(struct job *job)
{
    struct str url = { 0 };
    struct guard_url parts;
    if (!mgi_job_has(job, "open"))
        return mgi_live_open(job);
    if (!mgi_job_string(job, "open", &url))
        return false;
    if (!mgi_guard_parse(url, &parts))
        return mgi_job_fail(job, "\"%.*s\" is no address",
                            STR_ARG(mgi_utf8_prefix(url, OPEN_SHOWN)));
    return mgi_guard_allows(mgi_live_settings()->allow, &parts) ? mgi_live_open_anew(job, url)
                                                                : say_not_allowed(job, url, &parts);
}

bool mgi_capture_load(struct job *job)
{
    if (mgi_is_live(job))
        return mgi_live_open_asked(job) && mgi_live_observe(job);
    if (mgi_job_has(job, "open"))
        return mgi_job_fail(job, "a recording is of one page: another address cannot be opened");
    if (!find_folder(job))
        return false;
    struct problems problems = { .text = job->error };
    read_recording(job, &problems);
    if (problems.count > PROBLEMS_SHOWN)
        mgi_buf_printf(problems.text, "; and %zu more", problems.count - PROBLEMS_SHOWN);
    return problems.count == 0 && !job->arena->oom;
}
