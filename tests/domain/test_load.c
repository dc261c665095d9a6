/* Loading: what is wrong is said with file, line and column, all of it in one run; what is right is
 * in the snapshot. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "domain/temp_domain.h"

/* Load the good domain with one file changed; every line of `expected` must be among the findings.
 */
static void expect_findings(const char *path, const char *content, const char *expected)
{
    struct temp_domain d;
    struct buf text = { 0 };
    temp_make(&d);
    temp_write(&d, path, content);
    struct snapshot *s = temp_load(&d, NULL, true, &text);
    temp_remove(&d);
    mgi_snapshot_unref(s);
    while (*expected) {
        size_t len = strcspn(expected, "\n");
        struct str line = { expected, len };
        if (mgi_str_find(mgi_buf_view(&text), line) == SIZE_MAX)
            fail_msg("missing: %.*s\nfound:\n%s", STR_ARG(line), text.ptr ? text.ptr : "(nothing)");
        expected += len + (expected[len] == '\n');
    }
    mgi_buf_fini(&text);
}

static void test_a_good_folder_becomes_a_snapshot(void **state)
{
    struct temp_domain d;
    struct buf text = { 0 };
    (void)state;
    temp_make(&d);
    struct snapshot *s = temp_load(&d, NULL, true, &text);
    temp_remove(&d);
    assert_null(text.ptr); /* not even a warning */
    assert_non_null(s);
    assert_int_equal(s->tool_count, 1);
    const struct tool *one = mgi_snapshot_tool(s, STR_LIT("one"));
    assert_non_null(one);
    assert_int_equal(one->step_count, 1);
    assert_ptr_equal(one->steps[0].action, mgi_snapshot_action(s, STR_LIT("AID.FX.ECHO.v1")));
    assert_int_equal(one->steps[0].inputs.kind, SOURCE_OBJECT);
    assert_int_equal(one->steps[0].inputs.members[0].source.kind, SOURCE_ARG);
    assert_true(str_is(one->steps[0].inputs.members[0].source.name, "q"));
    assert_int_equal(one->result.members[0].source.kind, SOURCE_STEP);
    assert_true(str_is(one->result.members[0].source.pointer, "/label"));
    assert_int_equal(s->settings.limits.max_message_bytes, 16777216);
    assert_int_equal(s->settings.cache_ms, 300000); /* P-CACHE-3 */
    assert_int_equal(s->settings.disclosure.full, 70);
    assert_int_equal(s->settings.max_events, 20); /* P-OBS-6 */
    assert_string_equal(s->settings.settings[0].value.string.ptr + strlen(s->folder.ptr), "/here");
    const struct pred_schema *seen = mgi_profile_find(&s->profile, STR_LIT("seen"));
    assert_non_null(seen);
    assert_int_equal(seen->direction, DIRECTION_INPUT);
    assert_int_equal(seen->arg_types[0], ARG_STRING);
    assert_true(str_is(seen->arg_names[0], "what"));
    assert_false(s->reads_time);
    mgi_snapshot_unref(s);
}

/* Whatever says what an invocation changes, or what is next: a rule, a fact among rules, a table.
 */
static void test_what_speaks_of_outcomes_is_known(void **state)
{
    static const struct {
        const char *path, *content;
        bool speaks;
    } domains[] = {
        { "rules/domain/more.mg", "other(X) :- seen(X).\n", false },
        { "rules/effects/e.mg", "suggest_intent(\"go\", \"On.\") :- invoked(\"one\").\n", true },
        { "rules/domain/more.mg", "execution_summary(\"Done.\").\n", true },
        { "rules/effects/e.mg", "result_member(\"a\", 1) :- invoked(\"one\").\n", true },
        { "facts/more.jsonl", "{\"pred\":\"suggest_intent\",\"args\":[\"go\",\"On.\"]}\n", true },
    };
    (void)state;
    for (size_t i = 0; i < sizeof domains / sizeof *domains; i++) {
        struct temp_domain d;
        struct buf text = { 0 };
        temp_make(&d);
        temp_write(&d, domains[i].path, domains[i].content);
        struct snapshot *s = temp_load(&d, NULL, false, &text);
        temp_remove(&d);
        if (!s)
            fail_msg("%zu: %s", i, text.ptr);
        if (s->speaks_of_outcomes != domains[i].speaks)
            fail_msg("%s: %s", domains[i].path, domains[i].content);
        mgi_snapshot_unref(s);
        mgi_buf_fini(&text);
    }
}

static void test_faults_of_domain_yaml_are_all_reported(void **state)
{
    (void)state;
    expect_findings("domain.yaml",
                    "server: {name: s, versoin: 1}\n"
                    "domain: {id: d, description: [d]}\n"
                    "limits: {max_message_bytes: 1, max_compute_ms: fast}\n"
                    "validity: {max: 1x, cache: 1s}\n"
                    "disclosure: {full: 10}\n"
                    "colour: red\n"
                    "rate: {limit: 1, limit: 2}\n"
                    "settings: {Bad: {type: path, default: x}, n: {type: number, default: many}, "
                    "t: {type: int, default: 1}}\n"
                    "intents: [{name: a}, b, {name: a, description: d, open: perhaps}]\n"
                    "actions: {plugins: [nowhere, 7/8]}\n",
                    "UNKNOWN_KEY domain.yaml:1:19 unknown key \"versoin\"\n"
                    "MISSING_KEY domain.yaml:1:9 \"version\" is missing\n"
                    "BAD_VALUE domain.yaml:2:30 description must be text, not a list\n"
                    "OUT_OF_RANGE domain.yaml:3:29 max_message_bytes\n"
                    "BAD_VALUE domain.yaml:3:48 max_compute_ms must be a whole number, not text\n"
                    "BAD_VALUE domain.yaml:4:17 max must be a duration\n"
                    "OUT_OF_RANGE domain.yaml:4:28 cache\n"
                    "BAD_VALUE domain.yaml:5:13 cut-offs must rise\n"
                    "UNKNOWN_KEY domain.yaml:6:1 unknown key \"colour\"\n"
                    "DUPLICATE_KEY domain.yaml:7:18 key \"limit\" was given before, in line 7\n"
                    "BAD_NAME domain.yaml:8:17 a setting is named\n"
                    "BAD_VALUE domain.yaml:8:70 setting n must be a number, not text\n"
                    "BAD_VALUE domain.yaml:8:87 a type is\n"
                    "MISSING_KEY domain.yaml:9:11 \"description\" is missing\n"
                    "BAD_VALUE domain.yaml:9:22 an intent must be a map\n"
                    "BAD_VALUE domain.yaml:9:57 open must be true or false\n"
                    "NO_PLUGIN domain.yaml:10:21 there is no plugin nowhere.so\n"
                    "BAD_VALUE domain.yaml:10:30 a plugin is named by one word\n");
}

/* The file of the domain's plugin is there, as `arrange` leaves it; the one line about it. */
static void expect_of_plugin(void (*arrange)(const struct temp_domain *d), bool loads,
                             const char *expected)
{
    struct temp_domain d;
    struct buf text = { 0 };
    temp_make(&d);
    temp_write(&d, "plugins/fxunit.so", "listed from a table");
    temp_write(&d, "elsewhere/fxunit.so", "the same");
    arrange(&d);
    struct snapshot *s = temp_load(&d, NULL, false, &text);
    assert_int_equal(s != NULL, loads);
    mgi_snapshot_unref(s);
    temp_remove(&d);
    if (expected ? !text.ptr || !strstr(text.ptr, expected) : text.ptr != NULL)
        fail_msg("expected: %s\nfound:\n%s", expected ? expected : "nothing",
                 text.ptr ? text.ptr : "nothing");
    mgi_buf_fini(&text);
}

