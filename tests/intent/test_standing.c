/* An offer is judged again when it is to run: with the server's clock, for who asks now, from what
 * the rules were told. Other evaluations of the same tool take nothing from it. But for the last
 * tests, the worker remembers none, so the rules are asked every time. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/time.h"
#include "domain/temp_domain.h"
#include "intent/intent_int.h"
#include "macro/told.h"

#define NOON  (INT64_C(1783166400) * NS_PER_SEC) /* 2026-07-04T12:00:00Z */
#define MANY  (EVIDENCE_MAX + 4)
#define HOURS (INT64_C(3600) * NS_PER_SEC)

static struct temp_domain domain;
static struct snapshot *snapshot;
static struct intent_worker *worker;
static struct arena arena;
static struct store store;
static struct str macro_id;

static const struct str every[] = { { "intent:*", 8 } },
                        extra[] = { { "intent:*", 8 }, { "x", 1 } };
static const struct str waived[] = { { "network", 7 } };
static const struct principal ann = {
    .kind = PRINCIPAL_KNOWN, .identity = { "ann", 3 }, .permissions = every, .permission_count = 1
};
static const struct principal ann_with_more = {
    .kind = PRINCIPAL_KNOWN, .identity = { "ann", 3 }, .permissions = extra, .permission_count = 2
};
static const struct principal ann_by_robot = { .kind = PRINCIPAL_KNOWN,
                                               .identity = { "ann", 3 },
                                               .permissions = every,
                                               .permission_count = 1,
                                               .automated = true,
                                               .auto_confirm = waived,
                                               .auto_confirm_count = 1 };

static const char schema[] = "Decl recent() temporal descr [direction(\"input\")].\n"
                             "Decl freeze() temporal descr [direction(\"input\")].\n"
                             "Decl seen(What) descr [direction(\"input\")] bound [/string].\n"
                             "Decl noise(What) descr [direction(\"input\")] bound [/string].\n";
static const char rules[] = "tool_relevant_to_intent(\"one\", \"go\", 90) :- seen(_).\n"
                            "instruction(\"one\", What) :- noise(What).\n"
                            "macro_has_side_effect(\"one\", \"network\").\n";
static const char policy[] = "prohibited(\"one\", \"frozen\") :- seen(_), freeze()@[now].\n"
                             "prohibited(\"one\", \"more\") :- seen(\"private\"), missing().\n"
                             "prohibited(\"one\", \"old\") :- seen(\"dated\"), !lately().\n"
                             "lately() :- <-[0s, 1h] recent().\n"
                             "allowed() :- client_permission(\"x\").\n"
                             "missing() :- !allowed().\n"
                             "requires_confirmation(\"one\") :- seen(\"careful\").\n";

static int set_up(void **state)
{
    struct buf findings = { 0 };
    (void)state;
    temp_make(&domain);
    temp_write(&domain, "rules/schema/s.mg", schema);
    temp_write(&domain, "rules/domain/d.mg", rules);
    temp_write(&domain, "rules/policy/p.mg", policy);
    snapshot = temp_load(&domain, NULL, false, &findings);
    if (!snapshot)
        fail_msg("%s", findings.ptr);
    mgi_buf_fini(&findings);
    worker = mgi_intent_worker_new();
    if (worker)
        mgi_intent_worker_asks_always(worker, true);
    return worker ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    mgi_intent_worker_free(worker);
    mgi_snapshot_unref(snapshot);
    temp_remove(&domain);
    return 0;
}

static void new_worker(void)
{
    mgi_intent_worker_free(worker);
    worker = mgi_intent_worker_new();
    assert_non_null(worker);
    mgi_intent_worker_asks_always(worker, true);
}

static int open_store(void **state)
{
    (void)state;
    mgi_arena_init(&arena, 0);
    return mgi_store_memory(0, &store) ? 0 : -1;
}

static int close_store(void **state)
{
    (void)state;
    mgi_store_close(&store);
    mgi_arena_fini(&arena);
    return 0;
}

static const char *intent = "go";

