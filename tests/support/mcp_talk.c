#include "support/mcp_talk.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"

/* ---- the server ----------------------------------------------------------------------------- */

static void released(void *mine)
{
    struct talk *t = mine;
    t->released++;
}

static void ask_consent(struct mcp_call *c)
{
    const struct json *answer, *content;
    struct mcp_question q = {
        .key = "consent",
        .kind = MCP_ASK_FORM,
        .message = STR_LIT("Sure?"),
        .params =
            STR_LIT("{\"type\":\"object\",\n\"properties\":{\"agree\":{\"type\":\"boolean\"}}}"),
    };
    enum mcp_answered how = mgi_mcp_answer_of(c, "consent", &answer);
    if (how == MCP_REFUSED) {
        mgi_mcp_answer_text(c, STR_LIT("not answered"), true);
    } else if (how == MCP_UNANSWERED && !mgi_mcp_can_ask(c, MCP_ASK_FORM)) {
        mgi_mcp_answer_text(c, STR_LIT("nobody to ask"), true);
    } else if (how == MCP_UNANSWERED) {
        mgi_mcp_ask(c, &q, 1, STR_LIT("st-1"));
    } else {
        struct buf text = { 0 };
        mgi_buf_printf(&text, "%d %.*s", mgi_mcp_action(answer, &content),
                       STR_ARG(mgi_mcp_state(c)));
        mgi_mcp_answer_text(c, mgi_buf_view(&text), false);
        mgi_buf_fini(&text);
    }
}

static void answer_all_blocks(struct mcp_call *c)
{
    struct mcp_block blocks[] = {
        { .kind = MCP_TEXT, .text = STR_LIT("t") },
        { .kind = MCP_IMAGE, .data = STR_LIT("AAAA"), .mime_type = STR_LIT("image/png") },
        { .kind = MCP_AUDIO, .data = STR_LIT("AAAA"), .mime_type = STR_LIT("audio/wav") },
        { .kind = MCP_EMBEDDED, .uri = STR_LIT("x:1"), .text = STR_LIT("e") },
        { .kind = MCP_LINK, .uri = STR_LIT("x:2"), .name = STR_LIT("n"), .size = 5 },
    };
    mgi_mcp_answer_tool(c, &(struct mcp_tool_result){ .blocks = blocks,
                                                      .block_count = 5,
                                                      .structured = STR_LIT("{\n\"a\":1}") });
}

static void run_tool(void *context, struct mcp_call *c)
{
    struct talk *t = context;
    struct str name = mgi_mcp_name(c);
    if (str_is(name, "echo")) {
        mgi_mcp_answer_text(c, mgi_mcp_tool_text(c), false);
    } else if (str_is(name, "later")) {
        t->held = c;
        mgi_mcp_keep(c, t, released);
    } else if (str_is(name, "consent")) {
        ask_consent(c);
    } else if (str_is(name, "more")) { /* without having looked whether it may */
        mgi_mcp_ask(c, &(struct mcp_question){ .key = "roots", .kind = MCP_ASK_ROOTS }, 1,
                    (struct str){ 0 });
    } else if (str_is(name, "blocks")) {
        answer_all_blocks(c);
    } else if (str_is(name, "sampling")) {
        mgi_mcp_fail_capability(c, STR_LIT("{\"sampling\":{}}"), STR_LIT("needs sampling"));
    } else {
        mgi_mcp_log(c, MCP_INFO, STR_LIT("l"), STR_LIT("\"low\""));
        mgi_mcp_log(c, MCP_LEVEL_ERROR, STR_LIT("l"), STR_LIT("\"high\""));
        mgi_mcp_answer_text(c, STR_LIT(""), false);
    }
}

static void run_prompt(void *context, struct mcp_call *c)
{
    struct mcp_prompt_message m = { .block = { .kind = MCP_TEXT, .text = STR_LIT("do it") } };
    (void)context;
    mgi_mcp_answer_prompt(c, STR_LIT("d"), &m, 1);
}

