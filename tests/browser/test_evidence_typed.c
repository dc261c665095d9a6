/* Evidence of what a user typed: how it got into an address, which of two questions about it the
 * page shows, and whether an answer that refuses it quotes it. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "../../domains/browser/plugins/browser/facts.h"
#include "browser/plugin_fixture.h"
#include "browser/evidence_fixture.h"
#include "browser/traces.h"
#include "browser/evidence_of.h"

#define H "http://h"

/* ---- put into an address ----------------------------------------------------------------------
 */

static struct json typed_into(const char *script, const char *typed, const char *url)
{
    struct buf t = { 0 };
    char whole[120];
    snprintf(whole, sizeof whole, H "%s", url);
    tr_whole(&t, 0, "1", H "/a.js", "Script", 200, script);
    tr(&t, 50, "Machina.deed",
       "{'k':'deed','what':'field','target':'input#t','name':'t','text':'%s','stack':''}", typed);
    tr_whole(&t, 60, "2", whole, "Fetch", 200, "[]");
    return facts_of(&t);
}

static void test_what_was_typed_and_is_not_encoded_is_told_with_what_arrived(void **state)
{
    (void)state;
    static const struct {
        const char *script, *typed, *url, *name, *got, *sign;
        bool found;
    } cases[] = {
        { "\nfetch(`/api/find?q=${term}`);\n", "#12", "/api/find?q=", "q", "", "#", true },
        { "\nfetch('/api/find?q=' + term);\n", "Locker #12", "/api/find?q=Locker%20", "q",
          "Locker ", "#", true },
        { "\nurl += \"&q=\" + form.t.value.trim();\n", "#12", "/api/find?max=9&q=", "q", "", "#",
          true },
        { "\nget(p + '?' + Object.keys(o).map((k) => k + '=' + o[k]).join('&'));\n", "A#3",
          "/api/find?q=A", "q", "A", "#", false },
        { "\nfetch('/api/find?q=' + t + '&max=9');\n", "R&D", "/api/find?q=R&D&max=9", "q", "R",
          "&", true },
        { "\nfetch('/api/find?q=' + t);\n", "Food & drink", "/api/find?q=Food%20&%20drink", "q",
          "Food ", "&", true },
        { "\n$.get('/api/find?q=' + t);\n", "C++", "/api/find?q=C++", "q", "C  ", "+", true },
        { "\nfetch(`/api/find?q=${t}`);\n", "100% wool", "/api/find?q=100%%20wool", "q",
          "100% wool", "%", true },
        { "\nfetch('/api/tags/' + t);\n", "C#", "/api/tags/C", "the end of its path", "C", "#",
          false },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct json facts = typed_into(cases[i].script, cases[i].typed, cases[i].url);
        if (!HAS(&facts, "sent_unencoded", "r2", cases[i].name, cases[i].typed, cases[i].got,
                 cases[i].sign) ||
            HAS(&facts, "puts_unencoded", "r2", H "/a.js", "2") != cases[i].found)
            fail_msg("%s of %s", cases[i].typed, cases[i].script);
    }
}

