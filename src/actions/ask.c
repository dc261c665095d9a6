/* Asking an action outside of an invocation: `toolhost --serve PLUGIN`, a line for each question.
 * The thread that asks waits; a loop of the host's own keeps the time, and looks whether anybody
 * still waits for the thread. The host is confined as those of the pool are. It is run to its end,
 * and gone before the answer is told; or it stays for the next questions (ask_kept.c). Of one that
 * stays and is late the answers are still awaited, in silence, and nothing is asked before. */
#include <limits.h>
#include <signal.h>
#include <unistd.h>

#include "actions/ask_int.h"
#include "actions/toolpool_int.h"
#include "base/alloc.h"
#include "base/utf8.h"
#include "domain/provider.h"

#define ASK_MAX_BYTES (16u << 20)
#define LOOK_EVERY_MS 5
#define SLOW_MS       30000 /* what a host that stays may take for an answer, also if nobody waits */

struct asked_host {
    const struct action_question *question;
    uv_loop_t loop;
    uv_process_t process;
    uv_pipe_t in, out;
    uv_timer_t timer; /* goes off in every LOOK_EVERY_MS */
    uint64_t until_ms, kill_at_ms;
    uv_write_t write;
    struct buf questions, answers;
    size_t lines; /* of answers, which are whole */
    size_t asked; /* questions before these: their ids go on */
    size_t owed;  /* answers of questions that nobody waits for any more */
    bool stays;   /* after it has answered */
    bool runs;    /* as far as is known */
    bool writing; /* of the questions; their text is not to be changed meanwhile */
    bool exited, late, over, flooded;
    char chunk[16384];
};

/* It is over when the process has ended and nobody holds its output open. */
static void end_if_over(struct asked_host *h)
{
    if (h->exited && uv_is_closing((uv_handle_t *)&h->out) &&
        !uv_is_closing((uv_handle_t *)&h->timer))
        uv_close((uv_handle_t *)&h->timer, NULL);
}

static void ask_chunk(uv_handle_t *handle, size_t suggested, uv_buf_t *buf)
{
    struct asked_host *h = handle->data;
    (void)suggested;
    *buf = uv_buf_init(h->chunk, sizeof h->chunk);
}

/* It ends what its action has started, as far as it still can. */
static void give_up(struct asked_host *h)
{
    h->kill_at_ms = uv_now(&h->loop) + SWEEP_MS;
    if (!h->exited)
        uv_process_kill(&h->process, SIGTERM);
    if (!uv_is_closing((uv_handle_t *)&h->out)) /* whoever it left behind may hold it */
        uv_close((uv_handle_t *)&h->out, NULL);
    end_if_over(h);
}

static void ask_read(uv_stream_t *stream, ssize_t len, const uv_buf_t *buf)
{
    struct asked_host *h = stream->data;
    if (len < 0) {
        uv_close((uv_handle_t *)stream, NULL);
        end_if_over(h);
    } else if (h->answers.len + (size_t)len > ASK_MAX_BYTES) {
        h->flooded = true;
        give_up(h);
    } else {
        mgi_buf_append(&h->answers, buf->base, (size_t)len);
        for (ssize_t i = 0; i < len; i++)
            h->lines += buf->base[i] == '\n';
        if (h->question && h->stays && h->lines >= h->question->count)
            uv_stop(&h->loop);
    }
}

static void ask_exit(uv_process_t *process, int64_t exit_status, int signal)
{
    struct asked_host *h = process->data;
    (void)exit_status, (void)signal;
    uv_close((uv_handle_t *)process, NULL);
    if (!uv_is_closing((uv_handle_t *)&h->in))
        uv_close((uv_handle_t *)&h->in, NULL);
    h->exited = true;
    end_if_over(h);
}

static void ask_look(uv_timer_t *timer)
{
    struct asked_host *h = timer->data;
    const struct action_question *q = h->question;
    if (h->kill_at_ms) {
        if (uv_now(&h->loop) >= h->kill_at_ms && !h->exited)
            uv_process_kill(&h->process, SIGKILL);
        return;
    }
    h->over = q->is_over && q->is_over(q->context);
    h->late = !h->over && uv_now(&h->loop) >= h->until_ms;
    if ((h->over || h->late) && h->stays)
        uv_stop(&h->loop);
    else if (h->over || h->late)
        give_up(h);
}

static void ask_written(uv_write_t *write, int status)
{
    struct asked_host *h = write->data;
    (void)status; /* a host that reads no more gives no answer, which is told */
    h->writing = false;
    if (!h->stays && !uv_is_closing((uv_handle_t *)&h->in))
        uv_close((uv_handle_t *)&h->in, NULL); /* it ends when there is nothing more to do */
}

