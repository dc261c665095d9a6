/* json: JSONPath. The documents, paths and results of the first half are the examples of RFC 9535,
 * by section; the second half has what the standard says and shows no example of. */
#include "plugins/plugin_host.h"

#include "plugins/json/json_plugin.h"

struct row {
    const char *path, *values; /* NULL: no path */
};

static void check_rows(const char *document, const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct arena arena;
        struct json doc;
        struct path path;
        struct path_nodes nodes;
        struct work w;
        struct buf why, got;
        mgi_arena_init(&arena, 0);
        mgi_buf_init(&why);
        mgi_buf_init(&got);
        mgi_work_init(&w, &arena, NULL);
        assert_int_equal(mgi_json_parse(&arena, str_of(document), NULL, &doc, NULL), JSON_OK);
        bool ok = mgi_path_parse(&arena, str_of(rows[i].path), &path, &why);
        if (ok && !rows[i].values)
            fail_msg("%s is taken for a path", rows[i].path);
        if (!ok && rows[i].values)
            fail_msg("%s: %s", rows[i].path, why.ptr);
        if (ok) {
            if (!mgi_path_select(&w, &path, &doc, &nodes))
                fail_msg("%s: %s", rows[i].path, w.fault);
            for (size_t k = 0; k < nodes.count; k++) {
                mgi_buf_puts(&got, k ? " " : "");
                mgi_json_canonical(&got, nodes.items[k]->value);
            }
            const char *text = got.ptr ? got.ptr : "";
            if (strcmp(text, rows[i].values) != 0)
                fail_msg("%s\n got  %s\n want %s", rows[i].path, text, rows[i].values);
        }
        mgi_buf_fini(&why);
        mgi_buf_fini(&got);
        mgi_arena_fini(&arena);
    }
}

#define CHECK_ROWS(document, rows) check_rows(document, rows, sizeof rows / sizeof *rows)

/* ---- the examples of the standard ----------------------------------------------------------- */

static const char store[] =
    "{\"store\":{\"book\":[{\"category\":\"reference\",\"author\":\"Nigel "
    "Rees\",\"title\":\"Sayings "
    "of the Century\",\"price\":8.95},{\"category\":\"fiction\",\"author\":\"Evelyn "
    "Waugh\",\"title\":"
    "\"Sword of Honour\",\"price\":12.99},{\"category\":\"fiction\",\"author\":\"Herman Melville\","
    "\"title\":\"Moby Dick\",\"isbn\":\"0-553-21311-3\",\"price\":8.99},{\"category\":\"fiction\","
    "\"author\":\"J. R. R. Tolkien\",\"title\":\"The Lord of the "
    "Rings\",\"isbn\":\"0-395-19395-8\","
    "\"price\":22.99}],\"bicycle\":{\"color\":\"red\",\"price\":399}}}";

static void test_the_book_store(void **state) /* 1.5 */
{
    (void)state;
    static const struct row rows[] = {
        { "$.store.book[*].author",
          "\"Nigel Rees\" \"Evelyn Waugh\" \"Herman Melville\" \"J. R. R. Tolkien\"" },
        { "$..author", "\"Nigel Rees\" \"Evelyn Waugh\" \"Herman Melville\" \"J. R. R. Tolkien\"" },
        { "$.store..price", "8.95 12.99 8.99 22.99 399" },
        { "$..book[2].author", "\"Herman Melville\"" },
        { "$..book[2].publisher", "" },
        { "$..book[-1].title", "\"The Lord of the Rings\"" },
        { "$..book[0,1].title", "\"Sayings of the Century\" \"Sword of Honour\"" },
        { "$..book[:2].title", "\"Sayings of the Century\" \"Sword of Honour\"" },
        { "$..book[?@.isbn].title", "\"Moby Dick\" \"The Lord of the Rings\"" },
        { "$..book[?@.price<10].title", "\"Sayings of the Century\" \"Moby Dick\"" },
    };
    CHECK_ROWS(store, rows);
}

