#include <stdio.h>

#include "everything.h"

#define PNG                                                                                        \
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+"                                \
    "M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
#define WAV "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA="

static struct str argument(const struct mcp_call *c, const char *name)
{
    const struct json *v = mgi_json_get(mgi_mcp_arguments(c), name);
    return v && v->type == JSON_STRING ? v->string : (struct str){ "", 0 };
}

static void say(struct mcp_call *c, const char *text)
{
    mgi_mcp_answer_text(c, str_of(text), false);
}

static void blocks(struct mcp_call *c, const struct mcp_block *items, size_t count)
{
    mgi_mcp_answer_tool(c, &(struct mcp_tool_result){ .blocks = items, .block_count = count });
}

/* ---- content -------------------------------------------------------------------------------- */

static void simple_text(struct things *t, struct mcp_call *c)
{
    (void)t;
    say(c, "This is a simple text response for testing.");
}

static void image(struct things *t, struct mcp_call *c)
{
    struct mcp_block b = { .kind = MCP_IMAGE,
                           .data = STR_LIT(PNG),
                           .mime_type = STR_LIT("image/png") };
    (void)t;
    blocks(c, &b, 1);
}

static void audio(struct things *t, struct mcp_call *c)
{
    struct mcp_block b = { .kind = MCP_AUDIO,
                           .data = STR_LIT(WAV),
                           .mime_type = STR_LIT("audio/wav") };
    (void)t;
    blocks(c, &b, 1);
}

static void embedded(struct things *t, struct mcp_call *c)
{
    struct mcp_block b = { .kind = MCP_EMBEDDED,
                           .uri = STR_LIT("test://embedded-resource"),
                           .mime_type = STR_LIT("text/plain"),
                           .text = STR_LIT("This is an embedded resource content.") };
    (void)t;
    blocks(c, &b, 1);
}

static void mixed(struct things *t, struct mcp_call *c)
{
    struct mcp_block b[] = {
        { .kind = MCP_TEXT, .text = STR_LIT("Multiple content types test:") },
        { .kind = MCP_IMAGE, .data = STR_LIT(PNG), .mime_type = STR_LIT("image/png") },
        { .kind = MCP_EMBEDDED,
          .uri = STR_LIT("test://mixed-content-resource"),
          .mime_type = STR_LIT("application/json"),
          .text = STR_LIT("{\"test\":\"data\",\"value\":123}") },
    };
    (void)t;
    blocks(c, b, 3);
}

static void fail(struct things *t, struct mcp_call *c)
{
    (void)t;
    mgi_mcp_answer_text(c, STR_LIT("This tool intentionally returns an error for testing"), true);
}

static void need_sampling(struct things *t, struct mcp_call *c)
{
    (void)t;
    if (mgi_mcp_call_can(c)->sampling)
        say(c, "declared");
    else
        mgi_mcp_fail_capability(c, STR_LIT("{\"sampling\":{}}"), STR_LIT("this needs sampling"));
}

static void change_tools(struct things *t, struct mcp_call *c)
{
    t->tools_changed = true;
    say(c, "changed");
}

static void change_prompts(struct things *t, struct mcp_call *c)
{
    t->prompts_changed = true;
    say(c, "changed");
}

/* ---- tools that take their time ------------------------------------------------------------- */

static void later(struct things *t, struct mcp_call *c)
{
    for (int i = 0; i < STEPS_MOST; i++) {
        if (t->steps[i].call)
            continue;
        t->steps[i] = (struct step){ .call = c, .due_ms = t->now_ms };
        return;
    }
    mgi_mcp_fail(c, RPC_INTERNAL, STR_LIT("too many"), (struct str){ 0 });
}

static void do_step(struct step *s, int64_t now_ms)
{
    static const char *const words[] = { "\"Tool execution started\"", "\"Tool processing data\"",
                                         "\"Tool execution completed\"" };
    struct mcp_call *c = s->call;
    if (s->number == 3) {
        s->call = NULL;
        say(c, "done");
        return;
    }
    if (str_is(mgi_mcp_name(c), "test_tool_with_progress"))
        mgi_mcp_progress(c, s->number * 50, 100, STR_LIT("on its way"));
    else
        mgi_mcp_log(c, MCP_INFO, STR_LIT("everything"), str_of(words[s->number]));
    s->number++;
    s->due_ms = now_ms + MCP_PROGRESS_MS + 10;
}

