/* Every allocation of a call fails once: the call ends with an error, and nothing is left behind.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "browser/fake_host.h"
#include "support/nomem.h"

#define USERS_404 MGI_SOURCE_DIR "/domains/browser/captures/users-404"

static void test_every_action_survives_every_failed_allocation(void **state)
{
    (void)state;
    plugin_load();
    for (size_t i = 0; i < plugin_tools.count; i++) {
        char input[400];
        snprintf(input, sizeof input,
                 "{\"capture\":\"%s\",\"request_id\":\"r9\",\"ref\":\"e9\",\"url\":\"http://h/\","
                 "\"values\":{\"name\":\"a\",\"email\":\"b\"},\"include_data\":true}",
                 USERS_404);
        for (size_t n = 1;; n++) {
            th_call call;
            nomem_fail_at(n);
            th_status status = plugin_call(&call, plugin_tools.tools[i].name, input);
            bool failed = nomem_failed();
            nomem_fail_at(0);
            /* The fake host keeps its copies in buffers too: those may be what failed. */
            if (failed && status == TH_OK)
                fail_msg("%s: allocation %zu failed, and the answer is %.*s",
                         plugin_tools.tools[i].name, n, (int)call.output.len, call.output.ptr);
            call_fini(&call);
            if (!failed)
                break;
        }
    }
    plugin_unload();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_action_survives_every_failed_allocation),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
