/* What changes while a server lives: booting, ready, degraded, draining; what it serves; whom it
 * believes; and who is told, how often. */
#include "server/fake_work.h"
#include "server/server_fixture.h"

static struct snapshot *domain;

static void join(struct caller *c, struct room *room)
{
    caller_join(c, room, &room_session, &mgi_principal_local);
}

static void greet(struct caller *c, struct room *room)
{
    join(c, room);
    mgi_peer_greet(c->peer);
}

static const char *last_manifest(const struct caller *c)
{
    const char *found = NULL;
    caller_count(c, MANIFEST, &found);
    assert_non_null(found);
    return found;
}

#define assert_says(text, word)                                                                    \
    do {                                                                                           \
        if (!strstr(text, word))                                                                   \
            fail_msg("no %s in %s", word, text);                                                   \
    } while (0)

/* ---- status ---------------------------------------------------------------------------------- */

static void test_it_is_up_before_it_is_ready(void **state)
{
    struct room room;
    struct caller c;
    (void)state;
    room_furnish(&room, domain);
    struct server_options options = room_options(&room);
    options.booting = true;
    options.pool = NULL;
    room.server = mgi_server_new(&options);
    assert_non_null(room.server);
    assert_int_equal(mgi_server_status(room.server), SERVER_BOOTING);
    greet(&c, &room);
    assert_says(last_manifest(&c), "\"booting\"");
    caller_says(&c, INTENT("early", "fx.echo"));
    room_settle(&room);
    assert_answer(&c, "early", "server_not_ready"); /* P-READY-2 */

    uint64_t epoch = mgi_server_epoch(room.server);
    assert_true(mgi_server_serve(room.server, domain, room.pool, room_retires, &room));
    assert_int_equal(mgi_server_status(room.server), SERVER_READY);
    assert_int_not_equal(mgi_server_epoch(room.server), epoch);
    assert_int_equal(caller_count(&c, MANIFEST, NULL), 1); /* nothing is told from inside */
    room_settle(&room);
    assert_int_equal(caller_count(&c, MANIFEST, NULL), 2);
    assert_says(last_manifest(&c), "\"ready\""); /* P-READY-4 */
    caller_says(&c, INTENT("late", "fx.echo"));
    room_settle(&room);
    assert_answer(&c, "late", "fx_echo");
    assert_int_equal(room.retired_count, 0); /* there was none before */
    caller_ends(&c);
    room_close(&room);
}

static void test_what_is_amiss_is_listed_until_it_is_mended(void **state)
{
    struct room room;
    struct caller c;
    (void)state;
    room_open(&room, domain);
    greet(&c, &room);
    mgi_server_amiss(room.server, "store", "it is full");
    mgi_server_amiss(room.server, "clock", "it is wrong");
    assert_int_equal(mgi_server_status(room.server), SERVER_DEGRADED);
    room_settle(&room);
    assert_says(last_manifest(&c), "it is full"); /* P-READY-7 */
    assert_says(last_manifest(&c), "it is wrong");
    caller_says(&c, INTENT("i", "fx.echo"));
    room_settle(&room);
    assert_answer(&c, "i", "intent_response"); /* P-READY-6: it serves what it can */
    mgi_server_amiss(room.server, "store", NULL);
    assert_int_equal(mgi_server_status(room.server), SERVER_DEGRADED);
    mgi_server_amiss(room.server, "clock", NULL);
    assert_int_equal(mgi_server_status(room.server), SERVER_READY);
    mgi_server_amiss(room.server, "nothing", NULL);
    caller_ends(&c);
    room_close(&room);
}

static void tell_of(struct server *s, int i, const char *why)
{
    char what[32];
    snprintf(what, sizeof what, "thing %d", i);
    mgi_server_amiss(s, what, why);
}

