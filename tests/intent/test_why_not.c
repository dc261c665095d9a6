/* Why a tool did not come out: the phase that lost it, with its rule and facts, and the smallest
 * sets of facts that would have brought it. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <time.h>

#include <time.h>

#include "intent/why_domain.h"

static int64_t elapsed_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static const char *const ab[] = { "a", "b", NULL };

#define ASK(facts)      "{\"intent\":{\"name\":\"go\"},\"facts\":[" facts "]}"
#define FACT(pred, ...) "{\"pred\":\"" pred "\",\"args\":[" #__VA_ARGS__ "]}"

static struct json why_one(struct why_domain *d, const struct why_options *o, const char *payload,
                           const char *tools)
{
    struct json answer, why;
    struct wire_error e;
    if (!why_ask(d, o, payload, tools, &answer, &why, &e))
        fail_msg("%s %.*s", e.message, STR_ARG(e.details));
    return why;
}

static void expect_json(const struct json *root, const char *pointer, const char *expected)
{
    struct buf text = { 0 };
    const struct json *v = mgi_json_pointer_get(root, str_of(pointer));
    if (!v)
        fail_msg("there is no %s in %.*s", pointer, STR_ARG(root->text));
    mgi_json_canonical(&text, v);
    if (strcmp(text.ptr, expected) != 0)
        fail_msg("%s is %s, not %s, in %.*s", pointer, text.ptr, expected, STR_ARG(root->text));
    mgi_buf_fini(&text);
}

/* One domain, one request, one tool "b": phase and changes of the answer. */
struct row {
    const char *what, *schema, *domain, *policy, *payload;
    const char *phase;   /* of the first reason */
    const char *rule;    /* canonical JSON of its rule, or NULL */
    const char *by;      /* or NULL */
    const char *changes; /* canonical JSON */
};

static const char seen[] =
    "Decl seen(What) descr [direction(\"input\")] bound [/string].\n"
    "Decl level(What, N) descr [direction(\"input\")] bound [/string, /number].\n"
    "Decl ban(What) descr [direction(\"input\")] bound [/string].\n"
    "Decl event(What) temporal descr [direction(\"input\")] bound [/string].\n";

#define RULE(name, file, line) "{\"file\":\"" file "\",\"line\":" line ",\"name\":\"" name "\"}"
#define ADD(fact)              "{\"add\":[" fact "],\"remove\":[]}"
#define REMOVE(fact)           "{\"add\":[],\"remove\":[" fact "]}"
#define CANON(pred, ...)       "{\"args\":[" #__VA_ARGS__ "],\"pred\":\"" pred "\"}"
#define LEVEL(n)               "{\"args\":[\"door\"," n "],\"pred\":\"level\"}"
#define FOR_B(body)            "tool_relevant_to_intent(\"b\", \"go\", 90)" body ".\n"

