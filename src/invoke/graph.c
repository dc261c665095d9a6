/* A chain as a graph: which step needs which, and the working state that follows from it.
 *
 * A run sees what the runs that it needs have changed, in the order of the list, whatever ran when:
 * so the state depends on nothing but the graph. Each provider has a state of its own: what one
 * leaves behind is not for the others. Two runs that do not need each other may come to the same
 * contents of a slot, but not to different ones: then whoever needs both would see one or the
 * other. */
#include "invoke/chain_int.h"

/* ---- what needs what ----------------------------------------------------------------------- */

static size_t words_of(size_t count)
{
    return count / 64 + 1;
}

bool mgi_run_needs(const struct step_run *run, size_t at)
{
    return mgi_needs_has(run->needs, at);
}

/* Of the chain, from that of the template: what needs a step that was left out needs what that one
 * needs. False: memory. */
static bool close_needs(struct invocation *inv)
{
    const struct tool *t = inv->tool;
    size_t words = mgi_needs_words(t), own = words_of(inv->run_count);
    uint64_t *rows = mgi_arena_calloc(inv->arena, t->step_count + 1, words * sizeof *rows);
    uint64_t *bits = mgi_arena_calloc(inv->arena, inv->run_count + 1, own * sizeof *bits);
    if (!rows || !bits)
        return false;
    mgi_needs_close(t, rows);
    for (size_t i = 0; i < inv->run_count; i++, bits += own) {
        const uint64_t *row = rows + inv->macro.steps[i] * words;
        for (size_t k = 0; k < i; k++)
            if (mgi_needs_has(row, inv->macro.steps[k]))
                bits[k / 64] |= UINT64_C(1) << (k % 64);
        inv->runs[i].needs = bits;
    }
    return true;
}

/* How many calls of it may be under way at once. */
static size_t calls_of(const struct step *step, size_t limit)
{
    size_t parallel = step->has_foreach && step->parallel > 1 ? step->parallel : 1;
    return parallel < limit ? parallel : limit;
}

static bool make_calls(struct invocation *inv, struct step_run *run, size_t limit)
{
    run->call_count = calls_of(run->step, limit);
    run->calls = mgi_arena_calloc(inv->arena, run->call_count, sizeof *run->calls);
    if (!run->calls)
        return false;
    mgi_arena_init(&run->arena, 0);
    for (size_t i = 0; i < run->call_count; i++) {
        run->calls[i].inv = inv;
        run->calls[i].run = run;
        mgi_arena_init(&run->calls[i].arena, 0);
        if (mgi_run_has_items(run))
            run->calls[i].arena.chunk_size = ITEM_CHUNK;
    }
    return true;
}

static bool make_runs(struct invocation *inv, size_t limit)
{
    inv->runs = mgi_arena_calloc(inv->arena, inv->macro.step_count + 1, sizeof *inv->runs);
    if (!inv->runs)
        return false;
    for (size_t i = 0; i < inv->macro.step_count; i++) {
        if (inv->macro.steps[i] >= inv->tool->step_count)
            return false;
        inv->runs[i].step = &inv->tool->steps[inv->macro.steps[i]];
        if (!make_calls(inv, &inv->runs[i], limit))
            return false;
        inv->run_count++;
    }
    return true;
}

bool mgi_graph_make(struct invocation *inv)
{
    size_t limit = inv->tool->parallel ? inv->tool->parallel : inv->snapshot->settings.hosts;
    struct chain *c = mgi_arena_calloc(inv->arena, 1, sizeof *c);
    if (limit == 0)
        limit = 1;
    if (limit > TOOL_MAX_PARALLEL)
        limit = TOOL_MAX_PARALLEL;
    if (!c || !make_runs(inv, limit) || !close_needs(inv))
        return false;
    c->limit = limit;
    c->session_cap = limit + inv->run_count + 1;
    c->sessions = mgi_arena_calloc(inv->arena, c->session_cap, sizeof *c->sessions);
    c->wishes = mgi_arena_calloc(inv->arena, limit, sizeof *c->wishes);
    c->undo_call.inv = inv;
    mgi_arena_init(&c->undo_call.arena, 0);
    mgi_arena_init(&c->facts, 0);
    if (!c->sessions || !c->wishes)
        return false;
    inv->chain = c;
    return true;
}

/* ---- the working state --------------------------------------------------------------------- */

bool mgi_slots_any(const struct tool_slots *change)
{
    bool any = change->removed != 0;
    for (int slot = 0; slot < TOOL_SLOTS; slot++)
        any |= change->artifact[slot].len > 0;
    return any;
}

