/* Which addresses a live page may have: the table, and the proxy through which it goes. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <net/if.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>

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
        { "http://localhost./", false },
        { "http://notlocalhost/", true },
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

static void as_address(const char *text, struct sockaddr_storage *out)
{
    assert_true(mgi_guard_literal(str_of(text), out));
}

/* RFC 4291 mapped, RFC 6052 NAT64 and RFC 3056 6to4 forms are the same machine. */
static void test_an_address_of_this_machine_is_known_in_whatever_form(void **state)
{
    (void)state;
    static const struct {
        const char *own, *asked;
        bool is;
    } rows[] = {
        { "8.8.4.4", "8.8.4.4", true },
        { "8.8.4.4", "8.8.4.5", false },
        { "8.8.4.4", "::ffff:8.8.4.4", true },
        { "8.8.4.4", "64:ff9b::808:404", true },
        { "8.8.4.4", "2002:808:404::1", true },
        { "2a00:1450::7", "2a00:1450::7", true },
        { "2a00:1450::7", "2a00:1450::8", false },
        { "2a00:1450::7", "8.8.4.4", false },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sockaddr_storage own, asked;
        as_address(rows[i].own, &own);
        as_address(rows[i].asked, &asked);
        struct ifaddrs one = { .ifa_addr = (struct sockaddr *)&own };
        struct ifaddrs list = { .ifa_next = &one }; /* an interface without an address */
        if (mgi_guard_is_among(&list, (struct sockaddr *)&asked) != rows[i].is)
            fail_msg("%s among %s", rows[i].asked, rows[i].own);
    }
}

/* In a network of our own, whose loopback gets a public address. */
static int be_public(const char *text)
{
    struct ifreq about = { .ifr_name = "lo" };
    struct sockaddr_storage at;
    if (unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0)
        return 77;
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (!mgi_guard_literal(str_of(text), &at))
        return 2;
    if (mgi_guard_is_own((struct sockaddr *)&at))
        return 3;
    memcpy(&about.ifr_addr, &at, sizeof about.ifr_addr);
    if (fd < 0 || ioctl(fd, SIOCSIFADDR, &about) != 0)
        return 77;
    about.ifr_flags = IFF_UP;
    if (ioctl(fd, SIOCSIFFLAGS, &about) != 0)
        return 77;
    return mgi_guard_is_own((struct sockaddr *)&at) &&
                   mgi_guard_refuses(STR_LIT(""), STR_LIT("http://8.8.4.4:3000/")) &&
                   !mgi_guard_refuses(STR_LIT("8.8.4.4:3000"), STR_LIT("http://8.8.4.4:3000/"))
               ? 0
               : 1;
}

static void test_a_public_address_of_this_machine_is_internal(void **state)
{
    (void)state;
    int status = 0;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        _exit(be_public("8.8.4.4"));
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) == 77)
        skip(); /* no networks of one's own here */
    assert_int_equal(WEXITSTATUS(status), 0);
}

