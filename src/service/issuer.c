/* Who issues tokens that are taken, beside those of the server's own file: from the configuration
 * to what the server and the transports are told. */
#include <string.h>

#include "base/time.h"
#include "service/service_int.h"

/* "id:secret" of the first line. NULL: `text` says why. */
static const char *read_client(manglecp_service *s, struct buf *text)
{
    struct buf content = { 0 };
    const char *path = s->config.oauth.client, *why = mgi_load_small_file(path, &content);
    struct str line = { content.ptr, content.ptr ? strcspn(content.ptr, "\r\n") : 0 };
    if (!why && (line.len < 3 || !memchr(line.ptr, ':', line.len)))
        why = "it does not begin with ID:SECRET";
    const char *basic = why ? NULL : mgi_arena_str(&s->arena, line).ptr;
    if (!basic)
        mgi_buf_printf(text, "%s: error: %s\n", path, why ? why : "out of memory");
    mgi_buf_fini(&content);
    return basic;
}

enum service_fault mgi_service_make_issuer(manglecp_service *s, struct buf *text)
{
    const struct oauth_config *o = &s->config.oauth;
    struct buf challenge = { 0 };
    if (!o->issuer)
        return SERVICE_FINE;
    s->issuer = (struct issuer){
        .rules = { .issuer = o->issuer,
                   .audience = o->audience ? o->audience : o->resource,
                   .skew_ns = o->skew_ms * NS_PER_MS,
                   .identity = o->identity,
                   .identity_prefix = o->identity_prefix,
                   .permissions = o->permissions,
                   .prefix = o->prefix,
                   .trust = o->trust },
        .keys_url = o->keys_url,
        .keys_given = o->keys != NULL,
        .introspection = o->introspection,
        .ca_file = o->ca,
        .timeout_ms = o->timeout_ms,
        .remembered_ms = o->remember_ms,
        .resource = o->resource,
        .token_url = o->token_url,
    };
    if (o->client && !(s->issuer.basic = read_client(s, text)))
        return SERVICE_CONFIG_WRONG;
    mgi_resource_put_challenge(&challenge, o->resource);
    s->challenge = challenge.oom ? NULL : mgi_arena_strdup(&s->arena, challenge.ptr);
    mgi_buf_fini(&challenge);
    s->fetches = mgi_fetch_pool_new(&s->loop);
    return s->challenge && s->fetches ? SERVICE_FINE : SERVICE_NOMEM;
}
