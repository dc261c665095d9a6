/* A journal on a loop of its own, in a folder of its own. */
#ifndef JOURNAL_FIXTURE_H
#define JOURNAL_FIXTURE_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/time.h"
#include "journal/journal.h"

#define NOW_NS    INT64_C(1790000000000000000)
#define DAY_NS    (INT64_C(86400) * NS_PER_SEC)
#define OTHER_HEX "ffffffffffffffffffffffffffffffff"

struct scene {
    uv_loop_t loop;
    struct journal *journal;
    struct journal_options options;
    struct arena arena;
    struct buf log;
    char folder[64], path[96];
    int64_t close_ms, now_ns;
    int amiss; /* how often it was said that something is */
    bool is_amiss;
    char why[JOURNAL_WHY_BYTES];
};

static inline void scene_logged(void *context, enum log_level level, const char *line, size_t len)
{
    struct scene *s = context;
    (void)level;
    mgi_buf_append(&s->log, line, len);
    mgi_buf_putc(&s->log, '\n');
}

static inline void scene_amiss(void *context, const char *why)
{
    struct scene *s = context;
    s->is_amiss = why != NULL;
    s->amiss += why != NULL;
    snprintf(s->why, sizeof s->why, "%s", why ? why : "");
}

static inline int64_t scene_clock(void *context)
{
    return ((struct scene *)context)->now_ns;
}

static inline void scene_begin(struct scene *s)
{
    memset(s, 0, sizeof *s);
    snprintf(s->folder, sizeof s->folder, "/tmp/manglecp-journal-XXXXXX");
    assert_non_null(mkdtemp(s->folder));
    snprintf(s->path, sizeof s->path, "%s/journal.db", s->folder);
    mgi_arena_init(&s->arena, 0);
    s->now_ns = NOW_NS;
    s->options = (struct journal_options){ .path = s->path,
                                           .loop = &s->loop,
                                           .clock = scene_clock,
                                           .clock_context = s,
                                           .amiss = scene_amiss,
                                           .context = s };
}

/* "" if it opened; else why not. */
static inline const char *scene_try(struct scene *s)
{
    static char text[512];
    static struct logger log;
    struct buf why = { 0 };
    log = (struct logger){ LOG_DEBUG, scene_logged, s };
    assert_int_equal(uv_loop_init(&s->loop), 0);
    s->options.log = &log;
    s->journal = mgi_journal_open(&s->options, &why);
    snprintf(text, sizeof text, "%.*s", STR_ARG(mgi_buf_view(&why)));
    mgi_buf_fini(&why);
    if (!s->journal) {
        uv_run(&s->loop, UV_RUN_DEFAULT);
        assert_int_equal(uv_loop_close(&s->loop), 0);
        assert_true(text[0]);
    }
    return text;
}

static inline void scene_open(struct scene *s)
{
    const char *why = scene_try(s);
    if (!s->journal)
        print_error("%s\n", why);
    assert_non_null(s->journal);
}

static inline void scene_close(struct scene *s)
{
    mgi_journal_close(s->journal, s->close_ms ? s->close_ms : 10000);
    s->journal = NULL;
    uv_run(&s->loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&s->loop), 0);
}

static inline void scene_reopen(struct scene *s)
{
    scene_close(s);
    scene_open(s);
}

static inline void scene_end(struct scene *s)
{
    static const char *const names[] = { "", "-wal", "-shm" };
    if (s->journal)
        scene_close(s);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[112];
        snprintf(path, sizeof path, "%s%s", s->path, names[i]);
        unlink(path);
    }
    assert_int_equal(rmdir(s->folder), 0);
    mgi_arena_fini(&s->arena);
    mgi_buf_fini(&s->log);
}

/* ---- runs ---------------------------------------------------------------------------------------
 */

/* 32 digits that say which it is. */
static inline struct str id_of(unsigned n)
{
    static char texts[8][33];
    static unsigned next;
    char *text = texts[next++ % 8];
    snprintf(text, sizeof texts[0], "%08x%024x", n, 7);
    return str_of(text);
}

static const struct str three_steps[] = { { "first", 5 }, { "second", 6 }, { "third", 5 } };

