/* engine_requests PROGRAM.mg NODES TOOLS REQUESTS FACTS: a base of 4 facts a node and one a tool,
 * then requests of FACTS facts each, about any node. Prints {"mean_us", "p50_us", "p99_us",
 * "derived", "base", "answer"}: processor time of giving the facts, evaluating, and reading the
 * answers (predicates whose names begin with "offered" or "score"); the answer is how many facts
 * they were, and an order-free checksum. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "mangle.h"
#include "table.h"

enum { KINDS = 20, TAGS = 200 };
#define NOW INT64_C(1718020800000000000)

static uint64_t seed = 11;

static int64_t roll(int64_t sides)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int64_t)(seed >> 33) % sides;
}

static void must(enum mangle_status st, const struct mangle_error *err)
{
    if (st != MANGLE_OK)
        give_up(mangle_status_text(st), err ? err->message : "");
}

/* Of this process: what others do on the machine does not count. */
static int64_t cpu_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static bool is_given(void *context, const mangle_program *program, mangle_pred pred)
{
    const char *name = mangle_program_pred(program, pred).name;
    (void)context;
    return strcmp(name, "seen") == 0 || strcmp(name, "blocked") == 0;
}

static mangle_program *program_of(const char *path)
{
    struct file text = file_read(path);
    struct mangle_source source = { path, text.text, text.len };
    struct mangle_compile_options options = { .changeable = is_given };
    mangle_program *program;
    must(mangle_compile(&source, 1, &options, &program, NULL), NULL);
    free(text.text);
    return program;
}

static void add(mangle_base *base, const char *name, int64_t a, int64_t b)
{
    mangle_values *v = mangle_base_values(base);
    mangle_value args[2] = { mangle_number(v, a), mangle_number(v, b) };
    must(mangle_base_add(base, mangle_pred_find(mangle_base_program(base), name, 2), args, 2, NULL,
                         NULL),
         NULL);
}

static mangle_base *base_of(mangle_program *program, int64_t nodes, int64_t tools)
{
    struct mangle_limits limits = { .max_facts = -1, .max_bytes = -1 };
    struct mangle_error err = { 0 };
    mangle_base *base;
    must(mangle_base_new(program, &base), NULL);
    for (int64_t n = 0; n < nodes; n++) {
        add(base, "edge", n, roll(nodes));
        add(base, "edge", n, roll(nodes));
        add(base, "kind", n, roll(KINDS));
        add(base, "tag", n, roll(TAGS));
    }
    for (int64_t t = 0; t < tools; t++)
        add(base, "offers", t, t % (TAGS * 4));
    must(mangle_base_close(base, &limits, NULL, &err), &err);
    return base;
}

static void give(mangle_overlay *overlay, mangle_pred pred, int64_t n)
{
    mangle_value arg = mangle_number(mangle_overlay_values(overlay), n);
    must(mangle_overlay_add(overlay, pred, &arg, 1, NULL, NULL), NULL);
}

struct answers {
    uint64_t count, sum;
    mangle_pred *preds;
    size_t pred_count;
};

static struct answers answers_of(const mangle_program *program)
{
    struct answers a = { .preds = calloc(mangle_program_pred_count(program) + 1, sizeof *a.preds) };
    if (!a.preds)
        give_up("requests", "out of memory");
    for (mangle_pred p = 0; p < mangle_program_pred_count(program); p++) {
        const char *name = mangle_program_pred(program, p).name;
        if (strncmp(name, "offered", 7) == 0 || strncmp(name, "score", 5) == 0)
            a.preds[a.pred_count++] = p;
    }
    return a;
}

/* Each fact's hash has its predicate's name in it: their numbers depend on the text. */
static uint64_t fact_hash(const mangle_program *program, const mangle_values *values,
                          const struct mangle_fact *fact)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (const char *c = mangle_program_pred(program, fact->pred).name; *c; c++)
        h = (h ^ (unsigned char)*c) * UINT64_C(0x100000001b3);
    for (uint32_t i = 0; i < fact->count; i++) {
        h = (h ^ (uint64_t)mangle_int_of(values, fact->args[i])) * UINT64_C(0xbf58476d1ce4e5b9);
        h ^= h >> 29;
    }
    return h;
}

static int64_t request(mangle_overlay *overlay, const mangle_program *program, int64_t nodes,
                       int facts, struct answers *a, struct mangle_stats *stats)
{
    mangle_pred seen = mangle_pred_find(program, "seen", 1),
                blocked = mangle_pred_find(program, "blocked", 1);
    struct mangle_limits limits = { .max_facts = -1, .max_bytes = -1 };
    struct mangle_error err = { 0 };
    uint64_t sum = 0;
    int64_t begun = cpu_ns();
    for (int i = 0; i < facts; i++)
        give(overlay, i % 5 == 4 ? blocked : seen, i % 5 == 4 ? roll(TAGS) : roll(nodes));
    must(mangle_overlay_eval(overlay, NOW, &limits, stats, &err), &err);
    for (size_t p = 0; p < a->pred_count; p++) {
        const struct mangle_fact *found;
        size_t count;
        must(mangle_overlay_facts(overlay, a->preds[p], &found, &count), NULL);
        a->count += count;
        for (size_t f = 0; f < count; f++)
            sum += fact_hash(program, mangle_overlay_values(overlay), &found[f]);
    }
    mangle_overlay_reset(overlay);
    a->sum += sum;
    return cpu_ns() - begun;
}

static int by_size(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
    if (argc != 6)
        give_up("usage", "engine_requests PROGRAM.mg NODES TOOLS REQUESTS FACTS");
    int64_t nodes = strtoll(argv[2], NULL, 10), tools = strtoll(argv[3], NULL, 10), sum = 0;
    size_t requests = (size_t)strtoll(argv[4], NULL, 10), warm = requests / 10;
    mangle_program *program = program_of(argv[1]);
    mangle_base *base = base_of(program, nodes, tools);
    mangle_overlay *overlay;
    must(mangle_overlay_new(base, &overlay), NULL);
    struct answers answers = answers_of(program);
    struct mangle_stats stats;
    int64_t derived = 0, *spent = calloc(requests + 1, sizeof *spent);
    if (!spent || requests == 0)
        give_up("requests", "out of memory, or none");
    for (size_t i = 0; i < warm + requests; i++) {
        int64_t ns =
            request(overlay, program, nodes, (int)strtol(argv[5], NULL, 10), &answers, &stats);
        if (i < warm)
            continue;
        spent[i - warm] = ns;
        sum += ns;
        derived += stats.facts_derived;
    }
    qsort(spent, requests, sizeof *spent, by_size);
    double n = (double)requests;
    printf("{\"mean_us\": %.3f, \"p50_us\": %.3f, \"p99_us\": %.3f, \"derived\": %.2f, \"base\": "
           "%" PRId64 ", \"answer\": \"%" PRIu64 " %016" PRIx64 "\"}\n",
           (double)sum / n / 1e3, (double)spent[requests / 2] / 1e3,
           (double)spent[requests * 99 / 100] / 1e3, (double)derived / n, 4 * nodes + tools,
           answers.count, answers.sum);
    free(spent);
    free(answers.preds);
    mangle_overlay_free(overlay);
    mangle_base_unref(base);
    mangle_program_unref(program);
    return 0;
}
