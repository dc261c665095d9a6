/* A graph survives the failure of any one allocation: one answer, nothing left alive, and what was
 * done is undone or told. Actions are played. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#define NOMEM_H_WANTED
#define FIXTURE_PLAYED
#include "invoke/chain_int.h"
#include "invoke/invoke_fixture.h"
#include "invoke/scripted_pool.h"

struct seen {
    unsigned done, undone; /* with effects: completed, compensated */
    bool last_fails;
};

static void called(void *context, struct toolsession *s)
{
    (void)context;
    (void)s;
}

static void answer(void *context, struct toolsession *s, struct tool_result *result)
{
    struct seen *seen = context;
    bool undo = mgi_str_ends(s->request.part, STR_LIT("-undo"));
    if (!undo && s->request.step == 0 && s->request.attempt == 0)
        result->outcome = TOOL_TIMEOUT;
    if (!undo && s->request.step == 3 && seen->last_fails)
        result->outcome = TOOL_ERROR;
    result->changes.artifact[s->request.step % 8] = STR_LIT("{\"type\":\"t\"}");
    seen->done += !undo && s->request.tier > 0 && result->outcome == TOOL_OK;
    seen->undone += undo;
}

static void make_graph(struct fixture *f, struct seen *seen)
{
    static const struct action reads = {
        .aid = { "R", 1 }, .name = { "r", 1 }, .provider = &one_provider, .idempotent = true
    };
    static const struct action writes = {
        .aid = { "W", 1 }, .name = { "w", 1 }, .provider = &two_provider, .tier = 1
    };
    static const struct plan plan[] = { { "a", ACT_ECHO, "{}", ON_FAILURE_STOP },
                                        { "b", ACT_ECHO, "{}", ON_FAILURE_STOP },
                                        { "c", ACT_ECHO, "{}", ON_FAILURE_STOP },
                                        { "d", ACT_ECHO, "{}", ON_FAILURE_COMPENSATE } };
    static const uint32_t all[] = { 0, 1, 2 };
    struct tool *t = make_tool(f, "graph", plan, 4);
    for (int i = 0; i < 4; i++) {
        t->steps[i].action = i % 3 ? &writes : &reads;
        t->steps[i].has_needs = true;
    }
    t->steps[0].retry.times = 1;
    t->steps[0].retry.wait_ms = t->steps[0].retry.max_wait_ms = 1;
    t->steps[1].undo.action = t->steps[2].undo.action = &writes;
    t->steps[1].undo.inputs = t->steps[2].undo.inputs = t->steps[0].inputs;
    t->steps[2].has_foreach = true;
    t->steps[2].parallel = 2;
    t->steps[2].items =
        (struct value_source){ .kind = SOURCE_CONST, .constant = parse(f, "[1,2,3]") };
    t->steps[3].needs = all;
    t->steps[3].need_count = 3;
    t->parallel = 3;
    t->result = (struct value_source){ .kind = SOURCE_OBJECT };
    f->pool->hosts = 4;
    f->pool->called = called;
    f->pool->answer = answer;
    f->pool->context = seen;
    offer_always(f, t, false);
}

static void play(struct fixture *f)
{
    if (!start(f, CALL))
        return;
    while (!f->done)
        if (!scripted_pool_step(f->pool, 0, INT64_MAX))
            uv_run(&f->loop, UV_RUN_ONCE);
}

static void survive(bool last_fails)
{
    struct fixture f;
    struct seen seen = { .last_fails = last_fails };
    open_fixture(&f);
    make_graph(&f, &seen);
    for (size_t n = 0;; n++) { /* n 0: nothing fails */
        seen.done = seen.undone = 0;
        f.fail_at = n;
        play(&f);
        f.fail_at = 0;
        if (f.acted && f.code == WIRE_EXECUTION_FAILED &&
            mgi_json_get(&f.answer, "not_compensated")) {
            const struct json *remains = at(&f, "/not_compensated");
            assert_int_equal(seen.undone + remains->count >= seen.done, true);
        } else if (f.acted && f.code) {
            assert_int_equal(f.code, WIRE_EXECUTION_FAILED);
            assert_true(f.payload[0]); /* something is said of what happened */
        }
        if (f.code == WIRE_OK)
            assert_int_equal(seen.done, 4);
        if (n == 0 || !f.failed) {
            assert_int_equal(f.code, last_fails ? WIRE_EXECUTION_FAILED : WIRE_OK);
            assert_int_equal(seen.done, 4);
            assert_int_equal(seen.undone, last_fails ? 4 : 0);
        }
        if (n > 0 && !f.failed) {
            print_message("# %zu allocations\n", n - 1);
            break;
        }
    }
    close_fixture(&f);
}

static void test_a_graph_survives_any_failed_allocation(void **state)
{
    (void)state;
    survive(false);
}

static void test_so_does_one_that_is_undone(void **state)
{
    (void)state;
    survive(true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_graph_survives_any_failed_allocation),
        cmocka_unit_test(test_so_does_one_that_is_undone),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests_name("invoke/chain_nomem", tests, NULL, NULL);
}
