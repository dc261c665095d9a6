/* TLS engines, two of them with a wire of memory between. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <openssl/ssl.h>

#include "base/time.h"
#include "net/tls_made.h"

static struct made authority, server, client;

static int make_all(void **state)
{
    (void)state;
    authority =
        make_certificate(&(struct made_options){ .name = "Authority", .is_authority = true });
    server = make_certificate(&(struct made_options){
        .name = "server", .names = "DNS:example.test,IP:127.0.0.1", .issuer = &authority });
    client = make_certificate(&(struct made_options){
        .name = "Bob \xc3\x84, \"the\" client",
        .names = "DNS:bob.test,email:bob@example.test,URI:spiffe://x/bob,IP:10.0.0.1,IP:fe80::1",
        .issuer = &authority });
    return 0;
}

static int free_all(void **state)
{
    (void)state;
    made_free(&authority);
    made_free(&server);
    made_free(&client);
    return 0;
}

/* A server that asks nobody, and a client that trusts it. */
static struct pair plain_pair(const char *host)
{
    struct tls_context *s = serve_made(&server, NULL, false);
    struct tls_context *c = trust_made(authority.certificate_pem, NULL);
    struct pair p = pair_of(s, c, host);
    mgi_tls_context_unref(s); /* the engines keep theirs */
    mgi_tls_context_unref(c);
    return p;
}

static void assert_open(const struct pair *p)
{
    if (!mgi_tls_is_open(p->server) || !mgi_tls_is_open(p->client))
        fail_msg("server: %s; client: %s", mgi_tls_why(p->server), mgi_tls_why(p->client));
}

static void assert_hears(struct tls *t, const char *expected)
{
    char out[256];
    size_t len, at = 0;
    while (at < strlen(expected)) {
        assert_int_equal(mgi_tls_read(t, out, sizeof out, &len), TLS_OK);
        assert_memory_equal(out, expected + at, len);
        at += len;
    }
    assert_int_equal(mgi_tls_read(t, out, sizeof out, &len), TLS_AGAIN);
}

static void test_both_sides_speak_and_agree_on_tls_1_3_and_http(void **state)
{
    (void)state;
    struct pair p = plain_pair("example.test");
    shake_hands(&p);
    assert_open(&p);
    assert_string_equal(mgi_tls_version(p.server), "TLSv1.3"); /* P-TLS-2 */
    assert_true(mgi_tls_spoke_alpn(p.server) && mgi_tls_spoke_alpn(p.client));
    assert_null(mgi_tls_identity(p.server));
    assert_string_equal(mgi_tls_identity(p.client)->subject, "CN=server");
    assert_int_equal(mgi_tls_write(p.client, STR_LIT("hello")), TLS_OK);
    assert_int_equal(mgi_tls_write(p.client, STR_LIT(" server")), TLS_OK);
    carry(p.client, p.server, 0);
    assert_hears(p.server, "hello server");
    assert_int_equal(mgi_tls_write(p.server, STR_LIT("hello client")), TLS_OK);
    carry(p.server, p.client, 1);
    assert_hears(p.client, "hello client");
    pair_free(&p);
}

static void test_the_wire_may_be_cut_at_every_byte(void **state)
{
    (void)state;
    for (size_t cut = 1; cut < 40; cut += cut < 8 ? 1 : 7) {
        struct pair p = plain_pair("127.0.0.1");
        p.cut = cut;
        shake_hands(&p);
        assert_open(&p);
        pair_free(&p);
    }
}

