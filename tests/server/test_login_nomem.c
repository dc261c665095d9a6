/* Tokens of another issuer, in a server whose workers and issuer are played: who waits for whom,
 * what is asked how often, what is remembered, what the bounds are, and memory that runs out
 * anywhere. */
#include "server/fake_work.h"
#include "server/login_int.h"
#include "server/server_fixture.h"
#include "support/jwt_maker.h"
#include "support/nomem.h"

#define EXP "2000000000"
#define CLAIMS                                                                                     \
    "{\"iss\":\"i\",\"aud\":\"a\",\"sub\":\"ann\",\"exp\":" EXP ",\"scope\":\"intent:*\"}"
#define TICKETS 512

static struct snapshot *domain;
static struct jwt_maker maker, other_maker;
static struct buf key_set, other_keys, more_keys, token; /* `more`: both keys */

/* ---- an issuer that is played ---------------------------------------------------------------- */

struct played {
    struct {
        void (*told)(void *context, const struct fetch_answer *answer);
        void *context;
    } asked[TICKETS]; /* in order; told NULL: answered or forgotten */
    size_t count;
    bool refuses;
};

static struct played issuer_played;

static struct fetch *played_begin(void *self, const struct fetch_order *order,
                                  void (*told)(void *, const struct fetch_answer *), void *context)
{
    struct played *p = self;
    assert_true(order->timeout_ms > 0 && order->max_bytes > 0);
    if (p->refuses || p->count == TICKETS)
        return NULL;
    p->asked[p->count].told = told;
    p->asked[p->count++].context = context;
    return (struct fetch *)(uintptr_t)p->count;
}

static void played_forget(void *self, struct fetch *f)
{
    ((struct played *)self)->asked[(uintptr_t)f - 1].told = NULL;
}

/* Answer all questions that are open. */
static void play(int status, struct str body)
{
    for (size_t i = 0; i < issuer_played.count; i++) {
        const struct fetch_answer answer = { status, body, -1, "it is silent" };
        void (*told)(void *, const struct fetch_answer *) = issuer_played.asked[i].told;
        issuer_played.asked[i].told = NULL;
        if (told)
            told(issuer_played.asked[i].context, &answer);
    }
}

/* ---- a server, and who asks -------------------------------------------------------------------
 */

static struct issuer issuer = { .rules = { .issuer = "i", .audience = "a" },
                                .keys_url = "https://i/keys",
                                .introspection = "https://i/ask",
                                .timeout_ms = 1000,
                                .remembered_ms = 1000 };

struct tally { /* what was told */
    size_t count;
    enum auth_result last;
};

static void count_told(void *context, enum auth_result result, const struct principal *who)
{
    struct tally *t = context;
    assert_true((who != NULL) == (result == AUTH_GOOD));
    t->count++;
    t->last = result;
    mgi_principal_unref(who);
}

static bool begin(struct room *room)
{
    room_furnish(room, domain);
    issuer_played = (struct played){ 0 };
    struct server_options options = room_options(room);
    options.issuer = &issuer;
    options.fetcher = (struct fetcher){ played_begin, played_forget, &issuer_played };
    room->server = mgi_server_new(&options);
    return room->server != NULL;
}

static void end(struct room *room)
{
    if (room->server)
        mgi_server_free(room->server);
    room_clear(room);
}

static enum auth_result recalled(struct room *room)
{
    const struct principal *who = NULL;
    enum auth_result result = mgi_server_identify(room->server, mgi_buf_view(&token), &who);
    mgi_principal_unref(who);
    return result;
}

