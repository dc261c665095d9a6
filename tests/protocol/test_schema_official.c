/* The official cases of JSON Schema 2020-12: the required ones without exception, of the optional
 * ones those that are promised here; the rest is counted. They come with Debian's
 * libtest-json-schema-acceptance-perl. What the cases fetch is in the table that a caller gives:
 * the package's "remotes", and the metaschema, which comes with python3-jsonschema. Without both
 * packages the tests are skipped. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#include "protocol/schema.h"

#define PACKAGE_CASES                                                                              \
    "/usr/share/perl5/auto/share/dist/Test-JSON-Schema-Acceptance/tests/draft2020-12"
#define METASCHEMA      "https://json-schema.org/draft/2020-12/schema"
#define METASCHEMA_FILE "/usr/lib/python3/dist-packages/jsonschema/schemas/draft2020-12.json"
#define VOCABULARIES    "/usr/lib/python3/dist-packages/jsonschema/schemas/vocabularies.json"
#define REMOTE_BASE     "http://localhost:1234/"
#define MAX_OTHERS      500

/* Optional, and promised here (D-43), but for `open` cases that want `format` to assert. */
static const struct promise {
    const char *name;
    unsigned open;
} promised[] = {
    { "optional/bignum", 0 },         { "optional/ecmascript-regex", 1 },
    { "optional/float-overflow", 0 }, { "optional/no-schema", 0 },
    { "optional/non-bmp-regex", 0 },  { "optional/refOfUnknownKeyword", 0 },
};

static struct {
    struct arena arena;
    struct schema_other others[MAX_OTHERS];
    struct schema_others table;
} f;

struct tally {
    unsigned passed, failed;
};

/* ---- files ---------------------------------------------------------------------------------- */

static const char *folder(void)
{
    const char *other = getenv("JSON_SCHEMA_CASES");
    return other ? other : PACKAGE_CASES;
}

static const struct json *read_json(const char *path)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    struct buf text = { 0 };
    char chunk[4096];
    size_t got;
    while ((got = fread(chunk, 1, sizeof chunk, file)) > 0)
        mgi_buf_append(&text, chunk, got);
    fclose(file);
    struct str kept = mgi_arena_str(&f.arena, mgi_buf_view(&text));
    mgi_buf_fini(&text);
    struct json *v = mgi_arena_alloc(&f.arena, sizeof *v);
    assert_non_null(v);
    assert_int_equal(mgi_json_parse(&f.arena, kept, NULL, v, NULL), JSON_OK);
    return v;
}

static int is_visible(const struct dirent *e)
{
    return e->d_name[0] != '.';
}

/* Calls what(name, path) for every .json file of a folder, by name; with `below`, of those in it,
 * too. The name is that below the first folder, without its ending. False: there is no such folder.
 */
static bool each_file(const char *path, const char *name, bool below,
                      void (*what)(const char *name, const char *path))
{
    struct dirent **entries;
    int count = scandir(path, &entries, is_visible, alphasort);
    for (int i = 0; i < count; i++) {
        char inner[1000], inner_name[500];
        snprintf(inner, sizeof inner, "%s/%s", path, entries[i]->d_name);
        snprintf(inner_name, sizeof inner_name, "%s%s%s", name, *name ? "/" : "",
                 entries[i]->d_name);
        free(entries[i]);
        size_t len = strlen(inner_name);
        if (len > 5 && strcmp(inner_name + len - 5, ".json") == 0) {
            inner_name[len - 5] = 0;
            what(inner_name, inner);
        } else if (below) {
            each_file(inner, inner_name, true, what);
        }
    }
    if (count >= 0)
        free(entries);
    return count >= 0;
}

/* ---- the table ------------------------------------------------------------------------------ */

static void add_other(struct str uri, const struct json *schema)
{
    assert_true(f.table.count < MAX_OTHERS);
    f.others[f.table.count++] = (struct schema_other){ uri, schema };
}

static void add_remote(const char *name, const char *path)
{
    add_other(str_of(mgi_arena_printf(&f.arena, REMOTE_BASE "%s.json", name)), read_json(path));
}

static int set_up(void **state)
{
    (void)state;
    mgi_arena_init(&f.arena, 0);
    f.table = (struct schema_others){ f.others, 0 };
    char remotes[600];
    snprintf(remotes, sizeof remotes, "%s/../../remotes", folder());
    each_file(remotes, "", true, add_remote);
    add_other(str_of(METASCHEMA), read_json(METASCHEMA_FILE));
    const struct json *parts = read_json(VOCABULARIES); /* by their URI */
    for (uint32_t i = 0; i < parts->count; i++)
        add_other(parts->members[i].name, &parts->members[i].value);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    mgi_arena_fini(&f.arena);
    return 0;
}

