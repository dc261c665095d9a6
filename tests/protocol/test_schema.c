/* JSON Schema: what is refused at load, what is reported, and that nothing runs away. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <time.h>

#include "protocol/schema_int.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZER_FACTOR 20 /* what it makes slower depends on the machine */
#else
#define SANITIZER_FACTOR 1
#endif

static struct arena arena;

static int set_up(void **state)
{
    (void)state;
    mgi_arena_init(&arena, 0);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    mgi_arena_fini(&arena);
    return 0;
}

static const struct json *parse(struct str text)
{
    struct json *v = mgi_arena_alloc(&arena, sizeof *v);
    assert_int_equal(mgi_json_parse(&arena, text, NULL, v, NULL), JSON_OK);
    return v;
}

static struct schema *compile(const char *text, struct schema_issues *issues)
{
    mgi_schema_issues_init(issues, &arena, 0);
    return mgi_schema_compile(parse(str_of(text)), 0, issues);
}

static void test_what_cannot_be_enforced_is_refused_at_load(void **state)
{
    (void)state;
    static const struct {
        const char *schema, *path, *keyword;
    } rows[] = {
        /* D-43, 2.12 */
        { "7", "", "type" },
        { "{\"typ\":\"string\"}", "", "typ" },
        { "{\"unevaluatedProperties\":7}", "/unevaluatedProperties", "type" },
        { "{\"$id\":7}", "", "$id" },
        { "{\"properties\":{\"a\":{\"$id\":\"x#y\"}}}", "/properties/a", "$id" },
        { "{\"$defs\":{\"a\":{\"$id\":\"x\"},\"b\":{\"$id\":\"x\"}}}", "/$defs/b", "$id" },
        { "{\"$anchor\":\"a b\"}", "", "$anchor" },
        { "{\"$defs\":{\"a\":{\"$anchor\":\"x\"},\"b\":{\"$dynamicAnchor\":\"x\"}}}", "/$defs/b",
          "$dynamicAnchor" },
        { "{\"$defs\":{\"a\":{\"$dynamicAnchor\":\"7\"}}}", "/$defs/a", "$dynamicAnchor" },
        { "{\"items\":{\"$dynamicRef\":\"#no\"}}", "/items", "$dynamicRef" },
        { "{\"items\":{\"$ref\":7}}", "/items", "$ref" },
        { "{\"unevaluatedItems\":true,\"$dynamicRef\":7}", "", "$dynamicRef" },
        { "{\"$dynamicAnchor\":\"x\",\"$dynamicRef\":\"#x\"}", "", "$ref" }, /* a circle */
        { "{\"contentSchema\":{\"type\":7}}", "/contentSchema", "type" },
        { "{\"properties\":{\"a\":{\"colour\":1}}}", "/properties/a", "colour" },
        { "{\"type\":\"text\"}", "", "type" },
        { "{\"type\":[\"string\",7]}", "", "type" },
        { "{\"minLength\":-1}", "", "minLength" },
        { "{\"minLength\":1.5}", "", "minLength" },
        { "{\"multipleOf\":0}", "", "multipleOf" },
        { "{\"required\":[1]}", "", "required" },
        { "{\"pattern\":\"(\"}", "", "pattern" },
        { "{\"pattern\":\"(?i)a\"}", "", "pattern" },
        { "{\"pattern\":\"(*LIMIT_MATCH=9)a\"}", "", "pattern" },
        { "{\"pattern\":\"a++\"}", "", "pattern" },
        { "{\"pattern\":\"\\\\Aa\"}", "", "pattern" },
        { "{\"patternProperties\":{\"[\":true}}", "/patternProperties", "patternProperties" },
        { "{\"items\":[true]}", "", "items" },
        { "{\"allOf\":[]}", "", "allOf" },
        { "{\"$ref\":\"http://example.org/x\"}", "", "$ref" },
        { "{\"properties\":{\"a\":{\"$ref\":\"#/$defs/no\"}}}", "/properties/a", "$ref" },
        { "{\"$ref\":\"#\"}", "", "$ref" }, /* a circle */
        { "{\"$defs\":{\"a\":{\"allOf\":[{\"$ref\":\"#/$defs/b\"}]},\"b\":{\"not\":{\"$ref\":"
          "\"#/$defs/a\"}}}}",
          "", "$ref" },
        { "{\"$schema\":\"http://json-schema.org/draft-07/schema#\"}", "", "$schema" },
        { "{\"$defs\":{\"a/b\":{\"type\":1}}}", "/$defs/a~1b", "type" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct schema_issues issues;
        struct schema *s = compile(rows[i].schema, &issues);
        if (s || issues.count == 0 || strcmp(issues.items[0].path, rows[i].path) != 0 ||
            strcmp(issues.items[0].keyword, rows[i].keyword) != 0)
            fail_msg("%s: %s, at \"%s\" keyword %s", rows[i].schema, s ? "compiled" : "refused",
                     issues.count ? issues.items[0].path : "",
                     issues.count ? issues.items[0].keyword : "");
    }
}

static void test_all_faults_of_a_schema_are_reported(void **state)
{
    (void)state;
    struct schema_issues issues;
    assert_null(compile("{\"typ\":1,\"minimum\":\"x\",\"properties\":{\"a\":{\"pattern\":\"[\"}}}",
                        &issues));
    assert_int_equal(issues.count, 3);
}

static void test_all_faults_of_an_instance_are_reported_with_their_place(void **state)
{
    (void)state;
    struct schema_issues issues;
    struct schema *s =
        compile("{\"type\":\"object\",\"additionalProperties\":false,\"required\":[\"zone\",\"b\"],"
                "\"properties\":{\"zone\":{\"type\":\"string\"},\"pct\":{\"type\":\"integer\","
                "\"minimum\":5,\"maximum\":80},\"list\":{\"type\":\"array\",\"items\":{\"enum\":"
                "[\"a\",\"b\"]}},\"b\":{\"anyOf\":[{\"type\":\"null\"},{\"const\":3}]}}}",
                &issues);
    assert_non_null(s);
    bool valid = mgi_schema_validate(
        s, parse(STR_LIT("{\"pct\":90,\"list\":[\"a\",\"c\"],\"ex/tra\":1,\"b\":4}")), &issues);
    assert_false(valid);
    static const struct {
        const char *path, *keyword, *message;
    } expected[] = {
        /* P-ERR-8 */
        { "/pct", "maximum", "must be at most 80" },
        { "/list/1", "enum", "must be one of [\"a\",\"b\"]" },
        { "/ex~1tra", "additionalProperties", "is not a member that is allowed here" },
        { "/b", "anyOf", "fits none of the 2 alternatives" },
        { "", "required", "the member \"zone\" is missing" },
    };
    assert_int_equal(issues.count, sizeof expected / sizeof *expected);
    for (size_t i = 0; i < issues.count; i++) {
        bool found = false;
        for (size_t k = 0; k < issues.count; k++)
            found |= strcmp(issues.items[k].path, expected[i].path) == 0 &&
                     strcmp(issues.items[k].keyword, expected[i].keyword) == 0 &&
                     strcmp(issues.items[k].message, expected[i].message) == 0;
        if (!found)
            fail_msg("not reported: %s %s %s", expected[i].path, expected[i].keyword,
                     expected[i].message);
    }
    mgi_schema_free(s);
}

static void test_the_number_of_reported_faults_is_capped(void **state)
{
    (void)state;
    struct schema_issues issues;
    struct schema *s = compile("{\"items\":{\"type\":\"string\"}}", &issues);
    mgi_schema_issues_init(&issues, &arena, 2);
    assert_false(mgi_schema_validate(s, parse(STR_LIT("[1,2,3,4]")), &issues));
    assert_int_equal(issues.count, 2);
    mgi_schema_free(s);
}

/* A list of faults that is full, of other schemas perhaps, hides nothing. */
static void test_a_fault_that_is_not_noted_is_one(void **state)
{
    (void)state;
    static const char *const faulty[] = {
        "{\"type\":\"text\"}",
        "{\"$ref\":\"#/none\"}",
        "{\"unevaluatedItems\":true,\"$dynamicRef\":7}",
    };
    struct schema_issues issues;
    mgi_schema_issues_init(&issues, &arena, 1);
    for (size_t i = 0; i < sizeof faulty / sizeof *faulty; i++) {
        assert_null(mgi_schema_compile(parse(str_of(faulty[i])), 0, &issues));
        assert_int_equal(issues.count, 1);
    }
}

static void test_in_arguments_a_whole_float_is_an_integer(void **state)
{
    (void)state;
    struct schema_issues issues;
    struct schema *s = compile("{\"type\":\"integer\"}", &issues);
    assert_true(mgi_schema_validate(s, parse(STR_LIT("5.0")), NULL)); /* D-7 */
    assert_false(mgi_schema_validate(s, parse(STR_LIT("5.5")), NULL));
    mgi_schema_free(s);
}

static void test_patterns_are_translated(void **state)
{
    (void)state;
    static const struct {
        const char *pattern, *text;
        bool matches;
    } rows[] = {
        { "^a.c$", "abc", true },
        { "^a.c$",
          "a\xe2\x80\xa8"
          "c",
          false }, /* a line separator */
        { "^abc$", "abc\n", false },
        { "^\\d$", "\xe0\xa7\xaa", false }, /* BENGALI DIGIT FOUR */
        { "^\\p{Nd}$", "\xe0\xa7\xaa", true },
        { "^\\p{Letter}$", "\xc3\xa9", true },
        { "^\\w$", "\xc3\xa9", false },
        { "^\\s$", "\xef\xbb\xbf", true },
        { "^\\S$", "\xc2\xa0", false },
        { "^[\\s]$", "\xc2\xa0", true },
        { "^[a\\S]$", "b", true },
        { "^[ \\S]$", "\t", false },
        { "^[ \\S]$", " ", true },
        { "^[^\\S ]$", "\t", true },
        { "^[^\\S ]$", " ", false },
        { "^[^\\S ]$", "b", false },
        { "[]", "a", false },
        { "^[^]$", "\n", true },
        { "^[[:alpha:]]$", ":]", true },
        { "^\\u00e9\\x41\\u{1F600}\\ud83d\\ude00$",
          "\xc3\xa9"
          "A\xf0\x9f\x98\x80\xf0\x9f\x98\x80",
          true },
        { "^\\cA\\0\\v$", "\x01", false },
        { "^\\v$", "\x0b", true },
        { "^\\v$", "\n", false },
        { "^(a)?\\1b$", "b", true }, /* a group that took no part matches nothing */
        { "^a{,2}$", "a{,2}", true },
        { "^a{2}$", "aa", true },
        { "(?<year>\\d{4})-\\k<year>", "2024-2024", true },
        { "(?<=a)b", "ab", true },
        { "^(?:a|b)+?$", "abab", true },
        { "\\/\\-", "/-", true },
        { "^.$", "\xf0\x9f\x98\x80", true },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *why = NULL;
        struct schema_pattern *p =
            mgi_schema_pattern(&arena, str_of(rows[i].pattern), &arena, &why);
        if (!p)
            fail_msg("%s: %s", rows[i].pattern, why);
        if ((mgi_schema_match(p, str_of(rows[i].text)) == MATCH_YES) != rows[i].matches)
            fail_msg("%s on \"%s\": expected %d", rows[i].pattern, rows[i].text, rows[i].matches);
    }
}

static void test_a_pattern_that_explodes_is_stopped_and_does_not_pass(void **state)
{
    (void)state;
    struct schema_issues issues;
    struct schema *s = compile("{\"not\":{\"pattern\":\"^(([a-z])+.)+[A-Z]([a-z])+$\"}}", &issues);
    assert_non_null(s);
    clock_t start = clock();
    bool valid = mgi_schema_validate(
        s, parse(STR_LIT("\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\"")), &issues);
    assert_false(valid);
    assert_true(issues.count > 0);
    assert_true(clock() - start < 5 * CLOCKS_PER_SEC);
    mgi_schema_free(s);
}

/* As many names as it likes: a pattern for names gets no more tries than one for values. */
static void test_names_that_explode_are_stopped(void **state)
{
    static const char *const schemas[] = {
        "{\"patternProperties\":{\"^(a+)+$\":{}}}",
        "{\"propertyNames\":{\"pattern\":\"^(a+)+$\"}}",
        "{\"allOf\":[{\"patternProperties\":{\"^(a+)+$\":{}}}],\"unevaluatedProperties\":false}",
    };
    struct buf text = { 0 };
    (void)state;
    mgi_buf_putc(&text, '{');
    for (int i = 0; i < 2000; i++)
        mgi_buf_printf(&text, "%s\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa%d\":1",
                       i ? "," : "", i);
    mgi_buf_putc(&text, '}');
    for (size_t i = 0; i < sizeof schemas / sizeof *schemas; i++) {
        struct schema_issues issues;
        struct schema *s = compile(schemas[i], &issues);
        assert_non_null(s);
        clock_t start = clock();
        assert_false(mgi_schema_validate(s, parse(mgi_buf_view(&text)), &issues));
        assert_true(clock() - start < 5 * CLOCKS_PER_SEC);
        mgi_schema_free(s);
    }
    mgi_buf_fini(&text);
}

static void test_alternatives_that_multiply_are_stopped(void **state)
{
    (void)state;
    struct buf text = { 0 };
    mgi_buf_puts(&text, "{\"$ref\":\"#/$defs/a0\",\"$defs\":{");
    for (int i = 0; i < 40; i++)
        mgi_buf_printf(
            &text, "\"a%d\":{\"allOf\":[{\"$ref\":\"#/$defs/a%d\"},{\"$ref\":\"#/$defs/a%d\"}]},",
            i, i + 1, i + 1);
    mgi_buf_puts(&text, "\"a40\":true}}");
    struct schema_issues issues;
    mgi_schema_issues_init(&issues, &arena, 0);
    struct schema *s = mgi_schema_compile(parse(mgi_buf_view(&text)), 0, &issues);
    assert_non_null(s);
    assert_false(mgi_schema_validate(s, parse(STR_LIT("1")), &issues));
    mgi_schema_free(s);
    mgi_buf_fini(&text);
}

static void test_uniqueness_of_many_items_is_quick_and_exact(void **state)
{
    (void)state;
    struct schema_issues issues;
    struct schema *s = compile("{\"uniqueItems\":true}", &issues);
    struct buf text = { 0 };
    mgi_buf_putc(&text, '[');
    for (int i = 0; i < 200000; i++)
        mgi_buf_printf(&text, "%d,", i);
    mgi_buf_puts(&text, "-1]");
    clock_t start = clock();
    assert_true(mgi_schema_validate(s, parse(mgi_buf_view(&text)), NULL));
    assert_true(clock() - start < 5 * CLOCKS_PER_SEC);
    text.len -= 3;
    mgi_buf_puts(&text, "77.0]"); /* equals 77 */
    assert_false(mgi_schema_validate(s, parse(mgi_buf_view(&text)), NULL));
    assert_false(mgi_schema_validate(
        s, parse(STR_LIT("[{\"a\":1,\"b\":[2]},{\"b\":[2.0],\"a\":1}]")), NULL));
    assert_true(mgi_schema_validate(s,
                                    parse(STR_LIT("[[1,2],[2,1],{\"a\":\"b\"},{\"b\":\"a\"},"
                                                  "1,\"1\",true,\"true\",null,0,false]")),
                                    NULL));
    mgi_schema_free(s);
    mgi_buf_fini(&text);
}

static void test_a_deep_instance_meets_a_recursive_schema(void **state)
{
    (void)state;
    struct schema_issues issues;
    struct schema *s =
        compile("{\"properties\":{\"a\":{\"$ref\":\"#\"}},\"required\":[\"leaf\"]}", &issues);
    assert_non_null(s);
    struct buf text = { 0 };
    for (int i = 0; i < 60; i++)
        mgi_buf_puts(&text, "{\"leaf\":1,\"a\":");
    mgi_buf_puts(&text, "{}");
    for (int i = 0; i < 60; i++)
        mgi_buf_putc(&text, '}');
    assert_false(mgi_schema_validate(s, parse(mgi_buf_view(&text)), &issues));
    assert_int_equal(issues.count, 1);
    assert_int_equal(strlen(issues.items[0].path), 120);
    mgi_schema_free(s);
    mgi_buf_fini(&text);
}

static void test_a_schema_keeps_nothing_of_its_document(void **state)
{
    (void)state;
    struct arena own;
    mgi_arena_init(&own, 0);
    char text[] = "{\"enum\":[\"left\",\"r\\u0069ght\"],\"pattern\":\"t$\"}";
    struct json v;
    struct schema_issues issues;
    mgi_schema_issues_init(&issues, &arena, 0);
    assert_int_equal(mgi_json_parse(&own, str_of(text), NULL, &v, NULL), JSON_OK);
    struct schema *s = mgi_schema_compile(&v, 0, &issues);
    mgi_arena_fini(&own);
    memset(text, 'x', sizeof text - 1);
    assert_true(mgi_schema_validate(s, parse(STR_LIT("\"right\"")), &issues));
    assert_false(mgi_schema_validate(s, parse(STR_LIT("\"up\"")), &issues));
    mgi_schema_free(s);
}

static void test_missing_members_get_their_defaults(void **state)
{
    (void)state;
    const struct json *schema =
        parse(STR_LIT("{\"properties\":{\"a\":{\"default\":40},\"b\":{\"default\":1},\"c\":{},"
                      "\"d\":{\"properties\":{\"x\":{\"default\":[]}}}}}"));
    struct json out;
    struct buf text = { 0 };
    assert_true(mgi_schema_defaults(&arena, schema, parse(STR_LIT("{\"d\":{},\"b\":7}")), &out));
    mgi_json_canonical(&text, &out); /* D-43 */
    assert_string_equal(text.ptr, "{\"a\":40,\"b\":7,\"d\":{\"x\":[]}}");
    mgi_buf_fini(&text);
}

/* ---- URIs, other schemas -------------------------------------------------------------------- */

static void test_uris_are_resolved_as_rfc_3986_says(void **state)
{
    (void)state;
    static const struct {
        const char *ref, *expected;
    } rows[] = {
        /* RFC 3986, 5.4, but for fragments */
        { "g:h", "g:h" },
        { "g", "http://a/b/c/g" },
        { "./g", "http://a/b/c/g" },
        { "g/", "http://a/b/c/g/" },
        { "/g", "http://a/g" },
        { "//g", "http://g" },
        { "?y", "http://a/b/c/d;p?y" },
        { "g?y", "http://a/b/c/g?y" },
        { ";x", "http://a/b/c/;x" },
        { "g;x?y", "http://a/b/c/g;x?y" },
        { "", "http://a/b/c/d;p?q" },
        { ".", "http://a/b/c/" },
        { "./", "http://a/b/c/" },
        { "..", "http://a/b/" },
        { "../", "http://a/b/" },
        { "../g", "http://a/b/g" },
        { "../..", "http://a/" },
        { "../../", "http://a/" },
        { "../../g", "http://a/g" },
        { "../../../g", "http://a/g" },
        { "../../../../g", "http://a/g" },
        { "/./g", "http://a/g" },
        { "/../g", "http://a/g" },
        { "g.", "http://a/b/c/g." },
        { ".g", "http://a/b/c/.g" },
        { "g..", "http://a/b/c/g.." },
        { "..g", "http://a/b/c/..g" },
        { "./../g", "http://a/b/g" },
        { "./g/.", "http://a/b/c/g/" },
        { "g/./h", "http://a/b/c/g/h" },
        { "g/../h", "http://a/b/c/h" },
        { "g;x=1/./y", "http://a/b/c/g;x=1/y" },
        { "g;x=1/../y", "http://a/b/c/y" },
        { "g?y/./x", "http://a/b/c/g?y/./x" },
        { "g?y/../x", "http://a/b/c/g?y/../x" },
        { "urn:example:1", "urn:example:1" },
    };
    static const struct {
        const char *base, *ref, *expected;
    } others[] = {
        { "", "g/h", "g/h" },
        { "", "../g", "g" },
        { "http://a", "g", "http://a/g" },
        { "http://a?q", "", "http://a?q" },
        { "urn:example:1", "", "urn:example:1" },
        { "file:///x/y", "z", "file:///x/z" },
        { "one", "two", "two" },
    };
    struct buf out = { 0 };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        mgi_buf_clear(&out);
        mgi_schema_resolve_uri(STR_LIT("http://a/b/c/d;p?q"), str_of(rows[i].ref), &out);
        assert_string_equal(mgi_buf_view(&out).ptr, rows[i].expected);
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        mgi_buf_clear(&out);
        mgi_schema_resolve_uri(str_of(others[i].base), str_of(others[i].ref), &out);
        assert_string_equal(mgi_buf_view(&out).ptr, others[i].expected);
    }
    mgi_buf_fini(&out);
}

