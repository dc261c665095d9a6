/* Evidence of what code does once more, too early, all together or to a text, beside what came of
 * it: messages that refuse, answers that are lost, numbers that are put one behind the other. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../domains/browser/plugins/browser/facts.h"
#include "../../domains/browser/plugins/browser/source_start.h"
#include "browser/plugin_fixture.h"
#include "browser/evidence_fixture.h"
#include "browser/traces.h"
#include "browser/evidence_of.h"

#define H "http://h"

/* A request that the code asks for where `mark` stands in the text of a.js. */
static void asks_at(struct buf *t, int64_t at, const char *id, const char *method, const char *url,
                    const char *text, const char *mark, const char *sent)
{
    const char *found = strstr(text, mark);
    int line = 0, column = 0;
    assert_non_null(found);
    for (const char *c = text; c < found; c++) {
        line += *c == '\n';
        column = *c == '\n' ? 0 : column + 1;
    }
    tr(t, at, "Network.requestWillBeSent",
       "{'requestId':'%s','loaderId':'L1','request':{'url':'%s','method':'%s','headers':{"
       "'Content-Type':'application/json'},'postData':'%s'},'timestamp':%.3f,'wallTime':%.3f,"
       "'type':'Fetch','frameId':'F','initiator':{'type':'script','stack':{'callFrames':[{"
       "'functionName':'f','url':'http://h/a.js','lineNumber':%d,'columnNumber':%d}]}}}",
       id, url, method, sent, 1000 + (double)at / 1000, (double)(TRACES_T0 + at) / 1000, line,
       column);
}

static void answers(struct buf *t, int64_t at, const char *id, int status, const char *body)
{
    tr_answered(t, at, id, status, "application/json");
    tr_ended(t, at + 2, id);
    tr(t, at + 3, "Machina.body", "{'requestId':'%s','text':'%s','length':%zu}", id, body,
       strlen(body));
}

static void shows(struct buf *t, const char *text)
{
    tr(t, 8000, "Machina.state", "{'url':'http://h/','title':'T','text':'%s'}", text);
    tr(t, 9000, "Page.loadEventFired", "{}");
}

/* ---- what the page says in place of an answer
 * ---------------------------------------------------- */

/* The code asks where it has `call`. */
static struct json facts_of_failed(const char *call, const char *code, const char *shown)
{
    struct buf t = { 0 };
    tr_whole(&t, 0, "1", H "/a.js", "Script", 200, code);
    asks_at(&t, 100, "2", "GET", H "/api/tax", code, call, "");
    answers(&t, 110, "2", 404, "{\\'error\\':\\'none on file\\'}");
    shows(&t, shown);
    return facts_of(&t);
}

static struct json facts_of_failure(const char *code, const char *shown)
{
    return facts_of_failed("get(", code, shown);
}

static void test_what_is_said_in_place_of_an_answer_is_told_if_it_is_shown(void **state)
{
    (void)state;
    static const char *const rows[] = {
        "get('/api/tax').then(show, (e) => { p.textContent = e.status === 404 ? 'You have none "
        "yet.' : 'Later.'; });",
        "get('/api/tax').then(show).catch(() => { p.textContent = 'You have none yet.'; });",
        "const none = () => { p.textContent = 'You have none yet.'; "
        "};\nget('/api/tax').then(show).catch(none);",
        "async function f() { try { show(await get('/api/tax')); } catch (e) { say('You have none "
        "yet.'); } }",
        "async function f() { const r = await get('/api/tax');\n if (r.status === 404) { say('You "
        "have none yet.'); return; } show(r); }",
        "async function f() { const r = await get('/api/tax'); switch (r.status) { case 404: "
        "return say('You have none yet.'); } }",
        "async function f() { const r = await get('/api/tax');\n if (!r.ok) { say('You have none "
        "yet.'); return; } show(r); }",
        "get('/api/tax').done(show).fail(() => say('You have none yet.'));",
        "const [a, b] = await Promise.allSettled([get('/api/tax'), other()]);\nsay(a.value?.id ?? "
        "'You have none yet.');",
        "async function f() { const r = await get('/api/tax');\n if (r.status === 404) "
        "say(`${name} You have none yet. ${by}`); else show(r); }",
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct json facts = facts_of_failure(rows[i], "Tax\\nYou have none yet.");
        if (!HAS(&facts, "code_says_instead", "r2", "You have none yet."))
            fail_msg("%s", rows[i]);
        assert_int_equal(HAS(&facts, "code_expects", "r2", "404"),
                         i == 0 || i == 4 || i == 5 || i == 9);
        facts = facts_of_failure(rows[i], "Tax\\nsomething else");
        assert_int_equal(count_facts(&facts, "code_says_instead"), 0);
    }
}