static const struct row rows[] = {
    { "one fact is missing", seen, FOR_B(" :- seen(\"door\")"), "", ASK(""), "candidate",
      RULE("tool_relevant_to_intent", "rules/domain/d.mg", "1"), NULL,
      "[" ADD(CANON("seen", "door")) "]" },
    { "two facts are missing", seen, FOR_B(" :- seen(X), ban(X)"), "", ASK(""), "candidate",
      RULE("tool_relevant_to_intent", "rules/domain/d.mg", "1"), NULL,
      "[{\"add\":[" CANON("seen", "any") "," CANON("ban", "any") "],\"remove\":[]}]" },
    { "the fact that joins with what is there", seen, FOR_B(" :- seen(X), ban(X)"), "",
      ASK(FACT("ban", "door")), "candidate",
      RULE("tool_relevant_to_intent", "rules/domain/d.mg", "1"), NULL,
      "[" ADD(CANON("seen", "door")) "]" },
    { "a number that a test wants", seen, FOR_B(" :- level(\"door\", N), 400 <= N"), "",
      ASK(FACT("level", "door", 200)), "candidate",
      RULE("tool_relevant_to_intent", "rules/domain/d.mg", "1"), NULL,
      "[" ADD(LEVEL("400")) "," ADD(LEVEL("401")) "]" },
    { "through a rule of the domain's own", seen,
      "open(X) :- seen(X), !ban(X).\n" FOR_B(" :- open(\"door\")"), "", ASK(""), "candidate",
      RULE("tool_relevant_to_intent", "rules/domain/d.mg", "2"), NULL,
      "[" ADD(CANON("seen", "door")) "]" },
    { "a fact is in the way of the rule", seen, FOR_B(" :- seen(X), !ban(X)"), "",
      ASK(FACT("seen", "door") "," FACT("ban", "door")), "candidate",
      RULE("tool_relevant_to_intent", "rules/domain/d.mg", "1"), NULL,
      "[" REMOVE(CANON("ban", "door")) "]" },
    { "it happened too long ago", seen, FOR_B(" :- <-[5m] event(\"door\")"), "",
      ASK("{\"pred\":\"event\",\"args\":[\"door\"],\"t\":{\"at\":\"2026-07-04T05:00:00Z\"}}"),
      "candidate", RULE("tool_relevant_to_intent", "rules/domain/d.mg", "1"), NULL,
      "[{\"add\":[{\"args\":[\"door\"],\"pred\":\"event\",\"t\":{\"at\":\"2026-07-04T06:00:00Z\"}}]"
      ","
      "\"remove\":[]},{\"add\":[" CANON("event", "door") "],\"remove\":[]}]" },
    { "nobody speaks for it", seen, "tool_relevant_to_intent(\"a\", \"go\", 90).\n", "", ASK(""),
      "candidate", NULL, NULL, "[]" },
    { "what a fact of the client prohibits", seen, FOR_B(""),
      "# nobody\nprohibited(\"b\", \"r\") :- ban(\"b\").\n", ASK(FACT("ban", "b")), "prohibition",
      RULE("prohibited", "rules/policy/p.mg", "2"), NULL, "[" REMOVE(CANON("ban", "b")) "]" },
    { "what the lack of a fact prohibits", seen, FOR_B(""),
      "prohibited(\"b\", \"r\") :- !seen(\"leave\").\n", ASK(""), "prohibition",
      RULE("prohibited", "rules/policy/p.mg", "1"), NULL, "[" ADD(CANON("seen", "leave")) "]" },
    { "what a rule without facts prohibits", seen, FOR_B(""), "\nprohibited(\"b\", \"r\").\n",
      ASK(""), "prohibition", RULE("prohibited", "rules/policy/p.mg", "2"), NULL, "[]" },
    { "what is not for the caller", seen, FOR_B(""),
      "may(\"b\") :- client_permission(\"root\").\n"
      "prohibited(\"b\", \"r\") :- tool(\"b\"), !may(\"b\").\n",
      ASK(""), "permission", RULE("prohibited", "rules/policy/p.mg", "2"), NULL, "[]" },
    { "what no rule speaks for with this caller", seen, FOR_B(" :- client_permission(\"root\")"),
      "", ASK(""), "permission", RULE("tool_relevant_to_intent", "rules/domain/d.mg", "1"), NULL,
      "[]" },
    { "what it needs is prohibited", seen, FOR_B("") "tool_requires(\"b\", \"a\").\n",
      "prohibited(\"a\", \"r\") :- ban(\"a\").\n", ASK(FACT("ban", "a")), "dependency",
      RULE("tool_requires", "rules/domain/d.mg", "2"), "a", "[" REMOVE(CANON("ban", "a")) "]" },
    { "a better one serves the same purpose", seen,
      FOR_B("") "tool_relevant_to_intent(\"a\", \"go\", 95) :- seen(_).\n"
                "conflicts_with(\"a\", \"b\").\n",
      "", ASK(FACT("seen", "x")), "conflict", RULE("conflicts_with", "rules/domain/d.mg", "3"), "a",
      "[" REMOVE(CANON("seen", "x")) "]" },
    { "its score is too low", seen,
      "tool_relevant_to_intent(\"b\", \"go\", 10).\n" FOR_B(" :- seen(\"up\")"), "", ASK(""),
      "cutoff", NULL, NULL, "[" ADD(CANON("seen", "up")) "]" },
    { "there is no room", seen,
      FOR_B("") "tool_relevant_to_intent(\"a\", \"go\", 95) :- seen(_).\n", "",
      "{\"intent\":{\"name\":\"go\"},\"facts\":[" FACT(
          "seen", "x") "],\"constraints\":{\"max_tools_returned\":1}}",
      "cap", NULL, NULL, "[" REMOVE(CANON("seen", "x")) "]" },
    { "there are no tokens", seen,
      FOR_B("") "tool_relevant_to_intent(\"a\", \"go\", 95) :- seen(_).\n", "",
      "{\"intent\":{\"name\":\"go\"},\"facts\":[" FACT(
          "seen", "x") "],\"constraints\":{\"max_tokens_budget\":30}}",
      "budget", NULL, NULL, "[" REMOVE(CANON("seen", "x")) "]" },
};

