/* Fixture: a library with the entry point of the C++ interface only (T-ABI-2). */
#include "toolhost.h"

TH_EXPORT void machina_plugin_init(void *registry);

void machina_plugin_init(void *registry)
{
    *(volatile int *)registry = 0; /* calling it is a fault, and shows as one */
}
