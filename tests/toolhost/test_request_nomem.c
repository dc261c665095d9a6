/* A request survives the failure of any one allocation: it is read, or it is not, and nothing leaks
 * (the sanitizer would say so). */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/nomem.h"

#include "toolhost/answer.c"
#include "toolhost/breaker.c"
#include "toolhost/frame.c"
#include "toolhost/idem.c"
#include "toolhost/inputs.c"
#include "toolhost/lease.c"
#include "toolhost/line_queue.c"
#include "toolhost/request.c"
#include "toolhost/same_value.c"
#include "toolhost/state.c"
#include "toolhost/tools.c"
#include "toolhost/tx_patch.c"
#include "sys/digest.h"

static const char good[] =
    "{\"aid\":\"AID.A.v1\",\"input_json\":\"{\\\"a\\\":[1,2],\\\"b\\\":\\\"\\\\u00e9\\\"}\","
    "\"inputs\":{\"b\":\"\\u00e9\",\"a\":[1.0,2]},\"idempotency_key\":\"k\\n\",\"request_id\":"
    "\"r\","
    "\"timeout_ms\":5,\"ds_state\":{\"delta\":true,\"base\":\"x\",\"slots\":{\"1\":{\"type\":\"t\","
    "\"content_json\":\"{\\\"v\\\":1}\"}},\"removed_slots\":[2]}}";
static const char bad_state[] = "{\"aid\":\"A\",\"ds_state\":{\"slots\":{\"1\":{},\"9\":{}}}}";
static const char bad_input[] = "{\"aid\":\"A\",\"input_json\":\"{\"}";
static const char bad_json[] = "{\"aid\":";

/* Read it, and answer it as the host would; REQUEST_NOMEM if any part of that is impossible. */
static enum request_result read_and_answer(const char *text, struct buf *out)
{
    struct arena arena;
    struct request q;
    struct refusal refusal;
    struct answer_extras x = { 0 };
    struct ds_state state = { 0 };
    char digest[65] = "";
    mgi_arena_init(&arena, 0);
    mgi_buf_clear(out);
    enum request_result rc =
        mgi_request_open(&arena, str_of(text), REQUEST_SERVE, &q, &refusal, NULL);
    if (rc == REQUEST_OK)
        rc = mgi_request_read(&arena, REQUEST_SERVE, q.aid, &q, &refusal);
    if (rc != REQUEST_NOMEM) {
        x = (struct answer_extras){ q.request_id, 1, digest };
        mgi_ds_patch_apply(&state, &q.state);
        if (rc == REQUEST_REFUSED) {
            mgi_answer_refusal(out, &refusal, &x);
        } else {
            const struct outcome o =
                mgi_outcome_of_tool(&arena, TH_OK, STR_LIT("{\"a\":[]}"), 0, STR_LIT(""));
            mgi_answer_result(out, &o, false, &(struct answer_state){ &state, true, 0 }, &x);
        }
    }
    mgi_ds_fini(&state);
    mgi_request_fini(&q);
    mgi_arena_fini(&arena);
    return out->oom ? REQUEST_NOMEM : rc;
}

static void check_every_allocation(const char *text, enum request_result want)
{
    struct buf out = { 0 };
    for (size_t n = 1;; n++) {
        nomem_fail_at(n);
        enum request_result rc = read_and_answer(text, &out);
        bool failed = nomem_failed();
        nomem_fail_at(0);
        mgi_buf_fini(&out);
        if (!failed) {
            assert_int_equal(rc, want);
            assert_true(n > 1);
            break;
        }
        assert_true(rc == REQUEST_NOMEM || rc == want);
    }
}

static void test_reading_a_request_survives_a_lack_of_memory(void **state)
{
    (void)state;
    check_every_allocation(good, REQUEST_OK);
    check_every_allocation(bad_state, REQUEST_REFUSED);
    check_every_allocation(bad_input, REQUEST_REFUSED);
    check_every_allocation(bad_json, REQUEST_REFUSED);
}

