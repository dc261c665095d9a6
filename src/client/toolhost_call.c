/* manglecp_run_toolhost and manglecp_call_toolhost (toolhost.md 9.1 to 9.3, 9.5).
 *
 * The cases are looked at in the order of T-DISP-5: what is missing, what is wrong with the call,
 * the deadline, the limit, the exit code, the text, the status. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "client/tool_process.h"
#include "manglecp.h"

#define DEFAULT_TIMEOUT_MS 30000
#define MAX_TIMEOUT_MS     86400000
#define MAX_OUTPUT_BYTES   1048576 /* T-DISP-11 */
#define MAX_DETAIL_BYTES   4096    /* T-DISP-2 */
#define LIMIT_VARIABLE     "MACHINA_TOOLHOST_TIMEOUT_MS"

extern char **environ;

/* One call. Everything lives in the arena. */
struct tool_call {
    const struct manglecp_toolhost *host;
    struct arena arena;
    const char *aid; /* "" if it is none */
    const char *program;
    int64_t timeout_ms;
    struct json answer; /* the host's; JSON_NULL if there is a structured error */
    struct str answer_text;
    int status;
    char *error; /* a structured error as JSON text, the heap's; NULL: there is none */
    bool nomem;
};

/* ---- structured errors --------------------------------------------------------------------- */

