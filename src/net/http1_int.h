/* What http1.c (the states), http1_head.c (judging a head) and http1_text.c share. */
#ifndef MGI_NET_HTTP1_INT_H
#define MGI_NET_HTTP1_INT_H

#include "net/http1.h"

enum http1_verdict {
    VERDICT_GOOD,
    VERDICT_METHOD, /* good, but of a method that the parser does not know: no body can be found */
    VERDICT_MALFORMED,
    VERDICT_VERSION,
    VERDICT_TOO_LARGE
};

/* Fill in *r from a head that has passed the scan. *why: a sentence, if it is not good. */
enum http1_verdict mgi_http1_judge(struct str head, struct http1_request *r, const char **why);

bool mgi_http1_is_token_char(unsigned char c);
int mgi_http1_hex_digit(unsigned char c); /* or -1 */

/* Cut the part before `separator` off *rest, and the separator; all of it, if there is none. */
struct str mgi_http1_cut(struct str *rest, char separator);

#endif
