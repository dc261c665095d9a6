/* MCP's codec. The first byte chooses: a message, read and written again as it was read; a stream
 * of events, the same whole and in pieces; a text to clean, which is clean then; an envelope. */
#include <stdlib.h>

#include "base/utf8.h"
#include "mcp/clean.h"
#include "mcp/meta.h"
#include "mcp/sse.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void must(bool b)
{
    if (!b)
        abort();
}

static void read_message(struct str text)
{
    struct arena a;
    struct json v;
    struct rpc_message m;
    struct rpc_fault fault;
    struct mcp_envelope e;
    mgi_arena_init(&a, 0);
    if (!mgi_rpc_parse(&a, text, &v, &fault)) {
        must(fault.code == RPC_PARSE);
    } else if (!mgi_rpc_read(&v, &m, &fault)) {
        must(fault.code == RPC_INVALID_REQUEST && fault.message[0]);
    } else if (m.kind == RPC_REQUEST) {
        struct buf out = { 0 };
        struct json_writer w;
        struct json again;
        mgi_mcp_envelope(m.params, &e);
        must(e.claim != MCP_CLAIM || e.capabilities);
        mgi_rpc_begin_result(&w, &out, &m.id);
        mgi_jw_raw(&w, STR_LIT("{}"));
        mgi_rpc_end(&w);
        struct rpc_message back;
        must(mgi_rpc_parse(&a, mgi_buf_view(&out), &again, &fault));
        must(mgi_rpc_read(&again, &back, &fault) && back.kind == RPC_RESULT);
        must(mgi_rpc_id_equal(&back.id, &m.id));
        mgi_buf_fini(&out);
    }
    mgi_arena_fini(&a);
}

static void read_stream(struct str input, size_t step, struct buf *told)
{
    struct sse s;
    mgi_sse_init(&s, 64);
    for (size_t at = 0; at < input.len; at += step) {
        struct str piece = { input.ptr + at, input.len - at < step ? input.len - at : step };
        struct sse_event e;
        for (enum sse_result r; (r = mgi_sse_next(&s, &piece, &e)) != SSE_MORE;) {
            mgi_buf_printf(told, "%d;", r);
            if (r != SSE_EVENT)
                continue;
            must(e.data.len <= 64);
            mgi_buf_str(told, e.type);
            mgi_buf_putc(told, '|');
            mgi_buf_str(told, e.data);
            mgi_buf_str(told, mgi_sse_last_id(&s));
        }
    }
    mgi_sse_fini(&s);
}

static void compare_streams(struct str input, size_t step)
{
    struct buf whole = { 0 }, pieces = { 0 };
    read_stream(input, input.len ? input.len : 1, &whole);
    read_stream(input, step, &pieces);
    must(str_eq(mgi_buf_view(&whole), mgi_buf_view(&pieces)));
    mgi_buf_fini(&whole);
    mgi_buf_fini(&pieces);
}

static void clean_text(struct str text, size_t max)
{
    struct buf once = { 0 }, twice = { 0 };
    struct clean_counts first = { 0 }, second = { 0 };
    mgi_clean(&once, text, max, &first);
    mgi_clean(&twice, mgi_buf_view(&once), max, &second);
    must(mgi_utf8_valid(mgi_buf_view(&once), NULL));
    must(max == 0 || once.len <= max);
    must(str_eq(mgi_buf_view(&once), mgi_buf_view(&twice)));
    must(mgi_clean_removed(&second) == 0);
    mgi_buf_fini(&once);
    mgi_buf_fini(&twice);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size < 2)
        return 0;
    struct str rest = { (const char *)bytes + 2, size - 2 };
    switch (bytes[0] % 3) {
    case 0:
        read_message(rest);
        break;
    case 1:
        compare_streams(rest, 1 + bytes[1] % 7u);
        break;
    default:
        clean_text(rest, bytes[1] % 64u);
        break;
    }
    return 0;
}
