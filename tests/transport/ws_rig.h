/* The rig of http_rig.h with a server behind it and the WebSocket route. */
#ifndef TEST_TRANSPORT_WS_RIG_H
#define TEST_TRANSPORT_WS_RIG_H

#include "domain/temp_domain.h"
#include "net/ws_frames.h"
#include "transport/http_rig.h"
#include "transport/ws.h"

struct ws_rig {
    struct rig http;
    struct temp_domain domain;
    struct snapshot *snapshot;
    struct arena arena;
    struct auth *auth;
    struct server *server;
    struct ws_api *api;
};

static inline void ws_rig_begin(struct ws_rig *r, const struct net_limits *limits,
                                const struct http_options *options, bool auth_required)
{
    struct buf findings = { 0 };
    *r = (struct ws_rig){ 0 };
    temp_make(&r->domain);
    r->snapshot = temp_load(&r->domain, NULL, false, &findings);
    mgi_buf_fini(&findings);
    assert_non_null(r->snapshot);
    rig_begin(&r->http, limits, options);
    const char *why;
    mgi_arena_init(&r->arena, 0);
    r->auth = mgi_auth_new("swordfish", (struct str){ NULL, 0 }, &r->arena, &why);
    struct server_options server = { .loop = &r->http.loop,
                                     .snapshot = r->snapshot,
                                     .auth = r->auth };
    r->server = mgi_server_new(&server);
    assert_non_null(r->server);
    struct ws_options ws = { .server = r->server,
                             .auth_required = auth_required,
                             .max_message_bytes = 100000 };
    r->api = mgi_ws_api_new(&ws);
    assert_non_null(r->api);
    assert_true(mgi_ws_api_add(r->api, r->http.listener));
}

static inline void ws_rig_end(struct ws_rig *r)
{
    mgi_ws_api_stop(r->api);
    mgi_ws_api_cut(r->api);
    for (int i = 0; i < 1000 && mgi_ws_sessions(r->api) > 0; i++)
        rig_turn(&r->http);
    assert_int_equal(mgi_ws_sessions(r->api), 0);
    mgi_ws_api_free(r->api);
    mgi_server_free(r->server);
    rig_end(&r->http);
    mgi_auth_unref(r->auth);
    mgi_arena_fini(&r->arena);
    mgi_snapshot_unref(r->snapshot);
    temp_remove(&r->domain);
}

#define UPGRADE                                                                                    \
    "GET " WS_PATH " HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"                        \
    "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"                                         \
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"

/* A socket that is a session; the manifest was read. */
static inline int ws_open(struct ws_rig *r, const char *more)
{
    struct buf out = { 0 };
    int fd = rig_connect(&r->http);
    rig_send(&r->http, fd, UPGRADE);
    rig_send(&r->http, fd, more);
    rig_send(&r->http, fd, "\r\n");
    if (!rig_read_until(&r->http, fd, &out, "\"extensions\":{"))
        fail_msg("no manifest: %s", out.ptr ? out.ptr : "nothing");
    mgi_buf_fini(&out);
    return fd;
}

static inline void ws_send(struct ws_rig *r, int fd, unsigned first, struct str payload)
{
    struct buf bytes = { 0 };
    put_frame(&bytes, first, payload, true);
    assert_true(rig_try_send(&r->http, fd, bytes.ptr, bytes.len));
    mgi_buf_fini(&bytes);
}

/* Does `wanted` come? */
static inline void ws_expect(struct ws_rig *r, int fd, const char *wanted)
{
    struct buf out = { 0 };
    if (!rig_read_until(&r->http, fd, &out, wanted))
        fail_msg("no \"%s\" but: %.*s", wanted, STR_ARG(mgi_buf_view(&out)));
    mgi_buf_fini(&out);
}

#endif
