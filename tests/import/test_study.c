/* What names say, what tools can do, which names they get, and what is secret. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "import/config.h"
#include "import/files.h"
#include "import/lock.h"
#include "import/secret.h"
#include "import/tool.h"

static struct import_tool tool_of(struct arena *a, const char *server, const char *name,
                                  const char *text, const char *schema, struct import_hints hints)
{
    struct json *v = mgi_arena_calloc(a, 1, sizeof *v);
    struct import_tool t = { .server = str_of(server),
                             .name = str_of(name),
                             .description = str_of(text),
                             .aid = STR_LIT("AID.MCP.A.B.v1"),
                             .hints = hints };
    if (schema)
        assert_int_equal(mgi_json_parse(a, str_of(schema), NULL, v, NULL), JSON_OK);
    t.schema = schema ? v : NULL;
    assert_true(mgi_import_study(a, &t));
    return t;
}

static const struct import_hints unsaid = { -1, -1, -1, -1 };

#define PROPERTIES(p) "{\"type\":\"object\",\"properties\":{" p "}}"
#define TEXT(name)    "\"" name "\":{\"type\":\"string\"}"
#define FLAG(name)    "\"" name "\":{\"type\":\"boolean\"}"

/* ---- words ------------------------------------------------------------------------------------
 */

