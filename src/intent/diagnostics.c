/* The numbers of an answer (protocol.md 2.16), and who may know which.
 *
 * What is derived and how many rules fire depends on facts of the base, row by row; even how many
 * facts there are tells who sends one whether the base has it already. So whoever is not local, nor
 * an operator, is told of what they have sent and of nothing else. */
#include <stdlib.h>
#include <string.h>

#include "intent/intent_int.h"

#define PHASES 6

static bool may_know_numbers(const struct principal *who)
{
    return who->kind == PRINCIPAL_LOCAL || mgi_principal_may(who, "operator");
}

static int compare_atoms(const struct wire_fact *a, const struct wire_fact *b)
{
    if (a->schema->pred != b->schema->pred)
        return a->schema->pred < b->schema->pred ? -1 : 1;
    return a->count == 0 ? 0 : memcmp(a->args, b->args, a->count * sizeof *a->args);
}

static int compare_facts(const void *left, const void *right)
{
    const struct wire_fact *a = *(const struct wire_fact *const *)left;
    const struct wire_fact *b = *(const struct wire_fact *const *)right;
    int atoms = compare_atoms(a, b);
    return atoms ? atoms : (a->t.start_ns > b->t.start_ns) - (a->t.start_ns < b->t.start_ns);
}

/* Sorted, a fact is the same one as what stands before it if its interval meets what these have
 * covered (D-20). */
static int64_t count_merged(const struct wire_fact *const *facts, size_t count)
{
    int64_t distinct = 0, covered = 0;
    for (size_t i = 0; i < count; i++) {
        bool same = i > 0 && compare_atoms(facts[i - 1], facts[i]) == 0 &&
                    facts[i]->t.start_ns <= mgi_add_saturated(covered, 1);
        distinct += !same;
        if (!same || facts[i]->t.end_ns > covered)
            covered = facts[i]->t.end_ns;
    }
    return distinct;
}

static int64_t count_sent(struct evaluation *ev)
{
    const struct wire_fact **facts =
        mgi_arena_calloc(ev->arena, ev->facts.count + 1, sizeof *facts);
    size_t count = 0;
    if (!facts) {
        ev->nomem = true;
        return 0;
    }
    for (size_t i = 0; i < ev->facts.count; i++)
        if (ev->facts.facts[i].schema)
            facts[count++] = &ev->facts.facts[i];
    qsort(facts, count, sizeof *facts, compare_facts);
    return count_merged(facts, count);
}

void mgi_diagnostics_write(struct evaluation *ev, struct json_writer *w)
{
    mgi_jw_key(w, "diagnostics");
    mgi_jw_begin_object(w);
    if (may_know_numbers(ev->call->who)) {
        mgi_jw_member_int(w, "facts_evaluated", ev->stats.facts_given);
        mgi_jw_member_int(w, "facts_derived", ev->stats.facts_derived);
        mgi_jw_member_int(w, "rules_fired", ev->stats.rule_firings);
    } else {
        mgi_jw_member_int(w, "facts_evaluated", count_sent(ev));
    }
    mgi_jw_member_int(w, "phases_completed", PHASES);
    mgi_warnings_write(ev, w);
    if (ev->s->settings.coverage) {
        mgi_jw_key(w, "rule_coverage");
        mgi_coverage_write(ev, w);
    }
    mgi_jw_end_object(w);
}
