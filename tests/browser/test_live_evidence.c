/* A live page's evidence: what a real browser says of a page on which much goes wrong, and that a
 * recording of it, which is its trace written down, says the same. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../domains/browser/plugins/browser/facts.h"
#include "browser/live_fixture.h"
#include "browser/evidence_fixture.h"
#include "browser/traces.h"

static const struct site_page pages[] = {
    { "/", 200, "Set-Cookie: sid=hush-hush; SameSite=None\r\nSet-Cookie: theme=dark\r\n",
      "<!doctype html><head><meta http-equiv=Content-Security-Policy content=\"img-src 'none'\">"
      "<title>Shop</title></head><div role=alert>Could not load</div><img src=/p.png>"
      "<form id=f><button id=go>Go</button></form><form id=w><input name=a><input name=b><button "
      "disabled>Lend</button></form><form id=v><input name=a><input name=b><button disabled>Wait"
      "</button></form><script src=/app.js></script>" },
    { "/app.js", 200, "Content-Type: text/javascript\r\n",
      "async function load() {\n"
      "  const answer = await fetch('/api/cart', { headers: { Authorization: 'Bearer hush-hush' } "
      "});\n"
      "  const data = await answer.json();\n"
      "  show(data.items);\n"
      "}\n"
      "function show(rows) {\n"
      "  rows.map((row) => row.price.amount);\n"
      "}\n"
      "load();\n"
      "fetch('/api/unread');\n"
      "fetch('http://localhost:$P/api/other').catch((e) => console.warn('other', e.message));\n"
      "setTimeout(() => draw(missing), 50);\n"
      "localStorage.setItem('prefs', { dark: true });\n"
      "for (let i = 0; i < 3; i++) clearTimeout(setInterval(() => 0, 60000));\n"
      "for (let i = 0; i < 3; i++) setInterval(() => 0, 70000);\n"
      "f.addEventListener('submit', (e) => { e.preventDefault(); fetch('/api/order', { method: "
      "'POST', body: JSON.stringify({ id: 7, password: 'hush-hush' }) }); });\n"
      "localStorage.setItem('note', '[draft] of today');\n"
      "document.title = localStorage.getItem('note').length > 3 ? 'Shop' : '';\n"
      "w.a.value = w.b.value = v.a.value = 'x';\n" },
    { "/work", 200, "",
      "<!doctype html><title>Work</title><button id=go style='position:fixed;inset:0'>Go</button>"
      "<script src=/work.js></script>" },
    { "/work.js", 200, "Content-Type: text/javascript\r\n",
      "function spin() {\n"
      "  for (const end = Date.now() + 1500; Date.now() < end;);\n"
      "}\n"
      "function rest() {\n"
      "  for (const end = Date.now() + 300; Date.now() < end;);\n"
      "  go.textContent = 'Done';\n"
      "}\n"
      "go.onclick = () => {\n"
      "  spin();\n"
      "  setTimeout(rest, 300);\n"
      "};\n" },
    { "/form", 200, "",
      "<!doctype html><title>Form</title><div id=box></div><script src=/form.js></script>" },
    { "/form.js", 200, "Content-Type: text/javascript\r\n",
      "const draw = () => { box.innerHTML = '<button id=send>Send</button><button id=more>More"
      "</button>'; };\n"
      "draw();\n"
      "document.querySelector('#send').addEventListener('click', () => alert('sent'));\n"
      "box.addEventListener('click', (e) => { if (e.target.id === 'other') draw(); });\n"
      "const root = box.attachShadow({ mode: 'open' });\n"
      "root.innerHTML = '<style>p{color:red}</style>Twelve ships<p role=alert>One is late</p>"
      "<slot></slot>';\n"
      "setTimeout(draw, 50);\n" },
    { "/api/cart", 200, "Content-Type: application/json\r\n",
      "{\"token\":\"hush-hush\",\"items\":[{\"id\":7,\"price\":null}]}" },
    { "/api/unread", 500, "Content-Type: application/json\r\n", "{\"message\":\"out of stock\"}" },
    { "/api/other", 200, "Content-Type: application/json\r\n", "{}" },
    { "/api/order", 403, "Content-Type: application/json\r\n", "{\"detail\":\"no\"}" },
    { NULL, 0, NULL, NULL },
};

static struct site site;

static int begin(void **state)
{
    (void)state;
    char page[80];
    if (!site_start(&site, pages))
        return 1;
    site.other_port = site.port;
    snprintf(page, sizeof page, "http://127.0.0.1:%u/", site.port);
    live_begin(page, ",\"allow\":\"localhost\"");
    return 0;
}

static int end(void **state)
{
    (void)state;
    mgi_live_fini();
    site_stop(&site);
    return 0;
}

static struct json evidence_of(struct job *job)
{
    struct buf out = { 0 };
    struct json all;
    int64_t written, lost;
    assert_true(mgi_evidence_write(job, &out, EVIDENCE_MOST, &written, &lost));
    assert_true(mgi_json_take(job->arena, &out, &all));
    return *mgi_json_get(&all, "facts");
}

/* The id of the request to a path, in its own evidence. */
static const char *id_of(struct job *job, const char *path)
{
    for (size_t i = 0; i < job->capture.request_count; i++)
        if (str_is(mgi_url_path(job->capture.requests[i].url), path))
            return mgi_arena_printf(job->arena, "r%zu", job->capture.requests[i].number);
    fail_msg("no request to %s", path);
    return "";
}

