/* mcp: the tools of one MCP server as actions (docs/actions-from-mcp.md).
 *
 * What the settings list is registered, and nothing is started for it: it was accepted before, in
 * the domain's lock file. The first call starts the server, reads its list, and holds it against
 * what was accepted; a tool that is not that any more is not called (X-ACT-6). With "discover" the
 * one action tells what the server offers, for that file.
 *
 * A server is trusted with nothing. What it says passes the filter of mcp/clean.h; what it does
 * otherwise (ends, hangs, floods, talks nonsense) fails this call, and where the tool may have had
 * an effect, outcome.v1 says that nobody knows. */
#include <stdio.h>
#include <string.h>

#include "link.h"
#include "mcp/clean.h"
#include "plugins/http/redact.h"
#include "plugins/relay/settings.h"
#include "result.h"
#include "toolhost.h"
#include "tools.h"

#define OVERDUE_MS   50 /* the host sets the flag at the deadline; if it does not, we do */
#define SPARE_MS     100
#define FAREWELL_MS  50 /* for telling a server that its answer is not wanted any more */
#define FINI_MS      600
#define MAX_ERROR    4096 /* bytes of a reason */
#define MAX_LOG      1000 /* bytes of a server's log line */
#define MAX_LOGGED   200  /* of them in a call */
#define MAX_PROGRESS 200  /* X-PROG-5 */
#define DISCOVER_AID "AID.MCP.DISCOVER.v1"

static struct mcp_plugin {
    const th_host *host;
    const th_outcome_v1 *outcome; /* or NULL: an older host */
    const th_processes_v1 *processes;
    struct arena life; /* of the worker */
    struct mcp_link link;
    const char *server, *start;
    bool verbatim; /* "discover" tells what the server says, and not what a lock file has of it */
    struct accepted_tool *accepted;
    size_t accepted_count;
    struct tool_choice choice;
    struct str *secrets; /* values of headers, which no text of ours has */
    size_t secret_count;
    th_call *call; /* the running one */
    unsigned logged;
} self; /* a worker has one, and calls its tools one at a time, on one thread */

static struct secrets secrets(void)
{
    return (struct secrets){ self.secrets, self.secret_count };
}

/* ---- what comes beside answers --------------------------------------------------------------- */

static void log_text(int level, const char *before, struct str text)
{
    struct buf line = { 0 };
    mgi_buf_printf(&line, "%s: %s", self.server, before);
    mgi_clean(&line, text, MAX_LOG, NULL);
    for (size_t i = 0; i < line.len; i++)
        if (line.ptr[i] == '\n')
            line.ptr[i] = ' ';
    struct buf told = { 0 };
    mgi_redact(&told, mgi_buf_view(&line), secrets());
    if (self.call && !line.oom && !told.oom)
        self.host->log(self.call, level, told.ptr, told.len);
    mgi_buf_fini(&told);
    mgi_buf_fini(&line);
}

static void on_progress(void *context, double progress, double total, struct str message)
{
    struct buf text = { 0 };
    (void)context;
    double percent = total > 0 && progress <= total ? 100 * progress / total : -1;
    if (message.len > 0)
        mgi_clean(&text, message, MAX_PROGRESS, NULL);
    if (self.call && !text.oom)
        self.host->progress(self.call, percent, text.ptr ? text.ptr : "", text.len);
    mgi_buf_fini(&text);
}

static void on_log(void *context, struct str level, struct str text)
{
    (void)context;
    (void)level;
    if (self.logged++ < MAX_LOGGED) /* X-LOG-5: at debug */
        log_text(3, "", text);
}

static void on_changed(void *context)
{
    (void)context;
    self.link.stale = true;
}

/* ---- waiting --------------------------------------------------------------------------------- */

static bool call_goes_on(void *context)
{
    th_call *call = context;
    return !self.host->cancelled(call) && self.host->remaining_ms(call) > -OVERDUE_MS;
}

