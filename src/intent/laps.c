/* What an evaluation takes, by its stages, for who asks. */
#include "intent/intent_int.h"

const char *mgi_intent_stage_name(enum intent_stage stage)
{
    static const char *const names[INTENT_STAGES] = { "decode", "rules",  "select", "window",
                                                      "proof",  "encode", "store" };
    return names[stage];
}

void mgi_ev_lap(struct evaluation *ev, enum intent_stage stage)
{
    const struct intent_call *call = ev->call;
    if (!call->costs || !call->mono)
        return;
    int64_t now = call->mono(call->mono_context);
    ev->stages_ns[stage] += now - ev->lap_ns;
    ev->lap_ns = now;
}
