/* The same domain with external predicates: the rows of `stock` are asked of an action, those of
 * `price` stand in a table. */
#ifndef TESTS_SCENARIO_ANSWERED_H
#define TESTS_SCENARIO_ANSWERED_H

#include "made.h"

static const char answered_yaml[] = "server: {name: s, version: 1.0.0}\n"
                                    "domain: {id: d, description: d}\n"
                                    "actions: {plugins: [fxunit]}\n"
                                    "external:\n"
                                    "  stock: {action: AID.FX.ECHO.v1}\n"
                                    "  price: {table: tables/price.csv}\n";
static const char answered_rules[] =
    "Decl stock(What, Count, Where) descr [external(), mode('+', '-', '-')]\n"
    "  bound [/string, /number, /string].\n"
    "Decl price(What, Cents) descr [external(), mode('+', '-')] bound [/string, /number].\n"
    "mandatory_for_intent(\"go\", \"one\") :- done(1), stock(\"tea\", N, _), 3 < N.\n"
    "tool_relevant_to_intent(\"two\", \"go\", 50) :- price(\"tea\", 300), stock(\"pot\", _, "
    "\"b\").\n";

static inline void make_answered(struct made *m, const char *scenarios)
{
    char path[512];
    make_domain(m, scenarios);
    mgi_snapshot_unref(m->s);
    snprintf(path, sizeof path, "%s/tables", m->folder);
    assert_int_equal(mkdir(path, 0700), 0);
    write_file(m->folder, "domain.yaml", answered_yaml);
    write_file(m->folder, "tables/price.csv", "tea,300\n");
    write_file(m->folder, "rules/domain/a.mg", answered_rules);
    m->s = unit_load(m->folder, NULL);
    assert_non_null(m->s);
}

#endif
