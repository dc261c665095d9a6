/* Calls in one line: what they look like, and that a call made from the line alone is a good one. A
 * reader of lines, which knows nothing of the schema, makes two calls of each (what has to be
 * given; all that is named), and the schema judges them. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <ctype.h>
#include <stdlib.h>
#include <cmocka.h>

#include "manglecp.h"
#include "protocol/schema.h"
#include "render/call.h"
#include "support/growth.h"

static const struct example {
    const char *schema, *line;
} examples[] = {
    { "{\"type\":\"object\"}", "t()" },
    { "{\"type\":\"object\",\"required\":[\"path\"],\"properties\":{\"head\":{\"type\":\"integer\","
      "\"minimum\":1},\"path\":{\"type\":\"string\"}}}",
      "t(path, head?: int 1..)" },
    { "{\"properties\":{\"a\":{\"type\":\"integer\",\"exclusiveMinimum\":0,\"exclusiveMaximum\":10}"
      ",\"b\":{\"type\":\"number\","
      "\"maximum\":9007199254740991}},\"required\":[\"a\",\"b\"]}",
      "t(a: int 1..9, b: num)" },
    { "{\"type\":\"object\",\"required\":[\"a\",\"b\",\"c\",\"d\",\"e\"],\"properties\":{"
      "\"a\":{\"type\":\"boolean\"},\"b\":{\"type\":\"number\",\"maximum\":-2.5},"
      "\"c\":{\"enum\":[\"x y\",3]},\"d\":{\"const\":[1,{\"k\":null}]},"
      "\"e\":{\"type\":\"array\",\"items\":{\"type\":\"integer\",\"minimum\":7,\"maximum\":9}}}}",
      "t(a: bool, b: num ..-2.5, c: \"x y\"|3, d: [1,{\"k\":null}], e: [int 7..9])" },
    { "{\"type\":\"object\",\"required\":[\"entities\"],\"properties\":{\"entities\":{\"type\":"
      "\"array\","
      "\"minItems\":1,\"items\":{\"type\":\"object\",\"required\":[\"name\",\"seen\"],"
      "\"additionalProperties\":false,\"properties\":{\"name\":{\"type\":\"string\"},\"seen\":{"
      "\"type\":"
      "\"array\",\"items\":{\"type\":\"string\"}},\"note\":{\"type\":\"string\"}}}}}}",
      "t(entities: [{name: str, seen: [str], note?: str}])" },
    { "{\"type\":\"object\",\"required\":[\"data\"],\"properties\":{\"data\":{\"type\":\"object\","
      "\"required\":[\"nodes\",\"edges\"],\"properties\":{\"nodes\":{\"type\":\"array\",\"items\":"
      "{\"type\":\"object\",\"required\":[\"name\"],\"properties\":{\"name\":{\"type\":\"string\"}}"
      "}},"
      "\"edges\":{\"type\":\"array\",\"items\":{\"type\":\"object\",\"required\":[\"from\",\"to\"],"
      "\"properties\":{\"from\":{\"type\":\"string\"},\"to\":{\"type\":\"string\"}}}}}}}}",
      "t(data: {nodes: [{name: str}], edges: [{from: str, to: str}]})" },
    { "{\"type\":\"object\",\"required\":[\"at\"],\"properties\":{\"at\":{\"$ref\":\"#/$defs/"
      "place\"}},"
      "\"$defs\":{\"place\":{\"type\":\"object\",\"required\":[\"street\",\"town\"],\"properties\":"
      "{"
      "\"street\":{\"type\":\"string\"},\"town\":{\"type\":\"object\",\"required\":[\"code\"],"
      "\"properties\":{\"code\":{\"type\":\"string\",\"pattern\":\"^[0-9]{5}$\"}}}}}}}",
      "t(at: {street: str, town: {code: str /^[0-9]{5}$/}})" },
    { "{\"type\":\"object\",\"required\":[\"who\"],\"properties\":{\"who\":{\"anyOf\":[{\"type\":"
      "\"null\"},"
      "{\"type\":\"string\",\"format\":\"email\"},{\"type\":\"integer\"},"
      "{\"type\":\"integer\",\"title\":\"again\"}]},"
      "\"when\":{\"type\":[\"string\",\"null\"],\"format\":\"date\"}}}",
      "t(who: str email|int, when?: str date)" },
    { "{\"type\":\"object\",\"required\":[\"kind\"],\"properties\":{\"kind\":{\"allOf\":[{\"enum\":"
      "[\"a\","
      "\"b\"]}]},\"style\":{\"type\":\"object\",\"properties\":{\"x\":{\"type\":\"number\"}}},"
      "\"tags\":{\"type\":\"array\",\"items\":{\"enum\":[1,2,3,4,5,6]}},\"size\":{\"type\":"
      "\"integer\"},"
      "\"more\":{\"type\":\"string\"},\"last\":{\"type\":\"string\"}}}",
      "t(kind: \"a\"|\"b\", style?: object, tags?: [1|2|3|4|... (2 more)], size?: int, ...)" },
    { "{\"type\":\"object\",\"required\":[\"node\"],\"properties\":{\"node\":{\"$ref\":\"#/$defs/"
      "n\"}},"
      "\"$defs\":{\"n\":{\"type\":\"object\",\"required\":[\"id\"],\"properties\":{\"id\":{"
      "\"type\":"
      "\"integer\"},\"next\":{\"$ref\":\"#/$defs/n\"}}}}}",
      "t(node: {id: int, next?: {id: any, ...}})" }, /* no end, and yet it ends */
    { "{\"type\":\"object\",\"required\":[\"odd name\"],\"properties\":{\"odd "
      "name\":{\"type\":\"string\","
      "\"format\":\"uri\"}}}",
      "t(\"odd name\": str uri)" },
};
#define EXAMPLES (sizeof examples / sizeof *examples)