/* ---- cases ---------------------------------------------------------------------------------- */

static void run_case(const struct schema *schema, const char *file, const struct json *group,
                     const struct json *test, bool loud, struct tally *tally)
{
    struct schema_issues issues;
    const struct json *data = mgi_json_get(test, "data");
    mgi_schema_issues_init(&issues, &f.arena, 0);
    bool valid = mgi_schema_validate(schema, data, &issues);
    assert_int_equal(valid, issues.count == 0);
    assert_int_equal(valid, mgi_schema_validate(schema, data, NULL));
    if (valid == mgi_json_get(test, "valid")->boolean) {
        tally->passed++;
        return;
    }
    tally->failed++;
    if (loud)
        print_error("%s: %.*s: %.*s: got %d\n", file,
                    STR_ARG(mgi_json_get(group, "description")->string),
                    STR_ARG(mgi_json_get(test, "description")->string), valid);
}

static void run_group(const char *file, const struct json *group, bool loud, struct tally *tally)
{
    const struct json *tests = mgi_json_get(group, "tests");
    struct schema_issues issues;
    mgi_schema_issues_init(&issues, &f.arena, 0);
    struct schema *schema =
        mgi_schema_compile_with(mgi_json_get(group, "schema"), &f.table, SCHEMA_LENIENT, &issues);
    if (!schema) {
        tally->failed += tests->count;
        if (loud)
            print_error("%s: %.*s: not compiled: %s %s\n", file,
                        STR_ARG(mgi_json_get(group, "description")->string),
                        issues.count ? issues.items[0].path : "",
                        issues.count ? issues.items[0].message : "");
        return;
    }
    for (uint32_t i = 0; i < tests->count; i++)
        run_case(schema, file, group, &tests->items[i], loud, tally);
    mgi_schema_free(schema);
}

static struct tally required, optional;
static unsigned files;

static void run_required(const char *name, const char *path)
{
    const struct json *groups = read_json(path);
    files++;
    for (uint32_t i = 0; i < groups->count; i++)
        run_group(name, &groups->items[i], true, &required);
}

static void test_every_required_case_passes(void **state)
{
    (void)state;
    required = (struct tally){ 0 };
    files = 0;
    if (!each_file(folder(), "", false, run_required)) {
        print_message("# no cases in %s (Debian: libtest-json-schema-acceptance-perl)\n", folder());
        skip();
    }
    print_message("# required cases: %u files, %u passed, %u failed\n", files, required.passed,
                  required.failed);
    assert_int_equal(required.failed, 0); /* D-43, 2.12 */
    assert_true(files > 40 && required.passed > 1000);
}

static const struct promise *promise_of(const char *name)
{
    for (size_t i = 0; i < sizeof promised / sizeof *promised; i++)
        if (strcmp(name, promised[i].name) == 0)
            return &promised[i];
    return NULL;
}

static void run_optional(const char *name, const char *path)
{
    const struct json *groups = read_json(path);
    const struct promise *promise = promise_of(name);
    struct tally tally = { 0 };
    for (uint32_t i = 0; i < groups->count; i++)
        run_group(name, &groups->items[i], promise && promise->open == 0, &tally);
    print_message("# %-40s %3u of %3u pass\n", name, tally.passed, tally.passed + tally.failed);
    optional.passed += tally.passed;
    optional.failed += tally.failed;
    if (promise && tally.failed == promise->open)
        files++;
    else if (promise)
        print_error("%s: %u fail, not %u\n", name, tally.failed, promise->open);
}

static void test_optional_cases_that_are_promised_pass_and_the_others_are_counted(void **state)
{
    (void)state;
    char path[600];
    optional = (struct tally){ 0 };
    files = 0;
    snprintf(path, sizeof path, "%s/optional", folder());
    if (!each_file(path, "optional", true, run_optional))
        skip();
    print_message("# optional cases: %u of %u pass\n", optional.passed,
                  optional.passed + optional.failed);
    assert_int_equal(files, sizeof promised / sizeof *promised);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_required_case_passes),
        cmocka_unit_test(test_optional_cases_that_are_promised_pass_and_the_others_are_counted),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
