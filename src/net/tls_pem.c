/* PEM texts to certificates and keys, and every way in which people get these files wrong, said so
 * that the next try works. */
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/time.h"
#include "net/tls_int.h"

#define SOON_SECONDS (14 * 86400) /* an expiry that is worth a warning */
#define RSA_BITS     2048         /* below this no client accepts it */

void mgi_tls_report_fini(struct tls_report *report)
{
    mgi_buf_fini(&report->errors);
    mgi_buf_fini(&report->warnings);
}

void mgi_tls_report_print(const struct tls_report *report, struct buf *out)
{
    struct str rest = mgi_buf_view(&report->errors);
    while (rest.len > 0) {
        const char *end = memchr(rest.ptr, '\n', rest.len);
        size_t len = end ? (size_t)(end - rest.ptr) : rest.len;
        mgi_buf_printf(out, "error: %.*s\n", (int)len, rest.ptr);
        rest.ptr += len + (end != NULL);
        rest.len -= len + (end != NULL);
    }
}

static void put_line(struct buf *out, const struct tls_pem *pem, const char *format, va_list args)
{
    if (out->len > 0)
        mgi_buf_putc(out, '\n');
    mgi_buf_printf(out, "%s: ", pem->name);
    mgi_buf_vprintf(out, format, args);
}

void mgi_tls_fault(struct tls_report *report, const struct tls_pem *pem, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    put_line(&report->errors, pem, format, args);
    va_end(args);
}

void mgi_tls_warn(struct tls_report *report, const struct tls_pem *pem, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    put_line(&report->warnings, pem, format, args);
    va_end(args);
}

/* ---- the blocks of a text ---------------------------------------------------------------- */

struct block {
    char *label; /* "CERTIFICATE" */
    char *header;
    unsigned char *bytes;
    long len;
};

static void block_free(struct block *b)
{
    OPENSSL_free(b->label);
    OPENSSL_free(b->header);
    OPENSSL_clear_free(b->bytes, b->bytes ? (size_t)b->len : 0);
    *b = (struct block){ 0 };
}

enum next { BLOCK, BLOCK_DAMAGED, BLOCKS_END };

static enum next next_block(BIO *bio, struct block *b)
{
    *b = (struct block){ 0 };
    ERR_clear_error();
    if (PEM_read_bio(bio, &b->label, &b->header, &b->bytes, &b->len) == 1)
        return BLOCK;
    return ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE ? BLOCKS_END
                                                                        : BLOCK_DAMAGED;
}

static bool is_certificate(const struct block *b)
{
    return strcmp(b->label, PEM_STRING_X509) == 0 || strcmp(b->label, PEM_STRING_X509_OLD) == 0;
}

static bool is_key(const struct block *b)
{
    return mgi_str_ends(str_of(b->label), STR_LIT("PRIVATE KEY"));
}

static bool is_encrypted(const struct block *b)
{
    return strcmp(b->label, PEM_STRING_PKCS8) == 0 || strstr(b->header, "ENCRYPTED") != NULL;
}

static BIO *bio_of(const struct tls_pem *pem)
{
    if (pem->text.len > INT_MAX)
        return NULL;
    return BIO_new_mem_buf(pem->text.len ? pem->text.ptr : "", (int)pem->text.len);
}

/* The text has no block of the kind that is wanted: what is it instead? */
static void nothing_found(const struct tls_pem *pem, const char *wanted, const char *other,
                          struct tls_report *report)
{
    static const char der[] = "it looks like DER; convert it to PEM (openssl %s -inform der)";
    bool want_key = wanted[0] == 'p';
    if (pem->text.len == 0)
        mgi_tls_fault(report, pem, "the file is empty: it should hold a %s in PEM", wanted);
    else if (other)
        mgi_tls_fault(report, pem, "holds a %s but no %s: is it another file that you mean?", other,
                      wanted);
    else if (pem->text.ptr[0] == 0x30)
        mgi_tls_fault(report, pem, der, want_key ? "pkey" : "x509");
    else if (mgi_str_find(pem->text, STR_LIT("-----BEGIN ")) != SIZE_MAX)
        mgi_tls_fault(report, pem, "the PEM text is damaged: no %s can be read", wanted);
    else
        mgi_tls_fault(report, pem, "holds no %s in PEM (\"-----BEGIN …\")", wanted);
}

