/* What an invocation tells: result, delta, events, what next; and what it tells when it fails. */
#include "conformance/conformance_int.h"

static const struct json *run_tool(struct probe *p, const char *intent, const char *facts,
                                   const char *tool, const char *args)
{
    const struct json *found = mgi_probe_tool(p, intent, facts, tool);
    return mgi_probe_invoke(p, mgi_text_at(found, "/macro_id"), args, "");
}

static void play_result(struct probe *p)
{
    const struct json *tool = mgi_probe_tool(p, "fx.echo", BASIC, "fx_echo");
    const struct json *answer =
        mgi_probe_invoke(p, mgi_text_at(tool, "/macro_id"), "{'label':'x','count':3}", "");
    struct schema_issues issues;
    const struct json *schema = mgi_at(tool, "/output_schema");
    const struct json *result = mgi_at(answer, "/payload/result");
    mgi_schema_issues_init(&issues, &p->memory, 3);
    struct schema *compiled = schema ? mgi_schema_compile(schema, 0, &issues) : NULL;
    mgi_probe_expect(p, compiled && result && mgi_schema_validate(compiled, result, &issues),
                     "the result does not fit the output_schema");
    mgi_schema_free(compiled);
    mgi_probe_expect(p, mgi_text_at(answer, "/payload/observability/summary").len > 0,
                     "no summary");
}

static void play_lie(struct probe *p)
{
    const struct json *answer = run_tool(p, "fx.fail", "", "fx_lies", "{}");
    mgi_probe_refused(p, answer, "execution_failed");
    mgi_probe_expect(p, mgi_is_at(answer, "/payload/details/reason", "bad_output"), "reason");
}

static void play_failure(struct probe *p)
{
    const struct json *answer = run_tool(p, "fx.fail", "", "fx_fail", "{}");
    mgi_probe_refused(p, answer, "execution_failed");
    mgi_probe_expect(p,
                     mgi_is_at(answer, "/payload/details/observability/events/0/status", "failure"),
                     "the failed step is not told");
}

static void play_partly(struct probe *p)
{
    const struct json *answer = run_tool(p, "fx.fail", "", "fx_partly", "{}");
    mgi_probe_is(p, answer, "invoke_response");
    mgi_probe_expect(p,
                     mgi_is_at(answer, "/payload/observability/events/0/status", "failure") &&
                         mgi_is_at(answer, "/payload/observability/events/1/status", "skipped"),
                     "not a failure and a step that was skipped");
    const struct json *events = mgi_at(answer, "/payload/observability/events");
    mgi_probe_expect(p, events && events->count == 2, "more events than steps");
    mgi_probe_expect(p, mgi_is_at(events, "/0/action", "word_count"), "not the action's name");
}

static size_t sentences(struct str text)
{
    size_t n = 0;
    for (size_t i = 0; i < text.len; i++)
        n += (text.ptr[i] == '.' || text.ptr[i] == '!') &&
             (i + 1 == text.len || text.ptr[i + 1] == ' ');
    return n;
}

static void play_bulk(struct probe *p)
{
    const struct json *answer = run_tool(p, "fx.bulk", "", "fx_bulk", "{}");
    mgi_probe_is(p, answer, "invoke_response");
    const struct json *events = mgi_at(answer, "/payload/observability/events");
    const struct json *asserts = mgi_at(answer, "/payload/state_delta/assert");
    struct str summary = mgi_text_at(answer, "/payload/observability/summary");
    mgi_probe_expect(p, events && events->count == 20, "not the 20 events of the default");
    mgi_probe_expect(p, asserts && asserts->count == 1, "not one fact for a thousand changes");
    mgi_probe_expect(p, mgi_is_at(asserts, "/0/args/1", "1000"), "the count is not in it");
    mgi_probe_expect(p, answer && answer->text.len < 20000, "the answer is long");
    mgi_probe_expect(p, sentences(summary) >= 1 && sentences(summary) <= 3, "summary: %.*s",
                     STR_ARG(summary));
}