void everything_step(struct things *t)
{
    for (int i = 0; i < STEPS_MOST; i++)
        if (t->steps[i].call && t->steps[i].due_ms <= t->now_ms)
            do_step(&t->steps[i], t->now_ms);
}

int64_t everything_next(const struct things *t)
{
    int64_t next = INT64_MAX;
    for (int i = 0; i < STEPS_MOST; i++)
        if (t->steps[i].call && t->steps[i].due_ms < next)
            next = t->steps[i].due_ms;
    return next;
}

static void cancelled(void *context, struct mcp_call *c)
{
    struct things *t = context;
    for (int i = 0; i < STEPS_MOST; i++)
        if (t->steps[i].call == c)
            t->steps[i].call = NULL;
    mgi_mcp_drop(c);
}

/* ---- questions ------------------------------------------------------------------------------ */

#define FORM(properties, required)                                                                 \
    "{\"type\":\"object\",\"properties\":{" properties "},\"required\":[" required "]}"
#define ASK_NAME FORM("\"name\":{\"type\":\"string\"}", "\"name\"")
#define ASK_OK   FORM("\"ok\":{\"type\":\"boolean\"}", "\"ok\"")
#define SAMPLE(text)                                                                               \
    "{\"messages\":[{\"role\":\"user\",\"content\":{\"type\":\"text\",\"text\":\"" text            \
    "\"}}],\"maxTokens\":100}"

static const char defaults_form[] =
    FORM("\"name\":{\"type\":\"string\",\"default\":\"John Doe\"},"
         "\"age\":{\"type\":\"integer\",\"default\":30},\"score\":{\"type\":\"number\",\"default\":"
         "95.5},"
         "\"status\":{\"type\":\"string\",\"enum\":[\"active\",\"inactive\",\"pending\"],"
         "\"default\":\"active\"},\"verified\":{\"type\":\"boolean\",\"default\":true}",
         "");
static const char enums_form[] = FORM(
    "\"untitledSingle\":{\"type\":\"string\",\"enum\":[\"option1\",\"option2\",\"option3\"]},"
    "\"titledSingle\":{\"type\":\"string\",\"oneOf\":[{\"const\":\"value1\",\"title\":\"First "
    "Option\"},{\"const\":\"value2\",\"title\":\"Second Option\"},{\"const\":\"value3\",\"title\":"
    "\"Third Option\"}]},\"legacyEnum\":{\"type\":\"string\",\"enum\":[\"opt1\",\"opt2\",\"opt3\"],"
    "\"enumNames\":[\"Option One\",\"Option Two\",\"Option Three\"]},\"untitledMulti\":{\"type\":"
    "\"array\",\"items\":{\"type\":\"string\",\"enum\":[\"option1\",\"option2\",\"option3\"]}},"
    "\"titledMulti\":{\"type\":\"array\",\"items\":{\"anyOf\":[{\"const\":\"value1\",\"title\":"
    "\"First Choice\"},{\"const\":\"value2\",\"title\":\"Second Choice\"},{\"const\":\"value3\","
    "\"title\":\"Third Choice\"}]}}",
    "");
static const char user_form[] =
    FORM("\"username\":{\"type\":\"string\",\"description\":\"User's response\"},\"email\":{"
         "\"type\":\"string\",\"description\":\"User's email address\"}",
         "\"username\",\"email\"");

/* The one answer, as text; or the question again. A state is a fixed text here: its way through the
 * core is under test, and who makes real ones signs them (X-MRTR-11). */
static void ask_one(struct mcp_call *c, const struct mcp_question *q, const char *state,
                    const char *prefix)
{
    const struct json *answer;
    struct buf text = { 0 };
    if (mgi_mcp_answer_of(c, q->key, &answer) == MCP_UNANSWERED) {
        if (mgi_mcp_can_ask(c, q->kind))
            mgi_mcp_ask(c, q, 1, str_of(state));
        else
            mgi_mcp_answer_text(c, STR_LIT("the client cannot be asked"), true);
        return;
    }
    mgi_buf_printf(&text, "%s%.*s", prefix, answer ? (int)answer->text.len : 6,
                   answer ? answer->text.ptr : "failed");
    mgi_mcp_answer_text(c, mgi_buf_view(&text), false);
    mgi_buf_fini(&text);
}

