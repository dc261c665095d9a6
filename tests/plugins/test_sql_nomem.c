/* sql: every allocation of ours fails once; the call ends with an error or the same answer, nothing
 * is left behind, and no change is half made. */
#include "plugins/plugin_host.h"
#include "plugins/scratch_folder.h"

#include <sqlite3.h>

#include "support/nomem.h"

static const char *const rows[][2] = {
    { "sql_query", "{\"sql\":\"SELECT x, ? FROM t\",\"params\":[{\"base64\":\"YQ==\"}]}" },
    { "sql_execute", "{\"sql\":\"UPDATE t SET x = x + ? RETURNING x\",\"params\":[1]}" },
    { "sql_schema", "{}" },
    { "sql_explain", "{\"sql\":\"SELECT * FROM t\"}" },
};

static void test_every_action_survives_every_failed_allocation(void **state)
{
    (void)state;
    char settings[300];
    sqlite3 *db;
    scratch_begin();
    assert_int_equal(sqlite3_open(at("root/a.db"), &db), SQLITE_OK);
    sqlite3_exec(db, "CREATE TABLE t(x INT); INSERT INTO t VALUES(0)", NULL, NULL, NULL);
    sqlite3_close(db);
    snprintf(settings, sizeof settings, "{\"database\":\"%s/root/a.db\",\"write\":true}", scratch);
    plugin_load(settings);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        long changed = 0;
        for (size_t n = 1;; n++) {
            th_call call = { 0 };
            nomem_fail_at(n);
            th_status status = plugin_run(&call, rows[i][0], rows[i][1]);
            bool failed = nomem_failed();
            nomem_fail_at(0);
            changed += status == TH_OK;
            if (!failed && status != TH_OK)
                fail_msg("%s: %s", rows[i][0], call.error.ptr);
            call_fini(&call);
            assert_true(n < 1000);
            if (!failed)
                break;
        }
        assert_true(changed > 0);
    }
    plugin_unload();
    scratch_end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_action_survives_every_failed_allocation),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
