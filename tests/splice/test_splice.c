/* One entry of a configuration, put in and taken out: the rest of the text stays, byte for byte. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>

#include "splice/splice.h"

static const struct splice_place json_place = { { "mcpServers", 10 }, { "hello", 5 } };
static const struct splice_place toml_place = { { "mcp_servers", 11 }, { "hello", 5 } };

static const struct splice_place *place_in(enum splice_form form)
{
    return form == SPLICE_TOML ? &toml_place : &json_place;
}

static struct json entry(struct arena *arena, const char *text)
{
    struct json v;
    assert_int_equal(mgi_json_parse(arena, str_of(text), NULL, &v, NULL), JSON_OK);
    return v;
}

#define ENTRY "{\"command\":\"/bin/m\",\"args\":[\"mcp\",\"/d\"]}"

static void show(const char *what, struct str got, const char *expected)
{
    if (!str_is(got, expected))
        print_error("%s gave:\n%.*s\nexpected:\n%s\n", what, STR_ARG(got), expected);
    assert_true(str_is(got, expected));
}

static void put(enum splice_form form, const char *before, const char *expected)
{
    struct arena arena;
    struct buf with = { 0 }, without = { 0 };
    struct splice_fault fault = { 0 };
    bool made;
    mgi_arena_init(&arena, 0);
    struct json v = entry(&arena, ENTRY);
    enum splice_status st =
        mgi_splice_put(form, str_of(before), place_in(form), &v, &with, &made, &fault);
    if (st)
        print_error("%u:%u: %s\n", fault.line, fault.column, fault.message);
    assert_int_equal(st, SPLICE_DONE);
    show("putting in", mgi_buf_view(&with), expected);
    assert_int_equal(
        mgi_splice_take(form, mgi_buf_view(&with), place_in(form), made, &without, &fault),
        SPLICE_DONE);
    if (before[0])
        show("taking out", mgi_buf_view(&without), before);
    mgi_buf_fini(&with);
    mgi_buf_fini(&without);
    mgi_arena_fini(&arena);
}

static void take(enum splice_form form, const char *before, const char *expected)
{
    struct buf out = { 0 };
    struct splice_fault fault = { 0 };
    assert_int_equal(mgi_splice_take(form, str_of(before), place_in(form), false, &out, &fault),
                     SPLICE_DONE);
    show("taking out", mgi_buf_view(&out), expected);
    mgi_buf_fini(&out);
}

static void refused(enum splice_form form, const char *text, uint32_t line, uint32_t column,
                    const char *message)
{
    struct arena arena;
    struct buf out = { 0 };
    struct splice_fault fault = { 0 };
    mgi_arena_init(&arena, 0);
    struct json v = entry(&arena, ENTRY);
    assert_int_equal(mgi_splice_put(form, str_of(text), place_in(form), &v, &out, NULL, &fault),
                     SPLICE_REFUSED);
    if (fault.line != line || fault.column != column || !strstr(fault.message, message))
        print_error("%s: %u:%u: %s\n", text, fault.line, fault.column, fault.message);
    assert_int_equal(fault.line, line);
    assert_int_equal(fault.column, column);
    assert_non_null(strstr(fault.message, message));
    mgi_buf_fini(&out);
    mgi_arena_fini(&arena);
}

#define TALL(i)                                                                                    \
    i "\"hello\": {\n" i "  \"command\": \"/bin/m\",\n" i "  \"args\": [\n" i "    \"mcp\",\n" i   \
      "    \"/d\"\n" i "  ]\n" i "}"

static void test_json_from_nothing(void **state)
{
    (void)state;
    put(SPLICE_JSON, "", "{\n  \"mcpServers\": {\n" TALL("    ") "\n  }\n}\n");
    put(SPLICE_JSON, "{}\n", "{\n  \"mcpServers\": {\n" TALL("    ") "\n  }\n}\n");
    put(SPLICE_JSON, "{\n}\n", "{\n  \"mcpServers\": {\n" TALL("    ") "\n  }\n\n}\n");
}

static void test_json_beside_others(void **state)
{
    (void)state;
    put(SPLICE_JSON, "{\n  \"a\": 1\n}", /* the last line is not ended, and stays so */
        "{\n  \"mcpServers\": {\n" TALL("    ") "\n  },\n  \"a\": 1\n}");
    put(SPLICE_JSON, "{\n  \"mcpServers\": {},\n  \"a\": 1\n}\n",
        "{\n  \"mcpServers\": {\n" TALL("    ") "\n  },\n  \"a\": 1\n}\n");
    put(SPLICE_JSON, "{\n  \"mcpServers\": {\n    \"b\": {}\n  }\n}\n",
        "{\n  \"mcpServers\": {\n" TALL("    ") ",\n    \"b\": {}\n  }\n}\n");
    put(SPLICE_JSON, "{\"mcpServers\":{\"b\":{}},\"z\":[1, 2]}",
        "{\"mcpServers\":{\"hello\":{\"command\":\"/bin/m\",\"args\":[\"mcp\",\"/d\"]},\"b\":{}},"
        "\"z\":[1, 2]}");
    put(SPLICE_JSON, "{ \"mcpServers\": { \"b\": {} } }",
        "{ \"mcpServers\": { \"hello\": {\"command\":\"/bin/m\",\"args\":[\"mcp\",\"/d\"]}, "
        "\"b\": {} } }");
}

