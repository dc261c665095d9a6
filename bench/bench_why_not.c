/* What it costs to ask why a tool is absent: a domain of 260 tools, a request of 500 facts. Prints
 * the time of the intent alone, and with the question for a tool whose facts are missing, one that
 * is prohibited by a fact, one that lost a conflict, and one that nothing brings:
 *
 *   bench_why_not [ROUNDS]       20 if not given; the median is told */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/time.h"
#include "intent/intent.h"

#define TOOLS      260
#define FACTS      500
#define MAX_ROUNDS 1000
#define NOW        INT64_C(1783166400000000000) /* 2026-07-04T12:00:00Z */

static int64_t monotonic_ns(void *context)
{
    (void)context;
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * NS_PER_SEC + t.tv_nsec;
}

/* Of this process: what others do on the machine does not count. */
static int64_t cpu_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (int64_t)t.tv_sec * NS_PER_SEC + t.tv_nsec;
}

static void stop(const char *why)
{
    fprintf(stderr, "bench_why_not: %s\n", why);
    exit(1);
}

/* ---- the domain ------------------------------------------------------------------------------ */

static void write_file(const char *folder, const char *path, const struct buf *text)
{
    char full[256];
    snprintf(full, sizeof full, "%s/%s", folder, path);
    FILE *f = fopen(full, "w");
    if (!f || text->oom || fwrite(text->ptr, 1, text->len, f) != text->len || fclose(f) != 0)
        stop("the domain could not be written");
}

static void write_rules(struct buf *out)
{
    for (int i = 0; i < TOOLS; i++) {
        int group = i / 10;
        mgi_buf_printf(out,
                       "tool_relevant_to_intent(\"t%03d\", \"go\", %d) :-\n"
                       "  reading(Place, \"m%d\", N), %d <= N, in_use(Place), !closed(Place).\n",
                       i, 30 + i % 70, group, 50 + i % 10);
        if (i % 10 == 1)
            mgi_buf_printf(out, "conflicts_with(\"t%03d\", \"t%03d\").\n", i - 1, i);
        if (i % 10 == 3)
            mgi_buf_printf(out, "tool_requires(\"t%03d\", \"t%03d\").\n", i - 1, i);
    }
    mgi_buf_puts(out, "in_use(Place) :- occupied(Place, _).\n"
                      "in_use(Place) :- booked(Place).\n");
}

static void make_domain(const char *folder)
{
    static const char *const folders[] = { "rules", "rules/schema", "rules/domain", "rules/policy",
                                           "tools" };
    struct buf text = { 0 };
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        char full[256];
        snprintf(full, sizeof full, "%s/%s", folder, folders[i]);
        mkdir(full, 0700);
    }
    mgi_buf_puts(&text, "server: {name: b, version: 1.0.0}\ndomain: {id: b, description: b}\n"
                        "intents: [{name: go, description: g}]\n");
    write_file(folder, "domain.yaml", &text);
    mgi_buf_clear(&text);
    mgi_buf_puts(
        &text, "Decl reading(Place, Metric, N) descr [direction(\"input\")]\n"
               "  bound [/string, /string, /number].\n"
               "Decl occupied(Place, Who) descr [direction(\"input\")] bound [/string, /string].\n"
               "Decl booked(Place) descr [direction(\"input\")] bound [/string].\n"
               "Decl closed(Place) descr [direction(\"input\")] bound [/string].\n"
               "Decl out_of_order(Tool) descr [direction(\"input\")] bound [/string].\n");
    write_file(folder, "rules/schema/s.mg", &text);
    mgi_buf_clear(&text);
    write_rules(&text);
    write_file(folder, "rules/domain/d.mg", &text);
    mgi_buf_clear(&text);
    mgi_buf_puts(&text, "prohibited(T, \"r\") :- out_of_order(T).\n");
    write_file(folder, "rules/policy/p.mg", &text);
    mgi_buf_clear(&text);
    for (int i = 0; i < TOOLS; i++)
        mgi_buf_printf(&text,
                       "- tool: t%03d\n  summary: s\n  description: d\n"
                       "  input_schema: {type: object}\n",
                       i);
    mgi_buf_puts(&text, "- tool: never\n  summary: s\n  description: d\n"
                        "  input_schema: {type: object}\n");
    write_file(folder, "tools/t.yaml", &text);
    mgi_buf_fini(&text);
}

static bool no_actions(void *context, void *begun, struct arena *arena,
                       const struct action_provider *provider, struct action **actions,
                       size_t *count, const char **why)
{
    (void)context, (void)begun, (void)arena, (void)provider, (void)actions, (void)count, (void)why;
    return true;
}

