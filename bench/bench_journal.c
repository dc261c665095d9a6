/* What a journal of runs costs: the time from the beginning of a step to where it may be sent, for
 * one step after the other and for many at once, beside a bare write that is flushed; and what a
 * step without effects costs the loop. Without a journal there is nothing of it. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/time.h"
#include "journal/journal.h"
#include "sys/clock.h"

#define STEPS    2000
#define MANY_MAX 64

static uv_loop_t loop;

static int64_t clock_ns(void *context)
{
    (void)context;
    return mgi_clock_real_ns();
}

static int compare(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static double median_us(int64_t *times, size_t count)
{
    qsort(times, count, sizeof *times, compare);
    return (double)times[count / 2] / 1000;
}

/* One page written and flushed, as whoever writes a log of one record at a time does. */
static double bare_us(const char *path)
{
    static int64_t times[STEPS / 4];
    static char page[4096];
    int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0)
        abort();
    for (size_t i = 0; i < STEPS / 4; i++) {
        int64_t began = mgi_clock_mono_ns();
        if (pwrite(fd, page, sizeof page, (off_t)(i * sizeof page)) != sizeof page ||
            fdatasync(fd) != 0)
            abort();
        times[i] = mgi_clock_mono_ns() - began;
    }
    close(fd);
    unlink(path);
    return median_us(times, STEPS / 4);
}

struct one {
    int64_t began_ns, told_ns;
};

static size_t told_count;

static void told(void *context, const char *why)
{
    if (why)
        abort();
    ((struct one *)context)->told_ns = mgi_clock_mono_ns();
    told_count++;
}

static struct journal_run *begin_run(struct journal *j, unsigned n)
{
    char id[33];
    static const struct str steps[] = { { "step", 4 } };
    snprintf(id, sizeof id, "%032x", n);
    struct journal_run_begin b = { .header = mgi_run_header(str_of(id), STR_LIT("request"), false),
                                   .invocation_id = str_of(id),
                                   .macro_id = STR_LIT("bench-0123456789ab"),
                                   .tool = STR_LIT("bench"),
                                   .caller = STR_LIT("ann"),
                                   .steps = steps,
                                   .step_count = 1,
                                   .has_effects = true };
    return mgi_journal_run_begins(j, &b);
}

static struct journal_step *begin_step(struct journal_run *run, int tier, struct one *one)
{
    struct journal_step_begin b = {
        .item = -1,
        .name = STR_LIT("step"),
        .action = STR_LIT("AID.BENCH.STEP.v1"),
        .tier = tier,
        .input_sha256 = STR_LIT("0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"),
    };
    one->began_ns = mgi_clock_mono_ns();
    return mgi_journal_step_begins(run, &b, told, one);
}

static void end_step(struct journal_step *step)
{
    struct journal_step_end e = { .outcome = JOURNAL_OK, .output = STR_LIT("{\"done\":true}") };
    mgi_journal_step_ends(step, &e);
}

/* Runs of one step, `many` of them at a time. */
static void at_once(struct journal *j, size_t many)
{
    static int64_t times[STEPS];
    static unsigned n;
    struct one ones[MANY_MAX];
    struct journal_run *runs[MANY_MAX];
    struct journal_step *steps[MANY_MAX];
    struct journal_stats before, after;
    size_t count = 0;
    mgi_journal_stats(j, &before);
    int64_t began = mgi_clock_mono_ns();
    while (count < STEPS) {
        told_count = 0;
        for (size_t i = 0; i < many; i++) {
            runs[i] = begin_run(j, n++);
            steps[i] = begin_step(runs[i], 1, &ones[i]);
        }
        while (told_count < many)
            uv_run(&loop, UV_RUN_ONCE);
        for (size_t i = 0; i < many; i++) {
            if (count < STEPS)
                times[count++] = ones[i].told_ns - ones[i].began_ns;
            end_step(steps[i]);
            mgi_journal_run_ends(runs[i], JOURNAL_OK);
        }
    }
    double each_us = (double)(mgi_clock_mono_ns() - began) / (double)count / 1000;
    mgi_journal_stats(j, &after);
    printf("journal, %zu at once: %.0f us (until a step with effects may be sent, median); %.1f us "
           "each, %.1f steps a flush\n",
           many, median_us(times, count), each_us,
           (double)count / (double)(after.flushes - before.flushes));
}

static void without_effects(struct journal *j)
{
    struct journal_run *run = begin_run(j, 1u << 30);
    struct one one;
    int64_t took = 0;
    for (int i = 0; i < STEPS; i++) {
        int64_t began = mgi_clock_mono_ns();
        end_step(begin_step(run, 0, &one));
        took += mgi_clock_mono_ns() - began;
        if (i % 500 == 499)
            usleep(50 * 1000); /* what waits is bounded */
    }
    mgi_journal_run_ends(run, JOURNAL_OK);
    printf("journal, no effects: %.2f us (of the loop, for a step that waits for nothing)\n",
           (double)took / STEPS / 1000);
}

int main(void)
{
    static const char path[] = MGI_BUILD_DIR "/bench/journal.db";
    struct buf why = { 0 };
    struct journal_options options = { .path = path, .loop = &loop, .clock = clock_ns };
    unlink(path);
    printf("journal, bare flush: %.0f us (a page written and flushed on the same disk, median)\n",
           bare_us(MGI_BUILD_DIR "/bench/journal.page"));
    uv_loop_init(&loop);
    struct journal *j = mgi_journal_open(&options, &why);
    if (!j) {
        fprintf(stderr, "%s\n", why.ptr);
        return 1;
    }
    at_once(j, 1);
    at_once(j, 8);
    at_once(j, MANY_MAX);
    without_effects(j);
    mgi_journal_close(j, 10000);
    uv_run(&loop, UV_RUN_DEFAULT);
    uv_loop_close(&loop);
    unlink(path);
    return 0;
}
