/* What loading and checking say of privileged predicates. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "domain/temp_domain.h"

/* The findings with code PRIVILEGED, and whether it loads. */
static bool check(const char *schema, const char *policy, const char *facts, struct buf *out)
{
    struct temp_domain d;
    struct buf text = { 0 };
    temp_make(&d);
    temp_write(&d, "rules/schema/t.mg", schema);
    temp_write(&d, "rules/policy/p.mg", policy);
    if (facts)
        temp_write(&d, "facts/vouched.jsonl", facts);
    struct snapshot *s = temp_load(&d, NULL, true, &text);
    temp_remove(&d);
    mgi_buf_puts(out, "");
    for (char *line = text.ptr; line && *line;) {
        char *end = strchr(line, '\n');
        if (strncmp(line, "PRIVILEGED ", 11) == 0)
            mgi_buf_append(out, line, (size_t)(end + 1 - line));
        line = end + 1;
    }
    mgi_buf_fini(&text);
    bool loaded = s != NULL;
    mgi_snapshot_unref(s);
    return loaded;
}

static void expect(const char *schema, const char *policy, const char *facts, bool loads,
                   const char *expected)
{
    struct buf found = { 0 };
    bool loaded = check(schema, policy, facts, &found);
    if (loaded != loads || (*expected ? !strstr(found.ptr, expected) : found.len > 0))
        fail_msg("%s\n%s: %s", policy, loaded ? "loaded" : "refused", found.ptr);
    mgi_buf_fini(&found);
}

#define INPUT "Decl vouched(X) descr [direction(\"input\")] bound [/string].\n"
#define BOTH  "Decl vouched(X) descr [direction(\"both\")] bound [/string].\n"
#define OK    "Decl ok(X) descr [privileged()].\n"

static void test_rules_that_only_clients_satisfy_are_found(void **state)
{
    (void)state;
    expect(INPUT, OK "via(X) :- vouched(X).\nok(X) :- tool(X).\nok(X) :- tool(X), via(X).\n", NULL,
           true,
           "PRIVILEGED rules/policy/p.mg:4:1 ok is privileged, and here only callers who are "
           "trusted can make it hold: ok <- via <- vouched, which clients send\n");
    expect(INPUT, OK "via(X) :- vouched(X).\nvia(X) :- tool(X).\nok(X) :- via(X).\n", NULL, true,
           "");
    expect(BOTH, OK "ok(X) :- vouched(X).\n", NULL, true, ""); /* the server may have said it */
    expect(INPUT, OK "ok(X) :- vouched(X).\n", "{\"pred\":\"vouched\",\"args\":[\"a\"]}\n", true,
           "");
    expect(INPUT, OK "via(X) :- tool(X), !vouched(X).\nok(X) :- via(X).\n", NULL, true,
           "p.mg:3:1 ok is privileged, and here only callers who are trusted can make it hold: "
           "ok <- via, where clients decide by what they leave out\n");
    expect(INPUT, OK "ok(X) :- intent_param(_, \"x\", X).\n", NULL, true, "ok <- intent_param");
}

static void test_silence_and_misplaced_declarations_do_not_load(void **state)
{
    (void)state;
    expect(
        INPUT, OK "ok(X) :- tool(X), !vouched(X).\n", NULL, false,
        "PRIVILEGED rules/policy/p.mg:2:19 \"ok\" is privileged: it cannot rest on the absence of "
        "\"vouched\"");
    expect(INPUT, "Decl ok(X) descr [privileged(\"yes\")].\n", NULL, false,
           "PRIVILEGED rules/policy/p.mg:1:6 privileged takes no arguments");
    struct temp_domain d;
    struct buf text = { 0 };
    temp_make(&d);
    temp_write(&d, "rules/domain/x.mg", OK "ok(X) :- tool(X).\n");
    assert_null(temp_load(&d, NULL, true, &text));
    assert_non_null(strstr(text.ptr, "PRIVILEGED rules/domain/x.mg:1:6 only rules/policy"));
    temp_remove(&d);
    mgi_buf_fini(&text);
}

/* The same predicate from a table is the server's own word; an action brings hearsay. */
static bool loads_answered_by(const char *who, struct buf *text)
{
    struct temp_domain d;
    struct buf yaml = { 0 };
    temp_make(&d);
    mgi_buf_printf(&yaml,
                   "server: {name: s, version: 1.0.0}\n"
                   "domain: {id: d, description: d}\n"
                   "settings: {place: {type: path, default: here}, size: {type: number, default: "
                   "3}}\nactions: {plugins: [fxunit]}\nexternal: {ok: {%s}}\n",
                   who);
    temp_write(&d, "domain.yaml", yaml.ptr);
    temp_write(&d, "tables/ok.csv", "a,b\n");
    temp_write(&d, "rules/policy/p.mg",
               "Decl ok(X, Y) descr [external(), privileged(), mode('+', '-')]\n"
               "  bound [/string, /string].\n"
               "prohibited(T, \"no\") :- tool(T), ok(\"a\", T).\n");
    struct snapshot *s = temp_load(&d, NULL, true, text);
    bool loaded = s != NULL;
    mgi_snapshot_unref(s);
    mgi_buf_fini(&yaml);
    temp_remove(&d);
    return loaded;
}

static void test_the_word_of_an_action_is_not_privileged(void **state)
{
    (void)state;
    struct buf table = { 0 }, action = { 0 };
    assert_true(loads_answered_by("table: tables/ok.csv", &table));
    assert_true(!table.ptr || !strstr(table.ptr, "PRIVILEGED"));
    assert_false(loads_answered_by("action: AID.FX.ECHO.v1", &action));
    assert_non_null(strstr(action.ptr, "PRIVILEGED rules/policy/p.mg:1:6 an action answers ok: "
                                       "what it brings is hearsay, and cannot be privileged"));
    mgi_buf_fini(&table);
    mgi_buf_fini(&action);
}

static void test_without_any_nothing_is_asked(void **state)
{
    struct temp_domain d;
    struct buf text = { 0 };
    (void)state;
    temp_make(&d);
    struct snapshot *s = temp_load(&d, NULL, false, &text);
    temp_remove(&d);
    assert_int_equal(s->privileged_count, 0);
    for (size_t i = 0; i < s->profile.count; i++)
        assert_false(s->profile.schemas[i].vouched);
    mgi_snapshot_unref(s);
    mgi_buf_fini(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rules_that_only_clients_satisfy_are_found),
        cmocka_unit_test(test_silence_and_misplaced_declarations_do_not_load),
        cmocka_unit_test(test_the_word_of_an_action_is_not_privileged),
        cmocka_unit_test(test_without_any_nothing_is_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
