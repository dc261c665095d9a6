/* The options become flags of the reader that `manglecp serve` has, so both refuse the same. */
#include "cli/manglecp_mcp_listen.h"

#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#include "service/load.h"

#define MAX_FLAGS 64

static void write_line(void *context, enum log_level level, const char *line, size_t len)
{
    (void)context, (void)level;
    fprintf(stderr, "manglecp mcp: %.*s\n", (int)len, line);
}

/* ---- the address ------------------------------------------------------------------------------
 */

static size_t add_all(struct config_flag *flags, size_t count, const char *name,
                      const struct cli_list *list)
{
    for (size_t i = 0; i < list->count && count < MAX_FLAGS; i++)
        flags[count++] = (struct config_flag){ name, list->items[i] };
    return count;
}

static size_t make_flags(const struct mcp_listen_options *o, struct config_flag flags[MAX_FLAGS])
{
    const struct config_flag all[] = {
        { "DOMAIN", "." },          { "--listen", o->address },
        { "--auth", o->auth_file }, { "--tls-certificate", o->certificate },
        { "--tls-key", o->key },    { "--tls-client-ca", o->client_ca },
    };
    size_t count = 0;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i].value)
            flags[count++] = all[i];
    if (o->client_optional)
        flags[count++] = (struct config_flag){ "--tls-client-optional", NULL };
    if (o->behind_tls_proxy)
        flags[count++] = (struct config_flag){ "--behind-tls-proxy", NULL };
    count = add_all(flags, count, "--allow-host", &o->hosts);
    return add_all(flags, count, "--cors-origin", &o->origins);
}

static bool read_config(struct mcp_listen *l, struct arena *arena, struct service_config *out)
{
    struct config_flag flags[MAX_FLAGS];
    char folder[PATH_MAX];
    struct buf text = { 0 };
    struct findings *findings = mgi_findings_new();
    struct config_sources sources = { .folder = getcwd(folder, sizeof folder) ? folder : NULL,
                                      .flags = flags,
                                      .flag_count = make_flags(&l->options, flags),
                                      .token = true }; /* that is asked for later */
    bool good = findings && mgi_config_read(&sources, arena, findings, out);
    if (findings && !good)
        mgi_findings_print(&text, findings);
    if (!good)
        fputs(text.ptr ? text.ptr : "error: out of memory\n", stderr);
    mgi_buf_fini(&text);
    mgi_findings_free(findings);
    return good;
}

/* ---- who may come in --------------------------------------------------------------------------
 */

/* Elsewhere everybody is served as this program is, so nobody may be allowed less. */
static bool are_equal(const char *file, const struct auth *auth)
{
    bool equal = true;
    for (size_t i = 0; i < mgi_auth_count(auth); i++) {
        const struct principal *who = mgi_auth_get(auth, i);
        if (mgi_principal_may(who, "intent:*"))
            continue;
        fprintf(stderr,
                "error: %s: %.*s may not do everything, and a server elsewhere would not know who "
                "asks\n  hint: Give it intent:*, or serve the domain's folder.\n",
                file, STR_ARG(who->identity));
        equal = false;
    }
    return equal;
}

/* NULL: it was said. */
static struct auth *load_auth(const char *file, bool folder)
{
    struct buf text = { 0 };
    struct auth *auth = mgi_load_auth(NULL, file, &text);
    if (!auth)
        fputs(text.ptr ? text.ptr : "error: out of memory\n", stderr);
    mgi_buf_fini(&text);
    if (!auth || folder || are_equal(file, auth))
        return auth;
    mgi_auth_unref(auth);
    return NULL;
}

static bool has_other_options(const struct mcp_listen_options *o)
{
    return o->auth_file || o->certificate || o->key || o->client_ca || o->client_optional ||
           o->behind_tls_proxy || o->hosts.count > 0 || o->origins.count > 0;
}

bool mgi_mcp_listen_read(struct mcp_listen *l, struct arena *arena, const char *log_level,
                         bool folder)
{
    struct service_config *config = mgi_arena_calloc(arena, 1, sizeof *config);
    l->log = (struct logger){ LOG_WARN, write_line, NULL };
    if (log_level && !mgi_log_level_parse(log_level, &l->log.level)) {
        fprintf(stderr, "error: --log: \"%s\" is none of error, warn, info, debug\n", log_level);
        return false;
    }
    if (!l->options.address) {
        if (has_other_options(&l->options))
            fputs("error: credentials and TLS are for an address: --listen is missing\n", stderr);
        return !has_other_options(&l->options);
    }
    if (!config || !read_config(l, arena, config))
        return false;
    l->auth_file = config->auth_file;
    l->auth = l->auth_file ? load_auth(l->auth_file, folder) : NULL;
    if (l->auth_file && !l->auth)
        return false;
    const struct listener_config *listener = &config->listeners[0];
    const char *fault = mgi_listen_address_parse(listener->address, &l->address);
    if (!fault && l->address.activated)
        fault = "sockets of a service manager are not taken here";
    if (!fault)
        fault = mgi_bridge_web_fault(listener, &l->address, l->auth);
    if (fault)
        fprintf(stderr, "error: %s: %s\n  hint: --auth FILE; manglecp token makes its lines.\n",
                listener->address, fault);
    else
        l->config = listener;
    return !fault;
}

void mgi_mcp_listen_announce(const struct mcp_listen *l, int port)
{
    bool six = strchr(l->address.host, ':') != NULL;
    fprintf(stderr, "manglecp mcp: listening on %s://%s%s%s:%d" WEB_PATH "%s\n",
            l->config->certificate ? "https" : "http", six ? "[" : "", l->address.host,
            six ? "]" : "", port, l->auth ? "" : ", without credentials");
}

void mgi_mcp_listen_again(struct mcp_listen *l, struct bridge_web *web, bool folder)
{
    struct buf why = { 0 };
    struct auth *auth = l->auth_file ? load_auth(l->auth_file, folder) : NULL;
    const char *fault = auth ? mgi_bridge_web_fault(l->config, &l->address, auth) : NULL;
    if (fault)
        mgi_log(&l->log, LOG_ERROR, "%s: %s", l->auth_file, fault);
    if (auth && !fault) {
        mgi_bridge_web_trust(web, auth);
        mgi_auth_unref(l->auth);
        l->auth = mgi_auth_ref(auth);
    }
    mgi_auth_unref(auth);
    if (!mgi_bridge_web_renew(web, &why))
        fputs(why.ptr ? why.ptr : "error: out of memory\n", stderr);
    mgi_buf_fini(&why);
}
