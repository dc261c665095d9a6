/* Messages before docs/schemas: the examples of the reference fit, and what breaks a rule of its
 * part 2 does not, and it is said where. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

#include "protocol/judge.h"

static struct judge *judge;

static bool fits(const char *text, struct schema_issues *issues, struct arena *arena)
{
    struct json json;
    mgi_schema_issues_init(issues, arena, 10);
    assert_int_equal(mgi_json_parse(arena, str_of(text), NULL, &json, NULL), JSON_OK);
    return mgi_judge_message(judge, &json, issues);
}

static void tell_issues(const char *text, const struct schema_issues *issues)
{
    print_message("%s\n", text);
    for (size_t i = 0; i < issues->count; i++)
        print_message("  %s: %s: %s\n", issues->items[i].path, issues->items[i].keyword,
                      issues->items[i].message);
}

/* ---- the examples ---------------------------------------------------------------------------- */

static char *read_reference(void)
{
    FILE *file = fopen(MGI_SOURCE_DIR "/docs/reference/protocol.md", "rb");
    char *text = calloc(1, 1 << 20);
    assert_non_null(file);
    assert_non_null(text);
    assert_true(fread(text, 1, (1 << 20) - 1, file) > 100000);
    fclose(file);
    return text;
}

static void test_the_examples_of_the_reference_fit(void **state)
{
    (void)state;
    char *text = read_reference();
    unsigned messages = 0;
    static const char fence[] = "```json\n{\"type\":\"";
    for (char *at = text; (at = strstr(at, fence)); at++) {
        struct arena arena;
        struct schema_issues issues;
        char *from = at + strlen("```json\n"), *end = strstr(from, "\n```");
        assert_non_null(end);
        *end = '\0';
        mgi_arena_init(&arena, 0);
        if (!fits(from, &issues, &arena)) {
            tell_issues(from, &issues);
            fail();
        }
        mgi_arena_fini(&arena);
        *end = '\n';
        messages++;
    }
    assert_true(messages >= 8);
    free(text);
}

/* ---- what does not fit ----------------------------------------------------------------------- */

#define MESSAGE(type, id, payload)                                                                 \
    "{\"type\":\"" type "\",\"id\":" id ",\"manglecp\":\"2026-02-draft\",\"payload\":" payload "}"
#define ERROR(code, recoverable, more)                                                             \
    MESSAGE("error", "\"a\"",                                                                      \
            "{\"code\":\"" code "\",\"message\":\"It is so.\",\"recoverable\":" recoverable more   \
            "}")
#define TOOLS(tools)                                                                               \
    MESSAGE("intent_response", "\"a\"",                                                            \
            "{\"eval_time_used\":\"2026-07-04T06:00:00Z\",\"macro_tools\":[" tools "]}")
#define INTENT(more) MESSAGE("intent_request", "\"a\"", "{\"intent\":{\"name\":\"x\"}" more "}")
#define FACT(fact)   INTENT(",\"facts\":[" fact "]")

