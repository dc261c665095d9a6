/* What is listed of a domain, and that making it survives the failure of any allocation. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "bridge/catalogue.h"
#include "support/nomem.h"

static const char skills[] =
    "[{\"id\":\"intent\",\"name\":\"An odd one\",\"description\":\"d\",\"content_type\":\"\","
    "\"content\":\"c\"},{\"id\":\"wind\",\"name\":\"Wind\",\"description\":\"say \\\"when\\\": "
    "x\",\"content_type\":\"text/plain\",\"content\":\"Stay.\"}]";

static struct catalogue *catalogue_of(const char *manifest, const char *text)
{
    struct arena arena;
    struct json v;
    mgi_arena_init(&arena, 0);
    assert_int_equal(mgi_json_parse(&arena, str_of(manifest), NULL, &v, NULL), JSON_OK);
    struct catalogue *c = mgi_catalogue_new(&v, str_of(text));
    mgi_arena_fini(&arena);
    return c;
}

static void test_skills_are_listed_behind_what_every_bridge_has(void **state)
{
    (void)state;
    struct catalogue *c = catalogue_of("{}", skills);
    struct buf file = { 0 };
    assert_int_equal(c->resource_count, MGI_FIXED_RESOURCES + 2);
    assert_true(str_is(c->resources[1].uri, "skill://intent/SKILL.md"));
    assert_true(str_is(c->resources[1].mime_type, "text/markdown"));
    assert_true(str_is(c->resources[2].mime_type, "text/plain"));
    assert_int_equal(c->prompt_count, MGI_FIXED_PROMPTS + 1); /* the fixed one keeps its name */
    assert_true(str_is(c->prompts[1].name, "wind"));
    assert_null(mgi_catalogue_file(c, STR_LIT("skill://SKILL.md")));
    assert_null(mgi_catalogue_file(c, STR_LIT("skill:///SKILL.md")));
    mgi_skill_write_file(mgi_catalogue_file(c, STR_LIT("skill://wind/SKILL.md")), &file);
    assert_true(str_is(mgi_buf_view(&file), "---\nname: wind\ndescription: \"say \\\"when\\\": x\""
                                            "\n---\n\nStay.\n"));
    mgi_buf_fini(&file);
    mgi_catalogue_free(c);
}

static void has_hints(const char *manifest, bool read_only, bool destructive, bool idempotent,
                      bool open_world)
{
    struct catalogue *c = catalogue_of(manifest, "");
    const struct mcp_tool *run = &c->tools[ASK_RUN];
    assert_int_equal(run->read_only, read_only);
    assert_int_equal(run->destructive, destructive);
    assert_int_equal(run->idempotent, idempotent);
    assert_int_equal(run->open_world, open_world);
    assert_true(run->has_annotations);
    mgi_catalogue_free(c);
}

/* X-BRIDGE-5 */
static void test_what_a_server_does_not_say_is_the_worst(void **state)
{
    (void)state;
    has_hints("{}", false, true, false, true);
    has_hints("{\"extensions\":7}", false, true, false, true);
    has_hints("{\"extensions\":{\"x-run-hints\":{\"read_only\":\"yes\"}}}", false, true, false,
              true);
    has_hints("{\"extensions\":{\"x-run-hints\":{\"idempotent\":true}}}", false, true, true, true);
    has_hints("{\"extensions\":{\"x-run-hints\":{\"read_only\":true,\"destructive\":false,"
              "\"idempotent\":true,\"open_world\":false}}}",
              true, false, true, false);
}

static void test_making_one_survives_the_failure_of_any_allocation(void **state)
{
    (void)state;
    for (size_t n = 1;; n++) {
        nomem_fail_at(n);
        struct catalogue *c = mgi_catalogue_new(NULL, str_of(skills));
        bool failed = nomem_failed();
        nomem_fail_at(0);
        assert_int_equal(c != NULL, !failed);
        mgi_catalogue_free(c);
        if (!failed) {
            assert_true(n > 2);
            break;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_skills_are_listed_behind_what_every_bridge_has),
        cmocka_unit_test(test_what_a_server_does_not_say_is_the_worst),
        cmocka_unit_test(test_making_one_survives_the_failure_of_any_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
