/* Under TSan: many callers ask, cancel and leave at random moments while what is served, whom the
 * server believes and what is amiss change, and then it drains. Threads are the server's own; what
 * happens next is drawn from a fixed seed, so a failure is likely to come again. */
#include "server/server_fixture.h"

#define CALLERS 24
#define TURNS   1500
#define ROUNDS  4

static const struct str everything[] = { { "intent:*", 8 } };

struct crowd {
    struct room room;
    struct snapshot *served[2];
    struct principal people[4];
    char macros[4][128]; /* echo, wait, two, fail */
    struct member {
        struct caller c;
        const struct principal *who;
        size_t due, serial;
        bool posts;
    } members[CALLERS];
    uint64_t random;
};

static unsigned draw(struct crowd *w, unsigned below)
{
    w->random = w->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(w->random >> 33) % below;
}

/* ---- what one of them does ------------------------------------------------------------------- */

static void come(struct crowd *w, struct member *m)
{
    m->posts = draw(w, 4) == 0;
    m->due = m->serial = 0;
    caller_join(&m->c, &w->room, m->posts ? &room_post : &room_session, m->who);
    if (!m->posts)
        mgi_peer_greet(m->c.peer);
}

/* A session was asked for nothing that it did not answer; who leaves early is owed nothing. */
static void go(struct member *m)
{
    assert_true(m->c.last <= m->due);
    caller_ends(&m->c);
}

static void ask_for_tools(struct member *m)
{
    char text[256];
    snprintf(text, sizeof text, INTENT("%zu", "fx.two"), ++m->serial);
    caller_says(&m->c, text);
    m->due++;
}

static void use_tool(struct crowd *w, struct member *m)
{
    static const char *const args[] = { "{\"label\":\"x\"}", "{\"ms\":3}", "{\"label\":\"x\"}",
                                        "{}" };
    unsigned which = draw(w, 4);
    char id[24], key[24] = "";
    if (draw(w, 2)) /* few, so that they meet */
        snprintf(key, sizeof key, "%u.%u", which, draw(w, 40));
    snprintf(id, sizeof id, "%zu", ++m->serial);
    room_invoke(&m->c, id, w->macros[which], args[which], key);
    m->due++;
}

static void cancel_one(struct crowd *w, struct member *m)
{
    char text[256];
    size_t back = draw(w, 4);
    snprintf(text, sizeof text, CANCEL("%zu"), m->serial > back ? m->serial - back : 1);
    caller_says(&m->c, text);
}

static void act(struct crowd *w)
{
    struct member *m = &w->members[draw(w, CALLERS)];
    if (m->posts && m->c.peer && m->due > 0) { /* says one thing, and waits or leaves */
        if (draw(w, 4) == 0 || m->c.last > 0) {
            go(m);
            come(w, m);
        }
        return;
    }
    switch (draw(w, 16)) {
    case 0:
        go(m);
        come(w, m);
        break;
    case 1:
    case 2:
    case 3:
        cancel_one(w, m);
        break;
    case 4:
    case 5:
    case 6:
        ask_for_tools(m);
        break;
    default:
        use_tool(w, m);
        break;
    }
}

/* ---- what happens to the server -------------------------------------------------------------- */

static void retired(void *context, struct toolpool *pool)
{
    (void)context;
    mgi_toolpool_close(pool, NULL, NULL);
}

static void change(struct crowd *w, int turn)
{
    struct server *s = w->room.server;
    if (turn % 50 == 0) {
        struct toolpool *pool = turn % 100 ? w->room.pool : room_pool(&w->room);
        assert_true(mgi_server_serve(s, w->served[draw(w, 2)], pool, retired, w));
        w->room.pool = pool;
    }
    if (turn % 31 == 0)
        mgi_server_amiss(s, "flap", draw(w, 2) ? "comes and goes" : NULL);
    if (turn % 77 == 0)
        mgi_server_set_auth(s, NULL);
    struct server_metrics metrics = { 0 };
    mgi_server_metrics(s, &metrics);
    assert_int_equal(metrics.peers, CALLERS);
}

