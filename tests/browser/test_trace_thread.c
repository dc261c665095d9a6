/* One thread adds to a trace while others read it: nothing is torn, and every line is whole. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>

#include "browser/plugin_fixture.h"
#include "browser/traces.h"

#define ADDED 3000

static void *add_frames(void *user)
{
    struct trace *trace = user;
    struct arena scratch;
    mgi_arena_init(&scratch, 0);
    for (int i = 0; i < ADDED; i++) {
        struct buf one = { 0 };
        tr(&one, i, "Network.webSocketFrameSent",
           "{'requestId':'1','response':{'opcode':1,'payloadData':'%d'}}", i);
        traces_add(&scratch, mgi_buf_view(&one), trace);
        mgi_buf_fini(&one);
    }
    mgi_arena_fini(&scratch);
    return NULL;
}

static void test_a_trace_is_read_while_it_grows(void **state)
{
    (void)state;
    struct trace *trace = mgi_trace_new((size_t)100 * 1024);
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, add_frames, trace), 0);
    for (int i = 0; i < 40; i++) {
        struct buf out = { 0 };
        assert_true(mgi_trace_write(trace, &out));
        if (out.len > 0)
            assert_true(mgi_str_ends(mgi_buf_view(&out), STR_LIT("}\n")));
        mgi_buf_fini(&out);
        if (i == 20)
            mgi_trace_clear(trace);
    }
    pthread_join(thread, NULL);
    mgi_trace_free(trace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_trace_is_read_while_it_grows),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, begin, end);
}
