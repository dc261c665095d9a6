/* How many processors there are is told by the affinity, and by control groups, here played by
 * files. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sys/processors.h"

static char root[] = "/tmp/processors-XXXXXX";

static void write_file(const char *name, const char *text)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", root, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

static uint32_t of(const char *own)
{
    char file[128];
    write_file("own", own);
    snprintf(file, sizeof file, "%s/own", root);
    return mgi_processors_by_quota(file, root, 16);
}

static int make_groups(void **state)
{
    (void)state;
    char path[128];
    static const char *const folders[] = { "a", "a/b", "a/b/c" };
    if (!mkdtemp(root))
        return -1;
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s/%s", root, folders[i]);
        if (mkdir(path, 0700) != 0)
            return -1;
    }
    return 0;
}

static int remove_groups(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -r %s", root);
    return system(command);
}

static void test_the_least_quota_up_to_the_root_counts(void **state)
{
    (void)state;
    assert_int_equal(of("0::/a/b/c\n"), 16); /* nothing is said */
    write_file("a/b/c/cpu.max", "max 100000\n");
    assert_int_equal(of("0::/a/b/c\n"), 16);
    write_file("a/b/cpu.max", "400000 100000\n");
    assert_int_equal(of("0::/a/b/c\n"), 4);
    write_file("a/b/c/cpu.max", "150000 100000\n");
    assert_int_equal(of("0::/a/b/c\n"), 2); /* a part of one is one */
    assert_int_equal(of("1:cpu:/x\n0::/a/b\n"), 4);
    assert_int_equal(of("0::/a\n"), 16);
    write_file("cpu.max", "1000 100000\n"); /* as a container sees its own */
    assert_int_equal(of("0::/\n"), 1);
    assert_int_equal(of("0::/a/b/c\n"), 1);
}

static void test_what_makes_no_sense_says_nothing(void **state)
{
    (void)state;
    write_file("cpu.max", "");
    write_file("a/cpu.max", "0 100000\n");
    assert_int_equal(of("0::/a\n"), 16);
    write_file("a/cpu.max", "5 0\n");
    assert_int_equal(of("0::/a\n"), 16);
    write_file("a/cpu.max", "18446744073709551615 1\n");
    assert_int_equal(of("0::/a\n"), 16);
    assert_int_equal(of(""), 16);
    assert_int_equal(of("7:cpu:/a\n"), 16);
    assert_int_equal(mgi_processors_by_quota("/nowhere/at/all", root, 3), 3);
}

static void test_affinity_counts(void **state)
{
    (void)state;
    cpu_set_t before, one;
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    assert_int_equal(mgi_processors_by_affinity(), CPU_COUNT(&before));
    assert_true(mgi_processors() >= 1 && mgi_processors() <= mgi_processors_by_affinity());
    CPU_ZERO(&one);
    CPU_SET((size_t)sched_getcpu(), &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    assert_int_equal(mgi_processors(), 1);
    assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_least_quota_up_to_the_root_counts),
        cmocka_unit_test(test_what_makes_no_sense_says_nothing),
        cmocka_unit_test(test_affinity_counts),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, make_groups, remove_groups);
}