static void ask_form(struct mcp_call *c, const char *key, struct str message, const char *form,
                     const char *state, const char *prefix)
{
    ask_one(c,
            &(struct mcp_question){
                .key = key, .kind = MCP_ASK_FORM, .message = message, .params = str_of(form) },
            state, prefix);
}

static void ask_user(struct things *t, struct mcp_call *c)
{
    (void)t;
    ask_form(c, "user", argument(c, "message"), user_form, NULL, "User response: ");
}

static void ask_defaults(struct things *t, struct mcp_call *c)
{
    (void)t;
    ask_form(c, "defaults", STR_LIT("Please fill in"), defaults_form, NULL,
             "Elicitation completed: ");
}

static void ask_enums(struct things *t, struct mcp_call *c)
{
    (void)t;
    ask_form(c, "enums", STR_LIT("Please choose"), enums_form, NULL, "Elicitation completed: ");
}

/* An answer without what was asked for is none. */
static void ask_name(struct things *t, struct mcp_call *c)
{
    const struct json *answer, *content;
    struct mcp_question q = { .key = "user_name",
                              .kind = MCP_ASK_FORM,
                              .message = STR_LIT("What is your name?"),
                              .params = STR_LIT(ASK_NAME) };
    struct buf text = { 0 };
    (void)t;
    bool answered = mgi_mcp_answer_of(c, "user_name", &answer) == MCP_ANSWERED &&
                    mgi_mcp_action(answer, &content) == MCP_ACCEPT && content;
    const struct json *name = answered ? mgi_json_get(content, "name") : NULL;
    if (!name || name->type != JSON_STRING) {
        mgi_mcp_ask(c, &q, 1, (struct str){ 0 });
        return;
    }
    mgi_buf_printf(&text, "Hello, %.*s!", STR_ARG(name->string));
    mgi_mcp_answer_text(c, mgi_buf_view(&text), false);
    mgi_buf_fini(&text);
}

static void ask_with_state(struct things *t, struct mcp_call *c)
{
    (void)t;
    if (mgi_mcp_is_again(c) && !str_is(mgi_mcp_state(c), "v1.state"))
        mgi_mcp_fail(c, RPC_INVALID_PARAMS, STR_LIT("requestState is not ours"), (struct str){ 0 });
    else
        ask_form(c, "confirm", STR_LIT("Please confirm"), ASK_OK, "v1.state", "state-ok ");
}

static void ask_twice(struct things *t, struct mcp_call *c)
{
    struct mcp_question color = { .key = "step2",
                                  .kind = MCP_ASK_FORM,
                                  .message = STR_LIT("Step 2: your color?"),
                                  .params = STR_LIT(FORM("\"color\":{\"type\":\"string\"}", "")) };
    const struct json *answer;
    (void)t;
    if (str_is(mgi_mcp_state(c), "v1.round2"))
        ask_one(c, &color, "v1.round2", "done ");
    else if (mgi_mcp_answer_of(c, "step1", &answer) == MCP_ANSWERED)
        mgi_mcp_ask(c, &color, 1, STR_LIT("v1.round2"));
    else
        ask_form(c, "step1", STR_LIT("Step 1: your name?"), ASK_NAME, "v1.round1", "");
}

static void ask_sampling(struct things *t, struct mcp_call *c)
{
    struct buf params = { 0 };
    bool legacy = str_is(mgi_mcp_name(c), "test_sampling");
    (void)t;
    mgi_buf_puts(&params, legacy ? "" : SAMPLE("What is the capital of France?"));
    if (legacy) {
        struct json_writer w;
        mgi_buf_puts(&params,
                     "{\"messages\":[{\"role\":\"user\",\"content\":{\"type\":\"text\",\"text\":");
        mgi_json_writer_init(&w, &params, 0);
        mgi_jw_string(&w, argument(c, "prompt"));
        mgi_buf_puts(&params, "}}],\"maxTokens\":100}");
    }
    ask_one(c,
            &(struct mcp_question){ .key = "capital_question",
                                    .kind = MCP_ASK_SAMPLING,
                                    .params = mgi_buf_view(&params) },
            NULL, "LLM response: ");
    mgi_buf_fini(&params);
}