static void test_much_is_carried_whole(void **state)
{
    (void)state;
    struct pair p = plain_pair("example.test");
    size_t size = 300000, heard = 0, len;
    char *much = malloc(size), *got = malloc(size);
    assert_true(much && got);
    for (size_t i = 0; i < size; i++)
        much[i] = (char)(i * 7);
    shake_hands(&p);
    for (size_t at = 0; at < size; at += 100000) {
        assert_int_equal(mgi_tls_write(p.server, (struct str){ much + at, 100000 }), TLS_OK);
        struct str wire = mgi_tls_output(p.server);
        assert_true(mgi_tls_feed(p.client, wire));
        mgi_tls_sent(p.server);
        while (mgi_tls_read(p.client, got + heard, size - heard, &len) == TLS_OK)
            heard += len;
    }
    assert_int_equal(heard, size);
    assert_memory_equal(got, much, size);
    assert_int_equal(mgi_tls_held(p.client) + mgi_tls_held(p.server), 0); /* idle: no buffer */
    free(much);
    free(got);
    pair_free(&p);
}

static void test_a_client_of_tls_1_2_is_served_and_one_of_1_1_is_refused(void **state)
{
    (void)state;
    static const int versions[] = { TLS1_2_VERSION, TLS1_1_VERSION };
    for (size_t i = 0; i < 2; i++) {
        struct tls_context *s = serve_made(&server, NULL, false);
        struct tls *t = mgi_tls_new(s, NULL, NOW_NS);
        SSL_CTX *other =
            SSL_CTX_new(TLS_client_method()); /* not ours: it may be as old as it likes */
        SSL_CTX_set_security_level(other, 0);
        SSL_CTX_set_min_proto_version(other, TLS1_1_VERSION);
        SSL_CTX_set_max_proto_version(other, versions[i]);
        SSL_CTX_set_cipher_list(other, "ALL:@SECLEVEL=0");
        SSL *ssl = SSL_new(other);
        BIO *in = BIO_new(BIO_s_mem()), *out = BIO_new(BIO_s_mem());
        SSL_set_bio(ssl, in, out);
        SSL_set_connect_state(ssl);
        enum tls_status status = TLS_AGAIN;
        for (int k = 0; k < 6 && status == TLS_AGAIN; k++) {
            char *bytes;
            SSL_do_handshake(ssl);
            long len = BIO_get_mem_data(out, &bytes);
            assert_true(mgi_tls_feed(t, (struct str){ bytes, (size_t)len }));
            BIO_reset(out);
            status = mgi_tls_handshake(t);
            struct str answer = mgi_tls_output(t);
            BIO_write(in, answer.ptr, (int)answer.len);
            mgi_tls_sent(t);
        }
        if (versions[i] == TLS1_2_VERSION) { /* P-TLS-1 */
            assert_int_equal(status, TLS_OK);
            assert_string_equal(mgi_tls_version(t), "TLSv1.2");
            assert_non_null(strstr(mgi_tls_cipher(t), "ECDHE"));
        } else {
            assert_int_equal(status, TLS_FAILED);
            assert_non_null(strstr(mgi_tls_why(t), "unsupported protocol"));
        }
        SSL_free(ssl);
        SSL_CTX_free(other);
        mgi_tls_free(t);
        mgi_tls_context_unref(s);
    }
}

static void assert_refused_by_client(const char *host, struct tls_context *s, struct tls_context *c,
                                     const char *why)
{
    struct pair p = pair_of(s, c, host);
    shake_hands(&p);
    assert_false(mgi_tls_is_open(p.client));
    if (!strstr(mgi_tls_why(p.client), why))
        fail_msg("it says: %s", mgi_tls_why(p.client));
    pair_free(&p);
    mgi_tls_context_unref(s);
    mgi_tls_context_unref(c);
}

static void test_a_client_refuses_a_server_that_is_not_the_one_it_wants(void **state)
{
    (void)state;
    const char *ca = authority.certificate_pem;
    assert_refused_by_client("other.test", serve_made(&server, NULL, false), trust_made(ca, NULL),
                             "hostname mismatch");
    assert_refused_by_client("127.0.0.2", serve_made(&server, NULL, false), trust_made(ca, NULL),
                             "IP address mismatch");
    assert_refused_by_client("example.test", serve_made(&server, NULL, false),
                             trust_made(client.certificate_pem, NULL), "local issuer certificate");
}

