/* Tokens, their file, and the principals they stand for. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>

#include "base/time.h"
#include "security/auth.h"

/* SHA-256 of "swordfish" and of "hunter2" */
#define SWORDFISH "b9f195c5cc7ef6afadbfbc42892ad47d3b24c6bc94bb510c4564a90a14e8b799"
#define HUNTER2   "f52fbd32b2b3b86ff88ef6c490628285f482af15ddcb29541f94bcf526a3f6c7"

static struct arena arena;

static int set_up(void **state)
{
    (void)state;
    mgi_arena_init(&arena, 0);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    mgi_arena_fini(&arena);
    return 0;
}

static struct auth *load(const char *env, const char *file)
{
    const char *why;
    struct auth *a = mgi_auth_new(env, str_of(file), &arena, &why);
    if (!a)
        fail_msg("%s", why);
    return a;
}

static void test_tokens_of_the_file_identify(void **state)
{
    (void)state;
    struct auth *a = load(NULL, "# people\r\n\n"
                                "sha256:" SWORDFISH " ann intent:observe,intent:fix\n"
                                "sha256:" HUNTER2 " robot intent:* trust=automated "
                                "auto_confirm=filesystem,x-actuator expires=2026-01-01T00:00:00Z "
                                "confirm_key=AAECAwQFBgcICQoLDA0ODw");
    const struct principal *who;
    assert_int_equal(mgi_auth_check(a, STR_LIT("swordfish"), 0, &who), AUTH_GOOD);
    assert_true(str_is(who->identity, "ann"));
    assert_int_equal(who->permission_count, 2);
    assert_true(str_is(who->permissions[1], "intent:fix"));
    assert_int_equal(who->confirm_key.len, 0);
    assert_int_equal(mgi_auth_check(a, STR_LIT("hunter2"), 0, &who), AUTH_GOOD);
    assert_true(who->automated);
    assert_int_equal(who->auto_confirm_count, 2);
    assert_int_equal(who->confirm_key.len, 16);
    assert_int_equal(mgi_auth_check(a, STR_LIT("hunter2"), who->expires_ns, &who), AUTH_EXPIRED);
    assert_null(who); /* P-AUTH-10 */
    assert_int_equal(mgi_auth_check(a, STR_LIT("hunter3"), 0, &who), AUTH_REJECTED);
    assert_int_equal(mgi_auth_check(a, STR_LIT(""), 0, &who), AUTH_REJECTED);
    mgi_auth_unref(a);
}

static void test_certificates_identify_as_tokens_do_and_neither_stands_for_the_other(void **state)
{
    (void)state;
    struct auth *a = load(NULL, "cert-sha256:" SWORDFISH " robot intent:observe "
                                "expires=2026-01-01T00:00:00Z\n"
                                "sha256:" HUNTER2 " ann intent:*\n"
                                "cert-sha256:" HUNTER2 " twin intent:*\n");
    const struct principal *who;
    assert_int_equal(mgi_auth_check_certificate(a, STR_LIT(SWORDFISH), 0, &who), AUTH_GOOD);
    assert_true(str_is(who->identity, "robot"));
    assert_int_equal(mgi_auth_check_certificate(a, STR_LIT(SWORDFISH), who->expires_ns, &who),
                     AUTH_EXPIRED);
    assert_int_equal(mgi_auth_check(a, STR_LIT("swordfish"), 0, &who), AUTH_REJECTED);
    assert_int_equal(mgi_auth_check(a, STR_LIT("cert-sha256:" SWORDFISH), 0, &who), AUTH_REJECTED);
    assert_int_equal(mgi_auth_check_certificate(a, STR_LIT(HUNTER2), 0, &who), AUTH_GOOD);
    assert_true(str_is(who->identity, "twin"));
    assert_int_equal(mgi_auth_check(a, STR_LIT("hunter2"), 0, &who), AUTH_GOOD);
    assert_true(str_is(who->identity, "ann"));
    assert_int_equal(mgi_auth_check_certificate(a, STR_LIT("b9f1"), 0, &who), AUTH_REJECTED);
    mgi_auth_unref(a);
}

