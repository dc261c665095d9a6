/* Running rule tests: what was expected and did not come, what came and was not expected, and how
 * often each rule fired. */
#ifndef MGI_CLI_MANGLE_TEST_RUN_H
#define MGI_CLI_MANGLE_TEST_RUN_H

#include "base/strmap.h"
#include "cli/mangle_test_file.h"

struct test_line {
    char sign; /* '-' missing, '+' unexpected, ' ' anything else that is to be said */
    const char *text;
};

struct test_result {
    const char *file, *name;
    uint32_t line;
    bool passed;
    struct test_line *lines; /* why not */
    size_t line_count, line_cap;
};

struct rule_coverage {
    const char *file, *text;
    uint32_t line;
    int64_t fired;
};

struct test_run {
    bool check_bounds, allow_dangerous;
    const char *only; /* names that contain this; NULL: all */
    mangle_zone_folder *zones;
    struct arena arena; /* everything below points into it */
    struct test_result *results;
    size_t count, cap, passed;
    struct rule_coverage *rules; /* of loaded files, sorted by file and line at the end */
    size_t rule_count, rule_cap;
    struct strmap rule_index;
    bool oom;
};

bool mgi_test_run_init(struct test_run *run); /* false: memory */
void mgi_test_run_fini(struct test_run *run);

/* All tests of a file. False: memory (also remembered in run->oom). */
bool mgi_test_run_file(struct test_run *run, const struct test_file *file);

#endif
