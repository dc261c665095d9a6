/* Bearer tokens, API keys and certificates -> principals, from the environment's token and a token
 * file.
 *
 * Only digests are kept. A look-up compares with every token, whichever fits, so its time tells
 * nothing. All faulty lines of a file are reported together, by number and never by content: a
 * line may hold a secret in the wrong place. */
#include "security/auth.h"

#include <strings.h>

#include "base/alloc.h"
#include "base/time.h"
#include "base/utf8.h"
#include "sys/digest.h"
#include "base/encode.h"

#define MAX_FAULTS      20
#define IDENTITY_MAX    256 /* bytes: it stands in every line of the logs */
#define CONFIRM_KEY_MIN 16  /* bytes */

/* What kind of credential, and its SHA-256: a token is never taken for a certificate. */
#define CREDENTIAL_BYTES (1 + SHA256_BYTES)
enum { KIND_TOKEN = 't', KIND_KEY = 'k', KIND_CERTIFICATE = 'c' };

static const struct {
    struct str prefix;
    uint8_t kind;
} kinds[] = {
    { { "sha256:", 7 }, KIND_TOKEN },
    { { "key-sha256:", 11 }, KIND_KEY },
    { { "cert-sha256:", 12 }, KIND_CERTIFICATE },
};

struct token {
    uint8_t credential[CREDENTIAL_BYTES];
    struct principal read; /* as the line says; its texts are in the arena */
    struct principal *who; /* made of it when all lines are known */
};

struct auth {
    atomic_uint refs;
    struct arena arena;
    struct token *tokens;
    size_t count, cap;
};

struct reading {
    struct auth *auth;
    unsigned line;
    unsigned faults;
    const char *said; /* the last fault, and of which line */
    unsigned said_line;
    struct buf why;
};

static void line_fault(struct reading *r, const char *text)
{
    if (r->said_line == r->line && r->said == text)
        return; /* once a line is enough */
    r->said = text;
    r->said_line = r->line;
    if (r->faults++ < MAX_FAULTS)
        mgi_buf_printf(&r->why, "%sline %u: %s", r->why.len > 0 ? "\n" : "", r->line, text);
}

/* The next run of characters that are not blank. */
static struct str next_word(struct str *rest)
{
    size_t start = 0;
    while (start < rest->len && (rest->ptr[start] == ' ' || rest->ptr[start] == '\t'))
        start++;
    size_t end = start;
    while (end < rest->len && rest->ptr[end] != ' ' && rest->ptr[end] != '\t')
        end++;
    struct str word = { rest->ptr + start, end - start };
    *rest = (struct str){ rest->ptr + end, rest->len - end };
    return word;
}

static bool printable(struct str s)
{
    for (size_t i = 0; i < s.len; i++)
        if ((unsigned char)s.ptr[i] < 0x20 || s.ptr[i] == 0x7f)
            return false;
    return s.len > 0;
}

static bool is_identity(struct str s)
{
    return printable(s) && s.len <= IDENTITY_MAX && mgi_utf8_valid(s, NULL);
}

/* What a misspelt list gives would let nobody in, and nobody would be told why. */
static const char *permissions_fault(struct str list)
{
    if (str_is(list, "-"))
        return NULL;
    for (size_t start = 0, i = 0; i <= list.len; i++) {
        if (i < list.len && list.ptr[i] != ',')
            continue;
        struct str one = { list.ptr + start, i - start };
        start = i + 1;
        if (one.len == 0)
            return "permissions are separated by one comma each";
        if (one.len >= 6 && strncasecmp(one.ptr, "intent", 6) == 0 &&
            (one.len == 6 || one.ptr[6] == ':') &&
            (one.len < 8 || strncmp(one.ptr, "intent:", 7) != 0))
            return "a permission for intents is intent:* or intent:NAME";
    }
    return NULL;
}

