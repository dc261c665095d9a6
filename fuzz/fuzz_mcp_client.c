/* The client of MCP against a server that says anything: the first byte says what is known of it
 * and what is wanted, the rest are its lines. Whatever it says, the client is in one of its states,
 * holds no more than its bounds, and what it sends is one message a line. */
#include <stdlib.h>

#include "mcp/client.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

#define MUST(x)                                                                                    \
    do {                                                                                           \
        if (!(x))                                                                                  \
            abort();                                                                               \
    } while (0)

static void read_sent(struct mcp_client *c)
{
    struct str rest = mgi_buf_view(&c->out);
    while (rest.len > 0) {
        struct arena a;
        struct json v;
        struct rpc_message m;
        struct rpc_fault fault;
        const char *end = memchr(rest.ptr, '\n', rest.len);
        MUST(end);
        mgi_arena_init(&a, 0);
        MUST(mgi_rpc_parse(&a, (struct str){ rest.ptr, (size_t)(end - rest.ptr) }, &v, &fault));
        MUST(mgi_rpc_read(&v, &m, &fault));
        mgi_arena_fini(&a);
        rest = (struct str){ end + 1, rest.len - (size_t)(end + 1 - rest.ptr) };
    }
    mgi_buf_clear(&c->out);
}

static void want(struct mcp_client *c, unsigned what)
{
    if (c->state != MCP_READY)
        return;
    if (what == 0)
        mgi_mcp_client_list(c);
    else if (what == 1)
        mgi_mcp_client_call(c, STR_LIT("t"), STR_LIT("{\"a\":1}"));
    else if (what == 2)
        mgi_mcp_client_ping(c);
}

static void check(const struct mcp_client *c)
{
    MUST(c->state != MCP_BROKEN || c->why);
    MUST(c->state == MCP_BROKEN || c->end == MCP_PENDING || c->end == MCP_DONE || c->why);
    MUST(c->end != MCP_DONE || c->state != MCP_BUSY);
    MUST(c->tool_count <= MCP_MOST_TOOLS && c->pages <= MCP_MOST_PAGES);
    MUST(c->rounds <= MCP_MOST_ROUNDS + 1 && c->out.len < 4096);
    MUST(c->state != MCP_READY || c->revision != MCP_NONE);
    MUST(c->state != MCP_READY ||
         mgi_mcp_features(c->revision)->modern == (c->era == MCP_ERA_MODERN));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct mcp_client c;
    if (size == 0)
        return 0;
    unsigned what = bytes[0] >> 2 & 3;
    struct str rest = { (const char *)bytes + 1, size - 1 };
    int64_t now = 1;
    mgi_mcp_client_init(&c, NULL);
    mgi_mcp_client_open(&c, (enum mcp_era)((bytes[0] & 3) % 3), now);
    want(&c, what);
    while (rest.len > 0 && c.state != MCP_BROKEN) {
        const char *end = memchr(rest.ptr, '\n', rest.len);
        size_t len = end ? (size_t)(end - rest.ptr) : rest.len;
        now += 100;
        mgi_mcp_client_take(&c, (struct str){ rest.ptr, len }, now);
        mgi_mcp_client_tick(&c, now);
        check(&c);
        read_sent(&c);
        want(&c, what);
        len += end != NULL;
        rest = (struct str){ rest.ptr + len, rest.len - len };
    }
    mgi_mcp_client_cancel(&c);
    read_sent(&c);
    check(&c);
    mgi_mcp_client_fini(&c);
    return 0;
}
