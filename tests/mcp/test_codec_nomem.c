/* The codec survives the failure of any allocation. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "mcp/clean.h"
#include "mcp/rpc.h"
#include "mcp/sse.h"
#include "support/nomem.h"

/* An event that memory was short for is told and skipped; the one behind it comes. */
static void test_a_lost_event_is_told(void **state)
{
    (void)state;
    size_t n = 1;
    for (;; n++) {
        struct sse s;
        struct sse_event e;
        struct str input = STR_LIT("event: x\nid: 4\ndata: a\ndata: b\n\ndata: last\n\n");
        int events = 0, lost = 0;
        bool last = false;
        mgi_sse_init(&s, 1000);
        nomem_fail_at(n);
        for (enum sse_result r; (r = mgi_sse_next(&s, &input, &e)) != SSE_MORE;) {
            events += r == SSE_EVENT;
            lost += r == SSE_NOMEM;
            if (r == SSE_EVENT)
                last = str_is(e.data, "last");
        }
        bool failed = nomem_failed();
        nomem_fail_at(0);
        assert_int_equal(events + lost, 2);
        assert_int_equal(lost, failed);
        assert_true(last || lost);
        mgi_sse_fini(&s);
        if (!failed)
            break;
    }
    assert_true(n > 3);
}

static void test_a_message_is_read_or_memory_is_short(void **state)
{
    (void)state;
    for (size_t n = 1;; n++) {
        struct arena a;
        struct json v;
        struct rpc_fault fault;
        mgi_arena_init(&a, 0);
        nomem_fail_at(n);
        bool fine = mgi_rpc_parse(&a, STR_LIT("{\"a\":[1,2,\"\\n\"]}"), &v, &fault);
        bool failed = nomem_failed();
        nomem_fail_at(0);
        assert_int_equal(fine, !failed);
        assert_true(fine || (fault.no_memory && fault.code == RPC_INTERNAL));
        mgi_arena_fini(&a);
        if (!failed)
            break;
    }
}

static void test_cleaning_says_when_memory_is_short(void **state)
{
    (void)state;
    struct buf out = { 0 };
    nomem_fail_at(1);
    mgi_clean(&out, STR_LIT("e\xcc\x81"), 0, NULL);
    nomem_fail_at(0);
    assert_true(out.oom);
    mgi_buf_fini(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_lost_event_is_told),
        cmocka_unit_test(test_a_message_is_read_or_memory_is_short),
        cmocka_unit_test(test_cleaning_says_when_memory_is_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