static bool parse_hex(struct str text, uint8_t out[SHA256_BYTES])
{
    if (text.len != 2 * SHA256_BYTES)
        return false;
    for (size_t i = 0; i < 2 * SHA256_BYTES; i++) {
        int c = (unsigned char)text.ptr[i], digit;
        if (c >= '0' && c <= '9')
            digit = c - '0';
        else if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f')
            digit = (c | 0x20) - 'a' + 10;
        else
            return false;
        out[i / 2] = (uint8_t)(i % 2 == 0 ? digit << 4 : out[i / 2] | digit);
    }
    return true;
}

/* The first word of a line. */
static bool parse_credential(struct str word, uint8_t out[CREDENTIAL_BYTES])
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        size_t len = kinds[i].prefix.len;
        if (!mgi_str_starts(word, kinds[i].prefix))
            continue;
        out[0] = kinds[i].kind;
        return parse_hex((struct str){ word.ptr + len, word.len - len }, out + 1);
    }
    return false;
}

/* `a,b,c` as copies in the arena of `auth`; "-" is the empty list. */
static bool parse_list(struct auth *auth, struct str word, const struct str **out, size_t *count)
{
    struct str *items = NULL;
    size_t cap = 0;
    *count = 0;
    *out = NULL;
    if (str_is(word, "-"))
        return true;
    for (size_t start = 0, i = 0; i <= word.len; i++) {
        if (i < word.len && word.ptr[i] != ',')
            continue;
        struct str item = { word.ptr + start, i - start };
        start = i + 1;
        if (item.len == 0)
            continue;
        if (!mgi_arena_grow(&auth->arena, &items, &cap, *count + 1, sizeof *items))
            return false;
        items[(*count)++] = mgi_arena_str(&auth->arena, item);
    }
    *out = items;
    return true;
}

static void parse_confirm_key(struct reading *r, struct token *t, struct str value)
{
    uint8_t *key = mgi_arena_alloc(&r->auth->arena, value.len + 1);
    size_t len = key ? mgi_base64url_decode(value, key, value.len + 1) : SIZE_MAX;
    if (len == SIZE_MAX || len < CONFIRM_KEY_MIN)
        line_fault(r, "confirm_key must be base64url of 16 bytes or more");
    else
        t->read.confirm_key = (struct str){ (const char *)key, len };
}

/* `said`: a bit for each that this line has had. */
static void parse_setting(struct reading *r, struct token *t, struct str word, unsigned *said)
{
    static const char *const names[] = { "expires",      "not_before",  "trust",
                                         "auto_confirm", "confirm_key", "confirm_form" };
    size_t equals = mgi_str_find(word, STR_LIT("="));
    if (equals == SIZE_MAX) {
        line_fault(r, "after the permissions come settings of the form key=value");
        return;
    }
    struct str key = { word.ptr, equals };
    struct str value = { word.ptr + equals + 1, word.len - equals - 1 };
    unsigned bit = 0;
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        bit |= str_is(key, names[i]) ? 1U << i : 0;
    if (*said & bit)
        line_fault(r, "a setting is given twice");
    *said |= bit;
    if (str_is(key, "expires")) {
        if (mgi_time_parse(value, TIME_LOWER_CASE, &t->read.expires_ns) != TIME_OK)
            line_fault(r, "expires must be a time such as 2027-01-01T00:00:00Z");
    } else if (str_is(key, "not_before")) {
        if (mgi_time_parse(value, TIME_LOWER_CASE, &t->read.not_before_ns) != TIME_OK)
            line_fault(r, "not_before must be a time such as 2027-01-01T00:00:00Z");
    } else if (str_is(key, "trust")) {
        t->read.automated = str_is(value, "automated");
        if (!t->read.automated)
            line_fault(r, "trust can only be automated");
    } else if (str_is(key, "auto_confirm")) {
        parse_list(r->auth, value, &t->read.auto_confirm, &t->read.auto_confirm_count);
    } else if (str_is(key, "confirm_key")) {
        parse_confirm_key(r, t, value);
    } else if (str_is(key, "confirm_form")) {
        t->read.makes_confirmations = str_is(value, "client");
        if (!t->read.makes_confirmations)
            line_fault(r, "confirm_form can only be client");
    } else {
        line_fault(r, "the settings are expires, not_before, trust, auto_confirm, confirm_key and "
                      "confirm_form");
    }
}