static void test_the_digest_of_an_input(void **state)
{
    (void)state;
    static const char want[] = "51705a2c9eb3e7e410a58f696a770c3ac3885a0cf43eb7fc88f5e47c11d4d30d";
    struct arena arena;
    struct json v;
    uint8_t sha[SHA256_BYTES];
    char hex[65];
    mgi_arena_init(&arena, 0);
    assert_int_equal(
        mgi_json_parse(&arena, STR_LIT("{ \"b\" : 1, \"a\":[true,null] }"), NULL, &v, NULL),
        JSON_OK);
    assert_true(mgi_input_digest(&v, sha));
    mgi_hex(sha, sizeof sha, hex);
    assert_string_equal(hex, want); /* C-206 T-INP-6 */
    mgi_arena_fini(&arena);
}

static void test_a_lease_and_an_outcome_are_kept_or_not(void **state)
{
    (void)state;
    static const uint8_t key[SHA256_BYTES] = { 1 };
    static const struct lease want = { .tool = 1, .expires_ms = 5000 };
    const struct outcome o = { TH_OK, OUTCOME_OK, STR_LIT("{}"), STR_LIT("") };
    for (size_t n = 1;; n++) {
        struct lease_table t = { 0 };
        struct idem_cache c = { 0 };
        char text[LEASE_TOKEN_TEXT + 1];
        int64_t ttl;
        nomem_fail_at(n);
        enum lease_issue issued = mgi_lease_issue(&t, &want, key, 0, text, &ttl);
        struct idem_entry *e = mgi_idem_entry_new(0, key, key);
        bool stored = e && mgi_idem_store_take(&c, e, &o, 0, 0);
        bool failed = nomem_failed();
        nomem_fail_at(0);
        assert_int_equal(t.count, issued == LEASE_ISSUED);
        assert_int_equal(c.count, stored);
        mgi_idem_check(&c);
        mgi_lease_fini(&t);
        mgi_idem_fini(&c);
        if (!failed) {
            assert_true(stored && issued == LEASE_ISSUED);
            break;
        }
        assert_true(!stored || issued == LEASE_NOMEM);
    }
}

static void test_a_patch_is_read_and_written_or_not(void **state)
{
    (void)state;
    static const char text[] =
        "[{\"op\":\"remove\",\"path\":\"/slots/0\"},{\"op\":\"add\",\"path\":"
        "\"/slots/2\",\"value\":{\"type\":\"\\u0063\",\"content_json\":\"[1]\"}}]";
    for (size_t n = 1;; n++) {
        struct arena arena;
        struct json v;
        struct json_writer w;
        struct buf out = { 0 };
        struct ds_patch patch = { 0 };
        struct ds_state before = { 0 }, after = { 0 };
        struct str why;
        mgi_arena_init(&arena, 0);
        nomem_fail_at(n);
        bool whole = mgi_json_parse(&arena, STR_LIT(text), NULL, &v, NULL) == JSON_OK;
        enum ds_result rc = whole ? mgi_tx_patch_read(&arena, &v, &patch, &why) : DS_NOMEM;
        if (rc == DS_OK)
            mgi_ds_patch_apply(&after, &patch);
        mgi_json_writer_init(&w, &out, 0);
        whole = mgi_tx_patch_write(&w, &before, &after, false) && !out.oom && rc == DS_OK;
        bool failed = nomem_failed();
        nomem_fail_at(0);
        assert_true(failed || whole);
        assert_true(rc == DS_OK || rc == DS_NOMEM);
        assert_int_equal(mgi_ds_used(&after), rc == DS_OK ? 0x04 : 0); /* T-TX-7 */
        mgi_ds_patch_fini(&patch);
        mgi_ds_fini(&after);
        mgi_buf_fini(&out);
        mgi_arena_fini(&arena);
        if (!failed)
            break;
    }
}

