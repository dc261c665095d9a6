/* Bearer tokens -> principals, from the environment's token and a token file.
 *
 * Only digests are kept. A look-up compares with every token, whichever fits, so its time tells
 * nothing. All faulty lines of a file are reported together, by number and never by content: a
 * line may hold a secret in the wrong place. */
#include "security/auth.h"

#include "base/alloc.h"
#include "base/digest.h"
#include "base/time.h"

#define MAX_FAULTS      20
#define CONFIRM_KEY_MIN 16 /* bytes */

struct token {
    uint8_t digest[SHA256_BYTES];
    struct principal who;
    struct str confirm_key;
};

struct auth {
    struct arena arena;
    struct token *tokens;
    size_t count, cap;
};

struct reading {
    struct auth *auth;
    unsigned line;
    unsigned faults;
    struct buf why;
};

static void line_fault(struct reading *r, const char *text)
{
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

static bool parse_digest(struct str word, uint8_t out[SHA256_BYTES])
{
    struct str prefix = STR_LIT("sha256:");
    if (!mgi_str_starts(word, prefix) || word.len != prefix.len + 2 * SHA256_BYTES)
        return false;
    for (size_t i = 0; i < 2 * SHA256_BYTES; i++) {
        int c = (unsigned char)word.ptr[prefix.len + i], digit;
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
        t->confirm_key = (struct str){ (const char *)key, len };
}

static void parse_setting(struct reading *r, struct token *t, struct str word)
{
    size_t equals = mgi_str_find(word, STR_LIT("="));
    if (equals == SIZE_MAX) {
        line_fault(r, "after the permissions come settings of the form key=value");
        return;
    }
    struct str key = { word.ptr, equals };
    struct str value = { word.ptr + equals + 1, word.len - equals - 1 };
    if (str_is(key, "expires")) {
        if (mgi_time_parse(value, TIME_LOWER_CASE, &t->who.expires_ns) != TIME_OK)
            line_fault(r, "expires must be a time such as 2027-01-01T00:00:00Z");
    } else if (str_is(key, "trust")) {
        t->who.automated = str_is(value, "automated");
        if (!t->who.automated)
            line_fault(r, "trust can only be automated");
    } else if (str_is(key, "auto_confirm")) {
        parse_list(r->auth, value, &t->who.auto_confirm, &t->who.auto_confirm_count);
    } else if (str_is(key, "confirm_key")) {
        parse_confirm_key(r, t, value);
    } else {
        line_fault(r, "the settings are expires, trust, auto_confirm and confirm_key");
    }
}

static void keep_token(struct reading *r, const struct token *t)
{
    struct auth *auth = r->auth;
    for (size_t i = 0; i < auth->count; i++)
        if (memcmp(auth->tokens[i].digest, t->digest, SHA256_BYTES) == 0) {
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
    struct token t = { .who = { .kind = PRINCIPAL_KNOWN, .expires_ns = INT64_MAX } };
    if (!parse_digest(digest, t.digest))
        line_fault(r, "the first word must be sha256: and 64 hexadecimal digits");
    if (!printable(identity))
        line_fault(r, "the second word must be an identity");
    if (permissions.len == 0)
        line_fault(r, "the third word must be permissions, or - for none");
    t.who.identity = mgi_arena_str(&r->auth->arena, identity);
    parse_list(r->auth, permissions, &t.who.permissions, &t.who.permission_count);
    for (struct str word = next_word(&rest); word.len > 0; word = next_word(&rest))
        parse_setting(r, &t, word);
    if (t.who.auto_confirm_count > 0 && !t.who.automated)
        line_fault(r, "auto_confirm is only for trust=automated");
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
    static const struct str everything[] = { { "intent:*", 8 } };
    struct token t = { .who = { .kind = PRINCIPAL_KNOWN,
                                .identity = STR_LIT("operator"),
                                .permissions = everything,
                                .permission_count = 1,
                                .expires_ns = INT64_MAX } };
    if (!mgi_sha256(token.ptr, token.len, t.digest) ||
        !mgi_arena_grow(&auth->arena, &auth->tokens, &auth->cap, auth->count + 1,
                        sizeof *auth->tokens))
        return false;
    auth->tokens[auth->count++] = t;
    return true;
}

struct auth *mgi_auth_new(const char *env_token, struct str file_text, struct arena *arena,
                          const char **why)
{
    *why = "short of memory";
    struct auth *auth = mgi_calloc(1, sizeof *auth);
    if (!auth)
        return NULL;
    mgi_arena_init(&auth->arena, 0);
    struct reading r = { .auth = auth };
    bool good = !env_token || !*env_token || add_environment_token(auth, str_of(env_token));
    if (good)
        parse_file(&r, file_text);
    if (r.faults > 0) {
        const char *text = mgi_arena_printf(arena, "%s", mgi_buf_view(&r.why).ptr);
        *why = text ? text : *why;
    }
    good = good && r.faults == 0 && !auth->arena.oom;
    mgi_buf_fini(&r.why);
    if (!good) {
        mgi_auth_free(auth);
        return NULL;
    }
    *why = NULL;
    return auth;
}

void mgi_auth_free(struct auth *a)
{
    if (!a)
        return;
    mgi_arena_fini(&a->arena);
    mgi_free(a);
}

bool mgi_auth_has_tokens(const struct auth *a)
{
    return a->count > 0;
}

enum auth_result mgi_auth_check(const struct auth *a, struct str token, int64_t now_ns,
                                const struct principal **out)
{
    uint8_t digest[SHA256_BYTES];
    *out = NULL;
    if (!mgi_sha256(token.ptr ? token.ptr : "", token.len, digest))
        return AUTH_REJECTED;
    const struct token *found = NULL;
    for (size_t i = 0; i < a->count; i++)
        if (mgi_equal_constant_time(a->tokens[i].digest, digest, SHA256_BYTES))
            found = &a->tokens[i];
    if (!found || token.len == 0)
        return AUTH_REJECTED;
    if (now_ns >= found->who.expires_ns)
        return AUTH_EXPIRED;
    *out = &found->who;
    return AUTH_GOOD;
}

struct str mgi_auth_confirm_key(const struct auth *a, const struct principal *who)
{
    for (size_t i = 0; who->kind == PRINCIPAL_KNOWN && i < a->count; i++)
        if (str_eq(a->tokens[i].who.identity, who->identity) && a->tokens[i].confirm_key.len > 0)
            return a->tokens[i].confirm_key;
    return (struct str){ 0 };
}

void mgi_auth_print_line(struct buf *out, struct str token, const char *identity,
                         const char *permissions)
{
    uint8_t digest[SHA256_BYTES];
    char hex[2 * SHA256_BYTES + 1];
    if (!mgi_sha256(token.ptr ? token.ptr : "", token.len, digest)) {
        out->oom = true;
        return;
    }
    mgi_hex(digest, sizeof digest, hex);
    mgi_buf_printf(out, "sha256:%s %s %s\n", hex, identity, *permissions ? permissions : "-");
}
