/* Reading the JSON objects of OAuth (oauth.h): members are words or addresses, and the first fault
 * is told. */
#ifndef MGI_CLIENT_OAUTH_READING_H
#define MGI_CLIENT_OAUTH_READING_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/json.h"

struct oauth_reading {
    struct arena *arena;
    const char *whose; /* "the metadata of the resource": how a fault begins */
    struct buf *why;
    struct json object;
    bool bad; /* a fault was told, or memory is short */
};

/* Begin: `text` has to be an object. */
bool mgi_oauth_reading(struct oauth_reading *r, struct arena *a, const char *whose, struct str text,
                       struct buf *why);

/* "WHOSE WHAT" is why nothing comes of it; false. */
bool mgi_oauth_reading_fault(struct oauth_reading *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

enum oauth_need { OAUTH_OPTIONAL, OAUTH_NEEDED };

/* A member that is one word of printable ASCII, as ids, tokens and addresses are. NULL: it is not
 * there, or r->bad. */
const char *mgi_oauth_word(struct oauth_reading *r, const char *name, size_t max,
                           enum oauth_need need);

/* One to which secrets may go, or from which they come. */
const char *mgi_oauth_address(struct oauth_reading *r, const char *name, enum oauth_need need);

/* Is `word` in a member that is a list? */
bool mgi_oauth_lists(const struct oauth_reading *r, const char *name, const char *word);

/* `text` of somebody else, for a sentence: escaped, cut, in quotes. */
void mgi_oauth_quote(struct buf *why, struct str text);

/* "…: access_denied (what they say)", of an answer that is an error object; else "". */
void mgi_oauth_put_error(struct buf *why, struct str code, struct str description);

#endif
