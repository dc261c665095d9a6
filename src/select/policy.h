/* The policy of a server: an external program that picks from menus, with its breaker and a limit
 * of processes at once (toolhost.md 10.6). One for all invocations; on one loop, whose thread alone
 * may use it. Nothing here blocks but starting a process and writing its payload file. */
#ifndef MGI_SELECT_POLICY_H
#define MGI_SELECT_POLICY_H

#include <uv.h>

#include "base/log.h"
#include "select/policy_answer.h"
#include "select/policy_settings.h"

#define POLICY_PROCESSES 8   /* at once; further calls wait for their turn */
#define POLICY_WAITING   256 /* more are answered at once, as if the policy were switched off */

struct policy;
struct policy_call;

/* `settings` have words, and with `log` (or NULL) are borrowed until mgi_policy_free(). NULL:
 * memory. */
struct policy *mgi_policy_new(uv_loop_t *loop, const struct policy_settings *settings,
                              const struct logger *log);
/* No call is open any more. NULL is fine. */
void mgi_policy_free(struct policy *policy);

struct policy_question {
    const struct select_view *view; /* all borrowed until return */
    const struct menu *menu;        /* until `done` */
    const struct json *inputs;
    enum control_mode mode;
    int64_t most_ms;     /* for the process, if the settings give it more; 0: they say it */
    struct arena *arena; /* what *said and `failure` point to lives there */
    /* On the loop, later. `said` is what mgi_policy_judge() makes of the answer; `failure` says why
     * it does not count (T-POL-6), NULL: it does. `nomem`: neither is known. */
    void (*done)(void *context, const struct selection *said, const char *failure, bool nomem);
    void *context;
};

enum policy_asked {
    POLICY_ASKED,     /* `done` will be called; *call until then */
    POLICY_OPEN,      /* the breaker is open, or too many wait: nothing was started */
    POLICY_FORBIDDEN, /* the command may not run; *why, in the arena; no failure (T-POL-4) */
    POLICY_NOMEM
};

/* Ask it. Starting fails like any answer: through `done`. */
enum policy_asked mgi_policy_ask(struct policy *policy, const struct policy_question *question,
                                 struct policy_call **call, const char **why);

/* `done` will not be called; the process is killed. Says nothing about the policy's health. */
void mgi_policy_cancel(struct policy_call *call);

struct policy_stats {
    uint32_t running, waiting;
    uint64_t asked, failed, refused;
    bool open; /* the breaker */
};
void mgi_policy_stats(const struct policy *policy, struct policy_stats *out);

#endif
