/* What a token of another issuer costs: judged with its key, for each algorithm. */
#include <stdio.h>

#include "base/time.h"
#include "security/jwt.h"
#include "support/jwt_maker.h"
#include "sys/clock.h"

#define ROUNDS 400
#define TOKENS 5 /* a round */

static const struct jwt_rules rules = { .issuer = "https://issuer.example",
                                        .audience = "https://tools.example/manglecp" };

static void judge_many(const struct jwks *keys, struct str token)
{
    for (int i = 0; i < TOKENS; i++) {
        struct principal *who;
        if (mgi_jwt_judge(&rules, keys, token, NS_PER_SEC, &who) != JWT_GOOD)
            abort();
        mgi_principal_unref(who);
    }
}

/* The best round tells what the code can do; the others what else the machine did. */
static int64_t best_round(const struct jwks *keys, struct str token)
{
    int64_t best = INT64_MAX;
    for (int i = 0; i < ROUNDS; i++) {
        int64_t begun = mgi_clock_mono_ns();
        judge_many(keys, token);
        int64_t took = mgi_clock_mono_ns() - begun;
        if (took < best)
            best = took;
    }
    return best;
}

int main(void)
{
    for (int kind = MAKER_RSA; kind <= MAKER_ED25519; kind++) {
        struct jwt_maker maker = jwt_maker_new((enum maker_kind)kind);
        struct buf set = { 0 }, header = { 0 }, token = { 0 };
        const char *why;
        mgi_buf_puts(&set, "{\"keys\":[");
        jwt_put_jwk(&set, &maker, "k");
        mgi_buf_puts(&set, "]}");
        mgi_buf_printf(&header, "{\"alg\":\"%s\",\"kid\":\"k\",\"typ\":\"at+jwt\"}",
                       jwt_maker_alg(&maker));
        jwt_put_token(&token, &maker, header.ptr,
                      "{\"iss\":\"https://issuer.example\",\"sub\":\"ann\",\"exp\":2000000000,"
                      "\"aud\":\"https://tools.example/manglecp\",\"client_id\":\"agent\","
                      "\"iat\":1,\"jti\":\"b1d2\",\"scope\":\"intent:* operator\"}");
        struct jwks *keys = mgi_jwks_new(mgi_buf_view(&set), &why);
        if (!keys)
            abort();
        printf("jwt %s: %.1f us (a token judged, before it is remembered)\n", jwt_maker_alg(&maker),
               (double)best_round(keys, mgi_buf_view(&token)) / TOKENS / 1000);
        mgi_jwks_unref(keys);
        mgi_buf_fini(&set);
        mgi_buf_fini(&header);
        mgi_buf_fini(&token);
        jwt_maker_free(&maker);
    }
    return 0;
}
