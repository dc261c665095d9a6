/* The course of one call, and of starting the worker it needs (toolhost.md 7.3 to 7.5). What comes
 * from the worker is checked here; nothing of it is believed (T-ISO-3). */
#include "toolhost/events.h"

#include <signal.h>
#include <string.h>

#include "base/time.h"
#include "toolhost/frame.h"
#include "toolhost/state_frame.h"
#include "sys/digest.h"
#include "sys/clock.h"

/* Its socket has ended, which is no news of how. A dying process closes its socket a moment before
 * it can be waited for; a tool that closed it lives on. */
static void await_end(struct host *h)
{
    int64_t until = mgi_now_ms() + EXIT_NEWS_MS;
    while (!mgi_link_check_end(&h->link) && mgi_now_ms() < until)
        mgi_host_pump(h, 0, until);
}

/* The news of its end may come before its last bytes have been read: did any come now? */
static bool has_last_words(struct link *w)
{
    size_t had = w->in.len;
    if (w->ended && !w->eof)
        mgi_link_receive(w);
    return w->in.len > had;
}

/* ---- a worker that is ready --------------------------------------------------------------- */

static const char *or_no_memory(const char *text)
{
    return text ? text : "out of memory";
}

static const char *end_of_loading(struct host *h, struct arena *arena)
{
    const struct link *w = &h->link;
    if (!w->ended)
        return "plugin open failed: protocol violation";
    if (w->by_signal)
        return or_no_memory(
            mgi_arena_printf(arena, "plugin init crashed: signal %d", w->end_number));
    return or_no_memory(
        mgi_arena_printf(arena, "plugin init failed: it exited with code %d", w->end_number));
}

/* The first worker says what the tools are; later ones have to say the same (T-ISO-17). */
static const char *take_tools(struct host *h, struct frame *f)
{
    uint8_t sha[SHA256_BYTES];
    const char *why;
    if (!mgi_sha256(f->body.ptr, f->body.len, sha))
        return "out of memory";
    if (h->tools.count > 0)
        return memcmp(sha, h->tools_sha, sizeof sha) == 0 ? NULL : "tool set changed";
    if (!mgi_tools_decode(&h->life, f, &h->tools, &why)) {
        h->tools.count = 0;
        return or_no_memory(why);
    }
    memcpy(h->tools_sha, sha, sizeof sha);
    const struct settings *s = &h->settings;
    if ((s->validate && !mgi_input_checks_init(&h->inputs, &h->tools, &h->log)) ||
        !mgi_breakers_init(&h->breakers, &h->life, h->tools.count, (uint32_t)s->breaker_threshold,
                           (int64_t)s->breaker_window_ms, (int64_t)s->breaker_cooldown_ms))
        return "out of memory";
    mgi_event_plugin(h, NULL);
    return NULL;
}

/* The plugin has said what it asks for; the worker waits to hear what it may. */
static const char *take_caps(struct host *h, struct frame *f)
{
    struct confinement_of_workers *c = &h->confinement;
    uint32_t asked = mgi_frame_get_u32(f);
    if (!mgi_frame_is_done(f) || !mgi_confinement_asked(c, asked))
        return "plugin open failed: protocol violation";
    const char *why = mgi_confinement_plan(c, &h->life, &h->provider);
    return why ? why : mgi_link_send_plan(&h->link, &c->plan, asked);
}

static const char *take_last_frame(struct host *h, struct arena *arena, struct frame *f)
{
    if (f->type == FRAME_READY)
        return take_tools(h, f);
    struct str text = f->type == FRAME_FAILED ? mgi_frame_get_str(f) : STR_LIT("");
    if (text.len == 0 || !mgi_frame_is_done(f))
        return "plugin open failed: protocol violation";
    return or_no_memory(mgi_error_text(arena, text).ptr);
}

static const char *await_loading(struct host *h, struct arena *arena)
{
    struct link *w = &h->link;
    int64_t until = mgi_now_ms() + LOAD_LIMIT_MS;
    for (;;) {
        struct frame f;
        size_t size;
        enum frame_event event = mgi_frame_next(mgi_buf_view(&w->in), MAX_WORKER_FRAME, &f, &size);
        if (event == FRAME_WHOLE) {
            bool more = f.type == FRAME_CAPS;
            const char *why = more ? take_caps(h, &f) : take_last_frame(h, arena, &f);
            mgi_buf_clear(&w->in);
            if (why || !more)
                return why;
            continue;
        }
        if (event == FRAME_BAD)
            return "plugin open failed: protocol violation";
        if (has_last_words(w))
            continue;
        if (w->eof || w->ended) {
            await_end(h);
            return end_of_loading(h, arena);
        }
        if (mgi_now_ms() >= until)
            return "plugin init timed out";
        if (h->stop || h->reader_lost)
            return "the host is ending";
        mgi_host_pump(h, 0, until);
    }
}

