/* What it costs to say until when tools are offered: a thousand rules that each read a window of
 * events, 100, 1,000 and 10,000 events of a request, and the windows of eight of the tools. Once
 * with three windows that the rules share, once with a window for each rule. Prints microseconds of
 * processor time at the median, for all eight, of an overlay that is evaluated already, and a
 * checksum of the instants, which no change of the engine may change.
 *
 * And what windows cost a request above a base of events, as many as there may be: one over all of
 * them, one per host, and hosts of which nothing was heard. And intervals that meet each other. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/buf.h"
#include "mangle.h"

enum { RULES = 1000, TOOLS = 8, ROUNDS = 31 };
#define NOW INT64_C(1718020800000000000)
#define SEC INT64_C(1000000000)

/* Of this process: what others do on the machine does not count. */
static int64_t cpu_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (int64_t)t.tv_sec * SEC + t.tv_nsec;
}

static void must(enum mangle_status st, const char *what)
{
    if (st == MANGLE_OK)
        return;
    fprintf(stderr, "%s: %s\n", what, mangle_status_text(st));
    exit(1);
}

static bool is_open(void *context, const mangle_program *program, mangle_pred pred)
{
    (void)context;
    return strcmp(mangle_program_pred(program, pred).name, "ev") == 0;
}

static mangle_program *compile(bool apart)
{
    struct buf text = { 0 };
    mgi_buf_puts(&text, "Decl ev(X) temporal. Decl barred(X).\n");
    for (int i = 0; i < RULES; i++)
        mgi_buf_printf(&text, "tool(/t%d, %d) :- <-[%ds] ev(%d), !barred(/t%d).\n", i, i % 3,
                       apart ? 3600 + i : 3600 * (1 + i % 3), i % 50, i);
    if (text.oom)
        must(MANGLE_ERR_NOMEM, "text");
    struct mangle_source source = { .name = "bench", .text = text.ptr, .len = text.len };
    struct mangle_compile_options options = { .changeable = is_open };
    mangle_program *p;
    must(mangle_compile(&source, 1, &options, &p, NULL), "compile");
    mgi_buf_fini(&text);
    return p;
}

static void give(mangle_overlay *o, mangle_pred ev, int events)
{
    for (int i = 0; i < events; i++) {
        mangle_value arg = mangle_number(mangle_overlay_values(o), i % 50);
        int64_t at = NOW - (int64_t)(i * 7919 % 5400) * SEC - i;
        must(mangle_overlay_add(o, ev, &arg, 1, &(struct mangle_interval){ at, at }, NULL), "add");
    }
}