static void test_keys_are_fetched_once_for_all_who_wait(void **state)
{
    (void)state;
    struct room room;
    struct tally t = { 0 };
    assert_true(begin(&room));
    for (size_t i = 0; i < LOGINS_MOST; i++)
        assert_non_null(mgi_server_judge(room.server, mgi_buf_view(&token), "", count_told, &t));
    assert_null(
        mgi_server_judge(room.server, mgi_buf_view(&token), "", count_told, &t)); /* the bound */
    room_settle(&room);
    assert_int_equal(issuer_played.count, 1);
    assert_int_equal(t.count, 0);
    play(200, mgi_buf_view(&key_set));
    room_settle(&room);
    assert_int_equal(t.count, LOGINS_MOST);
    assert_int_equal(t.last, AUTH_GOOD);
    assert_int_equal(recalled(&room), AUTH_GOOD);
    assert_int_equal(issuer_played.count, 1);
    end(&room);
}

static void test_without_an_answer_nobody_waits_for_ever(void **state)
{
    (void)state;
    struct room room;
    struct tally t = { 0 };
    assert_true(begin(&room));
    assert_non_null(mgi_server_judge(room.server, mgi_buf_view(&token), "", count_told, &t));
    play(0, STR_LIT(""));
    room_settle(&room);
    assert_int_equal(t.last, AUTH_UNREACHABLE);
    assert_non_null(mgi_server_judge(room.server, mgi_buf_view(&token), "", count_told, &t));
    room_settle(&room); /* it is not asked again so soon */
    assert_int_equal(t.count, 2);
    assert_int_equal(t.last, AUTH_UNREACHABLE);
    assert_int_equal(issuer_played.count, 1);
    assert_int_equal(mgi_server_status(room.server), SERVER_DEGRADED);
    end(&room);
}

static void test_who_leaves_is_told_nothing_wherever_it_is(void **state)
{
    (void)state;
    for (int where = 0; where < 4; where++) {
        struct room room;
        struct tally t = { 0 };
        bool opaque = where == 3;
        assert_true(begin(&room));
        struct login *l = mgi_server_judge(
            room.server, opaque ? STR_LIT("opaque") : mgi_buf_view(&token), "", count_told, &t);
        assert_non_null(l);
        if (where >= 1)
            play(200, mgi_buf_view(&key_set)); /* of the opaque one it is no answer */
        if (where == 2)
            assert_true(fake_work_run(room.server->work)); /* keys; the login is handed over next */
        if (!opaque)
            mgi_login_forget(l);
        room_settle(&room);
        assert_int_equal(t.count, opaque ? 1 : 0);
        assert_int_equal(room.server->logins.count, 0);
        end(&room);
    }
}

static void test_an_end_in_the_middle_leaves_nothing(void **state)
{
    (void)state;
    for (int where = 0; where < 3; where++) {
        struct room room;
        struct tally t = { 0 };
        assert_true(begin(&room));
        assert_non_null(mgi_server_judge(room.server, mgi_buf_view(&token), "", count_told, &t));
        assert_non_null(mgi_server_judge(room.server, STR_LIT("opaque"), "", count_told, &t));
        if (where >= 1)
            play(200, mgi_buf_view(&key_set));
        if (where >= 2)
            assert_true(fake_work_run(room.server->work));
        end(&room);
        assert_int_equal(t.count, 0);
    }
}

static void use_set(struct room *room, const struct buf *set)
{
    const char *why;
    struct jwks *keys = mgi_jwks_new(mgi_buf_view(set), &why);
    assert_non_null(keys);
    mgi_server_set_issuer_keys(room->server, keys);
    mgi_jwks_unref(keys);
}

