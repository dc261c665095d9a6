/* manglecp logout: a login is forgotten. */
#include "base/time.h"
#include "base/utf8.h"
#include "cli/manglecp_commands.h"
#include "cli/manglecp_credentials.h"
#include "client/credentials.h"
#include "client/origin.h"
#include "net/curl_late.h"
#include "sys/clock.h"

#define LOCK_MS 10000

const struct cli_command mgi_command_logout = {
    .name = "manglecp logout",
    .usage = "TARGET [OPTIONS]",
    .help = "Forget the login to a server.",
    .run = mgi_run_logout,
    .more = "The tokens are taken from the file; the issuer is not told, and they end at their\n"
            "time.\n"
            "\n"
            "Exit status: 0 forgotten, 1 there was none, 2 the file cannot be used.\n",
};

static enum manglecp_status forget(const char *path, const char *target, struct arena *a,
                                   size_t *count, struct buf *why)
{
    struct curl_late api;
    struct credentials all;
    const char *address;
    int lock;
    if (!mgi_curl_late_open(&api, why))
        return MANGLECP_ERR_TRANSPORT;
    enum manglecp_status status = mgi_address_of_target(&api, target, a, &address, why);
    if (!status)
        status = mgi_credentials_lock(path, mgi_clock_mono_ns() + LOCK_MS * NS_PER_MS, &lock, why);
    if (status)
        return status;
    status = mgi_credentials_load(path, a, &all, why);
    if (!status && (*count = mgi_credentials_remove(&all, address)) > 0)
        status = mgi_credentials_store(path, &all, why);
    mgi_credentials_unlock(lock);
    return status;
}

static int log_out(const char *path, const char *target)
{
    struct arena arena;
    struct buf why = { 0 };
    size_t count = 0;
    mgi_arena_init(&arena, 0);
    enum manglecp_status status = forget(path, target, &arena, &count, &why);
    if (status)
        mgi_cli_error("%s", why.len > 0 ? why.ptr : "out of memory");
    else if (count == 0)
        mgi_cli_error("there is no login for it");
    else
        printf("logged out\n");
    mgi_buf_fini(&why);
    mgi_arena_fini(&arena);
    return status ? EXIT_USAGE : count == 0 ? EXIT_WRONG : EXIT_ANSWERED;
}

int mgi_run_logout(int argc, char **argv)
{
    const char *credentials = NULL;
    bool helped;
    const struct cli_option options[] = { CREDENTIALS_OPTION_ROW(&credentials), { 0 } };
    struct cli_list words = { 0 };
    if (!mgi_cli_parse(&mgi_command_logout, options, argc, argv, &words, NULL, &helped))
        return EXIT_USAGE;
    if (helped)
        return EXIT_ANSWERED;
    const char *path = mgi_credentials_path(credentials);
    if (words.count == 1 && path)
        return log_out(path, words.items[0]);
    mgi_cli_error(words.count == 1 ? "there is no folder that logins are kept in"
                                   : "logout needs one TARGET: the address of a server");
    return EXIT_USAGE;
}