static int ascending(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static void measure(bool apart, int events)
{
    int64_t times[ROUNDS];
    uint64_t sum = 0;
    mangle_program *p = compile(apart);
    mangle_base *base;
    mangle_overlay *o;
    must(mangle_base_new(p, &base), "base");
    must(mangle_base_close(base, NULL, NULL, NULL), "close");
    must(mangle_overlay_new(base, &o), "overlay");
    for (int round = 0; round < ROUNDS; round++) {
        const struct mangle_fact *facts;
        size_t count;
        give(o, mangle_pred_find(p, "ev", 1), events);
        must(mangle_overlay_eval(o, NOW, NULL, NULL, NULL), "eval");
        must(mangle_overlay_facts(o, mangle_pred_find(p, "tool", 2), &facts, &count), "facts");
        int64_t begun = cpu_ns();
        for (size_t i = 0; i < TOOLS; i++) {
            int64_t until;
            must(mangle_overlay_valid_until(o, &facts[i * count / TOOLS], NULL, &until), "until");
            sum = sum * 31 + (uint64_t)until;
        }
        times[round] = cpu_ns() - begun;
        mangle_overlay_reset(o);
    }
    qsort(times, ROUNDS, sizeof *times, ascending);
    printf("windows, %s, %d events: %.0f us (%d tools of %d rules; checksum %016llx)\n",
           apart ? "each its own" : "three shared", events, (double)times[ROUNDS / 2] / 1e3, TOOLS,
           RULES, (unsigned long long)sum);
    mangle_overlay_free(o);
    mangle_base_unref(base);
    mangle_program_unref(p);
}

/* ---- above a base ---------------------------------------------------------------------------- */

enum { HOSTS = 100, JOIN_ROUNDS = 5 };

static bool is_host(void *context, const mangle_program *program, mangle_pred pred)
{
    (void)context;
    return strcmp(mangle_program_pred(program, pred).name, "host") == 0;
}

static mangle_base *base_of(int events)
{
    static const char text[] = "Decl ev(Host, X) temporal. Decl host(X).\n"
                               "late(X) :- <-[30s] ev(_, X).\n"
                               "busy(H) :- host(H), <-[30s] ev(H, _).\n"
                               "quiet(H) :- host(H), !<-[30s] ev(H, _).\n";
    struct mangle_source source = { .name = "bench", .text = text, .len = sizeof text - 1 };
    struct mangle_compile_options options = { .changeable = is_host };
    mangle_program *p;
    mangle_base *base;
    must(mangle_compile(&source, 1, &options, &p, NULL), "compile");
    must(mangle_base_new(p, &base), "base");
    for (int i = 0; i < events; i++) { /* one a second; each lasts some; not in the order of time */
        int64_t n = (int64_t)i * 7919 % events, at = NOW - n * SEC;
        mangle_value args[] = { mangle_number(mangle_base_values(base), n % (2 * HOSTS)),
                                mangle_number(mangle_base_values(base), i) };
        must(mangle_base_add(base, mangle_pred_find(p, "ev", 2), args, 2,
                             &(struct mangle_interval){ at - 5 * SEC, at }, NULL),
             "add");
    }
    must(mangle_base_close(base, NULL, NULL, NULL), "close");
    mangle_program_unref(p);
    return base;
}

static void measure_above(int events)
{
    int64_t times[ROUNDS];
    mangle_base *base = base_of(events);
    mangle_pred host = mangle_pred_find(mangle_base_program(base), "host", 1);
    mangle_overlay *o;
    struct mangle_stats stats;
    must(mangle_overlay_new(base, &o), "overlay");
    for (int round = 0; round < ROUNDS; round++) {
        int64_t begun = cpu_ns();
        for (int h = 0; h < HOSTS; h++) {
            mangle_value arg = mangle_number(mangle_overlay_values(o), h);
            must(mangle_overlay_add(o, host, &arg, 1, NULL, NULL), "add");
        }
        must(mangle_overlay_eval(o, NOW, NULL, &stats, NULL), "eval");
        times[round] = cpu_ns() - begun;
        mangle_overlay_reset(o);
    }
    qsort(times, ROUNDS, sizeof *times, ascending);
    printf("windows above %d events: %.0f us (a request of %d hosts; %lld facts derived)\n", events,
           (double)times[ROUNDS / 2] / 1e3, HOSTS, (long long)stats.facts_derived);
    mangle_overlay_free(o);
    mangle_base_unref(base);
}

/* ---- intervals that meet others -------------------------------------------------------------- */

static bool is_fact(void *context, const mangle_program *program, mangle_pred pred)
{
    (void)context;
    return strchr("bg", mangle_program_pred(program, pred).name[0]) &&
           mangle_program_pred(program, pred).temporal;
}

/* Half of the facts fail, half recover: is there a failure before a recovery, and one of each
 * lately? Evaluated, and until when it holds. */
static void measure_join(int facts)
{
    static const char text[] = "Decl bad(X) temporal. Decl good(X) temporal.\n"
                               "back(/a) :- bad(X)@[S, _], good(Y)@[T, _], :time:lt(S, T),"
                               " <-[2h] bad(X).\n"
                               "both(/a) :- <-[2h] bad(X), <-[1h] good(Y).\n";
    struct mangle_source source = { .name = "bench", .text = text, .len = sizeof text - 1 };
    struct mangle_compile_options options = { .changeable = is_fact };
    int64_t eval[JOIN_ROUNDS], until[JOIN_ROUNDS], ns;
    uint64_t sum = 0;
    mangle_program *p;
    mangle_base *base;
    mangle_overlay *o;
    must(mangle_compile(&source, 1, &options, &p, NULL), "compile");
    must(mangle_base_new(p, &base), "base");
    must(mangle_base_close(base, NULL, NULL, NULL), "close");
    must(mangle_overlay_new(base, &o), "overlay");
    for (int round = 0; round < JOIN_ROUNDS; round++) {
        static const char *const names[] = { "back", "both" };
        for (int i = 0; i < facts; i++) {
            mangle_value arg = mangle_number(mangle_overlay_values(o), i);
            int64_t at = NOW - (int64_t)(i * 7919 % facts) * SEC * 3600 / facts;
            must(mangle_overlay_add(o, mangle_pred_find(p, i % 2 ? "bad" : "good", 1), &arg, 1,
                                    &(struct mangle_interval){ at, at }, NULL),
                 "add");
        }
        int64_t begun = cpu_ns();
        must(mangle_overlay_eval(o, NOW, NULL, NULL, NULL), "eval");
        int64_t evaluated = cpu_ns();
        for (int i = 0; i < 2; i++) {
            const struct mangle_fact *found;
            size_t count;
            must(mangle_overlay_facts(o, mangle_pred_find(p, names[i], 1), &found, &count),
                 "facts");
            must(mangle_overlay_valid_until(o, &found[0], NULL, &ns), "until");
            sum = sum * 31 + (uint64_t)ns;
        }
        until[round] = cpu_ns() - evaluated;
        eval[round] = evaluated - begun;
        mangle_overlay_reset(o);
    }
    qsort(eval, JOIN_ROUNDS, sizeof *eval, ascending);
    qsort(until, JOIN_ROUNDS, sizeof *until, ascending);
    printf("joins in time, %d facts: %.0f us evaluated, %.0f us until when (checksum %016llx)\n",
           facts, (double)eval[JOIN_ROUNDS / 2] / 1e3, (double)until[JOIN_ROUNDS / 2] / 1e3,
           (unsigned long long)sum);
    mangle_overlay_free(o);
    mangle_base_unref(base);
    mangle_program_unref(p);
}

int main(void)
{
    static const int events[] = { 100, 1000, 10000 };
    for (int apart = 0; apart < 2; apart++)
        for (size_t i = 0; i < sizeof events / sizeof *events; i++)
            measure(apart, events[i]);
    for (int n = 1000; n <= 1000000; n *= 10)
        measure_above(n);
    for (int n = 1000; n <= 8000; n *= 2)
        measure_join(n);
    return 0;
}
