/* Ways to be spoken to: addresses, sockets of the service manager, TLS over them, stdio.
 *
 * Secure by default: what strangers can reach needs credentials, and TLS or a proxy in front
 * (P-AUTH-*, P-TLS-*, D-53). config_check.c says so of addresses that are written out; here the
 * same is asked of sockets whose address is only known now, and of credential files that are empty.
 */
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <uv.h>

#include "base/time.h"
#include "service/config_int.h"
#include "service/consent_socket.h"
#include "service/service_int.h"
#include "service/trial.h"
#include "sys/clock.h"
#include "transport/http_head.h"

#define DAY_NS               (86400 * NS_PER_SEC)
#define TRIAL_RENEW_NS       ((TLS_TRIAL_DAYS - 1) * DAY_NS) /* a day before it expires */
#define TRIAL_RETRY_NS       (60 * NS_PER_SEC)
#define APPROVER_CONNECTIONS 8 /* people are few */

/* ---- faults ---------------------------------------------------------------------------------- */

static enum service_fault say(struct buf *text, const struct service_listener *l,
                              enum service_fault fault, const char *why, const char *hint)
{
    const char *origin = l->config.origin ? l->config.origin : "listen";
    if (l->config.line > 0)
        mgi_buf_printf(text, "%s:%u:%u: error: ", origin, l->config.line, l->config.column);
    else
        mgi_buf_printf(text, "%s: error: ", origin);
    mgi_buf_printf(text, "%s: %s\n", l->config.address, why);
    if (hint)
        mgi_buf_printf(text, "  hint: %s\n", hint);
    return fault;
}

/* ---- TLS ------------------------------------------------------------------------------------- */

/* Its file is the one thing that a client has to be given; the rest is for whoever has no file. */
static void show_trial(struct service_listener *l, const struct tls_context *context)
{
    manglecp_service *s = l->service;
    char fingerprint[TLS_FINGERPRINT_TEXT + 1];
    struct buf pin = { 0 }, why = { 0 };
    bool is_there = mgi_trial_publish(context, s->environment, &l->trial, &why);
    mgi_log(&s->log, LOG_WARN,
            "%s: a certificate for trying, for localhost and %s, good for a week: %s%s",
            l->config.address, l->address.host,
            is_there ? "clients take it with --ca (curl: --cacert) " : "",
            is_there  ? l->trial.ptr
            : why.ptr ? why.ptr
                      : "out of memory");
    mgi_buf_fini(&why);
    mgi_tls_fingerprint(context, fingerprint);
    mgi_tls_pin(context, &pin);
    mgi_log(&s->log, LOG_WARN, "%s: its SHA-256 fingerprint is %s, curl -k --pinnedpubkey %s",
            l->config.address, fingerprint, pin.ptr ? pin.ptr : "");
    mgi_buf_fini(&pin);
}

/* A certificate for trying is about to expire, and a connection has come: another one, of the same
 * key, in the same file. The one before is served on if there is no memory for it. */
static void renew_trial(struct tls_front *front, int64_t now_ns)
{
    struct service_listener *l =
        (struct service_listener *)((char *)front - offsetof(struct service_listener, tls));
    struct tls_report report = { 0 };
    struct tls_context *context =
        mgi_tls_trial_again(front->context, l->address.host, now_ns, &report);
    front->renew_at_ns = now_ns + (context ? TRIAL_RENEW_NS : TRIAL_RETRY_NS);
    if (context) {
        show_trial(l, context);
        mgi_tls_front_set(front, context);
    }
    mgi_tls_context_unref(context);
    mgi_tls_report_fini(&report);
}

static enum service_fault open_tls(struct service_listener *l, struct buf *text)
{
    const struct listener_config *c = &l->config;
    struct tls_report report = { 0 };
    struct tls_server_files files = { c->certificate, c->key, c->client_ca, c->client_optional };
    int64_t now = mgi_clock_real_ns();
    if (!c->self_signed && !c->certificate)
        return SERVICE_FINE;
    struct tls_context *context = c->self_signed ? mgi_tls_trial_new(l->address.host, now, &report)
                                                 : mgi_tls_server_load(&files, now, &report);
    bool said = report.errors.len > 0;
    if (!context)
        mgi_tls_report_print(&report, text);
    mgi_log_lines(&l->service->log, LOG_WARN, mgi_buf_view(&report.warnings));
    mgi_tls_report_fini(&report);
    if (!context)
        return said ? SERVICE_CONFIG_WRONG : say(text, l, SERVICE_NOMEM, "out of memory", NULL);
    if (c->self_signed) {
        show_trial(l, context);
        l->tls.renew_at_ns = now + TRIAL_RENEW_NS;
        l->tls.renew = renew_trial;
    }
    l->tls.clock_ns = mgi_clock_real_ns;
    mgi_tls_front_set(&l->tls, context);
    mgi_tls_context_unref(context);
    return SERVICE_FINE;
}