static void test_json_keeps_indentation_and_line_ends(void **state)
{
    (void)state;
    put(SPLICE_JSON, "\xef\xbb\xbf{\r\n\t\"mcpServers\": {\r\n\t\t\"b\": {}\r\n\t}\r\n}\r\n",
        "\xef\xbb\xbf{\r\n\t\"mcpServers\": {\r\n\t\t\"hello\": {\r\n\t\t\t\"command\": "
        "\"/bin/m\",\r\n\t\t\t\"args\": [\r\n\t\t\t\t\"mcp\",\r\n\t\t\t\t\"/d\"\r\n\t\t\t]\r\n\t\t}"
        ",\r\n\t\t\"b\": {}\r\n\t}\r\n}\r\n");
}

static void test_json_keeps_comments(void **state)
{
    (void)state;
    put(SPLICE_JSON_COMMENTS,
        "// mine\n{ // root\n  \"mcpServers\": { // all of them, \"really\"\n    /* b */ \"b\": "
        "{}, // "
        "last\n  },\n}\n",
        "// mine\n{ // root\n  \"mcpServers\": { // all of them, \"really\"\n" TALL(
            "    ") ",\n    /* b */ \"b\": {}, // last\n  },\n}\n");
    put(SPLICE_JSON_COMMENTS, "{\n  \"mcpServers\": {\n    // none yet\n  }\n}\n",
        "{\n  \"mcpServers\": {\n" TALL("    ") "\n\n    // none yet\n  }\n}\n");
}

static void test_json_what_a_person_wrote_is_taken_out(void **state)
{
    (void)state;
    take(SPLICE_JSON, "{\n  \"mcpServers\": {\n    \"b\": {},\n    \"hello\": {}\n  }\n}\n",
         "{\n  \"mcpServers\": {\n    \"b\": {}\n  }\n}\n");
    take(SPLICE_JSON, "{\"mcpServers\": {\"b\": {}, \"hello\": {}, \"c\": {}}}",
         "{\"mcpServers\": {\"b\": {}, \"c\": {}}}");
    take(SPLICE_JSON, "{\n  \"mcpServers\": {\n    \"hello\": {}\n  }\n}\n",
         "{\n  \"mcpServers\": {}\n}\n");
    take(SPLICE_JSON_COMMENTS,
         "{\n  \"mcpServers\": {\n    \"b\": {}, // b\n    \"hello\": {}, // ours\n  },\n}\n",
         "{\n  \"mcpServers\": {\n    \"b\": {}, // b // ours\n  },\n}\n");
}