static void run_resource(void *context, struct mcp_call *c)
{
    struct mcp_block b = { .uri = mgi_mcp_name(c), .text = STR_LIT("body") };
    (void)context;
    if (str_is(mgi_mcp_name(c), "x:a"))
        mgi_mcp_answer_resource(c, &b, 1, 5, MCP_PRIVATE);
    else
        mgi_mcp_fail_not_found(c);
}

static void run_complete(void *context, struct mcp_call *c)
{
    struct str values[] = { STR_LIT("one"), mgi_mcp_completion(c).value };
    (void)context;
    mgi_mcp_answer_completion(c, values, 2, -1, false);
}

static bool is_watchable(void *context, struct str uri)
{
    (void)context;
    return str_is(uri, "x:a");
}

static void note_cancelled(void *context, struct mcp_call *c)
{
    struct talk *t = context;
    t->cancelled++;
    if (c == t->held)
        t->held = NULL;
    mgi_mcp_drop(c);
}

static void run_skills(void *context, struct mcp_call *c)
{
    (void)context;
    mgi_mcp_answer_object(c, STR_LIT("{ \"skills\":[] }"), 7, MCP_PUBLIC);
}

#define ANY_OBJECT STR_LIT("{ \"type\": \"object\" }")

struct mcp_server *talk_server(struct talk *t, bool with_more)
{
    const struct mcp_tool tools[] = {
        { .name = STR_LIT("echo"),
          .title = STR_LIT("Echo"),
          .description = STR_LIT("says it"),
          .input_schema = ANY_OBJECT,
          .output_schema = STR_LIT("{\"type\":\"string\"}"),
          .has_annotations = true,
          .read_only = true },
        { .name = STR_LIT("later"), .input_schema = ANY_OBJECT },
        { .name = STR_LIT("consent"), .input_schema = ANY_OBJECT },
        { .name = STR_LIT("blocks"), .input_schema = ANY_OBJECT },
        { .name = STR_LIT("sampling"), .input_schema = ANY_OBJECT },
        { .name = STR_LIT("logs"), .input_schema = ANY_OBJECT },
        { .name = STR_LIT("more"), .input_schema = ANY_OBJECT },
    };
    const struct mcp_resource resources[] = {
        { .uri = STR_LIT("x:a"), .name = STR_LIT("a"), .size = -1 }
    };
    const struct mcp_resource templates[] = { { .uri = STR_LIT("x:{n}"), .name = STR_LIT("n") } };
    const struct mcp_argument arguments[] = { { .name = STR_LIT("goal"), .required = true } };
    const struct mcp_prompt prompts[] = { { .name = STR_LIT("p"),
                                            .description = STR_LIT("d"),
                                            .arguments = arguments,
                                            .argument_count = 1 } };
    static const struct mcp_method methods[] = { { "skills/list", run_skills, MCP_NONE } };
    struct mcp_description d = {
        .self = { STR_LIT("talk"), STR_LIT("1"), STR_LIT("Talk") },
        .instructions = STR_LIT("be kind"),
        .tools = tools,
        .tool_count = with_more ? 7 : 6,
        .resources = resources,
        .resource_count = 1,
        .templates = templates,
        .template_count = 1,
        .prompts = prompts,
        .prompt_count = 1,
        .handlers = { .tool = run_tool,
                      .prompt = run_prompt,
                      .resource = run_resource,
                      .complete = run_complete,
                      .watchable = is_watchable,
                      .cancelled = note_cancelled,
                      .methods = methods,
                      .method_count = 1 },
        .context = t,
        .logs = true,
        .tools_change = true,
        .list_ttl_ms = 9,
    };
    struct buf why = { 0 };
    struct mcp_server *s = mgi_mcp_server_new(&d, &why);
    mgi_buf_fini(&why);
    return s;
}

/* ---- the conversation ----------------------------------------------------------------------- */

static void keep_sent(void *context, const struct mcp_outgoing *m)
{
    struct talk *t = context;
    if (t->drops || m->text.len == 0)
        return;
    mgi_buf_str(&t->out, m->text);
    mgi_buf_putc(&t->out, '\n');
    t->unheard |= t->out.oom;
}

