/* The options of a client: their defaults, and what is kept of them. */
#include "client/client_int.h"
#include "client/links.h"
#include "sys/clock.h"

#define CONNECT_MS  5000
#define MANIFEST_MS 10000
#define ANSWER_MS   60000
#define READY_MS    30000
#define LONGEST_MS  (INT64_C(365) * 24 * 3600 * 1000) /* no deadline overflows */

static int64_t bounded(int64_t ms, int64_t otherwise)
{
    return ms <= 0 ? otherwise : ms < LONGEST_MS ? ms : LONGEST_MS;
}

bool mgi_option_keep(struct arena *life, const char **text)
{
    if (*text && !(*text = mgi_arena_strdup(life, *text)))
        return false;
    return true;
}

bool mgi_client_keep_files(struct manglecp_options *options, struct arena *arena)
{
    return mgi_option_keep(arena, &options->ca_file) &&
           mgi_option_keep(arena, &options->certificate) &&
           mgi_option_keep(arena, &options->certificate_key);
}

struct manglecp_options mgi_client_defaults(const struct manglecp_options *options)
{
    struct manglecp_options o = options ? *options : (struct manglecp_options){ 0 };
    o.connect_timeout_ms = bounded(o.connect_timeout_ms, CONNECT_MS);
    o.manifest_timeout_ms = bounded(o.manifest_timeout_ms, MANIFEST_MS);
    o.timeout_ms = bounded(o.timeout_ms, ANSWER_MS);
    o.ready_timeout_ms = o.ready_timeout_ms < 0 ? 0 : bounded(o.ready_timeout_ms, READY_MS);
    if (o.token && !o.token[0])
        o.token = NULL;
    if (o.credentials && !o.credentials[0])
        o.credentials = NULL;
    if (o.confirm_key && !o.confirm_key[0])
        o.confirm_key = NULL;
    return o;
}

int64_t mgi_client_now_ns(const manglecp_client *c)
{
    return c->options.clock_ns ? c->options.clock_ns(c->options.context) : mgi_clock_real_ns();
}