static char *inside(const struct temp_domain *d, const char *path)
{
    static char full[2][256];
    static int turn;
    snprintf(full[turn ^= 1], sizeof full[0], "%s/%s", d->folder, path);
    return full[turn];
}

static void leave_alone(const struct temp_domain *d)
{
    (void)d;
}

static void open_file(const struct temp_domain *d)
{
    assert_int_equal(chmod(inside(d, "plugins/fxunit.so"), 0666), 0);
}

static void open_folder(const struct temp_domain *d)
{
    assert_int_equal(chmod(inside(d, "plugins"), 0777), 0);
}

static void open_sticky_folder(const struct temp_domain *d)
{
    assert_int_equal(chmod(inside(d, "plugins"), 01777), 0);
}

static void link_out(const struct temp_domain *d)
{
    assert_int_equal(remove(inside(d, "plugins/fxunit.so")), 0);
    assert_int_equal(symlink(inside(d, "elsewhere/fxunit.so"), inside(d, "plugins/fxunit.so")), 0);
}

static void link_out_to_an_open_file(const struct temp_domain *d)
{
    link_out(d);
    assert_int_equal(chmod(inside(d, "elsewhere/fxunit.so"), 0606), 0);
}

static void link_within(const struct temp_domain *d)
{
    assert_int_equal(rename(inside(d, "plugins/fxunit.so"), inside(d, "plugins/fxunit-1.so")), 0);
    assert_int_equal(symlink("fxunit-1.so", inside(d, "plugins/fxunit.so")), 0);
}

static void test_plugins_that_everybody_can_write_are_refused(void **state)
{
    (void)state;
    expect_of_plugin(leave_alone, true, NULL);
    expect_of_plugin(open_file, false,
                     "UNSAFE_PLUGIN domain.yaml:5:21 plugin fxunit is not loaded: the file ");
    expect_of_plugin(open_folder, false,
                     "UNSAFE_PLUGIN domain.yaml:5:21 plugin fxunit is not loaded: the folder ");
    expect_of_plugin(open_sticky_folder, true, NULL);
    expect_of_plugin(link_out, true,
                     "LINKED_PLUGIN domain.yaml:5:21 plugin fxunit is a link out of its folder");
    expect_of_plugin(link_out_to_an_open_file, false, "elsewhere/fxunit.so can be written by");
    expect_of_plugin(link_within, true, NULL);
}

/* Without it nobody knows the plugins: that the tools' actions are unknown is no news. */
static void test_a_broken_domain_yaml_is_one_fault(void **state)
{
    struct temp_domain d;
    struct buf text = { 0 };
    (void)state;
    temp_make(&d);
    temp_write(&d, "domain.yaml", "server: [\n");
    assert_null(temp_load(&d, NULL, true, &text));
    temp_remove(&d);
    assert_int_not_equal(mgi_str_find(mgi_buf_view(&text), STR_LIT("domain.yaml:")), SIZE_MAX);
    assert_int_equal(mgi_str_find(mgi_buf_view(&text), STR_LIT("UNKNOWN_ACTION")), SIZE_MAX);
    mgi_buf_fini(&text);
}

static void test_yaml_that_is_none_is_refused_with_its_place(void **state)
{
    (void)state;
    expect_findings("tools/bad.yaml", "tool: [one\nsummary: x\n", "YAML tools/bad.yaml:2:");
    expect_findings("tools/bad.yaml", "tool: &a one\n", "YAML tools/bad.yaml:1:7 anchors and tags");
    expect_findings("tools/bad.yaml", "tool: !!str one\n",
                    "YAML tools/bad.yaml:1:7 anchors and tags");
    expect_findings("tools/bad.yaml", "a: 1\n--- \nb: 2\n",
                    "YAML tools/bad.yaml:2:1 a second document");
    expect_findings("tools/bad.yaml", "a: \"\xff\"\n", "UTF8 tools/bad.yaml:0:0 byte 4");
    char deep[256] = "";
    for (int i = 0; i < 70; i++)
        strcat(deep, "[");
    expect_findings("tools/bad.yaml", deep,
                    "YAML tools/bad.yaml:1:65 nested deeper than 64 levels");
}

static void test_faults_of_templates_are_all_reported(void **state)
{
    (void)state;
    expect_findings(
        "tools/u.yaml",
        "- tool: One\n"
        "  summary: two\n"
        "  description: d\n"
        "  input_schema: {type: objekt, minimum: x}\n"
        "  colour: red\n"
        "- tool: one\n"
        "  summary: s\n"
        "  description: d\n"
        "  input_schema: {type: object, additionalProperties: false, properties: {q: {type: "
        "string}}}\n"
        "  steps:\n"
        "    - {id: a, action: AID.FX.ECO.v1}\n"
        "    - {id: a, action: AID.FX.ECHO.v1, when: {from: steps.b.output.x}}\n"
        "    - {id: b, action: AID.FX.ECHO.v1, inputs: {x: {from: args.z}, y: {from: "
        "steps.zz.output}}}\n"
        "    - {id: c, action: AID.FX.ECHO.v1, inputs: [1], on_failure: retry, timeout: soon}\n"
        "    - {id: f, action: AID.FX.ECHO.v1, failure_text: {from: args.q}}\n"
        "    - {id: d, action: AID.FX.ECHO.v1, inputs: {x: {from: settings.nope}, y: {from: "
        "env.HOME}}}\n"
        "  result: 7\n"
        "- tool: three\n",
        "BAD_NAME tools/u.yaml:1:9 a tool is named\n"
        "SCHEMA tools/u.yaml:4:\n"
        "UNKNOWN_KEY tools/u.yaml:5:3 unknown key \"colour\" in a tool\n"
        "DUPLICATE tools/u.yaml:6:3 tool \"one\" exists already in tools/t.yaml:1\n"
        "UNKNOWN_ACTION tools/u.yaml:11:23 no plugin has the action \"AID.FX.ECO.v1\"\n"
        "DUPLICATE tools/u.yaml:12:12 step \"a\" exists already\n"
        "BAD_REFERENCE tools/u.yaml:12:52 \"steps.b.output.x\": that step runs later\n"
        "BAD_REFERENCE tools/u.yaml:13:58 \"args.z\": input_schema has no such property\n"
        "BAD_REFERENCE tools/u.yaml:13:77 \"steps.zz.output\": there is no such step\n"
        "BAD_VALUE tools/u.yaml:14:47 inputs must be a map\n"
        "BAD_VALUE tools/u.yaml:14:64 on_failure is\n"
        "BAD_VALUE tools/u.yaml:14:80 timeout must be a duration\n"
        "BAD_VALUE tools/u.yaml:15:53 failure_text is a text, or\n"
        "BAD_REFERENCE tools/u.yaml:16:58 \"settings.nope\": there is no such setting\n"
        "BAD_REFERENCE tools/u.yaml:16:84 \"env.HOME\": not something that can be read\n"
        "BAD_VALUE tools/u.yaml:17:11 result must be\n"
        "MISSING_KEY tools/u.yaml:18:3 \"summary\" is missing\n");
}

