/* Every allocation fails once: on the way of messages into a trace, of a trace to the capture, and
 * of the capture to evidence. What remains is an error, and nothing else. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../domains/browser/plugins/browser/facts.h"
#include "browser/fake_host.h"
#include "browser/traces.h"
#include "support/nomem.h"

static struct buf small_page(void)
{
    struct buf t = { 0 };
    tr(&t, 0, "Network.responseReceivedExtraInfo",
       "{'requestId':'1','headers':{'Set-Cookie':'a=b'},'blockedCookies':[]}");
    tr_whole(&t, 1, "1", "http://h/", "Document", 200, "<script src=/a.js></script>");
    tr_whole(&t, 20, "2", "http://h/a.js", "Script", 200,
             "const d = await get(1);\nfunction show(x) { return d.y.z; }");
    tr_whole(&t, 40, "3", "http://h/api/a?x=1", "Fetch", 200, "{'x':null,'list':[{'a':1},{}]}");
    tr_asked(&t, 60, "4", "GET", "http://h/api/b", "Fetch", "");
    tr_thrown(&t, 70, "TypeError: Cannot read properties of undefined (reading \\u0027z\\u0027)",
              "http://h/a.js", 1, 28, "");
    tr_thrown(&t, 71, "ReferenceError: show is not defined", "http://h/a.js", 1, 28, "");
    for (int i = 0; i < 5; i++)
        tr(&t, 80 + i, "Runtime.consoleAPICalled",
           "{'type':'warning','args':[{'type':'string','value':'%%s /api/a'},{'type':'number',"
           "'value':1}]}");
    tr(&t, 100, "Machina.input", "{'k':'input','type':'click','target':'a#b','text':'B'}");
    tr(&t, 101, "Machina.abort", "{'k':'abort','stack':'at f (http://h/a.js:1:1)'}");
    tr(&t, 110, "Machina.deed",
       "{'k':'deed','what':'read','target':'local','name':'k','text':'list','stack':'at f "
       "(http://h/a.js:1:1)'}");
    tr(&t, 112, "Machina.deed",
       "{'k':'deed','what':'none around','target':'b','name':'.row-x','text':'.row_x','stack':'at "
       "f "
       "(http://h/a.js:1:1)'}");
    tr(&t, 113, "Network.webSocketCreated", "{'requestId':'5','url':'ws://h/s'}");
    for (int i = 0; i < 4; i++)
        tr(&t, 114 + i, i % 2 ? "Network.webSocketFrameReceived" : "Network.webSocketFrameSent",
           "{'requestId':'5','response':{'opcode':1,'payloadData':'{\\'seq\\':\\'a%d\\'}'}}", i);
    tr(&t, 118, "Machina.veil", "{'veiled':[{'target':'p','how':'color','text':'T','count':1}]}");
    tr(&t, 120, "Machina.state",
       "{'url':'http://h/','title':'T','text':'Loading undefined [object Object]'}");
    return t;
}

/* All of the way, with the n-th allocation failing. False: something failed. */
static bool whole_way(struct str text)
{
    struct arena arena, scratch;
    struct buf error = { 0 }, out = { 0 };
    int64_t written, lost;
    mgi_arena_init(&arena, 0);
    mgi_arena_init(&scratch, 0);
    struct job job = { .arena = &arena, .error = &error };
    struct trace *trace = mgi_trace_new(TRACE_BYTES_MOST);
    bool ok = trace != NULL;
    if (trace)
        traces_add(&scratch, text, trace);
    ok = ok && mgi_page_of_trace(&job, trace);
    ok = ok && mgi_evidence_write(&job, &out, EVIDENCE_MOST, &written, &lost);
    mgi_trace_free(trace);
    mgi_buf_fini(&out);
    mgi_buf_fini(&error);
    mgi_arena_fini(&scratch);
    mgi_arena_fini(&arena);
    return ok;
}

static void test_every_failed_allocation_is_survived(void **state)
{
    (void)state;
    struct buf t = small_page();
    size_t n = 1, succeeded = 0;
    for (;; n++) {
        nomem_fail_at(n);
        bool ok = whole_way(mgi_buf_view(&t));
        bool failed = nomem_failed();
        nomem_fail_at(0);
        succeeded += ok && failed; /* a message may be lost, and the rest goes on */
        if (!failed) {
            assert_true(ok);
            break;
        }
    }
    assert_in_range(n, 50, 100000);
    assert_in_range(succeeded, 0, n * 3 / 4);
    mgi_buf_fini(&t);
}

/* A message that could not be kept is told to be lost, and the trace is as it was. */
static void test_a_message_that_could_not_be_kept_is_counted(void **state)
{
    (void)state;
    struct buf t = small_page(), before = { 0 }, after = { 0 };
    struct arena scratch;
    struct json params;
    mgi_arena_init(&scratch, 0);
    struct trace *trace = mgi_trace_new(TRACE_BYTES_MOST);
    traces_add(&scratch, mgi_buf_view(&t), trace);
    assert_true(mgi_trace_write(trace, &before));
    mgi_json_parse(&scratch, STR_LIT("{\"requestId\":\"1\"}"), NULL, &params, NULL);
    nomem_fail_at(1);
    assert_false(mgi_trace_add(trace, 1, STR_LIT(""), STR_LIT("Network.loadingFinished"), &params));
    nomem_fail_at(0);
    assert_true(mgi_trace_write(trace, &after));
    assert_true(after.len > before.len);
    assert_memory_equal(before.ptr, after.ptr, before.len);
    assert_non_null(strstr(after.ptr + before.len - 1, "{\"requests\":1}"));
    mgi_trace_free(trace);
    mgi_buf_fini(&t);
    mgi_buf_fini(&before);
    mgi_buf_fini(&after);
    mgi_arena_fini(&scratch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_failed_allocation_is_survived),
        cmocka_unit_test(test_a_message_that_could_not_be_kept_is_counted),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
