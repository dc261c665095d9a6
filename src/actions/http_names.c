/* Names of headers: see http_int.h. */

#include "actions/http_int.h"

bool mgi_http_header_named(struct str name)
{
    static const char token[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "!#$%&'*+-.^_`|~";
    for (size_t i = 0; i < name.len; i++)
        if (!name.ptr[i] || !strchr(token, name.ptr[i]))
            return false;
    return name.len > 0 && name.len <= 128;
}

/* Those that say where a message ends or who is spoken to are libcurl's. */
bool mgi_http_header_taken(struct str name)
{
    static const char *const taken[] = { "Host",    "Content-Length", "Transfer-Encoding",
                                         "TE",      "Connection",     "Keep-Alive",
                                         "Trailer", "Upgrade",        "Expect",
                                         NULL };
    for (const char *const *one = taken; *one; one++)
        if (mgi_str_same(name, str_of(*one)))
            return true;
    return false;
}

void mgi_http_check_header(struct provider_reader *r, const struct yaml_node *at, struct str name)
{
    if (!mgi_http_header_named(name))
        mgi_yaml_error(r->yaml, at, "BAD_NAME", NULL, "\"%.*s\" is no name of a header",
                       STR_ARG(name));
    else if (mgi_http_header_taken(name))
        mgi_yaml_error(r->yaml, at, "BAD_VALUE", NULL,
                       "the header %.*s follows from the request and is not set", STR_ARG(name));
}