static void play_delta(struct probe *p)
{
    const struct json *answer = run_tool(p, "fx.mark", "", "fx_mark", "{'label':'l','count':2}");
    const struct json *asserts = mgi_at(answer, "/payload/state_delta/assert");
    const struct json *retracts = mgi_at(answer, "/payload/state_delta/retract");
    bool wild = false;
    mgi_probe_expect(p, asserts && asserts->count == 2, "not the two facts");
    for (uint32_t i = 0; asserts && i < asserts->count; i++) {
        mgi_probe_expect(p, mgi_text_at(&asserts->items[i], "/category").len > 0, "no category");
        mgi_probe_expect(p, mgi_text_at(&asserts->items[i], "/source/source_type").len > 0,
                         "no source");
    }
    for (uint32_t i = 0; retracts && i < retracts->count; i++) {
        const struct json *second = mgi_at(&retracts->items[i], "/args/1");
        wild |= second && second->type == JSON_NULL;
    }
    mgi_probe_expect(p, retracts && retracts->count == 2 && wild, "no pattern with a null");
}

static void play_next(struct probe *p)
{
    const struct json *answer = run_tool(p, "fx.mark", "", "fx_mark", "{'label':'l'}");
    const struct json *next = mgi_at(answer, "/payload/next/suggested_intents/0");
    mgi_probe_expect(p, mgi_is_at(next, "/name", "fx.recent"), "no suggested intent");
    mgi_probe_expect(p, mgi_text_at(next, "/description").len > 0, "no description");
    mgi_probe_expect(p, mgi_is_at(next, "/params/label", "l"), "no params");
    const struct json *facts = mgi_at(answer, "/payload/next/continuation_facts");
    const char *text =
        facts && facts->count > 0
            ? mgi_arena_printf(&p->memory,
                               REQUEST("intent_request",
                                       "{'intent':{'name':'fx.recent','params':{'label':'l'}},"
                                       "'facts':%.*s}"),
                               STR_ARG(facts->text))
            : NULL;
    mgi_probe_expect(p, text, "no continuation facts");
    mgi_probe_drop(p); /* on another connection */
    mgi_probe_expect(p, text && mgi_tool_in(mgi_probe_ask(p, text), "fx_recent"),
                     "the continuation facts do not bring the tool");
}

static void play_declared(struct probe *p)
{
    const struct json *answer = run_tool(p, "fx.mark", "", "fx_mark", "{'label':'l'}");
    const struct json *asserts = mgi_at(answer, "/payload/state_delta/assert");
    const struct json *list = mgi_at(&p->manifest, "/facts_profile/predicates");
    for (uint32_t i = 0; asserts && i < asserts->count; i++) {
        bool found = false;
        for (uint32_t k = 0; list && k < list->count; k++)
            found |= str_eq(mgi_text_at(&list->items[k], "/predicate"),
                            mgi_text_at(&asserts->items[i], "/pred")) &&
                     !mgi_is_at(&list->items[k], "/direction", "output");
        mgi_probe_expect(p, found, "a fact of the delta is no input");
    }
}

const struct test_case mgi_cases_outcome[] = {
    { "P-INV-8 P-INV-9 P-TOOL-9 P-OBS-8", "a result fits the schema that was promised", OVER_ANY, 0,
      play_result },
    { "P-INV-9", "one that does not is a failure", OVER_ANY, 0, play_lie },
    { "P-HTTP-17 P-OBS-11", "a tool that fails says which step did", OVER_ANY, 0, play_failure },
    { "P-OBS-11 P-OBS-10 P-OBS-5 P-OBS-12", "a tool that fails in part has its result", OVER_ANY, 0,
      play_partly },
    { "P-OBS-1 P-OBS-2 P-OBS-3 P-OBS-4 P-OBS-6 P-OBS-7", "a thousand changes do not flood",
      OVER_ANY, 0, play_bulk },
    { "P-DELTA-1 P-DELTA-2 P-DELTA-3 P-FACT-22 P-PROV-5", "a delta says what changed", OVER_ANY, 0,
      play_delta },
    { "P-NEXT-1 P-NEXT-2 P-NEXT-3 P-NEXT-4 P-NEXT-6", "what comes next can be asked anywhere",
      OVER_ANY, 0, play_next },
    { "P-MIN-6", "a delta speaks of what clients may send", OVER_ANY, 0, play_declared },
    { 0 },
};
