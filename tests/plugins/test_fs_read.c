/* fs: read, stat, list and search. */
#include "plugins/plugin_host.h"
#include "plugins/scratch_folder.h"

#include <sys/socket.h>
#include <sys/un.h>

static int begin(void **state)
{
    (void)state;
    scratch_begin();
    static char settings[200];
    snprintf(settings, sizeof settings, "{\"root\":\"%s/root\",\"max_bytes\":100000}", scratch);
    plugin_load(settings);
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
    char settings[200];
    const char *why = plugin_try("{\"root\":\"x\",\"write\":1,\"max_bytes\":0,\"roots\":[]}");
    assert_non_null(why);
    assert_non_null(strstr(why, "roots: no such argument; did you mean root?"));
    assert_non_null(strstr(why, "root: \"x\" is no absolute path"));
    assert_non_null(strstr(why, "write: neither true nor false"));
    assert_non_null(strstr(why, "max_bytes: 0 is not from 1"));
    assert_non_null(strstr(plugin_try("{}"), "root: missing"));
    assert_non_null(strstr(plugin_try("{\"root\":\"/nowhere/x\"}"), "No such file"));
    assert_non_null(strstr(plugin_try("{\"root\":\"/dev/null\"}"), "is no folder"));
    snprintf(settings, sizeof settings, "{\"root\":\"%s\"}", scratch);
    assert_null(plugin_try(settings));
}

static void test_actions_that_write_are_not_offered_without_leave(void **state)
{
    (void)state;
    assert_int_equal(plugin_tools.count, 4);
    assert_null(plugin_tool("fs_write"));
    for (size_t i = 0; i < plugin_tools.count; i++) {
        assert_string_equal(plugin_tools.tools[i].effects[0], "filesystem_read");
        assert_string_equal(plugin_tools.tools[i].effects[1], "");
        assert_true(plugin_tools.tools[i].flags & TH_TOOL_IDEMPOTENT);
    }
    check_descriptors();
}

static void test_files_are_read_whole_by_lines_and_by_bytes(void **state)
{
    (void)state;
    put_text(at("root/a.txt"), "one\ntwo\nthree\n");
    CHECK_OK("fs_read", "{\"path\":\"a.txt\"}", "\"text\":\"one\\ntwo\\nthree\\n\"");
    CHECK_OK("fs_read", "{\"path\":\".//./a.txt\"}", "{\"path\":\"a.txt\",\"size\":14,");
    CHECK_OK(
        "fs_read", "{\"path\":\"a.txt\",\"first_line\":2,\"last_line\":2}",
        "\"lines\":3,\"first_line\":2,\"encoding\":\"utf-8\",\"text\":\"two\\n\",\"last_line\":"
        "2,\"truncated\":false");
    CHECK_OK("fs_read", "{\"path\":\"a.txt\",\"last_line\":1}", "\"text\":\"one\\n\"");
    CHECK_OK("fs_read", "{\"path\":\"a.txt\",\"first_line\":9}",
             "\"text\":\"\",\"last_line\":8,\"truncated\":false");
    CHECK_OK("fs_read", "{\"path\":\"a.txt\",\"offset\":4,\"length\":3}",
             "\"text\":\"two\",\"offset\":4,\"bytes\":3,\"truncated\":false,\"next_offset\":7");
    CHECK_OK("fs_read", "{\"path\":\"a.txt\",\"offset\":99}",
             "\"text\":\"\",\"offset\":99,\"bytes\":0");
    CHECK_OK("fs_read", "{\"path\":\"a.txt\",\"max_bytes\":5}",
             "\"text\":\"one\\nt\",\"offset\":0,\"bytes\":5,\"truncated\":true,\"next_offset\":5");
    put_text(at("root/empty"), "");
    CHECK_OK("fs_read", "{\"path\":\"empty\"}", "\"text\":\"\"");
    CHECK_OK("fs_read", "{\"path\":\"empty\",\"first_line\":1}", "\"lines\":0");
}

static void test_what_is_no_text_is_base64(void **state)
{
    (void)state;
    put_file(at("root/b.bin"), "\xff\0x", 3);
    CHECK_OK("fs_read", "{\"path\":\"b.bin\"}", "\"encoding\":\"base64\",\"base64\":\"/wB4\"");
    CHECK_FAIL("fs_read", "{\"path\":\"b.bin\",\"encoding\":\"text\"}", "is no UTF-8 text");
    put_text(at("root/u.txt"), "a\xc3\xa9\xe2\x82\xac");
    CHECK_OK("fs_read", "{\"path\":\"u.txt\",\"encoding\":\"base64\"}", "\"base64\":\"YcOp4oKs\"");
    /* A character that does not fit is left for the next part. */
    CHECK_OK(
        "fs_read", "{\"path\":\"u.txt\",\"max_bytes\":5}",
        "\"text\":\"a\xc3\xa9\",\"offset\":0,\"bytes\":3,\"truncated\":true,\"next_offset\":3");
    CHECK_OK("fs_read", "{\"path\":\"u.txt\",\"offset\":2}", "\"encoding\":\"base64\"");
}

