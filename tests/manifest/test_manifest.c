/* The manifest says what protocol.md 2.8 wants, and no tool's name. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "domains/unit.h"
#include "manifest/manifest.h"

static struct snapshot *snapshot;
static struct arena arena;

static int set_up(void **state)
{
    (void)state;
    mgi_arena_init(&arena, 0);
    snapshot = unit_load(UNIT_FOLDER, NULL);
    return snapshot ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    mgi_snapshot_unref(snapshot);
    mgi_arena_fini(&arena);
    return 0;
}

static struct json written(const struct manifest_view *view, struct str *text)
{
    struct buf out = { 0 };
    struct json_writer w;
    struct json root;
    mgi_json_writer_init(&w, &out, 0);
    mgi_manifest_write(&w, snapshot, view);
    *text = mgi_arena_str(&arena, mgi_buf_view(&out));
    mgi_buf_fini(&out);
    assert_int_equal(mgi_json_parse(&arena, *text, NULL, &root, NULL), JSON_OK);
    return root;
}

static const struct json *at(const struct json *root, const char *pointer)
{
    const struct json *v = mgi_json_pointer_get(root, str_of(pointer));
    if (!v)
        fail_msg("nothing at %s", pointer);
    return v;
}

static const char *const schemes[] = { "bearer", NULL };
static const struct manifest_view over_http = { .status = SERVER_READY,
                                                .intent_eval = "/e",
                                                .macro_invoke = "/i",
                                                .auth_required = true,
                                                .auth_schemes = schemes,
                                                .conformance_level = 2 };

static void test_everything_required_is_there(void **state)
{
    struct str text;
    struct json m = written(&over_http, &text);
    (void)state;
    assert_true(str_is(at(&m, "/server_name")->string, "unit"));                /* P-MAN-4 */
    assert_true(str_is(at(&m, "/protocol/manglecp")->string, "2026-02-draft")); /* P-MAN-6 */
    assert_true(str_is(at(&m, "/protocol/supported_versions/0")->string, "2026-02-draft"));
    assert_int_equal(at(&m, "/protocol/conformance_level")->integer, 2);  /* P-MAN-8 */
    assert_true(str_is(at(&m, "/status")->string, "ready"));              /* P-MAN-9 */
    assert_true(str_is(at(&m, "/domain/id")->string, "unit"));            /* P-MAN-10 */
    assert_true(str_is(at(&m, "/endpoints/macro_invoke")->string, "/i")); /* P-MAN-13 */
    assert_true(str_is(at(&m, "/intents/0/name")->string, "fx.echo"));    /* P-MAN-16 */
    assert_true(str_is(at(&m, "/intents/0/required_facts/0")->string, "fx_basic"));
    assert_true(str_is(at(&m, "/facts_profile/time_formats/0")->string, "rfc3339")); /* P-TIME-6 */
    assert_true(at(&m, "/capabilities/temporal")->boolean);                          /* P-MAN-21 */
    assert_true(at(&m, "/capabilities/named_args")->boolean);                        /* P-FACT-16 */
    assert_true(at(&m, "/limits/max_message_bytes")->integer >= 16777216);           /* P-MAN-25 */
    assert_int_equal(at(&m, "/limits/max_facts_per_request")->integer, 2000);
    assert_true(at(&m, "/auth/required")->boolean); /* P-MAN-27 */
    assert_true(str_is(at(&m, "/auth/schemes/0")->string, "bearer"));
}

static void test_session_transports_have_no_endpoints(void **state)
{
    struct manifest_view view = { .status = SERVER_BOOTING, .conformance_level = 1 };
    struct str text;
    struct json m = written(&view, &text);
    (void)state;
    assert_null(mgi_json_get(&m, "endpoints")); /* P-MAN-14 */
    assert_false(at(&m, "/auth/required")->boolean);
}

