/* Every decoder survives the failure of any one allocation: the right answer, and nothing left. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "protocol/envelope.h"
#include "protocol/judge.h"
#include "protocol/fact_fixture.h"
#include "protocol/schema.h"
#include "support/nomem.h"

static void test_an_envelope_survives(void **state)
{
    (void)state;
    static const char *const texts[] = {
        ("{\"type\":\"list_tools\",\"id\":\"a\\u0062\",\"manglecp\":\"2026-02-draft\",\"payload\":{"
         "}"
         "}"),
        "{\"id\":7}",
        "{\"a\":",
        "{\"type\":\"cancel\",\"manglecp\":\"1999\",\"payload\":{\"x\":[1,2,{}]}}",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (size_t n = 1;; n++) {
            struct arena a;
            struct envelope m;
            struct wire_error e;
            struct buf out = { 0 };
            mgi_arena_init(&a, 0);
            nomem_fail_at(n);
            assert_false(mgi_envelope_parse(&a, str_of(texts[i]), 0, 0, FROM_CLIENT, &m, &e));
            assert_non_null(e.message);
            mgi_envelope_error(&out, m.id, &e);
            bool failed = nomem_failed();
            nomem_fail_at(0);
            mgi_buf_fini(&out);
            mgi_arena_fini(&a);
            if (!failed)
                break;
        }
}

static void test_facts_survive(void **state)
{
    (void)state;
    for (size_t n = 1;; n++) {
        struct fixture f;
        struct json facts;
        struct fact_list list;
        fixture_init(&f);
        assert_int_equal(
            mgi_json_parse(
                &f.arena,
                STR_LIT("[{\"pred\":\"noname\",\"args\":[{\"a\":[1,\"x\"],\"b\":2.5}]},7,"
                        "{\"pred\":\"evnt\",\"args\":[]},{\"pred\":\"event\",\"args\":[]},"
                        "{\"pred\":\"basic\",\"args\":[\"a\",\"b\",1,2]}]"),
                NULL, &facts, NULL),
            JSON_OK);
        nomem_fail_at(n);
        bool good = mgi_facts_decode(&f.arena, f.values, &f.profile, NULL, &facts, 0, &list);
        bool failed = nomem_failed();
        nomem_fail_at(0);
        if (!failed)
            assert_int_equal(list.fault_count, 4);
        fixture_fini(&f);
        if (!failed) {
            assert_true(good);
            break;
        }
    }
}

static void test_a_schema_survives(void **state)
{
    (void)state;
    struct str text = STR_LIT(
        "{\"type\":[\"object\",\"null\"],\"properties\":{\"a\":{\"pattern\":\"^[a\\\\S]x$\"},"
        "\"b\":{\"$ref\":\"#/$defs/q\"},\"c\":{\"enum\":[1,{\"k\":[2]}]}},\"required\":[\"a\"],"
        "\"patternProperties\":{\"^x\":false},\"additionalProperties\":{\"$ref\":\"#w\"},"
        "\"$defs\":{\"q\":{\"$anchor\":\"w\",\"allOf\":[true,{\"uniqueItems\":true}]}}}");
    struct arena documents;
    struct json v, instance;
    mgi_arena_init(&documents, 0);
    assert_int_equal(mgi_json_parse(&documents, text, NULL, &v, NULL), JSON_OK);
    assert_int_equal(mgi_json_parse(&documents,
                                    STR_LIT("{\"b\":[1,2],\"c\":2,\"a\":\"q\",\"x1\":0}"), NULL,
                                    &instance, NULL),
                     JSON_OK);
    for (size_t n = 1;; n++) {
        struct arena a;
        struct schema_issues issues;
        mgi_arena_init(&a, 0);
        mgi_schema_issues_init(&issues, &a, 0);
        nomem_fail_at(n);
        struct schema *s = mgi_schema_compile(&v, 0, &issues);
        bool failed = nomem_failed();
        nomem_fail_at(0);
        assert_int_equal(issues.count, 0);
        assert_true(failed ? !s : s != NULL);
        for (size_t k = 1; s; k++) {
            mgi_schema_issues_init(&issues, &a, 0);
            nomem_fail_at(k);
            assert_false(mgi_schema_validate(s, &instance, &issues));
            bool short_of_memory = nomem_failed();
            nomem_fail_at(0);
            if (!short_of_memory)
                break;
        }
        mgi_schema_free(s);
        mgi_arena_fini(&a);
        if (!failed)
            break;
    }
    mgi_arena_fini(&documents);
}

/* Everything that names, notes and looks elsewhere. */
static void test_a_schema_with_others_survives(void **state)
{
    (void)state;
    struct arena documents;
    struct json v, other, instance;
    struct buf text = { 0 };
    mgi_arena_init(&documents, 0);
    assert_int_equal(
        mgi_json_parse(&documents,
                       STR_LIT("{\"$id\":\"http://h/a\",\"$dynamicAnchor\":\"n\",\"$ref\":\"b#w\","
                               "\"anyOf\":[{\"properties\":{\"q\":true}}],\"if\":{\"required\":"
                               "[\"q\"]},\"unevaluatedProperties\":{\"type\":\"array\"}}"),
                       NULL, &v, NULL),
        JSON_OK);
    assert_int_equal(
        mgi_json_parse(&documents,
                       STR_LIT("{\"$defs\":{\"x\":{\"$anchor\":\"w\",\"$dynamicAnchor\":\"n\","
                               "\"properties\":{\"r\":{\"$dynamicRef\":\"#n\"},\"s\":{"
                               "\"unevaluatedItems\":false}}}}}"),
                       NULL, &other, NULL),
        JSON_OK);
    mgi_buf_puts(&text, "{\"q\":1,\"r\":{\"k\":0},\"s\":[0]");
    for (int i = 0; i < 70; i++) /* more than fit into one word */
        mgi_buf_printf(&text, ",\"m%d\":[]", i);
    mgi_buf_putc(&text, '}');
    assert_int_equal(mgi_json_parse(&documents, mgi_buf_view(&text), NULL, &instance, NULL),
                     JSON_OK);
    struct schema_other item = { STR_LIT("http://h/b"), &other };
    struct schema_others table = { &item, 1 };
    for (size_t n = 1;; n++) {
        struct arena a;
        struct schema_issues issues;
        mgi_arena_init(&a, 0);
        mgi_schema_issues_init(&issues, &a, 0);
        nomem_fail_at(n);
        struct schema *s = mgi_schema_compile_with(&v, &table, 0, &issues);
        bool failed = nomem_failed();
        nomem_fail_at(0);
        assert_int_equal(issues.count, 0);
        assert_true(failed ? !s : s != NULL);
        for (size_t k = 1; s; k++) {
            mgi_schema_issues_init(&issues, &a, 0);
            nomem_fail_at(k);
            bool valid = mgi_schema_validate(s, &instance, &issues);
            bool short_of_memory = nomem_failed();
            nomem_fail_at(0);
            assert_false(valid);
            if (short_of_memory)
                continue;
            assert_int_equal(issues.count, 2); /* /r/k and /s/0 */
            break;
        }
        mgi_schema_free(s);
        mgi_arena_fini(&a);
        if (!failed)
            break;
    }
    mgi_buf_fini(&text);
    mgi_arena_fini(&documents);
}

