/* What the tools of the benchmark of servers do: one action that answers with a sentence of its
 * inputs, as the handlers of the peers do. */
#include "toolhost_json.h"

static const th_host *host;

static th_status look(th_call *call, th_str input, void *user)
{
    th_str value;
    int64_t part, depth;
    char place[100], text[200];
    (void)user;
    if (!th_json_member(input, "part", &value) || !th_json_int(value, &part) ||
        !th_json_member(input, "place", &value) || !th_json_text(value, place, sizeof place) ||
        !th_json_member(input, "depth", &value) || !th_json_int(value, &depth))
        return th_json_fail(host, call, "part, place and depth are needed");
    snprintf(text, sizeof text, "part %d at %s, %d deep", (int)part, place, (int)depth);
    th_json_writer w = th_json_writer_of(host, call);
    th_json_open(&w, '{');
    th_json_key(&w, "text");
    th_json_put_text(&w, text);
    th_json_close(&w, '}');
    return th_json_answer(&w);
}

static const char *const no_side_effects[] = { "none", NULL };

static const th_tool look_tool = {
    .struct_size = sizeof(th_tool),
    .flags = TH_TOOL_DETERMINISTIC | TH_TOOL_IDEMPOTENT,
    .aid = "AID.BENCH.LOOK.v1",
    .name = "look",
    .description = "Says where it was told to look.",
    .side_effects = no_side_effects,
    .input_schema = "{\"type\":\"object\"}",
    .min_tier = -1,
    .fn = look,
};

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
    host = h;
    return host->register_tool(reg, &look_tool) == TH_RC_OK ? 0 : 1;
}