/* ---- certificates ------------------------------------------------------------------------ */

/* Append the certificate of the block. */
static bool take_certificate(STACK_OF(X509) * chain, const struct block *b,
                             const struct tls_pem *pem, struct tls_report *report)
{
    const unsigned char *at = b->bytes;
    X509 *certificate = d2i_X509(NULL, &at, b->len);
    if (!certificate) {
        mgi_tls_fault(report, pem, "certificate %d cannot be read: it is damaged",
                      sk_X509_num(chain) + 1);
        return false;
    }
    if (sk_X509_push(chain, certificate) > 0)
        return true;
    X509_free(certificate);
    return false;
}

STACK_OF(X509) * mgi_tls_read_certificates(const struct tls_pem *pem, struct tls_report *report)
{
    BIO *bio = bio_of(pem);
    STACK_OF(X509) *chain = sk_X509_new_null();
    const char *other = NULL;
    struct block b;
    bool ok = bio && chain;
    enum next next = BLOCKS_END;
    while (ok && (next = next_block(bio, &b)) == BLOCK) {
        if (is_certificate(&b))
            ok = take_certificate(chain, &b, pem, report);
        else if (is_key(&b))
            other = "private key";
        else if (strstr(b.label, "REQUEST"))
            other = "certificate request";
        block_free(&b);
    }
    if (ok && next == BLOCK_DAMAGED) {
        mgi_tls_fault(report, pem, "the PEM text is damaged behind certificate %d",
                      sk_X509_num(chain));
        ok = false;
    } else if (ok && sk_X509_num(chain) == 0) {
        nothing_found(pem, "certificate", other, report);
        ok = false;
    }
    ERR_clear_error(); /* the end of the text is an error to OpenSSL */
    BIO_free(bio);
    if (ok)
        return chain;
    sk_X509_pop_free(chain, X509_free);
    return NULL;
}

/* ---- keys -------------------------------------------------------------------------------- */

static EVP_PKEY *take_key(const struct block *b, const struct tls_pem *pem,
                          struct tls_report *report)
{
    if (is_encrypted(b)) {
        mgi_tls_fault(report, pem,
                      "the private key is encrypted: give one that is not (openssl pkey -in FILE "
                      "-out FILE), readable by the server alone");
        return NULL;
    }
    const unsigned char *at = b->bytes;
    EVP_PKEY *key = d2i_AutoPrivateKey(NULL, &at, b->len);
    if (!key)
        mgi_tls_fault(report, pem,
                      "the private key cannot be read: it is damaged or of a kind "
                      "that is not supported");
    return key;
}

EVP_PKEY *mgi_tls_read_key(const struct tls_pem *pem, struct tls_report *report)
{
    BIO *bio = bio_of(pem);
    const char *other = NULL;
    EVP_PKEY *key = NULL;
    bool found = false;
    struct block b;
    while (bio && !found && next_block(bio, &b) == BLOCK) {
        found = is_key(&b);
        if (found)
            key = take_key(&b, pem, report);
        else if (is_certificate(&b))
            other = "certificate";
        else if (strstr(b.label, "PUBLIC KEY"))
            other = "public key";
        block_free(&b);
    }
    if (bio && !found)
        nothing_found(pem, "private key", other, report);
    ERR_clear_error();
    BIO_free(bio);
    if (key && EVP_PKEY_is_a(key, "RSA") && EVP_PKEY_get_bits(key) < RSA_BITS) {
        mgi_tls_fault(report, pem, "the RSA key has %d bits: it needs at least %d",
                      EVP_PKEY_get_bits(key), RSA_BITS);
        EVP_PKEY_free(key);
        key = NULL;
    }
    return key;
}

/* ---- judging ----------------------------------------------------------------------------- */

