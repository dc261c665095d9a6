/* One call of a model, done: what blocks, and what it changes in the work. On a worker's thread. */
#ifndef MGI_BRIDGE_PERFORM_H
#define MGI_BRIDGE_PERFORM_H

#include "bridge/crew.h"
#include "bridge/surface.h"
#include "bridge/tell.h"
#include "bridge/work.h"

#define STRUCTURED_BYTES ((size_t)1024 * 1024) /* beside the text; a larger result goes without */

struct performed {
    struct buf text;       /* for the model */
    struct buf structured; /* beside it: a JSON object; empty: none */
    bool too_large;        /* `structured` would have had more than STRUCTURED_BYTES: it is empty */
    struct tell tell;      /* for the client's log; `least` is set by who hands it over */
    bool is_error;
};

void mgi_performed_fini(struct performed *p);

/*
 * Do what `ask` says, by `client`, in `work`, which the caller is inside of (NULL: an intent
 * without a name, which begins nothing). State deltas are applied here, and continuation facts kept
 * with the result: no model carries them. What fails leaves the work as it was.
 *
 *   arena   of the call
 *   now_ns  for facts without a time
 *   answer  what became of a question for a person, read after the client's call; may be NULL
 */
void mgi_perform(manglecp_client *client, struct bridge_work *work, const struct ask *ask,
                 struct arena *arena, int64_t now_ns, const struct crew_job *job,
                 struct performed *out);

/* There is no client: `why`, for the model. */
void mgi_perform_nothing(const char *why, struct performed *out);

#endif
