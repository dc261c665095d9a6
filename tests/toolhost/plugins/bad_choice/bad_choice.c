/* Fixture: a plugin that must not load, for the reason that MACHINA_TOOL_BAD names. Its constructor
 * writes the file MACHINA_TOOL_MARK, so a test sees whether its code was mapped at all. */
#include "toolhost.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is(const char *what)
{
    const char *z = getenv("MACHINA_TOOL_BAD");
    return z && strcmp(z, what) == 0;
}

static bool marked_before; /* an earlier worker has left the mark */

__attribute__((constructor)) static void leave_mark(void)
{
    const char *path = getenv("MACHINA_TOOL_MARK");
    marked_before = path && access(path, F_OK) == 0;
    int fd = path ? open(path, O_WRONLY | O_CREAT, 0600) : -1;
    if (fd >= 0)
        close(fd);
    if (is("crash_constructor"))
        raise(SIGSEGV);
    if (is("exit_constructor"))
        _exit(3);
}

static th_status nothing(th_call *call, th_str in, void *user)
{
    (void)call;
    (void)in;
    (void)user;
    return TH_OK;
}

static const char *const none[] = { "none", NULL };
static const char *const empty[] = { NULL };
static const char *const both[] = { "none", "filesystem_read", NULL };

static th_tool tool = {
    .struct_size = sizeof(th_tool),
    .aid = "AID.BAD.TOOL.v1",
    .name = "tool",
    .side_effects = none,
    .min_tier = -1,
    .fn = nothing,
};

uint32_t toolhost_plugin_abi(void)
{
    if (is("major1"))
        return 1u << 16;
    if (is("major3"))
        return 3u << 16;
    return is("minor") ? TH_ABI_VERSION + 1 : TH_ABI_VERSION;
}

uint32_t toolhost_plugin_caps(void)
{
    return is("caps") ? TH_CAP_SHELL | TH_CAP_NETWORK : 0;
}

static void spoil(void)
{
    if (is("no_effect"))
        tool.side_effects = empty;
    if (is("none_and_more"))
        tool.side_effects = both;
    if (is("aid"))
        tool.aid = "foo";
    if (is("aid_underscore"))
        tool.aid = "_x";
    if (is("schema"))
        tool.input_schema = "[]";
    if (is("no_function"))
        tool.fn = NULL;
    if (is("flag"))
        tool.flags = 1u << 30;
    if (is("name"))
        tool.name = "";
    if (is("changes") && marked_before)
        tool.aid = "AID.BAD.OTHER.v1";
    if (is("small"))
        tool.struct_size -= (uint32_t)sizeof tool.user;
}

int toolhost_plugin_init(const th_host *host, th_reg *reg)
{
    static const char print[] = "{\"ok\":true,\"tools\":[]}\n", why[] = "no licence";
    if (is("crash"))
        raise(SIGSEGV);
    if (is("exit"))
        _exit(3);
    if (is("hang"))
        for (;;)
            pause();
    if (is("fails")) {
        host->init_error(reg, why, sizeof why - 1);
        return 1;
    }
    if (is("prints") && write(1, print, sizeof print - 1) < 0)
        return 1;
    if (is("no_tools"))
        return 0;
    spoil();
    host->register_tool(reg, &tool);
    if (is("twice"))
        host->register_tool(reg, &tool);
    return 0; /* whatever register_tool said: the host must not go by this (T-ABI-11) */
}
