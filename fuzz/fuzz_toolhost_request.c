/* Fuzzes what the tool host reads from untrusted sides: a request line from its client, a list of
 * tools from its worker, and a patch of the state from a log. The first byte chooses. Whatever
 * comes in: no crash, and an answer that is one line of JSON; a patch that is taken and written
 * again is the same patch. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "toolhost/answer.c"
#include "toolhost/frame.c"
#include "toolhost/lease.c"
#include "toolhost/request.c"
#include "toolhost/same_value.c"
#include "toolhost/state.c"
#include "toolhost/tools.c"
#include "toolhost/tx_patch.c"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

static void must_be_one_line_of_json(const struct buf *out)
{
    struct arena arena;
    struct json v;
    mgi_arena_init(&arena, 0);
    const char *lf = memchr(out->ptr, '\n', out->len);
    if (lf != out->ptr + out->len - 1)
        abort();
    if (mgi_json_parse(&arena, mgi_buf_view(out), &(struct json_options){ 128 }, &v, NULL) !=
        JSON_OK)
        abort();
    mgi_arena_fini(&arena);
}

static void read_request(struct str text, enum request_mode mode)
{
    struct arena arena;
    struct request q;
    struct refusal refusal;
    struct ds_state state = { 0 };
    struct buf out = { 0 };
    char digest[65] = "";
    mgi_arena_init(&arena, 0);
    enum request_result rc = mgi_request_open(&arena, text, mode, &q, &refusal, NULL);
    if (rc == REQUEST_OK)
        rc = mgi_request_read(&arena, mode, STR_LIT("AID.A.v1"), &q, &refusal);
    const struct answer_extras x = { q.request_id, 0, digest };
    if (rc == REQUEST_REFUSED) {
        mgi_answer_refusal(&out, &refusal, &x);
        must_be_one_line_of_json(&out);
    } else if (rc == REQUEST_OK) {
        mgi_ds_patch_apply(&state, &q.state);
        struct outcome o = mgi_outcome_of_tool(&arena, (int32_t)(text.len % 5), q.input, 0, text);
        mgi_answer_result(&out, &o, false, &(struct answer_state){ &state, false, 0xff }, &x);
        must_be_one_line_of_json(&out);
    }
    mgi_buf_fini(&out);
    mgi_ds_fini(&state);
    mgi_request_fini(&q);
    mgi_arena_fini(&arena);
}

static void read_tools(struct str bytes)
{
    struct arena arena;
    struct tools tools;
    struct frame f = { .type = FRAME_READY, .body = bytes };
    const char *why;
    mgi_arena_init(&arena, 1 << 24);
    if (mgi_tools_decode(&arena, &f, &tools, &why)) {
        struct buf out = { 0 };
        mgi_tools_write(&out, &tools);
        must_be_one_line_of_json(&out);
        mgi_buf_fini(&out);
    }
    mgi_arena_fini(&arena);
}

static void read_patch(struct str text)
{
    struct arena arena;
    struct json v;
    struct ds_patch patch = { 0 };
    struct ds_state empty = { 0 }, one = { 0 }, two = { 0 };
    struct str why;
    struct buf out = { 0 };
    struct json_writer w;
    mgi_arena_init(&arena, 0);
    if (mgi_json_parse(&arena, text, NULL, &v, NULL) == JSON_OK &&
        mgi_tx_patch_read(&arena, &v, &patch, &why) == DS_OK) {
        mgi_ds_patch_apply(&one, &patch);
        mgi_ds_patch_fini(&patch);
        mgi_json_writer_init(&w, &out, 0);
        if (!mgi_tx_patch_write(&w, &empty, &one, false) ||
            mgi_json_parse(&arena, mgi_buf_view(&out), NULL, &v, NULL) != JSON_OK ||
            mgi_tx_patch_read(&arena, &v, &patch, &why) != DS_OK)
            abort();
        mgi_ds_patch_apply(&two, &patch);
        if (mgi_ds_changed(&one, &two))
            abort();
    }
    mgi_ds_patch_fini(&patch);
    mgi_ds_fini(&one);
    mgi_ds_fini(&two);
    mgi_buf_fini(&out);
    mgi_arena_fini(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    if (len == 0)
        return 0;
    struct str rest = { (const char *)bytes + 1, len - 1 };
    if (bytes[0] == 'w')
        read_tools(rest);
    else if (bytes[0] == 't')
        read_patch(rest);
    else
        read_request(rest, bytes[0] == 'r' ? REQUEST_RUN : REQUEST_SERVE);
    return 0;
}