static void test_what_is_remembered_is_bounded_and_goes_with_the_keys(void **state)
{
    (void)state;
    struct room room;
    struct tally t = { 0 };
    assert_true(begin(&room));
    play(200, mgi_buf_view(&key_set));
    room_settle(&room);
    for (int i = 0; i < 3 * LOGINS_REMEMBERED; i++) {
        struct buf one = { 0 };
        char claims[200];
        snprintf(claims, sizeof claims,
                 "{\"iss\":\"i\",\"aud\":\"a\",\"sub\":\"ann\",\"exp\":" EXP ",\"n\":%d}", i);
        jwt_put_token(&one, &maker, "{\"alg\":\"EdDSA\",\"kid\":\"k\"}", claims);
        assert_non_null(mgi_server_judge(room.server, mgi_buf_view(&one), "", count_told, &t));
        room_settle(&room);
        mgi_buf_fini(&one);
    }
    assert_int_equal(t.count, 3 * LOGINS_REMEMBERED);
    assert_non_null(mgi_server_judge(room.server, mgi_buf_view(&token), "", count_told, &t));
    room_settle(&room);
    assert_int_equal(recalled(&room), AUTH_GOOD);
    use_set(&room, &key_set);
    assert_int_equal(recalled(&room), AUTH_GOOD); /* the same keys */
    use_set(&room, &more_keys);
    assert_int_equal(recalled(&room), AUTH_GOOD); /* and another one */
    use_set(&room, &key_set);
    assert_int_equal(recalled(&room), AUTH_UNSURE); /* one was withdrawn */
    end(&room);
}

/* The next time they are due is now. */
static void let_keys_be_due(struct room *room)
{
    uv_ref((uv_handle_t *)&room->server->keys_due); /* else a loop without work runs no timer */
    uv_timer_set_repeat(&room->server->keys_due, 1);
    assert_int_equal(uv_timer_again(&room->server->keys_due), 0);
    room->server->logins.next_ns = 0;
    size_t before = issuer_played.count;
    for (int i = 0; i < 1000 && issuer_played.count == before; i++) {
        usleep(1000);
        room_settle(room);
    }
    uv_unref((uv_handle_t *)&room->server->keys_due);
    uv_timer_set_repeat(&room->server->keys_due, 0);
    assert_int_equal(issuer_played.count, before + 1);
}

static void test_keys_are_fetched_again_though_nobody_asks(void **state)
{
    (void)state;
    struct room room;
    struct tally t = { 0 };
    assert_true(begin(&room));
    play(200, mgi_buf_view(&key_set));
    room_settle(&room);
    assert_non_null(mgi_server_judge(room.server, mgi_buf_view(&token), "", count_told, &t));
    room_settle(&room);
    assert_int_equal(recalled(&room), AUTH_GOOD);
    assert_in_range(uv_timer_get_due_in(&room.server->keys_due), 3590 * 1000, 3600 * 1000);
    let_keys_be_due(&room);
    play(200, mgi_buf_view(&other_keys)); /* withdrawn: what was remembered is worth nothing */
    room_settle(&room);
    assert_int_equal(recalled(&room), AUTH_UNSURE);
    let_keys_be_due(&room);
    play(500, STR_LIT("")); /* again in a minute */
    assert_in_range(uv_timer_get_due_in(&room.server->keys_due), 50 * 1000, 60 * 1000);
    end(&room);
}

static void test_one_place_leaves_room_for_others(void **state)
{
    (void)state;
    struct room room;
    struct tally t = { 0 };
    assert_true(begin(&room));
    for (size_t i = 0; i < LOGINS_PLACE; i++)
        assert_non_null(mgi_server_judge(room.server, STR_LIT("opaque"), "here", count_told, &t));
    assert_null(mgi_server_judge(room.server, mgi_buf_view(&token), "here", count_told, &t));
    assert_non_null(mgi_server_judge(room.server, mgi_buf_view(&token), "there", count_told, &t));
    play(200, STR_LIT("{\"active\":false}"));
    room_settle(&room);
    assert_non_null(mgi_server_judge(room.server, mgi_buf_view(&token), "here", count_told, &t));
    end(&room);
}

/* ---- sessions -------------------------------------------------------------------------------- */

#define LOGIN(id, token)                                                                           \
    MESSAGE("authenticate", id, "{\"scheme\":\"bearer\",\"token\":\"" token "\"}")
#define BOB      "{\"active\":true,\"aud\":\"a\",\"sub\":\"bob\",\"scope\":\"intent:*\"}"
#define REJECTED "\"auth_invalid\""