static void test_names_wildcards_indexes_and_slices(void **state)
{
    (void)state;
    static const struct row names[] = { /* 2.2.3, 2.3.1.3 */
                                        { "$", "{\"'\":{\"@\":2},\"o\":{\"j j\":{\"k.k\":3}}}" },
                                        { "$.o['j j']", "{\"k.k\":3}" },
                                        { "$.o['j j']['k.k']", "3" },
                                        { "$.o[\"j j\"][\"k.k\"]", "3" },
                                        { "$[\"'\"][\"@\"]", "2" }
    };
    CHECK_ROWS("{\"o\":{\"j j\":{\"k.k\":3}},\"'\":{\"@\":2}}", names);
    static const struct row wild[] = { /* 2.3.2.3 */
                                       { "$[*]", "{\"j\":1,\"k\":2} [5,3]" },
                                       { "$.o[*]", "1 2" },
                                       { "$.o[*, *]", "1 2 1 2" },
                                       { "$.a[*]", "5 3" }
    };
    CHECK_ROWS("{\"o\":{\"j\":1,\"k\":2},\"a\":[5,3]}", wild);
    static const struct row indexes[] = { { "$[1]", "\"b\"" }, { "$[-2]", "\"a\"" } }; /* 2.3.3.3 */
    CHECK_ROWS("[\"a\",\"b\"]", indexes);
    static const struct row slices[] = {
        /* 2.3.4.3 */
        { "$[1:3]", "\"b\" \"c\"" },
        { "$[5:]", "\"f\" \"g\"" },
        { "$[1:5:2]", "\"b\" \"d\"" },
        { "$[5:1:-2]", "\"f\" \"d\"" },
        { "$[::-1]", "\"g\" \"f\" \"e\" \"d\" \"c\" \"b\" \"a\"" }
    };
    CHECK_ROWS("[\"a\",\"b\",\"c\",\"d\",\"e\",\"f\",\"g\"]", slices);
}

static void test_comparisons(void **state) /* 2.3.5.3, the first table */
{
    (void)state;
    static const struct {
        const char *expression;
        bool holds;
    } rows[] = {
        { "$.absent1 == $.absent2", true },
        { "$.absent1 <= $.absent2", true },
        { "$.absent == 'g'", false },
        { "$.absent1 != $.absent2", false },
        { "$.absent != 'g'", true },
        { "1 <= 2", true },
        { "1 > 2", false },
        { "13 == '13'", false },
        { "'a' <= 'b'", true },
        { "'a' > 'b'", false },
        { "$.obj == $.arr", false },
        { "$.obj != $.arr", true },
        { "$.obj == $.obj", true },
        { "$.obj != $.obj", false },
        { "$.arr == $.arr", true },
        { "$.arr != $.arr", false },
        { "$.obj == 17", false },
        { "$.obj != 17", true },
        { "$.obj <= $.arr", false },
        { "$.obj < $.arr", false },
        { "$.obj <= $.obj", true },
        { "$.arr <= $.arr", true },
        { "1 <= $.arr", false },
        { "1 >= $.arr", false },
        { "1 > $.arr", false },
        { "1 < $.arr", false },
        { "true <= true", true },
        { "true > true", false },
        /* and numbers, exactly */
        { "1 == 1.0", true },
        { "9007199254740993 == 9007199254740992.0", false },
        { "9007199254740993 > 9007199254740992.0", true },
        { "-0 == 0", true },
        { "100 == 1e2", true },
        { "1e400 > 1e308", true },
        { "null == null", true },
        { "null == false", false },
        { "'\\u00e9' == '\xc3\xa9'", true },
        { "'\xf0\x9f\x98\x80' > '\xef\xbf\xbf'", true }, /* by code points, not UTF-16 */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char path[200];
        snprintf(path, sizeof path, "$.one[?%s]", rows[i].expression);
        struct row row = { path, rows[i].holds ? "0" : "" };
        check_rows("{\"obj\":{\"x\":\"y\"},\"arr\":[2,3],\"one\":[0]}", &row, 1);
    }
}

