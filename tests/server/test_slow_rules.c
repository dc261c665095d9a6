/* Rules that take long are named in the log, once a request, and only where the server is told to
 * look. Nothing of what a client sent is in it but the names of intent and request. */
#include "server/fake_work.h"
#include "server/server_fixture.h"

static struct snapshot *domain;

struct heard {
    char lines[8][4200];
    int count;
};

static void hear(void *context, enum log_level level, const char *line, size_t len)
{
    struct heard *heard = context;
    assert_true(heard->count < 8);
    assert_true(len < sizeof heard->lines[0]);
    if (len > 9 && memcmp(line, "slow rule", 9) == 0) {
        assert_int_equal(level, LOG_WARN);
        snprintf(heard->lines[heard->count++], sizeof heard->lines[0], "%.*s", (int)len, line);
    }
}

struct told {
    int count;
    int64_t derived, rules_ns;
};

static void be_told(void *context, const struct intent_costs *costs)
{
    struct told *told = context;
    told->count++;
    told->rules_ns = costs->stages_ns[INTENT_RULES];
    told->derived = 0;
    for (size_t i = 0; i < mangle_program_rule_count(costs->snapshot->program); i++)
        told->derived += mangle_profile_rule(costs->profile, i).derived;
}

/* A request to a server that takes `limit_ns` for slow. */
static void ask(int64_t limit_ns, struct heard *heard, struct told *told, const char *request,
                const char *id)
{
    struct room room;
    struct caller caller;
    const struct logger log = { LOG_WARN, hear, heard };
    room_furnish(&room, domain);
    struct server_options options = room_options(&room);
    options.log = &log;
    options.slow_rule_ns = limit_ns;
    if (told) {
        options.costs = be_told;
        options.costs_context = told;
    }
    room.server = mgi_server_new(&options);
    assert_non_null(room.server);
    caller_join(&caller, &room, &room_session, &mgi_principal_local);
    caller_says(&caller, request);
    room_finish(&room);
    assert_non_null(caller_answer(&caller, id));
    caller_ends(&caller);
    room_close(&room);
}

static void test_the_dearest_rule_is_named_with_its_request(void **state)
{
    (void)state;
    struct heard heard = { 0 };
    ask(1, &heard, NULL, INTENT("nr. 7", "fx.two"), "nr. 7");
    assert_int_equal(heard.count, 1);
    assert_non_null(strstr(heard.lines[0], "slow rule: intent \"fx.two\", id \"nr. 7\": "));
    assert_non_null(strstr(heard.lines[0], ".mg:")); /* where it stands */
    assert_non_null(strstr(heard.lines[0], " rows tried, "));
    assert_non_null(strstr(heard.lines[0], " duplicates ("));
    assert_non_null(strstr(heard.lines[0], " more rules are slow"));
}

static void test_a_quote_in_an_id_ends_nothing(void **state)
{
    (void)state;
    struct heard heard = { 0 };
    ask(1, &heard, NULL, INTENT("a\\\", id \\\"b", "fx.two"), "a\\\", id \\\"b");
    assert_int_equal(heard.count, 1);
    assert_non_null(strstr(heard.lines[0], "id \"a\\\", id \\\"b\": "));
}

static void test_rules_that_are_fast_are_not(void **state)
{
    (void)state;
    struct heard heard = { 0 };
    ask(INT64_C(3600) * NS_PER_SEC, &heard, NULL, INTENT("1", "fx.two"), "1");
    assert_int_equal(heard.count, 0);
}

static void test_nobody_looks_unless_told_to(void **state)
{
    (void)state;
    struct heard heard = { 0 };
    ask(0, &heard, NULL, INTENT("1", "fx.two"), "1");
    assert_int_equal(heard.count, 0);
}

static void test_what_is_sent_is_not_in_it(void **state)
{
    (void)state;
    struct heard heard = { 0 };
    ask(1, &heard, NULL,
        MESSAGE("intent_request", "1",
                "{\"intent\":{\"name\":\"fx.two\",\"params\":{\"word\":\"s3cret\"}}}"),
        "1");
    for (int i = 0; i < heard.count; i++)
        assert_null(strstr(heard.lines[i], "s3cret"));
}

/* Text from outside is one line, and not long. */
static void test_names_are_shown_and_cut(void **state)
{
    (void)state;
    struct heard heard = { 0 };
    ask(1, &heard, NULL,
        INTENT("a\\nb0123456789012345678901234567890123456789012345678901234567890123456789",
               "fx.two"),
        "a\\nb0123456789012345678901234567890123456789012345678901234567890123456789");
    assert_int_equal(heard.count, 1);
    assert_null(strchr(heard.lines[0], '\n'));
    assert_null(strstr(heard.lines[0], "0123456789\":"));
}

static void test_costs_are_told_of_each_request_alone(void **state)
{
    (void)state;
    struct heard heard = { 0 };
    struct told told = { 0 };
    ask(0, &heard, &told, INTENT("1", "fx.two"), "1");
    assert_int_equal(told.count, 1);
    assert_true(told.rules_ns > 0);
    int64_t derived = told.derived;
    assert_true(derived > 0);
    ask(1, &heard, &told, INTENT("1", "fx.two"), "1"); /* and both may be asked for */
    assert_int_equal(told.count, 2);
    assert_int_equal(told.derived, derived);
    assert_int_equal(heard.count, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_dearest_rule_is_named_with_its_request),
        cmocka_unit_test(test_a_quote_in_an_id_ends_nothing),
        cmocka_unit_test(test_rules_that_are_fast_are_not),
        cmocka_unit_test(test_nobody_looks_unless_told_to),
        cmocka_unit_test(test_what_is_sent_is_not_in_it),
        cmocka_unit_test(test_names_are_shown_and_cut),
        cmocka_unit_test(test_costs_are_told_of_each_request_alone),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    domain = unit_load(ROOM_FOLDER, NULL);
    int failed = domain ? cmocka_run_group_tests_name("server/slow rules", tests, NULL, NULL) : 1;
    mgi_snapshot_unref(domain);
    return failed;
}
