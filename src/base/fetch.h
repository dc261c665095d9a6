/* Asking another server over HTTP, for those who may not wait: an order is given on the loop's
 * thread, and the answer is told there. Who carries it out is behind two functions
 * (net/fetch.h). */
#ifndef MGI_BASE_FETCH_H
#define MGI_BASE_FETCH_H

#include <stdint.h>

#include "base/str.h"

struct fetch; /* under way */

struct fetch_order { /* all of it is copied */
    const char *url;
    const char *ca_file; /* PEM: who vouches for its certificate; NULL: the system's authorities */
    const char *basic;   /* "user:password", or NULL */
    struct str form;     /* posted, as application/x-www-form-urlencoded; ptr NULL: a GET */
    size_t max_bytes;    /* of the answer */
    int64_t timeout_ms;  /* from now until the answer is told */
};

struct fetch_answer {  /* borrowed during the call */
    int status;        /* HTTP's; 0: there was no answer, and `why` says so */
    struct str body;   /* whole */
    int64_t max_age_s; /* of Cache-Control; negative: not said */
    const char *why;   /* one line for a log */
};

struct fetcher {
    /* `told` is called once, on the loop, never from inside; redirections are not followed. NULL:
     * too many are under way, or memory is short, and `told` is not called. */
    struct fetch *(*begin)(void *self, const struct fetch_order *order,
                           void (*told)(void *context, const struct fetch_answer *answer),
                           void *context);
    /* `told` will not be called, and what has not been sent yet never is; `f` is gone. */
    void (*forget)(void *self, struct fetch *f);
    void *self;
};

#endif
