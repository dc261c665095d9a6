/* Which addresses a live page may have: see guard.h. */
#include "guard_proxy.h"
#include "guard.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- text ----------------------------------------------------------------------------------- */

static char lower_letter(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool same_letters(struct str a, struct str b)
{
    if (a.len != b.len)
        return false;
    for (size_t i = 0; i < a.len; i++)
        if (lower_letter(a.ptr[i]) != lower_letter(b.ptr[i]))
            return false;
    return true;
}

/* Browsers drop these wherever they stand, and blanks and controls at both ends. */
static bool has_dropped_bytes(struct str url)
{
    for (size_t i = 0; i < url.len; i++)
        if ((unsigned char)url.ptr[i] < 0x20 || url.ptr[i] == 0x7f)
            return true;
    return false;
}

static size_t scheme_len(struct str url)
{
    size_t at = 0;
    while (at < url.len && at < 32) {
        char c = lower_letter(url.ptr[at]);
        if (c == ':')
            return at;
        if (!((c >= 'a' && c <= 'z') ||
              (at > 0 && ((c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.'))))
            return 0;
        at++;
    }
    return 0;
}

/* Names that browsers themselves hold for this machine, whatever a resolver says. */
static bool is_this_machine(struct str host)
{
    static const char name[] = "localhost";
    size_t len = sizeof name - 1;
    if (host.len > 0 && host.ptr[host.len - 1] == '.')
        host.len--;
    return host.len >= len && (host.len == len || host.ptr[host.len - len - 1] == '.') &&
           same_letters((struct str){ host.ptr + host.len - len, len }, STR_LIT("localhost"));
}

static int default_port(struct str scheme)
{
    if (same_letters(scheme, STR_LIT("http")) || same_letters(scheme, STR_LIT("ws")))
        return 80;
    return same_letters(scheme, STR_LIT("https")) || same_letters(scheme, STR_LIT("wss")) ? 443 : 0;
}

/* "host", "host:1", "[::1]:1", "user@host". False: the port is none. */
static bool parse_authority(struct str text, struct guard_url *out)
{
    for (size_t i = text.len; i-- > 0;)
        if (text.ptr[i] == '@') {
            text = (struct str){ text.ptr + i + 1, text.len - i - 1 };
            break;
        }
    size_t end = 0;
    if (text.len > 0 && text.ptr[0] == '[') {
        while (end < text.len && text.ptr[end] != ']')
            end++;
        if (end == text.len)
            return false;
        out->host = (struct str){ text.ptr + 1, end - 1 };
        end++;
    } else {
        while (end < text.len && text.ptr[end] != ':')
            end++;
        out->host = (struct str){ text.ptr, end };
    }
    if (end == text.len)
        return true;
    if (text.ptr[end] != ':')
        return false;
    int port = 0;
    for (size_t i = end + 1; i < text.len; i++) {
        if (text.ptr[i] < '0' || text.ptr[i] > '9' || port > 65535)
            return false;
        port = port * 10 + (text.ptr[i] - '0');
    }
    if (end + 1 < text.len)
        out->port = port;
    return port <= 65535;
}

bool mgi_guard_parse(struct str url, struct guard_url *out)
{
    size_t len = scheme_len(url), at = len + 1;
    *out = (struct guard_url){ .host = STR_LIT("") };
    if (len == 0)
        return false;
    out->scheme = (struct str){ url.ptr, len };
    out->port = default_port(out->scheme);
    if (url.len < at + 2 || url.ptr[at] != '/' || url.ptr[at + 1] != '/')
        return true;
    at += 2;
    size_t end = at;
    while (end < url.len && !strchr("/?#\\", url.ptr[end]))
        end++;
    return parse_authority((struct str){ url.ptr + at, end - at }, out);
}

/* ---- what is allowed ------------------------------------------------------------------------ */

static bool is_web(struct str scheme)
{
    return default_port(scheme) != 0;
}

static bool is_secure(struct str scheme)
{
    return same_letters(scheme, STR_LIT("https")) || same_letters(scheme, STR_LIT("wss"));
}

/* An entry of the list as a host and a port (0: every one). *secure is -1 where it names no scheme.
 */
static bool parse_entry(struct str entry, struct guard_url *out, int *secure)
{
    struct in6_addr six;
    char text[GUARD_HOST_MAX + 1];
    *out = (struct guard_url){ .host = STR_LIT("") };
    *secure = -1;
    if (mgi_str_find(entry, STR_LIT("://")) != SIZE_MAX) {
        bool good = mgi_guard_parse(entry, out) && is_web(out->scheme);
        *secure = is_secure(out->scheme);
        return good && out->host.len > 0;
    }
    snprintf(text, sizeof text, "%.*s", STR_ARG(entry));
    if (inet_pton(AF_INET6, text, &six) == 1) {
        out->host = entry;
        return true;
    }
    return parse_authority(entry, out) && out->host.len > 0;
}

/* The next entry of the list from *at; empty: there is none. */
static struct str next_entry(struct str allow, size_t *at)
{
    while (*at < allow.len && strchr(" \t\r\n,", allow.ptr[*at]))
        ++*at;
    size_t begin = *at;
    while (*at < allow.len && !strchr(" \t\r\n,", allow.ptr[*at]))
        ++*at;
    return (struct str){ allow.ptr + begin, *at - begin };
}

bool mgi_guard_allows(struct str allow, const struct guard_url *url)
{
    struct guard_url one;
    struct str entry;
    int secure;
    size_t at = 0;
    while (url->host.len > 0 && (entry = next_entry(allow, &at)).len > 0)
        if (parse_entry(entry, &one, &secure) && same_letters(one.host, url->host) &&
            (one.port == 0 || one.port == url->port) &&
            (secure < 0 || secure == is_secure(url->scheme)))
            return true;
    return false;
}

bool mgi_guard_says_address(struct str host)
{
    struct sockaddr_storage at;
    return is_this_machine(host) || mgi_guard_literal(host, &at);
}

bool mgi_guard_same_host(struct str a, struct str b)
{
    return a.len > 0 && same_letters(a, b);
}

bool mgi_guard_allows_address(struct str allow, const struct sockaddr *address, int port)
{
    static const char *const schemes[] = { "http", "https" };
    char text[INET6_ADDRSTRLEN] = "";
    bool six = address->sa_family == AF_INET6;
    const void *bytes =
        six ? (const void *)&((const struct sockaddr_in6 *)(const void *)address)->sin6_addr
            : (const void *)&((const struct sockaddr_in *)(const void *)address)->sin_addr;
    if (!inet_ntop(address->sa_family, bytes, text, sizeof text))
        return false;
    bool loopback = strcmp(text, "127.0.0.1") == 0 || strcmp(text, "::1") == 0;
    for (int i = 0; i < 2; i++) {
        struct guard_url url = { .scheme = str_of(schemes[i]), .host = str_of(text), .port = port };
        if (mgi_guard_allows(allow, &url))
            return true;
        url.host = STR_LIT("localhost");
        if (loopback && mgi_guard_allows(allow, &url))
            return true;
    }
    return false;
}

void mgi_guard_bypass(struct str allow, struct buf *out)
{
    struct guard_url one;
    struct str entry;
    int secure;
    size_t at = 0;
    while ((entry = next_entry(allow, &at)).len > 0) {
        if (!parse_entry(entry, &one, &secure) || !mgi_guard_says_address(one.host))
            continue;
        bool six = memchr(one.host.ptr, ':', one.host.len) != NULL;
        mgi_buf_printf(out, ";%s%.*s%s", six ? "[" : "", STR_ARG(one.host), six ? "]" : "");
        if (one.port)
            mgi_buf_printf(out, ":%d", one.port);
    }
}

void mgi_guard_excludes(struct str allow, struct buf *out)
{
    struct guard_url one;
    struct str entry;
    int secure;
    size_t at = 0;
    while ((entry = next_entry(allow, &at)).len > 0)
        if (parse_entry(entry, &one, &secure) && mgi_guard_says_address(one.host))
            mgi_buf_printf(out, ", EXCLUDE %.*s", STR_ARG(one.host));
}

const char *mgi_guard_refuses(struct str allow, struct str url)
{
    struct guard_url parts;
    struct sockaddr_storage address;
    if (str_is(url, "about:blank"))
        return NULL;
    if (url.len > 8192 || has_dropped_bytes(url))
        return "it is too long, or holds control characters";
    if (!mgi_guard_parse(url, &parts))
        return "it is no address: write http://HOST/ or https://HOST/";
    if (!is_web(parts.scheme) || lower_letter(parts.scheme.ptr[0]) != 'h')
        return "only http and https are opened";
    if (parts.host.len == 0 || parts.host.len > GUARD_HOST_MAX)
        return "it names no host";
    if (mgi_guard_allows(allow, &parts))
        return NULL;
    bool literal = mgi_guard_literal(parts.host, &address);
    if (literal && mgi_guard_is_internal((struct sockaddr *)&address))
        return "it is an internal address, which the operator has not allowed (setting `allow`)";
    if (is_this_machine(parts.host) || (literal && mgi_guard_is_own((struct sockaddr *)&address)))
        return "it is this machine, which the operator has not allowed (setting `allow`)";
    return NULL;
}

/* ---- addresses ------------------------------------------------------------------------------ */

static const struct {
    uint32_t net;
    int bits;
} internal_four[] = {
    { 0x00000000, 8 },  /* this network */
    { 0x0a000000, 8 },  /* private */
    { 0x64400000, 10 }, /* carriers' shared */
    { 0x7f000000, 8 },  /* loopback */
    { 0xa9fe0000, 16 }, /* link-local; clouds' metadata */
    { 0xac100000, 12 }, /* private */
    { 0xc0000000, 24 }, /* protocol assignments */
    { 0xc0000200, 24 }, /* documentation */
    { 0xc0586300, 24 }, /* relays of 6to4 */
    { 0xc0a80000, 16 }, /* private */
    { 0xc6120000, 15 }, /* benchmarks */
    { 0xc6336400, 24 }, /* documentation */
    { 0xcb007100, 24 }, /* documentation */
    { 0xe0000000, 4 },  /* multicast */
    { 0xf0000000, 4 },  /* reserved, broadcast */
};

static bool is_internal_four(uint32_t host_order)
{
    for (size_t i = 0; i < sizeof internal_four / sizeof *internal_four; i++)
        if ((host_order ^ internal_four[i].net) >> (32 - internal_four[i].bits) == 0)
            return true;
    return false;
}

static uint32_t four_at(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/* The address of IPv4 that one of IPv6 stands for. False: none. */
static bool four_within(const uint8_t *b, uint32_t *four)
{
    static const uint8_t zeros[10] = { 0 };
    static const uint8_t translated[12] = { 0, 0x64, 0xff, 0x9b };
    bool mapped = memcmp(b, zeros, 10) == 0 && b[10] == 0xff && b[11] == 0xff;
    bool nat64 = memcmp(b, translated, 12) == 0, six_to_four = b[0] == 0x20 && b[1] == 0x02;
    *four = four_at(six_to_four ? b + 2 : b + 12);
    return mapped || nat64 || six_to_four;
}

static bool is_internal_six(const uint8_t *b)
{
    static const uint8_t zeros[12] = { 0 };
    uint32_t four;
    if (four_within(b, &four))
        return is_internal_four(four);
    if (memcmp(b, zeros, 12) == 0)
        return true; /* ::, ::1, and the compatible ones that nobody uses any more */
    if (b[0] == 0x20 && b[1] == 0x01 && b[2] == 0 && b[3] == 0)
        return true; /* Teredo: an address that is hidden in there */
    if (b[0] == 0x20 && b[1] == 0x01 && b[2] == 0x0d && b[3] == 0xb8)
        return true;              /* documentation */
    return (b[0] & 0xe0) != 0x20; /* everything that is not global unicast */
}

bool mgi_guard_is_internal(const struct sockaddr *address)
{
    if (address->sa_family == AF_INET)
        return is_internal_four(
            ntohl(((const struct sockaddr_in *)(const void *)address)->sin_addr.s_addr));
    if (address->sa_family == AF_INET6)
        return is_internal_six(
            ((const struct sockaddr_in6 *)(const void *)address)->sin6_addr.s6_addr);
    return true;
}

static const uint8_t *six_of(const struct sockaddr *address)
{
    return ((const struct sockaddr_in6 *)(const void *)address)->sin6_addr.s6_addr;
}

static bool has_four(const struct sockaddr *address, uint32_t *four)
{
    if (address->sa_family == AF_INET) {
        *four = ntohl(((const struct sockaddr_in *)(const void *)address)->sin_addr.s_addr);
        return true;
    }
    return address->sa_family == AF_INET6 && four_within(six_of(address), four);
}

bool mgi_guard_is_among(const struct ifaddrs *list, const struct sockaddr *address)
{
    uint32_t four = 0, own = 0;
    bool is_four = has_four(address, &four);
    for (; list; list = list->ifa_next) {
        const struct sockaddr *one = list->ifa_addr;
        if (!one || (one->sa_family != AF_INET && one->sa_family != AF_INET6))
            continue;
        if (is_four && has_four(one, &own) && own == four)
            return true;
        if (one->sa_family == AF_INET6 && address->sa_family == AF_INET6 &&
            memcmp(six_of(one), six_of(address), 16) == 0)
            return true;
    }
    return false;
}

bool mgi_guard_is_own(const struct sockaddr *address)
{
    struct ifaddrs *list = NULL;
    if (getifaddrs(&list) != 0)
        return true; /* it cannot be told that it is not */
    bool is = mgi_guard_is_among(list, address);
    freeifaddrs(list);
    return is;
}

bool mgi_guard_literal(struct str host, struct sockaddr_storage *out)
{
    char text[GUARD_HOST_MAX + 1];
    struct sockaddr_in *four = (struct sockaddr_in *)out;
    struct sockaddr_in6 *six = (struct sockaddr_in6 *)out;
    if (host.len == 0 || host.len > GUARD_HOST_MAX || memchr(host.ptr, '\0', host.len))
        return false;
    memcpy(text, host.ptr, host.len);
    text[host.len] = '\0';
    if (text[host.len - 1] == '.')
        text[host.len - 1] = '\0';
    *out = (struct sockaddr_storage){ 0 };
    if (inet_aton(text, &four->sin_addr)) {
        four->sin_family = AF_INET;
        return true;
    }
    if (inet_pton(AF_INET6, text, &six->sin6_addr) == 1) {
        six->sin6_family = AF_INET6;
        return true;
    }
    *out = (struct sockaddr_storage){ 0 };
    return false;
}
