/* The domain's rules over what the plugin really says: the folder loads without a finding, and what
 * follows from an observation or a diagnosis is suggested. Which tools an intent brings is tested
 * by the scenarios in domains/browser/tests. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "browser/rules_fixture.h"

/* ---- what a tool says -------------------------------------------------------------------------
 */

static struct json answer(const char *action, const char *capture, const char *more)
{
    th_call call;
    char input[500];
    snprintf(input, sizeof input, "{\"capture\":\"" CAPTURE "%s\"%s}", capture, more);
    assert_int_equal(plugin_call(&call, action, input), TH_OK);
    struct json v = { 0 };
    struct str kept = mgi_arena_str(&arena, mgi_buf_view(&call.output));
    assert_int_equal(mgi_json_parse(&arena, kept, NULL, &v, NULL), JSON_OK);
    call_fini(&call);
    /* A rule sees what is there; null is nothing. */
    uint32_t count = 0;
    for (uint32_t i = 0; i < v.count; i++)
        if (v.members[i].value.type != JSON_NULL)
            v.members[count++] = v.members[i];
    v.count = count;
    return v;
}

/* All facts of the effects predicates as text, one a line. Frees `o`. */
static const char *effects_in(mangle_overlay *o)
{
    static const struct {
        const char *name;
        uint32_t arity;
    } preds[] = { { "suggest_intent", 2 },    { "suggest_param", 3 }, { "continuation_fact", 2 },
                  { "execution_summary", 1 }, { "delta_assert", 3 },  { "delta_retract", 2 } };
    struct buf text;
    mgi_buf_init(&text);
    for (size_t i = 0; i < sizeof preds / sizeof preds[0]; i++) {
        const struct mangle_fact *facts;
        size_t count;
        mangle_pred id = mangle_pred_find(domain->program, preds[i].name, preds[i].arity);
        assert_int_equal(mangle_overlay_facts(o, id, &facts, &count), MANGLE_OK);
        for (size_t j = 0; j < count; j++) {
            char *line = mangle_fact_print(domain->program, mangle_overlay_values(o), &facts[j],
                                           MANGLE_DISPLAY, NULL);
            mgi_buf_puts(&text, line);
            mgi_buf_putc(&text, '\n');
            mangle_free(line);
        }
    }
    mangle_overlay_free(o);
    const char *kept = mgi_arena_strdup(&arena, text.ptr ? text.ptr : "");
    mgi_buf_fini(&text);
    return kept;
}

/* The same after `tool` has run, whose one step said `output`. */
static const char *effects_of(const char *tool, const char *step, const struct json *output)
{
    mangle_overlay *o;
    struct mangle_error err;
    const char *issue = NULL, *why = NULL;
    assert_int_equal(mangle_overlay_new(domain->base, &o), MANGLE_OK);
    mangle_values *t = mangle_overlay_values(o);
    mangle_value map = mgi_value_from_json(t, output, false, false, &arena, &issue, &why);
    assert_null(issue);
    tell_rules(o, "invoked", (mangle_value[]){ text_value(t, tool) }, 1);
    tell_rules(o, "result", &map, 1);
    tell_rules(o, "step_output", (mangle_value[]){ text_value(t, step), map }, 2);
    assert_int_equal(mangle_overlay_eval(o, 0, NULL, NULL, &err), MANGLE_OK);
    return effects_in(o);
}

static void assert_says(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("no %s in\n%s", part, text);
}

static void assert_does_not_say(const char *text, const char *part)
{
    if (strstr(text, part))
        fail_msg("%s in\n%s", part, text);
}

/* ---- tests --------------------------------------------------------------------------------------
 */

static void test_the_domain_is_as_large_as_it_says(void **state)
{
    (void)state;
    assert_in_range(domain->tool_count, 25, 1000);
    assert_in_range(domain->action_count, 60, 1000);
    assert_int_equal(domain->skill_count, 3);
    assert_in_range(domain->settings.intent_count, 4, 100);
}

/* By itself, from a menu, or to undo what was picked from one. */
static bool step_runs(const struct step *step, const struct action *action)
{
    bool runs = false;
    for (size_t i = 0; i < mgi_step_actions(step); i++)
        runs |= mgi_step_action(step, i) == action ||
                (step->menu && step->menu->options[i].undo.action == action);
    return runs;
}

/* Every action that the plugin has is used by some tool, or nobody could reach it. */
static void test_every_action_is_in_some_chain(void **state)
{
    (void)state;
    for (size_t a = 0; a < domain->action_count; a++) {
        bool used = false;
        for (size_t i = 0; i < domain->tool_count; i++)
            for (size_t s = 0; s < domain->tools[i].step_count; s++)
                used |= step_runs(&domain->tools[i].steps[s], &domain->actions[a]);
        if (!used)
            fail_msg("%.*s is in no chain", STR_ARG(domain->actions[a].aid));
    }
}