bool mgi_tls_seconds(const ASN1_TIME *time, int64_t *out)
{
    int days, seconds;
    ASN1_TIME *epoch = ASN1_TIME_set(NULL, 0);
    bool ok = epoch && ASN1_TIME_diff(&days, &seconds, epoch, time) == 1;
    if (ok)
        *out = (int64_t)days * 86400 + seconds;
    ASN1_TIME_free(epoch);
    return ok;
}

static void put_date(int64_t seconds, char out[32])
{
    struct tm parts;
    time_t time = (time_t)seconds;
    if (!gmtime_r(&time, &parts) || strftime(out, 32, "%Y-%m-%d %H:%M:%S UTC", &parts) == 0)
        snprintf(out, 32, "an unknown date");
}

static void judge_times(const struct tls_pem *pem, const X509 *certificate, int number,
                        bool is_trial, int64_t now_ns, struct tls_report *report)
{
    int64_t from, until, now = now_ns / NS_PER_SEC;
    char date[32];
    if (!mgi_tls_seconds(X509_get0_notBefore(certificate), &from) ||
        !mgi_tls_seconds(X509_get0_notAfter(certificate), &until)) {
        mgi_tls_fault(report, pem, "certificate %d has no readable validity", number);
        return;
    }
    put_date(now < from ? from : until, date);
    if (now > until)
        mgi_tls_fault(report, pem, "certificate %d expired on %s: renew it", number, date);
    else if (now < from)
        mgi_tls_fault(report, pem, "certificate %d is not valid before %s: is the clock right?",
                      number, date);
    else if (until - now < SOON_SECONDS && !is_trial)
        mgi_tls_warn(report, pem, "certificate %d expires on %s", number, date);
}

/* Is each certificate signed by the one behind it? */
static void judge_order(const struct tls_pem *pem, STACK_OF(X509) * chain,
                        struct tls_report *report)
{
    for (int i = 0; i + 1 < sk_X509_num(chain); i++)
        if (X509_check_issued(sk_X509_value(chain, i + 1), sk_X509_value(chain, i)) != X509_V_OK)
            mgi_tls_warn(report, pem,
                         "certificate %d did not sign certificate %d: the server's own comes "
                         "first, then the one that signed it, and so on",
                         i + 2, i + 1);
}

void mgi_tls_judge_own(const struct tls_pem *pem, STACK_OF(X509) * chain, bool is_server,
                       bool is_trial, int64_t now_ns, struct tls_report *report)
{
    X509 *own = sk_X509_value(chain, 0);
    for (int i = 0; i < sk_X509_num(chain); i++)
        judge_times(pem, sk_X509_value(chain, i), i + 1, is_trial, now_ns, report);
    judge_order(pem, chain, report);
    int purpose = is_server ? X509_PURPOSE_SSL_SERVER : X509_PURPOSE_SSL_CLIENT;
    if (X509_check_purpose(own, purpose, 0) != 1)
        mgi_tls_warn(report, pem,
                     "certificate 1 is not meant for TLS %s: the other side will "
                     "refuse it",
                     is_server ? "servers" : "clients");
    if (is_server && !is_trial && (X509_get_extension_flags(own) & EXFLAG_SS))
        mgi_tls_warn(report, pem,
                     "certificate 1 is signed by itself: clients trust it only if "
                     "they are told to");
}

void mgi_tls_judge_pair(const struct tls_pem *certificate, STACK_OF(X509) * chain,
                        const struct tls_pem *key_pem, EVP_PKEY *key, struct tls_report *report)
{
    for (int i = 0; i < sk_X509_num(chain); i++) {
        EVP_PKEY *public_key = X509_get0_pubkey(sk_X509_value(chain, i));
        if (!public_key || EVP_PKEY_eq(public_key, key) != 1)
            continue;
        if (i > 0)
            mgi_tls_fault(report, key_pem,
                          "the key belongs to certificate %d of %s: the server's own has to be "
                          "the first",
                          i + 1, certificate->name);
        return;
    }
    mgi_tls_fault(report, key_pem, "the key does not belong to the certificate in %s",
                  certificate->name);
}
