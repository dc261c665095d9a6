/* What a client sends as consent, against what it was given: a genuine token with any edits, or any
 * bytes, for the same call or for another one. Accepted are the genuine ones for the very call that
 * they were made for, to the byte, and nothing else.
 *
 *     flags | what the call differs in | n | n edits of three bytes | a token, or the arguments */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "invoke/confirm.c"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

#define NOW   (INT64_C(1783144800) * NS_PER_SEC)
#define TTL   300000 /* ms */
#define NONCE "00112233445566778899aabbccddeeff"

enum { SAYS_APPROVED = 1, TAKES_CLIENTS = 2 };                             /* flags & 3 */
enum base { ANY_BYTES, SIGNED, BARE, CLIENTS, BASES };                     /* flags >> 2 */
enum other { SAME, ARGS, WHO, TOOL, LATER, EARLIER, SERVERS_KEY, OTHERS }; /* of the call */

static const struct principal ann = { .kind = PRINCIPAL_KNOWN,
                                      .identity = { "ann", 3 },
                                      .confirm_key = { "the key of her program", 22 } };
static const struct principal eve = { .kind = PRINCIPAL_KNOWN,
                                      .identity = { "eve", 3 },
                                      .confirm_key = { "the key of her program", 22 } };

struct call {
    struct arena arena;
    struct snapshot snapshot;
    struct tool tool;
    struct confirmation_keys keys;
    struct json args;
    struct principal who;
    struct invocation inv;
};

static bool approve_all(void *context, struct str challenge, struct buf *by)
{
    (void)by;
    (void)context, (void)challenge;
    return true;
}

static void call_begin(struct call *c, unsigned flags)
{
    static const char args[] = "{\"b\":[1,\"two\"],\"a\":{\"x\":null}}";
    memset(c, 0, sizeof *c);
    mgi_arena_init(&c->arena, 0);
    if (mgi_json_parse(&c->arena, STR_LIT(args), NULL, &c->args, NULL) != JSON_OK)
        abort();
    c->snapshot.settings.confirmation_ttl_ms = TTL;
    c->keys = (struct confirmation_keys){ .server_key = STR_LIT("the key of the server"),
                                          .approved = flags & SAYS_APPROVED ? approve_all : NULL };
    c->who = ann;
    c->who.makes_confirmations = flags & TAKES_CLIENTS;
    c->inv.arena = &c->arena;
    c->inv.snapshot = &c->snapshot;
    c->inv.tool = &c->tool;
    c->inv.sent_args = &c->args;
    c->inv.macro.macro_id = STR_LIT("wipe-0123456789abcdef");
    c->inv.call = (struct invoke_call){
        .who = &c->who, .clock_ns = NOW, .keys = &c->keys, .invocation_id = STR_LIT(NONCE)
    };
}

/* ---- tokens ---------------------------------------------------------------------------------- */

static struct str client_made(struct call *c)
{
    struct buf text = { 0 };
    char tag[TAG_CHARS + 1];
    const char *issued = "1783144800000";
    if (!bound_text(&text, &c->inv, str_of(issued), STR_LIT(NONCE), false) ||
        !make_tag(ann.confirm_key, mgi_buf_view(&text), tag))
        abort();
    mgi_buf_fini(&text);
    return str_of(mgi_arena_printf(&c->arena, "v1.%s." NONCE ".%s", issued, tag));
}

static void make_tokens(struct call *c, struct str tokens[BASES])
{
    tokens[BARE] = make_challenge(&c->inv, STR_LIT(NONCE));
    tokens[SIGNED] = mgi_confirmation_sign(&c->arena, tokens[BARE], ann.confirm_key);
    tokens[CLIENTS] = client_made(c);
    if (!tokens[BARE].ptr || !tokens[SIGNED].ptr)
        abort();
}

static bool is_genuine_text(const struct str tokens[BASES], unsigned flags, struct str token)
{
    return str_eq(token, tokens[SIGNED]) ||
           ((flags & SAYS_APPROVED) && str_eq(token, tokens[BARE])) ||
           ((flags & TAKES_CLIENTS) && str_eq(token, tokens[CLIENTS]));
}

