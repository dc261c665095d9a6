/* The invalid inputs of protocol.md part 6, text level and envelope, and what is echoed. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

#include "protocol/envelope.h"

#define GOOD(members) "{\"manglecp\":\"2026-02-draft\"," members "}"
#define V             "\"manglecp\":\"2026-02-draft\""

struct envelope_case {
    const char *what; /* row numbers of protocol.md part 6, ids */
    const char *text;
    size_t len;         /* 0: strlen */
    const char *code;   /* "" : good */
    const char *reason; /* of details, or NULL */
    const char *id;     /* echoed; NULL: null */
};

static const struct envelope_case envelope_cases[] = {
    { "row 1, P-ENV-6", "{\"type\":\"intent_request\",", 0, "malformed_message", "json", NULL },
    { "row 2", "", 0, "malformed_message", "json", NULL },
    { "row 3, P-ENV-14", "\xEF\xBB\xBF{}", 0, "malformed_message", "bom", NULL },
    { "row 4, P-ENV-14", "{\"a\":\"\xff\"}", 0, "malformed_message", "utf8", NULL },
    { "row 6", "{\"a\":\"\xc0\xaf\"}", 0, "malformed_message", "utf8", NULL },
    { "row 7", "{\"a\":\"\\ud83d\"}", 0, "malformed_message", "utf8", NULL },
    { "row 8", "{\"a\":\"\x01\"}", 0, "malformed_message", "json", NULL },
    { "row 9", "\xff\xfe{\0\"\0", 6, "malformed_message", NULL, NULL },
    { "row 10, P-ENV-12", "{\"a\":1,}", 0, "malformed_message", "json", NULL },
    { "row 10, P-ENV-12", "{\"a\":1/**/}", 0, "malformed_message", "json", NULL },
    { "row 10, P-ENV-12", "{'a':1}", 0, "malformed_message", "json", NULL },
    { "row 11", "{\"a\":NaN}", 0, "malformed_message", "json", NULL },
    { "row 11", "{\"a\":01}", 0, "malformed_message", "json", NULL },
    { "row 11", "{\"a\":+1}", 0, "malformed_message", "json", NULL },
    { "row 11", "{\"a\":.5}", 0, "malformed_message", "json", NULL },
    { "row 11", "{\"a\":1.}", 0, "malformed_message", "json", NULL },
    { "row 12", GOOD("\"type\":\"cancel\",\"payload\":{}") " {}", 0, "malformed_message", "json",
      NULL },
    { "row 13, D-5", "{\"id\":\"a\",\"id\":\"b\"}", 0, "malformed_message", "duplicate_key", NULL },
    { "row 14, D-5",
      GOOD("\"type\":\"intent_request\",\"id\":\"a\",\"payload\":{\"facts\":[{\"pred\":\"a\","
           "\"pred\":"
           "\"_manglecp_x\"}]}"),
      0, "malformed_message", "duplicate_key", NULL },
    { "row 19", "[{},{}]", 0, "malformed_message", "envelope", NULL },
    { "row 20", "\"x\"", 0, "malformed_message", "envelope", NULL },
    { "row 20", "7", 0, "malformed_message", "envelope", NULL },
    { "row 20", "true", 0, "malformed_message", "envelope", NULL },
    { "row 20", "null", 0, "malformed_message", "envelope", NULL },
    { "row 21, P-ENV-2", GOOD("\"type\":\"intent_request\",\"payload\":{}"), 0, "malformed_message",
      "envelope", NULL },
    { "row 21", GOOD("\"type\":\"intent_request\",\"id\":null,\"payload\":{}"), 0,
      "malformed_message", "envelope", NULL },
    { "row 22", GOOD("\"type\":\"intent_request\",\"id\":\"\",\"payload\":{}"), 0,
      "malformed_message", "envelope", NULL },
    { "row 23", GOOD("\"type\":\"intent_request\",\"id\":42,\"payload\":{}"), 0,
      "malformed_message", "envelope", NULL },
    { "row 23", GOOD("\"type\":\"intent_request\",\"id\":{},\"payload\":{}"), 0,
      "malformed_message", "envelope", NULL },
    { "row 25", GOOD("\"id\":\"a\",\"payload\":{}"), 0, "malformed_message", "envelope", "a" },
    { "row 25", GOOD("\"type\":3,\"id\":\"a\",\"payload\":{}"), 0, "malformed_message", "envelope",
      "a" },
    { "row 26, P-ENV-11", GOOD("\"type\":\"list_tools\",\"id\":\"a\",\"payload\":{}"), 0,
      "invalid_type", NULL, "a" },
    { "P-ENV-11", GOOD("\"type\":\"Intent_Request\",\"id\":\"a\",\"payload\":{}"), 0,
      "invalid_type", NULL, "a" },
    { "row 27, D-9", GOOD("\"type\":\"intent_response\",\"id\":\"a\",\"payload\":{}"), 0,
      "invalid_type", NULL, "a" },
    { "row 127", GOOD("\"type\":\"submit_rule\",\"id\":\"a\",\"payload\":{}"), 0, "invalid_type",
      NULL, "a" },
    { "row 28, P-ENV-7", "{\"type\":\"cancel\",\"payload\":{}}", 0, "malformed_message", "envelope",
      NULL },
    { "row 28", "{\"type\":\"intent_request\",\"id\":\"a\",\"manglecp\":null,\"payload\":{}}", 0,
      "malformed_message", "envelope", "a" },
    { "row 28", "{\"type\":\"intent_request\",\"id\":\"a\",\"manglecp\":1,\"payload\":{}}", 0,
      "malformed_message", "envelope", "a" },
    { "row 29, P-ENV-9",
      "{\"type\":\"intent_request\",\"id\":\"a\",\"manglecp\":\"2024-11-05\",\"payload\":{}}", 0,
      "unsupported_version", NULL, "a" },
    { "row 30, D-1",
      "{\"type\":\"list_tools\",\"id\":\"a\",\"manglecp\":\"2024-11-05\",\"payload\":{}}", 0,
      "unsupported_version", NULL, "a" },
    { "row 31, P-ENV-10", GOOD("\"type\":\"intent_request\",\"id\":\"a\""), 0, "malformed_message",
      "envelope", "a" },
    { "row 31", GOOD("\"type\":\"intent_request\",\"id\":\"a\",\"payload\":null"), 0,
      "malformed_message", "envelope", "a" },
    { "row 31", GOOD("\"type\":\"intent_request\",\"id\":\"a\",\"payload\":[]"), 0,
      "malformed_message", "envelope", "a" },
    { "row 31", GOOD("\"type\":\"intent_request\",\"id\":\"a\",\"payload\":\"x\""), 0,
      "malformed_message", "envelope", "a" },
    { "D-7: outside facts",
      GOOD("\"type\":\"invoke_request\",\"id\":\"a\",\"payload\":{\"args\":{\"n\":[1e400]}}"), 0,
      "malformed_message", "number", "a" },
    { "D-7: in a fact it is the fact's fault",
      GOOD("\"type\":\"intent_request\",\"id\":\"a\",\"payload\":{\"facts\":[1e400]}"), 0, "", NULL,
      "a" },
    { "P-ENV-1", GOOD("\"type\":\"intent_request\",\"id\":\"a\",\"payload\":{}"), 0, "", NULL,
      "a" },
    { "P-ENV-3",
      GOOD("\"type\":\"invoke_request\",\"id\":\"\xc3\xa9-\xf0\x9f\x98\x80\",\"payload\":{}"), 0,
      "", NULL, "\xc3\xa9-\xf0\x9f\x98\x80" },
    { "2.2: cancel without an id", GOOD("\"type\":\"cancel\",\"payload\":{\"request_id\":\"x\"}"),
      0, "", NULL, NULL },
    { "2.2: an id of cancel is tolerated, and echoed if it is refused (row 38)",
      GOOD("\"type\":\"cancel\",\"id\":\"q\",\"payload\":{\"request_id\":\"x\"}"), 0, "", NULL,
      "q" },
    { "2.2: an empty id of cancel is ignored",
      GOOD("\"type\":\"cancel\",\"id\":\"\",\"payload\":{\"request_id\":\"x\"}"), 0, "", NULL,
      NULL },
    { "D-4: unknown members",
      GOOD("\"x\":[],\"type\":\"authenticate\",\"id\":\"a\",\"payload\":{}"), 0, "", NULL, "a" },
};

