/* Foreseeing until when tools stay, and proving why they are there, is part of the evaluation, and
 * of what it may take. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/time.h"
#include "intent/why_domain.h"

#define NOW_NS INT64_C(1783144800) * NS_PER_SEC

static const char schema[] =
    "Decl ev(Kind) temporal descr [direction(\"input\")] bound [/string].\n";
static const char domain[] =
    "tool_relevant_to_intent(\"still\", \"go\", 90).\n"
    "tool_relevant_to_intent(\"moving\", \"go\", 80) :- <-[0s, 1h] ev(\"x\").\n";

static int64_t late_ns;

/* The clock crawls until the rules have run. */
static int64_t after_the_rules(void *context)
{
    const struct intent_notes *notes = context;
    static int64_t looks;
    return (notes->rules_ns > 0 ? late_ns : 0) + ++looks * 10;
}

static bool rules_have_run(void *context)
{
    return ((const struct intent_notes *)context)->rules_ns > 0;
}

static bool ask_with(struct why_domain *d, int64_t then_late_ns, bool then_cancelled,
                     const char *fact, struct wire_error *e)
{
    static const struct principal local = { .kind = PRINCIPAL_LOCAL, .identity = { "local", 5 } };
    struct intent_notes notes = { 0 };
    struct buf text = { 0 }, out = { 0 };
    late_ns = then_late_ns;
    mgi_buf_printf(&text,
                   "{\"intent\":{\"name\":\"go\"},"
                   "\"options\":{\"include_proof_hints\":true},\"facts\":[%s]}",
                   fact);
    struct json payload = why_parse(d, mgi_buf_view(&text));
    struct intent_call call = { .snapshot = d->snapshot,
                                .who = &local,
                                .payload = &payload,
                                .clock_ns = NOW_NS,
                                .mono = after_the_rules,
                                .mono_context = &notes,
                                .cancelled = then_cancelled ? rules_have_run : NULL,
                                .cancel_context = &notes,
                                .notes = &notes };
    *e = (struct wire_error){ .retry_after_ms = -1 };
    bool ok = mgi_intent_evaluate(d->worker, &call, &d->arena, &out, e);
    mgi_buf_fini(&text);
    mgi_buf_fini(&out);
    return ok;
}

static bool ask(struct why_domain *d, int64_t then_late_ns, bool then_cancelled,
                struct wire_error *e)
{
    return ask_with(d, then_late_ns, then_cancelled,
                    "{\"pred\":\"ev\",\"args\":[\"x\"],\"t\":{\"at\":\"now\"}}", e);
}

static void test_time_that_runs_out_over_windows_is_a_timeout(void **state)
{
    (void)state;
    static const char *const tools[] = { "moving", "still", NULL };
    struct why_domain d;
    struct wire_error e;
    why_open(&d, schema, domain, "", tools);
    assert_false(ask(&d, 60 * NS_PER_SEC, false, &e)); /* P-BUDGET-9 */
    assert_int_equal(e.code, WIRE_EVALUATION_TIMEOUT);
    struct json details = why_parse(&d, e.details);
    const struct json *limit = mgi_json_pointer_get(&details, STR_LIT("/budget/limit"));
    assert_true(limit && str_is(limit->text, "5000"));
    why_close(&d);
}

static void test_cancelling_ends_what_is_foreseen(void **state)
{
    (void)state;
    static const char *const tools[] = { "moving", "still", NULL };
    struct why_domain d;
    struct wire_error e;
    why_open(&d, schema, domain, "", tools);
    assert_false(ask(&d, 0, true, &e)); /* P-CONC-7 */
    assert_int_equal(e.code, WIRE_CANCELLED);
    assert_true(ask(&d, 0, false, &e));
    why_close(&d);
}

/* Without a rule that reads the time nothing is foreseen; hints are asked for all the same. */
static void test_time_that_runs_out_over_proofs_is_one_too(void **state)
{
    (void)state;
    static const char *const tools[] = { "moving", "still", NULL };
    struct why_domain d;
    struct wire_error e;
    why_open(&d, schema, "tool_relevant_to_intent(\"still\", \"go\", 90).\n", "", tools);
    assert_false(ask_with(&d, 60 * NS_PER_SEC, false, "", &e)); /* P-BUDGET-9 */
    assert_int_equal(e.code, WIRE_EVALUATION_TIMEOUT);
    assert_false(ask_with(&d, 0, true, "", &e));
    assert_int_equal(e.code, WIRE_CANCELLED);
    assert_true(ask_with(&d, 0, false, "", &e));
    why_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_time_that_runs_out_over_windows_is_a_timeout),
        cmocka_unit_test(test_time_that_runs_out_over_proofs_is_one_too),
        cmocka_unit_test(test_cancelling_ends_what_is_foreseen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
