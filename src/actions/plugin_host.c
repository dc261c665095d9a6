/* One toolhost process on the loop: its pipes, its alarm, its end.
 *
 *   running --mgi_host_end--> ending --exit and end of output--> gone --handles closed--> freed
 *
 * Invariants: 1. `gone` is told exactly once, after the process has ended and all it said was read.
 * 2. the memory lives until the last handle is closed. Nothing here knows what lines mean. */
#include "actions/toolpool_int.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/utf8.h"
#include "domain/provider.h"

#define POLITE_MS    1500 /* T-DISP-16: after the empty line */
#define TERM_MS      500  /* after SIGTERM of a polite end */
#define EOF_GRACE_MS 200  /* between the exit and the end of output */
#define ERR_LINE_MAX 4096 /* T-CLI-27 */

enum { END_NOT, END_ASKED, END_TERM, END_KILL };

/* ---- the end ------------------------------------------------------------------------------- */

static void handle_closed(uv_handle_t *handle)
{
    struct tool_host *h = handle->data;
    if (--h->open_handles > 0)
        return;
    mgi_lines_fini(&h->out_lines);
    mgi_lines_fini(&h->err_lines);
    mgi_lines_fini(&h->control_lines);
    h->events->freed(h);
    mgi_free(h);
}

static void close_handle(void *handle)
{
    if (!uv_is_closing(handle))
        uv_close(handle, handle_closed);
}

static void close_all(struct tool_host *h)
{
    close_handle(&h->in);
    close_handle(&h->out);
    close_handle(&h->err);
    close_handle(&h->control);
    close_handle(&h->alarm);
    close_handle(&h->reaper);
    if (h->process_open)
        close_handle(&h->process);
}

static void tell_gone(struct tool_host *h)
{
    if (h->told)
        return;
    h->told = true;
    h->events->gone(h, h->why ? h->why : "the host ended", h->exit_status);
    close_all(h);
}

static void maybe_gone(struct tool_host *h)
{
    if (h->exited && h->eof)
        tell_gone(h);
}

static void reap(uv_timer_t *timer)
{
    struct tool_host *h = timer->data;
    if (h->exited) { /* something else still holds the pipe */
        tell_gone(h);
        return;
    }
    if (h->stage == END_ASKED) {
        h->stage = END_TERM;
        uv_process_kill(&h->process, SIGTERM);
        uv_timer_start(&h->reaper, reap, TERM_MS, 0);
    } else {
        h->stage = END_KILL;
        uv_process_kill(&h->process, SIGKILL);
    }
}

void mgi_host_end(struct tool_host *h, bool politely, const char *why)
{
    if (!h->why)
        h->why = why;
    if (h->exited || h->stage >= (politely ? END_ASKED : END_TERM))
        return;
    h->ending = true;
    h->stage = politely ? END_ASKED : END_TERM;
    if (politely && mgi_host_send(h, STR_LIT(""))) {
        uv_timer_start(&h->reaper, reap, POLITE_MS, 0);
    } else {
        h->stage = END_TERM;
        uv_process_kill(&h->process, SIGTERM);
        uv_timer_start(&h->reaper, reap, SWEEP_MS, 0);
    }
}

static void process_exited(uv_process_t *process, int64_t exit_status, int signal)
{
    struct tool_host *h = process->data;
    h->exited = h->ending = true;
    h->exit_status = signal ? 128 + signal : (int)exit_status;
    uv_timer_start(&h->reaper, reap, EOF_GRACE_MS, 0);
    maybe_gone(h);
}

/* ---- reading ------------------------------------------------------------------------------- */

static void give_chunk(uv_handle_t *handle, size_t suggested, uv_buf_t *buf)
{
    struct tool_host *h = handle->data;
    (void)suggested;
    *buf = uv_buf_init(h->chunk, sizeof h->chunk);
}

/* Hand each line of `bytes` to `take`. False: one was too long, or there was no memory for it. */
static bool each_line(struct tool_host *h, struct lines *lines, const uv_buf_t *bytes, ssize_t len,
                      void (*take)(struct tool_host *host, struct str line))
{
    struct str input = { bytes->base, (size_t)len }, line;
    for (;;) {
        enum line_event event = mgi_lines_next(lines, &input, &line);
        if (event != LINE_TEXT)
            return event == LINE_NONE;
        take(h, line);
    }
}

static void take_answer(struct tool_host *h, struct str line)
{
    if (!h->told)
        h->events->answer(h, line);
}

