/* What a policy is told, and what its answer is worth (toolhost.md 10.6). Pure functions. */
#ifndef MGI_SELECT_POLICY_ANSWER_H
#define MGI_SELECT_POLICY_ANSWER_H

#include "select/heuristic.h"
#include "select/mode.h"

/* How a policy process ended. */
enum policy_exit {
    POLICY_EXITED,      /* `status` is its exit code */
    POLICY_SIGNALLED,   /* `status` is the signal */
    POLICY_NOT_STARTED, /* `status` is an errno */
    POLICY_TIMED_OUT,   /* `status` is the limit in milliseconds */
    POLICY_TOO_MUCH     /* it wrote more than `status` bytes */
};

struct policy_answer {
    enum policy_exit exit;
    int64_t status;
    struct str out, err; /* what it wrote, each up to its limit */
};

/* The payload, one line of JSON (T-POL-1); `inputs` that are no object are left out. */
void mgi_policy_payload(struct buf *out, const struct select_view *view, const struct menu *menu,
                        const struct json *inputs, enum control_mode mode);

/*
 * Read an answer (T-POL-2, T-POL-6).
 *
 *   into     *failure lives there, and what is not in answer->out of *out
 *   answer   its texts are borrowed as long as *out
 *   failure  NULL, and *out is PICK (its SID is in the menu), ASK_SUP or NOOP; or why the policy
 *            failed, in one line, with the end of what it wrote to standard error; *out is INVALID
 *
 * False: memory.
 */
bool mgi_policy_judge(struct arena *into, const struct menu *menu,
                      const struct policy_answer *answer, struct selection *out,
                      const char **failure);

/* The fallback's choice in place of a policy that failed: its raw says so (T-POL-6). */
bool mgi_policy_replace(struct arena *into, const char *failure, const struct selection *fallback,
                        struct selection *out);

#endif