static void test_what_is_allowed_needs_no_proxy(void **state)
{
    (void)state;
    struct buf out = { 0 };
    mgi_guard_bypass(STR_LIT("a.test http://127.0.0.1:81 https://b.test ::1 *.c;d [::1]:5 * "
                             "localhost https://x.localhost"),
                     &out);
    /* A name may lead anywhere by tomorrow: the proxy looks. */
    assert_string_equal(out.ptr, ";127.0.0.1:81;[::1];[::1]:5;localhost;x.localhost:443");
    mgi_buf_fini(&out);
    mgi_guard_excludes(STR_LIT("a.test http://127.0.0.1:81 [::1]:5 localhost *"), &out);
    assert_string_equal(out.ptr, ", EXCLUDE 127.0.0.1, EXCLUDE ::1, EXCLUDE localhost");
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
    struct guard_proxy *proxy =
        mgi_guard_proxy_new(&(struct guard_reach){ .allow = str_of(allow) }, &why);
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

/* ---- names that somebody else owns ---------------------------------------------------------- */

static atomic_int asked; /* times that names were resolved */

/* "first.X" leads to this machine from the start, others from the second time on. */
static int resolve_turning(const char *name, const char *service, const struct addrinfo *wanted,
                           struct addrinfo **found)
{
    int time = atomic_fetch_add(&asked, 1);
    bool inside = strncasecmp(name, "first.", 6) == 0 || time > 0;
    return getaddrinfo(inside ? "127.0.0.1" : "8.8.4.4", service, wanted, found);
}

static int ask_named(const char *allow, const char *page, const char *name, unsigned port,
                     int times)
{
    const char *why;
    int fd, answer = -1;
    struct guard_reach reach = { .allow = str_of(allow),
                                 .page = str_of(page),
                                 .resolve = resolve_turning };
    atomic_store(&asked, 0);
    struct guard_proxy *proxy = mgi_guard_proxy_new(&reach, &why);
    assert_non_null(proxy);
    for (int i = 0; i < times; i++) {
        atomic_store(&asked, i);
        if (i + 1 < times) { /* as if it had been asked for: what is public is not waited for */
            fd = connect_port(mgi_guard_proxy_port(proxy));
            unsigned char wish[300] = { 5, 1, 0, 5, 1, 0, 3 };
            wish[7] = (unsigned char)strlen(name);
            memcpy(wish + 8, name, strlen(name));
            wish[8 + strlen(name)] = (unsigned char)(port >> 8);
            wish[9 + strlen(name)] = (unsigned char)port;
            send(fd, wish, 10 + strlen(name), MSG_NOSIGNAL);
            for (int k = 0; k < 2000 && atomic_load(&asked) == i; k++)
                nanosleep(&(struct timespec){ .tv_nsec = 5000000 }, NULL);
            nanosleep(&(struct timespec){ .tv_nsec = 50000000 }, NULL);
        } else {
            answer = ask_proxy(proxy, name, port, &fd);
        }
        close(fd);
    }
    mgi_guard_proxy_free(proxy);
    return answer;
}

static void test_an_allowed_name_leads_to_no_internal_address_of_its_own_accord(void **state)
{
    (void)state;
    struct site site;
    char page[64], address[64];
    assert_true(site_start(&site, pages));
    unsigned port = site.port;
    snprintf(address, sizeof address, "first.test 127.0.0.1:%u", port);
    snprintf(page, sizeof page, "http://first.test:%u/", port);
    /* allowed, but it is its owner who says where it leads */
    assert_int_equal(ask_named("first.test", "", "first.test", port, 1), 2);
    /* unless the operator has allowed that address, for that port */
    assert_int_equal(ask_named(address, "", "first.test", port, 1), 0);
    assert_int_equal(ask_named("first.test 127.0.0.1:1", "", "first.test", port, 1), 2);
    assert_int_equal(ask_named("first.test localhost", "", "first.test", port, 1), 0);
    /* which makes no name of somebody else's good */
    assert_int_equal(ask_named("127.0.0.1", "", "first.other", port, 1), 2);
    /* the operator's page may be an internal one, */
    assert_int_equal(ask_named("first.test", page, "FIRST.test", port, 1), 0);
    /* but does not become one */
    snprintf(page, sizeof page, "http://later.test:%u/", port);
    assert_int_equal(ask_named("later.test", page, "later.test", port, 2), 2);
    site_stop(&site);
}

/* ---- the end -------------------------------------------------------------------------------- */

#define ECHOED ((size_t)16 << 20)
#define TIMES  8

/* Says everything several times, and reads no more before that has been taken. */
static void *echo_all(void *context)
{
    static char bytes[65536];
    int fd = accept(*(int *)context, NULL, NULL);
    ssize_t n;
    while ((n = recv(fd, bytes, sizeof bytes, 0)) > 0)
        for (int i = 0; i < TIMES; i++)
            if (send(fd, bytes, (size_t)n, MSG_NOSIGNAL) != n)
                break;
    close(fd);
    return NULL;
}

static void *send_much(void *context)
{
    static char bytes[65536];
    int fd = *(int *)context;
    size_t sent = 0;
    for (ssize_t n; sent < ECHOED && (n = send(fd, bytes, sizeof bytes, MSG_NOSIGNAL)) > 0;)
        sent += (size_t)n;
    shutdown(fd, SHUT_WR);
    return NULL;
}

static void test_both_ways_go_on_where_one_is_full(void **state)
{
    (void)state;
    static char bytes[65536];
    struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t len = sizeof at;
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), client;
    char allow[32];
    const char *why;
    pthread_t echo, sender;
    size_t came = 0;
    assert_int_equal(bind(listener, (struct sockaddr *)&at, len), 0);
    assert_int_equal(listen(listener, 1), 0);
    getsockname(listener, (struct sockaddr *)&at, &len);
    snprintf(allow, sizeof allow, "127.0.0.1:%d", ntohs(at.sin_port));
    struct guard_proxy *proxy =
        mgi_guard_proxy_new(&(struct guard_reach){ .allow = str_of(allow) }, &why);
    assert_int_equal(pthread_create(&echo, NULL, echo_all, &listener), 0);
    assert_int_equal(ask_proxy(proxy, "127.0.0.1", ntohs(at.sin_port), &client), 0);
    const struct timeval patience = { .tv_sec = 15 };
    setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    assert_int_equal(pthread_create(&sender, NULL, send_much, &client), 0);
    for (ssize_t n; (n = recv(client, bytes, sizeof bytes, 0)) > 0;)
        came += (size_t)n;
    shutdown(client, SHUT_RDWR);
    mgi_guard_proxy_free(proxy);
    pthread_join(sender, NULL);
    pthread_join(echo, NULL);
    close(client);
    close(listener);
    assert_int_equal(came, ECHOED * TIMES);
}

