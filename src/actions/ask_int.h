/* What asking an action is made of: ask.c has a host process and one round of questions to it,
 * ask_kept.c a host that several threads ask one after the other. */
#ifndef MGI_ACTIONS_ASK_INT_H
#define MGI_ACTIONS_ASK_INT_H

#include "domain/domain.h"

struct asked_host; /* one thread at a time */

struct asked_host *mgi_asking_new(void); /* nothing runs yet; NULL: memory */

/* Starts the host if none runs. `stays`: it goes on running, also where it is late or nobody waits
 * any more; then nothing is asked before it has answered. Blocks question->timeout_ms, and 2 s more
 * where it has to be ended. */
bool mgi_asking_ask(struct asked_host *h, const char *toolhost, bool stays,
                    const struct action_question *question, struct arena *arena,
                    struct json *outputs, const char **why);

/* Ends what runs, 2 s at most, and frees. `h` may be NULL. */
void mgi_asking_end(struct asked_host *h);

/* struct action_source: keep, let_go. What is asked of `kept` is asked by mgi_toolhost_ask(). */
struct kept_host *mgi_kept_new(const struct action_source *source);
void mgi_kept_free(struct kept_host *k);

#endif
