/* Revisions, their negotiation and features; envelopes and capabilities. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "mcp/meta.h"

/* X-INIT-3, X-INIT-4 */
static void test_a_handshake_never_offers_a_modern_version(void **state)
{
    (void)state;
    static const struct {
        const char *asked;
        enum mcp_revision offered;
    } rows[] = {
        { "2024-11-05", MCP_R1 }, { "2025-03-26", MCP_R2 }, { "2025-06-18", MCP_R3 },
        { "2025-11-25", MCP_R4 }, { "2026-07-28", MCP_R4 }, { "2024-10-07", MCP_R4 },
        { "2031-01-01", MCP_R4 }, { "", MCP_R4 },           { "nonsense", MCP_R4 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(mgi_mcp_offer(str_of(rows[i].asked)), rows[i].offered);
}

/* X-HTTP-29 */
static void test_versions_are_ordered_by_their_text(void **state)
{
    (void)state;
    assert_true(mgi_mcp_is_modern(STR_LIT("2026-07-28")));
    assert_true(mgi_mcp_is_modern(STR_LIT("v999.0.0")));
    assert_false(mgi_mcp_is_modern(STR_LIT("2025-11-25")));
    assert_false(mgi_mcp_is_modern(STR_LIT("")));
}

/* X-DISC-3, X-DISC-4 */
static void test_what_is_supported_is_told_newest_first(void **state)
{
    (void)state;
    struct buf out = { 0 };
    struct json_writer w;
    mgi_json_writer_init(&w, &out, 0);
    mgi_mcp_write_unsupported(&w, STR_LIT("2025-11-25"));
    assert_string_equal(out.ptr, "{\"supported\":[\"2026-07-28\",\"2025-11-25\",\"2025-06-18\","
                                 "\"2025-03-26\",\"2024-11-05\"],\"requested\":\"2025-11-25\"}");
    mgi_buf_fini(&out);
}

static void test_features_grow_with_the_revisions(void **state)
{
    (void)state;
    for (int r = MCP_R1; r <= MCP_R5; r++) {
        const struct mcp_features *f = mgi_mcp_features((enum mcp_revision)r);
        assert_int_equal(mgi_mcp_revision(str_of(f->date)), r);
        assert_int_equal(f->batches, r == MCP_R2);
        assert_int_equal(f->modern, r == MCP_R5);
        assert_int_equal(f->session_requests, r < MCP_R5);
        assert_int_equal(f->structured && f->links && f->titles && f->elicitation, r >= MCP_R3);
        assert_int_equal(f->audio && f->annotations && f->completions, r >= MCP_R2);
        assert_int_equal(f->icons && f->elicitation_urls, r >= MCP_R4);
        assert_int_equal(f->not_found, r < MCP_R5 ? -32002 : -32602); /* X-RES-6 */
    }
}

struct reading {
    struct arena arena;
    struct json json;
    struct mcp_envelope envelope;
};

static void read_params(struct reading *r, const char *params)
{
    mgi_arena_init(&r->arena, 0);
    assert_int_equal(mgi_json_parse(&r->arena, str_of(params), NULL, &r->json, NULL), JSON_OK);
    mgi_mcp_envelope(&r->json, &r->envelope);
}

#define V "\"io.modelcontextprotocol/protocolVersion\":"
#define C "\"io.modelcontextprotocol/clientCapabilities\":"
#define I "\"io.modelcontextprotocol/clientInfo\":"
#define L "\"io.modelcontextprotocol/logLevel\":"

/* X-META-4, X-META-5; X-PROG-3: a token of 0 */
static void test_claims_are_told_from_bad_ones(void **state)
{
    (void)state;
    static const struct {
        const char *params;
        enum mcp_claim claim;
        const char *why;
    } rows[] = {
        { "{}", MCP_NO_CLAIM, "" },
        { "{\"_meta\":null}", MCP_NO_CLAIM, "" },
        { "{\"_meta\":{\"progressToken\":0}}", MCP_NO_CLAIM, "" },
        { "{\"_meta\":{" C "{}}}", MCP_NO_CLAIM, "" },
        { "{\"_meta\":{" V "\"2026-07-28\"," C "{}}}", MCP_CLAIM, "" },
        { "{\"_meta\":{" V "\"x\"," C "{},\"a/b\":1," L "\"odd\"}}", MCP_CLAIM, "" },
        { "{\"_meta\":{" V "\"2026-07-28\"}}", MCP_BAD_CLAIM, "clientCapabilities is missing" },
        { "{\"_meta\":{" V "7," C "{}}}", MCP_BAD_CLAIM, "protocolVersion is no text" },
        { "{\"_meta\":{" V "\"2026-07-28\"," C "[]}}", MCP_BAD_CLAIM, "is no object" },
        { "{\"_meta\":{" V "\"2026-07-28\"," C "{}," I "{\"name\":\"a\"}}}", MCP_BAD_CLAIM,
          "clientInfo" },
        { "{\"_meta\":{" V "\"2026-07-28\"," C "{}," L "3}}", MCP_BAD_CLAIM, "logLevel" },
        { "{\"_meta\":{" V "\"2026-07-28\"," C "{},\"progressToken\":[]}}", MCP_BAD_CLAIM,
          "progressToken" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct reading r;
        read_params(&r, rows[i].params);
        assert_int_equal(r.envelope.claim, rows[i].claim);
        assert_non_null(strstr(r.envelope.why, rows[i].why));
        mgi_arena_fini(&r.arena);
    }
    struct reading r;
    read_params(&r, "{\"_meta\":{\"progressToken\":0}}");
    assert_int_equal(r.envelope.progress_token.kind, RPC_ID_INT);
    mgi_arena_fini(&r.arena);
}

/* X-ELIC-5 */
static void test_an_empty_elicitation_means_forms_alone(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool form, url;
    } rows[] = {
        { "{}", false, false },
        { "{\"elicitation\":{}}", true, false },
        { "{\"elicitation\":{\"url\":{}}}", false, true },
        { "{\"elicitation\":{\"form\":{},\"url\":{}}}", true, true },
        { "{\"elicitation\":true}", false, false },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct reading r;
        struct mcp_client_can can;
        read_params(&r, rows[i].text);
        mgi_mcp_client_can(&r.json, &can);
        assert_int_equal(can.form, rows[i].form);
        assert_int_equal(can.url, rows[i].url);
        mgi_arena_fini(&r.arena);
    }
}

/* X-LOG-1 */
static void test_levels_rise(void **state)
{
    (void)state;
    assert_int_equal(mgi_mcp_level(STR_LIT("debug")), MCP_DEBUG);
    assert_int_equal(mgi_mcp_level(STR_LIT("emergency")), MCP_EMERGENCY);
    assert_int_equal(mgi_mcp_level(STR_LIT("loud")), MCP_NO_LEVEL);
    assert_true(mgi_mcp_level(STR_LIT("notice")) < mgi_mcp_level(STR_LIT("warning")));
    assert_string_equal(mgi_mcp_level_name(MCP_LEVEL_ERROR), "error");
}

/* X-META-4: what is written is read as a claim. */
static void test_an_envelope_comes_back_as_it_was_written(void **state)
{
    (void)state;
    struct buf out = { 0 };
    struct json_writer w;
    struct mcp_self self = { STR_LIT("probe"), STR_LIT("1"), { 0 } };
    struct rpc_id token = { .kind = RPC_ID_INT };
    mgi_json_writer_init(&w, &out, 0);
    mgi_jw_begin_object(&w);
    mgi_jw_key(&w, "_meta");
    mgi_jw_begin_object(&w);
    mgi_mcp_write_envelope(&w, &self, STR_LIT("{\"roots\":{}}"), &token);
    mgi_jw_end_object(&w);
    mgi_jw_end_object(&w);
    struct reading r;
    read_params(&r, out.ptr);
    assert_int_equal(r.envelope.claim, MCP_CLAIM);
    assert_true(str_is(r.envelope.version, "2026-07-28"));
    assert_int_equal(r.envelope.progress_token.kind, RPC_ID_INT);
    assert_non_null(r.envelope.client);
    mgi_arena_fini(&r.arena);
    mgi_buf_fini(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_handshake_never_offers_a_modern_version),
        cmocka_unit_test(test_versions_are_ordered_by_their_text),
        cmocka_unit_test(test_what_is_supported_is_told_newest_first),
        cmocka_unit_test(test_features_grow_with_the_revisions),
        cmocka_unit_test(test_claims_are_told_from_bad_ones),
        cmocka_unit_test(test_an_empty_elicitation_means_forms_alone),
        cmocka_unit_test(test_levels_rise),
        cmocka_unit_test(test_an_envelope_comes_back_as_it_was_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