static void test_faults_of_graphs_are_all_reported(void **state)
{
    (void)state;
    expect_findings(
        "tools/u.yaml",
        "tool: two\n"
        "summary: s\n"
        "description: d\n"
        "parallel: 100\n"
        "transaction: maybe\n"
        "input_schema: {type: object}\n"
        "steps:\n"
        "  - {id: a, action: AID.FX.ECHO.v1}\n"
        "  - {id: b, action: AID.FX.ECHO.v1, needs: []}\n"
        "  - {id: c, action: AID.FX.ECHO.v1, inputs: {x: {from: steps.a.output.x}}}\n"
        "  - {id: d, action: AID.FX.ECHO.v1, needs: [d, e, aa, [a]]}\n"
        "  - {id: e, action: AID.FX.STORE.v1, needs: a, retry: {times: 9, wait: soon, more: 1}}\n"
        "  - {id: f, action: AID.FX.ECHO.v1, max: 3, inputs: {x: {from: item.y}}}\n"
        "  - {id: g, action: AID.FX.ECHO.v1, foreach: {a: 1}, max: 5000, parallel: 0,"
        " when: {from: index}}\n"
        "  - {id: h, action: AID.FX.ECHO.v1, compensate: {action: AID.FX.ECO.v1, with: [1]}}\n"
        "  - {id: i, action: AID.FX.ECHO.v1, compensate: undo, on_failure: compensate}\n"
        "  - {id: j, action: AID.FX.ECHO.v1, foreach: [1], inputs: {x: {from: index.y},"
        " y: {from: steps.j.output}}}\n",
        "BAD_VALUE tools/u.yaml:4:11 parallel must be a whole number, 1 to 64\n"
        "BAD_VALUE tools/u.yaml:5:14 transaction must be true or false\n"
        "STEP_NEEDS tools/u.yaml:10:56 \"steps.a.output.x\": this step does not need that one\n"
        "BAD_REFERENCE tools/u.yaml:11:45 a step cannot need itself\n"
        "BAD_REFERENCE tools/u.yaml:11:48 \"e\": that step stands later in the list\n"
        "BAD_REFERENCE tools/u.yaml:11:51 \"aa\": there is no such step\n"
        "BAD_VALUE tools/u.yaml:11:55 needs is a list of ids, not of a list\n"
        "BAD_VALUE tools/u.yaml:12:45 needs must be a list of steps\n"
        "RETRY_UNSAFE tools/u.yaml:12:55 AID.FX.STORE.v1 may have had its effect\n"
        "BAD_VALUE tools/u.yaml:12:63 times must be a whole number, 1 to 5\n"
        "BAD_VALUE tools/u.yaml:12:72 wait must be a duration\n"
        "UNKNOWN_KEY tools/u.yaml:12:78 unknown key \"more\" in retry\n"
        "BAD_VALUE tools/u.yaml:13:42 max of a step says how its foreach goes\n"
        "BAD_REFERENCE tools/u.yaml:13:64 \"item.y\": there is no item here\n"
        "BAD_VALUE tools/u.yaml:14:46 foreach takes an array\n"
        "BAD_VALUE tools/u.yaml:14:59 max must be a whole number, 1 to 1000\n"
        "BAD_VALUE tools/u.yaml:14:75 parallel must be a whole number, 1 to 64\n"
        "BAD_REFERENCE tools/u.yaml:14:91 \"index\": there is no item here\n"
        "UNKNOWN_ACTION tools/u.yaml:15:58 no plugin has the action \"AID.FX.ECO.v1\"\n"
        "BAD_VALUE tools/u.yaml:15:79 with must be a map\n"
        "BAD_VALUE tools/u.yaml:16:49 compensate must be a map\n"
        "BAD_REFERENCE tools/u.yaml:17:70 \"index.y\": an index is a number\n"
        "BAD_REFERENCE tools/u.yaml:17:90 \"steps.j.output\": that step runs later\n");
    expect_findings("tools/u.yaml",
                    "tool: two\nsummary: s\ndescription: d\ninput_schema: {type: object}\n"
                    "steps:\n  - {id: a, action: AID.FX.ECHO.v1, on_failure: compensate}\n",
                    "UNDO_NOTHING tools/u.yaml:6:\n");
}

static void test_a_graph_is_read(void **state)
{
    (void)state;
    struct temp_domain d;
    struct buf text = { 0 };
    temp_make(&d);
    temp_write(&d, "tools/u.yaml",
               "tool: two\nsummary: s\ndescription: d\ninput_schema: {type: object}\n"
               "parallel: 3\ntransaction: true\n"
               "steps:\n"
               "  - {id: a, action: AID.FX.ECHO.v1, retry: {times: 2, wait: 20ms}}\n"
               "  - {id: b, action: AID.FX.ECHO.v1, needs: []}\n"
               "  - {id: c, action: AID.FX.ECHO.v1}\n"
               "  - {id: d, action: AID.FX.TOUCH.v1, needs: [a, c, a], on_failure: compensate,\n"
               "     foreach: {from: steps.b.output.list}, max: 7, parallel: 2,\n"
               "     inputs: {x: {from: item.p}, i: {from: index}},\n"
               "     compensate: {action: AID.FX.WIPE.v1,\n"
               "                  with: {y: {from: steps.d.output.y}, x: {from: item.p}}}}\n");
    struct snapshot *s = temp_load(&d, NULL, false, &text);
    assert_string_equal(text.ptr ? text.ptr : "", "");
    const struct tool *t = mgi_snapshot_tool(s, STR_LIT("two"));
    uint64_t rows[4] = { 0 };
    mgi_needs_close(t, rows);
    assert_int_equal(rows[0], 0);
    assert_int_equal(rows[1], 0);
    assert_int_equal(rows[2], 2); /* the step before it */
    assert_int_equal(rows[3], 7); /* b over c */
    assert_true(t->parallel == 3 && t->transaction);
    assert_int_equal(t->steps[0].retry.times, 2);
    assert_int_equal(t->steps[0].retry.wait_ms, 20);
    assert_int_equal(t->steps[0].retry.max_wait_ms, 2000);
    assert_int_equal(t->steps[3].need_count, 2);
    assert_int_equal(t->steps[3].max_items, 7);
    assert_int_equal(t->steps[3].on_failure, ON_FAILURE_COMPENSATE);
    assert_true(str_is(t->steps[3].undo.action->aid, "AID.FX.WIPE.v1"));
    assert_int_equal(t->steps[3].inputs.members[0].source.kind, SOURCE_ITEM);
    assert_int_equal(t->steps[3].inputs.members[1].source.kind, SOURCE_INDEX);
    mgi_snapshot_unref(s);
    mgi_buf_fini(&text);
    temp_remove(&d);
}

static void test_layers_are_walls(void **state)
{
    (void)state;
    /* P-EVAL-5: a domain rule cannot touch what the pipeline decides. */
    expect_findings(
        "rules/domain/x.mg", "kept(\"one\").\n",
        "LAYER rules/domain/x.mg:1:1 kept belongs to the pipeline layer; domain may not\n");
    expect_findings("rules/domain/x.mg", "intent_permitted(N) :- intent_type(_, N).\n",
                    "LAYER rules/domain/x.mg:1:1 intent_permitted belongs to the pipeline layer\n");
    expect_findings("rules/policy/x.mg", "client_permission(\"intent:*\").\n",
                    "LAYER rules/policy/x.mg:1:1 client_permission belongs to the pipeline\n");
    expect_findings("facts/x.mg", "tool(\"two\").\n",
                    "LAYER facts/x.mg:1:1 tool belongs to the pipeline layer; facts may not\n");
    expect_findings("rules/effects/x.mg", "\nprohibited(\"one\", \"x\").\n",
                    "LAYER rules/effects/x.mg:2:1 prohibited belongs to the pipeline\n");
    expect_findings("rules/domain/x.mg", "permitted_intent(\"eve\", \"go\").\n",
                    "LAYER rules/domain/x.mg:1:1 permitted_intent belongs\n");
    expect_findings(
        "rules/domain/x.mg", "seen(X) :- told(X).\n",
        "INPUT_DERIVED rules/domain/x.mg:1:1 seen has direction input\n"); /* P-SCHEMA-8 */
    expect_findings(
        "rules/policy/x.mg", "permitted_intent(W, \"go\") :- seen(W).\n",
        "PERMISSION rules/policy/x.mg:1:1 permitted_intent depends on seen\n"); /* a client cannot
                                                                                   talk itself into
                                                                                   a permission */
    expect_findings("facts/x.mg", "told(X) :- seen(X).\n",
                    "LAYER facts/x.mg:1:1 a rule among the facts\n");
    expect_findings("rules/stray.mg", "p(1).\n",
                    "LAYER rules/stray.mg:0:0 this rule file is in no layer\n");
    expect_findings("rules/domain/x.mg", "Decl late(X) descr [direction(\"input\")].\n",
                    "DIRECTION rules/domain/x.mg:1:6 only rules/schema\n");
}

