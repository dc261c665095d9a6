/* A live page in a real browser: opened, asked, waited for, kept from where it may not go, and
 * brought back when it crashes, hangs or is killed. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include <arpa/inet.h>
#include <signal.h>

#include "browser/live_fixture.h"

static const struct site_page pages[] = {
    { "/", 200, "Set-Cookie: sid=abc; HttpOnly\r\n",
      "<!doctype html><title>Shop</title><h1>Hello</h1><form id=f><input name=mail value=a@b>"
      "<input name=pw type=password value=hush></form><div id=host></div><img src=/none.png>"
      "<script>localStorage.theme='dark';localStorage.apitoken='s3cret';"
      "host.attachShadow({mode:'open'}).innerHTML='<button>Inside</button>'</script>" },
    { "/late", 200, "",
      "<!doctype html><title>Late</title><p id=out>loading</p><script>"
      "setTimeout(()=>fetch('/data').then(r=>r.text()).then(t=>fetch('/data?2')).then(()=>{"
      "out.textContent='all here';console.log('it came')}),150)</script>" },
    { "/data", 200, "Content-Type: application/json\r\n", "{\"a\":1}" },
    { "/poll", 200, "",
      "<!doctype html><title>Poll</title><script>fetch('/never');"
      "setInterval(()=>document.title+='.',20);new EventSource('/never')</script>" },
    { "/never", 200, "", NULL },
    { "/tamper", 200, "",
      "<!doctype html><title>Tamper</title><script>window.found=typeof __machina;"
      "const f=document.createElement('iframe');document.documentElement.append(f);"
      "found+=typeof f.contentWindow.__machina;"
      "JSON.stringify=()=>{throw 1};Array.prototype.map=()=>{throw 2};Object.assign=()=>{throw 3};"
      "document.querySelectorAll=()=>[];Date.now=()=>{throw 4};addEventListener=()=>{throw 5}"
      "</script><button>b</button>" },
    { "/inner", 200, "",
      "<!doctype html><title>Inner</title><script>const hosts=['127.0.0.2','0.0.0.0',"
      "'[::ffff:127.0.0.1]','a.localhost','127.1.1.1','169.254.169.254'];for(const h of hosts){"
      "const o='http://'+h+':$Q/';fetch(o+'fetch',{mode:'no-cors'}).catch(()=>0);"
      "new Image().src=o+'image';navigator.sendBeacon(o+'beacon','x');"
      "new WebSocket('ws://'+h+':$Q/socket');const f=document.createElement('iframe');"
      "f.src=o+'frame';document.documentElement.append(f)}"
      "fetch('/away',{mode:'no-cors'}).catch(()=>0);new Worker('/worker.js')</script>" },
    { "/held", 200, "",
      "<p id=out></p><script>setTimeout(()=>{const t=performance.now();"
      "while(performance.now()-t<1200);(async()=>{for(let i=0;i<40;i++)await fetch('/data?5');"
      "document.getElementById('out').textContent='come'})()},50)</script>" },
    { "/worker.js", 200, "Content-Type: text/javascript\r\n",
      "fetch('http://127.0.0.2:$Q/worker',{mode:'no-cors'}).catch(()=>0)" },
    { "/sw.js", 200, "Content-Type: text/javascript\r\n",
      "oninstall=()=>fetch('http://127.0.0.2:$Q/sw',{mode:'no-cors'}).catch(()=>0)" },
    { "/near", 200, "",
      "<!doctype html><title>Near</title><script>fetch('http://127.0.0.1:$Q/api',{mode:'no-cors'})"
      ".then(()=>document.title='Answered')</script>" },
    { "/goes", 200, "",
      "<!doctype html><title>Goes</title><script>location='http://127.0.0.1:$Q/top'</script>" },
    { "/awry", 302, "Location: http://127.0.0.1:$Q/redirect\r\n", "" },
    { "/away", 302, "Location: http://127.0.0.2:$Q/redirect\r\n", "" },
    { "/leave", 200, "",
      "<!doctype html><title>Stays</title><script>location='http://elsewhere.invalid/x'</script>" },
    { "/file", 200, "Content-Disposition: attachment\r\n", "a file" },
    { "/nothing", 204, "", "" },
    { "/alerts", 200, "",
      "<!doctype html><title>Alerts</title><script>document.title=String(confirm('sure?'))+"
      "prompt('who?')</script>" },
    { "/endless", 200, "",
      "<!doctype html><title>Endless</title><script>onload=()=>{for(;;)alert('more')}</script>" },
    { "/popups", 200, "",
      "<!doctype html><title>Popups</title><button id=b onclick=\"for(let i=0;i<3;i++)"
      "window.open('/data?'+i,'w'+i)\">open</button><a id=a href='/data' target=_blank>new</a>" },
    { "/stops", 200, "",
      "<!doctype html><title>Stops</title><script>debugger;document.title='Goes on'</script>" },
    { "/hang", 200, "",
      "<!doctype html><title>Hang</title><button onclick='for(;;);'>hang</button>" },
    { "/files", 200, "",
      "<!doctype html><title>Files</title><script>for(let i=0;i<24;i++){const a=document."
      "createElement('a');a.href=URL.createObjectURL(new Blob(['file '+i]));a.download='../f'+i+"
      "'.txt';document.documentElement.append(a);setTimeout(()=>a.click(),i*30)}</script>" },
    { NULL, 0, NULL, NULL },
};

static struct site site, inner; /* the page's, and one that nobody has allowed */
static char root[64];
static const char *settings = ""; /* beside the page */

