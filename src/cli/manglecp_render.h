/* Answers of a server, for people. What is not as expected is passed over; text from outside is
 * escaped before it reaches the terminal. `brief` shows what a reader who follows a conversation
 * wants: long lists are summed up, and only tools in full are explained in full.
 *
 * manglecp_render_text.c reads and escapes, manglecp_view.c lays out, manglecp_render.c says what
 * is shown. */
#ifndef MGI_CLI_MANGLECP_RENDER_H
#define MGI_CLI_MANGLECP_RENDER_H

#include "base/json.h"
#include "cli/cli_options.h"

/* An envelope, and its payload; NULL if `text` is none. Live in `arena`; so must `text`. */
const struct json *mgi_render_root(struct arena *arena, struct str text);
const struct json *mgi_render_payload(struct arena *arena, struct str text);

void mgi_render_manifest(FILE *to, const struct json *payload, bool brief);
void mgi_render_intent(FILE *to, const struct json *payload, bool brief);
void mgi_render_invoke(FILE *to, const struct json *root, bool brief); /* the whole envelope */
void mgi_render_plan(FILE *to, const struct json *plan);               /* of a dry run */
/* The array that answers why tools did not come out; or its text, or NULL. */
void mgi_render_why_not(FILE *to, const struct json *answers);
void mgi_render_why_not_text(FILE *to, const char *json);
void mgi_render_error(FILE *to, const struct json *payload);

/* JSON text with what a terminal would obey, or not show, spelled as \uXXXX: it means the same. */
void mgi_render_json_text(struct buf *out, struct str json);

/* A message as it is, and a newline; so spelled if a terminal shows it. */
void mgi_render_envelope(FILE *to, struct str json);

/* Any value: JSON, indented, every line behind `indent`. */
void mgi_render_json(FILE *to, const struct json *v, const char *indent);
/* The same without `indent` before the first line and without the last newline. */
void mgi_render_json_behind(FILE *to, const struct json *v, const char *indent);

/* Escaped text of a string value; "" if it is none. Lives in `arena`. */
const char *mgi_render_text(struct arena *arena, const struct json *v);

#endif