static void test_an_api_key_is_a_token_and_a_token_is_no_api_key(void **state)
{
    (void)state;
    struct auth *a = load(NULL, "key-sha256:" SWORDFISH " robot intent:*\n"
                                "sha256:" HUNTER2 " ann intent:*\n"),
                *tokens = load(NULL, "sha256:" HUNTER2 " ann intent:*\n");
    const struct principal *who;
    assert_int_equal(mgi_auth_check_key(a, STR_LIT("swordfish"), 0, &who), AUTH_GOOD);
    assert_true(str_is(who->identity, "robot"));
    assert_int_equal(mgi_auth_check(a, STR_LIT("swordfish"), 0, &who), AUTH_GOOD); /* P-AUTH-5 */
    assert_true(str_is(who->identity, "robot"));
    assert_int_equal(mgi_auth_check_key(a, STR_LIT("hunter2"), 0, &who), AUTH_REJECTED);
    assert_null(who);
    assert_int_equal(mgi_auth_check_certificate(a, STR_LIT(SWORDFISH), 0, &who), AUTH_REJECTED);
    assert_true(mgi_auth_has_keys(a));
    assert_false(mgi_auth_has_keys(tokens));
    mgi_auth_unref(a);
    mgi_auth_unref(tokens);
}

static void test_a_token_counts_from_its_beginning_on(void **state)
{
    (void)state;
    struct auth *a = load(NULL, "sha256:" SWORDFISH " ann - not_before=1970-01-01T00:00:01Z "
                                "expires=1970-01-01T00:00:02Z\n");
    const struct principal *who;
    assert_int_equal(mgi_auth_check(a, STR_LIT("swordfish"), NS_PER_SEC - 1, &who), AUTH_EARLY);
    assert_null(who);
    assert_int_equal(mgi_auth_check(a, STR_LIT("swordfish"), NS_PER_SEC, &who), AUTH_GOOD);
    assert_int_equal(mgi_auth_check(a, STR_LIT("swordfish"), 2 * NS_PER_SEC, &who), AUTH_EXPIRED);
    mgi_auth_unref(a);
}

static void test_what_is_too_long_is_no_token(void **state)
{
    (void)state;
    struct auth *a = load("swordfish", "");
    const struct principal *who;
    struct buf text = { 0 };
    while (text.len <= AUTH_TOKEN_MAX)
        mgi_buf_putc(&text, 'a');
    assert_int_equal(mgi_auth_check(a, mgi_buf_view(&text), 0, &who), AUTH_REJECTED);
    assert_int_equal(mgi_auth_check_key(a, mgi_buf_view(&text), 0, &who), AUTH_REJECTED);
    mgi_buf_fini(&text);
    mgi_auth_unref(a);
}

static void test_the_token_of_the_environment_is_the_operator(void **state)
{
    (void)state;
    struct auth *a = load("swordfish", "");
    const struct principal *who;
    assert_true(mgi_auth_has_tokens(a));
    assert_int_equal(mgi_auth_check(a, STR_LIT("swordfish"), 0, &who), AUTH_GOOD);
    assert_true(str_is(who->identity, "operator"));
    assert_true(str_is(who->permissions[0], "intent:*"));
    assert_true(str_is(who->permissions[1], "operator")); /* the operations pages */
    mgi_auth_unref(a);
    a = load("", "");
    assert_false(mgi_auth_has_tokens(a)); /* an empty token is none */
    assert_int_equal(mgi_auth_check(a, STR_LIT(""), 0, &who), AUTH_REJECTED);
    mgi_auth_unref(a);
}

static void test_every_faulty_line_is_reported_without_its_content(void **state)
{
    (void)state;
    const char *why;
    assert_null(mgi_auth_new(NULL,
                             STR_LIT("swordfish ann intent:*\n"
                                     "sha256:" HUNTER2 "\n"
                                     "sha256:" HUNTER2 " bob - colour=blue trust=full expires=soon "
                                     "confirm_key=AA auto_confirm=x\n"),
                             &arena, &why));
    assert_string_equal(
        why,
        "line 1: the first word must be sha256:, key-sha256: or cert-sha256: and 64 hexadecimal "
        "digits\n"
        "line 2: the second word must be an identity\n"
        "line 2: the third word must be permissions, or - for none\n"
        "line 3: the settings are expires, not_before, trust, auto_confirm, confirm_key and "
        "confirm_form\n"
        "line 3: trust can only be automated\n"
        "line 3: expires must be a time such as 2027-01-01T00:00:00Z\n"
        "line 3: confirm_key must be base64url of 16 bytes or more\n"
        "line 3: auto_confirm is only for trust=automated");
    assert_null(mgi_auth_new(NULL, STR_LIT("sha256:" HUNTER2 " bob -\nsha256:" HUNTER2 " ann -\n"),
                             &arena, &why));
    assert_string_equal(why, "line 2: this token is listed twice");
}