static int begin(void **state)
{
    (void)state;
    static const struct site_page nothing[] = { { NULL, 0, NULL, NULL } };
    char page[80];
    if (!site_start(&site, pages) || !site_start_at(&inner, nothing, INADDR_ANY))
        return 1;
    site.other_port = inner.port;
    snprintf(root, sizeof root, "http://127.0.0.1:%u", site.port);
    snprintf(page, sizeof page, "%s/", root);
    live_begin(page, settings);
    return 0;
}

static int end(void **state)
{
    (void)state;
    mgi_live_fini();
    site_stop(&site);
    site_stop(&inner);
    return 0;
}

/* Open a path of the site. */
static const char *go(struct job *job, const char *path)
{
    const char *reason = NULL;
    char *url = mgi_arena_printf(job->arena, "%s%s", root, path);
    if (!mgi_live_open(job) || !mgi_live_navigate(job, str_of(url), &reason))
        fail_msg("%s: %.*s", path, STR_ARG(mgi_buf_view(job->error)));
    return reason;
}

static struct str page_says(struct job *job, const char *function)
{
    struct json value;
    if (!mgi_live_run(job, function, STR_LIT(""), &value))
        fail_msg("%s: %.*s", function, STR_ARG(mgi_buf_view(job->error)));
    return value.type == JSON_STRING ? value.string : value.text;
}

#define assert_text(s, z) assert_string_equal(mgi_arena_str(job->arena, (s)).ptr, z)
#define JOB()                                                                                      \
    struct live_job j_;                                                                            \
    NEED_BROWSER();                                                                                \
    struct job *job = live_job_begin(&j_)
#define JOB_END() live_job_end(&j_)

static bool wait_for(struct job *job, enum wait_kind kind, const char *text, int64_t most_ms)
{
    bool met;
    if (!mgi_live_wait(job, kind, str_of(text), 0, most_ms, &met))
        fail_msg("%s: %.*s", text, STR_ARG(mgi_buf_view(job->error)));
    return met;
}

static void test_a_page_is_opened_and_asked(void **state)
{
    (void)state;
    JOB();
    struct json value;
    if (!mgi_live_open(job))
        fail_msg("%s", live_error(&j_));
    assert_text(page_says(job, "()=>document.title"), "Shop");
    assert_true(mgi_live_run(job, "async(a,b)=>({sum:a+b.c})", STR_LIT("[1,{\"c\":2}]"), &value));
    assert_int_equal(mgi_json_get(&value, "sum")->integer, 3);
    assert_false(mgi_live_run(job, "()=>{throw new Error('oh')}", STR_LIT(""), &value));
    assert_non_null(strstr(live_error(&j_), "the page says: Error: oh"));
    JOB_END();
}

static void test_a_page_cannot_feed_or_break_what_looks_at_it(void **state)
{
    (void)state;
    JOB();
    struct json value;
    assert_null(go(job, "/tamper"));
    assert_true(mgi_live_call(job, "Runtime.evaluate",
                              STR_LIT("{\"expression\":\"found+','+typeof __machina+','+typeof "
                                      "__refs\",\"returnByValue\":true}"),
                              &value));
    assert_text(mgi_member_string(mgi_json_get(&value, "result"), "value"),
                "undefinedundefined,undefined,undefined");
    struct str dom;
    assert_true(mgi_live_file(job, "dom.json", &dom));
    assert_non_null(strstr(dom.ptr, "\"name\":\"b\""));
    JOB_END();
}

static void test_the_files_of_a_capture_hold_no_credentials(void **state)
{
    (void)state;
    JOB();
    struct str dom, storage, performance;
    assert_null(go(job, "/"));
    assert_true(mgi_live_file(job, "dom.json", &dom));
    assert_true(mgi_live_file(job, "storage.json", &storage));
    assert_true(mgi_live_file(job, "performance.json", &performance));
    assert_non_null(strstr(dom.ptr, "\"Inside\"")); /* in a shadow root */
    assert_non_null(strstr(dom.ptr, "a@b"));
    assert_null(strstr(dom.ptr, "hush"));
    assert_non_null(strstr(storage.ptr, "\"theme\":\"dark\""));
    assert_non_null(strstr(storage.ptr, "\"name\":\"sid\""));
    assert_null(strstr(storage.ptr, "abc"));
    assert_null(strstr(storage.ptr, "s3cret"));
    assert_non_null(strstr(performance.ptr, "\"load_ms\""));
    JOB_END();
}

