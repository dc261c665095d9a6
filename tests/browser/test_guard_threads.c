/* Which addresses a live page may have: the table, and the proxy through which it goes. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "browser/site.h"
#include "../../domains/browser/plugins/browser/guard.h"
#include "../../domains/browser/plugins/browser/guard_proxy.h"

static void test_addresses_are_internal_in_whatever_form(void **state)
{
    (void)state;
    static const struct {
        const char *host;
        int internal; /* -1: no address */
    } rows[] = {
        { "127.0.0.1", 1 },
        { "127.255.1.2", 1 },
        { "0.0.0.0", 1 },
        { "0", 1 },
        { "10.1.2.3", 1 },
        { "172.16.0.1", 1 },
        { "172.32.0.1", 0 },
        { "192.168.7.7", 1 },
        { "169.254.169.254", 1 },
        { "100.64.0.1", 1 },
        { "100.128.0.1", 0 },
        { "8.8.8.8", 0 },
        { "224.0.0.1", 1 },
        { "255.255.255.255", 1 },
        { "0x7f.1", 1 },
        { "2130706433", 1 },
        { "0177.0.0.1", 1 },
        { "127.1.", 1 },
        { "::1", 1 },
        { "::", 1 },
        { "::ffff:127.0.0.1", 1 },
        { "::ffff:8.8.8.8", 0 },
        { "64:ff9b::10.0.0.1", 1 },
        { "64:ff9b::808:808", 0 },
        { "2002:7f00:1::", 1 },
        { "2002:808:808::", 0 },
        { "2001::1", 1 },
        { "fe80::1", 1 },
        { "fd00::1", 1 },
        { "fc00::1", 1 },
        { "ff02::1", 1 },
        { "2a00:1450::1", 0 },
        { "2001:db8::1", 1 },
        { "example.org", -1 },
        { "", -1 },
        { "1.2.3.4.5", -1 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sockaddr_storage at;
        bool is = mgi_guard_literal(str_of(rows[i].host), &at);
        if (is != (rows[i].internal >= 0))
            fail_msg("%s", rows[i].host);
        if (is && mgi_guard_is_internal((struct sockaddr *)&at) != (rows[i].internal == 1))
            fail_msg("%s is internal?", rows[i].host);
    }
}

static void test_only_the_web_and_what_is_allowed_is_opened(void **state)
{
    (void)state;
    static const char allow[] = "shop.test:8080, http://127.0.0.1:81 INNER.test\n[::1]:5 10.0.0.9";
    static const struct {
        const char *url;
        bool good;
    } rows[] = {
        { "https://example.org/", true },
        { "http://example.org:8080/a?b#c", true },
        { "HTTP://EXAMPLE.org", true },
        { "about:blank", true },
        { "about:version", false },
        { "file:///etc/passwd", false },
        { "data:text/html,x", false },
        { "javascript:alert(1)", false },
        { "chrome://settings", false },
        { "ftp://example.org/", false },
        { "view-source:http://example.org", false },
        { "blob:http://example.org/1", false },
        { "http:///nothing", false },
        { "http://", false },
        { "example.org", false },
        { "//example.org", false },
        { " http://example.org", false },
        { "ht\ntp://example.org", false },
        { "http://example.org:99999/", false },
        { "http://127.0.0.1/", false },
        { "http://127.0.0.1:81/", true },
        { "https://127.0.0.1:81/", false },
        { "http://127.0.0.1:82/", false },
        { "http://good.example@127.0.0.1/", false },
        { "http://127.0.0.1:81@10.0.0.1/", false },
        { "http://10.0.0.9:1234/", true },
        { "http://10.0.0.8/", false },
        { "http://localhost/", false },
        { "http://a.LOCALHOST/", false },
        { "http://inner.test:77/", true },
        { "http://[::1]:5/", true },
        { "http://[::1]:6/", false },
        { "http://[::ffff:10.0.0.1]/", false },
        { "http://[::1/", false },
        { "http://0x7f000001/", false },
        { "http://example.org\\@127.0.0.1/", true }, /* the host is example.org, as in browsers */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!mgi_guard_refuses(str_of(allow), str_of(rows[i].url)) != rows[i].good)
            fail_msg("%s", rows[i].url);
}

static void test_what_is_allowed_needs_no_proxy(void **state)
{
    (void)state;
    struct buf out = { 0 };
    mgi_guard_bypass(STR_LIT("a.test http://127.0.0.1:81 https://b.test ::1 *.c;d [::1]:5 *"),
                     &out);
    assert_string_equal(out.ptr, ";a.test;127.0.0.1:81;b.test:443;[::1];[::1]:5");
    mgi_buf_fini(&out);
}

/* ---- the proxy ------------------------------------------------------------------------------ */

static const struct site_page pages[] = { { "/", 200, "", "hello" }, { NULL, 0, NULL, NULL } };