static void test_what_would_be_dropped_or_lets_nobody_in_is_a_fault(void **state)
{
    (void)state;
    static const struct {
        const char *words, *fault;
    } rows[] = {
        { "ann - expires=2020-01-01T00:00:00Z expires=2030-01-01T00:00:00Z", "given twice" },
        { "ann - trust=automated auto_confirm=x auto_confirm=y", "given twice" },
        { "ann - confirm_form=a confirm_form=b", "given twice" },
        { "ann Intent:*", "intent:* or intent:NAME" },
        { "ann intent:", "intent:* or intent:NAME" },
        { "ann intent", "intent:* or intent:NAME" },
        { "ann intent:*,,x", "one comma each" },
        { "ann intent:*,", "one comma each" },
        { "an\xffn intent:*", "must be an identity" },
        { "ann intent:a,intentions,operator trust=automated auto_confirm=x", NULL },
        { "\u00e4nn -", NULL },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *why = NULL;
        char line[512];
        snprintf(line, sizeof line, "sha256:" HUNTER2 " %s\n", rows[i].words);
        struct auth *a = mgi_auth_new(NULL, str_of(line), &arena, &why);
        if ((a != NULL) != (rows[i].fault == NULL) || (!a && !strstr(why, rows[i].fault)))
            fail_msg("%s: %s", rows[i].words, why);
        mgi_auth_unref(a);
    }
    char longest[400] = "sha256:" HUNTER2 " ";
    const char *why;
    memset(longest + strlen(longest), 'a', 300);
    strcat(longest, " -\n");
    assert_null(mgi_auth_new(NULL, str_of(longest), &arena, &why));
    assert_true(mgi_auth_is_token("a.b-c~"));
    assert_false(mgi_auth_is_token("a b") || mgi_auth_is_token("") ||
                 mgi_auth_is_token("\xc3\xa4"));
}

static void test_a_printed_line_loads(void **state)
{
    (void)state;
    struct buf line = { 0 };
    const struct auth_words ann = { "ann", "intent:*", NULL, false },
                            bob = { "bob", "", "AAECAwQFBgcICQoLDA0ODw", false };
    mgi_auth_print_line(&line, STR_LIT("swordfish"), &ann);
    assert_string_equal(line.ptr, "sha256:" SWORDFISH " ann intent:*\n");
    mgi_auth_print_line(&line, STR_LIT("hunter2"), &bob);
    mgi_auth_print_certificate_line(&line, HUNTER2, &bob);
    struct auth *a = load(NULL, line.ptr);
    const struct principal *who;
    assert_int_equal(mgi_auth_check(a, STR_LIT("swordfish"), 0, &who), AUTH_GOOD);
    assert_int_equal(who->confirm_key.len, 0);
    assert_int_equal(mgi_auth_check(a, STR_LIT("hunter2"), 0, &who), AUTH_GOOD);
    assert_int_equal(who->permission_count, 0);
    assert_int_equal(who->confirm_key.len, 16);
    assert_int_equal(mgi_auth_check_certificate(a, STR_LIT(HUNTER2), 0, &who), AUTH_GOOD);
    assert_int_equal(who->confirm_key.len, 16);
    mgi_auth_unref(a);
    mgi_buf_fini(&line);
}

static void test_kinds_of_principals_never_share_a_key(void **state)
{
    (void)state;
    struct principal anonymous = { .kind = PRINCIPAL_ANONYMOUS, .identity = STR_LIT("") };
    struct principal local = { .kind = PRINCIPAL_LOCAL, .identity = STR_LIT("local") };
    struct principal known = { .kind = PRINCIPAL_KNOWN, .identity = STR_LIT("local") };
    assert_false(str_eq(mgi_principal_key(&anonymous), mgi_principal_key(&local)));
    assert_false(str_eq(mgi_principal_key(&known), mgi_principal_key(&local)));
    assert_true(str_is(mgi_principal_key(&known), "local"));
}

