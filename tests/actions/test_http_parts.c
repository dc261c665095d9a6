/* The parts of the plugin "http" that decide what may leave and where to: which addresses are
 * public, what a value becomes in an address, what is taken out of an answer. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <arpa/inet.h>

#include "../plugins/http/address.c"
#include "../plugins/http/redact.c"
#include "../plugins/http/table.c"

#include "../plugins/http/expand.c"

static bool is_public(const char *text)
{
    struct sockaddr_in v4 = { .sin_family = AF_INET };
    struct sockaddr_in6 v6 = { .sin6_family = AF_INET6 };
    if (inet_pton(AF_INET, text, &v4.sin_addr) == 1)
        return mgi_address_is_public((const struct sockaddr *)&v4, sizeof v4);
    assert_int_equal(inet_pton(AF_INET6, text, &v6.sin6_addr), 1);
    return mgi_address_is_public((const struct sockaddr *)&v6, sizeof v6);
}

/* The first and last address of each block, and its neighbours. */
static void test_addresses_are_public_or_not(void **state)
{
    static const char *const closed[] = {
        "0.0.0.0",
        "0.255.255.255",
        "10.0.0.0",
        "10.255.255.255",
        "100.64.0.0",
        "100.127.255.255",
        "127.0.0.1",
        "127.255.255.255",
        "169.254.0.0",
        "169.254.169.254",
        "169.254.255.255",
        "172.16.0.0",
        "172.31.255.255",
        "192.0.0.1",
        "192.0.2.7",
        "192.88.99.1",
        "192.168.0.0",
        "192.168.255.255",
        "198.18.0.0",
        "198.19.255.255",
        "198.51.100.9",
        "203.0.113.9",
        "224.0.0.0",
        "239.255.255.255",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::127.0.0.1",
        "::ffff:127.0.0.1",
        "::ffff:8.8.8.8",
        "64:ff9b::7f00:1",
        "64:ff9b::808:808",
        "64:ff9b:1::1",
        "100::1",
        "fc00::1",
        "fdff::1",
        "fe80::1",
        "febf::1",
        "fec0::1",
        "ff02::1",
        "2001::1",
        "2001:1ff::1",
        "2001:db8::1",
        "2002:7f00:1::1",
        "2002:808:808::1",
        "3fff::1",
        "3fff:fff::1",
        "4000::1",
        "1fff::1",
        "5f00::1",
    };
    static const char *const open[] = {
        "1.1.1.1",     "9.255.255.255",   "11.0.0.0",     "100.63.255.255", "100.128.0.0",
        "126.0.0.1",   "128.0.0.1",       "169.253.0.1",  "169.255.0.1",    "172.15.255.255",
        "172.32.0.0",  "192.0.1.1",       "192.0.3.1",    "192.88.98.1",    "192.167.255.255",
        "192.169.0.0", "198.17.255.255",  "198.20.0.0",   "198.51.99.1",    "203.0.112.1",
        "203.0.114.1", "223.255.255.255", "2001:200::1",  "2606:4700::1",   "2001:db7::1",
        "2001:db9::1", "2003::1",         "3fff:1000::1", "2a00::1",        "3ffe::1",
    };
    (void)state;
    for (size_t i = 0; i < sizeof closed / sizeof *closed; i++)
        if (is_public(closed[i]))
            fail_msg("%s counts as public", closed[i]);
    for (size_t i = 0; i < sizeof open / sizeof *open; i++)
        if (!is_public(open[i]))
            fail_msg("%s does not count as public", open[i]);
    struct sockaddr other = { .sa_family = AF_UNIX };
    assert_false(mgi_address_is_public(&other, sizeof other));
    struct sockaddr_in half = { .sin_family = AF_INET, .sin_addr.s_addr = 0x01010101 };
    assert_false(mgi_address_is_public((struct sockaddr *)&half, 4));
}

static const char settings[] =
    "{\"requests\":[{\"aid\":\"AID.T.A.v1\",\"name\":\"a\",\"description\":\"d\",\"method\":"
    "\"GET\",\"origin\":\"https://a.example:443\",\"path\":[\"/x/\",{\"arg\":\"v\"},\"y\"],"
    "\"query\":[{\"name\":\"q q\",\"value\":[{\"arg\":\"v\"}]}],\"auth\":{\"query\":{\"name\":"
    "\"key\",\"value\":[{\"secret\":\"a/b\"}]}},\"defaults\":{},\"allow\":[],\"side_effects\":"
    "[\"network_io\"],\"flags\":[]}]}";

