/* Random schemas of references, dynamic references and unevaluated members against the plain
 * reading of the draft in schema_oracle.py. One that is refused for its circles has no verdict to
 * compare. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

#include "protocol/schema.h"

#define ORACLE "python3 " MGI_SOURCE_DIR "/tests/protocol/schema_oracle.py 7 3000"

struct counts {
    unsigned valid, invalid, refused, different;
};

static void compare_one(struct str line, struct counts *counts)
{
    struct arena arena;
    struct json row;
    struct schema_issues issues;
    mgi_arena_init(&arena, 0);
    mgi_schema_issues_init(&issues, &arena, 0);
    assert_int_equal(mgi_json_parse(&arena, line, NULL, &row, NULL), JSON_OK);
    struct schema *s = mgi_schema_compile(&row.items[1], 0, &issues);
    if (!s) {
        assert_string_equal(issues.items[0].message, "refers to itself without end");
        counts->refused++;
    } else {
        bool valid = mgi_schema_validate(s, &row.items[2], &issues);
        assert_int_equal(valid, issues.count == 0);
        assert_int_equal(valid, mgi_schema_validate(s, &row.items[2], NULL));
        if (valid != row.items[0].boolean) {
            print_error("not so: %.*s\n", STR_ARG(line));
            counts->different++;
        }
        *(valid ? &counts->valid : &counts->invalid) += 1;
    }
    mgi_schema_free(s);
    mgi_arena_fini(&arena);
}

static void test_random_schemas_say_what_the_plain_reading_says(void **state)
{
    (void)state;
    struct counts counts = { 0 };
    char *line = NULL;
    size_t cap = 0;
    ssize_t len;
    FILE *oracle = popen(ORACLE, "r"); /* NOLINT(cert-env33-c) */
    assert_non_null(oracle);
    while ((len = getline(&line, &cap, oracle)) > 0)
        compare_one((struct str){ line, (size_t)len }, &counts);
    free(line);
    assert_int_equal(pclose(oracle), 0);
    print_message("# %u valid, %u invalid, %u refused\n", counts.valid, counts.invalid,
                  counts.refused);
    assert_int_equal(counts.different, 0); /* D-43 */
    assert_true(counts.valid > 1000 && counts.invalid > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_schemas_say_what_the_plain_reading_says),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
