/* Evidence of answers that are kept under less than they were asked with, of tokens that no script
 * knows, and of objects that code takes for lists. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "../../domains/browser/plugins/browser/facts.h"
#include "browser/plugin_fixture.h"
#include "browser/evidence_fixture.h"
#include "browser/traces.h"
#include "browser/evidence_of.h"

#define H "http://h"

/* ---- keys --------------------------------------------------------------------------------------
 */

/* The script asks where it says ask( first; then `chosen` is clicked. */
static struct json asked_by(const char *script, const char *chosen)
{
    struct buf t = { 0 };
    char more[300];
    int line = 0, column = 0;
    for (const char *p = script; strncmp(p, "ask(", 4) != 0; p++) {
        line += *p == '\n';
        column = *p == '\n' ? 0 : column + 1;
    }
    snprintf(more, sizeof more,
             ",'initiator':{'type':'script','stack':{'callFrames':[{'functionName':'load',"
             "'url':'" H "/s.js','lineNumber':%d,'columnNumber':%d}]}}",
             line, column);
    tr_whole(&t, 0, "1", H "/s.js", "Script", 200, script);
    tr_asked(&t, 100, "2", "GET", H "/api/items?kind=tea&sort=name", "Fetch", more);
    tr_answered(&t, 110, "2", 200, "application/json");
    tr_ended(&t, 111, "2");
    tr(&t, 112, "Machina.body",
       "{'requestId':'2','text':'[{\\'name\\':\\'Assam\\'}]','length':18}");
    tr(&t, 500, "Machina.input",
       "{'k':'input','t':%lld,'type':'click','target':'button','text':'%s','trusted':true}",
       (long long)(TRACES_T0 + 500), chosen);
    tr(&t, 900, "Machina.state",
       "{'url':'" H "/','ready':'complete','state':'loaded','text':'Tea Coffee Cocoa Assam',"
       "'shown':[]}");
    return facts_of(&t);
}

static void test_an_answer_that_is_kept_under_less_than_the_question(void **state)
{
    (void)state;
    static const struct {
        const char *script, *left, *line;
    } cases[] = {
        { "async function load(path, params) {\n  if (!known.has(path)) {\n"
          "    known.set(path, ask(`${path}?${new URLSearchParams(params)}`));\n  }\n"
          "  return known.get(path);\n}\n",
          "params", "3" },
        { "class C {\n  #known = new Map();\n  async load(path, params) {\n"
          "    if (this.#known.has(path)) return this.#known.get(path);\n"
          "    const items = await ask(path + '?' + params);\n"
          "    this.#known.set(path, items);\n    return items;\n  }\n}\n",
          "params", "6" },
        { "const load = (path, kind) => (known[path] ?\?= ask(path + '?kind=' + kind));\n", "kind",
          "1" },
        { "function load(path, kind) {\n  if (known[path]) return known[path];\n"
          "  return (known[path] = ask(path, { kind }));\n}\n",
          "kind", "3" },
        { "async function load(kind) {\n  if (!items) items = await ask('/api/items?kind=' + "
          "kind);\n"
          "  return items;\n}\n",
          "kind", "2" },
        { "async function load(kind) {\n  this.items ?\?= await ask(`/api/items?kind=${kind}`);\n"
          "  return this.items;\n}\n",
          "kind", "2" },
        { "async function load({ path, kind }) {\n  const url = `${path}?kind=${kind}`;\n"
          "  const key = 'items:' + path;\n  if (cache.has(key)) return cache.get(key);\n"
          "  const list = await ask(url);\n  cache.set(key, list);\n  return list;\n}\n",
          "kind", "6" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct json facts = asked_by(cases[i].script, "Coffee");
        if (!HAS(&facts, "kept_short", "r2", "i1", cases[i].left, H "/s.js", cases[i].line))
            fail_msg("%s", cases[i].script);
        facts = asked_by(cases[i].script, "Tea"); /* what it was asked for */
        assert_int_equal(count_facts(&facts, "kept_short"), 0);
    }
}

static void test_an_answer_that_is_kept_under_all_of_it_or_not_at_all(void **state)
{
    (void)state;
    static const char *const scripts[] = {
        "async function load(path, params) {\n  const key = path + '?' + params;\n"
        "  if (!known.has(key)) known.set(key, ask(key));\n  return known.get(key);\n}\n",
        "async function load(path, params) {\n  const url = `${path}?${params}`;\n"
        "  if (!known.has(url)) known.set(url, ask(url));\n  return known.get(url);\n}\n",
        "function load(path, kind) {\n  const id = JSON.stringify([path, kind]);\n"
        "  return (known[id] ?\?= ask(path + '?kind=' + kind));\n}\n",
        "async function load(path, kind) {\n  const all = await ask(path + '?kind=' + kind);\n"
        "  seen.set(path, all.length);\n  return all;\n}\n",
        "async function load(url, signal) {\n"
        "  if (!known.has(url)) known.set(url, ask(url, { signal }));\n  return "
        "known.get(url);\n}\n",
        "async function load(kind) {\n  const items = await ask('/api/items?kind=' + kind);\n"
        "  rows[0] = items;\n  return items;\n}\n",
        "async function load(kind) {\n  let items;\n  if (!items) items = await ask('/i?k=' + "
        "kind);\n"
        "  return items;\n}\n",
        "async function load() {\n  user ?\?= await ask('/api/items?kind=tea&sort=name');\n"
        "  return user;\n}\n",
        "async function load(kind) {\n  if (known.kind !== kind) {\n"
        "    known = { kind, items: await ask('/api/items?kind=' + kind) };\n  }\n"
        "  return known.items;\n}\n",
    };
    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++) {
        struct json facts = asked_by(scripts[i], "Coffee");
        if (count_facts(&facts, "kept_short") > 0)
            fail_msg("%s", scripts[i]);
    }
}

