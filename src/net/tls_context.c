/* Contexts: one SSL_CTX each, set up once and never changed, so that any thread may make engines
 * from it. Its reference count is the only thing that changes. */
#include <openssl/err.h>
#include <openssl/x509v3.h>

#include "base/alloc.h"
#include "base/encode.h"
#include "net/tls_int.h"
#include "sys/digest.h"

/* Forward secret and authenticated, in the order of what servers without AES instructions like. */
static const char ciphers[] = "ECDHE+AESGCM:ECDHE+CHACHA20:!aNULL";
static const char groups[] = "X25519:P-256:P-384";

static const unsigned char alpn_http[] = "\x08http/1.1";

#define CHAIN_MAX_BYTES (32 * 1024) /* of a peer's certificates; a usual chain has 4 KiB */
#define CHAIN_MAX_DEPTH 8

static struct tls_context *context_new(const SSL_METHOD *method, bool is_server)
{
    struct tls_context *c = mgi_calloc(1, sizeof *c);
    if (!c)
        return NULL;
    atomic_init(&c->references, 1);
    c->is_server = is_server;
    c->ssl = SSL_CTX_new(method);
    c->bio = mgi_tls_bio_method();
    if (c->ssl && c->bio)
        return c;
    mgi_tls_context_unref(c);
    return NULL;
}

struct tls_context *mgi_tls_context_ref(struct tls_context *c)
{
    atomic_fetch_add_explicit(&c->references, 1, memory_order_relaxed);
    return c;
}

void mgi_tls_context_unref(struct tls_context *c)
{
    if (!c || atomic_fetch_sub_explicit(&c->references, 1, memory_order_acq_rel) > 1)
        return;
    SSL_CTX_free(c->ssl);
    BIO_meth_free(c->bio);
    mgi_free(c);
}

/* ---- what all have in common ------------------------------------------------------------- */

