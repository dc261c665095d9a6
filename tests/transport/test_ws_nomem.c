/* A session survives the failure of any allocation from its upgrade to its end: it is refused,
 * told, or ended, and nothing is left. Messages for the server's workers are left out: which
 * allocation is the nth would be chance. */
#include "support/nomem.h"
#include "transport/ws_rig.h"

/* What the client says behind the upgrade, and what it hears: with room of their own, so that only
 * the server's allocations fail. */
static struct buf said, heard;

/* True if the last thing that was asked for came. */
static bool converse(struct ws_rig *r)
{
    int fd = rig_connect(&r->http);
    mgi_buf_clear(&heard);
    bool open = rig_try_send(&r->http, fd, UPGRADE "\r\n", strlen(UPGRADE "\r\n")) &&
                rig_read_until(&r->http, fd, &heard, "\"extensions\":{");
    bool good = open && rig_try_send(&r->http, fd, said.ptr, said.len / 2) &&
                rig_try_send(&r->http, fd, said.ptr + said.len / 2, said.len - said.len / 2) &&
                rig_read_until(&r->http, fd, &heard, "\x88\x02\x03\xe8");
    close(fd);
    for (int i = 0; i < 3000 && mgi_http_connections(r->http.listener) > 0; i++)
        rig_turn(&r->http);
    return good;
}

static void test_any_allocation_of_a_session_may_fail(void **state)
{
    const struct net_limits limits = { .linger_ms = 100 };
    struct ws_rig r;
    size_t n;
    (void)state;
    ws_rig_begin(&r, &limits, NULL, false);
    assert_true(converse(&r));
    for (n = 1;; n++) {
        nomem_fail_at(n);
        bool good = converse(&r), failed = nomem_failed();
        nomem_fail_at(0);
        assert_int_equal(mgi_ws_sessions(r.api), 0);
        assert_int_equal(r.http.net->budget.used, 0);
        if (!failed) {
            assert_true(good);
            break;
        }
    }
    assert_true(n > 10);
    assert_true(converse(&r));
    ws_rig_end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_allocation_of_a_session_may_fail),
    };
    char large[3000];
    memset(large, 'x', sizeof large);
    put_frame(&said, 0x82, STR_LIT("{}"), true);                       /* a fault is told */
    put_frame(&said, 0x01, (struct str){ large, sizeof large }, true); /* a message is kept */
    put_frame(&said, 0x89, STR_LIT("pong"), true);
    put_frame(&said, 0x88, STR_LIT("\x03\xe8"), true);
    mgi_buf_reserve(&heard, 65536);
    int failures = cmocka_run_group_tests_name("transport/test_ws_nomem", tests, NULL, NULL);
    mgi_buf_fini(&said);
    mgi_buf_fini(&heard);
    return failures;
}
