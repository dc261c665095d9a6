/* Two small objects over the same union of handles. What is a file has a timer for its handle,
 * which never runs: so that each has one, and closing has something to wait for. */
#include "net/standard.h"

#include <errno.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/alloc.h"

#define READ_BYTES (64 * 1024)

union standard_handle {
    uv_handle_t handle;
    uv_stream_t stream;
    uv_pipe_t pipe;
    uv_tty_t tty;
    uv_timer_t timer;
};

/* False: the descriptor cannot be used. *known: the loop knows the handle, which must be closed. */
static bool open_handle(uv_loop_t *loop, int fd, union standard_handle *h, bool *is_file,
                        bool *known)
{
    int status;
    *is_file = false;
    switch (uv_guess_handle(fd)) {
    case UV_TTY:
        status = uv_tty_init(loop, &h->tty, fd, 0);
        *known = status == 0;
        return *known;
    case UV_NAMED_PIPE:
    case UV_TCP:
        *known = uv_pipe_init(loop, &h->pipe, 0) == 0;
        return *known && uv_pipe_open(&h->pipe, fd) == 0;
    default:
        *is_file = true;
        *known = uv_timer_init(loop, &h->timer) == 0;
        return *known;
    }
}

static void free_handle(uv_handle_t *handle)
{
    mgi_free(handle->data);
}

/* ---- input ---------------------------------------------------------------------------------- */

struct input {
    union standard_handle h;
    const struct input_events *events;
    void *owner;
    void (*closed)(void *owner);
    uv_loop_t *loop;
    int fd;
    bool is_file, reading, ended, closing;
    bool in_pool;  /* a chunk of the file is being read */
    unsigned open; /* the handle, and what is in the pool */
    uv_fs_t request;
    char chunk[READ_BYTES];
};

static void input_release(struct input *in)
{
    if (--in->open > 0)
        return;
    void (*closed)(void *) = in->closed;
    void *owner = in->owner;
    mgi_free(in);
    closed(owner);
}

static void input_closed(uv_handle_t *handle)
{
    input_release(handle->data);
}

static void input_ends(struct input *in)
{
    in->reading = false;
    in->ended = true;
    in->events->ended(in->owner);
}

static void give_room(uv_handle_t *handle, size_t suggested, uv_buf_t *buf)
{
    (void)suggested;
    struct input *in = handle->data;
    *buf = uv_buf_init(in->chunk, READ_BYTES);
}

static void stream_came(uv_stream_t *stream, ssize_t n, const uv_buf_t *buf)
{
    struct input *in = stream->data;
    if (n > 0) {
        in->events->bytes(in->owner, (struct str){ buf->base, (size_t)n });
    } else if (n < 0) {
        uv_read_stop(stream);
        input_ends(in);
    }
}

static void read_chunk(struct input *in);

static void chunk_came(uv_fs_t *request)
{
    struct input *in = request->data;
    ssize_t n = request->result;
    uv_fs_req_cleanup(request);
    in->in_pool = false;
    if (in->closing) {
        input_release(in);
        return;
    }
    if (n > 0) {
        in->events->bytes(in->owner, (struct str){ in->chunk, (size_t)n });
        if (in->reading && !in->closing)
            read_chunk(in);
    } else {
        input_ends(in);
    }
    input_release(in); /* the handle still holds it, unless it was closed meanwhile */
}

static void read_chunk(struct input *in)
{
    uv_buf_t buf = uv_buf_init(in->chunk, READ_BYTES);
    if (in->in_pool)
        return;
    in->request.data = in;
    if (uv_fs_read(in->loop, &in->request, in->fd, &buf, 1, -1, chunk_came) != 0) {
        input_ends(in);
        return;
    }
    in->in_pool = true;
    in->open++;
}

void mgi_input_resume(struct input *in)
{
    if (in->reading || in->ended || in->closing)
        return;
    in->reading = true;
    if (in->is_file)
        read_chunk(in);
    else if (uv_read_start(&in->h.stream, give_room, stream_came) != 0)
        input_ends(in);
}

void mgi_input_pause(struct input *in)
{
    if (!in->reading)
        return;
    in->reading = false;
    if (!in->is_file)
        uv_read_stop(&in->h.stream);
}

