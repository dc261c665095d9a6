/* The outcome of scenarios for build servers: JUnit's XML. */
#ifndef MGI_CLI_MANGLECP_JUNIT_H
#define MGI_CLI_MANGLECP_JUNIT_H

#include "scenario/scenario.h"

/* A test suite for each file and a test case for each scenario; what the findings say is an error
 * of a suite of its own, so that a file that cannot be read is not green. */
void mgi_junit_print(struct buf *out, const struct scenario_report *r, struct findings *findings);

#endif
