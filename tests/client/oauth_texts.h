/* What a good server and a good issuer say, for tests. */
#ifndef TEST_CLIENT_OAUTH_TEXTS_H
#define TEST_CLIENT_OAUTH_TEXTS_H

#include "client/oauth.h"

#define GOOD_CHALLENGE                                                                             \
    "Negotiate YII=, Basic realm=\"a \\\"b\\\", c\" , bearer scope=\"a b\" , "                     \
    "resource_metadata = \"https://t.example/m\", Bearer scope=other"
#define GOOD_RESOURCE                                                                              \
    "{\"resource\":\"https://t.example/x\",\"authorization_servers\":[\"https://i.example/a\","    \
    "\"https://j.example\"]}"
#define GOOD_ISSUER                                                                                \
    "{\"issuer\":\"https://i.example/a\",\"authorization_endpoint\":\"https://i.example/"          \
    "auth?x=1\","                                                                                  \
    "\"token_endpoint\":\"https://i.example/token\",\"registration_endpoint\":null,"               \
    "\"code_challenge_methods_supported\":[\"S256\"],"                                             \
    "\"authorization_response_iss_parameter_supported\":true}"
#define GOOD_TOKEN                                                                                 \
    "{\"access_token\":\"at\",\"token_type\":\"bearer\",\"expires_in\":60,\"refresh_token\":"      \
    "\"rt\"}"
#define GOOD_CREDENTIALS                                                                           \
    "{\"version\":1,\"logins\":[{\"target\":\"https://t.example/m\",\"resource\":"                 \
    "\"https://t.example/x\",\"issuer\":\"https://i.example/a\",\"token_endpoint\":"               \
    "\"https://i.example/token\",\"client_id\":\"me\",\"access_token\":\"at\","                    \
    "\"refresh_token\":\"rt\",\"ends\":99}]}"

static const struct oauth_issuer good_issuer = { .issuer = "https://i.example/a",
                                                 .authorize = "https://i.example/auth?x=1",
                                                 .token = "https://i.example/token",
                                                 .names_itself = true };

/* Of RFC 7636, appendix B. */
static const struct oauth_attempt good_attempt = {
    .issuer = &good_issuer,
    .client_id = "me & you",
    .resource = "https://t.example/x",
    .scope = "a b",
    .redirect = "http://127.0.0.1:7/callback",
    .verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
    .state = "sssssssssssssssssssssssssssssssssssssssssss",
};

#define GOOD_REDIRECT                                                                              \
    "/callback?iss=https%3A%2F%2Fi.example%2Fa&code=c%2B1&"                                        \
    "state=sssssssssssssssssssssssssssssssssssssssssss"

#endif