static void test_more_amiss_than_can_be_listed_can_be_mended(void **state)
{
    struct room room;
    struct buf text = { 0 };
    (void)state;
    room_open(&room, domain);
    for (int i = 0; i < 40; i++)
        tell_of(room.server, i, "broken");
    mgi_server_manifest(room.server, true, false, &text);
    assert_says(text.ptr, "\"more\"");
    assert_says(text.ptr, "thing 0");
    assert_null(strstr(text.ptr, "thing 39"));
    mgi_buf_clear(&text);
    for (int i = 0; i < 39; i++)
        tell_of(room.server, i, NULL);
    assert_int_equal(mgi_server_status(room.server), SERVER_DEGRADED);
    mgi_server_manifest(room.server, true, false, &text);
    assert_says(text.ptr, "thing 39"); /* now there is room for it */
    assert_null(strstr(text.ptr, "\"more\""));
    tell_of(room.server, 39, NULL);
    assert_int_equal(mgi_server_status(room.server), SERVER_READY);
    mgi_buf_fini(&text);
    room_close(&room);
}

static void test_hosts_that_are_replaced_are_not_amiss_any_more(void **state)
{
    struct room room;
    (void)state;
    room_open(&room, domain);
    room.pool->amiss(room.pool->amiss_context, STR_LIT("/some/where/one.so"), "does not start");
    room.pool->amiss(room.pool->amiss_context, STR_LIT("/some/where/two.so"), "does not start");
    mgi_server_amiss(room.server, "store", "is full");
    struct toolpool *second = room_pool(&room);
    assert_true(mgi_server_serve(room.server, domain, second, room_retires, &room));
    assert_int_equal(mgi_server_status(room.server), SERVER_DEGRADED);
    assert_null(room.pool->amiss); /* nobody listens to it */
    mgi_server_amiss(room.server, "store", NULL);
    assert_int_equal(mgi_server_status(room.server), SERVER_READY);
    room_settle(&room);
    assert_int_equal(room.retired_count, 1);
    room.pool = second;
    room_close(&room);
}

/* ---- what is served -------------------------------------------------------------------------- */

static void test_a_request_keeps_what_it_began_with(void **state)
{
    struct room room;
    struct caller c;
    char macro[128];
    (void)state;
    struct snapshot *first = unit_load(ROOM_FOLDER, NULL);
    room_open(&room, first);
    struct toolpool *old = room.pool, *new = room_pool(&room);
    join(&c, &room);
    room_macro(&c, "fx.wait", macro);
    old->manual = new->manual = true;
    room_invoke(&c, "old", macro, "{}", "");
    while (!old->tickets)
        assert_true(room_step(&room) || old->tickets);

    assert_true(mgi_server_serve(room.server, domain, new, room_retires, &room));
    room.pool = new;
    for (int i = 0; i < 20; i++) {
        room_invoke(&c, "new", macro, "{}", "");
        room_finish_but(&room, 1);
        assert_answer(&c, "new", "\"waited_ms\":1");
        caller_forget(&c);
    }
    assert_int_equal(new->calls, 20);
    assert_int_equal(old->calls, 0);
    assert_int_equal(room.retired_count, 0);        /* somebody waits for it */
    assert_int_equal(atomic_load(&first->refs), 3); /* the request's, the room's, ours */

    while (fake_pool_step(old))
        ;
    room_finish(&room);
    assert_answer(&c, "old", "\"waited_ms\":1");
    assert_int_equal(old->calls, 1);
    room_settle(&room);
    assert_int_equal(room.retired_count, 1);
    assert_ptr_equal(room.retired[0], old);
    assert_int_equal(atomic_load(&first->refs), 2); /* threads have let go of it, too */
    caller_ends(&c);
    room_close(&room);
    mgi_snapshot_unref(first);
}

static void test_a_pool_that_stays_is_not_retired(void **state)
{
    struct room room;
    (void)state;
    room_open(&room, domain);
    for (int i = 0; i < 3; i++)
        assert_true(mgi_server_serve(room.server, domain, room.pool, room_retires, &room));
    room_settle(&room);
    assert_int_equal(room.retired_count, 0);
    assert_non_null(room.pool->amiss); /* it is still heard */
    room_close(&room);
}

