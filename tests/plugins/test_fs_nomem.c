/* fs: every allocation of every action fails once; the call ends with an error, nothing is left
 * behind, and what was to be written is as it was or as it should be. */
#include "plugins/plugin_host.h"
#include "plugins/scratch_folder.h"

#include "support/nomem.h"

static const char *const rows[][2] = {
    { "fs_read", "{\"path\":\"a/f\",\"first_line\":2}" },
    { "fs_read", "{\"path\":\"a/f\",\"encoding\":\"base64\"}" },
    { "fs_stat", "{\"path\":\"a/f\",\"digest\":true}" },
    { "fs_list", "{\"depth\":3,\"glob\":\"*\"}" },
    { "fs_search", "{\"pattern\":\"T(W)O\",\"regex\":true,\"ignore_case\":true,\"context\":2}" },
    { "fs_write", "{\"path\":\"w\",\"base64\":\"YWJj\",\"mode\":\"either\"}" },
    { "fs_patch", "{\"diff\":\"--- a/a/f\\n+++ b/a/f\\n@@ -2 +2 @@\\n-two\\n+two\\n\"}" },
    { "fs_patch", "{\"edits\":[{\"path\":\"a/f\",\"old\":\"two\",\"new\":\"two\"}]}" },
    { "fs_mkdir", "{\"path\":\"m/n\",\"parents\":true}" },
    { "fs_copy", "{\"path\":\"a\",\"to\":\"c\",\"recursive\":true}" },
    { "fs_move", "{\"path\":\"c\",\"to\":\"c2\"}" },
    { "fs_delete", "{\"path\":\"c2\",\"recursive\":true}" },
};

static void reset(void)
{
    mkdir(at("root/a"), 0755);
    put_text(at("root/a/f"), "one\ntwo\n");
    nftw(at("root/c"), remove_one, 16, FTW_DEPTH | FTW_PHYS);
    nftw(at("root/c2"), remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static void prepare(const char *name)
{
    reset();
    const char *folder = strcmp(name, "fs_move") == 0 ? "root/c" : "root/c2";
    if (strcmp(name, "fs_move") == 0 || strcmp(name, "fs_delete") == 0) {
        mkdir(at("%s", folder), 0755);
        put_text(at("%s/f", folder), "x");
    }
}

static void test_every_action_survives_every_failed_allocation(void **state)
{
    (void)state;
    scratch_begin();
    char settings[200];
    snprintf(settings, sizeof settings, "{\"root\":\"%s/root\",\"write\":true}", scratch);
    plugin_load(settings);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (size_t n = 1;; n++) {
            th_call call = { 0 };
            prepare(rows[i][0]);
            nomem_fail_at(n);
            th_status status = plugin_run(&call, rows[i][0], rows[i][1]);
            bool failed = nomem_failed();
            nomem_fail_at(0);
            if (!failed && status != TH_OK)
                fail_msg("%s: %s", rows[i][0], call.error.ptr);
            call_fini(&call);
            assert_string_equal(get_text(at("root/a/f")), "one\ntwo\n");
            assert_true(n < 1000);
            if (!failed)
                break;
        }
    plugin_unload();
    scratch_end();
}

static void test_init_survives_every_failed_allocation(void **state)
{
    (void)state;
    for (size_t n = 1;; n++) {
        nomem_fail_at(n);
        const char *why = plugin_try("{\"root\":\"/tmp\",\"write\":true,\"max_bytes\":7}");
        bool failed = nomem_failed();
        nomem_fail_at(0);
        assert_true(failed || !why);
        if (!failed)
            break;
    }
    plugin_unload();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_action_survives_every_failed_allocation),
        cmocka_unit_test(test_init_survives_every_failed_allocation),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
