/* sql, over SQLite files. */
#include "plugins/plugin_host.h"
#include "plugins/scratch_folder.h"

#include <signal.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "plugins/sql/sql_plugin.h"

static void make_database(void)
{
    sqlite3 *db;
    char *why = NULL;
    assert_int_equal(sqlite3_open(at("root/a.db"), &db), SQLITE_OK);
    sqlite3_exec(
        db,
        "PRAGMA journal_mode=DELETE;"
        "CREATE TABLE city(id INTEGER PRIMARY KEY, name TEXT NOT NULL DEFAULT 'x', size "
        "REAL, flag BLOB);"
        "CREATE TABLE street(city INT REFERENCES city(id), name TEXT, PRIMARY KEY(city, "
        "name)) WITHOUT ROWID;"
        "CREATE UNIQUE INDEX by_name ON city(name, lower(name));"
        "CREATE VIEW big AS SELECT name FROM city WHERE size > 1;"
        "CREATE TABLE note(t TEXT);"
        "CREATE TRIGGER noted AFTER DELETE ON city BEGIN INSERT INTO note VALUES(old.name); "
        "END;"
        "INSERT INTO city VALUES(1,'Ulm',0.13,NULL),(2,'Bonn',0.33,x'00ff'),(9007199254740993,"
        "'K\xc3\xb6ln',1.1,x'');",
        NULL, NULL, &why);
    if (why)
        fail_msg("%s", why);
    sqlite3_close(db);
}

static void load(const char *more)
{
    static char settings[300];
    snprintf(settings, sizeof settings, "{\"database\":\"%s/root/a.db\"%s}", scratch, more);
    plugin_load(settings);
}

static int begin(void **state)
{
    (void)state;
    scratch_begin();
    make_database();
    load("");
    return 0;
}

static int begin_writing(void **state)
{
    begin(state);
    load(",\"write\":true");
    return 0;
}

static int end(void **state)
{
    (void)state;
    plugin_unload();
    scratch_end();
    return 0;
}

static void test_settings_are_checked_whole(void **state)
{
    (void)state;
    const char *why = plugin_try("{\"database\":\"a.db\",\"password_env\":\"X\",\"max_rows\":0,"
                                 "\"schema_changes\":true,\"writes\":true}");
    assert_non_null(why);
    assert_non_null(strstr(why, "writes: no such argument; did you mean write?"));
    assert_non_null(strstr(why, "max_rows: 0 is not from 1"));
    assert_non_null(strstr(why, "schema_changes: needs \"write\": true"));
    assert_non_null(strstr(why, "database: is neither an absolute path nor postgresql://"));
    assert_non_null(strstr(why, "password_env: an SQLite file has no password"));
    assert_non_null(strstr(plugin_try("{}"), "database: missing"));
    assert_non_null(
        strstr(plugin_try("{\"database\":\"postgresql://u:secret@h/d\"}"), "has a password in it"));
    assert_null(strstr(plugin_tools.error, "secret"));
}

static void test_actions_are_those_that_are_allowed(void **state)
{
    (void)state;
    assert_int_equal(plugin_tools.count, 3);
    assert_null(plugin_tool("sql_execute"));
    for (size_t i = 0; i < plugin_tools.count; i++)
        assert_string_equal(plugin_tools.tools[i].effects[0], "database_read");
    load(",\"write\":true");
    assert_int_equal(plugin_tools.count, 4);
    assert_string_equal(plugin_tool("sql_execute")->effects[0], "database_write");
    check_descriptors();
}

