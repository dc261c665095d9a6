/* The metadata of a protected resource; see resource.h. */
#include "transport/resource.h"

#include <string.h>

#include "base/json.h"

static const char well_known[] = "/.well-known/oauth-protected-resource";

/* Scheme and authority. */
static size_t origin_len(const char *resource)
{
    const char *rest = strstr(resource, "://");
    rest = rest ? rest + 3 : resource;
    return (size_t)(rest - resource) + strcspn(rest, "/?#");
}

void mgi_resource_put_path(struct buf *out, const char *resource)
{
    const char *path = resource + origin_len(resource);
    size_t len = strcspn(path, "?#");
    mgi_buf_puts(out, well_known);
    if (len > 1) /* a lone slash is no path */
        mgi_buf_append(out, path, len);
}

void mgi_resource_put_challenge(struct buf *out, const char *resource)
{
    mgi_buf_puts(out, "Bearer resource_metadata=\"");
    mgi_buf_append(out, resource, origin_len(resource));
    mgi_resource_put_path(out, resource);
    mgi_buf_putc(out, '"');
}

void mgi_resource_put_metadata(struct buf *out, const struct issuer *issuer)
{
    struct str issuers = str_of(issuer->rules.issuer), header = STR_LIT("header");
    struct json_writer w;
    mgi_json_writer_init(&w, out, 0);
    mgi_jw_begin_object(&w);
    mgi_jw_member_cstr(&w, "resource", issuer->resource);
    mgi_jw_member_strs(&w, "authorization_servers", &issuers, 1);
    mgi_jw_member_strs(&w, "bearer_methods_supported", &header, 1);
    mgi_jw_end_object(&w);
}