/* Before the tool is called some time is left to say that it was not. */
static bool opening_goes_on(void *context)
{
    th_call *call = context;
    return !self.host->cancelled(call) && self.host->remaining_ms(call) > SPARE_MS;
}

struct limited {
    th_call *call;
    int64_t until_ms;
    bool late;
};

static bool limited_goes_on(void *context)
{
    struct limited *w = context;
    w->late = relay_now_ms() >= w->until_ms;
    return !w->late && opening_goes_on(w->call);
}

/* ---- outcomes -------------------------------------------------------------------------------- */

/* Whatever the reason quotes of the server (its last words, its refusals) is cleaned here, in one
 * place, and is one line. */
static th_status give_up(th_call *call, th_status status, const char *why)
{
    struct buf clean = { 0 }, text = { 0 };
    mgi_buf_printf(&text, "MCP server %s: ", self.server);
    mgi_clean(&clean, str_of(why ? why : "out of memory"), MAX_ERROR, NULL);
    for (size_t i = 0; i < clean.len; i++)
        if (clean.ptr[i] == '\n' || clean.ptr[i] == '\t')
            clean.ptr[i] = ' ';
    if (!clean.oom && mgi_str_trim(mgi_buf_view(&clean), " ").len == 0)
        mgi_buf_puts(&clean, "it refused, and gave no reason");
    mgi_redact(&text, mgi_buf_view(&clean), secrets());
    if (text.oom || clean.oom)
        self.host->set_error(call, "out of memory", 13);
    else
        self.host->set_error(call, text.ptr, text.len);
    mgi_buf_fini(&clean);
    mgi_buf_fini(&text);
    return status;
}

/* A failure after which nobody knows what the tool did. */
static th_status lose(th_call *call, const struct accepted_tool *tool, uint32_t how,
                      const char *why)
{
    if (self.outcome && tool && !tool->reads && link_has_sent(&self.link))
        self.outcome->lost(call, how);
    return give_up(call, TH_TOOL_ERROR, why);
}

/* ---- before a call --------------------------------------------------------------------------- */

/* A child that ends with each call serves none, but is no failure of the server. */
static const char *keep_child(int64_t pid)
{
    return !self.processes || self.processes->keep(pid) == TH_RC_OK
               ? NULL
               : "the server cannot be kept across calls";
}

/* The list, held against what was accepted. NULL, or why it could not be read. */
static const char *look_again(th_call *call)
{
    struct mcp_link *l = &self.link;
    struct limited w = { call, relay_now_ms() + (l->suspect ? MCP_SUSPECT_MS : MCP_LIST_MS),
                         false };
    const struct link_wait wait = { limited_goes_on, &w };
    mgi_mcp_client_list(&l->client);
    if (!link_converse(l, &wait)) {
        if (w.late)
            link_down(l, "the server did not list its tools in time");
        else
            mgi_mcp_client_cancel(&l->client);
        return w.late ? l->why : "the server did not list its tools before the call's deadline";
    }
    if (l->client.state == MCP_BROKEN) {
        link_down(l, l->client.why);
        return l->why;
    }
    if (l->client.end != MCP_DONE)
        return l->client.why;
    link_is_fresh(l);
    size_t unknown = tools_compare(self.accepted, self.accepted_count, &l->client, self.choice);
    if (unknown > 0 && self.start == NULL) {
        char text[96];
        snprintf(text, sizeof text, "it offers %zu tools that nobody accepted", unknown);
        log_text(1, text, STR_LIT(""));
    }
    return NULL;
}

static const char *make_ready(th_call *call, bool *refused)
{
    const struct link_wait wait = { opening_goes_on, call };
    const char *why = link_open(&self.link, &wait, refused);
    if (!why && (link_is_stale(&self.link) || self.link.suspect))
        why = look_again(call);
    if (!why) {
        self.link.unsent_mark = self.link.client.out.len;
        self.link.sent = self.link.web.reached = false;
    }
    return why;
}