static bool parse(struct arena *a, struct str text, enum envelope_side side, struct envelope *m,
                  struct wire_error *e)
{
    return mgi_envelope_parse(a, text, 0, 0, side, m, e);
}

static const struct json *details_of(struct arena *a, const struct wire_error *e, struct json *into)
{
    assert_true(e->details.len > 0);
    assert_int_equal(mgi_json_parse(a, e->details, NULL, into, NULL), JSON_OK);
    return into;
}

static void check_case(const struct envelope_case *c)
{
    struct arena a;
    mgi_arena_init(&a, 0);
    struct envelope m;
    struct wire_error e;
    struct str text = { c->text, c->len ? c->len : strlen(c->text) };
    bool good = parse(&a, text, FROM_CLIENT, &m, &e);
    const char *code = good ? "" : mgi_wire_code(e.code)->name;
    if (strcmp(code, c->code) != 0)
        fail_msg("%s: %s\n got \"%s\" (%s), expected \"%s\"", c->what, c->text, code,
                 good ? "" : e.message, c->code);
    if (c->reason) {
        struct json details;
        const struct json *reason = mgi_json_get(details_of(&a, &e, &details), "reason");
        if (!reason || !str_is(reason->string, c->reason))
            fail_msg("%s: %s\n got details %.*s, expected reason %s", c->what, c->text,
                     STR_ARG(e.details), c->reason);
    }
    if (c->id ? !str_is(m.id, c->id) || !m.id.ptr : m.id.ptr != NULL)
        fail_msg("%s: echoes id \"%.*s\"", c->what, STR_ARG(m.id));
    mgi_arena_fini(&a);
}

