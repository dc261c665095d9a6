/* Loading libcurl by name; see curl_late.h. */
#include "net/curl_late.h"

#include <dlfcn.h>
#include <string.h>

#include "base/url.h"

#define CURL_LIBRARY                                                                               \
    "libcurl.so.4" /* the interface that <curl/curl.h> has described since 2006                    \
                    */

/* ISO C knows no way from an object's address to a function's; POSIX promises that this works. */
static bool find_function(void *library, const char *name, void *member, size_t size)
{
    void *address = dlsym(library, name);
    if (!address || size != sizeof address)
        return false;
    memcpy(member, &address, size);
    return true;
}

bool mgi_curl_late_open(struct curl_late *out, struct buf *why)
{
    void *library = dlopen(CURL_LIBRARY, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!library) {
        mgi_buf_printf(why, "HTTP needs libcurl, which cannot be loaded: %s", dlerror());
        return false;
    }
    bool ok = true;
#define CURL_LATE_FIND(name)                                                                       \
    ok = ok && find_function(library, "curl_" #name, &out->name, sizeof out->name);
    CURL_LATE_FUNCTIONS(CURL_LATE_FIND)
#undef CURL_LATE_FIND
    if (!ok)
        mgi_buf_puts(why, "HTTP needs a newer libcurl than " CURL_LIBRARY " is here");
    dlclose(library); /* NODELETE keeps it */
    return ok;
}

void mgi_curl_bind(const struct curl_late *api, CURL *c)
{
    api->easy_setopt(c, CURLOPT_DISALLOW_USERNAME_IN_URL, 1L);
    api->easy_setopt(c, CURLOPT_PROTOCOLS_STR, "http,https");
    api->easy_setopt(c, CURLOPT_PROXY, "");
    api->easy_setopt(c, CURLOPT_FOLLOWLOCATION, 0L);
    api->easy_setopt(c, CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
    api->easy_setopt(c, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    api->easy_setopt(c, CURLOPT_NOSIGNAL, 1L);
    api->easy_setopt(c, CURLOPT_QUICK_EXIT, 1L); /* no end waits for a resolver that hangs */
}

size_t mgi_curl_take(char *bytes, size_t one, size_t count, void *body)
{
    struct buf *out = body;
    mgi_buf_append(out, bytes, one * count);
    return out->oom ? 0 : one * count;
}

void mgi_curl_set_url(const struct curl_late *api, CURL *c, const char *url)
{
    struct url u;
    bool may = mgi_url_read(str_of(url), &u) && u.tls && !mgi_url_is_loopback(url);
    api->easy_setopt(c, CURLOPT_URL, url);
    api->easy_setopt(c, CURLOPT_PROXY, may ? NULL : ""); /* NULL: as the environment says */
}
