/* The answer of an evaluation, member by member: what scenarios cannot see. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <time.h>

#include "domains/unit.h"
#include "intent/intent.h"
#include "macro/macro.h"

static struct snapshot *snapshot;
static struct intent_worker *worker;
static struct arena arena;
static const struct principal local = { .kind = PRINCIPAL_LOCAL, .identity = { "local", 5 } };

static int64_t mono(void *context)
{
    struct timespec t;
    (void)context;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static int set_up(void **state)
{
    (void)state;
    mgi_arena_init(&arena, 0);
    snapshot = unit_load(UNIT_FOLDER, NULL);
    worker = mgi_intent_worker_new();
    return snapshot && worker ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    mgi_intent_worker_free(worker);
    mgi_snapshot_unref(snapshot);
    mgi_arena_fini(&arena);
    return 0;
}

struct asked {
    bool ok;
    struct str text; /* payload, or details of the error */
    struct json root;
    struct wire_error e;
};

static struct asked ask_as(const struct principal *who, const struct store *store, const char *text)
{
    struct asked a = { .e = { .retry_after_ms = -1 } };
    struct json payload;
    struct buf out = { 0 };
    assert_int_equal(mgi_json_parse(&arena, str_of(text), NULL, &payload, NULL), JSON_OK);
    struct intent_call call = { .snapshot = snapshot,
                                .who = who,
                                .payload = &payload,
                                .clock_ns = 1000,
                                .mono = mono,
                                .store = store };
    a.ok = mgi_intent_evaluate(worker, &call, &arena, &out, &a.e);
    a.text = a.ok ? mgi_arena_str(&arena, mgi_buf_view(&out)) : a.e.details;
    mgi_buf_fini(&out);
    if (a.text.len > 0)
        assert_int_equal(mgi_json_parse(&arena, a.text, NULL, &a.root, NULL), JSON_OK);
    return a;
}

static struct asked ask(const char *text)
{
    return ask_as(&local, NULL, text);
}

static const struct json *at(const struct asked *a, const char *pointer)
{
    const struct json *v = mgi_json_pointer_get(&a->root, str_of(pointer));
    if (!v)
        fail_msg("nothing at %s in %.*s", pointer, STR_ARG(a->text));
    return v;
}

/* Exactly these members, comma separated, in this order. */
static void expect_members(const struct json *object, const char *expected)
{
    struct buf names = { 0 };
    for (uint32_t i = 0; i < object->count; i++) {
        mgi_buf_puts(&names, i ? "," : "");
        mgi_buf_str(&names, object->members[i].name);
    }
    assert_string_equal(names.ptr, expected);
    mgi_buf_fini(&names);
}

struct costs_seen {
    int count;
    int64_t stages_ns[INTENT_STAGES], sum_ns, derived;
    char intent[32];
};

static void see_costs(void *context, const struct intent_costs *costs)
{
    struct costs_seen *seen = context;
    seen->count++;
    seen->sum_ns = seen->derived = 0;
    for (int i = 0; i < INTENT_STAGES; i++)
        seen->sum_ns += seen->stages_ns[i] = costs->stages_ns[i];
    for (size_t i = 0; i < mangle_program_rule_count(costs->snapshot->program); i++)
        seen->derived += mangle_profile_rule(costs->profile, i).derived;
    snprintf(seen->intent, sizeof seen->intent, "%.*s", STR_ARG(costs->intent));
}

/* A clock that goes on by one whenever somebody looks. */
static int64_t count_looks(void *context)
{
    return ++*(int64_t *)context;
}

static int64_t looks_at(const char *text, struct costs_seen *seen)
{
    struct json payload;
    struct buf out = { 0 };
    struct wire_error e = { .retry_after_ms = -1 };
    int64_t looks = 0;
    assert_int_equal(mgi_json_parse(&arena, str_of(text), NULL, &payload, NULL), JSON_OK);
    struct intent_call call = { .snapshot = snapshot,
                                .who = &local,
                                .payload = &payload,
                                .clock_ns = 1000,
                                .mono = count_looks,
                                .mono_context = &looks,
                                .costs = seen ? see_costs : NULL,
                                .costs_context = seen };
    mgi_intent_evaluate(worker, &call, &arena, &out, &e);
    mgi_buf_fini(&out);
    return looks;
}