static int threads_here(void)
{
    int count = 0;
    DIR *all = opendir("/proc/self/task");
    assert_non_null(all);
    for (struct dirent *one; (one = readdir(all));)
        count += one->d_name[0] != '.';
    closedir(all);
    return count;
}

static void test_no_thread_outlives_the_proxy(void **state)
{
    (void)state;
    struct site site;
    const char *why;
    char allow[64];
    int fds[24];
    assert_true(site_start(&site, pages));
    snprintf(allow, sizeof allow, "127.0.0.1:%u", site.port);
    int before = threads_here();
    for (int round = 0; round < 5; round++) {
        struct guard_proxy *proxy =
            mgi_guard_proxy_new(&(struct guard_reach){ .allow = str_of(allow) }, &why);
        assert_non_null(proxy);
        for (size_t i = 0; i < sizeof fds / sizeof *fds; i++)
            assert_int_equal(ask_proxy(proxy, "127.0.0.1", site.port, &fds[i]), 0);
        mgi_guard_proxy_free(proxy);
        int after = threads_here();
        for (size_t i = 0; i < sizeof fds / sizeof *fds; i++)
            close(fds[i]);
        assert_int_equal(after, before);
    }
    site_stop(&site);
}

static atomic_bool resolver_may_end;

static int resolve_never(const char *name, const char *service, const struct addrinfo *wanted,
                         struct addrinfo **found)
{
    (void)name;
    (void)service;
    (void)wanted;
    (void)found;
    atomic_fetch_add(&asked, 1);
    while (!atomic_load(&resolver_may_end))
        nanosleep(&(struct timespec){ .tv_nsec = 5000000 }, NULL);
    return EAI_AGAIN;
}

static void test_a_resolver_that_hangs_holds_nobody_up_for_ever(void **state)
{
    (void)state;
    const char *why;
    struct timespec begin, end;
    int before = threads_here();
    atomic_store(&asked, 0);
    struct guard_proxy *proxy = mgi_guard_proxy_new(
        &(struct guard_reach){ .allow = STR_LIT(""), .resolve = resolve_never }, &why);
    assert_non_null(proxy);
    int fd = connect_port(mgi_guard_proxy_port(proxy));
    send(fd, "\5\1\0\5\1\0\3\1a\0\120", 11, MSG_NOSIGNAL);
    while (atomic_load(&asked) == 0)
        nanosleep(&(struct timespec){ .tv_nsec = 5000000 }, NULL);
    clock_gettime(CLOCK_MONOTONIC, &begin);
    mgi_guard_proxy_free(proxy);
    clock_gettime(CLOCK_MONOTONIC, &end);
    assert_true(end.tv_sec - begin.tv_sec < 30);
    atomic_store(&resolver_may_end, true);
    close(fd);
    for (int i = 0; i < 2000 && threads_here() > before; i++)
        nanosleep(&(struct timespec){ .tv_nsec = 5000000 }, NULL);
    assert_int_equal(threads_here(), before);
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
    struct guard_proxy *proxy =
        mgi_guard_proxy_new(&(struct guard_reach){ .allow = STR_LIT("") }, &why);
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
        cmocka_unit_test(test_an_address_of_this_machine_is_known_in_whatever_form),
        cmocka_unit_test(test_a_public_address_of_this_machine_is_internal),
        cmocka_unit_test(test_what_is_allowed_needs_no_proxy),
        cmocka_unit_test(test_the_proxy_judges_what_a_name_leads_to),
        cmocka_unit_test(test_an_allowed_name_leads_to_no_internal_address_of_its_own_accord),
        cmocka_unit_test(test_both_ways_go_on_where_one_is_full),
        cmocka_unit_test(test_no_thread_outlives_the_proxy),
        cmocka_unit_test(test_a_resolver_that_hangs_holds_nobody_up_for_ever),
        cmocka_unit_test(test_the_proxy_bears_nonsense_and_ends_with_connections_open),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