static struct json facts_of_refusal(const char *code, const char *shown)
{
    struct buf t = { 0 };
    tr_whole(&t, 0, "1", H "/a.js", "Script", 200, code);
    asks_at(&t, 100, "2", "POST", H "/api/renew", code, "post(", "{}");
    answers(&t, 110, "2", 409, "{\\'code\\':\\'HELD\\',\\'by\\':\\'two words\\'}");
    shows(&t, shown);
    return facts_of(&t);
}

static void test_words_for_the_reason_of_a_refusal(void **state)
{
    (void)state;
    static const struct {
        const char *code;
        bool words;
    } rows[] = {
        { "const WHY = { HELD: 'Somebody has it.' };\nshow(await post(x));", true },
        { "switch ((await post(x)).code) {\n case 'HELD': say('Somebody has it.'); }", true },
        { "const b = await post(x);\nif (b.code === \"HELD\") say(`Somebody has it. ${b.by}`);",
          true },
        { "const t = new Map([['HELD', 'Somebody has it.']]);\nshow(await post(x));", true },
        { "const b = await post(x);\nif (b.code === 'HELD') console.log(b);", false },
        { "const b = await post(x), WITHHELD = 'Somebody has it.';", false },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct json facts = facts_of_refusal(rows[i].code, "Book\\nSomebody has it.");
        if (HAS(&facts, "code_tells_reason", "r2", "HELD", "Somebody has it.") != rows[i].words)
            fail_msg("%s", rows[i].code);
        assert_int_equal(count_facts(&facts, "code_has_words_for"), 0);
        facts = facts_of_refusal(rows[i].code, "Book");
        assert_int_equal(count_facts(&facts, "code_tells_reason"), 0);
        assert_int_equal(count_facts(&facts, "code_has_words_for"), rows[i].words);
    }
}

static void test_an_answer_that_nothing_is_done_with(void **state)
{
    (void)state;
    static const struct {
        const char *code;
        bool told;
    } rows[] = {
        { "fetch('/api/tax');", true },
        { "fetch('/api/tax').catch(console.error)\nmore();", true },
        { "function f() { fetch('/api/tax').catch((e) => { log(e); }).finally(done); }", true },
        { "// warm it\nfetch('/api/tax')\n", true },
        { "fetch('/api/tax').then(show);", false },
        { "fetch('/api/tax')\n  .catch(() => null)\n  .then(show);", false },
        { "const tax = fetch('/api/tax').catch(() => null);", false },
        { "async function f() { return await fetch('/api/tax'); }", false },
        { "const f = () => fetch('/api/tax');", false },
        { "all.push(fetch('/api/tax'));", false },
        { "(await fetch('/api/tax')).rate;", false },
    };
    struct json of_get = facts_of_failed("get(", "get('/api/tax', show);", "Tax");
    assert_false(HAS(&of_get, "code_discards", "r2"));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct json facts = facts_of_failed("fetch(", rows[i].code, "Tax");
        if (HAS(&facts, "code_discards", "r2") != rows[i].told)
            fail_msg("%s", rows[i].code);
    }
}

static void test_code_is_gone_through_so_often_and_not_more(void **state)
{
    (void)state;
    struct fact_list list = { .scanned = 0 };
    struct str half = { "", 512u * 1024 * 1024 };
    assert_true(mgi_may_scan(&list, half) && mgi_may_scan(&list, half));
    assert_false(mgi_may_scan(&list, (struct str){ "", 1 }));
    assert_true(mgi_may_scan(&list, STR_LIT("")));
}

