/* sql, over a PostgreSQL server that this program starts, on a socket in a folder of its own. Where
 * there is no PostgreSQL to start, or no libpq, all of it is skipped. */
#include "plugins/plugin_host.h"
#include "plugins/scratch_folder.h"

#include <glob.h>
#include <pwd.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

static pid_t server;
static bool absent;
static char programs[256];

static bool find_programs(void)
{
    glob_t found;
    bool ok = glob("/usr/lib/postgresql/*/bin/initdb", 0, NULL, &found) == 0;
    if (ok)
        snprintf(programs, sizeof programs, "%.*s",
                 (int)(strlen(found.gl_pathv[found.gl_pathc - 1]) - strlen("/initdb")),
                 found.gl_pathv[found.gl_pathc - 1]);
    globfree(&found);
    return ok;
}

/* As somebody who may run a server: it refuses root. */
static pid_t start(const char *name, const char *const *args)
{
    char path[300], log[300];
    snprintf(path, sizeof path, "%s/%s", programs, name);
    snprintf(log, sizeof log, "%s/pg/log", scratch);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid > 0)
        return pid;
    if (getuid() == 0 && (setgid(65534) || setuid(65534)))
        _exit(126);
    int fd = open(log, O_WRONLY | O_CREAT | O_APPEND, 0644);
    dup2(fd, 1);
    dup2(fd, 2);
    if (chdir(scratch) != 0)
        _exit(125);
    execv(path, (char *const *)args);
    _exit(127);
}