/* Put, change or take a byte, or cut the rest off. */
static void edit(struct buf *token, const uint8_t *e)
{
    size_t at = token->len ? e[1] % (token->len + 1) : 0;
    struct buf now = { 0 };
    mgi_buf_append(&now, token->ptr, at);
    if (e[0] % 4 < 2)
        mgi_buf_putc(&now, (char)e[2]);
    size_t rest = at + (e[0] % 4 == 1 || e[0] % 4 == 2);
    if (e[0] % 4 < 3 && rest < token->len)
        mgi_buf_append(&now, token->ptr + rest, token->len - rest);
    mgi_buf_fini(token);
    *token = now;
}

/* ---- another call ---------------------------------------------------------------------------- */

static struct str canonical(struct call *c, const struct json *v)
{
    struct buf text = { 0 };
    mgi_json_canonical(&text, v);
    struct str copy = mgi_arena_str(&c->arena, mgi_buf_view(&text));
    mgi_buf_fini(&text);
    return copy;
}

/* Make it another call. True: it means the same nevertheless. */
static bool differ(struct call *c, enum other other, struct str rest)
{
    static struct json args;
    switch (other) {
    case ARGS:
        if (mgi_json_parse(&c->arena, rest, NULL, &args, NULL) != JSON_OK)
            return true;
        c->inv.sent_args = &args;
        return str_eq(canonical(c, &args), canonical(c, &c->args));
    case WHO:
        c->inv.call.who = &eve;
        return false;
    case TOOL:
        c->inv.macro.macro_id = STR_LIT("wipe-0123456789abcde");
        return false;
    case LATER:
        c->inv.call.clock_ns = NOW + TTL * NS_PER_MS + 1;
        return false;
    case EARLIER:
        c->inv.call.clock_ns = NOW - CLOCK_SKEW - 1;
        return false;
    case SERVERS_KEY:
        c->keys.server_key = STR_LIT("the key of another server");
        return false;
    case SAME:
    case OTHERS:
        break;
    }
    return true;
}

static void judge(struct call *c, struct str token, bool good)
{
    struct json sent = { .type = JSON_STRING, .string = token };
    struct wire_error e = { .retry_after_ms = -1 };
    c->inv.token = &sent;
    bool accepted = mgi_confirm_check(&c->inv, &e);
    if (accepted != good)
        abort();
    const char *spent = c->inv.consent == CONSENT_CLIENT_MADE ? "ann\x1f" NONCE : NONCE;
    if (accepted ? !str_is(c->inv.nonce, spent)
                 : c->inv.nonce.ptr || (e.code != WIRE_CONFIRMATION_INVALID &&
                                        e.code != WIRE_CONFIRMATION_REQUIRED))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct call c;
    struct str tokens[BASES];
    struct buf token = { 0 };
    if (size < 3 || size < 3 + (size_t)bytes[2] * 3)
        return 0;
    unsigned flags = bytes[0] % 4;
    enum base base = bytes[0] / 4 % BASES;
    enum other other = bytes[1] % OTHERS;
    struct str rest = { (const char *)bytes + 3 + (size_t)bytes[2] * 3,
                        size - 3 - (size_t)bytes[2] * 3 };
    call_begin(&c, flags);
    make_tokens(&c, tokens);
    mgi_buf_str(&token, base == ANY_BYTES ? rest : tokens[base]);
    for (size_t i = 0; i < bytes[2]; i++)
        edit(&token, bytes + 3 + i * 3);
    bool same = differ(&c, other, rest);
    struct str sent = mgi_buf_view(&token);
    bool good = is_genuine_text(tokens, flags, sent);
    if (other == SERVERS_KEY && (flags & TAKES_CLIENTS))
        same = str_eq(sent, tokens[CLIENTS]); /* that one needs none */
    judge(&c, sent, good && same);
    mgi_buf_fini(&token);
    mgi_arena_fini(&c.arena);
    return 0;
}
