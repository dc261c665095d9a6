/* What a request costs above bases of a thousand, a hundred thousand and a million facts: 20 facts,
 * rules with a join of two steps, negation, a count and a window. Prints microseconds at the median
 * and the 99th percentile, the most memory a request took, and what the largest base costs beside
 * the smallest. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "mangle.h"

enum { REQUESTS = 5000, MIDDLE = REQUESTS / 2, P99 = REQUESTS / 100 * 99 };
#define NOW INT64_C(1718020800000000000)

static const char program_text[] =
    "Decl edge(X, Y). Decl tag(X, T). Decl seen(X). Decl blocked(T). Decl event(X) temporal.\n"
    "near(X, Y) :- seen(X), edge(X, Y).\n"
    "near(X, Z) :- seen(X), edge(X, Y), edge(Y, Z).\n"
    "found(T) :- near(_, Y), tag(Y, T).\n"
    "tool(T) :- found(T), !blocked(T).\n"
    "score(T, N) :- near(X, Y), tag(Y, T), tool(T) |> do fn:group_by(T), let N = fn:count().\n"
    "urgent(T) :- <-[5m] event(X), tag(X, T).\n"
    "final(T) :- tool(T), urgent(T).\n"
    "two(X, Z) :- edge(X, Y), edge(Y, Z), tag(X, 1).\n";

/* Of three facts two are edges and one is a tag of a node: how many a node has does not depend on
 * the size of the base. */
static int64_t base_facts(uint32_t nodes)
{
    return 3 * (int64_t)nodes;
}

static uint64_t seed = 7;

static int64_t roll(uint32_t sides)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int64_t)((uint32_t)(seed >> 33) % sides);
}

static bool is_open(void *context, const mangle_program *program, mangle_pred pred)
{
    const char *name = mangle_program_pred(program, pred).name;
    (void)context;
    return name[0] == 's' || name[0] == 'b' || name[0] == 'e' ? name[1] != 'd' && name[1] != 'c'
                                                              : false;
}

/* Of this process: what others do on the machine does not count. */
static int64_t cpu_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void must(enum mangle_status st, const char *what)
{
    if (st == MANGLE_OK)
        return;
    fprintf(stderr, "%s: %s\n", what, mangle_status_text(st));
    exit(1);
}

static mangle_base *make_base(mangle_program *p, uint32_t nodes)
{
    mangle_base *base;
    must(mangle_base_new(p, &base), "base");
    mangle_values *v = mangle_base_values(base);
    mangle_pred edge = mangle_pred_find(p, "edge", 2), tag = mangle_pred_find(p, "tag", 2);
    for (uint32_t i = 0; i < 2 * nodes; i++) {
        mangle_value args[2] = { mangle_number(v, roll(nodes)), mangle_number(v, roll(nodes)) };
        must(mangle_base_add(base, edge, args, 2, NULL, NULL), "edge");
    }
    for (uint32_t i = 0; i < nodes; i++) {
        mangle_value args[2] = { mangle_number(v, i), mangle_number(v, roll(200)) };
        must(mangle_base_add(base, tag, args, 2, NULL, NULL), "tag");
    }
    must(mangle_base_close(base, NULL, NULL, NULL), "close");
    return base;
}

static void give(mangle_overlay *o, mangle_pred pred, int64_t n, const struct mangle_interval *t)
{
    mangle_value arg = mangle_number(mangle_overlay_values(o), n);
    must(mangle_overlay_add(o, pred, &arg, 1, t, NULL), "add");
}

/* About nodes below `asked`. */
static void request(mangle_overlay *o, mangle_program *p, uint32_t asked,
                    struct mangle_stats *stats)
{
    const struct mangle_fact *facts;
    size_t count;
    mangle_pred seen = mangle_pred_find(p, "seen", 1), event = mangle_pred_find(p, "event", 1);
    for (int i = 0; i < 12; i++)
        give(o, seen, roll(asked), NULL);
    for (int i = 0; i < 6; i++)
        give(o, event, roll(asked), &(struct mangle_interval){ NOW - 1000, NOW - 1000 });
    for (int i = 0; i < 2; i++)
        give(o, mangle_pred_find(p, "blocked", 1), roll(200), NULL);
    must(mangle_overlay_eval(o, NOW, NULL, stats, NULL), "eval");
    must(mangle_overlay_facts(o, mangle_pred_find(p, "score", 2), &facts, &count), "facts");
    must(mangle_overlay_facts(o, mangle_pred_find(p, "final", 1), &facts, &count), "facts");
    mangle_overlay_reset(o);
}

static int by_size(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Nanoseconds a request costs at the median, if requests are about the first `asked` nodes. */
static int64_t measure(mangle_program *p, uint32_t nodes, uint32_t asked)
{
    int64_t before = cpu_ns();
    mangle_base *base = make_base(p, nodes);
    printf("base of %lld facts, requests about %u nodes: %.1f ms\n", (long long)base_facts(nodes),
           asked, (double)(cpu_ns() - before) / 1e6);
    mangle_overlay *o;
    must(mangle_overlay_new(base, &o), "overlay");
    static int64_t spent[REQUESTS], empty[REQUESTS];
    struct mangle_stats stats;
    int64_t facts = 0;
    size_t bytes = 0;
    for (int i = 0; i < REQUESTS; i++) {
        before = cpu_ns();
        request(o, p, asked, &stats);
        spent[i] = cpu_ns() - before;
        facts += stats.facts_derived;
        bytes = stats.bytes > bytes ? stats.bytes : bytes;
    }
    for (int i = 0; i < REQUESTS; i++) {
        before = cpu_ns();
        must(mangle_overlay_eval(o, NOW, NULL, NULL, NULL), "empty");
        mangle_overlay_reset(o);
        empty[i] = cpu_ns() - before;
    }
    qsort(spent, REQUESTS, sizeof *spent, by_size);
    qsort(empty, REQUESTS, sizeof *empty, by_size);
    printf("  request of 20 facts, %.0f derived: median %.1f us, p99 %.1f us, %zu bytes at most\n",
           (double)facts / REQUESTS, (double)spent[MIDDLE] / 1e3, (double)spent[P99] / 1e3, bytes);
    printf("  empty request: median %.1f us\n", (double)empty[MIDDLE] / 1e3);
    mangle_overlay_free(o);
    mangle_base_unref(base);
    return spent[MIDDLE];
}

int main(void)
{
    struct mangle_source source = { "bench.mg", program_text, sizeof program_text - 1 };
    struct mangle_compile_options options = { .changeable = is_open };
    mangle_program *p;
    must(mangle_compile(&source, 1, &options, &p, NULL), "compile");
    uint32_t few = 1000 / 3, some = 100000 / 3, many = 1000000 / 3;
    int64_t small = measure(p, few, few);
    measure(p, some, some);
    int64_t corner = measure(p, many, few), large = measure(p, many, many);
    printf("above a million facts a request costs %.2f times as much as above a thousand if it\n"
           "stays in one corner of them, as a session does, and %.2f times if it is about any:\n"
           "then nearly every row is read from memory, not from the cache\n",
           (double)corner / (double)small, (double)large / (double)small);
    mangle_program_unref(p);
    return 0;
}
