/* Workers ask while the loop shows and decides, and other workers look whether it was approved. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <stdio.h>

#include "security/approvals.h"

#define THREADS 4
#define ROUNDS  500

static const struct principal person = { .kind = PRINCIPAL_KNOWN,
                                         .identity = { "ann", 3 },
                                         .credential = { "person's", 8 } };

struct share {
    struct approvals *approvals;
    int number, given;
};

/* Each asks as a caller of its own, so nobody's goes before it is decided. */
static void *work(void *context)
{
    struct share *share = context;
    struct approvals *a = share->approvals;
    char name[20], challenge[40];
    snprintf(name, sizeof name, "agent%d", share->number);
    struct principal who = { .kind = PRINCIPAL_KNOWN, .identity = str_of(name) };
    for (int i = 0; i < ROUNDS; i++) {
        struct buf shown = { 0 };
        snprintf(challenge, sizeof challenge, "%s.%d", name, i);
        struct str c = str_of(challenge);
        mgi_approvals_ask(a, &who, c, STR_LIT("{}"), 0, 10);
        bool waits = mgi_approvals_look(a, &person, c, 0, &shown) == APPROVAL_WAITING;
        (void)mgi_approvals_decide(a, &person, c, i % 2 == 0, 0);
        share->given += waits && shown.len == 2 && mgi_approvals_given(a, c, NULL);
        mgi_buf_fini(&shown);
    }
    return NULL;
}

static void test_threads_share_it(void **state)
{
    (void)state;
    pthread_t threads[THREADS];
    struct share shares[THREADS];
    struct approvals *a = mgi_approvals_new();
    for (int i = 0; i < THREADS; i++) {
        shares[i] = (struct share){ a, i, 0 };
        assert_int_equal(pthread_create(&threads[i], NULL, work, &shares[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_int_equal(shares[i].given, ROUNDS / 2);
    }
    mgi_approvals_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_threads_share_it),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
