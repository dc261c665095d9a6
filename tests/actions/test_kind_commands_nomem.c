/* Commands of a domain survive the failure of an allocation while they are read: no snapshot and an
 * error, or all of them; and whoever wrote them is not blamed. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "actions/toolpool_int.h"
#include "domain/provider.h"
#include "domain/temp_domain.h"
#include "support/nomem.h"

static const char commands[] =
    "- name: look\n  description: d\n"
    "  run: [ls, \"-{{x}}\", {if: all, then: [-a, {each: more}]}, --, "
    "\"{settings.place}/{sub!}\"]\n"
    "  stdin: {json: [a]}\n  folder: \"{sub}\"\n  env: {A: b}\n"
    "  output: {regex: \"(?<a>x)\", all: true}\n  exit: {1: {ok: true, output: {}}, other: no}\n"
    "  side_effects: [filesystem_read]\n  may: [file_read]\n  read: [\"{settings.place}/data\"]\n  "
    "tags: [t]\n"
    "- name: wait\n  description: d\n  run: [/bin/true, \"{n}\"]\n"
    "  input: {n: {type: integer, default: 3}}\n  side_effects: none\n  timeout: 3s\n";

/* What the tool host would list of it, as far as the tool needs it. */
static bool list(void *context, void *begun, struct arena *arena, const struct action_provider *p,
                 struct action **actions, size_t *count, const char **why)
{
    static const struct str effects[] = { { "none", 4 } };
    (void)context, (void)begun, (void)why;
    struct action *all = mgi_arena_calloc(arena, p->place_count + 1, sizeof *all);
    for (size_t i = 0; all && i < p->place_count; i++)
        all[i] = (struct action){ .aid = p->places[i].aid,
                                  .name = p->places[i].aid,
                                  .provider = p,
                                  .effects = effects,
                                  .effect_count = 1,
                                  .input_schema_text = { "", 0 } };
    *actions = all;
    *count = all ? p->place_count : 0;
    return all != NULL;
}

static void load_often(const struct temp_domain *d, bool good)
{
    char products[128];
    snprintf(products, sizeof products, "%s/products", d->folder);
    const char *const folders[] = { products };
    const struct action_source source = { .list = list, .kinds = mgi_action_kinds };
    const struct domain_options options = { .actions = &source,
                                            .plugin_paths = folders,
                                            .plugin_path_count = 1 };
    for (size_t n = 1;; n += n < 100 ? 1 : n / 24) {
        nomem_fail_at(n);
        struct findings *f = mgi_findings_new();
        struct snapshot *s = f ? mgi_domain_load(d->folder, &options, f) : NULL;
        bool failed = nomem_failed();
        nomem_fail_at(0);
        if (!failed && (s != NULL) != good)
            fail_msg("%s", f && mgi_findings_count(f) ? mgi_findings_get(f, 0)->message : "?");
        if (s) {
            assert_int_equal(s->action_count, 3);
            assert_int_equal(s->tool_count, 1);
            assert_non_null(s->tools[0].steps[0].action);
        } else if (f && failed && good && !mgi_findings_nomem(f)) {
            fail_msg("allocation %zu: %s", n, mgi_findings_get(f, 0)->message);
        }
        mgi_snapshot_unref(s);
        mgi_findings_free(f);
        if (!failed)
            break;
    }
}

static void test_commands_are_read_or_not(void **state)
{
    (void)state;
    struct temp_domain d;
    temp_make(&d);
    temp_write(&d, "products/command.so", "listed from a table");
    temp_write(&d, "products/one.so", "listed from a table, and has nothing");
    temp_write(
        &d, "domain.yaml",
        "server: {name: s, version: 1.0.0}\ndomain: {id: d, description: d}\n"
        "intents: [{name: go, description: g, required_facts: [seen]}]\n"
        "settings: {place: {type: string, default: here}}\n"
        "actions:\n  commands: actions/*.yaml\n"
        "  plugins:\n    - name: one\n      read: [\"{settings.place}/data\"]\n"
        "      settings: {root: {from: settings.place}, all: [{from: settings.place}, {a: 1}]}\n");
    temp_write(&d, "actions/a.yaml", commands);
    temp_write(&d, "tools/t.yaml",
               "tool: one\nsummary: s\nrun: [head, \"{file}\"]\nside_effects: none\n");
    load_often(&d, true);
    temp_write(&d, "actions/b.yaml",
               "name: X\nrun: [no-such-program, \"{\", {if: 3}]\noutput: {regex: \"(\"}\n");
    load_often(&d, false);
    temp_remove(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_commands_are_read_or_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