static int connect_port(int port)
{
    struct sockaddr_in at = { .sin_family = AF_INET, .sin_port = htons((uint16_t)port) };
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_int_equal(connect(fd, (struct sockaddr *)&at, sizeof at), 0);
    return fd;
}

static bool get_bytes(int fd, void *to, size_t len)
{
    return recv(fd, to, len, MSG_WAITALL) == (ssize_t)len;
}

/* The code of the reply to CONNECT; -1: none came. *fd stays open. */
static int ask_proxy(struct guard_proxy *proxy, const char *host, unsigned port, int *fd)
{
    unsigned char wish[300] = { 5, 1, 0, 3 }, reply[10];
    size_t len = strlen(host);
    *fd = connect_port(mgi_guard_proxy_port(proxy));
    send(*fd, "\5\1\0", 3, MSG_NOSIGNAL);
    assert_true(get_bytes(*fd, reply, 2) && reply[0] == 5 && reply[1] == 0);
    wish[4] = (unsigned char)len;
    memcpy(wish + 5, host, len);
    wish[5 + len] = (unsigned char)(port >> 8);
    wish[6 + len] = (unsigned char)port;
    send(*fd, wish, 7 + len, MSG_NOSIGNAL);
    return get_bytes(*fd, reply, 10) ? reply[1] : -1;
}

static void test_the_proxy_judges_what_a_name_leads_to(void **state)
{
    (void)state;
    struct site site;
    const char *why;
    int fd;
    char allow[64], text[1024] = "";
    assert_true(site_start(&site, pages));
    snprintf(allow, sizeof allow, "127.0.0.1:%u", site.port);
    struct guard_proxy *proxy = mgi_guard_proxy_new(str_of(allow), &why);
    assert_non_null(proxy);

    static const char *const refused[] = { "localhost", "127.0.0.2", "0x7f.1", "0.0.0.0",
                                           "2130706433" };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        assert_int_equal(ask_proxy(proxy, refused[i], site.port, &fd), 2);
        close(fd);
        assert_string_equal(mgi_guard_proxy_words(proxy, str_of(refused[i]), (int)site.port),
                            "net::ERR_BLOCKED_BY_ADMINISTRATOR");
    }
    assert_int_equal(mgi_guard_proxy_refused(proxy), 5);
    assert_int_equal(site.all, 0);
    assert_int_equal(ask_proxy(proxy, "no.such.host.invalid", 80, &fd), 4);
    close(fd);
    assert_string_equal(mgi_guard_proxy_words(proxy, STR_LIT("NO.such.host.invalid"), 80),
                        "net::ERR_NAME_NOT_RESOLVED");

    assert_int_equal(ask_proxy(proxy, "127.0.0.1", site.port, &fd), 0);
    send(fd, "GET / HTTP/1.1\r\n\r\n", 18, MSG_NOSIGNAL);
    while (recv(fd, text + strlen(text), sizeof text - 1 - strlen(text), 0) > 0)
        ;
    assert_non_null(strstr(text, "hello"));
    close(fd);
    assert_null(mgi_guard_proxy_words(proxy, STR_LIT("127.0.0.1"), (int)site.port));
    mgi_guard_proxy_free(proxy);
    site_stop(&site);
}

static void test_the_proxy_bears_nonsense_and_ends_with_connections_open(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t len;
    } rows[] = { { "", 0 },
                 { "GET / HTTP/1.1\r\n\r\n", 18 },
                 { "\4\1\0\120", 4 },
                 { "\5\1\0\5\1\0\3\0\0\120", 10 },
                 { "\5\1\0\5\2\0\1\1\2\3\4\0\120", 13 },
                 { "\5\1\0\5\1\0\3\4a\0bc\0\120", 14 },
                 { "\5\1\0\5\1\0\7", 7 } };
    const char *why;
    char byte[64];
    struct guard_proxy *proxy = mgi_guard_proxy_new(STR_LIT(""), &why);
    assert_non_null(proxy);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int fd = connect_port(mgi_guard_proxy_port(proxy));
        send(fd, rows[i].bytes, rows[i].len, MSG_NOSIGNAL);
        shutdown(fd, SHUT_WR);
        while (recv(fd, byte, sizeof byte, 0) > 0)
            ;
        close(fd);
    }
    int idle = connect_port(mgi_guard_proxy_port(proxy));
    mgi_guard_proxy_free(proxy);
    assert_true(recv(idle, byte, 1, 0) <= 0);
    close(idle);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_addresses_are_internal_in_whatever_form),
        cmocka_unit_test(test_only_the_web_and_what_is_allowed_is_opened),
        cmocka_unit_test(test_what_is_allowed_needs_no_proxy),
        cmocka_unit_test(test_the_proxy_judges_what_a_name_leads_to),
        cmocka_unit_test(test_the_proxy_bears_nonsense_and_ends_with_connections_open),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
