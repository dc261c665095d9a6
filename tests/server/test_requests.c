/* Requests at every stage: whatever happens to one, and whenever, it has one terminal message, what
 * carries a key runs at most once, and nothing stays behind. Stages are taken one at a time, in a
 * server without threads and processes (fake_work.h, fake_pool.h). */
#include "server/fake_work.h"
#include "server/server_fixture.h"

#define KEYED "key"
#define MICRO 40 /* steps that are enough for an invocation, and some more */
#define LARGE 30000
#define MEGA  ((size_t)1024 * 1024)

static struct snapshot *domain;

/* One thing of one kind: what a worker ran comes back, a worker runs, the pool goes on. */
static bool micro_step(struct room *room)
{
    return fake_work_deliver(room->server->work) || fake_work_run(room->server->work) ||
           fake_pool_step(room->pool);
}

/* ---- what can happen to one ------------------------------------------------------------------ */

enum blow { CANCEL_FIRST, CANCEL_SECOND, LOSE_FIRST, LOSE_SECOND, LOSE_BOTH, DRAIN, SERVE, BLOWS };

static void strike(struct room *room, enum blow blow, struct caller *first, struct caller *second)
{
    switch (blow) {
    case CANCEL_FIRST:
        caller_says(first, CANCEL("r"));
        break;
    case CANCEL_SECOND:
        caller_says(second, CANCEL("r"));
        break;
    case LOSE_FIRST:
    case LOSE_SECOND:
    case LOSE_BOTH:
        if (blow != LOSE_SECOND)
            caller_leaves(first);
        if (blow != LOSE_FIRST)
            caller_leaves(second);
        break;
    case DRAIN:
        mgi_server_drain(room->server, 0, room_is_drained, room);
        uv_run(&room->loop, UV_RUN_NOWAIT);
        break;
    case SERVE:
        assert_true(mgi_server_serve(room->server, domain, room->pool, room_retires, room));
        break;
    case BLOWS:
        break;
    }
}

static void assert_one_answer(const struct caller *c)
{
    if (c->peer)
        assert_non_null(caller_answer(c, "r"));
    assert_true(c->last <= 1);
}

/* Two requests of one key (or of none), a blow after `steps`; false: they were over before. */
static bool live_through(enum blow blow, int steps, const struct peer_transport *transport,
                         const char *intent, const char *key)
{
    struct room room;
    struct caller first, second, third;
    char macro[128];
    room_open(&room, domain);
    caller_join(&third, &room, &room_session, &mgi_principal_local);
    room_macro(&third, intent, macro);
    room.pool->manual = true;
    caller_join(&first, &room, transport, &mgi_principal_local);
    caller_join(&second, &room, transport, &mgi_principal_local);
    room_invoke(&first, "r", macro, "{\"label\":\"x\"}", key);
    room_invoke(&second, "r", macro, "{\"label\":\"x\"}", key);
    for (int i = 0; i < steps; i++)
        micro_step(&room);
    bool open = room.server->open_requests > 0;
    unsigned chain = strcmp(intent, "fx.two") == 0 ? 2 : 1;
    strike(&room, blow, &first, &second);
    while (room.server->open_requests > 0)
        assert_true(micro_step(&room)); /* nobody waits for time to pass */
    room_settle(&room);
    assert_one_answer(&first);
    assert_one_answer(&second);
    assert_true(room.pool->calls <= (*key ? chain : 2 * chain));
    if (blow != DRAIN) { /* and who asks again hears of it, or runs it */
        unsigned before = room.pool->calls;
        room_invoke(&third, "r", macro, "{\"label\":\"x\"}", key);
        room_finish(&room);
        assert_one_answer(&third);
        if (*key && before > 0)
            assert_int_equal(room.pool->calls, before);
    }
    caller_ends(&first);
    caller_ends(&second);
    caller_ends(&third);
    room_close(&room);
    return open;
}

static void live_through_all(const struct peer_transport *transport, const char *key)
{
    static const char *const intents[] = { "fx.echo", "fx.two", "fx.fail" };
    for (size_t i = 0; i < sizeof intents / sizeof *intents; i++)
        for (int blow = 0; blow < BLOWS; blow++) {
            int steps = 0;
            while (live_through((enum blow)blow, steps, transport, intents[i], key))
                assert_true(++steps < MICRO);
            assert_true(steps > 3);
        }
}

static void test_sessions_at_every_stage(void **state)
{
    (void)state;
    live_through_all(&room_session, "");
}

static void test_sessions_with_a_key_at_every_stage(void **state)
{
    (void)state;
    live_through_all(&room_session, KEYED);
}

static void test_posts_at_every_stage(void **state)
{
    (void)state;
    live_through_all(&room_post, "");
}