static void test_costs_are_told_by_stage_and_rule(void **state)
{
    static const char plain[] = "{\"intent\":{\"name\":\"fx.rank\"}}";
    static const char proof[] = "{\"intent\":{\"name\":\"fx.rank\"},\"options\":{"
                                "\"include_proof_hints\":true}}";
    struct costs_seen seen = { 0 }, again = { 0 };
    (void)state;
    int64_t unasked = looks_at(plain, NULL);
    int64_t asked = looks_at(plain, &seen);
    assert_true(asked > unasked); /* whoever does not ask pays for no clock */
    assert_int_equal(looks_at(plain, NULL), unasked);
    assert_int_equal(seen.count, 1);
    assert_string_equal(seen.intent, "fx.rank");
    assert_true(seen.derived > 0);
    assert_true(seen.sum_ns > 0 && seen.sum_ns < asked);
    for (int i = 0; i < INTENT_STAGES; i++)
        assert_int_equal(seen.stages_ns[i] > 0, i != INTENT_PROOF);
    looks_at(proof, &again);
    assert_true(again.stages_ns[INTENT_PROOF] > 0);
    assert_int_equal(again.derived, seen.derived);           /* of that evaluation alone */
    looks_at("{\"intent\":{\"name\":\"fx.echo\"}}", &again); /* facts are missing */
    assert_true(again.count <= 2);
    assert_string_equal(mgi_intent_stage_name(INTENT_WINDOW), "window");
}

static void test_a_level_shows_its_members_and_no_others(void **state)
{
    struct asked a = ask("{\"intent\":{\"name\":\"fx.rank\"}}");
    (void)state;
    assert_true(a.ok);
    expect_members(at(&a, "/macro_tools/0"), "macro_id,name,disclosure_level,description,"
                                             "input_schema,safety,metadata"); /* P-DISC-LVL-2 */
    expect_members(at(&a, "/macro_tools/3"),
                   "macro_id,name,disclosure_level,description,metadata");      /* P-DISC-LVL-3 */
    expect_members(at(&a, "/macro_tools/8"), "macro_id,name,disclosure_level"); /* P-DISC-LVL-4 */
    expect_members(at(&a, "/macro_tools/0/safety"),
                   "requires_user_confirmation,side_effects,reversible,idempotent");
    assert_true(str_is(at(&a, "/macro_tools/0/safety/side_effects/0")->string, "none")); /* D-39 */
    assert_null(mgi_json_get(&a.root, "proof_hints"));                     /* P-PROOF-2 */
    assert_int_equal(at(&a, "/diagnostics/phases_completed")->integer, 6); /* P-EVAL-18 */
    assert_true(
        str_is(at(&a, "/eval_time_used")->string, "1970-01-01T00:00:00.000001Z")); /* P-TIME-15 */
    assert_true(at(&a, "/eval_duration_ms")->integer >= 0);                        /* P-EVAL-13 */
}

/* "a,b,c" of metadata.source_rules of tool `i`; "-": it has none. */
static const char *source_rules(const struct asked *a, int i)
{
    static char text[256];
    char where[64];
    snprintf(where, sizeof where, "/macro_tools/%d/metadata/source_rules", i);
    const struct json *rules = mgi_json_pointer_get(&a->root, str_of(where));
    text[0] = '\0';
    for (uint32_t k = 0; rules && k < rules->count; k++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%.*s", k ? "," : "",
                 STR_ARG(rules->items[k].string));
    return rules ? text : "-";
}

