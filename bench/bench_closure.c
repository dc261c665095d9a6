/* Transitive closure in a base: nanoseconds per derivation (repeated ones included), on a chain
 * (many small rounds) and on random graphs (few large ones). If SQLite was found at build time it
 * computes the same closure with a recursive common table expression, and the ratio is printed:
 * both run in this process, so a noisy machine disturbs them alike. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "mangle.h"

#ifdef HAVE_SQLITE3
#include <sqlite3.h>
#endif

struct graph {
    uint32_t count;
    int (*edges)[2];
};

static uint32_t roll(uint64_t *seed, uint32_t sides)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*seed >> 33) % sides;
}

static struct graph chain(uint32_t nodes)
{
    struct graph g = { nodes - 1, calloc(nodes, sizeof *g.edges) };
    for (uint32_t i = 0; i + 1 < nodes; i++) {
        g.edges[i][0] = (int)i;
        g.edges[i][1] = (int)i + 1;
    }
    return g;
}

static struct graph scattered(uint32_t nodes, uint32_t edges)
{
    struct graph g = { edges, calloc(edges, sizeof *g.edges) };
    uint64_t seed = 42;
    for (uint32_t i = 0; i < edges; i++) {
        g.edges[i][0] = (int)roll(&seed, nodes);
        g.edges[i][1] = (int)roll(&seed, nodes);
    }
    return g;
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

static bool never(void *context, const mangle_program *program, mangle_pred pred)
{
    (void)context, (void)program, (void)pred;
    return false;
}

static double close_ours(const struct graph *g, struct mangle_stats *stats)
{
    static const char text[] = "Decl edge(X, Y). path(X, Y) :- edge(X, Y).\n"
                               "path(X, Z) :- path(X, Y), edge(Y, Z).\n";
    static const struct mangle_limits limits = { .max_facts = -1, .max_bytes = -1 };
    struct mangle_source source = { "bench.mg", text, sizeof text - 1 };
    struct mangle_compile_options options = { .changeable = never };
    mangle_program *program;
    mangle_base *base;
    must(mangle_compile(&source, 1, &options, &program, NULL), "compile");
    must(mangle_base_new(program, &base), "base");
    mangle_pred edge = mangle_pred_find(program, "edge", 2);
    int64_t before = cpu_ns();
    for (uint32_t i = 0; i < g->count; i++) {
        mangle_value args[2] = { mangle_number(mangle_base_values(base), g->edges[i][0]),
                                 mangle_number(mangle_base_values(base), g->edges[i][1]) };
        must(mangle_base_add(base, edge, args, 2, NULL, NULL), "add");
    }
    must(mangle_base_close(base, &limits, stats, NULL), "close");
    double ns = (double)(cpu_ns() - before);
    mangle_base_unref(base);
    mangle_program_unref(program);
    return ns;
}

#ifdef HAVE_SQLITE3
static double close_sqlite(const struct graph *g, int64_t expected)
{
    sqlite3 *db;
    sqlite3_stmt *insert, *count;
    if (sqlite3_open(":memory:", &db))
        exit(1);
    int64_t before = cpu_ns();
    sqlite3_exec(db, "create table edge(x int, y int); create index by_x on edge(x, y); begin",
                 NULL, NULL, NULL);
    sqlite3_prepare_v2(db, "insert into edge values(?, ?)", -1, &insert, NULL);
    for (uint32_t i = 0; i < g->count; i++) {
        sqlite3_bind_int(insert, 1, g->edges[i][0]);
        sqlite3_bind_int(insert, 2, g->edges[i][1]);
        sqlite3_step(insert);
        sqlite3_reset(insert);
    }
    sqlite3_exec(db, "commit", NULL, NULL, NULL);
    sqlite3_prepare_v2(db,
                       "with recursive path(x, y) as (select x, y from edge union "
                       "select path.x, edge.y from path join edge on path.y = edge.x) "
                       "select count(*) from path",
                       -1, &count, NULL);
    sqlite3_step(count);
    int64_t found = sqlite3_column_int64(count, 0);
    double ns = (double)(cpu_ns() - before);
    sqlite3_finalize(insert);
    sqlite3_finalize(count);
    sqlite3_close(db);
    if (found != expected) {
        fprintf(stderr, "SQLite finds %lld, we find %lld\n", (long long)found, (long long)expected);
        exit(1);
    }
    return ns;
}
#endif

static void compare(const char *name, struct graph g)
{
    struct mangle_stats stats;
    double best = 0;
    for (int i = 0; i < 3; i++) {
        double ns = close_ours(&g, &stats);
        best = i == 0 || ns < best ? ns : best;
    }
    printf("%-22s %9lld facts %10lld derivations %8.1f ms %6.1f ns/derivation", name,
           (long long)stats.facts_derived, (long long)stats.rule_firings, best / 1e6,
           best / (double)stats.rule_firings);
#ifdef HAVE_SQLITE3
    double theirs = close_sqlite(&g, stats.facts_derived);
    printf("   SQLite %8.1f ms, %.1f times ours", theirs / 1e6, theirs / best);
#else
    printf("   SQLite is not installed");
#endif
    printf("\n");
    free(g.edges);
}

int main(void)
{
    compare("chain of 1,000", chain(1000));
    compare("random 1,000 / 2,000", scattered(1000, 2000));
    compare("random 2,000 / 3,000", scattered(2000, 3000));
    compare("random 500 / 5,000", scattered(500, 5000));
    return 0;
}