/* What actions tell the effects rules is theirs to tell, and nobody's to see. */
static void test_evidence_is_read_and_nothing_else(void **state)
{
    struct temp_domain d;
    struct buf text = { 0 };
    (void)state;
    temp_make(&d);
    temp_write(&d, "rules/effects/x.mg",
               "execution_summary(\"Seen.\") :- glimpsed(_)@[From, _].\n");
    struct snapshot *s = temp_load(&d, NULL, true, &text);
    temp_remove(&d);
    assert_null(text.ptr); /* neither facts nor rules lack, and it loads */
    assert_null(mgi_profile_find(&s->profile, STR_LIT("glimpsed")));
    assert_non_null(mgi_profile_find(&s->evidence, STR_LIT("glimpsed")));
    assert_null(mgi_profile_find(&s->evidence, STR_LIT("seen")));
    mgi_snapshot_unref(s);

    expect_findings("rules/domain/x.mg", "glimpsed(X)@[_, _] :- seen(X).\n",
                    "INPUT_DERIVED rules/domain/x.mg:1:1 glimpsed has direction evidence\n");
    expect_findings("rules/policy/x.mg", "permitted_intent(W, \"go\") :- glimpsed(W)@[From, _].\n",
                    "PERMISSION rules/policy/x.mg:1:1 permitted_intent depends on glimpsed, which "
                    "actions tell\n");
    expect_findings("rules/domain/x.mg", "Decl late(X) descr [direction(\"evidence\")].\n",
                    "DIRECTION rules/domain/x.mg:1:6 only rules/schema\n");
    expect_findings("domain.yaml",
                    "server: {name: s, version: 1.0.0}\ndomain: {id: d, description: d}\n"
                    "intents: [{name: go, description: g, required_facts: [glimpsed]}]\n"
                    "actions: {plugins: [fxunit]}\n",
                    "INTENT_FACT domain.yaml:0:0 intent go asks for glimpsed, which clients\n");
}

static void test_rule_tests_are_no_part_of_the_domain(void **state)
{
    struct temp_domain d;
    struct buf text = { 0 };
    (void)state;
    temp_make(&d);
    temp_write(&d, "rules/domain/x_test.mg", "#: load x.mg\nkept(\"one\"). nonsense(");
    temp_write(&d, "rules/all_test.mg", "kept(\"one\").");
    struct snapshot *s = temp_load(&d, NULL, true, &text);
    temp_remove(&d);
    assert_null(text.ptr);
    assert_non_null(s);
    mgi_snapshot_unref(s);
    expect_findings("facts/x_test.mg", "tool(\"two\").\n",
                    "LAYER facts/x_test.mg:1:1 tool belongs to the pipeline layer\n");
}

static void test_faults_of_rules_come_from_the_engine(void **state)
{
    (void)state;
    expect_findings("rules/domain/x.mg", "p(X) :- q(X.\nr(Y) :- seen(X).\n",
                    "SYNTAX rules/domain/x.mg:1:");
    /* The pipeline cannot be made to depend on its own outcome. */
    expect_findings("rules/domain/x.mg",
                    "prohibited(T, \"once chosen\") :- final_selected(T, _, _).\n", "STRATIFY ");
    expect_findings("rules/domain/x.mg", "includes_step(\"one\", \"a\") :- kept(\"one\").\n",
                    "STRATIFY ");
}

static void test_facts_are_read_from_tables(void **state)
{
    (void)state;
    expect_findings("facts/nobody.csv", "a,b\n",
                    "UNKNOWN_PRED facts/nobody.csv:1:1 no rule knows\n");
    expect_findings(
        "facts/told.csv", "x\ny,z\n\"open\n",
        "CSV facts/told.csv:2:1 this row has another number\nCSV facts/told.csv:3:1 a quote\n");
    expect_findings("facts/f.jsonl",
                    "{\"pred\":\"told\",\"args\":[null]}\n{\"pred\":1}\n\n[\n"
                    "{\"pred\":\"kept\",\"args\":[\"one\"]}\n",
                    "FACT facts/f.jsonl:1:1 \nFACT facts/f.jsonl:2:1 this is not a fact\n"
                    "JSON facts/f.jsonl:4:1 \nLAYER facts/f.jsonl:5:1 kept belongs\n");
}

static void test_skills_are_read(void **state)
{
    (void)state;
    expect_findings("skills/good-one/SKILL.md", "---\nname: N\ndescription: D\n---\nText.\n",
                    "UNUSED_SKILL skills/good-one/SKILL.md:0:0 no rule injects this skill\n");
    expect_findings("skills/Bad/SKILL.md", "---\nname: N\ndescription: D\n---\nText.\n",
                    "BAD_NAME skills/Bad/SKILL.md:0:0 a skill's folder is named\n");
    expect_findings("skills/a/SKILL.md", "Text.\n",
                    "SKILL skills/a/SKILL.md:1:1 there is no front matter\n");
    expect_findings("skills/a/SKILL.md", "---\nname: N\ntitle: T\n---\n",
                    "UNKNOWN_KEY skills/a/SKILL.md:3:1 unknown key \"title\"\n"
                    "MISSING_KEY skills/a/SKILL.md:2:1 \"description\" is missing\n"
                    "SKILL skills/a/SKILL.md:2:1 the skill has no text\n");
}

static void test_lint_finds_what_cannot_be_meant(void **state)
{
    (void)state;
    expect_findings(
        "rules/domain/x.mg",
        "mandatory_for_intent(\"go\", \"nope\").\n"
        "includes_step(\"one\", \"zz\") :- seen(_).\n"
        "includes_step(\"one\", \"a\") :- seen(_).\n"
        "needs_skill(\"one\", \"nope\") :- seen(_).\n"
        "param_bound(\"one\", \"w\", 1) :- seen(_).\n"
        "macro_tool(\"one\", \"full\") :- seen(_).\n"
        "lonely(X) :- seen(X).\n"
        "told(X) :- hollow(X).\n"
        "Decl hollow(X).\n"
        "macro_tool(\"one\", \"verbose\") :- intent_type(_, \"go\").\n"
        "tool_relevant_to_intent(\"one\", \"go\", \"high\") :- seen(_).\n"
        "tool_relevant_to_intent(\"one\", \"Go\", 50) :- seen(_).\n",
        "BAD_LEVEL rules/domain/x.mg:10:19 a level is\n"
        "UNKNOWN_TOOL rules/domain/x.mg:1:28 there is no tool \"nope\"\n"
        "UNKNOWN_STEP rules/domain/x.mg:2:22 tool one has no step \"zz\"\n"
        "STEP_NOT_OPTIONAL rules/domain/x.mg:3:22 step a of one is always\n"
        "UNKNOWN_SKILL rules/domain/x.mg:4:20 there is no skill \"nope\"\n"
        "UNKNOWN_PARAM rules/domain/x.mg:5:20 the input schema of one has no \"w\"\n"
        "BOUNDS_RULE rules/domain/x.mg:11:38 argument 3 of \"tool_relevant_to_intent\" has "
        "to be /number, but is \"high\"\n"
        "UNLISTED_INTENT rules/domain/x.mg:12:32 domain.yaml lists no intent \"Go\"\n"
        "UNSCOPED rules/domain/x.mg:6:1 tool one is offered whatever the intent is\n"
        "NEVER_READ rules/domain/x.mg:7:1 no rule reads lonely\n"
        "NEVER_FILLED rules/domain/x.mg:9:");
    expect_findings("tools/u.yaml",
                    "tool: idle\nsummary: s\ndescription: d\ninput_schema: {type: object}\n"
                    "steps: [{id: a, action: AID.FX.ECHO.v1, optional: true},"
                    " {id: b, action: AID.FX.ECHO.v1, when: {const: false}}]\n",
                    "UNUSED_TOOL tools/u.yaml:1:1 no rule selects tool idle\n"
                    "UNREACHABLE_STEP tools/u.yaml:1:1 step a of idle never runs\n"
                    "UNREACHABLE_STEP tools/u.yaml:1:1 step b of idle never runs\n");
}

