/* What a rush of requests leaves behind goes back when it is over, and not before. */
#include "server/fake_work.h"
#include "server/server_fixture.h"

#define RUSH     8
#define TEXT_LEN ((size_t)256 * 1024)

static struct snapshot *domain;
static int trims;

static void trim(void)
{
    trims++;
}

static void open_room(struct room *room, struct caller *c)
{
    room_furnish(room, domain);
    struct server_options options = room_options(room);
    options.trim = trim;
    room->server = mgi_server_new(&options);
    assert_non_null(room->server);
    caller_join(c, room, &room_session, &mgi_principal_local);
    trims = 0;
}

/* Several large ones that are open at once. */
static void rush(struct room *room, struct caller *c)
{
    char *text = malloc(TEXT_LEN + 1);
    assert_non_null(text);
    for (int i = 0; i < RUSH; i++) {
        int n = snprintf(text, TEXT_LEN, INTENT("r%d", "fx.echo"), i);
        memset(text + n, ' ', TEXT_LEN - (size_t)n);
        text[TEXT_LEN] = '\0';
        caller_says(c, text);
    }
    free(text);
    room_settle(room);
    assert_null(c->peer->open);
}

static void note_end(uv_handle_t *timer)
{
    *(bool *)timer->data = true;
}

static void end_timer(uv_timer_t *timer)
{
    uv_close((uv_handle_t *)timer, note_end);
}

/* As the loop does in so much time, with something that keeps it running. */
static void pass(struct room *room, int ms)
{
    bool over = false;
    uv_timer_t timer = { .data = &over };
    uv_timer_init(&room->loop, &timer);
    uv_timer_start(&timer, end_timer, (uint64_t)ms, 0);
    while (!over)
        uv_run(&room->loop, UV_RUN_ONCE);
}

static void test_a_rush_that_is_over_leaves_nothing_behind(void **state)
{
    (void)state;
    struct room room;
    struct caller c;
    open_room(&room, &c);
    rush(&room, &c);
    const struct server *s = room.server;
    assert_true(s->rest.most >= RUSH * TEXT_LEN / 2);
    assert_true(s->spare_count > 0);
    for (int i = 0; i < 600 && !s->rest.is_out; i++)
        pass(&room, 10);
    assert_true(s->rest.is_out);
    assert_int_equal(s->spare_count, 0);
    assert_null(s->spare);
    assert_int_equal(trims, 0); /* a thread does that */
    room_settle(&room);
    assert_int_equal(trims, 1);
    assert_false(s->rest.is_out);
    assert_false(s->rest.looks); /* nothing is looked at any more */
    pass(&room, 1200);
    room_settle(&room);
    assert_int_equal(trims, 1);
    rush(&room, &c); /* and again */
    for (int i = 0; i < 600 && trims < 2; i++) {
        pass(&room, 10);
        room_settle(&room);
    }
    assert_int_equal(trims, 2);
    caller_ends(&c);
    room_close(&room);
}

static void test_as_long_as_it_goes_on_everything_stays_warm(void **state)
{
    (void)state;
    struct room room;
    struct caller c;
    open_room(&room, &c);
    for (int i = 0; i < 7; i++) { /* three looks */
        rush(&room, &c);
        pass(&room, 500);
        assert_true(room.server->spare_count > 0);
    }
    room_settle(&room);
    assert_int_equal(trims, 0);
    caller_ends(&c);
    room_close(&room);
}

static void test_small_requests_are_no_rush(void **state)
{
    (void)state;
    struct room room;
    struct caller c;
    open_room(&room, &c);
    for (int i = 0; i < 100; i++) {
        caller_says(&c, INTENT("small", "fx.echo"));
        room_settle(&room);
    }
    assert_false(room.server->rest.looks);
    assert_true(room.server->spare_count > 0);
    caller_ends(&c);
    room_close(&room);
}

static void test_a_server_that_ends_takes_it_back(void **state)
{
    (void)state;
    struct room room;
    struct caller c;
    open_room(&room, &c);
    rush(&room, &c);
    for (int i = 0; i < 600 && !room.server->rest.is_out; i++)
        pass(&room, 10);
    assert_true(room.server->rest.is_out);
    caller_ends(&c);
    mgi_server_free(room.server); /* which asserts that nothing waits */
    room.server = NULL;
    uv_run(&room.loop, UV_RUN_DEFAULT);
    assert_int_equal(trims, 0);
    room_clear(&room);
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
        cmocka_unit_test(test_a_rush_that_is_over_leaves_nothing_behind),
        cmocka_unit_test(test_as_long_as_it_goes_on_everything_stays_warm),
        cmocka_unit_test(test_small_requests_are_no_rush),
        cmocka_unit_test(test_a_server_that_ends_takes_it_back),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    alarm(120); /* rather than for ever */
    return cmocka_run_group_tests_name("server/rest", tests, load, unload);
}
