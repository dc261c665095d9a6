/* Reading documents survives the failure of any one allocation, and says so. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "mangle/value/value.h"
#include "formats/json_struct.h"
#include "support/nomem.h"

static void test_a_document_survives(void **state)
{
    (void)state;
    static const char text[] = "{\"a\\u0062\": [1, \"x\\n\", {\"c\": true}], \"d\": {}, \"e\": "
                               "[[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17]]}";
    for (size_t n = 1;; n++) {
        struct json_struct_error e;
        mangle_values *t = mgi_values_new(NULL, 0);
        nomem_fail_at(n);
        mangle_value v = mgi_struct_from_json(t, str_of(text), &e);
        bool failed = nomem_failed();
        nomem_fail_at(0);
        mgi_values_free(t);
        assert_int_equal(v == MANGLE_NONE, failed);
        assert_int_equal(e.oom, failed);
        if (!failed)
            break;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_a_document_survives) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
