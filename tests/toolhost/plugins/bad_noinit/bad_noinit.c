/* Fixture: a library with a version and nothing else. */
#include "toolhost.h"

uint32_t toolhost_plugin_abi(void)
{
    return TH_ABI_VERSION;
}