static void test_every_replaced_pool_is_told_once_also_at_the_end(void **state)
{
    struct room room;
    (void)state;
    room_open(&room, domain);
    for (int i = 0; i < 3; i++) {
        room.pool = room_pool(&room);
        assert_true(mgi_server_serve(room.server, domain, room.pool, room_retires, &room));
    }
    assert_int_equal(room.retired_count, 0); /* never from inside */
    mgi_server_free(room.server);
    assert_int_equal(room.retired_count, 3);
    room_clear(&room);
}

/* ---- whom it believes ------------------------------------------------------------------------ */

static struct auth *tokens(const char *token, const char *permissions)
{
    struct arena arena;
    struct buf file = { 0 };
    const char *why = NULL;
    mgi_arena_init(&arena, 0);
    if (token)
        mgi_auth_print_line(&file, str_of(token),
                            &(struct auth_words){ "ann", permissions, NULL, false });
    struct auth *auth = mgi_auth_new(NULL, mgi_buf_view(&file), &arena, &why);
    assert_non_null(auth);
    mgi_buf_fini(&file);
    mgi_arena_fini(&arena);
    return auth;
}

static void believe(struct room *room, const char *token, const char *permissions)
{
    struct auth *auth = tokens(token, permissions);
    mgi_server_set_auth(room->server, auth);
    mgi_auth_unref(auth);
}

#define LOGIN(id, token)                                                                           \
    MESSAGE("authenticate", id, "{\"scheme\":\"bearer\",\"token\":\"" token "\"}")

static void test_who_is_not_listed_any_more_logs_in_again(void **state)
{
    struct room room;
    struct caller c;
    (void)state;
    room_open(&room, domain);
    believe(&room, "secret-1", "intent:*");
    struct peer_options options = { .transport = &room_session,
                                    .connection = &c,
                                    .auth_required = true };
    c = (struct caller){ .room = &room, .peer = mgi_peer_new(room.server, &options) };
    caller_says(&c, INTENT("a", "fx.echo"));
    room_settle(&room);
    assert_answer(&c, "a", "auth_required");
    caller_says(&c, LOGIN("b", "secret-1"));
    caller_says(&c, INTENT("c", "fx.echo"));
    believe(&room, NULL, ""); /* while it is open: a request keeps who it was from */
    room_settle(&room);
    assert_answer(&c, "b", "authenticated");
    assert_answer(&c, "c", "fx_echo");
    caller_says(&c, INTENT("d", "fx.echo"));
    room_settle(&room);
    assert_answer(&c, "d", "auth_invalid");
    believe(&room, "secret-1", "intent:*"); /* listed again is not logged in again */
    caller_says(&c, INTENT("e", "fx.echo"));
    room_settle(&room);
    assert_answer(&c, "e", "auth_invalid");
    caller_says(&c, LOGIN("f", "secret-1"));
    caller_says(&c, INTENT("g", "fx.echo"));
    room_settle(&room);
    assert_answer(&c, "g", "fx_echo");
    caller_ends(&c);
    room_close(&room);
}

/* ---- who is told, how often ------------------------------------------------------------------ */

static void has_slept(uv_timer_t *timer)
{
    uv_close((uv_handle_t *)timer, NULL);
}

static void test_manifests_are_pushed_at_most_once_a_second(void **state)
{
    struct room room;
    struct caller greeted, silent;
    uv_timer_t something; /* a loop that has nothing to do runs no timer */
    (void)state;
    room_open(&room, domain);
    uv_timer_init(&room.loop, &something);
    uv_timer_start(&something, has_slept, 3600000, 0);
    join(&silent, &room); /* has not had one, and gets none */
    greet(&greeted, &room);
    int64_t began_ns = (int64_t)uv_hrtime(), now_ns;
    size_t told = 0;
    do {
        mgi_server_amiss(room.server, "flap", told % 2 ? NULL : "comes and goes");
        mgi_server_announce(room.server);
        room_step(&room);
        told = caller_count(&greeted, MANIFEST, NULL) - 1;
        now_ns = (int64_t)uv_hrtime();
        /* a loop's clock counts milliseconds */
        assert_true((int64_t)told <= (now_ns - began_ns + 10 * NS_PER_MS) / NS_PER_SEC + 1);
    } while (told < 2);
    mgi_server_amiss(room.server, "flap", "the last word");
    for (int i = 0; i < 10000 && !strstr(last_manifest(&greeted), "the last word"); i++) {
        room_step(&room);
        usleep(1000);
    }
    assert_says(last_manifest(&greeted), "the last word"); /* nothing is swallowed */
    assert_int_equal(silent.count, 0);
    uv_close((uv_handle_t *)&something, NULL);
    caller_ends(&greeted);
    caller_ends(&silent);
    room_close(&room);
}

