/* One entry of somebody else's configuration, put in and taken out again: JSON (with comments and
 * trailing commas, or without) and TOML. Everything else of the text stays as it is, byte for byte:
 * comments, order, layout, line ends, a byte order mark.
 *
 * An entry stands below a section: {"SECTION": {"NAME": {…}}}, or [SECTION.NAME].
 *
 * What is put in and taken out leaves the text that was before (with_section as `made_section`
 * said). What comes out is read again before it is given out: it parses, and has the entry or not.
 *
 * No I/O, no state. Texts are borrowed and UTF-8; what is larger than SPLICE_BYTES is refused. Time
 * follows the text's length. */
#ifndef MGI_SPLICE_SPLICE_H
#define MGI_SPLICE_SPLICE_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/json.h"

#define SPLICE_BYTES ((size_t)16 * 1024 * 1024)

enum splice_form {
    SPLICE_JSON,          /* by RFC 8259; a byte order mark is fine */
    SPLICE_JSON_COMMENTS, /* and comments, and commas behind the last */
    SPLICE_TOML           /* 1.0 */
};

enum splice_status {
    SPLICE_DONE,
    SPLICE_ABSENT,  /* there is no such entry */
    SPLICE_REFUSED, /* the text does not parse, or this cannot be done with it: the fault says why
                     */
    SPLICE_NOMEM
};

struct splice_fault {
    uint32_t line, column; /* from 1, the column in bytes; line 0: of the text as a whole */
    char message[160];     /* lower case, without a full stop; texts of others are not in it */
};

struct splice_place {
    struct str section, name; /* neither is empty */
};

/* The whole text as JSON. What is empty but for blanks (and comments) is an empty object. Dates and
 * times of TOML become strings, its inf and nan null.
 *
 *   out   lives in `arena`, and borrows nothing
 *
 * SPLICE_DONE, _REFUSED, _NOMEM. */
enum splice_status mgi_splice_read(enum splice_form form, struct str text, struct arena *arena,
                                   struct json *out, struct splice_fault *fault);

/* JSON with comments and commas behind the last as JSON without: blanks stand in their place, so
 * all else is where it was. A comment without an end stays. In the arena; ptr NULL: memory is
 * short. */
struct str mgi_splice_plain_json(struct arena *arena, struct str text);

/* Append to `out` the text with the entry, in place of what the entry was before if it was there.
 *
 *   value         an object
 *   made_section  may be NULL; true: there was no such section before
 *
 * SPLICE_DONE, _REFUSED, _NOMEM; where it is not done, `out` is of no use. */
enum splice_status mgi_splice_put(enum splice_form form, struct str text,
                                  const struct splice_place *place, const struct json *value,
                                  struct buf *out, bool *made_section, struct splice_fault *fault);

/* Append to `out` the text without the entry; with_section: and without the section, if nothing
 * else is in it (TOML has no section by itself). SPLICE_DONE, _ABSENT, _REFUSED, _NOMEM. */
enum splice_status mgi_splice_take(enum splice_form form, struct str text,
                                   const struct splice_place *place, bool with_section,
                                   struct buf *out, struct splice_fault *fault);

#endif
