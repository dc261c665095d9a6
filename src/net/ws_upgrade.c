/* The WebSocket handshake: tokens of header values, and the digest that proves that the other side
 * speaks the protocol. */
#include "net/ws_upgrade.h"

#include <openssl/evp.h>
#include <strings.h>

#include "net/http1.h"

/* RFC 6455 section 1.3 */
static const char accept_suffix[] = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

#define SHA1_BYTES 20

/* Does the list `value` hold `token`? */
static bool lists(struct str value, const char *token, bool case_counts)
{
    size_t len = strlen(token);
    while (value.len > 0) {
        const char *comma = memchr(value.ptr, ',', value.len);
        size_t part = comma ? (size_t)(comma - value.ptr) : value.len;
        struct str one = mgi_str_trim((struct str){ value.ptr, part }, HTTP1_BLANKS);
        if (one.len == len && (case_counts ? memcmp(one.ptr, token, len) == 0
                                           : strncasecmp(one.ptr, token, len) == 0))
            return true;
        if (!comma)
            return false;
        value.ptr += part + 1;
        value.len -= part + 1;
    }
    return false;
}

/* 16 bytes in base64: 22 characters and their padding. */
static bool is_upgrade_key(struct str key)
{
    if (key.len != WS_KEY_TEXT || memcmp(key.ptr + 22, "==", 2) != 0)
        return false;
    for (size_t i = 0; i < 22; i++) {
        char c = key.ptr[i];
        if (!((c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
              c == '+' || c == '/'))
            return false;
    }
    return true;
}

int mgi_ws_judge_offer(const struct ws_offer *offer, const char **why)
{
    *why = NULL;
    if (!offer->is_get) {
        *why = "A WebSocket is opened with GET.";
        return 405;
    }
    if (!lists(offer->upgrade, "websocket", false)) {
        *why = "This path is a WebSocket: the request needs the header Upgrade: websocket.";
        return 426;
    }
    if (offer->http_major < 1 || (offer->http_major == 1 && offer->http_minor < 1)) {
        *why = "A WebSocket needs HTTP/1.1.";
        return 400;
    }
    if (!lists(offer->connection, "upgrade", false)) {
        *why = "The header Connection: Upgrade is missing.";
        return 400;
    }
    if (!str_is(mgi_str_trim(offer->version, HTTP1_BLANKS), "13")) {
        *why = "The Sec-WebSocket-Version must be 13.";
        return 426;
    }
    if (!is_upgrade_key(mgi_str_trim(offer->key, HTTP1_BLANKS))) {
        *why = "The Sec-WebSocket-Key must be 16 bytes in base64.";
        return 400;
    }
    return 101;
}

bool mgi_ws_offers(struct str protocols, const char *name)
{
    return lists(protocols, name, true);
}

bool mgi_ws_accept(struct str key, char out[WS_ACCEPT_TEXT + 1])
{
    uint8_t digest[SHA1_BYTES];
    char text[WS_KEY_TEXT + sizeof accept_suffix];
    key = mgi_str_trim(key, HTTP1_BLANKS);
    if (key.len != WS_KEY_TEXT)
        return false;
    memcpy(text, key.ptr, WS_KEY_TEXT);
    memcpy(text + WS_KEY_TEXT, accept_suffix, sizeof accept_suffix);
    if (EVP_Digest(text, sizeof text - 1, digest, NULL, EVP_sha1(), NULL) != 1)
        return false;
    EVP_EncodeBlock((unsigned char *)out, digest, sizeof digest);
    return true;
}

void mgi_ws_put_acceptance(struct buf *out, struct str key, const char *protocol)
{
    char accept[WS_ACCEPT_TEXT + 1];
    if (!mgi_ws_accept(key, accept)) {
        out->oom = true;
        return;
    }
    mgi_buf_printf(out,
                   "Upgrade: websocket\r\n"
                   "Connection: Upgrade\r\n"
                   "Sec-WebSocket-Accept: %s\r\n",
                   accept);
    if (protocol)
        mgi_buf_printf(out, "Sec-WebSocket-Protocol: %s\r\n", protocol);
}

void mgi_ws_key(const uint8_t random[16], char out[WS_KEY_TEXT + 1])
{
    EVP_EncodeBlock((unsigned char *)out, random, 16);
}

void mgi_ws_put_offer(struct buf *out, const char *target, const char *host, const char *key,
                      const char *protocol, const char *more)
{
    mgi_buf_printf(out,
                   "GET %s HTTP/1.1\r\n"
                   "Host: %s\r\n"
                   "Upgrade: websocket\r\n"
                   "Connection: Upgrade\r\n"
                   "Sec-WebSocket-Version: 13\r\n"
                   "Sec-WebSocket-Key: %s\r\n",
                   target, host, key);
    if (protocol)
        mgi_buf_printf(out, "Sec-WebSocket-Protocol: %s\r\n", protocol);
    mgi_buf_printf(out, "%s\r\n", more);
}

const char *mgi_ws_judge_acceptance(const struct ws_acceptance *answer, const char *key,
                                    const char *protocol)
{
    char expected[WS_ACCEPT_TEXT + 1];
    if (answer->status != 101)
        return "The server did not switch to WebSocket.";
    if (!lists(answer->upgrade, "websocket", false) || !lists(answer->connection, "upgrade", false))
        return "The server's answer lacks Upgrade: websocket or Connection: Upgrade.";
    if (!mgi_ws_accept(str_of(key), expected))
        return "The answer could not be checked: out of memory.";
    if (!str_is(mgi_str_trim(answer->accept, HTTP1_BLANKS), expected))
        return "The server's Sec-WebSocket-Accept does not belong to our key.";
    if (mgi_str_trim(answer->extensions, HTTP1_BLANKS).len > 0)
        return "The server uses an extension that was not offered.";
    struct str chosen = mgi_str_trim(answer->protocol, HTTP1_BLANKS);
    if (chosen.len > 0 && (!protocol || !str_is(chosen, protocol)))
        return "The server chose a subprotocol that was not offered.";
    return NULL;
}
