/* Who calls over HTTP. The owner's name is a digest: an identity may be long, and says nothing to
 * the works but that it is the same one. */
#include "base/alloc.h"
#include "base/encode.h"
#include "bridge/bridge.h"
#include "sys/digest.h"

struct bridge_caller *mgi_bridge_caller_new(const struct principal *who, uint64_t connection)
{
    uint8_t digest[SHA256_BYTES];
    struct bridge_caller *c = mgi_calloc(1, sizeof *c);
    if (!c)
        return NULL;
    c->refs = 1;
    c->connection = connection;
    struct str key = who ? mgi_principal_key(who) : (struct str){ 0 };
    if (who && !mgi_sha256(key.ptr, key.len, digest)) {
        mgi_free(c);
        return NULL;
    }
    if (who)
        mgi_base64url_encode(digest, sizeof digest, c->owner);
    c->who = mgi_principal_ref(who);
    return c;
}

struct bridge_caller *mgi_bridge_caller_ref(struct bridge_caller *c)
{
    if (c)
        c->refs++;
    return c;
}

void mgi_bridge_caller_unref(struct bridge_caller *c)
{
    if (!c || --c->refs > 0)
        return;
    mgi_principal_unref(c->who);
    mgi_free(c);
}
