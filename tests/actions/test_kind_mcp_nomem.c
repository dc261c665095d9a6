/* MCP servers of a domain, and their lock, survive the failure of an allocation while they are
 * read: no snapshot and an error, or all of it; and whoever wrote them is not blamed. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "actions/kinds.h"
#include "actions/toolpool_int.h"
#include "domain/provider.h"
#include "domain/temp_domain.h"
#include "support/nomem.h"

static char start[65]; /* of the server, as its settings have it */
static size_t asked;   /* tools in the settings of the last provider */

static bool list(void *context, void *begun, struct arena *arena, const struct action_provider *p,
                 struct action **actions, size_t *count, const char **why)
{
    const struct str key = STR_LIT("\"start\":\""), tool = STR_LIT("\"tool\":");
    static const struct str effects[] = { { "none", 4 } };
    (void)context, (void)begun, (void)why;
    size_t at = mgi_str_find(p->document, key);
    if (at != SIZE_MAX)
        snprintf(start, sizeof start, "%.64s", p->document.ptr + at + key.len);
    struct str rest = p->document;
    for (asked = 0; (at = mgi_str_find(rest, tool)) != SIZE_MAX; asked++)
        rest = (struct str){ rest.ptr + at + tool.len, rest.len - at - tool.len };
    struct action *one = mgi_arena_calloc(arena, 1, sizeof *one);
    if (!one)
        return false;
    *one = (struct action){ .aid = STR_LIT("AID.FX.ECHO.v1"), /* that of the domain's tool */
                            .name = STR_LIT("echo"),
                            .provider = p,
                            .effects = effects,
                            .effect_count = 1,
                            .input_schema_text = STR_LIT("") };
    *actions = one;
    *count = 1;
    return true;
}

static void load_often(const struct temp_domain *d, const struct action_kind *kinds, bool good)
{
    char products[128];
    snprintf(products, sizeof products, "%s/products", d->folder);
    const char *const folders[] = { products };
    const struct action_source source = { .list = list, .kinds = kinds };
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
        if (!s && f && failed && good && !mgi_findings_nomem(f))
            fail_msg("allocation %zu: %s", n, mgi_findings_get(f, 0)->message);
        mgi_snapshot_unref(s);
        mgi_findings_free(f);
        if (!failed)
            break;
    }
}

static void write_domain(const struct temp_domain *d, const char *mcp)
{
    char text[512];
    snprintf(text, sizeof text,
             "server: {name: s, version: 1.0.0}\ndomain: {id: d, description: d}\n"
             "actions: {mcp: %s}\n",
             mcp);
    temp_write(d, "domain.yaml", text);
}

static void test_servers_and_their_lock_are_read_or_not(void **state)
{
    (void)state;
    struct temp_domain d;
    char lock[1024];
    temp_make(&d);
    temp_write(&d, "products/mcp.so", "listed from a table");
    write_domain(&d, "{from: .mcp.json, servers: {a: {may: [shell], read: [data], tools: ['*']}}}");
    temp_write(
        &d, ".mcp.json",
        "{ // comment\n\t\"mcpServers\": {\"a\": {\"command\": \"sh\", \"args\": [\"${NO:-x}\"],\n"
        "\"excludeTools\": [\"y\"], \"envFile\": \".env\","
        "\"env\": {\"A\": \"${env:PATH}\", \"B\": \"${workspaceFolder}/c\"}},\n"
        "\"off\": {\"disabled\": true}}}");
    temp_write(&d, ".env", "# of a\nA=not this\nexport C='d'\n");
    load_often(&d, mgi_lock_kinds, true);
    assert_int_equal(strlen(start), 64);
    snprintf(
        lock, sizeof lock,
        "{\"version\":1,\"servers\":{\"a\":{\"start\":\"%s\",\"era\":\"legacy\",\"tools\":["
        "{\"name\":\"get_x\",\"sha256\":\"%s\",\"description\":\"d\",\"side_effects\":[\"none\"],"
        "\"idempotent\":true,\"input_schema\":{\"$schema\":\"x\",\"type\":\"object\"},"
        "\"output_schema\":{\"type\":\"object\"}},{\"name\":\"left out\"}]}}}",
        start, start);
    temp_write(&d, "mcp.lock.json", lock);
    load_often(&d, mgi_action_kinds, true);
    assert_int_equal(asked, 1);
    write_domain(&d, "{a: {command: sh}, b: {url: 'http://x', headers: {Host: y}}, c: {}, d: 3}");
    load_often(&d, mgi_action_kinds, false);
    write_domain(&d,
                 "{b: {url: 'http://x', bearer_token_env_var: PATH}, c: {command: sh, tools: x}}");
    load_often(&d, mgi_action_kinds, false);
    temp_write(&d, "mcp.lock.json", "{\"version\": 7}");
    load_often(&d, mgi_action_kinds, false);
    temp_remove(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_servers_and_their_lock_are_read_or_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
