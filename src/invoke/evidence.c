/* Evidence: what actions tell the effects rules of their own invocation, and nobody else hears of.
 *
 * An action gathers far more than a client should hold, or a model pay for: everything that a page
 * asked for, say. It tells that as facts of predicates with direction("evidence"), and rules make
 * of them what is worth knowing. These facts are in no delta, result, event or log; they are gone
 * with the invocation. They are read and judged as a delta is, when the action answers, by whoever
 * has the values of the invocation, and told when the chain is over.  [T-MCP-32] */
#include "invoke/invoke_int.h"

/* Which of the artifacts it is, is told where there are several. */
static const char *fault_text(struct arena *arena, const struct tool_result *r, size_t artifact,
                              const struct fact_list *list)
{
    const struct violation *v = &list->violations[0];
    bool unknown = strcmp(v->issue, "unknown_predicate") == 0;
    const char *what = unknown ? "no Decl with direction(\"evidence\") names it" : v->message;
    const char *part =
        r->evidence_count > 1 ? mgi_arena_printf(arena, " (artifact %zu)", artifact + 1) : "";
    const char *name = v->predicate.len > 0
                           ? mgi_arena_printf(arena, " %s", mgi_show(arena, v->predicate, 60))
                           : "";
    const char *text = part && name
                           ? mgi_arena_printf(arena, "its evidence is wrong%s: facts[%u]%s: %s",
                                              part, v->fact_index, name, what)
                           : NULL;
    return text ? text : "its evidence is wrong";
}

/* The lists of all artifacts, counted. NULL: they are lists, and not too long. */
static const char *check_lists(struct arena *arena, const struct tool_result *r, size_t before,
                               size_t *count)
{
    size_t total = 0;
    if (!r->evidence)
        return "the server ran out of memory";
    for (size_t i = 0; i < r->evidence_count; i++) {
        const struct json *facts = mgi_json_get(&r->evidence[i], "facts");
        if (!facts || facts->type != JSON_ARRAY)
            return "its evidence is wrong: it must be an object with a list, facts";
        total += facts->count;
    }
    *count = total;
    if (before + total <= EVIDENCE_MAX_FACTS)
        return NULL;
    const char *text = mgi_arena_printf(
        arena, "its evidence is too long: %zu facts, with %zu of steps before it; %d may be told",
        total, before, EVIDENCE_MAX_FACTS);
    return text ? text : "its evidence is too long";
}

/* The facts of one artifact, behind those that are in `to`. */
static const char *read_list(struct invocation *inv, struct arena *arena,
                             const struct tool_result *r, size_t artifact, struct evidence_fact *to)
{
    static const struct fact_rules rules; /* integers are integers, and nothing is open */
    const struct json *facts = mgi_json_get(&r->evidence[artifact], "facts");
    struct fact_list list;
    if (!mgi_facts_decode(arena, inv->values, &inv->snapshot->evidence, &rules, facts, inv->now_ns,
                          &list))
        return "the server ran out of memory";
    if (list.fault_count > 0)
        return fault_text(arena, r, artifact, &list);
    for (size_t i = 0; i < list.count; i++) {
        const struct wire_fact *f = &list.facts[i];
        if (!f->schema) /* a name that any request may send */
            return "its evidence is wrong: disclosure_upgrade is no evidence";
        to[i] = (struct evidence_fact){
            .schema = f->schema, .args = f->args, .has_t = f->has_t, .t = f->t
        };
    }
    return NULL;
}

bool mgi_step_evidence_read(struct invocation *inv, struct arena *arena,
                            const struct tool_result *r, size_t before, struct evidence_list *out,
                            const char **why)
{
    size_t count = 0, done = 0;
    *why = check_lists(arena, r, before, &count);
    struct evidence_fact *items = *why ? NULL : mgi_arena_calloc(arena, count + 1, sizeof *items);
    if (!*why && (!items || !mgi_delta_ready(inv)))
        *why = "the server ran out of memory";
    for (size_t i = 0; !*why && i < r->evidence_count; i++) {
        *why = read_list(inv, arena, r, i, items + done);
        done += mgi_json_get(&r->evidence[i], "facts")->count;
    }
    *out = *why ? (struct evidence_list){ 0 } : (struct evidence_list){ items, count };
    return !*why;
}

/* ---- telling ----------------------------------------------------------------------------- */

static void tell_facts(struct telling *t, const struct evidence_list *e, size_t *told)
{
    for (size_t i = 0; i < e->count && *told < EVIDENCE_MAX_FACTS; i++, ++*told) {
        const struct evidence_fact *f = &e->items[i];
        mgi_tell(t, f->schema->pred, f->args, f->schema->arity, f->has_t ? &f->t : NULL);
    }
}

bool mgi_step_evidence_tell(struct telling *t)
{
    size_t told = 0, all = 0;
    for (size_t i = 0; i < t->inv->run_count; i++) {
        const struct step_run *run = &t->inv->runs[i];
        tell_facts(t, &run->evidence, &told);
        all += run->evidence.count;
        for (size_t k = 0; mgi_run_has_items(run) && run->items && k < run->item_count; k++) {
            tell_facts(t, &run->items[k].evidence, &told);
            all += run->items[k].evidence.count;
        }
    }
    return told == all;
}