/* Evaluate with these facts, as of `at` on the server's clock `clock_ns`; the tool has to come. */
static void offer(const struct principal *who, int64_t clock_ns, const char *at, const char *facts)
{
    struct buf out = { 0 };
    struct wire_error e = { .retry_after_ms = -1 };
    struct json payload, answer;
    const char *text = mgi_arena_printf(
        &arena, "{\"intent\":{\"name\":\"%s\"},\"eval_time\":\"%s\",\"facts\":[%s]}", intent, at,
        facts);
    assert_int_equal(mgi_json_parse(&arena, str_of(text), NULL, &payload, NULL), JSON_OK);
    struct intent_call call = {
        .snapshot = snapshot, .who = who, .payload = &payload, .clock_ns = clock_ns, .store = &store
    };
    if (!mgi_intent_evaluate(worker, &call, &arena, &out, &e))
        fail_msg("%s", e.message);
    struct str kept = mgi_arena_str(&arena, mgi_buf_view(&out));
    mgi_buf_fini(&out);
    assert_int_equal(mgi_json_parse(&arena, kept, NULL, &answer, NULL), JSON_OK);
    const struct json *id = mgi_json_pointer_get(&answer, STR_LIT("/macro_tools/0/macro_id"));
    if (!id)
        fail_msg("no tool: %.*s", STR_ARG(kept));
    macro_id = id->string;
}

static struct macro definition(const struct principal *who, int64_t clock_ns)
{
    struct macro_entry entry;
    enum macro_found found;
    struct macro m;
    assert_int_equal(mgi_store_macro_get(&store, mgi_principal_key(who), macro_id, clock_ns, &arena,
                                         &found, &entry),
                     STORE_OK);
    assert_int_equal(found, MACRO_FOUND);
    assert_true(mgi_macro_read(&arena, entry.definition, &m));
    return m;
}

static enum standing standing_of(struct macro *m, const struct principal *who, int64_t clock_ns)
{
    struct intent_call call = {
        .snapshot = snapshot, .who = who, .clock_ns = clock_ns, .store = &store
    };
    struct wire_error e = { .retry_after_ms = -1 };
    enum store_status status;
    enum standing out;
    if (!mgi_intent_stands(worker, &call, &arena, m, &out, &status, &e))
        fail_msg("%s", e.message);
    return out;
}

static enum standing standing(const struct principal *who, int64_t clock_ns, bool *confirm)
{
    struct macro m = definition(who, clock_ns);
    enum standing out = standing_of(&m, who, clock_ns);
    if (confirm)
        *confirm = m.requires_confirmation;
    return out;
}

#define SEEN "{\"pred\":\"seen\",\"args\":[\"a\"]}"
#define FREEZE                                                                                     \
    "{\"pred\":\"freeze\",\"args\":[],\"t\":{\"start\":\"2026-07-04T11:00:00Z\","                  \
    "\"end\":\"2026-07-04T13:00:00Z\"}}"

static void test_what_is_prohibited_now_does_not_stand(void **state)
{
    (void)state;
    offer(&ann, NOON, "2026-07-04T10:00:00Z", SEEN "," FREEZE);
    assert_int_not_equal(standing(&ann, NOON, NULL), STANDING_HOLDS);
    assert_int_equal(standing(&ann, NOON - 2 * HOURS, NULL), STANDING_HOLDS);
}

static void test_a_what_if_takes_no_place_from_what_stands(void **state)
{
    (void)state;
    offer(&ann, NOON, "2026-07-04T12:00:00Z", SEEN);
    for (int i = 0; i < MANY; i++)
        offer(&ann, NOON, mgi_arena_printf(&arena, "2026-07-04T10:%02d:00Z", i), SEEN "," FREEZE);
    assert_int_equal(standing(&ann, NOON, NULL), STANDING_HOLDS);
    assert_in_range(definition(&ann, NOON).evidence_count, 2, 1 + EVIDENCE_WHAT_IF_MAX);
}

static enum macro_found found_at(struct str name, int64_t clock_ns)
{
    struct macro_entry entry;
    enum macro_found found;
    assert_int_equal(mgi_store_macro_get(&store, mgi_principal_key(&ann), name, clock_ns, &arena,
                                         &found, &entry),
                     STORE_OK);
    return found;
}

