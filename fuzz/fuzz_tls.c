/* TLS: whatever the wire brings, an engine answers with a status, and what it holds is bounded. The
 * first byte chooses: bytes for a server, bytes for a client, a real handshake and conversation
 * whose wire is damaged where the input says, or texts for certificate and key. */
#include <stdint.h>

#include "net/tls_made.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);

static struct tls_context *server, *client;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    struct made own = make_certificate(
        &(struct made_options){ .name = "x", .names = "DNS:x.test", .is_authority = true });
    server = serve_made(&own, own.certificate_pem, true);
    client = trust_made(own.certificate_pem, &own);
    make_must(server && client);
    made_free(&own);
    return 0;
}

static void hear(struct tls *t)
{
    char out[512];
    size_t len;
    for (int i = 0; i < 1000; i++) {
        enum tls_status status = mgi_tls_read(t, out, sizeof out, &len);
        if ((status == TLS_OK) != (len > 0) || len > sizeof out)
            abort();
        if (status != TLS_OK)
            return;
    }
}

static void feed_raw(struct tls_context *context, const uint8_t *bytes, size_t size)
{
    struct tls *t = mgi_tls_new(context, context == client ? "x.test" : NULL, NOW_NS);
    size_t step = size > 0 ? 1 + bytes[0] : 1;
    mgi_tls_handshake(t);
    for (size_t at = 1; at < size; at += step) {
        size_t len = size - at < step ? size - at : step;
        make_must(mgi_tls_feed(t, (struct str){ (const char *)bytes + at, len }));
        if (mgi_tls_handshake(t) == TLS_OK)
            hear(t);
        if (mgi_tls_held(t) > 4 * size + 65536)
            abort();
    }
    mgi_tls_close(t);
    mgi_tls_free(t);
}

/* The wire between two engines: input[2k], input[2k + 1]: so many bytes on, xor with this. */
struct noise {
    const uint8_t *at, *end;
    size_t until; /* bytes before the next damage */
};

static void carry_damaged(struct tls *from, struct tls *to, struct noise *noise)
{
    struct buf wire = { 0 };
    mgi_buf_str(&wire, mgi_tls_output(from));
    mgi_tls_sent(from);
    for (size_t i = 0; i < wire.len; i++) {
        if (noise->end - noise->at < 2 || noise->until-- > 0)
            continue;
        wire.ptr[i] = (char)(wire.ptr[i] ^ noise->at[1]);
        noise->until = (size_t)noise->at[0] * 8;
        noise->at += 2;
    }
    make_must(mgi_tls_feed(to, mgi_buf_view(&wire)));
    mgi_buf_fini(&wire);
    if (mgi_tls_handshake(to) == TLS_OK)
        hear(to);
}

static void converse(const uint8_t *bytes, size_t size)
{
    struct noise noise = { bytes + 1, bytes + size, size > 0 ? bytes[0] * (size_t)8 : 0 };
    struct pair p = pair_of(server, client, "x.test");
    for (int i = 0; i < 5; i++) {
        mgi_tls_handshake(p.client);
        carry_damaged(p.client, p.server, &noise);
        carry_damaged(p.server, p.client, &noise);
        mgi_tls_write(p.client, STR_LIT("a client's words"));
        mgi_tls_write(p.server, STR_LIT("a server's"));
    }
    mgi_tls_identity(p.server);
    pair_free(&p);
}

static void load(const uint8_t *bytes, size_t size)
{
    size_t half = size / 2;
    struct tls_report report = { 0 };
    struct tls_server_options o = {
        .certificate = { "c", { (const char *)bytes, half } },
        .key = { "k", { (const char *)bytes + half, size - half } },
        .client_ca = { "a", { (const char *)bytes, size } },
        .now_ns = NOW_NS,
    };
    struct tls_context *c = mgi_tls_server_new(&o, &report);
    if (!c && report.errors.len == 0)
        abort();
    mgi_tls_context_unref(c);
    mgi_tls_report_fini(&report);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size < 2)
        return 0;
    switch (bytes[0] % 4) {
    case 0:
        feed_raw(server, bytes + 1, size - 1);
        break;
    case 1:
        feed_raw(client, bytes + 1, size - 1);
        break;
    case 2:
        converse(bytes + 1, size - 1);
        break;
    default:
        load(bytes + 1, size - 1);
        break;
    }
    return 0;
}
