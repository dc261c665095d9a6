/* The queue of a decision log and its thread: a sink made of memory that can be told to fail. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "decision/log.h"

struct fake_sink {
    pthread_mutex_t mutex;
    struct buf text;
    atomic_int result;   /* enum sink_result of the next writes */
    atomic_size_t taken; /* bytes of the next write that fails */
    atomic_uint reopened, closed, tries, changes;
};

static enum sink_result fake_write(void *self, struct str lines, size_t *taken,
                                   char why[SINK_WHY_BYTES])
{
    struct fake_sink *s = self;
    enum sink_result result = (enum sink_result)atomic_load(&s->result);
    atomic_fetch_add(&s->tries, 1);
    snprintf(why, SINK_WHY_BYTES, "%s", result == SINK_FAILED ? "the disk is full" : "");
    *taken = result == SINK_WRITTEN ? lines.len : 0;
    if (atomic_load(&s->taken) > 0) { /* so much of it, and then it fails */
        *taken = atomic_exchange(&s->taken, 0);
        lines.len = *taken;
    } else if (result != SINK_WRITTEN) {
        return result;
    }
    pthread_mutex_lock(&s->mutex);
    mgi_buf_str(&s->text, lines);
    pthread_mutex_unlock(&s->mutex);
    return result;
}

static bool fake_reopen(void *self, char why[SINK_WHY_BYTES])
{
    why[0] = '\0';
    atomic_fetch_add(&((struct fake_sink *)self)->reopened, 1);
    return true;
}

static void fake_close(void *self)
{
    atomic_fetch_add(&((struct fake_sink *)self)->closed, 1);
}

static void has_changed(void *context)
{
    atomic_fetch_add(&((struct fake_sink *)context)->changes, 1);
}

static struct decision_log *log_telling(struct fake_sink *s, size_t max_bytes,
                                        const struct logger *log)
{
    static const struct decision_sink_operations operations = { fake_write, fake_reopen,
                                                                fake_close };
    memset(s, 0, sizeof *s);
    pthread_mutex_init(&s->mutex, NULL);
    struct decision_log_options o = { .sink = { &operations, s },
                                      .max_bytes = max_bytes,
                                      .run = "run",
                                      .log = log,
                                      .changed = has_changed,
                                      .context = s };
    struct decision_log *d = mgi_decision_log_new(&o);
    assert_non_null(d);
    return d;
}

static struct decision_log *log_over(struct fake_sink *s, size_t max_bytes)
{
    return log_telling(s, max_bytes, NULL);
}

static bool put(struct decision_log *d, const char *text)
{
    struct buf line = { 0 };
    mgi_buf_printf(&line, "%s\n", text);
    bool kept = mgi_decision_log_put(d, &line);
    mgi_buf_fini(&line);
    return kept;
}

static struct decision_log_state state_of(struct decision_log *d)
{
    struct decision_log_state state;
    mgi_decision_log_state(d, &state);
    return state;
}

#define wait_for(condition)                                                                        \
    do {                                                                                           \
        for (int n_ = 0; n_ < 10000 && !(condition); n_++)                                         \
            usleep(1000);                                                                          \
        assert_true(condition);                                                                    \
    } while (0)

static void all_lines_are_written_in_order_before_the_end(void **state)
{
    struct fake_sink s;
    struct decision_log *d = log_over(&s, 0);
    struct buf wanted = { 0 };
    (void)state;
    for (int i = 0; i < 1000; i++) {
        char text[32];
        snprintf(text, sizeof text, "line %d", i);
        assert_true(put(d, text));
        mgi_buf_printf(&wanted, "%s\n", text);
    }
    mgi_decision_log_free(d, 10000);
    assert_string_equal(s.text.ptr, wanted.ptr);
    assert_int_equal(s.closed, 1);
    mgi_buf_fini(&s.text);
    mgi_buf_fini(&wanted);
}

static void ids_are_counted_within_a_run(void **state)
{
    struct fake_sink s;
    struct decision_log *d = log_over(&s, 0);
    char id[48];
    (void)state;
    mgi_decision_log_id(d, id);
    assert_string_equal(id, "run-1");
    mgi_decision_log_id(d, id);
    assert_string_equal(id, "run-2");
    mgi_decision_log_free(d, 1000);
}

/* A line of so many bytes. */
static char *long_line(char text[2001], const char *begin)
{
    memset(text, 'x', 2000);
    text[2000] = '\0';
    memcpy(text, begin, strlen(begin));
    return text;
}