static void names_are_split_and_read(void **state)
{
    static const struct {
        const char *server, *name, *text, *verb, *object;
    } rows[] = {
        { "git", "git_add", "", "add", "" },
        { "files", "readTextFile", "", "read", "text_file" },
        { "github", "get_pull_request_files", "", "get", "pull_request_file" },
        { "notion", "API-post-search", "", "search", "post" },
        { "web", "HTTPServerStart", "", "start", "http_server" },
        { "memory", "delete_entities", "", "delete", "entity" },
        { "desk", "kill_process", "", "stop", "process" },
        { "git", "git_stash", "Manage stashes", "update", "stash" },
        { "x", "boxes", "Lists all boxes.", "list", "box" },
        { "x", "thing", "Applies a patch.", "merge", "thing" },
        { "x", "sequentialthinking", "A detailed tool", NULL, "sequentialthinking" },
        { "x", "___", "", NULL, "" },
        { "x", "", "", NULL, "" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct arena a;
        struct import_words w;
        mgi_arena_init(&a, 0);
        assert_true(mgi_import_words(&a, str_of(rows[i].server), str_of(rows[i].name),
                                     str_of(rows[i].text), &w));
        if (rows[i].verb)
            assert_string_equal(w.verb ? w.verb->canonical : "(none)", rows[i].verb);
        else
            assert_null(w.verb);
        struct str last = w.object_count ? w.objects[w.object_count - 1] : STR_LIT("");
        if (!str_eq(last, str_of(rows[i].object)))
            fail_msg("%s: the object is %.*s", rows[i].name, STR_ARG(last));
        mgi_arena_fini(&a);
    }
}

/* ---- harm -------------------------------------------------------------------------------------
 */

static void harm_is_told_by_verb_object_and_schema(void **state)
{
    static const struct {
        const char *name, *schema;
        enum import_harm harm;
    } rows[] = {
        { "git_reset", PROPERTIES(""), HARM_DESTRUCTIVE },
        { "git_clean", PROPERTIES(FLAG("force")), HARM_DESTRUCTIVE },
        { "git_push", PROPERTIES(TEXT("remote")), HARM_DESTRUCTIVE },
        { "git_rebase", NULL, HARM_DESTRUCTIVE },
        { "git_status", NULL, HARM_NONE },
        { "git_commit", PROPERTIES(TEXT("message")), HARM_WRITE },
        { "git_merge", NULL, HARM_WRITE },
        { "merge_pull_request", NULL, HARM_DESTRUCTIVE },
        { "list_files", PROPERTIES(FLAG("recursive")), HARM_NONE },
        { "change_mode", PROPERTIES(TEXT("path") "," FLAG("recursive")), HARM_DESTRUCTIVE },
        { "start_process", PROPERTIES(TEXT("command")), HARM_DESTRUCTIVE },
        { "query", PROPERTIES(TEXT("sql")), HARM_DESTRUCTIVE },
        { "query", PROPERTIES(TEXT("text")), HARM_NONE },
        { "run_tests", PROPERTIES(TEXT("filter")), HARM_WRITE },
        { "write_file", PROPERTIES(TEXT("path") "," TEXT("content")), HARM_DESTRUCTIVE },
        { "write_note", PROPERTIES(TEXT("title")), HARM_WRITE },
        { "manage_stash", PROPERTIES("\"mode\":{\"enum\":[\"list\",\"drop\"]}"), HARM_DESTRUCTIVE },
        { "drop_table", NULL, HARM_DESTRUCTIVE },
        { "browser_drop", NULL, HARM_WRITE },
        { "wibble", NULL, HARM_WRITE },
        { "pay_invoice", NULL, HARM_DESTRUCTIVE },
        { "git_add", PROPERTIES(FLAG("force")), HARM_WRITE },
        { "hover", NULL, HARM_NONE },
        { "comment_on_merge_request", NULL, HARM_WRITE },
        { "accept_merge_request", NULL, HARM_DESTRUCTIVE },
        { "get_and_delete_message", NULL, HARM_DESTRUCTIVE },
        { "list_delete_requests", NULL, HARM_NONE },
        { "schedule_key_deletion", NULL, HARM_DESTRUCTIVE },
        { "create_refund", NULL, HARM_DESTRUCTIVE },
        { "create_payment_link", NULL, HARM_WRITE },
        { "list_refunds", NULL, HARM_NONE },
        { "create_order", NULL, HARM_WRITE },
        { "place_order", NULL, HARM_DESTRUCTIVE },
        { "cancel_subscription", NULL, HARM_DESTRUCTIVE },
        { "cancel_search", NULL, HARM_WRITE },
        { "generate_bar_chart", PROPERTIES(TEXT("title")), HARM_NONE },
        { "generate_bar_chart", PROPERTIES(TEXT("file_path")), HARM_WRITE },
        { "create_chart", NULL, HARM_WRITE },
        { "start_search", PROPERTIES(TEXT("pattern")), HARM_NONE },
        { "lint", PROPERTIES(FLAG("fix")), HARM_WRITE },
        { "replace_content", PROPERTIES(TEXT("content")), HARM_DESTRUCTIVE },
        { "replace_text", PROPERTIES(TEXT("old") "," TEXT("new")), HARM_WRITE },
        { "remove_label", NULL, HARM_WRITE },
        { "delete_label", NULL, HARM_DESTRUCTIVE },
        { "rotate_key", NULL, HARM_DESTRUCTIVE },
        { "rotate_image", NULL, HARM_WRITE },
        { "send_keys", PROPERTIES(TEXT("keys")), HARM_DESTRUCTIVE },
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct arena a;
        mgi_arena_init(&a, 0);
        struct import_tool t = tool_of(&a, "x", rows[i].name, "", rows[i].schema, unsaid);
        if (t.harm != rows[i].harm)
            fail_msg("%s %s is %s", rows[i].name, rows[i].schema, mgi_import_harm_name(t.harm));
        assert_int_equal(t.harm == HARM_DESTRUCTIVE, t.harm_why != NULL);
        mgi_arena_fini(&a);
    }
}

/* Of a server that has the tool, and another one. */
static enum import_harm heard(const char *name, struct import_hints hints, const char *other,
                              struct import_hints others)
{
    struct arena a;
    mgi_arena_init(&a, 0);
    struct import_tool tools[2] = { tool_of(&a, "x", name, "", NULL, hints),
                                    tool_of(&a, "x", other, "", NULL, others) };
    assert_true(mgi_import_hear_hints(&a, tools, 2));
    assert_true(!tools[0].harm_by_hint || tools[0].harm == HARM_DESTRUCTIVE);
    enum import_harm harm = tools[0].harm;
    mgi_arena_fini(&a);
    return harm;
}

static void hints_make_it_worse_and_never_better(void **state)
{
    const struct import_hints kind = { 1, 0, 1, 0 }, cruel = { 0, 1, 0, 1 },
                              vain = { 1, 1, -1, -1 };
    (void)state;
    assert_int_equal(heard("delete_file", kind, "get_file", kind), HARM_DESTRUCTIVE);
    assert_int_equal(heard("add_file", kind, "get_file", kind), HARM_WRITE);
    assert_int_equal(heard("wibble", kind, "get_file", kind), HARM_WRITE);
    assert_int_equal(heard("wibble", cruel, "get_file", kind), HARM_DESTRUCTIVE);
    assert_int_equal(heard("edit_file", cruel, "get_file", kind), HARM_DESTRUCTIVE);
    assert_int_equal(heard("edit_file", vain, "get_file", kind), HARM_WRITE);
    assert_int_equal(heard("get_file", (struct import_hints){ 0, -1, -1, -1 }, "x", unsaid),
                     HARM_WRITE);
}

/* It says of a search that it destroys. Of what has no verb nothing else is known. */
static void who_calls_everything_destructive_tells_nothing(void **state)
{
    const struct import_hints cruel = { 0, 1, 0, 1 }, unknown = { -1, 1, -1, -1 };
    (void)state;
    assert_int_equal(heard("edit_file", cruel, "search_files", cruel), HARM_WRITE);
    assert_int_equal(heard("edit_file", unknown, "create_file", unknown), HARM_WRITE);
    assert_int_equal(heard("get_file", cruel, "x", unsaid), HARM_WRITE);
    assert_int_equal(heard("get_file", unknown, "x", unsaid), HARM_NONE);
    assert_int_equal(heard("wibble", cruel, "search_files", cruel), HARM_DESTRUCTIVE);
    assert_int_equal(heard("delete_file", cruel, "search_files", cruel), HARM_DESTRUCTIVE);
    assert_int_equal(heard("edit_file", cruel, "get_and_delete_file", cruel), HARM_DESTRUCTIVE);
}

static void a_text_that_warns_is_heard(void **state)
{
    static const char *const warn[] = { "Closes it. This cannot be undone.", "Can't be undone",
                                        "Moves it away permanently.", "IRREVERSIBLE" };
    static const char *const calm[] = { "Closes it. This can be undone.", "be undone", "undone" };
    struct arena a;
    (void)state;
    mgi_arena_init(&a, 0);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(tool_of(&a, "x", "close", warn[i], NULL, unsaid).harm, HARM_DESTRUCTIVE);
        assert_int_equal(tool_of(&a, "x", "get_x", warn[i], NULL, unsaid).harm, HARM_NONE);
    }
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(tool_of(&a, "x", "close", calm[i], NULL, unsaid).harm, HARM_WRITE);
    mgi_arena_fini(&a);
}