void mgi_slots_apply(struct tool_slots *state, const struct tool_slots *change)
{
    for (int slot = 0; slot < TOOL_SLOTS; slot++) {
        if (change->removed & (1u << slot))
            state->artifact[slot] = (struct str){ NULL, 0 };
        if (change->artifact[slot].len > 0)
            state->artifact[slot] = change->artifact[slot];
    }
}

static bool changes_slot(const struct tool_slots *change, int slot)
{
    return change->artifact[slot].len > 0 || (change->removed & (1u << slot));
}

/* What a run has changed of the state of `provider`; NULL: nothing. */
static const struct tool_slots *changes_of(const struct step_run *run,
                                           const struct action_provider *provider)
{
    const struct step *step = run->step;
    const struct tool_slots *found = NULL;
    if (!step->menu)
        found = step->action->provider == provider ? &run->changes : NULL;
    for (size_t i = 0; run->menu && i < run->menu->change_count; i++)
        if (run->menu->changes[i].provider == provider)
            found = &run->menu->changes[i].slots;
    return found && mgi_slots_any(found) ? found : NULL;
}

/* What it changed of the state of `provider`, if `run` (with `own`, itself) sees it; or NULL. */
static const struct tool_slots *seen(const struct invocation *inv, const struct step_run *run,
                                     bool own, const struct action_provider *provider, size_t at)
{
    const struct step_run *other = &inv->runs[at];
    bool visible = other == run ? own : mgi_run_needs(run, at);
    return visible ? changes_of(other, provider) : NULL;
}

/* The first of the runs before `at` that comes to another content of that slot, and that `at` does
 * not need. NULL: none. */
static const struct step_run *find_clash(const struct invocation *inv, const struct step_run *run,
                                         bool own, const struct action_provider *provider,
                                         size_t at, int slot)
{
    const struct step_run *late = &inv->runs[at];
    const struct tool_slots *changes = changes_of(late, provider);
    for (size_t i = 0; i < at; i++) {
        const struct tool_slots *early = seen(inv, run, own, provider, i);
        if (early && changes_slot(early, slot) && !mgi_run_needs(late, i) &&
            !str_eq(early->artifact[slot], changes->artifact[slot]))
            return &inv->runs[i];
    }
    return NULL;
}

static const char *tell_clash(struct arena *arena, int slot, const struct step_run *a,
                              const struct step_run *b)
{
    const char *text =
        a == b ? mgi_arena_printf(arena,
                                  "items of step \"%.*s\" have changed slot %d of the working "
                                  "state to different contents",
                                  STR_ARG(a->step->id), slot)
               : mgi_arena_printf(arena,
                                  "steps \"%.*s\" and \"%.*s\", which do not need each other, have "
                                  "changed slot %d of the working state to different contents",
                                  STR_ARG(a->step->id), STR_ARG(b->step->id), slot);
    return text ? text : "two steps have changed the working state to different contents";
}

const char *mgi_graph_state(const struct invocation *inv, const struct step_run *run, bool own,
                            const struct action_provider *provider, struct arena *arena,
                            struct tool_slots *out)
{
    *out = (struct tool_slots){ 0 };
    for (size_t i = 0; i <= mgi_run_place(run, inv); i++) {
        const struct step_run *other = &inv->runs[i];
        const struct tool_slots *changes = seen(inv, run, own, provider, i);
        for (int slot = 0; changes && slot < TOOL_SLOTS; slot++) {
            if (!changes_slot(changes, slot))
                continue;
            const struct step_run *clash = other->clashes & (1u << slot)
                                               ? other
                                               : find_clash(inv, run, own, provider, i, slot);
            if (clash)
                return tell_clash(arena, slot, clash, other);
        }
        if (changes)
            mgi_slots_apply(out, changes);
    }
    return NULL;
}

bool mgi_graph_follows(const struct invocation *inv, const struct step_run *run,
                       const struct action_provider *provider, const struct step_run *last)
{
    bool own = run->step->menu != NULL; /* it goes on with what it has changed itself */
    for (size_t i = 0; i < inv->run_count; i++)
        if (seen(inv, run, own, provider, i) != seen(inv, last, true, provider, i))
            return false;
    return true;
}

/* ---- what a step may run ------------------------------------------------------------------- */

bool mgi_step_uses(const struct step *step, const struct action_provider *provider)
{
    for (size_t i = 0; i < mgi_step_actions(step); i++)
        if (mgi_step_action(step, i)->provider == provider)
            return true;
    return false;
}

bool mgi_step_has_effects(const struct step *step)
{
    for (size_t i = 0; i < mgi_step_actions(step); i++) {
        const struct action *undo = mgi_step_undo(step, i)->action;
        if (mgi_step_action(step, i)->tier > 0 || (undo && undo->tier > 0))
            return true;
    }
    return false;
}