/* Start one with what is known of the plugin's capabilities (confinement.h). */
static const char *start_confined(struct host *h, struct arena *arena)
{
    struct confinement_of_workers *c = &h->confinement;
    char **env = h->worker_env;
    const char *why = mgi_confinement_plan(c, &h->life, &h->provider);
    if (!why && !mgi_confinement_environment(c, arena, &env))
        why = "out of memory";
    if (why)
        return why;
    return mgi_link_start(&h->link,
                          &(struct worker_start){ .plugin_fd = h->plugin.fd,
                                                  .settings = &h->settings,
                                                  .config = h->provider.settings,
                                                  .plan = &c->plan,
                                                  .group = &c->group,
                                                  .asked = c->asked,
                                                  .ask = !c->plan.limits_only && !c->known,
                                                  .env = env });
}

static const char *start_worker(struct host *h, struct arena *arena)
{
    mgi_forward_begin(&h->forward, (struct str){ NULL, 0 });
    const char *why = start_confined(h, arena);
    mgi_restarts_note(&h->restarts, !h->start_is_free, mgi_now_ms());
    h->start_is_free = false;
    if (!why) {
        h->calling = true; /* its end is ours to explain, not the pump's to tidy up */
        why = await_loading(h, arena);
        mgi_link_take_output(&h->link, &h->forward);
        h->calling = false;
    }
    if (why)
        mgi_host_kill_worker(h);
    else
        mgi_event_worker_started(h);
    return why;
}

/* None may be started before that many ms have passed; 0: one may. */
static int64_t start_wait(const struct host *h)
{
    return h->start_is_free ? 0 : mgi_restarts_wait(&h->restarts, mgi_now_ms());
}

/* Setting the CPU limit is also the last look at whether an idle worker is still there: one that
 * has just died is replaced before anything is handed to it. */
const char *mgi_host_ready(struct host *h, struct arena *arena, int64_t limit_ms, int64_t *wait_ms)
{
    struct link *w = &h->link;
    *wait_ms = 0;
    if (w->pid) {
        if (!w->worn && !mgi_link_check_end(w) && mgi_link_allow_cpu(w, &h->settings, limit_ms))
            return NULL;
        h->start_is_free = h->start_is_free || w->worn; /* a planned replacement (T-ISO-15) */
        mgi_host_kill_worker(h);
    }
    *wait_ms = start_wait(h);
    if (*wait_ms)
        return "worker restart limit reached";
    const char *why = start_worker(h, arena);
    if (!why && !mgi_link_allow_cpu(w, &h->settings, limit_ms)) {
        mgi_host_kill_worker(h);
        why = "cannot restrict worker: CPU time";
    }
    return why;
}

/* ---- a call ------------------------------------------------------------------------------- */

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

int64_t mgi_call_limit(const struct settings *settings, const struct tool *tool, int64_t request_ms)
{
    int64_t limit = settings->timeout_ms;
    if (tool->timeout_ms)
        limit = least(limit, tool->timeout_ms);
    if (request_ms)
        limit = least(limit, request_ms);
    return limit;
}

static void put_call(struct buf *out, const struct host *h, const struct call *call,
                     int64_t deadline_ns)
{
    size_t begun = mgi_frame_begin(out, FRAME_CALL);
    mgi_frame_u64(out, h->calls);
    mgi_frame_u64(out, (uint64_t)deadline_ns);
    mgi_frame_u32(out, h->tools.call_index[call->tool - h->tools.items]);
    mgi_frame_u32(out, call->progress);
    mgi_frame_str(out, call->request_id);
    mgi_frame_str(out, call->key);
    mgi_frame_put_state(out, call->before);
    mgi_frame_str(out, call->input); /* last: a NUL follows it in the worker's buffer */
    mgi_frame_end(out, begun);
}

static struct outcome protocol_violation(struct host *h, struct arena *arena)
{
    mgi_host_kill_worker(h);
    return mgi_outcome_failed(arena, OUTCOME_CRASH, "tool crashed: protocol violation");
}

/* What the call leaves behind: a worker that is worn, and processes, of which only the helpers
 * stay. */
static bool take_leavings(struct host *h, struct frame *f)
{
    struct kept_process kept[MAX_KEPT_PROCESSES];
    h->link.worn = mgi_frame_get_u32(f) != 0;
    uint32_t count = mgi_frame_get_u32(f);
    for (uint32_t i = 0; i < count && count <= MAX_KEPT_PROCESSES; i++) {
        kept[i].pid = (pid_t)mgi_frame_get_u32(f);
        kept[i].tree = mgi_frame_get_u32(f) != 0;
    }
    if (count > MAX_KEPT_PROCESSES || !mgi_frame_is_done(f))
        return false;
    if (!mgi_link_sweep_call(&h->link, kept, count)) {
        h->link.worn = true;
        mgi_log(&h->log, LOG_WARN, "a process that a tool started would not die");
    }
    return true;
}