static int64_t tell_time(void *context)
{
    struct talk *t = context;
    return t->now_ms;
}

void talk_init(struct talk *t)
{
    *t = (struct talk){ .now_ms = 1000 };
    struct mcp_peer_options o = { .context = t, .send = keep_sent, .now_ms = tell_time };
    t->server = talk_server(t, false);
    t->peer = t->server ? mgi_mcp_peer_new(t->server, &o) : NULL;
}

void talk_fini(struct talk *t)
{
    mgi_mcp_peer_free(t->peer);
    if (t->held)
        mgi_mcp_drop(t->held);
    mgi_mcp_server_unref(t->server);
    mgi_buf_fini(&t->out);
    mgi_buf_fini(&t->actual);
}

void talk_say(struct talk *t, const char *line)
{
    struct mcp_route route = { 0 };
    mgi_mcp_receive(t->peer, str_of(line), &route);
}

const char *talk_heard(struct talk *t)
{
    mgi_buf_clear(&t->actual);
    mgi_buf_str(&t->actual, mgi_buf_view(&t->out));
    mgi_buf_clear(&t->out);
    return mgi_buf_view(&t->actual).ptr;
}

static void act(struct talk *t, const char *what)
{
    struct mcp_call *held = t->held;
    if (strncmp(what, "wait ", 5) == 0) {
        t->now_ms += atol(what + 5);
        mgi_mcp_tick(t->peer);
    } else if (!held && (strcmp(what, "finish") == 0 || strncmp(what, "progress ", 9) == 0)) {
        mgi_buf_puts(&t->out, "nothing is held\n");
    } else if (strcmp(what, "finish") == 0) {
        t->held = NULL;
        mgi_mcp_answer_text(held, STR_LIT("done"), false);
    } else if (strncmp(what, "progress ", 9) == 0) {
        mgi_mcp_progress(held, atof(what + 9), 3, STR_LIT("m"));
    } else if (strcmp(what, "updated") == 0) {
        mgi_mcp_updated(t->peer, STR_LIT("x:a/b"));
    } else if (strcmp(what, "drain") == 0) {
        mgi_mcp_drain(t->peer);
    } else if (strcmp(what, "reload") == 0) {
        struct mcp_server *s = talk_server(t, true);
        mgi_mcp_serve(t->peer, s);
        mgi_mcp_server_unref(s);
    } else {
        abort();
    }
}

static void put_heard(struct talk *t, struct buf *actual)
{
    struct str rest = mgi_buf_view(&t->out);
    while (rest.len > 0) {
        size_t n = mgi_str_find(rest, STR_LIT("\n"));
        mgi_buf_printf(actual, "< %.*s\n", (int)n, rest.ptr);
        rest = (struct str){ rest.ptr + n + 1, rest.len - n - 1 };
    }
    mgi_buf_clear(&t->out);
}

char *talk_play(struct talk *t, const char *script)
{
    struct buf actual = { 0 };
    struct str rest = str_of(script);
    while (rest.len > 0) {
        size_t n = mgi_str_find(rest, STR_LIT("\n"));
        n = n == SIZE_MAX ? rest.len : n;
        struct buf line = { 0 };
        mgi_buf_append(&line, rest.ptr, n);
        if (line.ptr[0] != '<')
            mgi_buf_printf(&actual, "%s\n", line.ptr);
        if (line.ptr[0] == '>')
            talk_say(t, line.ptr + 2);
        else if (line.ptr[0] == '!')
            act(t, line.ptr + 2);
        put_heard(t, &actual);
        mgi_buf_fini(&line);
        rest =
            n == rest.len ? (struct str){ 0 } : (struct str){ rest.ptr + n + 1, rest.len - n - 1 };
    }
    if (str_is(mgi_buf_view(&actual), script)) {
        mgi_buf_fini(&actual);
        return NULL;
    }
    return mgi_buf_take(&actual, NULL);
}
