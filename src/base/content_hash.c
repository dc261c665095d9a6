/* SHA-256: blocks of 64 bytes are mixed into eight words by 64 rounds each; the last blocks end
 * with a one bit, zeros, and the length in bits (FIPS 180-4, 5.1.1 and 6.2). */
#include "base/content_hash.h"

#include <string.h>

#define BLOCK 64

static const uint32_t round_words[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2
};

static uint32_t turned(uint32_t x, int right)
{
    return x >> right | x << (32 - right);
}

static uint32_t read_word(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static void write_word(uint8_t *p, uint32_t x)
{
    p[0] = (uint8_t)(x >> 24);
    p[1] = (uint8_t)(x >> 16);
    p[2] = (uint8_t)(x >> 8);
    p[3] = (uint8_t)x;
}

/* 6.2.2, with the letters and names of the standard; w is the message schedule. */
static void mix_block(uint32_t hash[8], const uint8_t *block)
{
    uint32_t w[64];
    for (int t = 0; t < 16; t++)
        w[t] = read_word(block + 4 * t);
    for (int t = 16; t < 64; t++) {
        uint32_t x = w[t - 15], y = w[t - 2];
        w[t] = w[t - 16] + (turned(x, 7) ^ turned(x, 18) ^ x >> 3) + w[t - 7] +
               (turned(y, 17) ^ turned(y, 19) ^ y >> 10);
    }
    uint32_t a = hash[0], b = hash[1], c = hash[2], d = hash[3];
    uint32_t e = hash[4], f = hash[5], g = hash[6], h = hash[7];
    for (int t = 0; t < 64; t++) {
        uint32_t ch = (e & f) ^ (~e & g), maj = (a & b) ^ (a & c) ^ (b & c);
        uint32_t sum0 = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
        uint32_t sum1 = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
        uint32_t t1 = h + sum1 + ch + round_words[t] + w[t];
        h = g;
        g = f;
        f = e;
        e = d + t1;
        d = c;
        c = b;
        b = a;
        a = t1 + sum0 + maj;
    }
    const uint32_t letters[8] = { a, b, c, d, e, f, g, h };
    for (int i = 0; i < 8; i++)
        hash[i] += letters[i];
}

void mgi_content_hash(const void *ptr, size_t len, uint8_t out[CONTENT_HASH_BYTES])
{
    uint32_t hash[8] = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 };
    const uint8_t *bytes = ptr;
    size_t rest = len;
    for (; rest >= BLOCK; rest -= BLOCK, bytes += BLOCK)
        mix_block(hash, bytes);

    uint8_t last[2 * BLOCK] = { 0 };
    if (rest)
        memcpy(last, bytes, rest);
    last[rest] = 0x80;
    size_t used = rest + 1 + 8 <= BLOCK ? BLOCK : 2 * BLOCK;
    uint64_t bits = (uint64_t)len * 8;
    write_word(last + used - 8, (uint32_t)(bits >> 32));
    write_word(last + used - 4, (uint32_t)bits);
    for (size_t at = 0; at < used; at += BLOCK)
        mix_block(hash, last + at);
    for (int i = 0; i < 8; i++)
        write_word(out + 4 * i, hash[i]);
}
