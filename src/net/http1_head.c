/* Judging a whole head: split by http-parser in one call, then held against RFC 9112.
 *
 * http-parser alone will not do: the build that distributions ship is lenient, and takes folded
 * lines, `Content-Length : n` and control characters in values. So it sees only heads that have
 * passed the scan of http1.c, and what it says of a body is not asked for. */
#include <http_parser.h>
#include <string.h>

#include "net/http1_int.h"

static bool is_token(struct str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (!mgi_http1_is_token_char((unsigned char)s.ptr[i]))
            return false;
    return s.len > 0;
}

struct judging {
    struct http1_request *r;
    struct str name, host;
    unsigned fields, hosts, lengths, codings;
    bool coding_is_chunked, upgrade_named;
    const char *why;
    http_parser parser;
};

static int on_target(http_parser *parser, const char *at, size_t len)
{
    struct judging *j = parser->data;
    j->r->target = (struct str){ at, len };
    return 0;
}

static int on_name(http_parser *parser, const char *at, size_t len)
{
    struct judging *j = parser->data;
    j->name = (struct str){ at, len };
    j->fields++;
    if (!is_token(j->name))
        j->why = "The name of a header field must be a token, with its colon right behind it.";
    return j->why != NULL;
}

static bool parse_length(struct str value, uint64_t *out)
{
    *out = 0;
    for (size_t i = 0; i < value.len; i++) {
        if (value.ptr[i] < '0' || value.ptr[i] > '9' || i >= 18)
            return false;
        *out = *out * 10 + (uint64_t)(value.ptr[i] - '0');
    }
    return value.len > 0;
}

static int on_value(http_parser *parser, const char *at, size_t len)
{
    struct judging *j = parser->data;
    struct str value = mgi_str_trim((struct str){ at, len }, HTTP1_BLANKS);
    if (mgi_http1_same(j->name, "host")) {
        j->hosts++;
        j->host = value;
    } else if (mgi_http1_same(j->name, "content-length")) {
        j->lengths++;
        if (!parse_length(value, &j->r->length))
            j->why = "Content-Length must be a number.";
    } else if (mgi_http1_same(j->name, "transfer-encoding")) {
        j->codings++;
        j->coding_is_chunked = mgi_http1_same(value, "chunked");
    } else if (mgi_http1_same(j->name, "expect")) {
        bool known = mgi_http1_same(value, "100-continue") && j->r->expect != EXPECT_OTHER;
        j->r->expect = known ? EXPECT_CONTINUE : EXPECT_OTHER;
    } else if (mgi_http1_same(j->name, "upgrade")) {
        j->upgrade_named = value.len > 0;
    }
    return j->why != NULL;
}

/* All that we want of it is known now: stop before the body. */
static int on_head(http_parser *parser)
{
    struct judging *j = parser->data;
    j->r->keep_alive = http_should_keep_alive(parser) != 0;
    j->r->upgrade = j->upgrade_named && (parser->flags & F_CONNECTION_UPGRADE) != 0;
    return -1;
}

static const http_parser_settings callbacks = { .on_url = on_target,
                                                .on_header_field = on_name,
                                                .on_header_value = on_value,
                                                .on_headers_complete = on_head };

/* The parser gave up at the method. If the request line is one all the same, that is all we read:
 * the rest is not looked at, and the connection ends with the answer. */
static enum http1_verdict judge_other_method(struct judging *j)
{
    struct http1_request *r = j->r;
    struct str rest = r->head;
    struct str version = mgi_http1_cut(&rest, '\r');
    r->method = mgi_http1_cut(&version, ' ');
    r->target = mgi_http1_cut(&version, ' ');
    if (!is_token(r->method) || r->target.len == 0 || version.len != strlen("HTTP/1.1") ||
        memcmp(version.ptr, "HTTP/", 5) != 0)
        return VERDICT_MALFORMED;
    return memcmp(version.ptr + 5, "1.", 2) == 0 ? VERDICT_METHOD : VERDICT_VERSION;
}

