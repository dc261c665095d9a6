/* Contexts, engines and handshakes survive the failure of any one allocation: ours, and OpenSSL's,
 * which are led through the same door here. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <openssl/crypto.h>

#include "base/alloc.h"
#include "net/tls_made.h"
#include "support/nomem.h"

static struct made authority, server, client;

static void *crypto_alloc(size_t size, const char *file, int line)
{
    (void)file, (void)line;
    return mgi_alloc(size);
}

static void *crypto_realloc(void *p, size_t size, const char *file, int line)
{
    (void)file, (void)line;
    return mgi_realloc(p, size);
}

static void crypto_free(void *p, const char *file, int line)
{
    (void)file, (void)line;
    mgi_free(p);
}

/* A whole conversation; false if it came to nothing, for want of memory. */
static bool converse(void)
{
    struct tls_report report = { 0 };
    struct tls_server_options serve = {
        .certificate = pem_of("cert.pem", server.certificate_pem),
        .key = pem_of("key.pem", server.key_pem),
        .client_ca = pem_of("ca.pem", authority.certificate_pem),
        .now_ns = NOW_NS,
    };
    struct tls_client_options connect = {
        .ca = pem_of("ca.pem", authority.certificate_pem),
        .certificate = pem_of("own.pem", client.certificate_pem),
        .key = pem_of("own.key", client.key_pem),
        .now_ns = NOW_NS,
    };
    struct tls_context *s = mgi_tls_server_new(&serve, &report);
    struct tls_context *c = s ? mgi_tls_client_new(&connect, &report) : NULL;
    struct tls *a = c ? mgi_tls_new(s, NULL, NOW_NS) : NULL;
    struct tls *b = a ? mgi_tls_new(c, "example.test", NOW_NS) : NULL;
    bool heard = false;
    for (int i = 0; b && i < 6; i++) {
        mgi_tls_handshake(b);
        struct str wire = mgi_tls_output(b);
        if (!mgi_tls_feed(a, wire))
            break;
        mgi_tls_sent(b);
        mgi_tls_handshake(a);
        wire = mgi_tls_output(a);
        if (!mgi_tls_feed(b, wire))
            break;
        mgi_tls_sent(a);
    }
    if (b && mgi_tls_is_open(a) && mgi_tls_is_open(b) && mgi_tls_identity(a) &&
        mgi_tls_write(b, STR_LIT("hello")) == TLS_OK) {
        char out[8];
        size_t len = 0;
        heard = mgi_tls_feed(a, mgi_tls_output(b)) &&
                mgi_tls_read(a, out, sizeof out, &len) == TLS_OK && len == 5;
    }
    mgi_tls_free(a);
    mgi_tls_free(b);
    mgi_tls_context_unref(s);
    mgi_tls_context_unref(c);
    mgi_tls_report_fini(&report);
    return heard;
}

static void test_any_allocation_of_a_conversation_may_fail(void **state)
{
    (void)state;
    size_t n, lost = 0;
    assert_true(converse());        /* what OpenSSL keeps for the process is there now */
    for (n = 1;; n += 1 + n / 80) { /* nearly all of the first hundred, which are ours */
        nomem_fail_at(n);
        bool heard = converse();
        bool failed = nomem_failed();
        nomem_fail_at(0);
        if (!failed) {
            assert_true(heard);
            break;
        }
        lost += !heard;
        if (n % 8 == 0 && !converse())
            fail_msg("after the failure of allocation %zu nothing works any more", n);
    }
    print_message("# %zu allocations, %zu conversations lost\n", n, lost);
    assert_true(lost > 50);
}

static bool make_trial(void)
{
    struct buf certificate = { 0 }, key = { 0 };
    bool ok = mgi_tls_make_certificate("host.test", NOW_NS, 7, &certificate, &key);
    mgi_buf_fini(&certificate);
    mgi_tls_wipe(&key);
    return ok;
}

static void test_any_allocation_of_a_trial_certificate_may_fail(void **state)
{
    (void)state;
    assert_true(make_trial());
    for (size_t n = 1;; n++) {
        nomem_fail_at(n);
        bool made = make_trial(), failed = nomem_failed();
        nomem_fail_at(0);
        if (!failed) {
            assert_true(made);
            break;
        }
    }
    assert_true(make_trial());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_allocation_of_a_conversation_may_fail),
        cmocka_unit_test(test_any_allocation_of_a_trial_certificate_may_fail),
    };
    make_must(CRYPTO_set_mem_functions(crypto_alloc, crypto_realloc, crypto_free) == 1);
    authority =
        make_certificate(&(struct made_options){ .name = "Authority", .is_authority = true });
    server = make_certificate(&(struct made_options){
        .name = "server", .names = "DNS:example.test", .issuer = &authority });
    client = make_certificate(&(struct made_options){
        .name = "client", .names = "DNS:client.test", .issuer = &authority });
    int failures = cmocka_run_group_tests_name("net/test_tls_nomem", tests, NULL, NULL);
    made_free(&authority);
    made_free(&server);
    made_free(&client);
    return failures;
}