/* ---- names of tools ---------------------------------------------------------------------------
 */

static void clashes_are_resolved_whatever_the_order(void **state)
{
    enum { N = 6 };
    static const char *const names[N][2] = { { "a", "read_file" },   { "b", "readFile" },
                                             { "c", "a_read_file" }, { "a", "get" },
                                             { "b", "9 lives" },     { "c", "\x01\x02" } };
    const char *first[N];
    struct arena a;
    (void)state;
    mgi_arena_init(&a, 0);
    for (int turn = 0; turn < N; turn++) {
        struct import_tool tools[N];
        for (int i = 0; i < N; i++)
            tools[i] =
                tool_of(&a, names[(i + turn) % N][0], names[(i + turn) % N][1], "", NULL, unsaid);
        assert_true(mgi_import_name_tools(&a, tools, N));
        for (int i = 0; i < N; i++) {
            if (turn == 0)
                first[i] = tools[i].id;
            assert_string_equal(tools[i].id, first[(i + turn) % N]);
            for (int k = 0; k < i; k++)
                assert_string_not_equal(tools[i].id, tools[k].id);
        }
    }
    assert_int_equal(strncmp(first[0], "a_read_file_", 12), 0); /* c has that already */
    assert_string_equal(first[1], "b_read_file");
    assert_string_equal(first[3], "get");
    assert_string_equal(first[4], "t9_lives");
    assert_string_equal(first[5], "tool");
    mgi_arena_fini(&a);
}

