/* Whole sessions with the real server: the input is lines, each a message of the connection that is
 * chosen, or, behind a "!", letters of what else happens. Workers have no threads and the tool pool
 * has no processes (tests/server/fake_*.h), so that each turn comes from the input:
 *
 *     w d p b   a worker runs what waits; what it ran comes back; the pool goes on, or says "busy"
 *     0 1 2     which connection: a local session, one of somebody known, one that has to log in
 *     n g e     it is new; it is lost; its input ends
 *     s a m M   another snapshot and pool; other credentials; something is amiss; it is mended
 *     x X u f   drain; drain at once; a turn of the loop; a message that was too large
 *
 * In messages $e, $w, $t, $d and $f stand for the tools, $c for the challenge that was sent last,
 * $l for a text that is so long that it is prepared on a worker.
 *
 * Held: every message out is JSON; every request ends once, with exactly one terminal message while
 * its connection is there (a cancel: at most one); nobody who has left is told anything; what has
 * an effect that needs consent runs at most once for each challenge; all ends and is given back. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "domains/unit.h"
#include "server/fake_pool.h"
#include "server/fake_work.h"
#include "server/peer.h"
#include "server/server_int.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

#define NOW       (INT64_C(1783144800) * NS_PER_SEC)
#define TOOLS     5
#define POOLS_MAX 4
#define TURNS_MAX 100000 /* far more than an input can ask for */

/* ---- what all inputs share ------------------------------------------------------------------- */

static const struct kind {
    char letter;
    const char *intent;
} kinds[TOOLS] = { { 'e', "fx.echo" },
                   { 'w', "fx.wait" },
                   { 't', "fx.two" },
                   { 'd', "fx.danger" },
                   { 'f', "fx.fail" } };

static const struct str all_intents[] = { { "intent:*", 8 } };
static const struct principal ann = { .kind = PRINCIPAL_KNOWN,
                                      .identity = { "ann", 3 },
                                      .permissions = all_intents,
                                      .permission_count = 1,
                                      .expires_ns = INT64_MAX,
                                      .confirm_key = { "the key of her program", 22 } };
static char long_text[20000]; /* of "x" */
static struct snapshot *domain;
static struct auth *auths[2];
static struct arena kept; /* definitions of the tools */
static struct str macros[TOOLS];
static struct macro_entry entries[TOOLS];
static struct str told_names[TOOLS]; /* and what the rules were told */
static struct macro_entry told[TOOLS];

struct world {
    uv_loop_t loop;
    struct server *server;
    struct toolpool *pool;             /* what is served now */
    struct toolpool *pools[POOLS_MAX]; /* all that are in use */
    struct store store;
    struct connection {
        struct world *world;
        struct peer *peer; /* NULL: gone */
    } connections[3];
    struct connection *current;
    unsigned sent;       /* terminal messages since the last request was over */
    unsigned challenges; /* that were sent */
    bool left;           /* somebody was lost */
    char challenge[200];
    int drained, auth;
};

/* ---- what the server says -------------------------------------------------------------------- */

static void note_challenge(struct world *w, struct str message)
{
    static const char mark[] = "\"challenge\":\"";
    const char *at = memmem(message.ptr, message.len, mark, sizeof mark - 1);
    if (!at)
        return;
    at += sizeof mark - 1;
    size_t len = strcspn(at, "\"");
    if (len >= sizeof w->challenge)
        abort();
    memcpy(w->challenge, at, len);
    w->challenge[len] = '\0';
    w->challenges++;
}

static bool sent(void *connection, struct str message, int http_status, bool last,
                 int64_t retry_after_ms)
{
    struct connection *c = connection;
    struct arena arena;
    struct json v;
    (void)http_status, (void)retry_after_ms;
    if (!c->peer)
        abort();
    mgi_arena_init(&arena, 0);
    if (mgi_json_parse(&arena, message, NULL, &v, NULL) != JSON_OK || v.type != JSON_OBJECT)
        abort();
    mgi_arena_fini(&arena);
    c->world->sent += last;
    note_challenge(c->world, message);
    return true;
}