static const char *not_callable(const struct accepted_tool *tool)
{
    static const char changed[] =
        "is not what was accepted any more, and is not called (manglecp actions DOMAIN --lock "
        "shows what changed)";
    switch (tool->standing) {
    case TOOL_ACCEPTED:
        return NULL;
    case TOOL_CHANGED:
        return changed;
    case TOOL_GONE:
    case TOOL_UNSEEN:
        return "is not offered any more";
    }
    return NULL;
}

/* ---- a call ---------------------------------------------------------------------------------- */

/* A server may say what it was told by headers; the output does not (X-AUTH-5). */
static bool redact_output(struct buf *out)
{
    struct arena a;
    struct json v;
    struct json_writer w;
    struct buf clean = { 0 };
    if (self.secret_count == 0)
        return true;
    mgi_arena_init(&a, 0);
    bool good = mgi_json_parse(&a, mgi_buf_view(out), NULL, &v, NULL) == JSON_OK;
    mgi_json_writer_init(&w, &clean, 0);
    if (good)
        mgi_redact_value(&w, &v, secrets());
    good = good && !clean.oom;
    mgi_arena_fini(&a);
    mgi_buf_fini(out);
    *out = clean;
    return good;
}

/* As much of the text as an output holds. */
static th_status use_result(th_call *call, const struct accepted_tool *tool,
                            const struct json *result)
{
    const char *why = NULL;
    th_rc rc = TH_RC_LIMIT;
    bool good = true;
    size_t before = 0; /* what has no text does not get shorter */
    for (size_t most = RESULT_TEXT_BYTES; good && rc == TH_RC_LIMIT && most > 1024; most /= 2) {
        struct buf out = { 0 };
        good = result_write(&out, result, most, &why);
        bool same = good && out.len == before;
        before = out.len;
        good = good && (same || redact_output(&out));
        if (good && !same)
            rc = self.host->set_output(call, out.ptr, out.len);
        mgi_buf_fini(&out);
        if (same)
            break;
    }
    if (!good)
        return lose(call, tool, TH_LOST_BAD_OUTPUT, why ? why : "out of memory");
    if (rc == TH_RC_LIMIT)
        return lose(call, tool, TH_LOST_TOO_LARGE, "its result is larger than 1 MiB");
    if (!result_is_error(result))
        return TH_OK;
    struct buf said = { 0 };
    result_error(&said, result);
    th_status status = give_up(call, TH_TOOL_ERROR, said.oom ? NULL : said.ptr);
    mgi_buf_fini(&said);
    return status;
}

/* X-TOOL-16. */
static th_status use_refusal(th_call *call, const struct accepted_tool *tool)
{
    const struct mcp_client *c = &self.link.client;
    struct buf said = { 0 };
    mgi_buf_printf(&said, "it refused the call of %s: ", tool->tool);
    mgi_clean(&said, str_of(c->why), 1024, NULL);
    mgi_buf_printf(&said, " (%lld)", (long long)c->code);
    const char *why = said.oom ? NULL : said.ptr;
    bool nothing_ran = c->code == RPC_INVALID_PARAMS || c->code == RPC_METHOD_NOT_FOUND ||
                       c->code == RPC_HEADER_MISMATCH; /* X-HTTP-34 */
    self.link.stale |= nothing_ran;
    th_status status =
        nothing_ran ? give_up(call, TH_TOOL_ERROR, why) : lose(call, tool, TH_LOST_BAD_OUTPUT, why);
    mgi_buf_fini(&said);
    return status;
}

static th_status use_end(th_call *call, const struct accepted_tool *tool)
{
    const struct mcp_client *c = &self.link.client;
    struct buf said = { 0 };
    switch (c->end) {
    case MCP_DONE:
        self.link.failures = 0;
        return use_result(call, tool, c->result);
    case MCP_REFUSED:
        return use_refusal(call, tool);
    case MCP_ASKED:
        mgi_clean(&said, str_of(c->why), 1024, NULL);
        give_up(call, TH_TOOL_ERROR, said.oom ? NULL : said.ptr);
        mgi_buf_fini(&said);
        return TH_TOOL_ERROR;
    case MCP_BAD:
    case MCP_PENDING:
        break;
    }
    return lose(call, tool, TH_LOST_BAD_OUTPUT, c->why);
}

