/* An allocation fails while a browser is attached to and its page is observed, on whichever thread:
 * the call ends, with an error or without that message, and nothing is left behind. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "browser/fake_devtools.h"
#include "browser/live_fixture.h"
#include "support/nomem.h"

/* How far it came. */
static bool attach_and_observe(const struct fake_devtools *d, size_t n)
{
    struct live_job j;
    struct str text;
    static char all[128];
    snprintf(all, sizeof all,
             "{\"page\":\"http://127.0.0.1:9/\",\"attach\":\"http://127.0.0.1:%u\"}", d->port);
    fake_settings = all;
    fake_until_ms = mgi_talk_now_ms() + 3000;
    struct job *job = live_job_begin(&j);
    nomem_fail_at(n);
    bool good = mgi_live_configure(&fake_host) && mgi_live_open(job) && mgi_live_observe(job) &&
                mgi_live_file(job, "storage.json", &text);
    bool failed = nomem_failed();
    nomem_fail_at(0);
    if (!good && failed && j.error.len == 0 && !j.error.oom && !j.arena.oom &&
        mgi_live.settings.page.len > 0)
        fail_msg("allocation %zu failed, and nothing is said", n);
    live_job_end(&j);
    mgi_live_fini();
    assert_null(mgi_live.socket.wire.kind);
    fake_until_ms = 0;
    return failed;
}

static void test_any_allocation_may_fail(void **state)
{
    (void)state;
    struct fake_devtools d = { .mode = "plain" };
    fake_devtools_start(&d);
    for (size_t n = 1; attach_and_observe(&d, n); n += 1 + n / 12)
        ;
    fake_devtools_stop(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_allocation_may_fail),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
