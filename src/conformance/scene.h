/* Conversations of a scripted server, each to show what a client makes of something (scene.c), and
 * the ways on which they are held: scene_stdio.c, scene_net.c. A scene does no I/O of its own. */
#ifndef MGI_CONFORMANCE_SCENE_H
#define MGI_CONFORMANCE_SCENE_H

#include "base/buf.h"
#include "conformance/conformance.h"
#include "conformance/wire.h"

struct scene {
    const char *name;
    const char *ids, *what;
    unsigned over; /* enum carrier */
};

extern const struct scene mgi_scenes[];          /* ends with NULLs */
const struct scene *mgi_scene(const char *name); /* NULL: there is none */

/* Where the network's endpoints are: as the manifest names them, relative to its own address, and
 * what that comes to. */
#define SCENE_MANIFEST  "/.well-known/manglecp/manifest.json"
#define SCENE_EVALUATE  "/.well-known/scene/evaluate"
#define SCENE_INVOKE    "/.well-known/scene/invoke"
#define SCENE_WEBSOCKET "/.well-known/scene/ws"

struct scene_way {
    enum carrier over;
    bool (*say)(struct scene_way *way, struct str message); /* false: nobody is there */
    /* The next message, until the next call. HEARD_END: the client has gone. */
    enum heard (*hear)(struct scene_way *way, int64_t wait_ms, struct str *message);
    bool authorized;   /* the message came with credentials in its head */
    const char *fault; /* what the way itself saw the client do wrong; NULL */
    unsigned reads;    /* how often the manifest was asked for */
};

/* Play it until the client has gone, or MESSAGES messages or some seconds are over. True: nothing
 * was wrong; else `fault` has the first sentence about it. */
bool mgi_scene_play(const struct scene *scene, struct scene_way *way, struct buf *fault);

/* A server of scenes on a port of its own, on loopback: HTTP and WebSocket alike. */
struct scene_net;
struct scene_net *mgi_scene_net_new(enum carrier over, struct buf *why); /* NULL: `why` */
void mgi_scene_net_free(struct scene_net *n);
const char *mgi_scene_net_url(const struct scene_net *n); /* what the client is told */
/* One scene for the client of that process id, which is waited for. False: it had to be killed. */
bool mgi_scene_net_play(struct scene_net *n, const struct scene *scene, long client,
                        int64_t wait_ms, bool *passed, struct buf *fault);

#endif
