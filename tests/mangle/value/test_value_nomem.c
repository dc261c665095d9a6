/* Values and built-ins when memory is short: each allocation fails once; the table stays whole and
 * the same call succeeds afterwards. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>

#include "mangle/builtin/support_call.h"
#include "mangle/value/zone.h"
#include "support/nomem.h"

/* Something of every kind, and enough for every array to grow. */
static mangle_value make_much(mangle_values *t)
{
    mangle_value keys[40], values[40];
    char text[32];
    for (int i = 0; i < 40; i++) {
        int len = snprintf(text, sizeof text, "/key/%d", i);
        keys[i] = mangle_name(t, text, (size_t)len);
        values[i] = mangle_pair(t, mangle_time(t, i), mangle_float(t, i));
        if (keys[i] == MANGLE_NONE || values[i] == MANGLE_NONE)
            return MANGLE_NONE;
    }
    mangle_value map = mangle_map(t, keys, values, 40), list = mangle_list(t, values, 40);
    if (map == MANGLE_NONE || list == MANGLE_NONE)
        return MANGLE_NONE;
    return mangle_pair(t, map, list);
}

static void test_tables_survive_every_failing_allocation(void **state)
{
    (void)state;
    for (size_t n = 1;; n++) {
        nomem_fail_at(n);
        mangle_values *t = mgi_values_new(NULL, 0);
        if (!t) {
            assert_true(nomem_failed());
            continue;
        }
        mangle_value v = make_much(t);
        bool failed = nomem_failed();
        nomem_fail_at(0);
        assert_int_equal(v == MANGLE_NONE, failed);
        assert_int_equal(mgi_values_fault(t), failed ? VALUES_NOMEM : VALUES_OK);
        mangle_value again = make_much(t);
        assert_int_not_equal(again, MANGLE_NONE);
        assert_true(failed || again == v);
        mgi_values_free(t);
        if (!failed)
            break;
    }
}

static void test_clones_and_overlays_are_all_or_nothing(void **state)
{
    (void)state;
    mangle_values *t = mgi_values_new(NULL, 0);
    make_much(t);
    mgi_values_freeze(t);
    for (size_t n = 1;; n++) {
        nomem_fail_at(n);
        mangle_values *copy = mgi_values_clone(t);
        mangle_values *overlay = mgi_values_new(t, 0);
        bool failed = nomem_failed();
        nomem_fail_at(0);
        assert_int_equal(!copy || !overlay, failed);
        mgi_values_free(copy);
        mgi_values_free(overlay);
        if (!failed)
            break;
    }
    mgi_values_free(t);
}

static void test_printing_says_when_memory_is_short(void **state)
{
    (void)state;
    mangle_values *t = mgi_values_new(NULL, 0);
    mangle_value v = make_much(t);
    for (size_t n = 1;; n++) {
        size_t len;
        nomem_fail_at(n);
        char *text = mangle_value_print(t, v, MANGLE_FILE, &len);
        bool failed = nomem_failed();
        nomem_fail_at(0);
        assert_int_equal(text == NULL, failed);
        mangle_free(text);
        if (!failed)
            break;
    }
    mgi_values_free(t);
}

/* A function called with each allocation failing: CALL_NOMEM, and afterwards the right answer. */
static void assert_survives(const char *name, const mangle_value *args, uint32_t count)
{
    const struct function *f = function_named(name);
    mangle_value out = MANGLE_NONE;
    for (size_t n = 1;; n++) {
        nomem_fail_at(n);
        enum call_status st = f->reduce && !f->apply
                                  ? f->reduce(&call_context, args, count, 1, &out)
                                  : f->apply(&call_context, args, count, &out);
        bool failed = nomem_failed();
        nomem_fail_at(0);
        assert_int_equal(st, failed ? CALL_NOMEM : CALL_OK);
        mgi_values_reset(call_context.values); /* the next round makes its values anew */
        mgi_arena_fini(call_context.scratch);
        if (!failed)
            break;
    }
}

static void test_calls_survive_every_failing_allocation(void **state)
{
    (void)state;
    mangle_values *shared = call_context.values, *overlay;
    mangle_value text = S("a long enough text for the buffer to grow, and then some more of it"),
                 letter = S("a"), long_text = S("0123456789"), name = NM("/p/q/r/s"), time = T(5),
                 unit = NM("/nanosecond"), zone = S("UTC"), local = S("2024-01-15T10:30:00.5"),
                 list = L(N(1), N(2), N(3)), day = NM("/day");
    mgi_values_freeze(shared);
    overlay = mgi_values_new(shared, 0);
    call_context.values = overlay;
    assert_survives("fn:plus", (mangle_value[]){ N(1 << 29), N(1 << 29), N(1 << 29) }, 3);
    assert_survives("fn:float:plus", (mangle_value[]){ N(1) }, 1);
    assert_survives("fn:string:concat", (mangle_value[]){ text, name, N(5) }, 3);
    assert_survives("fn:string:replace", (mangle_value[]){ text, letter, long_text, N(-1) }, 4);
    assert_survives("fn:number:to_string", (mangle_value[]){ N(7) }, 1);
    assert_survives("fn:name:list", &name, 1);
    assert_survives("fn:name:tip", &name, 1);
    assert_survives("fn:list:append", (mangle_value[]){ list, letter }, 2);
    assert_survives("fn:tuple", (mangle_value[]){ list, letter, text }, 3);
    assert_survives("fn:map", (mangle_value[]){ list, letter, text, letter }, 4);
    assert_survives("fn:time:format_civil", (mangle_value[]){ time, zone, unit }, 3);
    assert_survives("fn:time:trunc", (mangle_value[]){ time, day }, 2);
    assert_survives("fn:time:parse_civil", (mangle_value[]){ local, zone }, 2);
    assert_survives("fn:max", &list, 1);
    assert_survives("fn:collect", (mangle_value[]){ letter, text, N(1) }, 3);
    assert_survives("fn:collect_distinct", (mangle_value[]){ letter, text, letter }, 3);
    assert_survives("fn:avg", (mangle_value[]){ N(1), N(2) }, 2);
    call_context.values = shared;
    mgi_values_free(overlay);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tables_survive_every_failing_allocation),
        cmocka_unit_test(test_clones_and_overlays_are_all_or_nothing),
        cmocka_unit_test(test_printing_says_when_memory_is_short),
        cmocka_unit_test_setup_teardown(test_calls_survive_every_failing_allocation, call_setup,
                                        call_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
