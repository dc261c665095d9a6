/* Memory runs out at each allocation in turn, wherever a request is at that moment. Whatever fails:
 * every request gets exactly one terminal message, what may run only once does, nothing is left
 * behind, and the server serves the next request as if nothing had been. */
#include "server/fake_work.h"
#include "server/server_fixture.h"
#include "support/nomem.h"

static struct snapshot *domain;
static struct store definitions;                         /* what the intents have left there */
static char echo[128], wait[128], two[128], danger[128]; /* macro ids */
static struct decision_settings decisions; /* what is decided is recorded, or counted as lost */
static size_t round_number;                /* so that every round has keys of its own */

/* ---- one round ------------------------------------------------------------------------------- */

struct round {
    struct room room;
    struct caller c;
    size_t due; /* terminal messages that the server owes */
};

static bool approve_all(void *context, struct str challenge, struct buf *by)
{
    (void)by;
    (void)context, (void)challenge;
    return true;
}

static void begin(struct round *r)
{
    room_furnish(&r->room, domain);
    r->room.pool->manual = true;
    r->room.keys.approved = approve_all;
    struct server_options options = room_options(&r->room);
    options.store = &definitions;
    options.decisions = &decisions;
    r->room.server = mgi_server_new(&options);
    assert_non_null(r->room.server);
    caller_join(&r->c, &r->room, &room_session, &mgi_principal_local);
    r->due = 0;
    round_number++;
}

static void say(struct round *r, const char *text)
{
    caller_says(&r->c, text);
    r->due++;
}

static void invoke(struct round *r, const char *id, const char *macro, const char *args,
                   const char *key)
{
    room_invoke(&r->c, id, macro, args, key);
    r->due++;
}

static void finish(struct round *r)
{
    room_finish(&r->room);
    assert_int_equal(r->c.last, r->due); /* P-CONC-10 */
}

/* It is as good as new. */
static void end(struct round *r)
{
    caller_forget(&r->c);
    r->due = 0;
    invoke(r, "after", echo, "{\"label\":\"after\"}", "");
    finish(r);
    assert_answer(&r->c, "after", "\"label\":\"after\"");
    caller_ends(&r->c);
    room_close(&r->room);
}

/* Play `scene` once for each allocation that it makes, with that one failing; the last time none
 * does, and `good` says what has to be true then. */
static void survive(void (*scene)(struct round *r), void (*good)(const struct round *r))
{
    for (size_t n = 1;; n++) {
        struct round r;
        begin(&r);
        nomem_fail_at(n);
        scene(&r);
        finish(&r);
        bool failed = nomem_failed();
        nomem_fail_at(0);
        if (!failed)
            good(&r);
        end(&r);
        if (!failed) {
            print_message("# %zu allocations\n", n - 1);
            assert_true(n > 1);
            return;
        }
    }
}

/* ---- scenes ---------------------------------------------------------------------------------- */

static void play_intent(struct round *r)
{
    say(r, MESSAGE("intent_request", "i",
                   "{\"intent\":{\"name\":\"fx.echo\"},\"facts\":[{\"pred\":\"fx_item\",\"args\":["
                   "\"one\"]}],\"options\":{\"include_proof_hints\":true}}"));
}

static void good_intent(const struct round *r)
{
    assert_answer(&r->c, "i", "\"fx_echo\"");
}

static void test_intents(void **state)
{
    (void)state;
    survive(play_intent, good_intent);
}

#define ERROR_OF_NONE "{\"type\":\"error\",\"id\":null"

/* It has no answer, but if it could not be read that is said. */
static void cancel(struct round *r, const char *text)
{
    size_t before = caller_count(&r->c, ERROR_OF_NONE, NULL);
    caller_says(&r->c, text);
    r->due += caller_count(&r->c, ERROR_OF_NONE, NULL) - before;
}

static void play_faults(struct round *r)
{
    say(r, "this is no JSON");
    say(r, "{\"type\":\"intent_request\",\"id\":7}");
    say(r, MESSAGE("manifest", "b", "{}"));
    say(r, MESSAGE("cancel", "", "{\"request_id\":7}"));
    say(r, MESSAGE("authenticate", "c", "{\"scheme\":7}"));
    say(r, MESSAGE("authenticate", "d", "{\"scheme\":\"bearer\",\"token\":\"x\"}"));
    say(r, MESSAGE("invoke_request", "e", "{\"macro_id\":7,\"eval_time\":true}"));
    say(r, MESSAGE("invoke_request", "f", "{\"macro_id\":\"none\",\"args\":{}}"));
    say(r, MESSAGE("invoke_request", "\\u0001\\\"g", "{\"macro_id\":\"none\",\"args\":{}}"));
    say(r, INTENT("h", "nothing"));
    say(r, INTENT("h", "nothing")); /* its id is taken */
    mgi_peer_fault(r->c.peer, WIRE_MESSAGE_TOO_LARGE, "", "Too large.");
    r->due++;
    cancel(r, CANCEL("unknown"));
}