static void test_certificates_are_judged_by_the_time_that_is_given(void **state)
{
    (void)state;
    struct tls_context *s = serve_made(&server, NULL, false);
    struct tls_context *c = trust_made(authority.certificate_pem, NULL);
    struct pair p = { .server = mgi_tls_new(s, NULL, NOW_NS),
                      .client = mgi_tls_new(c, "example.test",
                                            NOW_NS + INT64_C(366) * DAY * 1000000000) };
    shake_hands(&p);
    assert_false(mgi_tls_is_open(p.client));
    assert_non_null(strstr(mgi_tls_why(p.client), "expired"));
    pair_free(&p);
    mgi_tls_context_unref(s);
    mgi_tls_context_unref(c);
}

/* ---- clients' certificates */

static struct pair mutual_pair(const struct made *shown, bool optional)
{
    struct tls_context *s = serve_made(&server, authority.certificate_pem, optional);
    struct tls_context *c = trust_made(authority.certificate_pem, shown);
    struct pair p = pair_of(s, c, "example.test");
    mgi_tls_context_unref(s);
    mgi_tls_context_unref(c);
    shake_hands(&p);
    return p;
}

static void test_a_certificate_that_a_client_shows_is_its_identity(void **state)
{
    (void)state;
    for (int optional = 0; optional < 2; optional++) {
        struct pair p = mutual_pair(&client, optional);
        assert_open(&p);
        const struct tls_identity *id = mgi_tls_identity(p.server);
        assert_non_null(id);
        assert_string_equal(id->subject, "CN=Bob \\C3\\84\\, \\\"the\\\" client");
        assert_int_equal(id->count, 5);
        assert_string_equal(id->names[0], "DNS:bob.test");
        assert_string_equal(id->names[1], "email:bob@example.test");
        assert_string_equal(id->names[2], "URI:spiffe://x/bob");
        assert_string_equal(id->names[3], "IP:10.0.0.1");
        assert_string_equal(id->names[4], "IP:fe80::1");
        assert_int_equal(strlen(id->fingerprint), TLS_FINGERPRINT_TEXT);
        assert_ptr_equal(mgi_tls_identity(p.server), id);
        pair_free(&p);
    }
}

static void test_a_client_without_a_certificate_is_refused_unless_that_is_optional(void **state)
{
    (void)state;
    struct pair p = mutual_pair(NULL, false);
    assert_false(mgi_tls_is_open(p.server));
    assert_non_null(strstr(mgi_tls_why(p.server), "peer did not return a certificate"));
    pair_free(&p);
    p = mutual_pair(NULL, true);
    assert_open(&p);
    assert_null(mgi_tls_identity(p.server));
    pair_free(&p);
}

static void test_a_certificate_that_nobody_trusts_is_refused_also_where_none_is_needed(void **state)
{
    (void)state;
    struct made stranger = make_certificate(&(struct made_options){ .name = "stranger" });
    struct made late = make_certificate(&(struct made_options){
        .name = "late", .issuer = &authority, .from_days = -20, .until_days = -10 });
    const struct made *shown[] = { &stranger, &late };
    for (int i = 0; i < 4; i++) {
        struct pair p = mutual_pair(shown[i / 2], i % 2);
        assert_false(mgi_tls_is_open(p.server));
        assert_null(mgi_tls_identity(p.server));
        assert_non_null(strstr(mgi_tls_why(p.server), i < 2 ? "self-signed" : "expired"));
        pair_free(&p);
    }
    made_free(&stranger);
    made_free(&late);
}

/* ---- trials */

