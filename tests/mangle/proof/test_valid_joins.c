/* Until when what rests on several windows holds: over all ways to choose the intervals, the one
 * that stands longest. Looked for here in every way there is; the engine follows those alone that
 * may stand longer than one that it has. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "support/mangle_run.h"
#include "support/rounds.h"

#define SEC INT64_C(1000000000)

enum { ROWS_MOST = 24, KEYS = 3 };

static uint64_t seed;

static uint32_t roll(uint32_t sides)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (uint32_t)((seed * UINT64_C(0x2545f4914f6cdd1d)) >> 33) % sides;
}

struct event {
    uint32_t key;
    struct mangle_interval t;
};

static struct event as[ROWS_MOST], bs[ROWS_MOST];
static uint32_t a_count, b_count;

static const char program_text[] =
    "Decl a(K, I) temporal. Decl b(K, I) temporal. Decl c(K).\n"
    "two() :- <-[40s] a(_, _), <-[30s] b(_, _).\n"
    "joined() :- <-[40s] a(K, _), <-[30s] b(K, _).\n"
    "keyed(K) :- <-[40s] a(K, _), <-[30s] b(K, _), c(K).\n"
    "later() :- a(K, I)@[S, _], b(_, _)@[T, _], :time:lt(S, T), <-[40s] a(K, I).\n"
    "between() :- <-[40s] a(_, _), <-[30s] b(K, I), a(K, _)@[S, _], b(K, I)@[_, T],"
    " :time:le(S, T).\n"
    "above() :- keyed(K), <-[35s] a(K, _).\n"
    "either() :- <-[10s] a(_, _). either() :- <-[40s] a(K, _), !c(K). either() :- above().\n"
    "bare() :- <-[40s] a(_, _), c(_), !absent(1). absent(K) :- <-[5s] b(K, _), c(K), c(9).\n";

/* How long the interval stands in a window that looks back; before now if it does not. */
static int64_t stands(struct mangle_interval t, int64_t window)
{
    bool counts = t.start_ns <= RUN_NOW && t.end_ns >= RUN_NOW - window * SEC;
    return counts ? t.end_ns + window * SEC : INT64_MIN;
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static void take(int64_t *best, int64_t value)
{
    if (value > *best)
        *best = value;
}

static bool is_c(uint32_t key)
{
    return key != 1;
}

/* Of both windows, where the keys fit; `key` KEYS: any. */
static int64_t of_two(bool same, uint32_t key)
{
    int64_t best = INT64_MIN;
    for (uint32_t i = 0; i < a_count; i++)
        for (uint32_t j = 0; j < b_count; j++)
            if ((!same || as[i].key == bs[j].key) && (key == KEYS || as[i].key == key))
                take(&best, least(stands(as[i].t, 40), stands(bs[j].t, 30)));
    return best;
}

static int64_t of_later(void)
{
    int64_t best = INT64_MIN;
    for (uint32_t i = 0; i < a_count; i++)
        for (uint32_t j = 0; j < b_count; j++)
            if (as[i].t.start_ns < bs[j].t.start_ns)
                take(&best, stands(as[i].t, 40));
    return best;
}

static int64_t of_between(void)
{
    int64_t any = INT64_MIN, best = INT64_MIN;
    for (uint32_t i = 0; i < a_count; i++)
        take(&any, stands(as[i].t, 40));
    for (uint32_t j = 0; j < b_count; j++)
        for (uint32_t i = 0; i < a_count; i++)
            if (as[i].key == bs[j].key && as[i].t.start_ns <= bs[j].t.end_ns)
                take(&best, least(any, stands(bs[j].t, 30)));
    return best;
}

static int64_t of_above(void)
{
    int64_t best = INT64_MIN;
    for (uint32_t i = 0; i < a_count; i++)
        if (is_c(as[i].key))
            take(&best, least(of_two(true, as[i].key), stands(as[i].t, 35)));
    return best;
}

static int64_t of_either(void)
{
    int64_t best = of_above();
    for (uint32_t i = 0; i < a_count; i++) {
        take(&best, stands(as[i].t, 10));
        if (!is_c(as[i].key))
            take(&best, stands(as[i].t, 40));
    }
    return best;
}

static int64_t of_bare(void)
{
    int64_t best = INT64_MIN;
    for (uint32_t i = 0; i < a_count; i++)
        take(&best, stands(as[i].t, 40));
    return best;
}

static void expect(mangle_overlay *o, const mangle_program *p, const char *name, int64_t until)
{
    const struct mangle_fact *facts;
    size_t count;
    mangle_pred pred = mangle_pred_find(p, name, 0);
    assert_int_equal(mangle_overlay_facts(o, pred, &facts, &count), MANGLE_OK);
    assert_int_equal(count, until >= RUN_NOW);
    int64_t told;
    if (count == 0)
        return;
    assert_int_equal(mangle_overlay_valid_until(o, &facts[0], NULL, &told), MANGLE_OK);
    if (told != until)
        print_error("%s\n", name);
    assert_int_equal(told, until);
}

static void give(mangle_overlay *o, mangle_base *base, mangle_pred pred, const struct event *e,
                 uint32_t number)
{
    mangle_values *values = o ? mangle_overlay_values(o) : mangle_base_values(base);
    mangle_value args[] = { mangle_number(values, e->key), mangle_number(values, number) };
    enum mangle_status st = o ? mangle_overlay_add(o, pred, args, 2, &e->t, NULL)
                              : mangle_base_add(base, pred, args, 2, &e->t, NULL);
    assert_int_equal(st, MANGLE_OK);
}

/* In the order of time, against it, or in none: what is found first decides what is cut. */
static void make(struct event *events, uint32_t count, uint32_t order)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t back = order == 2 ? roll(60) : order == 1 ? i * 60 / count : 60 - i * 60 / count;
        int64_t start = RUN_NOW - back * SEC - roll(3);
        events[i] = (struct event){ roll(KEYS), { start, start + roll(4) * SEC } };
    }
}

