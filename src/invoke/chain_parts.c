/* What every part of a chain asks: how much time is left, which calls there are, whether a worker
 * takes one; and tells: that a step will not run, how far all of them are. */
#include "base/time.h"
#include "base/utf8.h"
#include "invoke/chain_int.h"

int64_t mgi_chain_left_ms(const struct step_call *call)
{
    const struct invocation *inv = call->inv;
    int64_t until_ns = call->undo ? inv->chain->undo_deadline_ns : inv->deadline_ns;
    return (until_ns - (int64_t)uv_hrtime()) / NS_PER_MS;
}

void mgi_calls_each(struct invocation *inv, call_visitor *visit, void *context)
{
    for (size_t i = 0; i < inv->run_count; i++)
        for (size_t k = 0; k < inv->runs[i].call_count; k++)
            visit(&inv->runs[i].calls[k], context);
    if (inv->chain->undo_call.state != CALL_IDLE)
        visit(&inv->chain->undo_call, context);
}

struct step_call *mgi_call_of_task(struct task *t)
{
    return (struct step_call *)((char *)t - offsetof(struct step_call, task));
}

bool mgi_call_hand_over(struct step_call *call, enum call_state state, void (*run)(struct task *t),
                        void (*done)(struct task *t))
{
    const struct task_runner *tasks = &call->inv->call.tasks;
    call->task =
        (struct task){ .run = run, .done = done, .owner = call->inv->call.owner, .promised = true };
    call->state = state; /* before: from now on it is the worker's */
    return tasks->hand && tasks->hand(tasks->self, &call->task);
}

struct str mgi_one_line(struct arena *arena, struct str text)
{
    static const struct str rest = { "…", sizeof "…" - 1 };
    bool cut = text.len > DETAIL_BYTES;
    if (cut)
        text = mgi_utf8_prefix(text, DETAIL_BYTES - rest.len);
    char *line = mgi_arena_alloc(arena, text.len + rest.len);
    if (!line)
        return (struct str){ "", 0 };
    for (size_t i = 0; i < text.len; i++)
        line[i] = (unsigned char)text.ptr[i] < 0x20 ? ' ' : text.ptr[i];
    if (cut)
        memcpy(line + text.len, rest.ptr, rest.len);
    return (struct str){ line, text.len + (cut ? rest.len : 0) };
}

void mgi_run_skipped(struct step_run *run, const char *why)
{
    run->state = STEP_SKIPPED;
    run->detail = str_of(why);
}

void mgi_run_cut(struct step_run *run, const char *why)
{
    mgi_run_skipped(run, why);
    run->cut = true;
}

/* Of one run, 0 to 1: the items that are over, and what calls say of themselves. */
static double done_of(const struct step_run *run)
{
    if (run->state != STEP_PENDING)
        return 1;
    if (!run->known || run->item_count == 0) /* before, a worker may be counting */
        return 0;
    double done = (double)run->item_done;
    for (size_t i = 0; i < run->call_count; i++)
        done += run->calls[i].fraction;
    return done / (double)run->item_count;
}

/* May one more be sent now (T-MCP-30)? Then it is counted. */
static bool may_report(struct invocation *inv)
{
    int64_t now = (int64_t)uv_hrtime();
    int64_t *oldest = &inv->reported_ns[inv->reports % REPORTS_A_SECOND];
    if (inv->reports >= REPORTS_A_SECOND && now - *oldest < NS_PER_SEC)
        return false;
    *oldest = now;
    inv->reports++;
    return true;
}

void mgi_chain_report(struct invocation *inv, const char *status, struct str detail)
{
    bool running = strcmp(status, "running") == 0; /* the others are two, and never left out */
    if (!inv->call.progress || !inv->call.wants_progress || (running && !may_report(inv)))
        return;
    double done = 0;
    for (size_t i = 0; i < inv->run_count; i++)
        done += done_of(&inv->runs[i]);
    double percent = inv->run_count ? 100 * done / (double)inv->run_count : 0;
    if (percent > 99)
        percent = 99; /* below 100 until the response */
    if (percent < inv->last_percent)
        percent = inv->last_percent;
    inv->last_percent = percent;
    inv->call.progress(inv->call.context, status, detail, percent);
}