/* As bundlers write it: names of one letter. */
static void test_an_answer_is_followed_into_a_function_with_a_short_name(void **state)
{
    (void)state;
    static const struct {
        const char *code;
        bool followed;
    } rows[] = {
        { "!function(){function t(t){var n=(t.departures||[]).map(function(e){return e.time});"
          "x(n)}fetch('/api/tax').then(function(e){return e.json()}).then(t)}();",
          true },
        { "!function(){function q(t){var n=(t.departures||[]).map(function(e){return e.time});"
          "x(n)}function r(){function q(){}q()}fetch('/api/tax').then(function(e){return "
          "e.json()}).then(q)}();",
          false },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct buf t = { 0 };
        tr_whole(&t, 0, "1", H "/a.js", "Script", 200, rows[i].code);
        asks_at(&t, 100, "2", "GET", H "/api/tax", rows[i].code, "fetch(", "");
        answers(&t, 110, "2", 200, "{\\'data\\':{\\'departures\\':[{\\'time\\':\\'nine\\'}]}}");
        shows(&t, "Tax");
        struct json facts = facts_of(&t);
        if (HAS(&facts, "code_asks_for", "r2", "$.departures", H "/a.js", "1") != rows[i].followed)
            fail_msg("%s", rows[i].code);
    }
}

static void test_an_answer_without_content_that_is_not_read(void **state)
{
    (void)state;
    static const struct {
        const char *code;
        int status;
        const char *told;
    } rows[] = {
        { "async function f() {\n const a = await fetch('/api/tax');\n if (a.status === 200) {\n"
          " const list = await a.json();\n show(list.rows);\n }\n}",
          204, "code_may_read_json" },
        { "async function f() {\n const a = await fetch('/api/tax');\n const list = await "
          "a.json();\n show(list.rows);\n}",
          204, "code_reads_json" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct buf t = { 0 };
        tr_whole(&t, 0, "1", H "/a.js", "Script", 200, rows[i].code);
        asks_at(&t, 100, "2", "GET", H "/api/tax", rows[i].code, "fetch(", "");
        answers(&t, 110, "2", rows[i].status, "");
        shows(&t, "Tax");
        struct json facts = facts_of(&t);
        if (!HAS(&facts, rows[i].told, "r2"))
            fail_msg("%s", rows[i].code);
    }
}

/* ---- code that asks too early
 * --------------------------------------------------------------------- */

static void test_code_that_runs_once(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool once;
    } rows[] = {
        { "const a = 1;\nHERE;", true },
        { "(function () { if (x) { HERE; } })();", true },
        { "(async () => { await y; HERE; })();", true },
        { "async function main() { HERE; }\nmain();", true },
        { "get('/a').then((a) => { HERE; });", true },
        { "document.addEventListener('DOMContentLoaded', () => { HERE; });", true },
        { "for (const a of all) { HERE; }", true },
        { "button.addEventListener('click', () => { HERE; });", false },
        { "function go() { HERE; }\nb.onclick = go;", false },
        { "function go() { HERE; }\ngo();\nsetTimeout(go, 100);", false },
        { "class A { open() { HERE; } }", false },
        { "setInterval(() => { HERE; }, 1000);", false },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *at = strstr(rows[i].text, "HERE");
        if (mgi_source_runs_at_start(str_of(rows[i].text), (size_t)(at - rows[i].text), NULL, 0) !=
            rows[i].once)
            fail_msg("%s", rows[i].text);
    }
}

