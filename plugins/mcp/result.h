/* The result of a tool as the output of an action (X-ACT-4, X-TOOL-21, X-TOOL-22). */
#ifndef MCP_RESULT_H
#define MCP_RESULT_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/json.h"

enum {
    RESULT_BLOCKS = 256,
    RESULT_TEXT_BYTES = 1 << 20,
};

/* Writes one JSON object: structuredContent, if it is one; the object that the one text block is;
 * or {"text": …} with "files", "links" and "notes" where there are such. Every text is cleaned; no
 * more than `most` bytes of text are kept, and of files as many whole ones as are three quarters of
 * that in base64; a note says so. False: it is no result, and *why says what is wrong; or memory is
 * short, then out->oom. */
bool result_write(struct buf *out, const struct json *result, size_t most, const char **why);

/* What a failed tool says, cleaned, one line. */
void result_error(struct buf *out, const struct json *result);
bool result_is_error(const struct json *result);

#endif