/* As expect_findings(), and nothing else is found. */
static void expect_exactly(const char *path, const char *content, const char *expected)
{
    struct temp_domain d;
    struct buf text = { 0 };
    temp_make(&d);
    temp_write(&d, path, content);
    struct snapshot *s = temp_load(&d, NULL, true, &text);
    temp_remove(&d);
    mgi_snapshot_unref(s);
    assert_string_equal(text.ptr ? text.ptr : "", expected);
    mgi_buf_fini(&text);
}

static void test_lint_finds_types_that_cannot_fit(void **state)
{
    (void)state;
    /* computed, not written */
    expect_exactly(
        "rules/domain/x.mg",
        "tool_relevant_to_intent(\"one\", \"go\", S) :- seen(X),\n"
        "  S = fn:string:concat(X, \"!\").\n",
        "BOUNDS_RULE rules/domain/x.mg:1:38 argument 3 of \"tool_relevant_to_intent\" has "
        "to be /number, but S is /string\n");
    expect_exactly("rules/domain/x.mg", "valid_for(\"one\", 5) :- seen(_).\n",
                   "BOUNDS_RULE rules/domain/x.mg:1:18 argument 2 of \"valid_for\" has to be "
                   "/duration, but is 5\n");
    /* a premise that reads what the server tells */
    expect_exactly("rules/domain/x.mg",
                   "includes_step(\"one\", S) :- optional_step(/one, S), seen(_).\n",
                   "BOUNDS_PREMISE rules/domain/x.mg:1:42 this can never hold: /one has to be "
                   "/string here\n");
    expect_exactly(
        "rules/effects/x.mg", "execution_summary(T) :- result(R), :match_field(R, /text, T).\n",
        "BOUNDS_PREMISE rules/effects/x.mg:1:52 this can never hold: R is fn:Map(/string,"
        "/any), which has no field /text\n");
    /* a fact of a table, which no rule shows */
    expect_exactly("facts/f.jsonl",
                   "{\"pred\":\"tool_relevant_to_intent\",\"args\":[\"one\",\"go\",\"high\"]}\n",
                   "BOUNDS_FACT facts:0:0 tool_relevant_to_intent(\"one\",\"go\",\"high\") holds, "
                   "but tool_relevant_to_intent: "
                   "argument 3 has to be /number, but is \"high\"\n");
    /* what only may be wrong is a warning, and tests that narrow it end that */
    expect_exactly(
        "rules/domain/x.mg",
        "tool_relevant_to_intent(\"one\", \"go\", S) :- intent_param(/intent, \"s\", S).\n",
        "BOUNDS_RULE rules/domain/x.mg:1:38 argument 3 of \"tool_relevant_to_intent\" has "
        "to be /number, but S is /any\n");
    expect_exactly(
        "rules/domain/x.mg",
        "tool_relevant_to_intent(\"one\", \"go\", S) :- intent_param(/intent, \"s\", S),\n"
        "  0 < S.\n",
        "");
    expect_exactly("rules/effects/x.mg",
                   "execution_summary(T) :- result(R), :match_entry(R, \"n\", N),\n"
                   "  M = fn:plus(N, 1), T = fn:string:concat(\"n \", M).\n",
                   "");
}

static void test_lint_knows_the_names_in_bodies(void **state)
{
    (void)state;
    expect_exactly(
        "rules/domain/x.mg",
        "instruction(\"one\", \"a\") :- intent_type(_, \"goo\"), busy. busy :- seen(_).\n"
        "instruction(\"one\", \"b\") :- intent_type(_, \"elsewhere\").\n"
        "instruction(\"one\", \"c\") :- setting(\"plase\", _), !tool(\"on\").\n"
        "instruction(\"one\", \"d\") :- setting(\"place\", _), tool_step(\"one\", \"a\", _).\n"
        "instruction(\"one\", \"e\") :- tool_step(\"one\", \"aa\", \"AID.FX.ECO.v1\").\n",
        "UNLISTED_INTENT rules/domain/x.mg:1:43 domain.yaml lists no intent \"goo\"\n"
        "UNKNOWN_SETTING rules/domain/x.mg:3:36 there is no setting \"plase\"\n"
        "UNKNOWN_TOOL rules/domain/x.mg:3:55 there is no tool \"on\"\n"
        "UNKNOWN_STEP rules/domain/x.mg:5:45 tool one has no step \"aa\"\n"
        "UNKNOWN_ACTION rules/domain/x.mg:5:51 there is no action \"AID.FX.ECO.v1\"\n");
    expect_exactly(
        "rules/effects/x.mg",
        "execution_summary(\"done\") :- invoked(\"oen\"), step_status(\"b\", \"success\").\n",
        "UNKNOWN_TOOL rules/effects/x.mg:1:38 there is no tool \"oen\"\n"
        "UNKNOWN_STEP rules/effects/x.mg:1:58 no tool has a step \"b\"\n");
}

static void test_lint_finds_deltas_that_no_client_can_keep(void **state)
{
    (void)state;
    expect_exactly(
        "rules/effects/x.mg",
        "delta_assert(\"sean\", [T], \"server\") :- invoked(T).\n"
        "delta_assert(\"seen\", [T, 1], \"server\") :- invoked(T).\n"
        "delta_assert(\"told\", [T], \"server\") :- invoked(T).\n" /* P-DELTA-10 */
        "delta_assert(\"seen\", [T], \"clinet\") :- invoked(T).\n"
        "delta_retract(\"seen\", [/any, /any]) :- invoked(_).\n"
        "delta_assert_during(\"seen\", [T], \"server\", /open, /open) :- invoked(T).\n"
        "continuation_fact(\"tool_tag\", [T, \"x\"]) :- invoked(T).\n"
        "delta_assert(\"seen\", [T], \"server\") :- invoked(T).\n"
        "delta_retract(\"told\", [/any]) :- invoked(_).\n"
        "delta_assert(P, [T], \"server\") :- invoked(T), tool_tag(T, P).\n",
        "UNKNOWN_PRED rules/effects/x.mg:1:14 no Decl with a direction names a predicate \"sean\"\n"
        "ARITY rules/effects/x.mg:2:22 seen has 1 argument, not 2\n"
        "OUTPUT_ONLY rules/effects/x.mg:3:14 told has direction output: no delta brings what a "
        "client may not send back\n"
        "BAD_CATEGORY rules/effects/x.mg:4:27 a category is \"server\", \"session\" or "
        "\"derived\"\n"
        "ARITY rules/effects/x.mg:5:23 seen has 1 argument, not 2\n"
        "NOT_TEMPORAL rules/effects/x.mg:6:21 seen is not temporal: it takes no interval\n"
        "UNKNOWN_PRED rules/effects/x.mg:7:19 tool_tag has no direction, so clients can neither "
        "keep "
        "nor send it\n");
    expect_exactly(
        "rules/effects/x.mg",
        "delta_assert(\"glimpsed\", [T], \"server\") :- invoked(T).\n"
        "continuation_fact(\"glimpsed\", [T]) :- invoked(T).\n",
        "OUTPUT_ONLY rules/effects/x.mg:1:14 glimpsed has direction evidence: no delta brings what "
        "clients neither see nor send\n"
        "OUTPUT_ONLY rules/effects/x.mg:2:19 glimpsed has direction evidence: no delta brings what "
        "clients neither see nor send\n");
    expect_exactly(
        "rules/effects/x.mg",
        "suggest_intent(\"goo\", \"g\") :- invoked(_).\n"
        "suggest_param(\"nowhere\", \"k\", 1) :- invoked(_).\n"
        "suggest_intent(\"go\", \"g\") :- invoked(_).\n"
        "execution_summary(\"s\") :- intent_type(_, \"unlisted\").\n"
        "suggest_intent(\"unlisted\", \"u\") :- invoked(_).\n",
        "UNKNOWN_INTENT rules/effects/x.mg:1:16 nobody lists or serves an intent \"goo\"\n"
        "UNKNOWN_INTENT rules/effects/x.mg:2:15 nobody lists or serves an intent "
        "\"nowhere\"\n");
}