static void closed(void *connection, const char *why)
{
    struct connection *c = connection;
    struct peer *peer = c->peer;
    (void)why;
    struct world *w = c->world;
    unsigned sent_before = w->sent; /* for the request that closes; others end within it, unheard */
    c->peer = NULL;
    w->left = true;
    w->sent = 0;
    if (peer)
        mgi_peer_gone(peer);
    w->sent = sent_before;
}

static void is_over(void *context, const struct access_record *record)
{
    struct world *w = context;
    bool cancel = strcmp(record->type, "cancel") == 0;
    if (w->sent != (record->bytes_out > 0) || (w->sent == 0 && !cancel && !w->left))
        abort();
    w->sent = 0;
}

static const struct peer_transport session = {
    .name = "fuzz", .session = true, .remote = true, .send = sent, .close = closed
};

static bool approve_all(void *context, struct str challenge, struct buf *by)
{
    (void)by;
    (void)context, (void)challenge;
    return true;
}

/* ---- what happens ---------------------------------------------------------------------------- */

static void joins(struct world *w, struct connection *c)
{
    struct peer_options options = { .transport = &session,
                                    .connection = c,
                                    .auth_required = c == &w->connections[2] };
    if (c->peer)
        return;
    options.who = c == &w->connections[0]   ? &mgi_principal_local
                  : c == &w->connections[1] ? &ann
                                            : NULL;
    c->world = w;
    c->peer = mgi_peer_new(w->server, &options);
    if (!c->peer)
        abort();
    mgi_peer_greet(c->peer);
}

static struct toolpool **place_of(struct world *w, const struct toolpool *pool)
{
    for (int i = 0; i < POOLS_MAX; i++)
        if (w->pools[i] == pool)
            return &w->pools[i];
    return NULL;
}

static void is_retired(void *context, struct toolpool *pool)
{
    struct toolpool **place = place_of(context, pool);
    if (!place) /* twice */
        abort();
    *place = NULL;
    mgi_toolpool_close(pool, NULL, NULL);
}

/* Another one, if there is a place for it. */
static void make_pool(struct world *w)
{
    struct toolpool_options options = { .hosts = 2 };
    struct toolpool **place = place_of(w, NULL);
    if (!place)
        return;
    *place = w->pool = mgi_toolpool_new(&w->loop, &options);
    w->pool->manual = true;
}

static bool pools_go_on(struct world *w)
{
    for (int i = 0; i < POOLS_MAX; i++)
        if (w->pools[i] && fake_pool_step(w->pools[i]))
            return true;
    return false;
}

static void is_drained(void *context)
{
    ((struct world *)context)->drained++;
}

static void happens(struct world *w, char what)
{
    struct connection *c = w->current;
    switch (what) {
    case 'w':
        fake_work_run(w->server->work);
        break;
    case 'd':
        fake_work_deliver(w->server->work);
        break;
    case 'p':
        pools_go_on(w);
        break;
    case 'b':
        fake_pool_serve(w->pool, true, SESSION_BUSY);
        break;
    case '0':
    case '1':
    case '2':
        w->current = &w->connections[what - '0'];
        break;
    case 'n':
        joins(w, c);
        break;
    case 'g':
        closed(c, "");
        break;
    case 'e':
        if (c->peer)
            mgi_peer_end(c->peer);
        break;
    case 's':
        make_pool(w);
        if (!mgi_server_serve(w->server, domain, w->pool, is_retired, w))
            abort();
        break;
    case 'a':
        w->auth = !w->auth;
        mgi_server_set_auth(w->server, auths[w->auth]);
        break;
    case 'm':
    case 'M':
        mgi_server_amiss(w->server, "fuzz", what == 'm' ? "it is amiss" : NULL);
        break;
    case 'x':
    case 'X':
        mgi_server_drain(w->server, what == 'x' ? -1 : 0, NULL, NULL);
        break;
    case 'f':
        if (c->peer)
            mgi_peer_fault(c->peer, WIRE_MESSAGE_TOO_LARGE, "", "It is too large.");
        w->sent = 0; /* it belongs to no request */
        break;
    default:
        uv_run(&w->loop, UV_RUN_NOWAIT);
        break;
    }
}