static void test_an_element_keeps_its_ref(void **state)
{
    (void)state;
    JOB();
    struct str before, after;
    assert_null(go(job, "/"));
    assert_true(mgi_live_file(job, "dom.json", &before));
    page_says(job, "()=>{document.body.prepend(document.createElement('button'));return 1}");
    assert_true(mgi_live_file(job, "dom.json", &after));
    const char *old = strstr(before.ptr, "\"elements\":[{\"ref\":\"");
    assert_non_null(old);
    char ref[40];
    snprintf(ref, sizeof ref, "%.*s", (int)(strstr(old + 13, "\",") - old - 12 + 1), old + 12);
    assert_non_null(strstr(after.ptr, ref));
    JOB_END();
}

static void test_settled_is_when_data_has_come_and_not_when_streams_end(void **state)
{
    (void)state;
    JOB();
    assert_null(go(job, "/late"));
    assert_text(page_says(job, "()=>document.getElementById('out').textContent"), "all here");
    int64_t before = mgi_talk_now_ms();
    assert_null(go(job, "/poll"));
    assert_true(mgi_talk_now_ms() - before < 16000);
    assert_false(wait_for(job, WAIT_SETTLED, "", 700));
    JOB_END();
}

/* A page whose thread has no time is quiet, and has not settled. */
static void test_a_page_that_comes_to_nothing_has_not_settled(void **state)
{
    (void)state;
    JOB();
    assert_null(go(job, "/held"));
    assert_text(page_says(job, "()=>document.getElementById('out').textContent"), "come");
    JOB_END();
}

static void test_conditions_are_waited_for(void **state)
{
    (void)state;
    JOB();
    static const struct {
        enum wait_kind kind;
        const char *text, *never;
    } rows[] = {
        { WAIT_SELECTOR, "#made", "#never" },
        { WAIT_GONE, "#out", "h2" },
        { WAIT_TEXT, "made now", "made never" },
        { WAIT_URL, "#here", "#there" },
        { WAIT_RESPONSE, "/data?3", "/data?4" },
        { WAIT_CONSOLE, "said so", "said no" },
        { WAIT_FUNCTION, "()=>document.title=='T3'", "()=>false" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_null(go(job, "/late"));
        page_says(job, "()=>{setTimeout(()=>{document.body.innerHTML='<h2 id=made>made now</h2>';"
                       "document.title='T3';location.hash='here';fetch('/data?3');"
                       "console.log('said so')},200);return 1}");
        if (!wait_for(job, rows[i].kind, rows[i].text, 20000))
            fail_msg("%s did not come", rows[i].text);
        if (wait_for(job, rows[i].kind, rows[i].never, 100))
            fail_msg("%s came", rows[i].never);
    }
    JOB_END();
}

static void test_nothing_leads_to_an_internal_address(void **state)
{
    (void)state;
    JOB();
    const char *reason;
    struct str url;
    assert_null(go(job, "/inner"));
    wait_for(job, WAIT_SETTLED, "", 3000);
    assert_true(mgi_guard_proxy_refused(mgi_live.proxy) >= 5);
    char *address = mgi_arena_printf(job->arena, "http://127.0.0.1:%u/", inner.port);
    assert_true(mgi_live_navigate(job, str_of(address), &reason));
    assert_non_null(strstr(reason, "internal address"));
    assert_true(mgi_live_navigate(job, STR_LIT("file:///etc/passwd"), &reason));
    assert_non_null(reason);
    assert_string_equal(go(job, "/awry"), "net::ERR_ACCESS_DENIED"); /* what was asked for */
    assert_string_equal(go(job, "/away"), "net::ERR_ACCESS_DENIED");
    assert_null(go(job, "/goes"));
    assert_text(page_says(job, "()=>document.title"), "Goes");
    assert_true(mgi_live_refused(job, &url));
    assert_int_equal(inner.all, 0);
    JOB_END();
}

/* Ears on every address of this machine, one for connections and one for datagrams, at one port. */
struct ears {
    int tcp, udp, port;
};

static bool open_ears(struct ears *e)
{
    struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_ANY) };
    socklen_t len = sizeof at;
    e->tcp = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    e->udp = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    bool good = bind(e->tcp, (struct sockaddr *)&at, len) == 0 && listen(e->tcp, 64) == 0 &&
                getsockname(e->tcp, (struct sockaddr *)&at, &len) == 0 &&
                bind(e->udp, (struct sockaddr *)&at, len) == 0;
    e->port = ntohs(at.sin_port);
    return good;
}

static int heard_connections(const struct ears *e)
{
    int count = 0, fd;
    while ((fd = accept(e->tcp, NULL, NULL)) >= 0) {
        count++;
        close(fd);
    }
    return count;
}

