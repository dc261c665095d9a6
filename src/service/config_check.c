/* What the parts of a configuration say of each other, and addresses.
 *
 * Secure by default: what strangers can reach needs credentials, and TLS or a proxy that speaks it
 * (P-AUTH-*, P-TLS-1, D-53, D-54). */
#include <arpa/inet.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/time.h"
#include "base/url.h"
#include "service/config_int.h"

/* ---- addresses ----------------------------------------------------------------------------- */

/* The host part: without brackets, "" is loopback. */
static const char *take_host(struct str s, char host[128])
{
    if (mgi_str_find(s, STR_LIT("://")) != SIZE_MAX)
        return "an address to listen on is HOST:PORT alone, without http:// before it";
    if (s.len >= 2 && s.ptr[0] == '[' && s.ptr[s.len - 1] == ']') {
        s.ptr++;
        s.len -= 2;
    } else if (s.len > 0 && memchr(s.ptr, ':', s.len)) {
        return "an IPv6 address stands in brackets: [::1]:8765";
    }
    if (s.len >= 128)
        return "the host is too long";
    memcpy(host, s.ptr, s.len);
    host[s.len] = '\0';
    if (s.len == 0)
        memcpy(host, "127.0.0.1", sizeof "127.0.0.1");
    return NULL;
}

static bool host_is_loopback(const char *host)
{
    struct in_addr four;
    struct in6_addr six;
    if (strcmp(host, "localhost") == 0)
        return true;
    if (inet_pton(AF_INET, host, &four) == 1)
        return ntohl(four.s_addr) >> 24 == 127;
    return inet_pton(AF_INET6, host, &six) == 1 && IN6_IS_ADDR_LOOPBACK(&six);
}

static bool host_is_numeric(const char *host)
{
    unsigned char any[16];
    return strcmp(host, "localhost") == 0 || inet_pton(AF_INET, host, any) == 1 ||
           inet_pton(AF_INET6, host, any) == 1;
}

const char *mgi_listen_address_parse(const char *text, struct listen_address *out)
{
    *out = (struct listen_address){ .port = 0 };
    if (strcmp(text, "systemd") == 0 || strncmp(text, "systemd:", 8) == 0) {
        const char *name = text[7] ? text + 8 : "";
        if (text[7] && (!name[0] || strlen(name) >= sizeof out->host))
            return "the name of a socket is missing or too long: systemd:NAME";
        out->activated = true;
        snprintf(out->host, sizeof out->host, "%s", name);
        return NULL;
    }
    const char *colon = strrchr(text, ':');
    size_t digits = colon ? strspn(colon + 1, "0123456789") : 0;
    if (digits == 0 || digits > 5 || colon[1 + digits])
        return "an address is HOST:PORT, [HOST]:PORT, :PORT, systemd or systemd:NAME";
    long port = strtol(colon + 1, NULL, 10);
    if (port > 65535)
        return "a port is at most 65535";
    out->port = (int)port;
    const char *why = take_host((struct str){ text, (size_t)(colon - text) }, out->host);
    if (!why && !host_is_numeric(out->host))
        why = "the host must be an IPv4 or IPv6 address, or localhost";
    out->is_loopback = !why && host_is_loopback(out->host);
    return why;
}

/* ---- the checks ---------------------------------------------------------------------------- */

struct checking {
    const struct config_sources *sources;
    struct findings *findings;
    const struct service_config *config;
};

/* What this listener was told with: a key of the file or, of one that a flag or a variable named,
 * the flag. */
static const char *named(const struct listener_config *l, const char *path)
{
    for (size_t i = 0; l->line == 0 && i < mgi_config_row_count; i++)
        if (mgi_config_rows[i].scope == CONFIG_LISTENER &&
            strcmp(mgi_config_rows[i].path, path) == 0 && mgi_config_rows[i].flag)
            return mgi_config_rows[i].flag;
    return path;
}

static void fault_at(const struct checking *c, const struct listener_config *l, const char *hint,
                     const char *format, ...)
{
    struct buf text = { 0 };
    va_list args;
    va_start(args, format);
    mgi_buf_vprintf(&text, format, args);
    va_end(args);
    mgi_findings_add(c->findings, MANGLE_ERROR, "LISTENER", l->origin, l->line, l->column, hint,
                     "%s%s", l->address, text.ptr ? text.ptr : "");
    mgi_buf_fini(&text);
}

static void check_tls(const struct checking *c, const struct listener_config *l)
{
    const char *certificate = named(l, "tls.certificate"), *key = named(l, "tls.key");
    const char *ca = named(l, "tls.client_ca"), *optional = named(l, "tls.client_optional");
    bool own = l->certificate || l->key;
    if (!l->certificate != !l->key && !l->self_signed)
        fault_at(c, l, NULL, ": %s and %s belong together: one is missing", certificate, key);
    if (l->self_signed && own)
        fault_at(c, l, "Leave one of them out.", ": %s makes its own certificate: it takes no file",
                 named(l, "tls.self_signed"));
    if (l->client_ca && !own)
        fault_at(c, l, "Give --tls-certificate and --tls-key, too.",
                 ": %s needs TLS with a certificate of your own", ca);
    if (l->client_optional && !l->client_ca)
        fault_at(c, l, "Give --tls-client-ca FILE, too.",
                 ": %s says something of %s, which is missing", optional, ca);
}

