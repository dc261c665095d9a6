/* Runs the real toolhost program and speaks to it, for the tests of this folder.
 *
 *     struct session s;
 *     session_start(&s, "ok.so", NULL, WITH_CONTROL);
 *     check(&s, "C-026", "[]", "{\"ok\":false,\"error\":\"request must be a JSON object\"}");
 *     assert_int_equal(session_end(&s), 0);
 *
 * Nothing here waits for ever: every read has a limit, after which the test fails. */
#ifndef TOOLHOST_HOST_SESSION_H
#define TOOLHOST_HOST_SESSION_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/json.h"
#include "base/time.h"
#include "sys/clock.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define UNDER_ASAN 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define UNDER_ASAN 1
#endif

#define HOST_PROGRAM  MGI_BUILD_DIR "/bin/toolhost"
#define PLUGIN_FOLDER MGI_BUILD_DIR "/test-plugins/"

/* Requests and answers, spelled short. */
#define ASK(name)                    "{\"aid\":\"AID.TEST." name ".v1\"}"
#define ASK_WITH(name, more)         "{\"aid\":\"AID.TEST." name ".v1\"," more "}"
#define ASK_HOSTILE(name)            "{\"aid\":\"AID.HOSTILE." name ".v1\"}"
#define ASK_HOSTILE_WITH(name, more) "{\"aid\":\"AID.HOSTILE." name ".v1\"," more "}"
#define NO_CHANGE                    "\"ds_state\":{\"delta\":true,\"slots\":{},\"removed_slots\":[]}"
#define REFUSAL(error)               "{\"ok\":false,\"error\":\"" error "\"}"
#define FAILURE(error)                                                                             \
    "{\"ok\":false,\"status\":\"TOOL_ERROR\",\"output_json\":\"{}\",\"error\":\"" error            \
    "\"," NO_CHANGE "}"
#define OUTPUT(json)                                                                               \
    "{\"ok\":true,\"status\":\"OK\",\"output_json\":\"" json "\",\"error\":\"\"," NO_CHANGE "}"

enum { READ_LIMIT_MS = 30000 };
enum session_options { PLAIN = 0, WITH_CONTROL = 1, AS_NOBODY = 2 };

struct session {
    pid_t pid;
    int in, out, err, control; /* ours; -1: closed */
    struct buf out_bytes, err_bytes, control_bytes, line;
    int end_status; /* of waitpid */
};

static inline int64_t test_now_ms(void)
{
    return mgi_clock_mono_ns() / NS_PER_MS;
}

static inline void test_sleep_ms(long ms)
{
    struct timespec t = { ms / 1000, ms % 1000 * 1000000 };
    nanosleep(&t, NULL);
}

/* The environment of the host: ours where a sanitizer needs it, the test's, and no more. */
static inline char **test_env(const char *const *env)
{
    static char *list[64];
    size_t n = 0;
    for (const char *const *e = env; e && *e; e++)
        list[n++] = (char *)*e;
#ifdef UNDER_ASAN
    list[n++] = (char *)"MACHINA_TOOLHOST_RLIMIT_AS_MB=0";
#endif
    list[n++] = (char *)"PATH=/usr/bin:/bin";
    list[n] = NULL;
    return list;
}

/* An ordinary user of this program's own: the kernel counts the processes of a user on the whole
 * machine, and the same test may run beside. `of`: the test's process. */
static inline uid_t test_nobody(pid_t of)
{
    return 62000 + (uid_t)of % 3000;
}

static inline bool test_become_nobody(pid_t of)
{
    return setgid(test_nobody(of)) == 0 && setuid(test_nobody(of)) == 0;
}

/* Start HOST_PROGRAM with these arguments; no shell. */
static inline void session_exec(struct session *s, const char *const *args, const char *const *env,
                                enum session_options options)
{
    int in[2], out[2], err[2], control[2] = { -1, -1 };
    *s = (struct session){ .control = -1 };
    assert_int_equal(pipe2(in, O_CLOEXEC), 0);
    assert_int_equal(pipe2(out, O_CLOEXEC), 0);
    assert_int_equal(pipe2(err, O_CLOEXEC), 0);
    if (options & WITH_CONTROL)
        assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, control), 0);
    signal(SIGPIPE, SIG_IGN);
    pid_t self = getpid();
    s->pid = fork();
    assert_true(s->pid >= 0);
    if (s->pid == 0) {
        dup2(in[0], 0);
        dup2(out[1], 1);
        dup2(err[1], 2);
        if (control[1] >= 0)
            dup2(control[1], 99);
        if ((options & AS_NOBODY) && getuid() == 0 && !test_become_nobody(self))
            _exit(126);
        execve(HOST_PROGRAM, (char *const *)args, test_env(env));
        _exit(127);
    }
    close(in[0]);
    close(out[1]);
    close(err[1]);
    if (control[1] >= 0)
        close(control[1]);
    s->in = in[1];
    s->out = out[0];
    s->err = err[0];
    s->control = control[0];
}

