/* What stands below `actions:`, by kind: the provider documents that come of it, and what is wrong
 * with it. No tool host runs: listing notes what it is given. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>

#include "actions/kinds.h"
#include "actions/toolpool_int.h"
#include "domain/temp_domain.h"

static struct buf noted; /* KIND NAME FILE DOCUMENT, a line for each provider */

static bool note(void *context, void *begun, struct arena *arena, const struct action_provider *p,
                 struct action **actions, size_t *count, const char **why)
{
    const char *slash = strrchr(p->plugin.ptr, '/');
    mgi_buf_printf(&noted, "%s %.*s %s %.*s\n", p->kind, STR_ARG(p->name), slash + 1,
                   STR_ARG(p->document));
    return *count > 0 || unit_list(context, begun, arena, p, actions, count, why);
}

static void write_program(struct temp_domain *d, const char *name, mode_t mode)
{
    char path[256];
    temp_write(d, name, "#!/bin/sh\n");
    snprintf(path, sizeof path, "%s/%s", d->folder, name);
    assert_int_equal(chmod(path, mode), 0);
}

/* Load the domain with these `actions`; the findings are in *text. */
static struct snapshot *load(struct temp_domain *d, const char *actions, struct buf *text)
{
    char yaml[2048], products[128];
    snprintf(yaml, sizeof yaml,
             "server: {name: s, version: 1.0.0}\ndomain: {id: d, description: d}\n"
             "intents: [{name: go, description: g, required_facts: [seen]}]\n"
             "settings: {place: {type: path, default: co}, n: {type: number, default: 7}, "
             "on: {type: boolean, default: true}, none: {type: path, default: ''}}\n"
             "actions:\n%s",
             actions);
    temp_make(d);
    temp_write(d, "domain.yaml", yaml);
    temp_write(d, "products/relay.so", "listed from a table");
    write_program(d, "more", 0755);
    write_program(d, "open", 0777);
    snprintf(products, sizeof products, "%s/products", d->folder);
    const char *const folders[] = { MGI_BUILD_DIR "/test-plugins", products };
    const struct action_source source = { .list = note, .kinds = mgi_action_kinds };
    const struct domain_options options = { .actions = &source,
                                            .plugin_paths = folders,
                                            .plugin_path_count = 2 };
    struct findings *findings = mgi_findings_new();
    mgi_buf_clear(&noted);
    struct snapshot *s = mgi_domain_load(d->folder, &options, findings);
    for (size_t i = 0; i < mgi_findings_count(findings); i++)
        mgi_finding_print(text, mgi_findings_get(findings, i));
    mgi_findings_free(findings);
    temp_remove(d);
    return s;
}

/* `%s` in `expected` is the domain's folder. */
static void expect_providers(const char *actions, const char *expected)
{
    struct temp_domain d;
    struct buf text = { 0 };
    char want[2048];
    struct snapshot *s = load(&d, actions, &text);
    if (!s)
        fail_msg("%s", text.ptr);
    snprintf(want, sizeof want, expected, d.folder, d.folder, d.folder, d.folder);
    assert_string_equal(noted.ptr, want);
    mgi_snapshot_unref(s);
    mgi_buf_fini(&text);
    mgi_buf_fini(&noted);
}

static void expect_faults(const char *actions, const char *const *expected)
{
    struct temp_domain d;
    struct buf text = { 0 };
    struct snapshot *s = load(&d, actions, &text);
    assert_null(s);
    for (; *expected; expected++)
        if (mgi_str_find(mgi_buf_view(&text), str_of(*expected)) == SIZE_MAX)
            fail_msg("missing: %s\nfound:\n%s", *expected, text.ptr);
    mgi_buf_fini(&text);
    mgi_buf_fini(&noted);
}

