/* What an intent costs on the browser domain, from the payload's text to the answer's: 50 facts of
 * a page that failed, with no two requests equal. Prints microseconds at the median and the 99th
 * percentile, and how much memory requests take, early and late:
 *
 * And what it costs to judge one of its tools again, as an invocation does: the same facts, the
 * clock a second on.
 *
 *   bench_intent [REQUESTS]       20000 if not given; a million shows that nothing grows */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/time.h"
#include "intent/intent.h"
#include "actions/toolpool.h"

#define FACTS       50
#define VARIANTS    64
#define STORE_BYTES ((size_t)64 * 1024 * 1024)
#define EARLY       2000 /* requests after which memory is looked at for the first time */
#define SHOWN       5000 /* requests whose times are sorted */
#define NOW         INT64_C(1783166400000000000) /* 2026-07-04T12:00:00Z */

/* Of this process: what others do on the machine does not count. */
static int64_t cpu_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (int64_t)t.tv_sec * NS_PER_SEC + t.tv_nsec;
}

static int64_t monotonic_ns(void *context)
{
    (void)context;
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * NS_PER_SEC + t.tv_nsec;
}

static void stop(const char *why)
{
    fprintf(stderr, "bench_intent: %s\n", why);
    exit(1);
}

static struct snapshot *load(void)
{
    static const char *const plugins[] = { MGI_BUILD_DIR "/plugins" };
    struct action_source actions = mgi_toolpool_actions(MGI_BUILD_DIR "/bin/toolhost");
    struct domain_options options = { .plugin_paths = plugins,
                                      .plugin_path_count = 1,
                                      .actions = &actions };
    struct findings *findings = mgi_findings_new();
    struct snapshot *s =
        findings ? mgi_domain_load(MGI_SOURCE_DIR "/domains/browser", &options, findings) : NULL;
    mgi_findings_free(findings);
    if (!s)
        stop("domains/browser does not load");
    return s;
}

/* One fact of a page that failed: requests, their answers, messages of the console. */
static void write_fact(struct buf *out, unsigned variant, unsigned i)
{
    int64_t at_ms = NOW / NS_PER_MS - 1000 - (int64_t)(variant * FACTS + i);
    unsigned id = variant * FACTS + i / 3;
    mgi_buf_puts(out, i ? "," : "");
    if (i % 3 == 0)
        mgi_buf_printf(out,
                       "{\"pred\":\"net_request\",\"args\":[\"s\",\"r%u\",\"GET\","
                       "\"/api/users/%u\",%lld],\"t\":{\"at\":%lld}}",
                       id, id, (long long)at_ms, (long long)at_ms);
    else if (i % 3 == 1)
        mgi_buf_printf(out,
                       "{\"pred\":\"net_response\",\"args\":[\"s\",\"r%u\",%d,%lld],"
                       "\"t\":{\"at\":%lld}}",
                       id, i % 4 ? 200 : 404, (long long)at_ms, (long long)at_ms);
    else
        mgi_buf_printf(out,
                       "{\"pred\":\"console_event\",\"args\":[\"s\",\"%s\","
                       "\"Cannot read properties of null (%u)\",%lld],\"t\":{\"at\":%lld}}",
                       i % 4 ? "error" : "info", id, (long long)at_ms, (long long)at_ms);
}

static void write_payload(struct buf *out, unsigned variant)
{
    mgi_buf_puts(out, "{\"intent\":{\"name\":\"diagnose_error\"},"
                      "\"eval_time\":\"2026-07-04T12:00:00Z\",\"facts\":[");
    for (unsigned i = 0; i < FACTS; i++)
        write_fact(out, variant, i);
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
};

static const struct principal local = { .kind = PRINCIPAL_LOCAL,
                                        .identity = { "local", 5 },
                                        .expires_ns = INT64_MAX };

static void run_one(struct bench *b, unsigned variant)
{
    struct json payload;
    struct wire_error e = { 0 };
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
}

