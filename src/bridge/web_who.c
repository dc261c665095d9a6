/* A request belongs to the credential that it came with, a session to its principal, who may have
 * several: so a request ends with its credential, and a session with the last one of its principal.
 */
#include "bridge/web_who.h"

#include "base/alloc.h"
#include "base/time.h"
#include "bridge/bridge.h"
#include "sys/clock.h"
#include "transport/http_who.h"

/* ---- who asks -------------------------------------------------------------------------------- */

static enum auth_result take(enum auth_result result, const struct principal *const *who)
{
    mgi_principal_ref(*who);
    return result;
}

static enum auth_result check_token(void *context, struct str token, const struct principal **who)
{
    const struct auth *auth = context;
    return take(mgi_auth_check(auth, token, mgi_clock_real_ns(), who), who);
}

static enum auth_result check_key(void *context, struct str key, const struct principal **who)
{
    const struct auth *auth = context;
    return take(mgi_auth_check_key(auth, key, mgi_clock_real_ns(), who), who);
}

static enum auth_result check_certificate(void *context, struct str fingerprint,
                                          const struct principal **who)
{
    const struct auth *auth = context;
    return take(mgi_auth_check_certificate(auth, fingerprint, mgi_clock_real_ns(), who), who);
}

static int64_t real_now_ns(void *context)
{
    (void)context;
    return mgi_clock_real_ns();
}

const struct principal *mgi_bridge_web_identify(const struct auth *auth,
                                                const struct http1_request *r,
                                                const struct stream *s, struct wire_error *refusal)
{
    const struct http_credentials from = { .token = check_token,
                                           .key = check_key,
                                           .certificate = check_certificate,
                                           .now_ns = real_now_ns,
                                           .context = (void *)(uintptr_t)auth,
                                           .takes_keys = mgi_auth_has_keys(auth) };
    return mgi_http_identify(&from, r, s, refusal);
}

/* ---- how long -------------------------------------------------------------------------------- */

int64_t mgi_bridge_web_until(const struct principal *who, int64_t now_ms)
{
    if (!who || who->expires_ns == INT64_MAX)
        return 0;
    int64_t left_ns = who->expires_ns - mgi_clock_real_ns();
    return left_ns > 0 ? now_ms + left_ns / NS_PER_MS + 1 : now_ms;
}

struct sieve {
    const struct auth *auth;
    int64_t now_ns;
    const struct principal *(*who_of)(void *tag);
    char (*owners)[BRIDGE_OWNER_CHARS + 1]; /* of whoever may call */
    size_t owner_count;
};

static bool stays(void *context, void *tag)
{
    const struct sieve *s = context;
    const struct principal *who = s->who_of(tag), *now = mgi_auth_renew(s->auth, who);
    return now && mgi_principal_is(now, who) && !mgi_principal_expired(now, s->now_ns);
}

static bool is_known(void *context, struct str principal)
{
    const struct sieve *s = context;
    size_t i = 0;
    while (i < s->owner_count && !str_is(principal, s->owners[i]))
        i++;
    return i < s->owner_count;
}

/* Where memory is short nobody is known, and who may call opens a session anew. */
static void list_owners(struct sieve *s)
{
    size_t count = mgi_auth_count(s->auth);
    s->owners = mgi_calloc(count + 1, sizeof *s->owners);
    for (size_t i = 0; s->owners && i < count; i++) {
        const struct principal *who = mgi_auth_get(s->auth, i);
        if (!mgi_principal_expired(who, s->now_ns) &&
            mgi_bridge_owner(who, s->owners[s->owner_count]))
            s->owner_count++;
    }
}

void mgi_bridge_web_sift(struct mcp_http *http, const struct auth *auth,
                         const struct principal *(*who_of)(void *tag))
{
    struct sieve s = { .auth = auth, .now_ns = mgi_clock_real_ns(), .who_of = who_of };
    const struct mcp_sieve sieve = { .context = &s, .stays = stays, .is_known = is_known };
    list_owners(&s);
    mgi_mcp_http_sift(http, &sieve);
    mgi_free(s.owners);
}