static void test_plugins_by_name_and_with_settings(void **state)
{
    (void)state;
    expect_providers("  plugins: [fxunit]\n",
                     "plugins fxunit fxunit.so {\"name\":\"fxunit\",\"confine\":\"on\"}\n");
    expect_providers("  confine: required\n"
                     "  plugins:\n"
                     "    - {name: fxunit, may: [file_read], read: [data, /srv], write: [],\n"
                     "       settings: {words: 3, deep: {list: [a, 1]}}}\n",
                     "plugins fxunit fxunit.so {\"name\":\"fxunit\",\"confine\":\"required\","
                     "\"caps\":[\"file_read\"],\"read\":[\"%s/data\",\"/srv\"],\"write\":[],"
                     "\"settings\":{\"words\":3,\"deep\":{\"list\":[\"a\",1]}}}\n");
}

static void test_plugins_that_start_much_have_limits_of_their_own(void **state)
{
    static const char *const faults[] = {
        "domain.yaml:8:15: error: \"limits\" must be a map, not a list [BAD_VALUE]",
        "domain.yaml:10:29: error: \"descriptors\" must be a whole number from 16 to 65536",
        "domain.yaml:10:43: error: \"memory_mb\" must be a whole number from 0 to 1048576",
        "domain.yaml:10:46: error: unknown key \"process\" in limits", NULL
    };
    (void)state;
    expect_providers("  plugins:\n"
                     "    - {name: fxunit, limits: {memory_mb: 0, file_mb: 500, descriptors: 4096, "
                     "processes: 300}}\n",
                     "plugins fxunit fxunit.so {\"name\":\"fxunit\",\"confine\":\"on\",\"limits\":"
                     "{\"address_space_mb\":0,\"descriptors\":4096,\"processes\":300,"
                     "\"file_mb\":500}}\n");
    expect_faults("  plugins:\n"                                                /* 6 */
                  "    - name: a\n"                                             /* 7 */
                  "      limits: [1]\n"                                         /* 8 */
                  "    - name: b\n"                                             /* 9 */
                  "      limits: {descriptors: 3, memory_mb: x, process: 5}\n", /* 10 */
                  faults);
}

static void test_settings_of_the_domain_reach_providers(void **state)
{
    (void)state;
    expect_providers(
        "  plugins:\n"
        "    - name: fxunit\n"
        "      read: [\"{settings.place}\", \"{settings.place}/a{{b\", "
        "\"x{settings.n}\", \"{settings.none}\"]\n"
        "      settings: {root: {from: settings.place}, list: [{from: settings.n}, "
        "{from: settings.on}, {from: settings.none}], from: plain, deep: {from: x, more: 1}}\n",
        "plugins fxunit fxunit.so {\"name\":\"fxunit\",\"confine\":\"on\","
        "\"read\":[\"%s/co\",\"%s/co/a{b\",\"%s/x7\"],"
        "\"settings\":{\"root\":\"%s/co\",\"list\":[7,true],\"from\":\"plain\","
        "\"deep\":{\"from\":\"x\",\"more\":1}}}\n");
}

static void test_settings_that_are_not_there_are_told(void **state)
{
    static const char *const faults[] = {
        "domain.yaml:8:14: error: there is no setting \"plase\" [UNKNOWN_SETTING]",
        "Did you mean settings.place?",
        "domain.yaml:8:34: error: what a path grants does not depend on an argument [BAD_TEMPLATE]",
        "domain.yaml:8:45: error: \"{\", at character 1: braces hold",
        "domain.yaml:9:28: error: there is no setting \"nothing\" [UNKNOWN_SETTING]",
        "domain.yaml:9:58: error: \"args.x\": a plugin is told settings of the domain",
        NULL
    };
    (void)state;
    expect_faults("  plugins:\n"                                                          /* 6 */
                  "    - name: a\n"                                                       /* 7 */
                  "      read: [\"{settings.plase}\", \"{place}\", \"{\"]\n"              /* 8 */
                  "      settings: {a: {from: settings.nothing}, b: [{from: args.x}]}\n", /* 9 */
                  faults);
}

