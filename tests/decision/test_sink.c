/* Files and descriptors of decision logs: rotation, full disks, torn lines. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "decision/sink.h"

struct place {
    char folder[64], path[80];
};

static void place_make(struct place *p)
{
    strcpy(p->folder, "/tmp/decision_test.XXXXXX");
    assert_non_null(mkdtemp(p->folder));
    snprintf(p->path, sizeof p->path, "%s/log", p->folder);
}

static void place_remove(const struct place *p)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", p->folder);
    assert_int_equal(system(command), 0); /* NOLINT(cert-env33-c): a path of our own */
}

/* What stands in PATH (0) or PATH.n; "" if there is none. */
static const char *content(const struct place *p, int n)
{
    static char text[4096];
    char path[100];
    snprintf(path, sizeof path, n ? "%s.%d" : "%s", p->path, n);
    FILE *f = fopen(path, "r");
    size_t len = f ? fread(text, 1, sizeof text - 1, f) : 0;
    if (f)
        fclose(f);
    text[len] = '\0';
    return text;
}

static struct decision_sink open_sink(const struct place *p, int64_t rotate_bytes, int64_t keep)
{
    struct decision_sink sink;
    char why[SINK_WHY_BYTES];
    assert_true(mgi_decision_sink_file(p->path, rotate_bytes, keep, &sink, why));
    return sink;
}

static size_t taken; /* of the last text */

static enum sink_result write_text(struct decision_sink *s, const char *text)
{
    char why[SINK_WHY_BYTES];
    enum sink_result result = s->operations->write(s->self, str_of(text), &taken, why);
    assert_int_equal(result == SINK_FAILED, why[0] != '\0');
    return result;
}

static void close_sink(struct decision_sink *s)
{
    s->operations->close(s->self);
}