/* ---- messages -------------------------------------------------------------------------------- */

static struct str meant_by(const struct world *w, char letter)
{
    for (int i = 0; i < TOOLS; i++)
        if (kinds[i].letter == letter)
            return macros[i];
    if (letter == 'l')
        return (struct str){ long_text, sizeof long_text };
    return letter == 'c' ? str_of(w->challenge) : (struct str){ NULL, 0 };
}

static void says(struct world *w, struct str line)
{
    struct buf text = { 0 };
    for (size_t i = 0; i < line.len; i++) {
        struct str meant = { NULL, 0 };
        if (line.ptr[i] == '$' && i + 1 < line.len)
            meant = meant_by(w, line.ptr[i + 1]);
        if (meant.ptr) {
            mgi_buf_str(&text, meant);
            i++;
        } else {
            mgi_buf_putc(&text, line.ptr[i]);
        }
    }
    if (w->current->peer)
        mgi_peer_message(w->current->peer, mgi_buf_view(&text), ENDPOINT_SESSION);
    mgi_buf_fini(&text);
}

static void line_comes(struct world *w, struct str line)
{
    if (line.len == 0 || line.ptr[0] != '!') {
        says(w, line);
        return;
    }
    for (size_t i = 1; i < line.len; i++)
        happens(w, line.ptr[i]);
}

/* ---- the world ------------------------------------------------------------------------------- */

static struct server *make_server(struct world *w)
{
    static const struct confirmation_keys keys = {
        .server_key = { "the key of a fuzzed server", 26 }, .approved = approve_all
    };
    struct server_options options = { .loop = &w->loop,
                                      .snapshot = domain,
                                      .pool = w->pool,
                                      .store = &w->store,
                                      .keys = &keys,
                                      .auth = auths[0],
                                      .access = is_over,
                                      .access_context = w,
                                      .max_waiting = 8,
                                      .max_open_requests = 6,
                                      .fixed_clock = true,
                                      .clock_ns = NOW };
    return mgi_server_new(&options);
}

static void world_begin(struct world *w)
{
    if (uv_loop_init(&w->loop) != 0 || !mgi_store_memory(0, &w->store))
        abort();
    make_pool(w);
    w->server = make_server(w);
    if (!w->server)
        abort();
    w->current = &w->connections[0];
    for (int i = 0; i < 3; i++)
        joins(w, &w->connections[i]);
}

/* Whatever is still open comes to its end by itself. */
static void world_end(struct world *w)
{
    int turns = 0;
    for (int i = 0; i < 3; i++)
        closed(&w->connections[i], "");
    mgi_server_drain(w->server, -1, is_drained, w);
    while (w->drained == 0 && turns++ < TURNS_MAX) {
        while (fake_work_run(w->server->work) || fake_work_deliver(w->server->work) ||
               pools_go_on(w))
            ;
        uv_run(&w->loop, UV_RUN_NOWAIT);
    }
    if (w->drained != 1 || w->server->open_requests > 0 || w->server->peers || w->pool->tickets ||
        w->pool->sessions)
        abort();
    mgi_server_free(w->server);
    mgi_toolpool_close(w->pool, NULL, NULL);
    uv_run(&w->loop, UV_RUN_DEFAULT);
    if (uv_loop_close(&w->loop) != 0)
        abort();
    mgi_store_close(&w->store);
}