/* The hint of the finding that begins with `place`, of the good domain with one file changed. */
static void expect_hint(const char *path, const char *content, const char *place, const char *hint)
{
    static const char *const plugin_paths[] = { MGI_BUILD_DIR "/test-plugins" };
    struct domain_options options = { .actions = &unit_actions,
                                      .plugin_paths = plugin_paths,
                                      .plugin_path_count = 1 };
    struct temp_domain d;
    struct findings *f = mgi_findings_new();
    char at[128];
    bool found = false;
    temp_make(&d);
    temp_write(&d, path, content);
    struct snapshot *s = mgi_domain_load(d.folder, &options, f);
    if (s)
        mgi_domain_lint(s, f);
    for (size_t i = 0; i < mgi_findings_count(f) && !found; i++) {
        const struct finding *one = mgi_findings_get(f, i);
        snprintf(at, sizeof at, "%s %s:%u:%u", one->code, one->file, one->line, one->column);
        found = strcmp(at, place) == 0;
        if (found && (!one->hint || strcmp(one->hint, hint) != 0))
            fail_msg("%s: hint \"%s\", not \"%s\"", place, one->hint ? one->hint : "(none)", hint);
    }
    temp_remove(&d);
    mgi_snapshot_unref(s);
    mgi_findings_free(f);
    if (!found)
        fail_msg("no finding at %s", place);
}

/* merge([C], "greater") reads greater, although no premise does. */
static void test_what_decides_merges_is_read(void **state)
{
    (void)state;
    expect_findings("rules/domain/x.mg",
                    "Decl best(X, C) descr [fundep([X], [C]), merge([C], \"greater\")]"
                    " bound [/any, /number].\n"
                    "Decl greater(A, B, C) descr [mode('+', '+', '-'), deferred()]"
                    " bound [/number, /number, /number].\n"
                    "greater(A, B, A) :- B <= A.\n"
                    "greater(A, B, B) :- A < B.\n"
                    "best(X, 1) :- seen(X).\n"
                    "instruction(\"one\", \"i\") :- best(_, _).\n",
                    "");
}

static void test_what_is_nearly_right_is_told(void **state)
{
    (void)state;
    static const char rules[] = "setisfied_constraint(\"a\", \"b\") :- seen(_).\n"
                                "delta_asert(\"seen\", [1], \"server\") :- seen(_).\n"
                                "busy(X) :- seen(X).\n"
                                "Decl buzy(X).\n"
                                "instruction(\"one\", \"i\") :- buzy(_), setting(\"plase\", _).\n"
                                "needs_skill(\"oen\", \"s\") :- seen(_).\n"
                                "omits_step(\"one\", \"A\") :- seen(_).\n";
    expect_hint("rules/domain/x.mg", rules, "NEVER_READ rules/domain/x.mg:1:1",
                "Did you mean satisfied_constraint?");
    expect_hint("rules/domain/x.mg", rules, "NEVER_READ rules/domain/x.mg:2:1",
                "Did you mean delta_assert?");
    expect_hint("rules/domain/x.mg", rules, "NEVER_READ rules/domain/x.mg:3:1",
                "Did you mean buzy?");
    expect_hint("rules/domain/x.mg", rules, "NEVER_FILLED rules/domain/x.mg:4:1",
                "Did you mean busy?");
    expect_hint("rules/domain/x.mg", rules, "UNKNOWN_SETTING rules/domain/x.mg:5:45",
                "Did you mean place?");
    expect_hint("rules/domain/x.mg", rules, "UNKNOWN_TOOL rules/domain/x.mg:6:13",
                "Did you mean one?");
    static const char tool[] =
        "tool: two\nsummary: s\ndescription: d\n"
        "input_schema: {type: object, additionalProperties: false, properties: {query: {type: "
        "string}}}\n"
        "steps:\n"
        "  - {id: first, action: AID.FX.ECHO.v1, inputs: {label: {from: args.qeury}}}\n"
        "  - {id: b, action: AID.FX.ECHO.v1, inputs: {label: {from: settings.plase}}}\n"
        "  - {id: c, action: AID.FX.ECHO.v1, inputs: {label: {from: steps.frist.output}}}\n";
    expect_hint("tools/u.yaml", tool, "BAD_REFERENCE tools/u.yaml:6:64",
                "Did you mean args.query?");
    expect_hint("tools/u.yaml", tool, "BAD_REFERENCE tools/u.yaml:7:60",
                "Did you mean settings.place?");
    expect_hint("tools/u.yaml", tool, "BAD_REFERENCE tools/u.yaml:8:60",
                "Did you mean steps.first?");
}

static void test_nothing_can_be_called_from(void **state)
{
    static const char head[] = "tool: two\nsummary: s\ndescription: d\n"
                               "input_schema: {type: object}\n";
    static const char good[] =
        "steps: [{id: a, action: AID.FX.ECHO.v1, inputs: {x: {const: {from: Ulm}}, "
        "y: {from: args.a, default: {b: 1}}}}, "
        "{id: b, action: AID.FX.ECHO.v1, inputs: {from: {from: args.a}, to: 1}, "
        "compensate: {action: AID.FX.ECHO.v1, with: {from: {const: Ulm}}}}]\n";
    static const char *const bad[] = {
        "steps: [{id: a, action: AID.FX.ECHO.v1, inputs: {from: args.a}}]\n",
        "steps: [{id: a, action: AID.FX.ECHO.v1, inputs: {from: Ulm, to: 1}}]\n",
        "steps: [{id: a, action: AID.FX.ECHO.v1, inputs: {trip: {from: Ulm, to: Kiel}}}]\n",
        "result: {from: {from: args.a}, to: {from: args.b}}\n",
        "result: {from: args.a, to: {from: args.b}}\n",
    };
    char text[512];
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        snprintf(text, sizeof text, "%s%s", head, bad[i]);
        expect_findings("tools/u.yaml", text, "RESERVED_NAME tools/u.yaml:5:");
        expect_findings("tools/u.yaml", text, "\"from\" is reserved: it says where a value comes");
    }
    snprintf(text, sizeof text, "%s%s", head, good);
    expect_exactly("tools/u.yaml", text, "UNUSED_TOOL tools/u.yaml:1:1 no rule selects tool two\n");
    snprintf(text, sizeof text, "%sresult: {x: {from: args.a, optinal: true}}\n", head);
    expect_findings("tools/u.yaml", text, "UNKNOWN_KEY tools/u.yaml:5:28 unknown key \"optinal\"");
}