static void test_code_that_runs_once_in_the_script_that_imports_it(void **state)
{
    (void)state;
    static const char code[] = "export function mount(to) { HERE; }\n";
    static const struct {
        const char *other;
        bool once;
    } rows[] = {
        { "import { mount } from './mount.js';\nmount(a);", true },
        { "import { mount } from './mount.js';\nb.onclick = () => mount(a);", false },
        { "import { mount } from './mount.js';\nmount(a);\nmount(b);", false },
        { "go();", false },
    };
    const size_t at = (size_t)(strstr(code, "HERE") - code);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct str texts[] = { str_of(code), str_of(rows[i].other), str_of("other();") };
        if (mgi_source_runs_at_start(texts[0], at, texts, 3) != rows[i].once)
            fail_msg("%s", rows[i].other);
    }
    struct str two[] = { str_of(rows[0].other), str_of(rows[0].other) };
    assert_false(mgi_source_runs_at_start(str_of(code), at, two, 2));
}

static struct json facts_of_late(const char *code, const char *late, const char *how)
{
    struct buf t = { 0 };
    char *page =
        mgi_arena_printf(&arena, "<script src=/a.js></script><script %s src=/l.js></script>", how);
    tr_whole(&t, 0, "0", H "/", "Document", 200, page);
    tr_whole(&t, 20, "1", H "/a.js", "Script", 200, code);
    tr(&t, 40, "Debugger.scriptParsed", "{'scriptId':'1','url':'http://h/a.js'}");
    tr_whole(&t, 1500, "2", H "/l.js", "Script", 200, late);
    tr(&t, 1600, "Debugger.scriptParsed", "{'scriptId':'2','url':'http://h/l.js'}");
    tr(&t, 9000, "Page.loadEventFired", "{}");
    return facts_of(&t);
}

static void test_code_that_asks_once_in_silence_for_what_comes_later(void **state)
{
    (void)state;
    static const char rich[] = "(function () { window.Rich = { mount(a) { a.x = 1; } }; })();";
    static const struct {
        const char *asks;
        bool told;
    } rows[] = {
        { "window.Rich?.mount(area);", true },
        { "if (window.Rich) { Rich.mount(area); }", true },
        { "if (window.Rich) window.Rich.mount(area);", true },
        { "window.Rich && window.Rich.mount(area);", true },
        { "const rich = window.Rich;\nrich?.mount(area);", true },
        { "(async () => { area.value = await get(); globalThis.Rich?.mount(area); })();", true },
        { "button.onclick = () => { window.Rich?.mount(area); };", false },
        { "if (window.Rich) Rich.mount(area); else wait(area);", false },
        { "if (window.Rich) { Rich.mount(area); } else { plain(area); }", false },
        { "function go() { if (window.Rich) { Rich.mount(area); } }\ngo();\nsetTimeout(go, 500);",
          false },
        { "window.Rich?.mount(area);\non('x', () => { Rich.mount(area); });", false },
        { "window.Other?.mount(area);", false },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct json facts = facts_of_late(rows[i].asks, rich, "async");
        if ((count_facts(&facts, "asked_too_early") == 1) != rows[i].told)
            fail_msg("%s", rows[i].asks);
    }
    struct json facts = facts_of_late(rows[0].asks, rich, "defer");
    assert_true(HAS(&facts, "asked_too_early", "*", "Rich", H "/a.js", "1"));
    /* It begins by itself when it comes. */
    facts = facts_of_late(rows[0].asks, "window.Rich = { mount() {} }; Rich.mount(a);", "async");
    assert_int_equal(count_facts(&facts, "asked_too_early"), 0);
}

/* ---- messages that refuse
 * --------------------------------------------------------------------------- */

static void says(struct buf *t, int64_t at, bool sent, const char *text)
{
    tr(t, at, sent ? "Network.webSocketFrameSent" : "Network.webSocketFrameReceived",
       "{'requestId':'1','response':{'opcode':1,'payloadData':'%s'}}", text);
}

static struct json facts_of_talk(const char *sent, const char *received, int changes_at)
{
    struct buf t = { 0 };
    tr(&t, 0, "Network.webSocketCreated", "{'requestId':'1','url':'ws://h/s'}");
    tr(&t, 5, "Machina.changes", "{'k':'changes','count':5}");
    says(&t, 1000, true, sent);
    says(&t, 1020, false, received);
    tr(&t, changes_at, "Machina.changes", "{'k':'changes','count':2,'content':1,'built':0}");
    tr(&t, 9000, "Page.loadEventFired", "{}");
    return facts_of(&t);
}

