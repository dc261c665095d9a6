/* An evaluation survives the failure of any one allocation: the whole answer, or internal_error and
 * an untouched buffer; the worker serves the next request as if nothing had been. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "domains/unit.h"
#include "intent/intent.h"
#include "support/nomem.h"

static const struct signing_keys *signing;
static const struct principal local = { .kind = PRINCIPAL_LOCAL, .identity = { "local", 5 } };

static bool asks_for_costs;

static void take_costs(void *context, const struct intent_costs *costs)
{
    (void)context;
    assert_non_null(costs->profile);
}

static bool evaluate(struct snapshot *s, struct intent_worker *w, const char *text, struct arena *a,
                     struct buf *out, struct wire_error *e, size_t n)
{
    struct json payload;
    mgi_arena_init(a, 0);
    assert_int_equal(mgi_json_parse(a, str_of(text), NULL, &payload, NULL), JSON_OK);
    struct intent_call call = {
        .snapshot = s, .who = &local, .payload = &payload, .signing = signing
    };
    if (asks_for_costs)
        call.costs = take_costs;
    nomem_fail_at(n);
    return mgi_intent_evaluate(w, &call, a, out, e);
}

static void survive(struct snapshot *s, const char *text, enum wire_code expected)
{
    struct buf good = { 0 };
    for (size_t n = 0;; n++) { /* n 0: nothing fails, and the answer is kept */
        struct intent_worker *w = mgi_intent_worker_new();
        struct arena a;
        struct buf out = { 0 };
        struct wire_error e = { .retry_after_ms = -1 };
        bool ok = evaluate(s, w, text, &a, &out, &e, n);
        bool failed = nomem_failed();
        nomem_fail_at(0);
        if (!ok) {
            assert_int_equal(out.len, 0);
            assert_true(e.code == expected || e.code == WIRE_INTERNAL_ERROR);
        } else {
            assert_int_equal(expected, WIRE_OK);
            if (n == 0)
                mgi_buf_str(&good, mgi_buf_view(&out));
            assert_string_equal(out.ptr, good.ptr); /* never a part of it */
        }
        mgi_buf_fini(&out);
        mgi_arena_fini(&a);
        if (failed) { /* and the worker is as good as new */
            struct wire_error again = { .retry_after_ms = -1 };
            assert_int_equal(evaluate(s, w, text, &a, &out, &again, 0), expected == WIRE_OK);
            mgi_buf_fini(&out);
            mgi_arena_fini(&a);
        }
        mgi_intent_worker_free(w);
        if (n > 0 && !failed)
            break;
    }
    mgi_buf_fini(&good);
}

static void test_evaluations_of_signed_facts_survive(void **state)
{
    static const uint8_t key[32] = { 7 };
    struct snapshot *s = unit_load(MGI_SOURCE_DIR "/tests/domains/trust", NULL);
    struct signing_keys *keys = mgi_signing_keys_new(key, sizeof key);
    (void)state;
    assert_true(s && keys);
    signing = keys;
    survive(s,
            "{\"intent\":{\"name\":\"release\"},\"options\":{\"include_proof_hints\":true},"
            "\"facts\":[{\"pred\":\"cleared\",\"args\":[\"b1\"]},{\"pred\":\"reviewed\",\"args\":"
            "[\"b1\"],\"source\":{\"source_type\":\"server\",\"asserted_at\":"
            "\"1970-01-01T00:00:00Z\",\"signature\":\"v1.AAAAAAAA.x\"}}]}",
            WIRE_OK);
    signing = NULL;
    mgi_signing_keys_free(keys);
    mgi_snapshot_unref(s);
}

static void test_evaluations_survive(void **state)
{
    struct snapshot *s = unit_load(UNIT_FOLDER, NULL);
    (void)state;
    assert_non_null(s);
    survive(s, "{\"intent\":{\"name\":\"fx.rank\",\"params\":{\"a\":[1,{\"b\":2}]}}}", WIRE_OK);
    survive(s,
            "{\"intent\":{\"name\":\"fx.variant\"},\"facts\":[{\"pred\":\"fx_wants\",\"args\":["
            "\"second\"]}]}",
            WIRE_OK);
    survive(s,
            "{\"intent\":{\"name\":\"fx.echo\"},\"facts\":[{\"pred\":\"fx_basic\",\"args\":[\"a\","
            "77,true,1]}]}",
            WIRE_OK);
    survive(
        s,
        "{\"intent\":{\"name\":\"fx.skill\"},\"facts\":[{\"pred\":\"fx_needs_skill\",\"args\":[]}],"
        "\"constraints\":{\"max_tokens_budget\":60},\"options\":{\"include_proof_hints\":true}}",
        WIRE_OK);
    survive(
        s,
        "{\"intent\":{\"name\":\"fx.recent\"},\"eval_time\":\"2026-01-01T00:00:00Z\",\"facts\":"
        "[{\"pred\":\"fx_event\",\"args\":[\"e\",\"x\"],\"t\":{\"at\":\"2026-01-01T00:00:00Z\"}}],"
        "\"options\":{\"include_proof_hints\":true}}",
        WIRE_OK);
    survive(s, "{\"intent\":{\"name\":\"fx.echo\"}}", WIRE_INVALID_FACTS);
    survive(s, "{\"intent\":7,\"constraints\":{\"max_compute_ms\":0}}", WIRE_MALFORMED_MESSAGE);
    mgi_snapshot_unref(s);
}

static void test_evaluations_whose_costs_are_told_survive(void **state)
{
    struct snapshot *s = unit_load(UNIT_FOLDER, NULL);
    (void)state;
    assert_non_null(s);
    asks_for_costs = true;
    survive(s, "{\"intent\":{\"name\":\"fx.rank\"}}", WIRE_OK);
    asks_for_costs = false;
    mgi_snapshot_unref(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_evaluations_survive),
        cmocka_unit_test(test_evaluations_of_signed_facts_survive),
        cmocka_unit_test(test_evaluations_whose_costs_are_told_survive),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests_name("intent/nomem", tests, NULL, NULL);
}
