/* Fixture: gives back what it was configured with. It asks for reading files. */
#include <string.h>

#include "toolhost.h"

static const th_host *host;
static const th_config_v1 *config;

static th_status tell(th_call *call, th_str input, void *user)
{
    (void)input, (void)user;
    th_str s = config->settings();
    return s.ptr[s.len] == '\0' && host->set_output(call, s.ptr, s.len) == TH_RC_OK ? TH_OK
                                                                                    : TH_TOOL_ERROR;
}

static const char *const effects[] = { "none", NULL };
static const th_tool tool = { .struct_size = sizeof(th_tool),
                              .aid = "AID.TOLD.SETTINGS.v1",
                              .name = "settings",
                              .side_effects = effects,
                              .min_tier = -1,
                              .fn = tell };

uint32_t toolhost_plugin_abi(void)
{
    return TH_ABI_VERSION;
}

uint32_t toolhost_plugin_caps(void)
{
    return TH_CAP_FILE_READ;
}

int toolhost_plugin_init(const th_host *h, th_reg *reg)
{
    host = h;
    config = h->extension(h, "config.v1");
    if (!config || config->struct_size < sizeof *config || h->extension(h, "none.v1")) {
        h->init_error(reg, "no configuration", 16);
        return 1;
    }
    if (strstr(config->settings().ptr, "\"refuse\""))
        return 1;
    return h->register_tool(reg, &tool) == TH_RC_OK ? 0 : 1;
}