static void ask_roots(struct things *t, struct mcp_call *c)
{
    (void)t;
    ask_one(c, &(struct mcp_question){ .key = "client_roots", .kind = MCP_ASK_ROOTS }, NULL,
            "Roots: ");
}

static const struct mcp_question *all_questions(void)
{
    static struct mcp_question all[3];
    all[0] = (struct mcp_question){ .key = "user_name",
                                    .kind = MCP_ASK_FORM,
                                    .message = STR_LIT("What is your name?"),
                                    .params = STR_LIT(ASK_NAME) };
    all[1] = (struct mcp_question){ .key = "greeting",
                                    .kind = MCP_ASK_SAMPLING,
                                    .params = STR_LIT(SAMPLE("Generate a greeting")) };
    all[2] = (struct mcp_question){ .key = "client_roots", .kind = MCP_ASK_ROOTS };
    return all;
}

/* What was not answered, of what the client can do. */
static void ask_all(struct things *t, struct mcp_call *c)
{
    const struct mcp_question *all = all_questions();
    struct mcp_question open[3];
    const struct json *answer;
    size_t count = 0;
    (void)t;
    for (int i = 0; i < 3; i++)
        if (mgi_mcp_answer_of(c, all[i].key, &answer) == MCP_UNANSWERED &&
            mgi_mcp_can_ask(c, all[i].kind))
            open[count++] = all[i];
    if (count > 0)
        mgi_mcp_ask(c, open, count, STR_LIT("v1.all"));
    else
        say(c, "all answered");
}

/* ---- prompts, resources, completions --------------------------------------------------------- */

static void prompt_texts(struct mcp_call *c, const struct mcp_block *block, const char *text)
{
    struct mcp_prompt_message m[2] = { { .block = { 0 } } };
    size_t count = 0;
    if (block)
        m[count++].block = *block;
    m[count++].block = (struct mcp_block){ .kind = MCP_TEXT, .text = str_of(text) };
    mgi_mcp_answer_prompt(c, STR_LIT("a prompt"), m, count);
}

static void ask_prompt(struct mcp_call *c)
{
    struct mcp_question q = {
        .key = "user_context",
        .kind = MCP_ASK_FORM,
        .message = STR_LIT("What context should the prompt use?"),
        .params = STR_LIT(FORM("\"context\":{\"type\":\"string\"}", "\"context\"")),
    };
    const struct json *answer;
    if (mgi_mcp_answer_of(c, q.key, &answer) == MCP_ANSWERED)
        prompt_texts(c, NULL, answer->text.len ? "with the context given" : "");
    else
        mgi_mcp_ask(c, &q, 1, (struct str){ 0 });
}

static void run_prompt(void *context, struct mcp_call *c)
{
    struct str name = mgi_mcp_name(c);
    struct mcp_block png = { .kind = MCP_IMAGE,
                             .data = STR_LIT(PNG),
                             .mime_type = STR_LIT("image/png") };
    struct mcp_block resource = { .kind = MCP_EMBEDDED,
                                  .uri = argument(c, "resourceUri"),
                                  .mime_type = STR_LIT("text/plain"),
                                  .text = STR_LIT("Embedded resource content for testing.") };
    struct buf text = { 0 };
    (void)context;
    mgi_buf_printf(&text, "Prompt with arguments: arg1='%.*s', arg2='%.*s'",
                   STR_ARG(argument(c, "arg1")), STR_ARG(argument(c, "arg2")));
    if (str_is(name, "test_prompt_with_arguments"))
        prompt_texts(c, NULL, text.ptr);
    else if (str_is(name, "test_prompt_with_image"))
        prompt_texts(c, &png, "Please analyze the image above.");
    else if (str_is(name, "test_prompt_with_embedded_resource"))
        prompt_texts(c, &resource, "Please process the embedded resource above.");
    else if (str_is(name, "test_input_required_result_prompt"))
        ask_prompt(c);
    else
        prompt_texts(c, NULL, "This is a simple prompt for testing.");
    mgi_buf_fini(&text);
}