static void test_its_timers_keep_no_loop_running(void **state)
{
    struct room room;
    struct caller c;
    (void)state;
    room_open(&room, domain);
    greet(&c, &room);
    assert_false(uv_loop_alive(&room.loop));
    mgi_server_announce(room.server);
    assert_true(uv_loop_alive(&room.loop)); /* what is due at once is told */
    assert_int_equal(uv_run(&room.loop, UV_RUN_DEFAULT), 0);
    assert_int_equal(caller_count(&c, MANIFEST, NULL), 2);
    mgi_server_announce(room.server); /* this one is to wait for a second */
    assert_int_equal(uv_run(&room.loop, UV_RUN_DEFAULT), 0);
    assert_int_equal(caller_count(&c, MANIFEST, NULL), 2);
    assert_false(uv_loop_alive(&room.loop));
    uv_timer_t sleep; /* somebody else's loop goes on, and so do the announcements */
    uv_timer_init(&room.loop, &sleep);
    uv_timer_start(&sleep, has_slept, 1500, 0);
    assert_int_equal(uv_run(&room.loop, UV_RUN_DEFAULT), 0);
    assert_int_equal(caller_count(&c, MANIFEST, NULL), 3);
    caller_ends(&c);
    room_close(&room);
}

static void test_a_caller_may_leave_while_others_are_told(void **state)
{
    struct room room;
    struct caller c[4];
    (void)state;
    room_open(&room, domain);
    for (int i = 0; i < 4; i++)
        greet(&c[i], &room);
    mgi_server_announce(room.server);
    caller_leaves(&c[3]); /* the newest, who would be first */
    caller_leaves(&c[1]);
    room_settle(&room);
    assert_int_equal(caller_count(&c[0], MANIFEST, NULL), 2);
    assert_int_equal(caller_count(&c[2], MANIFEST, NULL), 2);
    for (int i = 0; i < 4; i++)
        caller_ends(&c[i]);
    room_close(&room);
}

/* ---- draining -------------------------------------------------------------------------------- */

static void test_draining_waits_for_what_runs_and_takes_nothing_new(void **state)
{
    struct room room;
    struct caller c;
    char macro[128];
    (void)state;
    room_open(&room, domain);
    greet(&c, &room);
    room_macro(&c, "fx.wait", macro);
    room.pool->manual = true;
    room_invoke(&c, "runs", macro, "{}", "");
    while (room.pool->busy == 0)
        assert_true(room_step(&room));
    mgi_server_drain(room.server, -1, room_is_drained, &room);
    assert_int_equal(mgi_server_status(room.server), SERVER_DRAINING);
    caller_says(&c, INTENT("new", "fx.echo"));
    assert_answer(&c, "new", "draining"); /* P-READY-9 */
    uv_run(&room.loop, UV_RUN_NOWAIT);
    uv_run(&room.loop, UV_RUN_NOWAIT);
    assert_int_equal(room.drained, 0);
    assert_says(last_manifest(&c), "\"draining\"");
    while (room.server->open_requests > 0)
        assert_true(fake_work_deliver(room.server->work) || fake_work_run(room.server->work) ||
                    fake_pool_step(room.pool));
    assert_answer(&c, "runs", "waited_ms");
    assert_int_equal(room.drained, 0); /* never from inside of something else */
    room_settle(&room);
    assert_int_equal(room.drained, 1);
    caller_ends(&c);
    room_close(&room);
    assert_int_equal(room.drained, 1);
}

