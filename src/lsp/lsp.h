/* A language server for Mangle (Language Server Protocol 3.17): bytes from an editor in, bytes to
 * it out. docs/mangle-tools.md says what it offers and which files form one program.
 *
 * The server does no I/O of its own: `world` sends its messages and reads files for it. One thread;
 * no call blocks. Messages wait in a queue until mgi_lsp_step(), so that a cancelled request need
 * not be answered and a burst of changes is checked once. */
#ifndef MGI_LSP_LSP_H
#define MGI_LSP_LSP_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

struct lsp_world {
    void *context;
    /* One message with its header. */
    void (*send)(void *context, struct str bytes);
    /* All of a file, appended to `out`; false if it cannot be read. NULL: there are no files. */
    bool (*read)(void *context, const char *path, struct buf *out);
    /* Call `found` for every .mg file below the folder, hidden folders left out. Not NULL unless
     * `read` is. */
    void (*walk)(void *context, const char *folder, void (*found)(void *to, const char *path),
                 void *to);
};

struct lsp;
struct lsp *mgi_lsp_new(const struct lsp_world *world); /* `world` is copied; NULL: memory */
void mgi_lsp_free(struct lsp *s);

/* Bytes from the client, cut anywhere. */
void mgi_lsp_receive(struct lsp *s, struct str bytes);
bool mgi_lsp_waiting(const struct lsp *s); /* messages are in the queue, or a check is due */
/* Handle one message of the queue; if it is empty, check one changed document. */
void mgi_lsp_step(struct lsp *s);
/* The client said exit, or memory is short; *status (may be NULL) is that of the program. */
bool mgi_lsp_ended(const struct lsp *s, int *status);
bool mgi_lsp_crowded(const struct lsp *s); /* much is in the queue: step before receiving more */

#endif
