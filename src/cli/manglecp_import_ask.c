/* The domain that was made, asked in this process: what each answer costs a model, which tools
 * their own words do not reach, and the scenarios that come of it; see manglecp_import.h. */
#include <stdio.h>

#include "base/time.h"
#include "cli/manglecp_import.h"
#include "cli/manglecp_local.h"
#include "import/quote.h"
#include "manglecp.h"
#include "sys/clock.h"

enum { ASKS = 12, MOST_TRIED = 400, TRY_MS = 20000 };

static const char intent[] = "use";

/* The words of a tool's name, as a person might say them. */
static struct str request_of(struct importing *im, const struct import_tool *t)
{
    struct buf text = { 0 };
    for (size_t i = 0; i < t->words.count; i++)
        mgi_buf_printf(&text, "%s%.*s", i ? " " : "", STR_ARG(t->words.words[i]));
    struct str kept = mgi_arena_str(&im->arena, mgi_buf_view(&text));
    mgi_buf_fini(&text);
    return kept;
}

static char *facts_of(struct importing *im, struct str request)
{
    struct buf text = { 0 };
    struct json_writer w;
    mgi_json_writer_init(&w, &text, 0);
    mgi_jw_begin_array(&w);
    if (request.len > 0) {
        mgi_jw_begin_object(&w);
        mgi_jw_member_cstr(&w, "pred", "request");
        mgi_jw_key(&w, "args");
        mgi_jw_begin_array(&w);
        mgi_jw_string(&w, request);
        mgi_jw_end_array(&w);
        mgi_jw_end_object(&w);
    }
    mgi_jw_end_array(&w);
    char *kept = text.oom ? NULL : mgi_arena_printf(&im->arena, "%s", text.ptr);
    mgi_buf_fini(&text);
    return kept;
}

/* What a model is shown of an answer, in tokens. */
static size_t tokens_of(const manglecp_tools *tools)
{
    const struct manglecp_show how = { .max_tokens = SIZE_MAX, .about = intent };
    size_t len, shown_len, tokens = 0;
    const char *json = manglecp_tools_json(tools, &len);
    char *shown;
    if (manglecp_show_tools(NULL, json, len, &how, &shown, &shown_len) == MANGLECP_OK) {
        tokens = manglecp_tokens(shown, shown_len);
        manglecp_free(shown);
    }
    return tokens;
}

/* NULL: told. */
static manglecp_tools *ask(struct importing *im, manglecp_client *client, struct str request)
{
    manglecp_tools *tools = NULL;
    const char *facts = facts_of(im, request);
    const struct manglecp_intent what = { .name = intent, .more_facts = facts };
    if (!facts || manglecp_evaluate(client, &what, NULL, &tools) != MANGLECP_OK) {
        mgi_cli_error("the domain was asked for \"%s\", and failed: %s", intent,
                      facts ? manglecp_message(client) : "out of memory");
        return NULL;
    }
    return tools;
}

static bool ask_tool(struct importing *im, manglecp_client *client, const struct import_tool *t,
                     bool told)
{
    struct import_bill *b = &im->bill;
    struct import_ask a = { .tool = t, .request = request_of(im, t) };
    manglecp_tools *tools = ask(im, client, a.request);
    if (!tools)
        return false;
    a.offered = manglecp_tools_count(tools);
    a.reached = manglecp_tools_find(tools, t->id) != NULL;
    if (told)
        a.tokens = tokens_of(tools);
    manglecp_tools_free(tools);
    b->tried++;
    if (!a.reached)
        b->unreached[b->unreached_count++] = t;
    if (told)
        b->asks[b->ask_count++] = a;
    return true;
}

/* The first harmless tool of each server, and further ones while there is room. */
static bool is_told(const struct importing *im, size_t i)
{
    const struct import_tool *t = &im->tools[i];
    size_t stride = im->tool_count / ASKS + 1;
    if (im->bill.ask_count >= ASKS || t->harm == HARM_DESTRUCTIVE)
        return false;
    for (size_t k = 0; k < im->bill.ask_count; k++)
        if (str_eq(im->bill.asks[k].tool->server, t->server))
            return i % stride == 0;
    return true;
}