static void take_control(struct tool_host *h, struct str line)
{
    if (!h->told)
        h->events->control(h, line);
}

/* Where a line says its level, of what the host says of itself, or a tool by th_host.log
 * (toolhost.h): "toolhost: warn: …", "[tool AID] warn: …". Its end: nowhere. */
static size_t level_at(struct str line)
{
    static const struct str host = { "toolhost: ", 10 };
    if (mgi_str_starts(line, host))
        return host.len;
    size_t end =
        mgi_str_starts(line, STR_LIT("[tool ")) ? mgi_str_find(line, STR_LIT("] ")) : line.len;
    return end < line.len ? end + 2 : line.len;
}

static void take_err(struct tool_host *h, struct str line)
{
    static const struct str warn = { "warn: ", 6 };
    struct buf shown = { 0 };
    size_t at = level_at(line);
    struct str said = { line.ptr + at, line.len - at };
    bool warns = mgi_str_starts(said, warn);
    bool error = mgi_str_starts(said, STR_LIT("error"));
    if (warns) /* which the log says itself */
        said = (struct str){ said.ptr + warn.len, said.len - warn.len };
    mgi_utf8_show(&shown, (struct str){ line.ptr, at });
    mgi_utf8_show(&shown, said);
    mgi_log(h->log, warns || error ? LOG_WARN : LOG_DEBUG, "%s", shown.ptr ? shown.ptr : "");
    mgi_buf_fini(&shown);
}

static void out_read(uv_stream_t *stream, ssize_t len, const uv_buf_t *buf)
{
    struct tool_host *h = stream->data;
    if (len < 0) {
        h->eof = true;
        uv_read_stop(stream);
        if (!h->exited)
            mgi_host_end(h, false, "the host closed its output");
        maybe_gone(h);
    } else if (!each_line(h, &h->out_lines, buf, len, take_answer)) {
        uv_read_stop(stream); /* flooded: nothing it says counts any more */
        h->eof = true;
        mgi_host_end(h, false, "the host's answer was longer than 1048576 bytes");
    }
}

static void control_read(uv_stream_t *stream, ssize_t len, const uv_buf_t *buf)
{
    struct tool_host *h = stream->data;
    if (len < 0)
        uv_read_stop(stream);
    else if (!each_line(h, &h->control_lines, buf, len, take_control))
        mgi_host_end(h, false, "the host flooded its control channel");
}

static void err_read(uv_stream_t *stream, ssize_t len, const uv_buf_t *buf)
{
    struct tool_host *h = stream->data;
    if (len < 0) {
        uv_read_stop(stream);
        return;
    }
    struct str input = { buf->base, (size_t)len }, line;
    enum line_event event;
    while ((event = mgi_lines_next(&h->err_lines, &input, &line)) != LINE_NONE)
        if (event == LINE_TEXT) /* a longer remark is not kept */
            take_err(h, line);
}

/* ---- writing ------------------------------------------------------------------------------- */

struct line_write {
    uv_write_t request;
    char bytes[];
};

static void line_written(uv_write_t *request, int status)
{
    (void)status; /* a broken pipe is told by the end of output */
    mgi_free(request->data);
}

static bool send_line(uv_pipe_t *pipe, struct str line)
{
    if (uv_is_closing((uv_handle_t *)pipe) || line.len > UINT32_MAX - 1)
        return false;
    struct line_write *w = mgi_alloc(sizeof *w + line.len + 1);
    if (!w)
        return false;
    if (line.len > 0)
        memcpy(w->bytes, line.ptr, line.len);
    w->bytes[line.len] = '\n';
    w->request.data = w;
    uv_buf_t buf = uv_buf_init(w->bytes, (unsigned)line.len + 1);
    if (uv_write(&w->request, (uv_stream_t *)pipe, &buf, 1, line_written) == 0)
        return true;
    mgi_free(w);
    return false;
}

bool mgi_host_send(struct tool_host *h, struct str line)
{
    return send_line(&h->in, line);
}

bool mgi_host_send_control(struct tool_host *h, struct str line)
{
    return send_line(&h->control, line);
}

/* ---- the beginning ------------------------------------------------------------------------- */

static void alarm_rang(uv_timer_t *timer)
{
    struct tool_host *h = timer->data;
    h->events->late(h);
}

void mgi_host_alarm(struct tool_host *h, int64_t ms)
{
    if (ms < 0 || h->told)
        uv_timer_stop(&h->alarm);
    else
        uv_timer_start(&h->alarm, alarm_rang, (uint64_t)ms, 0);
}