static void test_filters(void **state) /* 2.3.5.3, the second table */
{
    (void)state;
    static const struct row rows[] = {
        { "$.a[?@.b == 'kilo']", "{\"b\":\"kilo\"}" },
        { "$.a[?(@.b == 'kilo')]", "{\"b\":\"kilo\"}" },
        { "$.a[?@>3.5]", "5 4 6" },
        { "$.a[?@.b]", "{\"b\":\"j\"} {\"b\":\"k\"} {\"b\":{}} {\"b\":\"kilo\"}" },
        { "$[?@.*]", "[3,5,1,2,4,6,{\"b\":\"j\"},{\"b\":\"k\"},{\"b\":{}},{\"b\":\"kilo\"}] "
                     "{\"p\":1,\"q\":2,\"r\":3,\"s\":5,\"t\":{\"u\":6}}" },
        { "$[?@[?@.b]]", "[3,5,1,2,4,6,{\"b\":\"j\"},{\"b\":\"k\"},{\"b\":{}},{\"b\":\"kilo\"}]" },
        { "$.o[?@<3, ?@<3]", "1 2 1 2" },
        { "$.a[?@<2 || @.b == \"k\"]", "1 {\"b\":\"k\"}" },
        { "$.a[?match(@.b, \"[jk]\")]", "{\"b\":\"j\"} {\"b\":\"k\"}" },
        { "$.a[?search(@.b, \"[jk]\")]", "{\"b\":\"j\"} {\"b\":\"k\"} {\"b\":\"kilo\"}" },
        { "$.o[?@>1 && @<4]", "2 3" },
        { "$.o[?@.u || @.x]", "{\"u\":6}" },
        { "$.a[?@.b == $.x]", "3 5 1 2 4 6" },
        { "$.a[?@ == @]", "3 5 1 2 4 6 {\"b\":\"j\"} {\"b\":\"k\"} {\"b\":{}} {\"b\":\"kilo\"}" },
    };
    CHECK_ROWS(
        "{\"a\":[3,5,1,2,4,6,{\"b\":\"j\"},{\"b\":\"k\"},{\"b\":{}},{\"b\":\"kilo\"}],\"o\":{"
        "\"p\":1,\"q\":2,\"r\":3,\"s\":5,\"t\":{\"u\":6}},\"e\":\"f\"}",
        rows);
}

static void test_functions_are_checked_for_their_types(void **state) /* 2.4.9 */
{
    (void)state;
    static const struct row rows[] = {
        { "$[?length(@) < 3]", "[1,2] {\"a\":1}" },
        { "$[?length(@.*) < 3]", NULL },
        { "$[?count(@.*) == 1]", "{\"a\":1}" },
        { "$[?count(1) == 1]", NULL },
        { "$[?count(foo(@.*)) == 1]", NULL },
        { "$[?match(@.timezone, 'Europe/.*')]", "" },
        { "$[?match(@.timezone, 'Europe/.*') == true]", NULL },
        { "$[?value(@..color) == \"red\"]", "" },
        { "$[?value(@..color)]", NULL },
        { "$[?length(value($..a)) == 1]", "" },
        { "$[?length(@)]", NULL },
        { "$[?count(@['a','b']) == 1]", "{\"a\":1}" },
    };
    CHECK_ROWS("[[1,2],{\"a\":1},\"xyz\"]", rows);
}

static void test_segments_and_descendants(void **state)
{
    (void)state;
    static const struct row children[] = { /* 2.5.1.3 */
                                           { "$[0, 3]", "\"a\" \"d\"" },
                                           { "$[0:2, 5]", "\"a\" \"b\" \"f\"" },
                                           { "$[0, 0]", "\"a\" \"a\"" }
    };
    CHECK_ROWS("[\"a\",\"b\",\"c\",\"d\",\"e\",\"f\",\"g\"]", children);
    static const struct row descendants[] = { /* 2.5.2.3 */
                                              { "$..j", "1 4" },
                                              { "$..[0]", "5 {\"j\":4}" },
                                              { "$.o[*, *]", "1 2 1 2" },
                                              { "$.o..[*, *]", "1 2 1 2" },
                                              { "$.a..[0, 1]", "5 3 {\"j\":4} {\"k\":6}" }
    };
    CHECK_ROWS("{\"o\":{\"j\":1,\"k\":2},\"a\":[5,3,[{\"j\":4},{\"k\":6}]]}", descendants);
    static const struct row nulls[] = {
        /* 2.6.1 */
        { "$.a", "null" },           { "$.a[0]", "" },          { "$.a.d", "" },
        { "$.b[0]", "null" },        { "$.b[*]", "null" },      { "$.b[?@]", "null" },
        { "$.b[?@==null]", "null" }, { "$.c[?@.d==null]", "" }, { "$.null", "1" }
    };
    CHECK_ROWS("{\"a\":null,\"b\":[null],\"c\":[{}],\"null\":1}", nulls);
}

static void test_normalized_paths(void **state) /* 2.7 */
{
    (void)state;
    plugin_load("{}");
    CHECK_OK("json_query", "{\"document\":{\"a\":1},\"path\":\"$.a\"}", "\"paths\":[\"$['a']\"]");
    CHECK_OK("json_query", "{\"document\":[0,1,2],\"path\":\"$[-1]\"}", "\"paths\":[\"$[2]\"]");
    CHECK_OK("json_query", "{\"document\":{\"a\":{\"b\":[0,1]}},\"path\":\"$.a.b[1:2]\"}",
             "\"paths\":[\"$['a']['b'][1]\"]");
    CHECK_OK("json_query", "{\"document\":{\"\\u000b\":1},\"path\":\"$[\\\"\\\\u000B\\\"]\"}",
             "\"paths\":[\"$['\\\\u000b']\"]");
    CHECK_OK("json_query", "{\"document\":{\"it's\\\\\":1},\"path\":\"$.*\"}",
             "\"paths\":[\"$['it\\\\'s\\\\\\\\']\"]");
    plugin_unload();
}