static bool set_protocol(SSL_CTX *ssl)
{
    SSL_CTX_set_mode(ssl, SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ENABLE_PARTIAL_WRITE);
    SSL_CTX_set_options(ssl, SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_TICKET |
                                 SSL_OP_CIPHER_SERVER_PREFERENCE);
    SSL_CTX_set_session_cache_mode(ssl, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_max_cert_list(ssl, CHAIN_MAX_BYTES);
    SSL_CTX_set_verify_depth(ssl, CHAIN_MAX_DEPTH);
    return SSL_CTX_set_num_tickets(ssl, 0) == 1 &&
           SSL_CTX_set_min_proto_version(ssl, TLS1_2_VERSION) == 1 &&
           SSL_CTX_set_cipher_list(ssl, ciphers) == 1 && SSL_CTX_set1_groups_list(ssl, groups) == 1;
}

/* Certificate, chain and key, if they are given: read, judged together, and used. */
static bool set_own(struct tls_context *c, const struct tls_pem *certificate,
                    const struct tls_pem *key_pem, bool is_trial, int64_t now_ns,
                    struct tls_report *report)
{
    STACK_OF(X509) *chain =
        certificate->name ? mgi_tls_read_certificates(certificate, report) : NULL;
    EVP_PKEY *key = key_pem->name ? mgi_tls_read_key(key_pem, report) : NULL;
    if (chain)
        mgi_tls_judge_own(certificate, chain, c->is_server, is_trial, now_ns, report);
    if (chain && key)
        mgi_tls_judge_pair(certificate, chain, key_pem, key, report);
    bool ok = chain && key && report->errors.len == 0;
    if (ok) {
        X509 *own = sk_X509_shift(chain);
        ok = SSL_CTX_use_cert_and_key(c->ssl, own, key, chain, 1) == 1;
        X509_free(own);
        unsigned long code = ERR_peek_last_error();
        if (!ok && ERR_GET_REASON(code) != ERR_R_MALLOC_FAILURE)
            mgi_tls_fault(report, certificate, "cannot be used: %s",
                          ERR_reason_error_string(code) ? ERR_reason_error_string(code)
                                                        : "OpenSSL refuses it");
    }
    ERR_clear_error();
    EVP_PKEY_free(key);
    sk_X509_pop_free(chain, X509_free);
    return ok;
}

/* Trust what `pem` holds: each certificate is an anchor, whatever has signed it. */
static bool set_trust(struct tls_context *c, const struct tls_pem *pem, struct tls_report *report)
{
    STACK_OF(X509) *trusted = mgi_tls_read_certificates(pem, report);
    X509_STORE *store = SSL_CTX_get_cert_store(c->ssl);
    bool ok = trusted && X509_STORE_set_flags(store, X509_V_FLAG_PARTIAL_CHAIN) == 1;
    for (int i = 0; ok && i < sk_X509_num(trusted); i++) {
        X509 *one = sk_X509_value(trusted, i);
        ok = X509_STORE_add_cert(store, one) == 1 &&
             (!c->is_server || SSL_CTX_add_client_CA(c->ssl, one) == 1);
    }
    ERR_clear_error();
    sk_X509_pop_free(trusted, X509_free);
    return ok;
}

/* ---- servers ----------------------------------------------------------------------------- */

/* A client that offers protocols, but not ours, is refused; one that offers none is served. */
static int choose_protocol(SSL *ssl, const unsigned char **out, unsigned char *out_len,
                           const unsigned char *offered, unsigned offered_len, void *context)
{
    (void)ssl, (void)context;
    unsigned char *chosen;
    int found = SSL_select_next_proto(&chosen, out_len, alpn_http, sizeof alpn_http - 1, offered,
                                      offered_len);
    *out = chosen;
    return found == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL;
}

struct tls_context *mgi_tls_server_new(const struct tls_server_options *o,
                                       struct tls_report *report)
{
    struct tls_context *c = context_new(TLS_server_method(), true);
    if (!c)
        return NULL;
    bool ok = set_protocol(c->ssl);
    SSL_CTX_set_alpn_select_cb(c->ssl, choose_protocol, NULL);
    ok = set_own(c, &o->certificate, &o->key, o->is_trial, o->now_ns, report) && ok;
    if (o->client_ca.name) {
        int optional = o->client_optional ? 0 : SSL_VERIFY_FAIL_IF_NO_PEER_CERT;
        ok = set_trust(c, &o->client_ca, report) && ok;
        SSL_CTX_set_verify(c->ssl, SSL_VERIFY_PEER | optional, NULL);
    }
    if (ok)
        return c;
    mgi_tls_context_unref(c);
    return NULL;
}

/* ---- clients ----------------------------------------------------------------------------- */

/* The server's certificate is the one that was named, or it is not ours. */
static int judge_by_pin(X509_STORE_CTX *chain, void *context)
{
    const struct tls_context *c = context;
    unsigned char digest[32];
    const X509 *certificate = X509_STORE_CTX_get0_cert(chain);
    if (certificate && mgi_tls_digest(certificate, digest) &&
        mgi_equal_constant_time(digest, c->pin, sizeof digest)) {
        X509_STORE_CTX_set_error(chain, X509_V_OK);
        return 1;
    }
    X509_STORE_CTX_set_error(chain, X509_V_ERR_CERT_UNTRUSTED);
    return 0;
}

/* 64 hexadecimal digits, colons allowed between the bytes. */
static bool read_fingerprint(const char *text, unsigned char out[32])
{
    for (size_t i = 0; i < 32; i++) {
        unsigned value = 0;
        if (i > 0 && *text == ':')
            text++;
        for (int half = 0; half < 2; half++, text++) {
            char c = *text;
            bool digit = c >= '0' && c <= '9', lower = c >= 'a' && c <= 'f';
            if (!digit && !lower && !(c >= 'A' && c <= 'F'))
                return false;
            value = value << 4 | (unsigned)(digit ? c - '0' : lower ? c - 'a' + 10 : c - 'A' + 10);
        }
        out[i] = (unsigned char)value;
    }
    return *text == '\0';
}

static bool set_whom_to_trust(struct tls_context *c, const struct tls_client_options *o,
                              struct tls_report *report)
{
    SSL_CTX_set_verify(c->ssl, SSL_VERIFY_PEER, NULL);
    if (o->fingerprint) {
        static const struct tls_pem given = { .name = "the fingerprint" };
        c->has_pin = read_fingerprint(o->fingerprint, c->pin);
        if (!c->has_pin)
            mgi_tls_fault(report, &given, "must be 64 hexadecimal digits (SHA-256)");
        SSL_CTX_set_cert_verify_callback(c->ssl, judge_by_pin, c);
        return c->has_pin;
    }
    if (o->ca.name)
        return set_trust(c, &o->ca, report);
    return SSL_CTX_set_default_verify_paths(c->ssl) == 1;
}

struct tls_context *mgi_tls_client_new(const struct tls_client_options *o,
                                       struct tls_report *report)
{
    struct tls_context *c = context_new(TLS_client_method(), false);
    if (!c)
        return NULL;
    /* set_alpn_protos is the one call that says success with 0 */
    bool ok = set_protocol(c->ssl) &&
              SSL_CTX_set_alpn_protos(c->ssl, alpn_http, sizeof alpn_http - 1) == 0;
    ok = set_whom_to_trust(c, o, report) && ok;
    if (o->certificate.name || o->key.name)
        ok = set_own(c, &o->certificate, &o->key, true, o->now_ns, report) && ok;
    if (ok)
        return c;
    mgi_tls_context_unref(c);
    return NULL;
}

/* ---- what a context says of itself ------------------------------------------------------- */

bool mgi_tls_digest(const X509 *certificate, unsigned char out[32])
{
    return X509_digest(certificate, EVP_sha256(), out, NULL) == 1;
}

static bool put_fingerprint(const X509 *certificate, char out[TLS_FINGERPRINT_TEXT + 1])
{
    unsigned char digest[32];
    out[0] = '\0';
    if (!certificate || !mgi_tls_digest(certificate, digest))
        return false;
    mgi_hex(digest, sizeof digest, out);
    return true;
}

void mgi_tls_fingerprint(const struct tls_context *c, char out[TLS_FINGERPRINT_TEXT + 1])
{
    (void)put_fingerprint(SSL_CTX_get0_certificate(c->ssl), out);
}

bool mgi_tls_pem_fingerprint(const struct tls_pem *pem, char out[TLS_FINGERPRINT_TEXT + 1],
                             struct tls_report *report)
{
    STACK_OF(X509) *chain = mgi_tls_read_certificates(pem, report);
    bool ok = chain && put_fingerprint(sk_X509_value(chain, 0), out);
    sk_X509_pop_free(chain, X509_free);
    return ok;
}

void mgi_tls_pin(const struct tls_context *c, struct buf *out)
{
    unsigned char digest[32], text[48];
    const X509 *own = SSL_CTX_get0_certificate(c->ssl);
    unsigned char *key = NULL;
    int len = own ? i2d_X509_PUBKEY(X509_get_X509_PUBKEY(own), &key) : -1;
    if (len > 0 && EVP_Digest(key, (size_t)len, digest, NULL, EVP_sha256(), NULL) == 1) {
        EVP_EncodeBlock(text, digest, sizeof digest);
        mgi_buf_printf(out, "sha256//%s", text);
    }
    OPENSSL_free(key);
}