static void test_posts_with_a_key_at_every_stage(void **state)
{
    (void)state;
    live_through_all(&room_post, KEYED);
}

/* ---- where no rule speaks of outcomes ---------------------------------------------------------
 */

static void test_what_the_loop_concludes_at_every_stage(void **state)
{
    (void)state;
    assert_true(domain->speaks_of_outcomes);
    domain->speaks_of_outcomes = false;
    live_through_all(&room_session, "");
    live_through_all(&room_post, KEYED);
    domain->speaks_of_outcomes = true;
}

/* How often one invocation goes to a worker; its answer, which is the caller's. */
static unsigned hand_overs(struct caller *c, const char *macro, const char *label,
                           const char **answer)
{
    struct room *room = c->room;
    unsigned count = 0;
    char args[8192];
    snprintf(args, sizeof args, "{\"label\":\"%s\"}", label);
    caller_forget(c);
    char text[9000];
    snprintf(text, sizeof text,
             "{\"type\":\"invoke_request\",\"id\":\"r\",\"manglecp\":\"2026-02-draft\","
             "\"payload\":{\"macro_id\":\"%s\",\"args\":%s}}",
             macro, args);
    caller_says(c, text);
    while (room->server->open_requests > 0) {
        bool ran = !fake_work_deliver(room->server->work) && fake_work_run(room->server->work);
        count += ran;
        if (!ran && room->pool->manual)
            (void)fake_pool_step(room->pool);
    }
    *answer = caller_answer(c, "r");
    assert_non_null(*answer);
    assert_non_null(strstr(*answer, "\"invoke_response\""));
    return count;
}

/* Its gates and its conclusion; or its gates alone, if nothing but a short result is to be told. */
static void test_a_plain_result_takes_no_second_worker(void **state)
{
    (void)state;
    struct room room;
    struct caller c;
    char macro[128], two[128], large[6000];
    const char *answer;
    room_open(&room, domain);
    caller_join(&c, &room, &room_session, &mgi_principal_local);
    room_macro(&c, "fx.echo", macro);
    room_macro(&c, "fx.two", two);
    room.pool->manual = true;
    memset(large, 'x', sizeof large - 1);
    large[sizeof large - 1] = '\0';
    assert_int_equal(hand_overs(&c, macro, "x", &answer), 2);
    assert_non_null(strstr(answer, "fx_done"));
    domain->speaks_of_outcomes = false;
    assert_int_equal(hand_overs(&c, macro, "x", &answer), 1);
    assert_null(strstr(answer, "fx_done"));
    assert_non_null(strstr(answer, "\"state_delta\":{\"assert\":[],\"retract\":[]}"));
    assert_non_null(strstr(answer, "\"suggested_intents\":[]"));
    assert_int_equal(hand_overs(&c, two, "x", &answer), 1);
    assert_int_equal(hand_overs(&c, two, large, &answer), 2);
    domain->speaks_of_outcomes = true;
    caller_ends(&c);
    room_close(&room);
}

/* ---- a store that is down meanwhile ---------------------------------------------------------- */

static enum store_status forgets_nothing(void *self, struct str principal, struct str key)
{
    (void)self, (void)principal, (void)key;
    return STORE_DOWN;
}

/* Who waited for one that was cancelled before it did anything runs in its place, although the
 * store could not forget the first. */
static void test_who_waits_runs_though_the_store_could_not_forget_the_one_before(void **state)
{
    (void)state;
    struct room room;
    struct caller c;
    char macro[128];
    room_open(&room, domain);
    const struct store_operations *good = room.store.operations;
    struct store_operations down = *good;
    down.once_forget = forgets_nothing;
    caller_join(&c, &room, &room_session, &mgi_principal_local);
    room_macro(&c, "fx.two", macro);
    room.pool->manual = true;
    room_invoke(&c, "first", macro, "{\"label\":\"x\"}", KEYED);
    room_invoke(&c, "second", macro, "{\"label\":\"x\"}", KEYED);
    while (room.pool->waiting == 0) /* it waits for a host: nothing has happened */
        assert_true(micro_step(&room));
    room.store.operations = &down;
    caller_says(&c, CANCEL("first"));
    while (!caller_answer(&c, "first"))
        assert_true(micro_step(&room));
    room.store.operations = good;
    assert_answer(&c, "first", "\"cancelled\"");
    room_finish(&room);
    assert_answer(&c, "second", "invoke_response");
    room_invoke(&c, "third", macro, "{\"label\":\"x\"}", KEYED);
    room_finish(&room);
    assert_answer(&c, "third", "x-idempotent-replay"); /* and it ran once */
    caller_ends(&c);
    room_close(&room);
}