static void test_messages_that_refuse_what_was_sent(void **state)
{
    (void)state;
    static const struct {
        const char *sent, *received, *says;
    } rows[] = {
        { "{\\'type\\':\\'subscribe\\'}",
          "{\\'op\\':\\'error\\',\\'code\\':\\'unknown_op\\',\\'detail\\':\\'expected join\\'}",
          "unknown_op: expected join" },
        { "{\\'id\\':7,\\'method\\':\\'join\\'}",
          "{\\'id\\':7,\\'error\\':{\\'code\\':-32601,\\'message\\':\\'Method not found\\'}}",
          "Method not found" },
        { "{\\'cmd\\':\\'join\\'}", "{\\'ok\\':false,\\'reason\\':\\'full\\'}", "full" },
        { "{\\'ref\\':\\'3\\',\\'a\\':\\'b\\'}", "{\\'ref\\':\\'3\\',\\'status\\':\\'rejected\\'}",
          "rejected" },
        { "{\\'type\\':\\'subscribe\\'}",
          "{\\'type\\':\\'subscription_error\\',\\'message\\':\\'no such channel\\'}",
          "no such channel" },
        { "[null,\\'1\\',\\'room:1\\',\\'phx_join\\',{}]",
          "[null,\\'1\\',\\'room:1\\',\\'phx_reply\\',{\\'status\\':\\'error\\',\\'response\\':{\\'"
          "reason\\':\\'closed\\'}}]",
          "closed" },
        { "42[\\'join\\',{}]", "42[\\'exception\\',{\\'message\\':\\'bad room\\'}]", "bad room" },
        /* What is told of, and refuses nothing. */
        { "{\\'type\\':\\'watch\\'}", "{\\'type\\':\\'build_failed\\',\\'message\\':\\'x\\'}",
          NULL },
        { "{\\'type\\':\\'watch\\'}", "{\\'type\\':\\'job\\',\\'status\\':\\'failed\\'}", NULL },
        { "{\\'type\\':\\'say\\'}", "{\\'type\\':\\'said\\',\\'error\\':null,\\'ok\\':true}",
          NULL },
        { "{\\'type\\':\\'say\\'}", "{\\'type\\':\\'said\\',\\'text\\':\\'error\\'}", NULL },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct json facts = facts_of_talk(rows[i].sent, rows[i].received, 3000);
        if (rows[i].says ? !HAS(&facts, "frame_refuses", "r1", "2", "1", rows[i].says)
                         : count_facts(&facts, "frame_refuses") > 0)
            fail_msg("%s", rows[i].received);
        assert_int_equal(HAS(&facts, "frame_noticed", "r1", "2", "false"), rows[i].says != NULL);
    }
    struct json facts = facts_of_talk(rows[0].sent, rows[0].received, 1060);
    assert_true(HAS(&facts, "frame_noticed", "r1", "2", "true"));
}

/* ---- what is heard more than once
 * ------------------------------------------------------------------- */

static struct json facts_of_twin(const char *code, const char *frame, const char *drawn)
{
    struct buf t = { 0 };
    tr_whole(&t, 0, "0", H "/a.js", "Script", 200, code);
    tr(&t, 20, "Network.webSocketCreated", "{'requestId':'1','url':'ws://h/s'}");
    says(&t, 1000, false, frame);
    tr(&t, 1005, "Machina.deed", "{'k':'deed','what':'twin','target':'ul#l','text':'%s','count':1}",
       drawn);
    tr(&t, 9000, "Page.loadEventFired", "{}");
    return facts_of(&t);
}

static void test_a_message_that_came_once_and_is_drawn_twice(void **state)
{
    (void)state;
    static const char one[] = "{\\'op\\':\\'message\\',\\'text\\':\\'Yes, we do\\'}";
    struct json facts = facts_of_twin("", one, "You: Yes, we do");
    assert_true(HAS(&facts, "drawn_twice_of", "k1", "r2", "1"));
    facts = facts_of_twin("", one, "Another line");
    assert_int_equal(count_facts(&facts, "drawn_twice_of"), 0);
    facts = facts_of_twin("", "{\\'a\\':\\'Yes, we do\\',\\'b\\':\\'Yes, we do\\'}", "Yes, we do");
    assert_int_equal(count_facts(&facts, "drawn_twice_of"), 0);
}