static void test_each_reason_comes_with_what_would_mend_it(void **state)
{
    (void)state;
    const struct why_options author = { 0 };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct why_domain d;
        print_message("# %s\n", rows[i].what);
        why_open(&d, rows[i].schema, rows[i].domain, rows[i].policy, ab);
        struct json why = why_one(&d, &author, rows[i].payload, "[\"b\"]");
        char phase[40];
        snprintf(phase, sizeof phase, "\"%s\"", rows[i].phase);
        expect_json(&why, "/0/selected", "false");
        expect_json(&why, "/0/reasons/0/phase", phase);
        if (rows[i].rule)
            expect_json(&why, "/0/reasons/0/rule", rows[i].rule);
        if (rows[i].by) {
            char by[40];
            snprintf(by, sizeof by, "\"%s\"", rows[i].by);
            expect_json(&why, "/0/reasons/0/by", by);
        }
        expect_json(&why, "/0/changes", rows[i].changes);
        why_close(&d);
    }
}

static void test_facts_that_did_it_are_named(void **state)
{
    (void)state;
    const struct why_options author = { 0 };
    struct why_domain d;
    why_open(&d, seen, FOR_B(""), "prohibited(\"b\", \"r\") :- ban(\"b\"), seen(_).\n", ab);
    struct json why = why_one(
        &d, &author, ASK(FACT("ban", "b") "," FACT("seen", "x") "," FACT("ban", "c")), "[\"b\"]");
    expect_json(&why, "/0/reasons/0/facts", "[" CANON("ban", "b") "," CANON("seen", "x") "]");
    expect_json(&why, "/0/changes",
                "[" REMOVE(CANON("ban", "b")) "," REMOVE(CANON("seen", "x")) "]");
    why_close(&d);
}

static void test_what_is_there_and_what_does_not_exist(void **state)
{
    (void)state;
    const struct why_options author = { 0 };
    struct why_domain d;
    why_open(&d, seen, FOR_B(""), "", ab);
    struct json why = why_one(&d, &author, ASK(""), "[\"b\",\"nobody\",\"a\"]");
    assert_int_equal(why.count, 3);
    expect_json(&why, "/0/selected", "true");
    expect_json(&why, "/0/reasons", "[]");
    expect_json(&why, "/1/reasons/0/phase", "\"unknown\"");
    expect_json(&why, "/2/tool", "\"a\"");
    why_close(&d);
}

/* ---- what may be told ------------------------------------------------------------------------ */