static void test_a_trial_certificate_is_accepted_by_its_fingerprint_and_by_its_text(void **state)
{
    (void)state;
    struct buf certificate = { 0 }, key = { 0 };
    struct tls_report report = { 0 };
    assert_true(mgi_tls_make_certificate("192.0.2.7", NOW_NS, 7, &certificate, &key));
    struct tls_server_options o = {
        .certificate = { "trial", mgi_buf_view(&certificate) },
        .key = { "trial", mgi_buf_view(&key) },
        .is_trial = true,
        .now_ns = NOW_NS,
    };
    struct tls_context *s = mgi_tls_server_new(&o, &report);
    assert_non_null(s);
    assert_int_equal(report.warnings.len, 0);
    char fingerprint[TLS_FINGERPRINT_TEXT + 1], colons[3 * 32 + 1];
    mgi_tls_fingerprint(s, fingerprint);
    for (size_t i = 0; i < 32; i++)
        snprintf(colons + 3 * i, 4, "%.2s:", fingerprint + 2 * i);
    colons[3 * 32 - 1] = '\0';
    struct tls_client_options pinned[] = {
        { .fingerprint = fingerprint, .now_ns = NOW_NS },
        { .fingerprint = colons, .now_ns = NOW_NS },
        { .ca = { "trial", mgi_buf_view(&certificate) }, .now_ns = NOW_NS },
    };
    static const char *const hosts[] = { "localhost", "127.0.0.1", "::1", "192.0.2.7" };
    for (size_t i = 0; i < 12; i++) {
        struct tls_context *c = mgi_tls_client_new(&pinned[i / 4], &report);
        assert_non_null(c);
        struct pair p = pair_of(s, c, hosts[i % 4]);
        shake_hands(&p);
        assert_open(&p);
        pair_free(&p);
        mgi_tls_context_unref(c);
    }
    fingerprint[0] = fingerprint[0] == '0' ? '1' : '0';
    struct tls_context *c = mgi_tls_client_new(&pinned[0], &report);
    assert_refused_by_client("localhost", mgi_tls_context_ref(s), c, "certificate not trusted");
    mgi_tls_context_unref(s);
    mgi_tls_report_fini(&report);
    mgi_buf_fini(&certificate);
    mgi_tls_wipe(&key);
}

static void test_a_trial_goes_on_with_its_key_and_another_time(void **state)
{
    const int64_t week = 7 * 86400 * NS_PER_SEC;
    char first[TLS_FINGERPRINT_TEXT + 1], second[TLS_FINGERPRINT_TEXT + 1];
    struct tls_report report = { 0 };
    struct buf pins[2] = { { 0 } };
    (void)state;
    struct tls_context *before = mgi_tls_trial_new("host.test", NOW_NS, &report);
    assert_non_null(before);
    struct tls_context *after =
        mgi_tls_trial_again(before, "host.test", NOW_NS + week - NS_PER_SEC, &report);
    assert_non_null(after);
    mgi_tls_pin(before, &pins[0]);
    mgi_tls_pin(after, &pins[1]);
    assert_true(pins[0].len > 0 && str_eq(mgi_buf_view(&pins[0]), mgi_buf_view(&pins[1])));
    mgi_tls_fingerprint(before, first);
    mgi_tls_fingerprint(after, second);
    assert_string_not_equal(first, second);
    struct tls_client_options options = { .fingerprint = second, .now_ns = NOW_NS };
    struct tls_context *c = mgi_tls_client_new(&options, &report);
    assert_non_null(c);
    struct pair p = pair_of(after, c, "host.test");
    shake_hands(&p);
    assert_open(&p);
    const struct tls_identity *shown = mgi_tls_identity(p.client);
    assert_non_null(shown);
    assert_int_equal(shown->expires_ns / NS_PER_SEC, (NOW_NS + 2 * week) / NS_PER_SEC - 1);
    pair_free(&p);
    mgi_tls_context_unref(c);
    mgi_tls_context_unref(before);
    mgi_tls_context_unref(after);
    mgi_tls_report_fini(&report);
    mgi_buf_fini(&pins[0]);
    mgi_buf_fini(&pins[1]);
}

static void test_a_trial_certificate_is_made_for_no_host_that_is_none(void **state)
{
    (void)state;
    struct buf certificate = { 0 }, key = { 0 };
    assert_false(mgi_tls_make_certificate("a,DNS:b", NOW_NS, 7, &certificate, &key));
    assert_true(mgi_tls_make_certificate("0.0.0.0", NOW_NS, 7, &certificate, &key));
    mgi_buf_fini(&certificate);
    mgi_tls_wipe(&key);
    assert_null(key.ptr);
}