/* Its window is far away, and the store does not wait for that. */
static void test_a_what_if_is_kept_no_longer_than_the_cache_time(void **state)
{
    (void)state;
    offer(&ann, NOON, "2250-05-31T12:00:00Z",
          SEEN ",{\"pred\":\"freeze\",\"args\":[],\"t\":{\"start\":\"2250-06-01T00:00:00Z\","
               "\"end\":\"2250-07-01T00:00:00Z\"}}");
    struct macro m = definition(&ann, NOON);
    struct str told = m.evidence[0].told;
    int64_t later_ns = NOON + snapshot->settings.cache_ms * 1000000 + 1;
    assert_true(m.expires_ns != INT64_MAX && m.expires_ns > later_ns);
    assert_int_equal(found_at(told, NOON + 1), MACRO_FOUND);
    assert_int_not_equal(found_at(macro_id, later_ns), MACRO_FOUND);
    assert_int_not_equal(found_at(told, later_ns), MACRO_FOUND);
}

static void test_evidence_is_bounded_and_the_newest_stays(void **state)
{
    (void)state;
    for (int i = 0; i < MANY; i++)
        offer(&ann, NOON, "2026-07-04T12:00:00Z",
              mgi_arena_printf(&arena, "{\"pred\":\"seen\",\"args\":[\"n%d\"]}", i));
    struct macro m = definition(&ann, NOON);
    assert_int_equal(m.evidence_count, EVIDENCE_LIVE_MAX);
    struct told t;
    struct macro_entry entry;
    enum macro_found found;
    assert_int_equal(mgi_store_macro_get(&store, mgi_principal_key(&ann), m.evidence[0].told, NOON,
                                         &arena, &found, &entry),
                     STORE_OK);
    assert_true(mgi_told_read(&arena, entry.definition, &t));
    const char *newest = mgi_arena_printf(&arena, "n%d", MANY - 1);
    assert_true(str_is(mgi_json_pointer_get(t.facts, STR_LIT("/0/args/0"))->string, newest));
}

static void test_the_same_again_leaves_nothing_new(void **state)
{
    (void)state;
    for (int i = 0; i < 5; i++)
        offer(&ann, NOON + i, "2026-07-04T12:00:00Z", SEEN);
    assert_int_equal(definition(&ann, NOON).evidence_count, 1);
}

/* What "now" meant is kept with the facts that say it, and with no others. */
static void test_now_is_when_it_was_told(void **state)
{
    (void)state;
    offer(&ann, NOON, "2026-07-04T12:00:00Z",
          "{\"pred\":\"seen\",\"args\":[\"dated\"]},"
          "{\"pred\":\"recent\",\"args\":[],\"t\":{\"at\":\"now\"}}");
    assert_int_equal(standing(&ann, NOON + NS_PER_SEC, NULL), STANDING_HOLDS);
    for (int i = 0; i < 5; i++) /* a word like any other */
        offer(&ann, NOON + i, mgi_arena_printf(&arena, "2026-07-04T12:00:0%dZ", i),
              "{\"pred\":\"seen\",\"args\":[\"now\"]}");
    assert_int_equal(definition(&ann, NOON).evidence_count, 2);
}

static void test_a_permission_that_is_gone_is_an_unknown_tool(void **state)
{
    static const char private[] = "{\"pred\":\"seen\",\"args\":[\"private\"]}";
    (void)state;
    offer(&ann_with_more, NOON, "2026-07-04T12:00:00Z", private);
    assert_int_equal(standing(&ann_with_more, NOON, NULL), STANDING_HOLDS);
    assert_int_equal(standing(&ann, NOON, NULL), STANDING_UNKNOWN);
}