static inline void session_start(struct session *s, const char *plugin, const char *const *env,
                                 enum session_options options)
{
    char path[512];
    snprintf(path, sizeof path, PLUGIN_FOLDER "%s", plugin);
    const char *with[] = { "toolhost", "--serve", path, "--control-fd", "99", NULL };
    const char *without[] = { "toolhost", "--serve", path, NULL };
    session_exec(s, options & WITH_CONTROL ? with : without, env, options);
}

/* ---- bytes -------------------------------------------------------------------------------- */

/* Read what is there on `fd` into `bytes`; closes it at its end. */
static inline void test_drain(int *fd, struct buf *bytes)
{
    char chunk[65536];
    ssize_t n = read(*fd, chunk, sizeof chunk);
    if (n > 0) {
        mgi_buf_append(bytes, chunk, (size_t)n);
    } else if (n == 0 || (errno != EINTR && errno != EAGAIN)) {
        close(*fd);
        *fd = -1;
    }
}

/* Wait for something of the host, up to `until_ms`; standard error is read on the way. */
static inline bool session_wait(struct session *s, int64_t until_ms)
{
    struct pollfd polls[] = { { .fd = s->out, .events = POLLIN },
                              { .fd = s->err, .events = POLLIN },
                              { .fd = s->control, .events = POLLIN } };
    int64_t left = until_ms - test_now_ms();
    if (left <= 0 || poll(polls, 3, (int)left) <= 0)
        return false;
    if (polls[0].revents)
        test_drain(&s->out, &s->out_bytes);
    if (polls[1].revents)
        test_drain(&s->err, &s->err_bytes);
    if (polls[2].revents)
        test_drain(&s->control, &s->control_bytes);
    return true;
}

static inline bool test_take_line(struct buf *bytes, struct buf *line)
{
    const char *lf = bytes->len ? memchr(bytes->ptr, '\n', bytes->len) : NULL;
    if (!lf)
        return false;
    size_t len = (size_t)(lf - bytes->ptr);
    mgi_buf_clear(line);
    mgi_buf_append(line, bytes->ptr, len);
    memmove(bytes->ptr, lf + 1, bytes->len - len - 1);
    bytes->len -= len + 1;
    return true;
}

/* The next answer, without its LF; NULL at the end of the stream. Borrowed until the next read. */
static inline const char *session_read_from(struct session *s, int *fd, struct buf *bytes)
{
    int64_t until = test_now_ms() + READ_LIMIT_MS;
    while (!test_take_line(bytes, &s->line)) {
        if (*fd < 0)
            return NULL;
        if (test_now_ms() > until)
            fail_msg("no answer within %d ms", READ_LIMIT_MS);
        session_wait(s, until);
    }
    return s->line.ptr;
}

static inline const char *session_read(struct session *s)
{
    return session_read_from(s, &s->out, &s->out_bytes);
}

static inline const char *control_read(struct session *s)
{
    return session_read_from(s, &s->control, &s->control_bytes);
}

/* Write all, reading answers meanwhile so that neither side blocks the other. */
static inline void test_write(struct session *s, int fd, const char *bytes, size_t len)
{
    fcntl(fd, F_SETFL, O_NONBLOCK);
    while (len > 0) {
        ssize_t n = write(fd, bytes, len);
        if (n > 0) {
            bytes += n;
            len -= (size_t)n;
        } else if (errno == EAGAIN) {
            session_wait(s, test_now_ms() + 2);
        } else if (errno != EINTR) {
            return; /* it has ended: the test will see */
        }
    }
}

static inline void session_send(struct session *s, const char *line)
{
    test_write(s, s->in, line, strlen(line));
    test_write(s, s->in, "\n", 1);
}

static inline const char *ask(struct session *s, const char *line)
{
    session_send(s, line);
    return session_read(s);
}

