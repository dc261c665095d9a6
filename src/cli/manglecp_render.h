/* Answers of a server, for people. What is not as expected is passed over; text from outside is
 * escaped before it reaches the terminal. `brief` shows what a reader who follows a conversation
 * wants: long lists are summed up, and only tools in full are explained in full. */
#ifndef MGI_CLI_MANGLECP_RENDER_H
#define MGI_CLI_MANGLECP_RENDER_H

#include "base/json.h"
#include "cli/cli_options.h"

/* The payload of an envelope; NULL if `text` is none. Lives in `arena`; so must `text`. */
const struct json *mgi_render_payload(struct arena *arena, struct str text);

void mgi_render_manifest(FILE *to, const struct json *payload, bool brief);
void mgi_render_intent(FILE *to, const struct json *payload, bool brief);
void mgi_render_invoke(FILE *to, const struct json *payload, bool brief);
void mgi_render_error(FILE *to, const struct json *payload);

/* Any value: JSON, indented, every line behind `indent`. */
void mgi_render_json(FILE *to, const struct json *v, const char *indent);

/* Escaped text of a string value; "" if it is none. Lives in `arena`. */
const char *mgi_render_text(struct arena *arena, const struct json *v);

#endif