static bool farewell_goes_on(void *context)
{
    const int64_t *until = context;
    return relay_now_ms() < *until && (self.link.client.out.len > 0 || self.link.web.url);
}

/* The server goes on, as MCP has it; the next call looks whether it still answers. */
static th_status cancel(th_call *call, const struct accepted_tool *tool)
{
    int64_t until = relay_now_ms() + FAREWELL_MS;
    const struct link_wait wait = { farewell_goes_on, &until };
    mgi_mcp_client_cancel(&self.link.client);
    self.link.suspect = true;
    link_flush(&self.link, &wait);
    return lose(call, tool, TH_LOST_CRASH, "the call was stopped before it had answered");
}

static th_status call_tool(th_call *call, struct accepted_tool *tool, th_str input)
{
    const struct link_wait wait = { call_goes_on, call };
    bool refused = false;
    const char *why = make_ready(call, &refused);
    if (why)
        return give_up(call, refused ? TH_BREAKER_TRIP : TH_TOOL_ERROR, why);
    why = not_callable(tool);
    if (why) {
        char text[512];
        snprintf(text, sizeof text, "its tool %.128s %s", tool->tool, why);
        return give_up(call, TH_TOOL_ERROR, text);
    }
    self.link.web.params = &tool->headers;
    mgi_mcp_client_call(&self.link.client, str_of(tool->tool),
                        (struct str){ input.ptr, input.len });
    if (!link_converse(&self.link, &wait))
        return cancel(call, tool);
    if (self.link.client.state != MCP_BROKEN)
        return use_end(call, tool);
    th_status status = lose(call, tool, TH_LOST_CRASH, self.link.client.why);
    link_down(&self.link, self.link.client.why);
    return status;
}

static th_status mcp_call(th_call *call, th_str input, void *user)
{
    self.call = call;
    self.logged = 0;
    th_status status = call_tool(call, user, input);
    self.call = NULL;
    return status;
}

/* ---- what it offers -------------------------------------------------------------------------- */

static th_status discover(th_call *call)
{
    bool refused = false;
    struct buf out = { 0 };
    const struct link_wait wait = { opening_goes_on, call };
    int64_t began_ms = relay_now_ms();
    self.link.stale = true;
    const char *why = link_open(&self.link, &wait, &refused);
    int64_t opened_ms = relay_now_ms();
    if (!why)
        why = make_ready(call, &refused);
    if (why)
        return give_up(call, TH_TOOL_ERROR, why);
    if (self.verbatim)
        tools_verbatim(&out, &self.link.client, opened_ms - began_ms, relay_now_ms() - opened_ms);
    else
        tools_describe(&out, &self.link.client, self.start, self.choice);
    th_rc rc = out.oom ? TH_RC_NOMEM : self.host->set_output(call, out.ptr, out.len);
    mgi_buf_fini(&out);
    if (rc != TH_RC_OK)
        return give_up(call, TH_TOOL_ERROR,
                       rc == TH_RC_LIMIT ? "it offers tools of more than 1 MiB" : "out of memory");
    return TH_OK;
}

static th_status mcp_discover(th_call *call, th_str input, void *user)
{
    (void)input;
    (void)user;
    self.call = call;
    th_status status = discover(call);
    self.call = NULL;
    return status;
}

/* ---- the plugin ------------------------------------------------------------------------------ */

static const char *text_setting(const struct json *v, const char *name)
{
    const struct json *m = mgi_json_get(v, name);
    return m && m->type == JSON_STRING ? mgi_arena_printf(&self.life, "%.*s", STR_ARG(m->string))
                                       : NULL;
}