/* ---- the end, and what is no TLS */

static void test_saying_the_end_is_heard(void **state)
{
    (void)state;
    char out[16];
    size_t len;
    struct pair p = plain_pair("example.test");
    shake_hands(&p);
    mgi_tls_write(p.client, STR_LIT("bye"));
    mgi_tls_close(p.client);
    mgi_tls_close(p.client); /* once is enough */
    carry(p.client, p.server, 0);
    assert_int_equal(mgi_tls_read(p.server, out, sizeof out, &len), TLS_OK);
    assert_int_equal(mgi_tls_read(p.server, out, sizeof out, &len), TLS_ENDED);
    assert_int_equal(mgi_tls_write(p.server, STR_LIT("you, too")), TLS_OK); /* we may go on */
    mgi_tls_close(p.server);
    assert_true(mgi_tls_output(p.server).len > 0);
    assert_true(mgi_tls_feed(p.server, STR_LIT("nobody reads this")));
    assert_int_equal(mgi_tls_read(p.server, out, sizeof out, &len), TLS_ENDED);
    assert_int_equal(mgi_tls_held(p.server) > 0, true);
    mgi_tls_sent(p.server);
    assert_int_equal(mgi_tls_held(p.server), 0);
    pair_free(&p);
}

static void assert_fails_on(struct str bytes, bool is_http)
{
    struct tls_context *s = serve_made(&server, NULL, false);
    struct tls *t = mgi_tls_new(s, NULL, NOW_NS);
    char out[8];
    size_t len;
    assert_true(mgi_tls_feed(t, bytes));
    assert_int_equal(mgi_tls_handshake(t), TLS_FAILED);
    assert_int_equal(mgi_tls_is_plain_http(t), is_http);
    assert_true(strlen(mgi_tls_why(t)) > 30);
    assert_int_equal(mgi_tls_handshake(t), TLS_FAILED); /* and so does everything after */
    assert_int_equal(mgi_tls_read(t, out, sizeof out, &len), TLS_FAILED);
    assert_int_equal(mgi_tls_write(t, STR_LIT("x")), TLS_FAILED);
    assert_true(mgi_tls_feed(t, bytes));
    assert_false(mgi_tls_is_open(t));
    mgi_tls_close(t);
    mgi_tls_free(t);
    mgi_tls_context_unref(s);
}

static void test_what_is_no_tls_fails_with_a_reason(void **state)
{
    (void)state;
    assert_fails_on(STR_LIT("GET / HTTP/1.1\r\nHost: x\r\n\r\n"), true);
    assert_fails_on(STR_LIT("\x16\x03\x01\x00\x05\x01\x00\x00\x01\x00"), false);
    assert_fails_on(STR_LIT("\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"), false);
}

static void test_a_damaged_record_breaks_the_connection_with_an_alert(void **state)
{
    (void)state;
    char out[16], wire[256];
    size_t len;
    struct pair p = plain_pair("example.test");
    shake_hands(&p);
    mgi_tls_write(p.client, STR_LIT("hello"));
    struct str sent = mgi_tls_output(p.client);
    assert_true(sent.len < sizeof wire);
    memcpy(wire, sent.ptr, sent.len);
    wire[sent.len - 1] ^= 1;
    assert_true(mgi_tls_feed(p.server, (struct str){ wire, sent.len }));
    assert_int_equal(mgi_tls_read(p.server, out, sizeof out, &len), TLS_FAILED);
    assert_int_equal(len, 0);
    assert_true(mgi_tls_output(p.server).len > 0); /* the alert */
    carry(p.server, p.client, 0);
    assert_int_equal(mgi_tls_read(p.client, out, sizeof out, &len), TLS_FAILED);
    assert_non_null(strstr(mgi_tls_why(p.client), "bad record mac"));
    pair_free(&p);
}

