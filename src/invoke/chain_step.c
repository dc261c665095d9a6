/* What one call is sent, and what its answer means. Both take time that grows with what tools
 * return: they are done where they stand if they are surely brief, else on a worker. The two
 * functions that compute (open and compose, digest) touch what chain_int.h allows a worker, and
 * nothing else. */
#include "invoke/chain_int.h"

/* What surely takes well under a millisecond. */
#define BRIEF_BYTES       16384 /* of texts that are looked through or copied */
#define BRIEF_DELTA_BYTES 4096

/* ---- composing ----------------------------------------------------------------------------- */

/* The plugin host leaves the schemas of actions to the server (T-INP-7). NULL: `v` fits. */
static const char *misfit(struct arena *arena, const struct schema *schema, const struct json *v,
                          const char *what)
{
    struct schema_issues issues;
    if (!schema)
        return NULL;
    mgi_schema_issues_init(&issues, arena, 1);
    if (mgi_schema_validate(schema, v, &issues))
        return NULL;
    const char *text = NULL;
    if (issues.count > 0)
        text = mgi_arena_printf(arena, "%s does not fit its schema at \"%s\": %s", what,
                                issues.items[0].path, issues.items[0].message);
    return text ? text : "it does not fit its schema";
}

static const char *or_memory(const char *text)
{
    return text ? text : "the server ran out of memory";
}

static struct source_view view_of(const struct step_call *call, struct arena *arena)
{
    return (struct source_view){ .inv = call->inv, .arena = arena };
}

/* What the items are: where they stand, or put together here. NULL: they are; else the fault. */
static const char *find_list(struct step_call *call)
{
    struct step_run *run = call->run;
    struct source_view view = view_of(call, &run->arena);
    const struct value_source *src = &run->step->items;
    struct buf text = { 0 };
    struct json_writer w;
    const char *what = NULL;
    run->list = mgi_source_find(&view, src);
    if (run->list || (src->optional && src->kind != SOURCE_ARRAY))
        return NULL;
    struct json *made = mgi_arena_calloc(&run->arena, 1, sizeof *made);
    mgi_json_writer_init(&w, &text, 0);
    enum source_found found = mgi_source_write(&view, &w, src, &what);
    if (found != SOURCE_WRITTEN || text.oom || !made) {
        mgi_buf_fini(&text);
        return or_memory(what ? mgi_arena_printf(&run->arena, "there is no %s", what) : NULL);
    }
    run->list = made;
    return mgi_json_take(&run->arena, &text, made) ? NULL : or_memory(NULL);
}

/* How often the step runs. NULL, or the fault. */
static const char *count_items(struct step_call *call)
{
    struct step_run *run = call->run;
    const struct step *step = run->step;
    size_t most = step->max_items ? step->max_items : FOREACH_ITEMS;
    const char *fault = step->has_foreach ? find_list(call) : NULL;
    if (fault)
        return fault;
    if (run->list && run->list->type != JSON_ARRAY && run->list->type != JSON_NULL)
        return "what foreach goes over is not an array";
    if (step->menu)
        return NULL; /* as many as will be picked */
    run->item_count = !step->has_foreach                           ? 1
                      : run->list && run->list->type == JSON_ARRAY ? run->list->count
                                                                   : 0;
    if (run->item_count > most)
        return or_memory(mgi_arena_printf(
            &run->arena, "foreach goes over %zu items, and max is %zu", run->item_count, most));
    run->items = mgi_arena_calloc(step->has_foreach ? &run->arena : &call->arena,
                                  run->item_count + 1, sizeof *run->items);
    return run->items ? NULL : or_memory(NULL);
}

/* Does it run, and how often? Once, with the run's first call. */
static void open_run(struct step_call *call)
{
    struct step_run *run = call->run;
    struct source_view view = view_of(call, &call->arena);
    run->opened = true;
    run->verdict = VERDICT_RUN;
    if (run->step->has_condition && !mgi_source_truth(&view, &run->step->condition)) {
        run->verdict = VERDICT_NOT_NEEDED;
        return;
    }
    call->fault = count_items(call);
    if (call->fault)
        run->verdict = VERDICT_FAULT;
}