static void test_consent_that_was_waived_is_asked_for_once_it_is_not(void **state)
{
    static const char careful[] = "{\"pred\":\"seen\",\"args\":[\"careful\"]}";
    bool confirm;
    (void)state;
    offer(&ann_by_robot, NOON, "2026-07-04T12:00:00Z", careful);
    assert_int_equal(standing(&ann_by_robot, NOON, &confirm), STANDING_HOLDS);
    assert_false(confirm);
    assert_int_equal(standing(&ann, NOON, &confirm), STANDING_HOLDS);
    assert_true(confirm);
}

/* 48 bits of an id can be made to meet: another composition takes the place with nothing of what
 * stood for the first. */
static void test_one_id_of_two_digests_shares_no_evidence(void **state)
{
    (void)state;
    offer(&ann, NOON, "2026-07-04T12:00:00Z", SEEN);
    struct macro m = definition(&ann, NOON);
    assert_int_equal(m.digest.len, 64);
    assert_true(memcmp(m.macro_id.ptr + m.macro_id.len - 12, m.digest.ptr, 12) == 0);
    m.digest = STR_LIT("another");
    struct buf text = { 0 };
    mgi_macro_write(&text, &m);
    struct macro_entry forged = { mgi_buf_view(&text), INT64_MIN, INT64_MAX, NULL };
    assert_int_equal(
        mgi_store_macro_put(&store, mgi_principal_key(&ann), macro_id, &forged, NOON, NOON + HOURS),
        STORE_OK);
    mgi_buf_fini(&text);
    assert_int_not_equal(standing(&ann, NOON, NULL), STANDING_HOLDS);
    offer(&ann, NOON + 1, "2026-07-04T12:00:01Z", SEEN ",{\"pred\":\"seen\",\"args\":[\"b\"]}");
    assert_int_equal(definition(&ann, NOON + 1).evidence_count, 1);
    assert_int_equal(standing(&ann, NOON + 1, NULL), STANDING_HOLDS);
}

static void test_only_facts_that_steer_are_kept(void **state)
{
    struct macro_entry entry;
    enum macro_found found;
    struct told t;
    (void)state;
    assert_true(snapshot->steering_reads_time);
    offer(&ann, NOON, "2026-07-04T12:00:00Z",
          "{\"pred\":\"disclosure_upgrade\",\"args\":[\"x\"]},"
          "{\"pred\":\"noise\",\"args\":[\"n\"]}," SEEN);
    struct macro m = definition(&ann, NOON);
    assert_int_equal(mgi_store_macro_get(&store, mgi_principal_key(&ann), m.evidence[0].told, NOON,
                                         &arena, &found, &entry),
                     STORE_OK);
    assert_int_equal(found, MACRO_FOUND);
    assert_true(mgi_told_read(&arena, entry.definition, &t));
    assert_int_equal(t.facts->count, 2);
    for (size_t len = 0; len < entry.definition.len; len++) { /* cut anywhere: not believed */
        struct told cut;
        assert_false(mgi_told_read(&arena, (struct str){ entry.definition.ptr, len }, &cut));
    }
}

static void test_what_nobody_knows_any_more_is_an_unknown_tool(void **state)
{
    (void)state;
    offer(&ann, NOON, "2026-07-04T12:00:00Z", SEEN);
    struct macro m = definition(&ann, NOON);
    struct macro_entry gone = { STR_LIT("no text of ours"), INT64_MIN, INT64_MAX, NULL };
    assert_int_equal(mgi_store_macro_put(&store, mgi_principal_key(&ann), m.evidence[0].told, &gone,
                                         NOON, NOON + HOURS),
                     STORE_OK);
    assert_int_equal(standing(&ann, NOON, NULL), STANDING_UNKNOWN);
}