/* Who may come in: P-AUTH-*, D-53. A socket of the service manager is judged when it is known. */
static void check_reach(const struct checking *c, const struct listener_config *l,
                        const struct listen_address *at)
{
    const struct service_config *config = c->config;
    bool encrypted = l->certificate || l->self_signed || l->behind_tls_proxy;
    if (!at->is_loopback && !at->activated && !encrypted)
        fault_at(c, l, BEYOND_LOOPBACK_HINT, " is not a loopback address: it needs TLS");
    bool credentials = c->sources->token || config->auth_file || config->oauth.issuer;
    if (!credentials && !config->open_demo && l->operations != OPERATIONS_ONLY)
        fault_at(c, l, "Set MANGLECP_TOKEN, give --auth FILE, or start a demo with --open-demo.",
                 ": a network listener needs credentials");
}

static void check_listener(const struct checking *c, const struct listener_config *l)
{
    struct listen_address at;
    if (!l->address)
        return;
    const char *why = mgi_listen_address_parse(l->address, &at);
    if (why)
        fault_at(c, l, NULL, ": %s", why);
    check_tls(c, l);
    if (!why)
        check_reach(c, l, &at);
}

/* Two listeners on one address: the second could not be opened. Any port may be asked for twice. */
static void check_twice(const struct checking *c, size_t index)
{
    const struct listener_config *l = &c->config->listeners[index];
    struct listen_address a, b;
    for (size_t i = 0; i < index; i++) {
        const char *other = c->config->listeners[i].address;
        if (l->address && other && !mgi_listen_address_parse(l->address, &a) &&
            !mgi_listen_address_parse(other, &b) && !a.activated && !b.activated &&
            a.port == b.port && a.port != 0 && strcmp(a.host, b.host) == 0)
            fault_at(c, l, NULL, " is listened on twice");
    }
}

/* ---- another issuer ------------------------------------------------------------------------- */

static void oauth_fault(const struct checking *c, const char *hint, const char *key,
                        const char *what)
{
    const char *where = c->sources->file ? c->sources->file : "serve";
    mgi_findings_add(c->findings, MANGLE_ERROR, "OAUTH", where, 0, 0, hint, "oauth.%s: %s", key,
                     what);
}

static void check_url(const struct checking *c, const char *key, const char *url)
{
    const char *fault = url ? mgi_url_fault(url) : NULL;
    if (fault)
        oauth_fault(c, NULL, key, fault);
}

static void check_oauth(const struct checking *c)
{
    const struct oauth_config *o = &c->config->oauth;
    bool any = o->resource || o->audience || o->keys_url || o->keys || o->introspection ||
               o->token_url || o->client;
    if (!o->issuer && any)
        oauth_fault(c, NULL, "issuer", "it is missing, and the rest of oauth says something of it");
    if (!o->issuer)
        return;
    if (!o->resource)
        oauth_fault(c, "Give the address that clients use, as in https://tools.example/manglecp.",
                    "resource", "it is missing: tokens are for one server");
    if (!o->token_url)
        oauth_fault(c, NULL, "token_url", "it is missing: clients have to know where tokens are");
    if (!o->keys && !o->keys_url && !o->introspection)
        oauth_fault(c, "Give keys_url, keys (a file) or introspection.", "keys_url",
                    "nothing says how tokens are judged");
    if (o->keys && o->keys_url)
        oauth_fault(c, "Leave one of them out.", "keys", "there is keys_url, too");
    if (o->introspection && !o->client)
        oauth_fault(c, NULL, "client", "it is missing: the issuer wants to know who asks");
    check_url(c, "issuer", o->issuer);
    check_url(c, "resource", o->resource);
    check_url(c, "token_url", o->token_url);
    check_url(c, "keys_url", o->keys_url);
    check_url(c, "introspection", o->introspection);
}

void mgi_config_check(const struct config_sources *sources, struct findings *findings,
                      const struct service_config *config)
{
    struct checking c = { sources, findings, config };
    const char *where = sources->file ? sources->file : "serve";
    if (!config->domain)
        mgi_findings_add(findings, MANGLE_ERROR, "MISSING_KEY", where, 0, 0,
                         "Give the folder as DOMAIN, or as domain in the configuration.",
                         "there is no domain to serve");
    if (!config->stdio && config->listener_count == 0 && !sources->listens_elsewhere)
        mgi_findings_add(findings, MANGLE_ERROR, "MISSING_KEY", where, 0, 0,
                         "Give --stdio, or --listen HOST:PORT, or listen in the configuration.",
                         "a server needs a way to be spoken to");
    if (config->stdio && config->decision_log && strcmp(config->decision_log, "stdout") == 0)
        mgi_findings_add(findings, MANGLE_ERROR, "BAD_VALUE", where, 0, 0,
                         "Give the decision log a file.",
                         "standard output speaks the protocol: decisions cannot go there, too");
    check_oauth(&c);
    for (size_t i = 0; i < config->listener_count; i++) {
        check_listener(&c, &config->listeners[i]);
        check_twice(&c, i);
    }
}
