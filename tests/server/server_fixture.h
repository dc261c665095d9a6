/* A server of the small domain tests/domains/session, and callers that are memory: every message
 * that they are sent is kept (by malloc, so that a test may let the server's allocations fail).
 *
 * Actions are those of fake_pool.h. A program that includes fake_work.h before has workers without
 * threads as well, and then nothing happens but in room_step(). */
#ifndef TESTS_SERVER_SERVER_FIXTURE_H
#define TESTS_SERVER_SERVER_FIXTURE_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <unistd.h>

#include "domains/unit.h"
#include "server/fake_pool.h"
#include "server/peer.h"
#include "server/server_int.h"

#define ROOM_FOLDER MGI_SOURCE_DIR "/tests/domains/session"
#define ROOM_NOW    (INT64_C(1783144800) * NS_PER_SEC)

#define MESSAGE(type, id, payload)                                                                 \
    "{\"type\":\"" type "\",\"id\":\"" id "\",\"manglecp\":\"2026-02-draft\",\"payload\":" payload \
    "}"
#define INTENT(id, name) MESSAGE("intent_request", id, "{\"intent\":{\"name\":\"" name "\"}}")
#define CANCEL(id)       MESSAGE("cancel", "", "{\"request_id\":\"" id "\"}")
#define MANIFEST         "{\"type\":\"manifest\""

struct room {
    uv_loop_t loop;
    struct snapshot *snapshot;
    struct toolpool *pool;
    struct store store;
    struct confirmation_keys keys;
    struct server *server;
    unsigned answered; /* requests that are over */
    int drained;
    struct toolpool *retired[8];
    int retired_count;
};

struct caller {
    struct room *room;
    struct peer *peer; /* NULL: it has left */
    char **texts;      /* messages, in order */
    size_t count;
    size_t last; /* of them, terminal ones */
    bool closed; /* by the server */
};

/* ---- callers --------------------------------------------------------------------------------- */

static inline bool caller_gets(void *connection, struct str message, int http_status, bool last,
                               int64_t retry_after_ms)
{
    struct caller *c = connection;
    (void)http_status, (void)retry_after_ms;
    assert_non_null(c->peer); /* nobody is told anything who has left */
    c->texts = realloc(c->texts, (c->count + 1) * sizeof *c->texts);
    c->texts[c->count++] = strndup(message.ptr, message.len);
    c->last += last;
    return true;
}

static inline void caller_is_closed(void *connection, const char *why)
{
    struct caller *c = connection;
    (void)why;
    c->closed = true;
}

static const struct peer_transport room_session = {
    .name = "room", .session = true, .send = caller_gets, .close = caller_is_closed
};
static const struct peer_transport room_post = {
    .name = "post", .session = false, .send = caller_gets, .close = caller_is_closed
};

static inline void caller_join(struct caller *c, struct room *room,
                               const struct peer_transport *transport, const struct principal *who)
{
    struct peer_options options = { .transport = transport, .connection = c, .who = who };
    *c = (struct caller){ .room = room };
    c->peer = mgi_peer_new(room->server, &options);
    assert_non_null(c->peer);
}

static inline void caller_says(struct caller *c, const char *text)
{
    mgi_peer_message(c->peer, str_of(text), ENDPOINT_SESSION);
}

static inline void caller_leaves(struct caller *c)
{
    struct peer *peer = c->peer;
    c->peer = NULL;
    if (peer)
        mgi_peer_gone(peer);
}

static inline void caller_forget(struct caller *c)
{
    for (size_t i = 0; i < c->count; i++)
        free(c->texts[i]);
    free(c->texts);
    c->texts = NULL;
    c->count = c->last = 0;
}

static inline void caller_ends(struct caller *c)
{
    caller_leaves(c);
    caller_forget(c);
}

/* The messages that begin like this; *found is the last of them. */
static inline size_t caller_count(const struct caller *c, const char *begin, const char **found)
{
    size_t count = 0;
    for (size_t i = 0; i < c->count; i++)
        if (strncmp(c->texts[i], begin, strlen(begin)) == 0) {
            count++;
            if (found)
                *found = c->texts[i];
        }
    return count;
}

/* The one terminal message of request `id`; NULL: there is none yet. */
static inline const char *caller_answer(const struct caller *c, const char *id)
{
    static const char *const types[] = { "error", "intent_response", "invoke_response",
                                         "authenticate_response" };
    const char *found = NULL;
    size_t count = 0;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        char begin[300];
        snprintf(begin, sizeof begin, "{\"type\":\"%s\",\"id\":\"%s\"", types[i], id);
        count += caller_count(c, begin, &found);
    }
    assert_true(count <= 1); /* P-CONC-10 */
    return found;
}

#define assert_answer(c, id, word)                                                                 \
    do {                                                                                           \
        const char *answer_ = caller_answer(c, id);                                                \
        if (!answer_ || !strstr(answer_, word))                                                    \
            fail_msg("%s: no %s in %s", id, word, answer_ ? answer_ : "no answer");                \
    } while (0)

/* ---- the room -------------------------------------------------------------------------------- */

static inline void room_access(void *context, const struct access_record *record)
{
    (void)record;
    ((struct room *)context)->answered++;
}

