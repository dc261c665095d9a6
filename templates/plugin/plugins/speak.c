/* One action: says words to somebody. It is given a JSON object that fits the input schema below,
 * and answers one; the host has checked it before. Nothing but toolhost.h is needed. */
#include <string.h>

#include "toolhost.h"

static const th_host *host;

static th_status speak(th_call *call, th_str input, void *user)
{
    (void)user;
    /* The words came as JSON, and go back as they came. */
    static const char begin[] = "{\"spoken\":", end[] = "}";
    char answer[8192];
    size_t room = sizeof answer - sizeof begin - sizeof end;
    if (input.len > room) {
        host->set_error(call, "that is too much to say", 23);
        return TH_TOOL_ERROR;
    }
    memcpy(answer, begin, sizeof begin - 1);
    memcpy(answer + sizeof begin - 1, input.ptr, input.len);
    memcpy(answer + sizeof begin - 1 + input.len, end, sizeof end - 1);
    host->set_output(call, answer, sizeof begin - 1 + input.len + sizeof end - 1);
    return TH_OK;
}

/* What an action does to the world decides whether a user is asked before it runs. */
static const char *const no_effects[] = { "none", NULL };
static const th_tool tool = {
    .struct_size = sizeof tool,
    .flags = TH_TOOL_IDEMPOTENT,
    .aid = "AID.SPEAK.SAY.v1",
    .name = "say",
    .description = "Says words to somebody.",
    .side_effects = no_effects,
    .input_schema = "{\"type\":\"object\",\"required\":[\"to\",\"words\"],\"properties\":{"
                    "\"to\":{\"type\":\"string\"},\"words\":{\"type\":\"string\"}}}",
    .min_tier = -1,
    .fn = speak,
};

TH_EXPORT uint32_t toolhost_plugin_abi(void)
{
    return TH_ABI_VERSION;
}
TH_EXPORT uint32_t toolhost_plugin_caps(void)
{
    return 0;
}

TH_EXPORT int toolhost_plugin_init(const th_host *h, th_reg *reg)
{
    host = h;
    return host->register_tool(reg, &tool) == TH_RC_OK ? 0 : 1;
}
