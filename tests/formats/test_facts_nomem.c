/* Reading facts survives the failure of any one allocation, and says so. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "formats/facts.h"
#include "support/nomem.h"

static mangle_pred find(void *context, uint32_t line, const char *name, uint32_t count)
{
    (void)line;
    return mangle_pred_find(mangle_base_program(context), name, count);
}

static void fault(void *context, uint32_t line, enum fact_fault kind, const char *message)
{
    (void)context;
    (void)line;
    (void)kind;
    assert_non_null(message);
}

static void survive_rows(enum fact_form form, const char *text)
{
    static const char rules[] = "Decl p(A, B) bound [/float64, /any]. Decl q(X) temporal.\n";
    struct mangle_source source = { "rules", rules, sizeof rules - 1 };
    mangle_program *program;
    assert_int_equal(mangle_compile(&source, 1, NULL, &program, NULL), MANGLE_OK);
    for (size_t n = 1;; n++) {
        mangle_base *base;
        assert_int_equal(mangle_base_new(program, &base), MANGLE_OK);
        struct fact_taker taker = { .base = base, .find = find, .fault = fault, .context = base };
        nomem_fail_at(n);
        enum mangle_status st = mgi_fact_rows(form, str_of(text), STR_LIT("p"), &taker);
        bool failed = nomem_failed();
        nomem_fail_at(0);
        mangle_base_unref(base);
        assert_int_equal(st, failed ? MANGLE_ERR_NOMEM : MANGLE_OK);
        if (!failed)
            break;
    }
    mangle_program_unref(program);
}

static void test_rows_survive(void **state)
{
    (void)state;
    survive_rows(
        FACTS_JSON_LINES,
        "{\"pred\":\"p\",\"args\":[1.5,{\"a\":[\"b\"]}]}\n{\n{\"pred\":\"p\",\"args\":[null,1]}\n"
        "{\"pred\":\"q\",\"args\":[1],\"t\":{\"at\":\"2024-01-01T00:00:00Z\"}}\n");
    survive_rows(FACTS_CSV, "1.5,a\n2,\"b\"\"c\"\nx,\n1\n2.5,plain\n");
    survive_rows(FACTS_TSV, "1.5\ta\n2\tb\\tc\nx\t\n1\n2\t\\x\n2.5\tplain\n");
}

static void test_listing_predicates_survives(void **state)
{
    (void)state;
    static const struct {
        enum fact_form form;
        const char *text;
    } texts[] = { { FACTS_MANGLE, "a(1). b(\"x\")." },
                  { FACTS_JSON_LINES, "{\"pred\":\"a\",\"args\":[1]}\n{\"pred\":\"b\"}\n" },
                  { FACTS_CSV, "1,\"\"\"\"\n" },
                  { FACTS_TSV, "1\t\\t\n" },
                  { FACTS_COLUMNS, "1\na 1 1\n7\n" },
                  { FACTS_JSON, "{}" } };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct mangle_source source = { "text", texts[i].text, strlen(texts[i].text) };
        for (size_t n = 1;; n++) {
            struct host_pred_list list;
            mgi_host_preds_init(&list);
            nomem_fail_at(n);
            bool ok = mgi_fact_preds(texts[i].form, &source, STR_LIT("p"), &list);
            bool failed = nomem_failed();
            nomem_fail_at(0);
            mgi_host_preds_fini(&list);
            assert_int_equal(ok, !failed);
            if (!failed)
                break;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_survive),
        cmocka_unit_test(test_listing_predicates_survives),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests_name("formats/facts_nomem", tests, NULL, NULL);
}
