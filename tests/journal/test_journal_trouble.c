/* The journal when the disk fails, the file is somebody else's or broken, or the process is killed:
 * it refuses what may have effects, says why, and tells the truth afterwards. */
#include "journal/journal_fixture.h"

#include <fcntl.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/wait.h>

/* ---- files that are not taken
 * -------------------------------------------------------------------- */

static void write_file(const char *path, const char *bytes, size_t len)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, len, f), len);
    fclose(f);
}

static void run_sql(const char *path, const char *text)
{
    sqlite3 *db;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    if (sqlite3_exec(db, text, NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s: %s", text, sqlite3_errmsg(db));
    sqlite3_close(db);
}

static void cannot_open(struct scene *s, const char *why)
{
    const char *said = scene_try(s);
    assert_null(s->journal);
    if (!strstr(said, why) || !strstr(said, s->options.path))
        fail_msg("\"%s\" does not say \"%s\"", said, why);
}

static void test_what_is_not_a_journal_is_refused_and_left_alone(void **state)
{
    struct scene s;
    char garbage[8192];
    struct stat before, after;
    (void)state;
    scene_begin(&s);
    memset(garbage, 'g', sizeof garbage);
    write_file(s.path, garbage, sizeof garbage);
    cannot_open(&s, "it is no SQLite file, or a damaged one; move it away");
    unlink(s.path);
    run_sql(s.path, "CREATE TABLE t(a);INSERT INTO t VALUES(1)");
    assert_int_equal(stat(s.path, &before), 0);
    cannot_open(&s, "it holds something else; give the name of a new file");
    assert_int_equal(stat(s.path, &after), 0);
    assert_int_equal(before.st_size, after.st_size);
    assert_int_equal(before.st_mtim.tv_nsec, after.st_mtim.tv_nsec);
    s.options.path = s.folder;
    cannot_open(&s, "Is a directory");
    s.options.path = "/dev/null";
    cannot_open(&s, "it is not a file");
    s.options.path = "/nowhere/journal";
    cannot_open(&s, "No such file or directory");
    scene_end(&s);
}

static void test_another_layout_is_refused_with_both_versions(void **state)
{
    struct scene s;
    (void)state;
    scene_begin(&s);
    scene_open(&s);
    scene_close(&s);
    run_sql(s.path, "UPDATE meta SET version=99");
    cannot_open(&s, "its layout is version 99, and this program knows 3");
    struct buf why = { 0 };
    assert_null(mgi_journal_file_open(s.path, &why));
    assert_non_null(strstr(why.ptr, "version 99"));
    mgi_buf_fini(&why);
    scene_end(&s);
}

static void test_the_first_layout_is_read_and_brought_up(void **state)
{
    struct scene s;
    (void)state;
    scene_begin(&s);
    scene_open(&s);
    whole_run(&s, 1, NULL, 1);
    scene_close(&s);
    run_sql(s.path, "DROP TABLE pick;UPDATE meta SET version=1");
    assert_int_equal(read_file(&s, NULL).runs, 1);
    scene_open(&s); /* all that was in it is still there, and picks can be written */
    struct journal_run *run = begin_run(&s, 2, NULL);
    const struct journal_pick pick = { .turn = 1, .kind = STR_LIT("NOOP"), .raw = STR_LIT("raw") };
    mgi_journal_picks(run, &pick);
    mgi_journal_run_ends(run, JOURNAL_OK);
    scene_close(&s);
    assert_int_equal(read_file(&s, NULL).runs, 2);
    const struct journal_filter newest = { .max_runs = 1 };
    struct found f = read_file(&s, &newest);
    assert_non_null(strstr(f.text, "\"kind\":\"NOOP\""));
    scene_end(&s);
}

static void test_so_is_the_second(void **state)
{
    struct scene s;
    (void)state;
    scene_begin(&s);
    const struct journal_pick pick = { .turn = 1,
                                       .by = STR_LIT("policy"),
                                       .mode = STR_LIT("BLENDED"),
                                       .kind = STR_LIT("NOOP"),
                                       .raw = STR_LIT("raw") };
    for (int round = 0; round < 2; round++) {
        scene_open(&s);
        struct journal_run *run = begin_run(&s, (unsigned)round, NULL);
        mgi_journal_picks(run, &pick);
        mgi_journal_run_ends(run, JOURNAL_OK);
        scene_close(&s);
        const struct journal_filter newest = { .max_runs = 1 };
        struct found f = read_file(&s, &newest);
        assert_non_null(strstr(f.text, "\"mode\":\"BLENDED\""));
        if (round == 0)
            run_sql(s.path, "ALTER TABLE pick DROP COLUMN mode;UPDATE meta SET version=2");
        f = read_file(&s, NULL); /* of the second layout, what was picked is still told */
        assert_non_null(strstr(f.text, "\"by\":\"policy\""));
    }
    scene_end(&s);
}

static void test_a_damaged_file_is_not_believed(void **state)
{
    struct scene s;
    struct stat st;
    char zeros[4096];
    (void)state;
    memset(zeros, 0x5a, sizeof zeros);
    scene_begin(&s);
    scene_open(&s);
    for (unsigned i = 0; i < 200; i++)
        mgi_journal_run_ends(begin_run(&s, i, NULL), JOURNAL_OK);
    scene_close(&s);
    assert_int_equal(stat(s.path, &st), 0);
    for (off_t page = 1; page * 4096 < st.st_size; page += 3) {
        char saved[4096];
        int fd = open(s.path, O_RDWR);
        assert_int_equal(pread(fd, saved, sizeof saved, page * 4096), sizeof saved);
        assert_int_equal(pwrite(fd, zeros, sizeof zeros, page * 4096), sizeof zeros);
        cannot_open(&s, "damaged");
        assert_int_equal(pwrite(fd, saved, sizeof saved, page * 4096), sizeof saved);
        close(fd);
    }
    scene_open(&s); /* and whole again it is taken */
    scene_end(&s);
}

/* ---- what a server that was killed left
 * ----------------------------------------------------------- */

static void test_what_has_no_end_is_interrupted(void **state)
{
    struct scene s;
    int pipe_of[2];
    char byte;
    (void)state;
    scene_begin(&s);
    assert_int_equal(pipe(pipe_of), 0);
    pid_t child = fork();
    if (child == 0) {
        scene_open(&s);
        whole_run(&s, 1, NULL, 3);
        struct journal_run *run = begin_run(&s, 2, NULL);
        end_step(sent_step(&s, run, 0), JOURNAL_OK);
        (void)sent_step(&s, run, 1);
        (void)!write(pipe_of[1], "!", 1);
        pause();
    }
    assert_int_equal(read(pipe_of[0], &byte, 1), 1);
    kill(child, SIGKILL);
    assert_int_equal(waitpid(child, NULL, 0), child);
    struct journal_filter open_ones = { .interrupted = true };
    struct found f = read_file(&s, &open_ones); /* told before anybody has opened it again */
    assert_int_equal(f.runs, 1);
    assert_int_equal(f.live, 0);
    assert_non_null(strstr(f.text, "\"outcome\":\"interrupted\""));
    s.now_ns = NOW_NS + DAY_NS;
    scene_open(&s);
    assert_non_null(strstr(s.log.ptr, "1 runs were interrupted when the last server ended; of 1 "
                                      "steps it is not known what they did"));
    f = read_file(&s, &open_ones);
    assert_int_equal(f.runs, 1);
    assert_int_equal(f.steps, 2);
    assert_int_equal(f.indeterminate, 1);
    assert_non_null(strstr(f.text, "\"did_not_run\":[\"third\"]"));
    assert_int_equal(read_file(&s, NULL).runs, 2);
    mgi_buf_clear(&s.log);
    scene_reopen(&s); /* once is enough */
    assert_int_equal(s.log.len, 0);
    close(pipe_of[0]);
    close(pipe_of[1]);
    scene_end(&s);
}

/* A writer that says each step by its number as soon as it may be sent, and each end after it. */
static void write_until_killed(struct scene *s, int out)
{
    scene_open(s);
    for (unsigned n = 0;; n++) {
        struct journal_run *run = begin_run(s, n, NULL);
        for (uint32_t i = 0; i < 3; i++) {
            uint32_t said[2] = { n, i };
            struct journal_step *step = sent_step(s, run, i);
            if (write(out, said, sizeof said) != sizeof said)
                _exit(1);
            end_step(step, JOURNAL_OK);
        }
        mgi_journal_run_ends(run, JOURNAL_OK);
    }
}

struct truth {
    uint32_t run, step; /* the last that was said */
    size_t runs, missing, unended, more;
};

static bool compare_run(void *context, const struct journal_record *r)
{
    struct truth *t = context;
    unsigned n = 0;
    assert_int_equal(sscanf(r->invocation_id.ptr, "%8x", &n), 1);
    size_t wanted = n < t->run ? 3 : (n == t->run ? t->step + 1 : 0);
    t->runs += n <= t->run;
    t->missing += r->step_count < wanted;
    t->more += n > t->run + 1 || r->step_count > wanted + 1;
    for (size_t i = 0; i < r->step_count; i++) /* the last alone may be without an end */
        t->unended += r->steps[i].indeterminate && i + 1 < r->step_count;
    return true;
}

static void kill_one_at(struct scene *s, useconds_t after_us)
{
    int pipe_of[2];
    uint32_t said[2];
    struct truth t = { 0 };
    struct buf why = { 0 };
    size_t count = 0;
    assert_int_equal(pipe(pipe_of), 0);
    pid_t child = fork();
    if (child == 0) {
        close(pipe_of[0]);
        write_until_killed(s, pipe_of[1]);
    }
    close(pipe_of[1]);
    assert_int_equal(read(pipe_of[0], said, sizeof said), sizeof said);
    count++;
    usleep(after_us);
    kill(child, SIGKILL);
    assert_int_equal(waitpid(child, NULL, 0), child);
    while (read(pipe_of[0], said + 0, sizeof said) == sizeof said)
        count++;
    close(pipe_of[0]);
    t.run = (uint32_t)((count - 1) / 3);
    t.step = (uint32_t)((count - 1) % 3);
    scene_open(s); /* as a server would */
    struct journal_file *file = mgi_journal_file_open(s->path, &why);
    struct journal_filter all = { 0 };
    assert_true(mgi_journal_file_walk(file, &all, &s->arena, compare_run, &t, &why));
    mgi_journal_file_close(file);
    assert_int_equal(t.runs, t.run + 1);
    assert_int_equal(t.missing, 0); /* what was told to be on the disk is */
    assert_int_equal(t.more, 0);
    assert_int_equal(t.unended, 0); /* and nothing later without what came before */
    scene_close(s);
}

static void test_what_was_told_to_be_on_the_disk_is_there_after_a_kill(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 25; i++) {
        struct scene s;
        scene_begin(&s);
        kill_one_at(&s, 500 + i * i * 97);
        scene_end(&s);
    }
}

/* ---- disks that fail
 * ------------------------------------------------------------------------------ */

static bool is_refused(struct scene *s, unsigned n, const char *why)
{
    struct answer a = { 0 };
    struct journal_run *run = begin_run(s, n, NULL);
    struct journal_step *step = begin_step(run, 0, 1, &a);
    until_told(s, &a);
    end_step(step, a.why[0] ? JOURNAL_NOT_SENT : JOURNAL_OK);
    mgi_journal_run_ends(run, a.why[0] ? JOURNAL_FAILED : JOURNAL_OK);
    if (a.why[0] && why && !strstr(a.why, why))
        fail_msg("\"%s\" does not say \"%s\"", a.why, why);
    return a.why[0] != '\0';
}

/* Whether the end of a run was told not to be on the disk, at once. */
static bool ends_untold(struct scene *s, unsigned n)
{
    struct answer ended = { 0 };
    struct str id = id_of(n);
    struct journal_run_begin b = { .header = mgi_run_header(id, STR_LIT(""), false),
                                   .invocation_id = id,
                                   .has_effects = true,
                                   .told = is_told,
                                   .context = &ended };
    int64_t began = (int64_t)uv_hrtime();
    mgi_journal_run_ends(mgi_journal_run_begins(s->journal, &b), JOURNAL_CANCELLED);
    until_told(s, &ended);
    return ended.why[0] && (int64_t)uv_hrtime() - began < NS_PER_SEC;
}

static void ring(uv_timer_t *timer)
{
    uv_stop(timer->loop); /* who waits keeps it running, too */
    uv_close((uv_handle_t *)timer, NULL);
}

/* Something keeps the loop alive, as connections do. */
static void turn(struct scene *s, uint64_t ms)
{
    uv_timer_t timer;
    uv_timer_init(&s->loop, &timer);
    uv_timer_start(&timer, ring, ms, 0);
    uv_run(&s->loop, UV_RUN_DEFAULT);
    uv_run(&s->loop, UV_RUN_NOWAIT); /* the timer is on this stack */
}

static void limit_files(rlim_t bytes)
{
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = bytes;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

static void test_a_disk_that_takes_no_more_refuses_what_has_effects(void **state)
{
    struct scene s;
    struct journal_stats stats;
    unsigned n = 0;
    (void)state;
    signal(SIGXFSZ, SIG_IGN);
    scene_begin(&s);
    scene_open(&s);
    whole_run(&s, n++, NULL, 3);
    limit_files(64 * 1024);
    while (!is_refused(&s, n++, "the journal cannot be written: the disk"))
        assert_true(n < 10000);
    turn(&s, 50);
    assert_true(s.is_amiss);
    assert_non_null(mgi_journal_refuses(s.journal));
    assert_true(is_refused(&s, n++, "the journal cannot be written: the disk"));
    assert_true(ends_untold(&s, n++)); /* and nobody waits for an end that cannot be written */
    /* what has none goes on, and is counted */
    struct journal_run *run = begin_run(&s, n++, NULL);
    end_step(begin_step(run, 0, 0, NULL), JOURNAL_OK);
    mgi_journal_run_ends(run, JOURNAL_OK);
    mgi_journal_stats(s.journal, &stats);
    assert_int_equal(stats.unrecorded, 1);
    assert_true(stats.refused >= 2);
    assert_non_null(strstr(s.log.ptr, "what may have effects is refused until it can"));
    size_t said = 0;
    for (const char *at = s.log.ptr; (at = strstr(at, "refused until")); at++)
        said++;
    assert_int_equal(said, 1); /* once a minute */
    limit_files(RLIM_INFINITY);
    turn(&s, 2500);
    assert_false(s.is_amiss); /* it tries by itself */
    assert_null(mgi_journal_refuses(s.journal));
    assert_non_null(strstr(s.log.ptr, "it can be written again"));
    assert_false(is_refused(&s, n++, NULL));
    unsigned last = n;
    scene_reopen(&s);
    struct found f = read_file(&s, NULL);
    assert_int_equal(f.interrupted, 0); /* ends that had to wait were written in the end */
    assert_int_equal(f.indeterminate, 0);
    assert_true(f.runs <= last);
    scene_end(&s);
}

static void test_finished_runs_make_room_and_then_it_is_full(void **state)
{
    struct scene s;
    unsigned n = 0;
    (void)state;
    scene_begin(&s);
    s.options.max_bytes = 300 * 1024;
    scene_open(&s);
    for (; n < 3000; n++) {
        if (n % 50 == 0)
            whole_run(&s, n, NULL, 1); /* waits for those before */
        else
            mgi_journal_run_ends(begin_run(&s, n, NULL), JOURNAL_OK);
    }
    struct stat st;
    assert_int_equal(stat(s.path, &st), 0);
    assert_true(st.st_size <= 300 * 1024);
    size_t runs = read_file(&s, NULL).runs;
    assert_true(runs > 50 && runs < 2000);
    /* those that are open are never given up */
    struct journal_run *open_runs[4000];
    unsigned open_count = 0;
    struct answer a = { 0 };
    while (open_count < 4000) {
        open_runs[open_count] = begin_run(&s, n++, NULL);
        a = (struct answer){ 0 };
        struct journal_step *step = begin_step(open_runs[open_count++], 0, 1, &a);
        until_told(&s, &a);
        end_step(step, a.why[0] ? JOURNAL_NOT_SENT : JOURNAL_OK);
        if (a.why[0])
            break;
    }
    assert_string_equal(a.why, "the journal cannot be written: the disk or the journal is full");
    assert_true(open_count > 200);
    for (unsigned i = 0; i < open_count; i++)
        mgi_journal_run_ends(open_runs[i], JOURNAL_OK);
    turn(&s, 2500);
    assert_null(mgi_journal_refuses(s.journal));
    assert_false(is_refused(&s, n++, NULL));
    scene_end(&s);
}

static void test_a_disk_that_does_not_answer_in_time_refuses(void **state)
{
    struct scene s;
    sqlite3 *other;
    (void)state;
    scene_begin(&s);
    s.options.deadline_ms = 200;
    scene_open(&s);
    whole_run(&s, 1, NULL, 1);
    assert_int_equal(sqlite3_open(s.path, &other), SQLITE_OK);
    assert_int_equal(sqlite3_exec(other, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
    int64_t began = (int64_t)uv_hrtime();
    assert_true(is_refused(&s, 2, "the disk does not answer"));
    assert_true((int64_t)uv_hrtime() - began < 1500 * NS_PER_MS); /* SQLite waits for longer */
    assert_true(s.is_amiss);
    assert_true(is_refused(&s, 3, "the disk does not answer"));
    assert_int_equal(sqlite3_exec(other, "COMMIT", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(other);
    turn(&s, 3500);
    assert_false(s.is_amiss);
    assert_false(is_refused(&s, 4, NULL));
    scene_reopen(&s);
    struct found f = read_file(&s, NULL);
    assert_int_equal(f.indeterminate, 0); /* what was refused is said not to have been sent */
    scene_end(&s);
}

static void test_a_file_that_was_removed_takes_nothing(void **state)
{
    struct scene s;
    (void)state;
    scene_begin(&s);
    scene_open(&s);
    whole_run(&s, 1, NULL, 1);
    assert_int_equal(unlink(s.path), 0);
    assert_true(is_refused(&s, 2, "the file was removed"));
    assert_non_null(strstr(s.log.ptr, "start again"));
    s.close_ms = 100; /* there is no hope */
    scene_end(&s);
}

/* The thread is kept from writing, so that what comes waits. */
static void test_what_waits_is_bounded(void **state)
{
    struct scene s;
    sqlite3 *other;
    struct answer first = { 0 }, answers[40] = { 0 };
    (void)state;
    scene_begin(&s);
    s.options.max_waiting = 16;
    scene_open(&s);
    assert_int_equal(sqlite3_open(s.path, &other), SQLITE_OK);
    assert_int_equal(sqlite3_exec(other, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
    struct journal_run *run = begin_run(&s, 1, NULL);
    struct journal_step *step = begin_step(run, 0, 1, &first);
    usleep(50 * 1000); /* now it waits for the lock */
    size_t refused = 0;
    for (size_t i = 0; i < 40; i++)
        (void)begin_step(run, 1, 1, &answers[i]);
    turn(&s, 20);
    for (size_t i = 0; i < 40; i++)
        refused += answers[i].told && strstr(answers[i].why, "too many records wait") != NULL;
    assert_true(refused >= 24 && refused < 40);
    assert_null(begin_step(run, 2, 0, NULL)); /* it goes on, unrecorded */
    struct journal_run *reading = begin_run(&s, 2, NULL);
    mgi_journal_run_ends(reading, JOURNAL_OK);
    assert_int_equal(sqlite3_exec(other, "COMMIT", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(other);
    until_told(&s, &first);
    end_step(step, JOURNAL_OK);
    for (size_t i = 0; i < 40; i++) {
        until_told(&s, &answers[i]);
        end_step(answers[i].step, answers[i].why[0] ? JOURNAL_NOT_SENT : JOURNAL_OK);
    }
    mgi_journal_run_ends(run, JOURNAL_OK);
    scene_close(&s);
    struct journal_filter one = { .id = STR_LIT("00000001") };
    struct found f = read_file(&s, &one);
    assert_non_null(strstr(f.text, "\"unrecorded\":1"));
    scene_end(&s);
}

/* ---- what is kept
 * --------------------------------------------------------------------------------- */

static void test_old_runs_go_and_interrupted_ones_stay_a_day(void **state)
{
    struct scene s;
    (void)state;
    scene_begin(&s);
    s.options.keep_ns = 3600 * NS_PER_SEC;
    pid_t child = fork();
    if (child == 0) {
        scene_open(&s);
        whole_run(&s, 1, NULL, 1);
        (void)sent_step(&s, begin_run(&s, 2, NULL), 0);
        _exit(0);
    }
    assert_int_equal(waitpid(child, NULL, 0), child);
    s.now_ns = NOW_NS + 10 * DAY_NS; /* the clock was set meanwhile */
    scene_open(&s);
    for (unsigned i = 3; i < 1300; i++) { /* so that it is looked at */
        struct journal_run *run = begin_run(&s, i, NULL);
        mgi_journal_run_ends(run, JOURNAL_OK);
    }
    turn(&s, 300);
    struct journal_filter first = { .id = STR_LIT("00000001") },
                          second = { .id = STR_LIT("00000002") };
    assert_int_equal(read_file(&s, &first).runs, 0);
    struct found f = read_file(&s, &second);
    assert_int_equal(f.runs, 1);
    assert_int_equal(f.interrupted, 1);
    scene_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_not_a_journal_is_refused_and_left_alone),
        cmocka_unit_test(test_another_layout_is_refused_with_both_versions),
        cmocka_unit_test(test_the_first_layout_is_read_and_brought_up),
        cmocka_unit_test(test_so_is_the_second),
        cmocka_unit_test(test_a_damaged_file_is_not_believed),
        cmocka_unit_test(test_what_has_no_end_is_interrupted),
        cmocka_unit_test(test_what_was_told_to_be_on_the_disk_is_there_after_a_kill),
        cmocka_unit_test(test_a_disk_that_takes_no_more_refuses_what_has_effects),
        cmocka_unit_test(test_finished_runs_make_room_and_then_it_is_full),
        cmocka_unit_test(test_a_disk_that_does_not_answer_in_time_refuses),
        cmocka_unit_test(test_a_file_that_was_removed_takes_nothing),
        cmocka_unit_test(test_what_waits_is_bounded),
        cmocka_unit_test(test_old_runs_go_and_interrupted_ones_stay_a_day),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