static bool is_lease_digit(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* Tokens of leases are told to nobody (T-DISP-2). */
static struct str without_tokens(struct arena *arena, struct str text)
{
    static const char prefix[] = "lease_";
    const size_t len = sizeof prefix - 1;
    struct str kept = mgi_arena_str(arena, text);
    for (size_t i = 0; kept.ptr && i + len < kept.len; i++) {
        if (memcmp(kept.ptr + i, prefix, len) != 0)
            continue;
        size_t end = i + len;
        while (end < kept.len && is_lease_digit(kept.ptr[end]))
            end++;
        if (end - i - len >= 8)
            memset((char *)(uintptr_t)kept.ptr + i + len, '.', end - i - len);
    }
    return kept;
}

/* At most 4096 bytes, whole characters. */
static struct str cut(struct str text)
{
    if (text.len <= MAX_DETAIL_BYTES)
        return text;
    text.len = MAX_DETAIL_BYTES;
    while (text.len > 0 && (text.ptr[text.len] & 0xC0) == 0x80)
        text.len--;
    return text;
}

static void fail(struct tool_call *c, const char *type, struct str detail, struct str status,
                 struct str code)
{
    struct buf out = { 0 };
    struct json_writer w;
    mgi_json_writer_init(&w, &out, 0);
    mgi_jw_begin_object(&w);
    mgi_jw_member_bool(&w, "error", true);
    mgi_jw_member_cstr(&w, "aid", c->aid);
    mgi_jw_member_cstr(&w, "type", type);
    mgi_jw_member_str(&w, "detail", without_tokens(&c->arena, cut(detail)));
    if (status.len)
        mgi_jw_member_str(&w, "status", status);
    if (code.len)
        mgi_jw_member_str(&w, "code", code);
    mgi_jw_end_object(&w);
    c->answer.type = JSON_NULL;
    c->nomem |= out.oom;
    c->error = mgi_buf_take(&out, NULL);
    mgi_buf_fini(&out);
}

static void fail_text(struct tool_call *c, const char *type, const char *text)
{
    fail(c, type, str_of(text ? text : "out of memory"), (struct str){ 0 }, (struct str){ 0 });
}

static void fail_crash(struct tool_call *c, struct str said, int status)
{
    said = mgi_str_trim(said, " \t\r\n");
    if (said.len)
        fail(c, "crash", said, (struct str){ 0 }, (struct str){ 0 });
    else
        fail_text(c, "crash",
                  status < 0 ? mgi_arena_printf(&c->arena, "signal %d", -status)
                             : mgi_arena_printf(&c->arena, "exit code %d", status));
}

/* ---- the process --------------------------------------------------------------------------- */

static const char *program_path(struct tool_call *c)
{
    const char *name = c->host->program ? c->host->program : "toolhost";
    if (strchr(name, '/'))
        return access(name, X_OK) == 0 ? name : NULL;
    const char *path = NULL;
    for (char **e = environ; *e; e++)
        if (strncmp(*e, "PATH=", 5) == 0)
            path = *e + 5;
    for (path = path ? path : "/usr/bin:/bin"; *path;) {
        size_t len = strcspn(path, ":");
        char *at = mgi_arena_printf(&c->arena, "%.*s/%s", (int)len, path, name);
        if (len && at && access(at, X_OK) == 0)
            return at;
        path += len + (path[len] == ':');
    }
    return NULL;
}

/* Ours, with a limit for the host that lets it explain before we have to end it (T-DISP-9). */
static const char **environment(struct tool_call *c)
{
    size_t count = 0, n = 0;
    int64_t less = c->timeout_ms / 10 < 500 ? c->timeout_ms / 10 : 500,
            limit = c->timeout_ms - less;
    while (environ[count])
        count++;
    const char **env = mgi_arena_calloc(&c->arena, count + 2, sizeof *env);
    for (size_t i = 0; env && i < count; i++)
        if (strncmp(environ[i], LIMIT_VARIABLE "=", sizeof LIMIT_VARIABLE) != 0)
            env[n++] = environ[i];
    if (env)
        env[n] =
            mgi_arena_printf(&c->arena, LIMIT_VARIABLE "=%lld", (long long)(limit > 0 ? limit : 1));
    return env && env[n] ? env : NULL;
}

/* The one object that it said; false: an error is told. */
static bool read_answer(struct tool_call *c, const struct tool_run *r)
{
    struct json_error e;
    struct str text = mgi_arena_str(&c->arena, mgi_buf_view(&r->output));
    const struct json *ok;
    if (mgi_str_trim(text, " \t\r\n").len == 0)
        fail_text(c, "parse_error", "empty output");
    else if (mgi_json_parse(&c->arena, text, NULL, &c->answer, &e) != JSON_OK)
        fail_text(c, "parse_error", mgi_arena_printf(&c->arena, "malformed JSON: %s", e.message));
    else if (!(ok = mgi_json_get(&c->answer, "ok")) || ok->type != JSON_BOOL)
        fail_text(c, "parse_error", "malformed JSON: not an answer of a toolhost");
    else
        c->answer_text = mgi_str_trim(text, " \t\r\n");
    return !c->error;
}

/* Runs the host once; what it answers, or why there is none, is in *c. */
static void run_host(struct tool_call *c, const char *const argv[], struct str input, size_t most)
{
    char *late =
        mgi_arena_printf(&c->arena, "toolhost timed out (%gs)", (double)c->timeout_ms / 1000.0);
    struct tool_run r = { .path = c->program,
                          .argv = argv,
                          .env = environment(c),
                          .folder = c->host->folder,
                          .input = input,
                          .max_output = most,
                          .timeout_ms = c->timeout_ms };
    enum tool_end end = r.env ? mgi_tool_process(&r) : TOOL_END_NOT_STARTED;
    c->nomem |= !r.env || r.output.oom;
    c->status = r.status;
    if (end == TOOL_END_NOT_STARTED)
        fail_text(c, "exception",
                  mgi_arena_printf(&c->arena, "cannot start: %s", strerror(r.error)));
    else if (end == TOOL_END_LATE)
        fail_text(c, "timeout", late);
    else if (end == TOOL_END_FLOOD)
        fail_text(c, "parse_error", "output truncated at 1048576 bytes");
    else if (!read_answer(c, &r) && r.status != 0) {
        manglecp_free(c->error);
        c->error = NULL;
        fail_crash(c, mgi_buf_view(&r.errors), r.status);
    }
    mgi_buf_fini(&r.output);
    mgi_buf_fini(&r.errors);
}

/* ---- which plugin -------------------------------------------------------------------------- */

static bool offers(struct tool_call *c, const char *plugin)
{
    const char *const argv[] = { c->program, "--list", plugin, NULL };
    bool found = false;
    run_host(c, argv, STR_LIT(""), MAX_OUTPUT_BYTES);
    const struct json *tools = c->error ? NULL : mgi_json_get(&c->answer, "tools");
    for (uint32_t i = 0; tools && tools->type == JSON_ARRAY && i < tools->count && !found; i++) {
        const struct json *aid = mgi_json_get(&tools->items[i], "aid");
        found = aid && aid->type == JSON_STRING && str_is(aid->string, c->aid);
    }
    manglecp_free(c->error); /* one that cannot be listed offers nothing */
    c->error = NULL;
    c->answer.type = JSON_NULL;
    return found;
}

/* The first that offers it; a single one is not asked (T-DISP-7). */
static const char *plugin_for(struct tool_call *c)
{
    const char *const *p = c->host->plugins;
    if (p && p[0] && !p[1])
        return p[0];
    for (; p && *p; p++)
        if (offers(c, *p))
            return *p;
    return NULL;
}

/* ---- calls --------------------------------------------------------------------------------- */

static void call_begin(struct tool_call *c, const struct manglecp_toolhost *host)
{
    int64_t ms = host->timeout_ms > 0 ? host->timeout_ms : DEFAULT_TIMEOUT_MS;
    *c = (struct tool_call){ .host = host,
                             .aid = "",
                             .timeout_ms = ms < MAX_TIMEOUT_MS ? ms : MAX_TIMEOUT_MS,
                             .answer = { .type = JSON_NULL } };
    mgi_arena_init(&c->arena, 0);
}

/* `text`, or NULL if memory was short anywhere. */
static char *call_end(struct tool_call *c, char *text)
{
    bool nomem = c->nomem || c->arena.oom;
    mgi_arena_fini(&c->arena);
    if (nomem) {
        manglecp_free(text);
        return NULL;
    }
    return text;
}

/* `wrong`: what is wrong with the request, NULL if nothing is; told after what is missing. */
static void dispatch(struct tool_call *c, struct str request, size_t state_bytes, const char *wrong)
{
    c->program = program_path(c);
    if (!c->program) {
        const char *name = c->host->program ? c->host->program : "toolhost";
        fail_text(c, "not_found", mgi_arena_printf(&c->arena, "toolhost not found: %s", name));
        return;
    }
    const char *plugin = plugin_for(c);
    if (!plugin) {
        fail_text(c, "not_found", mgi_arena_printf(&c->arena, "no plugin offers %s", c->aid));
        return;
    }
    if (wrong) {
        fail_text(c, "exception", wrong);
        return;
    }
    const char *const argv[] = { c->program, "--run", plugin, c->aid, NULL };
    run_host(c, argv, request, MAX_OUTPUT_BYTES + state_bytes);
}

/* NULL, or what is wrong with `text`, which is to be an object. */
static const char *read_object(struct tool_call *c, const char *text, const char *what,
                               struct json *v)
{
    struct json_error e;
    const char *wrong = NULL;
    if (mgi_json_parse(&c->arena, str_of(text ? text : ""), NULL, v, &e) != JSON_OK)
        wrong = mgi_arena_printf(&c->arena, "invalid %s: %s", what, e.message);
    else if (v->type != JSON_OBJECT)
        wrong = mgi_arena_printf(&c->arena, "invalid %s: not an object", what);
    return wrong;
}

char *manglecp_call_toolhost(const struct manglecp_toolhost *host, const char *request)
{
    struct tool_call c;
    struct json v = { .type = JSON_NULL };
    call_begin(&c, host);
    const char *wrong = read_object(&c, request, "request", &v);
    const struct json *aid = mgi_json_get(&v, "aid"), *state = mgi_json_get(&v, "ds_state");
    if (aid && aid->type == JSON_STRING && !memchr(aid->string.ptr, '\0', aid->string.len))
        c.aid = mgi_arena_printf(&c.arena, "%.*s", STR_ARG(aid->string));
    else if (!wrong)
        wrong = "invalid request: its aid is not a text";
    if (!c.aid)
        return call_end(&c, NULL);
    dispatch(&c, str_of(request ? request : ""), state ? state->text.len : 0, wrong);
    struct buf copy = { 0 };
    if (!c.error)
        mgi_buf_str(&copy, c.answer_text);
    char *text = c.error ? c.error : mgi_buf_take(&copy, NULL);
    mgi_buf_fini(&copy);
    return call_end(&c, text);
}

static struct str text_member(const struct json *v, const char *name)
{
    const struct json *m = mgi_json_get(v, name);
    return m && m->type == JSON_STRING ? m->string : (struct str){ "", 0 };
}

/* What an answer comes to (T-DISP-3); the output if there is one. */
static struct str outcome_of(struct tool_call *c)
{
    struct str said = text_member(&c->answer, "error"), output = { 0 };
    const struct json *ok = mgi_json_get(&c->answer, "ok");
    const struct json *text = mgi_json_get(&c->answer, "output_json");
    struct str status = text_member(&c->answer, "status");
    if (c->status == 7 && mgi_str_starts(said, STR_LIT("tool timed out")))
        fail(c, "timeout", said, (struct str){ 0 }, (struct str){ 0 });
    else if (c->status != 0)
        fail_crash(c, said, c->status);
    else if (!ok->boolean)
        fail(c, "tool_error", said.len ? said : STR_LIT("tool failed without a message"),
             status.len ? status : STR_LIT("TOOL_ERROR"), text_member(&c->answer, "code"));
    else if (!text || text->type != JSON_STRING)
        fail_text(c, "parse_error", "malformed JSON: the result has no output_json");
    else
        output = text->string;
    return output;
}

char *manglecp_run_toolhost(const struct manglecp_toolhost *host, const char *aid,
                            const char *inputs, bool *failed)
{
    struct tool_call c;
    struct json v = { .type = JSON_NULL };
    struct buf request = { 0 }, output = { 0 };
    struct json_writer w;
    call_begin(&c, host);
    c.aid = aid ? aid : "";
    const char *wrong = aid ? read_object(&c, inputs, "inputs", &v) : "invalid aid: NULL";
    mgi_json_writer_init(&w, &request, 0);
    mgi_jw_begin_object(&w);
    mgi_jw_member_cstr(&w, "aid", c.aid);
    if (!wrong) {
        mgi_jw_key(&w, "inputs");
        mgi_jw_raw(&w, v.text);
    }
    mgi_jw_end_object(&w);
    mgi_buf_putc(&request, '\n');
    c.nomem |= request.oom;
    dispatch(&c, mgi_buf_view(&request), 0, wrong);
    if (!c.error)
        mgi_buf_str(&output, outcome_of(&c));
    *failed = c.error != NULL;
    char *text = c.error ? c.error : mgi_buf_take(&output, NULL);
    mgi_buf_fini(&request);
    mgi_buf_fini(&output);
    return call_end(&c, text);
}
