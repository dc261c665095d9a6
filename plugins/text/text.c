/* A complete plugin: AID.TEXT.WORD_COUNT.v1 counts the words of the text in slot 0 of the working
 * state, leaves the count in slot 2, and answers it. Copy this file to begin a plugin of your own.
 */
#include "toolhost.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const th_host *host; /* set once by init; the host keeps the table alive */

static th_str text(const char *z)
{
    return (th_str){ z, strlen(z) };
}

static bool separates_words(char c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '"';
}

/* Look at the cancel flag every 64 KB: often enough to stop at once, too rarely to cost anything.
 */
static bool must_stop(th_call *call, size_t at)
{
    return at % 65536 == 0 && host->cancelled(call);
}

static th_status word_count(th_call *call, th_str input_json, void *user)
{
    (void)input_json;
    (void)user;
    th_artifact source;
    if (host->state_get(call, 0, &source) != TH_RC_OK) {
        th_str why = text("slot 0 is empty");
        host->set_error(call, why.ptr, why.len);
        return TH_TOOL_ERROR;
    }

    size_t words = 0;
    bool inside = false;
    for (size_t i = 0; i < source.content_json.len; i++) {
        if (must_stop(call, i))
            return TH_TOOL_ERROR;
        bool separator = separates_words(source.content_json.ptr[i]);
        if (!separator && !inside)
            words++;
        inside = !separator;
    }

    char json[48];
    snprintf(json, sizeof json, "{\"words\":%zu}", words);
    th_artifact count = { .type = text("count"),
                          .provenance = text("word_count"),
                          .content_json = text(json) };
    if (host->state_put(call, 2, &count) != TH_RC_OK)
        return TH_TOOL_ERROR;
    host->set_output(call, json, strlen(json));
    return TH_OK;
}

static const char *const tags[] = { "tag.text", NULL };
static const char *const no_side_effects[] = { "none", NULL };

static const th_tool word_count_tool = {
    .struct_size = sizeof(th_tool),
    .flags = TH_TOOL_DETERMINISTIC | TH_TOOL_IDEMPOTENT,
    .aid = "AID.TEXT.WORD_COUNT.v1",
    .name = "word_count",
    .description = "Counts words in slot 0.",
    .tags = tags,
    .side_effects = no_side_effects,
    .input_schema = "{\"type\":\"object\"}",
    .min_tier = -1,
    .fn = word_count,
};

uint32_t toolhost_plugin_abi(void)
{
    return TH_ABI_VERSION;
}

uint32_t toolhost_plugin_caps(void)
{
    return 0; /* it touches nothing but the working state */
}

int toolhost_plugin_init(const th_host *h, th_reg *reg)
{
    host = h;
    return host->register_tool(reg, &word_count_tool) == TH_RC_OK ? 0 : 1;
}
