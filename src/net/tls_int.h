/* What the files of TLS share: engines (tls.c) over buffers
 * (tls_bio.c), contexts (tls_context.c), PEM texts (tls_pem.c). */
#ifndef MGI_NET_TLS_INT_H
#define MGI_NET_TLS_INT_H

#include <openssl/ssl.h>
#include <stdatomic.h>

#include "net/tls.h"

struct tls_context {
    atomic_uint references;
    SSL_CTX *ssl;
    BIO_METHOD *bio; /* reads and writes the buffers of an engine */
    bool is_server;
    bool has_pin;
    unsigned char pin[32]; /* SHA-256 of the only certificate that a client trusts */
};

/* Between OpenSSL and the wire. Both are empty, and without memory, when a connection is idle. */
struct tls_wire {
    struct buf in;  /* what was brought, and OpenSSL has not read */
    size_t in_at;   /* bytes of it that are used up */
    struct buf out; /* what it wrote, and nobody has sent */
};

/* Reads and writes the struct tls_wire that is its data (tls_bio.c); NULL when memory is short. */
BIO_METHOD *mgi_tls_bio_method(void);

/* SHA-256 of a certificate; false when memory is short. */
bool mgi_tls_digest(const X509 *certificate, unsigned char out[32]);

/* Seconds since 1970 of a certificate's time; false if it is none. */
bool mgi_tls_seconds(const ASN1_TIME *time, int64_t *out);

/* ---- PEM: what is wrong goes into the report; NULL then, or when memory is short */

void mgi_tls_fault(struct tls_report *report, const struct tls_pem *pem, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void mgi_tls_warn(struct tls_report *report, const struct tls_pem *pem, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* All certificates of the text, in their order, at least one. */
STACK_OF(X509) * mgi_tls_read_certificates(const struct tls_pem *pem, struct tls_report *report);
EVP_PKEY *mgi_tls_read_key(const struct tls_pem *pem, struct tls_report *report);

/* May this certificate be used now? `self_signed_is_fine`: it is one made for trying. */
void mgi_tls_judge_own(const struct tls_pem *pem, STACK_OF(X509) * chain, bool is_server,
                       bool is_trial, int64_t now_ns, struct tls_report *report);
/* Does the key belong to the first certificate? */
void mgi_tls_judge_pair(const struct tls_pem *certificate, STACK_OF(X509) * chain,
                        const struct tls_pem *key_pem, EVP_PKEY *key, struct tls_report *report);

#endif