static struct schema *compile_with(const char *text, const char *others_text,
                                   struct schema_issues *issues)
{
    const struct json *others = parse(str_of(others_text));
    struct schema_other items[8];
    struct schema_others table = { items, others->count };
    assert_true(others->count <= 8);
    for (uint32_t i = 0; i < others->count; i++)
        items[i] = (struct schema_other){ others->members[i].name, &others->members[i].value };
    mgi_schema_issues_init(issues, &arena, 0);
    return mgi_schema_compile_with(parse(str_of(text)), &table, 0, issues);
}

static void test_a_schema_that_is_not_in_the_table_is_named(void **state)
{
    (void)state;
    static const struct {
        const char *schema, *path, *keyword, *message;
    } rows[] = {
        { "{\"properties\":{\"a\":{\"$ref\":\"http://h/none#/x\"}}}", "/properties/a", "$ref",
          "the schema \"http://h/none\" is not known here, and nothing is fetched" },
        { "{\"$id\":\"http://h/a/b\",\"items\":{\"$ref\":\"../none\"}}", "/items", "$ref",
          "the schema \"http://h/none\" is not known here, and nothing is fetched" },
        { "{\"$ref\":\"http://h/outer\"}", "http://h/outer#/items", "$ref",
          "the schema \"http://h/gone\" is not known here, and nothing is fetched" },
        { "{\"$ref\":\"http://h/wrong#/$defs/a\"}", "http://h/wrong#/$defs/a", "type",
          "type is null, boolean, integer, number, string, array or object, or a list" },
        { "{\"$ref\":\"http://h/good#/$defs/no\"}", "", "$ref",
          "there is nothing at \"http://h/good#/$defs/no\"" },
        { "{\"$ref\":\"http://h/good#no\"}", "", "$ref",
          "there is nothing at \"http://h/good#no\"" },
        { "{\"$schema\":\"http://h/meta\"}", "", "$schema",
          "needs the vocabulary \"http://h/ours\", which is not known" },
        { "{\"$schema\":\"http://h/plain\",\"minimum\":1}", "", "minimum",
          "is not a keyword that is enforced here" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct schema_issues issues;
        struct schema *s =
            compile_with(rows[i].schema,
                         "{\"http://h/outer\":{\"items\":{\"$ref\":\"gone\"}},"
                         "\"http://h/wrong\":{\"$defs\":{\"a\":{\"type\":\"text\"}}},"
                         "\"http://h/good\":{\"$defs\":{\"a\":{\"type\":\"string\"}}},"
                         "\"http://h/meta\":{\"$vocabulary\":{\"http://h/ours\":true}},"
                         "\"http://h/plain\":{\"$vocabulary\":{\"http://h/ours\":false,"
                         "\"https://json-schema.org/draft/2020-12/vocab/core\":true}}}",
                         &issues);
        assert_null(s);
        assert_int_equal(issues.count, 1);
        assert_string_equal(issues.items[0].path, rows[i].path);
        assert_string_equal(issues.items[0].keyword, rows[i].keyword);
        assert_string_equal(issues.items[0].message, rows[i].message);
    }
}

static void test_a_reference_finds_what_a_later_one_brings(void **state)
{
    (void)state;
    struct schema_issues issues;
    struct schema *s = compile_with(
        "{\"allOf\":[{\"$ref\":\"http://h/inner\"},{\"$ref\":\"http://h/outer\"}]}",
        "{\"http://h/outer\":{\"$defs\":{\"a\":{\"$id\":\"inner\",\"minimum\":5}}}}", &issues);
    assert_non_null(s);
    assert_true(mgi_schema_validate(s, parse(STR_LIT("5")), NULL));
    assert_false(mgi_schema_validate(s, parse(STR_LIT("4")), NULL));
    mgi_schema_free(s);
}

static void test_nothing_is_kept_of_the_table(void **state)
{
    (void)state;
    struct arena own;
    mgi_arena_init(&own, 0);
    char text[] =
        "{\"$id\":\"http://h/x\",\"$dynamicAnchor\":\"n\",\"items\":{\"$dynamicRef\":\"#n\"},"
        "\"enum\":[[\"a\"],\"a\"]}";
    struct json v;
    struct schema_issues issues;
    mgi_schema_issues_init(&issues, &arena, 0);
    assert_int_equal(mgi_json_parse(&own, str_of(text), NULL, &v, NULL), JSON_OK);
    struct schema_other other = { STR_LIT("http://h/x"), &v };
    struct schema_others table = { &other, 1 };
    struct schema *s = mgi_schema_compile_with(
        parse(STR_LIT("{\"$dynamicAnchor\":\"n\",\"$ref\":\"http://h/x\"}")), &table, 0, &issues);
    mgi_arena_fini(&own);
    memset(text, 'x', sizeof text - 1);
    assert_non_null(s);
    assert_true(mgi_schema_validate(s, parse(STR_LIT("[\"a\"]")), NULL));
    assert_false(mgi_schema_validate(s, parse(STR_LIT("[\"b\"]")), NULL));
    mgi_schema_free(s);
}

static void put_times(struct buf *out, const char *text, int times)
{
    for (int i = 0; i < times; i++)
        mgi_buf_printf(out, text, i);
}

/* What each of many places would copy has a bound: a base URI, and the path for messages. */
static void test_long_names_do_not_multiply(void **state)
{
    (void)state;
    struct schema_issues issues;
    struct buf text = { 0 };
    mgi_buf_puts(&text, "{\"$defs\":{\"t\":true,\"");
    put_times(&text, "n%d/", 20000);
    mgi_buf_puts(&text, "\":{\"$defs\":{");
    put_times(&text, "\"r%d\":{\"$ref\":\"#/$defs/t\"},", 2000);
    put_times(&text, "\"i%1$d\":{\"$id\":\"i%1$d\"},", 2000);
    mgi_buf_puts(&text, "\"z\":true}}}}");
    mgi_schema_issues_init(&issues, &arena, 0);
    struct schema *s = mgi_schema_compile(parse(mgi_buf_view(&text)), 0, &issues);
    assert_non_null(s);
    assert_true(s->arena.high_water < 50 * 1000 * 1000);
    mgi_schema_free(s);
    mgi_buf_clear(&text);
    mgi_buf_puts(&text, "{\"$defs\":{\"a\":{\"$id\":\"http://h/");
    put_times(&text, "n%d/", 1000);
    mgi_buf_puts(&text, "\"}}}");
    assert_null(mgi_schema_compile(parse(mgi_buf_view(&text)), 0, &issues));
    assert_int_equal(issues.count, 1);
    assert_string_equal(issues.items[0].path, "/$defs/a");
    assert_string_equal(issues.items[0].message, "is a URI of more than 4096 bytes");
    mgi_buf_fini(&text);
}

/* ---- unevaluated ---------------------------------------------------------------------------- */

static void test_what_nothing_has_judged_is_reported_with_its_place(void **state)
{
    (void)state;
    static const struct {
        const char *schema, *instance, *faults; /* path keyword; ... */
    } rows[] = {
        { "{\"allOf\":[{\"properties\":{\"a\":{\"type\":\"string\"}}}],\"unevaluatedProperties\":"
          "false}",
          "{\"a\":1,\"b/c\":2}", "/a type;/b~1c unevaluatedProperties;" },
        { "{\"properties\":{\"x\":{\"prefixItems\":[true],\"unevaluatedItems\":false}}}",
          "{\"x\":[1,2,3]}", "/x/1 unevaluatedItems;/x/2 unevaluatedItems;" },
        { "{\"unevaluatedItems\":{\"type\":\"string\"},\"contains\":{\"type\":\"integer\"}}",
          "[1,null,\"a\"]", "/1 type;" },
        /* Where an alternative fails, what it would have judged is nobody's fault. */
        { "{\"anyOf\":[{\"properties\":{\"a\":{\"type\":\"string\"}}}],\"unevaluatedProperties\":"
          "false}",
          "{\"a\":1}", " anyOf;" },
        { "{\"allOf\":[{\"oneOf\":[{\"properties\":{\"a\":true}},{\"properties\":{\"b\":true}}]}],"
          "\"unevaluatedProperties\":false}",
          "{\"a\":1}", " oneOf;" },
        /* Inside `not` and an `if` that fails nothing counts; what an `if` that holds has judged
           does. */
        { "{\"not\":{\"not\":{\"properties\":{\"a\":true}}},\"unevaluatedProperties\":false}",
          "{\"a\":1}", "/a unevaluatedProperties;" },
        { "{\"if\":{\"properties\":{\"a\":{\"const\":1}}},\"unevaluatedProperties\":false}",
          "{\"a\":2}", "/a unevaluatedProperties;" },
        { "{\"if\":{\"properties\":{\"a\":{\"const\":1}}},\"unevaluatedProperties\":false}",
          "{\"a\":1}", "" },
        { "{\"dependentSchemas\":{\"a\":{\"patternProperties\":{\"^b\":true}}},"
          "\"unevaluatedProperties\":{\"const\":1}}",
          "{\"a\":1,\"b2\":7,\"c\":3}", "/c const;" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct schema_issues issues;
        struct buf got = { 0 };
        struct schema *s = compile(rows[i].schema, &issues);
        assert_non_null(s);
        bool valid = mgi_schema_validate(s, parse(str_of(rows[i].instance)), &issues);
        assert_int_equal(valid, issues.count == 0);
        for (size_t k = 0; k < issues.count; k++)
            mgi_buf_printf(&got, "%s %s;", issues.items[k].path, issues.items[k].keyword);
        assert_string_equal(mgi_buf_view(&got).ptr, rows[i].faults);
        assert_int_equal(valid, mgi_schema_validate(s, parse(str_of(rows[i].instance)), NULL));
        mgi_schema_free(s);
        mgi_buf_fini(&got);
    }
}

static void test_many_members_and_items_are_noted(void **state)
{
    (void)state;
    struct schema_issues issues;
    struct schema *s =
        compile("{\"anyOf\":[{\"patternProperties\":{\"^a\":true}},{\"prefixItems\":"
                "[true,true]},true],\"contains\":{\"type\":\"null\"},\"minContains\":0,"
                "\"unevaluatedProperties\":false,\"unevaluatedItems\":false}",
                &issues);
    assert_non_null(s);
    struct buf members = { 0 }, items = { 0 };
    for (int i = 0; i < 300; i++) {
        mgi_buf_printf(&members, "%s\"%c%d\":1", i ? "," : "{", i == 257 ? 'b' : 'a', i);
        mgi_buf_printf(&items, "%s%s", i ? "," : "[", i == 0 || i == 130 ? "7" : "null");
    }
    mgi_buf_putc(&members, '}');
    mgi_buf_putc(&items, ']');
    assert_false(mgi_schema_validate(s, parse(mgi_buf_view(&members)), &issues));
    assert_int_equal(issues.count, 1);
    assert_string_equal(issues.items[0].path, "/b257");
    mgi_schema_issues_init(&issues, &arena, 0);
    assert_false(mgi_schema_validate(s, parse(mgi_buf_view(&items)), &issues));
    assert_int_equal(issues.count, 1);
    assert_string_equal(issues.items[0].path, "/130");
    mgi_schema_free(s);
    mgi_buf_fini(&members);
    mgi_buf_fini(&items);
}

/* ---- dynamic scope -------------------------------------------------------------------------- */

/* Two anchors of one name that lead to each other: which way is taken is known only while checking.
 */
static void test_a_dynamic_circle_ends_and_does_not_pass(void **state)
{
    (void)state;
    struct schema_issues issues;
    struct schema *s = compile(
        "{\"$dynamicAnchor\":\"n\",\"allOf\":[{\"$ref\":\"in\"}],\"unevaluatedProperties\":false,"
        "\"$defs\":{\"in\":{\"$id\":\"in\",\"$dynamicAnchor\":\"n\",\"anyOf\":[{\"$dynamicRef\":"
        "\"#n\"}]}}}",
        &issues);
    assert_non_null(s);
    assert_false(mgi_schema_validate(s, parse(STR_LIT("{\"a\":1}")), NULL));
    assert_false(mgi_schema_validate(s, parse(STR_LIT("{\"a\":1}")), &issues));
    assert_true(issues.count > 0);
    mgi_schema_free(s);
}

static void test_dynamic_references_that_multiply_are_stopped(void **state)
{
    (void)state;
    struct schema_issues issues;
    struct schema *s = compile(
        "{\"$dynamicAnchor\":\"n\",\"$ref\":\"in\",\"$defs\":{\"in\":{\"$id\":\"in\","
        "\"$dynamicAnchor\":\"n\",\"oneOf\":[{\"$dynamicRef\":\"#n\"},{\"$dynamicRef\":\"#n\"}],"
        "\"unevaluatedItems\":false}}}",
        &issues);
    assert_non_null(s);
    clock_t start = clock();
    assert_false(mgi_schema_validate(s, parse(STR_LIT("[1]")), &issues));
    assert_true(issues.count > 0);
    assert_true(clock() - start < (clock_t)SANITIZER_FACTOR * 10 * CLOCKS_PER_SEC);
    mgi_schema_free(s);
}

/* ---- brief ---------------------------------------------------------------------------------- */

static void test_what_may_take_long_is_not_brief(void **state)
{
    (void)state;
    static const char *const long_ones[] = {
        "{\"pattern\":\"(a*)*b\"}",
        "{\"patternProperties\":{\"a\":{}}}",
        "{\"uniqueItems\":true}",
        "{\"contains\":{\"type\":\"string\"}}",
        "{\"propertyNames\":{\"maxLength\":3}}",
        "{\"anyOf\":[{\"type\":\"string\"},{\"type\":\"null\"}]}",
        "{\"properties\":{\"a\":{\"$ref\":\"#\"}}}",
        "{\"properties\":{\"a\":{\"not\":{\"type\":\"string\"}}}}",
        "{\"if\":{\"type\":\"string\"},\"then\":{\"minLength\":1}}",
        "{\"dependentSchemas\":{\"a\":{\"required\":[\"b\"]}}}",
        "{\"unevaluatedProperties\":false}",
        "{\"unevaluatedItems\":false}",
        "{\"$dynamicAnchor\":\"a\",\"items\":{\"$dynamicRef\":\"#a\"}}",
    };
    struct schema_issues issues;
    for (size_t i = 0; i < sizeof long_ones / sizeof *long_ones; i++) {
        struct schema *s = compile(long_ones[i], &issues);
        assert_non_null(s);
        if (mgi_schema_is_brief(s, 1))
            fail_msg("%s is called brief", long_ones[i]);
        mgi_schema_free(s);
    }
    struct schema *usual =
        compile("{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\","
                "\"maxLength\":9,\"enum\":[\"x\",\"y\"]},\"b\":{\"type\":\"array\","
                "\"items\":{\"type\":\"integer\",\"minimum\":0}}},\"required\":"
                "[\"a\"],\"additionalProperties\":false}",
                &issues);
    assert_true(mgi_schema_is_brief(usual, 2000));
    assert_false(mgi_schema_is_brief(usual, 1000000));
    mgi_schema_free(usual);
}

/* The largest instance of this form that is called brief. */
static struct str largest_brief(const struct schema *s, const char *open, const char *item,
                                const char *close, struct buf *out)
{
    mgi_buf_clear(out);
    mgi_buf_puts(out, open);
    for (int i = 0;; i++) {
        size_t before = out->len;
        mgi_buf_puts(out, i ? "," : "");
        mgi_buf_printf(out, item, i);
        if (!mgi_schema_is_brief(s, out->len + strlen(close))) {
            out->len = before;
            break;
        }
    }
    mgi_buf_puts(out, close);
    return mgi_buf_view(out);
}

static int64_t cpu_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* What is called brief is validated on the loop, so the worst of it must stay below 1 ms. */
static void test_the_worst_that_is_brief_takes_less_than_a_millisecond(void **state)
{
    (void)state;
    static const struct {
        const char *schema, *open, *item, *close;
    } rows[] = {
        { "{\"items\":{\"type\":\"string\"}}", "[", "%d", "]" }, /* every one is a fault */
        { "{\"items\":{\"enum\":[1000001,1000002,1000003,1000004,1000005]}}", "[", "%d", "]" },
        { "{\"items\":{\"multipleOf\":0.001,\"minimum\":-1e300,\"maximum\":1e300}}", "[", "1.%d",
          "]" },
        { "{\"items\":{\"multipleOf\":3}}", "[", "9999999999999999999999999999%d", "]" },
        { "{\"required\":[\"a\",\"b\",\"c\",\"d\",\"e\",\"f\",\"g\",\"h\"]}", "{", "\"k%d\":1",
          "}" },
        { "{\"additionalProperties\":{\"maxLength\":1}}", "{", "\"k%d\":\"\u00e9\u00e9\"", "}" },
        { "{\"dependentRequired\":{\"k1\":[\"a\",\"b\",\"c\"],\"k2\":[\"a\",\"b\"]}}", "{",
          "\"k%d\":1", "}" },
        { "{\"items\":{\"required\":[\"a\",\"b\"],\"properties\":{\"a\":{\"const\":1}}}}", "[",
          "{\"a\":%d}", "]" },
    };
    struct schema_issues issues;
    struct buf text = { 0 };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct schema *s = compile(rows[i].schema, &issues);
        assert_non_null(s);
        const struct json *v =
            parse(largest_brief(s, rows[i].open, rows[i].item, rows[i].close, &text));
        int64_t best = INT64_MAX;
        for (int round = 0; round < 5; round++) { /* the shortest: others use the machine, too */
            struct schema_issues found;
            mgi_schema_issues_init(&found, &arena, 1);
            int64_t began = cpu_ns();
            mgi_schema_validate(s, v, &found);
            int64_t spent = cpu_ns() - began;
            best = spent < best ? spent : best;
        }
        print_message("# %zu bytes: %d us: %s\n", text.len, (int)(best / 1000), rows[i].schema);
        assert_true(best < SANITIZER_FACTOR * 1000000);
        mgi_schema_free(s);
    }
    mgi_buf_fini(&text);
}

/* Of 40 levels each has two alternatives that go all the way down: too much to try, and no reason
 * to say that none fits. */
static void test_what_took_too_long_is_not_called_wrong(void **state)
{
    (void)state;
#define LEVEL(with) "{\"properties\":{\"l\":{\"$ref\":\"#/$defs/t\"}},\"required\":[\"" with "\"]}"
#define LEVELS(keyword)                                                                            \
    "{\"$ref\":\"#/$defs/t\",\"$defs\":{\"t\":{\"" keyword "\":[" LEVEL("b") "," LEVEL("a") "]}}}"
    static const char *const schemas[] = {
        LEVELS("oneOf"),
        LEVELS("anyOf"),
        "{\"unevaluatedProperties\":true,\"allOf\":[{\"$ref\":\"#/$defs/"
        "t\"}],\"$defs\":{\"t\":{\"oneOf\":[" LEVEL("b") "," LEVEL("a") "]}}}",
    };
    struct buf text = { 0 };
    for (int i = 0; i < 40; i++)
        mgi_buf_puts(&text, "{\"a\":1,\"l\":");
    mgi_buf_puts(&text, "{\"a\":1}");
    for (int i = 0; i < 40; i++)
        mgi_buf_putc(&text, '}');
    for (size_t i = 0; i < sizeof schemas / sizeof *schemas; i++) {
        struct schema_issues issues;
        struct schema *s = compile(schemas[i], &issues);
        assert_non_null(s);
        mgi_schema_issues_init(&issues, &arena, 0);
        assert_false(mgi_schema_validate(s, parse(mgi_buf_view(&text)), &issues));
        assert_true(issues.count > 0);
        for (size_t k = 0; k < issues.count; k++)
            assert_non_null(strstr(issues.items[k].message, "takes too long"));
        mgi_schema_free(s);
    }
    mgi_buf_fini(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_cannot_be_enforced_is_refused_at_load),
        cmocka_unit_test(test_all_faults_of_a_schema_are_reported),
        cmocka_unit_test(test_all_faults_of_an_instance_are_reported_with_their_place),
        cmocka_unit_test(test_the_number_of_reported_faults_is_capped),
        cmocka_unit_test(test_a_fault_that_is_not_noted_is_one),
        cmocka_unit_test(test_in_arguments_a_whole_float_is_an_integer),
        cmocka_unit_test(test_patterns_are_translated),
        cmocka_unit_test(test_a_pattern_that_explodes_is_stopped_and_does_not_pass),
        cmocka_unit_test(test_names_that_explode_are_stopped),
        cmocka_unit_test(test_alternatives_that_multiply_are_stopped),
        cmocka_unit_test(test_what_took_too_long_is_not_called_wrong),
        cmocka_unit_test(test_uniqueness_of_many_items_is_quick_and_exact),
        cmocka_unit_test(test_a_deep_instance_meets_a_recursive_schema),
        cmocka_unit_test(test_a_schema_keeps_nothing_of_its_document),
        cmocka_unit_test(test_uris_are_resolved_as_rfc_3986_says),
        cmocka_unit_test(test_a_schema_that_is_not_in_the_table_is_named),
        cmocka_unit_test(test_a_reference_finds_what_a_later_one_brings),
        cmocka_unit_test(test_nothing_is_kept_of_the_table),
        cmocka_unit_test(test_long_names_do_not_multiply),
        cmocka_unit_test(test_what_nothing_has_judged_is_reported_with_its_place),
        cmocka_unit_test(test_many_members_and_items_are_noted),
        cmocka_unit_test(test_a_dynamic_circle_ends_and_does_not_pass),
        cmocka_unit_test(test_dynamic_references_that_multiply_are_stopped),
        cmocka_unit_test(test_what_may_take_long_is_not_brief),
        cmocka_unit_test(test_the_worst_that_is_brief_takes_less_than_a_millisecond),
        cmocka_unit_test(test_missing_members_get_their_defaults),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