static void test_the_predicates_are_those_promised(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint32_t arity;
        bool temporal;
        const char *args;
    } promised[] = {
        { "current_url", 1, false, "url" },
        { "console_event", 4, true, "session_id level message timestamp" },
        { "net_request", 5, true, "session_id request_id method url timestamp" },
        { "net_response", 4, true, "session_id request_id status timestamp" },
        { "dom_error", 3, true, "session_id component message" },
    };
    for (size_t i = 0; i < sizeof promised / sizeof promised[0]; i++) {
        const struct pred_schema *s = mgi_profile_find(&domain->profile, str_of(promised[i].name));
        assert_non_null(s);
        assert_int_equal(s->arity, promised[i].arity);
        assert_int_equal(s->temporal, promised[i].temporal);
        assert_int_not_equal(s->direction, DIRECTION_OUTPUT);
        struct buf names;
        mgi_buf_init(&names);
        for (uint32_t k = 0; k < s->arity; k++) {
            mgi_buf_puts(&names, k ? " " : "");
            mgi_buf_str(&names, s->arg_names[k]);
        }
        assert_string_equal(names.ptr, promised[i].args);
        mgi_buf_fini(&names);
    }
}

/* P-DELTA-10: whatever a delta asserts, the domain takes back with an intent. */
static void test_facts_of_a_delta_are_facts_of_the_profile(void **state)
{
    (void)state;
    th_call call;
    struct json delta;
    assert_int_equal(plugin_call(&call, "observe_page",
                                 "{\"capture\":\"" CAPTURE "users-404\",\"max_facts\":20}"),
                     TH_OK);
    assert_int_equal(mgi_json_parse(&arena, mgi_arena_str(&arena, mgi_buf_view(&call.delta)), NULL,
                                    &delta, NULL),
                     JSON_OK);
    call_fini(&call);
    const struct json *facts = mgi_json_get(&delta, "assert");
    for (uint32_t i = 0; i < facts->count; i++) {
        const struct pred_schema *s =
            mgi_profile_find(&domain->profile, mgi_member_string(&facts->items[i], "pred"));
        assert_non_null(s);
        assert_int_equal(s->arity, mgi_json_get(&facts->items[i], "args")->count);
        assert_int_not_equal(s->direction, DIRECTION_OUTPUT);
        assert_true(s->temporal || !mgi_json_get(&facts->items[i], "t"));
    }
}

static void test_errors_on_the_page_suggest_a_diagnosis(void **state)
{
    (void)state;
    struct json seen = answer("observe_page", "users-404", "");
    const char *text = effects_of("observe_page", "observe", &seen);
    assert_says(text, "suggest_intent(\"diagnose_error\",");
    /* the first two are the browser's reports of failed requests, the third is the first throw */
    assert_says(text, "suggest_param(\"diagnose_error\",\"error_id\",\"console-error-3\")");
    assert_does_not_say(text, "\"error_id\",\"console-error-4\"");
    assert_says(text, "continuation_fact(\"current_url\",[\"http://localhost:8080/\"])");
    assert_says(text, "4 console errors, 2 failed requests");
}

static void test_a_healthy_page_suggests_none(void **state)
{
    (void)state;
    struct json seen = answer("observe_page", "healthy", "");
    const char *text = effects_of("observe_page", "observe", &seen);
    assert_does_not_say(text, "diagnose_error");
    assert_says(text, "suggest_intent(\"measure_performance\",");
}

static void test_a_cause_suggests_a_fix(void **state)
{
    (void)state;
    const char *text = effects_in(
        diagnosis_begin("diagnose_causal_chain", CAPTURE "users-404", "console-error-3"));
    assert_says(text, "suggest_intent(\"fix_error\",");
    assert_says(text, "suggest_param(\"fix_error\",\"error_id\",\"console-error-3\")");
    assert_says(text,
                "continuation_fact(\"diagnosed_error\",[\"console-error-3\", \"missing_route\"])");
    assert_says(text, "delta_assert(\"fix_candidate\",[\"GET /api/users\", \"missing_route\"]");
    assert_says(text, "delta_retract(\"undiagnosed_error\",[\"console-error-3\"])");
}

static void test_no_cause_suggests_to_look_further(void **state)
{
    (void)state;
    const char *text = effects_in(
        diagnosis_begin("diagnose_causal_chain", CAPTURE "users-404", "console-error-4"));
    assert_does_not_say(text, "fix_error");
    assert_says(text, "suggest_param(\"observe\",\"focus\",\"console\")");
    assert_says(text, "delta_assert(\"diagnosed_error\",[\"console-error-4\", \"unconnected\"]");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_domain_is_as_large_as_it_says),
        cmocka_unit_test(test_every_action_is_in_some_chain),
        cmocka_unit_test(test_the_predicates_are_those_promised),
        cmocka_unit_test(test_facts_of_a_delta_are_facts_of_the_profile),
        cmocka_unit_test(test_errors_on_the_page_suggest_a_diagnosis),
        cmocka_unit_test(test_a_healthy_page_suggests_none),
        cmocka_unit_test(test_a_cause_suggests_a_fix),
        cmocka_unit_test(test_no_cause_suggests_to_look_further),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, begin, end);
}
