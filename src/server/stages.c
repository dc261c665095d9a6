/* What becomes of a request, as lists of stages. Every list begins alike: which one it is,
 * admission decides. */
#include "server/server_int.h"

#define LOOP(stage, function, ...)                                                                 \
    {                                                                                              \
        .name = stage, .where = ON_LOOP, .run = function, __VA_ARGS__                              \
    }
#define WORKER(stage, function, ...)                                                               \
    {                                                                                              \
        .name = stage, .where = ON_WORKER, .run = function, __VA_ARGS__                            \
    }
#define OPENING                                                                                    \
    WORKER("parse", mgi_stage_parse, .brief = mgi_parse_is_brief),                                 \
        LOOP("admit", mgi_stage_admit, .cancel = mgi_cancel_admit)
#define SEND                                                                                       \
    {                                                                                              \
        .name = "send", .where = ON_LOOP                                                           \
    }

/* authenticate and cancel are done when they are admitted */
static const struct stage session_stages[] = { OPENING, SEND };

static const struct stage intent_stages[] = {
    OPENING,
    WORKER("evaluate", mgi_stage_evaluate, ),
    SEND,
};

static const struct stage invoke_stages[] = {
    OPENING,
    /* by key: does another request run it already? */
    LOOP("join", mgi_stage_join, .skip = mgi_has_no_key, .cancel = mgi_cancel_join),
    /* does its token answer an invocation that waits for a person? */
    LOOP("claim", mgi_stage_claim, ),
    /* shape, key, definition, window, arguments, consent */
    WORKER("check", mgi_stage_check, ),
    /* a session for the first action */
    LOOP("reserve", mgi_stage_reserve, .cancel = mgi_cancel_invocation),
    /* the consent, where there is one */
    WORKER("spend", mgi_stage_spend, .skip = mgi_is_not_consented),
    /* the actions, one after the other */
    LOOP("chain", mgi_stage_chain, .cancel = mgi_cancel_invocation, .owed = true),
    /* result, effects rules, delta */
    WORKER("conclude", mgi_stage_conclude, .brief = mgi_conclude_is_brief, .owed = true),
    /* by key: the outcome, or that there was none */
    WORKER("keep", mgi_stage_keep, .skip = mgi_has_nothing_to_keep, .closing = true),
    /* what had effects is in the journal to its end before anybody hears of it */
    LOOP("settle", mgi_stage_settle, .skip = mgi_is_settled, .closing = true),
    SEND,
};

/* An invocation that waited for a person in vain comes to its end */
static const struct stage lapse_stages[] = {
    LOOP("lapse", mgi_stage_lapse, .cancel = mgi_cancel_invocation, .owed = true),
    WORKER("conclude", mgi_stage_conclude, .owed = true),
    WORKER("keep", mgi_stage_keep, .skip = mgi_has_nothing_to_keep, .closing = true),
    LOOP("settle", mgi_stage_settle, .skip = mgi_is_settled, .closing = true),
    SEND,
};

const struct stage *const mgi_stage_lists[LISTS] = {
    [LIST_SESSION] = session_stages,
    [LIST_INTENT] = intent_stages,
    [LIST_INVOKE] = invoke_stages,
    [LIST_LAPSE] = lapse_stages,
};