static struct snapshot *load(const char *folder)
{
    static const struct action_source actions = { .list = no_actions };
    struct domain_options options = { .actions = &actions };
    struct findings *findings = mgi_findings_new();
    struct snapshot *s = findings ? mgi_domain_load(folder, &options, findings) : NULL;
    for (size_t i = 0; findings && !s && i < mgi_findings_count(findings); i++)
        fprintf(stderr, "%s\n", mgi_findings_get(findings, i)->message);
    mgi_findings_free(findings);
    if (!s)
        stop("the domain does not load");
    return s;
}

/* ---- the request ------------------------------------------------------------------------------
 */

static void write_payload(struct buf *out)
{
    mgi_buf_puts(out, "{\"intent\":{\"name\":\"go\"},\"facts\":[");
    for (int i = 0; i < FACTS - 2; i++) {
        int place = i / 2;
        if (i % 2 == 0)
            mgi_buf_printf(out, "{\"pred\":\"reading\",\"args\":[\"p%d\",\"m%d\",%d]},", place,
                           place % 20, 40 + place % 30);
        else
            mgi_buf_printf(out, "{\"pred\":\"occupied\",\"args\":[\"p%d\",\"w%d\"]},", place, i);
    }
    mgi_buf_puts(out, "{\"pred\":\"out_of_order\",\"args\":[\"t005\"]},"
                      "{\"pred\":\"out_of_order\",\"args\":[\"t013\"]}]}");
}

struct bench {
    struct snapshot *snapshot;
    struct intent_worker *worker;
    struct arena arena;
    struct buf payload, answer, why;
    bool restricted; /* who asks may not be told everything */
    int64_t times[MAX_ROUNDS];
};

static int64_t run_once(struct bench *b, const char *tools)
{
    static const struct principal local = { .kind = PRINCIPAL_LOCAL,
                                            .identity = { "local", 5 },
                                            .expires_ns = INT64_MAX };
    struct json payload, names = { .type = JSON_ARRAY };
    struct wire_error e = { 0 };
    mgi_arena_reset(&b->arena);
    mgi_buf_clear(&b->answer);
    mgi_buf_clear(&b->why);
    int64_t began = cpu_ns();
    if (mgi_json_parse(&b->arena, mgi_buf_view(&b->payload), NULL, &payload, NULL) != JSON_OK ||
        (tools && mgi_json_parse(&b->arena, str_of(tools), NULL, &names, NULL) != JSON_OK))
        stop("not JSON");
    struct why_not_question question = { &names, !b->restricted, &b->why };
    struct intent_call call = { .snapshot = b->snapshot,
                                .who = &local,
                                .payload = &payload,
                                .clock_ns = NOW,
                                .mono = monotonic_ns,
                                .why_not = tools ? &question : NULL };
    if (!mgi_intent_evaluate(b->worker, &call, &b->arena, &b->answer, &e))
        stop(e.message ? e.message : "the intent failed");
    return cpu_ns() - began;
}

static int ascending_times(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static void measure(struct bench *b, const char *what, const char *tools, int rounds)
{
    for (int i = 0; i < rounds; i++)
        b->times[i] = run_once(b, tools);
    qsort(b->times, (size_t)rounds, sizeof *b->times, ascending_times);
    printf("why not: %.2f ms of CPU (%s)\n", (double)b->times[rounds / 2] / (double)NS_PER_MS,
           what);
    if (tools && getenv("SHOW"))
        printf("%s\n", b->why.ptr);
}

int main(int argc, char **argv)
{
    char folder[] = "/tmp/bench-why-not-XXXXXX", command[64];
    struct bench b = { 0 };
    int rounds = argc > 1 ? atoi(argv[1]) : 20;
    if (rounds < 1 || rounds > MAX_ROUNDS || !mkdtemp(folder))
        stop("1 to 1000 rounds, and a folder below /tmp");
    make_domain(folder);
    b.snapshot = load(folder);
    b.worker = mgi_intent_worker_new();
    mgi_arena_init(&b.arena, 0);
    write_payload(&b.payload);
    measure(&b, "the intent alone, 260 tools and 500 facts", NULL, rounds);
    measure(&b, "a tool whose facts are missing", "[\"t255\"]", rounds);
    measure(&b, "one that a fact prohibits", "[\"t005\"]", rounds);
    measure(&b, "one that lost a conflict", "[\"t010\"]", rounds);
    measure(&b, "one that nothing brings", "[\"never\"]", rounds);
    measure(&b, "four at once", "[\"t255\",\"t005\",\"t010\",\"never\"]", rounds);
    b.restricted = true;
    measure(&b, "one that does not exist, to who may not be told so", "[\"nobody\"]", rounds);
    mgi_intent_worker_free(b.worker);
    mgi_snapshot_unref(b.snapshot);
    mgi_arena_fini(&b.arena);
    mgi_buf_fini(&b.payload);
    mgi_buf_fini(&b.answer);
    mgi_buf_fini(&b.why);
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command) == 0 ? 0 : 1;
}