static const struct misfit {
    const char *text, *path; /* where the first fault is; NULL: it fits */
} misfits[] = {
    { MESSAGE("cancel", "null", "{\"request_id\":\"a\"}"), NULL },
    { MESSAGE("cancel", "null", "{}"), "/payload" },
    { MESSAGE("progress", "null", "{\"status\":\"started\"}"), "/id" },           /* P-PROG-4 */
    { MESSAGE("progress", "\"a\"", "{\"status\":\"over\"}"), "/payload/status" }, /* P-PROG-7 */
    { MESSAGE("progress", "\"a\"", "{\"status\":\"running\",\"percent\":101}"),
      "/payload/percent" },                        /* P-PROG-8 */
    { MESSAGE("manifest", "\"a\"", "{}"), "/id" }, /* P-MAN-3 */
    { "{\"type\":\"error\",\"id\":null,\"manglecp\":\"2026\",\"payload\":{\"code\":\"x-y\","
      "\"message\":\"a b\",\"recoverable\":true}}",
      "/manglecp" },                               /* P-ENV-8 */
    { ERROR("x-own", "true", ""), NULL },          /* P-ERR-4 */
    { ERROR("own", "true", ""), "/payload/code" }, /* P-ERR-4 */
    { ERROR("rate_limited", "true", ""), NULL },   /* P-ERR-3 */
    { ERROR("rate_limited", "false", ""), "/payload/recoverable" },
    { ERROR("rate_limited", "true", ",\"retry_after_ms\":-1"), "/payload/retry_after_ms" },
    { ERROR("unsupported_version", "true", ""), "/payload" }, /* P-ENV-9 */
    { ERROR("invalid_facts", "true",
            ",\"details\":{\"violations\":[{\"predicate\":\"p\",\"issue\":\"invalid_time\","
            "\"message\":\"m\"}]}"),
      "/payload/details/violations/0" }, /* P-ERR-7 */
    { ERROR("evaluation_timeout", "true",
            ",\"details\":{\"budget\":{\"limit\":1,\"consumed\":1,\"unit\":\"derived_facts\"},"
            "\"partial_results_available\":false,\"suggestion\":\"s\"}"),
      "/payload/details/budget/unit" }, /* P-ERR-9 */
    { TOOLS(""), NULL },                /* P-EVAL-12 */
    { MESSAGE("intent_response", "\"a\"",
              "{\"eval_time_used\":\"2026-07-04T06:00:00+01:00\",\"macro_tools\":[]}"),
      "/payload/eval_time_used" }, /* 2.3: UTC with Z */
    { TOOLS("{\"macro_id\":\"a\",\"name\":\"n\",\"disclosure_level\":\"minimal\"}"), NULL },
    { TOOLS("{\"macro_id\":\"a\",\"name\":\"n\",\"disclosure_level\":\"minimal\","
            "\"description\":\"d\"}"),
      "/payload/macro_tools/0" }, /* P-DISC-LVL-4 */
    { TOOLS("{\"macro_id\":\"a\",\"name\":\"n\",\"disclosure_level\":\"full\","
            "\"description\":\"d\",\"input_schema\":{},\"safety\":{"
            "\"requires_user_confirmation\":false,\"side_effects\":[\"none\",\"network\"]}}"),
      "/payload/macro_tools/0/safety/side_effects" }, /* 2.11: none stands alone */
    { TOOLS("{\"macro_id\":\"a\",\"name\":\"n\",\"disclosure_level\":\"full\","
            "\"description\":\"d\",\"input_schema\":{},\"safety\":{"
            "\"requires_user_confirmation\":false,\"side_effects\":[\"danger\"]}}"),
      "/payload/macro_tools/0/safety/side_effects/0" },                            /* P-TOOL-12 */
    { MESSAGE("invoke_response", "\"a\"", "{\"result\":[]}"), "/payload/result" }, /* P-INV-8 */
    { MESSAGE("invoke_response", "\"a\"", "{\"result\":{},\"state_delta\":[]}"),
      "/payload/state_delta" }, /* P-DELTA-1 */
    { MESSAGE("invoke_response", "\"a\"",
              "{\"result\":{},\"state_delta\":{\"assert\":[{\"pred\":\"p\",\"args\":[]}]}}"),
      "/payload/state_delta/assert/0" }, /* P-DELTA-2 */
    { FACT("{\"pred\":\"p\",\"args\":[1,{\"k\":[true]}]}"), NULL },
    { FACT("{\"pred\":\"p\",\"args\":[null]}"), "/payload/facts/0/args/0" },        /* P-FACT-22 */
    { FACT("{\"pred\":\"p\",\"args\":[],\"named_args\":{}}"), "/payload/facts/0" }, /* P-FACT-5 */
    { FACT("{\"pred\":\"P\",\"args\":[]}"), "/payload/facts/0/pred" },              /* P-FACT-1 */
    { FACT("{\"pred\":\"p\",\"args\":[],\"t\":{\"at\":\"_\"}}"), "/payload/facts/0/t" }, /* D-22 */
    { INTENT(",\"constraints\":{\"max_compute_ms\":0}"),
      "/payload/constraints/max_compute_ms" }, /* D-27 */
    { INTENT(",\"constraints\":{\"max_tools_returned\":0},\"eval_time\":\"now\""), NULL },
    { MESSAGE("tools/list", "\"a\"", "{}"), "/type" },
    { "[]", "" },
};

static void test_what_breaks_a_rule_does_not_fit(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof misfits / sizeof *misfits; i++) {
        const struct misfit *m = &misfits[i];
        struct arena arena;
        struct schema_issues issues;
        bool there = false;
        mgi_arena_init(&arena, 0);
        bool good = fits(m->text, &issues, &arena);
        for (size_t k = 0; k < issues.count; k++)
            there |= m->path && strcmp(issues.items[k].path, m->path) == 0;
        if (good != !m->path || there == good) {
            tell_issues(m->text, &issues);
            fail_msg("expected a fault at %s", m->path ? m->path : "no place");
        }
        mgi_arena_fini(&arena);
    }
}

static int make(void **state)
{
    (void)state;
    judge = mgi_judge_new();
    return judge ? 0 : -1;
}

static int drop(void **state)
{
    (void)state;
    mgi_judge_free(judge);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_examples_of_the_reference_fit),
        cmocka_unit_test(test_what_breaks_a_rule_does_not_fit),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, make, drop);
}