/* RFC 9112 section 3.2: origin-form, absolute-form, and * for OPTIONS. */
static const char *judge_target(struct http1_request *r)
{
    struct str rest = r->target, name, port;
    for (size_t i = 0; i < rest.len; i++)
        if ((unsigned char)rest.ptr[i] >= 0x80 || rest.ptr[i] == '#')
            return "The request target must be a URI without fragment.";
    size_t scheme = mgi_str_find(rest, STR_LIT("://"));
    if (rest.len > 0 && rest.ptr[0] != '/' && scheme != SIZE_MAX) {
        if (!mgi_http1_same((struct str){ rest.ptr, scheme }, "http") &&
            !mgi_http1_same((struct str){ rest.ptr, scheme }, "https"))
            return "The scheme of the request target must be http or https.";
        rest.ptr += scheme + 3;
        rest.len -= scheme + 3;
        size_t len = 0;
        while (len < rest.len && rest.ptr[len] != '/' && rest.ptr[len] != '?')
            len++;
        r->host = (struct str){ rest.ptr, len };
        if (len == 0 || !mgi_http1_authority(r->host, &name, &port))
            return "The request target does not name a host.";
        rest.ptr += len;
        rest.len -= len;
        if (rest.len == 0 || rest.ptr[0] == '?')
            rest = STR_LIT("/");
    } else if (rest.len > 0 && rest.ptr[0] != '/' && !str_is(r->method, "CONNECT") &&
               !(str_is(rest, "*") && str_is(r->method, "OPTIONS"))) {
        return "The request target must begin with a slash.";
    }
    r->path = mgi_http1_cut(&rest, '?');
    return NULL;
}

static const char *judge_host(const struct judging *j)
{
    struct str name, port;
    struct http1_request *r = j->r;
    if (j->hosts > 1 || (j->hosts == 0 && !r->minor_zero))
        return "There must be exactly one Host header.";
    if (j->hosts == 1 && j->host.len > 0 && !mgi_http1_authority(j->host, &name, &port))
        return "The Host header must be a host, or a host and a port.";
    if (!r->host.ptr && j->hosts == 1) /* the target's authority comes first */
        r->host = j->host;
    return NULL;
}

static const char *judge_framing(const struct judging *j)
{
    if (j->lengths > 1 || j->codings > 1 || (j->lengths > 0 && j->codings > 0))
        return "The length of the body must be said once.";
    if (j->codings == 1 && (!j->coding_is_chunked || j->r->minor_zero))
        return "The only Transfer-Encoding is chunked, with HTTP/1.1.";
    j->r->chunked = j->codings == 1;
    return NULL;
}

/* "GET / HTTP/1.1", one blank each. */
static bool is_spelt_exactly(const struct http1_request *r)
{
    struct str rest = r->head;
    return mgi_http1_cut(&rest, '\r').len == r->method.len + r->target.len + strlen("  HTTP/1.1");
}

/* Hand the head to the parser; what is good is filled in as far as the parser sees it. */
static enum http1_verdict split_head(struct judging *j)
{
    struct http1_request *r = j->r;
    http_parser_init(&j->parser, HTTP_REQUEST);
    j->parser.data = j;
    (void)http_parser_execute(&j->parser, &callbacks, r->head.ptr, r->head.len);
    enum http_errno code = HTTP_PARSER_ERRNO(&j->parser);
    if (code == HPE_INVALID_METHOD)
        return judge_other_method(j);
    if (code != HPE_CB_headers_complete)
        return VERDICT_MALFORMED;
    r->method = str_of(http_method_str((enum http_method)j->parser.method));
    r->minor_zero = j->parser.http_minor == 0;
    if (j->parser.http_major != 1)
        return VERDICT_VERSION;
    return is_spelt_exactly(r) ? VERDICT_GOOD : VERDICT_MALFORMED;
}

enum http1_verdict mgi_http1_judge(struct str head, struct http1_request *r, const char **why)
{
    struct judging j = { .r = r };
    *r = (struct http1_request){ .head = head };
    enum http1_verdict verdict = split_head(&j);
    if (verdict == VERDICT_GOOD || verdict == VERDICT_METHOD)
        j.why = judge_target(r);
    if (verdict == VERDICT_GOOD && !j.why)
        j.why = judge_host(&j);
    if (verdict == VERDICT_GOOD && !j.why)
        j.why = judge_framing(&j);
    if (j.why)
        verdict = VERDICT_MALFORMED;
    else if (verdict == VERDICT_MALFORMED)
        j.why = "This is not HTTP/1.1.";
    else if (verdict == VERDICT_VERSION)
        j.why = "This server speaks HTTP/1.1.";
    else if (j.fields > HTTP1_FIELDS_MAX) {
        j.why = "The head has too many fields.";
        verdict = VERDICT_TOO_LARGE;
    }
    *why = j.why;
    return verdict;
}