static void test_what_arrives_as_it_was_typed_is_encoded(void **state)
{
    (void)state;
    static const struct {
        const char *script, *typed, *url;
    } cases[] = {
        { "\nfetch('/api/find?q=' + encodeURIComponent(t));\n", "R&D", "/api/find?q=R%26D" },
        { "\nfetch('/api/find?' + new URLSearchParams({ q: t }));\n", "C++ for two",
          "/api/find?q=C%2B%2B+for+two" },
        { "\nfetch(`/api/find?q=${t.replace('#', '')}`);\n", "#12", "/api/find?q=12" },
        { "\nfetch('/api/find?q=' + t);\n", "#12", "/api/find?q=Rust" }, /* another field's */
        /* Nothing shows that the parameter has to do with it. */
        { "\nfetch('/api/find?' + new URLSearchParams({ q: s }));\n", "#12", "/api/find?q=" },
        { "\nfetch('/api/find?q=' + encodeURIComponent(s));\n", "#12", "/api/find?q=" },
        { "\nfetch('/api/find?q=' + t);\n", "50%", "/api/find?q=50%25" },
        { "\nfetch('/api/find?q=' + t);\n", "R&D", "/api/find?q=R&max=9" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct json facts = typed_into(cases[i].script, cases[i].typed, cases[i].url);
        if (count_facts(&facts, "sent_unencoded") > 0)
            fail_msg("%s of %s", cases[i].typed, cases[i].script);
    }
}

static void test_a_note_that_is_not_sent_yet_is_not_taken_for_an_empty_question(void **state)
{
    (void)state;
    struct buf t = { 0 };
    tr_whole(&t, 0, "1", H "/a.js", "Script", 200, "fetch(`/api/find?q=${q}`);");
    tr(&t, 50, "Machina.deed",
       "{'k':'deed','what':'field','target':'input#note','name':'note','text':'#urgent'}");
    tr(&t, 50, "Machina.deed",
       "{'k':'deed','what':'field','target':'input#town','name':'town','text':'Ahlen'}");
    tr_whole(&t, 60, "2", H "/api/find?q=", "Fetch", 200, "[]");
    struct json facts = facts_of(&t);
    assert_int_equal(count_facts(&facts, "sent_unencoded"), 0);
}

/* ---- two questions about it ---------------------------------------------------------------------
 */

/* The older was asked first and answered last; `text` is on the page at the end. */
static struct json asked_both(const char *older_url, const char *older, const char *newer_url,
                              const char *newer, const char *text)
{
    struct buf t = { 0 };
    char first[120], second[120];
    const char *mime = older[0] == '<' ? "text/html" : "application/json";
    snprintf(first, sizeof first, H "%s", older_url);
    snprintf(second, sizeof second, H "%s", newer_url);
    tr_asked(&t, 100, "1", "GET", first, "Fetch", "");
    tr_asked(&t, 101, "2", "GET", second, "Fetch", "");
    tr_answered(&t, 140, "2", 200, mime);
    tr_ended(&t, 150, "2");
    tr_answered(&t, 340, "1", 200, mime);
    tr_ended(&t, 350, "1");
    tr(&t, 400, "Machina.body", "{'requestId':'1','text':'%s'}", older);
    tr(&t, 401, "Machina.body", "{'requestId':'2','text':'%s'}", newer);
    tr(&t, 900, "Machina.state",
       "{'url':'http://h/','ready':'complete','state':'loaded','text':'%s'}", text);
    return facts_of(&t);
}

#define AH  "[\\\"Aachen\\\",\\\"Ahaus\\\",\\\"Ahlen\\\"]"
#define AHL "[\\\"Ahlen\\\"]"
#define AHOBJ                                                                                      \
    "{\\\"q\\\":\\\"A\\\",\\\"hits\\\":[{\\\"n\\\":\\\"Aachen\\\",\\\"id\\\":\\\"x17\\\"},{"       \
    "\\\"n\\\":\\\"Ahlen\\\",\\\"id\\\":\\\"x19\\\"}]}"
#define AHLOBJ                                                                                     \
    "{\\\"q\\\":\\\"Ahl\\\",\\\"hits\\\":[{\\\"n\\\":\\\"Ahlen\\\",\\\"id\\\":\\\"x19\\\"}]}"

static void test_the_older_answer_is_told_where_the_page_shows_it_as_it_came(void **state)
{
    (void)state;
    static const struct {
        const char *older, *newer, *text;
        bool told;
    } cases[] = {
        { AH, AHL, "Towns\\nAachen\\nAhaus\\nAhlen", true },
        { AHOBJ, AHLOBJ, "Towns Aachen Ahlen", true },
        { "<li>Aachen</li><li>Ahaus</li><li>Ahlen</li>", "<li>Ahlen</li>", "Aachen\\nAhaus\\nAhlen",
          true },
        { AH, "[\\\"Borken\\\"]", "Aachen\\nAhaus\\nAhlen", true }, /* nothing in common */
        { AH, AHL, "Towns\\nAhlen", false },
        { AH, AHL, "Found\\nAhlen\\nAlike\\nAachen\\nAhaus", false },         /* side by side */
        { AH, AHL, "All\\nAachen\\nAhaus\\nAhlen\\nFound\\nAhlen", false },   /* both */
        { AH, "[\\\"Borken\\\"]", "Aachen\\nAhaus\\nAhlen\\nBorken", false }, /* both */
        { AH, "[]", "None. Alike:\\nAachen\\nAhaus\\nAhlen", false },
        { "[\\\"Ahlen\\\",\\\"Aachen\\\"]", AHL, "Ahlen\\nAachen", false }, /* cannot be told */
        { AH, AHL, "", false },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct json facts = asked_both("/api/towns?q=A", cases[i].older, "/api/towns?q=Ahl",
                                       cases[i].newer, cases[i].text);
        assert_true(HAS(&facts, "asks_further", "r1", "r2"));
        if (HAS(&facts, "shows_older", "r1", "r2") != cases[i].told)
            fail_msg("case %zu, %s", i, cases[i].text);
    }
}

static void test_a_question_goes_further_by_one_word_alone(void **state)
{
    (void)state;
    static const struct {
        const char *older, *newer;
        bool told;
    } cases[] = {
        { "/api/towns?q=am", "/api/towns?q=amoxi", true },
        { "/api/towns?max=9&q=am", "/api/towns?max=9&q=amoxi", true },
        { "/api/towns?ward=4", "/api/towns?ward=42", false },
        { "/api/towns?q=am", "/api/towns?q=be", false },
        { "/api/towns?q=amoxi", "/api/towns?q=am", false },
        { "/api/towns?q=", "/api/towns?q=amoxi", false },
        { "/api/towns?q=am&at=de", "/api/towns?q=amo&at=den", false },
        { "/api/towns?q=am", "/api/towns?q=amoxi&max=9", false },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct json facts = asked_both(cases[i].older, AH, cases[i].newer, AHL, "Aachen");
        if (HAS(&facts, "asks_further", "r1", "r2") != cases[i].told)
            fail_msg("%s", cases[i].newer);
    }
}

/* ---- refused ------------------------------------------------------------------------------------
 */

static struct json refused_with(const char *sent, const char *answer)
{
    struct buf t = { 0 };
    tr(&t, 60, "Network.requestWillBeSent",
       "{'requestId':'1','loaderId':'L1','request':{'url':'http://h/api/bookings','method':'POST',"
       "'headers':{'Content-Type':'application/json'},'postData':'%s'},'timestamp':1000.06,"
       "'wallTime':%.3f,'type':'Fetch','frameId':'F'}",
       sent, (double)(TRACES_T0 + 60) / 1000);
    tr_answered(&t, 80, "1", 422, "application/json");
    tr_ended(&t, 81, "1");
    tr(&t, 90, "Machina.body", "{'requestId':'1','text':'%s'}", answer);
    return facts_of(&t);
}

static void test_a_refusal_that_quotes_what_was_sent_is_told(void **state)
{
    (void)state;
    static const char sent[] = "{\\\"guest\\\":{\\\"born\\\":\\\"14/03/1961\\\"},\\\"berth\\\":17}";
    static const struct {
        const char *answer;
        bool told;
    } cases[] = {
        { "{\\\"message\\\":\\\"14/03/1961 is no date\\\"}", true },
        { "{\\\"errors\\\":[{\\\"path\\\":\\\"guest.born\\\",\\\"message\\\":\\\"\\u002714/03/"
          "1961\\u0027: expected YYYY-MM-DD\\\"}]}",
          true },
        { "{\\\"title\\\":\\\"Invalid\\\",\\\"detail\\\":\\\"born: cannot parse (14/03/1961)\\\"}",
          true },
        { "{\\\"message\\\":\\\"No date\\\",\\\"sent\\\":{\\\"born\\\":\\\"14/03/1961\\\"}}",
          false }, /* an echo */
        { "{\\\"message\\\":\\\"14/03/19611 is no date\\\"}", false },
        { "{\\\"message\\\":\\\"17 is taken\\\"}", false }, /* too short to be known */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct json facts = refused_with(sent, cases[i].answer);
        if (HAS(&facts, "refusal_quotes", "r1", "$.guest.born", "14/03/1961", "*") != cases[i].told)
            fail_msg("%s", cases[i].answer);
    }
}

static void test_a_path_of_a_refusal_is_a_member_where_it_was_sent(void **state)
{
    (void)state;
    static const char sent[] = "{\\\"guest\\\":{\\\"born\\\":\\\"14/03/1961\\\"}}";
    struct json facts = refused_with(
        sent,
        "{\\\"errors\\\":[{\\\"path\\\":\\\"guest.born\\\",\\\"message\\\":\\\"no date\\\"}]}");
    assert_true(HAS(&facts, "refusal_about", "r1", "born"));
    facts =
        refused_with(sent, "{\\\"errors\\\":[{\\\"path\\\":\\\"/api/bookings\\\",\\\"message\\\":"
                           "\\\"no date\\\"}]}");
    assert_int_equal(count_facts(&facts, "refusal_about"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_was_typed_and_is_not_encoded_is_told_with_what_arrived),
        cmocka_unit_test(test_what_arrives_as_it_was_typed_is_encoded),
        cmocka_unit_test(test_a_note_that_is_not_sent_yet_is_not_taken_for_an_empty_question),
        cmocka_unit_test(test_the_older_answer_is_told_where_the_page_shows_it_as_it_came),
        cmocka_unit_test(test_a_question_goes_further_by_one_word_alone),
        cmocka_unit_test(test_a_refusal_that_quotes_what_was_sent_is_told),
        cmocka_unit_test(test_a_path_of_a_refusal_is_a_member_where_it_was_sent),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, begin, end);
}
