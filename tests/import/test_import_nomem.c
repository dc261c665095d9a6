/* Importing survives the failure of any allocation: it says so, and nothing is left behind. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "import/config.h"
#include "import/files.h"
#include "import/lock.h"
#include "import/secret.h"
#include "import/write.h"
#include "support/nomem.h"

static const char servers[] =
    "{\"a\":{\"command\":\"./"
    "run\",\"args\":[\"--api-key\",\"hunter22\"],\"env\":{\"KEY\":\"hunter26\","
    "\"X\":\"${Y}\"}},\"b\":{\"url\":\"https://example.com/"
    "mcp?key=hunter30\",\"headers\":{\"A\":\"b\"}},"
    "\"c\":{}}";
static const char offer[] = "{\"tools\":[{\"name\":\"git_reset\",\"sha256\":\"1\",\"side_effects\":"
                            "[],\"input_schema\":{\"type\":"
                            "\"object\",\"required\":[\"path\"],\"properties\":{\"path\":{\"type\":"
                            "\"string\",\"description\":"
                            "\"Where.\"},\"a.b\":{\"enum\":[\"hard\"]}}}}]}";

static const char *environment(const char *name)
{
    (void)name;
    return NULL;
}

static bool nothing_there(void *context, const char *path, char hash[IMPORT_HASH_TEXT])
{
    (void)context, (void)path, (void)hash;
    return false;
}

/* All of it; false: memory was short somewhere. */
static bool import(struct arena *a)
{
    const struct import_config_options options = { .base = STR_LIT("/x"),
                                                   .environment = environment };
    const char *why;
    struct json map, v;
    struct import_config config;
    struct import_tool tools[2] = { { .server = STR_LIT("a"), .name = STR_LIT("git_reset") },
                                    { .server = STR_LIT("b"), .name = STR_LIT("git_reset") } };
    struct import_server server = { .name = STR_LIT("a"), .tools = 1 };
    struct import_files files = { .arena = a };
    struct import_change *changes;
    struct buf text = { 0 }, lock = { 0 }, file = { 0 }, facts = { 0 }, record = { 0 };
    size_t count;
    bool good = mgi_json_parse(a, str_of(servers), NULL, &map, NULL) == JSON_OK &&
                mgi_json_parse(a, str_of(offer), NULL, &v, NULL) == JSON_OK &&
                mgi_import_config(a, &map, &options, &config, &why);
    if (good)
        mgi_import_config_write(&text, &config);
    for (int i = 0; good && i < 2; i++) {
        tools[i].schema = mgi_json_get(&mgi_json_get(&v, "tools")->items[0], "input_schema");
        tools[i].aid = STR_LIT("AID.MCP.A.GIT_RESET.v1");
        good = mgi_import_study(a, &tools[i]);
    }
    const struct import_offer offers[] = { { STR_LIT("a"), &v } };
    good = good && mgi_import_hear_hints(a, tools, 2) && mgi_import_name_tools(a, tools, 2) &&
           mgi_import_lock(&lock, offers, 1, tools, 2, NULL) &&
           mgi_import_tool_file(a, &file, &tools[0]);
    if (good)
        mgi_import_facts_file(a, &facts, &server, 1, tools, 2);
    if (good)
        mgi_import_mask(&text, STR_LIT("{\"TOKEN\": \"hunter2\", \"args\": [\"--key\", \"x\"]}"));
    good = good && !facts.oom && !text.oom &&
           mgi_import_files_take(&files, "tools/x.yaml", &file, false) &&
           mgi_import_record(&record, &files) &&
           mgi_import_plan(a, &files, NULL, nothing_there, NULL, &changes, &count);
    mgi_buf_fini(&text);
    mgi_buf_fini(&lock);
    mgi_buf_fini(&file);
    mgi_buf_fini(&facts);
    mgi_buf_fini(&record);
    return good;
}

static void each_failure_is_told(void **state)
{
    (void)state;
    size_t n = 1;
    for (;; n++) {
        struct arena a;
        mgi_arena_init(&a, 0);
        nomem_fail_at(n);
        bool good = import(&a);
        bool failed = nomem_failed();
        nomem_fail_at(0);
        mgi_arena_fini(&a);
        if (good == failed)
            fail_msg("allocation %zu", n);
        if (!failed)
            break;
    }
    assert_true(n > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_failure_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