/* ---- what the standard says without an example ----------------------------------------------- */

static void test_what_is_no_path_is_refused(void **state)
{
    (void)state;
    static const char *const rows[] = {
        "",
        " $",
        "$ ",
        "a",
        "$.",
        "$..",
        "$...a",
        "$.1",
        "$.'a'",
        "$[",
        "$[]",
        "$[a]",
        "$[1,]",
        "$[,1]",
        "$['a'",
        "$['a",
        "$[\"a']",
        "$['\\\"']",
        "$[\"\\'\"]",
        "$['\\x']",
        "$['\\ud800']",
        "$['\\udc00']",
        "$['\\ud800\\u0041']",
        "$['\t']",
        "$[01]",
        "$[-0]",
        "$[-]",
        "$[1.0]",
        "$[9007199254740992]",
        "$[-9007199254740992]",
        "$[1:2:3:4]",
        "$[1::01]",
        "$[?]",
        "$[?@.a ==]",
        "$[?== 1]",
        "$[?@.a = 1]",
        "$[?@.a == 1 &&]",
        "$[?(@.a]",
        "$[?@.a)]",
        "$[?'a']",
        "$[?true]",
        "$[?1]",
        "$[?@.* == 1]",
        "$[?@..a == 1]",
        "$[?@[0,1] == 1]",
        "$[?@[0:1] == 1]",
        "$[?!@.a == 1]",
        "$[?@.a == 01]",
        "$[?@.a == 1.]",
        "$[?@.a == .5]",
        "$[?@.a == +1]",
        "$[?@.a == True]",
        "$[?foo(@)]",
        "$[?count (@.*) == 1]",
        "$[?count() == 1]",
        "$[?count(@.*, 1) == 1]",
        "$[?match(@.a)]",
        "$[?match(@.a, 'a', 'b')]",
        "$[?match(@.*, 'a')]",
        "$[?@.a && 1]",
        "$[?(1 == 1) == true]",
        "$[?length(@.a)]",
        "$ .. a b",
        "$.a b",
        "@.a",
        "$.a\xff",
        "$[?@.a == {}]",
        "$[?@.a == []]",
        "$. a",
        "$.. a",
        "$['a' 'b']",
        "$[?@.a === 1]",
        "$[? ]",
        "$[?!]",
        "$[?(@)(@)]",
        "$&",
        "$[*,]",
        "$[**]",
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct row row = { rows[i], NULL };
        check_rows("{}", &row, 1);
    }
    static const struct row fine[] = {
        { "$ .a", "{\"b\":1}" },
        { "$\n['a']\t['b']", "1" },
        { "$[ 'a' , 'x' ]", "{\"b\":1}" },
        { "$[?@.b==1]", "{\"b\":1}" },
        { "$[? @.b == 1 ]", "{\"b\":1}" },
        { "$[?!(@.b == 2)]", "{\"b\":1}" },
        { "$[?!@.c]", "{\"b\":1}" },
        { "$[?! @.c]", "{\"b\":1}" },
        { "$[?count( @.* )==1]", "{\"b\":1}" },
        { "$.\xe2\x98\xba", "" },
        { "$._a1", "" },
        { "$[::]", "" },
        { "$['\\u0061']", "{\"b\":1}" },
        { "$['\\ud83d\\ude00']", "" },
        { "$[9007199254740991]", "" },
        { "$[?@.b == -0]", "" },
        { "$[?@.b == 1E0]", "{\"b\":1}" },
        { "$[?@.b == 10e-1]", "{\"b\":1}" },
    };
    CHECK_ROWS("{\"a\":{\"b\":1}}", fine);
}

static void test_and_binds_before_or(void **state)
{
    (void)state;
    static const struct row rows[] = {
        { "$[?@.a==1 || @.a==2 && @.b==1]", "{\"a\":1} {\"a\":2,\"b\":1}" },
        { "$[?(@.a==1 || @.a==2) && @.b==1]", "{\"a\":2,\"b\":1}" },
        { "$[?!(@.a==1 || @.b==1)]", "{\"a\":2}" },
        { "$[?@.a==1||@.a==2&&!@.b]", "{\"a\":1} {\"a\":2}" },
    };
    CHECK_ROWS("[{\"a\":1},{\"a\":2},{\"a\":2,\"b\":1}]", rows);
}

