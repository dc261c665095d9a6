/* Addresses that a server says: see web_int.h. */
#include "web_int.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

static bool is_plain(struct str text)
{
    for (size_t i = 0; i < text.len; i++)
        if (text.ptr[i] <= ' ' || text.ptr[i] >= 0x7f || text.ptr[i] == '\\')
            return false;
    return text.len > 0 && text.len < WEB_ADDRESS_BYTES;
}

static bool same_part(const struct curl_late *api, CURLU *a, CURLU *b, CURLUPart part)
{
    char *x = NULL, *y = NULL;
    bool same = api->url_get(a, part, &x, CURLU_DEFAULT_PORT) == CURLUE_OK &&
                api->url_get(b, part, &y, CURLU_DEFAULT_PORT) == CURLUE_OK && strcasecmp(x, y) == 0;
    api->free(x);
    api->free(y);
    return same;
}

bool web_address(const struct curl_late *api, const char *base, struct str text,
                 char out[WEB_ADDRESS_BYTES])
{
    char said[WEB_ADDRESS_BYTES];
    char *whole = NULL;
    CURLU *from = api->url(), *to = api->url();
    bool good = from && to && is_plain(text);
    if (good) {
        snprintf(said, sizeof said, "%.*s", STR_ARG(text));
        good = api->url_set(from, CURLUPART_URL, base, 0) == CURLUE_OK &&
               api->url_set(to, CURLUPART_URL, base, 0) == CURLUE_OK &&
               api->url_set(to, CURLUPART_URL, said, CURLU_DISALLOW_USER) == CURLUE_OK &&
               same_part(api, from, to, CURLUPART_SCHEME) &&
               same_part(api, from, to, CURLUPART_HOST) &&
               same_part(api, from, to, CURLUPART_PORT) &&
               api->url_get(to, CURLUPART_URL, &whole, 0) == CURLUE_OK;
    }
    good = good && (size_t)snprintf(out, WEB_ADDRESS_BYTES, "%s", whole) < WEB_ADDRESS_BYTES;
    api->free(whole);
    api->url_cleanup(from);
    api->url_cleanup(to);
    return good;
}