static struct principal *known_as(struct str issuer, bool automated, const char *one,
                                  const char *other)
{
    const struct str permissions[] = { str_of(one), str_of(other) };
    struct principal fields = { .kind = PRINCIPAL_KNOWN,
                                .identity = STR_LIT("ann"),
                                .permissions = permissions,
                                .permission_count = other[0] ? 2 : 1,
                                .automated = automated,
                                .issuer = issuer };
    struct principal *p = mgi_principal_new(&fields);
    assert_non_null(p);
    return p;
}

/* What was shown to one is not there for the other, though their identity is the same (D-42). */
static void test_a_principal_is_its_identity_with_what_it_may_do(void **state)
{
    (void)state;
    const struct str here = { NULL, 0 }, there = STR_LIT("https://issuer.example");
    struct principal *ann = known_as(here, false, "intent:a", "intent:b");
    struct principal *same = known_as(here, false, "intent:b", "intent:a");
    struct principal *again = known_as(here, false, "intent:a", "intent:a");
    struct principal *others[] = {
        known_as(here, false, "intent:a", ""),
        known_as(here, false, "intent:a,intent:b", ""),
        known_as(here, true, "intent:a", "intent:b"),
        known_as(there, false, "intent:a", "intent:b"),
        known_as(here, false, "intent:ab", "intent:"),
    };
    assert_true(mgi_principal_is(ann, same)); /* the order says nothing, nor another token */
    assert_true(mgi_principal_is(again, others[0]));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        assert_false(mgi_principal_is(ann, others[i]));
        assert_true(mgi_principal_is_caller(ann, others[i])); /* rates are its caller's */
        mgi_principal_unref(others[i]);
    }
    mgi_principal_unref(ann);
    mgi_principal_unref(same);
    mgi_principal_unref(again);
}

static void test_strangers_are_told_apart_by_where_they_come_from(void **state)
{
    (void)state;
    struct principal *one = mgi_principal_stranger(STR_LIT("192.0.2.1"), STR_LIT("")),
                     *session = mgi_principal_stranger(STR_LIT("192.0.2.1"), STR_LIT("7")),
                     *other = mgi_principal_stranger(STR_LIT("192.0.2.2"), STR_LIT(""));
    assert_true(one && session && other);
    assert_false(mgi_principal_is(one, session));
    assert_true(mgi_principal_is_caller(one, session));
    assert_false(mgi_principal_is_caller(one, other));
    assert_int_equal(session->kind, PRINCIPAL_ANONYMOUS);
    assert_int_equal(session->identity.len, 0);
    mgi_principal_unref(one);
    mgi_principal_unref(session);
    mgi_principal_unref(other);
}

static void test_a_confirmation_key_is_of_its_token_alone(void **state)
{
    (void)state;
    struct auth *a = load(NULL, "sha256:" SWORDFISH " ann intent:*\n"
                                "sha256:" HUNTER2 " ann intent:* "
                                "confirm_key=AAECAwQFBgcICQoLDA0ODw\n");
    const struct principal *who;
    assert_int_equal(mgi_auth_check(a, STR_LIT("swordfish"), 0, &who), AUTH_GOOD);
    assert_int_equal(who->confirm_key.len, 0);
    assert_int_equal(mgi_auth_check(a, STR_LIT("hunter2"), 0, &who), AUTH_GOOD);
    assert_int_equal(who->confirm_key.len, 16);
    mgi_auth_unref(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_principal_is_its_identity_with_what_it_may_do),
        cmocka_unit_test(test_strangers_are_told_apart_by_where_they_come_from),
        cmocka_unit_test(test_an_api_key_is_a_token_and_a_token_is_no_api_key),
        cmocka_unit_test(test_a_token_counts_from_its_beginning_on),
        cmocka_unit_test(test_what_is_too_long_is_no_token),
        cmocka_unit_test(test_a_confirmation_key_is_of_its_token_alone),
        cmocka_unit_test(test_tokens_of_the_file_identify),
        cmocka_unit_test(test_certificates_identify_as_tokens_do_and_neither_stands_for_the_other),
        cmocka_unit_test(test_the_token_of_the_environment_is_the_operator),
        cmocka_unit_test(test_every_faulty_line_is_reported_without_its_content),
        cmocka_unit_test(test_what_would_be_dropped_or_lets_nobody_in_is_a_fault),
        cmocka_unit_test(test_a_printed_line_loads),
        cmocka_unit_test(test_kinds_of_principals_never_share_a_key),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
