/* A session in which any one allocation fails ends, or goes on as if nothing had been; nothing that
 * is no message is ever sent, and nothing stays behind. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>

#include "lsp/lsp.h"
#include "support/nomem.h"

static const char *const messages[] = {
    "{\"id\":1,\"method\":\"initialize\",\"params\":{\"rootUri\":\"file:///w\",\"capabilities\":{"
    "\"general\":{\"positionEncodings\":[\"utf-8\"]}}}}",
    "{\"method\":\"textDocument/didOpen\",\"params\":{\"textDocument\":{\"uri\":\"file:///w/a.mg\","
    "\"version\":1,\"text\":\"Use lib!\\np(X) :- lib.q(X), egde(Y).\\nedge(1).\\n\"}}}",
    "{\"id\":2,\"method\":\"textDocument/completion\",\"params\":{\"textDocument\":{\"uri\":"
    "\"file:///w/a.mg\"},\"position\":{\"line\":1,\"character\":8}}}",
    "{\"id\":3,\"method\":\"textDocument/hover\",\"params\":{\"textDocument\":{\"uri\":"
    "\"file:///w/a.mg\"},\"position\":{\"line\":1,\"character\":13}}}",
    "{\"id\":4,\"method\":\"textDocument/rename\",\"params\":{\"textDocument\":{\"uri\":"
    "\"file:///w/a.mg\"},\"position\":{\"line\":1,\"character\":13},\"newName\":\"r\"}}",
    "{\"method\":\"textDocument/didChange\",\"params\":{\"textDocument\":{\"uri\":"
    "\"file:///w/a.mg\",\"version\":2},\"contentChanges\":[{\"range\":{\"start\":{\"line\":0,"
    "\"character\":0},\"end\":{\"line\":1,\"character\":0}},\"text\":\"# nothing\\n\\n\"}]}}",
    "{\"id\":5,\"method\":\"textDocument/formatting\",\"params\":{\"textDocument\":{\"uri\":"
    "\"file:///w/a.mg\"}}}",
    "{\"id\":6,\"method\":\"textDocument/codeAction\",\"params\":{\"textDocument\":{\"uri\":"
    "\"file:///w/a.mg\"},\"range\":{\"start\":{\"line\":0,\"character\":0},\"end\":{\"line\":9,"
    "\"character\":0}}}}",
    "{\"id\":7,\"method\":\"textDocument/signatureHelp\",\"params\":{\"textDocument\":{\"uri\":"
    "\"file:///w/a.mg\"},\"position\":{\"line\":2,\"character\":2}}}",
    "{\"method\":\"textDocument/didClose\",\"params\":{\"textDocument\":{\"uri\":"
    "\"file:///w/a.mg\"}}}",
    "{\"id\":8,\"method\":\"shutdown\"}",
    "{\"method\":\"exit\"}",
};

static void count_sent(void *context, struct str bytes)
{
    assert_true(mgi_str_starts(bytes, STR_LIT("Content-Length: ")));
    assert_int_equal(bytes.ptr[bytes.len - 1], '}');
    ++*(size_t *)context;
}

static bool read_one(void *context, const char *path, struct buf *out)
{
    (void)context;
    if (strcmp(path, "/w/lib.mg") != 0)
        return false;
    mgi_buf_puts(out, "Package lib!\nDecl q(X) descr [doc(\"d\")] bound [/number].\nq(1).\n");
    return true;
}

static void walk_one(void *context, const char *folder, void (*found)(void *to, const char *path),
                     void *to)
{
    (void)context;
    (void)folder;
    found(to, "/w/lib.mg");
}

/* The exit status; *sent: how many messages came. */
static int hold_session(size_t *sent)
{
    struct lsp_world world = { sent, count_sent, read_one, walk_one };
    struct lsp *s = mgi_lsp_new(&world);
    int status = 1;
    *sent = 0;
    for (size_t i = 0; s && i < sizeof messages / sizeof *messages; i++) {
        char head[64];
        int n = snprintf(head, sizeof head, "Content-Length: %zu\r\n\r\n", strlen(messages[i]));
        mgi_lsp_receive(s, (struct str){ head, (size_t)n });
        mgi_lsp_receive(s, str_of(messages[i]));
        while (mgi_lsp_waiting(s) && !mgi_lsp_ended(s, NULL))
            mgi_lsp_step(s);
    }
    if (s)
        mgi_lsp_ended(s, &status);
    mgi_lsp_free(s);
    return status;
}

static void test_sessions_survive_any_failed_allocation(void **state)
{
    (void)state;
    size_t all, sent;
    assert_int_equal(hold_session(&all), 0);
    assert_int_equal(all, 8 + 3); /* the answers, and the findings after open, change and close */
    for (size_t n = 1;; n++) {
        nomem_fail_at(n);
        int status = hold_session(&sent);
        bool failed = nomem_failed();
        nomem_fail_at(0);
        assert_true(status == 1 || sent == all);
        if (!failed) {
            assert_int_equal(status, 0);
            return;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sessions_survive_any_failed_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