static void test_draining_tells_who_is_there_though_nothing_runs(void **state)
{
    struct room room;
    struct caller c;
    (void)state;
    room_open(&room, domain);
    greet(&c, &room);
    mgi_server_announce(room.server);
    room_settle(&room); /* the second after it has begun */
    mgi_server_drain(room.server, 0, room_is_drained, &room);
    assert_int_equal(room.drained, 0);
    room_settle(&room);
    assert_int_equal(room.drained, 1);
    assert_says(last_manifest(&c), "\"draining\""); /* P-READY-8 */
    caller_ends(&c);
    room_close(&room);
}

static void test_draining_ends_what_does_not_end(void **state)
{
    struct room room;
    struct caller c;
    char macro[128];
    (void)state;
    room_open(&room, domain);
    greet(&c, &room);
    room_macro(&c, "fx.wait", macro);
    room.pool->manual = true;
    room_invoke(&c, "a", macro, "{}", "");
    room_invoke(&c, "b", macro, "{}", "k");
    room_invoke(&c, "c", macro, "{}", "k");
    room_invoke(&c, "d", macro, "{\"ms\":2}", "");
    while (room.pool->busy < 2 || !room.pool->tickets) {
        fake_work_deliver(room.server->work);
        fake_work_run(room.server->work);
        if (room.pool->busy < 2)
            fake_pool_serve(room.pool, false, SESSION_BUSY);
    }
    caller_says(&c, INTENT("e", "fx.echo"));
    mgi_server_drain(room.server, 3600000, room_is_drained, &room);
    mgi_server_drain(room.server, INT64_MAX, NULL, NULL); /* never farther */
    uv_run(&room.loop, UV_RUN_NOWAIT);
    assert_int_equal(caller_count(&c, "{\"type\":\"error\"", NULL), 0);
    mgi_server_drain(room.server, 0, NULL, NULL); /* but nearer */
    uv_run(&room.loop, UV_RUN_NOWAIT);
    room_finish(&room); /* P-READY-10 */
    room_settle(&room);
    assert_int_equal(room.drained, 1);
    for (const char *id = "abcde"; *id; id++)
        assert_answer(&c, ((char[]){ *id, '\0' }), "\"cancelled\"");
    caller_ends(&c);
    room_close(&room);
}

static void test_the_longest_deadline_is_one(void **state)
{
    struct room room;
    struct caller c;
    (void)state;
    room_open(&room, domain);
    join(&c, &room);
    caller_says(&c, INTENT("i", "fx.echo"));
    mgi_server_drain(room.server, INT64_MAX, room_is_drained, &room);
    room_finish(&room);
    room_settle(&room);
    assert_answer(&c, "i", "intent_response");
    assert_int_equal(room.drained, 1);
    caller_ends(&c);
    room_close(&room);
}

static int load(void **state)
{
    (void)state;
    domain = unit_load(ROOM_FOLDER, NULL);
    return domain ? 0 : -1;
}

static int unload(void **state)
{
    (void)state;
    mgi_snapshot_unref(domain);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_it_is_up_before_it_is_ready),
        cmocka_unit_test(test_what_is_amiss_is_listed_until_it_is_mended),
        cmocka_unit_test(test_more_amiss_than_can_be_listed_can_be_mended),
        cmocka_unit_test(test_hosts_that_are_replaced_are_not_amiss_any_more),
        cmocka_unit_test(test_a_request_keeps_what_it_began_with),
        cmocka_unit_test(test_a_pool_that_stays_is_not_retired),
        cmocka_unit_test(test_every_replaced_pool_is_told_once_also_at_the_end),
        cmocka_unit_test(test_who_is_not_listed_any_more_logs_in_again),
        cmocka_unit_test(test_manifests_are_pushed_at_most_once_a_second),
        cmocka_unit_test(test_its_timers_keep_no_loop_running),
        cmocka_unit_test(test_a_caller_may_leave_while_others_are_told),
        cmocka_unit_test(test_draining_waits_for_what_runs_and_takes_nothing_new),
        cmocka_unit_test(test_draining_tells_who_is_there_though_nothing_runs),
        cmocka_unit_test(test_draining_ends_what_does_not_end),
        cmocka_unit_test(test_the_longest_deadline_is_one),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    alarm(120); /* rather than for ever */
    return cmocka_run_group_tests_name("server/lifecycle", tests, load, unload);
}