static void test_what_permissions_hide_is_told_as_what_does_not_exist(void **state)
{
    (void)state;
    static const struct str none[] = { { "why_not", 7 } };
    const struct principal ann = { .kind = PRINCIPAL_KNOWN,
                                   .identity = STR_LIT("ann"),
                                   .permissions = none,
                                   .permission_count = 1 };
    const struct why_options restricted = { .who = &ann, .restricted = true };
    static const char *const tools[] = { "secret", "hidden", "nobodys", "banned", "shown", NULL };
    struct why_domain d;
    why_open(&d, seen,
             "tool_relevant_to_intent(\"secret\", \"go\", 90).\n"
             "tool_relevant_to_intent(\"hidden\", \"go\", 90) :- client_permission(\"root\").\n"
             "tool_relevant_to_intent(\"banned\", \"go\", 90).\n"
             "tool_relevant_to_intent(\"shown\", \"go\", 90).\n",
             "permitted_intent(\"ann\", \"go\").\n"
             "prohibited(\"secret\", \"r\") :- !client_permission(\"root\").\n"
             "prohibited(\"banned\", \"r\") :- ban(\"banned\").\n",
             tools);
    struct json why = why_one(&d, &restricted, ASK(FACT("ban", "banned")),
                              "[\"secret\",\"hidden\",\"nobodys\",\"absent\"]");
    static const char *const names[] = { "secret", "hidden", "nobodys", "absent" };
    struct buf first = { 0 }, other = { 0 };
    for (uint32_t i = 0; i < 4; i++) {
        struct buf *text = i ? &other : &first;
        mgi_buf_clear(text);
        expect_json(&why.items[i], "/reasons/0/phase", "\"unknown\"");
        const struct json *tool = mgi_json_get(&why.items[i], "tool");
        assert_true(str_is(tool->string, names[i]));
        for (uint32_t k = 0; k < why.items[i].count; k++)
            if (!str_is(why.items[i].members[k].name, "tool"))
                mgi_json_canonical(text, &why.items[i].members[k].value);
        if (i)
            assert_string_equal(other.ptr, first.ptr);
    }
    mgi_buf_fini(&first);
    mgi_buf_fini(&other);
    why = why_one(&d, &restricted, ASK(FACT("ban", "banned")), "[\"banned\",\"shown\"]");
    expect_json(&why, "/0/reasons/0/phase", "\"prohibition\"");
    expect_json(&why, "/0/reasons/0/rule", RULE("prohibited", "rules/policy/p.mg", "3"));
    expect_json(&why, "/0/changes", "[" REMOVE(CANON("ban", "banned")) "]");
    expect_json(&why, "/1/selected", "true");
    why_close(&d);
}

static void test_values_of_the_server_are_not_told(void **state)
{
    (void)state;
    const struct principal ann = { .kind = PRINCIPAL_KNOWN, .identity = STR_LIT("ann") };
    const struct why_options author = { 0 }, restricted = { .who = &ann, .restricted = true };
    struct why_domain d;
    why_open(&d, seen,
             "Decl known(X). known(\"marker\").\n"
             "Decl least(N). least(4711).\n"
             "tool_relevant_to_intent(\"a\", \"go\", 90) :- seen(X), known(X).\n"
             "tool_relevant_to_intent(\"b\", \"go\", 90) :- known(X), seen(X), level(X, 1).\n"
             "tool_relevant_to_intent(\"c\", \"go\", 90) :- seen(X), X != \"marker\", known(Y), "
             "level(\"door\", 3).\n",
             "permitted_intent(\"ann\", \"go\").\n", (const char *const[]){ "a", "b", "c", NULL });
    struct json why = why_one(&d, &author, ASK(FACT("seen", "x")), "[\"a\",\"b\"]");
    expect_json(&why, "/0/changes", "[" ADD(CANON("seen", "marker")) "]");
    assert_true(mgi_json_get(&why.items[1], "changes")->count > 0);
    why = why_one(&d, &restricted, ASK(FACT("seen", "x")), "[\"a\",\"b\",\"c\"]");
    assert_int_equal(mgi_str_find(why.text, STR_LIT("marker")), SIZE_MAX);
    expect_json(&why, "/0/reasons/0/phase", "\"unknown\"");
    expect_json(&why, "/1/reasons/0/phase", "\"unknown\"");
    expect_json(&why, "/2/changes", "[" ADD("{\"args\":[\"door\",3],\"pred\":\"level\"}") "]");
    why_close(&d);
}

