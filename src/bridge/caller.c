/* Who calls over HTTP. The owner's name is a digest: an identity may be long, and says nothing to
 * the works but that it is the same one. */
#include "base/alloc.h"
#include "base/encode.h"
#include "bridge/bridge.h"
#include "sys/digest.h"

bool mgi_bridge_owner(const struct principal *who, char out[BRIDGE_OWNER_CHARS + 1])
{
    uint8_t digest[SHA256_BYTES];
    struct str key = mgi_principal_key(who);
    if (!mgi_sha256(key.ptr, key.len, digest))
        return false;
    mgi_base64url_encode(digest, sizeof digest, out);
    return true;
}

struct bridge_caller *mgi_bridge_caller_new(const struct principal *who, uint64_t connection)
{
    struct bridge_caller *c = mgi_calloc(1, sizeof *c);
    if (!c)
        return NULL;
    c->refs = 1;
    c->connection = connection;
    if (who && !mgi_bridge_owner(who, c->owner)) {
        mgi_free(c);
        return NULL;
    }
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
