/* Whatever hearsay is told, the facts of a privileged predicate are the same. Random small programs
 * (recursion, negation, aggregation, windows, interval variables), random facts, and one predicate
 * after the other is privileged; beside that, nothing changes where everything is vouched for. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/mangle_gen.h"
#include "support/mangle_run.h"
#include "support/rounds.h"

#define CASES test_rounds(500)

struct trial {
    const struct gen *g;
    const char *privileged; /* name, or NULL: none */
};

static bool may_change(void *context, const mangle_program *program, mangle_pred pred)
{
    const struct trial *t = context;
    return mangle_gen_assertable((void *)(uintptr_t)t->g, program, pred);
}

static enum mangle_trust trust(void *context, const mangle_program *program, mangle_pred pred)
{
    const struct trial *t = context;
    if (t->privileged && strcmp(mangle_program_pred(program, pred).name, t->privileged) == 0)
        return MANGLE_PRIVILEGED;
    return MANGLE_HEARSAY;
}

/* Every second line of `facts`, from `first` on. */
static void every_other(struct buf *out, struct str facts, int first)
{
    int number = 0;
    for (size_t at = 0; at < facts.len; number++) {
        const char *end = memchr(facts.ptr + at, '\n', facts.len - at);
        size_t len = end ? (size_t)(end - facts.ptr) - at + 1 : facts.len - at;
        if (number % 2 == first)
            mgi_buf_append(out, facts.ptr + at, len);
        at += len;
    }
    mgi_buf_puts(out, "");
}

/* The facts of one predicate, or of all that are derived (query NULL). NULL: refused. */
static char *derive(const struct trial *t, const char *hearsay, const char *vouched,
                    const char *query)
{
    struct buf text = { 0 };
    mgi_buf_str(&text, mgi_buf_view(&t->g->program));
    mgi_buf_str(&text, mgi_buf_view(&t->g->facts[0]));
    struct run_options options = { .changeable = may_change,
                                   .trust = trust,
                                   .context = (void *)(uintptr_t)t,
                                   .request = hearsay,
                                   .vouched = vouched };
    struct mangle_run run = mangle_run(text.ptr, &options);
    char *out = NULL;
    if (!run.status)
        out = query ? mangle_run_query(&run, query) : mangle_run_text(&run);
    mangle_run_end(&run);
    mgi_buf_fini(&text);
    return out;
}

static bool differs(const struct trial *t, uint32_t number, const char *what, const char *a,
                    const char *b)
{
    if (!a || !b || strcmp(a, b) == 0)
        return false;
    print_error(
        "case %u: %s privileged: %s\n%s--- base\n%s--- request\n%s--- one\n%s--- other\n%s\n",
        number, t->privileged ? t->privileged : "nothing", what, mgi_buf_view(&t->g->program).ptr,
        mgi_buf_view(&t->g->facts[0]).ptr, mgi_buf_view(&t->g->facts[1]).ptr, a, b);
    return true;
}

struct counts {
    uint32_t failures, tried, refused, told; /* told: hearsay would have made a difference */
};

static void check(const struct gen *g, uint32_t number, struct counts *counts)
{
    struct buf one = { 0 }, other = { 0 };
    every_other(&one, mgi_buf_view(&g->facts[1]), 0);
    every_other(&other, mgi_buf_view(&g->facts[1]), 1);
    const char *vouched = one.len ? one.ptr : NULL, *hearsay = other.len ? other.ptr : NULL;
    for (uint32_t i = 0; i < g->count; i++) {
        struct trial t = { g, g->preds[i].name }, plain = { g, NULL };
        if (!g->preds[i].derived)
            continue;
        char *without = derive(&t, NULL, vouched, t.privileged);
        char *with = derive(&t, hearsay, vouched, t.privileged);
        char *all = derive(&plain, hearsay, vouched, t.privileged);
        counts->tried++;
        counts->refused += !with;
        counts->told += with && all && strcmp(with, all) != 0;
        counts->failures += differs(&t, number, "hearsay made a difference", without, with);
        mangle_free(without);
        mangle_free(with);
        mangle_free(all);
    }
    mgi_buf_fini(&one);
    mgi_buf_fini(&other);
}

static void test_hearsay_makes_no_difference_to_what_is_privileged(void **state)
{
    (void)state;
    const char *only = getenv("CASE");
    struct counts counts = { 0 };
    for (uint32_t i = only ? (uint32_t)atoi(only) : 0; i < CASES && counts.failures < 3; i++) {
        struct gen g;
        mangle_gen(&g, i);
        check(&g, i, &counts);
        mangle_gen_end(&g);
        if (only)
            break;
    }
    print_message("# %u predicates, %u refused, hearsay would have mattered for %u\n", counts.tried,
                  counts.refused, counts.told);
    assert_int_equal(counts.failures, 0);
    assert_true(only || (counts.refused < counts.tried / 4 * 3 && counts.told > CASES / 15));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hearsay_makes_no_difference_to_what_is_privileged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
