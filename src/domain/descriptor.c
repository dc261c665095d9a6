/* What the descriptors of a Decl say. */
#include "domain/domain_int.h"

#define DESCRIPTOR_ARGS 64

const char *mgi_descriptor_text(const mangle_program *p, mangle_pred pred, const char *name,
                                size_t index)
{
    mangle_value args[DESCRIPTOR_ARGS];
    size_t count = mangle_pred_descriptor(p, pred, name, args, DESCRIPTOR_ARGS);
    if (count == SIZE_MAX || index >= count || index >= DESCRIPTOR_ARGS)
        return NULL;
    const mangle_values *t = mangle_program_values(p);
    size_t len;
    if (mangle_kind_of(t, args[index]) != MANGLE_STRING)
        return NULL;
    return mangle_text_of(t, args[index], &len);
}
