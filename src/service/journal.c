/* The journal of runs of a service: opened before anything is served, told of by the manifest when
 * it cannot be written, written to its end when nothing runs any more. */
#include "base/time.h"
#include "service/environment.h"
#include "service/service_int.h"
#include "sys/clock.h"

#define FLUSH_MS 2000 /* at the end, for what waits */

static int64_t journal_clock(void *context)
{
    const manglecp_service *s = context;
    return s->config.fixed_clock ? s->config.clock_ns : mgi_clock_real_ns();
}

static void journal_amiss(void *context, const char *why)
{
    manglecp_service *s = context;
    if (s->server)
        mgi_server_amiss(s->server, "journal", why);
}

enum service_fault mgi_service_open_journal(manglecp_service *s, struct buf *text)
{
    const struct service_config *c = &s->config;
    struct journal_options options = { .path = c->journal,
                                       .loop = &s->loop,
                                       .clock = journal_clock,
                                       .clock_context = s,
                                       .max_bytes = (size_t)c->journal_max_bytes,
                                       .keep_ns = c->journal_keep_ms * NS_PER_MS,
                                       .keep_runs = (uint32_t)c->journal_keep_runs,
                                       .keep_patches = c->journal_patches,
                                       .log = &s->log,
                                       .amiss = journal_amiss,
                                       .context = s };
    struct buf why = { 0 };
    if (!c->journal)
        return SERVICE_FINE;
    s->journal = mgi_journal_open(&options, &why);
    if (!s->journal)
        mgi_buf_printf(text, "error: %.*s\n", STR_ARG(mgi_buf_view(&why)));
    mgi_buf_fini(&why);
    return s->journal ? SERVICE_FINE : SERVICE_WORLD_FAILED;
}

bool mgi_service_has_one_run_id(const manglecp_service *s)
{
    const char *set = mgi_environment_get(s->environment, "MACHINA_DETERMINISTIC_RUN_ID");
    return set && strcmp(set, "1") == 0;
}

void mgi_service_close_journal(manglecp_service *s)
{
    mgi_journal_close(s->journal, FLUSH_MS);
    s->journal = NULL;
}
