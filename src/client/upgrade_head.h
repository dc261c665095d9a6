/* The head of a server's answer to an upgrade: bytes -> what net/ws_upgrade.h judges. A decoder,
 * without I/O. */
#ifndef MGI_CLIENT_UPGRADE_HEAD_H
#define MGI_CLIENT_UPGRADE_HEAD_H

#include "base/arena.h"
#include "net/ws_upgrade.h"

/* Read `head`, without the empty line that ends it. A header that is there twice is a list of both
 * (RFC 9110, 5.3), which lives in `a`; all else points into `head`. False: it is no HTTP/1.1, or
 * memory is short (a->oom). */
bool mgi_upgrade_head_read(struct arena *a, struct str head, struct ws_acceptance *out);

#endif
