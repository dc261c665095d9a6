/* A tool's own delta (T-MCP-24): read and judged when the tool answers, by whoever has the values
 * of the invocation; merged when the chain is over, in the order of the list. */
#include "invoke/invoke_int.h"

static const char *first_fault(struct arena *arena, const char *which, const struct fact_list *list)
{
    const struct violation *v = &list->violations[0];
    const char *text = mgi_arena_printf(arena, "its state delta is wrong: %s[%u]: %s", which,
                                        v->fact_index, v->message);
    return text ? text : "its state delta is wrong";
}

/* Decode one list of the delta. NULL: absent. */
static bool decode(struct invocation *inv, struct arena *arena, const struct json *delta,
                   const char *which, const struct fact_rules *rules, struct fact_list *out,
                   const char **why)
{
    const struct json *list = mgi_json_get(delta, which);
    *out = (struct fact_list){ 0 };
    if (!list || list->type == JSON_NULL)
        return true;
    if (list->type != JSON_ARRAY) {
        *why = "its state delta is wrong: assert and retract must be lists";
        return false;
    }
    if (!mgi_facts_decode(arena, inv->values, &inv->snapshot->profile, rules, list, inv->now_ns,
                          out)) {
        *why = "the server ran out of memory";
        return false;
    }
    if (out->fault_count > 0) {
        *why = first_fault(arena, which, out);
        return false;
    }
    return true;
}

static bool keep_text(struct arena *arena, struct str text, struct str *out)
{
    *out = mgi_arena_str(arena, text);
    return out->ptr || text.len == 0;
}

/* An action reports what it found somewhere. Where that was, it may say; but neither does it speak
 * for the server, nor is it the client. */
static struct str source_of(const struct wire_fact *f)
{
    bool other = str_is(f->source_type, "server") || str_is(f->source_type, "client");
    return other ? STR_LIT("external") : f->source_type;
}

/* False: memory. */
static bool from_wire(struct arena *arena, const struct wire_fact *f, struct delta_fact *out)
{
    *out = (struct delta_fact){ .args = f->args, .count = f->count, .has_t = f->has_t, .t = f->t };
    return keep_text(arena, f->pred, &out->pred) && keep_text(arena, f->category, &out->category) &&
           keep_text(arena, source_of(f), &out->source_type);
}

static bool all_from_wire(struct arena *arena, const struct fact_list *list, struct fact_vec *out)
{
    *out =
        (struct fact_vec){ .items = mgi_arena_calloc(arena, list->count + 1, sizeof *out->items) };
    bool ok = out->items != NULL;
    for (size_t i = 0; ok && i < list->count; i++)
        ok = from_wire(arena, &list->facts[i], &out->items[out->count++]);
    return ok;
}

bool mgi_delta_read(struct invocation *inv, struct arena *arena, const struct json *delta,
                    size_t before, struct fact_vec *asserts, struct fact_vec *retracts,
                    const char **why)
{
    const struct fact_rules assert_rules = { .accept_output = true, .need_category = true };
    const struct fact_rules retract_rules = { .accept_output = true, .patterns = true };
    struct fact_list added, taken;
    *why = "the server ran out of memory";
    if (!mgi_delta_ready(inv) ||
        !decode(inv, arena, delta, "retract", &retract_rules, &taken, why) ||
        !decode(inv, arena, delta, "assert", &assert_rules, &added, why))
        return false;
    if (before + added.count + taken.count > DELTA_MAX_ENTRIES) {
        *why = "its state delta is too long: report a mass change as one fact";
        return false;
    }
    *why = "the server ran out of memory";
    return all_from_wire(arena, &taken, retracts) && all_from_wire(arena, &added, asserts);
}

bool mgi_delta_merge(struct invocation *inv, const struct fact_vec *asserts,
                     const struct fact_vec *retracts)
{
    if (inv->asserts.count + inv->retracts.count + asserts->count + retracts->count >
        DELTA_MAX_ENTRIES) {
        inv->overflow = true;
        return false;
    }
    bool ok = true;
    for (size_t i = 0; ok && i < retracts->count; i++)
        ok = mgi_delta_retract(inv, &retracts->items[i]);
    for (size_t i = 0; ok && i < asserts->count; i++)
        ok = mgi_delta_assert(inv, &asserts->items[i]);
    inv->nomem |= !ok;
    return ok;
}

/* The compensations, in the order in which they ran. */
static bool merge_undone(struct invocation *inv)
{
    bool ok = true;
    for (const struct item_run *item = inv->last_done; item; item = item->done_before)
        ok &= mgi_delta_merge(inv, &item->undo.asserts, &item->undo.retracts);
    return ok;
}

bool mgi_delta_merge_steps(struct invocation *inv)
{
    bool ok = true;
    for (size_t i = 0; i < inv->run_count; i++) {
        const struct step_run *run = &inv->runs[i];
        if (!mgi_run_has_items(run) && (!run->items || run->items[0].undo.state != STEP_SUCCESS))
            ok &= mgi_delta_merge(inv, &run->asserts, &run->retracts);
        for (size_t k = 0; mgi_run_has_items(run) && run->items && k < run->item_count; k++)
            if (run->items[k].undo.state != STEP_SUCCESS)
                ok &= mgi_delta_merge(inv, &run->items[k].asserts, &run->items[k].retracts);
    }
    return merge_undone(inv) && ok;
}