static void long_names_are_cut_and_stay_apart(void **state)
{
    char name[2][200];
    struct arena a;
    (void)state;
    mgi_arena_init(&a, 0);
    for (int i = 0; i < 2; i++) {
        memset(name[i], 'a', sizeof name[i]);
        name[i][150 + i] = '\0';
    }
    struct import_tool tools[2] = { tool_of(&a, "s", name[0], "", NULL, unsaid),
                                    tool_of(&a, "s", name[1], "", NULL, unsaid) };
    assert_true(mgi_import_name_tools(&a, tools, 2));
    assert_true(strlen(tools[0].id) <= IMPORT_ID_BYTES && strlen(tools[1].id) <= IMPORT_ID_BYTES);
    assert_string_not_equal(tools[0].id, tools[1].id);
    mgi_arena_fini(&a);
}

static void arguments_get_names_that_can_be_said(void **state)
{
    struct arena a;
    (void)state;
    mgi_arena_init(&a, 0);
    struct import_tool t = tool_of(&a, "s", "x", "",
                                   PROPERTIES(TEXT("filter.since") "," TEXT(
                                       "filter-since") "," TEXT("9") "," TEXT("repoPath")),
                                   unsaid);
    assert_int_equal(t.argument_count, 4);
    assert_true(str_is(t.arguments[0].id, "filter_since"));
    assert_true(str_is(t.arguments[1].id, "filter_since_2"));
    assert_true(str_is(t.arguments[2].id, "_9"));
    assert_true(str_is(t.arguments[3].resource, "path"));
    assert_true(str_is(t.arguments[0].name, "filter.since"));
    mgi_arena_fini(&a);
}

static void what_the_author_says_is_read_line_by_line(void **state)
{
    struct arena a;
    (void)state;
    mgi_arena_init(&a, 0);
    struct import_tool tools[2] = { tool_of(&a, "s", "git_push", "", NULL, unsaid),
                                    tool_of(&a, "s", "get_x", "", NULL, unsaid) };
    assert_true(mgi_import_name_tools(&a, tools, 2));
    mgi_import_take_confirmed(tools, 2,
                              STR_LIT("# harm(\"get_x\", \"write\").\n"
                                      "  harm( \"git_push\" , \"write\").  # mine\r\n"
                                      "harm(\"nobody\", \"none\").\nharm(\"get_x\""));
    assert_true(tools[0].confirmed);
    assert_int_equal(tools[0].said, HARM_WRITE);
    assert_false(tools[1].confirmed);
    mgi_arena_fini(&a);
}

/* ---- secrets and configurations ---------------------------------------------------------------
 */

static void secrets_are_known(void **state)
{
    static const char *const secret[] = { "ghp_abcdefghijklmnop", "sk-proj-123456789",
                                          "aB3dE5gH7jK9mN1pQ3sT", "https://u:p@host/x",
                                          "eyJhbGciOi.eyJzdWIi.c2ln" };
    static const char *const plain[] = { "/usr/lib/node",
                                         "@modelcontextprotocol/server-files@1.2.3",
                                         "https://example.com/mcp",
                                         "production",
                                         "8080",
                                         "",
                                         "a-quite-long-name-of-some-package" };
    static const char *const names[] = { "API_KEY", "githubToken", "X-Auth", "DB_PASSWORD" };
    static const char *const others[] = { "MAX_TOKENS", "PATH", "NODE_ENV", "monkey", "compass" };
    struct arena a;
    (void)state;
    mgi_arena_init(&a, 0);
    for (size_t i = 0; i < sizeof secret / sizeof *secret; i++)
        assert_true(mgi_import_secret_value(str_of(secret[i])));
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        assert_false(mgi_import_secret_value(str_of(plain[i])));
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_true(mgi_import_secret_name(&a, str_of(names[i])));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_false(mgi_import_secret_name(&a, str_of(others[i])));
    mgi_arena_fini(&a);
}

