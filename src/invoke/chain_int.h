/* What the files of the chain share, from above: chain.c is the main line, chain_step.c prepares
 * and digests one step, chain_sessions.c holds the sessions. */
#ifndef MGI_INVOKE_CHAIN_INT_H
#define MGI_INVOKE_CHAIN_INT_H

#include "invoke/invoke_int.h"

#define STEP_RESERVE_MS 100 /* T-MCP-28 */
#define STEP_LEAST_MS   200

/* chain.c: go on until something has to be waited for. */
void mgi_chain_advance(struct invocation *inv);

/* chain_step.c */
struct invocation *mgi_chain_of_task(struct task *t);
int64_t mgi_chain_left_ms(const struct invocation *inv);
/* False: nobody takes it, so it is done here. */
bool mgi_chain_hand_over(struct invocation *inv, enum chain_state state,
                         void (*run)(struct task *t), void (*done)(struct task *t));
void mgi_chain_prepare(struct invocation *inv);
void mgi_chain_prepare_task(struct task *t);
bool mgi_chain_is_brief(const struct invocation *inv);
/* The step failed: go on or end, as its rule says; some outcomes always end (toolhost.md 11.2).
 * `why` is for the log. A client is told what the template says; `own` are words of the tool, which
 * the template may pass on. */
void mgi_chain_failed(struct invocation *inv, struct str why, struct str own, const char *reason,
                      bool ends);
void mgi_chain_step_done(void *context, const struct tool_result *result);

/* chain_sessions.c */
struct plugin_session *mgi_chain_session(struct invocation *inv,
                                         const struct action_provider *provider);
void mgi_chain_refuse(struct invocation *inv, enum wire_code code, const char *details,
                      const char *message, int64_t retry_ms);
/* False: memory. */
bool mgi_chain_take(struct invocation *inv, const struct action_provider *provider);
void mgi_chain_release(struct invocation *inv);

#endif