static int heard_datagrams(const struct ears *e)
{
    int count = 0;
    char bytes[64];
    while (recv(e->udp, bytes, sizeof bytes, 0) >= 0)
        count++;
    return count;
}

/* Everything by which a page speaks to others that is no request of its own: WebRTC with STUN, TURN
 * and candidates of the other side, WebTransport, connections, names, pages and resources that are
 * got beforehand, service workers. $P is the port. */
static const char escapes[] =
    "(async()=>{const p=$P,far='http://127.0.0.2:'+p,no=()=>0;"
    "const rtc=async()=>{const c=new RTCPeerConnection({iceServers:[{urls:['stun:127.0.0.1:'+p,"
    "'stun:127.0.0.2:'+p,'stun:localhost:'+p]},{urls:['turn:127.0.0.1:'+p+'?transport=udp',"
    "'turn:127.0.0.2:'+p+'?transport=tcp','turns:127.0.0.2:'+p+'?transport=tcp'],username:'a',"
    "credential:'b'}]});c.createDataChannel('x');const o=await c.createOffer();"
    "await c.setLocalDescription(o);const d=new RTCPeerConnection();await "
    "d.setRemoteDescription(o);"
    "await d.setLocalDescription(await d.createAnswer());await c.setRemoteDescription("
    "d.localDescription);for(const t of ['udp 9 127.0.0.1 '+p+' typ host','udp 9 127.0.0.2 '+p+"
    "' typ host','tcp 9 127.0.0.2 '+p+' typ host tcptype passive'])for(const e of [c,d])"
    "await e.addIceCandidate({candidate:'candidate:1 1 '+t,sdpMid:'0',sdpMLineIndex:0}).catch(no)};"
    "const add=(tag,all,text)=>{const e=document.createElement(tag);Object.assign(e,all);"
    "if(text)e.textContent=text;document.head.append(e);return e};await rtc().catch(no);"
    "try{const w=new WebTransport('https://127.0.0.2:'+p+'/');w.ready.catch(no);w.closed.catch(no)}"
    "catch(e){}for(const rel of "
    "['preconnect','dns-prefetch','prefetch','prerender','modulepreload',"
    "'preload','icon','manifest'])add('link',{rel,href:far+'/'+rel,as:'fetch'});"
    "add('script',{type:'speculationrules'},JSON.stringify({prerender:[{source:'list',urls:[far+"
    "'/prerender'],eagerness:'immediate'}],prefetch:[{source:'list',urls:[far+'/prefetch'],"
    "eagerness:'immediate'}]}));const a=add('a',{href:'#x',ping:far+'/ping'});a.click();"
    "add('style',{},'@import url('+far+'/css);@font-face{font-family:f;src:url('+far+'/font)}');"
    "add('video',{src:far+'/video',autoplay:true});try{new "
    "WebSocket('ws://127.0.0.2:'+p)}catch(e){}"
    "navigator.serviceWorker&&await navigator.serviceWorker.register('/sw.js').catch(no);"
    "await new Promise(f=>setTimeout(f,3000));return 'tried'})()";

/* As a script of the page would, not one of ours. */
static struct str main_world_says(struct job *job, const char *expression)
{
    struct json done;
    struct buf params;
    struct json_writer w;
    mgi_buf_init(&params);
    mgi_json_writer_init(&w, &params, 0);
    mgi_jw_begin_object(&w);
    mgi_jw_member_cstr(&w, "expression", expression);
    mgi_jw_member_bool(&w, "awaitPromise", true);
    mgi_jw_end_object(&w);
    assert_true(mgi_live_call(job, "Runtime.evaluate", mgi_buf_view(&params), &done));
    mgi_buf_fini(&params);
    return mgi_member_string(mgi_json_get(&done, "result"), "value");
}

static void test_nothing_passes_by_the_proxy(void **state)
{
    (void)state;
    JOB();
    struct ears ears;
    unsigned before = inner.all;
    char text[4096], port[8];
    size_t len = 0;
    assert_true(open_ears(&ears));
    snprintf(port, sizeof port, "%d", ears.port);
    for (const char *at = escapes; *at; at++) {
        bool here = at[0] == '$' && at[1] == 'P';
        len +=
            (size_t)snprintf(text + len, sizeof text - len, "%.*s", here ? 5 : 1, here ? port : at);
        at += here;
    }
    assert_null(go(job, "/"));
    assert_text(main_world_says(job, text), "tried");
    assert_int_equal(heard_datagrams(&ears), 0);
    assert_int_equal(heard_connections(&ears), 0);
    assert_int_equal(inner.all, before);
    close(ears.tcp);
    close(ears.udp);
    JOB_END();
}

/* Addresses that lead to no other document: the page in front has not been left, and the leave that
 * was given for going there is over. */
