/* What is said of all tools together: the worst of what each may do. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "domain/domain_int.h"
#include "domain/temp_domain.h"

static const char tool[] = "tool: one\nsummary: s\ndescription: d\n"
                           "input_schema: {type: object, properties: {q: {type: string}}}\n"
                           "steps:\n  - {id: a, action: AID.FX.%s.v1}\n"
                           "  - {id: b, action: AID.FX.%s.v1%s}\nresult: {x: 1}\n";

/* Of a domain whose tool has these two steps, and this rule. */
static struct run_hints hints_of(const char *a, const char *b, const char *more, const char *rule)
{
    struct temp_domain d;
    char text[1024];
    temp_make(&d);
    snprintf(text, sizeof text, tool, a, b, more);
    temp_write(&d, "tools/t.yaml", text);
    if (rule)
        temp_write(&d, "rules/policy/p.mg", rule);
    struct snapshot *s = unit_load(d.folder, NULL);
    assert_non_null(s);
    struct run_hints hints = s->hints;
    mgi_snapshot_unref(s);
    temp_remove(&d);
    return hints;
}

static void check(struct run_hints h, bool read_only, bool destructive, bool idempotent,
                  bool open_world)
{
    assert_int_equal(h.read_only, read_only);
    assert_int_equal(h.destructive, destructive);
    assert_int_equal(h.idempotent, idempotent);
    assert_int_equal(h.open_world, open_world);
}

/* X-BRIDGE-5 */
static void test_one_step_that_does_more_is_enough(void **state)
{
    (void)state;
    check(hints_of("ECHO", "WAIT", "", NULL), true, false, true, false);
    check(hints_of("ECHO", "TOUCH", "", NULL), false, false, true, false); /* can be undone */
    check(hints_of("ECHO", "STORE", "", NULL), false, true, false, false); /* cannot */
    check(hints_of("WIPE", "ECHO", "", NULL), false, true, true, false);
    /* what undoes a step may run, too */
    check(hints_of("ECHO", "TOUCH", ", compensate: {action: AID.FX.WIPE.v1}", NULL), false, true,
          true, false);
}

static void test_a_rule_that_says_effects_may_say_any(void **state)
{
    (void)state;
    check(hints_of("ECHO", "WAIT", "", "macro_has_side_effect(\"one\", \"x-siren\").\n"), false,
          true, false, true);
    check(hints_of("ECHO", "WAIT", "", "prohibited(\"one\", \"x\") :- told(_).\n"), true, false,
          true, false);
}

/* ---- effects that the unit domain's actions do not have -------------------------------------- */

static struct run_hints hints_of_effects(const struct str *effects, size_t count)
{
    struct action action = {
        .effects = effects, .effect_count = count, .idempotent = true, .reversible = true
    };
    struct step step = { .action = &action };
    struct tool one = { .steps = &step, .step_count = 1 };
    struct snapshot s = { .tools = &one, .tool_count = 1 };
    return mgi_load_hints(&s);
}

static void test_what_reaches_beyond_files_and_databases_is_an_open_world(void **state)
{
    static const struct str reads[] = { { "filesystem", 10 }, { "x-filesystem-read", 17 } };
    static const struct str net[] = { { "network", 7 } }, pays[] = { { "payments", 8 } };
    static const struct str own[] = { { "x-actuator", 10 } };
    (void)state;
    check(hints_of_effects(reads, 2), true, false, true, false);
    check(hints_of_effects(net, 1), false, false, true, true);
    check(hints_of_effects(pays, 1), false, true, true, true);
    check(hints_of_effects(own, 1), false, false, true, true);
    check(hints_of_effects(NULL, 0), false, true, true, true); /* who says none may have any */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_step_that_does_more_is_enough),
        cmocka_unit_test(test_a_rule_that_says_effects_may_say_any),
        cmocka_unit_test(test_what_reaches_beyond_files_and_databases_is_an_open_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
