/* What the files trace*.c share. */
#ifndef BROWSER_TRACE_INT_H
#define BROWSER_TRACE_INT_H

#include "browser.h"
#include "trace.h"

/* What a message is worth, least first: what goes when there is no more room. */
enum worth {
    WORTH_CHATTER, /* console lines that are no errors */
    WORTH_FRAMES,  /* of sockets and streams */
    WORTH_CHANGES, /* of the document, input, samples */
    WORTH_BODIES,
    WORTH_ERRORS,
    WORTH_REQUESTS,
    WORTH_PAGE,
    WORTH_COUNT
};

/* A method that is kept, and of which members. `members` is a list of names, separated by blanks:
 * name          a scalar, as it is
 * name{...}     of an object, or of every element of an array, these members
 * name:LETTER   u an address, h headers, b a body, t text, s a stack, c lines of Set-Cookie,
 *               j small JSON as it is, l lines of code,
 *               v text that the object's "name" names, or the element before
 * *{...}        of every member that is an object, these members */
struct trace_method {
    const char *name;
    enum worth worth;
    const char *members;
};
const struct trace_method *mgi_trace_method(struct str name);

/* Writes what is kept of `params`. `key` (may be empty) becomes the member "key". */
void mgi_trace_trim(struct buf *out, const struct trace_method *method, const struct json *params,
                    struct str key);

/* ---- trace_mask.c, trace_mask_url.c: credentials become *** ---------------------------------
 * What is no value (empty, undefined, null) stays: that it is none is what explains a failure. What
 * is masked stays as it is when it is masked again. */
void mgi_mask_value(struct buf *out, struct str value);
/* It stands for nothing, or is masked already: no credential, and worth to be seen. */
bool mgi_is_no_value(struct str value);
#define MGI_MASK "***"
void mgi_mask_url(struct buf *out, struct str url);     /* its query, fragment, path and user */
void mgi_mask_form(struct buf *out, struct str body);   /* "a=b&c=d" */
void mgi_mask_tokens(struct buf *out, struct str text); /* JSON Web Tokens */
/* Where the next address in a text begins; text.len: there is none, and *len is 0. */
size_t mgi_mask_find_url(struct str text, size_t *len);
void mgi_mask_header(struct buf *out, struct str name, struct str value);
void mgi_mask_set_cookie(struct buf *out, struct str lines);
void mgi_mask_body(struct buf *out, struct str body); /* JSON, a form, HTML, a script, text */
void mgi_mask_text(struct buf *out, struct str text);
/* Text that follows another one: "token:", then the token. */
void mgi_mask_after(struct buf *out, struct str lead, struct str text);
void mgi_mask_code(struct buf *out, struct str text);

#endif
