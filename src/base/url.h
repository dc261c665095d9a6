/* http:// and https:// addresses as text, and text inside of them. Pure functions; nothing is
 * resolved, and nothing is asked.
 *
 * An address is read by one strict form: no user in front of the host, no blanks, quotes or
 * backslashes. What a more patient reader would take otherwise is refused. */
#ifndef MGI_BASE_URL_H
#define MGI_BASE_URL_H

#include "base/buf.h"

struct url {
    bool tls;
    struct str host; /* of "[::1]" with its brackets */
    unsigned port;   /* that of the scheme, if none is said */
    struct str path; /* empty, or begins with a slash */
    struct str tail; /* query and fragment, from their '?' or '#'; or empty */
};

/* The parts are views into `text`. False: it is no such address. */
bool mgi_url_read(struct str text, struct url *out);

/* May a secret be sent there? NULL: yes, over TLS or to this machine; else what is wrong. */
const char *mgi_url_fault(const char *url);

/* Does it name this machine: 127.0.0.1, [::1] or localhost? False, too, if it is no address. */
bool mgi_url_is_loopback(const char *url);

/* Is `url` at `base` or below it: the same scheme, host and port, and a path that begins with all
 * segments of that of `base`? What `base` has of a query does not count. */
bool mgi_url_covers(const char *base, const char *url);

/* "https://host:port" of an address, as it is spelled; all of `url` if it is none. */
struct str mgi_url_origin(const char *url);

/* Percent-encoding: all but the unreserved characters of RFC 3986. Decoding is that of forms, where
 * '+' is a blank; false: a '%' without its digits. */
void mgi_url_escape(struct buf *out, struct str text);
bool mgi_url_unescape(struct buf *out, struct str text);

#endif
