/* The pipe to a browser: bytes as messages, commands and replies, deadlines, death, floods. The
 * browser is this program itself: fake_browser.h. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdatomic.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "browser/fake_browser.h"
#include "../../domains/browser/plugins/browser/pipe.h"
#include "../../domains/browser/plugins/browser/talk.h"

static const char *self; /* this program's path */

/* ---- frames --------------------------------------------------------------------------------- */

struct heard {
    char all[4096];
    size_t count, lost;
};

static void hear_message(void *context, struct str text)
{
    struct heard *h = context;
    size_t at = strlen(h->all);
    snprintf(h->all + at, sizeof h->all - at, "<%.*s>", STR_ARG(text));
    h->count++;
}

static void hear_lost(void *context, struct str beginning)
{
    struct heard *h = context;
    assert_true(beginning.len > 0);
    h->lost++;
}

static void take_in_pieces(struct heard *h, struct str bytes, size_t piece, size_t most)
{
    struct pipe_frames frames = { .most = most };
    const struct wire_ear ear = { hear_message, hear_lost, h };
    for (size_t at = 0; at < bytes.len; at += piece) {
        size_t len = bytes.len - at < piece ? bytes.len - at : piece;
        char *exact = malloc(len); /* so that a sanitizer sees a step too far */
        memcpy(exact, bytes.ptr + at, len);
        mgi_pipe_frames_take(&frames, (struct str){ exact, len }, &ear);
        free(exact);
    }
    mgi_pipe_frames_fini(&frames);
}

static void test_messages_are_the_same_in_whatever_pieces(void **state)
{
    (void)state;
    static const char bytes[] = "{\"a\":1}\0\0{}\0{\"b\":\"two\"}\0cut off";
    for (size_t piece = 1; piece <= sizeof bytes; piece++) {
        struct heard h = { .count = 0 };
        take_in_pieces(&h, (struct str){ bytes, sizeof bytes - 1 }, piece, 1000);
        assert_string_equal(h.all, "<{\"a\":1}><{}><{\"b\":\"two\"}>");
        assert_int_equal(h.lost, 0);
    }
}

static void test_a_message_that_is_too_long_is_dropped_and_the_next_is_heard(void **state)
{
    (void)state;
    static const char bytes[] = "short\0much too long\0 ok \0also much too long\0end\0";
    for (size_t piece = 1; piece <= sizeof bytes; piece++) {
        struct heard h = { .count = 0 };
        take_in_pieces(&h, (struct str){ bytes, sizeof bytes - 1 }, piece, 6);
        assert_string_equal(h.all, "<short>< ok ><end>");
        assert_int_equal(h.lost, 2);
    }
}

static void test_whose_reply_it_is_is_seen_at_its_beginning(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t id;
    } rows[] = { { "{\"id\":12,\"result\":{}}", 12 },
                 { " { \"id\" : 3}", 3 },
                 { "{\"id\":", 0 },
                 { "{\"id\":\"3\"}", 0 },
                 { "{\"method\":\"id\"}", 0 },
                 { "", 0 },
                 { "{", 0 },
                 { "{\"id\":1234567890123456789}", 0 },
                 { "{\"id\":7", 7 } };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(mgi_talk_reply_id(str_of(rows[i].text)), rows[i].id);
}

/* ---- talking -------------------------------------------------------------------------------- */

struct talk {
    struct pipe_program program;
    struct browser_talk *talk;
    pthread_mutex_t lock;
    size_t events, ends;
    atomic_int reminders;
};

static void hear_event(void *context, struct str session, struct str method,
                       const struct json *params)
{
    struct talk *t = context;
    (void)session;
    assert_true(method.len > 0);
    assert_int_equal(params->type, JSON_OBJECT);
    pthread_mutex_lock(&t->lock);
    t->events++;
    pthread_mutex_unlock(&t->lock);
}

static void hear_end(void *context)
{
    struct talk *t = context;
    pthread_mutex_lock(&t->lock);
    t->ends++;
    pthread_mutex_unlock(&t->lock);
}

static void talk_begin(struct talk *t, const char *mode)
{
    char lang[64];
    snprintf(lang, sizeof lang, "LANG=%s", mode);
    char *const argv[] = { (char *)(uintptr_t)self, (char *)(uintptr_t) "--remote-debugging-pipe",
                           NULL };
    char *const envp[] = { lang, NULL };
    memset(t, 0, sizeof *t);
    pthread_mutex_init(&t->lock, NULL);
    assert_null(mgi_pipe_program_start(&t->program, argv, envp, "/", -1));
    t->talk = mgi_talk_new(&t->program.wire, hear_event, hear_end, t);
    assert_non_null(t->talk);
}