/* The first tool of the last answer, as an invocation finds and judges it. */
static void judge_one(struct bench *b)
{
    static const char mark[] = "\"macro_id\":\"";
    const char *id = memmem(b->answer.ptr, b->answer.len, mark, sizeof mark - 1);
    struct macro_entry entry;
    enum macro_found found;
    struct macro m;
    struct intent_call call = { .snapshot = b->snapshot,
                                .who = &local,
                                .clock_ns = NOW + NS_PER_SEC,
                                .mono = monotonic_ns,
                                .store = &b->store };
    enum standing standing = STANDING_UNKNOWN;
    enum store_status status;
    struct wire_error e = { 0 };
    if (!id)
        stop("there is no tool");
    id += sizeof mark - 1;
    struct str name = { id, strcspn(id, "\"") };
    mgi_arena_reset(&b->arena);
    if (mgi_store_macro_get(&b->store, mgi_principal_key(&local), name, call.clock_ns, &b->arena,
                            &found, &entry) ||
        found != MACRO_FOUND || !mgi_macro_read(&b->arena, entry.definition, &m) ||
        !mgi_intent_stands(b->worker, &call, &b->arena, &m, &standing, &status, &e))
        stop("the tool cannot be judged");
    if (standing != STANDING_HOLDS)
        stop("the tool does not stand");
}

static int ascending(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static long resident_kib(void)
{
    char line[256];
    long kib = 0;
    FILE *f = fopen("/proc/self/status", "r");
    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "VmRSS: %ld", &kib) == 1)
            break;
    if (f)
        fclose(f);
    return kib;
}

static void show_memory(const struct bench *b, const char *when, long requests)
{
    printf("intent memory: %zu KiB arena, %zu KiB definitions, %ld KiB resident (%s, after %ld "
           "requests)\n",
           b->arena.high_water / 1024, mgi_store_bytes(&b->store) / 1024, resident_kib(), when,
           requests);
}

int main(int argc, char **argv)
{
    long requests = argc > 1 ? strtol(argv[1], NULL, 10) : 20000;
    static int64_t times[SHOWN], again[SHOWN];
    struct bench b = { .snapshot = load(), .worker = mgi_intent_worker_new() };
    if (!b.worker || !mgi_store_memory(STORE_BYTES, &b.store))
        stop("out of memory");
    if (requests < EARLY + SHOWN)
        stop("at least 7000 requests are needed");
    mgi_arena_init(&b.arena, 0);
    for (unsigned v = 0; v < VARIANTS; v++)
        write_payload(&b.payloads[v], v);
    for (long i = 0; i < requests; i++) {
        if (i == EARLY)
            show_memory(&b, "early", i);
        int64_t begun = cpu_ns();
        run_one(&b, (unsigned)(i % VARIANTS));
        if (i < EARLY || i >= EARLY + SHOWN)
            continue;
        times[i - EARLY] = cpu_ns() - begun;
        begun = cpu_ns();
        judge_one(&b);
        again[i - EARLY] = cpu_ns() - begun;
    }
    show_memory(&b, "late", requests);
    qsort(times, SHOWN, sizeof *times, ascending);
    printf("intent: %lld us (median of %d requests with %d facts, %zu bytes of answer)\n",
           (long long)times[SHOWN / 2] / 1000, SHOWN, FACTS, b.answer.len);
    printf("intent p99: %lld us (99 of 100 are faster)\n",
           (long long)times[SHOWN * 99 / 100] / 1000);
    qsort(again, SHOWN, sizeof *again, ascending);
    printf("intent again: %lld us (median: one of its tools judged when it is to run)\n",
           (long long)again[SHOWN / 2] / 1000);
    printf("intent again, share: %.2f (of the intent's time)\n",
           (double)again[SHOWN / 2] / (double)times[SHOWN / 2]);
    for (unsigned v = 0; v < VARIANTS; v++)
        mgi_buf_fini(&b.payloads[v]);
    mgi_buf_fini(&b.answer);
    mgi_arena_fini(&b.arena);
    mgi_store_close(&b.store);
    mgi_intent_worker_free(b.worker);
    mgi_snapshot_unref(b.snapshot);
    return 0;
}
