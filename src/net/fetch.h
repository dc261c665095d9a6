/* Fetches over HTTP on threads of their own, by libcurl: see base/fetch.h for orders and answers.
 *
 *     loop: begin ──> waiting ──> a thread carries it out ──> loop: told
 *
 * libcurl is loaded, and the threads are started, with the first order. At most FETCH_THREADS are
 * carried out at a time and FETCH_MOST are under way; each ends by its deadline, which counts from
 * its order, also where a name is not resolved. Plain http:// is taken for loopback addresses
 * alone. No proxy is asked, and no redirection followed. */
#ifndef MGI_NET_FETCH_H
#define MGI_NET_FETCH_H

#include <uv.h>

#include "base/fetch.h"

#define FETCH_THREADS 4
#define FETCH_MOST    256

struct fetch_pool;

/* NULL when memory is short. */
struct fetch_pool *mgi_fetch_pool_new(uv_loop_t *loop);

/* What is under way is given up, and nobody is told; waits for it, about a second at most. The pool
 * is freed when the loop has closed its handle. NULL is fine. */
void mgi_fetch_pool_free(struct fetch_pool *pool);

struct fetcher mgi_fetch_pool_fetcher(struct fetch_pool *pool);

#endif