static void keep_token(struct reading *r, const struct token *t)
{
    struct auth *auth = r->auth;
    for (size_t i = 0; i < auth->count; i++)
        if (memcmp(auth->tokens[i].credential, t->credential, CREDENTIAL_BYTES) == 0) {
            line_fault(r, "this token is listed twice");
            return;
        }
    if (mgi_arena_grow(&auth->arena, &auth->tokens, &auth->cap, auth->count + 1,
                       sizeof *auth->tokens))
        auth->tokens[auth->count++] = *t;
}

static void parse_line(struct reading *r, struct str line)
{
    struct str rest = line;
    struct str digest = next_word(&rest);
    if (digest.len == 0 || digest.ptr[0] == '#')
        return;
    struct str identity = next_word(&rest);
    struct str permissions = next_word(&rest);
    unsigned said = 0;
    struct token t = {
        .read = { .kind = PRINCIPAL_KNOWN, .not_before_ns = INT64_MIN, .expires_ns = INT64_MAX }
    };
    if (!parse_credential(digest, t.credential))
        line_fault(r, "the first word must be sha256:, key-sha256: or cert-sha256: and 64 "
                      "hexadecimal digits");
    if (!is_identity(identity))
        line_fault(r, "the second word must be an identity");
    const char *fault = permissions_fault(permissions);
    if (permissions.len == 0)
        line_fault(r, "the third word must be permissions, or - for none");
    else if (fault)
        line_fault(r, fault);
    t.read.identity = mgi_arena_str(&r->auth->arena, identity);
    parse_list(r->auth, permissions, &t.read.permissions, &t.read.permission_count);
    for (struct str word = next_word(&rest); word.len > 0; word = next_word(&rest))
        parse_setting(r, &t, word, &said);
    if (t.read.auto_confirm_count > 0 && !t.read.automated)
        line_fault(r, "auto_confirm is only for trust=automated");
    if (t.read.makes_confirmations && t.read.confirm_key.len == 0)
        line_fault(r, "confirm_form is only for a line with confirm_key");
    if (r->faults == 0)
        keep_token(r, &t);
}

static void parse_file(struct reading *r, struct str text)
{
    size_t start = 0;
    for (size_t i = 0; i <= text.len; i++) {
        if (i < text.len && text.ptr[i] != '\n')
            continue;
        struct str line = { text.ptr + start, i - start };
        if (line.len > 0 && line.ptr[line.len - 1] == '\r')
            line.len--;
        r->line++;
        parse_line(r, line);
        start = i + 1;
    }
}

static bool add_environment_token(struct auth *auth, struct str token)
{
    static const struct str everything[] = { { "intent:*", 8 }, { "operator", 8 } };
    struct token t = { .read = { .kind = PRINCIPAL_KNOWN,
                                 .identity = STR_LIT("operator"),
                                 .permissions = everything,
                                 .permission_count = 2,
                                 .not_before_ns = INT64_MIN,
                                 .expires_ns = INT64_MAX } };
    t.credential[0] = KIND_TOKEN;
    if (!mgi_sha256(token.ptr, token.len, t.credential + 1) ||
        !mgi_arena_grow(&auth->arena, &auth->tokens, &auth->cap, auth->count + 1,
                        sizeof *auth->tokens))
        return false;
    auth->tokens[auth->count++] = t;
    return true;
}

