/* Credentials of callers: who they are, and what is said if they are not good. */
#include "server/server_int.h"

#define ISSUER_RETRY_MS 5000

enum auth_result mgi_server_identify(const struct server *s, struct str token,
                                     const struct principal **who)
{
    enum auth_result result = mgi_auth_check(s->auth, token, mgi_server_clock_ns(s), who);
    int64_t until_ns;
    if (result == AUTH_REJECTED)
        return mgi_login_recall(s, token, who, &until_ns);
    mgi_principal_ref(*who);
    return result;
}

bool mgi_server_takes_keys(const struct server *s)
{
    return mgi_auth_has_keys(s->auth);
}

enum auth_result mgi_server_identify_key(const struct server *s, struct str key,
                                         const struct principal **who)
{
    enum auth_result result = mgi_auth_check_key(s->auth, key, mgi_server_clock_ns(s), who);
    mgi_principal_ref(*who);
    return result;
}

struct wire_error mgi_server_refusal(enum auth_result result)
{
    if (result == AUTH_UNREACHABLE)
        return (struct wire_error){ WIRE_SERVER_NOT_READY,
                                    "Who issued the token cannot be asked at the moment.",
                                    STR_LIT("{\"reason\":\"issuer\"}"), ISSUER_RETRY_MS };
    return (struct wire_error){ WIRE_AUTH_INVALID,
                                result == AUTH_EARLY ? "The credentials are not valid yet."
                                                     : "The credentials were not accepted.",
                                result == AUTH_EXPIRED
                                    ? STR_LIT("{\"reason\":\"expired\",\"schemes\":[\"bearer\"]}")
                                    : STR_LIT("{\"reason\":\"rejected\",\"schemes\":[\"bearer\"]}"),
                                -1 };
}

enum auth_result mgi_server_identify_certificate(const struct server *s, struct str fingerprint,
                                                 const struct principal **who)
{
    enum auth_result result =
        mgi_auth_check_certificate(s->auth, fingerprint, mgi_server_clock_ns(s), who);
    mgi_principal_ref(*who);
    return result;
}
