/* The crew: jobs on threads, news on the loop, questions for a person, bounds, and the end. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "bridge/consent_text.h"
#include "bridge/crew.h"

struct fixture {
    uv_loop_t loop;
    struct crew *crew;
    atomic_int connects;
};

struct test_job {
    struct crew_job job;
    struct fixture *f;
    enum crew_answer reply;
    bool asks, agreed, hold;
    atomic_bool *gate;
    char why[64], question[512], progress[64];
    int done, asked, dropped;
};

/* What the client's callbacks are called with, on whichever thread. */
static _Thread_local struct manglecp_options callbacks;

static manglecp_client *refuse_client(void *context, const struct principal *who,
                                      struct manglecp_options *o, struct buf *why)
{
    (void)who;
    struct fixture *f = context;
    atomic_fetch_add(&f->connects, 1);
    callbacks = *o;
    mgi_buf_puts(why, "there is no server");
    return NULL;
}

static void begin(struct fixture *f, unsigned threads, int64_t question_ms)
{
    *f = (struct fixture){ 0 };
    assert_int_equal(uv_loop_init(&f->loop), 0);
    struct crew_options o = { .loop = &f->loop,
                              .threads = threads,
                              .question_ms = question_ms,
                              .compose = mgi_consent_text,
                              .connect = refuse_client,
                              .context = f };
    f->crew = mgi_crew_new(&o);
    assert_non_null(f->crew);
}

static void drop(struct crew_job *job)
{
    ((struct test_job *)job)->dropped++;
}

static void end(struct fixture *f)
{
    mgi_crew_free(f->crew);
    uv_run(&f->loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&f->loop), 0);
}

static void run(struct crew_job *job, manglecp_client *client, const char *why)
{
    struct test_job *t = (struct test_job *)job;
    const struct manglecp_consent what = {
        .tool = "burn", .description = "Burns it.", .args = "{\"x\":1}", .bound = "[]"
    };
    assert_null(client);
    strncpy(t->why, why, sizeof t->why - 1);
    if (t->gate)
        while (!atomic_load(t->gate) && !atomic_load(&job->cancelled))
            uv_sleep(1);
    if (atomic_load(&job->cancelled))
        return;
    callbacks.progress(callbacks.context, "step", "one", 40);
    if (t->asks)
        t->agreed = callbacks.consent(callbacks.context, &what);
}

static void on_progress(struct crew_job *job, double percent, const char *text)
{
    struct test_job *t = (struct test_job *)job;
    assert_true(percent > 39 && percent < 41);
    strncpy(t->progress, text, sizeof t->progress - 1);
}

static void on_ask(struct crew_job *job, const char *question)
{
    struct test_job *t = (struct test_job *)job;
    t->asked++;
    strncpy(t->question, question, sizeof t->question - 1);
    if (t->reply)
        mgi_crew_answer(t->f->crew, job, t->reply);
}

static void on_done(struct crew_job *job)
{
    struct test_job *t = (struct test_job *)job;
    t->done++;
    mgi_buf_fini(&job->question);
    uv_stop(&t->f->loop);
}

static struct test_job job_of(struct fixture *f)
{
    struct test_job t = { .f = f };
    t.job.run = run;
    t.job.progress = on_progress;
    t.job.ask = on_ask;
    t.job.done = on_done;
    t.job.drop = drop;
    return t;
}

static void play(struct fixture *f, struct test_job *t)
{
    assert_true(mgi_crew_hand(f->crew, &t->job));
    while (!t->done)
        uv_run(&f->loop, UV_RUN_DEFAULT);
}

static void test_a_job_runs_and_tells_its_progress_on_the_loop(void **state)
{
    (void)state;
    struct fixture f;
    begin(&f, 2, 0);
    struct test_job t = job_of(&f);
    play(&f, &t);
    assert_int_equal(t.done, 1);
    assert_string_equal(t.progress, "step one");
    assert_string_equal(t.why, "there is no server");
    struct test_job next = job_of(&f);
    play(&f, &next);
    assert_int_equal(f.connects, 2); /* where there was no client, it is tried again */
    end(&f);
}

