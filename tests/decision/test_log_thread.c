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
    atomic_int result; /* enum sink_result of the next writes */
    atomic_uint reopened, closed, tries, changes;
};

static enum sink_result fake_write(void *self, struct str line, char why[SINK_WHY_BYTES])
{
    struct fake_sink *s = self;
    enum sink_result result = (enum sink_result)atomic_load(&s->result);
    atomic_fetch_add(&s->tries, 1);
    snprintf(why, SINK_WHY_BYTES, "%s", result == SINK_FAILED ? "the disk is full" : "");
    if (result != SINK_WRITTEN)
        return result;
    pthread_mutex_lock(&s->mutex);
    mgi_buf_str(&s->text, line);
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

static struct decision_log *log_over(struct fake_sink *s, size_t max_bytes)
{
    static const struct decision_sink_operations operations = { fake_write, fake_reopen,
                                                                fake_close };
    memset(s, 0, sizeof *s);
    pthread_mutex_init(&s->mutex, NULL);
    struct decision_log_options o = { .sink = { &operations, s },
                                      .max_bytes = max_bytes,
                                      .run = "run",
                                      .changed = has_changed,
                                      .context = s };
    struct decision_log *d = mgi_decision_log_new(&o);
    assert_non_null(d);
    return d;
}

/* `room` bytes of memory are behind it, however short it is. */
static bool put_roomy(struct decision_log *d, const char *text, size_t room)
{
    struct buf line = { 0 };
    assert_true(mgi_buf_reserve(&line, room));
    mgi_buf_printf(&line, "%s\n", text);
    bool kept = mgi_decision_log_put(d, &line);
    assert_null(line.ptr);
    return kept;
}

static bool put(struct decision_log *d, const char *text)
{
    return put_roomy(d, text, 0);
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

static void a_full_queue_loses_counts_and_says_where(void **state)
{
    struct fake_sink s;
    struct decision_log *d = log_over(&s, 3000); /* two lines that hold 1000 bytes or more */
    (void)state;
    s.result = SINK_FAILED;
    assert_true(put_roomy(d, "first__", 1000));
    wait_for(s.tries > 0); /* it is in the thread's hands, and counts all the same */
    assert_true(put_roomy(d, "second_", 1000));
    assert_false(put_roomy(d, "third__", 1000)); /* what it holds counts, not what it says */
    assert_false(put_roomy(d, "fourth_", 1000));
    assert_int_equal(state_of(d).lost, 2);
    assert_in_range(state_of(d).waiting_bytes, 2000, 3000);
    s.result = SINK_WRITTEN;
    wait_for(state_of(d).written == 2);
    wait_for(state_of(d).waiting_bytes == 0);
    assert_true(put(d, "fifth__"));
    mgi_decision_log_free(d, 10000);
    assert_string_equal(s.text.ptr, "first__\nsecond_\n"
                                    "{\"decision\":1,\"kind\":\"lost\",\"records\":2}\n"
                                    "fifth__\n");
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
        cmocka_unit_test(what_could_not_be_written_is_tried_again_and_the_trouble_is_told),
        cmocka_unit_test(the_end_waits_no_longer_than_its_deadline),
        cmocka_unit_test(it_opens_its_file_again_when_asked),
        cmocka_unit_test(many_threads_write_every_line_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
