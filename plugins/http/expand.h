/* Arguments put into a request: its address, headers and body.
 *
 * 1. A value is put in once and never looked at again: nothing in it is a placeholder.
 * 2. In a path every byte of a value but letters, digits and "-._~" is percent-encoded, so it
 *    stays in its segment; and since there are servers that decode before they split, a segment
 *    that holds a piece between slashes or backslashes which is empty, "." or ".." is refused, as
 *    is a control character.
 * 3. In a query likewise encoded, it stays the value of its name.
 * 4. In a header a control character is refused. */
#ifndef HTTP_EXPAND_H
#define HTTP_EXPAND_H

#include "table.h"

#define HTTP_MOST_URL    (8u << 10)
#define HTTP_MOST_HEADER (8u << 10)
#define HTTP_MOST_BODY   (4u << 20)
#define HTTP_MOST_NAME   (1u << 10) /* of what deep members are called */

struct http_header {
    const char *line; /* "Name: value" */
    bool own;         /* what every origin may see: no header of the operation, no credential */
};

struct http_expansion {
    const char *url;
    struct http_header *headers;
    size_t header_count;
    bool has_body;
    struct str body;
};

/* `arguments` is an object, or the call's is wrong. NULL, or why it is refused (in `arena`; no
 * value of a secret is ever in it). */
const char *mgi_http_expand(struct arena *arena, const struct http_request *request,
                            const struct json *arguments, struct http_expansion *out);

/* The path alone, appended to `out`. */
const char *mgi_http_expand_path(struct arena *arena, const struct http_request *request,
                                 const struct json *arguments, struct buf *out);

#endif
