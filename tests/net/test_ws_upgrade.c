/* The WebSocket handshake, both sides. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "net/ws_upgrade.h"

/* RFC 6455 section 1.3 */
#define KEY    "dGhlIHNhbXBsZSBub25jZQ=="
#define ACCEPT "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="

static struct ws_offer good_offer(void)
{
    return (struct ws_offer){
        .is_get = true,
        .http_major = 1,
        .http_minor = 1,
        .upgrade = STR_LIT("websocket"),
        .connection = STR_LIT("Upgrade"),
        .version = STR_LIT("13"),
        .key = STR_LIT(KEY),
    };
}

static int judged(const struct ws_offer *offer)
{
    const char *why;
    int status = mgi_ws_judge_offer(offer, &why);
    assert_true((status == 101) == (why == NULL));
    return status;
}

static void test_the_accept_is_that_of_the_standard(void **state)
{
    (void)state;
    char accept[WS_ACCEPT_TEXT + 1];
    assert_true(mgi_ws_accept(STR_LIT(KEY), accept));
    assert_string_equal(accept, ACCEPT);
    assert_true(mgi_ws_accept(STR_LIT(" " KEY " "), accept));
    assert_string_equal(accept, ACCEPT);
    assert_false(mgi_ws_accept(STR_LIT("short"), accept));
}

static void test_good_offers_are_taken(void **state)
{
    (void)state;
    struct ws_offer offer = good_offer();
    assert_int_equal(judged(&offer), 101);
    offer.upgrade = STR_LIT("h2c, WebSocket");
    offer.connection = STR_LIT("keep-alive ,\tUpgrade");
    offer.http_minor = 2;
    assert_int_equal(judged(&offer), 101);
}

static void test_each_thing_that_is_wrong_has_its_status(void **state)
{
    (void)state;
    struct ws_offer offer = good_offer();
    offer.is_get = false;
    assert_int_equal(judged(&offer), 405);
    offer = good_offer();
    offer.upgrade = (struct str){ NULL, 0 };
    assert_int_equal(judged(&offer), 426);
    offer.upgrade = STR_LIT("websockets");
    assert_int_equal(judged(&offer), 426);
    offer = good_offer();
    offer.http_minor = 0;
    assert_int_equal(judged(&offer), 400);
    offer = good_offer();
    offer.connection = STR_LIT("keep-alive");
    assert_int_equal(judged(&offer), 400);
    static const char *const versions[] = { "", "8", "14", "13, 8", "013" };
    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++) {
        offer = good_offer();
        offer.version = str_of(versions[i]);
        assert_int_equal(judged(&offer), 426);
    }
    static const char *const keys[] = {
        "",
        "dGhlIHNhbXBsZSBub25jZQ=",
        "dGhlIHNhbXBsZSBub25jZQ===",
        "dGhlIHNhbXBsZSBub25jZSE=",
        "dGhlIHNhbXBsZSBub2 jZQ==",
        KEY ", " KEY,
    };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        offer = good_offer();
        offer.key = str_of(keys[i]);
        assert_int_equal(judged(&offer), 400);
    }
}

static void test_a_subprotocol_is_found_by_its_exact_name(void **state)
{
    (void)state;
    assert_true(mgi_ws_offers(STR_LIT("manglecp"), "manglecp"));
    assert_true(mgi_ws_offers(STR_LIT("chat,manglecp , x"), "manglecp"));
    assert_false(mgi_ws_offers(STR_LIT("Manglecp"), "manglecp"));
    assert_false(mgi_ws_offers(STR_LIT("manglecp2"), "manglecp"));
    assert_false(mgi_ws_offers((struct str){ NULL, 0 }, "manglecp"));
    assert_false(mgi_ws_offers(STR_LIT(",,"), "manglecp"));
}

static void test_the_answer_proves_that_the_key_was_read(void **state)
{
    (void)state;
    struct buf out = { 0 };
    mgi_ws_put_acceptance(&out, STR_LIT(KEY), "manglecp");
    assert_string_equal(out.ptr, "Upgrade: websocket\r\n"
                                 "Connection: Upgrade\r\n"
                                 "Sec-WebSocket-Accept: " ACCEPT "\r\n"
                                 "Sec-WebSocket-Protocol: manglecp\r\n");
    mgi_buf_clear(&out);
    mgi_ws_put_acceptance(&out, STR_LIT(KEY), NULL);
    assert_null(strstr(out.ptr, "Protocol:"));
    mgi_buf_fini(&out);
}

static void test_the_request_is_a_whole_head(void **state)
{
    (void)state;
    struct buf out = { 0 };
    char key[WS_KEY_TEXT + 1];
    mgi_ws_key((const uint8_t *)"the sample nonce", key);
    assert_string_equal(key, KEY);
    mgi_ws_put_offer(&out, "/manglecp/ws", "h:1", key, "manglecp", "Authorization: Bearer t\r\n");
    assert_string_equal(out.ptr, "GET /manglecp/ws HTTP/1.1\r\n"
                                 "Host: h:1\r\n"
                                 "Upgrade: websocket\r\n"
                                 "Connection: Upgrade\r\n"
                                 "Sec-WebSocket-Version: 13\r\n"
                                 "Sec-WebSocket-Key: " KEY "\r\n"
                                 "Sec-WebSocket-Protocol: manglecp\r\n"
                                 "Authorization: Bearer t\r\n"
                                 "\r\n");
    mgi_buf_fini(&out);
}

static void test_a_client_checks_the_answer(void **state)
{
    (void)state;
    const struct ws_acceptance good = {
        .status = 101,
        .upgrade = STR_LIT("WebSocket"),
        .connection = STR_LIT("upgrade"),
        .accept = STR_LIT(ACCEPT),
    };
    struct ws_acceptance a = good;
    assert_null(mgi_ws_judge_acceptance(&a, KEY, "manglecp"));
    a.protocol = STR_LIT("manglecp");
    assert_null(mgi_ws_judge_acceptance(&a, KEY, "manglecp"));
    assert_non_null(mgi_ws_judge_acceptance(&a, KEY, NULL));
    assert_non_null(mgi_ws_judge_acceptance(&a, KEY, "other"));
    a = good;
    a.status = 200;
    assert_non_null(mgi_ws_judge_acceptance(&a, KEY, NULL));
    a = good;
    a.upgrade = (struct str){ NULL, 0 };
    assert_non_null(mgi_ws_judge_acceptance(&a, KEY, NULL));
    a = good;
    a.accept = STR_LIT("t3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
    assert_non_null(mgi_ws_judge_acceptance(&a, KEY, NULL));
    a = good;
    a.extensions = STR_LIT("permessage-deflate");
    assert_non_null(mgi_ws_judge_acceptance(&a, KEY, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_accept_is_that_of_the_standard),
        cmocka_unit_test(test_good_offers_are_taken),
        cmocka_unit_test(test_each_thing_that_is_wrong_has_its_status),
        cmocka_unit_test(test_a_subprotocol_is_found_by_its_exact_name),
        cmocka_unit_test(test_the_answer_proves_that_the_key_was_read),
        cmocka_unit_test(test_the_request_is_a_whole_head),
        cmocka_unit_test(test_a_client_checks_the_answer),
    };
    return cmocka_run_group_tests_name("net/test_ws_upgrade", tests, NULL, NULL);
}