static void session_joins(struct caller *c, struct room *room)
{
    struct peer_options options = {
        .transport = &room_session, .connection = c, .auth_required = true, .place = "here"
    };
    *c = (struct caller){ .room = room };
    c->peer = mgi_peer_new(room->server, &options);
    assert_non_null(c->peer);
}

static bool says_last(const struct caller *c, const char *text)
{
    bool found = c->count > 0 && strstr(c->texts[c->count - 1], text);
    if (!found)
        print_error("%s\n", c->count > 0 ? c->texts[c->count - 1] : "nothing");
    return found;
}

/* A session that "opaque" began. */
static void session_logs_in(struct caller *c, struct room *room)
{
    session_joins(c, room);
    caller_says(c, LOGIN("1", "opaque"));
    play(200, STR_LIT(BOB));
    room_settle(room);
    assert_true(says_last(c, "authenticated"));
}

/* What was said of the token is over. */
static void let_time_pass(struct caller *c)
{
    const struct principal *who = NULL;
    int64_t until_ns;
    assert_int_equal(mgi_login_recall(c->room->server, STR_LIT("opaque"), &who, &until_ns),
                     AUTH_GOOD);
    assert_in_range(c->peer->vouched.until_ns - mgi_server_clock_ns(c->room->server), 1,
                    issuer.remembered_ms * NS_PER_MS);
    mgi_principal_unref(who);
    mgi_login_forget_all(c->room->server);
    c->peer->vouched.until_ns = 0;
}

static void test_a_session_is_as_good_as_its_opaque_token_is_now(void **state)
{
    (void)state;
    struct room room;
    struct caller c;
    assert_true(begin(&room));
    session_logs_in(&c, &room);
    size_t asked = issuer_played.count;
    caller_says(&c, INTENT("2", "fx.echo"));
    room_settle(&room);
    assert_int_equal(issuer_played.count, asked); /* it is believed */
    let_time_pass(&c);
    caller_says(&c, INTENT("3", "fx.echo"));
    caller_says(&c, INTENT("4", "fx.echo"));
    room_settle(&room);
    assert_int_equal(issuer_played.count, asked + 1); /* once for both */
    assert_int_equal(c.last, 2);
    play(200, STR_LIT(BOB));
    room_settle(&room);
    assert_int_equal(c.last, 4);
    assert_true(says_last(&c, "intent_response"));
    let_time_pass(&c);
    caller_says(&c, INTENT("5", "fx.echo"));
    play(0, STR_LIT("")); /* this request is refused, and nothing else is said of the token */
    room_settle(&room);
    assert_true(says_last(&c, "server_not_ready"));
    caller_says(&c, INTENT("6", "fx.echo"));
    play(200, STR_LIT("{\"active\":false}"));
    room_settle(&room);
    assert_true(says_last(&c, REJECTED));
    asked = issuer_played.count;
    caller_says(&c, INTENT("7", "fx.echo"));
    room_settle(&room);
    assert_true(says_last(&c, REJECTED));
    assert_int_equal(issuer_played.count, asked);
    caller_ends(&c);
    end(&room);
}

static void test_a_session_ends_with_the_key_of_its_token(void **state)
{
    (void)state;
    struct room room;
    struct caller c;
    struct buf login = { 0 };
    assert_true(begin(&room));
    play(200, mgi_buf_view(&key_set));
    room_settle(&room);
    session_joins(&c, &room);
    mgi_buf_printf(&login, LOGIN("1", "%s"), token.ptr);
    caller_says(&c, login.ptr);
    room_settle(&room);
    use_set(&room, &more_keys);
    caller_says(&c, INTENT("2", "fx.echo"));
    room_settle(&room);
    assert_true(says_last(&c, "intent_response"));
    use_set(&room, &other_keys);
    caller_says(&c, INTENT("3", "fx.echo"));
    room_settle(&room);
    assert_true(says_last(&c, REJECTED));
    use_set(&room, &key_set);
    caller_says(&c, login.ptr); /* it may log in again */
    room_settle(&room);
    caller_says(&c, INTENT("4", "fx.echo"));
    room_settle(&room);
    assert_true(says_last(&c, "intent_response"));
    caller_ends(&c);
    mgi_buf_fini(&login);
    end(&room);
}

