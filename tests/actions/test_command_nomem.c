/* The plugin "command" survives the failure of any one allocation: a table, words and an answer, or
 * a reason; nothing in between, and nothing leaks (the sanitizer would say so). */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>

#include "support/nomem.h"

#include "../../plugins/command/expand.c"
#include "../../plugins/command/table.c"
#include "../../plugins/command/read_output.c"

static const char settings[] =
    "{\"folder\":\"/srv\",\"actions\":[{\"aid\":\"AID.A.v1\",\"name\":\"a\",\"description\":\"d\","
    "\"program\":\"/bin/"
    "true\",\"run\":[[\"true\"],[\"--n=\",{\"arg\":\"n\"}],{\"if\":\"x\",\"then\":"
    "[[\"-x\"]]},{\"each\":\"y\",\"parts\":[{\"arg\":\"y\",\"option\":true}]}],"
    "\"input_schema\":{\"type\":\"object\"},\"defaults\":{\"n\":10},\"stdin\":{\"json\":true},"
    "\"folder\":[\"sub\"],\"env\":{\"A\":\"b\"},\"output\":{\"kind\":\"jsonl\"},"
    "\"exit\":[{\"from\":1,\"to\":1,\"ok\":true,\"output\":{}}],\"side_effects\":[\"none\"],"
    "\"tags\":[\"t\"],\"flags\":[\"idempotent\"],\"read\":[\"/a\"]}]}";
static const char arguments[] = "{\"x\":true,\"y\":[\"a\",\"-b c\"]}";
static const char printed[] = "{\"a\":[1,\"\\u00e9\"]}\n2\n";

static bool never(void *context)
{
    (void)context;
    return false;
}

/* NULL, or the reason. `kinds`: of output, all of them. */
static const char *whole_way(struct arena *arena, char shown[512])
{
    struct command_table table;
    struct expansion words = { 0 };
    struct json input;
    struct buf out = { 0 };
    const char *why = mgi_command_table_read(arena, str_of(settings), "/tmp", &table);
    if (!why && mgi_json_parse(arena, str_of(arguments), NULL, &input, NULL) != JSON_OK)
        why = "out of memory";
    if (!why)
        why = mgi_command_expand(arena, &table, &table.items[0], &input, &words);
    if (!why) {
        why = mgi_output_read(arena, &table.items[0], str_of(printed), never, NULL, &out);
        snprintf(shown, 512, "%s|%s|%s|%s|%s|%s|%s", words.argv[1], words.argv[2], words.argv[3],
                 words.argv[4], words.folder, words.input.ptr, out.ptr ? out.ptr : "");
    }
    mgi_buf_fini(&out);
    return why;
}

static void test_nothing_is_made_of_half_the_memory(void **state)
{
    (void)state;
    size_t n = 1;
    for (;; n++) {
        struct arena arena;
        char shown[512] = "";
        mgi_arena_init(&arena, 0);
        nomem_fail_at(n);
        const char *why = whole_way(&arena, shown);
        bool failed = nomem_failed();
        nomem_fail_at(0);
        if (!failed) {
            assert_null(why);
            assert_string_equal(shown, "--n=10|-x|a|-b c|/srv/sub|{\"x\":true,\"y\":[\"a\",\"-b "
                                       "c\"],\"n\":10}\n|{\"items\":[{\"a\":[1,\"é\"]},2]}");
            mgi_arena_fini(&arena);
            break;
        }
        assert_non_null(why);
        mgi_arena_fini(&arena);
    }
    assert_true(n > 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_is_made_of_half_the_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