static void talk_end(struct talk *t)
{
    pid_t pid = t->program.pid;
    mgi_talk_free(t->talk);
    mgi_pipe_program_end(&t->program, 500);
    assert_int_equal(waitpid(pid, NULL, WNOHANG), -1); /* it is reaped */
    pthread_mutex_destroy(&t->lock);
}

static void count_reminder(void *context)
{
    struct talk *t = context;
    atomic_fetch_add(&t->reminders, 1);
}

static enum talk_answer ask_for(struct talk *t, const char *method, int64_t ms, struct buf *reply)
{
    const struct talk_patience patience = { .until_ms = mgi_talk_now_ms() + ms };
    mgi_buf_clear(reply);
    return mgi_talk_ask(t->talk, STR_LIT("S1"), method, STR_LIT("{}"), &patience, reply);
}

static void test_a_command_gets_its_own_reply(void **state)
{
    (void)state;
    struct talk t;
    struct buf reply = { 0 };
    talk_begin(&t, "plain");
    for (int i = 1; i <= 50; i++) {
        char begin[32];
        snprintf(begin, sizeof begin, "{\"id\":%d,", 2 * i);
        assert_true(mgi_talk_tell(t.talk, STR_LIT(""), "A.told", STR_LIT("")));
        assert_int_equal(ask_for(&t, "A.asked", 20000, &reply), TALK_ANSWERED);
        assert_true(mgi_str_starts(mgi_buf_view(&reply), str_of(begin)));
    }
    assert_int_equal(ask_for(&t, "A.large", 20000, &reply), TALK_ANSWERED);
    assert_true(reply.len > 3000000);
    mgi_buf_fini(&reply);
    talk_end(&t);
    assert_int_equal(t.ends, 1);
}

static void test_who_wants_it_is_reminded_though_nothing_is_heard(void **state)
{
    (void)state;
    struct talk t;
    struct buf reply = { 0 };
    talk_begin(&t, "plain");
    int64_t begun = mgi_talk_now_ms();
    mgi_talk_remind(t.talk, count_reminder, 5);
    while (atomic_load(&t.reminders) < 10 && mgi_talk_now_ms() < begun + 20000)
        poll(NULL, 0, 1);
    assert_true(atomic_load(&t.reminders) >= 10);
    assert_true(mgi_talk_now_ms() - begun >= 10 * 5);
    mgi_talk_remind(t.talk, NULL, 0);
    assert_int_equal(ask_for(&t, "A.b", 20000, &reply), TALK_ANSWERED); /* it has seen that */
    int count = atomic_load(&t.reminders);
    poll(NULL, 0, 50);
    assert_int_equal(atomic_load(&t.reminders), count);
    mgi_buf_fini(&reply);
    talk_end(&t);
}

static void test_nonsense_is_passed_over(void **state)
{
    (void)state;
    struct talk t;
    struct buf reply = { 0 };
    talk_begin(&t, "garbage");
    for (int i = 0; i < 20; i++)
        assert_int_equal(ask_for(&t, "A.asked", 20000, &reply), TALK_ANSWERED);
    mgi_buf_fini(&reply);
    talk_end(&t);
    assert_int_equal(t.events, 20); /* "A.b", whose parameters are none; "A.long" is too long */
}

static void test_a_flood_of_events_holds_nothing_up(void **state)
{
    (void)state;
    struct talk t;
    struct buf reply = { 0 };
    talk_begin(&t, "flood");
    for (int i = 0; i < 100; i++)
        assert_int_equal(ask_for(&t, "A.asked", 20000, &reply), TALK_ANSWERED);
    mgi_buf_fini(&reply);
    talk_end(&t);
    assert_int_equal(t.events, 20000);
}

static void test_both_sides_may_write_a_lot_at_once(void **state)
{
    (void)state;
    struct talk t;
    struct buf reply = { 0 }, params = { 0 };
    talk_begin(&t, "flood");
    mgi_buf_puts(&params, "{\"a\":\"");
    for (int i = 0; i < 20000; i++)
        mgi_buf_puts(&params, "0123456789");
    mgi_buf_puts(&params, "\"}");
    for (int i = 0; i < 50; i++)
        assert_true(mgi_talk_tell(t.talk, STR_LIT(""), "A.told", mgi_buf_view(&params)));
    assert_int_equal(ask_for(&t, "A.asked", 50000, &reply), TALK_ANSWERED);
    mgi_buf_fini(&reply);
    mgi_buf_fini(&params);
    talk_end(&t);
    assert_int_equal(t.events, 51 * 200);
}

static bool is_unwanted(const void *context)
{
    (void)context;
    return true;
}

