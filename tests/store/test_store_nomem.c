/* Every operation of every backend survives the failure of any one allocation of ours: it says so,
 * and afterwards the store answers as if the operation had not been asked for. */
#include "store/store_suite.h"

#include "support/nomem.h"

enum { LAST_STEP = 7 };

/* One operation; false when it reported STORE_NOMEM. */
static bool step(const struct store *s, int n)
{
    struct macro_entry e = { STR_LIT("text"), INT64_MIN, 100, NULL };
    struct arena a;
    struct str outcome;
    enum macro_found found;
    enum once_state once;
    bool first;
    enum store_status status = STORE_OK;
    mgi_arena_init(&a, 0);
    switch (n) {
    case 0:
        status = mgi_store_macro_put(s, STR_LIT("ann"), STR_LIT("t"), &e, 0, 100);
        break;
    case 1:
        status = mgi_store_macro_get(s, STR_LIT("ann"), STR_LIT("t"), 1, &a, &found, &e);
        assert_true(status == STORE_NOMEM || found == MACRO_FOUND);
        break;
    case 2:
        status = mgi_store_spend(s, STR_LIT("n"), 0, 0, 100, &first);
        assert_true(first == (status == STORE_OK));
        break;
    case 3:
        status = mgi_store_once_begin(s, STR_LIT("ann"), STR_LIT("k"), STR_LIT("f"), STR_LIT("w"),
                                      0, &a, &once, &outcome);
        assert_true(status == STORE_NOMEM || once == ONCE_FRESH);
        break;
    case 4:
        status = mgi_store_once_end(s, STR_LIT("ann"), STR_LIT("k"), STR_LIT("done"), 0);
        break;
    case 5:
        status = mgi_store_once_begin(s, STR_LIT("ann"), STR_LIT("k"), STR_LIT("f"), STR_LIT("w"),
                                      0, &a, &once, &outcome);
        assert_true(status == STORE_NOMEM || once == ONCE_ENDED || once == ONCE_ORPHANED);
        break;
    case 6:
        status = mgi_store_once_find(s, STR_LIT("ann"), STR_LIT("k"), STR_LIT("f"), 0, &a, &once,
                                     &outcome);
        assert_true(status == STORE_NOMEM || once == ONCE_ENDED || once == ONCE_ORPHANED);
        break;
    case 7:
        status = put_beside(s, "ann", "t", "more", 0, 100);
        break;
    default:
        status = mgi_store_once_forget(s, STR_LIT("ann"), STR_LIT("k"));
        break;
    }
    mgi_arena_fini(&a);
    assert_true(status == STORE_OK || status == STORE_NOMEM);
    return status == STORE_OK;
}

static void test_any_allocation_may_fail(void **state)
{
    const struct store *s = open_backend(*state, 0);
    for (int n = 0; n <= LAST_STEP; n++) {
        for (size_t at = 1;; at++) {
            nomem_fail_at(at);
            bool ok = step(s, n);
            bool failed = nomem_failed();
            nomem_fail_at(0);
            if (ok)
                break;
            assert_true(failed);
            if (n == 4)
                break; /* the outcome is lost now, which is the end of it */
        }
    }
    close_backend(*state);
}

static void test_opening_may_fail(void **state)
{
    struct backend *b = *state;
    struct buf why = { 0 };
    struct store s;
    nomem_fail_at(1);
    assert_false(strcmp(b->name, "memory") == 0 ? mgi_store_memory(0, &s)
                                                : mgi_store_sqlite("/nowhere/x", 0, &s, &why));
    assert_true(nomem_failed());
    nomem_fail_at(0);
    assert_false(mgi_store_is_open(&s));
    mgi_store_close(&s); /* {0} is fine */
    mgi_buf_fini(&why);
}

int main(void)
{
    static struct backend memory = { .name = "memory" }, sqlite = { .name = "sqlite" };
    const struct CMUnitTest tests[] = {
        { "test_any_allocation_may_fail (memory)", test_any_allocation_may_fail, NULL, NULL,
          &memory },
        { "test_any_allocation_may_fail (sqlite)", test_any_allocation_may_fail, NULL, NULL,
          &sqlite },
        { "test_opening_may_fail (memory)", test_opening_may_fail, NULL, NULL, &memory },
        { "test_opening_may_fail (sqlite)", test_opening_may_fail, NULL, NULL, &sqlite },
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
