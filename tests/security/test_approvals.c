/* Challenges that wait for a person: who may decide, how often, and how many are kept. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>

#include "security/approvals.h"

static const struct principal
    agent = { .kind = PRINCIPAL_KNOWN, .identity = { "ann", 3 }, .credential = { "agent's", 7 } },
    person = { .kind = PRINCIPAL_KNOWN, .identity = { "ann", 3 }, .credential = { "person's", 8 } },
    robot = { .kind = PRINCIPAL_KNOWN, .identity = { "robot", 5 }, .credential = { "robot's", 7 } };

static void ask(struct approvals *a, const struct principal *who, const char *challenge)
{
    mgi_approvals_ask(a, who, str_of(challenge), STR_LIT("{\"tool\":\"t\"}"), 0, 300);
}

static enum approval look(struct approvals *a, const char *challenge)
{
    return mgi_approvals_look(a, &person, str_of(challenge), 1, NULL);
}

static void test_somebody_else_decides_and_what_is_refused_stays_so(void **state)
{
    (void)state;
    struct approvals *a = mgi_approvals_new();
    struct buf shown = { 0 }, by = { 0 };
    ask(a, &agent, "c1");
    assert_int_equal(mgi_approvals_look(a, &person, STR_LIT("c1"), 1, &shown), APPROVAL_WAITING);
    assert_true(str_is(mgi_buf_view(&shown), "{\"tool\":\"t\"}"));
    assert_false(mgi_approvals_given(a, STR_LIT("c1"), &by));
    assert_int_equal(by.len, 0);
    assert_int_equal(mgi_approvals_decide(a, &agent, STR_LIT("c1"), true, 1), APPROVAL_OWN);
    assert_int_equal(mgi_approvals_decide(a, &person, STR_LIT("c"), true, 1), APPROVAL_UNKNOWN);
    assert_false(mgi_approvals_given(a, STR_LIT("c1"), NULL));
    assert_int_equal(mgi_approvals_decide(a, &person, STR_LIT("c1"), true, 1), APPROVAL_GIVEN);
    assert_true(mgi_approvals_given(a, STR_LIT("c1"), &by));
    assert_true(str_is(mgi_buf_view(&by), "ann"));
    assert_false(mgi_approvals_given(a, STR_LIT("c"), NULL));
    assert_int_equal(mgi_approvals_decide(a, &person, STR_LIT("c1"), false, 1), APPROVAL_REFUSED);
    assert_int_equal(mgi_approvals_decide(a, &person, STR_LIT("c1"), true, 1), APPROVAL_REFUSED);
    assert_false(mgi_approvals_given(a, STR_LIT("c1"), NULL));
    mgi_buf_fini(&shown);
    mgi_buf_fini(&by);
    mgi_approvals_free(a);
}

static void test_a_caller_without_a_credential_owns_nothing(void **state)
{
    (void)state;
    struct approvals *a = mgi_approvals_new();
    ask(a, &mgi_principal_local, "c1");
    assert_int_equal(mgi_approvals_decide(a, &mgi_principal_local, STR_LIT("c1"), true, 1),
                     APPROVAL_GIVEN);
    mgi_approvals_free(a);
}

static void test_after_its_time_it_is_unknown(void **state)
{
    (void)state;
    struct approvals *a = mgi_approvals_new();
    ask(a, &agent, "c1");
    assert_int_equal(mgi_approvals_decide(a, &person, STR_LIT("c1"), true, 301), APPROVAL_UNKNOWN);
    assert_int_equal(mgi_approvals_decide(a, &person, STR_LIT("c1"), true, 300), APPROVAL_GIVEN);
    mgi_approvals_ask(a, &agent, STR_LIT("c2"), STR_LIT("{}"), 301, 600); /* c1 goes */
    assert_int_equal(look(a, "c1"), APPROVAL_UNKNOWN);
    assert_false(mgi_approvals_given(a, STR_LIT("c1"), NULL));
    mgi_approvals_free(a);
}

static void test_who_asks_a_lot_loses_its_own(void **state)
{
    (void)state;
    struct approvals *a = mgi_approvals_new();
    char name[20];
    ask(a, &agent, "anns");
    for (int i = 0; i < 3 * APPROVALS_OF_ONE; i++) {
        snprintf(name, sizeof name, "r%d", i);
        ask(a, &robot, name);
    }
    assert_int_equal(look(a, "anns"), APPROVAL_WAITING);
    assert_int_equal(look(a, "r0"), APPROVAL_UNKNOWN);
    snprintf(name, sizeof name, "r%d", 2 * APPROVALS_OF_ONE - 1);
    assert_int_equal(look(a, name), APPROVAL_UNKNOWN);
    snprintf(name, sizeof name, "r%d", 2 * APPROVALS_OF_ONE);
    assert_int_equal(look(a, name), APPROVAL_WAITING);
    for (int i = 0; i < APPROVALS_OF_ALL; i++) {
        struct principal one = robot;
        snprintf(name, sizeof name, "x%d", i);
        one.identity = str_of(name);
        ask(a, &one, name);
    }
    assert_int_equal(look(a, "anns"), APPROVAL_UNKNOWN);
    assert_int_equal(look(a, "x0"), APPROVAL_WAITING);
    mgi_approvals_free(a);
}

static void test_what_is_too_large_to_be_shown_cannot_be_approved(void **state)
{
    (void)state;
    static char large[APPROVALS_MAX_BYTES + 1];
    struct approvals *a = mgi_approvals_new();
    mgi_approvals_ask(a, &agent, STR_LIT("c1"), (struct str){ large, sizeof large }, 0, 300);
    mgi_approvals_ask(a, &agent, STR_LIT("c2"), (struct str){ large, sizeof large - 1 }, 0, 300);
    assert_int_equal(look(a, "c1"), APPROVAL_UNKNOWN);
    assert_int_equal(look(a, "c2"), APPROVAL_WAITING);
    mgi_approvals_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_somebody_else_decides_and_what_is_refused_stays_so),
        cmocka_unit_test(test_a_caller_without_a_credential_owns_nothing),
        cmocka_unit_test(test_after_its_time_it_is_unknown),
        cmocka_unit_test(test_who_asks_a_lot_loses_its_own),
        cmocka_unit_test(test_what_is_too_large_to_be_shown_cannot_be_approved),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