static void check(uint32_t number)
{
    seed = UINT64_C(0x9e3779b97f4a7c15) * (number + 1);
    a_count = 1 + roll(ROWS_MOST);
    b_count = 1 + roll(ROWS_MOST);
    make(as, a_count, roll(3));
    make(bs, b_count, roll(3));
    struct mangle_source source = { "p.mg", program_text, sizeof program_text - 1 };
    struct mangle_compile_options options = { .changeable = run_changes_all };
    mangle_program *p;
    mangle_base *base;
    mangle_overlay *o;
    assert_int_equal(mangle_compile(&source, 1, &options, &p, NULL), MANGLE_OK);
    assert_int_equal(mangle_base_new(p, &base), MANGLE_OK);
    uint32_t a_split = roll(a_count + 1), b_split = roll(b_count + 1);
    mangle_pred a = mangle_pred_find(p, "a", 2), b = mangle_pred_find(p, "b", 2);
    for (uint32_t i = 0; i < a_split; i++)
        give(NULL, base, a, &as[i], i);
    for (uint32_t i = 0; i < b_split; i++)
        give(NULL, base, b, &bs[i], i);
    assert_int_equal(mangle_base_close(base, NULL, NULL, NULL), MANGLE_OK);
    assert_int_equal(mangle_overlay_new(base, &o), MANGLE_OK);
    for (uint32_t i = a_split; i < a_count; i++)
        give(o, NULL, a, &as[i], i);
    for (uint32_t i = b_split; i < b_count; i++)
        give(o, NULL, b, &bs[i], i);
    for (uint32_t k = 0; k < KEYS; k++) {
        mangle_value arg = mangle_number(mangle_overlay_values(o), k);
        if (is_c(k))
            assert_int_equal(
                mangle_overlay_add(o, mangle_pred_find(p, "c", 1), &arg, 1, NULL, NULL), MANGLE_OK);
    }
    assert_int_equal(mangle_overlay_eval(o, RUN_NOW, NULL, NULL, NULL), MANGLE_OK);
    expect(o, p, "two", of_two(false, KEYS)); /* P-TIME-10 */
    expect(o, p, "joined", of_two(true, KEYS));
    expect(o, p, "later", of_later());
    expect(o, p, "between", of_between());
    expect(o, p, "above", of_above());
    expect(o, p, "either", of_either());
    expect(o, p, "bare", of_bare());
    mangle_overlay_free(o);
    mangle_base_unref(base);
    mangle_program_unref(p);
}

static void test_the_way_that_stands_longest_is_found(void **state)
{
    (void)state;
    const char *only = getenv("CASE");
    for (uint32_t i = only ? (uint32_t)atoi(only) : 0; i < test_rounds(400); i++) {
        check(i);
        if (only)
            return;
    }
}

static int64_t until_of(const char *program, const char *name)
{
    struct mangle_run run = mangle_run(program, NULL);
    const struct mangle_fact *facts;
    size_t count;
    int64_t until = 0;
    assert_int_equal(run.status, MANGLE_OK);
    mangle_pred pred = mangle_pred_find(run.program, name, 0);
    assert_int_equal(mangle_overlay_facts(run.overlay, pred, &facts, &count), MANGLE_OK);
    assert_int_equal(count, 1);
    assert_int_equal(mangle_overlay_valid_until(run.overlay, &facts[0], NULL, &until), MANGLE_OK);
    mangle_run_end(&run);
    return until;
}

/* The longest window is no way out if something else ends it, and a part of an interval that was
 * merged does not stand for all of it. */
static void test_what_may_end_otherwise_cuts_nothing(void **state)
{
    (void)state;
    for (int order = 0; order < 2; order++) {
        static const char *const facts[] = { "a(1)@[2024-06-10T11:59:50].\n",
                                             "a(2)@[2024-06-10T11:59:20].\n" };
        struct buf text = { 0 };
        mgi_buf_printf(&text, "Decl a(X) temporal. Decl g(X) temporal.\n%s%s", facts[order],
                       facts[1 - order]);
        mgi_buf_puts(&text, "g(1)@[2024-06-10T12:00:05, _]. gone(X) :- <-[0s, 0s] g(X).\n"
                            "w() :- <-[100s] a(X), !gone(X).\n");
        assert_int_equal(until_of(mgi_buf_view(&text).ptr, "w"), RUN_NOW + 60 * SEC);
        mgi_buf_fini(&text);
        mgi_buf_puts(&text, "Decl a(X) temporal. Decl r() temporal. r()@[S, E] :- a(X)@[S, E],"
                            " <-[40s] a(X).\n");
        static const char *const parts[] = { "a(1)@[2024-06-10T11:59:40, 2024-06-10T11:59:50].\n",
                                             "a(2)@[2024-06-10T11:59:50, 2024-06-10T11:59:55].\n" };
        mgi_buf_printf(&text, "%s%s", parts[order], parts[1 - order]);
        assert_int_equal(until_of(mgi_buf_view(&text).ptr, "r"), RUN_NOW + 30 * SEC);
        mgi_buf_fini(&text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_may_end_otherwise_cuts_nothing),
        cmocka_unit_test(test_the_way_that_stands_longest_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
