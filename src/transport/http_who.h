/* Who asks: the credential in a request's head, or the certificate beneath it, given to whoever
 * knows credentials. */
#ifndef MGI_TRANSPORT_HTTP_WHO_H
#define MGI_TRANSPORT_HTTP_WHO_H

#include "net/http1.h"
#include "net/stream.h"
#include "protocol/error.h"
#include "security/auth.h"

/* Each gives *who a reference that is the caller's, where it says AUTH_GOOD. */
struct http_credentials {
    enum auth_result (*token)(void *context, struct str token, const struct principal **who);
    enum auth_result (*key)(void *context, struct str key, const struct principal **who);
    enum auth_result (*certificate)(void *context, struct str fingerprint,
                                    const struct principal **who);
    int64_t (*now_ns)(void *context); /* real time */
    void *context;
    bool takes_keys; /* API keys; else their field says nothing */
    bool open_demo;  /* who has shown nothing is a stranger, told apart by where he is */
};

/* As `identify` of http_options. */
const struct principal *mgi_http_identify(const struct http_credentials *from,
                                          const struct http1_request *r, const struct stream *s,
                                          struct wire_error *refusal);

#endif