static void good_faults(const struct round *r)
{
    const char *last = NULL;
    assert_answer(&r->c, "d", "auth_invalid");
    assert_answer(&r->c, "e", "malformed_message");
    assert_answer(&r->c, "f", "macro_not_found");
    assert_int_equal(caller_count(&r->c, "{\"type\":\"error\",\"id\":\"\\u0001\\\"g\"", &last), 1);
    assert_int_equal(caller_count(&r->c, ERROR_OF_NONE, &last), 5);
}

static void test_faults_of_the_client(void **state)
{
    (void)state;
    survive(play_faults, good_faults);
}

static void play_invocation(struct round *r)
{
    invoke(r, "v", two, "{\"label\":\"x\"}", "");
}

static void good_invocation(const struct round *r)
{
    assert_answer(&r->c, "v", "\"label\":\"x\"");
    assert_int_equal(r->room.pool->calls, 2);
}

static void test_invocations(void **state)
{
    (void)state;
    survive(play_invocation, good_invocation);
}

/* A leader, one who waits for it, another use of the key, and the same again when all is over. */
static void play_keyed(struct round *r)
{
    char key[32];
    snprintf(key, sizeof key, "k-%zu", round_number);
    invoke(r, "first", echo, "{\"label\":\"x\"}", key);
    invoke(r, "second", echo, "{\"label\":\"x\"}", key);
    invoke(r, "other", echo, "{\"label\":\"y\"}", key);
    finish(r);
    invoke(r, "third", echo, "{\"label\":\"x\"}", key);
    finish(r);
    assert_true(r->room.pool->calls <= 1); /* whatever became of the answers */
}

static void good_keyed(const struct round *r)
{
    assert_answer(&r->c, "first", "\"label\":\"x\"");
    assert_answer(&r->c, "second", "\"label\":\"x\"");
    assert_answer(&r->c, "third", "\"label\":\"x\"");
    assert_answer(&r->c, "other", "idempotency_key");
    assert_int_equal(r->room.pool->calls, 1);
}

static void test_invocations_with_a_key(void **state)
{
    (void)state;
    survive(play_keyed, good_keyed);
}

static void consent(struct round *r, const char *id, const char *challenge)
{
    char text[1024];
    snprintf(text, sizeof text,
             "{\"type\":\"invoke_request\",\"id\":\"%s\",\"manglecp\":\"2026-02-draft\","
             "\"payload\":{\"macro_id\":\"%s\",\"args\":{\"what\":\"x\"},"
             "\"confirmation_token\":\"%.*s\"}}",
             id, danger, (int)strcspn(challenge, "\""), challenge);
    say(r, text);
    finish(r);
}

static void play_consent(struct round *r)
{
    static const char mark[] = "\"challenge\":\"";
    invoke(r, "asks", danger, "{\"what\":\"x\"}", "");
    finish(r);
    const char *answer = caller_answer(&r->c, "asks"), *at = answer ? strstr(answer, mark) : NULL;
    assert_int_equal(r->room.pool->calls, 0);
    if (!at)
        return;
    consent(r, "does", at + sizeof mark - 1);
    consent(r, "again", at + sizeof mark - 1);
    assert_true(r->room.pool->calls <= 1); /* a consent is good for one */
}

static void good_consent(const struct round *r)
{
    assert_answer(&r->c, "asks", "confirmation_required");
    assert_answer(&r->c, "does", "\"wiped\":\"x\"");
    assert_answer(&r->c, "again", "confirmation_invalid");
}

static void test_consents(void **state)
{
    (void)state;
    survive(play_consent, good_consent);
}

static void play_cancel(struct round *r)
{
    invoke(r, "a", wait, "{}", "");
    invoke(r, "b", wait, "{}", "");
    invoke(r, "c", wait, "{}", "");
    for (int i = 0; i < 40 && !r->room.pool->tickets; i++)
        if (!fake_work_deliver(r->room.server->work))
            fake_work_run(r->room.server->work);
    cancel(r, CANCEL("a"));
    if (r->room.pool->tickets)
        fake_pool_serve(r->room.pool, false, SESSION_BUSY);
    if (r->room.pool->tickets)
        fake_pool_serve(r->room.pool, true, SESSION_BUSY);
    for (int i = 0; i < 40 && r->room.pool->busy == 0; i++)
        if (!fake_work_deliver(r->room.server->work))
            fake_work_run(r->room.server->work);
    cancel(r, CANCEL("b"));
    cancel(r, CANCEL("c"));
}

static void good_cancel(const struct round *r)
{
    assert_answer(&r->c, "a", "cancelled");
    assert_answer(&r->c, "b", "cancelled");
}

static void test_cancelled_requests(void **state)
{
    (void)state;
    survive(play_cancel, good_cancel);
}

/* Whoever has left gets nothing, and what runs comes to its end. */
static void play_loss(struct round *r)
{
    struct caller other;
    struct peer_options options = { .transport = &room_post, .connection = &other };
    options.who = &mgi_principal_local;
    other = (struct caller){ .room = &r->room, .peer = mgi_peer_new(r->room.server, &options) };
    if (!other.peer)
        return;
    room_invoke(&other, "v", two, "{\"label\":\"x\"}", "");
    while (r->room.pool->calls == 0 && other.last == 0)
        assert_true(room_step(&r->room));
    caller_leaves(&other);
    caller_ends(&other);
}

