/* Any bytes as the `steps:` of a tool: a graph, or findings. Where there are none, it has no
 * circle, and every step reads what it needs, and nothing else. */
#include <stdlib.h>

#include "domain/domain_int.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

/* Does `v` of step `at` read what is not there by then? With `own` its own output is. */
static void check_source(const uint64_t *row, uint32_t at, bool own, const struct value_source *v)
{
    if (v->kind == SOURCE_STEP && !(own && v->step == at) && !mgi_needs_has(row, v->step))
        abort();
    for (size_t i = 0; i < v->member_count; i++)
        check_source(row, at, own, &v->members[i].source);
}

static void check_graph(struct arena *arena, const struct tool *t)
{
    size_t words = mgi_needs_words(t);
    uint64_t *rows = mgi_arena_calloc(arena, t->step_count + 1, words * sizeof *rows);
    if (!rows)
        return;
    mgi_needs_close(t, rows);
    for (uint32_t i = 0; i < t->step_count; i++) {
        const struct step *step = &t->steps[i];
        for (uint32_t k = i; k < t->step_count; k++)
            if (mgi_needs_has(rows + i * words, k))
                abort();
        check_source(rows + i * words, i, false, &step->inputs);
        check_source(rows + i * words, i, false, &step->condition);
        check_source(rows + i * words, i, false, &step->items);
        check_source(rows + i * words, i, true, &step->undo.inputs);
        if (!step->action || step->max_items > FOREACH_MAX_ITEMS || step->retry.times > 5 ||
            (step->retry.times > 0 && !step->action->idempotent))
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    static struct action actions[] = { { .aid = { "A", 1 }, .idempotent = true },
                                       { .aid = { "B", 1 }, .tier = 1 } };
    struct snapshot s = { .actions = actions, .action_count = 2 };
    struct arena arena;
    struct findings *findings = mgi_findings_new();
    mgi_arena_init(&arena, 0);
    struct loading l = { .yaml = { .arena = &arena, .findings = findings }, .s = &s };
    struct tool tool = { 0 };
    struct source_scope scope = { .yaml = &l.yaml, .settings = &s.settings, .tool = &tool };
    struct yaml_node *n =
        mgi_yaml_parse(&l.yaml, "fuzz", (struct str){ (const char *)bytes, len }, 0);
    bool read = n && mgi_load_steps(&l, &scope, n, &tool);
    if (read && mgi_findings_errors(findings) == 0)
        check_graph(&arena, &tool);
    mgi_findings_free(findings);
    mgi_arena_fini(&arena);
    return 0;
}