static const char *environment(const char *name)
{
    return strcmp(name, "TAKEN") == 0  ? "something else"
           : strcmp(name, "HOME") == 0 ? "/srv/ann"
                                       : NULL;
}

static struct str imported(struct arena *a, const char *servers, struct import_config *config)
{
    const struct import_config_options options = { .base = STR_LIT("/srv/shop"),
                                                   .environment = environment };
    struct json v;
    struct buf out = { 0 };
    const char *why;
    assert_int_equal(mgi_json_parse(a, str_of(servers), NULL, &v, NULL), JSON_OK);
    assert_true(mgi_import_config(a, &v, &options, config, &why));
    mgi_import_config_write(&out, config);
    struct str kept = mgi_arena_str(a, mgi_buf_view(&out));
    mgi_buf_fini(&out);
    return kept;
}

/* Wherever a secret stands, it does not get into mcp.json. */
static void no_secret_is_copied(void **state)
{
    static const char servers[] =
        "{\"a\":{\"command\":\"./run\",\"args\":[\"--api-key\",\"hunter22\",\"--token=hunter23\","
        "\"-e\",\"PASSWORD=hunter24\",\"ghp_hunter25hunter25\",\"plain\",\"TAKEN\"],"
        "\"env\":{\"API_KEY\":\"hunter26\",\"TAKEN\":\"ghp_hunter27hunter27\",\"MODE\":\"fast\","
        "\"OLD\":\"${env:OTHER}\",\"PASS\":\"pa$$hunter28\"}},"
        "\"b\":{\"url\":\"https://example.com/mcp/aB3hunter29E5gH7jK9m?key=hunter30&x=1\","
        "\"headers\":{\"Authorization\":\"Bearer "
        "hunter31\",\"X-Any\":\"hunter32\"},\"env_http_headers\":{"
        "\"X-Named\":\"NAMED\"}},\"c\":{\"url\":\"https://h/\",\"bearer_token_env_var\":\"TOK\"}}";
    struct import_config c;
    struct arena a;
    (void)state;
    mgi_arena_init(&a, 0);
    struct str text = imported(&a, servers, &c);
    assert_int_equal(mgi_str_find(text, STR_LIT("hunter")), SIZE_MAX);
    static const char *const there[] = { "/srv/shop/run",
                                         "--api-key",
                                         "--token=${A_TOKEN}",
                                         "PASSWORD=${A_PASSWORD}",
                                         "plain",
                                         "${API_KEY}",
                                         "${A_TAKEN}",
                                         "fast",
                                         "${OTHER}",
                                         "x=1",
                                         "Bearer ${B_AUTHORIZATION}",
                                         "\"X-Named\": \"${NAMED}\"",
                                         "Bearer ${TOK}",
                                         "\"cwd\": \"/srv/shop\"" };
    for (size_t i = 0; i < sizeof there / sizeof *there; i++)
        if (mgi_str_find(text, str_of(there[i])) == SIZE_MAX)
            fail_msg("%s is not in %.*s", there[i], STR_ARG(text));
    size_t secrets = 0;
    for (size_t i = 0; i < c.variable_count; i++)
        secrets += c.variables[i].value.ptr != NULL;
    assert_int_equal(secrets, 11);
    mgi_arena_fini(&a);
}