static bool reads_only(const th_tool *tool)
{
    return tool->side_effects && tool->side_effects[0] && !tool->side_effects[1] &&
           strcmp(tool->side_effects[0], "none") == 0;
}

/* What is wrong with a schema's headers was told when it was accepted; over pipes it is no matter.
 */
static const char *read_param_headers(struct accepted_tool *tool, const struct json *schema)
{
    struct buf why = { 0 };
    if (schema && self.link.web.url)
        mgi_mcp_header_rules(&self.life, schema, &tool->headers, &why);
    mgi_buf_fini(&why);
    return self.life.oom ? "out of memory" : NULL;
}

static const char *register_tools(th_reg *reg, const struct json *list)
{
    th_tool *tools;
    const char *why = NULL;
    if (!relay_tools_read(&self.life, list, &tools, &self.accepted_count, &why))
        return why;
    self.accepted = mgi_arena_calloc(&self.life, self.accepted_count + 1, sizeof *self.accepted);
    if (!self.accepted)
        return "out of memory";
    for (size_t i = 0; i < self.accepted_count; i++) {
        struct accepted_tool *a = &self.accepted[i];
        a->tool = text_setting(&list->items[i], "tool");
        a->sha256 = text_setting(&list->items[i], "sha256");
        a->reads = reads_only(&tools[i]);
        why = read_param_headers(a, mgi_json_get(&list->items[i], "input_schema"));
        if (why)
            return why;
        if (!a->tool || !a->sha256)
            return "a tool of the settings has no \"tool\" and \"sha256\"";
        tools[i].fn = mcp_call;
        tools[i].user = a;
        if (self.host->register_tool(reg, &tools[i]) != TH_RC_OK)
            return ""; /* the host says what is wrong with it */
    }
    return NULL;
}

static const char *register_discovery(th_reg *reg)
{
    static const char *const none[] = { "none", NULL };
    const th_tool tool = { .struct_size = sizeof tool,
                           .aid = DISCOVER_AID,
                           .name = "discover",
                           .description = "What the MCP server offers, for the lock file.",
                           .side_effects = none,
                           .min_tier = -1,
                           .fn = mcp_discover };
    return self.host->register_tool(reg, &tool) == TH_RC_OK ? NULL : "";
}

enum { SECRET_BYTES = 8 }; /* what is shorter could be anything */

static void add_secret(const char *value)
{
    const char *blank = strchr(value, ' '); /* "Bearer TOKEN": the token by itself, too */
    if (strlen(value) >= SECRET_BYTES)
        self.secrets[self.secret_count++] = str_of(value);
    if (blank && strlen(blank + 1) >= SECRET_BYTES)
        self.secrets[self.secret_count++] = str_of(blank + 1);
}

/* Values are secrets: what is wrong with one is told without it. */
static const char *read_headers(const struct json *headers)
{
    struct mcp_web *web = &self.link.web;
    uint32_t count = headers && headers->type == JSON_OBJECT ? headers->count : 0;
    web->headers = mgi_arena_calloc(&self.life, count + (size_t)1, sizeof *web->headers);
    self.secrets = mgi_arena_calloc(&self.life, 2 * (size_t)count + 1, sizeof *self.secrets);
    if (!web->headers || !self.secrets)
        return "out of memory";
    for (uint32_t i = 0; i < count; i++) {
        const struct json_member *m = &headers->members[i];
        if (m->value.type != JSON_STRING)
            return "a header is no text";
        for (size_t k = 0; k < m->value.string.len; k++)
            if ((unsigned char)m->value.string.ptr[k] < ' ')
                return "a header has a line break or another control character";
        web->headers[i] =
            mgi_arena_printf(&self.life, "%.*s: %.*s", STR_ARG(m->name), STR_ARG(m->value.string));
        if (!web->headers[i])
            return "out of memory";
        add_secret(web->headers[i] + m->name.len + 2);
    }
    web->header_count = count;
    return NULL;
}

