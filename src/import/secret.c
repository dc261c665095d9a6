/* Which texts are secrets: see secret.h. */
#include "import/secret.h"
#include "import/words.h"

#define RANDOM_BYTES 20 /* shorter texts are words */
#define RANDOM_TURNS 4  /* between letters and digits, or small and capital ones */

bool mgi_import_secret_name(struct arena *arena, struct str name)
{
    static const char *const secret[] = { "token",      "key",           "apikey",     "secret",
                                          "password",   "passwd",        "pass",       "pwd",
                                          "auth",       "authorization", "cookie",     "pat",
                                          "bearer",     "dsn",           "credential", "pin",
                                          "passphrase", "credentials",   "signature" };
    struct str words[IMPORT_WORDS];
    size_t count = mgi_import_split(arena, name, words, IMPORT_WORDS);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < sizeof secret / sizeof *secret; k++)
            if (str_is(words[i], secret[k]))
                return true;
    return false;
}

static bool has_prefix_of_some_issuer(struct str value)
{
    static const char *const prefixes[] = {
        "ghp_",     "gho_",       "ghu_",    "ghs_",   "github_pat_", "glpat-",   "sk-",
        "sk_live_", "sk_test_",   "rk_",     "xoxb-",  "xoxp-",       "xapp-",    "AKIA",
        "ASIA",     "AIza",       "ya29.",   "ntn_",   "secret_",     "hf_",      "npm_",
        "pypi-",    "-----BEGIN", "dop_v1_", "SG.",    "shpat_",      "lin_api_", "tvly-",
        "Bearer ",  "Basic ",     "eyJ",     "whsec_",
    };
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (mgi_str_starts(value, str_of(prefixes[i])) && value.len > strlen(prefixes[i]) + 6)
            return true;
    return false;
}

static int class_of(char c)
{
    if (c >= '0' && c <= '9')
        return 1;
    if (c >= 'A' && c <= 'Z')
        return 2;
    if (c >= 'a' && c <= 'z')
        return 3;
    return c == '-' || c == '_' || c == '+' || c == '=' ? 0 : -1;
}

static bool is_random(struct str value)
{
    int before = 0, turns = 0, digits = 0;
    if (value.len < RANDOM_BYTES)
        return false;
    for (size_t i = 0; i < value.len; i++) {
        int here = class_of(value.ptr[i]);
        if (here < 0)
            return false;
        turns += here > 0 && before > 0 && here != before;
        digits += here == 1;
        before = here;
    }
    return turns >= RANDOM_TURNS && digits > 0;
}

/* user:password@ of an address. */
static bool has_password(struct str value)
{
    size_t scheme = mgi_str_find(value, STR_LIT("://"));
    if (scheme == SIZE_MAX)
        return false;
    struct str rest = { value.ptr + scheme + 3, value.len - scheme - 3 };
    const char *slash = memchr(rest.ptr, '/', rest.len);
    size_t len = slash ? (size_t)(slash - rest.ptr) : rest.len;
    const char *at = memchr(rest.ptr, '@', len);
    return at && memchr(rest.ptr, ':', (size_t)(at - rest.ptr)) != NULL;
}

bool mgi_import_secret_value(struct str value)
{
    return has_prefix_of_some_issuer(value) || is_random(value) || has_password(value);
}

void mgi_import_hide_secrets(struct buf *out, struct str text, const struct str *secrets,
                             size_t count)
{
    for (size_t at = 0; at < text.len;) {
        struct str rest = { text.ptr + at, text.len - at };
        size_t len = 0;
        for (size_t i = 0; i < count; i++)
            if (secrets[i].len > len && mgi_str_starts(rest, secrets[i]))
                len = secrets[i].len;
        if (len)
            mgi_buf_puts(out, "[secret]");
        else
            mgi_buf_putc(out, rest.ptr[0]);
        at += len ? len : 1;
    }
}