struct input *mgi_input_open(uv_loop_t *loop, int fd, const struct input_events *events,
                             void *owner)
{
    bool known;
    struct input *in = mgi_alloc(sizeof *in);
    if (!in)
        return NULL;
    in->events = events;
    in->owner = owner;
    in->loop = loop;
    in->fd = fd;
    in->reading = in->ended = in->closing = in->in_pool = false;
    in->open = 1;
    bool opened = open_handle(loop, fd, &in->h, &in->is_file, &known);
    in->h.handle.data = in;
    if (opened)
        return in;
    if (known)
        uv_close(&in->h.handle, free_handle);
    else
        mgi_free(in);
    return NULL;
}

void mgi_input_close(struct input *in, void (*closed)(void *owner))
{
    in->closing = true;
    in->reading = false;
    in->closed = closed;
    uv_close(&in->h.handle, input_closed);
}

/* ---- output --------------------------------------------------------------------------------- */

struct output {
    union standard_handle h;
    const struct output_events *events;
    void *owner;
    void (*closed)(void *owner);
    void (*flushed)(void *owner);
    int fd;
    bool is_file;
};

struct line_write {
    uv_write_t request;
    struct output *out;
    char text[];
};

static void line_written(uv_write_t *request, int status)
{
    struct line_write *w = (struct line_write *)request;
    struct output *out = w->out;
    mgi_free(w);
    out->events->written(out->owner, status);
}

/* Both parts, whatever the file takes at a time. */
static bool write_file(int fd, struct str text)
{
    static char end = '\n';
    size_t at = 0, len = text.len + 1;
    while (at < len) {
        size_t done = at < text.len ? at : text.len;
        struct iovec parts[] = { { (char *)text.ptr + done, text.len - done }, { &end, 1 } };
        ssize_t n = writev(fd, parts, 2);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        at += (size_t)n;
    }
    return true;
}

bool mgi_output_line(struct output *out, struct str text)
{
    if (out->is_file)
        return write_file(out->fd, text);
    struct line_write *w = mgi_alloc(sizeof *w + text.len + 1);
    if (!w)
        return false;
    w->out = out;
    memcpy(w->text, text.ptr, text.len);
    w->text[text.len] = '\n';
    uv_buf_t buf = uv_buf_init(w->text, (unsigned)text.len + 1);
    if (uv_write(&w->request, &out->h.stream, &buf, 1, line_written) == 0)
        return true;
    mgi_free(w);
    return false;
}

size_t mgi_output_queued(const struct output *out)
{
    return out->is_file ? 0 : uv_stream_get_write_queue_size(&out->h.stream);
}

static void output_flushed(uv_shutdown_t *request, int status)
{
    (void)status;
    struct output *out = request->data;
    mgi_free(request);
    if (!mgi_output_is_closing(out))
        out->flushed(out->owner);
}

bool mgi_output_flush(struct output *out, void (*flushed)(void *owner))
{
    uv_shutdown_t *request = out->is_file ? NULL : mgi_alloc(sizeof *request);
    if (!request)
        return false;
    request->data = out;
    out->flushed = flushed;
    if (uv_shutdown(request, &out->h.stream, output_flushed) == 0)
        return true;
    mgi_free(request);
    return false;
}

struct output *mgi_output_open(uv_loop_t *loop, int fd, const struct output_events *events,
                               void *owner)
{
    bool known;
    struct output *out = mgi_calloc(1, sizeof *out);
    if (!out)
        return NULL;
    out->events = events;
    out->owner = owner;
    out->fd = fd;
    bool opened = open_handle(loop, fd, &out->h, &out->is_file, &known);
    out->h.handle.data = out;
    if (opened)
        return out;
    if (known)
        uv_close(&out->h.handle, free_handle);
    else
        mgi_free(out);
    return NULL;
}

static void output_closed(uv_handle_t *handle)
{
    struct output *out = handle->data;
    void (*closed)(void *) = out->closed;
    void *owner = out->owner;
    mgi_free(out);
    closed(owner);
}

void mgi_output_close(struct output *out, void (*closed)(void *owner))
{
    out->closed = closed;
    uv_close(&out->h.handle, output_closed);
}

bool mgi_output_is_closing(const struct output *out)
{
    return uv_is_closing(&out->h.handle);
}
