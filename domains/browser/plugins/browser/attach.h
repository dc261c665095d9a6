/* Finding the DevTools of a browser that runs, and connecting to them.
 *
 *     setting ──> place ──connect, GET /json/version──> path ──connect, upgrade──> socket
 *
 * Invariants:
 *   - Only the place that the setting names is connected to. Of what the browser says about its
 *     address only the path is taken.
 *   - A place is an address, or localhost: no name is looked up, because browsers answer none.
 *   - Every wait ends with the caller's patience, and every answer has a limit. */
#ifndef BROWSER_ATTACH_H
#define BROWSER_ATTACH_H

#include <sys/socket.h>

#include "base/arena.h"
#include "socket.h"
#include "talk.h"

#define ATTACH_PATH_MOST 512
#define ATTACH_HEAD_MOST ((size_t)8192)  /* bytes of an answer's head */
#define ATTACH_BODY_MOST ((size_t)65536) /* and of its body */

/* ---- decoders, without I/O (attach.c) ------------------------------------------------------- */

struct attach_place {
    struct sockaddr_storage at[2]; /* of localhost, both loopbacks */
    unsigned count;
    char authority[72];              /* host and port, as HTTP's Host has it */
    char path[ATTACH_PATH_MOST + 1]; /* of the browser's WebSocket; "": to be asked for */
};

/* The setting: http://HOST:PORT, ws://HOST:PORT, ws://HOST:PORT/devtools/browser/ID. NULL, or what
 * is wrong with it (static). */
const char *mgi_attach_parse(struct str setting, struct attach_place *out);

enum attach_answer { ATTACH_MORE, ATTACH_WHOLE, ATTACH_BAD };

/* The answer to a GET, from what of it has come; `over`: nothing follows. ATTACH_WHOLE: *body,
 * within `bytes`. ATTACH_BAD: a sentence is appended to `why`. */
enum attach_answer mgi_attach_answer(struct str bytes, bool over, struct str *body,
                                     struct buf *why);

/* The path of the browser's own WebSocket, from the body of /json/version. NULL, or what is wrong
 * with it (static). */
const char *mgi_attach_path(struct arena *arena, struct str body, char out[ATTACH_PATH_MOST + 1]);

/* ---- connecting (attach_open.c) ------------------------------------------------------------- */

/* A socket to the browser itself. False: a sentence is appended to `why`. */
bool mgi_attach_open(const struct attach_place *place, const struct talk_patience *patience,
                     struct socket_wire *out, struct buf *why);

#endif