/* ---- many with one key ----------------------------------------------------------------------- */

/* They are walked through on the loop: more than it can bear are told to come again, and all others
 * get the one answer, also when whom they wait for is cancelled. */
static void test_no_more_wait_for_one_than_the_loop_can_bear(void **state)
{
    (void)state;
    enum { CALLERS = 8, EACH = 40 };
    struct room room;
    struct caller c[CALLERS];
    char macro[128], id[32];
    size_t answers = 0, refusals = 0, cancelled = 0;
    room_open(&room, domain);
    for (int i = 0; i < CALLERS; i++)
        caller_join(&c[i], &room, &room_session, &mgi_principal_local);
    room_macro(&c[0], "fx.two", macro);
    room.pool->manual = true;
    for (int i = 0; i < CALLERS * EACH; i++) {
        snprintf(id, sizeof id, "r-%d", i);
        room_invoke(&c[i / EACH], id, macro, "{\"label\":\"x\"}", KEYED);
    }
    while (room.pool->waiting == 0)
        assert_true(micro_step(&room));
    caller_says(&c[0], CANCEL("r-0")); /* who is next runs in its place */
    caller_says(&c[0], CANCEL("r-7")); /* and one leaves the queue */
    room_finish(&room);
    for (int i = 0; i < CALLERS * EACH; i++) {
        snprintf(id, sizeof id, "r-%d", i);
        const char *answer = caller_answer(&c[i / EACH], id);
        assert_non_null(answer);
        answers += strstr(answer, "invoke_response") != NULL;
        cancelled += strstr(answer, "\"cancelled\"") != NULL;
        refusals += strstr(answer, "\"rate_limited\"") != NULL && strstr(answer, "retry_after_ms");
    }
    assert_int_equal(cancelled, 2);
    assert_int_equal(answers, 1 + ONCE_MOST_FOLLOWERS - 2); /* the first, and who waited */
    assert_int_equal(refusals, CALLERS * EACH - 1 - ONCE_MOST_FOLLOWERS);
    for (int i = 0; i < CALLERS; i++)
        caller_ends(&c[i]);
    room_close(&room);
}

/* ---- what is long ---------------------------------------------------------------------------- */

/* Steps of a chain with long texts are prepared on workers; one that is cancelled there ends. */
static void test_a_long_chain_that_is_cancelled_ends(void **state)
{
    (void)state;
    char *text = malloc(LARGE + 1024);
    assert_non_null(text);
    for (int steps = 0, open = 1; open; steps++) {
        struct room room;
        struct caller c;
        char macro[128];
        room_open(&room, domain);
        caller_join(&c, &room, &room_session, &mgi_principal_local);
        room_macro(&c, "fx.two", macro);
        room.pool->manual = true;
        int len = snprintf(text, 1024,
                           "{\"type\":\"invoke_request\",\"id\":\"r\",\"manglecp\":"
                           "\"2026-02-draft\",\"payload\":{\"macro_id\":\"%s\",\"args\":"
                           "{\"label\":\"",
                           macro);
        memset(text + len, 'x', LARGE);
        strcpy(text + len + LARGE, "\"}}}");
        caller_says(&c, text);
        for (int i = 0; i < steps; i++)
            micro_step(&room);
        open = room.server->open_requests > 0;
        caller_says(&c, CANCEL("r"));
        for (int i = 0; i < MICRO && micro_step(&room); i++)
            ;
        assert_int_equal(room.server->open_requests, 0);
        assert_non_null(caller_answer(&c, "r"));
        caller_ends(&c);
        room_close(&room);
        assert_true(steps < MICRO);
    }
    free(text);
}

/* Messages that wait to be read are counted by their bytes. */
static void test_nobody_keeps_the_server_full_of_unread_messages(void **state)
{
    (void)state;
    struct room room;
    struct caller c, other;
    char *text = malloc(16 * MEGA + 1);
    assert_non_null(text);
    memset(text, ' ', 16 * MEGA);
    text[16 * MEGA] = '\0';
    room_open(&room, domain);
    caller_join(&c, &room, &room_session, &mgi_principal_local);
    caller_join(&other, &room, &room_session, &mgi_principal_local);
    for (int i = 0; i < 4; i++)
        caller_says(&c, text);
    assert_int_equal(c.count, 0); /* they wait for a worker */
    for (int i = 0; i < 4; i++)
        caller_says(&c, text);
    assert_int_equal(caller_count(&c, "{\"type\":\"error\",\"id\":null", NULL), 4);
    assert_non_null(strstr(c.texts[0], "rate_limited"));
    caller_says(&other, text); /* others are not concerned */
    assert_int_equal(other.count, 0);
    room_finish(&room);
    assert_int_equal(c.last, 8);
    caller_says(&c, text); /* there is room again */
    assert_int_equal(c.last, 8);
    room_finish(&room);
    caller_ends(&c);
    caller_ends(&other);
    room_close(&room);
    free(text);
}

