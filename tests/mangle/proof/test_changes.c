/* What is foreseen of a rule by itself is the same however many other rules ask: with a few, every
 * interval is looked at; with many, answers are shared, and intervals are looked up in order. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>

#include "mangle/proof/foresee.h"
#include "support/mangle_run.h"

#define RULES     120
#define INTERVALS 60
#define ROUNDS    20

static uint64_t seed;

static unsigned roll(unsigned sides)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(seed >> 33) % sides;
}

static void write_facts(struct buf *out)
{
    mgi_buf_puts(out, "Decl ev(X) temporal.\nDecl one().\none().\n");
    for (int i = 0; i < INTERVALS; i++) {
        unsigned from = roll(20 * 60), to = from + roll(3 * 60);
        mgi_buf_printf(out, "ev(%d)@[2024-06-10T%02u:%02u:00, 2024-06-10T%02u:%02u:00].\n", i,
                       from / 60, from % 60, to / 60, to % 60);
    }
}

static void write_rule(struct buf *out, int number)
{
    static const char *const windows[] = { "<-", "[-", "<+", "[+" };
    unsigned a = roll(400), b = roll(400);
    mgi_buf_printf(out, "r%d() :- one(), ", number);
    switch (roll(6)) {
    case 0:
        mgi_buf_puts(out, "ev(_)@[now].\n");
        break;
    case 1:
        mgi_buf_printf(out, "ev(_)@[2024-06-10T%02u:00:00, now].\n", a % 24);
        break;
    default:
        mgi_buf_printf(out, "%s%s[%um, %um] ev(_).\n", roll(3) ? "" : "!", windows[roll(4)],
                       a < b ? a : b, a < b ? b : a);
    }
}

/* What the program's rule `rule()` may do; evaluated for nothing else. */
static struct change change_of(const struct buf *text, const char *rule)
{
    struct mangle_run run = mangle_run(text->ptr, NULL);
    assert_int_equal(run.status, MANGLE_OK);
    enum mangle_status st = mgi_changes_make(run.overlay);
    struct change c = mgi_changes_pred(run.overlay, mangle_pred_find(run.program, rule, 0), &st);
    assert_int_equal(st, MANGLE_OK);
    mangle_run_end(&run);
    return c;
}

static void test_a_rule_among_many_is_foreseen_as_one_alone(void **state)
{
    (void)state;
    unsigned dated = 0;
    for (seed = 1; seed <= ROUNDS; seed++) {
        uint64_t begun = seed;
        struct buf facts = { 0 }, rules[RULES] = { 0 }, all = { 0 };
        write_facts(&facts);
        mgi_buf_puts(&all, facts.ptr);
        for (int i = 0; i < RULES; i++) {
            write_rule(&rules[i], i);
            mgi_buf_puts(&all, rules[i].ptr);
        }
        struct mangle_run run = mangle_run(all.ptr, NULL);
        assert_int_equal(run.status, MANGLE_OK);
        assert_int_equal(mgi_changes_make(run.overlay), MANGLE_OK);
        for (int i = 0; i < RULES; i++) {
            char name[12];
            snprintf(name, sizeof name, "r%d", i);
            struct buf alone = { 0 };
            mgi_buf_puts(&alone, facts.ptr);
            mgi_buf_puts(&alone, rules[i].ptr);
            struct change want = change_of(&alone, name);
            enum mangle_status st = MANGLE_OK;
            struct change got =
                mgi_changes_pred(run.overlay, mangle_pred_find(run.program, name, 0), &st);
            assert_int_equal(st, MANGLE_OK);
            if (want.gain != got.gain || want.loss != got.loss)
                print_error("round %d: %s", (int)begun, rules[i].ptr);
            assert_true(want.gain == got.gain && want.loss == got.loss);
            dated += want.gain != MANGLE_MAX_TIME || want.loss != MANGLE_MAX_TIME;
            mgi_buf_fini(&alone);
            mgi_buf_fini(&rules[i]);
        }
        mangle_run_end(&run);
        mgi_buf_fini(&facts);
        mgi_buf_fini(&all);
        seed = begun;
    }
    assert_true(dated > ROUNDS * RULES / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_rule_among_many_is_foreseen_as_one_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
