/* A bridge on standard input and output: lines in, lines out (X-STDIO-1 to -7). */
#ifndef MGI_BRIDGE_STDIO_H
#define MGI_BRIDGE_STDIO_H

#include "bridge/bridge.h"

#define STDIO_WRITE_HIGH                                                                           \
    ((size_t)4 * 1024 * 1024)                       /* of what waits to be read: input is not read \
                                                     */
#define STDIO_WRITE_MOST ((size_t)64 * 1024 * 1024) /* nobody reads: the end */
#define STDIO_GRACE_MS   1000 /* after the end of input, for what is under way (X-STDIO-5) */

struct bridge_stdio;

struct bridge_stdio_options {
    struct bridge *bridge;
    uv_loop_t *loop;
    int in, out;                                   /* descriptors */
    int64_t grace_ms;                              /* 0: STDIO_GRACE_MS */
    void (*ended)(void *context, const char *why); /* once; why NULL: in good order */
    void *context;
};

/* NULL: memory, or descriptors that cannot be used. */
struct bridge_stdio *mgi_bridge_stdio_new(const struct bridge_stdio_options *options);

/* The bridge has another server; what differs is told. */
void mgi_bridge_stdio_serve(struct bridge_stdio *s, struct mcp_server *server);

/* As if the input had ended. */
void mgi_bridge_stdio_stop(struct bridge_stdio *s);

/* After `ended`: its handles are closed by the loop, which runs once more then. NULL is fine. */
void mgi_bridge_stdio_free(struct bridge_stdio *s);

#endif