static inline const char *ask_control(struct session *s, const char *line)
{
    test_write(s, s->control, line, strlen(line));
    test_write(s, s->control, "\n", 1);
    return control_read(s);
}

/* ---- ends --------------------------------------------------------------------------------- */

static inline void session_close_input(struct session *s)
{
    if (s->in >= 0)
        close(s->in);
    s->in = -1;
}

/* Wait for the end, which has to come within `limit_ms`; reads all output. The exit code, or minus
 * the signal. */
static inline int session_wait_end(struct session *s, int64_t limit_ms)
{
    int64_t until = test_now_ms() + limit_ms;
    while (waitpid(s->pid, &s->end_status, WNOHANG) == 0) {
        if (test_now_ms() > until) {
            kill(s->pid, SIGKILL);
            waitpid(s->pid, &s->end_status, 0);
            fail_msg("the host did not end within %lld ms", (long long)limit_ms);
        }
        session_wait(s, test_now_ms() + 5);
    }
    while (s->out >= 0)
        test_drain(&s->out, &s->out_bytes);
    int64_t last_words = test_now_ms() + 200;
    while (s->err >= 0 && session_wait(s, last_words)) {
    }
    return WIFEXITED(s->end_status) ? WEXITSTATUS(s->end_status) : -WTERMSIG(s->end_status);
}

static inline void session_free(struct session *s)
{
    int *fds[] = { &s->in, &s->out, &s->err, &s->control };
    for (size_t i = 0; i < 4; i++)
        if (*fds[i] >= 0)
            close(*fds[i]);
    mgi_buf_fini(&s->out_bytes);
    mgi_buf_fini(&s->err_bytes);
    mgi_buf_fini(&s->control_bytes);
    mgi_buf_fini(&s->line);
}

/* Close its input, and it ends in order. */
static inline int session_end(struct session *s)
{
    session_close_input(s);
    int code = session_wait_end(s, 10000);
    session_free(s);
    return code;
}

/* ---- expectations ------------------------------------------------------------------------- */

/* `want` is the answer; "...*" asks for a beginning only, "~..." for something within. */
static inline bool test_matches(const char *got, const char *want)
{
    size_t len = strlen(want);
    if (!got)
        return false;
    if (want[0] == '~')
        return strstr(got, want + 1) != NULL;
    if (len && want[len - 1] == '*')
        return strncmp(got, want, len - 1) == 0;
    return strcmp(got, want) == 0;
}

static inline void check_text(const char *label, const char *input, const char *got,
                              const char *want)
{
    if (test_matches(got, want))
        return;
    fprintf(stderr, "%s\n input:    %.200s\n", label, input);
    fprintf(stderr, " got:      %.400s\n", got ? got : "(end of output)");
    fprintf(stderr, " expected: %.400s\n", want);
    fail();
}

static inline void check(struct session *s, const char *label, const char *line, const char *want)
{
    check_text(label, line, ask(s, line), want);
}

static inline void check_control(struct session *s, const char *label, const char *line,
                                 const char *want)
{
    check_text(label, line, ask_control(s, line), want);
}

/* The session still serves. */
static inline void check_alive(struct session *s, const char *label)
{
    check(s, label, ASK("ECHO"), "{\"ok\":true,\"status\":\"OK\",\"output_json\":\"{}\"*");
}

struct exchange_row {
    const char *label, *line, *want;
};

static inline void check_rows(struct session *s, const struct exchange_row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++)
        check(s, rows[i].label, rows[i].line, rows[i].want);
}
#define CHECK_ROWS(s, rows) check_rows((s), (rows), sizeof(rows) / sizeof *(rows))

/* A string member of an answer, copied into `out`. */
static inline void test_member(const char *answer, const char *name, char *out, size_t cap)
{
    struct arena arena;
    struct json v;
    mgi_arena_init(&arena, 0);
    assert_int_equal(mgi_json_parse(&arena, str_of(answer), NULL, &v, NULL), JSON_OK);
    const struct json *m = mgi_json_get(&v, name);
    assert_non_null(m);
    struct str text = m->type == JSON_STRING ? m->string : m->text;
    assert_true(text.len < cap);
    memcpy(out, text.ptr, text.len);
    out[text.len] = '\0';
    mgi_arena_fini(&arena);
}

/* ---- one-shot ----------------------------------------------------------------------------- */