void mgi_service_take_tls(manglecp_service *s, const struct load *load)
{
    size_t i = 0;
    for (struct service_listener *l = s->listeners; l; l = l->next)
        if (l->config.certificate && !l->config.self_signed && i < load->plan.tls_count)
            mgi_tls_front_set(&l->tls, load->tls[i++]);
}

/* ---- one address ------------------------------------------------------------------------------
 */

/* The address of a socket that somebody else opened. False: it is none of ours. */
static bool name_socket(int fd, struct listen_address *out)
{
    struct sockaddr_storage name;
    socklen_t len = sizeof name;
    char host[INET6_ADDRSTRLEN];
    if (getsockname(fd, (struct sockaddr *)&name, &len) != 0 ||
        (name.ss_family != AF_INET && name.ss_family != AF_INET6))
        return false;
    const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)&name;
    const struct sockaddr_in *four = (const struct sockaddr_in *)&name;
    bool is_six = name.ss_family == AF_INET6;
    int rc = is_six ? uv_ip6_name(six, host, sizeof host) : uv_ip4_name(four, host, sizeof host);
    char text[INET6_ADDRSTRLEN + 16];
    snprintf(text, sizeof text, is_six ? "[%s]:%d" : "%s:%d", host,
             ntohs(is_six ? six->sin6_port : four->sin_port));
    return rc == 0 && !mgi_listen_address_parse(text, out);
}

static enum service_fault take_activated(struct service_listener *l, int *fd, struct buf *text)
{
    char name[sizeof l->address.host];
    memcpy(name, l->address.host, sizeof name);
    *fd = mgi_activation_take(&l->service->activation, str_of(name));
    if (*fd < 0)
        return say(text, l, SERVICE_WORLD_FAILED,
                   l->service->activation.count == 0 ? "no socket was passed by a service manager"
                   : name[0] ? "no socket of this name was passed (FileDescriptorName=)"
                             : "no passed socket is left",
                   "Start it through a socket unit; docs/serving.md has one.");
    if (!name_socket(*fd, &l->address))
        return say(text, l, SERVICE_WORLD_FAILED, "the passed socket is not one of TCP", NULL);
    return SERVICE_FINE;
}

static enum service_fault judge_reach(const struct service_listener *l, struct buf *text)
{
    const manglecp_service *s = l->service;
    const struct listener_config *c = &l->config;
    if (!l->address.is_loopback && !l->tls.context && !c->behind_tls_proxy)
        return say(text, l, SERVICE_CONFIG_WRONG, "it is not a loopback address: it needs TLS",
                   BEYOND_LOOPBACK_HINT);
    if (l->serves_protocol && !s->config.open_demo && !mgi_auth_has_tokens(s->auth) &&
        !s->config.oauth.issuer)
        return say(text, l, SERVICE_CONFIG_WRONG, "a network listener needs credentials",
                   "Set MANGLECP_TOKEN, give --auth FILE, or start a demo with --open-demo.");
    return SERVICE_FINE;
}

/* What to do about a fault of the system's, or NULL. */
static const char *bind_hint(const char *why)
{
    static const struct {
        int code;
        const char *hint;
    } rows[] = {
        { UV_EADDRINUSE, "Another program listens there: stop it, or take another port." },
        { UV_EACCES, "Ports below 1024 are for root: take a higher one, or a socket that systemd "
                     "opens (docs/serving.md)." },
        { UV_EADDRNOTAVAIL, "This machine has no such address; 0.0.0.0 and [::] stand for all that "
                            "it has." },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(why, uv_strerror(rows[i].code)) == 0)
            return rows[i].hint;
    return NULL;
}

static bool serves_operations(const struct service_listener *l)
{
    const struct listener_config *c = &l->config;
    switch ((enum operations)c->operations) {
    case OPERATIONS_NEVER:
        return false;
    case OPERATIONS_ALSO:
    case OPERATIONS_ONLY:
        return true;
    case OPERATIONS_AUTO:
        break;
    }
    /* A name that is not of this machine means that somebody forwards requests to us. */
    return l->address.is_loopback && !c->behind_tls_proxy && c->hosts.count == 0;
}