static void test_an_entry_is_replaced_where_it_stands(void **state)
{
    struct arena arena;
    struct buf out = { 0 };
    struct splice_fault fault;
    bool made;
    (void)state;
    mgi_arena_init(&arena, 0);
    struct json v = entry(&arena, "{\"command\":\"new\"}");
    assert_int_equal(mgi_splice_put(SPLICE_JSON,
                                    STR_LIT("{\n \"mcpServers\": {\n  \"a\": 1,\n  \"hello\": {}\n "
                                            "}\n}"),
                                    &json_place, &v, &out, &made, &fault),
                     SPLICE_DONE);
    show("replacing", mgi_buf_view(&out),
         "{\n \"mcpServers\": {\n  \"a\": 1,\n  \"hello\": {\n   \"command\": \"new\"\n  }\n }\n}");
    assert_false(made);
    mgi_buf_clear(&out);
    assert_int_equal(mgi_splice_put(SPLICE_TOML,
                                    STR_LIT("[mcp_servers.hello] # c\ncommand = 'old'\n\n"
                                            "[mcp_servers.hello.env]\nA = '1'\n\n[z]\n"),
                                    &toml_place, &v, &out, &made, &fault),
                     SPLICE_DONE);
    show("replacing", mgi_buf_view(&out), "[mcp_servers.hello]\ncommand = \"new\"\n\n\n[z]\n");
    mgi_buf_fini(&out);
    mgi_arena_fini(&arena);
}

#define TABLE "[mcp_servers.hello]\ncommand = \"/bin/m\"\nargs = [\"mcp\", \"/d\"]"

static void test_toml(void **state)
{
    (void)state;
    put(SPLICE_TOML, "", TABLE "\n");
    put(SPLICE_TOML, "# c\nmodel = \"o\"\n", "# c\nmodel = \"o\"\n\n" TABLE "\n");
    put(SPLICE_TOML, "model = \"o\"", "model = \"o\"\n\n" TABLE);
    put(SPLICE_TOML, "[mcp_servers.b]\ncommand = 'x' # y\n\n",
        "[mcp_servers.b]\ncommand = 'x' # y\n\n\n" TABLE "\n");
    put(SPLICE_TOML, "[mcp_servers]\nb.command = 'x'\n",
        "[mcp_servers]\nb.command = 'x'\n\n" TABLE "\n");
    take(SPLICE_TOML, "a = 1\n" TABLE "\n[mcp_servers.hello.env]\nA = \"1\" # s\n# of b\n[b]\n",
         "a = 1\n# of b\n[b]\n");
}

static void test_what_does_not_parse_is_not_touched(void **state)
{
    (void)state;
    refused(SPLICE_JSON, "{\n  \"a\": 1,\n}", 3, 1, "");
    refused(SPLICE_JSON, "{\n  // c\n}", 2, 3, "");
    refused(SPLICE_JSON, "[]", 1, 1, "no JSON object");
    refused(SPLICE_JSON, "{\"mcpServers\": []}", 1, 16, "the servers are no object");
    refused(SPLICE_JSON, "{\"a\": 1, \"a\": 2}", 1, 10, "");
    refused(SPLICE_JSON_COMMENTS, "{\n /* a\n}", 2, 2, "this comment has no end");
    refused(SPLICE_JSON_COMMENTS, "{,}", 1, 2, "");
    refused(SPLICE_TOML, "a = 1\na = 2\n", 2, 1, "this key was given before");
    refused(SPLICE_TOML, "a = \n", 1, 5, "a value is expected here");
    refused(SPLICE_TOML, "a = 'x\n", 1, 5, "no end in its line");
    refused(SPLICE_TOML, "a = 1 b\n", 1, 7, "the end of the line");
    refused(SPLICE_TOML, "[a]\n[a]\n", 2, 1, "given before");
    refused(SPLICE_TOML, "a = {b = 1}\n[a.c]\n", 2, 1, "cannot be added to");
    refused(SPLICE_TOML, "a = 01\n", 1, 5, "this is no value");
    refused(SPLICE_TOML, "a = [1, 2\n", 1, 5, "this array has no end");
    refused(SPLICE_TOML, "a = \"\\q\"\n", 1, 7, "no such escape");
    refused(SPLICE_TOML, "mcp_servers = {}\n", 1, 1, "not edited here");
    refused(SPLICE_TOML, "[mcp_servers]\nhello = {command = 'x'}\n", 1, 1, "not edited here");
}

static void read_as(enum splice_form form, const char *text, const char *expected)
{
    struct arena arena;
    struct json root;
    struct splice_fault fault = { 0 };
    struct buf out = { 0 };
    mgi_arena_init(&arena, 0);
    enum splice_status st = mgi_splice_read(form, str_of(text), &arena, &root, &fault);
    if (st)
        print_error("%s: %u:%u: %s\n", text, fault.line, fault.column, fault.message);
    assert_int_equal(st, SPLICE_DONE);
    mgi_json_canonical(&out, &root);
    show(text, mgi_buf_view(&out), expected);
    mgi_buf_fini(&out);
    mgi_arena_fini(&arena);
}