static int ask_spawn(struct asked_host *h, const char *toolhost, const struct action_provider *p,
                     char **env)
{
    char plugin[PATH_MAX];
    snprintf(plugin, sizeof plugin, "%.*s", STR_ARG(p->plugin));
    int document = mgi_provider_file(p);
    char *args[] = { (char *)(uintptr_t)toolhost,      "--serve",   plugin,
                     document < 0 ? NULL : "--config", "/dev/fd/3", NULL };
    uv_stdio_container_t stdio[] = {
        { .flags = UV_CREATE_PIPE | UV_READABLE_PIPE, .data.stream = (uv_stream_t *)&h->in },
        { .flags = UV_CREATE_PIPE | UV_WRITABLE_PIPE, .data.stream = (uv_stream_t *)&h->out },
        { .flags = UV_IGNORE },
        { .flags = UV_INHERIT_FD, .data.fd = document },
    };
    uv_process_options_t options = { .exit_cb = ask_exit,
                                     .file = toolhost,
                                     .args = args,
                                     .env = env,
                                     .stdio_count = document < 0 ? 3 : 4,
                                     .stdio = stdio };
    uv_pipe_init(&h->loop, &h->in, 0);
    uv_pipe_init(&h->loop, &h->out, 0);
    uv_timer_init(&h->loop, &h->timer);
    h->process.data = h->in.data = h->out.data = h->timer.data = h->write.data = h;
    int result =
        document == PROVIDER_FILE_FAILED ? UV_ENFILE : uv_spawn(&h->loop, &h->process, &options);
    if (document >= 0)
        close(document);
    if (result != 0) {
        if (document != PROVIDER_FILE_FAILED) /* else uv_spawn() has not made it a handle */
            uv_close((uv_handle_t *)&h->process, NULL);
        uv_close((uv_handle_t *)&h->in, NULL);
        uv_close((uv_handle_t *)&h->out, NULL);
        uv_close((uv_handle_t *)&h->timer, NULL);
    }
    return result;
}

static void write_question(struct asked_host *h, const struct action_question *q, size_t i)
{
    char id[24];
    struct buf *out = &h->questions;
    struct json_writer w;
    snprintf(id, sizeof id, "%zu", h->asked + i);
    mgi_json_writer_init(&w, out, 0);
    mgi_jw_begin_object(&w);
    mgi_jw_member_str(&w, "aid", q->action->aid);
    mgi_jw_key(&w, "inputs");
    mgi_jw_raw(&w, q->inputs[i]);
    mgi_jw_member_cstr(&w, "request_id", id);
    mgi_jw_member_int(&w, "timeout_ms", h->stays ? SLOW_MS : q->timeout_ms);
    mgi_jw_end_object(&w);
    mgi_buf_putc(out, '\n');
}

/* 0, or what libuv says. */
static int start_host(struct asked_host *h, const char *toolhost, const struct action_question *q)
{
    char **env = mgi_host_environment(true, false);
    int started = env ? ask_spawn(h, toolhost, q->action->provider, env) : UV_ENOMEM;
    mgi_free(env);
    h->runs = started == 0;
    h->exited = false;
    if (h->runs)
        uv_read_start((uv_stream_t *)&h->out, ask_chunk, ask_read);
    return started;
}

static void say_questions(struct asked_host *h)
{
    uv_buf_t text = uv_buf_init(h->questions.ptr, (unsigned)h->questions.len);
    uv_update_time(&h->loop); /* starting took some of it */
    uv_timer_start(&h->timer, ask_look, LOOK_EVERY_MS, LOOK_EVERY_MS);
    h->writing = uv_write(&h->write, (uv_stream_t *)&h->in, &text, 1, ask_written) == 0;
    if (!h->writing)
        uv_close((uv_handle_t *)&h->in, NULL);
}

static const char *why_not(const struct asked_host *h, const struct action_question *q,
                           struct arena *arena)
{
    if (h->over)
        return "nobody waits for the answer any more";
    if (h->late)
        return mgi_arena_printf(arena, "%.*s gave no answer within %lld ms",
                                STR_ARG(q->action->aid), (long long)q->timeout_ms);
    return "its answers are too long";
}

/* One that stays may have more to say of questions before; else it begins anew. */
static bool begin_round(struct asked_host *h, const struct action_question *q)
{
    h->late = h->over = h->flooded = false;
    h->kill_at_ms = 0;
    h->lines = 0;
    mgi_buf_clear(&h->questions);
    mgi_buf_clear(&h->answers);
    uv_update_time(&h->loop);
    h->until_ms = uv_now(&h->loop) + (uint64_t)q->timeout_ms;
    for (size_t i = 0; i < q->count; i++)
        write_question(h, q, i);
    return !h->questions.oom;
}

static bool run_host(struct asked_host *h, const char *toolhost, const struct action_question *q,
                     struct arena *arena, const char **why)
{
    if (!begin_round(h, q))
        return false;
    int started = h->runs ? 0 : start_host(h, toolhost, q);
    h->question = q;
    if (started == 0)
        say_questions(h);
    h->runs = uv_run(&h->loop, UV_RUN_DEFAULT) != 0;
    h->question = NULL;
    if (h->runs)
        uv_timer_stop(&h->timer);
    if (started == 0 && (h->over || h->late || h->flooded))
        *why = why_not(h, q, arena);
    else if (started != 0)
        *why = mgi_arena_printf(arena, "\"%s\" could not be started: %s", toolhost,
                                uv_strerror(started));
    else
        return !h->answers.oom;
    return false;
}

