/* Tokens of another issuer that were good: LOGIN_SETS sets of LOGIN_WAYS, by digest. */
#include "server/login_int.h"

static struct remembered *set_of(const struct server *s, const uint8_t digest[SHA256_BYTES])
{
    return s->logins.known[digest[0] % LOGIN_SETS];
}

/* Digests are looked up, and not the tokens: how long it takes tells nothing of one. */
const struct principal *mgi_login_known(const struct server *s, const uint8_t digest[SHA256_BYTES],
                                        int64_t *until_ns)
{
    struct remembered *set = set_of(s, digest);
    int64_t now_ns = mgi_server_clock_ns(s);
    for (int i = 0; i < LOGIN_WAYS; i++)
        if (set[i].who && memcmp(set[i].digest, digest, SHA256_BYTES) == 0 &&
            now_ns < set[i].until_ns && !mgi_principal_expired(set[i].who, now_ns)) {
            *until_ns = set[i].until_ns;
            return mgi_principal_ref(set[i].who);
        }
    return NULL;
}

void mgi_login_remember(struct server *s, const uint8_t digest[SHA256_BYTES],
                        const struct principal *who, int64_t until_ns)
{
    struct remembered *set = set_of(s, digest), *place = &set[0];
    for (int i = 0; i < LOGIN_WAYS && place->who; i++)
        if (!set[i].who || set[i].until_ns < place->until_ns)
            place = &set[i];
    mgi_principal_unref(place->who);
    memcpy(place->digest, digest, SHA256_BYTES);
    place->who = mgi_principal_ref(who);
    place->until_ns = until_ns;
}

void mgi_login_forget_all(struct server *s)
{
    for (int i = 0; s->logins.known && i < LOGIN_SETS; i++)
        for (int j = 0; j < LOGIN_WAYS; j++) {
            mgi_principal_unref(s->logins.known[i][j].who);
            s->logins.known[i][j].who = NULL;
        }
}