static void test_a_page_that_was_not_left_stays_on_its_host(void **state)
{
    (void)state;
    JOB();
    struct str url;
    static const char *const paths[] = { "/#part", "/file", "/nothing" };
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        assert_null(go(job, "/"));
        go(job, paths[i]);
        page_says(job, "()=>{location='http://nowhere.invalid/x';return 1}");
        if (wait_for(job, WAIT_FUNCTION, "()=>location.protocol=='chrome-error:'", 700))
            fail_msg("%s: the page went elsewhere", paths[i]);
        assert_true(mgi_live_refused(job, &url));
        assert_text(url, "http://nowhere.invalid/x");
    }
    JOB_END();
}

/* What a page finds that does what pages do, and what one finds that looks for its watcher: each
 * with what comes of it where nobody watches. */
static const struct {
    const char *does, *comes;
} alone[] = {
    { "const c=new AbortController();c.abort(Object.create(null));return c.signal.aborted",
      "true" },
    { "({t:setTimeout}).t(()=>0)", "TypeError" },
    { "({t:setInterval}).t(()=>0,1e6)", "TypeError" },
    { "({t:clearTimeout}).t(1)", "TypeError" },
    { "({t:clearInterval}).t(1)", "TypeError" },
    { "return setTimeout.call(undefined,()=>0)>0", "true" },
    { "Error.prepareStackTrace=()=>{throw 1};customElements.define('a-b',class extends "
      "HTMLElement{})",
      "undefined" },
    { "Error.prepareStackTrace=()=>{throw 1};return new EventSource('/never').withCredentials",
      "false" },
    { "Error.prepareStackTrace=()=>{throw 1};new AbortController().abort()", "undefined" },
    { "let n='';Error.prepareStackTrace=(e,s)=>{n+=s.filter(c=>c.getFunction()).length};"
      "document.querySelector('#a-1');return n",
      "" },
    { "Object.prototype.toJSON=()=>({k:'missing',selector:'#forged'});"
      "return document.querySelector('#absent')",
      "null" },
    { "let n=0;const was=JSON.parse;JSON.parse=t=>{n++;return was(t)};localStorage.big='{\"a\":1}';"
      "for(let i=0;i<700;i++)localStorage.getItem('big');JSON.parse=was;return n<=501",
      "true" },
    { "const p=Node.prototype,was=p.appendChild,mine=function(n){return was.call(this,n)};"
      "const e=document.body.appendChild(document.createElement('i'));"
      "return new Promise(f=>{let n=0;const look=()=>{if(p.appendChild!==was){p.appendChild=mine;"
      "setTimeout(()=>{f(p.appendChild===mine);p.appendChild=was},600)}else if(n++<400){"
      "e.textContent=n;setTimeout(look,10)}else f('never')};look()})",
      "true" },
    { "const d=document.createElement('div');d.innerHTML=\"<form action='/done'><input name=action>"
      "</form>\";document.body.append(d);d.firstChild.dispatchEvent(new "
      "Event('submit',{bubbles:true,"
      "cancelable:true}));return new Promise(f=>setTimeout(()=>f(1),50))",
      "1" },
    { "document.body.id='sent';document.body.dispatchEvent(new Event('submit',{bubbles:true}));"
      "return new Promise(f=>setTimeout(()=>f(1),50))",
      "1" },
    /* Known by what they are. */
    { "const all=[[window,'setTimeout'],[window,'clearInterval'],[Storage.prototype,'setItem'],"
      "[Date.prototype,'getHours'],[AbortController.prototype,'abort'],[EventTarget.prototype,"
      "'addEventListener'],[Element.prototype,'closest'],[XMLHttpRequest.prototype,'timeout'],"
      "[Response.prototype,'headers'],[Intl.DateTimeFormat.prototype,'format'],[window,"
      "'ResizeObserver'],[Function.prototype,'toString'],[CustomElementRegistry.prototype,"
      "'define']];return all.filter(([o,k])=>{const d=Object.getOwnPropertyDescriptor(o,k),"
      "f=d.set||d.value||d.get;return!/^function [\\w ]+\\(\\) \\{ \\[native code\\] \\}$/"
      ".test(Function.prototype.toString.call(f))||'prototype'in f!=(k=='ResizeObserver')})"
      ".map(a=>a[1]).join()",
      "" },
    { "return[setTimeout,clearTimeout,AbortController.prototype.abort,customElements.define,"
      "new Intl.DateTimeFormat().format].map(f=>f.name+f.length).join()",
      "setTimeout1,clearTimeout0,abort0,define2,1" },
    { "new setTimeout(()=>0)", "TypeError" },
    { "return new ResizeObserver(()=>0).constructor===ResizeObserver&&"
      "EventSource.prototype.constructor===EventSource",
      "true" },
    { "class X extends ResizeObserver{own(){return new.target===undefined}}const x=new X(()=>0);"
      "return x.own()&&x instanceof X&&x instanceof ResizeObserver",
      "true" },
    /* What is given is converted once, and options are read as often as the browser does. */
    { "let n=0;const o={toString(){n++;return'5'},valueOf(){n++;return 5}};"
      "clearTimeout(setTimeout(()=>0,o));clearTimeout(o);localStorage.setItem('q',o);"
      "localStorage.getItem(o);document.getElementById(o);indexedDB.open('five',o);"
      "removeEventListener(o,()=>0);new AbortController().abort(o);new Headers().get(o);return n",
      "8" },
    { "let n=0;addEventListener('x',()=>0,{get once(){n++},get signal(){n++}});return n", "2" },
    { "try{indexedDB.open('x',Symbol())}catch(e){return/execute 'open'/.test(e.message)}", "true" },
    /* Looked at without a word to the page, whatever it has made of names and prototypes. */
    { "let n=0;const was=Map.prototype.get;Map.prototype.get=function(k){n++;"
      "return was.call(this,k)};addEventListener('own-map',()=>0);document.body.append('x');"
      "return new Promise(f=>setTimeout(()=>{Map.prototype.get=was;f(n)},150))",
      "0" },
    { "let n=0;Object.prototype.get=()=>{n++};const p=ResizeObserver.prototype;"
      "delete Object.prototype.get;return n+typeof p",
      "0object" },
    { "let n=0;onerror=()=>{n++};const d=document.createElement('form');"
      "d.innerHTML='<input name=classList><input name=matches>';document.body.append(d);"
      "d.className='x';return new Promise(f=>setTimeout(()=>{onerror=null;d.remove();f(n)},150))",
      "0" },
    { "let n=0;const p=HTMLElement.prototype,was=Object.getOwnPropertyDescriptor(p,'innerText');"
      "Object.defineProperty(p,'innerText',{...was,get(){n++;return was.get.call(this)}});"
      "document.body.dispatchEvent(new MouseEvent('click',{bubbles:true}));"
      "Object.defineProperty(p,'innerText',was);return n",
      "0" },
    { "return typeof new Intl.DateTimeFormat().format()+typeof new Intl.DateTimeFormat().format("
      "null)",
      "stringstring" },
    /* A flood of one kind leaves room for the others. */
    { "for(let i=0;i<2000;i++)new AbortController().abort();"
      "const d=new Date(17e8);for(let i=0;i<2000;i++){d.getHours();setTimeout(()=>0,1000+i)}"
      "for(let i=0;i<1200;i++)addEventListener('kind-'+i,()=>0,{once:true});"
      "document.body.dispatchEvent(new Event('kind-1100'));"
      "localStorage.setItem('after-the-flood','1');return document.querySelector('#after-flood')",
      "null" },
};