static void press_and_observe(struct job *job)
{
    bool met;
    struct json value;
    if (!mgi_live_open(job) ||
        !mgi_live_run(job, "()=>{document.querySelector('#go').click()}", STR_LIT(""), &value) ||
        !mgi_live_wait(job, WAIT_SETTLED, STR_LIT(""), 300, 5000, &met) || !mgi_live_observe(job))
        fail_msg("%.*s", STR_ARG(mgi_buf_view(job->error)));
}

static size_t count_named(const struct json *facts, const char *pred, const char *arg)
{
    size_t count = 0;
    for (size_t i = 0; i < facts->count; i++) {
        const struct json *args = mgi_json_get(&facts->items[i], "args");
        for (size_t j = 0;
             str_is(mgi_member_string(&facts->items[i], "pred"), pred) && j < args->count; j++)
            count += args->items[j].type == JSON_STRING && str_is(args->items[j].string, arg);
    }
    return count;
}

static void assert_evidence(struct job *job, const struct json *facts)
{
    const char *cart = id_of(job, "/api/cart"), *unread = id_of(job, "/api/unread");
    const char *other = id_of(job, "/api/other"), *order = id_of(job, "/api/order");
    assert_true(HAS(facts, "page", "*", "Shop", "loaded"));
    assert_true(HAS(facts, "shown", "alert", "Could not load"));
    assert_true(HAS(facts, "shown", "stuck", "Lend"));
    assert_false(HAS(facts, "shown", "stuck", "Wait")); /* a field of its form is empty */
    assert_true(HAS(facts, "credential_sent", cart, "bearer"));
    assert_true(HAS(facts, "body_type", cart, "$.items[].price", "null"));
    assert_true(HAS(facts, "answer", unread, "500", "application/json"));
    assert_true(HAS(facts, "body_value", unread, "$.message", "out of stock"));
    assert_true(HAS(facts, "cors_error", other, "MissingAllowOriginHeader", "*"));
    assert_true(HAS(facts, "cookie_refused", id_of(job, "/"), "sid", "*", "set"));
    assert_true(HAS(facts, "cookie_set", id_of(job, "/"), "theme"));
    assert_true(HAS(facts, "csp_violation", "*", "img-src", "*"));
    assert_true(HAS(facts, "error_expression", "*", "row.price", "amount"));
    assert_true(HAS(facts, "reads_body", "*", "$.items[].price"));
    assert_true(HAS(facts, "error_awaits", "*", cart));
    assert_true(HAS(facts, "error_about_name", "*", "draw"));
    assert_true(HAS(facts, "script", "*", "*", "blocking"));
    assert_true(HAS(facts, "stored", "*", "local", "prefs", "word [object Object]"));
    assert_true(HAS(facts, "timer_set", "*", "interval", "60000"));
    assert_true(HAS(facts, "timer_set", "*", "interval", "70000"));
    assert_true(HAS(facts, "timer_again", "*", "3"));
    assert_int_equal(count_facts(facts, "timer_again"), 1); /* clearTimeout ended the others */
    assert_true(HAS(facts, "submitted", "*", "form#f", "get", "*", "true"));
    assert_true(HAS(facts, "asked_after_input", order, "*"));
    assert_true(HAS(facts, "sent_value", order, "$.id", "7"));
    assert_true(HAS(facts, "storage_read", "*", "local", "note", "text"));
    assert_int_equal(count_named(facts, "caught", "SyntaxError"), 0); /* of ours, not the page's */
}

