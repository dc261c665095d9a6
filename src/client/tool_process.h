/* One run of a program: what it is given, what it says, how it ends; all three pipes at once, and a
 * deadline (toolhost.md T-DISP-9 to T-DISP-12). Blocks; any thread. */
#ifndef MGI_CLIENT_TOOL_PROCESS_H
#define MGI_CLIENT_TOOL_PROCESS_H

#include <stdint.h>

#include "base/buf.h"

enum tool_end {
    TOOL_END_ENDED,
    TOOL_END_LATE,       /* stopped at its deadline: SIGTERM, 300 ms, then its group is killed */
    TOOL_END_FLOOD,      /* it said more than it may, and was killed with its group */
    TOOL_END_NOT_STARTED /* `error` says why */
};

struct tool_run {
    /* in: all borrowed */
    const char *path;
    const char *const *argv;
    const char *const *env;
    const char *folder; /* NULL: ours */
    struct str input;
    size_t max_output; /* of `output`; of `errors` the first 65536 bytes are kept */
    int64_t timeout_ms;

    /* out: the buffers are the caller's to free */
    struct buf output, errors;
    int status; /* exit code, or a signal's number, negative */
    int error;  /* an errno */
};

enum tool_end mgi_tool_process(struct tool_run *run);

#endif