static void test_a_page_that_is_watched_is_as_one_that_is_not(void **state)
{
    (void)state;
    JOB();
    struct buf trace;
    assert_null(go(job, "/"));
    for (size_t i = 0; i < sizeof alone / sizeof *alone; i++) {
        char *text = mgi_arena_printf(
            job->arena,
            "(async()=>{try{return String(await(()=>{%s})())}catch(e){return String(e.name||e)}"
            "finally{delete Error.prepareStackTrace;delete Object.prototype.toJSON}})()",
            alone[i].does);
        struct str came = main_world_says(job, text);
        if (!str_is(came, alone[i].comes))
            fail_msg("%s: %.*s", alone[i].does, STR_ARG(came));
    }
    mgi_buf_init(&trace);
    assert_true(mgi_trace_write(mgi_live_trace(), &trace));
    mgi_buf_append(&trace, "", 1);
    assert_non_null(strstr(trace.ptr, "#absent"));
    assert_null(strstr(trace.ptr, "#forged"));
    assert_non_null(strstr(trace.ptr, "/done\""));
    assert_non_null(strstr(trace.ptr, "#after-flood"));
    assert_non_null(strstr(trace.ptr, "after-the-flood"));
    assert_null(strstr(trace.ptr, "kind-1100"));
    assert_null(strstr(trace.ptr, "not a Date"));
    assert_null(strstr(trace.ptr, "not a function")); /* of forms whose fields have such names */
    assert_non_null(strstr(trace.ptr, "\"target\":\"body#sent\",\"prevented\""));
    mgi_buf_fini(&trace);
    JOB_END();
}

/* Where the operator has not said what is allowed. */
static void test_a_page_of_this_machine_asks_its_other_servers(void **state)
{
    (void)state;
    JOB();
    unsigned before = inner.all;
    assert_null(go(job, "/near"));
    assert_text(page_says(job, "()=>document.title"), "Answered");
    assert_int_equal(inner.all, before + 1);
    JOB_END();
}

