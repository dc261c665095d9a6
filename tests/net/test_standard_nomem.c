/* Standard input and output: pipes and files alike, whole and in order, up to their close; and the
 * failure of any allocation. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/buf.h"
#include "net/standard.h"
#include "support/nomem.h"

struct ends {
    uv_loop_t loop;
    struct input *in;
    struct output *out;
    struct buf got;
    size_t pieces, went, failed;
    bool pauses, ended, in_closed, out_closed, flushed;
};

static void bytes_came(void *owner, struct str bytes)
{
    struct ends *e = owner;
    assert_true(bytes.len > 0);
    assert_false(e->ended);
    mgi_buf_str(&e->got, bytes);
    e->pieces++;
    if (e->pauses)
        mgi_input_pause(e->in);
}

static void input_over(void *owner)
{
    struct ends *e = owner;
    assert_false(e->ended);
    e->ended = true;
}

static void line_out(void *owner, int status)
{
    struct ends *e = owner;
    e->went += status == 0;
    e->failed += status < 0;
}

static void in_gone(void *owner)
{
    ((struct ends *)owner)->in_closed = true;
}

static void out_gone(void *owner)
{
    ((struct ends *)owner)->out_closed = true;
}

static void all_flushed(void *owner)
{
    ((struct ends *)owner)->flushed = true;
}

static const struct input_events from = { .bytes = bytes_came, .ended = input_over };
static const struct output_events to = { .written = line_out };

static void end(struct ends *e)
{
    if (e->in)
        mgi_input_close(e->in, in_gone);
    if (e->out)
        mgi_output_close(e->out, out_gone);
    uv_run(&e->loop, UV_RUN_DEFAULT);
    assert_int_equal(e->in_closed, e->in != NULL);
    assert_int_equal(e->out_closed, e->out != NULL);
    assert_int_equal(uv_loop_close(&e->loop), 0);
    mgi_buf_fini(&e->got);
}

static int file_with(const char *text)
{
    FILE *f = tmpfile();
    assert_non_null(f);
    int fd = dup(fileno(f));
    fclose(f);
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
    return fd;
}

static void read_all(int fd, const char *text, bool pauses)
{
    struct ends e = { .pauses = pauses };
    assert_int_equal(uv_loop_init(&e.loop), 0);
    e.in = mgi_input_open(&e.loop, fd, &from, &e);
    assert_non_null(e.in);
    uv_run(&e.loop, UV_RUN_NOWAIT);
    assert_int_equal(e.got.len, 0); /* it begins paused */
    while (!e.ended) {
        mgi_input_resume(e.in);
        mgi_input_resume(e.in);
        uv_run(&e.loop, UV_RUN_ONCE);
    }
    mgi_input_resume(e.in); /* nothing comes behind the end */
    uv_run(&e.loop, UV_RUN_NOWAIT);
    assert_int_equal(e.got.len, strlen(text));
    assert_memory_equal(e.got.ptr, text, e.got.len);
    end(&e);
}

static char *long_text(size_t len)
{
    char *text = malloc(len + 1);
    assert_non_null(text);
    for (size_t i = 0; i < len; i++)
        text[i] = (char)('a' + i % 23);
    text[len] = '\0';
    return text;
}

static void test_a_file_is_read_whole_also_with_pauses(void **state)
{
    (void)state;
    char *text = long_text(200000);
    for (int pauses = 0; pauses < 2; pauses++) {
        int fd = file_with(text);
        read_all(fd, text, pauses);
        close(fd);
    }
    int empty = file_with("");
    read_all(empty, "", false);
    close(empty);
    free(text);
}

static void test_a_pipe_is_read_whole_also_with_pauses(void **state)
{
    (void)state;
    char *text = long_text(60000); /* fits into a pipe */
    for (int pauses = 0; pauses < 2; pauses++) {
        int ends[2];
        assert_int_equal(pipe(ends), 0);
        assert_int_equal(write(ends[1], text, 60000), 60000);
        close(ends[1]);
        read_all(ends[0], text, pauses);
    }
    free(text);
}