static void expect_url(struct arena *arena, const struct http_request *r, const char *arguments,
                       const char *url, const char *why)
{
    struct json value;
    struct http_expansion out;
    assert_int_equal(mgi_json_parse(arena, str_of(arguments), NULL, &value, NULL), JSON_OK);
    const char *refused = mgi_http_expand(arena, r, &value, &out);
    if (why) {
        assert_non_null(refused);
        assert_non_null(strstr(refused, why));
    } else {
        assert_null(refused);
        assert_string_equal(out.url, url);
    }
}

static void test_a_value_stays_in_its_place(void **state)
{
    struct arena arena;
    struct http_table table;
    (void)state;
    mgi_arena_init(&arena, 0);
    assert_null(mgi_http_table_read(&arena, str_of(settings), &table));
    const struct http_request *r = &table.items[0];
    expect_url(&arena, r, "{\"v\":\"a b\"}", "https://a.example:443/x/a%20by?q%20q=a%20b&key=a%2Fb",
               NULL);
    expect_url(&arena, r, "{\"v\":\"%2e%2e/\\u00e9?#&=\"}",
               "https://a.example:443/x/%252e%252e%2F%C3%A9%3F%23%26%3Dy"
               "?q%20q=%252e%252e%2F%C3%A9%3F%23%26%3D&key=a%2Fb",
               NULL);
    expect_url(&arena, r, "{\"v\":\"../\"}", NULL, "leave its place");
    expect_url(&arena, r, "{\"v\":\"a/../\"}", NULL, "leave its place");
    expect_url(&arena, r, "{\"v\":\"/\"}", NULL, "leave its place");
    expect_url(&arena, r, "{\"v\":\"..\"}", "https://a.example:443/x/..y?q%20q=..&key=a%2Fb", NULL);
    expect_url(&arena, r, "{\"v\":{}}", NULL, "single value");
    expect_url(&arena, r, "{}", NULL, "missing");
    mgi_arena_fini(&arena);
}

static void test_secrets_are_taken_out(void **state)
{
    static const struct str items[] = { { "abc", 3 }, { "abcd", 4 }, { "%2F", 3 } };
    const struct secrets secrets = { items, 3 };
    struct arena arena;
    struct json value;
    struct json_writer w;
    struct buf out = { 0 };
    (void)state;
    mgi_redact(&out, STR_LIT("xabcabcdy%2Fab"), secrets);
    assert_string_equal(out.ptr, "x[secret][secret]y[secret]ab");
    mgi_buf_clear(&out);
    mgi_arena_init(&arena, 0);
    struct str text = STR_LIT("{\"abc\":[\"\\u0061bc\",true,12],\"n\":{\"x\":\"-abcd-\"}}");
    assert_int_equal(mgi_json_parse(&arena, text, NULL, &value, NULL), JSON_OK);
    mgi_json_writer_init(&w, &out, 0);
    mgi_redact_value(&w, &value, secrets);
    assert_string_equal(out.ptr,
                        "{\"[secret]\":[\"[secret]\",true,12],\"n\":{\"x\":\"-[secret]-\"}}");
    mgi_arena_fini(&arena);
    mgi_buf_fini(&out);
}

static void test_bad_settings_are_a_reason(void **state)
{
    static const char *const bad[] = {
        "",
        "[]",
        "{}",
        "{\"requests\":[]}",
        "{\"requests\":[{}]}",
        "{\"requests\":[{\"aid\":\"A\",\"method\":\"GET\",\"origin\":\"ftp://x\"}]}",
        "{\"requests\":[{\"aid\":\"A\",\"method\":\"G T\",\"origin\":\"https://a:443\"}]}",
        "{\"requests\":[{\"aid\":\"A\",\"method\":\"GET\",\"origin\":\"https://a\",\"path\":[]}]}",
        "{\"requests\":[{\"aid\":\"A\",\"method\":\"GET\",\"origin\":\"https://a:443\",\"path\":"
        "[{}]}]}",
        "{\"requests\":[{\"aid\":\"A\",\"method\":\"GET\",\"origin\":\"https://a:443\",\"path\":"
        "[\"/\"],\"max_bytes\":0}]}",
    };
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct arena arena;
        struct http_table table;
        mgi_arena_init(&arena, 0);
        if (!mgi_http_table_read(&arena, str_of(bad[i]), &table))
            fail_msg("%s is read", bad[i]);
        mgi_arena_fini(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_addresses_are_public_or_not),
        cmocka_unit_test(test_a_value_stays_in_its_place),
        cmocka_unit_test(test_secrets_are_taken_out),
        cmocka_unit_test(test_bad_settings_are_a_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