static void test_lines_that_listen_again_whenever_they_run(void **state)
{
    (void)state;
    static const struct {
        const char *code;
        bool told;
    } rows[] = {
        { "class A { open() {\n this.bus.on('message', (m) => this.add(m)); } }", true },
        { "function show(t) {\n emitter.addListener('message', add);\n}\nb.onclick = show;", true },
        { "b.onclick = () => { store.subscribe((s) => draw(s)); };", true },
        { "const open = (id) => { if (id) channel.bind('message', function (m) { add(m); }); };",
          true },
        { "function open() { x();\n hub.listen('message', add);\n}", true },
        { "bus.on('message', (m) => add(m));", false },
        { "class A { open() { this.stop = this.bus.on('message', (m) => add(m)); } }", false },
        { "function open() { bus.on('message', add); }\nfunction close() { bus.off('message', "
          "add); }",
          false },
        { "function open() { return bus.on('message', add); }", false },
        { "function open() { watch.on(true); }", false },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct json facts =
            facts_of_twin(rows[i].code, "{\\'op\\':\\'message\\',\\'text\\':\\'Yes\\'}", "Yes");
        if ((count_facts(&facts, "listens_anew") == 1) != rows[i].told)
            fail_msg("%s", rows[i].code);
    }
}

/* ---- answers that are waited for together
 * ------------------------------------------------------------ */

static struct json facts_of_both(const char *code, const char *shown)
{
    struct buf t = { 0 };
    tr_whole(&t, 0, "1", H "/a.js", "Script", 200, code);
    asks_at(&t, 100, "2", "GET", H "/api/sales", code, "get(", "");
    asks_at(&t, 101, "3", "GET", H "/api/hints", code, "get(", "");
    answers(&t, 110, "2", 200, "{\\'week\\':288900,\\'best\\':\\'Oak chair\\'}");
    answers(&t, 120, "3", 500, "{}");
    shows(&t, shown);
    return facts_of(&t);
}

static void test_answers_that_are_waited_for_together(void **state)
{
    (void)state;
    static const struct {
        const char *code;
        bool together;
    } rows[] = {
        { "async function load() {\n show(await Promise.all(URLS.map((u) => get(u))));\n}", true },
        { "Promise.all([get(A), get(B)]).then(show).catch(() => {});", true },
        { "const [a, b] = await Promise.all([\n  get(A),\n  get(B),\n]);", true },
        { "const jobs = URLS.map((u) => get(u));\nshow(await Promise.all(jobs));", true },
        { "for (const u of URLS) jobs.push(get(u));\nawait Promise.all(jobs);", true },
        { "await axios.all([get(A), get(B)]);", true },
        { "await Promise.all(URLS.map((u) => get(u).catch(() => null)));", false },
        { "await Promise.allSettled(URLS.map((u) => get(u)));", false },
        { "async function safe(u) { try { return await get(u); } catch (e) { return null; } "
          "}\nawait Promise.all(URLS.map(safe));",
          false },
        { "Promise.all(URLS.map((u) => get(u))).catch(() => {});", false },
        { "const optional = (p) => p.catch(() => null);\nawait Promise.all([optional(get(A)), "
          "optional(get(B))]);",
          false },
        { "const timed = (p) => { start(); return p; };\nawait Promise.all([timed(get(A)), "
          "timed(get(B))]);",
          true },
        { "show(await get(A));", false },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct json facts = facts_of_both(rows[i].code, "Week –");
        if (HAS(&facts, "asked_together", "r2", H "/a.js", "*") != rows[i].together)
            fail_msg("%s", rows[i].code);
        assert_int_equal(HAS(&facts, "values_shown", "r2", "0", "2"), rows[i].together);
    }
    struct json facts = facts_of_both(rows[0].code, "Week 2,889.00");
    assert_true(HAS(&facts, "values_shown", "r2", "1", "2"));
    facts = facts_of_both(rows[0].code, "Best: OAK CHAIR");
    assert_true(HAS(&facts, "values_shown", "r2", "1", "2"));
}

