/* Evidence of what was asked for with the id of something else, of what scripts check of a form,
 * and of lines that deny what was asked for where they stand in the code. */
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

/* ---- ids ------------------------------------------------------------------------------------ */

/* What came from `from`, and then a question to `to`. */
static struct json asked_after(const char *from, const char *body, const char *to, int status)
{
    struct buf t = { 0 };
    tr_whole(&t, 0, "1", from, "Fetch", 200, body);
    tr_whole(&t, 60, "2", to, "Fetch", status, "{}");
    return facts_of(&t);
}

static void test_the_id_of_something_else_is_told_with_the_right_one(void **state)
{
    (void)state;
    static const struct {
        const char *from, *body, *to, *kind, *id, *name, *right, *value;
    } cases[] = {
        { "/api/points", "{'points':[{'id':'SP-2041','meter':{'id':'M-77120'}}]}",
          "/api/meters/SP-2041/series", "meters", "SP-2041", "points.id", "meter.id", "M-77120" },
        { "/api/trips/current", "{'booking':{'id':8841,'departureId':3310},'cabin':'Dash 8'}",
          "/api/departures/8841/seats", "departures", "8841", "booking.id", "departureId", "3310" },
        { "/api/orders/771", "{'id':771,'customer':{'id':90210},'total':12}", "/api/customers/771",
          "customers", "771", "orders.id", "customer.id", "90210" },
        { "/api/visits", "[{'id':7001,'patient_id':5512},{'id':7002,'patient_id':5513}]",
          "/api/history?patient=7002", "patient", "7002", "visits.id", "patient_id", "5513" },
        { "/api/me", "{'ship':{'berth':404,'id':812},'berthId':404}", "/api/berths/812", "berths",
          "812", "ship.id", "berth", "404" },
        { "/api/orders", "{'orders':[{'id':9001,'buyer':{'id':302}}]}", "/api/orders/302", "orders",
          "302", "buyer.id", "orders.id", "9001" },
        { "/api/deliveries", "[{'id':'dl-55','lines':[{'id':'ln-2'}]}]", "/api/deliveries/ln-2",
          "deliveries", "ln-2", "lines.id", "deliveries.id", "dl-55" },
        { "/api/versions", "{'items':[{'id':'v89','docId':'d14'}]}", "/api/documents/v89",
          "documents", "v89", "items.id", "docId", "d14" },
        { "/api/me", "{'id':57,'account':{'id':12}}", "/api/accounts/57/bills", "accounts", "57",
          "id", "account.id", "12" },
        { "/api/doctors", "{'doctors':[{'id':'E-31','clinic':{'id':'C-07'}}]}",
          "/api/slots?doctor=C-07", "doctor", "C-07", "clinic.id", "doctors.id", "E-31" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char from[80], to[80];
        snprintf(from, sizeof from, H "%s", cases[i].from);
        snprintf(to, sizeof to, H "%s", cases[i].to);
        struct json facts = asked_after(from, cases[i].body, to, 404);
        if (!HAS(&facts, "asked_with_id_of", "r2", cases[i].kind, cases[i].id, "r1",
                 cases[i].name) ||
            !HAS(&facts, "id_was_there", "r2", cases[i].right, cases[i].value))
            fail_msg("%s", cases[i].to);
    }
}

static void test_an_id_that_is_known_as_what_was_asked_for_is_right(void **state)
{
    (void)state;
    static const struct {
        const char *from, *body, *to;
    } cases[] = {
        { "/api/points", "{'points':[{'id':'SP-2041','meter':{'id':'M-77120'}}]}",
          "/api/meters/M-77120/series" },
        { "/api/meters", "{'meters':[{'id':'SP-2041','meterId':'X-1'}]}", "/api/meters/SP-2041" },
        { "/api/meters", "[{'id':'M-9001','meterId':'M-1'}]", "/api/meters/M-9001" },
        { "/api/points", "{'points':[{'id':'SP-2041'}]}", "/api/meters/SP-2041" }, /* no other */
        { "/api/points", "{'points':[{'id':7,'meter':8}]}", "/api/meters/7" },     /* short */
        { "/api/points", "{'points':[{'id':7,'page':{'id':8}}]}", "/api/points?page=7" },
        { "/api/orders", "{'orders':[{'id':9001,'buyer':{'id':302}}]}", "/api/partners/302" },
        { "/api/me", "{'id':8841,'userName':'mia'}", "/api/users/8841" },
        { "/api/me", "{'id':8841,'userCode':'X-120'}", "/api/users/8841" },
        { "/api/tags", "{'meters':['M-100','M-200'],'point':{'id':'M-100','meterId':'M-300'}}",
          "/api/meters/M-100" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char from[80], to[80];
        snprintf(from, sizeof from, H "%s", cases[i].from);
        snprintf(to, sizeof to, H "%s", cases[i].to);
        struct json facts = asked_after(from, cases[i].body, to, 404);
        if (count_facts(&facts, "asked_with_id_of") != 0)
            fail_msg("%s of %s", cases[i].to, cases[i].body);
    }
}

static void test_another_thing_that_was_answered_is_told(void **state)
{
    (void)state;
    static const char list[] =
        "{'products':[{'id':341,'name':'Lamp Nora','category':{'id':113,'name':'Light'}}]}";
    static const struct {
        const char *answer;
        bool told;
    } cases[] = {
        { "{'id':113,'name':'Rake Till'}", true },
        { "{'data':{'id':113,'name':'Rake Till'}}", true },
        { "{'id':113,'name':'lamp nora'}", false },
        { "{'id':113,'text':'Rake Till'}", false },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct buf t = { 0 };
        tr_whole(&t, 0, "1", H "/api/products", "Fetch", 200, list);
        tr_whole(&t, 60, "2", H "/api/products/113", "Fetch", 200, cases[i].answer);
        struct json facts = facts_of(&t);
        if (HAS(&facts, "answered_other", "r2", "Lamp Nora", "Rake Till") != cases[i].told ||
            !HAS(&facts, "id_was_there", "r2", "products.id", "341"))
            fail_msg("%s", cases[i].answer);
    }
}

/* A question with a body behind an answer. */
static void test_an_id_of_something_else_in_what_is_sent_is_told(void **state)
{
    (void)state;
    static const struct {
        const char *body;
        bool told;
    } cases[] = {
        { "{\\\"fileId\\\":\\\"fo-31\\\"}", true },
        { "{\\\"fileId\\\":\\\"f-204\\\"}", false },
        { "{\\\"target\\\":\\\"fo-31\\\"}", false },
        { "[\\\"fo-31\\\"]", false },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct buf t = { 0 };
        tr_whole(&t, 0, "1", H "/api/files/current", "Fetch", 200,
                 "{'id':'f-204','folder':{'id':'fo-31'}}");
        tr(&t, 60, "Network.requestWillBeSent",
           "{'requestId':'2','loaderId':'L1','request':{'url':'http://h/api/"
           "shares','method':'POST',"
           "'headers':{'Content-Type':'application/json'},'postData':'%s'},'timestamp':1000.06,"
           "'wallTime':%.3f,'type':'Fetch','frameId':'F'}",
           cases[i].body, (double)(TRACES_T0 + 60) / 1000);
        struct json facts = facts_of(&t);
        if (HAS(&facts, "asked_with_id_of", "r2", "fileId", "fo-31", "r1", "folder.id") !=
            cases[i].told)
            fail_msg("%s", cases[i].body);
    }
}

/* ---- checks --------------------------------------------------------------------------------- */

/* A form with the fields value, on and mail (empty) was sent, 104512 in value. */
static struct json checked_by(const char *script)
{
    struct buf t = { 0 };
    tr_whole(&t, 0, "1", H "/rules.js", "Script", 200, script);
    tr(&t, 50, "Machina.deed",
       "{'k':'deed','what':'form','target':'form#f','text':'value on mail=','stack':''}");
    tr(&t, 51, "Machina.deed",
       "{'k':'deed','what':'field','target':'input#value','name':'value','text':'104512',"
       "'stack':''}");
    return facts_of(&t);
}

static void test_a_check_that_refuses_what_was_filled_in_is_told(void **state)
{
    (void)state;
    static const struct {
        const char *script, *name, *value, *pattern, *line;
    } cases[] = {
        { "const R = {\n on: [filled],\n value: [filled, shaped(/^\\d{1,5}$/, 'up to "
          "five')],\n};\n",
          "value", "104512", "^\\d{1,5}$", "3" },
        { "const R = { on: required(), value: { pattern: /^[A-Z]+$/i, text: 'no' } };\n", "value",
          "104512", "^[A-Z]+$", "1" },
        { "const R = {\n 'value': (v) => /^(?:19|20)\\d\\d$/.test(v) || 'no',\n on: (v) => v };\n",
          "value", "104512", "^(?:19|20)\\d\\d$", "2" },
        { "check({ value(v) { return v; }, mail(v) {\n return /^\\S?[^@]+@.+$/.test(v); },\n on: "
          "/^x?/ });\n",
          "", "", "", "" }, /* \S is not understood */
        { "const R = { on: (v) => v,\n mail: (v) => /^[^@]+@.+$/.test(v) };\n", "mail", "",
          "^[^@]+@.+$", "2" },
        { "const R = { on: (v) => v,\n mail: (v) => !v || /^[^@]+@.+$/.test(v) };\n", "", "", "",
          "" },
        { "const R = { on: (v) => v, value: (v) => /^\\d{6}$/.test(v) };\n", "", "", "", "" },
        { "const R = { on: (v) => v, value: (v) => /\\d{7}/.test(v) };\n", "", "", "", "" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct json facts = checked_by(cases[i].script);
        bool told = count_facts(&facts, "form_check_refuses") > 0;
        if (told != (cases[i].name[0] != '\0') || count_facts(&facts, "form_checked") != 1 ||
            (told && !HAS(&facts, "form_check_refuses", "form#f", cases[i].name, cases[i].value,
                          cases[i].pattern, H "/rules.js", cases[i].line)))
            fail_msg("%s", cases[i].script);
    }
}

static void test_a_check_of_a_field_that_is_not_there_is_told(void **state)
{
    (void)state;
    static const struct {
        const char *script;
        bool told;
    } cases[] = {
        { "const R = {\n value: (v) => ok(v),\n on: [filled],\n phone: [filled, long(8)],\n};\n",
          true },
        { "const R = {\n value: z.string(),\n on: z.date(),\n phone: z.string().min(8),\n};\n",
          true },
        { "const R = {\n value: { required: true },\n on: {},\n phone: { required: true },\n};\n",
          true },
        { "const REQUIRED = [\n 'value', 'on',\n 'phone'];\n\n", true },
        { "if (!['value', 'on', 'phone'].every((n) => data.get(n))) return;\n", true },
        { "const R = { value: z.string(), on: z.date(), phone: z.string().optional() };\n", false },
        { "const labels = { value: 'Value', on: 'Date', phone: 'Telephone' };\n", false },
        { "send({ value: values.value, on: values.on, phone: user.phone });\n", false },
        { "const names = ['value', 'on', 'phone'];\n", false },
        { "const R = { value: ok(), on: ok(), a: isA(), b: isB(), c: isC() };\n", false },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct json facts = checked_by(cases[i].script);
        bool told = count_facts(&facts, "form_check_lacks") > 0;
        if (told != cases[i].told)
            fail_msg("%s", cases[i].script);
    }
    struct json facts = checked_by(cases[0].script);
    assert_true(HAS(&facts, "form_check_lacks", "form#f", "phone", H "/rules.js", "4"));
}

static void test_a_condition_that_refuses_what_was_filled_in_is_told(void **state)
{
    (void)state;
    static const struct {
        const char *script, *pattern;
    } cases[] = {
        { "if (!/^\\d{5}$/.test(form.value.value.trim())) return;\n", "^\\d{5}$" },
        { "const ok = /^\\d{5}$/.test(data.get('value'));\n", "^\\d{5}$" },
        { "const ZIP = /^\\d{5}$/;\nif (!ZIP.test(v.value)) return;\n", "^\\d{5}$" },
        { "const isZip = (s) => /^\\d{5}$/.test(s);\nif (v.on && isZip(v.value)) send();\n", "" },
        { "const isZip = (s) => /^\\d{5}$/.test(s);\nif (!isZip(v.value)) return;\n", "^\\d{5}$" },
        { "function isZip(s) {\n return /^\\d{5}$/.test(s);\n}\nconst ok = isZip(v.value);\n",
          "^\\d{5}$" },
        { "const is = (s) => s !== '';\nconst x = /^\\d{5}$/;\nif (!is(v.value)) return;\n", "" },
        { "const { value } = all();\nif (!/^\\d{5}$/.test(value)) return;\n", "^\\d{5}$" },
        { "if (/^\\d{5}$/.test(v.value)) return;\n", "" },
        { "if (!/^\\d{6}$/.test(v.value)) return;\n", "" },
        { "if (!/^\\d{5}$/.test(v.other)) return;\n", "" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct json facts = checked_by(cases[i].script);
        bool told = count_facts(&facts, "form_check_refuses") > 0;
        if (told != (cases[i].pattern[0] != '\0'))
            fail_msg("%s", cases[i].script);
    }
}

static void test_a_condition_that_asks_for_what_is_no_field_is_told(void **state)
{
    (void)state;
    static const struct {
        const char *script;
        bool told;
    } cases[] = {
        { "if (!data.get('value') || !data.get('phone')) return;\n", true },
        { "if (!v.value) e.value = 'no';\nif (!v.phone) e.phone = 'no';\n", true },
        { "const { elements } = form; if (!elements.on || !elements.phone.value) return;\n", true },
        { "if (!data.get('value') || !other.get('phone')) return;\n", false },
        { "v.phone = user.phone;\nif (!v.value || !v.phone) return;\n", false },
        { "if (!v.value || v.phone) return;\n", false },
        { "if (!v.value || !v.length || !v.trim()) return;\n", false },
        { "if (!response.ok || !v.value) return;\n", false },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct json facts = checked_by(cases[i].script);
        bool told = count_facts(&facts, "form_check_lacks") > 0;
        if (told != cases[i].told)
            fail_msg("%s", cases[i].script);
    }
}

/* ---- listeners of submit ----------------------------------------------------------------------
 */

/* A form was sent, and this is shown, or hidden, at the end. */
static struct json sent_to(const char *script, const char *shown, const char *veiled)
{
    struct buf t = { 0 };
    tr_whole(&t, 0, "1", H "/f.js", "Script", 200, script);
    tr(&t, 50, "Machina.input", "{'k':'input','type':'submit','target':'form#f'}");
    tr(&t, 100, "Machina.veil",
       "{'veiled':[{'target':'p#e','how':'display: none','text':'%s','count':1}]}", veiled);
    tr(&t, 900, "Machina.state",
       "{'url':'http://h/','ready':'complete','state':'loaded','text':'Hello','shown':[{%s}]}",
       shown);
    return facts_of(&t);
}

static void test_the_listener_of_submit_is_told_with_what_it_says(void **state)
{
    (void)state;
    static const struct {
        const char *script, *how, *line;
        bool says;
    } cases[] = {
        { "f.addEventListener('submit', (e) => {\n e.preventDefault();\n if (bad()) {\n"
          " p.textContent = 'At most 8 guests.';\n return; }\n send(); });\n",
          "guarded", "3", true },
        { "f.onsubmit = async function (e) {\n send();\n};\nlog('At most 8 guests.');\n", "all",
          "1", false },
        { "class F {\n constructor(f) { f.addEventListener('submit', this.go.bind(this)); }\n"
          " go(e) {\n  if (!this.ok()) return this.warn();\n }\n}\n",
          "guarded", "4", false },
        { "f.addEventListener('submit', go);\nfunction go(e) {\n say(1);\n}\n"
          "function say(n) { p.textContent = 'At most 8 guests.'; }\n",
          "all", "1", true },
        { "f.onsubmit = (e) => this.go(e);\nx = { go(e) {\n if (!this.ok()) return;\n } };\n",
          "guarded", "3", false },
        { "f.addEventListener('click', () => { if (a) b('At most 8 guests.'); });\n", "", "",
          false },
        { "f.addEventListener('submit', () => { if (a) b(); });\n"
          "g.addEventListener('submit', () => { if (a) b(); });\n",
          "", "", false },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct json facts = sent_to(cases[i].script, "'kind':'alert','text':'At most 8 guests.'",
                                    "At most 8 guests.");
        bool told = cases[i].how[0] != '\0';
        if (count_facts(&facts, "submit_listener") != told ||
            (told && !HAS(&facts, "submit_listener", H "/f.js", cases[i].how, cases[i].line)) ||
            HAS(&facts, "said_by_listener", "alert") != cases[i].says ||
            HAS(&facts, "veiled_by_listener", "p#e") != cases[i].says)
            fail_msg("%s", cases[i].script);
    }
}

static void test_where_a_button_is_enabled_is_told_if_it_is_stuck(void **state)
{
    (void)state;
    static const struct {
        const char *script, *shown;
        bool told;
    } cases[] = {
        { "\nok.disabled = !(a && b === 'true');\n", "'kind':'stuck','text':'Join'", true },
        { "\nok.toggleAttribute('disabled', !valid());\n", "'kind':'stuck','text':'Join'", true },
        { "\nok.disabled = !a;\nother.disabled = !b;\n", "'kind':'stuck','text':'Join'", false },
        { "\nok.disabled = true;\n", "'kind':'stuck','text':'Join'", false },
        { "\nok.disabled = !a;\n", "'kind':'heading','text':'Join'", false },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct json facts = sent_to(cases[i].script, cases[i].shown, "");
        if (HAS(&facts, "button_enabled", H "/f.js", "2") != cases[i].told)
            fail_msg("%s", cases[i].script);
    }
}

/* ---- what is denied where it is asked -----------------------------------------------------------
 */

#define FRAMES(line, column)                                                                       \
    ",'initiator':{'type':'script','stack':{'callFrames':[{'functionName':'load','url':'" H        \
    "/a.js','lineNumber':" #line ",'columnNumber':" #column "}]}}"

static void test_a_line_that_denies_is_of_what_is_asked_for_nearest(void **state)
{
    (void)state;
    static const char code[] =
        "const a = await get(1);\n"
        "\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n"
        "// it is far from there what comes next, and is nothing of what was asked for above it,\n"
        "// as anybody sees who reads so far; and so it goes on to the next line, too.\n"
        "const b = await get(2);\n"
        "show(b.ok ? b.list : `We do not fly to ${town} today.`);\n"
        "say('The kitchen takes no more orders.');\n";
    static const struct {
        const char *text;
        bool told;
    } cases[] = {
        { "We do not fly to Bodo today.", true },
        { "The kitchen takes no more orders.", true },
        { "We do fly to Bodo.", false },
        { "This is not said by any code.", false },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct buf t = { 0 };
        tr_whole(&t, 0, "1", H "/a.js", "Script", 200, code);
        tr_asked(&t, 40, "2", "GET", H "/api/one", "Fetch", FRAMES(0, 10));
        tr_asked(&t, 60, "3", "GET", H "/api/two", "Fetch", FRAMES(45, 10));
        tr(&t, 900, "Machina.state",
           "{'url':'http://h/','ready':'complete','state':'loaded','text':'Hello\\n%s'}",
           cases[i].text);
        struct json facts = facts_of(&t);
        if (HAS(&facts, "said_none", "r3", cases[i].text, "") != cases[i].told ||
            count_facts(&facts, "said_none") != cases[i].told)
            fail_msg("%s", cases[i].text);
    }
}

/* ---- what went wrong: elsewhere, and whether the page is of it --------------------------------
 */

static void test_what_went_wrong_may_be_answered_elsewhere(void **state)
{
    (void)state;
    static const struct {
        const char *first, *second;
        int line;
        bool told;
    } cases[] = {
        { "http://mirror:1/m/station/hedstad", H "/api/station/hedstad", 4, true },
        { "http://mirror:1/m/station/hedstad", H "/api/station/almby", 4, false },   /* another */
        { "http://mirror:1/m/station/hedstad", H "/api/station/hedstad", 9, false }, /* elsewhere */
        { H "/api/station/hedstad", H "/api/station/hedstad", 4, false },            /* again */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct buf t = { 0 };
        char frames[300];
        snprintf(frames, sizeof frames,
                 ",'initiator':{'type':'script','stack':{'callFrames':[{'functionName':'load',"
                 "'url':'" H "/a.js','lineNumber':%d,'columnNumber':3}]}}",
                 cases[i].line);
        tr_asked(&t, 10, "1", "GET", cases[i].first, "Fetch", FRAMES(4, 3));
        tr_answered(&t, 18, "1", 503, "text/plain");
        tr_ended(&t, 20, "1");
        tr_asked(&t, 40, "2", "GET", cases[i].second, "Fetch", frames);
        tr_answered(&t, 48, "2", 200, "application/json");
        tr_ended(&t, 50, "2");
        struct json facts = facts_of(&t);
        if (HAS(&facts, "answered_elsewhere", "r1", "r2") != cases[i].told)
            fail_msg("%s and %s", cases[i].first, cases[i].second);
    }
}

static void test_a_page_is_of_what_its_heading_says(void **state)
{
    (void)state;
    struct buf t = { 0 };
    tr_whole(&t, 0, "1", H "/api/delays", "Fetch", 500, "{}");
    tr_whole(&t, 20, "2", H "/api/offers", "Fetch", 500, "{}");
    tr_whole(&t, 40, "3", H "/api/delays", "Fetch", 200, "[]");
    tr(&t, 900, "Machina.state",
       "{'url':'http://h/"
       "','ready':'complete','state':'loaded','shown':[{'kind':'heading','text':'Delays today'}],"
       "'text':'Delays today'}");
    struct json facts = facts_of(&t);
    assert_true(HAS(&facts, "page_is_of", "r1", "delay"));
    assert_int_equal(count_facts(&facts, "page_is_of"), 1);
}

/* ---- within the document, and within a refusal --------------------------------------------------
 */

static void test_what_a_script_of_the_document_sets_is_told_where_others_ask_for_it(void **state)
{
    (void)state;
    static const struct {
        const char *page, *script;
        bool told;
    } cases[] = {
        { "<script>window.__SALE__ = { open: 1 };</script>", "\nconst s = window.__SALE__;\n",
          true },
        { "<script>window.__SALE__ = { open: 1 };</script>", "\nconst s = window.__SALES__;\n",
          false },
        { "<script>if (window.__SALE__ == 1) go();</script>", "\nconst s = window.__SALE__;\n",
          false },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct buf t = { 0 };
        tr_whole(&t, 0, "1", H "/", "Document", 200, cases[i].page);
        tr_whole(&t, 20, "2", H "/a.js", "Script", 200, cases[i].script);
        struct json facts = facts_of(&t);
        if (HAS(&facts, "inline_gives", "__SALE__", H "/a.js", "2") != cases[i].told ||
            count_facts(&facts, "inline_gives") != cases[i].told)
            fail_msg("%s", cases[i].page);
    }
}

static void test_what_is_read_of_a_refusal_is_not_missed_in_an_answer(void **state)
{
    (void)state;
    static const struct {
        const char *code;
        bool missed;
    } cases[] = {
        { "x.onload = () => {\n const d = JSON.parse(x.responseText);\n "
          "show(d.rev);\n};\nx.send();\n",
          true },
        { "x.onload = () => {\n const d = JSON.parse(x.responseText);\n if (x.status === 409 && "
          "!again) "
          "{\n  say('merged');\n  return ask({ rev: d.rev });\n }\n};\nx.send();\n",
          false },
        { "x.onload = () => {\n const d = JSON.parse(x.responseText);\n if (x.status >= 400) {\n  "
          "show(d.rev);\n }\n};\nx.send();\n",
          false },
        { "x.onload = () => {\n const d = JSON.parse(x.responseText);\n if (x.status === 200) {\n  "
          "show(d.rev);\n }\n};\nx.send();\n",
          true },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct buf t = { 0 };
        char frames[300];
        int line = 0;
        for (const char *at = cases[i].code; at < strstr(cases[i].code, "x.send"); at++)
            line += *at == '\n';
        snprintf(frames, sizeof frames,
                 ",'initiator':{'type':'script','stack':{'callFrames':[{'functionName':'',"
                 "'url':'" H "/a.js','lineNumber':%d,'columnNumber':2}]}}",
                 line);
        tr_whole(&t, 0, "1", H "/a.js", "Script", 200, cases[i].code);
        tr_asked(&t, 40, "2", "GET", H "/api/tasks", "XHR", frames);
        tr_answered(&t, 48, "2", 200, "application/json");
        tr_ended(&t, 50, "2");
        tr(&t, 50, "Machina.body", "{'requestId':'2','text':'{\\'tasks\\':[]}'}");
        struct json facts = facts_of(&t);
        if ((count_facts(&facts, "code_misses") > 0) != cases[i].missed)
            fail_msg("%s", cases[i].code);
    }
}

static void test_an_answer_that_is_of_another_thing(void **state)
{
    (void)state;
    static const struct {
        const char *url, *body;
        bool told;
    } rows[] = {
        { "/api/shipments/EX-2041/papers", "{'shipmentId':'EX-2014','papers':[]}", true },
        { "/api/shipments/EX-2041", "{'shipment_id':'EX-2014'}", true },
        { "/api/users/17", "{'id':18,'name':'Ann'}", true },
        { "/api/shipments/EX-2041/papers", "{'shipmentId':'EX-2041'}", false },
        { "/api/shipments/ex-2041/papers", "{'shipmentId':'EX-2041'}", false },
        { "/api/shipments/EX-2041/papers", "{'shipmentId':'2014'}", false }, /* another form */
        { "/api/shipments/EX-2041/papers", "{'id':'EX-2014'}", false },      /* of the papers */
        { "/api/orders/17/next", "{'orderId':18}", false },                  /* as it is asked */
        { "/api/users/17", "{'id':18117}", false },
        { "/api/users/17", "[{'id':18}]", false },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct buf t = { 0 };
        char url[100];
        snprintf(url, sizeof url, "http://h%s", rows[i].url);
        tr_whole(&t, 0, "1", url, "Fetch", 200, rows[i].body);
        struct json facts = facts_of(&t);
        if ((count_facts(&facts, "answered_another") == 1) != rows[i].told)
            fail_msg("%s %s", rows[i].url, rows[i].body);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_answer_that_is_of_another_thing),
        cmocka_unit_test(test_the_id_of_something_else_is_told_with_the_right_one),
        cmocka_unit_test(test_an_id_that_is_known_as_what_was_asked_for_is_right),
        cmocka_unit_test(test_another_thing_that_was_answered_is_told),
        cmocka_unit_test(test_an_id_of_something_else_in_what_is_sent_is_told),
        cmocka_unit_test(test_a_check_that_refuses_what_was_filled_in_is_told),
        cmocka_unit_test(test_a_check_of_a_field_that_is_not_there_is_told),
        cmocka_unit_test(test_a_condition_that_refuses_what_was_filled_in_is_told),
        cmocka_unit_test(test_a_condition_that_asks_for_what_is_no_field_is_told),
        cmocka_unit_test(test_the_listener_of_submit_is_told_with_what_it_says),
        cmocka_unit_test(test_where_a_button_is_enabled_is_told_if_it_is_stuck),
        cmocka_unit_test(test_a_line_that_denies_is_of_what_is_asked_for_nearest),
        cmocka_unit_test(test_what_went_wrong_may_be_answered_elsewhere),
        cmocka_unit_test(test_a_page_is_of_what_its_heading_says),
        cmocka_unit_test(test_what_a_script_of_the_document_sets_is_told_where_others_ask_for_it),
        cmocka_unit_test(test_what_is_read_of_a_refusal_is_not_missed_in_an_answer),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, begin, end);
}
