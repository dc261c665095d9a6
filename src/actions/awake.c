/* The loop stays awake for an answer that is likely to come at once, where a processor is to spare:
 * base/patience.h says for how long, of each host by its answers so far. */
#include "actions/toolpool_int.h"

#include "sys/clock.h"

static void stay_awake(uv_idle_t *awake)
{
    const struct toolpool *pool = awake->data;
    if (mgi_clock_mono_ns() >= pool->awake_until_ns)
        uv_idle_stop(awake);
}

void mgi_pool_wait_awake(struct toolpool *pool, struct tool_host *host)
{
    int64_t now = mgi_clock_mono_ns();
    bool spare = mgi_spare_processor(&pool->spare, pool->loadavg, now);
    pool->awake_until_ns = mgi_patience_begin(&host->patience, spare, now);
    if (pool->awake_until_ns)
        uv_idle_start(&pool->awake, stay_awake);
}

void mgi_pool_waited(struct toolpool *pool, struct tool_host *host)
{
    mgi_patience_end(&host->patience, mgi_clock_mono_ns());
    uv_idle_stop(&pool->awake);
}
