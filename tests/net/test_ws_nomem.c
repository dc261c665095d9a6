/* A message for which there is no memory costs that message, and nothing else. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "net/ws_frames.h"
#include "net/ws_upgrade.h"
#include "support/nomem.h"

static void test_a_message_that_finds_no_memory_is_reported_and_the_next_arrives(void **state)
{
    (void)state;
    static const struct ws_codec_options options = { WS_SERVER, false, 100000, 0 };
    char large[20000];
    struct buf bytes = { 0 };
    memset(large, 'l', sizeof large);
    put_frame(&bytes, 0x01, (struct str){ large, sizeof large }, true);
    put_frame(&bytes, 0x89, STR_LIT("p"), true);
    put_frame(&bytes, 0x80, (struct str){ large, sizeof large }, true);
    put_frame(&bytes, 0x81, STR_LIT("next"), true);
    for (size_t n = 1;; n++) {
        struct ws ws;
        char seen[16] = "";
        struct str rest = mgi_buf_view(&bytes);
        mgi_ws_init(&ws, &options);
        nomem_fail_at(n);
        while (rest.len > 0) {
            struct str piece = { rest.ptr, rest.len < 3000 ? rest.len : 3000 };
            rest = (struct str){ rest.ptr + piece.len, rest.len - piece.len };
            struct ws_event event;
            for (mgi_ws_next(&ws, &piece, &event); event.kind; mgi_ws_next(&ws, &piece, &event))
                seen[strlen(seen)] = "-tbLNpPcF"[event.kind];
        }
        bool failed = nomem_failed();
        nomem_fail_at(0);
        mgi_ws_fini(&ws);
        if (!failed) {
            assert_string_equal(seen, "ptt");
            assert_true(n > 3);
            break;
        }
        assert_true(strcmp(seen, "pNt") == 0 || strcmp(seen, "ptN") == 0);
    }
    mgi_buf_fini(&bytes);
}

static void test_a_frame_that_finds_no_memory_is_not_sent_in_part(void **state)
{
    (void)state;
    for (size_t n = 1; n <= 2; n++) {
        struct buf out = { 0 };
        nomem_fail_at(n);
        mgi_ws_put(&out, WS_OP_TEXT, STR_LIT("hello"), NULL);
        assert_int_equal(out.oom, n == 1);
        assert_int_equal(out.len, n == 1 ? 0 : 7);
        nomem_fail_at(1);
        mgi_ws_put_acceptance(&out, STR_LIT("dGhlIHNhbXBsZSBub25jZQ=="), NULL);
        nomem_fail_at(0);
        assert_true(out.oom);
        mgi_buf_fini(&out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_message_that_finds_no_memory_is_reported_and_the_next_arrives),
        cmocka_unit_test(test_a_frame_that_finds_no_memory_is_not_sent_in_part),
    };
    return cmocka_run_group_tests_name("net/test_ws_nomem", tests, NULL, NULL);
}