static void test_schemas_and_breakers_are_made_or_not(void **state)
{
    (void)state;
    struct tool list[] = { { .aid = STR_LIT("AID.A.v1"),
                             .input_schema = STR_LIT("{\"required\":[\"a\"]}") },
                           { .aid = STR_LIT("AID.B.v1") } };
    const struct tools tools = { .items = list, .count = 2 };
    for (size_t n = 1;; n++) {
        struct arena arena;
        struct input_checks checks;
        struct breakers breakers;
        struct json none = { .type = JSON_OBJECT, .text = STR_LIT("{}") };
        const char *fault = NULL;
        mgi_arena_init(&arena, 0);
        nomem_fail_at(n);
        bool whole = mgi_input_checks_init(&checks, &tools, NULL);
        if (whole)
            fault = mgi_input_fault(&checks, 0, &none, &arena);
        bool made = mgi_breakers_init(&breakers, &arena, 2, 3, 1, 1);
        bool failed = nomem_failed();
        nomem_fail_at(0);
        assert_true(failed || (whole && made && strcmp(fault, ": required") == 0));
        assert_true(!whole ||
                    fault); /* T-INP-7: without memory it is refused, and not let through */
        if (whole)
            assert_null(mgi_input_fault(&checks, 1, &none, &arena));
        mgi_input_checks_fini(&checks);
        mgi_arena_fini(&arena);
        if (!failed)
            break;
    }
}

static void test_a_list_of_tools_is_decoded_or_not(void **state)
{
    (void)state;
    struct str effect = STR_LIT("none");
    const struct tool tool = { .aid = STR_LIT("AID.A.v1"),
                               .name = STR_LIT("a"),
                               .side_effects = { &effect, 1 },
                               .input_schema = STR_LIT("{\"type\":\"object\"}"),
                               .min_tier = -1 };
    struct buf frame = { 0 };
    size_t size, begun = mgi_frame_begin(&frame, FRAME_READY);
    mgi_frame_u32(&frame, 0x20000); /* abi and capabilities */
    mgi_frame_u32(&frame, 0);
    mgi_frame_u32(&frame, 1);
    mgi_tool_encode(&frame, &tool);
    mgi_frame_end(&frame, begun);
    for (size_t n = 1;; n++) {
        struct arena arena;
        struct tools tools;
        struct frame f;
        struct buf list = { 0 };
        const char *why;
        mgi_arena_init(&arena, 0);
        nomem_fail_at(n);
        assert_int_equal(mgi_frame_next(mgi_buf_view(&frame), 10000, &f, &size), FRAME_WHOLE);
        bool good_list = mgi_tools_decode(&arena, &f, &tools, &why);
        if (good_list)
            mgi_tools_write(&list, &tools);
        bool failed = nomem_failed();
        nomem_fail_at(0);
        assert_true(failed || (good_list && !list.oom));
        if (good_list && !list.oom)
            assert_int_equal(list.ptr[list.len - 1], '\n');
        mgi_buf_fini(&list);
        mgi_arena_fini(&arena);
        if (!failed)
            break;
    }
    for (size_t len = 8; len < frame.len; len++) { /* cut anywhere, it is refused */
        struct arena arena;
        struct tools tools;
        const char *why;
        struct frame f = { .type = FRAME_READY, .body = { frame.ptr + 4, len - 4 }, .at = 4 };
        mgi_arena_init(&arena, 0);
        assert_false(mgi_tools_decode(&arena, &f, &tools, &why));
        mgi_arena_fini(&arena);
    }
    mgi_buf_fini(&frame);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_digest_of_an_input),
        cmocka_unit_test(test_reading_a_request_survives_a_lack_of_memory),
        cmocka_unit_test(test_a_lease_and_an_outcome_are_kept_or_not),
        cmocka_unit_test(test_a_list_of_tools_is_decoded_or_not),
        cmocka_unit_test(test_a_patch_is_read_and_written_or_not),
        cmocka_unit_test(test_schemas_and_breakers_are_made_or_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