static void test_what_is_amiss_is_told_in_the_extensions(void **state)
{
    static const struct manifest_flaw flaws[] = { { "store", "it does not answer" },
                                                  { "host:fx.so", "it does not start" } };
    struct manifest_view view = over_http;
    struct str text;
    (void)state;
    struct json m = written(&view, &text);
    assert_int_equal(at(&m, "/extensions")->count, 4);
    assert_true(at(&m, "/extensions/x-dry-run")->boolean);
    assert_true(at(&m, "/extensions/x-idempotency-only")->boolean);
    assert_true(at(&m, "/extensions/x-run-hints/destructive")->boolean); /* X-BRIDGE-5 */
    assert_false(at(&m, "/extensions/x-run-hints/read_only")->boolean);
    assert_true(str_is(at(&m, "/extensions/x-why-not/permission")->string, "why_not"));
    view.status = SERVER_DEGRADED;
    view.flaws = flaws;
    view.flaw_count = 2;
    view.websocket = "/manglecp/ws";
    m = written(&view, &text);
    assert_true(str_is(at(&m, "/status")->string, "degraded"));
    assert_true(str_is(at(&m, "/extensions/x-degraded/0/what")->string, "store")); /* P-READY-7 */
    assert_true(str_is(at(&m, "/extensions/x-degraded/1/why")->string, "it does not start"));
    assert_true(str_is(at(&m, "/extensions/x-websocket")->string, "/manglecp/ws")); /* D-59 */
}

static void test_no_tool_is_named(void **state)
{
    struct str text;
    (void)state;
    written(&over_http, &text);
    for (size_t i = 0; i < snapshot->tool_count; i++) { /* P-MAN-1 */
        char *quoted = mgi_arena_printf(&arena, "\"%.*s\"", STR_ARG(snapshot->tools[i].name));
        if (mgi_str_find(text, str_of(quoted)) != SIZE_MAX)
            fail_msg("the manifest names %s", quoted);
    }
    assert_int_equal(mgi_str_find(text, STR_LIT("prohibited")), SIZE_MAX); /* no policy predicate */
}

static void test_predicates_say_what_their_decl_says(void **state)
{
    struct str text;
    struct json m = written(&over_http, &text);
    const struct json *list = at(&m, "/facts_profile/predicates");
    const struct json *found[5] = { 0 };
    static const char *const names[] = { "fx_basic", "fx_event", "fx_noname", "fx_out",
                                         "fx_number" };
    (void)state;
    for (uint32_t i = 0; i < list->count; i++)
        for (int k = 0; k < 5; k++)
            if (str_is(mgi_json_get(&list->items[i], "predicate")->string, names[k]))
                found[k] = &list->items[i];
    assert_int_equal(at(found[0], "/arity")->integer, 4); /* P-SCHEMA-1 */
    assert_true(str_is(at(found[0], "/arg_types/2")->string, "boolean"));
    assert_true(str_is(at(found[0], "/arg_types/3")->string, "any"));
    assert_true(str_is(at(found[0], "/arg_names/0")->string, "tag"));
    assert_true(str_is(at(found[0], "/direction")->string, "input")); /* P-SCHEMA-6 */
    assert_null(mgi_json_get(found[0], "temporal"));
    assert_true(at(found[1], "/temporal")->boolean); /* P-SCHEMA-5 */
    assert_null(mgi_json_get(found[2], "arg_names"));
    assert_true(str_is(at(found[2], "/arg_types/1")->string, "number"));
    assert_true(str_is(at(found[3], "/direction")->string, "output"));
    assert_null(found[4]); /* internal */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_everything_required_is_there),
        cmocka_unit_test(test_session_transports_have_no_endpoints),
        cmocka_unit_test(test_what_is_amiss_is_told_in_the_extensions),
        cmocka_unit_test(test_no_tool_is_named),
        cmocka_unit_test(test_predicates_say_what_their_decl_says),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests_name("manifest", tests, set_up, tear_down);
}
