/* Several calls of one invocation, composed and digested on threads at once: what they share is
 * safe (this runs under ThreadSanitizer, too), and what comes out does not depend on them. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#define FIXTURE_PLAYED
#include "invoke/chain_int.h"
#include "invoke/invoke_fixture.h"
#include "invoke/scripted_pool.h"

#define ROUNDS 20

/* ---- workers: libuv's own threads ------------------------------------------------------------ */

struct handed {
    uv_work_t work;
    struct task *task;
    atomic_uint *at_once, *most;
};

struct workers {
    uv_loop_t *loop;
    atomic_uint at_once, most, count;
};

static void on_thread(uv_work_t *work)
{
    struct handed *h = work->data;
    unsigned now = atomic_fetch_add(h->at_once, 1) + 1, most = atomic_load(h->most);
    while (now > most && !atomic_compare_exchange_weak(h->most, &most, now))
        ;
    h->task->run(h->task);
    usleep(200); /* so that others begin meanwhile */
    atomic_fetch_sub(h->at_once, 1);
}

static void afterwards(uv_work_t *work, int status)
{
    struct handed *h = work->data;
    struct task *task = h->task;
    assert_int_equal(status, 0);
    free(h);
    task->done(task);
}

static bool hand(void *self, struct task *t)
{
    struct workers *w = self;
    struct handed *h = calloc(1, sizeof *h);
    if (!h)
        abort();
    *h = (struct handed){ .task = t, .at_once = &w->at_once, .most = &w->most };
    h->work.data = h;
    atomic_fetch_add(&w->count, 1);
    assert_int_equal(uv_queue_work(w->loop, &h->work, on_thread, afterwards), 0);
    return true;
}

/* ---- a chain whose every call takes its time ------------------------------------------------- */

static void called(void *context, struct toolsession *s)
{
    (void)context;
    (void)s;
}

static void answer(void *context, struct toolsession *s, struct tool_result *result)
{
    struct arena *a = s->request.arena;
    struct buf delta = { 0 };
    (void)context;
    mgi_buf_puts(&delta, "{\"assert\":[");
    for (int i = 0; i < 120; i++)
        mgi_buf_printf(&delta,
                       "%s{\"pred\":\"vent\",\"args\":[\"z%u%.*s\",%d],\"category\":\"server\"}",
                       i ? "," : "", s->request.step, STR_ARG(s->request.part), i);
    mgi_buf_puts(&delta, "]}");
    assert_true(mgi_json_take(a, &delta, &result->state_delta));
    const struct json *zone = mgi_json_get(&s->request.inputs->value, "zone");
    const char *output = mgi_arena_printf(a, "{\"got\":%d}", zone ? (int)zone->string.len : -1);
    assert_int_equal(mgi_json_parse(a, str_of(output), NULL, &result->output, NULL), JSON_OK);
    result->changes.artifact[s->request.step % 8] = STR_LIT("{\"type\":\"t\"}");
}

static char *run_once(struct fixture *f, const char *payload, uint32_t seed)
{
    assert_true(start(f, payload));
    while (!f->done) {
        seed = seed * 1103515245 + 12345;
        if (!scripted_pool_step(f->pool, seed >> 16, INT64_MAX))
            uv_run(&f->loop, UV_RUN_ONCE);
        uv_run(&f->loop, UV_RUN_NOWAIT);
    }
    if (f->code)
        fail_msg("%s %s", f->message, f->payload);
    struct buf text = { 0 };
    mgi_json_canonical(&text, at(f, "/state_delta"));
    mgi_json_canonical(&text, at(f, "/result"));
    char *copy = strdup(text.ptr);
    mgi_buf_fini(&text);
    return copy;
}

static void make_wide(struct fixture *f)
{
    static const struct action action = {
        .aid = { "AID.A", 5 }, .name = { "a", 1 }, .provider = &one_provider, .tier = 1
    };
    static const uint32_t all[] = { 0, 1, 2, 3, 4, 5, 6 };
    static const char *const ids[] = { "a", "b", "c", "d", "e", "f", "g", "last" };
    struct plan plan[8];
    for (int i = 0; i < 8; i++)
        plan[i] = (struct plan){ ids[i], ACT_ECHO, NULL, ON_FAILURE_STOP };
    struct tool *t = make_tool(f, "wide", plan, 8);
    for (int i = 0; i < 8; i++) {
        t->steps[i].action = &action;
        t->steps[i].has_needs = true;
    }
    t->steps[7].needs = all;
    t->steps[7].need_count = 7;
    t->steps[3].has_foreach = true;
    t->steps[3].parallel = 3;
    t->steps[3].items =
        (struct value_source){ .kind = SOURCE_CONST, .constant = parse(f, "[1,2,3,4,5,6]") };
    t->parallel = 6;
    static struct source_member members[] = { { { "x", 1 }, { .kind = SOURCE_STEP, .step = 3 } },
                                              { { "y", 1 }, { .kind = SOURCE_STEP, .step = 7 } } };
    t->result =
        (struct value_source){ .kind = SOURCE_OBJECT, .members = members, .member_count = 2 };
    offer_always(f, t, false);
}

static void test_calls_on_several_threads_come_to_the_same(void **state)
{
    (void)state;
    struct fixture f;
    struct buf payload = { 0 };
    open_fixture(&f);
    struct workers w = { .loop = &f.loop };
    f.tasks = (struct task_runner){ .hand = hand, .self = &w };
    f.pool->hosts = 6;
    f.pool->called = called;
    f.pool->answer = answer;
    f.snapshot->settings.max_asserts = 10000;
    make_wide(&f);
    mgi_buf_puts(&payload, "{\"macro_id\":\"t-1\",\"args\":{\"zone\":\"");
    for (int i = 0; i < 20000; i++) /* not brief any more */
        mgi_buf_putc(&payload, 'z');
    mgi_buf_puts(&payload, "\"}}");
    char *first = run_once(&f, payload.ptr, 1);
    assert_non_null(strstr(first, "{\"got\":20000}"));
    assert_non_null(strstr(first, "\"z3-5\"")); /* what an item reported */
    for (uint32_t i = 2; i < ROUNDS; i++) {
        char *other = run_once(&f, payload.ptr, i);
        assert_string_equal(other, first);
        free(other);
    }
    free(first);
    assert_int_equal(atomic_load(&w.count), 13 * 2 * (ROUNDS - 1)); /* composed, digested */
    assert_true(atomic_load(&w.most) > 1);
    mgi_buf_fini(&payload);
    close_fixture(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_calls_on_several_threads_come_to_the_same),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests_name("invoke/chain_thread", tests, NULL, NULL);
}
