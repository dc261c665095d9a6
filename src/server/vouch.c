/* A session that another issuer's token began lasts longer than the issuer's word for it may: an
 * opaque token is believed for a while, a signed one as long as its key is among the issuer's. So
 * its requests are judged by that token as those over HTTP are, one after the other:
 *
 *     stands ──time, or a key was withdrawn──> judged anew ──good──> stands, as what it is now
 *                                                 ├──not good──> revoked
 *                                                 └──not to be had──> this request is refused
 *
 * One at a time is judged anew; the session's other requests wait for it. What runs goes on. */
#include "server/login_int.h"

static void wipe(struct peer *p)
{
    struct buf *token = &p->vouched.token;
    if (token->ptr)
        explicit_bzero(token->ptr, token->len);
    mgi_buf_fini(token);
}

static void forget_login(struct peer *p)
{
    if (p->vouched.login)
        mgi_login_forget(p->vouched.login);
    p->vouched.login = NULL;
    p->vouched.other = false;
}

void mgi_vouch_drop(struct peer *p)
{
    forget_login(p);
    wipe(p);
}

/* What is known of the token says until when it is believed; if it is not known, not at all. */
static void believe(struct peer *p)
{
    const struct principal *who = NULL;
    int64_t until_ns = 0;
    (void)mgi_login_recall(p->server, mgi_buf_view(&p->vouched.token), &who, &until_ns);
    p->vouched.until_ns = who ? until_ns : 0;
    p->vouched.withdrawals = p->server->logins.withdrawals;
    mgi_principal_unref(who);
}

bool mgi_vouch_keep(struct peer *p, struct str token)
{
    struct buf copy = { 0 };
    mgi_buf_str(&copy, token);
    if (copy.oom) {
        mgi_buf_fini(&copy);
        return false;
    }
    wipe(p);
    p->vouched.token = copy;
    p->vouched.other = p->vouched.login != NULL; /* who waits goes on as what it is then */
    if (token.len > 0)
        believe(p);
    return true;
}

/* One that has expired is not asked about: it is over, and that is what is said of it. */
static bool stands(const struct peer *p)
{
    int64_t now_ns = mgi_server_clock_ns(p->server);
    return p->vouched.token.len == 0 || (p->who && mgi_principal_expired(p->who, now_ns)) ||
           (now_ns < p->vouched.until_ns &&
            p->vouched.withdrawals == p->server->logins.withdrawals);
}

/* Takes `who`. */
static void hear(struct peer *p, enum auth_result result, const struct principal *who)
{
    if (result == AUTH_UNREACHABLE)
        return;
    mgi_principal_unref(p->who);
    p->who = who;
    p->revoked = !who;
    if (who)
        believe(p);
    else
        wipe(p);
}

static enum stage_result tell_waiting(struct request *r, enum auth_result result)
{
    enum stage_result (*next)(struct request * r) = r->vouched;
    r->vouched = NULL;
    if (result != AUTH_UNREACHABLE)
        return next(r); /* which sees whether there is somebody */
    r->error = mgi_server_refusal(result);
    return STAGE_ANSWER;
}

static struct request *first_unsure(const struct peer *p)
{
    struct request *r = p->open;
    while (r && !r->vouched)
        r = r->next;
    return r;
}

static void token_heard(void *context, enum auth_result result, const struct principal *who)
{
    struct peer *p = context;
    struct request *r;
    p->vouched.login = NULL;
    if (p->vouched.other) {
        mgi_principal_unref(who);
        result = AUTH_GOOD;
    } else {
        hear(p, result, who);
    }
    p->vouched.other = false;
    mgi_peer_hold(p); /* who goes on may end others, and the connection */
    while ((r = first_unsure(p)) != NULL)
        mgi_request_resume(r, tell_waiting(r, result));
    mgi_peer_release(p);
}

enum stage_result mgi_vouch(struct request *r, enum stage_result (*next)(struct request *r))
{
    struct peer *p = r->peer;
    const struct principal *who = NULL;
    if (stands(p))
        return next(r);
    r->vouched = next;
    if (p->vouched.login)
        return STAGE_WAIT;
    enum auth_result result = mgi_server_identify(p->server, mgi_buf_view(&p->vouched.token), &who);
    if (result == AUTH_UNSURE) {
        p->vouched.login =
            mgi_server_judge(p->server, mgi_buf_view(&p->vouched.token), p->place, token_heard, p);
        if (p->vouched.login)
            return STAGE_WAIT;
        result = AUTH_UNREACHABLE;
    }
    hear(p, result, who);
    return tell_waiting(r, result);
}

void mgi_vouch_leave(struct request *r)
{
    r->vouched = NULL;
    if (!first_unsure(r->peer))
        forget_login(r->peer);
}
