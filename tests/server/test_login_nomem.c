/* Tokens of another issuer, in a server whose workers and issuer are played: who waits for whom,
 * what is asked how often, what is remembered, what the bounds are, and memory that runs out
 * anywhere. */
#include "server/fake_work.h"
#include "server/server_fixture.h"
#include "support/jwt_maker.h"
#include "support/nomem.h"

#define EXP     "2000000000"
#define CLAIMS  "{\"iss\":\"i\",\"aud\":\"a\",\"sub\":\"ann\",\"exp\":" EXP "}"
#define TICKETS 512

static struct snapshot *domain;
static struct jwt_maker maker;
static struct buf key_set, token;

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
        assert_non_null(mgi_server_judge(room.server, mgi_buf_view(&token), count_told, &t));
    assert_null(
        mgi_server_judge(room.server, mgi_buf_view(&token), count_told, &t)); /* the bound */
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
    assert_non_null(mgi_server_judge(room.server, mgi_buf_view(&token), count_told, &t));
    play(0, STR_LIT(""));
    room_settle(&room);
    assert_int_equal(t.last, AUTH_UNREACHABLE);
    assert_non_null(mgi_server_judge(room.server, mgi_buf_view(&token), count_told, &t));
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
            room.server, opaque ? STR_LIT("opaque") : mgi_buf_view(&token), count_told, &t);
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
        assert_non_null(mgi_server_judge(room.server, mgi_buf_view(&token), count_told, &t));
        assert_non_null(mgi_server_judge(room.server, STR_LIT("opaque"), count_told, &t));
        if (where >= 1)
            play(200, mgi_buf_view(&key_set));
        if (where >= 2)
            assert_true(fake_work_run(room.server->work));
        end(&room);
        assert_int_equal(t.count, 0);
    }
}

static void test_what_is_remembered_is_bounded_and_goes_with_the_keys(void **state)
{
    (void)state;
    struct room room;
    struct tally t = { 0 };
    const char *why;
    assert_true(begin(&room));
    play(200, mgi_buf_view(&key_set));
    room_settle(&room);
    for (int i = 0; i < 3 * LOGINS_REMEMBERED; i++) {
        struct buf one = { 0 };
        char claims[200];
        snprintf(claims, sizeof claims,
                 "{\"iss\":\"i\",\"aud\":\"a\",\"sub\":\"ann\",\"exp\":" EXP ",\"n\":%d}", i);
        jwt_put_token(&one, &maker, "{\"alg\":\"EdDSA\",\"kid\":\"k\"}", claims);
        assert_non_null(mgi_server_judge(room.server, mgi_buf_view(&one), count_told, &t));
        room_settle(&room);
        mgi_buf_fini(&one);
    }
    assert_int_equal(t.count, 3 * LOGINS_REMEMBERED);
    assert_non_null(mgi_server_judge(room.server, mgi_buf_view(&token), count_told, &t));
    room_settle(&room);
    assert_int_equal(recalled(&room), AUTH_GOOD);
    struct jwks *keys = mgi_jwks_new(mgi_buf_view(&key_set), &why);
    mgi_server_set_issuer_keys(room.server, keys);
    mgi_jwks_unref(keys);
    assert_int_equal(recalled(&room), AUTH_UNSURE);
    end(&room);
}

static void test_what_was_judged_by_old_keys_is_judged_anew(void **state)
{
    (void)state;
    struct jwt_maker others = jwt_maker_new(MAKER_ED25519);
    struct buf set = { 0 };
    struct room room;
    struct tally t = { 0 };
    const char *why;
    mgi_buf_puts(&set, "{\"keys\":[");
    jwt_put_jwk(&set, &others, "k");
    mgi_buf_puts(&set, "]}");
    assert_true(begin(&room));
    play(200, mgi_buf_view(&key_set));
    room_settle(&room);
    assert_non_null(mgi_server_judge(room.server, mgi_buf_view(&token), count_told, &t));
    struct jwks *keys = mgi_jwks_new(mgi_buf_view(&set), &why); /* while a worker has it */
    mgi_server_set_issuer_keys(room.server, keys);
    mgi_jwks_unref(keys);
    room_settle(&room);
    assert_int_equal(t.count, 1);
    assert_int_equal(t.last, AUTH_REJECTED);
    assert_int_equal(recalled(&room), AUTH_UNSURE);
    end(&room);
    mgi_buf_fini(&set);
    jwt_maker_free(&others);
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
    (void)mgi_server_judge(room.server, mgi_buf_view(&token), count_told, &t);
    room_settle(&room);
    issuer_played.refuses = false;
    assert_non_null(mgi_server_judge(room.server, mgi_buf_view(&token), count_told, &t));
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
        bool begun = mgi_server_judge(room.server, mgi_buf_view(&token), count_told, &t) != NULL;
        play(200, mgi_buf_view(&key_set));
        room_settle(&room);
        size_t due = begun;
        bool asked = mgi_server_judge(room.server, STR_LIT("opaque"), count_told, &t) != NULL;
        play(200, STR_LIT("{\"active\":true,\"sub\":\"bob\"}"));
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

static int load(void **state)
{
    (void)state;
    domain = unit_load(ROOM_FOLDER, NULL);
    maker = jwt_maker_new(MAKER_ED25519);
    mgi_buf_puts(&key_set, "{\"keys\":[");
    jwt_put_jwk(&key_set, &maker, "k");
    mgi_buf_puts(&key_set, "]}");
    jwt_put_token(&token, &maker, "{\"alg\":\"EdDSA\",\"kid\":\"k\"}", CLAIMS);
    return domain ? 0 : -1;
}

static int unload(void **state)
{
    (void)state;
    mgi_snapshot_unref(domain);
    jwt_maker_free(&maker);
    mgi_buf_fini(&key_set);
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
        cmocka_unit_test(test_what_could_not_be_asked_may_be_asked_at_once),
        cmocka_unit_test(test_memory_may_run_out_anywhere),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    alarm(280);
    return cmocka_run_group_tests_name("server/login", tests, load, unload);
}
