/* The target: what transport it is, and where its manifest leads. */
#include "base/time.h"
#include "conformance/conformance_int.h"
#include "base/utf8.h"
#include "sys/clock.h"

#include <poll.h>
#include <sys/wait.h>

static bool keep_manifest(struct probe *p, const struct json *message)
{
    struct str text = mgi_arena_str(&p->life, message->text);
    struct json *whole = mgi_arena_calloc(&p->life, 1, sizeof *whole);
    if (!text.ptr || !whole || mgi_json_parse(&p->life, text, NULL, whole, NULL) != JSON_OK)
        return false;
    const struct json *payload = mgi_at(whole, "/payload");
    if (payload)
        p->manifest = *payload;
    p->report->stated_level = (int)mgi_int_at(payload, "/protocol/conformance_level");
    return payload != NULL;
}

static bool is_websocket(const char *url)
{
    return strncmp(url, "ws://", 5) == 0 || strncmp(url, "wss://", 6) == 0;
}

/* http(s)://host of a ws(s):// address: where its manifest is, too. */
static bool find_manifest(struct probe *p, struct buf *why)
{
    const char *url = p->options->url;
    if (!is_websocket(url))
        return mgi_address_of_manifest(&p->api, url, &p->manifest_url, why) == MANGLECP_OK;
    const char *host = strstr(url, "://");
    const char *of_http = mgi_arena_printf(&p->life, "http%s%.*s", url[2] == 's' ? "s" : "",
                                           (int)(3 + strcspn(host + 3, "/")), host);
    return of_http &&
           mgi_address_of_websocket(&p->api, url, &p->websocket_url, why) == MANGLECP_OK &&
           mgi_address_of_manifest(&p->api, of_http, &p->manifest_url, why) == MANGLECP_OK;
}

static const struct json *read_manifest(struct probe *p)
{
    const struct json *m = NULL;
    int64_t until_ns = mgi_clock_mono_ns() + p->options->timeout_ms * NS_PER_MS;
    const struct http_call get = { .method = "GET", .url = p->manifest_url.url };
    for (;;) {
        m = mgi_probe_exchange(p, &get);
        if (!m || !mgi_is_at(m, "/payload/status", "booting") || mgi_clock_mono_ns() > until_ns)
            return m;
        (void)poll(NULL, 0, 50);
    }
}

static bool has_secret(const struct probe *p)
{
    const struct conformance_options *o = p->options;
    return o->token || o->other_token || o->limited_token || o->expired_token || o->automated_token;
}

/* Whoever is judged has not earned the credentials of another. */
static bool keeps_secrets(const struct probe *p, struct buf *why)
{
    if (!has_secret(p) || (p->intent_url.trusted && p->invoke_url.trusted))
        return true;
    mgi_buf_printf(why, "%s: the manifest leads to another origin, where the tokens do not go",
                   p->manifest_url.url);
    return false;
}

static bool find_http(struct probe *p, struct buf *why)
{
    if (!mgi_curl_late_open(&p->api, why) || !find_manifest(p, why))
        return false;
    p->carrier = OVER_HTTP;
    const struct json *m = read_manifest(p);
    if (!m || !mgi_is_at(m, "/type", "manifest")) {
        if (!p->failure.ptr ||
            mgi_str_find(mgi_buf_view(&p->failure), str_of(p->manifest_url.url)) == SIZE_MAX)
            mgi_buf_printf(why, "%s: ", p->manifest_url.url);
        mgi_buf_puts(why, p->failure.ptr ? p->failure.ptr : "no manifest");
        return false;
    }
    const char *base = p->manifest_url.url;
    struct str intent = mgi_text_at(m, "/payload/endpoints/intent_eval");
    struct str invoke = mgi_text_at(m, "/payload/endpoints/macro_invoke");
    bool good = keep_manifest(p, m) &&
                mgi_address_resolve(&p->api, base, intent, &p->intent_url, why) == MANGLECP_OK &&
                mgi_address_resolve(&p->api, base, invoke, &p->invoke_url, why) == MANGLECP_OK &&
                keeps_secrets(p, why);
    if (is_websocket(p->options->url))
        p->carrier = OVER_WS;
    return good;
}

static void say_no_manifest(struct probe *p, struct wire *w, struct buf *why)
{
    int status = 0;
    if (p->failure.len)
        mgi_utf8_show(why, mgi_buf_view(&p->failure));
    else
        mgi_buf_puts(why, "the command sends no manifest");
    mgi_wire_end_input(w);
    if (mgi_wire_exited(w, 500, &status))
        mgi_buf_printf(why,
                       WIFEXITED(status) ? " and ends with status %d" : " and ends by signal %d",
                       WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
    mgi_buf_puts(why, "; run it by itself to see what it says");
}

static bool find_command(struct probe *p, struct buf *why)
{
    p->carrier = OVER_STDIO;
    struct wire *w = mgi_wire_spawn(p->command, why);
    const struct json *m = mgi_probe_hear(p, w, p->options->timeout_ms, NULL);
    while (m && mgi_is_at(m, "/payload/status", "booting"))
        m = mgi_probe_hear(p, w, p->options->timeout_ms, NULL);
    bool good = m && mgi_is_at(m, "/type", "manifest") && keep_manifest(p, m);
    if (!good && why->len == 0)
        say_no_manifest(p, w, why);
    mgi_wire_close(w);
    return good;
}

/* The cases mean nothing before another domain. */
static bool is_suite(const struct probe *p, struct buf *why)
{
    struct str id = mgi_text_at(&p->manifest, "/domain/id");
    if (id.len == 0 || str_is(id, "conformance"))
        return true;
    mgi_buf_puts(why, "the server serves the domain \"");
    mgi_utf8_show(why, mgi_utf8_prefix(id, 64));
    mgi_buf_puts(why, "\" and not that of the suite, which --with-domain writes");
    return false;
}

bool mgi_target_find(struct probe *p, struct buf *why)
{
    bool good = (p->options->url ? find_http(p, why) : find_command(p, why)) && is_suite(p, why);
    p->report->carrier = p->carrier;
    if (p->report->level == 0) { /* P-LEVEL-1 */
        int stated = p->report->stated_level;
        p->report->level = stated >= 1 && stated <= 3 ? stated : 3;
    }
    return good;
}