static void test_long_answers_are_cut_and_say_so(void **state)
{
    (void)state;
    char settings[200];
    snprintf(settings, sizeof settings, "{\"root\":\"%s/root\"}", scratch);
    plugin_load(settings);
    char *text = malloc(700000);
    memset(text, 1, 700000); /* six bytes each in JSON, seven in the response */
    put_file(at("root/long"), text, 700000);
    memset(text, 0, 100);
    put_file(at("root/long0"), text, 700000);
    free(text);
    const char *got = plugin_ask("fs_read", "{\"path\":\"long\",\"max_bytes\":700000}");
    assert_non_null(strstr(got, "\"truncated\":true,\"next_offset\":142"));
    assert_true(strlen(got) > 850000);
    got = plugin_ask("fs_read", "{\"path\":\"long0\",\"max_bytes\":700000}");
    assert_non_null(strstr(got, "\"bytes\":700000,\"truncated\":false"));
}

static void test_paths_stay_below_the_root(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        { "{\"path\":\"../outside\"}", "has \"..\" in it" },
        { "{\"path\":\"/etc/passwd\"}", "is absolute" },
        { "{\"path\":\"\"}", "is empty" },
        { "{\"path\":\"a\\u0000b\"}", "has a NUL in it" },
        { "{\"path\":\"x/../y\"}", ".." },
        { "{\"path\":7}", "path: not a string" },
        { "{}", "path: missing" },
        { "{\"path\":null}", "path: missing" },
        { "{\"path\":\"a\",\"first_line\":2,\"last_line\":1,\"offset\":0,\"enc\":1}",
          "enc: no such argument" },
        { "{\"path\":\"a\",\"first_line\":2,\"last_line\":1,\"offset\":0}",
          "last_line: 1 is before first_line 2" },
        { "{\"path\":\"a\",\"first_line\":2,\"offset\":0}", "cannot be combined" },
        { "{\"path\":\"a\",\"encoding\":\"utf8\"}",
          "encoding: \"utf8\" is none of auto, text, base64" },
        { "{\"path\":\"a\",\"first_line\":1.5}", "first_line: not a whole number" },
        { "{\"path\":\"missing\"}", "missing: not found" },
        { "{\"path\":\"a.txt/x\"}", "a.txt/x: a part of the path is no folder" },
        { "{\"path\":\".\"}", "is a folder, not a file" },
    };
    put_text(at("root/a.txt"), "x");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        CHECK_FAIL("fs_read", rows[i][0], rows[i][1]);
    char input[5000], name[4500];
    memset(name, 'n', sizeof name);
    name[300] = '\0';
    snprintf(input, sizeof input, "{\"path\":\"%s\"}", name);
    CHECK_FAIL("fs_read", input, "more than 255 bytes");
    memset(name, 'n', sizeof name);
    name[4400] = '\0';
    snprintf(input, sizeof input, "{\"path\":\"%s\"}", name);
    CHECK_FAIL("fs_read", input, "more than 4000");
}

