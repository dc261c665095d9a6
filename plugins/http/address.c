/* See address.h: tables of prefixes, looked through. */
#include "address.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static const struct {
    uint32_t prefix;
    int bits;
} closed_v4[] = {
    { 0x00000000, 8 },  /* this network */
    { 0x0A000000, 8 },  /* private */
    { 0x64400000, 10 }, /* behind a carrier's NAT */
    { 0x7F000000, 8 },  /* loopback */
    { 0xA9FE0000, 16 }, /* link-local, and the metadata of clouds */
    { 0xAC100000, 12 }, /* private */
    { 0xC0000000, 24 }, /* protocol assignments */
    { 0xC0000200, 24 }, /* documentation */
    { 0xC0586300, 24 }, /* 6to4 relays */
    { 0xC0A80000, 16 }, /* private */
    { 0xC6120000, 15 }, /* benchmarks */
    { 0xC6336400, 24 }, /* documentation */
    { 0xCB007100, 24 }, /* documentation */
    { 0xE0000000, 3 },  /* multicast, reserved, broadcast */
};

/* Within 2000::/3. */
static const struct {
    uint8_t prefix[4];
    int bits;
} closed_v6[] = {
    { { 0x20, 0x01, 0x00, 0x00 }, 23 }, /* Teredo, ORCHID, and other assignments */
    { { 0x20, 0x01, 0x0d, 0xb8 }, 32 }, /* documentation */
    { { 0x20, 0x02, 0x00, 0x00 }, 16 }, /* 6to4: holds any IPv4 address */
    { { 0x3f, 0xff, 0x00, 0x00 }, 20 }, /* documentation */
};

static bool is_public_v4(uint32_t address)
{
    for (size_t i = 0; i < sizeof closed_v4 / sizeof *closed_v4; i++)
        if ((address ^ closed_v4[i].prefix) >> (32 - closed_v4[i].bits) == 0)
            return false;
    return true;
}

static bool is_public_v6(const uint8_t a[16])
{
    uint32_t begin = (uint32_t)a[0] << 24 | (uint32_t)a[1] << 16 | (uint32_t)a[2] << 8 | a[3];
    for (size_t i = 0; i < sizeof closed_v6 / sizeof *closed_v6; i++) {
        const uint8_t *p = closed_v6[i].prefix;
        uint32_t prefix = (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
        if ((begin ^ prefix) >> (32 - closed_v6[i].bits) == 0)
            return false;
    }
    return begin >> 29 == 1;
}

bool mgi_address_is_public(const struct sockaddr *address, socklen_t len)
{
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
    if (address->sa_family == AF_INET && len >= sizeof v4) {
        memcpy(&v4, address, sizeof v4);
        return is_public_v4(ntohl(v4.sin_addr.s_addr));
    }
    if (address->sa_family == AF_INET6 && len >= sizeof v6) {
        memcpy(&v6, address, sizeof v6);
        return is_public_v6(v6.sin6_addr.s6_addr);
    }
    return false;
}
