/* TLS 1.2 and 1.3 as a codec: what the wire brings goes in, what was said comes out, and back. It
 * owns no socket; OpenSSL reads and writes our buffers.
 *
 * A *context* is what all connections share: certificate, key, whom to trust. It is immutable and
 * counted: a reload makes another one for the connections to come, and those that are open keep
 * theirs. An *engine* is one connection; exactly one thread at a time touches it, but which thread
 * may change between two calls, so a step of a handshake can run on a worker.
 *
 * What every context does: nothing below TLS 1.2; forward secret AEAD ciphers; no compression, no
 * renegotiation, no resumption (a ticket's key would outlive the secrecy of what it resumes, and
 * saves little: docs/dependencies.md); ALPN "http/1.1" if the client offers ALPN at all; buffers
 * are given back while a connection is idle.  [P-TLS-1, P-TLS-2]
 *
 * Texts are UTF-8 and borrowed during a call. */
#ifndef MGI_NET_TLS_H
#define MGI_NET_TLS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/str.h"

#define TLS_FINGERPRINT_TEXT 64 /* SHA-256 in lower-case hexadecimal */

/* ---- contexts */

struct tls_context;

struct tls_pem {      /* the text of a PEM file, and what messages call it */
    const char *name; /* NULL: not given */
    struct str text;
};

/* What was wrong, a line each: "NAME: what, and what to do". Zeroed at first, freed by
 * mgi_tls_report_fini(). */
struct tls_report {
    struct buf errors, warnings;
};
void mgi_tls_report_fini(struct tls_report *report);
/* Its errors for who started a program: "error: NAME: …" and a line feed for each, appended. */
void mgi_tls_report_print(const struct tls_report *report, struct buf *out);

struct tls_server_options {     /* certificate and key must be given */
    struct tls_pem certificate; /* the server's own first, then those that signed it */
    struct tls_pem key;         /* not encrypted; may be the same file */
    struct tls_pem client_ca;   /* clients show a certificate that one of these has signed, or is */
    bool client_optional;       /* …or none at all */
    bool is_trial;              /* made by mgi_tls_make_certificate(): no warnings about that */
    int64_t now_ns;
};

/* NULL: report->errors says all that is wrong (nothing: memory is short). There may be warnings
 * either way. */
struct tls_context *mgi_tls_server_new(const struct tls_server_options *options,
                                       struct tls_report *report);

struct tls_server_files {
    const char *certificate, *key;
    const char *client_ca; /* NULL: clients are not asked for certificates */
    bool client_optional;
};
/* The same from files, which also have to be readable, regular, and of a size that makes sense; a
 * key that everybody can read is warned about. For start and for reload. */
struct tls_context *mgi_tls_server_load(const struct tls_server_files *files, int64_t now_ns,
                                        struct tls_report *report);

/* One such file, for a client's options: appended to `out`; false when it cannot be read. */
bool mgi_tls_load_file(const char *path, bool is_secret, struct buf *out,
                       struct tls_report *report);

struct tls_client_options {
    struct tls_pem ca;               /* whom to trust; not given: whom the system trusts */
    struct tls_pem certificate, key; /* who we are, if the server asks */
    const char *fingerprint;         /* trust this very certificate (hexadecimal) and no other */
    int64_t now_ns;
};
struct tls_context *mgi_tls_client_new(const struct tls_client_options *options,
                                       struct tls_report *report);

struct tls_context *mgi_tls_context_ref(struct tls_context *context); /* any thread */
void mgi_tls_context_unref(struct tls_context *context);              /* any thread; NULL is fine */

/* The fingerprint of the context's own certificate, with a NUL; "" if it has none. */
void mgi_tls_fingerprint(const struct tls_context *context, char out[TLS_FINGERPRINT_TEXT + 1]);

/* The fingerprint of the first certificate of a text. */
bool mgi_tls_pem_fingerprint(const struct tls_pem *pem, char out[TLS_FINGERPRINT_TEXT + 1],
                             struct tls_report *report);

/* The context's own certificate as PEM, without those that vouch for it, appended. False: it has
 * none, or memory is short. */
bool mgi_tls_certificate_pem(const struct tls_context *context, struct buf *out);

/* What `curl --pinnedpubkey` takes: "sha256//…", appended. */
void mgi_tls_pin(const struct tls_context *context, struct buf *out);

/* A certificate for trying things out: P-256, for localhost, 127.0.0.1, ::1 and `host` (an address
 * or name; NULL: none), signed by itself, good for `days`. Both are appended as PEM; false when
 * memory is short. The key should be wiped after use: mgi_tls_wipe(). */