/* A host that does not come up says so in a line of its own, without a request's id. */
static const char *last_words(struct arena *arena, struct str line)
{
    struct json v;
    const struct json *error =
        mgi_json_parse(arena, line, NULL, &v, NULL) == JSON_OK ? mgi_json_get(&v, "error") : NULL;
    struct buf shown = { 0 };
    if (error && error->type == JSON_STRING && error->string.len > 0)
        mgi_utf8_show(&shown, mgi_utf8_prefix(error->string, 1024));
    const char *kept = shown.len > 0 ? mgi_arena_printf(arena, "%s", shown.ptr) : NULL;
    mgi_buf_fini(&shown);
    return kept ? kept : "its host ended";
}

static bool read_told(struct arena *arena, const struct action_question *q, size_t number,
                      struct str line, struct json *output, const char **why)
{
    char id[24];
    struct tool_result result = { 0 };
    unsigned slots;
    snprintf(id, sizeof id, "%zu", number);
    if (mgi_tool_answer(arena, line, str_of(id), &result, &slots) != ANSWER_GOOD)
        *why =
            mgi_arena_printf(arena, "%.*s: %s", STR_ARG(q->action->aid), last_words(arena, line));
    else if (result.outcome != TOOL_OK)
        *why =
            mgi_arena_printf(arena, "%.*s: %.*s", STR_ARG(q->action->aid), STR_ARG(result.error));
    else
        *output = result.output;
    return result.outcome == TOOL_OK && output->type == JSON_OBJECT;
}

static bool read_answers(struct arena *arena, const struct action_question *q,
                         const struct asked_host *h, struct json *outputs, const char **why)
{
    struct str rest = mgi_arena_str(arena, mgi_buf_view(&h->answers));
    for (size_t i = 0; i < q->count; i++) {
        const char *end = rest.len ? memchr(rest.ptr, '\n', rest.len) : NULL;
        size_t len = end ? (size_t)(end - rest.ptr) : rest.len;
        struct str line = { rest.ptr, len };
        if (!read_told(arena, q, h->asked + i, line, &outputs[i], why))
            return false;
        len += end != NULL;
        rest = (struct str){ rest.ptr + len, rest.len - len };
    }
    return true;
}

struct asked_host *mgi_asking_new(void)
{
    struct asked_host *h = mgi_calloc(1, sizeof *h);
    if (h && uv_loop_init(&h->loop) == 0)
        return h;
    mgi_free(h);
    return NULL;
}

/* Ends what runs, SWEEP_MS at most. */
static void end_asked(struct asked_host *h)
{
    if (h->runs) {
        uv_update_time(&h->loop);
        give_up(h);
        uv_timer_start(&h->timer, ask_look, LOOK_EVERY_MS, LOOK_EVERY_MS);
    }
    uv_run(&h->loop, UV_RUN_DEFAULT);
    h->runs = false;
    h->owed = 0;
}

/* Hear what it has said, or that it has ended, since it was asked last. */
static void hear_asked(struct asked_host *h)
{
    if (h->runs && uv_run(&h->loop, UV_RUN_NOWAIT) == 0)
        h->runs = false;
    uv_update_time(&h->loop);
    bool ends = h->exited || uv_is_closing((uv_handle_t *)&h->out);
    bool hangs = h->lines < h->owed && uv_now(&h->loop) > h->until_ms + SLOW_MS + SWEEP_MS;
    bool astray = h->lines >= h->owed && h->writing; /* it answered what it has not read */
    if (h->runs && (ends || hangs || astray))
        end_asked(h);
    if (!h->runs || h->lines >= h->owed)
        h->owed = 0;
}

bool mgi_asking_ask(struct asked_host *h, const char *toolhost, bool stays,
                    const struct action_question *question, struct arena *arena,
                    struct json *outputs, const char **why)
{
    *why = "out of memory";
    h->stays = stays;
    hear_asked(h);
    if (h->owed > 0) {
        *why = mgi_arena_printf(arena, "%.*s is still at an earlier question",
                                STR_ARG(question->action->aid));
        return false;
    }
    bool good = run_host(h, toolhost, question, arena, why) &&
                read_answers(arena, question, h, outputs, why);
    h->owed = h->runs && h->lines < question->count ? question->count : 0;
    h->asked += question->count;
    return good;
}

void mgi_asking_end(struct asked_host *h)
{
    if (!h)
        return;
    end_asked(h);
    uv_loop_close(&h->loop);
    mgi_buf_fini(&h->questions);
    mgi_buf_fini(&h->answers);
    mgi_free(h);
}
