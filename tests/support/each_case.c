#include "support/each_case.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* <feature>/<case> of a path below the folder; the caller's. */
static char *name_of(const char *path, const char *folder)
{
    const char *relative = path + strlen(folder) + 1;
    char *name = strdup(relative);
    if (name)
        name[strlen(name) - strlen(".mg")] = 0;
    return name;
}

int run_each_case(const char *folder, size_t least, CMUnitTestFunction test)
{
    char pattern[512];
    glob_t found;
    snprintf(pattern, sizeof pattern, "%s/*/*.mg", folder);
    if (glob(pattern, 0, NULL, &found) != 0 || found.gl_pathc < least) {
        fprintf(stderr, "fewer than %zu cases in %s\n", least, folder);
        return 1;
    }
    struct CMUnitTest *tests = calloc(found.gl_pathc, sizeof *tests);
    int failed = tests ? 0 : 1;
    for (size_t i = 0; tests && i < found.gl_pathc; i++)
        tests[i] = (struct CMUnitTest){ .name = name_of(found.gl_pathv[i], folder),
                                        .test_func = test,
                                        .initial_state = found.gl_pathv[i] };
    if (tests)
        failed = _cmocka_run_group_tests(folder, tests, found.gl_pathc, NULL, NULL);
    for (size_t i = 0; tests && i < found.gl_pathc; i++)
        free((char *)tests[i].name);
    free(tests);
    globfree(&found);
    return failed;
}