static inline struct toolpool *room_pool(struct room *room)
{
    struct toolpool_options options = { .hosts = 2 };
    return mgi_toolpool_new(&room->loop, &options);
}

/* What one server needs, without it. */
static inline void room_furnish(struct room *room, struct snapshot *snapshot)
{
    memset(room, 0, sizeof *room);
    assert_int_equal(uv_loop_init(&room->loop), 0);
    room->snapshot = mgi_snapshot_ref(snapshot);
    room->pool = room_pool(room);
    assert_true(mgi_store_memory(0, &room->store));
    room->keys = (struct confirmation_keys){ .server_key = STR_LIT("the server's key in a test") };
}

static inline struct server_options room_options(struct room *room)
{
    return (struct server_options){ .loop = &room->loop,
                                    .snapshot = room->snapshot,
                                    .pool = room->pool,
                                    .store = &room->store,
                                    .keys = &room->keys,
                                    .access = room_access,
                                    .access_context = room,
                                    .fixed_clock = true,
                                    .clock_ns = ROOM_NOW };
}

static inline void room_open(struct room *room, struct snapshot *snapshot)
{
    room_furnish(room, snapshot);
    struct server_options options = room_options(room);
    room->server = mgi_server_new(&options);
    assert_non_null(room->server);
}

/* One thing happens. False: there was nothing to do but what time brings. */
static inline bool room_step(struct room *room)
{
    bool some = false;
#ifdef TESTS_SERVER_FAKE_WORK_H
    some = fake_work_deliver(room->server->work) || fake_work_run(room->server->work);
#endif
    if (room->pool->manual)
        some = some || fake_pool_step(room->pool);
    uv_run(&room->loop, UV_RUN_NOWAIT);
    return some;
}

static inline void room_settle(struct room *room)
{
    for (int quiet = 0; quiet < 3; quiet++)
        if (room_step(room))
            quiet = 0;
}

/* Until no more than `left` requests are open, or thirty seconds have gone. */
static inline void room_finish_but(struct room *room, size_t left)
{
    int64_t until_ns = (int64_t)uv_hrtime() + 30 * NS_PER_SEC;
    while (room->server->open_requests > left && (int64_t)uv_hrtime() < until_ns)
        if (!room_step(room))
            usleep(200);
    assert_int_equal(room->server->open_requests, left);
}

static inline void room_finish(struct room *room)
{
    room_finish_but(room, 0);
}

static inline void room_is_drained(void *context)
{
    ((struct room *)context)->drained++;
}

static inline void room_retires(void *context, struct toolpool *pool)
{
    struct room *room = context;
    assert_true(room->retired_count < 8);
    for (int i = 0; i < room->retired_count; i++)
        assert_ptr_not_equal(room->retired[i], pool); /* each once */
    room->retired[room->retired_count++] = pool;
}

static inline void room_clear(struct room *room)
{
    if (room->pool)
        mgi_toolpool_close(room->pool, NULL, NULL);
    for (int i = 0; i < room->retired_count; i++)
        mgi_toolpool_close(room->retired[i], NULL, NULL);
    assert_int_equal(uv_run(&room->loop, UV_RUN_DEFAULT), 0);
    assert_int_equal(uv_loop_close(&room->loop), 0);
    mgi_store_close(&room->store);
    mgi_snapshot_unref(room->snapshot);
}

/* With all callers gone. Whatever is left alive is found by LeakSanitizer. */
static inline void room_close(struct room *room)
{
    if (room->pool)
        room->pool->manual = false;
    room_finish(room);
    assert_null(room->server->peers);
    assert_int_equal(room->pool->busy, 0);
    assert_null(room->pool->tickets);
    mgi_server_free(room->server);
    room_clear(room);
}

/* ---- tools ----------------------------------------------------------------------------------- */

/* Ask for the tools of an intent; its first macro id, in a buffer of the caller's. */
static inline void room_macro(struct caller *c, const char *intent, char id[128])
{
    static const char mark[] = "\"macro_id\":\"";
    char text[256];
    snprintf(text, sizeof text,
             MESSAGE("intent_request", "tools-%s", "{\"intent\":{\"name\":\"%s\"}}"), intent,
             intent);
    caller_says(c, text);
    room_finish(c->room);
    snprintf(text, sizeof text, "tools-%s", intent);
    const char *answer = caller_answer(c, text), *at = answer ? strstr(answer, mark) : NULL;
    if (!at)
        fail_msg("no tool for %s in %s", intent, answer ? answer : "no answer");
    at += sizeof mark - 1;
    snprintf(id, 128, "%.*s", (int)strcspn(at, "\""), at);
    caller_forget(c);
}

/* An invoke_request; key "": none. */
static inline void room_invoke(struct caller *c, const char *id, const char *macro,
                               const char *args, const char *key)
{
    char text[1024];
    int len = snprintf(text, sizeof text,
                       "{\"type\":\"invoke_request\",\"id\":\"%s\",\"manglecp\":\"2026-02-draft\","
                       "\"payload\":{\"macro_id\":\"%s\",\"args\":%s}",
                       id, macro, args);
    snprintf(text + len, sizeof text - (size_t)len,
             *key ? ",\"extensions\":{\"x-idempotency-key\":\"%s\"}}" : "}", key);
    caller_says(c, text);
}

#endif
