/* The breaker of a policy (toolhost.md T-POL-7): after some failures in a row nobody calls it for a
 * while; then one call is tried. Pure; the time is monotonic and an argument. One thread. */
#ifndef MGI_SELECT_POLICY_BREAKER_H
#define MGI_SELECT_POLICY_BREAKER_H

#include <stdbool.h>
#include <stdint.h>

struct policy_breaker {
    uint32_t threshold, failures; /* in a row */
    int64_t cooldown_ms, open_until_ms;
    bool open, trying;
};

enum policy_admission { POLICY_REFUSED, POLICY_ADMITTED, POLICY_TRIAL };

void mgi_policy_breaker_init(struct policy_breaker *b, uint32_t threshold, int64_t cooldown_ms);

/* May the policy be called now? A trial is promised to one at a time. */
enum policy_admission mgi_policy_breaker_ask(struct policy_breaker *b, int64_t now_ms);

/* What became of a call that was admitted so. A success clears the count; the threshold's failure,
 * or a trial's, opens the breaker. Late failures of calls from before it opened change nothing. */
void mgi_policy_breaker_told(struct policy_breaker *b, enum policy_admission as, bool success,
                             int64_t now_ms);

/* The call was given up without a verdict: cancelled, or never made. */
void mgi_policy_breaker_forget(struct policy_breaker *b, enum policy_admission as);

#endif
