/* What an intent costs as tools and facts grow, from the payload's text to the answer's: a domain
 * whose rules stay the same, while the tools that facts name and the facts of a request become
 * more. Ten tools come out where the facts of a request name two topics, none where it sends
 * nothing.
 *
 *   bench_intent_growth                        the table: microseconds of processor time, medians
 *   bench_intent_growth TOOLS FACTS [ROUNDS]   one place of it; under a profiler, ROUNDS are few */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/time.h"
#include "intent/intent.h"

#define TOPIC_TOOLS 5 /* tools of one topic */
#define TOPICS      2 /* that a request names */
#define VARIANTS    8 /* requests of which no two are equal */
#define MAX_ROUNDS  5000
#define STORE_BYTES ((size_t)64 * 1024 * 1024)
#define NOW         INT64_C(1783166400000000000) /* 2026-07-04T12:00:00Z */

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
    fprintf(stderr, "bench_intent_growth: %s\n", why);
    exit(1);
}

/* ---- the domain ------------------------------------------------------------------------------ */

static void write_file(const char *folder, const char *path, struct buf *text)
{
    char full[256];
    snprintf(full, sizeof full, "%s/%s", folder, path);
    FILE *f = fopen(full, "w");
    if (!f || text->oom || fwrite(text->ptr, 1, text->len, f) != text->len || fclose(f) != 0)
        stop("the domain could not be written");
    mgi_buf_clear(text);
}

static void write_tool(struct buf *out, int i)
{
    mgi_buf_printf(
        out,
        "- tool: tool_%04d\n  summary: Looks into part %d of what the system says of itself.\n"
        "  description: >\n"
        "    Looks into part %d of what the system says of itself, and tells what it found there. "
        "Use it when a\n"
        "    \"warning\" or an error names this part; it changes nothing, and takes a second at "
        "most.\n"
        "  input_schema:\n    type: object\n    additionalProperties: false\n    required: "
        "[place]\n"
        "    properties:\n"
        "      place: {type: string, minLength: 1, description: 'Where to look: a name, or a "
        "path'}\n"
        "      depth: {type: integer, minimum: 0, maximum: 9, default: 2, description: How far to "
        "go}\n"
        "      since: {type: string, description: 'An instant; what is older is left out'}\n"
        "      order: {type: string, enum: [name, age, size], default: name}\n",
        i, i, i);
}

