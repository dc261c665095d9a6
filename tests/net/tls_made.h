/* For tests of TLS: authorities, certificates and keys of any kind, made in memory. */
#ifndef TEST_NET_TLS_MADE_H
#define TEST_NET_TLS_MADE_H

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/x509v3.h>
#include <stdlib.h>
#include <string.h>

#include "net/tls.h"

#define NOW_NS (INT64_C(1700000000) * 1000000000) /* 2023-11-14 22:13:20 UTC */
#define DAY    86400

struct made {
    EVP_PKEY *key;
    X509 *certificate;
    char *certificate_pem, *key_pem;
    int64_t good_ns; /* when it is valid */
};

struct made_options {
    const char *name;          /* CN */
    const char *names;         /* subjectAltName as OpenSSL writes it, or NULL */
    const struct made *issuer; /* NULL: itself */
    bool is_authority;
    const char *usage;          /* extendedKeyUsage, or NULL */
    int rsa_bits;               /* 0: P-256 */
    long from_days, until_days; /* relative to NOW_NS; both 0: -1 and 365 */
};

static inline void make_must(bool ok)
{
    if (!ok)
        abort();
}

static inline char *pem_text(BIO *bio)
{
    char *bytes, *text;
    long len = BIO_get_mem_data(bio, &bytes);
    make_must((text = malloc((size_t)len + 1)) != NULL);
    memcpy(text, bytes, (size_t)len);
    text[len] = '\0';
    BIO_free(bio);
    return text;
}

static inline void make_extension(X509 *c, X509 *issuer, int nid, const char *value)
{
    X509V3_CTX context;
    X509V3_set_ctx_nodb(&context);
    X509V3_set_ctx(&context, issuer, c, NULL, NULL, 0);
    X509_EXTENSION *e = X509V3_EXT_conf_nid(NULL, &context, nid, value);
    make_must(e && X509_add_ext(c, e, -1) == 1);
    X509_EXTENSION_free(e);
}

static inline struct made make_certificate(const struct made_options *o)
{
    struct made m = { 0 };
    time_t now = (time_t)(NOW_NS / 1000000000);
    bool dates = o->from_days || o->until_days;
    m.good_ns = NOW_NS + (dates ? o->from_days + 1 : 0) * INT64_C(1000000000) * DAY;
    m.key = o->rsa_bits ? EVP_RSA_gen((unsigned)o->rsa_bits) : EVP_EC_gen("P-256");
    m.certificate = X509_new();
    make_must(m.key && m.certificate);
    X509 *c = m.certificate, *issuer = o->issuer ? o->issuer->certificate : c;
    static long serial = 1;
    X509_set_version(c, X509_VERSION_3);
    ASN1_INTEGER_set(X509_get_serialNumber(c), serial++);
    X509_time_adj_ex(X509_getm_notBefore(c), dates ? (int)o->from_days : -1, 0, &now);
    X509_time_adj_ex(X509_getm_notAfter(c), dates ? (int)o->until_days : 365, 0, &now);
    X509_NAME_add_entry_by_txt(X509_get_subject_name(c), "CN", MBSTRING_UTF8,
                               (const unsigned char *)o->name, -1, -1, 0);
    X509_set_issuer_name(c, X509_get_subject_name(issuer));
    X509_set_pubkey(c, m.key);
    make_extension(c, issuer, NID_basic_constraints,
                   o->is_authority ? "critical,CA:TRUE" : "critical,CA:FALSE");
    if (o->names)
        make_extension(c, issuer, NID_subject_alt_name, o->names);
    if (o->usage)
        make_extension(c, issuer, NID_ext_key_usage, o->usage);
    make_must(X509_sign(c, o->issuer ? o->issuer->key : m.key, EVP_sha256()) > 0);
    BIO *certificate = BIO_new(BIO_s_mem()), *key = BIO_new(BIO_s_mem());
    make_must(PEM_write_bio_X509(certificate, c) == 1);
    make_must(PEM_write_bio_PrivateKey(key, m.key, NULL, NULL, 0, NULL, NULL) == 1);
    m.certificate_pem = pem_text(certificate);
    m.key_pem = pem_text(key);
    return m;
}

static inline void made_free(struct made *m)
{
    EVP_PKEY_free(m->key);
    X509_free(m->certificate);
    free(m->certificate_pem);
    free(m->key_pem);
    *m = (struct made){ 0 };
}

static inline struct tls_pem pem_of(const char *name, const char *text)
{
    return (struct tls_pem){ name, { text, strlen(text) } };
}

static inline struct tls_context *serve_made(const struct made *m, const char *client_ca,
                                             bool client_optional)
{
    struct tls_report report = { 0 };
    struct tls_server_options o = {
        .certificate = pem_of("cert.pem", m->certificate_pem),
        .key = pem_of("key.pem", m->key_pem),
        .client_optional = client_optional,
        .now_ns = NOW_NS,
    };
    if (client_ca)
        o.client_ca = pem_of("ca.pem", client_ca);
    struct tls_context *c = mgi_tls_server_new(&o, &report);
    if (!c)
        fprintf(stderr, "%s\n", report.errors.ptr ? report.errors.ptr : "out of memory");
    mgi_tls_report_fini(&report);
    return c;
}

/* A client that trusts `ca`, and shows `own` if it is given. */
static inline struct tls_context *trust_made(const char *ca, const struct made *own)
{
    struct tls_report report = { 0 };
    struct tls_client_options o = { .ca = pem_of("ca.pem", ca), .now_ns = NOW_NS };
    if (own) {
        o.certificate = pem_of("own.pem", own->certificate_pem);
        o.key = pem_of("own.key", own->key_pem);
        o.now_ns = own->good_ns;
    }
    struct tls_context *c = mgi_tls_client_new(&o, &report);
    if (!c)
        fprintf(stderr, "%s\n", report.errors.ptr ? report.errors.ptr : "out of memory");
    mgi_tls_report_fini(&report);
    return c;
}

/* ---- two engines and the wire between them */

struct pair {
    struct tls *server, *client;
    size_t cut; /* bytes the wire carries at a time; 0: all */
};

static inline struct pair pair_of(struct tls_context *server, struct tls_context *client,
                                  const char *host)
{
    struct pair p = { .server = mgi_tls_new(server, NULL, NOW_NS),
                      .client = mgi_tls_new(client, host, NOW_NS) };
    make_must(p.server && p.client);
    return p;
}

static inline void pair_free(struct pair *p)
{
    mgi_tls_free(p->server);
    mgi_tls_free(p->client);
}

/* Carry what `from` wrote to `to`, with a step of its handshake after each piece. */
static inline void carry(struct tls *from, struct tls *to, size_t cut)
{
    struct str wire = mgi_tls_output(from);
    while (wire.len > 0) {
        struct str piece = { wire.ptr, cut && cut < wire.len ? cut : wire.len };
        make_must(mgi_tls_feed(to, piece));
        wire = (struct str){ wire.ptr + piece.len, wire.len - piece.len };
        mgi_tls_handshake(to);
    }
    mgi_tls_sent(from);
}

/* Until both are done or one has failed. */
static inline void shake_hands(struct pair *p)
{
    for (int i = 0; i < 10; i++) {
        enum tls_status client = mgi_tls_handshake(p->client);
        carry(p->client, p->server, p->cut);
        enum tls_status server = mgi_tls_handshake(p->server);
        carry(p->server, p->client, p->cut);
        if (client != TLS_AGAIN && server != TLS_AGAIN)
            return;
    }
}

#endif