static bool ask_all(struct importing *im, manglecp_client *client)
{
    struct import_bill *b = &im->bill;
    int64_t until_ns = mgi_clock_mono_ns() + TRY_MS * NS_PER_MS;
    manglecp_tools *tools = ask(im, client, STR_LIT(""));
    if (!tools)
        return false;
    b->plain_tokens = tokens_of(tools);
    b->plain_tools = manglecp_tools_count(tools);
    manglecp_tools_free(tools);
    for (size_t i = 0; i < im->tool_count; i++) {
        bool told = is_told(im, i);
        bool out_of_time = b->tried >= MOST_TRIED || mgi_clock_mono_ns() > until_ns;
        if (im->tools[i].left_out || (out_of_time && !told))
            continue;
        if (!ask_tool(im, client, &im->tools[i], told))
            return false;
    }
    return true;
}

static void count_static(struct importing *im)
{
    struct buf verbatim = { 0 }, lines = { 0 };
    for (size_t i = 0; i < im->tool_count; i++) {
        if (im->tools[i].left_out)
            continue;
        mgi_import_verbatim(&verbatim, &im->tools[i]);
        mgi_import_line(&lines, &im->tools[i]);
    }
    im->bill.verbatim = manglecp_tokens(verbatim.ptr ? verbatim.ptr : "", verbatim.len);
    im->bill.lines = manglecp_tokens(lines.ptr ? lines.ptr : "", lines.len);
    mgi_buf_fini(&verbatim);
    mgi_buf_fini(&lines);
}

bool mgi_import_ask(struct importing *im)
{
    struct import_bill *b = &im->bill;
    const struct manglecp_options options = { 0 };
    struct buf why = { 0 };
    manglecp_client *client = NULL;
    int status;
    b->asks = mgi_arena_calloc(&im->arena, ASKS, sizeof *b->asks);
    b->unreached = mgi_arena_calloc(&im->arena, im->tool_count + 1, sizeof *b->unreached);
    if (!b->asks || !b->unreached)
        return false;
    count_static(im);
    struct host_options host = im->host;
    host.ask = mgi_import_ask_nobody;
    struct local_link *l = mgi_local_new(&host, &status);
    if (!l)
        return false;
    bool good = mgi_client_open(mgi_local_link(l), &options, &client, &why) == MANGLECP_OK;
    if (!good)
        mgi_cli_error("%s", why.ptr ? why.ptr : "out of memory");
    mgi_buf_fini(&why);
    good = good && ask_all(im, client);
    manglecp_close(client);
    return good;
}

/* ---- scenarios --------------------------------------------------------------------------------
 */

static void put_open_server(struct buf *out, const struct importing *im,
                            const struct import_server *s)
{
    for (size_t i = 0; i < im->tool_count; i++) {
        const struct import_tool *t = &im->tools[i];
        if (t->left_out || t->harm == HARM_DESTRUCTIVE || !str_eq(t->server, s->name))
            continue;
        mgi_buf_puts(out, "  - name: ");
        char name[160];
        snprintf(name, sizeof name, "the server %.*s can be opened", STR_ARG(s->name));
        mgi_import_yaml_text(out, str_of(name));
        mgi_buf_printf(out, "\n    intent: %s\n    facts: [{open_server: [", intent);
        mgi_import_yaml_text(out, s->name);
        mgi_buf_printf(out, "]}]\n    expect: {tools: {%s: any}}\n", t->id);
        return;
    }
}

void mgi_import_scenarios(struct importing *im, struct buf *out)
{
    size_t count = 0;
    mgi_buf_puts(out, "# Written by `manglecp import`: what the domain answered when it was made. "
                      "Your own scenarios "
                      "stand in other files here.\nscenarios:\n");
    for (size_t i = 0; i < im->server_count; i++) {
        size_t before = out->len;
        put_open_server(out, im, &im->servers[i]);
        count += out->len > before;
    }
    for (size_t i = 0; i < im->bill.ask_count; i++) {
        const struct import_ask *a = &im->bill.asks[i];
        if (!a->reached)
            continue;
        count++;
        mgi_buf_printf(out,
                       "  - name: %s is found by its own words\n    intent: %s\n"
                       "    facts: [{request: [",
                       a->tool->id, intent);
        mgi_import_yaml_text(out, a->request);
        mgi_buf_printf(out, "]}]\n    expect: {tools: {%s: any}}\n", a->tool->id);
    }
    if (count == 0)
        mgi_buf_printf(out, "  - {name: it can be asked, intent: %s}\n", intent);
}