/* Neither numbers of its facts, nor what the policy's rules have to say. */
static void test_secrets_of_facts_and_policy_are_not_told(void **state)
{
    static const char *const secrets[] = { "481516", "watchword", "trusted_word", "p.mg" };
    (void)state;
    const struct principal ann = { .kind = PRINCIPAL_KNOWN, .identity = STR_LIT("ann") };
    const struct why_options author = { 0 }, restricted = { .who = &ann, .restricted = true };
    struct why_domain d;
    why_open(
        &d, seen,
        "account_pin(\"ann\", 481516).\n"
        "tool_relevant_to_intent(\"a\", \"go\", 90) :- level(Who, Pin), account_pin(Who, Pin).\n"
        "tool_relevant_to_intent(\"b\", \"go\", 90) :- trusted_word(X), seen(X).\n"
        "tool_relevant_to_intent(\"c\", \"go\", 90).\n",
        "permitted_intent(\"ann\", \"go\").\n"
        "trusted_word(X) :- seen(X), ban(\"watchword\").\n",
        (const char *const[]){ "a", "b", "c", NULL });
    static const char payload[] = ASK(FACT("level", "ann", 1) "," FACT("seen", "x"));
    struct json why = why_one(&d, &author, payload, "[\"a\",\"b\"]");
    for (size_t i = 0; i < 3; i++)
        if (mgi_str_find(why.text, str_of(secrets[i])) == SIZE_MAX)
            fail_msg("%s is not told to the author", secrets[i]);
    why = why_one(&d, &restricted, payload, "[\"a\",\"b\"]");
    for (size_t i = 0; i < sizeof secrets / sizeof *secrets; i++)
        if (mgi_str_find(why.text, str_of(secrets[i])) != SIZE_MAX)
            fail_msg("%s is in %.*s", secrets[i], STR_ARG(why.text));
    why_close(&d);
}

/* ---- bounds ---------------------------------------------------------------------------------- */

static void test_three_changes_are_found_and_four_are_not(void **state)
{
    (void)state;
    const struct why_options author = { 0 };
    struct why_domain d;
    why_open(
        &d, seen,
        "tool_relevant_to_intent(\"a\", \"go\", 90) :- seen(\"1\"), seen(\"2\"), seen(\"3\").\n"
        "tool_relevant_to_intent(\"b\", \"go\", 90) :- seen(\"5\"), seen(\"6\"), seen(\"7\"), "
        "seen(\"8\").\n",
        "", ab);
    struct json why = why_one(&d, &author, ASK(""), "[\"a\",\"b\"]");
    expect_json(&why, "/0/changes",
                "[{\"add\":[" CANON("seen", "1") "," CANON("seen", "2") "," CANON(
                    "seen", "3") "],\"remove\":[]}]");
    expect_json(&why, "/1/changes", "[]");
    expect_json(&why, "/1/search/limit", "\"size\"");
    expect_json(&why, "/1/search/complete", "false");
    why_close(&d);
}