static void test_links_that_stay_inside_are_followed_and_others_are_not(void **state)
{
    (void)state;
    put_text(at("outside/secret"), "secret");
    put_text(at("root/inside.txt"), "inside");
    mkdir(at("root/d"), 0755);
    assert_int_equal(symlink("../inside.txt", at("root/d/in")), 0);
    assert_int_equal(symlink("../outside/secret", at("root/out")), 0);
    assert_int_equal(symlink(at("outside"), at("root/absolute")), 0);
    assert_int_equal(symlink(at("root/inside.txt"), at("root/absolute_in")), 0);
    assert_int_equal(symlink("loop", at("root/loop")), 0);
    assert_int_equal(symlink("/proc/self/root", at("root/magic")), 0);
    CHECK_OK("fs_read", "{\"path\":\"d/in\"}", "\"text\":\"inside\"");
    CHECK_FAIL("fs_read", "{\"path\":\"out\"}", "out: leads out of the root");
    CHECK_FAIL("fs_read", "{\"path\":\"absolute/secret\"}", "leads out of the root");
    CHECK_FAIL("fs_read", "{\"path\":\"absolute_in\"}", "leads out of the root");
    CHECK_FAIL("fs_read", "{\"path\":\"loop\"}", "symbolic link");
    CHECK_FAIL("fs_read", "{\"path\":\"magic/etc/passwd\"}", "leads out of the root");
    CHECK_FAIL("fs_list", "{\"path\":\"absolute\"}", "leads out of the root");
    CHECK_FAIL("fs_search", "{\"pattern\":\"s\",\"path\":\"absolute\"}", "leads out of the root");
    CHECK_OK("fs_stat", "{\"path\":\"d/in\"}",
             "\"target\":\"../inside.txt\",\"target_type\":\"file\"}");
    CHECK_OK("fs_stat", "{\"path\":\"out\"}", "\"target\":\"../outside/secret\"}");
    /* A walk goes through none of them. */
    const char *got = plugin_ask("fs_search", "{\"pattern\":\"secret\",\"hidden\":true}");
    assert_non_null(strstr(got, "\"matches\":[]"));
    got = plugin_ask("fs_list", "{\"depth\":9}");
    assert_null(strstr(got, "absolute/secret"));
    assert_non_null(strstr(got, "{\"path\":\"absolute\",\"type\":\"symlink\""));
}

static void test_special_files_are_never_opened(void **state)
{
    (void)state;
    assert_int_equal(mkfifo(at("root/fifo"), 0644), 0);
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    snprintf(address.sun_path, sizeof address.sun_path, "%s/root/sock", scratch);
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof address), 0);
    CHECK_FAIL("fs_read", "{\"path\":\"fifo\"}", "fifo: is a fifo, not a file");
    CHECK_FAIL("fs_read", "{\"path\":\"sock\"}", "sock: is a socket, not a file");
    CHECK_OK("fs_stat", "{\"path\":\"fifo\",\"digest\":true}", "\"type\":\"fifo\"");
    if (mknod(at("root/null"), S_IFCHR | 0666, 0x103) == 0)
        CHECK_FAIL("fs_read", "{\"path\":\"null\"}", "null: is a device, not a file");
    CHECK_OK("fs_search", "{\"pattern\":\"x\"}", "\"unreadable\":0");
    CHECK_OK("fs_search", "{\"pattern\":\"x\",\"path\":\"fifo\"}", "\"unreadable\":1");
    close(fd);
    unlink(at("root/fifo"));
    unlink(at("root/sock"));
    unlink(at("root/null"));
}

static void test_stat_tells_what_is_there_and_that_nothing_is(void **state)
{
    (void)state;
    put_text(at("root/s.txt"), "abc");
    chmod(at("root/s.txt"), 0640);
    CHECK_OK(
        "fs_stat", "{\"path\":\"s.txt\",\"digest\":true}",
        "\"permissions\":\"0640\",\"sha256\":\"ba7816bf8f01cfea414140de5dae2223b00361a396177a9c"
        "b410ff61f20015ad\"");
    CHECK_OK("fs_stat", "{\"path\":\"nothing/here\"}", "\"exists\":false}");
    CHECK_OK("fs_stat", "{\"path\":\".\"}", "\"type\":\"folder\"");
    CHECK_FAIL("fs_stat", "{\"path\":\"s.txt/x\"}", "no folder");
}

static void make_tree(void)
{
    mkdir(at("root/t"), 0755);
    mkdir(at("root/t/b"), 0755);
    mkdir(at("root/t/b/c"), 0755);
    mkdir(at("root/t/.h"), 0755);
    put_text(at("root/t/a.c"), "int a;\nint needle;\nlast line");
    put_text(at("root/t/b/n.h"), "x\ny\nNeedle z\r\nw\n");
    put_text(at("root/t/b/c/d.c"), "needle needle\n");
    put_text(at("root/t/.h/e.c"), "needle\n");
    put_file(at("root/t/bin"), "needle\0", 7);
    put_text(at("root/t/b/\xff name"), "needle");
}