static void part_closed(void *context)
{
    struct service_listener *l = context;
    l->http = NULL;
    l->service->events->part_closed(l->service);
}

static enum service_fault listen_http(struct service_listener *l, int fd, struct buf *text)
{
    manglecp_service *s = l->service;
    const char *why = "out of memory";
    l->options = (struct http_options){
        .net = s->net,
        .host = l->address.host,
        .port = l->address.port,
        .descriptor = fd > 0 ? fd : 0,
        .max_connections = (uint32_t)l->config.max_connections,
        .hosts = l->config.hosts.items,
        .host_count = l->config.hosts.count,
        .origins = l->config.origins.items,
        .origin_count = l->config.origins.count,
        .challenge = s->challenge,
        .clock_ns = mgi_clock_real_ns,
        .tasks = mgi_server_tasks(s->server),
        .dress = l->tls.context ? mgi_tls_front_dress : NULL,
        .dress_context = &l->tls,
        .log = &s->log,
    };
    if (!l->address.is_loopback && l->config.hosts.count == 0 && l->serves_protocol)
        mgi_log(&s->log, LOG_WARN,
                "requests must name %s or a loopback host: allow others with --allow-host",
                l->address.host);
    mgi_http_api_identify(s->api, &l->options);
    l->http = mgi_http_listen(&l->options, &l->port, &why);
    if (!l->http)
        return say(text, l, SERVICE_WORLD_FAILED, why, bind_hint(why));
    s->open_parts++;
    if ((l->serves_protocol &&
         (!mgi_http_api_add(s->api, l->http) || !mgi_ws_api_add(s->sockets, l->http))) ||
        (l->serves_operations && !mgi_service_add_operations(l)))
        return say(text, l, SERVICE_NOMEM, "out of memory", NULL);
    return SERVICE_FINE;
}

/* "http://127.0.0.1:8765", for people and for tests that let the system choose the port. */
static void announce(const struct service_listener *l)
{
    bool six = strchr(l->address.host, ':') != NULL;
    mgi_log(&l->service->log, LOG_INFO, "listening on %s://%s%s%s:%d%s",
            l->tls.context ? "https" : "http", six ? "[" : "", l->address.host, six ? "]" : "",
            l->port, l->serves_protocol ? "" : " (operations)");
}

/* ---- the person beside standard input and output ----------------------------------------------
 */

static const struct principal *identify_person(void *context, const struct http1_request *r,
                                               const struct stream *stream,
                                               struct wire_error *refusal)
{
    static const struct str permissions[] = { { "confirm", 7 } };
    static const struct principal person = { .kind = PRINCIPAL_KNOWN,
                                             .identity = { "this user", 9 },
                                             .permissions = permissions,
                                             .permission_count = 1,
                                             .expires_ns = INT64_MAX };
    (void)context, (void)r, (void)stream, (void)refusal;
    return &person;
}

static const char *listen_to_person(manglecp_service *s, struct service_listener *l, int fd)
{
    const char *why = "out of memory";
    l->options = (struct http_options){ .net = s->net,
                                        .descriptor = fd,
                                        .max_connections = APPROVER_CONNECTIONS,
                                        .identify = identify_person,
                                        .clock_ns = mgi_clock_real_ns,
                                        .log = &s->log };
    l->http = mgi_http_listen(&l->options, &l->port, &why);
    if (!l->http)
        return why;
    s->open_parts++;
    s->approver = l;
    return mgi_service_add_confirm(l) ? NULL : "out of memory";
}

void mgi_service_open_approver(manglecp_service *s)
{
    struct buf why = { 0 };
    struct service_listener *l = mgi_arena_calloc(&s->arena, 1, sizeof *l);
    int fd = l ? mgi_consent_socket_open(s->environment, &s->approver_path, &why) : -1;
    const char *fault = why.ptr ? why.ptr : "out of memory";
    if (fd >= 0) {
        *l = (struct service_listener){ .service = s };
        fault = listen_to_person(s, l, fd);
    }
    if (fault)
        mgi_log(&s->log, LOG_INFO, "nobody can approve what needs consent: %s", fault);
    else
        mgi_log(&s->log, LOG_INFO, "a person approves with: manglecp confirm unix:%s CHALLENGE",
                s->approver_path.ptr);
    mgi_buf_fini(&why);
}

