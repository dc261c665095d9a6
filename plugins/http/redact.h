/* Secrets taken out of what others said, before anybody sees it. */
#ifndef HTTP_REDACT_H
#define HTTP_REDACT_H

#include "base/buf.h"
#include "base/json.h"

struct secrets {
    const struct str *items;
    size_t count;
};

/* Append `text` with "[secret]" in place of every secret in it. */
void mgi_redact(struct buf *out, struct str text, struct secrets secrets);

/* Write a value; the same in all of its texts, names of members and numbers. */
void mgi_redact_value(struct json_writer *w, const struct json *v, struct secrets secrets);
void mgi_redact_string(struct json_writer *w, struct str text, struct secrets secrets);

#endif
