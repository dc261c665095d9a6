/* When YAML cannot be read for want of memory, no domain comes of it: not one without settings. The
 * library takes its memory itself, so its functions fail here, not the allocator. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <dlfcn.h>
#include <yaml.h>

#include "domain/temp_domain.h"

static unsigned initialized, failing; /* the call that fails, from 1; 0: none */

/* Found before the library's own. */
int yaml_parser_initialize(yaml_parser_t *parser)
{
    int (*real)(yaml_parser_t *) = NULL;
    *(void **)&real = dlsym(RTLD_NEXT, "yaml_parser_initialize");
    return ++initialized == failing ? 0 : real(parser);
}

static void test_a_parser_that_does_not_begin_makes_no_domain(void **state)
{
    struct temp_domain d;
    (void)state;
    temp_make(&d);
    temp_write(&d, "skills/a/SKILL.md", "---\nname: N\ndescription: D\n---\nText.\n");
    for (failing = 0; failing <= 3; failing++) { /* domain.yaml, the template, the skill */
        struct buf text = { 0 };
        initialized = 0;
        struct snapshot *s = temp_load(&d, NULL, false, &text);
        if (failing == 0) {
            assert_non_null(s);
            assert_int_equal(initialized, 3);
        } else {
            assert_null(s);
            assert_non_null(strstr(text.ptr ? text.ptr : "", "out of memory"));
        }
        mgi_snapshot_unref(s);
        mgi_buf_fini(&text);
    }
    temp_remove(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_parser_that_does_not_begin_makes_no_domain),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests_name("domain/yaml_nomem", tests, NULL, NULL);
}