/* ---- once ------------------------------------------------------------------------------------ */

static struct auth *make_auth(const char *identity)
{
    struct arena arena;
    struct buf file = { 0 };
    const char *why;
    mgi_arena_init(&arena, 0);
    mgi_auth_print_line(&file, STR_LIT("secret"),
                        &(struct auth_words){ identity, "intent:*", NULL, false });
    struct auth *auth = mgi_auth_new(NULL, mgi_buf_view(&file), &arena, &why);
    mgi_buf_fini(&file);
    mgi_arena_fini(&arena);
    return auth;
}

/* The id and the definition of the tool that an intent gives. */
static void learn(struct world *w, int i)
{
    struct buf text = { 0 };
    enum macro_found found;
    static const char mark[] = "\"macro_id\":\"";
    mgi_buf_printf(&text,
                   "{\"type\":\"intent_request\",\"id\":\"1\",\"manglecp\":\"2026-02-draft\","
                   "\"payload\":{\"intent\":{\"name\":\"%s\"}}}",
                   kinds[i].intent);
    says(w, mgi_buf_view(&text));
    mgi_buf_fini(&text);
    fake_work_run(w->server->work);
    const struct request *r = w->connections[0].peer->open;
    const char *at = r ? memmem(r->answer.ptr, r->answer.len, mark, sizeof mark - 1) : NULL;
    if (!at)
        abort();
    at += sizeof mark - 1;
    macros[i] = mgi_arena_str(&kept, (struct str){ at, strcspn(at, "\"") });
    if (mgi_store_macro_get(&w->store, mgi_principal_key(&mgi_principal_local), macros[i], NOW,
                            &kept, &found, &entries[i]) != STORE_OK ||
        found != MACRO_FOUND)
        abort();
    struct macro m;
    if (!mgi_macro_read(&kept, entries[i].definition, &m) || m.evidence_count == 0)
        abort();
    told_names[i] = m.evidence[0].told;
    if (mgi_store_macro_get(&w->store, mgi_principal_key(&mgi_principal_local), told_names[i], NOW,
                            &kept, &found, &told[i]) != STORE_OK ||
        found != MACRO_FOUND)
        abort();
    fake_work_deliver(w->server->work);
}

static void begin(void)
{
    static struct world w;
    memset(long_text, 'x', sizeof long_text);
    mgi_arena_init(&kept, 0);
    domain = unit_load(MGI_SOURCE_DIR "/tests/domains/session", NULL);
    auths[0] = make_auth("ann");
    auths[1] = make_auth("eve");
    if (!domain || !auths[0] || !auths[1])
        abort();
    world_begin(&w);
    for (int i = 0; i < TOOLS; i++)
        learn(&w, i);
    world_end(&w);
}

static void put_definitions(struct world *w)
{
    const struct principal *const people[] = { &mgi_principal_local, &ann };
    for (int i = 0; i < TOOLS; i++)
        for (int j = 0; j < 2; j++)
            if (mgi_store_macro_put(&w->store, mgi_principal_key(people[j]), macros[i], &entries[i],
                                    NOW, NOW + 600 * NS_PER_SEC) != STORE_OK ||
                mgi_store_macro_put(&w->store, mgi_principal_key(people[j]), told_names[i],
                                    &told[i], NOW, NOW + 600 * NS_PER_SEC) != STORE_OK)
                abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct world w = { 0 };
    struct str rest = { (const char *)bytes, size };
    if (!domain)
        begin();
    world_begin(&w);
    put_definitions(&w);
    while (rest.len > 0) {
        const char *end = memchr(rest.ptr, '\n', rest.len);
        size_t len = end ? (size_t)(end - rest.ptr) : rest.len;
        line_comes(&w, (struct str){ rest.ptr, len });
        len += end != NULL;
        rest.ptr += len;
        rest.len -= len;
    }
    world_end(&w);
    return 0;
}
