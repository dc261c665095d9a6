/* The token that a client shows: the caller's own, or that of a login, which is kept with it so
 * that it can be renewed. */
#include "client/client_int.h"

enum manglecp_status mgi_token_renew(manglecp_client *c)
{
    struct buf why = { 0 };
    if (!c->login.path)
        return mgi_fail(c, MANGLECP_ERR_CREDENTIALS, "the token is of no login");
    enum manglecp_status status = mgi_stored_token(&c->login, c->options.token, &c->token, &why);
    c->options.token = c->token.ptr;
    if (!status && !c->token.ptr) {
        mgi_buf_printf(&why, "the login for %s has ended", c->login.target);
        status = MANGLECP_ERR_CREDENTIALS;
    }
    c->authenticated = false;
    if (!status && c->link->table->use_token)
        status = c->link->table->use_token(c->link, c->token.ptr);
    if (status)
        mgi_fail(c, status, "%s", why.ptr ? why.ptr : "out of memory");
    mgi_buf_fini(&why);
    return status;
}

enum manglecp_status mgi_token_keep(manglecp_client *c, const struct stored_login *login,
                                    struct buf *token)
{
    c->login = *login;
    c->token = *token;
    *token = (struct buf){ 0 };
    c->options.token = c->token.ptr;
    return mgi_option_keep(&c->life, &c->login.path) &&
                   mgi_option_keep(&c->life, &c->login.target) &&
                   mgi_option_keep(&c->life, &c->login.ca_file)
               ? MANGLECP_OK
               : MANGLECP_ERR_NOMEM;
}

enum manglecp_status mgi_token_choose(struct manglecp_options *o, const struct stored_login *login,
                                      struct buf *token, struct buf *why)
{
    enum manglecp_status status = MANGLECP_OK;
    if (o->confirm_key && !mgi_consent_key_ok(o->confirm_key)) {
        mgi_buf_puts(why, "the confirmation key is not base64url");
        return MANGLECP_ERR_USAGE;
    }
    if (login->target && login->path && !o->token) {
        status = mgi_stored_token(login, NULL, token, why);
        o->token = token->ptr;
    }
    return status;
}
