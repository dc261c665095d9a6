/* Which intents set off temporal recursion that may not end, worked out from rules (P-EVAL-7). */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "domain/temp_domain.h"

static const char settings[] = "server: {name: s, version: 1.0.0}\n"
                               "domain: {id: d, description: d}\n"
                               "intents: [{name: go, description: g}, {name: run, description: g}, "
                               "{name: fly, description: g}]\n"
                               "actions: {plugins: [fxunit]}\n"
                               "temporal: {allow_dangerous: true}\n";

#define AGAIN "tick(X)@[N] :- tick(X)@[T], N = fn:time:add(T, fn:duration:parse(\"1s\")).\n"

/* The intents of "go run fly other" that set it off, as letters. */
static void set_off_by(const char *rules, const char *expected)
{
    static const char *const names[] = { "go", "run", "fly", "other" };
    struct temp_domain d;
    struct buf text = { 0 };
    char found[5] = "", rule_text[2000];
    temp_make(&d);
    temp_write(&d, "domain.yaml", settings);
    snprintf(rule_text, sizeof rule_text, "Decl tick(X) temporal.\n%s", rules);
    temp_write(&d, "rules/domain/hazard.mg", rule_text);
    struct snapshot *s = temp_load(&d, NULL, false, &text);
    temp_remove(&d);
    if (!s)
        fail_msg("%s", text.ptr ? text.ptr : "not loaded");
    for (int i = 0; i < 4; i++)
        if (mgi_snapshot_hazard(s, str_of(names[i])))
            strncat(found, names[i], 1);
    if (strcmp(found, expected) != 0)
        fail_msg("%s\nset off by \"%s\", not \"%s\"", rules, found, expected);
    mgi_snapshot_unref(s);
    mgi_buf_fini(&text);
}

static void test_an_intent_sets_off_what_its_rules_lead_to(void **state)
{
    (void)state;
    set_off_by("tick(\"x\")@[now] :- intent_type(_, \"run\").\n" AGAIN, "r");
    set_off_by("tick(\"x\")@[now] :- intent_type(_, \"run\").\n"
               "tick(\"x\")@[now] :- intent_type(_, \"fly\"), seen(_).\n" AGAIN,
               "rf");
    set_off_by("begun(X) :- intent_type(X, \"go\").\n" /* through another predicate */
               "tick(\"x\")@[now] :- begun(_).\n" AGAIN,
               "g");
    set_off_by("begun(X) :- intent_type(X, \"go\").\n" /* both premises: never */
               "tick(\"x\")@[now] :- begun(_), intent_type(_, \"run\").\n" AGAIN,
               "");
    set_off_by("tick(\"x\")@[now] :- intent_type(_, \"elsewhere\").\n" AGAIN, "o"); /* not listed */
}

static void test_where_nothing_can_be_said_it_is_all(void **state)
{
    (void)state;
    set_off_by("tick(\"x\")@[now] :- seen(_).\n" AGAIN, "grfo"); /* clients may send it */
    set_off_by("begun(\"x\").\ntick(X)@[now] :- begun(X).\n" AGAIN, "grfo");
    set_off_by("tick(N)@[now] :- intent_type(_, N).\n" AGAIN, "grfo");
    set_off_by("tick(\"x\")@[now] :- seen(_), !intent_type(_, \"run\").\n" AGAIN, "grfo");
    set_off_by("tick(\"intent_type(_, \\\"run\\\")\")@[now] :- seen(_).\n" AGAIN,
               "grfo"); /* text */
}

static void test_what_has_an_end_is_no_hazard(void **state)
{
    (void)state;
    set_off_by("tick(\"x\")@[now] :- intent_type(_, \"run\").\n", "");
    set_off_by("tick(\"x\")@[now] :- intent_type(_, \"run\").\n" /* makes no values */
               "tick(X)@[T] :- tick(X)@[T], seen(X).\n",
               "");
}

static void test_the_future_and_circles_are_hazards(void **state)
{
    (void)state;
    set_off_by("tick(\"x\")@[now] :- intent_type(_, \"fly\").\n"
               "tick(X)@[T] :- seen(X), <+[1s, 2s] tick(X), T = fn:time:now().\n",
               "f");
    set_off_by("Decl tock(X) temporal.\n"
               "tick(\"x\")@[now] :- intent_type(_, \"go\").\n"
               "tock(X)@[T] :- tick(X)@[T].\ntick(X)@[T] :- tock(X)@[T].\n",
               "g");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_intent_sets_off_what_its_rules_lead_to),
        cmocka_unit_test(test_where_nothing_can_be_said_it_is_all),
        cmocka_unit_test(test_what_has_an_end_is_no_hazard),
        cmocka_unit_test(test_the_future_and_circles_are_hazards),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