static void test_programs_are_relayed_to(void **state)
{
    (void)state;
    setenv("KINDS_TEST_TOKEN", "s3cret", 1);
    expect_providers("  hosts:\n"
                     "    - name: tools\n"
                     "      run: [env, \"a b.py\"]\n"
                     "      env: {TOKEN: \"${KINDS_TEST_TOKEN}\", PLAIN: \"$5\"}\n"
                     "      may: [network]\n"
                     "    - {name: more, run: [./more]}\n",
                     "hosts tools relay.so {\"name\":\"tools\",\"confine\":\"on\","
                     "\"caps\":[\"network\"],\"settings\":{\"folder\":\"%s\","
                     "\"run\":[\"/usr/bin/env\",\"a b.py\"],"
                     "\"env\":{\"TOKEN\":\"s3cret\",\"PLAIN\":\"$5\"}}}\n"
                     "hosts more relay.so {\"name\":\"more\",\"confine\":\"on\","
                     "\"settings\":{\"folder\":\"%s\",\"run\":[\"%s/./more\"]}}\n");
}

static void test_all_that_is_wrong_is_said(void **state)
{
    static const char *const faults[] = {
        "domain.yaml:6:12: error: \"confine\" is on, required or off",
        "domain.yaml:8:23: error: there is no capability \"file_reed\"",
        "Did you mean file_read?",
        "domain.yaml:8:41: error: \"read\" must be a list, not text",
        "domain.yaml:9:7: error: \"name\" is missing",
        "domain.yaml:9:18: error: \"settings\" must be a map, not a list",
        "domain.yaml:11:7: error: \"run\" is missing",
        "domain.yaml:12:22: error: \"run\" names no program",
        "domain.yaml:13:22: error: \"run\" must be a list of at most 256 texts",
        "domain.yaml:14:37: error: ${KINDS_TEST_NOT_SET} is not set",
        "domain.yaml:15:39: error: \"env\" maps names of variables to texts",
        "domain.yaml:16:7: error: a host is a map, not text",
        "domain.yaml:17:23: error: there is no program no-such-program in PATH",
        "domain.yaml:18:23: error: ./open is not started",
        NULL
    };
    (void)state;
    unsetenv("KINDS_TEST_NOT_SET");
    expect_faults("  confine: maybe\n"                                                /* 6 */
                  "  plugins:\n"                                                      /* 7 */
                  "    - {name: a, may: [file_reed], read: x}\n"                      /* 8 */
                  "    - {settings: [1]}\n"                                           /* 9 */
                  "  hosts:\n"                                                        /* 10 */
                  "    - {name: a}\n"                                                 /* 11 */
                  "    - {name: b, run: []}\n"                                        /* 12 */
                  "    - {name: c, run: python3}\n"                                   /* 13 */
                  "    - {name: d, run: [sh], env: {A: \"${KINDS_TEST_NOT_SET}\"}}\n" /* 14 */
                  "    - {name: e, run: [sh], env: {A-B: x}}\n"                       /* 15 */
                  "    - tools\n"                                                     /* 16 */
                  "    - {name: f, run: [no-such-program]}\n"                         /* 17 */
                  "    - {name: g, run: [./open]}\n",                                 /* 18 */
                  faults);
    static const char *const number[] = {
        "domain.yaml:6:10: error: hosts must be a list of programs",
        "How many processes there are per plugin is \"processes\".", NULL
    };
    expect_faults("  hosts: 4\n", number);
}

static void test_a_document_is_sealed_for_one_child(void **state)
{
    const struct action_provider none = { .kind = "plugins" };
    const struct action_provider p = { .document = { "{\"settings\":{}}", 15 } };
    char read_back[32];
    (void)state;
    assert_int_equal(mgi_provider_file(&none), -1);
    int fd = mgi_provider_file(&p);
    assert_true(fd >= 0);
    assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
    assert_int_equal(read(fd, read_back, sizeof read_back), 15);
    assert_int_equal(write(fd, "x", 1), -1);
    assert_int_equal(ftruncate(fd, 0), -1);
    close(fd);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plugins_by_name_and_with_settings),
        cmocka_unit_test(test_plugins_that_start_much_have_limits_of_their_own),
        cmocka_unit_test(test_settings_of_the_domain_reach_providers),
        cmocka_unit_test(test_settings_that_are_not_there_are_told),
        cmocka_unit_test(test_programs_are_relayed_to),
        cmocka_unit_test(test_all_that_is_wrong_is_said),
        cmocka_unit_test(test_a_document_is_sealed_for_one_child),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
