/* What a chain writes down goes into the journal (invoke/run_journal.h): whose run it is, with its
 * header and its key. Handles are the journal's own. */
#include "server/server_int.h"

static enum journal_outcome outcome_of(enum run_outcome outcome)
{
    static const enum journal_outcome outcomes[] = { [RUN_SUCCESS] = JOURNAL_OK,
                                                     [RUN_FAILURE] = JOURNAL_FAILED,
                                                     [RUN_CANCELLED] = JOURNAL_CANCELLED,
                                                     [RUN_NOT_SENT] = JOURNAL_NOT_SENT };
    return outcomes[outcome];
}

/* Its end is on the disk, or will not be soon: what came of it may be told. */
static void settled(void *context, const char *why)
{
    struct request *r = ((struct settlement *)context)->request;
    (void)why; /* the log has it */
    if (!r)
        return;
    r->unsettled = false;
    if (!r->settling)
        return;
    r->settling = false;
    mgi_request_resume(r, STAGE_NEXT);
}

static void *run_begins(void *self, const struct run_begun *b)
{
    struct request *r = self;
    uint8_t key[JOURNAL_KEY_BYTES];
    bool keyed = r->once.key.ptr != NULL;
    if (keyed && !mgi_journal_key(mgi_principal_caller(r->who), r->once.key, key))
        return NULL; /* it would be there without its key */
    r->settlement = mgi_arena_calloc(&r->arena, 1, sizeof *r->settlement);
    if (!r->settlement)
        return NULL;
    r->settlement->request = r;
    struct journal_run_begin begin = {
        .header = r->header,
        .invocation_id = b->invocation_id,
        .macro_id = b->macro_id,
        .tool = b->tool,
        .caller = mgi_mask_identity(r->served->snapshot, r->who),
        .key = keyed ? key : NULL,
        .fingerprint = keyed ? str_of(r->once.fingerprint) : STR_LIT(""),
        .steps = b->steps,
        .step_count = b->step_count,
        .has_effects = b->has_effects,
        .told = settled,
        .context = r->settlement,
    };
    struct journal_run *run = mgi_journal_run_begins(r->server->options.journal, &begin);
    r->unsettled = run && b->has_effects;
    return run;
}

static void *step_begins(void *run, const struct step_begun *b, run_told *told, void *context)
{
    struct journal_step_begin begin = {
        .step = b->step,
        .item = b->item,
        .attempt = b->attempt,
        .compensation = b->compensation,
        .name = b->name,
        .action = b->action,
        .tier = b->tier,
        .input_sha256 = b->input_sha256,
    };
    return mgi_journal_step_begins(run, &begin, told, context);
}

static void picks(void *run, const struct step_picked *p)
{
    struct journal_pick pick = { .step = p->step,
                                 .turn = p->turn,
                                 .name = p->name,
                                 .by = str_of(p->by),
                                 .mode = str_of(p->mode),
                                 .kind = str_of(p->kind),
                                 .sid = p->sid,
                                 .action = p->action,
                                 .raw = p->raw,
                                 .in_order = p->in_order };
    mgi_journal_picks(run, &pick);
}

static void step_ends(void *step, const struct step_ended *e)
{
    struct journal_step_end end = { .outcome = outcome_of(e->outcome),
                                    .indeterminate = e->indeterminate,
                                    .output = e->output,
                                    .duration_ms = e->duration_ms };
    mgi_journal_step_ends(step, &end);
}

static void run_ends(void *run, enum run_outcome outcome)
{
    mgi_journal_run_ends(run, outcome_of(outcome));
}

const struct run_journal *mgi_request_journal(struct request *r)
{
    r->run_journal = (struct run_journal){ .self = r,
                                           .run_begins = run_begins,
                                           .step_begins = step_begins,
                                           .picks = picks,
                                           .step_ends = step_ends,
                                           .run_ends = run_ends };
    return r->server->options.journal ? &r->run_journal : NULL;
}

/* Nothing has happened yet, and nothing will: better than half of it. */
enum stage_result mgi_journal_gate(struct request *r)
{
    struct journal *journal = r->server->options.journal;
    const char *why =
        journal && !mgi_invocation_is_harmless(r->invocation) ? mgi_journal_refuses(journal) : NULL;
    if (!why)
        return STAGE_NEXT;
    mgi_wire_error(&r->error, &r->arena, WIRE_SERVER_NOT_READY,
                   "This may have effects, and what has is written down first: %s. Nothing was "
                   "run.",
                   why);
    r->error.details = STR_LIT("{\"status\":\"degraded\"}");
    r->error.retry_after_ms = JOURNAL_RETRY_MS;
    return STAGE_ANSWER;
}