static void test_slices_stop_at_the_ends(void **state)
{
    (void)state;
    static const struct row rows[] = {
        { "$[1:1]", "" },
        { "$[2:1]", "" },
        { "$[0:9]", "0 1 2" },
        { "$[-9:2]", "0 1" },
        { "$[::0]", "" },
        { "$[:-1]", "0 1" },
        { "$[-2:]", "1 2" },
        { "$[9::-1]", "2 1 0" },
        { "$[1::-1]", "1 0" },
        { "$[:1:-1]", "2" },
        { "$[-9:-9:-1]", "" },
        { "$[0:9007199254740991:9007199254740991]", "0" },
        { "$[::-9007199254740991]", "2" },
        { "$[9007199254740991]", "" },
        { "$[-9007199254740991]", "" },
    };
    CHECK_ROWS("[0,1,2]", rows);
    static const struct row none[] = { { "$[0:9]", "" }, { "$[0]", "" }, { "$[?@ > 1]", "2" } };
    CHECK_ROWS("{\"a\":1,\"b\":2}", none);
}

static void test_patterns(void **state)
{
    (void)state;
    static const struct row rows[] = {
        { "$[?match(@, 'a.c')]", "\"abc\"" },
        { "$[?search(@, 'a.c')]", "\"abc\" \"xabcx\"" },
        { "$[?match(@, 'a|abc')]", "\"abc\"" },
        { "$[?match(@, '\\\\p{Lu}')]", "\"\xc3\x84\"" },
        { "$[?match(@, '[')]", "" }, /* what is no pattern matches nothing */
        { "$[?match(@, 7)]", "" },
        { "$[?match(@, $[0])]", "\"abc\"" },
        { "$[?search(@, '(a+)+$')]", "" },
    };
    CHECK_ROWS("[\"abc\",\"a\\nc\",\"xabcx\",\"\xc3\x84\",7]", rows);
}

static void test_work_is_bounded(void **state)
{
    (void)state;
    plugin_load("{}");
    /* Each segment looks at everything again, four times. */
    CHECK_FAIL("json_query",
               "{\"document\":[[[[[[[[[[[[1,2,3,4]]]]]]]]]]]],\"path\":"
               "\"$..[*,*,*,*]..[*,*,*,*]..[*,*,*,*]..[*,*,*,*]..[*,*,*,*]\"}",
               "path: ");
    char *input = malloc(700000);
    size_t len = (size_t)sprintf(input, "{\"path\":\"$[?@ == $]\",\"document\":[");
    for (int i = 0; i < 100000; i++)
        len += (size_t)sprintf(input + len, "%s[]", i ? "," : "");
    sprintf(input + len, "]}");
    CHECK_OK("json_query", input, "\"count\":0");
    len = (size_t)sprintf(input, "{\"path\":\"$[?count($[*]) > 1]\",\"document\":[");
    for (int i = 0; i < 100000; i++)
        len += (size_t)sprintf(input + len, "%s[]", i ? "," : "");
    sprintf(input + len, "]}");
    CHECK_FAIL("json_query", input, "path: takes too many steps");
    free(input);
    char deep[300] = "$", path[400];
    for (int i = 0; i < 30; i++)
        strcat(deep, "[?@");
    snprintf(path, sizeof path, "{\"document\":1,\"path\":\"%s\"}", deep);
    CHECK_FAIL("json_query", "{\"document\":{\"~2\":1},\"pointer\":\"/~2\"}",
               "pointer: begins with / or is empty, and has ~ only as ~0 and ~1");
    CHECK_FAIL("json_query", "{\"document\":1,\"pointer\":\"a\"}",
               "pointer: begins with / or is empty");
    CHECK_OK("json_query", "{\"document\":{\"~\":1},\"pointer\":\"/~0\"}", "\"count\":1");
    CHECK_FAIL("json_query", path, "is nested too deeply");
    plugin_unload();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_book_store),
        cmocka_unit_test(test_names_wildcards_indexes_and_slices),
        cmocka_unit_test(test_comparisons),
        cmocka_unit_test(test_filters),
        cmocka_unit_test(test_functions_are_checked_for_their_types),
        cmocka_unit_test(test_segments_and_descendants),
        cmocka_unit_test(test_normalized_paths),
        cmocka_unit_test(test_what_is_no_path_is_refused),
        cmocka_unit_test(test_and_binds_before_or),
        cmocka_unit_test(test_slices_stop_at_the_ends),
        cmocka_unit_test(test_patterns),
        cmocka_unit_test(test_work_is_bounded),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
