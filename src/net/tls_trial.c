/* A certificate for trying a server out, made in memory and signed by itself. */
#include <arpa/inet.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>

#include "base/time.h"
#include "net/tls_int.h"

#define CLOCK_SLACK_SECONDS 3600 /* a client's clock may be behind ours */
#define TRIAL_DAYS          7

static bool add_extension(X509 *certificate, int nid, const char *value)
{
    X509V3_CTX context;
    X509V3_set_ctx_nodb(&context);
    X509V3_set_ctx(&context, certificate, certificate, NULL, NULL, 0);
    X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, &context, nid, value);
    bool ok = extension && X509_add_ext(certificate, extension, -1) == 1;
    X509_EXTENSION_free(extension);
    return ok;
}

/* "IP:…" or "DNS:…" for a host that can stand in a certificate; false for one that cannot. */
static bool put_host(struct buf *names, const char *host)
{
    unsigned char address[16];
    bool is_address =
        inet_pton(AF_INET, host, address) == 1 || inet_pton(AF_INET6, host, address) == 1;
    bool is_any = strcmp(host, "0.0.0.0") == 0 || strcmp(host, "::") == 0;
    if (is_any || strcmp(host, "localhost") == 0 || strcmp(host, "127.0.0.1") == 0 ||
        strcmp(host, "::1") == 0)
        return true; /* nobody connects to it, or it is there already */
    for (const char *c = host; !is_address && *c; c++)
        if (!((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') ||
              *c == '.' || *c == '-'))
            return false;
    mgi_buf_printf(names, ",%s:%s", is_address ? "IP" : "DNS", host);
    return true;
}

static bool set_serial(X509 *certificate)
{
    unsigned char bytes[16];
    if (RAND_bytes(bytes, sizeof bytes) != 1)
        return false;
    bytes[0] = (unsigned char)((bytes[0] & 0x7f) | 0x40); /* positive, and as long as it looks */
    BIGNUM *number = BN_bin2bn(bytes, sizeof bytes, NULL);
    bool ok = number && BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate));
    BN_free(number);
    return ok;
}

static bool fill(X509 *certificate, EVP_PKEY *key, const char *names, int64_t now_ns, int days)
{
    time_t now = (time_t)(now_ns / NS_PER_SEC);
    X509_NAME *name = X509_get_subject_name(certificate);
    return X509_set_version(certificate, X509_VERSION_3) == 1 && set_serial(certificate) &&
           X509_time_adj_ex(X509_getm_notBefore(certificate), 0, -CLOCK_SLACK_SECONDS, &now) &&
           X509_time_adj_ex(X509_getm_notAfter(certificate), days, 0, &now) &&
           X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC,
                                      (const unsigned char *)"MangleCP trial", -1, -1, 0) == 1 &&
           X509_set_issuer_name(certificate, name) == 1 && X509_set_pubkey(certificate, key) == 1 &&
           add_extension(certificate, NID_subject_alt_name, names) &&
           add_extension(certificate, NID_basic_constraints, "critical,CA:FALSE") &&
           add_extension(certificate, NID_key_usage, "critical,digitalSignature") &&
           add_extension(certificate, NID_ext_key_usage, "serverAuth") &&
           add_extension(certificate, NID_subject_key_identifier, "hash") &&
           X509_sign(certificate, key, EVP_sha256()) > 0;
}

static void take_text(BIO *bio, struct buf *out)
{
    char *text;
    long len = BIO_get_mem_data(bio, &text);
    mgi_buf_append(out, text, (size_t)len);
}

bool mgi_tls_certificate_pem(const struct tls_context *context, struct buf *out)
{
    X509 *own = SSL_CTX_get0_certificate(context->ssl);
    BIO *text = BIO_new(BIO_s_mem());
    bool ok = own && text && PEM_write_bio_X509(text, own) == 1;
    if (ok)
        take_text(text, out);
    BIO_free(text);
    ERR_clear_error();
    return ok && !out->oom;
}

bool mgi_tls_make_certificate(const char *host, int64_t now_ns, int days, struct buf *certificate,
                              struct buf *key)
{
    struct buf names = { 0 };
    mgi_buf_puts(&names, "DNS:localhost,IP:127.0.0.1,IP:::1");
    bool ok = !host || put_host(&names, host);
    EVP_PKEY *pair = EVP_EC_gen("P-256");
    X509 *made = X509_new();
    BIO *text = BIO_new(BIO_s_mem()), *secret = BIO_new(BIO_s_secmem());
    ok = ok && !names.oom && pair && made && text && secret &&
         fill(made, pair, names.ptr, now_ns, days) && PEM_write_bio_X509(text, made) == 1 &&
         PEM_write_bio_PrivateKey(secret, pair, NULL, NULL, 0, NULL, NULL) == 1;
    if (ok) {
        take_text(text, certificate);
        take_text(secret, key);
        ok = !certificate->oom && !key->oom;
    }
    BIO_free(text);
    BIO_free(secret);
    X509_free(made);
    EVP_PKEY_free(pair);
    mgi_buf_fini(&names);
    ERR_clear_error();
    return ok;
}

struct tls_context *mgi_tls_trial_new(const char *host, int64_t now_ns, struct tls_report *report)
{
    struct buf certificate = { 0 }, key = { 0 };
    struct tls_context *context = NULL;
    if (mgi_tls_make_certificate(host, now_ns, TRIAL_DAYS, &certificate, &key)) {
        struct tls_server_options options = {
            .certificate = { "the certificate for trying", mgi_buf_view(&certificate) },
            .key = { "the key for trying", mgi_buf_view(&key) },
            .is_trial = true,
            .now_ns = now_ns,
        };
        context = mgi_tls_server_new(&options, report);
    }
    mgi_buf_fini(&certificate);
    mgi_tls_wipe(&key);
    return context;
}

void mgi_tls_wipe(struct buf *secret)
{
    if (secret->ptr)
        OPENSSL_cleanse(secret->ptr, secret->cap);
    mgi_buf_fini(secret);
}