static void servers_get_names_that_domains_can_have(void **state)
{
    static const char servers[] =
        "{\"../../x\":{\"command\":\"c\"},\"X\":{\"command\":\"c\"},\"a "
        "b\\\"\\n\":{\"command\":\"c\"},"
        "\"a.b\":{\"url\":\"http://127.0.0.1:1/\"},\"off\":{\"command\":\"c\",\"disabled\":true},"
        "\"none\":{},\"old\":{\"type\":\"sse\",\"url\":\"http://h/\"},\"\":{\"command\":\"c\"}}";
    static const char *const names[] = { "_.._x", "X", "a_b__", "a.b", "old", "server" };
    struct import_config c;
    struct arena a;
    (void)state;
    mgi_arena_init(&a, 0);
    struct str text = imported(&a, servers, &c);
    assert_int_equal(c.count, 6);
    for (size_t i = 0; i < c.count; i++)
        if (!str_is(c.entries[i].name, names[i]))
            fail_msg("%zu is %.*s", i, STR_ARG(c.entries[i].name));
    assert_int_equal(c.left_out_count, 2);
    assert_int_not_equal(mgi_str_find(text, STR_LIT("\"private\": true")), SIZE_MAX);
    mgi_arena_fini(&a);
}

static void near_addresses_are_addresses(void **state)
{
    (void)state;
    assert_true(mgi_import_is_near(STR_LIT("http://127.0.0.1:80/x")));
    assert_true(mgi_import_is_near(STR_LIT("http://localhost/")));
    assert_true(mgi_import_is_near(STR_LIT("http://172.16.0.1/")));
    assert_false(mgi_import_is_near(STR_LIT("http://172.32.0.1/")));
    assert_false(mgi_import_is_near(STR_LIT("http://10.example.com/")));
    assert_false(mgi_import_is_near(STR_LIT("http://localhost.example.com/")));
    assert_false(mgi_import_is_near(STR_LIT("nonsense")));
}

/* ---- files ------------------------------------------------------------------------------------
 */

static bool there_are(void *context, const char *path, char hash[IMPORT_HASH_TEXT])
{
    const char *const(*files)[2] = context;
    for (size_t i = 0; files[i][0]; i++)
        if (strcmp(files[i][0], path) == 0) {
            mgi_import_hash(str_of(files[i][1]), hash);
            return true;
        }
    return false;
}

static void add(struct import_files *f, const char *path, const char *text, bool once)
{
    struct buf b = { 0 };
    mgi_buf_puts(&b, text);
    assert_true(mgi_import_files_take(f, path, &b, once));
}

static void what_somebody_has_changed_stays(void **state)
{
    static const char *const folder[][2] = { { "same", "a" },        { "ours", "old" },
                                             { "theirs", "edited" }, { "own.mg", "b" },
                                             { "gone", "g" },        { "kept", "edited" },
                                             { "lock", "any" },      { NULL, NULL } };
    struct arena a;
    struct import_files before = { .arena = &a }, now = { .arena = &a };
    struct import_change *changes;
    struct json record;
    struct buf text = { 0 };
    size_t count;
    (void)state;
    mgi_arena_init(&a, 0);
    add(&before, "same", "a", false);
    add(&before, "ours", "old", false);
    add(&before, "theirs", "old", false);
    add(&before, "gone", "g", false);
    add(&before, "kept", "k", false);
    add(&before, "vanished", "v", false);
    add(&before, "../../etc/passwd", "v", false);
    assert_true(mgi_import_record(&text, &before));
    assert_int_equal(mgi_json_parse(&a, mgi_buf_view(&text), NULL, &record, NULL), JSON_OK);
    add(&now, "same", "a", false);
    add(&now, "ours", "new", false);
    add(&now, "theirs", "new", false);
    add(&now, "own.mg", "template", true);
    add(&now, "fresh", "f", false);
    add(&now, "lock", "merged", false);
    now.items[now.count - 1].merged = true;
    assert_true(
        mgi_import_plan(&a, &now, &record, there_are, (void *)(uintptr_t)folder, &changes, &count));
    static const enum import_step steps[] = { FILE_SAME, FILE_CHANGED, FILE_KEPT, FILE_KEPT,
                                              FILE_NEW,  FILE_CHANGED, FILE_GONE, FILE_KEPT };
    assert_int_equal(count, sizeof steps / sizeof *steps);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(changes[i].step, steps[i]);
    mgi_buf_fini(&text);
    mgi_arena_fini(&a);
}