static const enum outcome_code lost_codes[] = { [TH_LOST_CRASH] = OUTCOME_CRASH,
                                                [TH_LOST_BAD_OUTPUT] = OUTCOME_BAD_OUTPUT,
                                                [TH_LOST_TOO_LARGE] = OUTCOME_TOO_LARGE };

static struct outcome take_result(struct host *h, struct arena *arena, const struct call *call,
                                  struct frame *f, struct ds_state *after)
{
    uint64_t number = mgi_frame_get_u64(f);
    int32_t status = (int32_t)mgi_frame_get_u32(f);
    uint64_t lost = mgi_frame_get_u64(f);
    uint32_t how = mgi_frame_get_u32(f);
    struct str output = mgi_frame_get_str(f), error = mgi_frame_get_str(f);
    if (f->type != FRAME_RESULT || number != h->calls ||
        !mgi_frame_get_state(f, arena, call->before, after) || !take_leavings(h, f))
        return protocol_violation(h, arena);
    output = mgi_arena_str(arena, output); /* the link's buffer is used again */
    if (!output.ptr)
        return mgi_outcome_failed(arena, OUTCOME_BAD_OUTPUT, "tool output needs too much memory");
    struct outcome o = mgi_outcome_of_tool(arena, status, output, lost, error);
    if (o.code == OUTCOME_TOOL_ERROR && how > 0 && how < sizeof lost_codes / sizeof *lost_codes)
        o.code = lost_codes[how];
    return o;
}

static struct outcome end_of_worker(struct host *h, struct arena *arena)
{
    struct link *w = &h->link;
    await_end(h);
    if (!w->ended)
        return protocol_violation(h, arena);
    bool by_signal = w->by_signal;
    int number = w->end_number;
    mgi_host_kill_worker(h); /* what it left behind */
    if (!by_signal)
        return mgi_outcome_failed(arena, OUTCOME_CRASH, "tool exited: code %d", number);
    const char *name = sigabbrev_np(number);
    return mgi_outcome_failed(arena, OUTCOME_CRASH, "tool crashed: signal %d (SIG%s)", number,
                              name ? name : "?");
}

/* Why a call is being stopped; it has the grace period to return. */
enum stopping { STOP_NOT, STOP_TIMEOUT, STOP_CANCEL };

static struct outcome stopped(struct arena *arena, enum stopping why, int64_t limit_ms)
{
    if (why == STOP_TIMEOUT)
        return mgi_outcome_failed(arena, OUTCOME_TIMEOUT, "tool timed out after %lld ms",
                                  (long long)limit_ms);
    return mgi_outcome_failed(arena, OUTCOME_CANCELLED, "tool cancelled");
}

static enum stopping must_stop(const struct host *h, int64_t deadline)
{
    if (h->cancel || h->stop || h->reader_lost)
        return STOP_CANCEL;
    return mgi_now_ms() >= deadline ? STOP_TIMEOUT : STOP_NOT;
}

/* The reports that stand before anything else. False: one of them is no good. */
static bool take_reports(struct host *h)
{
    struct buf *in = &h->link.in;
    size_t at = 0, size;
    struct frame f;
    bool good = true;
    while (good) {
        const struct str all = mgi_buf_view(in), rest = { all.ptr + at, all.len - at };
        if (mgi_frame_next(rest, MAX_WORKER_FRAME, &f, &size) != FRAME_WHOLE ||
            f.type != FRAME_PROGRESS)
            break;
        good = mgi_reports_take(h, &f);
        at += size;
    }
    if (at) {
        memmove(in->ptr, in->ptr + at, in->len - at + 1); /* with the NUL */
        in->len -= at;
    }
    return good;
}

/* One of four things ends a call, and they are looked for in this order: a result, nonsense, the
 * end of the worker, the end of its time. */
