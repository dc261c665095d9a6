/* A foreach: which items begin, and what all of them come to together. chain.c lets one go on that
 * has begun, and chain_items.c closes one that has nothing to go over. */
#include "base/time.h"
#include "invoke/chain_int.h"

/* The outputs of all items, as one array. Its text is nobody's: it is written from the values. */
static bool join_outputs(struct step_run *run)
{
    static const struct json nothing = { .type = JSON_NULL, .text = { "null", 4 } };
    struct json *all = mgi_arena_calloc(&run->arena, run->item_count + 1, sizeof *all);
    for (size_t i = 0; all && i < run->item_count; i++)
        all[i] = run->items[i].has_output ? run->items[i].output : nothing;
    run->output = (struct json){ .type = JSON_ARRAY, .count = (uint32_t)run->item_count };
    run->output.items = all;
    return all != NULL;
}

/* The working state: what an item changed counts as what independent steps change. */
static void join_changes(struct step_run *run)
{
    for (size_t i = 0; i < run->item_count; i++) {
        const struct tool_slots *change = &run->items[i].changes;
        for (int slot = 0; slot < TOOL_SLOTS; slot++) {
            uint8_t bit = (uint8_t)(1u << slot);
            bool removes = change->removed & bit, sets = change->artifact[slot].len > 0;
            bool before = run->changes.artifact[slot].len > 0 || (run->changes.removed & bit);
            if (!removes && !sets)
                continue;
            if (before && !str_eq(run->changes.artifact[slot], change->artifact[slot]))
                run->clashes |= bit;
            run->changes.artifact[slot] = change->artifact[slot];
            run->changes.removed |= removes ? bit : 0;
        }
    }
}

static const struct item_run *first_failure(const struct step_run *run, size_t *at)
{
    for (*at = 0; *at < run->item_count; ++*at)
        if (run->items[*at].state == STEP_FAILURE)
            return &run->items[*at];
    return NULL;
}

static struct str tell_items(struct step_run *run)
{
    size_t at;
    const struct item_run *bad = first_failure(run, &at);
    const char *text =
        bad ? mgi_arena_printf(&run->arena, "%zu of %zu; item %zu failed%s%.*s",
                               run->item_done - run->item_failed, run->item_count, at,
                               bad->detail.len ? ": " : "", STR_ARG(bad->detail))
            : mgi_arena_printf(&run->arena, "%zu of %zu", run->item_done, run->item_count);
    return text ? mgi_one_line(&run->arena, str_of(text)) : (struct str){ "", 0 };
}

void mgi_foreach_close(const struct invocation *inv, struct step_run *run)
{
    bool cancelled = atomic_load(&inv->cancelled);
    enum failure_rule rule = run->step->on_failure;
    bool whole = run->item_done == run->item_count;
    if (run->attempts == 0 && run->item_done == 0 && run->item_count > 0) {
        mgi_run_cut(run, cancelled ? "cancelled" : "an earlier step failed");
        return;
    }
    run->cut = !whole;
    run->duration_ms = ((int64_t)uv_hrtime() - run->began_ns) / NS_PER_MS;
    run->detail = tell_items(run);
    run->state = whole && run->item_failed == 0 ? STEP_SUCCESS : STEP_FAILURE;
    run->has_output =
        (run->state == STEP_SUCCESS || (whole && rule == ON_FAILURE_CONTINUE)) && join_outputs(run);
    if (run->state == STEP_SUCCESS && !run->has_output)
        run->state = STEP_FAILURE; /* memory */
    if (run->state == STEP_SUCCESS)
        join_changes(run);
}

static bool is_under_way(const struct step_run *run)
{
    for (size_t i = 0; i < run->call_count; i++)
        if (run->calls[i].state != CALL_IDLE)
            return true;
    return false;
}

void mgi_foreach_goes_on(struct invocation *inv, struct step_run *run)
{
    struct chain *c = inv->chain;
    bool ended = inv->chain_ended || atomic_load(&inv->cancelled);
    for (size_t i = 0; i < run->call_count && !ended && !run->stopped; i++) {
        if (run->item_next >= run->item_count || c->under_way >= mgi_chain_limit(c))
            break;
        if (run->calls[i].state != CALL_IDLE)
            continue;
        run->calls[i].item = run->item_next++;
        run->calls[i].attempt = 0;
        run->calls[i].unsure = false;
        c->under_way++;
        mgi_call_compose(&run->calls[i]);
        ended |= inv->chain_ended;
    }
    if (run->state == STEP_PENDING && !is_under_way(run) &&
        (ended || run->stopped || run->item_next >= run->item_count))
        mgi_foreach_close(inv, run);
}
