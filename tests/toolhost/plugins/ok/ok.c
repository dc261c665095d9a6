/* Fixture: a plugin that behaves. MACHINA_TOOL_FINI names a file that fini writes. */
#include "ok_tools.h"

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
    return offer_ok_tools(h, reg);
}

void toolhost_plugin_fini(void)
{
    const char *path = getenv("MACHINA_TOOL_FINI");
    int fd = path ? open(path, O_WRONLY | O_CREAT, 0600) : -1;
    if (fd >= 0)
        close(fd);
}