static void test_a_cycle_is_told_at_the_rule_of_the_domain(void **state)
{
    (void)state;
    expect_exactly(
        "rules/domain/x.mg",
        "told(X) :- seen(X).\n"
        "includes_step(\"one\", \"a\") :- seen(_), kept(\"one\").\n",
        "STRATIFY rules/domain/x.mg:2:39 \"includes_step\" depends on its own negation: "
        "includes_step -> kept -> win_1 -> contender -> root_score -> !root -> !unusable "
        "-> barred -> broken_chain -> !chain_step -> includes_step\n");
}

static void test_an_evaluation_error_of_the_base_has_its_place(void **state)
{
    (void)state;
    expect_exactly("rules/domain/x.mg",
                   "told(X) :- seen(X).\n"
                   "size(N) :- setting(\"size\", M), N = fn:div(M, 0).\n"
                   "instruction(\"one\", \"i\") :- size(_).\n",
                   "BASE rules/domain/x.mg:2:1 evaluation error: fn:div: division by zero\n");
}

static void expect_override(const char *set, const char *expected)
{
    struct temp_domain d;
    struct buf text = { 0 };
    const char *sets[] = { set, NULL };
    temp_make(&d);
    struct snapshot *s = temp_load(&d, sets, false, &text);
    temp_remove(&d);
    if (expected && (s || !text.ptr || !strstr(text.ptr, expected)))
        fail_msg("%s: expected %s, got %s", set, expected, text.ptr ? text.ptr : "nothing");
    if (!expected && !s)
        fail_msg("%s: %s", set, text.ptr);
    mgi_snapshot_unref(s);
    mgi_buf_fini(&text);
}

static void test_overrides_are_judged_like_the_file(void **state)
{
    (void)state;
    expect_override("disclosure.full=90", NULL);
    expect_override("coverage=true", NULL);
    expect_override("size=4.5", NULL);
    expect_override("place=/elsewhere", NULL);
    expect_override("settings.size=7", NULL);
    expect_override("actions.plugins=fxunit,nowhere",
                    "NO_PLUGIN --set actions.plugins=fxunit,nowhere:0:0");
    expect_override("disclosure.full=lots",
                    "BAD_VALUE --set disclosure.full=lots:0:0 full must be");
    expect_override("limits.max_depth=1", "OUT_OF_RANGE --set limits.max_depth=1");
    expect_override("limits.max_dept=64", "UNKNOWN_KEY --set limits.max_dept=64");
    expect_override("plase=/x", "OVERRIDE --set plase=/x:0:0 there is no setting \"plase\"");
    expect_override("size=big", "BAD_VALUE --set size=big:0:0 setting size must be a number");
    expect_override("novalue", "OVERRIDE --set novalue:0:0 an override is KEY=VALUE");
}

static void test_a_folder_without_domain_yaml_is_none(void **state)
{
    struct findings *f = mgi_findings_new();
    (void)state;
    assert_null(mgi_domain_load("/tmp/there/is/nothing/here", NULL, f));
    assert_int_equal(mgi_findings_errors(f), 1);
    assert_string_equal(mgi_findings_get(f, 0)->code, "NO_DOMAIN");
    mgi_findings_free(f);
}

static void test_settings_are_read_without_the_rest(void **state)
{
    struct temp_domain d;
    (void)state;
    temp_make(&d);
    temp_write(&d, "rules/domain/d.mg", "this is no rule");
    struct findings *f = mgi_findings_new();
    struct snapshot *s = mgi_domain_settings(d.folder, NULL, f);
    assert_non_null(s);
    assert_int_equal(mgi_findings_count(f), 0);
    assert_true(str_is(s->settings.server_name, "s"));
    assert_int_equal(s->settings.limits.max_message_bytes, 16777216);
    assert_true(s->profile.closed);
    assert_null(s->program);
    mgi_snapshot_unref(s);
    temp_write(&d, "domain.yaml", "server: {name: s}\n");
    assert_null(mgi_domain_settings(d.folder, NULL, f));
    assert_true(mgi_findings_errors(f) > 0);
    mgi_findings_free(f);
    temp_remove(&d);
}

/* `repo/.git/worktrees/w` and `co/.git` lead to each other, but for what a case says otherwise. */
static void test_an_empty_path_is_the_repository_of_a_worktree(void **state)
{
    static const struct {
        const char *dot_git, *gitdir, *place, *of, *found;
    } cases[] = {
        { "gitdir: %s/repo/.git/worktrees/w\n", "%s/co/.git\n", "worktrees/w", "co", "repo/.git" },
        { "gitdir: ../repo/.git/worktrees/w", "../../../../co/.git", "worktrees/w", "co",
          "repo/.git" },
        { "gitdir: %s/repo/.git/worktrees/w\n", "%s/other/.git\n", "worktrees/w", "co", NULL },
        { "gitdir: %s/repo/.git/worktrees/w\n", "", "worktrees/w", "co", NULL },
        { "gitdir: %s/repo/.git/modules/w\n", "%s/co/.git\n", "modules/w", "co", NULL },
        { "gitdir: %s/repo/.git/worktrees/none\n", "%s/co/.git\n", "worktrees/w", "co", NULL },
        { "%s/repo/.git/worktrees/w\n", "%s/co/.git\n", "worktrees/w", "co", NULL },
        { "gitdir: /dev/zero\n", "%s/co/.git\n", "worktrees/w", "co", NULL },
        { "gitdir: /\n", "%s/co/.git\n", "worktrees/w", "co", NULL },
        { "gitdir: %s/repo/.git/worktrees/w\n", "%s/co/.git\n", "worktrees/w", "nowhere", NULL },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct temp_domain d;
        char text[1024], path[128], wanted[300] = "", set[200];
        temp_make(&d);
        snprintf(text, sizeof text, cases[i].dot_git, d.folder);
        temp_write(&d, "co/.git", text);
        snprintf(text, sizeof text, cases[i].gitdir, d.folder);
        snprintf(path, sizeof path, "repo/.git/%s/gitdir", cases[i].place);
        temp_write(&d, path, text);
        snprintf(text, sizeof text,
                 "server: {name: s, version: '1'}\ndomain: {id: d, description: d}\nintents: []\n"
                 "settings:\n  repo: {type: path, default: '', worktree_of: co}\n"
                 "  co: {type: path, default: %s}\n",
                 cases[i].of);
        temp_write(&d, "domain.yaml", text);
        struct findings *f = mgi_findings_new();
        struct snapshot *s = mgi_domain_settings(d.folder, NULL, f);
        assert_non_null(s);
        if (cases[i].found)
            snprintf(wanted, sizeof wanted, "%s/%s", d.folder, cases[i].found);
        assert_true(str_is(s->settings.settings[0].value.string, wanted));
        mgi_snapshot_unref(s);
        snprintf(set, sizeof set, "settings.repo=%s/mine", d.folder);
        const char *const sets[] = { set };
        const struct domain_options options = { .set = sets, .set_count = 1 };
        s = mgi_domain_settings(d.folder, &options, f);
        assert_true(mgi_str_ends(s->settings.settings[0].value.string, STR_LIT("/mine")));
        mgi_snapshot_unref(s);
        mgi_findings_free(f);
        temp_remove(&d);
    }
    expect_findings("domain.yaml",
                    "server: {name: s, version: '1'}\ndomain: {id: d, description: d}\n"
                    "intents: [{name: a, description: d}]\n"
                    "settings:\n"
                    "  a: {type: path, default: '', worktree_of: a}\n"
                    "  b: {type: path, default: '', worktree_of: [a]}\n"
                    "  c: {type: string, default: '', worktree_of: a}\n"
                    "  d: {type: path, default: '', worktree_of: c}\n",
                    "BAD_VALUE domain.yaml:5:45 worktree_of is of a path\n"
                    "BAD_VALUE domain.yaml:6:45 worktree_of is of a path\n"
                    "BAD_VALUE domain.yaml:7:47 worktree_of is of a path\n"
                    "BAD_VALUE domain.yaml:8:45 worktree_of is of a path\n");
}