/* What a reference to an item or to the step's own output finds. False: memory. */
static bool add_item(const struct step_call *call, struct source_view *view, struct arena *arena)
{
    const struct step_run *run = call->run;
    struct json *index = mgi_arena_calloc(arena, 1, sizeof *index);
    const char *text = mgi_arena_printf(arena, "%zu", call->item);
    if (!index || !text)
        return false;
    *index = (struct json){ .type = JSON_INT, .integer = (int64_t)call->item };
    index->text = str_of(text);
    if (run->list) {
        view->item = &run->list->items[call->item];
        view->index = index;
    } else if (call->undo && run->step->menu) {
        view->item = run->items[call->item].given;
        view->index = index;
    }
    if (!call->undo)
        return true;
    view->own = run;
    if (!mgi_run_has_items(run))
        view->own_output = run->has_output ? &run->output : NULL;
    else if (run->items[call->item].has_output)
        view->own_output = &run->items[call->item].output;
    return true;
}

static const struct value_source *inputs_of(const struct step_call *call)
{
    return call->undo ? &mgi_item_undo(&call->run->items[call->item])->inputs
                      : &call->run->step->inputs;
}

/* What the sources say, into call->inputs. NULL; or the fault. */
static const char *compose_inputs(struct step_call *call, bool with_digest)
{
    struct arena *arena = &call->arena;
    struct source_view view = view_of(call, arena);
    struct buf text = { 0 };
    struct json_writer w;
    const char *what = NULL;
    if (!add_item(call, &view, arena))
        return or_memory(NULL);
    mgi_json_writer_init(&w, &text, 0);
    enum source_found found = mgi_source_write(&view, &w, inputs_of(call), &what);
    struct str kept = { NULL, 0 };
    if (found == SOURCE_WRITTEN && !text.oom)
        kept = mgi_arena_str(arena, mgi_buf_view(&text));
    mgi_buf_fini(&text);
    if (!kept.ptr)
        return or_memory(mgi_arena_printf(arena, "there is no %s", what ? what : "memory"));
    return mgi_tool_inputs(arena, kept, with_digest, &call->inputs)
               ? NULL
               : "its inputs could not be read";
}

static const char *compose(struct step_call *call)
{
    struct arena *arena = &call->arena;
    bool picked = mgi_call_is_picked(call);
    if (call->run->step->menu && !call->undo && !picked) {
        const char *fault = compose_inputs(call, true);
        return fault ? fault : mgi_menu_prepare(call);
    }
    const struct action *action = mgi_call_action(call);
    const char *why = picked ? mgi_menu_compose(call) : compose_inputs(call, action->tier > 0);
    if (!why && !picked)
        why = mgi_graph_state(call->inv, call->run, call->undo, action->provider, arena,
                              &call->slots);
    if (why)
        return why;
    why = misfit(arena, action->input_schema, &call->inputs.value, "its input");
    call->misfits = picked && why;
    return why;
}

static void compose_here(struct step_call *call)
{
    struct step_run *run = call->run;
    call->fault = NULL;
    if (!run->opened && !call->undo)
        open_run(call);
    if (call->undo ||
        (run->verdict == VERDICT_RUN && (run->step->menu || call->item < run->item_count)))
        call->fault = compose(call);
}

static void compose_task(struct task *t)
{
    compose_here(mgi_call_of_task(t));
}

static void composed_task(struct task *t)
{
    struct step_call *call = mgi_call_of_task(t);
    struct invocation *inv = call->inv;
    call->inv->chain->ways->composed(call);
    inv->chain->ways->advance(inv);
}

static bool is_brief_to_compose(const struct step_call *call)
{
    const struct invocation *inv = call->inv;
    const struct step *step = call->run->step;
    struct source_view view = view_of(call, NULL);
    if (inv->chain->kept_bytes + inv->args.text.len > BRIEF_BYTES || step->has_foreach ||
        (step->menu && !mgi_call_is_picked(call)))
        return false;
    const struct schema *schema = mgi_call_action(call)->input_schema;
    size_t bytes = mgi_call_is_picked(call)
                       ? mgi_menu_step_call(call->run->menu->step)->inputs->text.len
                       : mgi_source_bytes(&view, inputs_of(call), BRIEF_BYTES);
    return bytes <= BRIEF_BYTES && (!schema || mgi_schema_is_brief(schema, bytes));
}

void mgi_call_compose(struct step_call *call)
{
    call->state = CALL_COMPOSING;
    if (!is_brief_to_compose(call) &&
        mgi_call_hand_over(call, CALL_COMPOSING, compose_task, composed_task))
        return;
    compose_here(call);
    call->inv->chain->ways->composed(call);
}

/* ---- digesting ----------------------------------------------------------------------------- */

