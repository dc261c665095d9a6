/* What a request costs that adds links to a large graph, with all of it derived and with only what
 * outputs ask for (mangle_compile_options.outputs): 61 rules, a million base facts, 20 facts a
 * request. Most links join two short chains; one request in a hundred puts a hub with thousands of
 * nodes behind it under some node. The same requests in turns, and the same answers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "mangle.h"

enum { NODES = 333333, CHAIN = 8, HUB_CHAINS = 600, KINDS = 19, TAGS = 200, REQUESTS = 4000 };
#define NOW INT64_C(1718020800000000000)

static uint64_t seed = 5;

static int64_t roll(int64_t sides)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int64_t)((seed >> 33) % (uint64_t)sides);
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

static bool is_given(void *context, const mangle_program *program, mangle_pred pred)
{
    const char *name = mangle_program_pred(program, pred).name;
    (void)context;
    return strcmp(name, "seen") == 0 || strcmp(name, "tied") == 0 || strcmp(name, "blocked") == 0;
}

static bool is_answer(void *context, const mangle_program *program, mangle_pred pred)
{
    const char *name = mangle_program_pred(program, pred).name;
    (void)context;
    return strncmp(name, "offered", 7) == 0 || strncmp(name, "score", 5) == 0;
}

static mangle_program *make_program(bool demand)
{
    static char text[16384];
    size_t len = (size_t)snprintf(
        text, sizeof text,
        "Decl edge(X, Y). Decl kind(X, K). Decl tag(X, T). Decl tied(X, Y). Decl seen(X).\n"
        "Decl blocked(T).\n"
        "link(X, Y) :- edge(X, Y). link(X, Y) :- tied(X, Y).\n"
        "above(X, Y) :- link(X, Y). above(X, Z) :- link(X, Y), above(Y, Z).\n");
    for (int k = 0; k < KINDS; k++)
        len += (size_t)snprintf(
            text + len, sizeof text - len,
            "marked%d(X, T) :- above(X, Y), kind(Y, %d), tag(Y, T).\n"
            "offered%d(T) :- seen(X), marked%d(X, T), !blocked(T).\n"
            "score%d(T, N) :- seen(X), marked%d(X, T) |> do fn:group_by(T), let N = fn:count().\n",
            k, k, k, k, k, k);
    struct mangle_source source = { "demand.mg", text, len };
    struct mangle_compile_options options = { .changeable = is_given,
                                              .outputs = demand ? is_answer : NULL };
    mangle_program *program;
    must(mangle_compile(&source, 1, &options, &program, NULL), "compile");
    return program;
}

static void add(mangle_base *base, const char *name, int64_t a, int64_t b)
{
    mangle_values *v = mangle_base_values(base);
    mangle_value args[2] = { mangle_number(v, a), mangle_number(v, b) };
    mangle_pred pred = mangle_pred_find(mangle_base_program(base), name, 2);
    must(mangle_base_add(base, pred, args, 2, NULL, NULL), name);
}

/* Chains of nodes; above the first of them stands the hub, the last node. */
static mangle_overlay *make_overlay(mangle_program *program)
{
    struct mangle_limits limits = { .max_facts = -1, .max_bytes = -1 };
    mangle_base *base;
    mangle_overlay *overlay;
    must(mangle_base_new(program, &base), "base");
    seed = 5;
    for (int64_t n = 0; n < NODES; n++) {
        if (n % CHAIN)
            add(base, "edge", n - 1, n);
        else if (n / CHAIN < HUB_CHAINS)
            add(base, "edge", NODES, n);
        add(base, "kind", n, roll(KINDS));
        add(base, "tag", n, roll(TAGS));
    }
    must(mangle_base_close(base, &limits, NULL, NULL), "close");
    must(mangle_overlay_new(base, &overlay), "overlay");
    mangle_base_unref(base);
    return overlay;
}

struct side {
    const char *name;
    mangle_program *program;
    mangle_overlay *overlay;
    int64_t spent[REQUESTS], sum;
    int64_t derived, derived_most;
    uint64_t answers;
};

static void give(struct side *s, const char *name, uint32_t count, int64_t a, int64_t b)
{
    mangle_values *v = mangle_overlay_values(s->overlay);
    mangle_value args[2] = { mangle_number(v, a), mangle_number(v, b) };
    mangle_pred pred = mangle_pred_find(s->program, name, count);
    must(mangle_overlay_add(s->overlay, pred, args, count, NULL, NULL), name);
}

static void read_answers(struct side *s)
{
    const mangle_values *v = mangle_overlay_values(s->overlay);
    for (mangle_pred p = 0; p < mangle_program_pred_count(s->program); p++) {
        const struct mangle_fact *facts;
        size_t count;
        if (!is_answer(NULL, s->program, p))
            continue;
        must(mangle_overlay_facts(s->overlay, p, &facts, &count), "facts");
        for (size_t i = 0; i < count; i++) {
            uint64_t h = p + 1;
            for (uint32_t a = 0; a < facts[i].count; a++)
                h = (h ^ (uint64_t)mangle_int_of(v, facts[i].args[a])) * UINT64_C(0x100000001b3);
            s->answers += h ^ h >> 29;
        }
    }
}

static void request(struct side *s, int number)
{
    struct mangle_limits limits = { .max_facts = -1, .max_bytes = -1 };
    struct mangle_stats stats;
    seed = (uint64_t)number + 1000;
    (void)roll(2);
    int64_t before = cpu_ns();
    for (int i = 0; i < 12; i++)
        give(s, "seen", 1, roll(NODES), 0);
    for (int i = 0; i < 4; i++) {
        int64_t above = roll(NODES), below = roll(NODES);
        give(s, "tied", 2, above, i == 0 && number % 100 == 0 ? NODES : below);
    }
    for (int i = 0; i < 4; i++)
        give(s, "blocked", 1, roll(TAGS), 0);
    must(mangle_overlay_eval(s->overlay, NOW, &limits, &stats, NULL), "eval");
    read_answers(s);
    mangle_overlay_reset(s->overlay);
    s->spent[number] = cpu_ns() - before;
    s->sum += s->spent[number];
    s->derived += stats.facts_derived;
    if (stats.facts_derived > s->derived_most)
        s->derived_most = stats.facts_derived;
}

static int by_size(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

int main(void)
{
    static struct side sides[2] = { { .name = "all" }, { .name = "on demand" } };
    for (int i = 0; i < 2; i++) {
        sides[i].program = make_program(i == 1);
        sides[i].overlay = make_overlay(sides[i].program);
    }
    for (int n = 0; n < REQUESTS; n++)
        for (int i = 0; i < 2; i++)
            request(&sides[(n + i) % 2], n);
    for (int i = 0; i < 2; i++) {
        struct side *s = &sides[i];
        qsort(s->spent, REQUESTS, sizeof *s->spent, by_size);
        printf("%s: mean %.1f us, median %.1f us, p99 %.1f us, most %.1f us; derived %.1f, at most "
               "%lld\n",
               s->name, (double)s->sum / REQUESTS / 1e3, (double)s->spent[REQUESTS / 2] / 1e3,
               (double)s->spent[REQUESTS / 100 * 99] / 1e3, (double)s->spent[REQUESTS - 1] / 1e3,
               (double)s->derived / REQUESTS, (long long)s->derived_most);
        mangle_overlay_free(s->overlay);
        mangle_program_unref(s->program);
    }
    if (sides[0].answers != sides[1].answers) {
        fprintf(stderr, "the answers differ\n");
        return 1;
    }
    return 0;
}
