/* What an invocation is called with on behalf of a request: first by its check, and again when it
 * changes hands, to wait for a person or to go on after that. */
#include "server/server_int.h"

static void told_progress(void *context, const char *status, struct str detail, double percent)
{
    mgi_answer_progress(context, status, detail, percent);
}

/* T-MCP-22. Of a client that gives none there is nothing to show. */
struct str mgi_request_shown_id(struct request *r)
{
    struct str id = r->envelope.id;
    return id.len > 0 ? str_of(mgi_show(&r->arena, id, RUN_REQUEST_BYTES)) : STR_LIT("");
}

struct invoke_call mgi_request_call(struct request *r)
{
    struct server *s = r->server;
    return (struct invoke_call){
        .snapshot = r->served->snapshot,
        .who = r->who,
        .owner = mgi_owner_of(s, r->who),
        .payload = r->envelope.payload,
        .request_id = r->envelope.id,
        .invocation_id = { r->invocation_id, 32 },
        .header = &r->header,
        .journal = mgi_request_journal(r),
        .clock_ns = r->judged_ns,
        .store = s->options.store,
        .keys = s->options.keys,
        .answers = r->parked ? r->parked->invocation : NULL,
        .signing = s->options.signing,
        .pickers = &r->served->pickers,
        .pool = r->served->pool->pool,
        .loop = s->options.loop,
        .tasks = mgi_work_runner(s->work),
        .log = &s->log,
        .wants_progress = r->peer->transport->session,
        .dry_run = r->envelope.dry_run,
        .cancelled = mgi_request_is_cancelled,
        .progress = told_progress,
        .context = r,
        .notes = &r->invoke_notes,
    };
}
