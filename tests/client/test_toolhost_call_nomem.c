/* A call of a toolhost with every allocation failing in turn: NULL, or the right answer; nothing is
 * left behind, no memory, no descriptor, no process. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "manglecp.h"
#include "support/nomem.h"

static const char *const plugins[] = { "p", NULL };

/* The next descriptor that would be given out: it grows if some are kept. */
static int next_descriptor(void)
{
    int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
    close(fd);
    return fd;
}

static void test_a_call_survives_any_failing_allocation(void **state)
{
    (void)state;
    /* /bin/false is a host that says nothing and exits with 1 */
    const struct manglecp_toolhost host = { .program = "/bin/false", .plugins = plugins };
    int before = next_descriptor();
    for (size_t n = 1;; n++) {
        bool failed = false;
        nomem_fail_at(n);
        char *text = manglecp_run_toolhost(&host, "AID.X.v1", "{\"a\":[1,{}]}", &failed);
        bool injected = nomem_failed();
        nomem_fail_at(0);
        if (text)
            assert_non_null(strstr(text, "\"error\":true"));
        else
            assert_true(injected);
        manglecp_free(text);
        assert_int_equal(next_descriptor(), before);
        assert_true(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD);
        if (!injected) {
            assert_true(text && failed);
            break;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_call_survives_any_failing_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