static void test_toml_is_read(void **state)
{
    (void)state;
    read_as(SPLICE_TOML,
            "title = \"a\\tb\\u00e9\"\n'q k'.r = 'l\\n'\nn = [ 1, -2_0, # c\n 0xff, 1.5e3, ]\n"
            "t = 1979-05-27 07:32:00Z\nd = 07:32:00\nl = \"\"\"\nx\\\n   y\"\"\"\"\n"
            "inf = +inf\nb = true\n[[p]]\nn = 1\n[[p]]\n[p.s]\nz = {}\n[x.y]\n[x]\nw = 1\n",
            "{\"b\":true,\"d\":\"07:32:00\",\"inf\":null,\"l\":\"xy\\\"\",\"n\":[1,-20,255,1.5e3],"
            "\"p\":[{\"n\":1},{\"s\":{\"z\":{}}}],\"q k\":{\"r\":\"l\\\\n\"},"
            "\"t\":\"1979-05-27 07:32:00Z\",\"title\":\"a\\tb\xc3\xa9\",\"x\":{\"w\":1,\"y\":{}}}");
    read_as(SPLICE_JSON_COMMENTS, " // nothing\n", "{}");
    read_as(SPLICE_JSON_COMMENTS, "{\"a\": \"// no, /* no */\", \"b\": [1, /* , */ 2,],}",
            "{\"a\":\"// no, /* no */\",\"b\":[1,2]}");
}

/* ---- any text -------------------------------------------------------------------------------- */

static uint64_t next(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return *seed >> 33;
}

static void piece(struct buf *out, const char *const *pieces, size_t count, uint64_t *seed)
{
    mgi_buf_puts(out, pieces[next(seed) % count]);
}

static void gap(struct buf *out, uint64_t *seed)
{
    static const char *const gaps[] = { "", " ",      "\n",   "\n  ",       "\r\n\t",
                                        "", "  ",     "\n\n", "// c, \"\n", "/* , */",
                                        "", "/*\n*/", "\t ",  " // \r\n" };
    for (uint64_t n = next(seed) % 3; n > 0; n--)
        piece(out, gaps, sizeof gaps / sizeof *gaps, seed);
}

static void object(struct buf *out, const char *name, int depth, uint64_t *seed)
{
    uint64_t count = next(seed) % 3;
    mgi_buf_putc(out, '{');
    gap(out, seed);
    for (uint64_t i = 0; i < count; i++) {
        if (i == next(seed) % 2 && name)
            mgi_buf_printf(out, "\"%s\"", name);
        else
            mgi_buf_printf(out, "\"k%d\"", (int)i);
        gap(out, seed);
        mgi_buf_putc(out, ':');
        gap(out, seed);
        if (depth > 0)
            object(out, NULL, depth - 1, seed);
        else
            mgi_buf_puts(out, "[1, \"}\"]");
        gap(out, seed);
        if (i + 1 < count || next(seed) % 3 == 0)
            mgi_buf_putc(out, ',');
        gap(out, seed);
    }
    mgi_buf_putc(out, '}');
}

static void toml_text(struct buf *out, uint64_t *seed)
{
    static const char *const lines[] = { "a%d = 1",
                                         "[t%d]",
                                         "# c",
                                         "",
                                         "  b%d = '''",
                                         "[mcp_servers.s%d]",
                                         "[[l]]",
                                         "c%d.d = [1,",
                                         "x%d = \"[z]\"",
                                         " ",
                                         "\t# [mcp_servers.hello]" };
    uint64_t count = next(seed) % 6;
    const char *end = next(seed) % 3 ? "\n" : "\r\n";
    for (uint64_t i = 0; i < count; i++) {
        const char *line = lines[next(seed) % (sizeof lines / sizeof *lines)];
        char text[64];
        const char *number = strstr(line, "%d");
        if (number)
            snprintf(text, sizeof text, "%.*s%d%s", (int)(number - line), line, (int)i, number + 2);
        else
            snprintf(text, sizeof text, "%s", line);
        mgi_buf_puts(out, text);
        if (strstr(line, "'''"))
            mgi_buf_printf(out, "%s[x]%s'''", end, end);
        if (strstr(line, "[1,"))
            mgi_buf_printf(out, "%s2]", end);
        if (i + 1 < count || next(seed) % 3)
            mgi_buf_puts(out, end);
    }
}