/* A fault that there is no memory to report is a fault all the same. */
static void test_a_faulty_schema_is_never_accepted(void **state)
{
    (void)state;
    static const char *const faulty[] = {
        "{\"type\":\"text\"}",
        "{\"pattern\":\"(\"}",
        "{\"$ref\":\"#/none\"}",
        "{\"unevaluatedItems\":true,\"$dynamicRef\":7}",
        "{\"$defs\":{\"a\":{\"$id\":\"x\"},\"b\":{\"$id\":\"x\"}}}",
    };
    for (size_t i = 0; i < sizeof faulty / sizeof *faulty; i++) {
        struct arena document;
        struct json v;
        bool failed = true;
        mgi_arena_init(&document, 0);
        assert_int_equal(mgi_json_parse(&document, str_of(faulty[i]), NULL, &v, NULL), JSON_OK);
        for (size_t n = 1; failed; n++) {
            struct arena a;
            struct schema_issues issues;
            mgi_arena_init(&a, 0);
            mgi_schema_issues_init(&issues, &a, 0);
            nomem_fail_at(n);
            struct schema *s = mgi_schema_compile(&v, 0, &issues);
            failed = nomem_failed();
            nomem_fail_at(0);
            assert_null(s);
            assert_true(failed || issues.count == 1);
            mgi_arena_fini(&a);
        }
        mgi_arena_fini(&document);
    }
}

/* Thousands of allocations: every 97th of them is taken away. */
static void test_a_judge_survives(void **state)
{
    (void)state;
    bool failed = true;
    for (size_t n = 1; failed; n += 97) {
        nomem_fail_at(n);
        struct judge *j = mgi_judge_new();
        failed = nomem_failed();
        nomem_fail_at(0);
        assert_true(failed ? !j : j != NULL);
        mgi_judge_free(j);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_envelope_survives),
        cmocka_unit_test(test_facts_survive),
        cmocka_unit_test(test_a_schema_survives),
        cmocka_unit_test(test_a_schema_with_others_survives),
        cmocka_unit_test(test_a_faulty_schema_is_never_accepted),
        cmocka_unit_test(test_a_judge_survives),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
