/* Plugins that must not load, and why (toolhost.md 12.8). */
#include "host_session.h"

struct bad_row {
    const char *label;
    const char *bad; /* MACHINA_TOOL_BAD of the fixture bad_choice */
    const char *want;
    int exit_code;
};

#define BAD_TOOL(what) "{\"ok\":false,\"error\":\"plugin registered a bad tool: " what

static const struct bad_row bad_rows[] = {
    { "C-133 T-ABI-1", "major1", REFUSAL("plugin ABI mismatch: host 2.0, plugin 1.0"), 3 },
    { "C-133 T-ABI-1", "major3", REFUSAL("plugin ABI mismatch: host 2.0, plugin 3.0"), 3 },
    { "C-133 T-ABI-1", "minor", REFUSAL("plugin ABI mismatch: host 2.0, plugin 2.1"), 3 },
    { "C-134 T-ABI-10", "fails", REFUSAL("plugin init failed: no licence"), 3 },
    { "C-135 T-ABI-25", "crash", REFUSAL("plugin init crashed: signal 11"), 3 },
    { "C-135", "crash_constructor", REFUSAL("plugin init crashed: signal 11"), 3 },
    { "T-ABI-7", "exit", REFUSAL("plugin init failed: it exited with code 3"), 3 },
    { "C-136 T-CLI-25", "prints", "{\"ok\":true,\"tools\":[{\"aid\":\"AID.BAD.TOOL.v1\"*", 0 },
    { "C-137 T-ABI-10", "no_tools", REFUSAL("plugin registered no tools"), 3 },
    { "C-137 T-ABI-11", "twice", BAD_TOOL("AID.BAD.TOOL.v1: registered twice\"}"), 3 },
    { "C-137 T-LEASE-2", "no_effect", BAD_TOOL("AID.BAD.TOOL.v1: no side effect*"), 3 },
    { "T-LEASE-2", "none_and_more", BAD_TOOL("AID.BAD.TOOL.v1: side effect*"), 3 },
    { "C-137 T-ABI-11", "aid", BAD_TOOL("foo: the aid is not *"), 3 },
    { "C-137 T-ABI-11", "aid_underscore", BAD_TOOL("_x: the aid is not *"), 3 },
    { "C-137 T-ABI-11", "schema", BAD_TOOL("AID.BAD.TOOL.v1: input_schema is not *"), 3 },
    { "T-ABI-11", "no_function", BAD_TOOL("AID.BAD.TOOL.v1: no function\"}"), 3 },
    { "T-ABI-11", "flag", BAD_TOOL("AID.BAD.TOOL.v1: an unknown flag\"}"), 3 },
    { "T-ABI-11", "name", BAD_TOOL("AID.BAD.TOOL.v1: the name is not *"), 3 },
    { "C-140 T-ABI-4", "small", "{\"ok\":true*", 0 },
    { "T-ABI-9", "caps", "{\"ok\":true*", 0 },
};

static void test_a_bad_plugin_is_rejected_with_its_reason(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bad_rows / sizeof *bad_rows; i++) {
        const struct bad_row *row = &bad_rows[i];
        char setting[64];
        snprintf(setting, sizeof setting, "MACHINA_TOOL_BAD=%s", row->bad);
        const char *const env[] = { setting, NULL };
        const struct run_row run = {
            row->label, { "--list", "@bad_choice.so" }, NULL, row->want, row->exit_code
        };
        check_run(&run, env);
    }
}

static const struct run_row other_rows[] = {
    { "C-131 T-ABI-7", { "--list", "/" }, NULL, REFUSAL("plugin is not a regular file"), 3 },
    { "C-131 T-ABI-7",
      { "--list", "/dev/null" },
      NULL,
      REFUSAL("plugin is not a regular file"),
      3 },
    { "C-131 T-ABI-7",
      { "--list", MGI_SOURCE_DIR "/CMakeLists.txt" },
      NULL,
      "{\"ok\":false,\"error\":\"plugin open failed: *",
      3 },
    { "C-132 T-ABI-2",
      { "--list", "@bad_noabi.so" },
      NULL,
      REFUSAL("plugin lacks toolhost_plugin_abi (C++ ABI v1 plugins are not supported)"),
      3 },
    { "C-132",
      { "--list", "@bad_noinit.so" },
      NULL,
      REFUSAL("plugin lacks toolhost_plugin_init"),
      3 },
    { "T-CLI-6: in every mode",
      { "--serve", "@bad_noinit.so" },
      "{}",
      REFUSAL("plugin lacks toolhost_plugin_init"),
      3 },
};

static void test_what_is_no_plugin_is_told_apart(void **state)
{
    (void)state;
    static const char *const lax[] = { "MACHINA_PLUGIN_ABI_LAX=1", NULL };
    for (size_t i = 0; i < sizeof other_rows / sizeof *other_rows; i++) {
        check_run(&other_rows[i], NULL);
        check_run(&other_rows[i], lax); /* C-215 T-ABI-3 */
    }
}