static bool make_cluster(const char *data)
{
    const char *args[] = { "initdb", "-D", data,   "-U",         "tester",    "-A",
                           "trust",  "-E", "UTF8", "--locale=C", "--no-sync", "--no-instructions",
                           NULL };
    int status = 0;
    pid_t pid = start("initdb", args);
    waitpid(pid, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void load(const char *more)
{
    static char settings[600];
    snprintf(settings, sizeof settings,
             "{\"database\":\"postgresql://tester@/postgres?host=%s/pg&sslmode=disable\"%s}",
             scratch, more);
    plugin_load(settings);
}

static bool is_up(void)
{
    th_call call = { 0 };
    for (int i = 0; i < 300; i++) {
        th_status status = plugin_run(&call, "sql_query", "{\"sql\":\"SELECT 1\"}");
        call_fini(&call);
        memset(&call, 0, sizeof call);
        if (status == TH_OK)
            return true;
        nanosleep(&(struct timespec){ 0, 100000000 }, NULL);
    }
    return false;
}

static int begin_server(void **state)
{
    (void)state;
    static char data[128], socket_folder[128];
    scratch_begin();
    chmod(scratch, 0755);
    mkdir(at("pg"), 0755);
    if (getuid() == 0)
        assert_int_equal(chown(at("pg"), 65534, 65534), 0);
    snprintf(data, sizeof data, "%s/pg/data", scratch);
    snprintf(socket_folder, sizeof socket_folder, "%s/pg", scratch);
    absent = !find_programs() || !make_cluster(data) ||
             plugin_try("{\"database\":\"postgresql://tester@/postgres\"}") != NULL;
    if (absent)
        return 0;
    const char *args[] = {
        "postgres",          "-D", data,        "-k", socket_folder,         "-c",
        "listen_addresses=", "-c", "fsync=off", "-c", "shared_buffers=16MB", NULL
    };
    server = start("postgres", args);
    load("");
    if (!is_up())
        fail_msg("the server does not answer: %s", get_text(at("pg/log")));
    load(",\"write\":true,\"schema_changes\":true");
    CHECK_OK(
        "sql_execute",
        "{\"sql\":\"CREATE TABLE city(id bigint PRIMARY KEY, name text NOT NULL DEFAULT 'x', size "
        "numeric(10,3), flag bytea, meta jsonb, at timestamptz)\"}",
        "\"committed\":true");
    CHECK_OK(
        "sql_execute",
        "{\"sql\":\"CREATE TABLE street(city bigint REFERENCES city, name text, PRIMARY KEY(city, "
        "name))\"}",
        NULL);
    CHECK_OK("sql_execute", "{\"sql\":\"CREATE UNIQUE INDEX by_name ON city(name, lower(name))\"}",
             NULL);
    CHECK_OK(
        "sql_execute",
        "{\"sql\":\"INSERT INTO city VALUES($1,$2,$3,$4,$5,'2024-01-02 "
        "03:04:05+00'),(2,'Bonn',0.33,NULL,NULL,NULL),($6,'K\xc3\xb6ln',1.1,NULL,NULL,NULL)\","
        "\"params\":[1,\"Ulm\",0.130,{\"base64\":\"AP8=\"},\"{\\\"a\\\":[1]}\",9007199254740993]}",
        "\"changes\":3");
    return 0;
}

static int end_server(void **state)
{
    (void)state;
    if (server > 0) {
        kill(server, SIGINT);
        waitpid(server, NULL, 0);
    }
    plugin_unload();
    scratch_end();
    return 0;
}

static int begin(void **state)
{
    (void)state;
    if (!absent)
        load("");
    return 0;
}

#define NEEDS_SERVER                                                                               \
    do {                                                                                           \
        if (absent)                                                                                \
            skip();                                                                                \
    } while (0)

static void test_rows_come_with_columns_and_exact_values(void **state)
{
    (void)state;
    NEEDS_SERVER;
    CHECK_OK(
        "sql_query", "{\"sql\":\"SELECT id, name, size, flag, meta FROM city ORDER BY id\"}",
        "{\"columns\":[{\"name\":\"id\",\"type\":\"bigint\"},{\"name\":\"name\",\"type\":\"text\"},"
        "{"
        "\"name\":\"size\",\"type\":\"numeric\"},{\"name\":\"flag\",\"type\":\"bytea\"},{\"name\":"
        "\"meta\",\"type\":\"jsonb\"}],\"rows\":[[1,\"Ulm\",0.130,{\"base64\":\"AP8=\"},{\"a\": "
        "[1]}],[2,"
        "\"Bonn\",0.330,null,null],[9007199254740993,\"K\xc3\xb6ln\",1.100,null,null]],\"row_"
        "count\":3,"
        "\"truncated\":false,\"cut_values\":0}");
    CHECK_OK(
        "sql_query",
        "{\"sql\":\"SELECT 'NaN'::float8, 'Infinity'::numeric, 12345678901234567890123.5::numeric, "
        "true, ARRAY[1,2], NULL\"}",
        "[[\"NaN\",\"Infinity\",12345678901234567890123.5,true,\"{1,2}\",null]]");
    CHECK_OK("sql_query", "{\"sql\":\"SELECT generate_series(1,100000)\",\"max_rows\":3}",
             "\"rows\":[[1],[2],[3]],\"row_count\":3,\"truncated\":true");
    CHECK_OK("sql_query", "{\"sql\":\"SELECT 1 WHERE false\"}",
             "\"columns\":[{\"name\":\"?column?\",\"type\":\"integer\"}],\"rows\":[]");
    CHECK_OK("sql_query", "{\"sql\":\"SELECT repeat('x', 100)\",\"max_value_bytes\":5}",
             "[[\"xxxxx\"]],\"row_count\":1,\"truncated\":false,\"cut_values\":1");
    CHECK_OK("sql_query", "{\"sql\":\"SHOW transaction_read_only\"}", "[[\"on\"]]");
}

static void test_values_are_bound_never_part_of_the_text(void **state)
{
    (void)state;
    NEEDS_SERVER;
    CHECK_OK("sql_query",
             "{\"sql\":\"SELECT $1::text, $2::boolean, $3::int8, $4::float8, $5::bytea, $6::text\","
             "\"params\":[\"'; DROP TABLE city; --\",true,-5,1.5,{\"base64\":\"AAE=\"},null]}",
             "[[\"'; DROP TABLE city; --\",true,-5,1.5,{\"base64\":\"AAE=\"},null]]");
    CHECK_OK("sql_query", "{\"sql\":\"SELECT $1::numeric\",\"params\":[0.1000]}", "[[0.1000]]");
    static const char *const rows[][2] = {
        { "{\"sql\":\"SELECT $1::int\",\"params\":{\"a\":1}}", "PostgreSQL takes a list" },
        { "{\"sql\":\"SELECT $1::int\"}", "(08P01" },
        { "{\"sql\":\"SELECT $1::text\",\"params\":[\"a\\u0000\"]}", "has a NUL in it" },
        { "{\"sql\":\"SELECT $1::int\",\"params\":[\"x\"]}", "invalid input syntax" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        CHECK_FAIL("sql_query", rows[i][0], rows[i][1]);
}

static void test_a_query_changes_nothing(void **state)
{
    (void)state;
    NEEDS_SERVER;
    static const char *const rows[][2] = {
        { "DELETE FROM city", "DELETE is not run by this action" },
        { "WITH x AS (DELETE FROM city RETURNING 1) SELECT * FROM x", "read-only transaction" },
        { "SELECT * INTO taken FROM city", "read-only transaction" },
        { "SELECT nextval('s')", "" },
        { "SELECT 1; DELETE FROM city", "cannot insert multiple commands" },
        { "SELECT * FROM city FOR UPDATE", "read-only transaction" },
        { "COPY city TO PROGRAM 'touch /tmp/manglecp-copied'", "COPY is not run" },
        { "/* x */ COPY (SELECT 1) TO STDOUT", "COPY is not run" },
        { "SET transaction_read_only = off", "SET is not run" },
        { "SELECT set_config('transaction_read_only', 'off', false)",
          "must be set before any query" },
        { "DO $$ BEGIN DELETE FROM city; END $$", "DO is not run" },
        { "COMMIT", "COMMIT is not run" },
        { "EXPLAIN ANALYZE DELETE FROM city", "EXPLAIN is not run" },
        { "SELEC 1", "SELEC is not run" },
        { "SELECT x FROM city", "(42703, character 8)" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char input[300];
        snprintf(input, sizeof input, "{\"sql\":\"%s\"}", rows[i][0]);
        CHECK_FAIL("sql_query", input, rows[i][1]);
    }
    CHECK_OK("sql_query", "{\"sql\":\"SELECT count(*) FROM city\"}", "[[3]]");
    assert_false(is_there("/tmp/manglecp-copied"));
    /* Before version 16 a READ ONLY transaction lets this happen; it is never committed. */
    plugin_ask("sql_query", "{\"sql\":\"SELECT count(lo_create(0))\"}");
    CHECK_OK("sql_query", "{\"sql\":\"SELECT count(*) FROM pg_largeobject_metadata\"}", "[[0]]");
    /* What a call sets does not reach the next one. */
    CHECK_OK("sql_query", "{\"sql\":\"SELECT set_config('search_path', 'nowhere', false)\"}", NULL);
    CHECK_OK("sql_query", "{\"sql\":\"SELECT count(*) FROM city\"}", "[[3]]");
}

static void test_what_never_ends_is_stopped(void **state)
{
    (void)state;
    NEEDS_SERVER;
    load(",\"timeout_ms\":200");
    CHECK_FAIL("sql_query", "{\"sql\":\"SELECT pg_sleep(60)\"}", "took longer than 200 ms");
    CHECK_FAIL("sql_query",
               "{\"sql\":\"WITH s AS (SELECT set_config('statement_timeout','0',true)) SELECT "
               "pg_sleep(60) FROM s\"}",
               "took longer than 200 ms");
    load("");
    int64_t began = mgi_clock_mono_ns();
    th_call call = { .looks_left = 20 };
    assert_int_equal(plugin_run(&call, "sql_query", "{\"sql\":\"SELECT pg_sleep(60)\"}"),
                     TH_TOOL_ERROR);
    assert_string_equal(call.error.ptr, "cancelled");
    call_fini(&call);
    assert_true(mgi_clock_mono_ns() - began < INT64_C(5000000000));
    /* The server has stopped, too. */
    CHECK_OK(
        "sql_query",
        "{\"sql\":\"SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND query LIKE "
        "'%pg_sleep(60)%' AND pid <> pg_backend_pid()\"}",
        "[[0]]");
}

static void test_execute_is_a_transaction(void **state)
{
    (void)state;
    NEEDS_SERVER;
    load(",\"write\":true");
    CHECK_OK("sql_execute",
             "{\"sql\":\"INSERT INTO city(id,name) VALUES($1,$2) RETURNING "
             "id\",\"params\":[7,\"Kiel\"]}",
             "\"rows\":[[7]],\"row_count\":1,\"truncated\":false,\"cut_values\":0,\"changes\":1,"
             "\"committed\":true}");
    CHECK_OK("sql_execute", "{\"sql\":\"DELETE FROM city\",\"dry_run\":true}",
             "\"changes\":4,\"committed\":false}");
    CHECK_FAIL("sql_execute", "{\"sql\":\"DELETE FROM city\",\"max_changes\":3}",
               "4 rows would change, more than max_changes 3; nothing was changed");
    CHECK_FAIL("sql_execute", "{\"sql\":\"INSERT INTO city(id) VALUES(70),(7)\"}", "(23505)");
    CHECK_OK("sql_query", "{\"sql\":\"SELECT count(*) FROM city\"}", "[[4]]");
    CHECK_OK("sql_execute", "{\"sql\":\"DELETE FROM city WHERE id = 7\"}", "\"changes\":1");
    CHECK_FAIL("sql_execute", "{\"sql\":\"WITH x AS (SELECT 1) SELECT * FROM x\"}",
               "changes nothing");
    CHECK_FAIL("sql_execute", "{\"sql\":\"DROP TABLE city\"}", "DROP is not run");
    CHECK_FAIL("sql_execute", "{\"sql\":\"COPY city FROM PROGRAM 'true'\"}", "COPY is not run");
    load(",\"write\":true,\"schema_changes\":true");
    CHECK_OK("sql_execute", "{\"sql\":\"CREATE TABLE t(x int)\"}",
             "\"changes\":0,\"committed\":true");
    CHECK_OK("sql_execute", "{\"sql\":\"DROP TABLE t\"}", NULL);
}

static void test_the_schema_and_plans_are_told(void **state)
{
    (void)state;
    NEEDS_SERVER;
    CHECK_OK("sql_schema", "{\"table\":\"public.city\"}", "\"primary_key\":[\"id\"]");
    CHECK_OK("sql_schema", "{}", "\"references\"");
    CHECK_OK("sql_schema", "{\"limit\":1}", "\"truncated\":true");
    CHECK_FAIL("sql_schema", "{\"table\":\"nothing\"}", "table: there is no \"nothing\"");
    CHECK_OK("sql_explain", "{\"sql\":\"SELECT * FROM city WHERE id = $1\",\"params\":[1]}",
             "\"Plan\":{\"Node Type\":");
    CHECK_OK("sql_explain", "{\"sql\":\"DELETE FROM city\"}", "\"ModifyTable\"");
    CHECK_OK("sql_query", "{\"sql\":\"SELECT count(*) FROM city\"}", "[[3]]");
    CHECK_FAIL("sql_explain", "{\"sql\":\"ANALYZE DELETE FROM city\"}", "has a plan");
    CHECK_FAIL("sql_explain", "{\"sql\":\"CREATE TABLE t(x int)\"}", "has a plan");
}

static void test_connections_that_fail_say_why(void **state)
{
    (void)state;
    NEEDS_SERVER;
    plugin_load("{\"database\":\"postgresql://tester@/postgres?host=/nowhere\"}");
    CHECK_FAIL("sql_query", "{\"sql\":\"SELECT 1\"}", "/nowhere");
    load(",\"password_env\":\"MANGLECP_TEST_NO_SUCH_VARIABLE\"");
    CHECK_FAIL("sql_query", "{\"sql\":\"SELECT 1\"}",
               "the environment has no MANGLECP_TEST_NO_SUCH_VARIABLE");
    setenv("MANGLECP_TEST_NO_SUCH_VARIABLE", "secret", 1);
    CHECK_OK("sql_query", "{\"sql\":\"SELECT 1\"}", "[[1]]");
    unsetenv("MANGLECP_TEST_NO_SUCH_VARIABLE");
    assert_non_null(strstr(plugin_try("{\"database\":\"postgresql://[\"}"), "is no address"));
    /* Nobody accepts: the time limit ends it. */
    plugin_load("{\"database\":\"postgresql://10.255.255.1/x\",\"timeout_ms\":200}");
    CHECK_FAIL("sql_query", "{\"sql\":\"SELECT 1\"}", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_rows_come_with_columns_and_exact_values, begin),
        cmocka_unit_test_setup(test_values_are_bound_never_part_of_the_text, begin),
        cmocka_unit_test_setup(test_a_query_changes_nothing, begin),
        cmocka_unit_test_setup(test_what_never_ends_is_stopped, begin),
        cmocka_unit_test_setup(test_execute_is_a_transaction, begin),
        cmocka_unit_test_setup(test_the_schema_and_plans_are_told, begin),
        cmocka_unit_test_setup(test_connections_that_fail_say_why, begin),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, begin_server, end_server);
}