static bool make_principals(struct auth *auth)
{
    for (size_t i = 0; i < auth->count; i++) {
        struct token *t = &auth->tokens[i];
        t->read.credential = (struct str){ (const char *)t->credential, CREDENTIAL_BYTES };
        t->read.by_certificate = t->credential[0] == KIND_CERTIFICATE;
        t->who = mgi_principal_new(&t->read);
        t->read.credential = (struct str){ NULL, 0 };
        if (!t->who)
            return false;
    }
    return true;
}

struct auth *mgi_auth_new(const char *env_token, struct str file_text, struct arena *arena,
                          const char **why)
{
    *why = "short of memory";
    struct auth *auth = mgi_calloc(1, sizeof *auth);
    if (!auth)
        return NULL;
    atomic_init(&auth->refs, 1);
    mgi_arena_init(&auth->arena, 0);
    struct reading r = { .auth = auth };
    bool good = !env_token || !*env_token || add_environment_token(auth, str_of(env_token));
    if (good)
        parse_file(&r, file_text);
    if (r.faults > 0) {
        const char *text = mgi_arena_printf(arena, "%s", mgi_buf_view(&r.why).ptr);
        *why = text ? text : *why;
    }
    good = good && r.faults == 0 && !auth->arena.oom && make_principals(auth);
    mgi_buf_fini(&r.why);
    if (!good) {
        mgi_auth_unref(auth);
        return NULL;
    }
    *why = NULL;
    return auth;
}

struct auth *mgi_auth_ref(struct auth *a)
{
    if (a)
        atomic_fetch_add_explicit(&a->refs, 1, memory_order_relaxed);
    return a;
}

void mgi_auth_unref(struct auth *a)
{
    if (!a || atomic_fetch_sub_explicit(&a->refs, 1, memory_order_acq_rel) != 1)
        return;
    for (size_t i = 0; i < a->count; i++)
        mgi_principal_unref(a->tokens[i].who);
    mgi_arena_fini(&a->arena);
    mgi_free(a);
}

bool mgi_auth_has_tokens(const struct auth *a)
{
    return a && a->count > 0;
}

bool mgi_auth_has_keys(const struct auth *a)
{
    bool found = false;
    for (size_t i = 0; a && i < a->count; i++)
        found |= a->tokens[i].credential[0] == KIND_KEY;
    return found;
}

size_t mgi_auth_count(const struct auth *a)
{
    return a ? a->count : 0;
}

const struct principal *mgi_auth_get(const struct auth *a, size_t i)
{
    return a->tokens[i].who;
}

static const struct principal *find(const struct auth *a, const void *credential)
{
    const struct principal *found = NULL;
    for (size_t i = 0; a && i < a->count; i++)
        if (mgi_equal_constant_time(a->tokens[i].credential, credential, CREDENTIAL_BYTES))
            found = a->tokens[i].who;
    return found;
}

static enum auth_result judge(const struct principal *found, int64_t now_ns,
                              const struct principal **out)
{
    if (!found)
        return AUTH_REJECTED;
    if (mgi_principal_expired(found, now_ns))
        return AUTH_EXPIRED;
    if (now_ns < found->not_before_ns)
        return AUTH_EARLY;
    *out = found;
    return AUTH_GOOD;
}

static bool digest_secret(struct str secret, uint8_t credential[CREDENTIAL_BYTES])
{
    return secret.len > 0 && secret.len <= AUTH_TOKEN_MAX &&
           mgi_sha256(secret.ptr, secret.len, credential + 1);
}

enum auth_result mgi_auth_check_key(const struct auth *a, struct str key, int64_t now_ns,
                                    const struct principal **out)
{
    uint8_t credential[CREDENTIAL_BYTES] = { KIND_KEY };
    *out = NULL;
    return digest_secret(key, credential) ? judge(find(a, credential), now_ns, out) : AUTH_REJECTED;
}