static void test_a_page_does_not_leave_its_host_unasked(void **state)
{
    (void)state;
    JOB();
    struct str url;
    assert_null(go(job, "/leave"));
    assert_text(page_says(job, "()=>document.title"), "Stays");
    assert_true(mgi_live_refused(job, &url));
    assert_text(url, "http://elsewhere.invalid/x");
    assert_false(mgi_live_refused(job, &url));
    mgi_live_permit(STR_LIT("http://elsewhere.invalid/"));
    page_says(job, "()=>{location='http://elsewhere.invalid/y';return 1}");
    assert_true(wait_for(job, WAIT_FUNCTION, "()=>location.protocol=='chrome-error:'", 20000));
    assert_false(mgi_live_refused(job, &url));
    JOB_END();
}

static void test_no_dialog_waits(void **state)
{
    (void)state;
    JOB();
    assert_null(go(job, "/alerts"));
    assert_text(page_says(job, "()=>document.title"), "falsenull");
    assert_true(mgi_live_dialogs(true, STR_LIT("me \"x\"")));
    assert_null(go(job, "/alerts"));
    assert_text(page_says(job, "()=>document.title"), "trueme \"x\"");
    assert_true(mgi_live_dialogs(false, STR_LIT("")));
    assert_null(go(job, "/endless"));
    assert_text(page_says(job, "()=>document.title"), "Endless");
    JOB_END();
}

static void test_what_is_for_people_at_a_debugger_stops_nothing(void **state)
{
    (void)state;
    JOB();
    assert_null(go(job, "/stops"));
    assert_text(page_says(job, "()=>document.title"), "Goes on");
    JOB_END();
}

static void test_windows_are_closed(void **state)
{
    (void)state;
    JOB();
    struct json done;
    assert_null(go(job, "/popups"));
    assert_true(mgi_live_call(job, "Runtime.evaluate",
                              STR_LIT("{\"expression\":\"b.click()\",\"userGesture\":true}"),
                              &done));
    for (int i = 0; i < 100 && mgi_live_popups() == 0; i++)
        wait_for(job, WAIT_SETTLED, "", 200);
    assert_true(mgi_live_popups() > 0);
    /* Also those that do not know who opened them. */
    for (int i = 0; i < 10; i++)
        wait_for(job, WAIT_SETTLED, "", 200);
    size_t before = mgi_live_popups();
    static const char *const ways[] = { "a.click()", "open('/data','_blank','noopener')" };
    for (size_t way = 0; way < 2; way++) {
        struct str params =
            mgi_live_params(job, "{\"expression\":\"%s\",\"userGesture\":true}", ways[way]);
        assert_true(mgi_live_call(job, "Runtime.evaluate", params, &done));
        for (int i = 0; i < 50 && mgi_live_popups() == before + way; i++)
            wait_for(job, WAIT_SETTLED, "", 200);
        assert_true(mgi_live_popups() == before + way + 1);
    }
    assert_text(page_says(job, "()=>document.title"), "Popups");
    JOB_END();
}

static void test_a_page_that_crashes_is_opened_anew(void **state)
{
    (void)state;
    JOB();
    struct json done;
    assert_null(go(job, "/"));
    fake_time_ms = 2000;
    assert_false(mgi_live_call(job, "Page.crash", STR_LIT(""), &done));
    fake_time_ms = 60000;
    assert_non_null(strstr(live_error(&j_), "crash"));
    mgi_buf_clear(job->error);
    if (!mgi_live_open(job))
        fail_msg("%s", live_error(&j_));
    assert_text(page_says(job, "()=>document.title"), "Shop");
    JOB_END();
}

static void test_a_page_that_hangs_is_freed(void **state)
{
    (void)state;
    JOB();
    struct json done;
    assert_null(go(job, "/hang"));
    fake_time_ms = 1000;
    assert_false(
        mgi_live_call(job, "Runtime.evaluate", STR_LIT("{\"expression\":\"for(;;);\"}"), &done));
    fake_time_ms = 60000;
    assert_non_null(strstr(live_error(&j_), "did not answer Runtime.evaluate in time"));
    mgi_buf_clear(job->error);
    if (!mgi_live_open(job))
        fail_msg("%s", live_error(&j_));
    assert_text(page_says(job, "()=>document.title"),
                "Hang"); /* the same page, whose script ended */
    JOB_END();
}

static void test_a_page_that_is_never_answered_is_told_as_that(void **state)
{
    (void)state;
    JOB();
    assert_string_equal(go(job, "/never"), "no answer in time");
    assert_null(go(job, "/"));
    assert_text(page_says(job, "()=>document.title"), "Shop");
    JOB_END();
}

static void test_downloads_are_contained_and_counted(void **state)
{
    (void)state;
    JOB();
    const struct live_download *list;
    size_t more = 0, count = 0, whole = 0;
    assert_null(go(job, "/files")); /* after ten that nobody clicked for browsers want a click */
    for (int i = 0; i < 100 && count < 10; i++) {
        wait_for(job, WAIT_SETTLED, "", 200);
        count = mgi_live_downloads(job, &list, &more);
    }
    assert_true(count >= 1 && count <= LIVE_DOWNLOADS);
    for (size_t i = 0; i < count; i++) {
        assert_true(mgi_str_starts(str_of(list[i].path), str_of(mgi_live.folder.path)));
        whole += access(list[i].path, F_OK) == 0;
    }
    assert_true(whole > 0);
    JOB_END();
}