static void test_a_fifo_is_no_file_of_a_domain(void **state)
{
    struct temp_domain d;
    char path[128];
    struct buf text = { 0 };
    (void)state;
    temp_make(&d);
    snprintf(path, sizeof path, "%s/rules/domain/pipe.mg", d.folder);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_null(temp_load(&d, NULL, true, &text)); /* and it does not wait for a writer */
    assert_non_null(strstr(text.ptr, "pipe.mg:0:0 could not read it: not a regular file"));
    temp_remove(&d);
    mgi_buf_fini(&text);
}

/* A policy that is not read would let through what it forbids. */
static void test_what_cannot_be_read_is_not_passed_over(void **state)
{
    static const struct {
        const char *path, *target, *told;
    } links[] = {
        { "rules/policy/lost.mg", "/nonexistent/lost.mg",
          "lost.mg:0:0 could not read it: No such" },
        { "rules/policy/far", "/tmp", "far:0:0 could not read it: a link to a folder is not" },
        { "rules/effects", "/nonexistent", "rules/effects:0:0 could not read it: No such" },
        { "facts/lost.csv", "lost", "facts/lost.csv:0:0 could not read it: No such" },
        { "tools/lost.yaml", "lost", "tools/lost.yaml:0:0 could not read it: No such" },
        { "rules/policy/loop.mg", "loop.mg", "loop.mg:0:0 could not read it: Too many levels" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof links / sizeof *links; i++) {
        struct temp_domain d;
        struct buf text = { 0 };
        temp_make(&d);
        temp_write(&d, "facts/f.mg", "");
        temp_write(&d, "rules/policy/p.mg", "");
        assert_int_equal(symlink(links[i].target, inside(&d, links[i].path)), 0);
        assert_null(temp_load(&d, NULL, true, &text));
        assert_non_null(strstr(text.ptr, links[i].told));
        assert_null(strstr(strstr(text.ptr, "could not read") + 1, "could not read")); /* once */
        temp_remove(&d);
        mgi_buf_fini(&text);
    }
}

static void test_folders_end_somewhere(void **state)
{
    struct temp_domain d;
    struct buf text = { 0 }, path = { 0 };
    (void)state;
    temp_make(&d);
    mgi_buf_puts(&path, "rules/policy/");
    for (int i = 0; i < 9; i++)
        mgi_buf_puts(&path, "x/");
    mgi_buf_puts(&path, "p.mg");
    temp_write(&d, path.ptr, "");
    assert_null(temp_load(&d, NULL, true, &text));
    assert_non_null(strstr(text.ptr, "could not read it: folders are nested too deeply"));
    temp_remove(&d);
    mgi_buf_fini(&text);
    mgi_buf_fini(&path);
}

static void test_a_name_that_only_looks_right_is_told(void **state)
{
    static const char *const odd[] = { "rules/policy/p.MG", "rules/policy/p.mg.txt",
                                       "rules/policy/.p.mg", "facts/f.csv.bak", "tools/t.YAML" };
    static const char *const fine[] = { "rules/policy/README.md", "rules/policy/p.mg~",
                                        "rules/policy/.#p.mg", "rules/policy/.gitkeep" };
    struct temp_domain d;
    struct buf text = { 0 };
    (void)state;
    temp_make(&d);
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
        temp_write(&d, odd[i], "this is not read");
    for (size_t i = 0; i < sizeof fine / sizeof *fine; i++)
        temp_write(&d, fine[i], "nor is this");
    struct snapshot *s = temp_load(&d, NULL, true, &text);
    assert_non_null(s);
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        char told[64];
        snprintf(told, sizeof told, "%s:0:0 it is not read", odd[i]);
        assert_non_null(strstr(text.ptr, told));
    }
    for (size_t i = 0; i < sizeof fine / sizeof *fine; i++)
        assert_null(strstr(text.ptr, fine[i]));
    mgi_snapshot_unref(s);
    temp_remove(&d);
    mgi_buf_fini(&text);
}

/* /proc says that its files are empty, so this one always has grown when it has been read. */
static void test_a_file_that_changes_while_it_is_read_is_not_whole(void **state)
{
    struct temp_domain d;
    char path[128];
    struct buf text = { 0 };
    (void)state;
    temp_make(&d);
    snprintf(path, sizeof path, "%s/rules/domain/now.mg", d.folder);
    assert_int_equal(symlink("/proc/version", path), 0);
    assert_null(temp_load(&d, NULL, true, &text));
    assert_non_null(strstr(text.ptr, "now.mg:0:0 could not read it: it changed while it was read"));
    temp_remove(&d);
    mgi_buf_fini(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_settings_are_read_without_the_rest),
        cmocka_unit_test(test_an_empty_path_is_the_repository_of_a_worktree),
        cmocka_unit_test(test_a_fifo_is_no_file_of_a_domain),
        cmocka_unit_test(test_what_cannot_be_read_is_not_passed_over),
        cmocka_unit_test(test_folders_end_somewhere),
        cmocka_unit_test(test_a_name_that_only_looks_right_is_told),
        cmocka_unit_test(test_a_file_that_changes_while_it_is_read_is_not_whole),
        cmocka_unit_test(test_a_good_folder_becomes_a_snapshot),
        cmocka_unit_test(test_what_speaks_of_outcomes_is_known),
        cmocka_unit_test(test_faults_of_domain_yaml_are_all_reported),
        cmocka_unit_test(test_plugins_that_everybody_can_write_are_refused),
        cmocka_unit_test(test_a_broken_domain_yaml_is_one_fault),
        cmocka_unit_test(test_yaml_that_is_none_is_refused_with_its_place),
        cmocka_unit_test(test_faults_of_templates_are_all_reported),
        cmocka_unit_test(test_faults_of_graphs_are_all_reported),
        cmocka_unit_test(test_a_graph_is_read),
        cmocka_unit_test(test_layers_are_walls),
        cmocka_unit_test(test_evidence_is_read_and_nothing_else),
        cmocka_unit_test(test_rule_tests_are_no_part_of_the_domain),
        cmocka_unit_test(test_faults_of_rules_come_from_the_engine),
        cmocka_unit_test(test_facts_are_read_from_tables),
        cmocka_unit_test(test_skills_are_read),
        cmocka_unit_test(test_lint_finds_what_cannot_be_meant),
        cmocka_unit_test(test_lint_finds_types_that_cannot_fit),
        cmocka_unit_test(test_lint_knows_the_names_in_bodies),
        cmocka_unit_test(test_lint_finds_deltas_that_no_client_can_keep),
        cmocka_unit_test(test_what_decides_merges_is_read),
        cmocka_unit_test(test_what_is_nearly_right_is_told),
        cmocka_unit_test(test_nothing_can_be_called_from),
        cmocka_unit_test(test_a_cycle_is_told_at_the_rule_of_the_domain),
        cmocka_unit_test(test_an_evaluation_error_of_the_base_has_its_place),
        cmocka_unit_test(test_overrides_are_judged_like_the_file),
        cmocka_unit_test(test_a_folder_without_domain_yaml_is_none),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests_name("domain/load", tests, NULL, NULL);
}