static void test_metadata_names_the_predicates_that_brought_the_tool(void **state)
{
    struct asked a = ask("{\"intent\":{\"name\":\"fx.rank\"}}");
    (void)state;
    assert_string_equal(source_rules(&a, 0), "tool_relevant_to_intent"); /* P-TOOL-19 */
    assert_string_equal(source_rules(&a, 3), "tool_relevant_to_intent"); /* condensed */
    assert_string_equal(source_rules(&a, 8), "-");                       /* P-DISC-LVL-4 */
    a = ask("{\"intent\":{\"name\":\"fx.rank\"},\"options\":{\"include_proof_hints\":true}}");
    assert_string_equal(source_rules(&a, 0), "tool_relevant_to_intent"); /* asked or not */
    a = ask("{\"intent\":{\"name\":\"fx.chain\"}}");
    assert_string_equal(source_rules(&a, 0), "mandatory_for_intent");
    assert_string_equal(source_rules(&a, 1), "tool_requires,mandatory_for_intent");
    a = ask("{\"intent\":{\"name\":\"fx.blowup\"},\"facts\":[{\"pred\":\"fx_seed\",\"args\":[1]}],"
            "\"options\":{\"disclosure_preference\":\"full\"}}");
    assert_string_equal(source_rules(&a, 0), "tool_relevant_to_intent,fx_pairs");
    a = ask(
        "{\"intent\":{\"name\":\"fx.pair\"},\"facts\":[{\"pred\":\"fx_score\",\"args\":[\"fx_a\","
        "77]}]}"); /* a score that is worked out */
    assert_string_equal(source_rules(&a, 0), "tool_relevant_to_intent");
}

static void test_names_of_rules_are_what_a_budget_takes_first(void **state)
{
    struct asked whole = ask("{\"intent\":{\"name\":\"fx.rank\"}}"), a;
    int64_t tokens = 100000;
    char request[160];
    (void)state;
    do { /* the first budget for which they do not fit */
        tokens = tokens > 2000 ? 2000 : tokens - 1;
        snprintf(request, sizeof request,
                 "{\"intent\":{\"name\":\"fx.rank\"},\"constraints\":{\"max_tokens_budget\":%d}}",
                 (int)tokens);
        a = ask(request);
        assert_true(a.ok);
    } while (strcmp(source_rules(&a, 0), "-") != 0);
    assert_true(tokens < 2000);
    const struct json *before = at(&whole, "/macro_tools"), *now = at(&a, "/macro_tools");
    assert_int_equal(now->count, before->count); /* D-33: nothing else is given up yet */
    for (uint32_t i = 0; i < now->count; i++)
        assert_true(str_eq(mgi_json_get(&now->items[i], "disclosure_level")->string,
                           mgi_json_get(&before->items[i], "disclosure_level")->string));
}

static void test_every_fault_of_the_shape_is_reported(void **state)
{
    struct asked a =
        ask("{\"intent\":{\"name\":\"\",\"params\":[]},\"facts\":{},\"eval_time\":\"_\","
            "\"constraints\":{\"max_facts_created\":0,\"max_intervals_per_atom\":-1,"
            "\"max_compute_ms\":\"5\",\"max_tools_returned\":1.5,\"max_tokens_budget\":5e2},"
            "\"options\":{\"include_proof_hints\":\"yes\",\"disclosure_preference\":\"verbose\"}}");
    (void)state;
    assert_false(a.ok);
    assert_int_equal(a.e.code, WIRE_MALFORMED_MESSAGE); /* D-2, D-27 */
    assert_int_equal(at(&a, "/violations")->count, 11);
    assert_int_equal(ask("{\"intent\":\"go\"}").e.code, WIRE_MALFORMED_MESSAGE); /* D-65 */
    assert_int_equal(ask("{}").e.code, WIRE_MALFORMED_MESSAGE);
    assert_true(
        ask("{\"intent\":{\"name\":\"x\",\"params\":null},\"facts\":null,\"constraints\":null,"
            "\"options\":null,\"eval_time\":null,\"more\":1}")
            .ok); /* D-4 */
}

