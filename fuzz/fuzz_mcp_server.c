/* A conversation with MCP's server core: lines of an attacker, with time passing and calls that end
 * between them. What goes out is whole messages, and no call is answered twice. */
#include <stdlib.h>

#include "base/json.h"
#include "support/mcp_talk.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void check_sent(struct talk *t)
{
    struct str rest = mgi_buf_view(&t->out);
    while (rest.len > 0) {
        struct arena a;
        struct json v;
        struct json_options o = { .max_depth = JSON_MAX_DEPTH };
        size_t n = mgi_str_find(rest, STR_LIT("\n"));
        mgi_arena_init(&a, 0);
        if (n == SIZE_MAX || mgi_json_parse(&a, (struct str){ rest.ptr, n }, &o, &v, NULL))
            abort();
        mgi_arena_fini(&a);
        rest = (struct str){ rest.ptr + n + 1, rest.len - n - 1 };
    }
    mgi_buf_clear(&t->out);
}

static void act(struct talk *t, char what)
{
    struct mcp_call *held = t->held;
    if (what == 'w') {
        t->now_ms += 10001;
        mgi_mcp_tick(t->peer);
    } else if (what == 'd') {
        mgi_mcp_drain(t->peer);
    } else if (what == 'u') {
        mgi_mcp_updated(t->peer, STR_LIT("x:a"));
    } else if (what == 'p' && held) {
        mgi_mcp_progress(held, (double)(t->now_ms % 7), 3, STR_LIT("m"));
    } else if (what == 'f' && held) {
        t->held = NULL;
        mgi_mcp_answer_text(held, STR_LIT("done"), false);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct talk t;
    struct mcp_route route = { 0 };
    struct str rest = { (const char *)bytes, size };
    talk_init(&t);
    while (rest.len > 0) {
        size_t n = mgi_str_find(rest, STR_LIT("\n"));
        n = n == SIZE_MAX ? rest.len : n;
        /* One call is held at a time: one more would be nobody's. */
        if (t.held && n > 2)
            act(&t, 'f');
        if (n > 2)
            mgi_mcp_receive(t.peer, (struct str){ rest.ptr, n }, &route);
        else if (n > 0)
            act(&t, rest.ptr[0]);
        check_sent(&t);
        n += n < rest.len;
        rest = (struct str){ rest.ptr + n, rest.len - n };
    }
    talk_fini(&t);
    return 0;
}
