/* Making a plan survives the failure of any allocation: a reason, and nothing left behind. */
#include "confine/confined.h"
#include "support/nomem.h"

static const char *make(const char *const *read, size_t count)
{
    const struct confine_features features = { .seccomp = true, .landlock = 1 };
    const struct confinement wanted = { .may = CONFINE_READ, .read = read, .read_count = count };
    struct confine_plan plan;
    struct arena arena;
    mgi_arena_init(&arena, 0);
    const char *why = mgi_confine_plan_init(&plan, &wanted, &features, &arena);
    assert_true(why || plan.filter);
    mgi_confine_plan_fini(&plan);
    mgi_arena_fini(&arena);
    return why;
}

static void test_a_plan_survives_the_failure_of_any_allocation(void **state)
{
    static const char *const good[] = { "/usr" }, *const bad[] = { "/nowhere" };
    (void)state;
    if (!kernel_has(1))
        skip();
    for (size_t n = 1;; n++) {
        assert_in_range(n, 1, 100);
        nomem_fail_at(n);
        const char *why = make(good, 1);
        if (!nomem_failed()) {
            nomem_fail_at(0);
            assert_null(why);
            break;
        }
        assert_non_null(why);
    }
    nomem_fail_at(1);
    assert_non_null(make(bad, 1)); /* the text of a failure may fail, too */
    nomem_fail_at(0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_plan_survives_the_failure_of_any_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