/* ---- the lock ---------------------------------------------------------------------------------
 */

static void the_lock_says_what_tools_can_do(void **state)
{
    static const char offer[] =
        "{\"start\":\"s\",\"tools\":[{\"name\":\"get_x\",\"sha256\":\"1\",\"side_effects\":["
        "\"destructive\","
        "\"network\"]},{\"name\":\"reset_x\",\"sha256\":\"2\",\"side_effects\":[\"none\"],"
        "\"hints\":{"
        "\"openWorldHint\":false}},{\"name\":\"out\",\"sha256\":\"3\",\"side_effects\":[]}]}";
    struct arena a;
    struct buf text = { 0 }, again = { 0 };
    struct json v, lock;
    size_t changed;
    (void)state;
    mgi_arena_init(&a, 0);
    struct import_tool tools[3] = { tool_of(&a, "s", "get_x", "", NULL, unsaid),
                                    tool_of(&a, "s", "reset_x", "", NULL, unsaid),
                                    tool_of(&a, "s", "out", "", NULL, unsaid) };
    tools[2].left_out = "why";
    assert_int_equal(mgi_json_parse(&a, str_of(offer), NULL, &v, NULL), JSON_OK);
    const struct import_offer offers[] = { { STR_LIT("s"), &v }, { STR_LIT("silent"), NULL } };
    assert_true(mgi_import_lock(&text, offers, 2, tools, 3, NULL));
    assert_int_equal(mgi_json_parse(&a, mgi_buf_view(&text), NULL, &lock, NULL), JSON_OK);
    const struct json *s = mgi_json_get(mgi_json_get(&lock, "servers"), "s");
    const struct json *list = mgi_json_get(s, "tools");
    assert_int_equal(list->count, 2);
    assert_true(str_is(mgi_json_get(&list->items[0], "side_effects")->items[0].string, "network"));
    assert_true(
        str_is(mgi_json_get(&list->items[1], "side_effects")->items[0].string, "destructive"));
    assert_int_equal(mgi_json_get(&list->items[1], "side_effects")->count, 1);
    const struct import_confirmation said[] = { { STR_LIT("s"), STR_LIT("reset_x"), HARM_NONE },
                                                { STR_LIT("s"), STR_LIT("get_x"), HARM_NONE } };
    assert_true(mgi_import_relock(&again, &lock, said, 2, &changed));
    assert_int_equal(changed, 1);
    mgi_buf_fini(&text);
    mgi_buf_fini(&again);
    mgi_arena_fini(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_split_and_read),
        cmocka_unit_test(harm_is_told_by_verb_object_and_schema),
        cmocka_unit_test(hints_make_it_worse_and_never_better),
        cmocka_unit_test(who_calls_everything_destructive_tells_nothing),
        cmocka_unit_test(a_text_that_warns_is_heard),
        cmocka_unit_test(clashes_are_resolved_whatever_the_order),
        cmocka_unit_test(long_names_are_cut_and_stay_apart),
        cmocka_unit_test(arguments_get_names_that_can_be_said),
        cmocka_unit_test(what_the_author_says_is_read_line_by_line),
        cmocka_unit_test(secrets_are_known),
        cmocka_unit_test(no_secret_is_copied),
        cmocka_unit_test(servers_get_names_that_domains_can_have),
        cmocka_unit_test(near_addresses_are_addresses),
        cmocka_unit_test(what_somebody_has_changed_stays),
        cmocka_unit_test(the_lock_says_what_tools_can_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
