/* What came back becomes the output of an action, or an error in words. Neither holds a secret. */
#ifndef HTTP_ANSWER_H
#define HTTP_ANSWER_H

#include "redact.h"
#include "transfer.h"

/* Writes {"status", "headers", "body"}, or with `select` the part, an object or {"value": …}.
 *
 *   result  of mgi_transfer(), without `why`
 *
 * NULL, or why it is no answer, in `arena`: a status that is not good (with what the operation or
 * the server says of it), or a body that cannot be read. `out` is unfinished then. */
const char *mgi_http_answer(struct arena *arena, const struct http_request *request,
                            const struct transfer_result *result, struct buf *out);

/* TH_LOST_..., if that is no answer: nobody knows what the request did, or what came of it. 0: it
 * is known, by the server's own word or because the request has no effect. */
uint32_t mgi_http_lost(const struct http_request *request, const struct transfer_result *result);

/* `text` without the secrets of `request`; ptr is never NULL. */
const char *mgi_http_clean(struct arena *arena, const struct http_request *request,
                           const char *text);

#endif
