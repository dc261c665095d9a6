/* A token from the file, or a new one from its issuer; see stored_login.h. */
#include "client/stored_login.h"

#include "base/time.h"
#include "client/credentials.h"
#include "client/oauth.h"
#include "client/oauth_http.h"
#include "client/origin.h"
#include "sys/clock.h"

#define LOCK_MS  30000 /* others renew meanwhile */
#define RENEW_MS 10000
#define EARLY_S  10 /* before its end: a request takes time, and clocks differ */

struct search {
    const struct stored_login *login;
    const char *refused;
    const char *target; /* as it is spelled in the file */
    struct curl_late api;
    struct arena *arena;
    struct credentials *all;
    struct buf *why;
};

static bool is_usable(const struct search *s, const struct credential *c)
{
    bool over = c->ends_s > 0 && mgi_clock_real_ns() / NS_PER_SEC + EARLY_S >= c->ends_s;
    return !over && !(s->refused && strcmp(s->refused, c->access) == 0);
}

/* *found NULL: there is no login. */
static enum manglecp_status look(struct search *s, const struct credential **found)
{
    enum manglecp_status status = mgi_credentials_load(s->login->path, s->arena, s->all, s->why);
    *found = status ? NULL : mgi_credentials_find(s->all, s->target);
    return status;
}

/* The login is over: nobody is to try it again. */
static enum manglecp_status end_login(struct search *s, const struct credential *c)
{
    struct buf fault = { 0 };
    mgi_credentials_drop(s->all, c->resource, c->issuer);
    enum manglecp_status status = mgi_credentials_store(s->login->path, s->all, &fault);
    mgi_buf_fini(&fault);
    return status == MANGLECP_ERR_NOMEM ? status : MANGLECP_ERR_CREDENTIALS;
}

static enum manglecp_status ask_for_token(const struct search *s, const struct credential *c,
                                          struct oauth_reply *r)
{
    struct buf form = { 0 };
    mgi_oauth_put_refresh(&form, c->client_id, c->resource, c->refresh);
    const struct oauth_ask ask = { .url = c->token_endpoint,
                                   .body = mgi_buf_view(&form),
                                   .type = "application/x-www-form-urlencoded",
                                   .ca_file = s->login->ca_file,
                                   .max_bytes = OAUTH_DOCUMENT_BYTES,
                                   .deadline_ns = mgi_clock_mono_ns() + RENEW_MS * NS_PER_MS };
    enum manglecp_status status =
        form.oom ? MANGLECP_ERR_NOMEM : mgi_oauth_ask(&s->api, &ask, r, s->why);
    mgi_buf_wipe(&form);
    return status;
}

/* With the lock held. On success *c is what is in the file now. */
static enum manglecp_status renew(struct search *s, struct credential *c)
{
    struct oauth_reply r;
    struct oauth_token token;
    if (!c->refresh) {
        mgi_buf_puts(s->why, "it cannot be renewed");
        return end_login(s, c);
    }
    enum manglecp_status status = ask_for_token(s, c, &r);
    if (status)
        return status;
    if (mgi_oauth_token_read(s->arena, r.status, mgi_buf_view(&r.body), &token, s->why)) {
        c->access = token.access;
        c->refresh = token.refresh ? token.refresh : c->refresh;
        c->ends_s = mgi_oauth_ends_s(&token, mgi_clock_real_ns() / NS_PER_SEC);
        mgi_credentials_put(s->all, c);
        status = mgi_credentials_store(s->login->path, s->all, s->why);
    } else if (s->arena->oom || s->why->oom) {
        status = MANGLECP_ERR_NOMEM;
    } else {
        status = mgi_oauth_grant_is_over(r.status, mgi_buf_view(&r.body)) ? end_login(s, c)
                                                                          : MANGLECP_ERR_TRANSPORT;
    }
    mgi_oauth_reply_fini(&r);
    return status;
}

/* Whoever had the lock before may have renewed it already, or ended it. */
static enum manglecp_status renew_alone(struct search *s, struct credential *c)
{
    int lock;
    const struct credential *found;
    int64_t deadline_ns = mgi_clock_mono_ns() + LOCK_MS * NS_PER_MS;
    enum manglecp_status status = mgi_credentials_lock(s->login->path, deadline_ns, &lock, s->why);
    if (status)
        return status;
    status = look(s, &found);
    if (!status && !found) {
        mgi_buf_puts(s->why, "another program found that it has ended");
        status = MANGLECP_ERR_CREDENTIALS;
    }
    if (!status) {
        *c = *found;
        status = is_usable(s, c) ? MANGLECP_OK : renew(s, c);
    }
    mgi_credentials_unlock(lock);
    return status;
}

static enum manglecp_status find_token(struct search *s, struct buf *token)
{
    const struct credential *found;
    struct credential c;
    enum manglecp_status status =
        mgi_address_of_target(&s->api, s->login->target, s->arena, &s->target, s->why);
    if (!status)
        status = look(s, &found);
    if (status || !found)
        return status;
    c = *found;
    if (!is_usable(s, &c)) {
        struct buf fault = { 0 }, *why = s->why;
        s->why = &fault;
        status = renew_alone(s, &c);
        s->why = why;
        if (status)
            mgi_buf_printf(why, "the login for %s %s: %s", s->target,
                           status == MANGLECP_ERR_CREDENTIALS ? "has ended"
                                                              : "could not be renewed",
                           mgi_buf_view(&fault).ptr);
        mgi_buf_fini(&fault);
    }
    if (!status)
        mgi_buf_puts(token, c.access);
    return status || !token->oom ? status : MANGLECP_ERR_NOMEM;
}

enum manglecp_status mgi_stored_token(const struct stored_login *login, const char *refused,
                                      struct buf *token, struct buf *why)
{
    struct arena arena;
    struct credentials all = { .count = 0 };
    struct search s = {
        .login = login, .refused = refused, .arena = &arena, .all = &all, .why = why
    };
    struct buf found = { 0 };
    mgi_arena_init(&arena, 0);
    enum manglecp_status status =
        mgi_curl_late_open(&s.api, why) ? find_token(&s, &found) : MANGLECP_ERR_TRANSPORT;
    mgi_arena_fini(&arena);
    if (status) {
        mgi_buf_wipe(&found);
    } else {
        mgi_buf_wipe(token); /* not before: `refused` may lie in it */
        *token = found;
    }
    return status;
}
