/* A service that cannot be made for want of memory says so and leaves nothing behind. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "service/service_fixture.h"
#include "support/nomem.h"

static void test_making_survives_any_failure(void **state)
{
    (void)state;
    struct small_domain domain;
    char message[1024];
    size_t failed = 0, n = 1;
    small_make(&domain);
    for (bool done = false; !done; n++) {
        struct manglecp_service_options options = {
            .config = "{listen: [\"127.0.0.1:0\"], watch: true, log: {level: error}}",
            .domain = domain.folder,
            .token = SERVICE_TOKEN,
            .log = no_log,
        };
        manglecp_service *service;
        nomem_fail_at(n);
        enum manglecp_status status =
            manglecp_service_new(&options, &service, message, sizeof message);
        done = !nomem_failed();
        nomem_fail_at(0);
        assert_int_equal(status == MANGLECP_OK, service != NULL);
        if (!service) {
            assert_false(done);
            assert_true(message[0] != '\0');
            failed++;
        }
        manglecp_service_free(service);
    }
    assert_true(failed > 20);
    small_remove(&domain);
}

/* Running: the load, the taking over, the end. */
static void test_running_survives_any_failure(void **state)
{
    (void)state;
    struct small_domain domain;
    char message[1024];
    size_t failed = 0, n = 1;
    small_make(&domain);
    for (bool done = false; !done; n += n < 200 ? 1 : 37) { /* there are thousands in a load */
        struct manglecp_service_options options = { .config = "{watch: true, log: {level: error}}",
                                                    .domain = domain.folder,
                                                    .log = no_log };
        manglecp_service *service;
        assert_int_equal(manglecp_service_new(&options, &service, message, sizeof message),
                         MANGLECP_OK);
        manglecp_service_stop(service);
        nomem_fail_at(n);
        enum manglecp_status status = manglecp_service_run(service, message, sizeof message);
        done = !nomem_failed();
        nomem_fail_at(0);
        failed += status != MANGLECP_OK;
        manglecp_service_free(service);
    }
    (void)failed; /* stopped while it loads, it ends well or says that memory was short */
    small_remove(&domain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_making_survives_any_failure),
        cmocka_unit_test(test_running_survives_any_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
