/* The policy of a server: see policy.h.
 *
 * A call is in one of three lists of states: waiting (in the policy's queue), running (it has a
 * process), or started in vain (a failure to start is told from the loop, by a timer of its own, so
 * that `done` is never called from inside mgi_policy_ask()). */
#include "select/policy.h"

#include "base/alloc.h"
#include "base/utf8.h"
#include "select/policy_breaker.h"
#include "select/policy_process.h"

struct policy_call {
    struct policy *policy;
    struct policy_question q;
    enum policy_admission as;
    struct policy_process *process; /* running */
    struct buf payload;             /* waiting */
    struct policy_program program;  /* in the question's arena */
    uv_timer_t later;               /* started in vain */
    bool in_vain;
    int error;                /* why */
    struct policy_call *next; /* waiting */
};

struct policy {
    uv_loop_t *loop;
    const struct policy_settings *settings;
    const struct logger *log;
    struct policy_breaker breaker;
    struct policy_call *first, **last; /* those who wait, in the order in which they came */
    struct policy_stats stats;
};

struct policy *mgi_policy_new(uv_loop_t *loop, const struct policy_settings *settings,
                              const struct logger *log)
{
    struct policy *policy = mgi_calloc(1, sizeof *policy);
    if (!policy)
        return NULL;
    policy->loop = loop;
    policy->settings = settings;
    policy->log = log;
    policy->last = &policy->first;
    mgi_policy_breaker_init(&policy->breaker, settings->fail_threshold, settings->cooldown_ms);
    return policy;
}

void mgi_policy_free(struct policy *policy)
{
    mgi_free(policy);
}

void mgi_policy_stats(const struct policy *policy, struct policy_stats *out)
{
    *out = policy->stats;
    out->open = policy->breaker.open;
}

static int64_t loop_ms(void)
{
    return (int64_t)(uv_hrtime() / 1000000);
}

/* ---- starting ------------------------------------------------------------------------------- */

static void start_waiting(struct policy *policy);
static void policy_answered(void *context, const struct policy_answer *answer);

static void free_call(struct policy_call *call)
{
    mgi_buf_fini(&call->payload);
    mgi_free(call);
}

static void later_closed(uv_handle_t *handle)
{
    free_call(handle->data);
}

static void tell_in_vain(uv_timer_t *timer)
{
    struct policy_call *call = timer->data;
    const struct policy_answer answer = { .exit = POLICY_NOT_STARTED, .status = call->error };
    policy_answered(call, &answer);
}

static void start_call(struct policy_call *call)
{
    struct policy *policy = call->policy;
    const struct policy_start start = { .loop = policy->loop,
                                        .settings = policy->settings,
                                        .program = call->program,
                                        .payload = mgi_buf_view(&call->payload),
                                        .most_ms = call->q.most_ms,
                                        .done = policy_answered,
                                        .context = call };
    policy->stats.running++;
    call->process = mgi_policy_process_start(&start, &call->error);
    if (!call->process) {
        call->in_vain = true;
        uv_timer_init(policy->loop, &call->later);
        call->later.data = call;
        uv_timer_start(&call->later, tell_in_vain, 0, 0);
    }
    mgi_buf_fini(&call->payload);
}

static void start_waiting(struct policy *policy)
{
    while (policy->first && policy->stats.running < POLICY_PROCESSES) {
        struct policy_call *call = policy->first;
        policy->first = call->next;
        if (!policy->first)
            policy->last = &policy->first;
        policy->stats.waiting--;
        start_call(call);
    }
}

/* The call is over: its place is free. */
static void leave(struct policy_call *call)
{
    struct policy *policy = call->policy;
    policy->stats.running--;
    if (call->in_vain)
        uv_close((uv_handle_t *)&call->later, later_closed);
    else
        free_call(call);
    start_waiting(policy);
}

/* ---- answers -------------------------------------------------------------------------------- */

static void log_failed(const struct policy *policy, const char *failure, struct str err)
{
    struct buf shown = { 0 };
    mgi_utf8_show(&shown, mgi_utf8_prefix(err, 2000));
    mgi_log(policy->log, LOG_WARN, "policy: %s", failure);
    if (err.len > 0)
        mgi_log(policy->log, LOG_DEBUG, "policy: its standard error: %s",
                shown.ptr ? shown.ptr : "");
    mgi_buf_fini(&shown);
}

static void policy_answered(void *context, const struct policy_answer *answer)
{
    struct policy_call *call = context;
    struct policy *policy = call->policy;
    const struct policy_question q = call->q;
    struct selection said = { 0 };
    struct policy_answer kept = *answer;
    const char *failure = NULL;
    /* What it said outlives the process. */
    kept.out = mgi_arena_str(q.arena, answer->out);
    bool known = kept.out.ptr && mgi_policy_judge(q.arena, q.menu, &kept, &said, &failure);
    if (known) {
        mgi_policy_breaker_told(&policy->breaker, call->as, !failure, loop_ms());
        policy->stats.failed += failure != NULL;
        if (failure)
            log_failed(policy, failure, answer->err);
    } else {
        mgi_policy_breaker_forget(&policy->breaker, call->as);
    }
    leave(call);
    q.done(q.context, &said, failure, !known);
}

/* ---- asking --------------------------------------------------------------------------------- */

enum policy_asked mgi_policy_ask(struct policy *policy, const struct policy_question *question,
                                 struct policy_call **call, const char **why)
{
    struct policy_program program;
    switch (mgi_policy_check(question->arena, policy->settings, &program, why)) {
    case POLICY_VIOLATION:
        mgi_log(policy->log, LOG_WARN, "policy: %s", *why);
        return POLICY_FORBIDDEN;
    case POLICY_CHECK_NOMEM:
        return POLICY_NOMEM;
    case POLICY_MAY_RUN:
        break;
    }
    struct policy_call *c = mgi_calloc(1, sizeof *c);
    if (!c)
        return POLICY_NOMEM;
    mgi_policy_payload(&c->payload, question->view, question->menu, question->inputs,
                       question->mode);
    if (c->payload.oom) {
        free_call(c);
        return POLICY_NOMEM;
    }
    c->as = policy->stats.waiting < POLICY_WAITING
                ? mgi_policy_breaker_ask(&policy->breaker, loop_ms())
                : POLICY_REFUSED;
    if (c->as == POLICY_REFUSED) {
        policy->stats.refused++;
        free_call(c);
        return POLICY_OPEN;
    }
    c->policy = policy;
    c->q = *question;
    c->program = program;
    policy->stats.asked++;
    policy->stats.waiting++;
    *policy->last = c;
    policy->last = &c->next;
    start_waiting(policy);
    *call = c;
    return POLICY_ASKED;
}

static void leave_queue(struct policy_call *call)
{
    struct policy *policy = call->policy;
    struct policy_call **at = &policy->first;
    while (*at != call)
        at = &(*at)->next;
    *at = call->next;
    if (!*at)
        policy->last = at;
    policy->stats.waiting--;
    free_call(call);
}

void mgi_policy_cancel(struct policy_call *call)
{
    mgi_policy_breaker_forget(&call->policy->breaker, call->as);
    if (call->process) {
        mgi_policy_process_cancel(call->process);
        leave(call);
    } else if (call->in_vain) {
        uv_timer_stop(&call->later);
        leave(call);
    } else {
        leave_queue(call);
    }
}