/* While the token is asked about: a request is cancelled, the session logs in again, it ends. */
static void test_who_waits_for_the_issuer_is_told_whatever_happens(void **state)
{
    (void)state;
    for (int what = 0; what < 4; what++) {
        struct room room;
        struct caller c;
        assert_true(begin(&room));
        session_logs_in(&c, &room);
        let_time_pass(&c);
        caller_says(&c, INTENT("2", "fx.echo"));
        caller_says(&c, INTENT("3", "fx.echo"));
        room_settle(&room);
        if (what <= 1)
            caller_says(&c, CANCEL("2"));
        if (what == 1)
            caller_says(&c, CANCEL("3"));
        room_settle(&room);
        if (what <= 1)
            assert_int_equal(room.server->logins.count, what == 0 ? 1 : 0);
        if (what == 2) {
            caller_says(&c, LOGIN("4", "opaque"));
            play(200, STR_LIT(BOB));
        }
        if (what == 3)
            caller_leaves(&c);
        play(200, STR_LIT(BOB));
        room_settle(&room);
        assert_int_equal(room.server->logins.count, 0);
        if (what < 3)
            assert_int_equal(c.last, what == 2 ? 4 : 3);
        caller_ends(&c);
        end(&room);
    }
}

static void test_what_was_judged_by_old_keys_is_judged_anew(void **state)
{
    (void)state;
    struct room room;
    struct tally t = { 0 };
    assert_true(begin(&room));
    play(200, mgi_buf_view(&key_set));
    room_settle(&room);
    assert_non_null(mgi_server_judge(room.server, mgi_buf_view(&token), "", count_told, &t));
    use_set(&room, &other_keys); /* while a worker has it */
    room_settle(&room);
    assert_int_equal(t.count, 1);
    assert_int_equal(t.last, AUTH_REJECTED);
    assert_int_equal(recalled(&room), AUTH_UNSURE);
    end(&room);
}

static void test_what_could_not_be_asked_may_be_asked_at_once(void **state)
{
    (void)state;
    struct room room;
    struct tally t = { 0 };
    assert_true(begin(&room));
    play(0, STR_LIT(""));
    room.server->logins.next_ns = 0;
    issuer_played.refuses = true;
    (void)mgi_server_judge(room.server, mgi_buf_view(&token), "", count_told, &t);
    room_settle(&room);
    issuer_played.refuses = false;
    assert_non_null(mgi_server_judge(room.server, mgi_buf_view(&token), "", count_told, &t));
    assert_int_equal(issuer_played.count, 2);
    play(200, mgi_buf_view(&key_set));
    room_settle(&room);
    assert_int_equal(t.last, AUTH_GOOD);
    end(&room);
}

static void test_memory_may_run_out_anywhere(void **state)
{
    (void)state;
    for (size_t n = 1;; n++) {
        struct room room;
        struct tally t = { 0 };
        assert_true(begin(&room));
        nomem_fail_at(n);
        bool begun =
            mgi_server_judge(room.server, mgi_buf_view(&token), "", count_told, &t) != NULL;
        play(200, mgi_buf_view(&key_set));
        room_settle(&room);
        size_t due = begun;
        bool asked = mgi_server_judge(room.server, STR_LIT("opaque"), "", count_told, &t) != NULL;
        play(200, STR_LIT("{\"active\":true,\"aud\":\"a\",\"sub\":\"bob\"}"));
        room_settle(&room);
        bool failed = nomem_failed();
        nomem_fail_at(0);
        due += asked;
        assert_int_equal(t.count, due); /* each is told once, whatever failed */
        assert_int_equal(room.server->logins.count, 0);
        end(&room);
        if (!failed) {
            assert_true(begun && asked && t.last == AUTH_GOOD);
            assert_true(n > 20);
            break;
        }
    }
}