static void test_every_bad_envelope_draws_its_error(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof envelope_cases / sizeof *envelope_cases; i++)
        check_case(&envelope_cases[i]);
}

static void test_depth_is_bounded(void **state)
{
    (void)state;
    struct arena a;
    mgi_arena_init(&a, 0);
    struct buf text = { 0 };
    for (int i = 0; i < 1000000; i++)
        mgi_buf_putc(&text, '[');
    struct envelope m;
    struct wire_error e;
    assert_false(parse(&a, mgi_buf_view(&text), FROM_CLIENT, &m, &e)); /* row 16, D-6 */
    assert_int_equal(e.code, WIRE_MALFORMED_MESSAGE);
    assert_string_equal(e.details.ptr, "{\"reason\":\"depth\"}");

    mgi_buf_clear(&text); /* row 15 */
    mgi_buf_puts(&text, "{" V ",\"type\":\"invoke_request\",\"id\":\"a\",\"payload\":{\"args\":");
    for (int i = 0; i < 500; i++)
        mgi_buf_putc(&text, '[');
    for (int i = 0; i < 500; i++)
        mgi_buf_putc(&text, ']');
    mgi_buf_puts(&text, "}}");
    assert_false(parse(&a, mgi_buf_view(&text), FROM_CLIENT, &m, &e));
    assert_string_equal(e.details.ptr, "{\"reason\":\"depth\"}");
    assert_null(m.id.ptr);
    mgi_buf_fini(&text);
    mgi_arena_fini(&a);
}

