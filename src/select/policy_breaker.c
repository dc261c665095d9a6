/* The breaker of a policy: see policy_breaker.h. */
#include "select/policy_breaker.h"

void mgi_policy_breaker_init(struct policy_breaker *b, uint32_t threshold, int64_t cooldown_ms)
{
    *b = (struct policy_breaker){ .threshold = threshold > 0 ? threshold : 1,
                                  .cooldown_ms = cooldown_ms };
}

enum policy_admission mgi_policy_breaker_ask(struct policy_breaker *b, int64_t now_ms)
{
    if (!b->open)
        return POLICY_ADMITTED;
    if (b->trying || now_ms < b->open_until_ms)
        return POLICY_REFUSED;
    b->trying = true;
    return POLICY_TRIAL;
}

void mgi_policy_breaker_told(struct policy_breaker *b, enum policy_admission as, bool success,
                             int64_t now_ms)
{
    mgi_policy_breaker_forget(b, as);
    if (success) {
        b->open = false;
        b->failures = 0;
        return;
    }
    if (b->open && as != POLICY_TRIAL)
        return;
    if (b->failures < b->threshold)
        b->failures++;
    if (b->failures >= b->threshold) {
        b->open = true;
        b->open_until_ms = now_ms + b->cooldown_ms;
    }
}

void mgi_policy_breaker_forget(struct policy_breaker *b, enum policy_admission as)
{
    if (as == POLICY_TRIAL)
        b->trying = false;
}
