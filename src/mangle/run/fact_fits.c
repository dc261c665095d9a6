/* Has a fact of the host the form of its predicate? Asked before it goes into a base or an overlay.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "mangle/run/base.h"

#define NAME_SHOWN 139 /* bytes of a predicate's name: a message has its end, too */

static __attribute__((format(printf, 2, 3))) enum mangle_status misfit(struct mangle_error *err,
                                                                       const char *format, ...)
{
    if (err) {
        va_list args;
        va_start(args, format);
        vsnprintf(err->message, sizeof err->message, format, args);
        va_end(args);
    }
    return MANGLE_ERR_INPUT;
}

enum mangle_status mgi_fact_check(const mangle_program *p, mangle_pred pred,
                                  const mangle_value *args, uint32_t count,
                                  const struct mangle_interval *t, struct mangle_error *err)
{
    if (pred >= p->pred_count)
        return misfit(err, "there is no such predicate");
    const struct pred *known = &p->preds[pred];
    const char *name = known->name.ptr;
    int len = known->name.len < NAME_SHOWN ? (int)known->name.len : NAME_SHOWN;
    if (count != known->arity)
        return misfit(err, "%.*s has %" PRIu32 " arguments, not %" PRIu32, len, name, known->arity,
                      count);
    for (uint32_t i = 0; i < count; i++)
        if (args[i] == MANGLE_NONE)
            return misfit(err, "argument %" PRIu32 " of %.*s has no value", i + 1, len, name);
    bool always = !t || (t->start_ns == MANGLE_MIN_TIME && t->end_ns == MANGLE_MAX_TIME);
    if (!known->temporal && !always)
        return misfit(err, "%.*s is not temporal: it takes no interval", len, name);
    if (t && t->start_ns > t->end_ns)
        return misfit(err, "the interval of %.*s ends before it starts", len, name);
    return MANGLE_OK;
}