static void test_size_is_counted_in_bytes_and_exactly(void **state)
{
    (void)state;
    struct arena a;
    mgi_arena_init(&a, 0);
    struct envelope m;
    struct wire_error e;
    struct str text = STR_LIT("{" V ",\"type\":\"cancel\",\"payload\":{}}");
    assert_true(mgi_envelope_parse(&a, text, text.len, 0, FROM_CLIENT, &m, &e));      /* D-8 */
    assert_false(mgi_envelope_parse(&a, text, text.len - 1, 0, FROM_CLIENT, &m, &e)); /* row 17 */
    assert_int_equal(e.code, WIRE_MESSAGE_TOO_LARGE);
    struct json details;
    const struct json *max = mgi_json_get(details_of(&a, &e, &details), "max_message_bytes");
    assert_int_equal(max->integer, (int64_t)text.len - 1);
    mgi_arena_fini(&a);
}

static void test_sixteen_mebibytes_of_blanks_pass(void **state)
{
    (void)state;
    struct arena a;
    mgi_arena_init(&a, 0);
    struct str core = STR_LIT("{" V ",\"type\":\"intent_request\",\"id\":\"a\",\"payload\":{}}");
    char *text = malloc(ENVELOPE_MAX_BYTES_FLOOR + 1);
    assert_non_null(text);
    memset(text, ' ', ENVELOPE_MAX_BYTES_FLOOR + 1);
    memcpy(text, core.ptr, core.len);
    struct envelope m;
    struct wire_error e; /* P-ENV-16 */
    assert_true(parse(&a, (struct str){ text, ENVELOPE_MAX_BYTES_FLOOR }, FROM_CLIENT, &m, &e));
    assert_false(
        parse(&a, (struct str){ text, ENVELOPE_MAX_BYTES_FLOOR + 1 }, FROM_CLIENT, &m, &e));
    free(text);
    mgi_arena_fini(&a);
}

static void test_all_faults_of_an_envelope_are_reported(void **state)
{
    (void)state;
    struct arena a;
    mgi_arena_init(&a, 0);
    struct envelope m;
    struct wire_error e;
    assert_false(parse(&a, STR_LIT("{\"id\":7}"), FROM_CLIENT, &m, &e));
    struct json details;
    const struct json *violations = mgi_json_get(details_of(&a, &e, &details), "violations");
    assert_int_equal(violations->count, 4); /* D-2: type, id, manglecp, payload */
    mgi_arena_fini(&a);
}

static void test_ids_of_256_characters_work_and_longer_ones_are_refused(void **state)
{
    (void)state;
    struct arena a;
    mgi_arena_init(&a, 0);
    for (int extra = 0; extra < 2; extra++) {
        struct buf text = { 0 };
        mgi_buf_puts(&text, "{" V ",\"type\":\"intent_request\",\"payload\":{},\"id\":\"");
        for (int i = 0; i < 256 + extra; i++)
            mgi_buf_puts(&text, "\xc3\xa9");
        mgi_buf_puts(&text, "\"}");
        struct envelope m;
        struct wire_error e;
        assert_int_equal(parse(&a, mgi_buf_view(&text), FROM_CLIENT, &m, &e), extra == 0); /* D-3 */
        assert_int_equal(m.id.len, extra == 0 ? 512 : 0);
        mgi_buf_fini(&text);
    }
    mgi_arena_fini(&a);
}

static void test_a_client_reads_what_a_server_sends(void **state)
{
    (void)state;
    struct arena a;
    mgi_arena_init(&a, 0);
    struct envelope m;
    struct wire_error e;
    struct str manifest = STR_LIT("{" V ",\"type\":\"manifest\",\"id\":null,\"payload\":{}}");
    assert_true(parse(&a, manifest, FROM_SERVER, &m, &e));
    assert_int_equal(m.type, MSG_MANIFEST);
    struct str error = STR_LIT("{" V ",\"type\":\"error\",\"id\":\"a\",\"payload\":{}}");
    assert_true(parse(&a, error, FROM_SERVER, &m, &e));
    assert_true(str_is(m.id, "a"));
    struct str request = STR_LIT("{" V ",\"type\":\"intent_request\",\"id\":\"a\",\"payload\":{}}");
    assert_false(parse(&a, request, FROM_SERVER, &m, &e));
    mgi_arena_fini(&a);
}

