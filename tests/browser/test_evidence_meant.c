/* Evidence of lists of which a page takes the first part for all, of words that are looked up in
 * other letters, of months that count from 0 or from 1, and of events that are told before anybody
 * listens. */
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

/* A script, what it is answered, and what stands on the page at the end. */
static struct json page_of(const char *script, const char *url, const char *body, const char *text)
{
    struct buf t = { 0 };
    tr_whole(&t, 0, "1", H "/a.js", "Script", 200, script);
    tr_whole(&t, 40, "2", url, "Fetch", 200, body);
    tr(&t, 900, "Machina.state",
       "{'url':'http://h/','ready':'complete','state':'loaded','text':'%s'}", text);
    return facts_of(&t);
}

#define ROWS                                                                                       \
    "[{'who':'Adler','amount':49.5},{'who':'Brandt','amount':20},{'who':'Costa','amount':30}]"
#define SHOWN "Adler 49.50\\nBrandt 20.00\\nCosta 30.00"

static void test_a_first_part_that_is_taken_for_all_is_told(void **state)
{
    (void)state;
    static const struct {
        const char *body, *text, *path, *how;
    } cases[] = {
        { "{'total':23,'items':" ROWS ",'next_cursor':'3'}", "23 open\\n" SHOWN "\\nSum 99.50",
          "$.next_cursor", "sum" },
        { "{'rows':" ROWS ",'meta':{'hasMore':true}}", SHOWN "\\nDue: 99.50", "$.meta.hasMore",
          "sum" },
        { "{'count':57,'next':'/api/x?p=2','results':" ROWS "}", "Everybody: 57\\n" SHOWN, "$.next",
          "total" },
        { "{'data':" ROWS ",'paging':{'total':41,'pages':14}}", "41 bills\\n" SHOWN, "$", "total" },
        { "{'value':" ROWS ",'@odata.nextLink':'http://h/x'}", SHOWN "\\n99,50 in all",
          "$.@odata.nextLink", "sum" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct json facts =
            page_of("\nlist(a.who);\n", H "/api/bills", cases[i].body, cases[i].text);
        if (!HAS(&facts, "part_for_all", "r2", cases[i].path, cases[i].how, "*", "3", "*"))
            fail_msg("%s", cases[i].body);
    }
}

static void test_a_part_that_is_shown_as_one_is_not_told(void **state)
{
    (void)state;
    static const char more[] = "{'total':23,'items':" ROWS ",'next_cursor':'c3'}";
    static const struct {
        const char *script, *url, *body, *text;
    } cases[] = {
        { "\nlist(a);\n", H "/b", more, "Latest bills\\n23 bills\\n" SHOWN },
        { "\nlist(a);\n", H "/b", more, "23 bills\\n" SHOWN "\\nSee all" },
        { "\nlist(a);\n", H "/b", more, "3 of 23\\n" SHOWN },
        { "\nlist(a);\n", H "/b", more, SHOWN "\\nOn this page: 99.50" },
        { "\nlist(a);\n", H "/b?limit=3", more, "23 bills\\n" SHOWN "\\nSum 99.50" },
        { "\nmore(a.next_cursor);\n", H "/b", more, "23 bills\\n" SHOWN "\\nSum 99.50" },
        { "\nask(`/b?page=` + n);\n", H "/b", more, "23 bills\\n" SHOWN },
        { "\nlist(a);\n", H "/b", more, "23 bills\\nAdler 49.50" },
        { "\nlist(a);\n", H "/b", "{'total':3,'items':" ROWS ",'next':null}",
          SHOWN "\\nSum 99.50" },
        { "\nlist(a);\n", H "/b", "{'total':99.5,'items':" ROWS ",'next_cursor':'c3'}",
          SHOWN "\\nSum 99.5" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct json facts = page_of(cases[i].script, cases[i].url, cases[i].body, cases[i].text);
        if (count_facts(&facts, "part_for_all") > 0)
            fail_msg("%s: %s", cases[i].script, cases[i].text);
    }
}

static void test_a_name_by_which_no_answer_goes_on_is_told(void **state)
{
    (void)state;
    static const struct {
        const char *script, *body;
        bool told;
    } cases[] = {
        { "\ncursor = page.nextCursor; page.items;\n", "{'items':" ROWS ",'next_cursor':'x'}",
          true },
        { "\ntake({ items, hasMore }) { this.more = hasMore; }\n",
          "{'items':" ROWS ",'has_more':true}", true },
        { "\nthis.hasMore = true; items; this.hasMore = d.hasMore;\n",
          "{'items':" ROWS ",'more':true}", true },
        { "\nout.push(...body.value); url = body.nextLink;\n",
          "{'value':" ROWS ",'@odata.nextLink':'y'}", true },
        { "\nconst { items, nextPageToken } = await r.json();\n",
          "{'items':" ROWS ",'next_token':'x'}", true },
        { "\nwhile (this.hasMore) items();\n", "{'items':" ROWS ",'more':true}", false },
        { "\ncursor = page.next_cursor; page.items;\n", "{'items':" ROWS ",'next_cursor':'x'}",
          false },
        { "\nother.nextCursor; q.rest;\n", "{'list':" ROWS ",'next_cursor':'x'}", false },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct json facts = page_of(cases[i].script, H "/b", cases[i].body, "Adler");
        if ((count_facts(&facts, "part_read_as") == 1) != cases[i].told)
            fail_msg("%s", cases[i].script);
    }
}

static void test_a_word_that_is_looked_up_in_other_letters_is_told(void **state)
{
    (void)state;
    static const char me[] = "{'name':'Ines','roles':['ADMIN','AIDER']}";
    static const struct {
        const char *script, *body;
    } cases[] = {
        { "\nif (me.roles.includes(`admin`)) edit();\n", me },
        { "\nconst R = { admin: [1], desk: [2] }; me.roles.flatMap((role) => R[role] ?? []);\n",
          me },
        { "\nconst can = new Set(u.roles); show(can.has(`admin`));\n", me },
        { "\nconst P = new Map([[`basic`, 5], [`premium`, 9]]); P.get(u.plan);\n",
          "{'plan':'Premium'}" },
        { "\nfunction say(state) { switch (state) { case `open`: go(); } }\n",
          "{'name':'North','state':'OPEN'}" },
        {
            "\nif ([`editor`, `admin`].includes(me.role)) edit();\n",
            "{'role':'EDITOR'}",
        },
        { "\nconst R = { editor: 1 }; R[me.role];\n", "{'role':'ROLE_EDITOR'}" },
        { "\nif (o.status === `active`) go();\n", "{'status':'STATUS_ACTIVE'}" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct json facts = page_of(cases[i].script, H "/me", cases[i].body, "Ines");
        if (count_facts(&facts, "looked_up_as") != 1)
            fail_msg("%s", cases[i].script);
    }
}

static void test_words_that_are_found_or_of_something_else_are_not_told(void **state)
{
    (void)state;
    static const char me[] = "{'name':'Ines','role':'EDITOR'}";
    static const struct {
        const char *script, *body, *text;
    } cases[] = {
        { "\nif (me.role.toLowerCase() === `editor`) edit();\n", me, "Ines" },
        { "\nif (me.role === `EDITOR` || me.role === `editor`) edit();\n", me, "Ines" },
        { "\nconst T = { editor: Editor }; T[kind];\n", me, "Ines" },
        { "\nif (me.role === `editor`) edit();\n", me, "Ines, EDITOR" },
        { "\nconst words = { name: 1 }; me.label;\n", "{'label':'Name'}", "Box" },
        { "\nif (a.status === `ok`) go();\n", "{'status':'OK'}", "Box" },
        { "\nif (e.type === `created`) go();\n", "{'type':'order.created'}", "Box" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct json facts = page_of(cases[i].script, H "/me", cases[i].body, cases[i].text);
        if (count_facts(&facts, "looked_up_as") > 0)
            fail_msg("%s", cases[i].script);
    }
}

static void test_a_month_off_is_told_where_the_page_shows_it(void **state)
{
    (void)state;
    static const char body[] =
        "[{'name':'Run','on':'2027-03-05'},{'name':'Cup','on':'2027-06-12'}]";
    static const struct {
        const char *script, *text, *how;
    } cases[] = {
        { "\nconst [y, m, d] = e.on.split(`-`).map(Number); new Date(y, m, d);\n",
          "Run April 5, 2027\\nCup July 12, 2027", "later" },
        { "\nconst p = on.split(`-`); new Date(p[0], p[1], p[2]);\n", "Run 5/4/2027", "later" },
        { "\nconst m = /(\\\\d+)-(\\\\d+)-(\\\\d+)/.exec(s); new Date(+m[1], +m[2], +m[3]);\n",
          "Run 05.04.2027", "later" },
        { "\nconst d = new Date(s); `${d.getDate()}/${d.getMonth()}/${d.getFullYear()}`\n",
          "Run 5/2/2027\\nCup 12/5/2027", "earlier" },
        { "\nconst [y, m, d] = on.split(`-`); new Date(y, m - 1, d);\n", "Run 5 April 2027", NULL },
        { "\nconst [y, m, d] = on.split(`-`); new Date(y, m, d);\n", "Run 5 March 2027", NULL },
        { "\nconst [y, m] = on.split(`-`); new Date(y, m, 0);\n", "Run 5 April 2027", NULL },
        { "\nnew Date(d.getFullYear(), d.getMonth(), d.getDate());\n", "Run 5/2/2027", NULL },
        { "\nM[d.getMonth()] + `-` + d.getDate();\n", "Run 5/2/2027", NULL },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct json facts = page_of(cases[i].script, H "/e", body, cases[i].text);
        bool told = cases[i].how &&
                    HAS(&facts, "month_off", "r2", "2027-03-05", "*", cases[i].how, H "/a.js", "2");
        if (count_facts(&facts, "month_off") != told || told != (cases[i].how != NULL))
            fail_msg("%s: %s", cases[i].script, cases[i].text);
    }
}

static bool is_told_early(const char *first, const char *second)
{
    struct buf t = { 0 };
    tr_whole(&t, 0, "1", H "/a.js", "Script", 200, first);
    tr_whole(&t, 20, "2", H "/b.js", "Script", 200, second);
    tr(&t, 40, "Debugger.scriptParsed", "{'scriptId':'1','url':'http://h/a.js'}");
    tr(&t, 60, "Debugger.scriptParsed", "{'scriptId':'2','url':'http://h/b.js'}");
    tr(&t, 900, "Machina.state",
       "{'url':'http://h/','ready':'complete','state':'loaded','text':'Loading'}");
    struct json facts = facts_of(&t);
    return count_facts(&facts, "told_early") == 1 && count_facts(&facts, "heard_late") == 1;
}

static void test_an_event_that_is_told_before_anybody_listens_is_told(void **state)
{
    (void)state;
    static const char hears[] = "\nbus.on(`desk`, (d) => show(d));\n";
    assert_true(is_told_early("\nbus.emit(`desk`, 2);\n", hears));
    assert_true(is_told_early("\n(function (b) { b.publish(`desk`, 2); })(bus);\n",
                              "\nclass P { start() { bus.subscribe(`desk`, (d) => d); } }\n"));
    assert_true(
        is_told_early("\nhub.trigger(Topics.DESK, 2);\n", "\nhub.listen(Topics.DESK, show);\n"));
    assert_true(is_told_early("\nfunction boot() { bus.emit(`desk`, 2); }\nboot();\n", hears));
    assert_true(is_told_early("\nbus.emit(`desk`, 2);\nbus.once(`desk`, show);\n", "\n1;\n"));
    assert_false(is_told_early(hears, "\nbus.emit(`desk`, 2);\n"));
    assert_false(is_told_early("\nask().then(() => { bus.emit(`desk`, 2); });\n", hears));
    assert_false(is_told_early("\nb.onclick = () => bus.emit(`desk`, 2);\n", hears));
    assert_false(is_told_early("\nfunction say() { bus.emit(`desk`, 2); }\n", hears));
    assert_false(is_told_early("\nbus.on(`desk`, log);\nbus.emit(`desk`, 2);\n", hears));
    assert_false(is_told_early("\nbus.emit(`desk`, 2);\n",
                               "\nbus.on(`desk`, show);\nbus.emit(`desk`, 3);\n"));
}

/* Two answers, and a script that joins them. */
static struct json joined_of(const char *script, const char *things, const char *others,
                             const char *text)
{
    struct buf t = { 0 };
    tr_whole(&t, 0, "1", H "/a.js", "Script", 200, script);
    tr_whole(&t, 40, "2", H "/classes", "Fetch", 200, things);
    tr_whole(&t, 60, "3", H "/trainers", "Fetch", 200, others);
    tr(&t, 900, "Machina.state",
       "{'url':'http://h/','ready':'complete','state':'loaded','text':'%s'}", text);
    return facts_of(&t);
}

static void test_an_id_that_is_never_found_is_told(void **state)
{
    (void)state;
    static const char numbers[] = "[{'id':1,'name':'Anna Bell'},{'id':2,'name':'Carl Dorn'}]";
    static const char texts[] = "[{'title':'Yoga','by':'1'},{'title':'Boxing','by':'2'}]";
    static const char small[] = "[{'title':'Yoga','by':'t-1'}]";
    static const char great[] = "[{'id':'T-1','name':'Anna Bell'}]";
    static const struct {
        const char *script, *things, *others, *text, *how;
    } cases[] = {
        { "\nconst m = new Map(); show(m.get(c.by)?.name);\n", texts, numbers, "Yoga", "type" },
        { "\nall.find((t) => t.id === c.by)?.name;\n", texts, numbers, "Yoga", "type" },
        { "\nall.filter(({ id }) => ids.includes(c.by));\n", texts, numbers, "Yoga", "type" },
        { "\nshow(byId[c.by]?.name ?? `later`);\n", small, great, "Yoga", "letters" },
        { "\nall.find((t) => t.id == c.by || c.by === t.id);\n", small, great, "Yoga", "letters" },
        { "\nbyId[c.by];\n", "[{'title':'Yoga','by':'trainer/1'}]", numbers, "Yoga", "before" },
        { "\nshow(byId[c.by].name);\n", texts, numbers, "Yoga", NULL },
        { "\nm.get(Number(c.by));\n", texts, numbers, "Yoga", NULL },
        { "\nm.get(c.by);\n", texts, numbers, "Yoga, Anna Bell", NULL },
        { "\nshow(c.title, c.by);\n", texts, numbers, "Yoga", NULL },
        { "\nif (c.by === `t-1`) mine(c);\n", small, great, "Yoga", NULL },
        { "\nm.get(c.by);\n", "[{'title':'Yoga','by':1},{'title':'Boxing','by':'2'}]", numbers,
          "Yoga", NULL },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct json facts =
            joined_of(cases[i].script, cases[i].things, cases[i].others, cases[i].text);
        bool told = cases[i].how &&
                    HAS(&facts, "id_missed_at", "r2", "$[].by", cases[i].how, H "/a.js", "2");
        if (told != (cases[i].how != NULL) || count_facts(&facts, "id_missed") != told)
            fail_msg("%s of %s", cases[i].script, cases[i].text);
    }
}

/* Orders, a message about one of them, and whether the page changes after it. */
static bool is_message_missed(const char *script, const char *message, bool changes)
{
    struct buf t = { 0 };
    tr_whole(&t, 0, "1", H "/a.js", "Script", 200, script);
    tr_whole(&t, 40, "2", H "/orders", "Fetch", 200, "[{'id':7,'title':'Soup of the day'}]");
    tr(&t, 60, "Network.webSocketCreated", "{'requestId':'3','url':'ws://h/live'}");
    tr(&t, 90, "Machina.changes", "{'k':'changes','count':3}");
    tr(&t, 300, "Network.webSocketFrameReceived",
       "{'requestId':'3','timestamp':1000.3,'response':{'opcode':1,'mask':false,"
       "'payloadData':'%s'}}",
       message);
    tr(&t, changes ? 400 : 1500, "Machina.changes", "{'k':'changes','count':2}");
    tr(&t, 1900, "Machina.state",
       "{'url':'http://h/','ready':'complete','state':'loaded','text':'Soup of the day'}");
    struct json facts = facts_of(&t);
    return count_facts(&facts, "id_missed") == 1;
}

static void test_a_message_about_what_is_never_found_is_told(void **state)
{
    (void)state;
    static const char text[] = "{\\'orderId\\':\\'7\\',\\'state\\':\\'ready\\'}";
    static const char within[] = "{\\'type\\':\\'order\\',\\'data\\':{\\'orderId\\':\\'7\\'}}";
    static const char number[] = "{\\'orderId\\':7,\\'state\\':\\'ready\\'}";
    assert_true(is_message_missed("\nconst o = orders.get(m.orderId);\n", text, false));
    assert_true(is_message_missed("\norders.find((o) => o.id === data.orderId);\n", within, false));
    assert_false(is_message_missed("\nconst o = orders.get(m.orderId);\n", text, true));
    assert_false(is_message_missed("\nconst o = orders.get(m.orderId);\n", number, false));
    assert_false(is_message_missed("\norders.get(Number(m.orderId));\n", text, false));
}

static void test_what_the_page_denies_is_told_by_its_word(void **state)
{
    (void)state;
    struct json facts = page_of("\n1;\n", H "/me", "{'name':'Ines','seats':4,'guests':0}",
                                "Ines\\nNo seats booked.\\nNo guests.");
    assert_true(HAS(&facts, "denied_member", "r2", "$.seats", "*", "No seats booked."));
    assert_int_equal(count_facts(&facts, "denied_member"), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_first_part_that_is_taken_for_all_is_told),
        cmocka_unit_test(test_a_part_that_is_shown_as_one_is_not_told),
        cmocka_unit_test(test_a_name_by_which_no_answer_goes_on_is_told),
        cmocka_unit_test(test_a_word_that_is_looked_up_in_other_letters_is_told),
        cmocka_unit_test(test_words_that_are_found_or_of_something_else_are_not_told),
        cmocka_unit_test(test_a_month_off_is_told_where_the_page_shows_it),
        cmocka_unit_test(test_an_event_that_is_told_before_anybody_listens_is_told),
        cmocka_unit_test(test_an_id_that_is_never_found_is_told),
        cmocka_unit_test(test_a_message_about_what_is_never_found_is_told),
        cmocka_unit_test(test_what_the_page_denies_is_told_by_its_word),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, begin, end);
}
