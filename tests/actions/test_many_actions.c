/* Call after call, of each kind: nothing grows, be it memory, descriptors or processes, in the
 * server, the host, its worker or the program that it runs. bench/run actions does the same for
 * 10,000 calls. Skipped where the programs are not built. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "actions/one_of_each.h"

#if defined(__SANITIZE_ADDRESS__)
#define UNDER_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define UNDER_ASAN 1
#endif
#endif

enum {
    WARM =
        1100, /* until what is remembered of calls is as much as it ever will be: 1,024 of them */
    CALLS = 600,         /* between two looks */
    KIB = 120,           /* a leak of 200 bytes a call is seen */
    COLLECTED_KIB = 6144 /* of a program with a garbage collector, which has ups and downs */
};

#ifdef UNDER_ASAN
#define SLACK_KIB 4096 /* what was freed is kept for a while, to find who uses it still */
const char *__asan_default_options(void);

const char *__asan_default_options(void)
{
    return "quarantine_size_mb=1";
}
#else
#define SLACK_KIB 0
#endif

static bool is_built(void)
{
    static const char *const needed[] = { "/bin/toolhost", "/test-plugins/ok.so",
                                          "/plugins/relay.so", "/plugins/command.so",
                                          "/plugins/http.so" };
    char path[512];
    bool all = true;
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++) {
        snprintf(path, sizeof path, "%s%s", MGI_BUILD_DIR, needed[i]);
        all = all && access(path, R_OK) == 0;
    }
    return all;
}

static void call_many(struct one_of_each *e, size_t kind, int count)
{
    for (int i = 0; i < count; i++)
        assert_true(each_call(e, kind));
}

static void expect_no_growth(const struct held *before, const struct held *after, const char *kind)
{
    static const char *const who[] = { "the server", "the host", "its worker", "the program" };
    assert_int_equal(after->processes, before->processes);
    for (size_t i = 0; i < after->processes; i++) {
        const char *name = i < 4 ? who[i] : "another";
        assert_int_equal(after->pids[i], before->pids[i]);
        if (after->descriptors[i] > before->descriptors[i])
            fail_msg("%s: %s holds %ld descriptors, and had %ld", kind, name, after->descriptors[i],
                     before->descriptors[i]);
        long room = (i == 3 ? COLLECTED_KIB : KIB) + SLACK_KIB;
        if (after->memory_kib[i] > before->memory_kib[i] + room)
            fail_msg("%s: %s holds %ld KiB, and had %ld", kind, name, after->memory_kib[i],
                     before->memory_kib[i]);
    }
}

static void check_kind(size_t kind)
{
    struct one_of_each e;
    struct held before = { 0 }, after = { 0 };
    if (!is_built() || !kind_is_here(&kinds_of_action[kind]))
        skip();
#ifdef UNDER_ASAN /* of the hosts */
    setenv("ASAN_OPTIONS", "quarantine_size_mb=1:detect_leaks=0", 1);
    setenv("MACHINA_TOOLHOST_RLIMIT_AS_MB", "0", 1);
    setenv("MACHINA_TOOLHOST_PASS_ENV", "ASAN_OPTIONS", 1); /* and of workers */
#endif
    assert_true(each_begin(&e, NULL, 0));
    assert_true(each_take(&e, kind));
    call_many(&e, kind, WARM);
    look_at_held(&e, kind, &before);
    assert_true(before.processes >= 3); /* or it was not looked at */
    call_many(&e, kind, CALLS);
    look_at_held(&e, kind, &after);
    expect_no_growth(&before, &after, kinds_of_action[kind].name);
    each_release(&e, kind);
    each_end(&e);
}

static void test_calls_of_a_plugin_leave_nothing(void **state)
{
    (void)state;
    check_kind(0);
}

static void test_calls_of_a_python_host_leave_nothing(void **state)
{
    (void)state;
    check_kind(1);
}

static void test_calls_of_a_node_host_leave_nothing(void **state)
{
    (void)state;
    check_kind(2);
}

static void test_commands_leave_nothing(void **state)
{
    (void)state;
    check_kind(3);
}

static void test_requests_leave_nothing(void **state)
{
    (void)state;
    check_kind(4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_calls_of_a_plugin_leave_nothing),
        cmocka_unit_test(test_calls_of_a_python_host_leave_nothing),
        cmocka_unit_test(test_calls_of_a_node_host_leave_nothing),
        cmocka_unit_test(test_commands_leave_nothing),
        cmocka_unit_test(test_requests_leave_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