static void run_resource(void *context, struct mcp_call *c)
{
    struct str uri = mgi_mcp_name(c);
    struct buf text = { 0 };
    struct mcp_block b = { .uri = uri, .mime_type = STR_LIT("text/plain") };
    (void)context;
    if (str_is(uri, "test://static-binary")) {
        b.mime_type = STR_LIT("image/png");
        b.data = STR_LIT(PNG);
    } else if (mgi_str_starts(uri, STR_LIT("test://template/")) &&
               mgi_str_ends(uri, STR_LIT("/data"))) {
        int n = (int)(uri.len - 21);
        b.mime_type = STR_LIT("application/json");
        mgi_buf_printf(&text,
                       "{\"id\":\"%.*s\",\"templateTest\":true,\"data\":\"Data for ID: %.*s\"}", n,
                       uri.ptr + 16, n, uri.ptr + 16);
        b.text = mgi_buf_view(&text);
    } else if (str_is(uri, "test://static-text") || str_is(uri, "test://watched-resource")) {
        b.text = STR_LIT("This is the content of the static text resource.");
    } else {
        mgi_mcp_fail_not_found(c);
        return;
    }
    mgi_mcp_answer_resource(c, &b, 1, 60000, MCP_PUBLIC);
    mgi_buf_fini(&text);
}

static void run_complete(void *context, struct mcp_call *c)
{
    struct str values[] = { STR_LIT("paris"), STR_LIT("park"), STR_LIT("party") };
    (void)context;
    mgi_mcp_answer_completion(c, values, 3, 3, false);
}

static bool is_watchable(void *context, struct str uri)
{
    (void)context;
    return mgi_str_starts(uri, STR_LIT("test://"));
}

/* ---- the table ------------------------------------------------------------------------------ */

#define ANY "{\"type\":\"object\",\"properties\":{}}"
#define ONE(by)                                                                                    \
    "{\"type\":\"object\",\"properties\":{\"" by "\":{\"type\":\"string\"}},\"required\":[\"" by   \
    "\"]}"
#define JSON_SCHEMA                                                                                \
    "{\"$schema\":\"https://json-schema.org/draft/2020-12/"                                        \
    "schema\",\"type\":\"object\",\"$defs\":{"                                                     \
    "\"address\":{\"$anchor\":\"addressDef\",\"type\":\"object\",\"properties\":{\"street\":{"     \
    "\"type\":\"string\"},\"city\":{\"type\":\"string\"}}}},\"properties\":{\"name\":{\"type\":"   \
    "\"string\"},\"address\":{\"$ref\":\"#/$defs/"                                                 \
    "address\"},\"contactMethod\":{\"type\":\"string\","                                           \
    "\"enum\":[\"phone\",\"email\"]},\"phone\":{\"type\":\"string\"},\"email\":{\"type\":"         \
    "\"string\"}},\"allOf\":[{\"anyOf\":[{\"required\":[\"phone\"]},{\"required\":[\"email\"]}]}]" \
    ","                                                                                            \
    "\"if\":{\"properties\":{\"contactMethod\":{\"const\":\"phone\"}},\"required\":["              \
    "\"contactMethod\"]},\"then\":{\"required\":[\"phone\"]},\"else\":{\"required\":[\"email\"]}," \
    "\"additionalProperties\":false}"
#define WITH_HEADER                                                                                \
    "{\"type\":\"object\",\"properties\":{\"region\":{\"type\":\"string\",\"x-mcp-header\":"       \
    "\"Region\"},\"query\":{\"type\":\"string\"}}}"

static const struct {
    const char *name, *schema;
    void (*run)(struct things *t, struct mcp_call *c);
} tools[] = {
    { "test_simple_text", ANY, simple_text },
    { "test_image_content", ANY, image },
    { "test_audio_content", ANY, audio },
    { "test_embedded_resource", ANY, embedded },
    { "test_multiple_content_types", ANY, mixed },
    { "test_error_handling", ANY, fail },
    { "test_tool_with_progress", ANY, later },
    { "test_tool_with_logging", ANY, later },
    { "test_logging_tool", ANY, later },
    { "test_sampling", ONE("prompt"), ask_sampling },
    { "test_elicitation", ONE("message"), ask_user },
    { "test_elicitation_sep1034_defaults", ANY, ask_defaults },
    { "test_elicitation_sep1330_enums", ANY, ask_enums },
    { "json_schema_2020_12_tool", JSON_SCHEMA, simple_text },
    { "test_custom_header", WITH_HEADER, simple_text },
    { "test_missing_capability", ANY, need_sampling },
    { "test_streaming_elicitation", ANY, ask_name },
    { "test_trigger_tool_change", ANY, change_tools },
    { "test_trigger_prompt_change", ANY, change_prompts },
    { "test_input_required_result_elicitation", ANY, ask_name },
    { "test_input_required_result_request_state", ANY, ask_with_state },
    { "test_input_required_result_tampered_state", ANY, ask_with_state },
    { "test_input_required_result_multi_round", ANY, ask_twice },
    { "test_input_required_result_sampling", ANY, ask_sampling },
    { "test_input_required_result_list_roots", ANY, ask_roots },
    { "test_input_required_result_multiple_inputs", ANY, ask_all },
    { "test_input_required_result_capabilities", ANY, ask_all },
    { "one_more", ANY, simple_text },
};
enum { TOOLS = sizeof tools / sizeof *tools };

