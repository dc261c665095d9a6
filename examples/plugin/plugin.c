/* A plugin: actions in C. This one has a single action, which greets somebody.
 *
 *     make        builds plugin.so
 *     make list   what is in it
 *     make try    runs the action once
 *
 * toolhost.h says what every function and flag promises; toolhost_json.h reads the input and writes
 * the answer. A plugin needs nothing else: no library, and no symbol of the program that loads it.
 */
#include "toolhost.h"
#include "toolhost_json.h"

#include <stdio.h>

static const th_host *host; /* the functions that the host offers; given to init, good for ever */

/* The host has checked the input against `input_schema` below: `name` is there, and a text. An
 * action that runs longer than a moment asks host->cancelled(call) now and then, and stops when it
 * is true; host->progress(call, percent, text, length) tells how far it has come. */
static th_status greet(th_call *call, th_str input, void *user)
{
    (void)user;
    th_str value;
    char name[128], greeting[160];
    if (!th_json_member(input, "name", &value) || !th_json_text(value, name, sizeof name))
        return th_json_fail(host, call, "name is longer than 127 bytes");
    snprintf(greeting, sizeof greeting, "Hello, %s!", name);

    th_json_writer answer = th_json_writer_of(host, call);
    th_json_open(&answer, '{');
    th_json_key(&answer, "greeting");
    th_json_put_text(&answer, greeting);
    th_json_close(&answer, '}');
    return th_json_answer(&answer);
}

/* Lists end with NULL. What an action touches is said in side_effects, and "none" if nothing: its
 * risk tier follows from it, and with that whether a user is asked before it runs. */
static const char *const tags[] = { "tag.hello", NULL };
static const char *const side_effects[] = { "none", NULL };

static const th_tool tools[] = {
    {
        .struct_size = sizeof(th_tool),
        .flags = TH_TOOL_DETERMINISTIC | TH_TOOL_IDEMPOTENT,
        .aid = "AID.HELLO.GREET.v1", /* its name for ever: a change that breaks callers is a v2 */
        .name = "greet",
        .description = "Greets somebody by name.",
        .tags = tags,
        .side_effects = side_effects,
        .input_schema =
            "{\"type\":\"object\",\"required\":[\"name\"],\"additionalProperties\":false,"
            "\"properties\":{\"name\":{\"type\":\"string\",\"maxLength\":100}}}",
        .output_schema = "{\"type\":\"object\",\"required\":[\"greeting\"],"
                         "\"properties\":{\"greeting\":{\"type\":\"string\"}}}",
        .min_tier = -1, /* by the side effects */
        .fn = greet,
    },
};

uint32_t toolhost_plugin_abi(void)
{
    return TH_ABI_VERSION;
}

/* What it needs of the system: TH_CAP_FILE_READ and so on. This one needs nothing. */
uint32_t toolhost_plugin_caps(void)
{
    return 0;
}

int toolhost_plugin_init(const th_host *h, th_reg *reg)
{
    host = h;
    for (size_t i = 0; i < sizeof tools / sizeof *tools; i++)
        if (host->register_tool(reg, &tools[i]) != TH_RC_OK)
            return 1; /* the host says which tool, and what is wrong with it */
    return 0;
}
