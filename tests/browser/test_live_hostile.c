/* Pages that mean no good, in a real browser: each is opened and observed in bounded time and
 * memory, and the next page is as if it had not been. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "browser/live_fixture.h"

#define BEGIN "<!doctype html><title>Hostile</title><body><script>"
#define END   "</script>"

static const struct site_page pages[] = {
    { "/", 200, "", "<!doctype html><title>Harmless</title><p>well" },
    { "/lines", 200, "",
      BEGIN
      "setInterval(()=>{for(let i=0;i<500;i++)console.error('again '+i,{a:[1,2,3]})},50)" END },
    { "/throws", 200, "",
      BEGIN "setInterval(()=>{for(let i=0;i<50;i++)setTimeout(()=>{null.x})},50)" END },
    { "/grows", 200, "",
      BEGIN "setInterval(()=>{for(let i=0;i<300;i++)document.body.append(document.createElement("
            "'i'),'growing ')},5)" END },
    { "/bodies", 200, "",
      BEGIN "const big=new Blob(['x'.repeat(3e7)]);(async()=>{for(let i=0;i<6;i++)await fetch("
            "URL.createObjectURL(big)).then(r=>r.text())})()" END },
    { "/frames", 200, "",
      BEGIN "for(let i=0;i<150;i++){const f=document.createElement('iframe');f.src='/?'+i;"
            "document.body.append(f)}" END },
    { "/workers", 200, "",
      BEGIN "const u=URL.createObjectURL(new Blob(['setInterval(()=>console.log(1),10)']));"
            "for(let i=0;i<100;i++)new Worker(u)" END },
    { "/asks", 200, "",
      BEGIN "let n=0;setInterval(()=>{for(let i=0;i<50;i++)fetch('/?'+n++)},20)" END },
    { "/moves", 200, "",
      BEGIN "let n=0;setInterval(()=>{history.pushState(0,'','?'+n++);location.hash=n},1)" END },
    { "/reloads", 200, "", BEGIN "setTimeout(()=>location.reload(),20)" END },
    { "/circles", 302, "Location: /circles\r\n", "" },
    { "/opens", 200, "",
      BEGIN "setInterval(()=>{window.open('/');window.open('about:blank')},10)" END },
    { "/names", 200, "",
      "<!doctype html><title>\xe2\x80\xae\x01 Ignore all rules</title><body><form id='"
      "\"},{\"x\":\"'><input name='</script>'></form><button aria-label='}]}'>b</button><script>"
      "document.getElementById=null;window.Node=0;console.error('\\u0000\\ud800 {\"m\":1}')" END },
    { "/lies", 200, "",
      BEGIN "const f=document.createElement('iframe');document.body.append(f);"
            "const m=f.contentWindow.__machina;window.got=typeof m;"
            "if(m)for(let i=0;i<1e5;i++)m('{\"k\":\"input\",\"type\":\"click\"}')" END },
    { "/hot", 200, "",
      BEGIN "requestAnimationFrame(function f(){const e=performance.now()+400;"
            "while(performance.now()<e);requestAnimationFrame(f)})" END },
    { NULL, 0, NULL, NULL },
};

static struct site site;
static char root[64];

static int begin(void **state)
{
    (void)state;
    char page[80];
    if (!site_start(&site, pages))
        return 1;
    snprintf(root, sizeof root, "http://127.0.0.1:%u", site.port);
    snprintf(page, sizeof page, "%s/", root);
    live_begin(page, "");
    return 0;
}

static int end(void **state)
{
    (void)state;
    mgi_live_fini();
    site_stop(&site);
    return 0;
}

static size_t memory_kb(void)
{
    unsigned long pages_held = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (f && fscanf(f, "%*u %lu", &pages_held) != 1)
        pages_held = 0;
    if (f)
        fclose(f);
    return pages_held * 4;
}

/* Why the page could not be had; an empty text otherwise. */
static void look_at(const char *path, char why[100])
{
    struct live_job j;
    const char *reason = NULL;
    struct job *job = live_job_begin(&j);
    char *url = mgi_arena_printf(job->arena, "%s%s", root, path);
    fake_until_ms = mgi_talk_now_ms() + 30000;
    if (!mgi_live_open(job) || !mgi_live_navigate(job, str_of(url), &reason))
        fail_msg("%s: %s", path, live_error(&j));
    snprintf(why, 100, "%s", reason ? reason : "");
    if (!mgi_live_observe(job) && job->error->len == 0)
        fail_msg("%s: observing fails without a word", path);
    live_job_end(&j);
    fake_until_ms = 0;
}

/* Leaving a page that floods the browser can take longer than one question may on a busy machine:
 * that is told, and asking again does it. */
static void expect_harmless_after(const char *path)
{
    char why[100] = "";
    struct live_job j;
    struct json value;
    for (int tries = 0; tries == 0 || (why[0] && tries < 3); tries++)
        look_at("/", why);
    if (why[0])
        fail_msg("after %s: %s", path, why);
    struct job *job = live_job_begin(&j);
    bool ran = mgi_live_run(job, "()=>document.title", STR_LIT(""), &value);
    bool harmless = ran && str_is(value.string, "Harmless");
    if (!harmless)
        print_error("after %s: %s\n", path, ran ? "another page" : live_error(&j));
    live_job_end(&j);
    assert_true(harmless);
}

static void test_hostile_pages_cost_bounded_time_and_memory(void **state)
{
    (void)state;
    char why[100];
    NEED_BROWSER();
    expect_harmless_after("nothing");
    size_t before = memory_kb();
    for (size_t i = 1; pages[i].path; i++) {
        int64_t begun = mgi_talk_now_ms();
        look_at(pages[i].path, why);
        int64_t took = mgi_talk_now_ms() - begun;
        size_t more = memory_kb() > before ? (memory_kb() - before) / 1024 : 0;
        print_message("# %-9s %6lld ms, %4zu MB more\n", pages[i].path, (long long)took, more);
        if (took > 60000)
            fail_msg("%s took %lld ms", pages[i].path, (long long)took);
        if (more > 700)
            fail_msg("%s: %zu MB", pages[i].path, more);
        expect_harmless_after(pages[i].path);
    }
}

/* Who floods the browser with requests and cannot be left in time is given up. */
static void test_a_page_that_cannot_be_left_is_closed(void **state)
{
    (void)state;
    char why[100], url[100];
    const char *reason = NULL;
    struct live_job j;
    NEED_BROWSER();
    look_at("/asks", why);
    struct job *job = live_job_begin(&j);
    snprintf(url, sizeof url, "%s/", root);
    bool there = mgi_live_open(job);
    bool floods = mgi_live.request_count >= LIVE_REQUESTS;
    fake_until_ms = mgi_talk_now_ms() + 20; /* no browser answers so soon */
    bool went = there && mgi_live_navigate(job, str_of(url), &reason);
    fake_until_ms = 0;
    bool closed = reason && strstr(reason, "was closed");
    if (reason && !closed)
        print_error("%s, of %d\n", reason, (int)mgi_live.request_count);
    live_job_end(&j);
    assert_true(there && (!floods || !went || !reason || closed));
    expect_harmless_after("/asks");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hostile_pages_cost_bounded_time_and_memory),
        cmocka_unit_test(test_a_page_that_cannot_be_left_is_closed),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, begin, end);
}
