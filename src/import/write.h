/* The files of an imported domain, as texts: nothing here does I/O. */
#ifndef MGI_IMPORT_WRITE_H
#define MGI_IMPORT_WRITE_H

#include "import/tool.h"

struct import_server {
    struct str name;     /* as the domain calls it: [A-Za-z0-9._-], 1 to 64 */
    struct str original; /* as its configuration does */
    size_t tools;        /* that are imported */
};

/* tools/<id>.yaml: one macro-tool that runs the tool. False: memory, or its schema cannot be
 * written (tool->left_out says why, and nothing was appended). */
bool mgi_import_tool_file(struct arena *arena, struct buf *out, struct import_tool *tool);

/* facts/import.mg: what is known of servers and tools (docs/import.md has the predicates).
 * `confirmed` NULL. */
void mgi_import_facts_file(struct arena *arena, struct buf *out,
                           const struct import_server *servers, size_t server_count,
                           const struct import_tool *tools, size_t tool_count);

/* What a server is for, in one line: the objects that its tools are about, the most frequent first.
 */
char *mgi_import_server_line(struct arena *arena, const struct import_server *server,
                             const struct import_tool *tools, size_t tool_count);

/* facts/confirmed.mg when there is none: what was guessed to be destructive, for the author to
 * confirm or correct, as comments. */
void mgi_import_confirmed_file(struct buf *out, const struct import_tool *tools, size_t tool_count);

/* What domain.yaml says of a ranking by meaning: the last entries of `external` and of `actions`.
 */
void mgi_import_near_external(struct buf *out);
void mgi_import_near_host(struct buf *out, const char *python);

/* The tool as one line, as the domain itself writes one (render/call.h): what has to be given is
 * said whole, objects in objects, too; of what may be given three arguments. */
void mgi_import_line(struct buf *out, const struct import_tool *tool);
/* The tool as clients without us send it to a model: name, description, inputSchema, as JSON. */
void mgi_import_verbatim(struct buf *out, const struct import_tool *tool);

#endif