static void a_full_queue_loses_counts_and_says_where(void **state)
{
    struct fake_sink s;
    struct decision_log *d = log_over(&s, 5000); /* two lines of 2000 bytes */
    char text[2001];
    struct buf wanted = { 0 };
    (void)state;
    s.result = SINK_FAILED;
    mgi_buf_printf(&wanted, "%s\n", long_line(text, "first"));
    assert_true(put(d, text));
    wait_for(s.tries > 0); /* it is in the thread's hands, and counts all the same */
    mgi_buf_printf(&wanted, "%s\n", long_line(text, "second"));
    assert_true(put(d, text));
    assert_false(put(d, text));
    assert_false(put(d, "and a short one"));
    assert_int_equal(state_of(d).lost, 2);
    assert_in_range(state_of(d).waiting_bytes, 4000, 5000);
    s.result = SINK_WRITTEN;
    wait_for(state_of(d).written == 2);
    wait_for(state_of(d).waiting_bytes == 0);
    assert_true(put(d, "fifth"));
    assert_true(put(d, "sixth"));
    mgi_decision_log_free(d, 10000);
    mgi_buf_puts(&wanted, "{\"decision\":1,\"kind\":\"lost\",\"records\":2}\nfifth\nsixth\n");
    assert_string_equal(s.text.ptr, wanted.ptr);
    mgi_buf_fini(&wanted);
    mgi_buf_fini(&s.text);
}

/* Else who reads a log that ends would not know that anything is missing. */
static void what_is_lost_at_last_is_said_without_another_line(void **state)
{
    struct fake_sink s;
    struct decision_log *d = log_over(&s, 0);
    struct buf none = { .oom = true };
    (void)state;
    assert_false(mgi_decision_log_put(d, &none));
    mgi_decision_log_free(d, 10000);
    assert_string_equal(s.text.ptr, "{\"decision\":1,\"kind\":\"lost\",\"records\":1}\n");
    mgi_buf_fini(&s.text);
}

static void lines_that_come_together_are_one_write(void **state)
{
    struct fake_sink s;
    struct decision_log *d = log_over(&s, 0);
    (void)state;
    s.result = SINK_FAILED;
    assert_true(put(d, "first"));
    wait_for(s.tries > 0);
    for (int i = 0; i < 100; i++)
        assert_true(put(d, "one of many"));
    unsigned before = s.tries;
    s.result = SINK_WRITTEN;
    wait_for(state_of(d).written == 101);
    assert_in_range(s.tries - before, 2, 3);
    mgi_decision_log_free(d, 10000);
    mgi_buf_fini(&s.text);
}

static void what_was_written_of_many_lines_is_not_written_again(void **state)
{
    struct fake_sink s;
    struct decision_log *d = log_over(&s, 0);
    (void)state;
    s.result = SINK_FAILED;
    assert_true(put(d, "first"));
    wait_for(s.tries > 0);
    assert_true(put(d, "second"));
    assert_true(put(d, "third"));
    s.taken = strlen("first\n");
    wait_for(state_of(d).written == 1);
    s.result = SINK_WRITTEN;
    wait_for(state_of(d).written == 3);
    assert_int_equal(state_of(d).bytes, strlen("first\nsecond\nthird\n"));
    s.result = SINK_FAILED;
    unsigned before = s.tries;
    assert_true(put(d, "fourth"));
    wait_for(s.tries > before);
    assert_true(put(d, "fifth"));
    assert_true(put(d, "sixth"));
    s.taken = strlen("fourth\n");
    wait_for(state_of(d).written == 4);
    mgi_decision_log_free(d, 0); /* the rest is given up */
    assert_string_equal(s.text.ptr, "first\nsecond\nthird\nfourth\n");
    mgi_buf_fini(&s.text);
}

/* A server's log that nobody reads holds up the log's thread, and no request. */
static pthread_mutex_t reader = PTHREAD_MUTEX_INITIALIZER;
static atomic_uint told;

static void tell_slowly(void *context, enum log_level level, const char *line, size_t len)
{
    (void)context;
    (void)level;
    (void)line;
    (void)len;
    atomic_fetch_add(&told, 1);
    pthread_mutex_lock(&reader);
    pthread_mutex_unlock(&reader);
}

