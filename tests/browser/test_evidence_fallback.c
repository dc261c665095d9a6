/* Evidence of what scripts put in the place of what they do not find in an answer, of words in
 * other letters, of lists that are kept by ids they share, and of texts by which a number is looked
 * for. */
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

/* A script, an answer, and what stands on the page at the end. */
static struct json shown_of(const char *script, const char *body, const char *text)
{
    struct buf t = { 0 };
    tr_whole(&t, 0, "1", H "/a.js", "Script", 200, script);
    tr_whole(&t, 40, "2", H "/api/things", "Fetch", 200, body);
    tr(&t, 900, "Machina.state",
       "{'url':'http://h/','ready':'complete','state':'loaded','text':'%s'}", text);
    return facts_of(&t);
}

static void test_what_is_below_a_member_that_no_script_knows_is_told(void **state)
{
    (void)state;
    static const char inbox[] =
        "{'result':{'messages':[{'subject':'Your keys'},{'subject':'Lunch'}],'unread':24}}";
    static const struct {
        const char *script, *body, *text, *path, *name;
    } cases[] = {
        { "\nset({ messages: a.messages ?? [] }); show(m.subject);\n", inbox, "Inbox",
          "$.result.messages", "messages" },
        { "\nlist((a.messages || []).map((m) => m.subject));\n", inbox, "Inbox",
          "$.result.messages", "messages" },
        { "\na.messages?.forEach((m) => add(m.subject));\n", inbox, "Inbox", "$.result.messages",
          "messages" },
        { "\nlist(Array.isArray(a.messages) ? a.messages : []);\n", inbox, "Inbox",
          "$.result.messages", "messages" },
        { "\nconst { messages = [] } = await r.json(); m.subject;\n", inbox, "Inbox",
          "$.result.messages", "messages" },
        { "\nfunction show({ unread = 0 }) { say(`${unread} unread`); }\n", inbox, "0 unread",
          "$.result.unread", "unread" },
        { "\nfor (const r of Object.values(a)) say(r.name ?? '--');\n",
          "{'total':2,'list':[{'name':'Day rate'},{'name':'Night rate'}]}", "Rates\\n--\\n--",
          "$.list[].name", "name" },
        { "\nsay(`Lives in ${user.profile?.city ?? ''}`); user.name;\n",
          "{'name':'Ida','address':{'city':'Bergen'}}", "Ida\\nLives in", "$.address.city",
          "city" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct json facts = shown_of(cases[i].script, cases[i].body, cases[i].text);
        if (!HAS(&facts, "fallback_taken", "r2", cases[i].path, cases[i].name, "below", H "/a.js",
                 "2"))
            fail_msg("%s", cases[i].script);
    }
}

static void test_a_list_of_another_name_that_says_as_little_is_told(void **state)
{
    (void)state;
    static const char items[] = "{'meta':{'count':2},'items':[{'no':'B-17'},{'no':'B-22'}]}";
    static const struct {
        const char *script, *body, *text;
        bool told;
    } cases[] = {
        { "\nset({ boats: page.data ?? [] });\n", items, "0 boats", true },
        { "\nconst { data = [] } = await r.json();\n", items, "No boats", true },
        { "\nlist((page.payload || []).map(row));\n", items, "No boats", true },
        { "\nlist(Array.isArray(page.docs) ? page.docs : []);\n", items, "No boats", true },
        { "\nset(page.things ?? []);\n", items, "No boats", true }, /* of /api/things */
        { "\nset(page.errors ?? []);\n", items, "No errors", false },
        { "\nset(page.data ?? page.items ?? []);\n", items, "B-17 B-22", false },
        { "\nset(page.data ?? []);\n", items, "B-17 B-22", false }, /* it is shown */
        { "\nset(page.data ?? []);\n", "{'items':[]}", "No boats", false },
        { "\nreturn { data: all(r) }; (page.data ?? []).map(row);\n", items, "", false },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct json facts = shown_of(cases[i].script, cases[i].body, cases[i].text);
        if (HAS(&facts, "fallback_taken", "r2", "$.items", "*", "held", H "/a.js", "2") !=
            cases[i].told)
            fail_msg("%s", cases[i].script);
    }
}

static void test_what_has_a_name_that_means_the_same_is_told(void **state)
{
    (void)state;
    static const struct {
        const char *script, *body, *text, *path, *name;
    } cases[] = {
        { "\nconstructor({ title, stops = [] } = {}) { this.stops = stops; title; name; }\n",
          "{'title':'Ferry','stations':[{'name':'Old harbour'},{'name':'West pier'}]}", "Ferry",
          "$.stations", "stops" },
        { "\nfor (const c of node.children ?? []) walk(c); node.title;\n",
          "{'title':'Root','entries':[{'title':'Photos','entries':[]}]}", "Root", "$.entries",
          "children" },
        { "\nlines.reduce((n, l) => n + (l.amount ?? 0), 0); a.lines; l.text;\n",
          "{'lines':[{'text':'Room','price':180},{'text':'Meal','price':24}]}",
          "Room\\nMeal\\nTotal 0.00", "$.lines[].price", "amount" },
        { "\nget name() { return this.raw.fullName ?? '--'; }\n a.members;\n",
          "{'members':[{'displayName':'Ines Falk'},{'displayName':'Otto Brandt'}]}", "--\\n--",
          "$.members[].displayName", "fullName" },
        { "\nh += it.name + (it.qty || '-'); a.items;\n",
          "{'items':[{'name':'Bolts','quantity':1200},{'name':'Nuts','quantity':950}]}",
          "Bolts -\\nNuts -", "$.items[].quantity", "qty" },
        { "\nn += l.price ?? 0; a.lines; l.text;\n",
          "{'lines':[{'text':'Room','unitPrice':180},{'text':'Meal','unitPrice':24}]}",
          "Room\\nMeal\\n0 EUR", "$.lines[].unitPrice", "price" },
        { "\nconst row = ({ title, author: { name = 'unknown' } = {} }) => [title, name];\n",
          "[{'title':'Ice','writer':{'name':'Ole Lund'}},{'title':'Mill','writer':{'name':'Ana "
          "Reis'}}]",
          "Ice unknown\\nMill unknown", "$[].writer", "author" },
        { "\nsay(user.name, user.email ?? '--');\n",
          "{'name':'Ida','emails':['ida@h.example','i@h.example']}", "Ida --", "$.emails",
          "email" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct json facts = shown_of(cases[i].script, cases[i].body, cases[i].text);
        if (!HAS(&facts, "fallback_taken", "r2", cases[i].path, cases[i].name, "beside", H "/a.js",
                 "2"))
            fail_msg("%s %zu", cases[i].script, count_facts(&facts, "fallback_taken"));
    }
}

static void test_what_is_missing_by_right_is_not_told(void **state)
{
    (void)state;
    static const struct {
        const char *script, *body, *text;
    } cases[] = {
        /* nothing means that */
        { "({ title, series = '--' }) => [title, series];\n",
          "[{'title':'Ice','isbn':'978-1'},{'title':'Mill','isbn':'978-2'}]", "Ice --\\nMill --" },
        { "say(a.unreadCount ?? 0); a.name;\n", "{'name':'Ida','pageCount':120}", "Ida 0" },
        { "say(a.name, a.middleName ?? '--');\n", "{'name':'Ida','brandName':'Holm'}", "Ida --" },
        { "say(a.name, a.count ?? 0);\n", "{'name':'Ida','pageCount':120}", "Ida 0" },
        { "list(a.reviews ?? []); a.name;\n", "{'name':'Ida','related':[{'name':'Otto'}]}", "Ida" },
        /* it is empty */
        { "list(a.items ?? []); a.data;\n", "{'data':{'items':[]}}", "None" },
        /* some code gets there */
        { "list(a.items ?? b.data.items); f(c.items ?? []);\n",
          "{'data':{'items':[{'name':'Bolts'},{'name':'Nuts'}]}}", "Things" },
        /* it may be missing, and nothing stands in its place */
        { "say(user.city ?? ''); user.name;\n", "{'name':'Ida','address':{'city':'Bergen'}}",
          "Ida" },
        /* it is on the page */
        { "list(a.items ?? []); m.name;\n", "{'data':{'items':[{'name':'Bolts'},{'name':'Nuts'}]}}",
          "Bolts\\nNuts" },
        /* what stands in its place is not */
        { "say(a.unread ?? 0);\n", "{'result':{'unread':24}}", "Inbox" },
        { "say(a.unread ?? 0);\n", "{'result':{'unread':24}}", "Inbox of 10.05.2026" },
        /* code makes it itself */
        { "const o = { amount: price(l) }; n + (o.amount ?? 0); a.lines; l.text;\n",
          "{'lines':[{'text':'Room','cost':180},{'text':'Meal','cost':24}]}", "Total 0.00" },
        /* beside others that code knows it wraps nothing */
        { "say(a.note ?? '--'); a.name; a.price; a.parts;\n",
          "{'name':'Lamp','price':40,'related':[{'note':'For halls'}],'parts':[1]}", "Lamp --" },
        /* no pattern, but a block and what is handed over */
        { "function f(a, stops = []) { stations.x; } if (a) { children = []; }\n",
          "{'entries':[{'title':'Photos of summer'}]}", "Root" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct json facts = shown_of(cases[i].script, cases[i].body, cases[i].text);
        if (count_facts(&facts, "fallback_taken") != 0)
            fail_msg("%s of %s", cases[i].script, cases[i].body);
    }
}

static void test_a_word_that_code_knows_in_other_letters_is_told(void **state)
{
    (void)state;
    static const char jobs[] = "[{'title':'Crane driver','state':'OPEN'},"
                               "{'title':'Welder, nights','state':'OPEN'},"
                               "{'title':'Night cook','state':'CLOSED'}]";
    static const struct {
        const char *script, *text;
        bool told;
    } cases[] = {
        { "jobs.filter((j) => j.state === `open`);\n", "0 open", true },
        { "switch (j.state) { case `open`: add(j); }\n", "Jobs", true },
        { "const isOpen = (j) => `open` === j.state;\n", "Jobs", true },
        { "jobs.filter((j) => j.state === `open`);\n", "Crane driver", false },
        { "jobs.filter((j) => j.state.toLowerCase() === `open`);\n", "0 open", false },
        { "jobs.filter((j) => j.state === `open` || j.state === `OPEN`);\n", "0 open", false },
        { "row.className = `open`; show(j.state);\n", "Jobs", false },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct json facts = shown_of(cases[i].script, jobs, cases[i].text);
        if (HAS(&facts, "choice_cased", "r2", "$[].state", "OPEN", "open", H "/a.js", "1") !=
            cases[i].told)
            fail_msg("%s", cases[i].script);
    }
}

static void test_items_whose_ids_another_list_has_are_told_where_just_they_are_lost(void **state)
{
    (void)state;
    static const char tasks[] = "[{'id':1,'title':'Draw the plan'},{'id':2,'title':'Order timber'},"
                                "{'id':3,'title':'Hire a crane'}]";
    static const char stones[] =
        "[{'id':1,'title':'Sprint review'},{'id':2,'title':'Topping out'}]";
    static const struct {
        const char *script, *text;
        bool told;
    } cases[] = {
        { "const byId = new Map();\n", "Sprint review\\nTopping out\\nHire a crane", true },
        { "all[x.id] = x;\n", "Sprint review\\nTopping out\\nHire a crane", true },
        { "const all = [...a, ...b];\n", "Sprint review\\nTopping out\\nHire a crane", false },
        { "const byId = new Map();\n", "Sprint review\\nTopping out\\nOrder timber", false },
        { "const byId = new Map();\n", "Sprint review\\nTopping out", false },
        { "const byId = new Map();\n", "Sprint review\\nHire a crane", false },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct buf t = { 0 };
        tr_whole(&t, 0, "1", H "/a.js", "Script", 200, cases[i].script);
        tr_whole(&t, 40, "2", H "/api/tasks", "Fetch", 200, tasks);
        tr_whole(&t, 60, "3", H "/api/stones", "Fetch", 200, stones);
        tr(&t, 900, "Machina.state",
           "{'url':'http://h/','ready':'complete','state':'loaded','text':'%s'}", cases[i].text);
        struct json facts = facts_of(&t);
        if (HAS(&facts, "overwritten", "r2", "$", "r3", "$", "2", "3") != cases[i].told)
            fail_msg("%s of %s", cases[i].script, cases[i].text);
    }
}

static void test_a_text_by_which_something_is_looked_up_is_told(void **state)
{
    (void)state;
    static const struct {
        const char *script;
        bool told;
    } cases[] = {
        { "const p = plants.get(target.dataset.id);\n", true },
        { "const p = all.find((x) => x.id === row.dataset.id);\n", true },
        { "const id = row.dataset.id; const p = all.find((x) => x.id === id);\n", true },
        { "const { id } = b.closest(`li`).dataset; if (!open.has(id)) return;\n", true },
        { "const p = plants.get(Number(target.dataset.id));\n", false },
        { "const p = plants.get(+target.dataset.id);\n", false },
        { "const id = Number(row.dataset.id); plants.get(id);\n", false },
        { "if (tab.dataset.open) show(tab.dataset.id);\n", false },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct json facts = shown_of(cases[i].script, "[]", "Plants");
        if (HAS(&facts, "code_slip", "text_key", H "/a.js", "1") != cases[i].told)
            fail_msg("%s", cases[i].script);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_below_a_member_that_no_script_knows_is_told),
        cmocka_unit_test(test_a_list_of_another_name_that_says_as_little_is_told),
        cmocka_unit_test(test_what_has_a_name_that_means_the_same_is_told),
        cmocka_unit_test(test_what_is_missing_by_right_is_not_told),
        cmocka_unit_test(test_a_word_that_code_knows_in_other_letters_is_told),
        cmocka_unit_test(test_items_whose_ids_another_list_has_are_told_where_just_they_are_lost),
        cmocka_unit_test(test_a_text_by_which_something_is_looked_up_is_told),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, begin, end);
}
