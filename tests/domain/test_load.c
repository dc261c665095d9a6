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
        "BAD_REFERENCE tools/u.yaml:15:58 \"settings.nope\": there is no such setting\n"
        "BAD_REFERENCE tools/u.yaml:15:84 \"env.HOME\": not something that can be read\n"
        "BAD_VALUE tools/u.yaml:16:11 result must be\n"
        "MISSING_KEY tools/u.yaml:17:3 \"summary\" is missing\n");
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
    expect_findings("rules/domain/x.mg",
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
                    "BAD_SCORE rules/domain/x.mg:11:38 a score is a whole number from 0 to 100\n"
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_settings_are_read_without_the_rest),
        cmocka_unit_test(test_a_fifo_is_no_file_of_a_domain),
        cmocka_unit_test(test_a_good_folder_becomes_a_snapshot),
        cmocka_unit_test(test_faults_of_domain_yaml_are_all_reported),
        cmocka_unit_test(test_plugins_that_everybody_can_write_are_refused),
        cmocka_unit_test(test_a_broken_domain_yaml_is_one_fault),
        cmocka_unit_test(test_yaml_that_is_none_is_refused_with_its_place),
        cmocka_unit_test(test_faults_of_templates_are_all_reported),
        cmocka_unit_test(test_layers_are_walls),
        cmocka_unit_test(test_rule_tests_are_no_part_of_the_domain),
        cmocka_unit_test(test_faults_of_rules_come_from_the_engine),
        cmocka_unit_test(test_facts_are_read_from_tables),
        cmocka_unit_test(test_skills_are_read),
        cmocka_unit_test(test_lint_finds_what_cannot_be_meant),
        cmocka_unit_test(test_overrides_are_judged_like_the_file),
        cmocka_unit_test(test_a_folder_without_domain_yaml_is_none),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests_name("domain/load", tests, NULL, NULL);
}
