/* A login survives the failure of any allocation: what is read is whole or refused for want of
 * memory, and the file is what it was. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "client/credentials.h"
#include "client/oauth_login.h"
#include "client/oauth_texts.h"
#include "client/stored_login.h"
#include "support/nomem.h"

struct texts {
    struct arena arena;
    struct buf out, why;
    struct oauth_challenge challenge;
    struct oauth_resource resource;
    struct oauth_issuer issuer;
    struct oauth_token token;
    const char *id, *code;
};

/* True: all was read, and all was written. */
static bool read_all(struct texts *t)
{
    struct arena *a = &t->arena;
    bool good = mgi_oauth_challenge_read(a, STR_LIT(GOOD_CHALLENGE), &t->challenge, &t->why);
    good = good && mgi_oauth_resource_read(a, STR_LIT(GOOD_RESOURCE), "https://t.example/x",
                                           &t->resource, &t->why);
    good = good && mgi_oauth_issuer_read(a, STR_LIT(GOOD_ISSUER), "https://i.example/a", &t->issuer,
                                         &t->why);
    t->id = mgi_oauth_registration_read(a, 201, STR_LIT("{\"client_id\":\"c\"}"), &t->why);
    good = good && t->id;
    good = good && mgi_oauth_redirect_read(a, &good_attempt, STR_LIT(GOOD_REDIRECT), &t->code,
                                           &t->why) == OAUTH_CODE;
    good = good && mgi_oauth_token_read(a, 200, STR_LIT(GOOD_TOKEN), &t->token, &t->why);
    mgi_oauth_put_registration(&t->out, good_attempt.redirect, NULL);
    mgi_oauth_put_authorization(&t->out, &good_attempt);
    mgi_oauth_put_exchange(&t->out, &good_attempt, "c");
    mgi_oauth_put_refresh(&t->out, "c", "r", "t");
    return good && !t->out.oom;
}

static void test_texts_are_read_whole_or_memory_is_short(void **state)
{
    (void)state;
    size_t n = 1;
    for (bool failed = true; failed; n++) {
        struct texts t = { 0 };
        mgi_arena_init(&t.arena, 0);
        nomem_fail_at(n);
        bool good = read_all(&t);
        failed = nomem_failed();
        nomem_fail_at(0);
        if (good) {
            assert_string_equal(t.challenge.metadata, "https://t.example/m");
            assert_string_equal(t.code, "c+1");
        } else {
            assert_true(failed && (t.arena.oom || t.out.oom || t.why.oom));
            assert_int_equal(t.why.len, 0); /* nobody else is blamed */
        }
        mgi_arena_fini(&t.arena);
        mgi_buf_fini(&t.out);
        mgi_buf_fini(&t.why);
    }
    assert_true(n > 8);
}

/* ---- the file ---------------------------------------------------------------------------------
 */

static char folder[] = "/tmp/manglecp-test-XXXXXX";
static char path[64];

static int make_folder(void **state)
{
    (void)state;
    if (!mkdtemp(folder))
        return 1;
    snprintf(path, sizeof path, "%s/credentials", folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    char lock[80];
    snprintf(lock, sizeof lock, "%s.lock", path);
    unlink(lock);
    unlink(path);
    return rmdir(folder);
}

static enum manglecp_status change_file(struct arena *a, struct buf *why)
{
    static struct credentials all;
    int lock;
    enum manglecp_status status = mgi_credentials_lock(path, INT64_MAX, &lock, why);
    if (status)
        return status;
    status = mgi_credentials_load(path, a, &all, why);
    if (!status && all.count == 0 && !mgi_credentials_read(a, STR_LIT(GOOD_CREDENTIALS), &all, why))
        status = MANGLECP_ERR_NOMEM;
    if (!status) {
        all.items[0].ends_s = 0;
        status = mgi_credentials_store(path, &all, why);
    }
    mgi_credentials_unlock(lock);
    return status;
}

static void test_a_file_is_replaced_whole_or_not_at_all(void **state)
{
    (void)state;
    size_t n = 1;
    for (bool failed = true; failed; n++) {
        struct arena a;
        struct buf why = { 0 };
        mgi_arena_init(&a, 0);
        nomem_fail_at(n);
        enum manglecp_status status = change_file(&a, &why);
        failed = nomem_failed();
        nomem_fail_at(0);
        assert_true(failed ? status == MANGLECP_ERR_NOMEM || status == MANGLECP_OK
                           : status == MANGLECP_OK);
        mgi_arena_fini(&a);
        mgi_buf_fini(&why);
    }
    assert_true(n > 8);
}

static void test_a_stored_token_is_found_or_memory_is_short(void **state)
{
    (void)state;
    struct stored_login login = { path, "https://t.example/x/y", NULL };
    size_t n = 1;
    for (bool failed = true; failed; n++) {
        struct buf token = { 0 }, why = { 0 };
        nomem_fail_at(n);
        enum manglecp_status status = mgi_stored_token(&login, NULL, &token, &why);
        failed = nomem_failed();
        nomem_fail_at(0);
        if (status == MANGLECP_OK)
            assert_string_equal(token.ptr, "at");
        else
            assert_true(failed && status == MANGLECP_ERR_NOMEM && !token.ptr);
        mgi_buf_fini(&token);
        mgi_buf_fini(&why);
    }
    assert_true(n > 4);
}

static void show_nothing(void *context, const char *url)
{
    (void)context, (void)url;
}

/* Nobody listens at port 1. */
static void test_a_login_that_comes_to_nothing_leaves_nothing(void **state)
{
    (void)state;
    static const struct oauth_login order = {
        .target = "ws://127.0.0.1:1", .answer_ms = 1000, .browser_ms = 1, .show = show_nothing
    };
    for (size_t n = 1;; n++) {
        struct arena a;
        struct buf why = { 0 };
        struct credential out;
        mgi_arena_init(&a, 0);
        nomem_fail_at(n);
        enum manglecp_status status = mgi_oauth_login(&order, &a, &out, &why);
        bool failed = nomem_failed();
        nomem_fail_at(0);
        assert_true(status == MANGLECP_ERR_TRANSPORT || (failed && status == MANGLECP_ERR_NOMEM));
        assert_null(out.access);
        mgi_arena_fini(&a);
        mgi_buf_fini(&why);
        if (!failed)
            break;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts_are_read_whole_or_memory_is_short),
        cmocka_unit_test(test_a_file_is_replaced_whole_or_not_at_all),
        cmocka_unit_test(test_a_stored_token_is_found_or_memory_is_short),
        cmocka_unit_test(test_a_login_that_comes_to_nothing_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
