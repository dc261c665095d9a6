/* The same domain with two tools that are menus: from one a policy picks, from the other rules,
 * which ask an external predicate. */
#ifndef TESTS_SCENARIO_MENUS_H
#define TESTS_SCENARIO_MENUS_H

#include "made.h"

static const char menus_yaml[] = "server: {name: s, version: 1.0.0}\n"
                                 "domain: {id: d, description: d}\n"
                                 "actions: {plugins: [fxunit]}\n"
                                 "policies: {pick: {run: [sh, policies/pick.sh]}}\n"
                                 "external:\n"
                                 "  stock: {action: AID.FX.ECHO.v1}\n";
static const char menus_tools[] =
    "- tool: policy\n"
    "  summary: s\n"
    "  description: d\n"
    "  input_schema: {type: object}\n"
    "  steps:\n"
    "    - id: next\n"
    "      menu: {actions: [AID.FX.ECHO.v1, AID.FX.TOUCH.v1], select: policy, policy: pick,\n"
    "             fallback: rules, question: What now?}\n"
    "      inputs: {x: 1}\n"
    "  result: {reason: {from: steps.next.output.reason}}\n"
    "- tool: rules\n"
    "  summary: s\n"
    "  description: d\n"
    "  input_schema: {type: object}\n"
    "  steps:\n"
    "    - id: next\n"
    "      menu: {actions: [AID.FX.ECHO.v1, AID.FX.TOUCH.v1]}\n"
    "      inputs: {x: 1}\n";
static const char menus_rules[] =
    "Decl stock(What, Count) descr [external(), mode('+', '-')] bound [/string, /number].\n"
    "mandatory_for_intent(\"go\", \"policy\").\n"
    "mandatory_for_intent(\"go\", \"rules\").\n"
    "menu_pick(T, \"next\", \"AID.FX.TOUCH.v1\", 1) :- choosing(T, \"next\"), T = \"policy\".\n"
    "menu_pick(T, \"next\", \"AID.FX.ECHO.v1\", 1) :- choosing(T, \"next\"), T = \"rules\", "
    "menu_turn(1).\n"
    "menu_set(T, \"next\", \"AID.FX.ECHO.v1\", \"x\", N) :- choosing(T, \"next\"), T = \"rules\", "
    "stock(\"tea\", N).\n"
    "menu_pick(T, \"next\", \"AID.FX.TOUCH.v1\", 1) :- choosing(T, \"next\"), T = \"rules\", "
    "menu_turn(2).\n"
    "menu_ask(T, \"next\", \"AID.FX.TOUCH.v1\", \"Touch it?\") :- choosing(T, \"next\"), T = "
    "\"rules\".\n";

static inline void make_menus(struct made *m, const char *scenarios)
{
    char path[512], text[3000];
    snprintf(text, sizeof text, "external: {stock: [[tea, 4], [pot, 1]]}\n%s", scenarios);
    make_domain(m, text);
    mgi_snapshot_unref(m->s);
    snprintf(path, sizeof path, "%s/policies", m->folder);
    assert_int_equal(mkdir(path, 0700), 0);
    write_file(m->folder, "policies/pick.sh", "exit 1\n");
    write_file(m->folder, "domain.yaml", menus_yaml);
    write_file(m->folder, "tools/t.yaml", menus_tools);
    write_file(m->folder, "rules/domain/a.mg", menus_rules);
    m->s = unit_load(m->folder, NULL);
    assert_non_null(m->s);
}

#endif
