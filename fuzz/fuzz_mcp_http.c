/* Requests to MCP's endpoint: a method, headers a line each, an empty line, a body; a zero byte
 * ends a request. Each is answered once, or waits, or has a stream that ends once. */
#include <stdlib.h>

#include "mcp/http.h"
#include "support/mcp_talk.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

#define REQUESTS_MOST 32

struct trial {
    struct talk talk;
    struct mcp_http *http;
    enum { WAITS, STREAMS, ENDED } states[REQUESTS_MOST];
};

static void must(bool b)
{
    if (!b)
        abort();
}

static void check_answer(void *context, void *tag, const struct mcp_response *r)
{
    int *state = tag;
    (void)context;
    must(*state == WAITS && r->status >= 200 && r->status < 600);
    *state = ENDED;
}

static void check_open(void *context, void *tag, const struct mcp_response *r)
{
    int *state = tag;
    (void)context;
    must(*state == WAITS && r->status == 200);
    *state = STREAMS;
}

static void check_write(void *context, void *tag, struct str bytes)
{
    int *state = tag;
    (void)context;
    must(*state == STREAMS && mgi_str_ends(bytes, STR_LIT("\n\n")));
}

static void check_end(void *context, void *tag)
{
    int *state = tag;
    (void)context;
    must(*state == STREAMS);
    *state = ENDED;
}

static int64_t tell_time(void *context)
{
    struct trial *t = context;
    return t->talk.now_ms += 1500;
}

static bool no_random(void *context, void *bytes, size_t len)
{
    (void)context;
    memset(bytes, 0x11, len);
    return true;
}

static struct str take_line(struct str *rest)
{
    size_t n = mgi_str_find(*rest, STR_LIT("\n"));
    n = n == SIZE_MAX ? rest->len : n;
    struct str line = { rest->ptr, n };
    n += n < rest->len;
    *rest = (struct str){ rest->ptr + n, rest->len - n };
    return line;
}

static void send_one(struct trial *t, struct str text, void *tag)
{
    struct mcp_header headers[16];
    struct mcp_request r = { .headers = headers, .tag = tag };
    r.method = take_line(&text);
    for (struct str line; r.header_count < 16 && (line = take_line(&text)).len > 0;) {
        size_t colon = mgi_str_find(line, STR_LIT(":"));
        if (colon == SIZE_MAX)
            continue;
        headers[r.header_count++] = (struct mcp_header){
            { line.ptr, colon },
            mgi_str_trim((struct str){ line.ptr + colon + 1, line.len - colon - 1 }, " \t"),
        };
    }
    r.body = text;
    mgi_mcp_http_request(t->http, &r);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct trial t = { 0 };
    struct mcp_http_options o = {
        .out = { &t, check_answer, check_open, check_write, check_end, tell_time, no_random },
    };
    struct str rest = { (const char *)bytes, size };
    talk_init(&t.talk);
    t.talk.drops = true;
    t.http = mgi_mcp_http_new(t.talk.server, &o);
    for (size_t i = 0; rest.len > 0 && i < REQUESTS_MOST; i++) {
        const char *zero = memchr(rest.ptr, 0, rest.len);
        size_t n = zero ? (size_t)(zero - rest.ptr) : rest.len;
        if (t.talk.held) {
            struct mcp_call *held = t.talk.held;
            t.talk.held = NULL;
            mgi_mcp_answer_text(held, STR_LIT("done"), false);
        }
        send_one(&t, (struct str){ rest.ptr, n }, &t.states[i]);
        if (n % 3 == 0)
            mgi_mcp_http_tick(t.http);
        if (n % 5 == 0 && t.states[i] != ENDED)
            mgi_mcp_http_gone(t.http, &t.states[i]);
        n += zero != NULL;
        rest = (struct str){ rest.ptr + n, rest.len - n };
    }
    mgi_mcp_http_drain(t.http);
    mgi_mcp_http_free(t.http);
    talk_fini(&t.talk);
    return 0;
}
