/* Actions of the unit domain: echo, wait, touch, wipe, store, fail. None of them touches anything
 * outside its process: what they claim to change is told in their outputs and state deltas. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/json.h"
#include "toolhost.h"

#define TEXT(s)                                                                                    \
    (th_str)                                                                                       \
    {                                                                                              \
        (s), sizeof(s) - 1                                                                         \
    }

static const th_host *host;

static bool parse(struct arena *a, th_str input, struct json *out)
{
    mgi_arena_init(a, 0);
    return mgi_json_parse(a, (struct str){ input.ptr, input.len }, NULL, out, NULL) == JSON_OK;
}

static int64_t number(const struct json *input, const char *name, int64_t fallback)
{
    const struct json *v = mgi_json_get(input, name);
    return v && v->type == JSON_INT ? v->integer : fallback;
}

static th_status echo(th_call *call, th_str input, void *user)
{
    (void)user;
    return host->set_output(call, input.ptr, input.len) ? TH_TOOL_ERROR : TH_OK;
}

static th_status wait_ms(th_call *call, th_str input, void *user)
{
    (void)user;
    struct arena a;
    struct json root;
    int64_t ms = parse(&a, input, &root) ? number(&root, "ms", 2500) : 2500;
    mgi_arena_fini(&a);
    for (int64_t waited = 0; waited < ms; waited += 20) {
        struct timespec pause = { 0, 20 * 1000000L };
        if (host->cancelled(call)) {
            host->set_error(call, "stopped", 7);
            return TH_TOOL_ERROR;
        }
        host->progress(call, 100.0 * (double)waited / (double)ms, "waiting", 7);
        nanosleep(&pause, NULL);
    }
    char out[64];
    int len = snprintf(out, sizeof out, "{\"waited_ms\":%lld}", (long long)ms);
    return host->set_output(call, out, (size_t)len) ? TH_TOOL_ERROR : TH_OK;
}

/* Ten facts, as a tool that really changes ten items would tell them (T-MCP-24). */
static th_status touch(th_call *call, th_str input, void *user)
{
    (void)user;
    struct arena a;
    struct json root;
    bool ok = parse(&a, input, &root);
    int64_t first = ok ? number(&root, "first", 0) : 0, count = ok ? number(&root, "count", 1) : 1;
    mgi_arena_fini(&a);
    struct buf delta = { 0 };
    mgi_buf_puts(&delta, "{\"assert\":[");
    for (int64_t i = 0; i < count; i++)
        mgi_buf_printf(&delta,
                       "%s{\"pred\":\"fx_item\",\"args\":[\"item-%lld\",\"changed\"],"
                       "\"category\":\"server\",\"source\":{\"source_type\":\"server\"}}",
                       i ? "," : "", (long long)(first + i));
    mgi_buf_puts(&delta, "],\"retract\":[]}");
    th_artifact artifact = {
        TEXT("manglecp.state_delta"), TEXT("fx"), { delta.ptr, delta.len }, 0
    };
    th_rc rc = delta.oom ? TH_RC_NOMEM : host->state_put(call, 5, &artifact);
    mgi_buf_fini(&delta);
    char out[64];
    int len = snprintf(out, sizeof out, "{\"changed\":%lld}", (long long)count);
    return rc || host->set_output(call, out, (size_t)len) ? TH_TOOL_ERROR : TH_OK;
}

static th_status answer(th_call *call, th_str input, void *user)
{
    (void)input;
    const char *text = user;
    return host->set_output(call, text, strlen(text)) ? TH_TOOL_ERROR : TH_OK;
}

static th_status fail(th_call *call, th_str input, void *user)
{
    (void)input;
    (void)user;
    host->set_error(call, "it fails on purpose", 19);
    return TH_TOOL_ERROR;
}

uint32_t toolhost_plugin_abi(void)
{
    return TH_ABI_VERSION;
}

uint32_t toolhost_plugin_caps(void)
{
    return 0;
}

int toolhost_plugin_init(const th_host *h, th_reg *reg)
{
    static const char *const none[] = { "none", NULL };
    static const char *const writes[] = { "filesystem_write", NULL };
    static const char *const destroys[] = { "destructive", NULL };
    static char wiped[] = "{\"wiped\":true}", stored[] = "{\"stored\":true}";
    const th_tool tools[] = {
        { .aid = "AID.FX.ECHO.v1",
          .name = "echo",
          .description = "Return the input.",
          .fn = echo,
          .side_effects = none,
          .flags = TH_TOOL_DETERMINISTIC | TH_TOOL_IDEMPOTENT | TH_TOOL_REVERSIBLE },
        { .aid = "AID.FX.WAIT.v1",
          .name = "wait",
          .description = "Wait.",
          .fn = wait_ms,
          .side_effects = none,
          .flags = TH_TOOL_IDEMPOTENT | TH_TOOL_REVERSIBLE | TH_TOOL_FAST_CANCEL },
        { .aid = "AID.FX.TOUCH.v1",
          .name = "touch",
          .description = "Change items.",
          .fn = touch,
          .side_effects = writes,
          .flags = TH_TOOL_IDEMPOTENT | TH_TOOL_REVERSIBLE },
        { .aid = "AID.FX.WIPE.v1",
          .name = "wipe",
          .description = "Delete.",
          .fn = answer,
          .user = wiped,
          .side_effects = destroys,
          .flags = TH_TOOL_IDEMPOTENT },
        { .aid = "AID.FX.STORE.v1",
          .name = "store",
          .description = "Write a note.",
          .fn = answer,
          .user = stored,
          .side_effects = writes,
          .flags = 0 },
        { .aid = "AID.FX.FAIL.v1",
          .name = "fail",
          .description = "Fail.",
          .fn = fail,
          .side_effects = none,
          .flags = TH_TOOL_IDEMPOTENT },
    };
    host = h;
    for (size_t i = 0; i < sizeof tools / sizeof *tools; i++) {
        th_tool one = tools[i];
        one.struct_size = sizeof one;
        one.min_tier = -1;
        th_rc rc = h->register_tool(reg, &one);
        if (rc)
            return rc;
    }
    return 0;
}