static void begin(struct crowd *w, uint64_t seed)
{
    static const char *const names[] = { "ann", "bob", "cyd", "dan" };
    static const char *const intents[] = { "fx.echo", "fx.wait", "fx.two", "fx.fail" };
    struct caller c;
    room_furnish(&w->room, w->served[0]);
    w->room.pool->hosts = 3;
    w->random = seed;
    struct server_options options = room_options(&w->room);
    options.workers = 3;
    options.slow_workers = 2;
    options.max_waiting = 64;
    w->room.server = mgi_server_new(&options);
    assert_non_null(w->room.server);
    for (int i = 0; i < 4; i++) {
        w->people[i] = (struct principal){ .kind = PRINCIPAL_KNOWN,
                                           .identity = str_of(names[i]),
                                           .permissions = everything,
                                           .permission_count = 1,
                                           .expires_ns = INT64_MAX };
        caller_join(&c, &w->room, &room_session, &w->people[i]);
        for (int j = 0; j < 4; j++)
            room_macro(&c, intents[j], w->macros[j]);
        caller_ends(&c);
    }
    for (int i = 0; i < CALLERS; i++) {
        w->members[i].who = &w->people[i % 4];
        come(w, &w->members[i]);
    }
}

/* Some wait for the end, some leave while it drains. */
static void finish(struct crowd *w)
{
    for (int i = 0; i < CALLERS; i++)
        if (!w->members[i].posts)
            use_tool(w, &w->members[i]);
    mgi_server_drain(w->room.server, 20, room_is_drained, &w->room);
    for (int i = 0; i < CALLERS; i += 3) {
        uv_run(&w->room.loop, UV_RUN_NOWAIT);
        go(&w->members[i]);
    }
    while (w->room.drained == 0)
        uv_run(&w->room.loop, UV_RUN_ONCE);
    assert_int_equal(w->room.server->open_requests, 0);
    for (int i = 0; i < CALLERS; i++) {
        struct member *m = &w->members[i];
        if (m->c.peer)
            assert_int_equal(m->c.last, m->due); /* P-CONC-10 */
        go(m);
    }
    for (int i = 0; i < ONCE_BUCKETS; i++)
        assert_null(w->room.server->leaders[i]);
    room_close(&w->room);
    assert_int_equal(w->room.drained, 1);
}

static void test_a_crowd_and_a_server_that_changes_do_not_race(void **state)
{
    struct crowd *w = *state;
    for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
        begin(w, seed);
        for (int turn = 0; turn < TURNS; turn++) {
            act(w);
            change(w, turn);
            if (draw(w, 3) == 0)
                uv_run(&w->room.loop, UV_RUN_NOWAIT);
        }
        finish(w);
        assert_int_equal(atomic_load(&w->served[0]->refs), 1); /* nobody holds one any more */
        assert_int_equal(atomic_load(&w->served[1]->refs), 1);
    }
}

/* Two of one key, whose leader is lost, cancelled or drained while a thread has it. */
static void test_keys_are_run_once_though_leaders_leave(void **state)
{
    struct crowd *w = *state;
    begin(w, 99);
    unsigned before = w->room.pool->calls;
    for (unsigned i = 0; i < 200; i++) {
        struct member *m = &w->members[i % 4], *n = &w->members[i % 4 + 4]; /* one principal */
        char key[24];
        snprintf(key, sizeof key, "lead-%u", i);
        room_invoke(&m->c, "lead", w->macros[0], "{\"label\":\"x\"}", key);
        room_invoke(&n->c, "wait", w->macros[0], "{\"label\":\"x\"}", key);
        m->due++;
        n->due++;
        for (unsigned turn = draw(w, 5); turn-- > 0;)
            uv_run(&w->room.loop, UV_RUN_NOWAIT);
        if (i % 2)
            caller_says(&m->c, CANCEL("lead"));
        else
            go(m);
        room_finish(&w->room);
        const char *answer = caller_answer(&n->c, "wait");
        assert_non_null(answer);
        assert_true(strstr(answer, "\"label\":\"x\"") || strstr(answer, "\"cancelled\""));
        assert_int_equal(n->c.last, n->due);
        if (m->c.peer)
            go(m);
        go(n);
        come(w, m);
        come(w, n);
        m->posts = n->posts = false;
    }
    assert_true(w->room.pool->calls - before <= 200);
    finish(w);
}

static int load(void **state)
{
    static struct crowd w;
    for (int i = 0; i < 2; i++)
        if (!(w.served[i] = unit_load(ROOM_FOLDER, NULL)))
            return -1;
    *state = &w;
    return 0;
}

static int unload(void **state)
{
    struct crowd *w = *state;
    mgi_snapshot_unref(w->served[0]);
    mgi_snapshot_unref(w->served[1]);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_crowd_and_a_server_that_changes_do_not_race),
        cmocka_unit_test(test_keys_are_run_once_though_leaders_leave),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    alarm(280); /* rather than for ever */
    return cmocka_run_group_tests_name("server/thread", tests, load, unload);
}