static void test_an_input_may_be_closed_while_its_file_is_read(void **state)
{
    (void)state;
    struct ends e = { 0 };
    int fd = file_with("some");
    assert_int_equal(uv_loop_init(&e.loop), 0);
    e.in = mgi_input_open(&e.loop, fd, &from, &e);
    mgi_input_resume(e.in); /* in the pool from now on */
    end(&e);
    assert_false(e.ended);
    close(fd);
}

static void test_lines_go_out_whole_to_a_file(void **state)
{
    (void)state;
    struct ends e = { 0 };
    char got[32] = "";
    int fd = file_with("");
    assert_int_equal(uv_loop_init(&e.loop), 0);
    e.out = mgi_output_open(&e.loop, fd, &to, &e);
    assert_true(mgi_output_line(e.out, STR_LIT("one")));
    assert_true(mgi_output_line(e.out, STR_LIT("")));
    assert_true(mgi_output_line(e.out, STR_LIT("two")));
    assert_int_equal(mgi_output_queued(e.out), 0);
    assert_false(mgi_output_flush(e.out, all_flushed));
    assert_int_equal(pread(fd, got, sizeof got, 0), 9);
    assert_string_equal(got, "one\n\ntwo\n");
    end(&e);
    close(fd);
}

static void test_lines_to_a_pipe_are_queued_flushed_or_given_up(void **state)
{
    (void)state;
    char *text = long_text(300000);
    for (int gives_up = 0; gives_up < 2; gives_up++) {
        struct ends e = { 0 };
        int ends[2];
        char some[65536];
        size_t got = 0;
        assert_int_equal(pipe(ends), 0);
        assert_int_equal(uv_loop_init(&e.loop), 0);
        e.out = mgi_output_open(&e.loop, ends[1], &to, &e);
        assert_true(mgi_output_line(e.out, str_of(text)));
        assert_true(mgi_output_line(e.out, STR_LIT("end")));
        assert_true(mgi_output_queued(e.out) > 0);
        assert_true(mgi_output_flush(e.out, all_flushed));
        while (!gives_up && !e.flushed) {
            got += (size_t)read(ends[0], some, sizeof some);
            uv_run(&e.loop, UV_RUN_NOWAIT);
        }
        end(&e);
        for (ssize_t n; !gives_up && (n = read(ends[0], some, sizeof some)) > 0;)
            got += (size_t)n;
        assert_int_equal(e.went + e.failed, 2);
        assert_int_equal(e.failed > 0, gives_up);
        assert_int_equal(e.flushed, !gives_up);
        assert_int_equal(got, gives_up ? 0 : 300000 + 1 + 4);
        close(ends[0]);
    }
    free(text);
}

static void test_any_allocation_may_fail(void **state)
{
    (void)state;
    bool failed = true;
    for (size_t n = 1; failed; n++) {
        struct ends e = { 0 };
        int in[2], out[2];
        assert_int_equal(pipe(in), 0);
        assert_int_equal(pipe(out), 0);
        assert_int_equal(uv_loop_init(&e.loop), 0);
        nomem_fail_at(n);
        e.in = mgi_input_open(&e.loop, in[0], &from, &e);
        e.out = mgi_output_open(&e.loop, out[1], &to, &e);
        bool line = e.out && mgi_output_line(e.out, STR_LIT("line"));
        bool flush = e.out && mgi_output_flush(e.out, all_flushed);
        failed = nomem_failed();
        nomem_fail_at(0);
        assert_int_equal(failed, !e.in || !e.out || !line || !flush);
        if (!e.in)
            close(in[0]);
        if (!e.out)
            close(out[1]);
        end(&e);
        close(in[1]);
        close(out[0]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_file_is_read_whole_also_with_pauses),
        cmocka_unit_test(test_a_pipe_is_read_whole_also_with_pauses),
        cmocka_unit_test(test_an_input_may_be_closed_while_its_file_is_read),
        cmocka_unit_test(test_lines_go_out_whole_to_a_file),
        cmocka_unit_test(test_lines_to_a_pipe_are_queued_flushed_or_given_up),
        cmocka_unit_test(test_any_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
