/* What a tool host reads from its worker, a process that runs plugin code and is believed in
 * nothing (toolhost.md T-ISO-3): the tools it offers, then results of calls. The code is that of
 * the host, call.c; the worker is the input, a row of
 *
 *     u16 length | bytes     what one look at the socket brings; 0: it has ended
 *
 * and the clock moves with every look. Held: no crash; a call ends; what it says, and every report
 * of progress, is one line of JSON; a call that failed leaves the state as it was. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "toolhost/answer.c"
#include "toolhost/breaker.c"
#include "toolhost/call.c"
#include "toolhost/frame.c"
#include "toolhost/inputs.c"
#include "toolhost/lease.c"
#include "toolhost/progress.c"
#include "toolhost/same_value.c"
#include "toolhost/state.c"
#include "toolhost/state_frame.c"
#include "toolhost/tools.c"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

#define CALLS 3

static struct str worker; /* what it has still to say */
static int64_t clock_ms;

/* ---- what call.c stands on ------------------------------------------------------------------- */

int64_t mgi_now_ms(void)
{
    return clock_ms++;
}

void mgi_link_receive(struct link *w)
{
    if (worker.len < 2) {
        w->eof = w->ended = true;
        return;
    }
    size_t len = (unsigned char)worker.ptr[0] | (size_t)(unsigned char)worker.ptr[1] << 8;
    if (len > worker.len - 2)
        len = worker.len - 2;
    if (len == 0)
        w->eof = w->ended = true;
    mgi_buf_append(&w->in, worker.ptr + 2, len);
    worker.ptr += 2 + len;
    worker.len -= 2 + len;
}

void mgi_host_pump(struct host *h, int want, int64_t until_ms)
{
    (void)want, (void)until_ms;
    clock_ms += 10;
    if (h->link.pid && !h->link.eof)
        mgi_link_receive(&h->link);
}

bool mgi_link_check_end(struct link *w)
{
    return w->ended;
}

const char *mgi_link_start(struct link *w, const struct worker_start *start)
{
    (void)start;
    w->pid = 1;
    w->eof = w->ended = w->worn = false;
    return NULL;
}

bool mgi_link_sweep_call(struct link *w, const struct kept_process *kept, size_t kept_count)
{
    for (size_t i = 0; i < kept_count;
         i++) /* all of them can be read, and are no more than may be */
        w->swept_to ^= kept[i].pid;
    if (kept_count > MAX_KEPT_PROCESSES)
        abort();
    return w->swept_to % 7 != 0;
}

bool mgi_link_cpu_exceeded(const struct link *w, int64_t *again_ms)
{
    (void)w;
    *again_ms = 100;
    return clock_ms % 11 == 0;
}

const char *mgi_confinement_plan(struct confinement_of_workers *c, struct arena *arena,
                                 const struct provider *provider)
{
    (void)c, (void)arena, (void)provider;
    return NULL;
}

bool mgi_confinement_environment(const struct confinement_of_workers *c, struct arena *arena,
                                 char ***env)
{
    (void)c, (void)arena, (void)env;
    return true;
}

/* A worker that says it again is believed no more. */
bool mgi_confinement_asked(struct confinement_of_workers *c, uint32_t caps)
{
    bool first = !c->known;
    c->asked = caps;
    c->known = true;
    return first;
}

const char *mgi_link_send_plan(struct link *w, const struct confine_plan *plan, uint32_t asked)
{
    (void)w, (void)plan;
    return asked % 5 == 4 ? "cannot restrict worker: it does not listen" : NULL;
}

void mgi_link_send(struct link *w)
{
    mgi_buf_clear(&w->out);
}

void mgi_link_take_output(struct link *w, struct forward *to)
{
    (void)w, (void)to;
}

bool mgi_link_allow_cpu(struct link *w, const struct settings *settings, int64_t limit_ms)
{
    (void)w, (void)settings, (void)limit_ms;
    return true;
}