static void test_faulty_facts_are_all_reported_and_nothing_is_evaluated(void **state)
{
    struct asked a =
        ask("{\"intent\":{\"name\":\"fx.echo\"},\"facts\":["
            "{\"pred\":\"fx_basic\",\"args\":[1,2]},{\"pred\":\"fx_bsic\",\"args\":[]},"
            "{\"pred\":\"fx_ban\",\"args\":[true]}]}");
    (void)state;
    assert_int_equal(a.e.code, WIRE_INVALID_FACTS);
    assert_int_equal(at(&a, "/violations")->count, 3); /* P-FACT-24 */
    assert_int_equal(at(&a, "/violations/1/fact_index")->integer, 1);
    assert_true(str_is(at(&a, "/violations/1/suggestion")->string, "fx_basic"));
    a = ask("{\"intent\":{\"name\":\"fx.echo\"}}");
    assert_int_equal(at(&a, "/violations")->count, 0); /* D-17 */
    assert_true(str_is(at(&a, "/missing_facts/0")->string, "fx_basic"));
}

static void test_a_fact_counts_once_however_often_it_is_sent(void **state)
{
    struct asked none = ask("{\"intent\":{\"name\":\"fx.chain\"}}");
    struct asked a =
        ask("{\"intent\":{\"name\":\"fx.chain\"},\"facts\":["
            "{\"pred\":\"fx_ban\",\"args\":[\"x\"]},"
            "{\"pred\":\"fx_ban\",\"named_args\":{\"tool\":\"x\"},\"category\":\"server\"},"
            "{\"pred\":\"fx_ban\",\"args\":[\"x\"],\"source\":{\"source_type\":\"x-y\"}}]}");
    (void)state;
    assert_int_equal(at(&a, "/diagnostics/facts_evaluated")->integer,
                     at(&none, "/diagnostics/facts_evaluated")->integer +
                         1); /* P-FACT-12, P-PROV-7 */
}

static void test_nothing_of_a_request_is_left_for_the_next(void **state)
{
    struct asked first = ask("{\"intent\":{\"name\":\"fx.chain\"}}");
    struct asked banned = ask("{\"intent\":{\"name\":\"fx.chain\"},\"facts\":[{\"pred\":\"fx_ban\","
                              "\"args\":[\"fx_t\"]}]}");
    struct asked again = ask("{\"intent\":{\"name\":\"fx.chain\"}}");
    (void)state;
    assert_int_equal(at(&banned, "/macro_tools")->count, 0);
    assert_int_equal(at(&again, "/macro_tools")->count, 3); /* P-EVAL-2, P-PROV-11 */
    assert_int_equal(at(&again, "/diagnostics/facts_derived")->integer,
                     at(&first, "/diagnostics/facts_derived")->integer); /* P-EVAL-3 */
}

static void test_budgets_say_what_was_allowed_and_used(void **state)
{
    struct asked a =
        ask("{\"intent\":{\"name\":\"fx.rank\"},\"constraints\":{\"max_facts_created\":10}}");
    (void)state;
    assert_int_equal(a.e.code, WIRE_DERIVATION_LIMIT_EXCEEDED); /* P-BUDGET-5 */
    assert_int_equal(at(&a, "/budget/limit")->integer, 10);     /* P-BUDGET-6 */
    assert_true(at(&a, "/budget/consumed")->integer >= 10);
    assert_true(str_is(at(&a, "/budget/unit")->string, "derived_facts"));
    assert_false(at(&a, "/partial_results_available")->boolean); /* P-ERR-9 */
    assert_true(at(&a, "/suggestion")->string.len > 0);
    assert_true(
        ask("{\"intent\":{\"name\":\"fx.rank\"},\"constraints\":{\"max_facts_created\":999999999}}")
            .ok);

    int64_t before = mono(NULL);
    a = ask("{\"intent\":{\"name\":\"fx.slow\"},\"constraints\":{\"max_compute_ms\":50}}");
    assert_int_equal(a.e.code, WIRE_EVALUATION_TIMEOUT); /* P-BUDGET-9 */
    assert_true(mono(NULL) - before < INT64_C(1000000000));
    assert_int_equal(at(&a, "/budget/limit")->integer, 50);

    a = ask("{\"intent\":{\"name\":\"fx.runaway\"}}");
    assert_int_equal(a.e.code, WIRE_INTERVAL_LIMIT_EXCEEDED); /* P-BUDGET-8 */
    assert_true(at(&a, "/hazard")->string.len > 0);           /* P-ERR-10 */
}