/* What only a trusted caller's word makes true is made true again by it, and by no other's. */
static void test_what_rests_on_a_trusted_word_stands_on_it_again(void **state)
{
    static const struct str may[] = { { "intent:*", 8 }, { "vouch", 5 } };
    const struct principal desk = { .kind = PRINCIPAL_LOCAL,
                                    .identity = STR_LIT("local"),
                                    .permissions = may,
                                    .permission_count = 2 };
    struct principal visitor = desk;
    struct snapshot *others = snapshot;
    (void)state;
    visitor.permission_count = 1;
    snapshot = unit_load(MGI_SOURCE_DIR "/tests/domains/trust", NULL);
    assert_non_null(snapshot);
    intent = "release";
    offer(&desk, NOON, "2026-07-04T12:00:00Z", "{\"pred\":\"reviewed\",\"args\":[\"b1\"]}");
    assert_true(mgi_str_starts(macro_id, STR_LIT("deploy-")));
    assert_int_equal(standing(&desk, NOON, NULL), STANDING_HOLDS);
    assert_int_equal(standing(&visitor, NOON, NULL), STANDING_UNKNOWN);
    intent = "go";
    new_worker(); /* the old one holds the snapshot */
    mgi_snapshot_unref(snapshot);
    snapshot = others;
}

/* ---- what a worker remembers ------------------------------------------------------------------
 */

static int open_remembering(void **state)
{
    new_worker();
    mgi_intent_worker_asks_always(worker, false);
    return open_store(state);
}

/* Without what the rules were told, so that only memory can say that it stands. */
static void forget_told(const struct principal *who)
{
    struct macro m = definition(who, NOON);
    struct macro_entry gone = { STR_LIT("no text of ours"), INT64_MIN, INT64_MAX, NULL };
    for (size_t i = 0; i < m.evidence_count; i++)
        assert_int_equal(mgi_store_macro_put(&store, mgi_principal_key(who), m.evidence[i].told,
                                             &gone, NOON, NOON + 24 * HOURS),
                         STORE_OK);
}

static void test_what_was_offered_here_stands_within_its_window_without_the_rules(void **state)
{
    (void)state;
    offer(&ann, NOON, "2026-07-04T12:00:00Z", SEEN);
    forget_told(&ann);
    struct macro m = definition(&ann, NOON);
    assert_int_equal(standing_of(&m, &ann, NOON), STANDING_HOLDS);
    int64_t kept_ns = snapshot->settings.cache_ms * 1000000;
    assert_int_equal(standing_of(&m, &ann, NOON + kept_ns - 1), STANDING_HOLDS);
    assert_int_not_equal(standing_of(&m, &ann, NOON + kept_ns), STANDING_HOLDS); /* nor elsewhere */
    assert_int_not_equal(standing_of(&m, &ann, NOON - 1),
                         STANDING_HOLDS); /* it says nothing of before */
}

static void test_a_window_ends_what_is_remembered(void **state)
{
    (void)state;
    offer(&ann, NOON, "2026-07-04T12:00:00Z", /* until the freeze */
          SEEN ",{\"pred\":\"freeze\",\"args\":[],\"t\":{\"start\":\"2026-07-04T12:05:00Z\","
               "\"end\":\"2026-07-04T14:00:00Z\"}}");
    forget_told(&ann);
    struct macro m = definition(&ann, NOON);
    struct evidence open = m.evidence[0]; /* so that nothing else ends it */
    int64_t end_ns = open.expires_ns;
    assert_in_range(end_ns, NOON + 1, NOON + 5 * HOURS / 60);
    open.expires_ns = INT64_MAX;
    m.evidence = &open;
    assert_int_equal(standing_of(&m, &ann, end_ns - 1), STANDING_HOLDS);
    assert_int_not_equal(standing_of(&m, &ann, end_ns), STANDING_HOLDS);
}

static void test_nothing_is_remembered_for_another_caller(void **state)
{
    (void)state;
    offer(&ann, NOON, "2026-07-04T12:00:00Z", SEEN);
    forget_told(&ann);
    struct macro m = definition(&ann, NOON);
    assert_int_equal(standing_of(&m, &ann_with_more, NOON), STANDING_UNKNOWN);
}

/* What the operator waived is asked for at each invocation, and is not remembered. */
static void test_nothing_is_remembered_for_automated_callers(void **state)
{
    (void)state;
    offer(&ann_by_robot, NOON, "2026-07-04T12:00:00Z", SEEN);
    forget_told(&ann_by_robot);
    assert_int_equal(standing(&ann_by_robot, NOON, NULL), STANDING_UNKNOWN);
}