/* ---- numbers that are added to a text
 * ------------------------------------------------------------------ */

static struct json facts_of_more(const char *code, const char *sent, const char *clicked)
{
    struct buf t = { 0 };
    tr_whole(&t, 0, "1", H "/a.js", "Script", 200, code);
    tr_whole(&t, 20, "2", H "/api/basket", "Fetch", 200, "{'lines':[{'id':7,'qty':2}]}");
    tr(&t, 90, "Machina.input", "{'k':'input','type':'click','target':'button.more','text':'%s'}",
       clicked);
    asks_at(&t, 100, "3", "PUT", H "/api/lines/7", code, "put(", sent);
    tr_answered(&t, 110, "3", 200, "application/json");
    tr_ended(&t, 112, "3");
    tr(&t, 9000, "Page.loadEventFired", "{}");
    return facts_of(&t);
}

static void test_a_number_that_is_sent_with_another_behind_it(void **state)
{
    (void)state;
    static const char code[] = "more.onclick = () => put(this.value + this.step);";
    struct json facts = facts_of_more(code, "{\\'qty\\':21}", "+");
    assert_true(HAS(&facts, "sent_grown", "r3", "$.qty", "2", "1", H "/a.js", "1"));
    facts = facts_of_more("const next = qty + 1;\nput(next);", "{\\'qty\\':\\'21\\'}", "+");
    assert_true(HAS(&facts, "sent_grown", "r3", "$.qty", "2", "1", H "/a.js", "1"));
    static const struct {
        const char *code, *sent, *clicked;
    } none[] = {
        { code, "{\\'qty\\':3}", "+" },
        { code, "{\\'qty\\':20}", "+" },
        { code, "{\\'qty\\':21}", "21" },
        { code, "{\\'lineId\\':21}", "+" },
        { code, "{\\'count\\':21}", "+" },
        { "choose.onchange = () => put(choose.value);", "{\\'qty\\':21}", "+" },
        { "const url = '/api/' + id;\nput(url);", "{\\'qty\\':21}", "+" },
    };
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        facts = facts_of_more(none[i].code, none[i].sent, none[i].clicked);
        if (count_facts(&facts, "sent_grown") > 0)
            fail_msg("%s %s", none[i].code, none[i].sent);
    }
}

static void test_a_number_that_counts_up_is_followed_by_the_next(void **state)
{
    (void)state;
    static const char code[] = "onscroll = () => put(page + 1);";
    static const char *const sent[] = { "{\\'page\\':1}", "{\\'page\\':9}", "{\\'page\\':10}",
                                        "{\\'page\\':11}", "{\\'page\\':12}" };
    struct buf t = { 0 };
    tr_whole(&t, 0, "1", H "/a.js", "Script", 200, code);
    for (int i = 0; i < 5; i++) {
        char id[4] = { (char)('2' + i), 0 };
        asks_at(&t, 100 * i + 100, id, "POST", H "/api/list", code, "put(", sent[i]);
        answers(&t, 100 * i + 110, id, 200, "{}");
    }
    tr(&t, 9000, "Page.loadEventFired", "{}");
    struct json facts = facts_of(&t);
    assert_true(HAS(&facts, "sent_value", "r6", "$.page", "12"));
    assert_int_equal(count_facts(&facts, "sent_grown"), 0);
}