static void test_what_is_put_in_and_taken_out_leaves_the_same_bytes(void **state)
{
    uint64_t seed = 20261124;
    unsigned done = 0;
    (void)state;
    for (int i = 0; i < 30000; i++) {
        struct arena arena;
        struct buf text = { 0 }, with = { 0 }, without = { 0 };
        struct splice_fault fault;
        bool made;
        uint64_t began = seed;
        enum splice_form form = i % 3 ? SPLICE_JSON_COMMENTS : SPLICE_TOML;
        mgi_arena_init(&arena, 0);
        struct json v = entry(&arena, ENTRY);
        if (next(&seed) % 8 == 0)
            mgi_buf_puts(&text, "\xef\xbb\xbf");
        if (form == SPLICE_TOML) {
            toml_text(&text, &seed);
        } else {
            gap(&text, &seed);
            object(&text, "mcpServers", 1, &seed);
            gap(&text, &seed);
        }
        enum splice_status st =
            mgi_splice_put(form, mgi_buf_view(&text), place_in(form), &v, &with, &made, &fault);
        if (st == SPLICE_DONE) {
            done++;
            st = mgi_splice_take(form, mgi_buf_view(&with), place_in(form), made, &without, &fault);
            if (st || !str_eq(mgi_buf_view(&without), mgi_buf_view(&text)))
                print_error("seed %llu\n--- before\n%s\n--- with\n%s\n--- after\n%s\n",
                            (unsigned long long)began, text.ptr, with.ptr,
                            without.ptr ? without.ptr : "");
            assert_int_equal(st, SPLICE_DONE);
            assert_true(str_eq(mgi_buf_view(&without), mgi_buf_view(&text)));
        }
        mgi_buf_fini(&text);
        mgi_buf_fini(&with);
        mgi_buf_fini(&without);
        mgi_arena_fini(&arena);
    }
    assert_true(done > 20000); /* most of what is made is good */
}

static void test_bounds(void **state)
{
    struct arena arena;
    struct json root;
    struct splice_fault fault;
    struct buf deep = { 0 };
    (void)state;
    mgi_arena_init(&arena, 0);
    mgi_buf_puts(&deep, "a = ");
    for (int i = 0; i < 100000; i++)
        mgi_buf_puts(&deep, i % 2 ? "[" : "{a=");
    assert_int_equal(mgi_splice_read(SPLICE_TOML, mgi_buf_view(&deep), &arena, &root, &fault),
                     SPLICE_REFUSED);
    assert_string_equal(fault.message, "this is nested too deep");
    mgi_buf_clear(&deep);
    for (int i = 0; i < 100000; i++)
        mgi_buf_puts(&deep, "a.");
    mgi_buf_puts(&deep, "a = 1");
    assert_int_equal(mgi_splice_read(SPLICE_TOML, mgi_buf_view(&deep), &arena, &root, &fault),
                     SPLICE_REFUSED);
    struct str large = { "", SPLICE_BYTES + 1 };
    assert_int_equal(mgi_splice_read(SPLICE_JSON, large, &arena, &root, &fault), SPLICE_REFUSED);
    assert_int_equal(fault.line, 0);
    mgi_buf_fini(&deep);
    mgi_arena_fini(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_json_from_nothing),
        cmocka_unit_test(test_json_beside_others),
        cmocka_unit_test(test_json_keeps_indentation_and_line_ends),
        cmocka_unit_test(test_json_keeps_comments),
        cmocka_unit_test(test_json_what_a_person_wrote_is_taken_out),
        cmocka_unit_test(test_an_entry_is_replaced_where_it_stands),
        cmocka_unit_test(test_toml),
        cmocka_unit_test(test_toml_is_read),
        cmocka_unit_test(test_what_does_not_parse_is_not_touched),
        cmocka_unit_test(test_what_is_put_in_and_taken_out_leaves_the_same_bytes),
        cmocka_unit_test(test_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