static void test_lists_are_sorted_filtered_and_bounded(void **state)
{
    (void)state;
    make_tree();
    const char *got = plugin_ask("fs_list", "{\"path\":\"t\",\"depth\":3}");
    const char *order[] = { "t/a.c", "t/b\"", "t/b/c\"", "t/b/c/d.c", "t/b/n.h", "t/bin" };
    const char *p = got;
    for (size_t i = 0; i < 6; i++) {
        p = strstr(p, order[i]);
        assert_non_null(p);
    }
    assert_non_null(strstr(got,
                           "\"total\":6,\"truncated\":false,\"deeper\":false,\"hidden_skipped\":"
                           "1,\"unreadable\":0,\"unnamed\":1"));
    CHECK_OK("fs_list", "{\"path\":\"t\"}", "\"total\":3,\"truncated\":false,\"deeper\":true");
    CHECK_OK("fs_list", "{\"path\":\"t\",\"depth\":9,\"hidden\":true,\"glob\":\"*.c\"}",
             "\"total\":3");
    CHECK_OK("fs_list", "{\"path\":\"t\",\"depth\":9,\"glob\":\"b/**/*.c\"}", "\"total\":1");
    CHECK_OK("fs_list", "{\"path\":\"t\",\"depth\":9,\"type\":\"folder\"}", "\"total\":2");
    CHECK_OK("fs_list", "{\"path\":\"t\",\"depth\":9,\"limit\":2}",
             "\"total\":6,\"truncated\":true");
    CHECK_FAIL("fs_list", "{\"path\":\"t/a.c\"}", "no folder");
    CHECK_FAIL("fs_list", "{\"depth\":0,\"limit\":9999,\"glob\":\"[\",\"type\":\"x\"}",
               "glob: has a [ without its ]");
    CHECK_FAIL("fs_list", "{\"glob\":\"\"}", "glob: is empty");
}

static void test_searches_find_lines_with_what_is_around_them(void **state)
{
    (void)state;
    make_tree();
    CHECK_OK(
        "fs_search", "{\"pattern\":\"needle\",\"path\":\"t\"}",
        "\"matches\":[{\"path\":\"t/a.c\",\"line\":2,\"column\":5,\"text\":\"int needle;\"},"
        "{\"path\":\"t/b/c/d.c\",\"line\":1,\"column\":1,\"text\":\"needle needle\"}],"
        "\"files_searched\":3,\"files_matched\":2,\"binary_skipped\":1,\"too_large_skipped\":0");
    CHECK_OK(
        "fs_search",
        "{\"pattern\":\"NEEDLE\",\"ignore_case\":true,\"path\":\"t\",\"glob\":\"*.h\",\"context\":"
        "1}",
        "\"line\":3,\"column\":1,\"text\":\"Needle z\",\"before\":[\"y\"],\"after\":[\"w\"]}]");
    CHECK_OK("fs_search", "{\"pattern\":\"^int\\\\s+a\",\"regex\":true,\"path\":\"t\"}",
             "[{\"path\":\"t/a.c\",\"line\":1,");
    CHECK_OK("fs_search",
             "{\"pattern\":\"last line$\",\"regex\":true,\"path\":\"t/a.c\",\"context\":20}",
             "\"before\":[\"int a;\",\"int needle;\"],\"after\":[]");
    CHECK_OK("fs_search", "{\"pattern\":\"needle\",\"path\":\"t\",\"hidden\":true,\"limit\":1}",
             "\"truncated\":true");
    CHECK_OK("fs_search", "{\"pattern\":\"a.c\",\"path\":\"t\"}", "\"matches\":[]");
    CHECK_FAIL("fs_search", "{\"pattern\":\"(\",\"regex\":true}",
               "pattern: at byte 1: missing clos");
    CHECK_FAIL("fs_search", "{\"pattern\":\"\"}", "pattern: is empty");
    CHECK_FAIL("fs_search", "{\"pattern\":\"a\\nb\"}", "has a line break");
    CHECK_FAIL("fs_search", "{\"pattern\":\"a\",\"path\":\"nowhere\"}", "nowhere: not found");
}

/* More entries than an answer holds, names of control characters, and a path that is too deep. */
static void test_hostile_folders_are_bounded(void **state)
{
    (void)state;
    char name[260];
    mkdir(at("root/many"), 0755);
    for (int i = 0; i < 3000; i++) {
        memset(name, 1 + i % 30, 240);
        snprintf(name + 200, 20, "%d", i);
        put_text(at("root/many/%s", name), "");
    }
    const char *got = plugin_ask("fs_list", "{\"path\":\"many\",\"limit\":5000}");
    assert_true(strlen(got) < 1048576);
    assert_non_null(strstr(got, "\"total\":3000,\"truncated\":true"));
    CHECK_OK("fs_search", "{\"pattern\":\"x\",\"path\":\"many\"}", "\"files_searched\":3000");
    int fd = open(at("root"), O_RDONLY | O_DIRECTORY);
    memset(name, 'd', 200);
    name[200] = '\0';
    for (int i = 0; i < 30; i++) { /* 6,000 bytes of path */
        assert_int_equal(mkdirat(fd, name, 0755), 0);
        int next = openat(fd, name, O_RDONLY | O_DIRECTORY);
        close(fd);
        fd = next;
    }
    close(fd);
    CHECK_OK("fs_list", "{\"depth\":64,\"glob\":\"dd*\"}", "\"unnamed\":1");
    assert_int_equal(chdir(at("root")), 0);
    for (int i = 0; i < 30; i++) /* nftw() would not get there, either */
        assert_int_equal(chdir(name), 0);
    for (int i = 0; i < 30; i++) {
        assert_int_equal(chdir(".."), 0);
        assert_int_equal(rmdir(name), 0);
    }
    assert_int_equal(chdir(MGI_SOURCE_DIR), 0);
}