static void test_what_is_written_reads_back(void **state)
{
    (void)state;
    struct arena a;
    mgi_arena_init(&a, 0);
    struct buf out = { 0 };
    struct wire_error e = { 0 };
    mgi_wire_error(&e, &a, WIRE_RATE_LIMITED, "Too many requests (%d).", 7);
    mgi_wire_error(&e, &a, WIRE_INTERNAL_ERROR, "The first error wins.");
    e.retry_after_ms = 1500;
    mgi_envelope_error(&out, (struct str){ 0 }, &e);
    assert_string_equal(
        out.ptr, "{\"type\":\"error\",\"id\":null,\"manglecp\":\"2026-02-draft\"," /* P-ERR-1 */
                 "\"payload\":{\"code\":\"rate_limited\",\"message\":\"Too many "
                 "requests (7).\",\"recoverable\":true,\"retry_after_ms\":1500}}");
    struct envelope m;
    assert_true(parse(&a, mgi_buf_view(&out), FROM_SERVER, &m, &e)); /* P-ENV-8 */
    mgi_buf_fini(&out);
    mgi_arena_fini(&a);
}

static void test_the_table_of_codes_is_that_of_the_reference(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int http;
        bool recoverable;
    } rows[] = {
        /* P-ERR-3: protocol.md part 4 */
        { "unsupported_version", 400, true },
        { "malformed_message", 400, false },
        { "message_too_large", 413, true },
        { "invalid_type", 400, false },
        { "auth_required", 401, true },
        { "auth_invalid", 401, true },
        { "auth_insufficient", 403, false },
        { "invalid_facts", 400, true },
        { "unknown_predicate", 400, true },
        { "arity_mismatch", 400, true },
        { "type_mismatch", 400, true },
        { "reserved_predicate", 400, false },
        { "too_many_facts", 400, true },
        { "evaluation_timeout", 408, true },
        { "derivation_limit_exceeded", 413, true },
        { "interval_limit_exceeded", 413, true },
        { "invalid_temporal_pattern", 400, false },
        { "evaluation_failed", 500, false },
        { "macro_not_found", 404, true },
        { "macro_expired", 410, true },
        { "schema_validation_failed", 400, true },
        { "confirmation_required", 403, true },
        { "confirmation_invalid", 403, true },
        { "execution_failed", 500, false },
        { "server_not_ready", 503, true },
        { "rate_limited", 429, true },
        { "internal_error", 500, false },
        { "cancelled", 499, false },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct wire_code_row *row = mgi_wire_code_by_name(str_of(rows[i].name));
        assert_non_null(row);
        assert_int_equal(row->http_status, rows[i].http);
        assert_int_equal(row->recoverable, rows[i].recoverable);
        assert_ptr_equal(mgi_wire_code(row->code), row);
    }
    assert_null(mgi_wire_code_by_name(STR_LIT("budget_exceeded"))); /* D-64 */
}

/* ---- extensions ---------------------------------------------------------------------------- */

static bool parse_extensions(struct arena *a, const char *extensions, struct envelope *m)
{
    struct wire_error e;
    const char *text = mgi_arena_printf(a,
                                        GOOD("\"type\":\"invoke_request\",\"id\":\"a\","
                                             "\"payload\":{},\"extensions\":%s"),
                                        extensions);
    return parse(a, str_of(text), FROM_CLIENT, m, &e);
}

static void test_extensions_are_an_object_of_the_envelope(void **state)
{
    (void)state;
    struct arena a;
    struct envelope m;
    mgi_arena_init(&a, 0);
    assert_true(parse_extensions(&a, "{}", &m));
    assert_non_null(m.extensions);
    assert_true(parse_extensions(&a, "null", &m));
    assert_null(m.extensions);
    assert_true(parse_extensions(&a, "{\"x-unknown\":[1]}", &m)); /* D-4 */
    assert_false(parse_extensions(&a, "7", &m));
    assert_false(parse_extensions(&a, "[]", &m));
    mgi_arena_fini(&a);
}

