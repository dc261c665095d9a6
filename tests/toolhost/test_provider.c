/* The provider document: what a plugin is told, and what it may ask for. */
#include "host_session.h"

#include <stdlib.h>
#include <unistd.h>

#include "toolhost/provider.c"
#include "toolhost/settings.c"

#define TELL "AID.TOLD.SETTINGS.v1"

static char path[] = "/tmp/providerXXXXXX";

static int write_document(const char *text)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    ssize_t n = fd < 0 ? -1 : write(fd, text, strlen(text));
    return fd < 0 || close(fd) != 0 || n != (ssize_t)strlen(text);
}

static const struct {
    const char *label, *document, *want;
    int exit_code;
} rows[] = {
    { "nothing said", "{}", "{\"ok\":true,\"status\":\"OK\",\"output_json\":\"{}\"*", 0 },
    { "settings", "{\"settings\": {\"a\":[1, 2]}}",
      "{\"ok\":true,\"status\":\"OK\",\"output_json\":\"{\\\"a\\\":[1, 2]}\"*", 0 },
    { "null is absent", "{\"settings\":null,\"caps\":null}",
      "{\"ok\":true,\"status\":\"OK\",\"output_json\":\"{}\"*", 0 },
    { "it may ask for this", "{\"caps\":[\"file_read\",\"network\"],\"name\":\"x\"}",
      "{\"ok\":true*", 0 },
    { "limits", "{\"limits\":{\"address_space_mb\":1048576,\"descriptors\":128}}", "{\"ok\":true*",
      0 },
    { "limits that are none", "{\"limits\":{\"descriptors\":0}}",
      REFUSAL(
          "invalid configuration: limits: address_space_mb, descriptors, processes and file_mb are "
          "numbers above 0, or address_space_mb is 0: none"),
      3 },
    { "it asks for more than is granted", "{\"caps\":[\"network\"]}", "{\"ok\":true*", 0 },
    { "the plugin refuses", "{\"settings\":{\"refuse\":1}}",
      REFUSAL("plugin init failed: no reason given"), 3 },
    { "not JSON", "{", REFUSAL("invalid configuration: not JSON"), 3 },
    { "no object", "[]", REFUSAL("invalid configuration: an object is expected"), 3 },
    { "all that is wrong is told at once",
      "{\"caps\":[\"fly\"],\"read\":[\"here\"],\"write\":{},\"confine\":\"maybe\",\"settings\":[],"
      "\"nme\":1}",
      REFUSAL("invalid configuration: caps: each is file_read, file_write, shell, network, memory, "
              "genesis, gpu, all or none; read: each is an absolute path; write: a list of at most "
              "256 absolute paths is expected; confine: it is \\\"on\\\", \\\"required\\\" or "
              "\\\"off\\\"; settings: an object is expected; unknown member \\\"nme\\\""),
      3 },
};

static void test_a_plugin_is_told_what_the_document_says(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(write_document(rows[i].document), 0);
        const struct run_row run = { rows[i].label,
                                     { "--run", "@told.so", TELL, "--config", path },
                                     "{}",
                                     rows[i].want,
                                     rows[i].exit_code };
        check_run(&run, NULL);
    }
}

static void test_a_document_that_cannot_be_read_ends_the_start(void **state)
{
    (void)state;
    const struct run_row run = { "missing",
                                 { "--list", "@told.so", "--config", "/nonexistent/provider" },
                                 NULL,
                                 REFUSAL("configuration not readable: No such file or directory"),
                                 3 };
    check_run(&run, NULL);
    const struct run_row twice = {
        "twice", { "--list", "@told.so", "--config", path, "--config", path }, NULL, "", 2
    };
    check_run(&twice, NULL);
}

static void test_paths_are_kept(void **state)
{
    (void)state;
    struct arena arena;
    struct provider p;
    mgi_arena_init(&arena, 0);
    assert_null(mgi_provider_parse(
        &arena, STR_LIT("{\"read\":[\"/a\",\"/b c\"],\"write\":[],\"confine\":\"required\"}"), &p));
    assert_true(p.has_read && p.has_write);
    assert_int_equal(p.read_count, 2);
    assert_string_equal(p.read[1], "/b c");
    assert_int_equal(p.write_count, 0);
    assert_int_equal(p.confine, CONFINE_REQUIRED);
    assert_non_null(mgi_provider_parse(&arena, STR_LIT("{\"read\":[\"/a\\u0000b\"]}"), &p));
    mgi_arena_fini(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_plugin_is_told_what_the_document_says),
        cmocka_unit_test(test_a_document_that_cannot_be_read_ends_the_start),
        cmocka_unit_test(test_paths_are_kept),
    };
    int fd = mkstemp(path);
    if (fd < 0)
        return 1;
    close(fd);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(path);
    return failed;
}