static void test_waiting_ends_at_the_deadline_or_when_nobody_wants_it(void **state)
{
    (void)state;
    struct talk t;
    struct buf reply = { 0 };
    talk_begin(&t, "deaf");
    int64_t before = mgi_talk_now_ms();
    assert_int_equal(ask_for(&t, "A.asked", 60, &reply), TALK_LATE);
    assert_true(mgi_talk_now_ms() - before >= 60);
    const struct talk_patience patience = { .until_ms = before + 60000, .cancelled = is_unwanted };
    assert_int_equal(mgi_talk_ask(t.talk, STR_LIT(""), "A.asked", STR_LIT(""), &patience, &reply),
                     TALK_CANCELLED);
    assert_true(mgi_talk_now_ms() - before < 30000);
    mgi_buf_fini(&reply);
    talk_end(&t); /* it does not go by itself, and is killed */
}

static void test_death_wakes_who_waits(void **state)
{
    (void)state;
    struct talk t;
    struct buf reply = { 0 };
    talk_begin(&t, "deaf");
    kill(t.program.pid, SIGKILL);
    assert_int_equal(ask_for(&t, "A.asked", 60000, &reply), TALK_ENDED);
    assert_int_equal(ask_for(&t, "A.asked", 60000, &reply), TALK_ENDED);
    assert_true(mgi_talk_has_ended(t.talk));
    assert_false(mgi_talk_tell(t.talk, STR_LIT(""), "A.told", STR_LIT("")));
    mgi_buf_fini(&reply);
    talk_end(&t);
}

/* A wire on which there is always more. */
struct endless {
    struct wire wire;
    atomic_int taken;
};

static void put_bare(struct wire *wire, struct buf *out, struct str text)
{
    (void)wire;
    mgi_buf_str(out, text);
}

static const char *take_and_count(struct wire *wire, struct str bytes, const struct wire_ear *ear,
                                  struct buf *out)
{
    (void)bytes, (void)ear, (void)out;
    atomic_fetch_add(&((struct endless *)wire)->taken, 1);
    return NULL;
}

static void test_a_browser_that_never_stops_can_be_left(void **state)
{
    (void)state;
    static const struct wire_kind kind = { put_bare, take_and_count };
    struct talk t = { .events = 0 };
    struct endless e = { .taken = 0 };
    int ends[2];
    pthread_mutex_init(&t.lock, NULL);
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    e.wire = (struct wire){ &kind, ends[0], open("/dev/zero", O_RDONLY | O_CLOEXEC) };
    alarm(120); /* what does not end is ended */
    t.talk = mgi_talk_new(&e.wire, hear_event, hear_end, &t);
    assert_non_null(t.talk);
    mgi_talk_remind(t.talk, count_reminder, 1);
    while (atomic_load(&e.taken) < 100 || atomic_load(&t.reminders) < 3)
        poll(NULL, 0, 1);
    mgi_talk_free(t.talk);
    alarm(0);
    assert_int_equal(t.ends, 1);
    close(ends[0]);
    close(ends[1]);
    close(e.wire.from);
    pthread_mutex_destroy(&t.lock);
}

static void test_what_was_never_started_is_ended_without_a_trace(void **state)
{
    (void)state;
    struct pipe_program program = { .pid = 0 };
    int kept = dup(0), nowhere = open("/dev/null", O_RDONLY);
    dup2(nowhere, 0);
    mgi_pipe_program_end(&program, 0);
    assert_int_not_equal(fcntl(0, F_GETFD), -1);
    if (kept >= 0)
        dup2(kept, 0);
    close(kept);
    close(nowhere);
}

static void test_what_cannot_be_started_says_why(void **state)
{
    (void)state;
    struct pipe_program program;
    char *const argv[] = { (char *)(uintptr_t) "/nonexistent/browser", NULL };
    char *const envp[] = { NULL };
    assert_string_equal(mgi_pipe_program_start(&program, argv, envp, "/", -1),
                        "No such file or directory");
    mgi_pipe_program_end(&program, 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_messages_are_the_same_in_whatever_pieces),
        cmocka_unit_test(test_a_message_that_is_too_long_is_dropped_and_the_next_is_heard),
        cmocka_unit_test(test_whose_reply_it_is_is_seen_at_its_beginning),
        cmocka_unit_test(test_a_command_gets_its_own_reply),
        cmocka_unit_test(test_who_wants_it_is_reminded_though_nothing_is_heard),
        cmocka_unit_test(test_nonsense_is_passed_over),
        cmocka_unit_test(test_a_flood_of_events_holds_nothing_up),
        cmocka_unit_test(test_both_sides_may_write_a_lot_at_once),
        cmocka_unit_test(test_waiting_ends_at_the_deadline_or_when_nobody_wants_it),
        cmocka_unit_test(test_death_wakes_who_waits),
        cmocka_unit_test(test_a_browser_that_never_stops_can_be_left),
        cmocka_unit_test(test_what_was_never_started_is_ended_without_a_trace),
        cmocka_unit_test(test_what_cannot_be_started_says_why),
    };
    static char path[4096];
    if (fake_browser(argc, argv))
        return 0;
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    path[n > 0 ? n : 0] = '\0';
    self = path;
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