bool mgi_tls_make_certificate(const char *host, int64_t now_ns, int days, struct buf *certificate,
                              struct buf *key);
void mgi_tls_wipe(struct buf *secret); /* overwritten, then freed */

/* A server's context with such a certificate, good for TLS_TRIAL_DAYS. NULL as
 * mgi_tls_server_new(). */
#define TLS_TRIAL_DAYS 7
struct tls_context *mgi_tls_trial_new(const char *host, int64_t now_ns, struct tls_report *report);

/* Such a certificate from now on, for the key of the context before: its pin stays the same, its
 * fingerprint does not. */
struct tls_context *mgi_tls_trial_again(const struct tls_context *before, const char *host,
                                        int64_t now_ns, struct tls_report *report);

/* ---- engines */

struct tls;

enum tls_status {
    TLS_OK,
    TLS_AGAIN,  /* nothing more without bytes of the peer */
    TLS_ENDED,  /* the peer has said that it sends no more */
    TLS_FAILED, /* mgi_tls_why(); an alert may wait to be sent. Every further call says the same */
    TLS_NOMEM
};

/*
 * An engine in the role of its context, which it keeps.
 *
 *   host    in the client's role: the name or address that the certificate has to carry. NULL in
 *           the server's
 *   now_ns  when certificates of the peer are judged
 *
 * NULL when memory is short.
 */
struct tls *mgi_tls_new(struct tls_context *context, const char *host, int64_t now_ns);
void mgi_tls_free(struct tls *t); /* NULL is fine */

/* Bytes from the wire, copied; all of them are used by the calls that follow until TLS_AGAIN.
 * False: memory, or more than TLS_INPUT_MAX bytes wait. */
#define TLS_INPUT_MAX ((size_t)256 * 1024)
bool mgi_tls_feed(struct tls *t, struct str bytes);

/* One step: TLS_OK, it is done; TLS_AGAIN, the peer's turn. The client's side begins with it. This
 * is the call that takes long: 0.2 ms in all with a P-256 key, 1 and more with P-384, 5 with RSA of
 * 4096 bits. It belongs on a worker. */
enum tls_status mgi_tls_handshake(struct tls *t);
bool mgi_tls_is_open(const struct tls *t); /* the handshake is done, and nothing failed since */

/* What the peer said, at most `cap` bytes; *len is at least 1 if TLS_OK. After the handshake. */
enum tls_status mgi_tls_read(struct tls *t, char *out, size_t cap, size_t *len);

/* Say `plain`, whole. A caller with much to say gives slices and sends between them: all of it is
 * output at once. After the handshake. */
enum tls_status mgi_tls_write(struct tls *t, struct str plain);

/* Say that no more will be said. */
void mgi_tls_close(struct tls *t);

/* What has to be sent, borrowed until the next call; mgi_tls_sent() says that it was. */
struct str mgi_tls_output(const struct tls *t);
void mgi_tls_sent(struct tls *t);

/* Why it failed: a line for a log, without line ends or control characters. */
const char *mgi_tls_why(const struct tls *t);
/* It failed because the peer speaks HTTP without TLS. */
bool mgi_tls_is_plain_http(const struct tls *t);

/* Bytes that came from the wire and wait to be read: 0 says that mgi_tls_read() has nothing. */
size_t mgi_tls_waiting(const struct tls *t);

/* Bytes of our heap (OpenSSL's not counted) that it holds. */
size_t mgi_tls_held(const struct tls *t);

/* ---- who is there: after the handshake, as long as the engine */

struct tls_identity {
    char fingerprint[TLS_FINGERPRINT_TEXT + 1];
    const char *subject;      /* as RFC 2253 writes it, "CN=…,O=…" */
    const char *const *names; /* "DNS:…", "IP:…", "URI:…", "email:…" */
    size_t count;
    int64_t expires_ns; /* since 1970: what was judged good at the handshake is not for ever */
};
/* The certificate that the peer has shown and proved, judged by our trust; NULL: none (or no memory
 * to read it: nobody is who he did not prove to be). */
const struct tls_identity *mgi_tls_identity(struct tls *t);

const char *mgi_tls_version(const struct tls *t); /* "TLSv1.3" */
const char *mgi_tls_cipher(const struct tls *t);
bool mgi_tls_spoke_alpn(const struct tls *t); /* "http/1.1" was agreed on */

#endif