static void test_an_idempotency_key_is_128_characters_at_most(void **state)
{
    (void)state;
    struct arena a;
    struct envelope m;
    char key[200];
    mgi_arena_init(&a, 0);
    assert_true(parse_extensions(&a, "{\"x-idempotency-key\":\"aZ09._:-\"}", &m));
    assert_true(str_is(m.idempotency_key, "aZ09._:-"));
    assert_null(m.key_fault);
    for (int len = 127; len <= 129; len++) {
        snprintf(key, sizeof key, "{\"x-idempotency-key\":\"%0*d\"}", len, 0);
        assert_true(parse_extensions(&a, key, &m)); /* told with the payload's faults (gate 9) */
        assert_int_equal(m.idempotency_key.ptr != NULL, len <= 128);
        assert_int_equal(m.key_fault != NULL, len > 128);
    }
    static const char *const bad[] = {
        "\"\"", "7", "null", "\"a b\"", "\"\u00e9\"", "\"a/b\"", "{}"
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        snprintf(key, sizeof key, "{\"x-idempotency-key\":%s}", bad[i]);
        assert_true(parse_extensions(&a, key, &m));
        assert_null(m.idempotency_key.ptr);
        if (!m.key_fault)
            fail_msg("%s passed", bad[i]);
    }
    mgi_arena_fini(&a);
}

static void test_a_question_for_an_outcome_names_its_key(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool only, fault;
    } rows[] = {
        { "{\"x-idempotency-key\":\"k\",\"x-idempotency-only\":true}", true, false },
        { "{\"x-idempotency-key\":\"k\",\"x-idempotency-only\":false}", false, false },
        { "{\"x-idempotency-only\":false}", false, false },
        { "{\"x-idempotency-key\":\"k\"}", false, false },
        { "{\"x-idempotency-only\":true}", false, true },
        { "{\"x-idempotency-key\":\"k\",\"x-idempotency-only\":1}", false, true },
        { "{\"x-idempotency-key\":\"k\",\"x-idempotency-only\":null}", false, true },
        { "{\"x-idempotency-key\":\"k\",\"x-idempotency-only\":true,\"x-dry-run\":true}", false,
          true },
        { "{\"x-idempotency-key\":\"k\",\"x-idempotency-only\":true,\"x-dry-run\":false}", true,
          false },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct arena a;
        struct envelope m;
        mgi_arena_init(&a, 0);
        assert_true(parse_extensions(&a, rows[i].text, &m));
        if (m.key_only != rows[i].only || (m.key_only_fault != NULL) != rows[i].fault)
            fail_msg("%s: %d, %s", rows[i].text, m.key_only, m.key_only_fault);
        mgi_arena_fini(&a);
    }
}

static void test_only_a_good_traceparent_is_taken(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool good;
    } rows[] = {
        { "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", true },
        { "01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", false },
        { "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-1", false },
        { "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01x", false },
        { "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01", false },
        { "00-00000000000000000000000000000000-00f067aa0ba902b7-01", false },
        { "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01", false },
        { "00_4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", false },
        { "", false },
    };
    struct arena a;
    struct envelope m;
    char text[200];
    mgi_arena_init(&a, 0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        snprintf(text, sizeof text, "{\"x-traceparent\":\"%s\"}", rows[i].text);
        assert_true(parse_extensions(&a, text, &m)); /* anything else is ignored */
        if ((m.traceparent.len > 0) != rows[i].good)
            fail_msg("%s", rows[i].text);
    }
    mgi_arena_fini(&a);
}

static void test_a_dry_run_is_asked_for_by_true_alone(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool asked, fault;
    } rows[] = {
        { "{\"x-dry-run\":true}", true, false },    { "{\"x-dry-run\":false}", false, false },
        { "{\"x-dry-run\":1}", false, true },       { "{\"x-dry-run\":null}", false, true },
        { "{\"x-dry-run\":\"yes\"}", false, true }, { "{}", false, false },
    };
    struct arena a;
    struct envelope m;
    mgi_arena_init(&a, 0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_true(parse_extensions(&a, rows[i].text, &m));
        if (m.dry_run != rows[i].asked || (m.dry_run_fault != NULL) != rows[i].fault)
            fail_msg("%s", rows[i].text);
    }
    mgi_arena_fini(&a);
}