/* A login and what follows it: each message is answered once, or the connection is closed. */
static void test_memory_may_run_out_in_a_session(void **state)
{
    (void)state;
    for (size_t n = 1;; n++) {
        struct room room;
        struct caller c;
        assert_true(begin(&room));
        session_joins(&c, &room);
        nomem_fail_at(n);
        caller_says(&c, LOGIN("1", "opaque"));
        play(200, STR_LIT(BOB));
        room_settle(&room);
        mgi_login_forget_all(room.server);
        c.peer->vouched.until_ns = 0;
        caller_says(&c, INTENT("2", "fx.none"));
        play(200, STR_LIT(BOB));
        room_settle(&room);
        bool failed = nomem_failed();
        nomem_fail_at(0);
        assert_true(c.closed || c.last == 2);
        assert_int_equal(room.server->logins.count, 0);
        caller_ends(&c);
        end(&room);
        if (!failed) {
            assert_true(n > 20);
            break;
        }
    }
}

static int load(void **state)
{
    (void)state;
    domain = unit_load(ROOM_FOLDER, NULL);
    maker = jwt_maker_new(MAKER_ED25519);
    mgi_buf_puts(&key_set, "{\"keys\":[");
    jwt_put_jwk(&key_set, &maker, "k");
    mgi_buf_puts(&key_set, "]}");
    other_maker = jwt_maker_new(MAKER_ED25519);
    mgi_buf_puts(&other_keys, "{\"keys\":[");
    mgi_buf_puts(&more_keys, "{\"keys\":[");
    jwt_put_jwk(&other_keys, &other_maker, "k");
    jwt_put_jwk(&more_keys, &other_maker, "other");
    mgi_buf_putc(&more_keys, ',');
    jwt_put_jwk(&more_keys, &maker, "k");
    mgi_buf_puts(&other_keys, "]}");
    mgi_buf_puts(&more_keys, "]}");
    jwt_put_token(&token, &maker, "{\"alg\":\"EdDSA\",\"kid\":\"k\"}", CLAIMS);
    return domain ? 0 : -1;
}

static int unload(void **state)
{
    (void)state;
    mgi_snapshot_unref(domain);
    jwt_maker_free(&maker);
    jwt_maker_free(&other_maker);
    mgi_buf_fini(&key_set);
    mgi_buf_fini(&other_keys);
    mgi_buf_fini(&more_keys);
    mgi_buf_fini(&token);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keys_are_fetched_once_for_all_who_wait),
        cmocka_unit_test(test_without_an_answer_nobody_waits_for_ever),
        cmocka_unit_test(test_who_leaves_is_told_nothing_wherever_it_is),
        cmocka_unit_test(test_an_end_in_the_middle_leaves_nothing),
        cmocka_unit_test(test_what_is_remembered_is_bounded_and_goes_with_the_keys),
        cmocka_unit_test(test_what_was_judged_by_old_keys_is_judged_anew),
        cmocka_unit_test(test_keys_are_fetched_again_though_nobody_asks),
        cmocka_unit_test(test_one_place_leaves_room_for_others),
        cmocka_unit_test(test_a_session_is_as_good_as_its_opaque_token_is_now),
        cmocka_unit_test(test_a_session_ends_with_the_key_of_its_token),
        cmocka_unit_test(test_who_waits_for_the_issuer_is_told_whatever_happens),
        cmocka_unit_test(test_what_could_not_be_asked_may_be_asked_at_once),
        cmocka_unit_test(test_memory_may_run_out_anywhere),
        cmocka_unit_test(test_memory_may_run_out_in_a_session),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    alarm(280);
    return cmocka_run_group_tests_name("server/login", tests, load, unload);
}