static void test_hostile_files_cost_a_search_little(void **state)
{
    (void)state;
    char *big = malloc(200001);
    memset(big, 'a', 200000);
    big[200000] = '\0';
    mkdir(at("root/h"), 0755);
    put_file(at("root/h/big"), big, 200000); /* above max_bytes */
    put_file(at("root/h/long"), big, 90000);
    CHECK_OK("fs_search", "{\"pattern\":\"a$\",\"regex\":true,\"path\":\"h\"}",
             "\"too_large_skipped\":1,\"unreadable\":0,\"long_lines\":1");
    strcpy(big + 40, "b");
    put_text(at("root/h/steps"), big);
    CHECK_FAIL("fs_search", "{\"pattern\":\"^(a+)+$\",\"regex\":true,\"path\":\"h/steps\"}",
               "takes too many steps");
    put_text(at("root/h/latin"), "caf\xe9 needle\n"); /* no UTF-8 */
    CHECK_OK("fs_search", "{\"pattern\":\"n[e]+dle\",\"regex\":true,\"path\":\"h/latin\"}",
             "\"text\":\"caf\xef\xbf\xbd needle\"");
    CHECK_FAIL("fs_read", "{\"path\":\"h/big\"}", "more than the 100000 that are read at once");
    CHECK_OK("fs_read", "{\"path\":\"h/big\",\"offset\":150000,\"length\":3}", "\"text\":\"aaa\"");
    free(big);
}

static void test_calls_stop_when_they_are_cancelled_or_their_time_is_over(void **state)
{
    (void)state;
    make_tree();
    static const char *const rows[][2] = { { "fs_search", "{\"pattern\":\"e\",\"hidden\":true}" },
                                           { "fs_list", "{\"depth\":9}" } };
    for (size_t i = 0; i < 2; i++)
        for (long looks = 1; looks < 4; looks++) {
            th_call call = { .looks_left = looks };
            assert_int_equal(plugin_run(&call, rows[i][0], rows[i][1]), TH_TOOL_ERROR);
            assert_string_equal(call.error.ptr, "cancelled");
            call_fini(&call);
            th_call late = { .until_ns = 1 };
            assert_int_equal(plugin_run(&late, rows[i][0], rows[i][1]), TH_TOOL_ERROR);
            assert_string_equal(late.error.ptr, "the time is over");
            call_fini(&late);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_settings_are_checked_whole, begin, end),
        cmocka_unit_test_setup_teardown(test_actions_that_write_are_not_offered_without_leave,
                                        begin, end),
        cmocka_unit_test_setup_teardown(test_files_are_read_whole_by_lines_and_by_bytes, begin,
                                        end),
        cmocka_unit_test_setup_teardown(test_what_is_no_text_is_base64, begin, end),
        cmocka_unit_test_setup_teardown(test_long_answers_are_cut_and_say_so, begin, end),
        cmocka_unit_test_setup_teardown(test_paths_stay_below_the_root, begin, end),
        cmocka_unit_test_setup_teardown(test_links_that_stay_inside_are_followed_and_others_are_not,
                                        begin, end),
        cmocka_unit_test_setup_teardown(test_special_files_are_never_opened, begin, end),
        cmocka_unit_test_setup_teardown(test_stat_tells_what_is_there_and_that_nothing_is, begin,
                                        end),
        cmocka_unit_test_setup_teardown(test_lists_are_sorted_filtered_and_bounded, begin, end),
        cmocka_unit_test_setup_teardown(test_searches_find_lines_with_what_is_around_them, begin,
                                        end),
        cmocka_unit_test_setup_teardown(test_hostile_folders_are_bounded, begin, end),
        cmocka_unit_test_setup_teardown(test_hostile_files_cost_a_search_little, begin, end),
        cmocka_unit_test_setup_teardown(
            test_calls_stop_when_they_are_cancelled_or_their_time_is_over, begin, end),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
