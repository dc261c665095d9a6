/* Judging header values: any bytes are judged without reading beyond them. The first byte chooses
 * the header; the value is copied so that AddressSanitizer sees its end. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "transport/http_head.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size < 1)
        return 0;
    char *copy = malloc(size); /* not size - 1: malloc(0) may be NULL */
    if (!copy)
        return 0;
    memcpy(copy, bytes + 1, size - 1);
    struct str value = { copy, size - 1 }, token = { NULL, 0 };
    struct http_accept accept = { 0 };
    switch (bytes[0] % 7) {
    case 0:
        mgi_http_accepts_gzip(value);
        break;
    case 1:
        mgi_http_content_type_fault(value);
        break;
    case 2:
        mgi_http_accept_read(&accept, value);
        mgi_http_accepts_json(&accept);
        break;
    case 3:
        if (mgi_http_bearer(value, &token) == CREDENTIAL_BEARER &&
            (token.ptr < copy || token.ptr + token.len > copy + size - 1))
            abort();
        break;
    case 4:
        mgi_http_host_is_loopback(value);
        mgi_http_host_fits(value, "a.example:8080");
        break;
    case 5:
        mgi_http_origin_is_host(value, STR_LIT("a.example:8080"));
        break;
    default:
        mgi_http_etag_matches(value, STR_LIT("\"0123456789abcdef\""));
        break;
    }
    free(copy);
    return 0;
}