void mgi_host_kill_worker(struct host *h)
{
    h->link.pid = 0;
    mgi_buf_clear(&h->link.in);
}

void mgi_forward_begin(struct forward *f, struct str aid)
{
    (void)f, (void)aid;
}

void mgi_event_plugin(struct host *h, const char *rejected)
{
    (void)h, (void)rejected;
}

void mgi_event_worker_started(struct host *h)
{
    (void)h;
}

void mgi_event_breaker(struct host *h, size_t tool, enum breaker_news news)
{
    (void)h, (void)tool, (void)news;
}

static void must_be_one_line_of_json(const struct buf *out)
{
    struct arena arena;
    struct json v;
    mgi_arena_init(&arena, 0);
    if (memchr(out->ptr, '\n', out->len) != out->ptr + out->len - 1 ||
        mgi_json_parse(&arena, mgi_buf_view(out), &(struct json_options){ 128 }, &v, NULL) !=
            JSON_OK)
        abort();
    mgi_arena_fini(&arena);
}

/* What goes to the control channel: one event at a time. */
void mgi_host_send_control(struct host *h)
{
    must_be_one_line_of_json(&h->control.out);
    mgi_buf_clear(&h->control.out);
}

/* ---- a host ---------------------------------------------------------------------------------- */

static void show(const struct outcome *o, const struct ds_state *state)
{
    struct buf out = { 0 };
    const struct answer_extras x = { STR_LIT("r"), 0, "" };
    mgi_answer_result(&out, o, false, &(struct answer_state){ state, false, 0xff }, &x);
    must_be_one_line_of_json(&out);
    mgi_buf_fini(&out);
}

static void call_one(struct host *h, struct ds_state *state)
{
    struct ds_state after = { 0 };
    struct call call = { .tool = &h->tools.items[0],
                         .request_id = STR_LIT("r"),
                         .input = STR_LIT("{}"),
                         .limit_ms = 1000,
                         .progress = h->calls % 2 == 0,
                         .before = state };
    int64_t wait_ms;
    if (mgi_host_ready(h, &h->request, call.limit_ms, &wait_ms) != NULL)
        return;
    struct outcome o = mgi_host_call(h, &h->request, &call, &after);
    mgi_host_count(h, 0, &o);
    for (unsigned n = 0; o.status != TH_OK && n < DS_SLOTS; n++)
        if (after.slot[n] != state->slot[n]) /* T-TX-2 */
            abort();
    show(&o, &after);
    mgi_ds_copy(state, &after);
    mgi_ds_fini(&after);
    mgi_arena_reset(&h->request);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    struct shared_page page = { 0 };
    struct host h = { .link.page = &page };
    struct ds_state state = { 0 };
    int64_t wait_ms;
    h.settings.grace_ms = 100;
    h.settings.validate = 1;
    h.settings.breaker_threshold = 2;
    h.settings.breaker_window_ms = h.settings.breaker_cooldown_ms = 1000;
    worker = (struct str){ (const char *)bytes, len };
    clock_ms = 1;
    mgi_arena_init(&h.life, 1 << 24);
    mgi_arena_init(&h.request, 1 << 24);
    if (mgi_host_ready(&h, &h.request, 1000, &wait_ms) == NULL) {
        struct buf list = { 0 };
        mgi_tools_write(&list, &h.tools);
        must_be_one_line_of_json(&list);
        mgi_buf_fini(&list);
        for (int i = 0; i < CALLS && h.tools.count > 0; i++)
            call_one(&h, &state);
    }
    mgi_ds_fini(&state);
    mgi_input_checks_fini(&h.inputs);
    mgi_buf_fini(&h.control.out);
    mgi_buf_fini(&h.link.in);
    mgi_buf_fini(&h.link.out);
    mgi_arena_fini(&h.request);
    mgi_arena_fini(&h.life);
    return 0;
}
