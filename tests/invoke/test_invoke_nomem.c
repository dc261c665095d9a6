/* An invocation survives the failure of any one allocation: one answer, and nothing left alive. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <signal.h>

#define NOMEM_H_WANTED
#include "invoke/invoke_fixture.h"

static void keep_delta(struct fixture *f, char *text, size_t cap)
{
    struct buf canonical = { 0 };
    mgi_json_canonical(&canonical, at(f, "/state_delta"));
    assert_true(canonical.len < cap);
    memcpy(text, canonical.ptr, canonical.len + 1);
    mgi_buf_fini(&canonical);
}

/* Nobody takes a part of what changed for the whole. */
static void assert_delta_is_whole_or_says_so(struct fixture *f, const char *whole)
{
    char text[4096];
    if (mgi_json_pointer_get(&f->answer, STR_LIT("/effects_complete")))
        return;
    keep_delta(f, text, sizeof text);
    assert_string_equal(text, whole);
}

/* Short memory is nobody's fault: what was sent was good. */
static void assert_not_blamed_on_the_caller(struct fixture *f)
{
    static const enum wire_code blames[] = {
        WIRE_MALFORMED_MESSAGE,        WIRE_MACRO_NOT_FOUND,       WIRE_MACRO_EXPIRED,
        WIRE_SCHEMA_VALIDATION_FAILED, WIRE_CONFIRMATION_REQUIRED, WIRE_CONFIRMATION_INVALID
    };
    for (size_t i = 0; i < sizeof blames / sizeof *blames; i++)
        if (f->code == blames[i])
            fail_msg("%s: %s", mgi_wire_code(f->code)->name, f->message);
}

/* Where something may have happened, the answer never looks as if nothing had. */
static void assert_what_happened_is_told(struct fixture *f)
{
    if (!f->acted || f->code == WIRE_OK)
        return;
    if (f->code != WIRE_EXECUTION_FAILED)
        fail_msg("%s: %s", mgi_wire_code(f->code)->name, f->message);
    if (f->payload[0] == '\0')
        fail_msg("%s: no details", f->message);
    assert_int_equal(at(f, "/indeterminate")->type, JSON_BOOL);
}

#define VENT(n)                                                                                    \
    "{\\\"pred\\\":\\\"vent\\\",\\\"args\\\":[\\\"x\\\"," n "],"                                   \
    "\\\"category\\\":\\\"server\\\"}"

static void test_an_invocation_survives_any_failed_allocation(void **state)
{
    (void)state;
    struct plan plan[] = {
        { "a", ACT_ECHO, NULL, ON_FAILURE_STOP },
        { "b", ACT_PUT,
          "{\"slot\":0,\"type\":\"manglecp.state_delta\",\"content\":\"{\\\"assert\\\":[" VENT(
              "1") "," VENT("2") "," VENT("3") "]}\"}",
          ON_FAILURE_STOP },
        { "c", ACT_PUT,
          "{\"slot\":1,\"type\":\"manglecp.evidence\",\"content\":\"{\\\"facts\\\":["
          "{\\\"pred\\\":\\\"saw\\\",\\\"args\\\":[\\\"x\\\",1]}]}\"}",
          ON_FAILURE_STOP },
        { "d", ACT_SPAWN, "{}", ON_FAILURE_STOP }
    };
    struct fixture f;
    char whole[4096];
    open_fixture(&f);
    f.approve = true;
    offer_always(&f, make_tool(&f, "echo", plan, 4), true);
    run(&f, CALL);
    assert_int_equal(f.code, WIRE_CONFIRMATION_REQUIRED);
    f.snapshot->settings.max_asserts = 3; /* so that something is rolled up */
    for (size_t n = 0;; n++) {            /* n 0: nothing fails */
        char payload[600];
        run(&f, CALL);
        snprintf(payload, sizeof payload,
                 "{\"macro_id\":\"t-1\",\"args\":{\"zone\":\"b\"},\"confirmation_token\":\"%.*s\"}",
                 STR_ARG(at(&f, "/challenge")->string));
        f.fail_at = n;
        run(&f, payload);
        f.fail_at = 0;
        if (n == 0) {
            keep_delta(&f, whole, sizeof whole);
            assert_non_null(strstr(whole, "bulk_change"));
        }
        assert_not_blamed_on_the_caller(&f);
        assert_what_happened_is_told(&f);
        if (f.code == WIRE_OK)
            assert_delta_is_whole_or_says_so(&f, whole);
        if (n > 0 && !f.failed) {
            assert_int_equal(f.code, WIRE_OK);
            print_message("# %zu allocations\n", n - 1);
            break;
        }
    }
    close_fixture(&f);
}

static void test_a_dry_run_survives_any_failed_allocation(void **state)
{
    (void)state;
    struct fixture f;
    struct buf whole = { 0 };
    open_with_echo(&f, true);
    for (size_t n = 0;; n++) { /* n 0: nothing fails */
        struct buf out = { 0 }, plan = { 0 };
        struct wire_error e = { .retry_after_ms = -1 };
        struct json payload = parse(&f, CALL);
        struct invoke_call call = { .snapshot = f.snapshot,
                                    .who = &f.who,
                                    .payload = &payload,
                                    .invocation_id = STR_LIT("i"),
                                    .clock_ns = NOW,
                                    .store = &f.store,
                                    .keys = &f.keys,
                                    .dry_run = true };
        mgi_arena_fini(&f.request);
        mgi_arena_init(&f.request, 0);
        nomem_fail_at(n);
        struct invocation *inv = mgi_invocation_new(&f.request, &call, NULL, &e);
        bool ok = inv && mgi_invocation_check(inv, NULL, &e) &&
                  mgi_invocation_rehearse(inv, &out, &plan, &e);
        bool failed = nomem_failed();
        nomem_fail_at(0);
        mgi_invocation_free(inv);
        if (ok && n == 0)
            mgi_buf_str(&whole, mgi_buf_view(&plan));
        if (ok)
            assert_string_equal(plan.ptr, whole.ptr);
        else
            assert_true(e.code == WIRE_INTERNAL_ERROR && out.len == 0 && plan.len == 0);
        mgi_buf_fini(&out);
        mgi_buf_fini(&plan);
        if (n > 0 && !failed) {
            assert_true(ok);
            break;
        }
    }
    mgi_buf_fini(&whole);
    assert_string_equal(f.shown, ""); /* no challenge was made */
    close_fixture(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_invocation_survives_any_failed_allocation),
        cmocka_unit_test(test_a_dry_run_survives_any_failed_allocation),
    };
    signal(SIGPIPE, SIG_IGN);
    setenv("MACHINA_TOOLHOST_RLIMIT_AS_MB", "0", 0); /* sanitizers reserve address space */
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