struct run_row {
    const char *label;
    const char *args[6]; /* after the program's name; a plugin of the test folder begins with '@' */
    const char *input;
    const char *want; /* of standard output, without its LF */
    int exit_code;
};

/* Run to the end; standard output is in s->out_bytes, standard error in s->err_bytes. */
static inline int run_host(struct session *s, const char *const *args, const char *input,
                           size_t len, const char *const *env)
{
    const char *argv[10] = { "toolhost" };
    char path[512] = "";
    for (size_t i = 0; args[i]; i++) {
        argv[i + 1] = args[i];
        if (args[i][0] == '@') {
            snprintf(path, sizeof path, PLUGIN_FOLDER "%s", args[i] + 1);
            argv[i + 1] = path;
        }
    }
    session_exec(s, argv, env, PLAIN);
    test_write(s, s->in, input, len);
    session_close_input(s);
    return session_wait_end(s, 30000);
}

static inline void check_run(const struct run_row *row, const char *const *env)
{
    struct session s;
    int code = run_host(&s, row->args, row->input ? row->input : "",
                        row->input ? strlen(row->input) : 0, env);
    struct buf *out = &s.out_bytes;
    bool has_lf = out->len && out->ptr[out->len - 1] == '\n';
    if (has_lf)
        out->ptr[--out->len] = '\0';
    check_text(row->label, row->input ? row->input : "", out->len || has_lf ? out->ptr : "",
               row->want);
    if (code != row->exit_code)
        fail_msg("%s: exit code %d, expected %d\n%.*s", row->label, code, row->exit_code,
                 STR_ARG(mgi_buf_view(&s.err_bytes)));
    if (row->want[0])
        assert_true(has_lf); /* T-CLI-9 */
    session_free(&s);
}

/* ---- files and processes ------------------------------------------------------------------ */

/* A fresh path in the build folder; nothing is there. */
static inline const char *test_path(const char *name)
{
    static char path[512];
    snprintf(path, sizeof path, "/tmp/toolhost-test-%d-%s", (int)getpid(), name);
    unlink(path);
    return path;
}

static inline long test_file_size(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 ? (long)about.st_size : -1;
}

/* State and parent of a process, from /proc; false if there is none. */
static inline bool test_process(pid_t pid, char *process_state, pid_t *parent)
{
    char path[64], text[256] = "";
    int ppid;
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    ssize_t n = read(fd, text, sizeof text - 1);
    close(fd);
    const char *at = n > 0 ? strrchr(text, ')') : NULL;
    if (!at || sscanf(at + 1, " %c %d", process_state, &ppid) != 2)
        return false;
    *parent = (pid_t)ppid;
    return true;
}

/* Is it gone, or dead and not yet reaped? */
static inline bool test_process_is_gone(pid_t pid)
{
    char process_state;
    pid_t parent;
    return !test_process(pid, &process_state, &parent) || process_state == 'Z';
}

/* The living children of a process: how many, and one of them. */
static inline int test_children(pid_t of, pid_t *one)
{
    DIR *proc = opendir("/proc");
    int count = 0;
    assert_non_null(proc);
    for (struct dirent *e; (e = readdir(proc));) {
        char process_state;
        pid_t parent, pid = (pid_t)strtol(e->d_name, NULL, 10);
        if (pid > 0 && test_process(pid, &process_state, &parent) && parent == of &&
            process_state != 'Z') {
            *one = pid;
            count++;
        }
    }
    closedir(proc);
    return count;
}

static inline void test_await_gone(pid_t pid)
{
    for (int i = 0; i < 500 && !test_process_is_gone(pid); i++)
        test_sleep_ms(10);
    assert_true(test_process_is_gone(pid));
}

/* Wait until the process has that many children. */
static inline pid_t test_await_children(pid_t of, int count)
{
    pid_t one = 0;
    for (int i = 0; i < 500 && test_children(of, &one) != count; i++)
        test_sleep_ms(10);
    assert_int_equal(test_children(of, &one), count);
    return one;
}

/* The worker of a host that has no other child. */
static inline pid_t worker_of(pid_t host)
{
    pid_t worker = 0;
    assert_int_equal(test_children(host, &worker), 1);
    return worker;
}

/* Kill the worker from outside, and wait until the host has taken note. */
static inline void kill_worker_of(pid_t host)
{
    pid_t worker = worker_of(host);
    kill(worker, SIGKILL);
    test_await_gone(worker);
    test_await_children(host, 0);
}

#endif