enum auth_result mgi_auth_check(const struct auth *a, struct str token, int64_t now_ns,
                                const struct principal **out)
{
    uint8_t credential[CREDENTIAL_BYTES] = { KIND_TOKEN };
    *out = NULL;
    if (!digest_secret(token, credential))
        return AUTH_REJECTED;
    const struct principal *found = find(a, credential);
    credential[0] = KIND_KEY;
    const struct principal *key = find(a, credential);
    return judge(found ? found : key, now_ns, out);
}

enum auth_result mgi_auth_check_certificate(const struct auth *a, struct str fingerprint,
                                            int64_t now_ns, const struct principal **out)
{
    uint8_t credential[CREDENTIAL_BYTES] = { KIND_CERTIFICATE };
    *out = NULL;
    if (!parse_hex(fingerprint, credential + 1))
        return AUTH_REJECTED;
    return judge(find(a, credential), now_ns, out);
}

const struct principal *mgi_auth_renew(const struct auth *a, const struct principal *who)
{
    return who->credential.len == CREDENTIAL_BYTES ? find(a, who->credential.ptr) : NULL;
}

static bool is_one_word(struct str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (s.ptr[i] == ' ')
            return false;
    return printable(s);
}

const char *mgi_auth_line_fault(const struct auth_words *words)
{
    if (!is_one_word(str_of(words->identity)) || !is_identity(str_of(words->identity)))
        return "an identity is one word of printable characters";
    if (*words->permissions && !is_one_word(str_of(words->permissions)))
        return "permissions are separated by commas, without blanks";
    return *words->permissions ? permissions_fault(str_of(words->permissions)) : NULL;
}

bool mgi_auth_is_token(const char *token)
{
    const char *c = token;
    while (*c > ' ' && *c < 0x7f)
        c++;
    return c > token && !*c;
}

static void print_line(struct buf *out, const char *kind, const char *hex,
                       const struct auth_words *words)
{
    mgi_buf_printf(out, "%s:%s %s %s", kind, hex, words->identity,
                   *words->permissions ? words->permissions : "-");
    if (words->confirm_key)
        mgi_buf_printf(out, " confirm_key=%s", words->confirm_key);
    mgi_buf_putc(out, '\n');
}

static bool digest_hex(struct buf *out, struct str token, char hex[2 * SHA256_BYTES + 1])
{
    uint8_t digest[SHA256_BYTES];
    if (!mgi_sha256(token.ptr ? token.ptr : "", token.len, digest)) {
        out->oom = true;
        return false;
    }
    mgi_hex(digest, sizeof digest, hex);
    return true;
}

void mgi_auth_print_line(struct buf *out, struct str token, const struct auth_words *words)
{
    char hex[2 * SHA256_BYTES + 1];
    if (digest_hex(out, token, hex))
        print_line(out, words->is_api_key ? "key-sha256" : "sha256", hex, words);
}

static void print_list(struct buf *out, const struct str *items, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        mgi_buf_puts(out, i ? "," : "");
        mgi_buf_str(out, items[i]);
    }
}

void mgi_auth_print_as(struct buf *out, struct str token, const struct principal *who,
                       const char *confirm_key)
{
    char hex[2 * SHA256_BYTES + 1];
    if (!digest_hex(out, token, hex))
        return;
    mgi_buf_printf(out, "sha256:%s %.*s ", hex, STR_ARG(who->identity));
    print_list(out, who->permissions, who->permission_count);
    mgi_buf_puts(out, who->permission_count ? "" : "-");
    if (who->automated)
        mgi_buf_puts(out, " trust=automated");
    if (who->auto_confirm_count > 0) {
        mgi_buf_puts(out, " auto_confirm=");
        print_list(out, who->auto_confirm, who->auto_confirm_count);
    }
    mgi_buf_printf(out, " confirm_key=%s\n", confirm_key);
}

void mgi_auth_print_certificate_line(struct buf *out, const char *fingerprint,
                                     const struct auth_words *words)
{
    print_line(out, "cert-sha256", fingerprint, words);
}
