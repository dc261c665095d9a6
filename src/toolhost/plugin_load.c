/* Loading a plugin: see plugin_load.h. */
#include "toolhost/plugin_load.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

typedef uint32_t number_fn(void);

/* POSIX promises that a function's address fits a void pointer; C does not, hence the copy. */
static bool find_symbol(void *library, const char *name, void *function)
{
    void *address = dlsym(library, name);
    memcpy(function, &address, sizeof address);
    return address != NULL;
}

/* The loader's text without the path it was given, which says nothing to people (T-ABI-25). */
static const char *loader_text(struct th_reg *reg, const char *path)
{
    const char *text = dlerror();
    size_t skip = strlen(path);
    if (!text)
        return "plugin open failed";
    if (strncmp(text, path, skip) == 0 && strncmp(text + skip, ": ", 2) == 0)
        text += skip + 2;
    text = mgi_arena_printf(&reg->arena, "plugin open failed: %s", text);
    return text ? text : "plugin open failed";
}

static const char *check_version(struct th_reg *reg, uint32_t version)
{
    uint32_t major = version >> 16, minor = version & 0xffffu;
    if (major == TH_ABI_MAJOR && minor <= TH_ABI_MINOR)
        return NULL;
    const char *text =
        mgi_arena_printf(&reg->arena, "plugin ABI mismatch: host %u.%u, plugin %u.%u", TH_ABI_MAJOR,
                         TH_ABI_MINOR, major, minor);
    return text ? text : "plugin ABI mismatch";
}

static const char *check_caps(struct th_reg *reg, uint32_t wanted, uint32_t allowed)
{
    uint32_t excess = wanted & ~allowed;
    if (!excess)
        return NULL;
    const char *text =
        mgi_arena_printf(&reg->arena, "plugin capabilities not allowed: 0x%08x", excess);
    return text ? text : "plugin capabilities not allowed";
}

const char *mgi_plugin_open(struct plugin *p, int fd, uint32_t allowed_caps)
{
    char path[32];
    number_fn *abi, *caps;
    *p = (struct plugin){ 0 };
    mgi_arena_init(&p->reg.arena, 0);

    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return loader_text(&p->reg, path);
    if (!find_symbol(library, "toolhost_plugin_abi", &abi))
        return "plugin lacks toolhost_plugin_abi (C++ ABI v1 plugins are not supported)";
    if (!find_symbol(library, "toolhost_plugin_init", &p->init))
        return "plugin lacks toolhost_plugin_init";
    p->reg.abi = abi();
    const char *why = check_version(&p->reg, p->reg.abi);
    if (why)
        return why;
    p->reg.caps = find_symbol(library, "toolhost_plugin_caps", &caps) ? caps() : TH_CAP_ALL;
    find_symbol(library, "toolhost_plugin_fini", &p->fini);
    return check_caps(&p->reg, p->reg.caps, allowed_caps);
}

const char *mgi_plugin_init(struct plugin *p)
{
    struct th_reg *reg = &p->reg;
    int rc = p->init(&mgi_th_host, reg);
    reg->over = true;
    if (reg->fault)
        return reg->fault;
    if (rc != 0) {
        const char *text = mgi_arena_printf(&reg->arena, "plugin init failed: %s",
                                            reg->error ? reg->error : "no reason given");
        return text ? text : "plugin init failed";
    }
    return reg->count == 0 ? "plugin registered no tools" : NULL;
}
