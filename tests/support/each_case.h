/* One test for each case file, so that a report names the case and not only the program. */
#ifndef MGI_SUPPORT_EACH_CASE_H
#define MGI_SUPPORT_EACH_CASE_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

/* Run `test` with *state = path for every `folder`/<feature>/<case>.mg, as a test that is called
 * <feature>/<case>. Fewer than `least` cases are a failure: the folder was not found. Returns what
 * main() returns. */
int run_each_case(const char *folder, size_t least, CMUnitTestFunction test);

#endif