static void test_rows_come_with_columns_and_exact_values(void **state)
{
    (void)state;
    CHECK_OK(
        "sql_query", "{\"sql\":\"SELECT id, name, size, flag FROM city ORDER BY id\"}",
        "{\"columns\":[{\"name\":\"id\",\"type\":\"INTEGER\"},{\"name\":\"name\",\"type\":\"TEXT\"}"
        ",{"
        "\"name\":\"size\",\"type\":\"REAL\"},{\"name\":\"flag\",\"type\":\"BLOB\"}],\"rows\":[[1,"
        "\"Ulm\",0.13,null],[2,\"Bonn\",0.33,{\"base64\":\"AP8=\"}],[9007199254740993,"
        "\"K\xc3\xb6ln\",1.1,{\"base64\":\"\"}]],\"row_count\":3,\"truncated\":false,\"cut_"
        "values\":0}");
    CHECK_OK("sql_query", "{\"sql\":\"SELECT 1e999, -1e999, 'a' || char(0) || 'b'\"}",
             "\"rows\":[[\"Infinity\",\"-Infinity\",\"a\\u0000b\"]]");
    CHECK_OK("sql_query", "{\"sql\":\"SELECT CAST(x'61ff62' AS TEXT)\"}",
             "[[\"a\xef\xbf\xbd"
             "b\"]]");
    CHECK_OK("sql_query", "{\"sql\":\"SELECT id FROM city\",\"max_rows\":2}",
             "\"row_count\":2,\"truncated\":true");
    CHECK_OK(
        "sql_query", "{\"sql\":\"SELECT 'abc\xc3\xa9', x'010203'\",\"max_value_bytes\":4}",
        "[[\"abc\",{\"base64\":\"AQID\"}]],\"row_count\":1,\"truncated\":false,\"cut_values\":1");
    CHECK_OK("sql_query", "{\"sql\":\"/* c */ -- d\\n SELECT 1;;  -- e\"}", "[[1]]");
}

