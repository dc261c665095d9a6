/* Numbers say nothing of facts that a caller may not see. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "intent/why_domain.h"

static const struct str intents[] = { { "intent:*", 8 }, { "operator", 8 } };
static const struct principal ann = {
    .kind = PRINCIPAL_KNOWN, .identity = { "ann", 3 }, .permissions = intents, .permission_count = 1
};
static const struct principal operator= {
    .kind = PRINCIPAL_KNOWN, .identity = { "op", 2 }, .permissions = intents, .permission_count = 2
};

static const char schema[] =
    "Decl member(Who) descr [direction(\"both\")] bound [/string].\n"
    "Decl at(Where) temporal descr [direction(\"input\")] bound [/string].\n";
/* A member of the server's own makes other numbers. */
static const char domain[] = "member(\"eve\").\n"
                             "known(X, Y) :- member(X), member(Y).\n"
                             "tool_relevant_to_intent(\"one\", \"go\", 90) :- known(_, _).\n";

static struct json diagnostics(struct why_domain *d, const struct principal *who, const char *facts)
{
    struct why_options options = { .who = who };
    struct json answer;
    struct wire_error e;
    struct buf text = { 0 };
    mgi_buf_printf(&text, "{\"intent\":{\"name\":\"go\"},\"facts\":[%s]}", facts);
    assert_true(why_ask(d, &options, text.ptr, NULL, &answer, NULL, &e));
    mgi_buf_fini(&text);
    return *mgi_json_get(&answer, "diagnostics");
}

static int64_t evaluated(struct why_domain *d, const struct principal *who, const char *facts)
{
    struct json said = diagnostics(d, who, facts);
    return mgi_json_get(&said, "facts_evaluated")->integer;
}

#define MEMBER(who) "{\"pred\":\"member\",\"args\":[\"" who "\"]}"
#define AT(start, end)                                                                             \
    "{\"pred\":\"at\",\"args\":[\"x\"],\"t\":{\"start\":" start ",\"end\":" end "}}"

static void test_numbers_tell_nothing_of_what_the_server_knows(void **state)
{
    (void)state;
    static const char *const tools[] = { "one", NULL };
    struct why_domain d;
    why_open(&d, schema, domain, "", tools);
    struct json known = diagnostics(&d, &ann, MEMBER("eve"));
    struct json new = diagnostics(&d, &ann, MEMBER("bob"));
    assert_null(mgi_json_get(&known, "facts_derived"));
    assert_null(mgi_json_get(&known, "rules_fired"));
    assert_int_equal(mgi_json_get(&known, "facts_evaluated")->integer,
                     mgi_json_get(&new, "facts_evaluated")->integer);
    known = diagnostics(&d, &operator, MEMBER("eve"));
    new = diagnostics(&d, &operator, MEMBER("bob"));
    assert_int_not_equal(mgi_json_get(&known, "facts_evaluated")->integer,
                         mgi_json_get(&new, "facts_evaluated")->integer);
    assert_int_not_equal(mgi_json_get(&known, "facts_derived")->integer,
                         mgi_json_get(&new, "facts_derived")->integer);
    assert_non_null(mgi_json_get(&new, "rules_fired"));
    why_close(&d);
}

static void test_what_was_sent_is_counted_once(void **state)
{
    (void)state;
    static const char *const tools[] = { "one", NULL };
    static const struct {
        const char *facts;
        int64_t more;
    } rows[] = {
        { "", 0 },
        { MEMBER("bob") "," MEMBER("bob"), 1 }, /* P-FACT-12, P-PROV-7 */
        { MEMBER("bob") "," MEMBER("ann") "," MEMBER("bob"), 2 },
        { AT("10", "20") "," MEMBER("bob") "," AT("15", "30"), 2 },
        { AT("10", "20") "," AT("40", "50"), 2 },
        { AT("10", "50") "," AT("20", "30") "," AT("40", "60"), 1 },
        { "{\"pred\":\"at\",\"args\":[\"x\"]}," AT("1", "2"), 1 },
    };
    struct why_domain d;
    why_open(&d, schema, domain, "", tools);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int who = 0; who < 2; who++) {
            const struct principal *asks = who ? &operator: & ann;
            assert_int_equal(evaluated(&d, asks, rows[i].facts) - evaluated(&d, asks, ""),
                             rows[i].more); /* D-20 */
        }
    why_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers_tell_nothing_of_what_the_server_knows),
        cmocka_unit_test(test_what_was_sent_is_counted_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