static int64_t now_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

enum { TIMES = 201 };

static void put_sorted(int64_t *took, int count, int64_t us)
{
    for (; count > 0 && took[count - 1] > us; count--)
        took[count] = took[count - 1];
    took[count] = us;
}

/* What we add to a message and its reply, told and hardly judged: others share the machine. */
static void test_a_command_takes_little_longer_than_its_message(void **state)
{
    (void)state;
    JOB();
    int64_t raw[TIMES], call[TIMES];
    const struct str params = STR_LIT("{\"expression\":\"1\"}");
    assert_null(go(job, "/"));
    for (int i = 0; i < TIMES; i++) {
        struct json done;
        struct buf reply = { 0 };
        const struct talk_patience patience = { .until_ms = mgi_talk_now_ms() + 20000 };
        int64_t begun = now_us();
        assert_int_equal(mgi_talk_ask(mgi_live.talk, LIVE_SESSION(&mgi_live), "Runtime.evaluate",
                                      params, &patience, &reply),
                         TALK_ANSWERED);
        int64_t middle = now_us();
        assert_true(mgi_live_call(job, "Runtime.evaluate", params, &done));
        put_sorted(call, i, now_us() - middle);
        put_sorted(raw, i, middle - begun);
        mgi_buf_fini(&reply);
    }
    print_message("# a message and its reply: %lld us at the median; a command: %lld us\n",
                  (long long)raw[TIMES / 2], (long long)call[TIMES / 2]);
    assert_true(call[TIMES / 2] < raw[TIMES / 2] + 20000);
    JOB_END();
}

/* What holds whoever has started the browser: test_live_attached.c runs it, too. */
#define SHARED_TESTS                                                                               \
    cmocka_unit_test(test_a_page_is_opened_and_asked),                                             \
        cmocka_unit_test(test_a_page_cannot_feed_or_break_what_looks_at_it),                       \
        cmocka_unit_test(test_the_files_of_a_capture_hold_no_credentials),                         \
        cmocka_unit_test(test_an_element_keeps_its_ref),                                           \
        cmocka_unit_test(test_settled_is_when_data_has_come_and_not_when_streams_end),             \
        cmocka_unit_test(test_a_page_that_comes_to_nothing_has_not_settled),                       \
        cmocka_unit_test(test_conditions_are_waited_for),                                          \
        cmocka_unit_test(test_nothing_leads_to_an_internal_address),                               \
        cmocka_unit_test(test_nothing_passes_by_the_proxy),                                        \
        cmocka_unit_test(test_a_page_of_this_machine_asks_its_other_servers),                      \
        cmocka_unit_test(test_a_page_does_not_leave_its_host_unasked),                             \
        cmocka_unit_test(test_a_page_that_was_not_left_stays_on_its_host),                         \
        cmocka_unit_test(test_a_page_that_is_watched_is_as_one_that_is_not),                       \
        cmocka_unit_test(test_no_dialog_waits),                                                    \
        cmocka_unit_test(test_what_is_for_people_at_a_debugger_stops_nothing),                     \
        cmocka_unit_test(test_windows_are_closed),                                                 \
        cmocka_unit_test(test_a_page_that_crashes_is_opened_anew),                                 \
        cmocka_unit_test(test_a_page_that_hangs_is_freed),                                         \
        cmocka_unit_test(test_a_page_that_is_never_answered_is_told_as_that),                      \
        cmocka_unit_test(test_downloads_are_contained_and_counted),                                \
        cmocka_unit_test(test_a_command_takes_little_longer_than_its_message)

#ifndef ATTACHED
static void test_a_browser_that_was_killed_is_started_again_and_leaves_nothing(void **state)
{
    (void)state;
    JOB();
    assert_null(go(job, "/"));
    char folder[CONFINE_FOLDER_MAX];
    memcpy(folder, mgi_live.folder.path, sizeof folder);
    kill(mgi_live.program.pid, SIGKILL);
    struct json done;
    assert_false(mgi_live_call(job, "Runtime.evaluate", STR_LIT("{\"expression\":\"1\"}"), &done));
    assert_non_null(strstr(live_error(&j_), "the browser has ended"));
    mgi_buf_clear(job->error);
    if (!mgi_live_open(job))
        fail_msg("%s", live_error(&j_));
    assert_int_not_equal(access(folder, F_OK), 0);
    memcpy(folder, mgi_live.folder.path, sizeof folder);
    mgi_live_close();
    assert_int_not_equal(access(folder, F_OK), 0);
    JOB_END();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SHARED_TESTS,
        cmocka_unit_test(test_a_browser_that_was_killed_is_started_again_and_leaves_nothing),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, begin, end);
}
#endif
