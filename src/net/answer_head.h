/* The head of a server's answer, as a client reads it: its status, a field of it, and what
 * net/ws_upgrade.h judges of an upgrade. A decoder, without I/O. `head` is without the empty line
 * that ends it. */
#ifndef MGI_NET_ANSWER_HEAD_H
#define MGI_NET_ANSWER_HEAD_H

#include "base/arena.h"
#include "net/ws_upgrade.h"

/* False: it is no HTTP/1.1. */
bool mgi_answer_head_status(struct str head, int *status);

/* The first field of this name (letter case does not count), without blanks at either end. False:
 * there is none. */
bool mgi_answer_head_field(struct str head, const char *name, struct str *value);

/* A header that is there twice is a list of both (RFC 9110, 5.3), which lives in `a`; all else
 * points into `head`. False: it is no HTTP/1.1, or memory is short (a->oom). */
bool mgi_answer_head_upgrade(struct arena *a, struct str head, struct ws_acceptance *out);

#endif