static void test_a_live_page_gives_evidence_and_so_does_its_recording(void **state)
{
    (void)state;
    struct live_job live, read;
    struct buf text = { 0 };
    NEED_BROWSER();
    struct job *job = live_job_begin(&live), *again = live_job_begin(&read);
    press_and_observe(job);
    struct json facts = evidence_of(job);
    assert_evidence(job, &facts);
    assert_true(mgi_trace_write(mgi_live_trace(), &text));
    assert_null(strstr(text.ptr, "hush-hush"));
    struct problems problems = { .text = again->error };
    assert_true(mgi_page_read(again, &problems, mgi_arena_str(again->arena, mgi_buf_view(&text))));
    struct json read_facts = evidence_of(again);
    assert_evidence(again, &read_facts);
    assert_int_equal(read_facts.count, facts.count);
    mgi_buf_fini(&text);
    live_job_end(&live);
    live_job_end(&read);
}

static void open_at(struct job *job, const char *path)
{
    char url[80];
    const char *reason = NULL;
    snprintf(url, sizeof url, "http://127.0.0.1:%u%s", site.port, path);
    if (!mgi_live_open(job) || !mgi_live_navigate(job, str_of(url), &reason))
        fail_msg("%.*s", STR_ARG(mgi_buf_view(job->error)));
}

/* Somebody around it listens, which is not who would have done what the button is for. */
static void test_a_button_that_lost_its_listener(void **state)
{
    (void)state;
    struct live_job live;
    struct json value;
    bool met;
    NEED_BROWSER();
    struct job *job = live_job_begin(&live);
    open_at(job, "/form");
    if (!mgi_live_run(job,
                      "()=>{document.querySelector('#more').click();"
                      "document.querySelector('#send').click()}",
                      STR_LIT(""), &value) ||
        !mgi_live_wait(job, WAIT_SETTLED, STR_LIT(""), 300, 5000, &met) || !mgi_live_observe(job))
        fail_msg("%.*s", STR_ARG(mgi_buf_view(job->error)));
    struct json facts = evidence_of(job);
    char script[80];
    snprintf(script, sizeof script, "http://127.0.0.1:%u/form.js", site.port);
    assert_true(HAS(&facts, "heard", "*", "own"));
    assert_true(HAS(&facts, "stack", "*", "0", "*", script, "4"));
    assert_true(HAS(&facts, "heard", "*", "lost"));
    assert_true(HAS(&facts, "shown", "alert", "One is late")); /* in a root of its own */
    assert_true(mgi_live_wait(job, WAIT_TEXT, STR_LIT("Twelve ships"), 300, 5000, &met) && met);
    assert_true(mgi_live_wait(job, WAIT_TEXT, STR_LIT("color:red"), 300, 300, &met) && !met);
    assert_true(HAS(&facts, "stack", "*", "0", "*", script, "3"));
    live_job_end(&live);
}

static void press_at(struct job *job, const char *type)
{
    struct json done;
    struct str params = mgi_live_params(
        job, "{\"type\":\"%s\",\"x\":20,\"y\":20,\"button\":\"left\",\"clickCount\":1}", type);
    if (!mgi_live_call(job, "Input.dispatchMouseEvent", params, &done))
        fail_msg("%.*s", STR_ARG(mgi_buf_view(job->error)));
}

/* What a press waits for is looked at meanwhile; what runs later the browser measures. */
static void test_long_work_is_told_at_its_code(void **state)
{
    (void)state;
    struct live_job live;
    bool met;
    NEED_BROWSER();
    struct job *job = live_job_begin(&live);
    open_at(job, "/work");
    press_at(job, "mousePressed");
    press_at(job, "mouseReleased");
    if (!mgi_live_wait(job, WAIT_TEXT, STR_LIT("Done"), 300, 5000, &met) || !met ||
        !mgi_live_wait(job, WAIT_SETTLED, STR_LIT(""), 300, 5000, &met) || !mgi_live_observe(job))
        fail_msg("%.*s", STR_ARG(mgi_buf_view(job->error)));
    struct json facts = evidence_of(job);
    char script[80];
    snprintf(script, sizeof script, "http://127.0.0.1:%u/work.js", site.port);
    assert_true(HAS(&facts, "stack", "*", "0", "spin", script, "2"));
    assert_true(HAS(&facts, "stack", "*", "1", "go.onclick", script, "9"));
    assert_true(HAS(&facts, "long_script", "*", "TimerHandler:setTimeout", "*", "*", "*"));
    assert_true(HAS(&facts, "stack", "*", "0", "rest", script, "4"));
    live_job_end(&live);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_live_page_gives_evidence_and_so_does_its_recording),
        cmocka_unit_test(test_a_button_that_lost_its_listener),
        cmocka_unit_test(test_long_work_is_told_at_its_code),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, begin, end);
}