static void good_loss(const struct round *r)
{
    assert_int_equal(r->room.pool->calls, 2); /* T-MCP-29: it has an effect to come */
}

static void test_lost_connections(void **state)
{
    (void)state;
    survive(play_loss, good_loss);
}

static void play_service(struct round *r)
{
    struct toolpool *before = r->room.pool, *after = room_pool(&r->room);
    after->manual = true;
    mgi_peer_greet(r->c.peer);
    r->due += caller_count(&r->c, "{\"type\":\"error\"", NULL);
    uint64_t epoch = mgi_server_epoch(r->room.server);
    if (mgi_server_serve(r->room.server, domain, after, room_retires, &r->room)) {
        r->room.pool = after;
    } else { /* nothing has changed */
        assert_int_equal(mgi_server_epoch(r->room.server), epoch);
        assert_ptr_equal(r->room.server->served->pool->pool, before);
        mgi_toolpool_close(after, NULL, NULL);
    }
    mgi_server_amiss(r->room.server, "store", "is full");
    room_settle(&r->room);
    assert_int_equal(r->room.retired_count, r->room.pool == after);
}

static void good_service(const struct round *r)
{
    assert_int_equal(caller_count(&r->c, MANIFEST, NULL), 2);
}

static void test_what_is_served_and_announced(void **state)
{
    (void)state;
    survive(play_service, good_service);
}

/* ---- beginnings ------------------------------------------------------------------------------ */

static void test_a_server_begins_or_leaves_nothing(void **state)
{
    (void)state;
    for (bool failed = true; failed; round_number++) {
        static size_t n;
        struct room room;
        room_furnish(&room, domain);
        struct server_options options = room_options(&room);
        nomem_fail_at(++n);
        room.server = mgi_server_new(&options);
        failed = nomem_failed();
        nomem_fail_at(0);
        assert_int_equal(room.server == NULL, failed);
        if (room.server)
            room_close(&room);
        else
            room_clear(&room);
    }
}

static void test_a_connection_begins_or_leaves_nothing(void **state)
{
    static const struct wire_error refusal = { WIRE_AUTH_INVALID, "No.", { "{}", 2 }, -1 };
    struct round r;
    bool failed = true;
    (void)state;
    for (size_t n = 1; failed; n++) {
        struct caller c = { .room = &r.room };
        struct peer_options options = {
            .transport = &room_post,
            .connection = &c,
            .refusal = &refusal,
            .traceparent = STR_LIT("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"),
        };
        begin(&r);
        nomem_fail_at(n);
        c.peer = mgi_peer_new(r.room.server, &options);
        failed = nomem_failed();
        nomem_fail_at(0);
        if (c.peer) { /* perhaps with less to say, but it refuses */
            caller_says(&c, INTENT("i", "fx.echo"));
            room_finish(&r.room);
            assert_answer(&c, "i", "auth_invalid");
        }
        caller_ends(&c);
        end(&r);
    }
}

static int load(void **state)
{
    struct room room;
    struct caller c;
    (void)state;
    domain = unit_load(ROOM_FOLDER, NULL);
    struct decision_log_options log = { .run = "nomem" };
    char why[SINK_WHY_BYTES];
    if (!domain || !mgi_store_memory(0, &definitions) ||
        !mgi_decision_sink_file("/dev/null", 0, 1, &log.sink, why))
        return -1;
    decisions.log = mgi_decision_log_new(&log);
    decisions.key = STR_LIT("a key");
    if (!decisions.log)
        return -1;
    room_furnish(&room, domain);
    struct server_options options = room_options(&room);
    options.store = &definitions;
    room.server = mgi_server_new(&options);
    caller_join(&c, &room, &room_session, &mgi_principal_local);
    room_macro(&c, "fx.echo", echo);
    room_macro(&c, "fx.wait", wait);
    room_macro(&c, "fx.two", two);
    room_macro(&c, "fx.danger", danger);
    caller_ends(&c);
    room_close(&room);
    return 0;
}

static int unload(void **state)
{
    (void)state;
    struct decision_log_state counts;
    mgi_decision_log_state(decisions.log, &counts);
    mgi_decision_log_free(decisions.log, 1000);
    mgi_store_close(&definitions);
    mgi_snapshot_unref(domain);
    return counts.written > 0 && counts.lost > 0 ? 0 : -1; /* both have happened */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_intents),
        cmocka_unit_test(test_faults_of_the_client),
        cmocka_unit_test(test_invocations),
        cmocka_unit_test(test_invocations_with_a_key),
        cmocka_unit_test(test_consents),
        cmocka_unit_test(test_cancelled_requests),
        cmocka_unit_test(test_lost_connections),
        cmocka_unit_test(test_what_is_served_and_announced),
        cmocka_unit_test(test_a_server_begins_or_leaves_nothing),
        cmocka_unit_test(test_a_connection_begins_or_leaves_nothing),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    alarm(280); /* rather than for ever */
    return cmocka_run_group_tests_name("server/nomem", tests, load, unload);
}
