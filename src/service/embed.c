/* A service inside another program: the functions of manglecp.h over those of service.h. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "service/service_int.h"

static enum manglecp_status tell(enum service_fault fault, const struct buf *text, char *message,
                                 size_t cap)
{
    static const enum manglecp_status statuses[] = {
        [SERVICE_FINE] = MANGLECP_OK,
        [SERVICE_CONFIG_WRONG] = MANGLECP_ERR_USAGE,
        [SERVICE_DOMAIN_WRONG] = MANGLECP_ERR_USAGE,
        [SERVICE_WORLD_FAILED] = MANGLECP_ERR_TRANSPORT,
        [SERVICE_NOMEM] = MANGLECP_ERR_NOMEM,
    };
    bool lost = text->oom || (fault && text->len == 0);
    struct str s = lost ? STR_LIT("out of memory") : mgi_buf_view(text);
    while (s.len > 0 && s.ptr[s.len - 1] == '\n')
        s.len--;
    if (message && cap > 0)
        snprintf(message, cap, "%.*s", STR_ARG(s));
    return statuses[fault];
}

enum manglecp_status manglecp_service_new(const struct manglecp_service_options *o,
                                          manglecp_service **out, char *message, size_t cap)
{
    struct buf text = { 0 };
    struct config_flag domain = { "DOMAIN", o->domain };
    char folder[4096];
    const char *slash = o->config_name ? strrchr(o->config_name, '/') : NULL;
    struct config_sources sources = {
        .file = o->config ? (o->config_name ? o->config_name : "config") : NULL,
        .text = str_of(o->config ? o->config : ""),
        .folder = getcwd(folder, sizeof folder) ? folder : NULL,
        .environment = o->environment,
        .flags = &domain,
        .flag_count = o->domain != NULL,
        .token = o->token && o->token[0],
        .listens_elsewhere = true,
    };
    struct buf config_folder = { 0 };
    if (slash)
        mgi_buf_append(&config_folder, o->config_name, (size_t)(slash - o->config_name));
    sources.file_folder = slash ? config_folder.ptr : sources.folder;
    struct service_options options = { .config = sources,
                                       .token = o->token,
                                       .programs = o->programs,
                                       .log = o->log,
                                       .log_context = o->context };
    enum service_fault fault = mgi_service_new(&options, out, &text);
    enum manglecp_status status = tell(fault, &text, message, cap);
    mgi_buf_fini(&config_folder);
    mgi_buf_fini(&text);
    return status;
}

enum manglecp_status manglecp_service_listen(manglecp_service *s, const char *address, int *port,
                                             char *message, size_t cap)
{
    struct buf text = { 0 };
    struct listener_config config = { .max_connections = 0, .origin = "listen" };
    config.address = mgi_arena_strdup(&s->arena, address);
    enum service_fault fault = SERVICE_CONFIG_WRONG;
    if (s->life != LIFE_NEW)
        mgi_buf_puts(&text, "listen: error: the service runs already\n");
    else
        fault = config.address ? mgi_service_open(s, &config, &text) : SERVICE_NOMEM;
    if (!fault && port) {
        const struct service_listener *last = s->listeners;
        while (last->next)
            last = last->next;
        *port = last->port;
    }
    enum manglecp_status status = tell(fault, &text, message, cap);
    mgi_buf_fini(&text);
    return status;
}

enum manglecp_status manglecp_service_run(manglecp_service *s, char *message, size_t cap)
{
    struct buf text = { 0 };
    enum service_fault fault = mgi_service_run(s, &text);
    enum manglecp_status status = tell(fault, &text, message, cap);
    mgi_buf_fini(&text);
    return status;
}