static void test_values_are_bound_never_part_of_the_text(void **state)
{
    (void)state;
    CHECK_OK(
        "sql_query",
        "{\"sql\":\"SELECT ?, ?, ?, ?, ?, typeof(?)\",\"params\":[null,true,-5,1.5,\"'; DROP TABLE "
        "city; --\",{\"base64\":\"AAE=\"}]}",
        "[[null,1,-5,1.5,\"'; DROP TABLE city; --\",\"blob\"]]");
    CHECK_OK(
        "sql_query",
        "{\"sql\":\"SELECT name FROM city WHERE id = :id OR id = @two OR id = $three ORDER BY 1\","
        "\"params\":{\"id\":1,\"two\":2,\"three\":9007199254740993}}",
        "[[\"Bonn\"],[\"K\xc3\xb6ln\"],[\"Ulm\"]]");
    CHECK_OK("sql_query", "{\"sql\":\"SELECT ?\",\"params\":[\"a\\u0000b\"]}", "[[\"a\\u0000b\"]]");
    static const char *const rows[][2] = {
        { "{\"sql\":\"SELECT ?\"}", "params: 0 are given, and the statement has 1" },
        { "{\"sql\":\"SELECT 1\",\"params\":[1]}", "params: 1 are given, and the statement has 0" },
        { "{\"sql\":\"SELECT :a, :b\",\"params\":{\"c\":1}}",
          "params: \"a\" is missing; params: \"b\" is missing; params: 1 are given" },
        { "{\"sql\":\"SELECT ?\",\"params\":[[1]]}", "params: 1 is no value" },
        { "{\"sql\":\"SELECT ?\",\"params\":[{\"x\":1}]}", "params: 1 is no value" },
        { "{\"sql\":\"SELECT ?\",\"params\":[18446744073709551616]}", "params: 1 is no value" },
        { "{\"sql\":\"SELECT ?\",\"params\":7}", "params: neither a list nor an object" },
        { "{\"sql\":\"\",\"parms\":[]}", "parms: no such argument; did you mean params?" },
        { "{\"sql\":\"-- nothing\"}", "sql: has no statement in it" },
        { "{\"sql\":\"SELECT 1\\u0000\"}", "sql: has a NUL" },
        { "{}", "sql: missing" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        CHECK_FAIL("sql_query", rows[i][0], rows[i][1]);
}

static void test_a_query_changes_nothing(void **state)
{
    (void)state;
    static const char *const rows[] = {
        "DELETE FROM city",
        "INSERT INTO city(id) VALUES(3)",
        "UPDATE city SET name='x'",
        "DROP TABLE city",
        "CREATE TABLE t(x)",
        "CREATE TEMP TABLE t(x)",
        "ALTER TABLE city ADD y",
        "ATTACH ':memory:' AS m",
        "ATTACH '/tmp/manglecp-attached.db' AS m",
        "DETACH main",
        "VACUUM",
        "VACUUM INTO '/tmp/manglecp-vacuumed.db'",
        "ANALYZE",
        "REINDEX",
        "BEGIN",
        "COMMIT",
        "SAVEPOINT a",
        "PRAGMA query_only=OFF",
        "PRAGMA writable_schema=ON",
        "PRAGMA journal_mode=WAL",
        "PRAGMA user_version=7",
        "PRAGMA database_list",
        "PRAGMA temp_store_directory='/tmp'",
        "SELECT load_extension('x')",
        "SELECT fts3_tokenizer('simple', x'00')",
        "SELECT 1; SELECT 2",
        "SELECT 1; DELETE FROM city",
        "EXPLAIN DELETE FROM city",
        "WITH x AS (SELECT 1) DELETE FROM city",
        "REPLACE INTO city(id) VALUES(1)",
        "CREATE VIRTUAL TABLE v USING fts5(x)",
        "SELECT * FROM pragma_user_version",
    };
    char before[65536];
    struct stat st, now;
    assert_int_equal(stat(at("root/a.db"), &st), 0);
    memcpy(before, get_text(at("root/a.db")), sizeof before);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char input[300];
        snprintf(input, sizeof input, "{\"sql\":\"%s\"}", rows[i]);
        CHECK_FAIL("sql_query", input, "");
    }
    assert_int_equal(stat(at("root/a.db"), &now), 0);
    assert_int_equal(st.st_mtim.tv_nsec, now.st_mtim.tv_nsec);
    assert_memory_equal(before, get_text(at("root/a.db")), sizeof before);
    assert_false(is_there("/tmp/manglecp-attached.db"));
    assert_false(is_there("/tmp/manglecp-vacuumed.db"));
    CHECK_FAIL("sql_query", "{\"sql\":\"SELECT 1; SELECT 2\"}", "sql: more than one statement");
    CHECK_FAIL("sql_query", "{\"sql\":\"DELETE FROM city\"}", "not allowed here: not authorized");
    CHECK_FAIL("sql_query", "{\"sql\":\"SELEC 1\"}", "near \"SELEC\": syntax error");
    CHECK_FAIL("sql_query", "{\"sql\":\"SELECT x FROM city\"}", "no such column: x");
    CHECK_FAIL("sql_query", "{\"sql\":\"SELECT \\\"x\\\" FROM city\"}", "no such column: x");
}

static void test_what_never_ends_is_stopped(void **state)
{
    (void)state;
    static const char forever[] =
        "{\"sql\":\"WITH RECURSIVE x(n) AS (SELECT 1 UNION ALL SELECT n+1 FROM "
        "x) SELECT count(*) FROM x\"}";
    load(",\"timeout_ms\":50");
    CHECK_FAIL("sql_query", forever, "the statement took longer than 50 ms (timeout_ms)");
    load("");
    th_call call = { .looks_left = 3 };
    assert_int_equal(plugin_run(&call, "sql_query", forever), TH_TOOL_ERROR);
    assert_string_equal(call.error.ptr, "cancelled");
    call_fini(&call);
    th_call late = { .until_ns = mgi_clock_mono_ns() + 50000000 };
    assert_int_equal(plugin_run(&late, "sql_query", forever), TH_TOOL_ERROR);
    assert_string_equal(late.error.ptr, "the time is over");
    call_fini(&late);
    CHECK_OK("sql_query",
             "{\"sql\":\"WITH RECURSIVE x(n) AS (SELECT 1 UNION ALL SELECT n+1 FROM x) SELECT n "
             "FROM x\"}",
             "\"row_count\":1000,\"truncated\":true");
    CHECK_FAIL("sql_query", "{\"sql\":\"SELECT zeroblob(1000000000)\"}", "too big");
    CHECK_OK("sql_query", "{\"sql\":\"SELECT printf('%.*c', 1000000000, 'x')\"}", "[[null]]");
}

static void test_large_answers_are_cut(void **state)
{
    (void)state;
    const char *got = plugin_ask(
        "sql_query", "{\"sql\":\"SELECT hex(zeroblob(400000)) UNION ALL SELECT "
                     "hex(zeroblob(400000)) UNION ALL SELECT 1\",\"max_value_bytes\":700000}");
    assert_true(strlen(got) < 1048576);
    assert_non_null(strstr(got, "\"cut_values\":2}"));
}

static void test_execute_is_a_transaction(void **state)
{
    (void)state;
    CHECK_OK("sql_execute",
             "{\"sql\":\"INSERT INTO city(id,name) VALUES(?,?)\",\"params\":[7,\"Kiel\"]}",
             "\"changes\":1,\"committed\":true}");
    CHECK_OK("sql_execute",
             "{\"sql\":\"UPDATE city SET size = 2.5 WHERE id = 7 RETURNING id, size\"}",
             "\"rows\":[[7,2.5]]");
    CHECK_OK("sql_execute", "{\"sql\":\"DELETE FROM city\",\"dry_run\":true}",
             "\"changes\":8,\"committed\":false");
    CHECK_FAIL("sql_execute", "{\"sql\":\"DELETE FROM city\",\"max_changes\":3}",
               "8 rows would change, more than max_changes 3; nothing was changed");
    CHECK_FAIL("sql_execute", "{\"sql\":\"INSERT INTO city(id,name) VALUES(70,'A'),(7,'B')\"}",
               "UNIQUE constraint");
    CHECK_FAIL("sql_execute", "{\"sql\":\"INSERT INTO street VALUES(99,'x')\"}", "FOREIGN KEY");
    CHECK_OK("sql_query", "{\"sql\":\"SELECT count(*) FROM city\"}", "[[4]]");
    CHECK_FAIL("sql_execute", "{\"sql\":\"SELECT 1\"}", "changes nothing");
    static const char *const refused[] = {
        "DROP TABLE city",
        "CREATE TABLE t(x)",
        "ATTACH '/tmp/x' AS y",
        "PRAGMA user_version=1",
        "VACUUM",
        "UPDATE sqlite_schema SET sql=''",
        "DELETE FROM sqlite_master",
        "COMMIT",
        "ROLLBACK",
        "INSERT INTO city(id) VALUES(80); DELETE FROM city",
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        char input[200];
        snprintf(input, sizeof input, "{\"sql\":\"%s\"}", refused[i]);
        CHECK_FAIL("sql_execute", input, "");
    }
    load(",\"write\":true,\"schema_changes\":true");
    CHECK_OK("sql_execute", "{\"sql\":\"CREATE TABLE t(x)\"}", "\"committed\":true");
    CHECK_OK("sql_execute", "{\"sql\":\"DROP TABLE t\"}", "\"committed\":true");
    CHECK_FAIL("sql_execute", "{\"sql\":\"ATTACH '/tmp/x' AS y\"}", "not allowed here");
    CHECK_FAIL("sql_execute", "{\"sql\":\"UPDATE sqlite_schema SET sql=''\"}", "");
}

/* The limit of a confined process: what was begun is undone, and who only reads can go on. */
static void test_what_meets_the_limit_of_files_is_undone(void **state)
{
    (void)state;
    struct rlimit before, small;
    sqlite3 *db;
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    small = (struct rlimit){ 200000, before.rlim_max };
    setrlimit(RLIMIT_FSIZE, &small);
    CHECK_FAIL("sql_execute",
               "{\"sql\":\"INSERT INTO note WITH RECURSIVE x(n) AS (SELECT 1 UNION ALL SELECT n+1 "
               "FROM x) SELECT hex(zeroblob(1000)) FROM x\"}",
               "would have more than the 200000 bytes that this process may write");
    CHECK_OK("sql_query", "{\"sql\":\"SELECT count(*) FROM note\"}", "[[0]]");
    load("");
    CHECK_OK("sql_query", "{\"sql\":\"SELECT count(*) FROM note\"}", "[[0]]");
    setrlimit(RLIMIT_FSIZE, &before);
    assert_int_equal(sqlite3_open(at("root/a.db"), &db), SQLITE_OK);
    assert_int_equal(
        sqlite3_exec(db, "INSERT INTO note VALUES(zeroblob(300000))", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
    load(",\"write\":true");
    setrlimit(RLIMIT_FSIZE, &small);
    CHECK_FAIL("sql_execute", "{\"sql\":\"DELETE FROM note\"}",
               "more than the 200000 that this process may write");
    CHECK_OK("sql_query", "{\"sql\":\"SELECT count(*) FROM note\"}", "[[1]]");
    setrlimit(RLIMIT_FSIZE, &before);
    CHECK_OK("sql_execute", "{\"sql\":\"DELETE FROM note\"}", "\"changes\":1");
}

/* A process that ends in the middle of writing, with its journal on the disk. */
static void leave_half_done(void)
{
    pid_t child = fork();
    if (child == 0) {
        sqlite3 *db;
        sqlite3_open(at("root/a.db"), &db);
        sqlite3_exec(
            db,
            "PRAGMA cache_size=2; BEGIN; INSERT INTO note WITH RECURSIVE x(n) AS (SELECT 1 "
            "UNION ALL SELECT n+1 FROM x LIMIT 500) SELECT hex(zeroblob(1000)) FROM x",
            NULL, NULL, NULL);
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
}

static void test_a_change_that_was_left_half_done_is_undone(void **state)
{
    (void)state;
    static const char count[] = "{\"sql\":\"SELECT count(*) FROM note\"}";
    leave_half_done();
    load("");
    CHECK_FAIL("sql_query", count, "has a change half done, of a process that was killed");
    CHECK_FAIL("sql_schema", "{}", "has a change half done, of a process that was killed");
    load(",\"write\":true");
    CHECK_OK("sql_query", count, "[[0]]");
    load("");
    CHECK_OK("sql_query", count, "[[0]]");
    leave_half_done();
    load(",\"write\":true");
    CHECK_OK("sql_execute", "{\"sql\":\"INSERT INTO note VALUES('x')\"}", "\"changes\":1");
}

static void test_a_locked_database_is_waited_for_and_then_told(void **state)
{
    (void)state;
    sqlite3 *other;
    load(",\"write\":true,\"timeout_ms\":100");
    assert_int_equal(sqlite3_open(at("root/a.db"), &other), SQLITE_OK);
    assert_int_equal(sqlite3_exec(other, "BEGIN EXCLUSIVE", NULL, NULL, NULL), SQLITE_OK);
    CHECK_FAIL("sql_execute", "{\"sql\":\"DELETE FROM city\"}", "took longer than 100 ms");
    CHECK_FAIL("sql_query", "{\"sql\":\"SELECT * FROM city\"}", "took longer than 100 ms");
    sqlite3_close(other);
    CHECK_OK("sql_query", "{\"sql\":\"SELECT count(*) FROM city\"}", "[[3]]");
}

static void test_files_that_are_no_database_are_refused(void **state)
{
    (void)state;
    unlink(at("root/a.db"));
    CHECK_FAIL("sql_query", "{\"sql\":\"SELECT 1\"}", "unable to open database file");
    assert_false(is_there(at("root/a.db")));
    put_text(at("root/a.db"),
             "this is no database, and it is longer than a header of a hundred bytes "
             "would be, so that it is read as one and refused.");
    CHECK_FAIL("sql_query", "{\"sql\":\"SELECT * FROM sqlite_schema\"}", "not a database");
    CHECK_FAIL("sql_schema", "{}", "not a database");
    unlink(at("root/a.db"));
    assert_int_equal(mkfifo(at("root/a.db"), 0600), 0);
    CHECK_FAIL("sql_query", "{\"sql\":\"SELECT 1\"}", "the database is no file");
}

static void test_the_schema_is_told(void **state)
{
    (void)state;
    CHECK_OK("sql_schema", "{\"table\":\"CITY\"}",
             "{\"tables\":[{\"schema\":\"main\",\"name\":\"city\",\"type\":\"table\",\"columns\":[{"
             "\"name\":"
             "\"id\",\"type\":\"INTEGER\",\"nullable\":true},{\"name\":\"name\",\"type\":\"TEXT\","
             "\"nullable\":false,\"default\":\"'x'\"},{\"name\":\"size\",\"type\":\"REAL\","
             "\"nullable\":true}"
             ",{\"name\":\"flag\",\"type\":\"BLOB\",\"nullable\":true}],\"primary_key\":[\"id\"],"
             "\"foreign_keys\":[],\"indexes\":[{\"name\":\"by_name\",\"unique\":true,\"columns\":["
             "\"name\","
             "\"(expression)\"]}]}],\"truncated\":false}");
    CHECK_OK("sql_schema", "{\"table\":\"street\"}",
             "\"primary_key\":[\"city\",\"name\"],\"foreign_keys\":[{\"key\":0,\"column\":\"city\","
             "\"table\":"
             "\"city\",\"references\":\"id\"}]");
    CHECK_OK("sql_schema", "{}", "\"name\":\"big\",\"type\":\"view\"");
    CHECK_OK("sql_schema", "{\"limit\":1}", "\"truncated\":true");
    CHECK_FAIL("sql_schema", "{\"table\":\"nothing\"}", "table: there is no \"nothing\"");
    CHECK_FAIL("sql_schema", "{\"limit\":0,\"x\":1}", "x: no such argument; limit: 0 is not from");
}

static void test_plans_are_told_and_nothing_runs(void **state)
{
    (void)state;
    CHECK_OK("sql_explain", "{\"sql\":\"SELECT * FROM city WHERE id = ?\"}",
             "\"detail\":\"SEARCH city USING INTEGER PRIMARY KEY (rowid=?)\"}]}");
    CHECK_FAIL("sql_explain", "{\"sql\":\"EXPLAIN SELECT 1\"}", "begins with EXPLAIN already");
    CHECK_FAIL("sql_explain", "{\"sql\":\"DELETE FROM city\"}", "not allowed here");
    load(",\"write\":true");
    CHECK_OK("sql_explain", "{\"sql\":\"DELETE FROM city WHERE size > 1\"}", "\"SCAN city\"");
    CHECK_OK("sql_query", "{\"sql\":\"SELECT count(*) FROM city\"}", "[[3]]");
}

static void test_the_first_word_is_behind_all_comments(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        { "select 1", "select" },
        { " \n\t(((SELECT", "SELECT" },
        { "-- a\nWITH", "WITH" },
        { "/* a /* b */ c */VALUES", "VALUES" },
        { "/* open", "" },
        { "--", "" },
        { "", "" },
        { "-", "" },
        { "/", "" },
        { "1", "" },
        { "/**/--\n/**/ (copy", "copy" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_true(str_is(mgi_sql_first_word(str_of(rows[i][0])), rows[i][1]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_settings_are_checked_whole, begin, end),
        cmocka_unit_test_setup_teardown(test_actions_are_those_that_are_allowed, begin, end),
        cmocka_unit_test_setup_teardown(test_rows_come_with_columns_and_exact_values, begin, end),
        cmocka_unit_test_setup_teardown(test_values_are_bound_never_part_of_the_text, begin, end),
        cmocka_unit_test_setup_teardown(test_a_query_changes_nothing, begin, end),
        cmocka_unit_test_setup_teardown(test_what_never_ends_is_stopped, begin, end),
        cmocka_unit_test_setup_teardown(test_large_answers_are_cut, begin, end),
        cmocka_unit_test_setup_teardown(test_execute_is_a_transaction, begin_writing, end),
        cmocka_unit_test_setup_teardown(test_what_meets_the_limit_of_files_is_undone, begin_writing,
                                        end),
        cmocka_unit_test_setup_teardown(test_a_change_that_was_left_half_done_is_undone, begin,
                                        end),
        cmocka_unit_test_setup_teardown(test_a_locked_database_is_waited_for_and_then_told, begin,
                                        end),
        cmocka_unit_test_setup_teardown(test_files_that_are_no_database_are_refused, begin, end),
        cmocka_unit_test_setup_teardown(test_the_schema_is_told, begin, end),
        cmocka_unit_test_setup_teardown(test_plans_are_told_and_nothing_runs, begin, end),
        cmocka_unit_test(test_the_first_word_is_behind_all_comments),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
