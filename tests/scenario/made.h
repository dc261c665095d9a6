/* A small domain in a folder of its own, with one file of scenarios. */
#ifndef TESTS_SCENARIO_MADE_H
#define TESTS_SCENARIO_MADE_H

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "domains/unit.h"
#include "scenario/scenario.h"

struct made {
    char folder[64];
    struct snapshot *s;
    struct findings *findings;
    struct scenario_report report;
    struct arena arena;
};

static inline void write_file(const char *folder, const char *path, const char *text)
{
    char full[512];
    snprintf(full, sizeof full, "%s/%s", folder, path);
    FILE *f = fopen(full, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static const char made_rules[] =
    "mandatory_for_intent(\"go\", \"one\").\n"
    "tool_relevant_to_intent(\"two\", \"go\", 30).\n"
    "mandatory_for_intent(\"act\", \"act\").\n"
    "mandatory_for_intent(\"wipe\", \"wipe\").\n"
    "delta_assert(\"done\", [X], \"server\") :- invoked(\"act\"), invoke_arg(\"x\", X).\n"
    "delta_retract(\"done\", [/any]) :- invoked(\"act\").\n"
    "suggest_intent(\"go\", \"Go on.\") :- invoked(\"act\").\n"
    "suggest_param(\"go\", \"p\", 1) :- invoked(\"act\").\n"
    "continuation_fact(\"done\", [X]) :- invoked(\"act\"), invoke_arg(\"x\", X).\n";

static const char made_tools[] =
    "- {tool: one, summary: s, description: d,"
    " input_schema: {type: object, properties: {q: {type: integer}}}}\n"
    "- {tool: two, summary: s, description: d, input_schema: {type: object}}\n"
    "- tool: act\n"
    "  summary: s\n"
    "  description: d\n"
    "  input_schema: {type: object, properties: {x: {type: integer}}}\n"
    "  steps:\n"
    "    - {id: a, action: AID.FX.ECHO.v1, inputs: {x: {from: args.x}}}\n"
    "    - {id: second, action: AID.FX.ECHO.v1, inputs: {y: {from: steps.a.output.y}}}\n"
    "  result: {z: {from: steps.second.output.z}}\n"
    "- tool: wipe\n"
    "  summary: s\n"
    "  description: d\n"
    "  input_schema: {type: object}\n"
    "  steps: [{id: w, action: AID.FX.WIPE.v1}]\n";

static inline void make_domain(struct made *m, const char *scenarios)
{
    char path[512];
    static const char *const folders[] = { "rules", "rules/domain", "rules/schema", "tools",
                                           "tests" };
    *m = (struct made){ .folder = "/tmp/mangle-scenario-XXXXXX" };
    assert_non_null(mkdtemp(m->folder));
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        snprintf(path, sizeof path, "%s/%s", m->folder, folders[i]);
        assert_int_equal(mkdir(path, 0700), 0);
    }
    write_file(m->folder, "domain.yaml",
               "server: {name: s, version: 1.0.0}\ndomain: {id: d, description: d}\n"
               "actions: {plugins: [fxunit]}\n");
    write_file(m->folder, "rules/schema/a.mg",
               "Decl done(X) descr [direction(\"both\")] bound [/number].\n");
    write_file(m->folder, "rules/domain/a.mg", made_rules);
    write_file(m->folder, "tools/t.yaml", made_tools);
    write_file(m->folder, "tests/wrong.yaml", scenarios);
    m->s = unit_load(m->folder, NULL);
    assert_non_null(m->s);
}

static inline void remove_domain(struct made *m)
{
    char command[128];
    mgi_snapshot_unref(m->s);
    snprintf(command, sizeof command, "rm -r %s", m->folder);
    assert_int_equal(system(command), 0);
}

#endif