/* An intent whose text is large, and of which most is values. The caller's to free. */
static char *intent_of_values(const char *id)
{
    enum { COUNT = 100 * 1024 };
    char *text = malloc(2 * COUNT + 300);
    assert_non_null(text);
    size_t len = (size_t)sprintf(text,
                                 "{\"type\":\"intent_request\",\"id\":\"%s\",\"manglecp\":"
                                 "\"2026-02-draft\",\"payload\":{\"intent\":{\"name\":\"fx.echo\","
                                 "\"params\":{\"pad\":[1",
                                 id);
    for (int i = 0; i < COUNT; i++, len += 2)
        memcpy(text + len, ",1", 2);
    strcpy(text + len, "]}}}}");
    return text;
}

static void test_what_large_requests_hold_when_they_are_read_is_bounded(void **state)
{
    (void)state;
    struct room room;
    struct caller c, other;
    char *first = intent_of_values("a"), *second = intent_of_values("b");
    room_open(&room, domain);
    room.server->options.max_read_bytes = MEGA;
    caller_join(&c, &room, &room_session, &mgi_principal_local);
    caller_join(&other, &room, &room_session, &mgi_principal_local);
    caller_says(&c, first);
    caller_says(&other, second);
    while (c.peer->open && c.peer->open->parsing)
        assert_true(micro_step(&room));
    assert_non_null(c.peer->open); /* it was read, and waits to be evaluated */
    assert_in_range(atomic_load(&room.server->read_bytes), 2 * MEGA, 16 * MEGA);
    caller_says(&other, INTENT("small", "fx.echo"));
    room_finish(&room);
    assert_int_equal(caller_count(&other, "{\"type\":\"error\",\"id\":null", NULL), 1);
    assert_non_null(strstr(other.texts[0], "rate_limited"));
    assert_non_null(strstr(other.texts[0], "\"retry_after_ms\":500"));
    assert_answer(&other, "small", "intent_response");
    assert_answer(&c, "a", "intent_response");
    assert_int_equal(atomic_load(&room.server->read_bytes), 0);
    caller_says(&other, second); /* there is room again */
    room_finish(&room);
    assert_answer(&other, "b", "intent_response");
    assert_int_equal(room.server->open_bytes, 0);
    caller_ends(&c);
    caller_ends(&other);
    room_close(&room);
    free(first);
    free(second);
}

static void test_texts_of_all_connections_are_bounded_together(void **state)
{
    enum { CALLERS = 10 };
    struct room room;
    struct caller all[CALLERS];
    char *text = malloc(16 * MEGA + 1);
    (void)state;
    assert_non_null(text);
    memset(text, ' ', 16 * MEGA);
    text[16 * MEGA] = '\0';
    room_open(&room, domain);
    for (int i = 0; i < CALLERS; i++) {
        caller_join(&all[i], &room, &room_session, &mgi_principal_local);
        caller_says(&all[i], text);
        assert_int_equal(all[i].count, i >= 8); /* the first eight wait for a worker */
    }
    caller_says(&all[9], INTENT("small", "fx.echo")); /* what is small is always taken */
    room_finish(&room);
    assert_non_null(strstr(all[9].texts[0], "rate_limited"));
    assert_answer(&all[9], "small", "intent_response");
    for (int i = 0; i < CALLERS; i++)
        caller_ends(&all[i]);
    room_close(&room);
    free(text);
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
        cmocka_unit_test(test_sessions_at_every_stage),
        cmocka_unit_test(test_sessions_with_a_key_at_every_stage),
        cmocka_unit_test(test_posts_at_every_stage),
        cmocka_unit_test(test_posts_with_a_key_at_every_stage),
        cmocka_unit_test(test_what_the_loop_concludes_at_every_stage),
        cmocka_unit_test(test_a_plain_result_takes_no_second_worker),
        cmocka_unit_test(test_who_waits_runs_though_the_store_could_not_forget_the_one_before),
        cmocka_unit_test(test_no_more_wait_for_one_than_the_loop_can_bear),
        cmocka_unit_test(test_a_long_chain_that_is_cancelled_ends),
        cmocka_unit_test(test_nobody_keeps_the_server_full_of_unread_messages),
        cmocka_unit_test(test_texts_of_all_connections_are_bounded_together),
        cmocka_unit_test(test_what_large_requests_hold_when_they_are_read_is_bounded),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    alarm(280); /* rather than for ever */
    return cmocka_run_group_tests_name("server/requests", tests, load, unload);
}