static inline struct journal_run *begin_run(struct scene *s, unsigned n, const uint8_t *key)
{
    struct str id = id_of(n);
    struct journal_run_begin b = { .header = mgi_run_header(id, STR_LIT("req-1"), false),
                                   .invocation_id = id,
                                   .macro_id = STR_LIT("pay-0123456789ab"),
                                   .tool = STR_LIT("pay"),
                                   .caller = STR_LIT("ann"),
                                   .key = key,
                                   .fingerprint = key ? STR_LIT("print") : STR_LIT(""),
                                   .steps = three_steps,
                                   .step_count = 3,
                                   .has_effects = true };
    return mgi_journal_run_begins(s->journal, &b);
}

struct answer { /* what somebody who waits was told */
    bool told;
    char why[JOURNAL_WHY_BYTES]; /* "": it is on the disk */
    struct journal_step *step;
};

static inline void is_told(void *context, const char *why)
{
    struct answer *a = context;
    assert_false(a->told);
    a->told = true;
    snprintf(a->why, sizeof a->why, "%s", why ? why : "");
}

static inline struct journal_step *begin_step(struct journal_run *run, uint32_t at, int tier,
                                              struct answer *a)
{
    struct journal_step_begin b = { .step = at,
                                    .item = -1,
                                    .name = three_steps[at % 3],
                                    .action = STR_LIT("AID.PAY.v1"),
                                    .tier = tier,
                                    .input_sha256 = STR_LIT("abc123") };
    struct journal_step *step = mgi_journal_step_begins(run, &b, is_told, a);
    if (a)
        a->step = step;
    return step;
}

static inline void until_told(struct scene *s, struct answer *a)
{
    int64_t end = (int64_t)uv_hrtime() + 60 * NS_PER_SEC;
    while (!a->told && (int64_t)uv_hrtime() < end)
        uv_run(&s->loop, UV_RUN_ONCE);
    assert_true(a->told);
}

/* Begun, and on the disk. */
static inline struct journal_step *sent_step(struct scene *s, struct journal_run *run, uint32_t at)
{
    struct answer a = { 0 };
    struct journal_step *step = begin_step(run, at, 1, &a);
    assert_non_null(step);
    until_told(s, &a);
    assert_string_equal(a.why, "");
    return step;
}

static inline void end_step(struct journal_step *step, enum journal_outcome outcome)
{
    struct journal_step_end e = { .outcome = outcome,
                                  .output = STR_LIT("{\"secret\":1}"),
                                  .duration_ms = 3 };
    mgi_journal_step_ends(step, &e);
}

/* A whole run: `steps` of its three are done. */
static inline void whole_run(struct scene *s, unsigned n, const uint8_t *key, uint32_t steps)
{
    struct journal_run *run = begin_run(s, n, key);
    for (uint32_t i = 0; i < steps; i++)
        end_step(sent_step(s, run, i), JOURNAL_OK);
    mgi_journal_run_ends(run, JOURNAL_OK);
}

/* ---- what is in the file ------------------------------------------------------------------------
 */

struct found {
    size_t runs, steps, interrupted, indeterminate, live;
    char text[4096]; /* of the last run, as JSON */
};

static inline bool count_run(void *context, const struct journal_record *r)
{
    struct found *f = context;
    struct buf text = { 0 };
    struct json_writer w;
    f->runs++;
    f->steps += r->step_count;
    f->interrupted += r->outcome == JOURNAL_INTERRUPTED;
    f->live += r->live;
    for (size_t i = 0; i < r->step_count; i++)
        f->indeterminate += r->steps[i].indeterminate;
    mgi_json_writer_init(&w, &text, 0);
    mgi_journal_record_write(&w, r, true);
    snprintf(f->text, sizeof f->text, "%.*s", STR_ARG(mgi_buf_view(&text)));
    mgi_buf_fini(&text);
    return true;
}

static inline struct found read_file(struct scene *s, const struct journal_filter *filter)
{
    static const struct journal_filter all = { 0 };
    struct found f = { 0 };
    struct buf why = { 0 };
    struct arena arena;
    mgi_arena_init(&arena, 0);
    struct journal_file *file = mgi_journal_file_open(s->path, &why);
    bool ok =
        file && mgi_journal_file_walk(file, filter ? filter : &all, &arena, count_run, &f, &why);
    if (!ok)
        print_error("%.*s\n", STR_ARG(mgi_buf_view(&why)));
    assert_true(ok);
    mgi_journal_file_close(file);
    mgi_buf_fini(&why);
    mgi_arena_fini(&arena);
    return f;
}

#endif