static void make_domain(const char *folder, int tools)
{
    static const char *const folders[] = { "rules", "rules/schema", "rules/domain", "facts",
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
    mgi_buf_puts(&text,
                 "Decl about(Tool, Topic, Score) bound [/string, /string, /number].\n"
                 "Decl wanted(Topic) descr [direction(\"input\")] bound [/string].\n"
                 "Decl event(Id, Topic, N) temporal descr [direction(\"input\")]\n"
                 "  bound [/string, /string, /number].\n"
                 "Decl reading(Place, N) descr [direction(\"input\")] bound [/string, /number].\n");
    write_file(folder, "rules/schema/s.mg", &text);
    mgi_buf_puts(&text,
                 "busy(Topic) :- <-[0s, 5m] event(Id, Topic, N), 90 < N, !calm(Topic).\n"
                 "calm(Topic) :- reading(Topic, N), N < 3.\n"
                 "tool_relevant_to_intent(T, \"go\", S) :- wanted(Topic), about(T, Topic, S).\n"
                 "macro_tool(T, \"condensed\") :- wanted(Topic), busy(Topic), about(T, Topic, S), "
                 "S < 60.\n");
    write_file(folder, "rules/domain/d.mg", &text);
    for (int i = 0; i < tools; i++)
        mgi_buf_printf(&text, "about(\"tool_%04d\", \"topic%d\", %d).\n", i, i / TOPIC_TOOLS,
                       45 + 10 * (i % TOPIC_TOOLS));
    write_file(folder, "facts/about.mg", &text);
    for (int i = 0; i < tools; i++)
        write_tool(&text, i);
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

/* ---- the requests ---------------------------------------------------------------------------- */

static void write_fact(struct buf *out, int tools, int variant, int i)
{
    int topics = tools / TOPIC_TOOLS, topic = (variant * TOPICS + i) % topics;
    long long at_ms = NOW / NS_PER_MS - 1000 * (i + 1);
    if (i > 0)
        mgi_buf_putc(out, ',');
    if (i < TOPICS)
        mgi_buf_printf(out, "{\"pred\":\"wanted\",\"args\":[\"topic%d\"]}", topic);
    else if (i % 2 == 0)
        mgi_buf_printf(out,
                       "{\"pred\":\"event\",\"args\":[\"e%d-%d\",\"topic%d\",%d],"
                       "\"t\":{\"at\":%lld}}",
                       variant, i, topic, i % 100, at_ms);
    else
        mgi_buf_printf(out, "{\"pred\":\"reading\",\"args\":[\"place %d-%d\",%d]}", variant, i,
                       i % 50);
}

static void write_payload(struct buf *out, int tools, int facts, int variant)
{
    mgi_buf_puts(out, "{\"intent\":{\"name\":\"go\"},\"eval_time\":\"2026-07-04T12:00:00Z\","
                      "\"facts\":[");
    for (int i = 0; i < facts; i++)
        write_fact(out, tools, variant, i);
    mgi_buf_puts(out, "]}");
    if (out->oom)
        stop("out of memory");
}

struct bench {
    struct snapshot *snapshot;
    struct intent_worker *worker;
    struct store store;
    struct arena arena;
    struct buf answer;
    struct buf payloads[VARIANTS];
    int64_t times[MAX_ROUNDS];
};

static int64_t run_once(struct bench *b, int variant)
{
    static const struct principal local = { .kind = PRINCIPAL_LOCAL,
                                            .identity = { "local", 5 },
                                            .expires_ns = INT64_MAX };
    struct json payload;
    struct wire_error e = { 0 };
    int64_t began = cpu_ns();
    mgi_arena_reset(&b->arena);
    mgi_buf_clear(&b->answer);
    if (mgi_json_parse(&b->arena, mgi_buf_view(&b->payloads[variant]), NULL, &payload, NULL) !=
        JSON_OK)
        stop("the payload is not JSON");
    struct intent_call call = { .snapshot = b->snapshot,
                                .who = &local,
                                .payload = &payload,
                                .clock_ns = NOW,
                                .mono = monotonic_ns,
                                .store = &b->store };
    if (!mgi_intent_evaluate(b->worker, &call, &b->arena, &b->answer, &e))
        stop(e.message ? e.message : "the intent failed");
    return cpu_ns() - began;
}

static int ascending(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Microseconds at the median. */
static double measure(struct bench *b, int tools, int facts, int rounds)
{
    for (int v = 0; v < VARIANTS; v++) {
        mgi_buf_clear(&b->payloads[v]);
        write_payload(&b->payloads[v], tools, facts, v);
    }
    for (int i = 0; i < VARIANTS; i++)
        run_once(b, i);
    for (int i = 0; i < rounds; i++)
        b->times[i] = run_once(b, i % VARIANTS);
    qsort(b->times, (size_t)rounds, sizeof *b->times, ascending);
    if (getenv("SHOW"))
        printf("%.*s\n", (int)b->answer.len, b->answer.ptr);
    return (double)b->times[rounds / 2] / 1000;
}

/* With so many tools: a line of the table, a column for each number of facts. */
static void measure_tools(int tools, const int *facts, size_t count, int rounds)
{
    char folder[] = "/tmp/bench-intent-growth-XXXXXX", command[64];
    struct bench *b = calloc(1, sizeof *b);
    if (!b || !mkdtemp(folder) || !mgi_store_memory(STORE_BYTES, &b->store))
        stop("no memory, or no folder below /tmp");
    make_domain(folder, tools);
    b->snapshot = load(folder);
    b->worker = mgi_intent_worker_new();
    if (!b->worker)
        stop("out of memory");
    mgi_arena_init(&b->arena, 0);
    printf("| %d |", tools);
    for (size_t i = 0; i < count; i++) {
        int n = rounds ? rounds : facts[i] > 1000 ? 201 : 1001;
        printf(" %.1f |", measure(b, tools, facts[i], n));
        fflush(stdout);
    }
    printf("\n");
    for (int v = 0; v < VARIANTS; v++)
        mgi_buf_fini(&b->payloads[v]);
    mgi_buf_fini(&b->answer);
    mgi_arena_fini(&b->arena);
    mgi_store_close(&b->store);
    mgi_intent_worker_free(b->worker);
    mgi_snapshot_unref(b->snapshot);
    free(b);
    snprintf(command, sizeof command, "rm -r %s", folder);
    if (system(command) != 0)
        stop("the folder could not be removed");
}

int main(int argc, char **argv)
{
    static const int tools[] = { 10, 100, 260, 1000, 4000 }, facts[] = { 0, 10, 500, 3000 };
    int rounds = argc > 3 ? atoi(argv[3]) : 0;
    if (rounds < 0 || rounds > MAX_ROUNDS)
        stop("5000 rounds at most");
    if (argc > 2) {
        int few = atoi(argv[2]);
        measure_tools(atoi(argv[1]) < 10 ? 10 : atoi(argv[1]), &few, 1, rounds);
        return 0;
    }
    printf("intent: microseconds of processor time, by tools (lines) and facts\n"
           "| tools | 0 facts | 10 | 500 | 3,000 |\n|---|---|---|---|---|\n");
    for (size_t i = 0; i < sizeof tools / sizeof *tools; i++)
        measure_tools(tools[i], facts, sizeof facts / sizeof *facts, 0);
    return 0;
}