static void init_lines(struct tool_host *h)
{
    mgi_lines_init(&h->out_lines, ANSWER_MAX_BYTES);
    mgi_lines_init(&h->control_lines, ANSWER_MAX_BYTES);
    mgi_lines_init(&h->err_lines, ERR_LINE_MAX);
    h->out_lines.keep_blank = h->control_lines.keep_blank = true; /* they are no answers: told so */
}

static void init_handles(struct tool_host *h, uv_loop_t *loop)
{
    uv_pipe_t *pipes[] = { &h->in, &h->out, &h->err, &h->control };
    for (size_t i = 0; i < 4; i++) {
        uv_pipe_init(loop, pipes[i], 0);
        pipes[i]->data = h;
    }
    uv_timer_init(loop, &h->alarm);
    uv_timer_init(loop, &h->reaper);
    h->alarm.data = h->reaper.data = h->process.data = h;
    h->open_handles = 6;
}

/* Ordinary pipes for requests and answers: a line through one costs half of what it costs through
 * the socket pair that libuv would make. *theirs is the child's end. */
static int open_stream(uv_pipe_t *ours, bool writes, int *theirs)
{
    int ends[2];
    *theirs = -1;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return uv_translate_sys_error(errno);
    *theirs = ends[writes ? 0 : 1];
    fcntl(ends[writes ? 1 : 0], F_SETFL, O_NONBLOCK);
    int result = uv_pipe_open(ours, ends[writes ? 1 : 0]);
    if (result != 0)
        close(ends[writes ? 1 : 0]);
    return result;
}

static void close_end(int fd)
{
    if (fd >= 0)
        close(fd);
}

static int spawn(struct tool_host *h, const struct host_start *start)
{
    int in, out;
    const char *toolhost = start->toolhost;
    char plugin[PATH_MAX];
    snprintf(plugin, sizeof plugin, "%.*s", STR_ARG(start->provider->plugin));
    int document = mgi_provider_file(start->provider);
    char *args[] = { (char *)(uintptr_t)toolhost,      "--serve",   plugin, "--control-fd", "3",
                     document < 0 ? NULL : "--config", "/dev/fd/4", NULL };
    uv_stdio_container_t stdio[] = {
        { .flags = UV_INHERIT_FD },
        { .flags = UV_INHERIT_FD },
        { .flags = UV_CREATE_PIPE | UV_WRITABLE_PIPE, .data.stream = (uv_stream_t *)&h->err },
        { .flags = UV_CREATE_PIPE | UV_READABLE_PIPE | UV_WRITABLE_PIPE,
          .data.stream = (uv_stream_t *)&h->control },
        { .flags = UV_INHERIT_FD, .data.fd = document },
    };
    uv_process_options_t options = {
        .exit_cb = process_exited,
        .file = toolhost,
        .args = args,
        .env = start->env,
        .flags = UV_PROCESS_DETACHED, /* an interrupt key is the server's to handle */
        .stdio_count = document < 0 ? 4 : 5,
        .stdio = stdio,
    };
    int result = open_stream(&h->in, true, &in);
    int other = open_stream(&h->out, false, &out);
    stdio[0].data.fd = in;
    stdio[1].data.fd = out;
    if (result == 0)
        result = document == PROVIDER_FILE_FAILED ? UV_ENFILE : other;
    if (result == 0) {
        result = uv_spawn(start->loop, &h->process, &options);
        h->process_open = true; /* uv_spawn() initialised the handle even when it failed */
        h->open_handles++;
    }
    close_end(document);
    close_end(in);
    close_end(out);
    if (result == 0) {
        uv_read_start((uv_stream_t *)&h->out, give_chunk, out_read);
        uv_read_start((uv_stream_t *)&h->err, give_chunk, err_read);
        uv_read_start((uv_stream_t *)&h->control, give_chunk, control_read);
    }
    return result;
}

struct tool_host *mgi_host_new(const struct host_start *start, const char **why)
{
    struct tool_host *h = mgi_calloc(1, sizeof *h);
    if (!h) {
        *why = "short of memory";
        return NULL;
    }
    h->provider = start->provider;
    h->pool = start->pool;
    h->log = start->log;
    h->events = start->events;
    init_lines(h);
    init_handles(h, start->loop);
    int result = spawn(h, start);
    if (result != 0) {
        *why = uv_strerror(result);
        h->exited = h->told = true;
        close_all(h);
        return NULL;
    }
    return h;
}