static const char *read_address(const struct json *v)
{
    struct mcp_web *web = &self.link.web;
    const struct json *is_private = mgi_json_get(v, "private");
    struct buf why = { 0 };
    web->url = text_setting(v, "url");
    web->client = &self.link.client;
    web->may_be_private = is_private && is_private->type == JSON_BOOL && is_private->boolean;
    const struct json *is_old = mgi_json_get(v, "old");
    web->is_old = is_old && is_old->type == JSON_BOOL && is_old->boolean;
    if (web->is_old)
        self.link.era = MCP_ERA_LEGACY;
    if (!web->url)
        return "\"url\" is no text";
    const char *wrong = read_headers(mgi_json_get(v, "headers"));
    if (!wrong && !web_init(web, &why))
        wrong = mgi_arena_printf(&self.life, "%s", why.ptr ? why.ptr : "out of memory");
    mgi_buf_fini(&why);
    return wrong;
}

static const struct json *lists_setting(const struct json *v, const char *name)
{
    const struct json *m = mgi_json_get(v, name);
    return m && m->type == JSON_ARRAY ? m : NULL;
}

static const char *read_settings(struct json *v)
{
    const th_config_v1 *config = self.host->extension(self.host, "config.v1");
    const char *why = NULL;
    if (!config)
        return "this toolhost has no --config";
    struct str text = { config->settings().ptr, config->settings().len };
    if (mgi_json_parse(&self.life, text, NULL, v, NULL) != JSON_OK)
        return "the settings are no JSON object";
    self.server = text_setting(v, "server");
    self.start = text_setting(v, "start");
    if (!self.server)
        return "the settings name no server";
    self.choice = (struct tool_choice){ .only = lists_setting(v, "only"),
                                        .without = lists_setting(v, "without"),
                                        .over_http = mgi_json_get(v, "url") != NULL };
    const struct json *pause = mgi_json_get(v, "pause_ms");
    if (pause && pause->type == JSON_INT && pause->integer > 0 && pause->integer < MCP_PAUSE_MS)
        self.link.pause_ms = (int)pause->integer;
    const char *era = text_setting(v, "era");
    self.link.era = mgi_mcp_era(str_of(era));
    if (mgi_json_get(v, "url"))
        return read_address(v);
    return relay_settings_read(&self.life, text, &self.link.how, &why) ? NULL : why;
}

static const char *prepare(th_reg *reg)
{
    struct json v;
    const char *why = read_settings(&v);
    if (why)
        return why;
    const struct json *discovers = mgi_json_get(&v, "discover");
    const struct json *tools = mgi_json_get(&v, "tools");
    const struct json *verbatim = mgi_json_get(&v, "verbatim");
    self.verbatim = verbatim && verbatim->type == JSON_BOOL && verbatim->boolean;
    if (discovers && discovers->type == JSON_BOOL && discovers->boolean) {
        self.link.patient = true; /* whoever asks for the first time says how long it may take */
        return register_discovery(reg);
    }
    return tools && tools->type == JSON_ARRAY ? register_tools(reg, tools)
                                              : "the settings list no tools";
}

uint32_t toolhost_plugin_abi(void)
{
    return TH_ABI_VERSION;
}

int toolhost_plugin_init(const th_host *host, th_reg *reg)
{
    const struct mcp_client_events events = { on_progress, on_log, on_changed, NULL };
    self.host = host;
    self.outcome = host->extension(host, "outcome.v1");
    self.processes = host->extension(host, "processes.v1");
    mgi_arena_init(&self.life, 0);
    link_init(&self.link, &events);
    self.link.keep = keep_child;
    const char *why = prepare(reg);
    if (why && why[0])
        host->init_error(reg, why, strlen(why));
    return why ? 1 : 0;
}

void toolhost_plugin_fini(void)
{
    link_fini(&self.link, FINI_MS);
    mgi_arena_fini(&self.life);
}
