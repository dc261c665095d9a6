/* Base64: see base64.h. One pass; the state is how many characters of a group are in hand. */
#include "base/base64.h"

static int base64_value(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* What is left when the text is over: `held` characters of an open group, `pads` of padding. */
static const char *judge_end(uint32_t bits, unsigned held, unsigned pads, size_t count)
{
    if (count == 0)
        return "the Base64 text is empty";
    if (held == 1)
        return "the Base64 text lacks at least one character";
    if (pads > 0 && (held == 0 || pads != 4 - held))
        return "the padding does not complete a group of four";
    if ((held == 2 && (bits & 0xf)) || (held == 3 && (bits & 0x3)))
        return "the last Base64 character has bits that belong to no byte";
    return NULL;
}

const char *mgi_base64_decode(struct str text, char *out, size_t *len, size_t *at)
{
    uint32_t bits = 0;
    unsigned held = 0, pads = 0;
    size_t count = 0, made = 0;
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        *at = i;
        if (is_space(c))
            continue;
        if (c == '=') {
            pads++;
            continue;
        }
        if (pads > 0)
            return "a character after the padding";
        int value = base64_value(c);
        if (value < 0)
            return "not a character of Base64";
        bits = bits << 6 | (uint32_t)value;
        count++;
        if (++held == 4) {
            out[made++] = (char)(bits >> 16 & 0xff);
            out[made++] = (char)(bits >> 8 & 0xff);
            out[made++] = (char)(bits & 0xff);
            bits = held = 0;
        }
    }
    *at = text.len;
    if (held == 2)
        out[made++] = (char)(bits >> 4 & 0xff);
    if (held == 3) {
        out[made++] = (char)(bits >> 10 & 0xff);
        out[made++] = (char)(bits >> 2 & 0xff);
    }
    *len = made;
    return judge_end(bits, held, pads, count);
}