static void test_a_tighter_budget_only_lowers_levels_lowest_first(void **state)
{
    static const char *const levels[] = { "full", "condensed", "minimal" };
    char text[160];
    int last_sum = -1;
    (void)state;
    for (int tokens = 1200; tokens >= 0; tokens -= 20) {
        snprintf(text, sizeof text,
                 "{\"intent\":{\"name\":\"fx.rank\"},\"constraints\":{\"max_tokens_budget\":%d}}",
                 tokens);
        struct asked a = ask(text);
        const struct json *tools = at(&a, "/macro_tools");
        int sum = 0, before = 0;
        size_t bytes = 0;
        for (uint32_t i = 0; i < tools->count; i++) {
            struct str level = mgi_json_get(&tools->items[i], "disclosure_level")->string;
            int k = 0;
            while (!str_is(level, levels[k]))
                k++;
            assert_true(k >= before); /* the best keep most */
            before = k;
            sum += 3 - k;
            bytes += (tools->items[i].text.len + 3) / 4;
        }
        assert_true(bytes <= (size_t)tokens);         /* P-TOKEN-1, P-BUDGET-1 */
        assert_true(last_sum < 0 || sum <= last_sum); /* P-TOKEN-2 */
        last_sum = sum;
    }
    assert_int_equal(last_sum, 0);
}

static void test_context_goes_before_detail(void **state)
{
    struct asked a = ask(
        "{\"intent\":{\"name\":\"fx.skill\"},\"facts\":[{\"pred\":\"fx_needs_skill\",\"args\":[]}],"
        "\"constraints\":{\"max_tokens_budget\":190}}");
    (void)state;
    const struct json *skill = at(&a, "/macro_tools/0/context_injection/skills/0");
    assert_false(mgi_json_get(skill, "inline")->boolean); /* P-TOKEN-4 */
    assert_non_null(mgi_json_get(skill, "description"));  /* D-66 */
    assert_null(mgi_json_get(skill, "content"));          /* P-SKILL-7 */
    assert_true(str_is(at(&a, "/required_skills/0/skill_id")->string, "fx-guide"));
    const struct json *resources = mgi_json_pointer_get(
        &a.root, STR_LIT("/macro_tools/0/context_injection/context_resources"));
    if (resources) /* the more important one is dropped last (P-TOKEN-5) */
        assert_true(
            str_is(mgi_json_get(&resources->items[0], "uri")->string, "file://guide/first.md"));
}

static void test_an_upgrade_shows_one_tool_in_full(void **state)
{
    struct asked plain = ask("{\"intent\":{\"name\":\"fx.rank\"}}");
    char text[256];
    (void)state;
    struct str id = at(&plain, "/macro_tools/8/macro_id")->string; /* score 20, minimal */
    snprintf(text, sizeof text,
             "{\"intent\":{\"name\":\"fx.rank\"},\"facts\":[{\"pred\":\"disclosure_upgrade\","
             "\"args\":[\"%.*s\"]},"
             "{\"pred\":\"disclosure_upgrade\",\"args\":[\"unknown\"]}]}",
             STR_ARG(id));
    struct asked a = ask(text);
    assert_true(
        str_is(at(&a, "/macro_tools/8/disclosure_level")->string, "full")); /* P-DISC-LVL-10 */
    assert_true(str_eq(at(&a, "/macro_tools/8/macro_id")->string, id));     /* D-36 */
    for (int i = 0; i < 8; i++) {
        char pointer[64];
        snprintf(pointer, sizeof pointer, "/macro_tools/%d/disclosure_level", i);
        assert_true(str_eq(at(&a, pointer)->string, at(&plain, pointer)->string));
    }
}

