/* Engines: OpenSSL over two buffers of ours.
 *
 *     handshaking ──> open ──> ended (the peer's close_notify; we may still write)
 *          └────────────┴────> failed (an alert may be in the output)
 *
 * `in` is what the wire brought and OpenSSL has not read, `out` what it wrote and nobody has sent.
 * Both are empty, and without memory, when a connection is idle. OpenSSL's queue of errors belongs
 * to the thread, so it is emptied before each call and read right after it: whichever thread runs a
 * step finds its own errors. */
#include <arpa/inet.h>
#include <openssl/err.h>
#include <openssl/x509v3.h>
#include <stdio.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/encode.h"
#include "base/time.h"
#include "net/tls_int.h"

#define NAMES_MAX 64 /* of a certificate; more are not listed */

enum engine_phase { HANDSHAKING, OPEN, ENDED, FAILED };

struct tls {
    struct tls_context *context;
    SSL *ssl;
    struct tls_wire wire;
    enum engine_phase phase;
    enum tls_status failure; /* TLS_FAILED or TLS_NOMEM */
    bool is_plain_http;
    struct tls_identity *identity;
    struct arena identity_arena;
    char why[160];
};

/* ---- life -------------------------------------------------------------------------------- */

static bool set_peer(struct tls *t, const char *host, int64_t now_ns)
{
    X509_VERIFY_PARAM *judge = SSL_get0_param(t->ssl);
    X509_VERIFY_PARAM_set_time(judge, (time_t)(now_ns / NS_PER_SEC));
    if (t->context->is_server) {
        SSL_set_accept_state(t->ssl);
        return true;
    }
    SSL_set_connect_state(t->ssl);
    if (!host)
        return true;
    X509_VERIFY_PARAM_set_hostflags(judge, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
    if (X509_VERIFY_PARAM_set1_ip_asc(judge, host) == 1)
        return true; /* an address is no name: it is not told to the server */
    return SSL_set1_host(t->ssl, host) == 1 && SSL_set_tlsext_host_name(t->ssl, host) == 1;
}

struct tls *mgi_tls_new(struct tls_context *context, const char *host, int64_t now_ns)
{
    struct tls *t = mgi_calloc(1, sizeof *t);
    if (!t)
        return NULL;
    t->context = mgi_tls_context_ref(context);
    t->ssl = SSL_new(context->ssl);
    mgi_arena_init(&t->identity_arena, 0);
    BIO *bio = t->ssl ? BIO_new(context->bio) : NULL;
    if (bio) {
        BIO_set_data(bio, &t->wire);
        SSL_set_bio(t->ssl, bio, bio);
    }
    if (bio && set_peer(t, host, now_ns))
        return t;
    ERR_clear_error();
    mgi_tls_free(t);
    return NULL;
}

void mgi_tls_free(struct tls *t)
{
    if (!t)
        return;
    SSL_free(t->ssl);
    mgi_buf_fini(&t->wire.in);
    mgi_buf_fini(&t->wire.out);
    mgi_arena_fini(&t->identity_arena);
    mgi_tls_context_unref(t->context);
    mgi_free(t);
}

/* ---- failing ----------------------------------------------------------------------------- */

static void say_why(struct tls *t, const char *what, const char *why)
{
    snprintf(t->why, sizeof t->why, "%s: %s", what, why);
}

/* The peer's certificate was refused, or OpenSSL says why. */
static void explain(struct tls *t, const char *what)
{
    unsigned long code = ERR_peek_last_error();
    const char *reason = code ? ERR_reason_error_string(code) : NULL;
    long judged = SSL_get_verify_result(t->ssl);
    if (ERR_GET_LIB(code) == ERR_LIB_SSL) {
        int r = ERR_GET_REASON(code);
        t->is_plain_http = r == SSL_R_HTTP_REQUEST;
        if (r == SSL_R_CERTIFICATE_VERIFY_FAILED && judged != X509_V_OK)
            reason = X509_verify_cert_error_string(judged);
        else if (r == SSL_R_HTTP_REQUEST)
            reason = "the peer speaks HTTP without TLS";
    }
    say_why(t, what, reason ? reason : "the connection broke");
}

static bool is_memory(void)
{
    for (unsigned long code; (code = ERR_peek_error()) != 0; ERR_get_error())
        if (ERR_GET_REASON(code) == ERR_R_MALLOC_FAILURE)
            return true;
    return false;
}

static enum tls_status engine_failed(struct tls *t, const char *what)
{
    explain(t, what);
    t->phase = FAILED;
    t->failure = t->wire.out.oom || is_memory() ? TLS_NOMEM : TLS_FAILED;
    if (t->failure == TLS_NOMEM)
        say_why(t, what, "out of memory");
    mgi_buf_fini(&t->wire.in);
    t->wire.in_at = 0;
    ERR_clear_error();
    return t->failure;
}

/* What a call of OpenSSL that did not succeed means. */
static enum tls_status outcome(struct tls *t, int result, const char *what)
{
    switch (SSL_get_error(t->ssl, result)) {
    case SSL_ERROR_WANT_READ:
        return t->wire.out.oom ? engine_failed(t, what) : TLS_AGAIN;
    case SSL_ERROR_ZERO_RETURN:
        t->phase = ENDED;
        return TLS_ENDED;
    default:
        return engine_failed(t, what);
    }
}

/* ---- bytes ------------------------------------------------------------------------------- */

bool mgi_tls_feed(struct tls *t, struct str bytes)
{
    if (t->phase == FAILED || t->phase == ENDED)
        return true; /* nobody will read it */
    if (bytes.len > TLS_INPUT_MAX - (t->wire.in.len - t->wire.in_at))
        return false;
    if (t->wire.in_at > 0) { /* rare: a reader stopped half-way */
        memmove(t->wire.in.ptr, t->wire.in.ptr + t->wire.in_at, t->wire.in.len - t->wire.in_at);
        t->wire.in.len -= t->wire.in_at;
        t->wire.in_at = 0;
    }
    if (bytes.len > 0 && !mgi_buf_reserve(&t->wire.in, bytes.len)) {
        t->wire.in.oom = false; /* what is there stays good */
        return false;
    }
    mgi_buf_str(&t->wire.in, bytes);
    return true;
}

enum tls_status mgi_tls_handshake(struct tls *t)
{
    if (t->phase == FAILED)
        return t->failure;
    if (t->phase != HANDSHAKING)
        return TLS_OK;
    ERR_clear_error();
    int result = SSL_do_handshake(t->ssl);
    if (result == 1 && !t->wire.out.oom) {
        t->phase = OPEN;
        return TLS_OK;
    }
    enum tls_status status = outcome(t, result, "the TLS handshake failed");
    return status == TLS_ENDED ? engine_failed(t, "the TLS handshake failed") : status;
}

bool mgi_tls_is_open(const struct tls *t)
{
    return t->phase == OPEN || t->phase == ENDED;
}

enum tls_status mgi_tls_read(struct tls *t, char *out, size_t cap, size_t *len)
{
    *len = 0;
    if (t->phase == FAILED)
        return t->failure;
    if (t->phase != OPEN)
        return t->phase == ENDED ? TLS_ENDED : TLS_AGAIN;
    ERR_clear_error();
    int result = SSL_read_ex(t->ssl, out, cap, len);
    return result == 1 ? TLS_OK : outcome(t, result, "the TLS connection broke");
}

enum tls_status mgi_tls_write(struct tls *t, struct str plain)
{
    while (plain.len > 0 && mgi_tls_is_open(t)) {
        size_t written = 0;
        ERR_clear_error();
        int result = SSL_write_ex(t->ssl, plain.ptr, plain.len, &written);
        if (result != 1 || t->wire.out.oom) /* our buffer takes all: nothing is tried again */
            return engine_failed(t, "could not write to the TLS connection");
        plain.ptr += written;
        plain.len -= written;
    }
    return t->phase == FAILED ? t->failure : plain.len > 0 ? TLS_AGAIN : TLS_OK;
}

void mgi_tls_close(struct tls *t)
{
    if (!mgi_tls_is_open(t) || (SSL_get_shutdown(t->ssl) & SSL_SENT_SHUTDOWN))
        return;
    ERR_clear_error();
    SSL_shutdown(t->ssl);
    ERR_clear_error();
}

struct str mgi_tls_output(const struct tls *t)
{
    return mgi_buf_view(&t->wire.out);
}

void mgi_tls_sent(struct tls *t)
{
    mgi_buf_fini(&t->wire.out);
}

const char *mgi_tls_why(const struct tls *t)
{
    return t->why;
}

bool mgi_tls_is_plain_http(const struct tls *t)
{
    return t->is_plain_http;
}

size_t mgi_tls_waiting(const struct tls *t)
{
    return t->wire.in.len - t->wire.in_at + (size_t)SSL_pending(t->ssl);
}

size_t mgi_tls_held(const struct tls *t)
{
    return t->wire.in.cap + t->wire.out.cap;
}

/* ---- who is there ------------------------------------------------------------------------ */

static const char *address_text(struct arena *arena, const unsigned char *bytes, int len)
{
    char text[INET6_ADDRSTRLEN];
    if ((len != 4 && len != 16) ||
        !inet_ntop(len == 4 ? AF_INET : AF_INET6, bytes, text, sizeof text))
        return NULL;
    return mgi_arena_printf(arena, "IP:%s", text);
}

/* "DNS:…"; NULL for a kind of name that is not listed, or one that holds what no name holds. */
static const char *name_text(struct arena *arena, const GENERAL_NAME *name)
{
    const char *prefix = name->type == GEN_DNS     ? "DNS"
                         : name->type == GEN_URI   ? "URI"
                         : name->type == GEN_EMAIL ? "email"
                                                   : NULL;
    if (!prefix && name->type != GEN_IPADD)
        return NULL;
    const ASN1_STRING *value = GENERAL_NAME_get0_value(name, NULL);
    const unsigned char *bytes = ASN1_STRING_get0_data(value);
    int len = ASN1_STRING_length(value);
    if (!prefix)
        return address_text(arena, bytes, len);
    for (int i = 0; i < len; i++)
        if (bytes[i] <= ' ' || bytes[i] > '~')
            return NULL; /* with spaces or zeros it could read as something else */
    return mgi_arena_printf(arena, "%s:%.*s", prefix, len, (const char *)bytes);
}

static bool list_names(struct tls_identity *id, struct arena *arena, const X509 *certificate)
{
    GENERAL_NAMES *all = X509_get_ext_d2i(certificate, NID_subject_alt_name, NULL, NULL);
    int count = sk_GENERAL_NAME_num(all) < NAMES_MAX ? sk_GENERAL_NAME_num(all) : NAMES_MAX;
    const char **names = mgi_arena_alloc(arena, (size_t)(count > 0 ? count : 1) * sizeof *names);
    for (int i = 0; names && i < count; i++) {
        names[id->count] = name_text(arena, sk_GENERAL_NAME_value(all, i));
        if (names[id->count])
            id->count++;
    }
    id->names = names;
    GENERAL_NAMES_free(all);
    return names != NULL;
}

static bool put_subject(struct tls_identity *id, struct arena *arena, const X509 *certificate)
{
    BIO *bio = BIO_new(BIO_s_mem());
    char *text;
    /* escapes control characters and what is not ASCII */
    bool ok =
        bio && X509_NAME_print_ex(bio, X509_get_subject_name(certificate), 0, XN_FLAG_RFC2253) >= 0;
    if (ok) {
        long len = BIO_get_mem_data(bio, &text);
        id->subject = mgi_arena_printf(arena, "%.*s", (int)len, text);
        ok = id->subject != NULL;
    }
    BIO_free(bio);
    return ok;
}

static struct tls_identity *read_identity(struct arena *arena, const X509 *certificate)
{
    unsigned char digest[32];
    int64_t until;
    struct tls_identity *id = mgi_arena_alloc(arena, sizeof *id);
    if (!id)
        return NULL;
    *id = (struct tls_identity){ 0 };
    if (!mgi_tls_digest(certificate, digest) || !put_subject(id, arena, certificate) ||
        !list_names(id, arena, certificate) ||
        !mgi_tls_seconds(X509_get0_notAfter(certificate), &until))
        return NULL;
    id->expires_ns = until < INT64_MAX / NS_PER_SEC ? until * NS_PER_SEC : INT64_MAX;
    mgi_hex(digest, sizeof digest, id->fingerprint);
    return id;
}

const struct tls_identity *mgi_tls_identity(struct tls *t)
{
    const X509 *certificate = mgi_tls_is_open(t) ? SSL_get0_peer_certificate(t->ssl) : NULL;
    if (t->identity || !certificate || SSL_get_verify_result(t->ssl) != X509_V_OK)
        return t->identity;
    t->identity = read_identity(&t->identity_arena, certificate);
    ERR_clear_error();
    return t->identity;
}

const char *mgi_tls_version(const struct tls *t)
{
    return SSL_get_version(t->ssl);
}

const char *mgi_tls_cipher(const struct tls *t)
{
    return SSL_get_cipher_name(t->ssl);
}

bool mgi_tls_spoke_alpn(const struct tls *t)
{
    const unsigned char *name;
    unsigned len;
    SSL_get0_alpn_selected(t->ssl, &name, &len);
    return len > 0;
}