/* Tables and settings may be others under the same rules. */
static void test_nothing_is_remembered_of_another_snapshot(void **state)
{
    struct buf findings = { 0 };
    struct snapshot *old = snapshot;
    (void)state;
    offer(&ann, NOON, "2026-07-04T12:00:00Z", SEEN);
    forget_told(&ann);
    snapshot = temp_load(&domain, NULL, false, &findings);
    assert_non_null(snapshot);
    mgi_buf_fini(&findings);
    assert_int_equal(standing(&ann, NOON, NULL), STANDING_UNKNOWN);
    mgi_snapshot_unref(old);
}

/* The oldest gives way. */
static void test_what_is_remembered_is_bounded(void **state)
{
    (void)state;
    offer(&ann, NOON, "2026-07-04T12:00:00Z", SEEN);
    struct str first = macro_id;
    for (int i = 0; i < OFFERS_KEPT - 1; i++)
        offer(&ann, NOON, "2026-07-04T12:00:00Z", SEEN);
    macro_id = first;
    forget_told(&ann);
    assert_int_equal(standing(&ann, NOON, NULL), STANDING_HOLDS);
    for (int i = 0; i < OFFERS_KEPT; i++) {
        mgi_arena_reset(&arena);
        offer(&ann, NOON, "2026-07-04T12:00:00Z", "{\"pred\":\"seen\",\"args\":[\"b\"]}");
    }
    struct macro m = definition(&ann, NOON);
    assert_int_equal(m.evidence_count, 2);
    m.evidence++; /* the older */
    m.evidence_count = 1;
    assert_int_equal(standing_of(&m, &ann, NOON), STANDING_UNKNOWN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_what_is_prohibited_now_does_not_stand, open_store,
                                        close_store),
        cmocka_unit_test_setup_teardown(test_a_what_if_takes_no_place_from_what_stands, open_store,
                                        close_store),
        cmocka_unit_test_setup_teardown(test_a_what_if_is_kept_no_longer_than_the_cache_time,
                                        open_store, close_store),
        cmocka_unit_test_setup_teardown(test_evidence_is_bounded_and_the_newest_stays, open_store,
                                        close_store),
        cmocka_unit_test_setup_teardown(test_the_same_again_leaves_nothing_new, open_store,
                                        close_store),
        cmocka_unit_test_setup_teardown(test_now_is_when_it_was_told, open_store, close_store),
        cmocka_unit_test_setup_teardown(test_a_permission_that_is_gone_is_an_unknown_tool,
                                        open_store, close_store),
        cmocka_unit_test_setup_teardown(test_consent_that_was_waived_is_asked_for_once_it_is_not,
                                        open_store, close_store),
        cmocka_unit_test_setup_teardown(test_one_id_of_two_digests_shares_no_evidence, open_store,
                                        close_store),
        cmocka_unit_test_setup_teardown(test_only_facts_that_steer_are_kept, open_store,
                                        close_store),
        cmocka_unit_test_setup_teardown(test_what_nobody_knows_any_more_is_an_unknown_tool,
                                        open_store, close_store),
        cmocka_unit_test_setup_teardown(test_what_rests_on_a_trusted_word_stands_on_it_again,
                                        open_store, close_store),
        cmocka_unit_test_setup_teardown(
            test_what_was_offered_here_stands_within_its_window_without_the_rules, open_remembering,
            close_store),
        cmocka_unit_test_setup_teardown(test_a_window_ends_what_is_remembered, open_remembering,
                                        close_store),
        cmocka_unit_test_setup_teardown(test_nothing_is_remembered_for_another_caller,
                                        open_remembering, close_store),
        cmocka_unit_test_setup_teardown(test_nothing_is_remembered_for_automated_callers,
                                        open_remembering, close_store),
        cmocka_unit_test_setup_teardown(test_nothing_is_remembered_of_another_snapshot,
                                        open_remembering, close_store),
        cmocka_unit_test_setup_teardown(test_what_is_remembered_is_bounded, open_remembering,
                                        close_store),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests_name("intent/standing", tests, set_up, tear_down);
}