static void test_an_id_depends_on_what_the_tool_is_made_of(void **state)
{
    struct asked a = ask("{\"intent\":{\"name\":\"fx.variant\"}}");
    struct asked same =
        ask("{\"intent\":{\"name\":\"fx.variant\"},\"eval_time\":\"2030-01-01T00:00:00Z\","
            "\"facts\":[{\"pred\":\"fx_unused\",\"args\":[1]}],"
            "\"options\":{\"disclosure_preference\":\"minimal\"}}");
    struct asked other = ask("{\"intent\":{\"name\":\"fx.variant\"},\"facts\":[{\"pred\":\"fx_"
                             "wants\",\"args\":[\"second\"]}]}");
    struct str id = at(&a, "/macro_tools/0/macro_id")->string;
    (void)state;
    assert_true(mgi_str_starts(id, STR_LIT("fx-variant-")));
    assert_int_equal(id.len, strlen("fx-variant-") + 12);                    /* D-38 */
    assert_true(str_eq(id, at(&same, "/macro_tools/0/macro_id")->string));   /* P-TOOL-2 */
    assert_false(str_eq(id, at(&other, "/macro_tools/0/macro_id")->string)); /* P-TOOL-3 */
}

static void test_definitions_go_to_the_store_and_come_back(void **state)
{
    struct store memory, *store = &memory;
    assert_true(mgi_store_memory(1 << 20, store));
    struct asked a =
        ask_as(&local, store,
               "{\"intent\":{\"name\":\"fx.variant\"},\"facts\":[{\"pred\":\"fx_wants\","
               "\"args\":[\"second\"]}]}");
    struct macro_entry entry;
    enum macro_found found;
    struct macro m;
    (void)state;
    struct str id = at(&a, "/macro_tools/0/macro_id")->string;
    struct str key = mgi_principal_key(&local);
    assert_int_equal(mgi_store_macro_get(store, key, id, 2000, &arena, &found, &entry), STORE_OK);
    assert_int_equal(found, MACRO_FOUND);
    assert_true(mgi_macro_read(&arena, entry.definition, &m));
    assert_true(str_eq(m.macro_id, id));
    assert_true(str_is(m.tool, "fx_variant"));
    assert_true(str_is(m.intent, "fx.variant"));
    assert_int_equal(m.step_count, 2);
    assert_int_equal(m.bound_count, 1);
    assert_true(str_is(m.bound[0].value.string, "long"));
    assert_false(m.requires_confirmation);
    assert_int_equal(m.expires_ns, INT64_MAX);
    assert_true(str_eq(m.rules_version, snapshot->rules_version));
    struct buf again = { 0 };
    mgi_macro_write(&again, &m);
    assert_true(str_eq(mgi_buf_view(&again), entry.definition));
    /* Without a window it is kept five minutes (P-CACHE-3), and is another caller's to nobody. */
    int64_t minutes = INT64_C(60000000000);
    assert_int_equal(mgi_store_macro_get(store, key, id, 4 * minutes, &arena, &found, &entry),
                     STORE_OK);
    assert_int_equal(found, MACRO_FOUND);
    assert_int_equal(mgi_store_macro_get(store, STR_LIT("eve"), id, 2000, &arena, &found, &entry),
                     STORE_OK);
    assert_int_equal(found, MACRO_NOT_FOUND);
    for (size_t len = 0; len < again.len; len++) { /* cut anywhere: refused, not believed */
        struct macro cut;
        assert_false(mgi_macro_read(&arena, (struct str){ again.ptr, len }, &cut));
    }
    mgi_buf_fini(&again);
    mgi_store_close(store);
}