static void a_file_is_its_owners_alone_and_is_appended_to(void **state)
{
    struct place p;
    struct stat st;
    (void)state;
    place_make(&p);
    for (int i = 0; i < 2; i++) {
        struct decision_sink s = open_sink(&p, 0, 1);
        assert_int_equal(write_text(&s, "one\n"), SINK_WRITTEN);
        close_sink(&s);
    }
    assert_string_equal(content(&p, 0), "one\none\n");
    assert_int_equal(stat(p.path, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    place_remove(&p);
}

static void a_file_that_others_may_read_is_its_owners_alone_from_now_on(void **state)
{
    struct place p;
    struct stat st;
    (void)state;
    place_make(&p);
    int fd = open(p.path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
    assert_int_equal(fchmod(fd, 0644), 0);
    close(fd);
    struct decision_sink s = open_sink(&p, 0, 1);
    assert_int_equal(stat(p.path, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    close_sink(&s);
    place_remove(&p);
}

static void a_pipe_that_nobody_reads_is_a_fault(void **state)
{
    struct place p;
    struct decision_sink s;
    char why[SINK_WHY_BYTES], text[8];
    (void)state;
    place_make(&p);
    assert_int_equal(mkfifo(p.path, 0600), 0);
    assert_false(mgi_decision_sink_file(p.path, 0, 1, &s, why));
    assert_non_null(strstr(why, "could not open it"));
    int reader = open(p.path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    s = open_sink(&p, 0, 1);
    assert_int_equal(write_text(&s, "one\n"), SINK_WRITTEN);
    assert_int_equal(read(reader, text, sizeof text), 4);
    close_sink(&s);
    close(reader);
    place_remove(&p);
}

static void rotation_keeps_so_many_files_of_whole_lines(void **state)
{
    struct place p;
    (void)state;
    place_make(&p);
    struct decision_sink s = open_sink(&p, 10, 2);
    const char *const lines[] = {
        "aaaa\n", "bbbb\n", "cccc\n", "dddd\n", "eeee\n", "ffff\n", "longer than a file may be\n",
        "gggg\n"
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        assert_int_equal(write_text(&s, lines[i]), SINK_WRITTEN);
    assert_string_equal(content(&p, 0), "gggg\n");
    assert_string_equal(content(&p, 1), "longer than a file may be\n");
    assert_string_equal(content(&p, 2), "eeee\nffff\n");
    assert_string_equal(content(&p, 3), "");
    close_sink(&s);
    place_remove(&p);
}

/* A file that was there before counts with what it has. */
static void rotation_goes_on_after_a_restart(void **state)
{
    struct place p;
    (void)state;
    place_make(&p);
    struct decision_sink s = open_sink(&p, 10, 2);
    write_text(&s, "aaaaaaa\n");
    close_sink(&s);
    s = open_sink(&p, 10, 2);
    write_text(&s, "bbbbbbb\n");
    assert_string_equal(content(&p, 0), "bbbbbbb\n");
    assert_string_equal(content(&p, 1), "aaaaaaa\n");
    close_sink(&s);
    place_remove(&p);
}

static void a_rotation_that_fails_loses_no_line(void **state)
{
    struct place p;
    char blocked[100], why[SINK_WHY_BYTES];
    (void)state;
    place_make(&p);
    snprintf(blocked, sizeof blocked, "%s.1", p.path);
    assert_int_equal(mkdir(blocked, 0700), 0); /* a folder where PATH.1 should be */
    struct decision_sink s = open_sink(&p, 10, 1);
    write_text(&s, "aaaaaaa\n");
    assert_int_equal(s.operations->write(s.self, STR_LIT("bbbbbbb\n"), &taken, why), SINK_WRITTEN);
    assert_non_null(strstr(why, "could not rotate it"));
    assert_int_equal(s.operations->write(s.self, STR_LIT("c\n"), &taken, why), SINK_WRITTEN);
    assert_string_equal(why, ""); /* not at every line */
    assert_string_equal(content(&p, 0), "aaaaaaa\nbbbbbbb\nc\n");
    close_sink(&s);
    place_remove(&p);
}

static void what_a_killed_writer_left_is_a_line_of_its_own(void **state)
{
    struct place p;
    (void)state;
    place_make(&p);
    FILE *f = fopen(p.path, "w");
    fputs("whole\ntorn", f);
    fclose(f);
    struct decision_sink s = open_sink(&p, 0, 1);
    write_text(&s, "next\n");
    assert_string_equal(content(&p, 0), "whole\ntorn\nnext\n");
    close_sink(&s);
    place_remove(&p);
}

static void a_file_that_may_not_grow_holds_whole_lines_and_goes_on_later(void **state)
{
    struct place p;
    struct rlimit before, small = { 0 };
    (void)state;
    place_make(&p);
    struct decision_sink s = open_sink(&p, 0, 1);
    write_text(&s, "whole\n");
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    small = (struct rlimit){ 9, before.rlim_max };
    setrlimit(RLIMIT_FSIZE, &small);
    assert_int_equal(write_text(&s, "does not fit\n"), SINK_FAILED);
    setrlimit(RLIMIT_FSIZE, &before);
    assert_string_equal(content(&p, 0), "whole\n");
    assert_int_equal(write_text(&s, "does now\n"), SINK_WRITTEN);
    assert_string_equal(content(&p, 0), "whole\ndoes now\n");
    close_sink(&s);
    place_remove(&p);
}

static void allow_bytes(rlim_t bytes)
{
    struct rlimit limit;
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &limit);
}

static void of_many_lines_the_whole_ones_stay(void **state)
{
    struct place p;
    (void)state;
    place_make(&p);
    struct decision_sink s = open_sink(&p, 0, 1);
    allow_bytes(12);
    assert_int_equal(write_text(&s, "one\ntwo\nthree\n"), SINK_FAILED);
    allow_bytes(RLIM_INFINITY);
    assert_int_equal(taken, strlen("one\ntwo\n"));
    assert_string_equal(content(&p, 0), "one\ntwo\n");
    assert_int_equal(write_text(&s, "three\n"), SINK_WRITTEN);
    assert_string_equal(content(&p, 0), "one\ntwo\nthree\n");
    close_sink(&s);
    place_remove(&p);
}

static void many_lines_are_rotated_between_lines(void **state)
{
    struct place p;
    (void)state;
    place_make(&p);
    struct decision_sink s = open_sink(&p, 10, 9);
    assert_int_equal(write_text(&s, "1aaa\n2aaa\n3aaa\n4 is too long for a file\n5aa\n"),
                     SINK_WRITTEN);
    assert_string_equal(content(&p, 3), "1aaa\n2aaa\n");
    assert_string_equal(content(&p, 2), "3aaa\n");
    assert_string_equal(content(&p, 1), "4 is too long for a file\n");
    assert_string_equal(content(&p, 0), "5aa\n");
    close_sink(&s);
    place_remove(&p);
}

/* A shell that appends has no lock: what it wrote is not taken back with our torn line. */
static void what_others_append_stays(void **state)
{
    struct place p;
    (void)state;
    place_make(&p);
    struct decision_sink s = open_sink(&p, 0, 1);
    assert_int_equal(write_text(&s, "ours\n"), SINK_WRITTEN);
    FILE *other = fopen(p.path, "a");
    fputs("theirs\n", other);
    fclose(other);
    allow_bytes(14);
    assert_int_equal(write_text(&s, "torn\n"), SINK_FAILED);
    allow_bytes(RLIM_INFINITY);
    assert_int_equal(write_text(&s, "whole\n"), SINK_WRITTEN);
    assert_string_equal(content(&p, 0), "ours\ntheirs\nto\nwhole\n");
    close_sink(&s);
    place_remove(&p);
}

static void two_do_not_write_to_one_file(void **state)
{
    struct place p;
    struct decision_sink second;
    char why[SINK_WHY_BYTES];
    (void)state;
    place_make(&p);
    struct decision_sink s = open_sink(&p, 0, 1);
    assert_false(mgi_decision_sink_file(p.path, 0, 1, &second, why));
    assert_string_equal(why, "another server writes to it: give each a file of its own");
    assert_true(s.operations->reopen(s.self, why)); /* its own lock is not in its way */
    assert_int_equal(write_text(&s, "ours\n"), SINK_WRITTEN);
    close_sink(&s);
    s = open_sink(&p, 0, 1);
    close_sink(&s);
    place_remove(&p);
}

static void a_device_that_is_full_fails(void **state)
{
    struct decision_sink s;
    char why[SINK_WHY_BYTES];
    (void)state;
    assert_true(mgi_decision_sink_file("/dev/full", 10, 1, &s, why));
    assert_int_equal(s.operations->write(s.self, STR_LIT("x\n"), &taken, why), SINK_FAILED);
    assert_non_null(strstr(why, "No space left"));
    close_sink(&s);
}

static void what_cannot_be_opened_says_why(void **state)
{
    struct decision_sink s;
    char why[SINK_WHY_BYTES];
    (void)state;
    assert_false(mgi_decision_sink_file("/nowhere/log", 0, 1, &s, why));
    assert_non_null(strstr(why, "No such file"));
    assert_null(s.operations);
    assert_false(mgi_decision_sink_file("/tmp", 0, 1, &s, why));
    assert_non_null(strstr(why, "directory"));
}

static void reopening_follows_a_file_that_was_moved(void **state)
{
    struct place p;
    char moved[100], why[SINK_WHY_BYTES];
    (void)state;
    place_make(&p);
    struct decision_sink s = open_sink(&p, 0, 1);
    write_text(&s, "old\n");
    snprintf(moved, sizeof moved, "%s.1", p.path);
    assert_int_equal(rename(p.path, moved), 0);
    write_text(&s, "still old\n");
    assert_true(s.operations->reopen(s.self, why));
    write_text(&s, "new\n");
    assert_string_equal(content(&p, 0), "new\n");
    assert_string_equal(content(&p, 1), "old\nstill old\n");
    close_sink(&s);
    place_remove(&p);
}

static void reopening_in_vain_goes_on_with_the_old_file(void **state)
{
    struct place p;
    char moved[100], why[SINK_WHY_BYTES];
    (void)state;
    place_make(&p);
    struct decision_sink s = open_sink(&p, 0, 1);
    snprintf(moved, sizeof moved, "%s.1", p.path);
    assert_int_equal(rename(p.path, moved), 0);
    assert_int_equal(mkdir(p.path, 0700), 0);
    assert_false(s.operations->reopen(s.self, why));
    assert_int_equal(write_text(&s, "kept\n"), SINK_WRITTEN);
    assert_string_equal(content(&p, 1), "kept\n");
    close_sink(&s);
    place_remove(&p);
}

/* A line larger than the pipe goes in pieces, while its reader takes its time. */
static void a_pipe_that_nobody_reads_is_waited_for(void **state)
{
    static char line[200000];
    struct decision_sink s;
    char why[SINK_WHY_BYTES], chunk[65536];
    int ends[2];
    size_t got = 0;
    (void)state;
    assert_int_equal(pipe(ends), 0);
    memset(line, 'x', sizeof line - 1);
    line[sizeof line - 1] = '\n';
    assert_true(mgi_decision_sink_descriptor(ends[1], &s));
    struct str text = { line, sizeof line };
    enum sink_result result;
    while ((result = s.operations->write(s.self, text, &taken, why)) == SINK_WAITS) {
        text.ptr += taken;
        text.len -= taken;
        ssize_t n = read(ends[0], chunk, sizeof chunk);
        assert_true(n > 0);
        got += (size_t)n;
    }
    assert_int_equal(result, SINK_WRITTEN);
    while (got < sizeof line) {
        ssize_t n = read(ends[0], chunk, sizeof chunk);
        assert_true(n > 0);
        got += (size_t)n;
    }
    assert_int_equal(chunk[0], 'x');
    close_sink(&s);
    close(ends[0]);
    close(ends[1]);
}

static void a_pipe_without_a_reader_fails(void **state)
{
    struct decision_sink s;
    char why[SINK_WHY_BYTES];
    int ends[2];
    (void)state;
    signal(SIGPIPE, SIG_IGN);
    assert_int_equal(pipe(ends), 0);
    close(ends[0]);
    assert_true(mgi_decision_sink_descriptor(ends[1], &s));
    assert_int_equal(s.operations->write(s.self, STR_LIT("x\n"), &taken, why), SINK_FAILED);
    assert_non_null(strstr(why, "Broken pipe"));
    close_sink(&s);
    close(ends[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_is_its_owners_alone_and_is_appended_to),
        cmocka_unit_test(a_file_that_others_may_read_is_its_owners_alone_from_now_on),
        cmocka_unit_test(a_pipe_that_nobody_reads_is_a_fault),
        cmocka_unit_test(rotation_keeps_so_many_files_of_whole_lines),
        cmocka_unit_test(rotation_goes_on_after_a_restart),
        cmocka_unit_test(a_rotation_that_fails_loses_no_line),
        cmocka_unit_test(what_a_killed_writer_left_is_a_line_of_its_own),
        cmocka_unit_test(a_file_that_may_not_grow_holds_whole_lines_and_goes_on_later),
        cmocka_unit_test(of_many_lines_the_whole_ones_stay),
        cmocka_unit_test(many_lines_are_rotated_between_lines),
        cmocka_unit_test(what_others_append_stays),
        cmocka_unit_test(two_do_not_write_to_one_file),
        cmocka_unit_test(a_device_that_is_full_fails),
        cmocka_unit_test(what_cannot_be_opened_says_why),
        cmocka_unit_test(reopening_follows_a_file_that_was_moved),
        cmocka_unit_test(reopening_in_vain_goes_on_with_the_old_file),
        cmocka_unit_test(a_pipe_that_nobody_reads_is_waited_for),
        cmocka_unit_test(a_pipe_without_a_reader_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
