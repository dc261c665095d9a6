/* Proof hints name only values that the client knows. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "intent/why_domain.h"

static void expect_in(const struct json *answer, const char *text, bool there)
{
    if ((mgi_str_find(answer->text, str_of(text)) != SIZE_MAX) != there)
        fail_msg("%s %s in %.*s", text, there ? "is not" : "is", STR_ARG(answer->text));
}

static void test_numbers_of_the_server_are_not_printed(void **state)
{
    (void)state;
    struct why_domain d;
    struct why_options nothing = { 0 };
    struct json answer;
    struct wire_error e;
    why_open(&d, "Decl code(Who, N) descr [direction(\"input\")] bound [/string, /number].\n",
             "account_pin(\"ann\", 481516).\n"
             "tool_relevant_to_intent(\"a\", \"go\", 90) :- code(Who, _), has_pin(Who, _).\n"
             "has_pin(Who, Pin) :- account_pin(Who, Pin).\n",
             "", (const char *const[]){ "a", NULL });
    if (!why_ask(&d, &nothing,
                 "{\"intent\":{\"name\":\"go\"},\"facts\":[{\"pred\":\"code\",\"args\":[\"ann\",77]"
                 "}],\"options\":{\"include_proof_hints\":true}}",
                 NULL, &answer, NULL, &e))
        fail_msg("%s", e.message);
    expect_in(&answer, "account_pin(\\\"ann\\\",_)", true);
    expect_in(&answer, "481516", false);
    expect_in(&answer, "code(\\\"ann\\\",77)", true);                             /* it was sent */
    expect_in(&answer, "tool_relevant_to_intent(\\\"a\\\",\\\"go\\\",90)", true); /* its score */
    why_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers_of_the_server_are_not_printed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