static void test_hints_explain_and_give_nothing_away(void **state)
{
    static const struct str all[] = { { "intent:*", 8 } };
    const struct principal eve = {
        .kind = PRINCIPAL_KNOWN, .identity = { "eve", 3 }, .permissions = all, .permission_count = 1
    };
    struct asked a = ask_as(
        &eve, NULL,
        "{\"intent\":{\"name\":\"fx.recent\"},\"eval_time\":\"2026-02-19T14:31:00Z\",\"facts\":"
        "[{\"pred\":\"fx_event\",\"args\":[\"e\",\"x\"],\"t\":{\"at\":\"2026-02-19T14:30:00Z\"}},"
        "{\"pred\":\"fx_unused\",\"args\":[1]}],\"options\":{\"include_proof_hints\":true}}");
    (void)state;
    assert_int_equal(at(&a, "/proof_hints/derivations")->count, 1); /* P-PROOF-3 */
    assert_true(str_eq(at(&a, "/proof_hints/derivations/0/macro_id")->string,
                       at(&a, "/macro_tools/0/macro_id")->string));
    assert_true(
        str_is(at(&a, "/proof_hints/derivations/0/supporting_facts/0/pred")->string, "fx_event"));
    assert_true(str_is(at(&a, "/proof_hints/derivations/0/supporting_facts/0/t/at")->string,
                       "2026-02-19T14:30:00Z"));
    assert_true(str_is(at(&a, "/proof_hints/derivations/0/rule_chain/0")->string,
                       "tool_relevant_to_intent")); /* P-PROOF-5 */
    assert_true(str_is(at(&a, "/proof_hints/derivations/0/tree/children/0/children/0/type")->string,
                       "session")); /* P-PROOF-7, D-62 */
    assert_true(
        str_is(at(&a, "/proof_hints/unmatched_facts/0/pred")->string, "fx_unused")); /* P-PROOF-8 */

    a = ask_as(&eve, NULL,
               "{\"intent\":{\"name\":\"fx.secret\"},\"options\":{\"include_proof_hints\":true}}");
    static const char *const hidden[] = { "fx_secret", "privileged", "prohibited", ":-", "policy" };
    for (size_t i = 0; i < 5; i++) /* P-PROOF-4, P-ENUM-4, D-35 */
        if (mgi_str_find(a.text, str_of(i == 0 ? "\"fx_secret\"" : hidden[i])) != SIZE_MAX)
            fail_msg("%s is in %.*s", hidden[i], STR_ARG(a.text));
}

static void test_equal_requests_have_equal_answers(void **state)
{
    static const char text[] = "{\"intent\":{\"name\":\"fx.echo\"},\"facts\":["
                               "{\"pred\":\"fx_basic\",\"args\":[\"b\",77,true,{\"k\":1,\"l\":2}]},"
                               "{\"pred\":\"fx_basic\",\"args\":[\"a\",77,false,[1]]}],"
                               "\"options\":{\"include_proof_hints\":true}}";
    static const char turned[] =
        "{\"options\":{\"include_proof_hints\":true},\"facts\":["
        "{\"args\":[\"a\",77,false,[1]],\"pred\":\"fx_basic\"},"
        "{\"pred\":\"fx_basic\",\"args\":[\"b\",77,true,{\"l\":2,\"k\":1}]}],"
        "\"intent\":{\"name\":\"fx.echo\"}}";
    (void)state;
    struct intent_worker *other = mgi_intent_worker_new();
    struct str first = { 0 };
    for (int i = 0; i < 20; i++) { /* P-DET-1..3, P-DET-6, P-CONTRACT-13 */
        struct json payload;
        struct buf out = { 0 };
        struct wire_error e = { 0 };
        assert_int_equal(
            mgi_json_parse(&arena, str_of(i % 2 ? turned : text), NULL, &payload, NULL), JSON_OK);
        struct intent_call call = { .snapshot = snapshot, .who = &local, .payload = &payload };
        assert_true(mgi_intent_evaluate(i % 3 ? worker : other, &call, &arena, &out, &e));
        if (i == 0)
            first = mgi_arena_str(&arena, mgi_buf_view(&out));
        assert_true(str_eq(first, mgi_buf_view(&out)));
        mgi_buf_fini(&out);
    }
    mgi_intent_worker_free(other);
}

