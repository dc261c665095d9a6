/* The list of built-ins. A row is all there is to a built-in: nothing else here or elsewhere knows
 * its name. */
#include "mangle/builtin/builtin_int.h"

#include "base/near.h"

/* ---- the list ------------------------------------------------------------------------------ */

static const struct function *const function_families[] = {
    mgi_functions_number, mgi_functions_string,   mgi_functions_structure, mgi_functions_time,
    mgi_functions_civil,  mgi_functions_duration, mgi_functions_reduce,
};

static const struct builtin_pred *const pred_families[] = {
    mgi_preds_compare,
    mgi_preds_match,
    mgi_preds_interval,
};

#define FAMILY_COUNT(families) (sizeof(families) / sizeof *(families))

const struct function *mgi_function_at(size_t index)
{
    for (size_t i = 0; i < FAMILY_COUNT(function_families); i++)
        for (const struct function *f = function_families[i]; f->name; f++)
            if (index-- == 0)
                return f;
    return NULL;
}

const struct builtin_pred *mgi_builtin_pred_at(size_t index)
{
    for (size_t i = 0; i < FAMILY_COUNT(pred_families); i++)
        for (const struct builtin_pred *p = pred_families[i]; p->name; p++)
            if (index-- == 0)
                return p;
    return NULL;
}

/* A hundred names, asked for once per call in a source: walking them is quick enough. */
const struct function *mgi_function_find(struct str name)
{
    for (size_t i = 0; i < FAMILY_COUNT(function_families); i++)
        for (const struct function *f = function_families[i]; f->name; f++)
            if (str_is(name, f->name))
                return f;
    return NULL;
}

const struct builtin_pred *mgi_builtin_pred_find(struct str name)
{
    for (size_t i = 0; i < FAMILY_COUNT(pred_families); i++)
        for (const struct builtin_pred *p = pred_families[i]; p->name; p++)
            if (str_is(name, p->name))
                return p;
    return NULL;
}

/* ---- did you mean -------------------------------------------------------------------------- */

/* Words that others use for what is here. */
static const char *renamed_function(struct str name)
{
    static const char *const names[][2] = {
        { "add", "fn:plus" },           { "sub", "fn:minus" },       { "subtract", "fn:minus" },
        { "mul", "fn:mult" },           { "multiply", "fn:mult" },   { "times", "fn:mult" },
        { "divide", "fn:div" },         { "remainder", "fn:mod" },   { "average", "fn:avg" },
        { "mean", "fn:avg" },           { "length", "fn:list:len" }, { "size", "fn:list:len" },
        { "head", "fn:list:get" },      { "nth", "fn:list:get" },    { "now", "fn:time:now" },
        { "join", "fn:string:concat" },
    };
    size_t at = name.len;
    while (at > 0 && name.ptr[at - 1] != ':')
        at--;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (str_is((struct str){ name.ptr + at, name.len - at }, names[i][0]))
            return names[i][1];
    return NULL;
}

const char *mgi_function_suggest(struct str name)
{
    const char *renamed = renamed_function(name);
    if (renamed && !str_is(name, renamed))
        return renamed;
    struct near near = mgi_near(name);
    const struct function *f;
    for (size_t i = 0; (f = mgi_function_at(i)) != NULL; i++)
        mgi_near_try(&near, str_of(f->name));
    return near.best.ptr;
}

const char *mgi_builtin_pred_suggest(struct str name)
{
    struct near near = mgi_near(name);
    const struct builtin_pred *p;
    for (size_t i = 0; (p = mgi_builtin_pred_at(i)) != NULL; i++)
        mgi_near_try(&near, str_of(p->name));
    return near.best.ptr;
}