static void test_what_cannot_be_read_is_not_told(void **state)
{
    (void)state;
    static const char *const scripts[] = {
        "ask(",
        "function load(a { ask(a",
        "known[ask(",
        ".set(ask(",
        "=> ask(",
        "(x) => ask(x",
        "function load(a) { known[a] = ask(",
        "function f(a) { k.set(, ask(a)) }",
        "function f(a) { ?\?= ask(a) }",
    };
    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++) {
        struct json facts = asked_by(scripts[i], "Coffee");
        if (count_facts(&facts, "kept_short") > 0)
            fail_msg("%s", scripts[i]);
    }
}

/* ---- tokens ------------------------------------------------------------------------------------
 */

static void test_a_token_that_no_script_knows(void **state)
{
    (void)state;
    static const struct {
        const char *script, *body;
        bool told;
    } cases[] = {
        { "x = a.token;\n", "{'form_token':'k1','fee':5}", true },
        { "x = a.token;\n", "{'meta':{'csrf':'k1'}}", true },
        { "x = a.formToken;\n", "{'form_token':'k1'}", false },
        { "x = a['form_token'];\n", "{'form_token':'k1'}", false },
        { "const { form_token } = a;\n", "{'form_token':'k1'}", false },
        { "x = a.token;\n", "{'form_token':''}", false },
        { "x = a.token;\n", "{'rows':[{'form_token':'k1'}]}", false },
        { "x = a.token;\n", "{'tokens':3}", false },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct buf t = { 0 };
        tr_whole(&t, 0, "1", H "/s.js", "Script", 200, cases[i].script);
        tr_whole(&t, 50, "2", H "/api/quote", "Fetch", 200, cases[i].body);
        struct json facts = facts_of(&t);
        if ((count_facts(&facts, "token_unknown") > 0) != cases[i].told)
            fail_msg("%s%s", cases[i].script, cases[i].body);
    }
}

static void test_without_code_nothing_is_said_of_tokens(void **state)
{
    (void)state;
    struct buf t = { 0 };
    tr_whole(&t, 50, "2", H "/api/quote", "Fetch", 200, "{'form_token':'k1'}");
    struct json facts = facts_of(&t);
    assert_int_equal(count_facts(&facts, "token_unknown"), 0);
}

/* ---- lists -------------------------------------------------------------------------------------
 */

static void test_an_object_that_code_takes_for_a_list(void **state)
{
    (void)state;
    static const char body[] = "{'open':true,'advisers':{'total':2,'list':[{'name':'Tor'}]}}";
    static const struct {
        const char *script, *body;
        bool told;
    } cases[] = {
        { "const free = ({ advisers }) => Array.from(advisers ?? []).filter(ok);\n", body, true },
        { "const free = (s) => Array.from(s.advisers || []);\n", body, true },
        { "const free = Array.from(state.advisers);\n", body, true },
        { "const all = Array.isArray(s.advisers) ? s.advisers : [];\n", body, true },
        { "const all = Array.isArray(advisers) ? advisers : [];\n", body, true },
        /* It takes the other shape, too, has something in its place, or means another list. */
        { "const all = Array.isArray(advisers) ? advisers : advisers.list;\n", body, false },
        { "show(advisers.list); x = Array.from(advisers ?? []);\n", body, false },
        { "show(s.advisers?.list); x = Array.from(advisers ?? []);\n", body, false },
        { "const n = Array.from(advisers.names ?? []);\n", body, false },
        { "const n = Array.from(advisers ?? DEFAULTS);\n", body, false },
        { "const n = Array.from(advisers, (a) => a.name);\n", body, false },
        { "const n = Array.from(advisers ?? []);\n",
          "{'advisers':{'list':[1]},'more':{'advisers':[2]}}", false },
        { "const n = Array.from(advisers ?? []);\n", "{'advisers':{'list':[]}}", false },
        { "const n = Array.from(advisers ?? []);\n", "{'advisers':[{'name':'Tor'}]}", false },
        { "const n = Array.from(advisers", body, false },
        { "Array.isArray(advisers", body, false },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct buf t = { 0 };
        tr_whole(&t, 0, "1", H "/s.js", "Script", 200, cases[i].script);
        tr_whole(&t, 50, "2", H "/api/desk", "Fetch", 200, cases[i].body);
        struct json facts = facts_of(&t);
        if (HAS(&facts, "name_as_list", "r2", "$.advisers", H "/s.js", "1") != cases[i].told)
            fail_msg("%s%s", cases[i].script, cases[i].body);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_answer_that_is_kept_under_less_than_the_question),
        cmocka_unit_test(test_an_answer_that_is_kept_under_all_of_it_or_not_at_all),
        cmocka_unit_test(test_what_cannot_be_read_is_not_told),
        cmocka_unit_test(test_a_token_that_no_script_knows),
        cmocka_unit_test(test_without_code_nothing_is_said_of_tokens),
        cmocka_unit_test(test_an_object_that_code_takes_for_a_list),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, begin, end);
}