static void test_a_number_that_is_added_to_what_is_always_a_text(void **state)
{
    (void)state;
    static const struct {
        const char *code;
        bool told;
    } rows[] = {
        { "b.onclick = () => { out.textContent = b.dataset.count + 1; };", true },
        { "n.textContent = localStorage.getItem('visits') + 1;", true },
        { "const n = localStorage.getItem('visits') || 0;\nlocalStorage.setItem('visits', n + 1);",
          true },
        { "const n = row.getAttribute('data-n');\nrow.setAttribute('data-n', n + 1);", true },
        { "let n = out.textContent;\nn += 1;\nout.textContent = n;", true },
        { "total = document.getElementById('qty').value + 1;", true },
        { "out.textContent = Number(b.dataset.count) + 1;", false },
        { "out.textContent = +b.dataset.count + 1;", false },
        { "const n = Number(localStorage.getItem('visits'));\nset(n + 1);", false },
        { "count.value = count.value + 1;", false },
        { "const name = 'row-' + b.dataset.count + 1;", false },
        { "let n = out.textContent;\nn = parseInt(n, 10);\nn += 1;", false },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct buf t = { 0 };
        tr_whole(&t, 0, "1", H "/a.js", "Script", 200, rows[i].code);
        shows(&t, "Quantity 21 of 40");
        struct json facts = facts_of(&t);
        if (HAS(&facts, "added_to_text", H "/a.js", "*", "1", "21") != rows[i].told)
            fail_msg("%s", rows[i].code);
    }
    struct buf t = { 0 };
    tr_whole(&t, 0, "1", H "/a.js", "Script", 200, rows[0].code);
    shows(&t, "Quantity 3 of 40, at 10:31");
    struct json facts = facts_of(&t);
    assert_int_equal(count_facts(&facts, "added_to_text"), 0);
}

static void test_two_fields_that_are_added_as_texts(void **state)
{
    (void)state;
    static const struct {
        const char *code, *shown;
        bool told;
    } rows[] = {
        { "out.textContent = a.value + b.value;", "Total 1230", true },
        { "const sum = $('#a').value + $('#b').value;", "Total: 1230 EUR", true },
        { "show(form.a.value + (form.b.value));", "1230", true },
        { "out.textContent = Number(a.value) + Number(b.value);", "Total 42", false },
        { "out.textContent = a.value + b.value;", "Total 42", false },
        { "out.textContent = a.value + ':' + b.value;", "1230", false },
        { "out.textContent = a.value + '' + b.value;", "1230", false },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct buf t = { 0 };
        tr_whole(&t, 0, "1", H "/a.js", "Script", 200, rows[i].code);
        tr(&t, 90, "Machina.deed",
           "{'k':'deed','what':'field','target':'input#a','name':'a','text':'12'}");
        tr(&t, 91, "Machina.deed",
           "{'k':'deed','what':'field','target':'input#b','name':'b','text':'30'}");
        shows(&t, rows[i].shown);
        struct json facts = facts_of(&t);
        if (HAS(&facts, "added_to_text", H "/a.js", "1", "the value of a field", "1230") !=
            rows[i].told)
            fail_msg("%s", rows[i].code);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_said_in_place_of_an_answer_is_told_if_it_is_shown),
        cmocka_unit_test(test_words_for_the_reason_of_a_refusal),
        cmocka_unit_test(test_an_answer_that_nothing_is_done_with),
        cmocka_unit_test(test_an_answer_without_content_that_is_not_read),
        cmocka_unit_test(test_an_answer_is_followed_into_a_function_with_a_short_name),
        cmocka_unit_test(test_code_is_gone_through_so_often_and_not_more),
        cmocka_unit_test(test_code_that_runs_once),
        cmocka_unit_test(test_code_that_runs_once_in_the_script_that_imports_it),
        cmocka_unit_test(test_code_that_asks_once_in_silence_for_what_comes_later),
        cmocka_unit_test(test_messages_that_refuse_what_was_sent),
        cmocka_unit_test(test_a_message_that_came_once_and_is_drawn_twice),
        cmocka_unit_test(test_lines_that_listen_again_whenever_they_run),
        cmocka_unit_test(test_answers_that_are_waited_for_together),
        cmocka_unit_test(test_a_number_that_is_sent_with_another_behind_it),
        cmocka_unit_test(test_a_number_that_counts_up_is_followed_by_the_next),
        cmocka_unit_test(test_a_number_that_is_added_to_what_is_always_a_text),
        cmocka_unit_test(test_two_fields_that_are_added_as_texts),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, begin, end);
}
