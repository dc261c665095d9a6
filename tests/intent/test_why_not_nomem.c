/* Asking why survives the failure of an allocation: the whole answer, or internal_error and nothing
 * of it. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "intent/why_domain.h"
#include "support/nomem.h"

static const char payload_text[] =
    "{\"intent\":{\"name\":\"go\"},\"facts\":[{\"pred\":\"seen\",\"args\":[\"x\"]},"
    "{\"pred\":\"ban\",\"args\":[\"b\"]}]}";

static void test_asking_why_survives_a_failed_allocation(void **state)
{
    (void)state;
    static const struct principal local = { .kind = PRINCIPAL_LOCAL, .identity = { "local", 5 } };
    static const char *const tools[] = { "a", "b", "c", NULL };
    struct why_domain d;
    struct buf whole = { 0 };
    size_t failures = 0;
    why_open(&d,
             "Decl seen(What) descr [direction(\"input\")] bound [/string].\n"
             "Decl ban(What) descr [direction(\"input\")] bound [/string].\n",
             "tool_relevant_to_intent(\"a\", \"go\", 95) :- seen(\"y\"), 3 < 4.\n"
             "tool_relevant_to_intent(\"b\", \"go\", 90) :- seen(X), X != \"z\".\n"
             "tool_relevant_to_intent(\"c\", \"go\", 80).\nconflicts_with(\"c\", \"a\").\n",
             "prohibited(T, \"r\") :- ban(T).\n", tools);
    struct json payload = why_parse(&d, str_of(payload_text));
    struct json names = why_parse(&d, STR_LIT("[\"a\",\"b\",\"c\"]"));
    /* All of the first, then fewer: there are thousands, and they are alike. */
    for (size_t n = 0;; n += 1 + n / 40) {
        struct intent_worker *w = mgi_intent_worker_new();
        struct arena arena;
        struct buf out = { 0 }, said = { 0 };
        struct wire_error e = { .retry_after_ms = -1 };
        struct why_not_question question = { &names, true, &said };
        struct intent_call call = {
            .snapshot = d.snapshot, .who = &local, .payload = &payload, .why_not = &question
        };
        mgi_arena_init(&arena, 0);
        nomem_fail_at(n);
        bool ok = mgi_intent_evaluate(w, &call, &arena, &out, &e);
        bool failed = nomem_failed();
        nomem_fail_at(0);
        failures += failed;
        if (ok && n == 0)
            mgi_buf_str(&whole, mgi_buf_view(&said));
        if (ok)
            assert_string_equal(said.ptr, whole.ptr);
        else
            assert_true(e.code == WIRE_INTERNAL_ERROR && out.len == 0 && said.len == 0);
        mgi_buf_fini(&out);
        mgi_buf_fini(&said);
        mgi_arena_fini(&arena);
        mgi_intent_worker_free(w);
        if (n > 0 && !failed) {
            assert_true(ok);
            break;
        }
    }
    print_message("# %zu failures\n", failures);
    mgi_buf_fini(&whole);
    why_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_asking_why_survives_a_failed_allocation),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests_name("intent/why_not_nomem", tests, NULL, NULL);
}