static struct outcome await_result(struct host *h, struct arena *arena, const struct call *call,
                                   int64_t deadline_ns, struct ds_state *after)
{
    struct link *w = &h->link;
    enum stopping stopping = STOP_NOT;
    int64_t until = mgi_now_ms() + call->limit_ms;
    int64_t look_at = mgi_now_ms() + 500; /* at the processor time; a short call never does */
    for (;;) {
        struct frame f;
        size_t size;
        if (!take_reports(h))
            return protocol_violation(h, arena);
        enum frame_event event = mgi_frame_next(mgi_buf_view(&w->in), MAX_WORKER_FRAME, &f, &size);
        if (event == FRAME_WHOLE) {
            if (size != w->in.len)
                return protocol_violation(h, arena);
            struct outcome o = take_result(h, arena, call, &f, after);
            mgi_buf_clear(&w->in);
            if (!stopping && mgi_clock_mono_ns() >= deadline_ns) /* it looked at the clock, too */
                stopping = STOP_TIMEOUT;
            if (stopping && o.status != TH_OK) /* T-LIM-5 */
                return stopped(arena, stopping, call->limit_ms);
            return o;
        }
        if (event == FRAME_BAD)
            return protocol_violation(h, arena);
        if (has_last_words(w))
            continue;
        if (w->eof || w->ended) {
            struct outcome o = end_of_worker(h, arena);
            h->start_is_free = stopping == STOP_CANCEL;
            return stopping ? stopped(arena, stopping, call->limit_ms) : o;
        }
        if (mgi_now_ms() >= look_at) {
            int64_t again_ms;
            if (mgi_link_cpu_exceeded(w, &again_ms)) {
                mgi_host_kill_worker(h);
                return mgi_outcome_failed(arena, OUTCOME_CRASH, "tool crashed: signal %d (SIGXCPU)",
                                          SIGXCPU);
            }
            look_at = again_ms < 0 ? INT64_MAX : mgi_now_ms() + again_ms;
        }
        if (stopping && mgi_now_ms() >= until) {
            mgi_host_kill_worker(h);
            h->start_is_free = stopping == STOP_CANCEL;
            return stopped(arena, stopping, call->limit_ms);
        }
        if (!stopping && (stopping = must_stop(h, until)) != STOP_NOT) {
            atomic_store(&w->page->cancelled_call, h->calls);
            until = mgi_now_ms() + h->settings.grace_ms;
        }
        mgi_reports_flush(h, false);
        mgi_host_pump(h, 0, mgi_reports_until(h, least(until, look_at)));
    }
}

static struct outcome run_in_worker(struct host *h, struct arena *arena, const struct call *call,
                                    struct ds_state *after)
{
    struct link *w = &h->link;
    int64_t deadline_ns = mgi_clock_mono_ns() + call->limit_ms * NS_PER_MS;
    h->calls++;
    put_call(&w->out, h, call, deadline_ns);
    if (w->out.oom) {
        mgi_buf_clear(&w->out);
        return mgi_outcome_failed(arena, OUTCOME_UNAVAILABLE, "worker unavailable: out of memory");
    }
    mgi_link_send(w);
    return await_result(h, arena, call, deadline_ns, after);
}

struct outcome mgi_host_call(struct host *h, struct arena *arena, const struct call *call,
                             struct ds_state *after)
{
    mgi_forward_begin(&h->forward, call->tool->aid);
    h->calling = true;
    h->cancel = false;
    h->calling_id = call->request_id;
    mgi_reports_begin(h, call);
    struct outcome o = run_in_worker(h, arena, call, after);
    mgi_link_take_output(&h->link, &h->forward);
    mgi_forward_begin(&h->forward, (struct str){ NULL, 0 });
    mgi_reports_flush(h, true);
    h->calling = false;
    h->calling_id = STR_LIT("");
    if (o.status != TH_OK)
        mgi_ds_copy(after, call->before); /* T-TX-2 */
    return o;
}

/* ---- what is counted ---------------------------------------------------------------------- */

/* The column "counts for breaker" of T-RSP-6. What a tool returns is no failure, whatever it is. */
static enum breaker_mark mark_of(const struct outcome *o)
{
    switch (o->code) {
    case OUTCOME_CRASH:
    case OUTCOME_TIMEOUT:
    case OUTCOME_BAD_OUTPUT:
    case OUTCOME_TOO_LARGE:
        return BREAKER_FAILED;
    case OUTCOME_OK:
    case OUTCOME_TOOL_ERROR:
    case OUTCOME_INVALID_PICK:
        return BREAKER_RETURNED;
    default:
        return BREAKER_UNDECIDED;
    }
}

void mgi_host_count(struct host *h, size_t tool, const struct outcome *outcome)
{
    struct totals *t = &h->totals;
    if (outcome->code == OUTCOME_UNAVAILABLE)
        return; /* nothing ran */
    t->calls++;
    t->ok += outcome->status == TH_OK;
    t->crashes += outcome->code == OUTCOME_CRASH;
    t->timeouts += outcome->code == OUTCOME_TIMEOUT;
    t->cancelled += outcome->code == OUTCOME_CANCELLED;
    mgi_event_breaker(h, tool,
                      mgi_breaker_note(&h->breakers, tool, mark_of(outcome), mgi_now_ms()));
}