static void test_what_waits_is_bounded(void **state)
{
    (void)state;
    struct pair p = plain_pair("example.test");
    size_t size = TLS_INPUT_MAX;
    char *much = calloc(1, size + 1);
    assert_non_null(much);
    assert_false(mgi_tls_feed(p.server, (struct str){ much, size + 1 }));
    assert_true(mgi_tls_feed(p.server, (struct str){ much, size }));
    assert_false(mgi_tls_feed(p.server, (struct str){ much, 1 }));
    free(much);
    pair_free(&p);
}

static void test_a_client_that_offers_only_other_protocols_is_refused(void **state)
{
    (void)state;
    struct tls_context *s = serve_made(&server, NULL, false);
    struct tls *t = mgi_tls_new(s, NULL, NOW_NS);
    SSL_CTX *other = SSL_CTX_new(TLS_client_method());
    SSL_CTX_set_alpn_protos(other, (const unsigned char *)"\x02h2", 3);
    SSL *ssl = SSL_new(other);
    BIO *out = BIO_new(BIO_s_mem());
    char *bytes;
    SSL_set_bio(ssl, BIO_new(BIO_s_mem()), out);
    SSL_set_connect_state(ssl);
    SSL_do_handshake(ssl);
    long len = BIO_get_mem_data(out, &bytes);
    assert_true(mgi_tls_feed(t, (struct str){ bytes, (size_t)len }));
    assert_int_equal(mgi_tls_handshake(t), TLS_FAILED);
    assert_non_null(strstr(mgi_tls_why(t), "no application protocol"));
    SSL_free(ssl);
    SSL_CTX_free(other);
    mgi_tls_free(t);
    mgi_tls_context_unref(s);
}

static void test_an_engine_keeps_its_context_when_another_takes_its_place(void **state)
{
    (void)state;
    struct pair p = plain_pair("example.test"); /* which has let go of both contexts */
    struct tls_context *next = serve_made(&client, NULL, false);
    shake_hands(&p);
    assert_open(&p);
    assert_string_equal(mgi_tls_identity(p.client)->subject, "CN=server");
    mgi_tls_context_unref(next);
    pair_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_both_sides_speak_and_agree_on_tls_1_3_and_http),
        cmocka_unit_test(test_the_wire_may_be_cut_at_every_byte),
        cmocka_unit_test(test_much_is_carried_whole),
        cmocka_unit_test(test_a_client_of_tls_1_2_is_served_and_one_of_1_1_is_refused),
        cmocka_unit_test(test_a_client_refuses_a_server_that_is_not_the_one_it_wants),
        cmocka_unit_test(test_certificates_are_judged_by_the_time_that_is_given),
        cmocka_unit_test(test_a_certificate_that_a_client_shows_is_its_identity),
        cmocka_unit_test(test_a_client_without_a_certificate_is_refused_unless_that_is_optional),
        cmocka_unit_test(
            test_a_certificate_that_nobody_trusts_is_refused_also_where_none_is_needed),
        cmocka_unit_test(test_a_trial_certificate_is_accepted_by_its_fingerprint_and_by_its_text),
        cmocka_unit_test(test_a_trial_goes_on_with_its_key_and_another_time),
        cmocka_unit_test(test_a_trial_certificate_is_made_for_no_host_that_is_none),
        cmocka_unit_test(test_saying_the_end_is_heard),
        cmocka_unit_test(test_what_is_no_tls_fails_with_a_reason),
        cmocka_unit_test(test_a_damaged_record_breaks_the_connection_with_an_alert),
        cmocka_unit_test(test_what_waits_is_bounded),
        cmocka_unit_test(test_a_client_that_offers_only_other_protocols_is_refused),
        cmocka_unit_test(test_an_engine_keeps_its_context_when_another_takes_its_place),
    };
    return cmocka_run_group_tests_name("net/test_tls", tests, make_all, free_all);
}
