/* An allocation fails while a live page is opened and observed, on whichever thread: the call ends,
 * with an error or without that message, and nothing is left behind. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "browser/fake_browser.h"
#include "browser/live_fixture.h"
#include "support/nomem.h"

static char self[4096];

/* How far it came. */
static bool open_and_observe(size_t n)
{
    struct live_job j;
    struct str text;
    char settings[4400];
    setenv("LANG", "plain", 1);
    snprintf(settings, sizeof settings, ",\"browser\":\"%s\"", self);
    fake_until_ms = mgi_talk_now_ms() + 3000;
    struct job *job = live_job_begin(&j);
    nomem_fail_at(n);
    static char all[4500];
    snprintf(all, sizeof all, "{\"page\":\"http://127.0.0.1:9/\"%s}", settings);
    fake_settings = all;
    bool good = mgi_live_configure(&fake_host) && mgi_live_open(job) && mgi_live_observe(job) &&
                mgi_live_file(job, "storage.json", &text);
    bool failed = nomem_failed();
    nomem_fail_at(0);
    if (!good && failed && j.error.len == 0 && !j.error.oom && !j.arena.oom &&
        mgi_live.settings.page.len > 0)
        fail_msg("allocation %zu failed, and nothing is said", n);
    live_job_end(&j);
    mgi_live_fini();
    assert_int_equal(mgi_live.program.pid, 0);
    fake_until_ms = 0;
    return failed;
}

static void test_any_allocation_may_fail(void **state)
{
    (void)state;
    for (size_t n = 1; open_and_observe(n); n += 1 + n / 12)
        ;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_allocation_may_fail),
    };
    if (fake_browser(argc, argv))
        return 0;
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    self[n > 0 ? n : 0] = '\0';
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
