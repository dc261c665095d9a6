/* A processor to spare is told from /proc/loadavg, here played by a file. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sys/spare.h"

static int file_of(const char *text)
{
    int fd = memfd_create("loadavg", MFD_CLOEXEC);
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    return fd;
}

static bool is_spare(const char *text)
{
    struct spare s = { 0 };
    int fd = file_of(text);
    bool yes = mgi_spare_processor(&s, fd, 1);
    close(fd);
    return yes;
}

static int processors(void)
{
    cpu_set_t set;
    assert_int_equal(sched_getaffinity(0, sizeof set, &set), 0);
    return CPU_COUNT(&set);
}

static void test_as_many_tasks_as_processors_leave_some(void **state)
{
    (void)state;
    char few[64], many[64];
    if (processors() < 2)
        skip();
    snprintf(few, sizeof few, "0.00 0.01 0.05 %d/234 5678\n", processors() + 1);
    snprintf(many, sizeof many, "0.00 0.01 0.05 %d/234 5678\n", processors() + 2);
    assert_true(is_spare("0.00 0.01 0.05 1/234 5678\n"));
    assert_true(is_spare(few));
    assert_false(is_spare(many));
}

static void test_what_cannot_be_told_is_no(void **state)
{
    (void)state;
    struct spare s = { 0 };
    assert_false(is_spare(""));
    assert_false(is_spare("0.00 0.01 0.05 0/0 0"));
    assert_false(is_spare("nonsense"));
    assert_false(mgi_spare_processor(&s, -1, 1));
}

static void test_one_processor_is_none_to_spare(void **state)
{
    (void)state;
    cpu_set_t before, one;
    size_t first = 0;
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    while (!CPU_ISSET(first, &before))
        first++;
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    assert_false(is_spare("0.00 0.01 0.05 1/234 5678\n"));
    assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
}

static void test_it_is_not_looked_at_all_the_time(void **state)
{
    (void)state;
    struct spare s = { 0 };
    int fd = file_of("0.00 0.01 0.05 1/234 5678\n");
    bool yes = mgi_spare_processor(&s, fd, 1);
    assert_int_equal(ftruncate(fd, 0), 0);
    assert_int_equal(mgi_spare_processor(&s, fd, SPARE_LOOK_NS), yes);
    assert_false(mgi_spare_processor(&s, fd, SPARE_LOOK_NS + 1));
    close(fd);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_as_many_tasks_as_processors_leave_some),
        cmocka_unit_test(test_what_cannot_be_told_is_no),
        cmocka_unit_test(test_one_processor_is_none_to_spare),
        cmocka_unit_test(test_it_is_not_looked_at_all_the_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