static void who_puts_a_line_does_not_wait_for_the_servers_log(void **state)
{
    struct fake_sink s;
    const struct logger log = { .level = LOG_INFO, .write = tell_slowly };
    struct decision_log *d = log_telling(&s, 0, &log);
    (void)state;
    alarm(20);
    pthread_mutex_lock(&reader);
    s.result = SINK_FAILED;
    assert_true(put(d, "stuck"));
    wait_for(told > 0);
    assert_true(put(d, "not held up"));
    assert_int_equal(state_of(d).lost, 0);
    pthread_mutex_unlock(&reader);
    alarm(0);
    s.result = SINK_WRITTEN;
    mgi_decision_log_free(d, 10000);
    assert_string_equal(s.text.ptr, "stuck\nnot held up\n");
    mgi_buf_fini(&s.text);
}

static void what_could_not_be_written_is_tried_again_and_the_trouble_is_told(void **state)
{
    struct fake_sink s;
    struct decision_log *d = log_over(&s, 0);
    (void)state;
    s.result = SINK_FAILED;
    assert_true(put(d, "patient"));
    wait_for(s.tries >= 3);
    assert_string_equal(state_of(d).why, "the disk is full");
    assert_int_equal(s.changes, 1); /* told once, not at each try */
    s.result = SINK_WRITTEN;
    wait_for(state_of(d).written == 1);
    assert_string_equal(state_of(d).why, "");
    assert_int_equal(s.changes, 2);
    assert_int_equal(state_of(d).lost, 0);
    mgi_decision_log_free(d, 1000);
    assert_string_equal(s.text.ptr, "patient\n");
    mgi_buf_fini(&s.text);
}

static void the_end_waits_no_longer_than_its_deadline(void **state)
{
    struct fake_sink s;
    struct decision_log *d = log_over(&s, 0);
    (void)state;
    s.result = SINK_WAITS;
    for (int i = 0; i < 10; i++)
        assert_true(put(d, "nobody reads this"));
    wait_for(s.tries > 0);
    mgi_decision_log_free(d, 50);
    assert_int_equal(s.closed, 1);
    assert_null(s.text.ptr);
}

static void it_opens_its_file_again_when_asked(void **state)
{
    struct fake_sink s;
    struct decision_log *d = log_over(&s, 0);
    (void)state;
    mgi_decision_log_reopen(d); /* with nothing to write */
    wait_for(s.reopened == 1);
    s.result = SINK_FAILED;
    assert_true(put(d, "stuck"));
    wait_for(s.tries > 0);
    mgi_decision_log_reopen(d); /* while a line waits: it goes there */
    wait_for(s.reopened == 2);
    s.result = SINK_WRITTEN;
    mgi_decision_log_free(d, 10000);
    assert_string_equal(s.text.ptr, "stuck\n");
    mgi_buf_fini(&s.text);
}

#define WRITERS 4
#define EACH    2000

static void *write_many(void *context)
{
    struct decision_log *d = context;
    char id[48];
    for (int i = 0; i < EACH; i++) {
        mgi_decision_log_id(d, id);
        (void)put(d, id);
    }
    return NULL;
}

static void many_threads_write_every_line_whole(void **state)
{
    struct fake_sink s;
    struct decision_log *d = log_over(&s, 0);
    pthread_t threads[WRITERS];
    size_t lines = 0;
    (void)state;
    for (int i = 0; i < WRITERS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, write_many, d), 0);
    for (int i = 0; i < WRITERS; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(state_of(d).lost, 0);
    mgi_decision_log_free(d, 10000);
    for (const char *at = s.text.ptr; *at; at = strchr(at, '\n') + 1, lines++)
        assert_int_equal(strncmp(at, "run-", 4), 0);
    assert_int_equal(lines, WRITERS * EACH);
    mgi_buf_fini(&s.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_lines_are_written_in_order_before_the_end),
        cmocka_unit_test(ids_are_counted_within_a_run),
        cmocka_unit_test(a_full_queue_loses_counts_and_says_where),
        cmocka_unit_test(what_is_lost_at_last_is_said_without_another_line),
        cmocka_unit_test(lines_that_come_together_are_one_write),
        cmocka_unit_test(what_was_written_of_many_lines_is_not_written_again),
        cmocka_unit_test(who_puts_a_line_does_not_wait_for_the_servers_log),
        cmocka_unit_test(what_could_not_be_written_is_tried_again_and_the_trouble_is_told),
        cmocka_unit_test(the_end_waits_no_longer_than_its_deadline),
        cmocka_unit_test(it_opens_its_file_again_when_asked),
        cmocka_unit_test(many_threads_write_every_line_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