static void test_a_hanging_init_is_given_up(void **state)
{
    (void)state;
    static const char *const env[] = { "MACHINA_TOOL_BAD=hang", NULL };
    const struct run_row row = {
        "C-135 T-LIM-3", { "--list", "@bad_choice.so" }, NULL, REFUSAL("plugin init timed out"), 3
    };
    int64_t before = test_now_ms();
    check_run(&row, env);
    assert_true(test_now_ms() - before < 11000);
}

static void test_a_signal_ends_the_loading(void **state)
{
    (void)state;
    static const char *const env[] = { "MACHINA_TOOL_BAD=hang", NULL };
    struct session s;
    session_start(&s, "bad_choice.so", env, PLAIN);
    test_await_children(s.pid, 1);
    kill(s.pid, SIGTERM);
    assert_int_equal(session_wait_end(&s, 2000), 0); /* T-CLI-22 */
    assert_int_equal(s.out_bytes.len, 0);
    session_free(&s);
}

static void test_a_wrong_hash_keeps_the_code_out(void **state)
{
    (void)state;
    char mark[600];
    const char *path = test_path("mark");
    snprintf(mark, sizeof mark, "MACHINA_TOOL_MARK=%s", path);
    const char *const env[] = {
        mark,
        "MACHINA_PLUGIN_SHA256=0000000000000000000000000000000000000000000000000000000000000000",
        NULL
    };
    const struct run_row row = {
        "C-138 T-ABI-8", { "--list", "@bad_choice.so" }, NULL, REFUSAL("plugin hash mismatch"), 3
    };
    check_run(&row, env);
    assert_int_equal(test_file_size(path), -1); /* C-138: no constructor ran */
    const struct run_row good = {
        "T-ABI-8", { "--list", "@bad_choice.so" }, NULL, "{\"ok\":true*", 0
    };
    check_run(&good, (const char *const[]){ mark, NULL });
    assert_int_equal(test_file_size(path), 0); /* the mark would have shown it */
    unlink(path);
}

static void test_a_worker_with_other_tools_is_not_used(void **state)
{
    (void)state;
    char mark[600];
    const char *path = test_path("mark");
    snprintf(mark, sizeof mark, "MACHINA_TOOL_MARK=%s", path);
    const char *const env[] = { mark, "MACHINA_TOOL_BAD=changes", NULL };
    struct session s;
    session_start(&s, "bad_choice.so", env, PLAIN);
    check(&s, "T-ISO-17", "{\"aid\":\"AID.BAD.TOOL.v1\"}", OUTPUT("{}"));
    kill_worker_of(s.pid);
    check(&s, "T-ISO-17", "{\"aid\":\"AID.BAD.TOOL.v1\",\"ds_state\":{\"slots\":{\"0\":{}}}}",
          FAILURE("worker unavailable: tool set changed"));
    unlink(path); /* now it is the old one again */
    check(&s, "T-RSP-10: the state of the refused one was not applied",
          "{\"aid\":\"AID.BAD.TOOL.v1\",\"ds_state\":{\"delta\":true,\"base\":"
          "\"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855\"}}",
          OUTPUT("{}"));
    assert_int_equal(session_end(&s), 0);
    unlink(path);
}

static void test_capabilities_can_be_limited(void **state)
{
    (void)state;
    static const char *const few[] = { "MACHINA_TOOL_BAD=caps", "MACHINA_PLUGIN_CAPS=file_read",
                                       NULL };
    static const char *const mask[] = { "MACHINA_TOOL_BAD=caps", "MACHINA_PLUGIN_CAPS=0xc", NULL };
    static const char *const none[] = { "MACHINA_PLUGIN_CAPS=none", NULL };
    const struct run_row denied = { "C-139 T-ABI-9",
                                    { "--list", "@bad_choice.so" },
                                    NULL,
                                    REFUSAL("plugin capabilities not allowed: 0x0000000c"),
                                    3 };
    const struct run_row granted = {
        "T-ABI-9", { "--list", "@bad_choice.so" }, NULL, "{\"ok\":true*", 0
    };
    const struct run_row silent = { "T-ABI-9: no word means all",
                                    { "--list", "@hostile.so" },
                                    NULL,
                                    REFUSAL("plugin capabilities not allowed: 0xffffffff"),
                                    3 };
    check_run(&denied, few);
    check_run(&granted, mask);
    check_run(&silent, none);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_bad_plugin_is_rejected_with_its_reason),
        cmocka_unit_test(test_what_is_no_plugin_is_told_apart),
        cmocka_unit_test(test_a_hanging_init_is_given_up),
        cmocka_unit_test(test_a_signal_ends_the_loading),
        cmocka_unit_test(test_a_wrong_hash_keeps_the_code_out),
        cmocka_unit_test(test_a_worker_with_other_tools_is_not_used),
        cmocka_unit_test(test_capabilities_can_be_limited),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