/* Does it report facts, in which values are interned? */
static bool brings_facts(const struct step_call *call)
{
    return call->result.state_delta.type == JSON_OBJECT || call->result.evidence_count > 0;
}

/* What it and the runs before it have reported: a limit that does not depend on what ran when. */
static size_t reported_before(const struct step_call *call)
{
    const struct invocation *inv = call->inv;
    size_t count = 0;
    for (size_t i = 0; i < inv->run_count; i++)
        if (mgi_run_needs(call->run, i))
            count += inv->runs[i].asserts.count + inv->runs[i].retracts.count;
    return count;
}

/* The same of what was told as evidence. */
static size_t told_before(const struct step_call *call)
{
    size_t count = 0;
    for (size_t i = 0; i < call->inv->run_count; i++)
        if (mgi_run_needs(call->run, i))
            count += call->inv->runs[i].evidence.count;
    return count;
}

/* NULL: the facts that it reports are read; else what is wrong with them. */
static const char *digest_facts(struct step_call *call)
{
    const struct json *delta = &call->result.state_delta;
    struct arena *facts = &call->inv->chain->facts;
    const char *why = NULL;
    if (delta->type != JSON_OBJECT && delta->type != JSON_NULL)
        return "its state delta is not an object";
    if (!brings_facts(call))
        return NULL;
    if (facts->used > FACTS_MAX_BYTES)
        return "more has changed than the server can keep";
    if (delta->type == JSON_OBJECT &&
        !mgi_delta_read(call->inv, facts, delta, reported_before(call), &call->asserts,
                        &call->retracts, &why))
        return why;
    if (call->result.evidence_count > 0 &&
        !mgi_step_evidence_read(call->inv, facts, &call->result, told_before(call), &call->evidence,
                                &why))
        return why;
    return NULL;
}

/* A good outcome: does it keep what the action promised? call->fault says if not. */
static void digest_here(struct step_call *call)
{
    const char *why = misfit(&call->arena, mgi_call_action(call)->output_schema,
                             &call->result.output, "its output");
    call->asserts = call->retracts = (struct fact_vec){ 0 };
    call->evidence = (struct evidence_list){ 0 };
    if (!why)
        why = digest_facts(call);
    call->fault = why;
    if (!why && mgi_call_is_picked(call))
        mgi_menu_digest(call);
}

/* Of a menu: what a digest is made of. */
static size_t digested_bytes(const struct step_call *call)
{
    return mgi_slots_any(&call->result.changes) ? SIZE_MAX : call->result.output.text.len;
}

static bool is_brief_to_digest(const struct step_call *call)
{
    const struct schema *schema = mgi_call_action(call)->output_schema;
    const struct json *delta = &call->result.state_delta;
    size_t digested = mgi_call_is_picked(call) ? digested_bytes(call) : 0;
    size_t told = delta->type == JSON_OBJECT ? delta->text.len : 0;
    for (size_t i = 0; call->result.evidence && i < call->result.evidence_count; i++)
        told += call->result.evidence[i].text.len;
    return (!schema || mgi_schema_is_brief(schema, call->result.output.text.len)) &&
           digested <= BRIEF_BYTES * 4 && told <= BRIEF_DELTA_BYTES;
}

static void digested(struct step_call *call)
{
    if (call->inv->chain->delta_owner == call)
        call->inv->chain->delta_owner = NULL;
    call->inv->chain->ways->digested(call);
}

static void digest_task(struct task *t)
{
    digest_here(mgi_call_of_task(t));
}

static void digested_task(struct task *t)
{
    struct step_call *call = mgi_call_of_task(t);
    struct invocation *inv = call->inv;
    digested(call);
    inv->chain->ways->advance(inv);
}

void mgi_call_digest(struct step_call *call)
{
    struct chain *c = call->inv->chain;
    if (brings_facts(call)) {
        if (c->delta_owner) {
            call->state = CALL_QUEUED;
            return;
        }
        c->delta_owner = call;
    }
    if (!is_brief_to_digest(call) &&
        mgi_call_hand_over(call, CALL_DIGESTING, digest_task, digested_task))
        return;
    digest_here(call);
    digested(call);
}

static void dequeue(struct step_call *call, void *context)
{
    (void)context;
    if (call->state == CALL_QUEUED && !call->inv->chain->delta_owner)
        mgi_call_digest(call);
}

void mgi_calls_dequeue(struct invocation *inv)
{
    if (!inv->chain->delta_owner)
        mgi_calls_each(inv, dequeue, NULL);
}