static void run_tool(void *context, struct mcp_call *c)
{
    for (int i = 0; i < TOOLS; i++) {
        if (str_is(mgi_mcp_name(c), tools[i].name)) {
            tools[i].run(context, c);
            return;
        }
    }
}

struct mcp_server *everything_server(struct things *t, bool more_tools, bool more_prompts)
{
    struct mcp_tool described[TOOLS] = { 0 };
    for (int i = 0; i < TOOLS; i++) {
        described[i].name = str_of(tools[i].name);
        described[i].description = STR_LIT("Called by the conformance suite");
        described[i].input_schema = str_of(tools[i].schema);
    }
    struct mcp_argument two[] = {
        { .name = STR_LIT("arg1"), .description = STR_LIT("First"), .required = true },
        { .name = STR_LIT("arg2"), .description = STR_LIT("Second"), .required = true },
    };
    struct mcp_argument uri = { .name = STR_LIT("resourceUri"),
                                .description = STR_LIT("What to embed"),
                                .required = true };
    struct mcp_prompt prompts[] = {
        { .name = STR_LIT("test_simple_prompt"), .description = STR_LIT("simple") },
        { STR_LIT("test_prompt_with_arguments"), { 0 }, STR_LIT("two"), two, 2, { 0 }, { 0 } },
        { STR_LIT("test_prompt_with_embedded_resource"),
          { 0 },
          STR_LIT("one"),
          &uri,
          1,
          { 0 },
          { 0 } },
        { .name = STR_LIT("test_prompt_with_image"), .description = STR_LIT("image") },
        { .name = STR_LIT("test_input_required_result_prompt"), .description = STR_LIT("asks") },
        { .name = STR_LIT("one_more"), .description = STR_LIT("more") },
    };
    struct mcp_resource resources[] = {
        { .uri = STR_LIT("test://static-text"),
          .name = STR_LIT("Static text"),
          .description = STR_LIT("text"),
          .mime_type = STR_LIT("text/plain"),
          .size = -1 },
        { .uri = STR_LIT("test://static-binary"),
          .name = STR_LIT("Static binary"),
          .description = STR_LIT("bytes"),
          .mime_type = STR_LIT("image/png"),
          .size = -1 },
        { .uri = STR_LIT("test://watched-resource"), .name = STR_LIT("Watched"), .size = -1 },
    };
    struct mcp_resource templates[] = { { .uri = STR_LIT("test://template/{id}/data"),
                                          .name = STR_LIT("Template"),
                                          .mime_type = STR_LIT("application/json") } };
    struct mcp_description d = {
        .self = { STR_LIT("everything"), STR_LIT("1"), STR_LIT("Everything") },
        .tools = described,
        .tool_count = more_tools ? TOOLS : TOOLS - 1,
        .resources = resources,
        .resource_count = 3,
        .templates = templates,
        .template_count = 1,
        .prompts = prompts,
        .prompt_count = more_prompts ? 6 : 5,
        .handlers = { run_tool, run_prompt, run_resource, run_complete, is_watchable, cancelled,
                      NULL, NULL, 0 },
        .context = t,
        .logs = true,
        .tools_change = true,
        .prompts_change = true,
        .list_ttl_ms = 60000,
    };
    struct buf why = { 0 };
    struct mcp_server *s = mgi_mcp_server_new(&d, &why);
    if (!s)
        fprintf(stderr, "everything: %s\n", why.ptr ? why.ptr : "memory is short");
    mgi_buf_fini(&why);
    return s;
}
