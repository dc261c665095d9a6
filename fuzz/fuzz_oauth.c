/* What servers, issuers, browsers and a file of logins say to a client, as any bytes: it is refused
 * for a reason, or taken and good for what comes after it. Input: a byte that says what, then its
 * text. */
#include <stdint.h>
#include <stdlib.h>

#include "base/url.h"
#include "client/credentials.h"
#include "client/oauth_texts.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* A refusal has a reason, and a reason is a refusal. */
static void must(bool good)
{
    if (!good)
        abort();
}

static bool is_safe(const char *url)
{
    return !mgi_url_fault(url);
}

static bool is_word(const char *text)
{
    for (const char *c = text; *c; c++)
        if (*c < 0x21 || *c > 0x7e)
            return false;
    return *text != '\0';
}

static void read_challenge(struct arena *a, struct str text, struct buf *why)
{
    struct oauth_challenge c;
    must(mgi_oauth_challenge_read(a, text, &c, why) == (why->len == 0));
}

static void read_metadata(struct arena *a, struct str text, struct buf *why)
{
    struct oauth_resource r;
    struct oauth_issuer i;
    bool good = mgi_oauth_resource_read(a, text, "https://t.example/x", &r, why);
    must(good == (why->len == 0));
    must(!good || (is_safe(r.issuer) && mgi_url_covers(r.resource, "https://t.example/x")));
    mgi_buf_clear(why);
    good = mgi_oauth_issuer_read(a, text, "https://i.example/a", &i, why);
    must(good == (why->len == 0));
    must(!good || (is_safe(i.authorize) && is_safe(i.token)));
    mgi_buf_clear(why);
    const char *id = mgi_oauth_registration_read(a, 201, text, why);
    must((id != NULL) == (why->len == 0) && (!id || is_word(id)));
}

static void read_redirect(struct arena *a, struct str text, struct buf *why)
{
    const char *code;
    enum oauth_redirect what = mgi_oauth_redirect_read(a, &good_attempt, text, &code, why);
    must((what == OAUTH_REFUSED) == (why->len > 0));
    must((what == OAUTH_CODE) == (code != NULL));
    must(what != OAUTH_CODE || mgi_str_find(text, STR_LIT("sss")) != SIZE_MAX ||
         mgi_str_find(text, STR_LIT("%73")) != SIZE_MAX);
}

static void read_token(struct arena *a, struct str text, struct buf *why)
{
    struct oauth_token t;
    bool good = mgi_oauth_token_read(a, 200, text, &t, why);
    must(good == (why->len == 0));
    must(!good || (is_word(t.access) && (!t.refresh || is_word(t.refresh))));
    (void)mgi_oauth_grant_is_over(400, text);
}

static void read_file(struct arena *a, struct str text, struct buf *why)
{
    static struct credentials all, again;
    struct buf out = { 0 }, twice = { 0 };
    bool good = mgi_credentials_read(a, text, &all, why);
    must(good == (why->len == 0));
    mgi_credentials_write(&out, &all);
    must(mgi_credentials_read(a, mgi_buf_view(&out), &again, why) && again.count == all.count);
    mgi_credentials_write(&twice, &again);
    must(str_eq(mgi_buf_view(&out), mgi_buf_view(&twice)));
    (void)mgi_credentials_find(&all, "https://t.example/x/y");
    mgi_credentials_remove(&all, "https://t.example/x/y");
    must(!mgi_credentials_find(&all, "https://t.example/x/y"));
    mgi_buf_fini(&out);
    mgi_buf_fini(&twice);
}

static void read_url(struct arena *a, struct str text, struct buf *why)
{
    struct url u;
    const char *z = mgi_arena_str(a, text).ptr;
    text.len = strlen(z);
    bool good = mgi_url_read(text, &u);
    must(!good || (mgi_url_covers(z, z) && mgi_str_starts(text, mgi_url_origin(z))));
    must(good || !mgi_url_covers(z, z));
    must(good || mgi_url_fault(z));
    (void)mgi_url_unescape(why, text);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const struct {
        char letter;
        void (*read)(struct arena *a, struct str text, struct buf *why);
    } readers[] = { { 'c', read_challenge }, { 'm', read_metadata }, { 'r', read_redirect },
                    { 't', read_token },     { 'f', read_file },     { 'u', read_url } };
    struct arena arena;
    struct buf why = { 0 };
    mgi_arena_init(&arena, 0);
    for (size_t i = 0; size > 0 && i < sizeof readers / sizeof *readers; i++)
        if (readers[i].letter == bytes[0])
            readers[i].read(&arena, (struct str){ (const char *)bytes + 1, size - 1 }, &why);
    mgi_arena_fini(&arena);
    mgi_buf_fini(&why);
    return 0;
}
