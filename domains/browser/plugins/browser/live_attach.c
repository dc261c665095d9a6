/* A browser that runs already: connecting to it, a context of our own in it, and leaving it as it
 * was. */
#include <stdio.h>

#include "attach.h"
#include "live_int.h"

#define ATTACH_MS   5000 /* until it has said where its WebSocket is and opened it */
#define ANSWERED_MS 15000
#define LEAVE_MS    600

static bool is_of_context(const struct live *l, const struct json *target)
{
    return str_is(mgi_member_string(target, "browserContextId"), l->context);
}

bool mgi_live_is_ours(const struct json *target)
{
    struct live *l = &mgi_live;
    pthread_mutex_lock(&l->lock);
    bool ours = !l->context[0] || is_of_context(l, target);
    pthread_mutex_unlock(&l->lock);
    return ours;
}

bool mgi_live_is_foreign(const struct live *l, struct str session, const struct json *params)
{
    const struct json *target = mgi_json_get(params, "targetInfo");
    struct str id = mgi_member_string(params, "targetId");
    if (!l->context[0] || session.len > 0)
        return false;
    if (target)
        return !is_of_context(l, target);
    for (size_t i = 0; i < l->target_count; i++)
        if (str_is(id, l->targets[i].target))
            return false;
    return id.len > 0;
}

/* The context goes with the connection, however that ends. Its way to the network is guarded as
 * that of a browser which was started is. */
static bool make_context(struct job *job, struct live *l)
{
    struct json made;
    const char *bypass = mgi_live_bypass(job, l);
    struct str params =
        mgi_live_params(job,
                        "{\"disposeOnDetach\":true,\"proxyServer\":\"socks5://127.0.0.1:%d\","
                        "\"proxyBypassList\":%.*s}",
                        mgi_guard_proxy_port(l->proxy),
                        STR_ARG(mgi_live_quoted(job, str_of(bypass ? bypass : ""))));
    if (!bypass)
        return mgi_job_no_memory(job);
    if (!mgi_live_ask(job, STR_LIT(""), "Target.createBrowserContext", params, ANSWERED_MS, &made))
        return false;
    struct str id = mgi_member_string(&made, "browserContextId");
    if (id.len == 0 || id.len >= LIVE_ID_MAX)
        return mgi_job_fail(job, "the browser has made no context");
    pthread_mutex_lock(&l->lock);
    snprintf(l->context, sizeof l->context, "%.*s", STR_ARG(id));
    pthread_mutex_unlock(&l->lock);
    return true;
}

static bool connect_to(struct job *job, struct live *l, const struct attach_place *place)
{
    struct buf why;
    struct talk_patience patience = mgi_live_patience(job, ATTACH_MS);
    mgi_buf_init(&why);
    bool open = mgi_attach_open(place, &patience, &l->socket, &why);
    if (!open)
        mgi_job_fail(job, "the browser at %.*s cannot be attached to: %.*s",
                     STR_ARG(l->settings.attach), STR_ARG(mgi_buf_view(&why)));
    mgi_buf_fini(&why);
    if (!open)
        return false;
    l->ended = false;
    l->talk = mgi_talk_new(&l->socket.wire, mgi_live_hear, mgi_live_ended, l);
    return l->talk ? true : mgi_job_no_memory(job);
}

bool mgi_live_attach(struct job *job, struct live *l)
{
    struct attach_place place;
    const char *why = mgi_attach_parse(l->settings.attach, &place);
    if (l->settings.program.len > 0)
        why = "the setting `browser` names one that is to be started";
    if (why)
        return mgi_job_fail(job, "the setting `attach` (%.*s) cannot be used: %s",
                            STR_ARG(mgi_utf8_prefix(l->settings.attach, 200)), why);
    return mgi_live_make_way(job, l) && connect_to(job, l, &place) && make_context(job, l);
}

/* Its pages go with it. */
void mgi_live_leave(struct live *l)
{
    char params[LIVE_ID_MAX + 32];
    struct buf reply;
    const struct talk_patience patience = { .until_ms = mgi_talk_now_ms() + LEAVE_MS };
    if (!l->context[0])
        return;
    int n = snprintf(params, sizeof params, "{\"browserContextId\":\"%s\"}", l->context);
    mgi_buf_init(&reply);
    mgi_talk_ask(l->talk, STR_LIT(""), "Target.disposeBrowserContext",
                 (struct str){ params, (size_t)n }, &patience, &reply);
    mgi_buf_fini(&reply);
}