/* Layers of rules, each of which wants all of the next: nothing is asked twice, nor endlessly. */
static void test_rules_below_rules_are_followed_so_far(void **state)
{
    enum { WIDE = 24, BELOW = 3 };
    const struct why_options author = { 0 };
    struct buf rules = { 0 };
    struct why_domain d;
    (void)state;
    mgi_buf_puts(&rules, "tool_relevant_to_intent(\"a\", \"go\", 90).\n");
    for (int i = 0; i < WIDE; i++)
        mgi_buf_printf(&rules, "tool_relevant_to_intent(\"b\", \"go\", 90) :- p0_%d(%d).\n", i, i);
    for (int layer = 0; layer < BELOW; layer++)
        for (int i = 0; i < WIDE; i++)
            for (int k = 0; k < WIDE; k++)
                mgi_buf_printf(&rules, "p%d_%d(X) :- p%d_%d(X).\n", layer, i, layer + 1, k);
    for (int i = 0; i < WIDE; i++)
        mgi_buf_printf(&rules, "p%d_%d(X) :- level(\"none\", X), X > 99999.\n", BELOW, i);
    why_open(&d, seen, rules.ptr, "", ab);
    int64_t begun = elapsed_ms();
    struct json why = why_one(&d, &author, ASK(""), "[\"b\"]");
    expect_json(&why, "/0/selected", "false");
    assert_in_range(elapsed_ms() - begun, 0, 4000);
    why_close(&d);
    mgi_buf_fini(&rules);
}

static int64_t ticks;

static int64_t ticking(void *context)
{
    (void)context;
    return ticks += 1000000;
}

/* With some value of the constraint the intent comes to its end, and the search does not. */
static bool hits_limit(struct why_domain *d, const struct why_options *o, const char *constraint,
                       const char *limit)
{
    bool hit = false;
    for (int most = 1; most < 100; most++) {
        char payload[200];
        struct json answer, why;
        struct wire_error e;
        ticks = 0;
        snprintf(payload, sizeof payload,
                 "{\"intent\":{\"name\":\"go\"},\"constraints\":{\"%s\":%d}}", constraint, most);
        if (!why_ask(d, o, payload, "[\"b\"]", &answer, &why, &e))
            continue; /* the intent itself needs more */
        const struct json *said = mgi_json_pointer_get(&why, STR_LIT("/0/search/limit"));
        hit |= said && str_is(said->string, limit);
    }
    return hit;
}

static void test_time_and_derived_facts_are_those_of_the_intent(void **state)
{
    (void)state;
    const struct why_options author = { 0 }, slow = { .mono = ticking };
    struct why_domain d;
    why_open(&d, seen, FOR_B(" :- seen(\"1\"), seen(\"2\"), seen(\"3\"), seen(\"4\")"), "", ab);
    assert_true(hits_limit(&d, &author, "max_facts_created", "facts"));
    assert_true(hits_limit(&d, &slow, "max_compute_ms", "time"));
    why_close(&d);
}

static void test_the_answer_is_the_same_every_time(void **state)
{
    (void)state;
    const struct why_options author = { 0 };
    struct why_domain d;
    why_open(&d, seen, FOR_B(" :- seen(X), !ban(X), level(X, N), 5 < N"), "", ab);
    struct buf first = { 0 };
    for (int i = 0; i < 3; i++) {
        struct buf text = { 0 };
        struct json why =
            why_one(&d, &author, ASK(FACT("seen", "x") "," FACT("ban", "x")), "[\"b\",\"a\"]");
        mgi_json_canonical(i ? &text : &first, &why);
        if (i)
            assert_string_equal(text.ptr, first.ptr);
        mgi_buf_fini(&text);
    }
    mgi_buf_fini(&first);
    why_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_reason_comes_with_what_would_mend_it),
        cmocka_unit_test(test_facts_that_did_it_are_named),
        cmocka_unit_test(test_what_is_there_and_what_does_not_exist),
        cmocka_unit_test(test_what_permissions_hide_is_told_as_what_does_not_exist),
        cmocka_unit_test(test_values_of_the_server_are_not_told),
        cmocka_unit_test(test_secrets_of_facts_and_policy_are_not_told),
        cmocka_unit_test(test_three_changes_are_found_and_four_are_not),
        cmocka_unit_test(test_time_and_derived_facts_are_those_of_the_intent),
        cmocka_unit_test(test_rules_below_rules_are_followed_so_far),
        cmocka_unit_test(test_the_answer_is_the_same_every_time),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests_name("intent/why_not", tests, NULL, NULL);
}