static void test_why_not_is_asked_of_one_to_four_tools(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t count; /* 0: refused */
    } rows[] = {
        { "[\"a\"]", 1 },
        { "[\"a\",\"b\",\"c\",\"d\"]", 4 },
        { "[]", 0 },
        { "[\"a\",\"b\",\"c\",\"d\",\"e\"]", 0 },
        { "\"a\"", 0 },
        { "[7]", 0 },
        { "[\"\"]", 0 },
        { "[\"a\",null]", 0 },
        { "{\"a\":1}", 0 },
        { "[\"0123456789012345678901234567890123456789012345678901234567890123\"]", 1 },
        { "[\"01234567890123456789012345678901234567890123456789012345678901234\"]", 0 },
    };
    struct arena a;
    struct envelope m;
    struct wire_error e;
    char text[400];
    mgi_arena_init(&a, 0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        snprintf(text, sizeof text,
                 "{\"type\":\"intent_request\",\"id\":\"1\",\"manglecp\":\"" MANGLECP_PROTOCOL
                 "\",\"payload\":{},\"extensions\":{\"x-why-not\":%s}}",
                 rows[i].text);
        assert_true(parse(&a, str_of(text), FROM_CLIENT, &m, &e));
        if ((m.why_not ? m.why_not->count : 0) != rows[i].count ||
            (m.why_not_fault == NULL) != (rows[i].count > 0))
            fail_msg("%s", rows[i].text);
    }
    mgi_arena_fini(&a);
}

static void test_an_envelope_can_be_written_around_a_payload(void **state)
{
    (void)state;
    struct arena a;
    struct buf out = { 0 };
    struct envelope m;
    struct wire_error e;
    mgi_arena_init(&a, 0);
    for (int replay = 0; replay < 2; replay++) {
        mgi_buf_clear(&out);
        mgi_envelope_open(&out, MSG_INVOKE_RESPONSE, STR_LIT("q\"1"));
        mgi_buf_puts(&out, "{\"result\":{}}");
        mgi_envelope_close(&out, replay ? REPLAY_EXTENSIONS : (struct str){ NULL, 0 });
        assert_true(parse(&a, mgi_buf_view(&out), FROM_SERVER, &m, &e));
        assert_true(str_is(m.id, "q\"1"));
        assert_non_null(mgi_json_get(m.payload, "result"));
        assert_int_equal(m.extensions != NULL, replay);
    }
    assert_true(mgi_json_get(m.extensions, "x-idempotent-replay")->boolean);
    mgi_buf_fini(&out);
    mgi_arena_fini(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_bad_envelope_draws_its_error),
        cmocka_unit_test(test_depth_is_bounded),
        cmocka_unit_test(test_size_is_counted_in_bytes_and_exactly),
        cmocka_unit_test(test_sixteen_mebibytes_of_blanks_pass),
        cmocka_unit_test(test_all_faults_of_an_envelope_are_reported),
        cmocka_unit_test(test_ids_of_256_characters_work_and_longer_ones_are_refused),
        cmocka_unit_test(test_a_client_reads_what_a_server_sends),
        cmocka_unit_test(test_what_is_written_reads_back),
        cmocka_unit_test(test_extensions_are_an_object_of_the_envelope),
        cmocka_unit_test(test_a_dry_run_is_asked_for_by_true_alone),
        cmocka_unit_test(test_why_not_is_asked_of_one_to_four_tools),
        cmocka_unit_test(test_an_idempotency_key_is_128_characters_at_most),
        cmocka_unit_test(test_a_question_for_an_outcome_names_its_key),
        cmocka_unit_test(test_only_a_good_traceparent_is_taken),
        cmocka_unit_test(test_an_envelope_can_be_written_around_a_payload),
        cmocka_unit_test(test_the_table_of_codes_is_that_of_the_reference),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