/* ---- a reader of lines ------------------------------------------------------------------------
 */

struct reader {
    const char *at;
    struct buf *out; /* the value that was read, as JSON */
    bool all;        /* what need not be given, too */
};

static bool takes(struct reader *r, const char *what)
{
    size_t len = strlen(what);
    if (strncmp(r->at, what, len) != 0)
        return false;
    r->at += len;
    return true;
}

static void read_type(struct reader *r);

/* "name" or name. */
static void read_name(struct reader *r, struct buf *name)
{
    if (*r->at == '"')
        while (mgi_buf_putc(name, *r->at++), *r->at != '"') {
        }
    else
        while (isalnum((unsigned char)*r->at) || *r->at == '_' || *r->at == '-')
            mgi_buf_putc(name, *r->at++);
    if (*r->at == '"')
        mgi_buf_putc(name, *r->at++);
}

/* name?: type, ... up to `end`; a JSON object. */
static void read_fields(struct reader *r, char end)
{
    const char *between = "";
    struct buf *out = r->out;
    mgi_buf_putc(out, '{');
    while (*r->at != end) {
        struct buf name = { 0 }, value = { 0 };
        if (!takes(r, "...")) {
            read_name(r, &name);
            assert_true(name.len > 0);
            bool given = !takes(r, "?") || r->all;
            r->out = &value;
            if (takes(r, ": "))
                read_type(r);
            else
                mgi_buf_puts(&value, "\"x\"");
            r->out = out;
            if (given)
                mgi_buf_printf(out, name.ptr[0] == '"' ? "%s%s:%s" : "%s\"%s\":%s", between,
                               name.ptr, value.ptr);
            between = given ? "," : between;
        }
        mgi_buf_fini(&name);
        mgi_buf_fini(&value);
        (void)takes(r, ", ");
    }
    r->at++;
    mgi_buf_putc(out, '}');
}

static void read_number(struct reader *r)
{
    const char *low = r->at, *high;
    if (*r->at != ' ' || !strstr(r->at, "..")) {
        mgi_buf_puts(r->out, "1");
        return;
    }
    low++;
    size_t len = strcspn(low, ".,)]}|"); /* whole numbers alone have a lower end here */
    high = low + len + 2;
    r->at = high + strcspn(high, ",)]}|");
    if (len > 0)
        mgi_buf_append(r->out, low, len);
    else
        mgi_buf_append(r->out, high, (size_t)(r->at - high));
}

static void read_text(struct reader *r)
{
    static const char *const formats[][2] = { { " email", "a@example.org" },
                                              { " date", "2026-11-24" },
                                              { " uri", "https://example.org/" },
                                              { " /^[0-9]{5}$/", "12345" } };
    const char *text = "x";
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (takes(r, formats[i][0]))
            text = formats[i][1];
    mgi_buf_printf(r->out, "\"%s\"", text);
}

