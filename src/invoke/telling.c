/* What has run, told to rules: as facts of an overlay, which is the effects rules' or a menu's; and
 * what they make of it. */
#include "base/time.h"
#include "invoke/invoke_int.h"

void mgi_tell(struct telling *t, mangle_pred pred, const mangle_value *args, uint32_t count,
              const struct mangle_interval *during)
{
    for (uint32_t i = 0; i < count; i++)
        if (args[i] == MANGLE_NONE)
            t->nomem = true;
    if (pred != MANGLE_NO_PRED && !t->nomem &&
        mangle_overlay_add(t->overlay, pred, args, count, during, NULL) == MANGLE_ERR_NOMEM)
        t->nomem = true;
}

mangle_value mgi_tell_text(struct telling *t, struct str s)
{
    return mangle_string(t->values, s.ptr ? s.ptr : "", s.len);
}

mangle_value mgi_tell_value(struct telling *t, const struct json *v)
{
    const char *issue = NULL, *why = NULL;
    mangle_value out = mgi_value_from_json(t->values, v, false, false, t->arena, &issue, &why);
    t->nomem |= issue == mgi_issue_nomem;
    return out;
}

mangle_value mgi_tell_object(struct telling *t, const struct json *object)
{
    struct buf text = { 0 };
    struct json_writer w;
    struct json kept;
    mangle_value out = mgi_tell_value(t, object);
    if (out != MANGLE_NONE || object->type != JSON_OBJECT)
        return out;
    mgi_json_writer_init(&w, &text, 0);
    mgi_jw_begin_object(&w);
    for (uint32_t i = 0; i < object->count; i++) {
        if (mgi_tell_value(t, &object->members[i].value) == MANGLE_NONE)
            continue;
        mgi_jw_key_str(&w, object->members[i].name);
        mgi_jw_value(&w, &object->members[i].value);
    }
    mgi_jw_end_object(&w);
    if (!mgi_json_take(t->arena, &text, &kept)) {
        t->nomem = true;
        return MANGLE_NONE;
    }
    return mgi_tell_value(t, &kept);
}

void mgi_tell_members(struct telling *t, mangle_pred pred, const struct json *object,
                      const char *except)
{
    for (uint32_t i = 0; object->type == JSON_OBJECT && i < object->count; i++) {
        const struct json_member *m = &object->members[i];
        if (except && str_is(m->name, except))
            continue;
        mangle_value v = mgi_tell_value(t, &m->value);
        if (v != MANGLE_NONE)
            mgi_tell(t, pred, (mangle_value[]){ mgi_tell_text(t, m->name), v }, 2, NULL);
    }
}

void mgi_tell_arguments(struct telling *t)
{
    mgi_tell_members(t, t->inv->snapshot->pred.invoke_arg, &t->inv->args, NULL);
}

/* An item that returned nothing has no output. */
static void tell_output(struct telling *t, mangle_value id, const struct json *output)
{
    mangle_value v = output->type == JSON_OBJECT ? mgi_tell_object(t, output) : MANGLE_NONE;
    if (v != MANGLE_NONE)
        mgi_tell(t, t->inv->snapshot->pred.step_output, (mangle_value[]){ id, v }, 2, NULL);
}

void mgi_tell_run(struct telling *t, const struct step_run *run)
{
    static const char *const names[] = { "skipped", "success", "failure", "skipped" };
    mangle_value id = mgi_tell_text(t, run->step->id);
    mgi_tell(t, t->inv->snapshot->pred.step_status,
             (mangle_value[]){ id, mgi_tell_text(t, str_of(names[run->state])) }, 2, NULL);
    bool each = run->step->has_foreach; /* a fact for each item */
    for (uint32_t k = 0; run->has_output && k < (each ? run->output.count : 1); k++)
        tell_output(t, id, each ? &run->output.items[k] : &run->output);
}

int64_t mgi_invocation_mono(void *context)
{
    (void)context;
    return (int64_t)uv_hrtime();
}

enum mangle_status mgi_tell_rules(const struct invocation *inv, mangle_overlay *overlay,
                                  bool (*cancelled)(void *context), void *context,
                                  struct mangle_error *err)
{
    const struct limits *server = &inv->snapshot->settings.limits;
    const struct mangle_limits limits = { .max_facts = server->max_derived_facts,
                                          .max_intervals = server->max_intervals_per_atom,
                                          .timeout_ns = server->max_compute_ms * NS_PER_MS,
                                          .cancelled = cancelled,
                                          .cancel_context = context,
                                          .clock = mgi_invocation_mono };
    enum mangle_status status = mangle_overlay_eval(overlay, inv->now_ns, &limits, NULL, err);
    int64_t *fired = inv->call.notes ? inv->call.notes->fired : NULL;
    for (size_t i = 0; !status && fired && i < mangle_program_rule_count(inv->snapshot->program);
         i++)
        fired[i] += mangle_overlay_firings(overlay, i);
    return status;
}
