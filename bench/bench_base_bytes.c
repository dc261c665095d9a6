/* What a tuple takes in a closed base: a million pairs of a hundred thousand numbers, of which
 * requests look for none, for whole ones, for those with a first column, or with either column.
 * Prints bytes a tuple, and the processor time of closing the base. */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "mangle.h"

enum { TUPLES = 1000000, NUMBERS = 100000 };

static const struct {
    const char *what, *text;
} cases[] = {
    { "nothing", "" },
    { "whole pairs", "found(X, Y) :- ask(X, Y), pair(X, Y).\n" },
    { "one order", "found(X, Y) :- ask(X, _), pair(X, Y).\n" },
    { "two orders",
      "found(X, Y) :- ask(X, _), pair(X, Y). found(X, Y) :- ask(X, _), pair(Y, X).\n" },
};

static uint64_t seed = 5;

static int64_t roll(void)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int64_t)((uint32_t)(seed >> 33) % NUMBERS);
}

static bool is_asked(void *context, const mangle_program *program, mangle_pred pred)
{
    (void)context;
    return mangle_program_pred(program, pred).name[0] == 'a';
}

static void must(enum mangle_status st, const char *what)
{
    if (st == MANGLE_OK)
        return;
    fprintf(stderr, "%s: %s\n", what, mangle_status_text(st));
    exit(1);
}

static double bytes_in_use(void)
{
    struct mallinfo2 m = mallinfo2();
    return (double)m.uordblks + (double)m.hblkhd;
}

static double cpu_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static void measure(const char *what, const char *rules)
{
    char text[300];
    int len = snprintf(text, sizeof text, "Decl pair(X, Y). Decl ask(X, Y).\n%s", rules);
    struct mangle_source source = { "bench.mg", text, (size_t)len };
    struct mangle_compile_options options = { .changeable = is_asked };
    struct mangle_limits limits = { .max_facts = -1, .max_bytes = -1 };
    mangle_program *p;
    mangle_base *base;
    must(mangle_compile(&source, 1, &options, &p, NULL), "compile");
    double before = bytes_in_use();
    must(mangle_base_new(p, &base), "base");
    mangle_values *v = mangle_base_values(base);
    mangle_pred pair = mangle_pred_find(p, "pair", 2);
    for (int i = 0; i < TUPLES; i++) {
        mangle_value args[2] = { mangle_number(v, roll()), mangle_number(v, roll()) };
        must(mangle_base_add(base, pair, args, 2, NULL, NULL), "add");
    }
    double began = cpu_ms();
    must(mangle_base_close(base, &limits, NULL, NULL), "close");
    printf("%-12s %5.1f bytes a tuple, closed in %6.1f ms\n", what,
           (bytes_in_use() - before) / TUPLES, cpu_ms() - began);
    mangle_base_unref(base);
    mangle_program_unref(p);
}

int main(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        measure(cases[i].what, cases[i].text);
    return 0;
}