/* A JSON value as it stands. */
static void read_constant(struct reader *r)
{
    int depth = 0;
    bool text = false;
    for (; *r->at && (text || depth > 0 || !strchr(",)]}|", *r->at)); r->at++) {
        text ^= *r->at == '"';
        depth += text ? 0 : (*r->at == '[' || *r->at == '{') - (*r->at == ']' || *r->at == '}');
        mgi_buf_putc(r->out, *r->at);
    }
}

static void read_variant(struct reader *r)
{
    if (*r->at == '[' && !isdigit((unsigned char)r->at[1])) {
        r->at++;
        mgi_buf_putc(r->out, '[');
        read_type(r);
        assert_true(takes(r, "]"));
        mgi_buf_putc(r->out, ']');
    } else if (takes(r, "{"))
        read_fields(r, '}');
    else if (takes(r, "[1|")) { /* choices in a list */
        mgi_buf_puts(r->out, "[1]");
        r->at = strchr(r->at, ']') + 1;
    } else if (takes(r, "str"))
        read_text(r);
    else if (takes(r, "int") || takes(r, "num"))
        read_number(r);
    else if (takes(r, "bool"))
        mgi_buf_puts(r->out, "true");
    else if (takes(r, "object"))
        mgi_buf_puts(r->out, "{}");
    else if (takes(r, "any"))
        mgi_buf_puts(r->out, "1");
    else
        read_constant(r);
}

/* The first of the variants. */
static void read_type(struct reader *r)
{
    struct buf *out = r->out, others = { 0 };
    read_variant(r);
    r->out = &others;
    while (takes(r, "|"))
        if (takes(r, "... ("))
            r->at = strchr(r->at, ')') + 1;
        else
            read_variant(r);
    r->out = out;
    mgi_buf_fini(&others);
}

/* ---- the tests ----------------------------------------------------------------------------------
 */

static void judge(struct arena *arena, const struct schema *schema, const char *line, bool all)
{
    struct buf call = { 0 };
    struct reader r = { .at = line, .out = &call, .all = all };
    struct json v;
    struct schema_issues issues;
    assert_true(takes(&r, "t("));
    read_fields(&r, ')');
    assert_string_equal(r.at, "");
    if (mgi_json_parse(arena, mgi_buf_view(&call), NULL, &v, NULL) != JSON_OK)
        fail_msg("%s makes %s", line, call.ptr);
    mgi_schema_issues_init(&issues, arena, 0);
    if (!mgi_schema_validate(schema, &v, &issues))
        fail_msg("%s makes %s: %s %s", line, call.ptr, issues.items[0].path,
                 issues.items[0].message);
    mgi_buf_fini(&call);
}

static void test_a_call_from_the_line_alone_is_good(void **state)
{
    (void)state;
    for (size_t i = 0; i < EXAMPLES; i++) {
        struct arena arena;
        struct json json;
        struct schema_issues issues;
        struct buf line = { 0 };
        mgi_arena_init(&arena, 0);
        assert_int_equal(mgi_json_parse(&arena, str_of(examples[i].schema), NULL, &json, NULL),
                         JSON_OK);
        mgi_schema_issues_init(&issues, &arena, 0);
        struct schema *schema = mgi_schema_compile(&json, 0, &issues);
        assert_non_null(schema);
        mgi_call_put(&line, STR_LIT("t"), &json);
        assert_string_equal(line.ptr, examples[i].line);
        judge(&arena, schema, line.ptr, false);
        /* `any` and what is cut are more than a line can say of what need not be given */
        if (!strstr(line.ptr, "any") && !strstr(line.ptr, "... ("))
            judge(&arena, schema, line.ptr, true);
        mgi_buf_fini(&line);
        mgi_schema_free(schema);
        mgi_arena_fini(&arena);
    }
}

static void test_a_line_costs_what_it_is_said_to(void **state)
{
    (void)state;
    struct buf line = { 0 };
    struct str call = STR_LIT("read(path, head?: int 1..)");
    mgi_call_line(&line, call, STR_LIT("Reads a file. And more of it that nobody wants to know."));
    assert_string_equal(line.ptr, "  read(path, head?: int 1..)  Reads a file\n");
    assert_int_equal(mgi_call_tokens(call, STR_LIT("Reads a file. And more.")),
                     manglecp_tokens(line.ptr, line.len));
    mgi_buf_clear(&line);
    mgi_call_line(&line, STR_LIT("a(\n\xe2\x80\xae)"),
                  STR_LIT("")); /* stays one line, and is seen */
    assert_string_equal(line.ptr, "  a( \\u{202e})\n");
    mgi_buf_fini(&line);
}