static void append(manglecp_service *s, struct service_listener *l)
{
    struct service_listener **end = &s->listeners;
    while (*end)
        end = &(*end)->next;
    *end = l;
}

enum service_fault mgi_service_open(manglecp_service *s, const struct listener_config *config,
                                    struct buf *text)
{
    int fd = -1;
    struct service_listener *l = mgi_arena_calloc(&s->arena, 1, sizeof *l);
    if (!l) {
        mgi_buf_puts(text, "error: out of memory\n");
        return SERVICE_NOMEM;
    }
    *l = (struct service_listener){ .service = s, .config = *config };
    append(s, l); /* what it opens is closed with the others, whatever happens */
    const char *why = mgi_listen_address_parse(config->address, &l->address);
    if (why)
        return say(text, l, SERVICE_CONFIG_WRONG, why, NULL);
    enum service_fault fault = l->address.activated ? take_activated(l, &fd, text) : SERVICE_FINE;
    l->serves_protocol = config->operations != OPERATIONS_ONLY;
    l->serves_operations = serves_operations(l);
    if (!fault)
        fault = open_tls(l, text);
    if (!fault)
        fault = judge_reach(l, text);
    if (!fault)
        fault = listen_http(l, fd, text);
    if (!fault)
        announce(l);
    return fault;
}

/* ---- all of them ------------------------------------------------------------------------------
 */

enum service_fault mgi_service_open_all(manglecp_service *s, struct buf *text)
{
    enum service_fault first = SERVICE_FINE;
    for (size_t i = 0; i < s->config.listener_count; i++) { /* every fault is said */
        enum service_fault fault = mgi_service_open(s, &s->config.listeners[i], text);
        if (!first)
            first = fault;
    }
    for (size_t i = 0; i < s->activation.count; i++)
        if (!s->activation.sockets[i].taken)
            mgi_log(&s->log, LOG_WARN,
                    "the service manager passed a socket that no listener takes: write address: "
                    "systemd%s%.*s",
                    s->activation.sockets[i].name.len ? ":" : "",
                    STR_ARG(s->activation.sockets[i].name));
    if (s->config.open_demo && s->config.listener_count > 0)
        mgi_log(&s->log, LOG_WARN,
                "open demo mode: anyone who can connect may use tools without effects");
    return first;
}

void mgi_service_drain_listeners(manglecp_service *s)
{
    for (struct service_listener *l = s->listeners; l; l = l->next)
        if (l->http)
            mgi_http_drain(l->http);
    if (s->approver && s->approver->http)
        mgi_http_drain(s->approver->http);
}

void mgi_service_close_listeners(manglecp_service *s, int64_t grace_ms)
{
    if (s->sockets && grace_ms > 0)
        mgi_ws_api_stop(s->sockets);
    else if (s->sockets)
        mgi_ws_api_cut(s->sockets);
    for (struct service_listener *l = s->listeners; l; l = l->next)
        if (l->http)
            mgi_http_close(l->http, grace_ms, part_closed, l);
    if (s->approver && s->approver->http)
        mgi_http_close(s->approver->http, grace_ms, part_closed, s->approver);
    mgi_consent_socket_remove(&s->approver_path);
}

void mgi_service_free_listeners(manglecp_service *s)
{
    for (struct service_listener *l = s->listeners; l; l = l->next) {
        mgi_tls_front_set(&l->tls, NULL);
        mgi_trial_withdraw(&l->trial);
    }
    s->listeners = NULL;
    mgi_consent_socket_remove(&s->approver_path);
    for (size_t i = 0; i < s->activation.count; i++)
        if (!s->activation.sockets[i].taken)
            (void)close(s->activation.sockets[i].fd);
}

/* ---- stdio ------------------------------------------------------------------------------------
 */

static void session_over(void *context, bool output_lost)
{
    manglecp_service *s = context;
    s->session = NULL;
    s->events->session_over(s, output_lost);
}

enum service_fault mgi_service_open_stdio(manglecp_service *s, struct buf *text)
{
    struct stdio_options options = {
        .server = s->server,
        .loop = &s->loop,
        .token_required = mgi_auth_has_tokens(s->auth) || s->config.oauth.issuer,
        .max_message_bytes = mgi_server_max_message_bytes(s->server),
        .closed = session_over,
        .context = s,
    };
    s->session = mgi_stdio_start(&options);
    if (!s->session) {
        mgi_buf_puts(text, "error: standard input and output cannot be used\n");
        return SERVICE_WORLD_FAILED;
    }
    s->open_parts++;
    return SERVICE_FINE;
}