/* X-BRIDGE-6 */
static void test_only_a_yes_is_a_yes(void **state)
{
    (void)state;
    static const enum crew_answer answers[] = { CREW_AGREED, CREW_REFUSED, CREW_UNANSWERED,
                                                CREW_NOBODY };
    struct fixture f;
    begin(&f, 0, 0);
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        struct test_job t = job_of(&f);
        t.asks = true;
        t.reply = answers[i];
        play(&f, &t);
        assert_int_equal(t.asked, 1);
        assert_int_equal(t.agreed, answers[i] == CREW_AGREED);
        assert_int_equal(t.job.answer, answers[i]);
        assert_string_equal(t.question, "Run burn?\nBurns it.\neffects: not said; cannot be undone"
                                        "\nwith: {\"x\":1}");
    }
    end(&f);
}

static void test_nobody_can_be_asked_and_the_question_is_known_all_the_same(void **state)
{
    (void)state;
    struct fixture f;
    begin(&f, 0, 0);
    struct test_job t = job_of(&f);
    t.asks = true;
    t.job.ask = NULL;
    play(&f, &t);
    assert_false(t.agreed);
    assert_int_equal(t.job.answer, CREW_NOBODY);
    end(&f);
}

static void test_a_question_stays_open_so_long_and_no_longer(void **state)
{
    (void)state;
    struct fixture f;
    begin(&f, 0, 20);
    struct test_job t = job_of(&f);
    t.asks = true;
    play(&f, &t);
    assert_false(t.agreed);
    assert_int_equal(t.job.answer, CREW_UNANSWERED);
    mgi_crew_answer(f.crew, &t.job, CREW_AGREED); /* too late: without effect */
    assert_int_equal(t.job.answer, CREW_UNANSWERED);
    end(&f);
}

/* X-CANCEL-5 */
static void test_a_cancelled_job_ends_also_while_it_asks(void **state)
{
    (void)state;
    struct fixture f;
    begin(&f, 0, 0);
    struct test_job t = job_of(&f);
    t.asks = true;
    assert_true(mgi_crew_hand(f.crew, &t.job));
    while (!t.asked)
        uv_run(&f.loop, UV_RUN_ONCE);
    mgi_crew_cancel(f.crew, &t.job);
    while (!t.done)
        uv_run(&f.loop, UV_RUN_DEFAULT);
    assert_false(t.agreed);
    end(&f);
}

static void test_open_questions_leave_a_thread_free(void **state)
{
    (void)state;
    struct fixture f;
    begin(&f, 2, 0);
    struct test_job first = job_of(&f), second = job_of(&f), third = job_of(&f);
    first.asks = second.asks = true;
    assert_true(mgi_crew_hand(f.crew, &first.job));
    while (!first.asked)
        uv_run(&f.loop, UV_RUN_ONCE);
    play(&f, &second); /* one is open already */
    assert_int_equal(second.asked, 0);
    assert_int_equal(second.job.answer, CREW_CROWDED);
    play(&f, &third);
    mgi_crew_answer(f.crew, &first.job, CREW_AGREED);
    while (!first.done)
        uv_run(&f.loop, UV_RUN_DEFAULT);
    assert_true(first.agreed);
    end(&f);
}

static void test_so_many_jobs_wait_and_no_more_and_the_end_drops_them(void **state)
{
    (void)state;
    struct fixture f;
    static struct test_job jobs[CREW_MAX_WAITING + 3];
    atomic_bool gate = false;
    begin(&f, 1, 0);
    struct test_job busy = job_of(&f);
    busy.gate = &gate;
    assert_true(mgi_crew_hand(f.crew, &busy.job));
    size_t taken = 0;
    for (; taken < CREW_MAX_WAITING + 3; taken++) {
        jobs[taken] = job_of(&f);
        if (!mgi_crew_hand(f.crew, &jobs[taken].job))
            break;
    }
    /* the first may have left the queue already */
    assert_in_range(taken, CREW_MAX_WAITING - 1, CREW_MAX_WAITING);
    end(&f); /* cancels the one that runs */
    int dropped = busy.dropped;
    for (size_t i = 0; i < taken; i++)
        dropped += jobs[i].dropped;
    assert_int_equal(dropped, taken + 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_job_runs_and_tells_its_progress_on_the_loop),
        cmocka_unit_test(test_only_a_yes_is_a_yes),
        cmocka_unit_test(test_nobody_can_be_asked_and_the_question_is_known_all_the_same),
        cmocka_unit_test(test_a_question_stays_open_so_long_and_no_longer),
        cmocka_unit_test(test_a_cancelled_job_ends_also_while_it_asks),
        cmocka_unit_test(test_open_questions_leave_a_thread_free),
        cmocka_unit_test(test_so_many_jobs_wait_and_no_more_and_the_end_drops_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