static void test_schemas_that_are_none_end(void **state)
{
    (void)state;
    static const char *const odd[] = {
        "{}",
        "true",
        "[]",
        "{\"properties\":[]}",
        "{\"properties\":{\"a\":true,\"b\":7}}",
        "{\"required\":{},\"properties\":{\"a\":{\"anyOf\":[]}}}",
        "{\"required\":[\"a\"],\"properties\":{\"a\":{\"$ref\":\"#/properties/a\"}}}",
        "{\"required\":[\"a\"],\"properties\":{\"a\":{\"$ref\":\"#\"}}}",
        "{\"required\":[\"a\"],\"properties\":{\"a\":{\"$ref\":\"https://example.org/\"}}}",
        "{\"required\":[\"a\"],\"properties\":{\"a\":{\"anyOf\":[{\"anyOf\":[{\"anyOf\":[{"
        "\"anyOf\":[{"
        "\"anyOf\":[{\"anyOf\":[{\"anyOf\":[{\"type\":\"string\"}]}]}]}]}]}]}]}}}"
    };
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        struct arena arena;
        struct json json;
        struct buf line = { 0 };
        mgi_arena_init(&arena, 0);
        assert_int_equal(mgi_json_parse(&arena, str_of(odd[i]), NULL, &json, NULL), JSON_OK);
        mgi_call_put(&line, STR_LIT("t"), &json);
        assert_true(line.len >= 3 && line.len < 400);
        assert_int_equal(line.ptr[line.len - 1], ')');
        mgi_buf_fini(&line);
        mgi_arena_fini(&arena);
    }
}

/* Each of its arguments is the whole again: opened as deep as types are, it would have millions. */
static void test_a_schema_that_grows_ends(void **state)
{
    (void)state;
    struct buf text = { 0 }, line = { 0 };
    struct arena arena;
    struct json json;
    mgi_arena_init(&arena, 0);
    mgi_buf_puts(&text, "{\"type\":\"object\",\"required\":[");
    for (int i = 0; i < 30; i++)
        mgi_buf_printf(&text, "%s\"a%d\"", i ? "," : "", i);
    mgi_buf_puts(&text, "],\"properties\":{");
    for (int i = 0; i < 30; i++)
        mgi_buf_printf(&text, "%s\"a%d\":{\"$ref\":\"#\"}", i ? "," : "", i);
    mgi_buf_puts(&text, "}}");
    assert_int_equal(mgi_json_parse(&arena, mgi_buf_view(&text), NULL, &json, NULL), JSON_OK);
    mgi_call_put(&line, STR_LIT("t"), &json);
    assert_true(line.len < 4500);
    mgi_buf_fini(&text);
    mgi_buf_fini(&line);
    mgi_arena_fini(&arena);
}

static void call_of_many(size_t size)
{
    struct buf text = { 0 }, out = { 0 };
    struct arena arena;
    struct json schema;
    mgi_buf_puts(&text, "{\"properties\":{");
    for (size_t i = 0; i < size; i++)
        mgi_buf_printf(&text, "%s\"p%06zu\":{}", i ? "," : "", i);
    mgi_buf_puts(&text, "},\"required\":[");
    for (size_t i = 0; i < size; i++)
        mgi_buf_printf(&text, "%s\"q%06zu\"", i ? "," : "", i);
    mgi_buf_puts(&text, "]}");
    mgi_arena_init(&arena, 0);
    assert_int_equal(mgi_json_parse(&arena, mgi_buf_view(&text), NULL, &schema, NULL), JSON_OK);
    mgi_call_put(&out, STR_LIT("t"), &schema);
    assert_string_equal(out.ptr, "t(p000000?: any, p000001?: any, p000002?: any, ...)");
    mgi_arena_fini(&arena);
    mgi_buf_fini(&text);
    mgi_buf_fini(&out);
}

static void test_thousands_of_properties_take_no_time(void **state)
{
    (void)state;
    assert_near_linear(call_of_many, 1500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_thousands_of_properties_take_no_time),
        cmocka_unit_test(test_a_call_from_the_line_alone_is_good),
        cmocka_unit_test(test_a_line_costs_what_it_is_said_to),
        cmocka_unit_test(test_schemas_that_are_none_end),
        cmocka_unit_test(test_a_schema_that_grows_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
