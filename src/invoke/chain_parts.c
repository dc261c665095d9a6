/* What every part of a chain asks: how much time is left, which calls there are; and tells: how far
 * it is. */
#include "base/time.h"
#include "base/utf8.h"
#include "invoke/chain_int.h"

#define DETAIL_BYTES    200
#define PROGRESS_GAP_NS (100 * NS_PER_MS) /* at most ten a second (T-MCP-30) */

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

struct str mgi_one_line(struct arena *arena, struct str text)
{
    text = mgi_utf8_prefix(text, DETAIL_BYTES);
    char *line = mgi_arena_alloc(arena, text.len + 1);
    for (size_t i = 0; line && i < text.len; i++)
        line[i] = (unsigned char)text.ptr[i] < 0x20 ? ' ' : text.ptr[i];
    return line ? (struct str){ line, text.len } : (struct str){ "", 0 };
}

static size_t count_over(const struct invocation *inv)
{
    size_t count = 0;
    for (size_t i = 0; i < inv->run_count; i++)
        count += inv->runs[i].state != STEP_PENDING;
    return count;
}

void mgi_chain_report(struct invocation *inv, const char *status, struct str detail)
{
    int64_t now = (int64_t)uv_hrtime();
    bool running = strcmp(status, "running") == 0;
    if (!inv->call.progress || !inv->call.wants_progress ||
        (running && now - inv->last_progress_ns < PROGRESS_GAP_NS))
        return;
    double percent = inv->run_count ? 100.0 * (double)count_over(inv) / (double)inv->run_count : 0;
    if (percent > 99)
        percent = 99; /* below 100 until the response */
    if (percent < inv->last_percent)
        percent = inv->last_percent;
    inv->last_percent = percent;
    if (running) /* "started" must not swallow the first step's */
        inv->last_progress_ns = now;
    inv->call.progress(inv->call.context, status, detail, percent);
}