static void test_settings_move_the_cut_offs(void **state)
{
    static const char *const set[] = { "disclosure.full=90", "disclosure.condensed=60",
                                       "disclosure.minimal=30", "coverage=true", NULL };
    struct snapshot *kept = snapshot;
    (void)state;
    snapshot = unit_load(UNIT_FOLDER, set);
    assert_non_null(snapshot);
    struct asked a = ask("{\"intent\":{\"name\":\"fx.rank\"}}");
    assert_int_equal(at(&a, "/macro_tools")->count, 7); /* P-DISC-LVL-8 */
    assert_true(str_is(at(&a, "/macro_tools/1/disclosure_level")->string, "condensed"));
    const struct json *coverage = at(&a, "/diagnostics/rule_coverage"); /* P-COV-5 */
    assert_int_equal(mgi_json_get(coverage, "total_rules")->integer,
                     mgi_json_get(coverage, "rules_fired")->integer +
                         mgi_json_get(coverage, "rules_dormant")->integer +
                         mgi_json_get(coverage, "rules_inapplicable")->integer);
    assert_true(mgi_json_get(coverage, "rules_dormant")->integer > 0);
    mgi_intent_worker_free(worker);
    worker = mgi_intent_worker_new();
    mgi_snapshot_unref(snapshot);
    snapshot = kept;
}

static bool always(void *context)
{
    (void)context;
    return true;
}

static void test_a_cancelled_evaluation_ends(void **state)
{
    struct json payload;
    struct buf out = { 0 };
    struct wire_error e = { 0 };
    (void)state;
    assert_int_equal(mgi_json_parse(&arena, STR_LIT("{\"intent\":{\"name\":\"fx.slow\"}}"), NULL,
                                    &payload, NULL),
                     JSON_OK);
    struct intent_call call = {
        .snapshot = snapshot, .who = &local, .payload = &payload, .cancelled = always
    };
    assert_false(mgi_intent_evaluate(worker, &call, &arena, &out, &e));
    assert_int_equal(e.code, WIRE_CANCELLED); /* P-CONC-6 */
    mgi_buf_fini(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_costs_are_told_by_stage_and_rule),
        cmocka_unit_test(test_a_level_shows_its_members_and_no_others),
        cmocka_unit_test(test_metadata_names_the_predicates_that_brought_the_tool),
        cmocka_unit_test(test_names_of_rules_are_what_a_budget_takes_first),
        cmocka_unit_test(test_every_fault_of_the_shape_is_reported),
        cmocka_unit_test(test_faulty_facts_are_all_reported_and_nothing_is_evaluated),
        cmocka_unit_test(test_a_fact_counts_once_however_often_it_is_sent),
        cmocka_unit_test(test_nothing_of_a_request_is_left_for_the_next),
        cmocka_unit_test(test_budgets_say_what_was_allowed_and_used),
        cmocka_unit_test(test_a_tighter_budget_only_lowers_levels_lowest_first),
        cmocka_unit_test(test_context_goes_before_detail),
        cmocka_unit_test(test_an_upgrade_shows_one_tool_in_full),
        cmocka_unit_test(test_an_id_depends_on_what_the_tool_is_made_of),
        cmocka_unit_test(test_definitions_go_to_the_store_and_come_back),
        cmocka_unit_test(test_hints_explain_and_give_nothing_away),
        cmocka_unit_test(test_equal_requests_have_equal_answers),
        cmocka_unit_test(test_settings_move_the_cut_offs),
        cmocka_unit_test(test_a_cancelled_evaluation_ends),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests_name("intent/evaluate", tests, set_up, tear_down);
}
