/* What is judged before a tool runs, and in which order. */
#include "conformance/conformance_int.h"

static const struct json *invoke_echo(struct probe *p, const char *args)
{
    const struct json *tool = mgi_probe_tool(p, "fx.echo", BASIC, "fx_echo");
    return mgi_probe_invoke(p, mgi_text_at(tool, "/macro_id"), args, "");
}

static void play_arguments(struct probe *p)
{
    static const char *const wrong[] = { "{}", "{'label':7}", "{'label':'x','more':1}",
                                         "{'label':'x','count':'1'}", "{'label':null}" };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const struct json *answer = invoke_echo(p, wrong[i]);
        mgi_probe_refused(p, answer, "schema_validation_failed");
        mgi_probe_expect(p, mgi_at(answer, "/payload/details/schema_errors/0/path"),
                         "no schema_errors for %s", wrong[i]);
    }
}

static void play_two_faults(struct probe *p)
{
    const struct json *answer = invoke_echo(p, "{'label':7,'count':'x'}");
    const struct json *errors = mgi_at(answer, "/payload/details/schema_errors");
    mgi_probe_refused(p, answer, "schema_validation_failed");
    mgi_probe_expect(p, errors && errors->count == 2, "not both faults are told");
    mgi_probe_expect(
        p, mgi_is_at(errors, "/0/path", "/label") || mgi_is_at(errors, "/1/path", "/label"),
        "the path is not told");
}

static void play_defaults(struct probe *p)
{
    const struct json *answer = invoke_echo(p, "{'label':'x'}");
    mgi_probe_expect(p, mgi_int_at(answer, "/payload/result/count") == 1, "no default");
    answer = invoke_echo(p, "{'label':'x','count':5.0}");
    mgi_probe_is(p, answer, "invoke_response"); /* D-7: 5.0 is an integer to JSON Schema */
}

static void play_condensed_tool(struct probe *p)
{
    const struct json *tool = mgi_tool_in(
        mgi_probe_intent(p, "fx.echo", BASIC, ",'options':{'disclosure_preference':'minimal'}"),
        "fx_echo");
    const struct json *answer =
        mgi_probe_invoke(p, mgi_text_at(tool, "/macro_id"), "{'label':'x'}", "");
    mgi_probe_is(p, answer, "invoke_response"); /* D-44 */
}

static void play_narrowed(struct probe *p)
{
    const struct json *tool =
        mgi_probe_tool(p, "fx.vary", "{'pred':'fx_choice','args':['red']}", "fx_vary");
    struct str id = mgi_text_at(tool, "/macro_id");
    mgi_probe_refused(p, mgi_probe_invoke(p, id, "{'value':'blue'}", ""),
                      "schema_validation_failed");
    mgi_probe_is(p, mgi_probe_invoke(p, id, "{'value':'red'}", ""), "invoke_response");
}

static void play_traffic(struct probe *p)
{
    const struct json *tool =
        mgi_tool_in(mgi_probe_intent(p, "fx.recent",
                                     "{'pred':'fx_event','args':['a','b'],'t':{'at':'now'}}", ""),
                    "fx_recent");
    struct str id = mgi_arena_str(&p->life, mgi_text_at(tool, "/macro_id"));
    for (int i = 0; i < 200 && !p->failed; i++) {
        const char *facts =
            mgi_arena_printf(&p->memory, "{'pred':'fx_choice','args':['value-%d']}", i);
        (void)(facts && mgi_probe_intent(p, "fx.vary", facts, ""));
    }
    mgi_probe_is(p, mgi_probe_invoke(p, id, "{}", ""), "invoke_response");
}

static void play_meta(struct probe *p)
{
    static const struct {
        const char *intent, *facts, *tool;
    } tools[] = { { "fx.echo", BASIC, "fx_echo" },
                  { "fx.danger", "", "fx_danger" },
                  { "fx.after", "", "fx_slow" },
                  { "fx.mark", "", "fx_mark" } };
    for (size_t i = 0; i < sizeof tools / sizeof *tools; i++) {
        struct schema_issues issues;
        const struct json *tool = mgi_probe_tool(p, tools[i].intent, tools[i].facts, tools[i].tool);
        const struct json *in = mgi_at(tool, "/input_schema"),
                          *out = mgi_at(tool, "/output_schema");
        mgi_schema_issues_init(&issues, &p->memory, 3);
        struct schema *compiled = in ? mgi_schema_compile(in, 0, &issues) : NULL;
        mgi_probe_expect(p, compiled, "the input_schema of %s is none: %s", tools[i].tool,
                         issues.count ? issues.items[0].message : "");
        mgi_schema_free(compiled);
        compiled = out ? mgi_schema_compile(out, 0, &issues) : NULL;
        mgi_probe_expect(p, !out || compiled, "the output_schema of %s is none", tools[i].tool);
        mgi_schema_free(compiled);
        mgi_probe_expect(p, mgi_text_at(tool, "/name").len <= 64, "a name of more than 64");
    }
}

static void play_own_only(struct probe *p)
{
    const struct json *tool = mgi_probe_tool(p, "fx.mark", "", "fx_mark");
    struct str id = mgi_arena_str(&p->life, mgi_text_at(tool, "/macro_id"));
    const char *text = mgi_arena_printf(
        &p->memory, REQUEST("invoke_request", "{'macro_id':'%.*s','args':{'label':'x'}}"),
        STR_ARG(id));
    const struct json *answer = NULL;
    if (p->carrier == OVER_HTTP) {
        p->token = p->options->other_token;
        answer = text ? mgi_probe_ask(p, text) : NULL;
    } else {
        struct wire *w = mgi_probe_fresh(p, p->options->other_token);
        if (w && text && mgi_probe_say(p, w, text))
            answer = mgi_probe_answer(p, w);
        mgi_wire_close(w);
    }
    mgi_probe_refused(p, answer, "macro_not_found"); /* D-57 */
}

const struct test_case mgi_cases_invocation[] = {
    { "P-INV-4 P-INV-6 P-ERR-8", "arguments that do not fit are refused", OVER_ANY, 0,
      play_arguments },
    { "P-ERR-8 P-INV-4", "all that is wrong with them is told", OVER_ANY, 0, play_two_faults },
    { "P-INV-4 P-INV-8", "defaults are filled in (D-43)", OVER_ANY, 0, play_defaults },
    { "P-INV-2 P-CTX-1", "a tool that was shown in part can be run (D-44)", OVER_ANY, 0,
      play_condensed_tool },
    { "P-INV-4 P-TOOL-21", "a schema that follows the facts holds", OVER_ANY, 0, play_narrowed },
    { "P-CACHE-2", "a tool is kept while its window runs, whatever else is asked", OVER_ANY, 0,
      play_traffic },
    { "P-TOOL-6 P-TOOL-7 P-TOOL-9 P-TOOL-4 P-TOOL-5", "schemas of tools are schemas", OVER_ANY, 0,
      play_meta },
    { "P-ENUM-4 P-INV-2", "a tool of another caller is not there", OVER_ANY,
      NEEDS_AUTH | NEEDS_OTHER, play_own_only },
    { 0 },
};
