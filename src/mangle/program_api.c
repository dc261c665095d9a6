/* What a compiled program tells about itself: the accessors of mangle.h. */
#include "base/alloc.h"
#include "mangle/front_int.h"
#include "mangle/plan.h"

const char *mangle_status_text(enum mangle_status status)
{
    static const char *const texts[] = {
#define STATUS_TEXT(name, text) text,
        MANGLE_STATUS(STATUS_TEXT)
#undef STATUS_TEXT
    };
    size_t index = (size_t)status;
    return index < sizeof texts / sizeof *texts ? texts[index] : "unknown status";
}

void mangle_free(void *p)
{
    mgi_free(p);
}

uint32_t mgi_line_at(const mangle_program *p, struct span span)
{
    const struct source *source = &p->sources[span.source];
    uint32_t low = 0, high = source->line_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (source->lines[middle] <= span.start)
            low = middle;
        else
            high = middle;
    }
    return low + 1;
}

size_t mangle_program_pred_count(const mangle_program *p)
{
    return p->pred_count;
}

size_t mangle_program_stratum_count(const mangle_program *p)
{
    return p->stratum_count;
}

struct mangle_pred_view mangle_program_pred(const mangle_program *p, mangle_pred index)
{
    const struct pred *pred = &p->preds[index];
    struct mangle_pred_view view = { .name = pred->name.ptr,
                                     .arity = pred->arity,
                                     .temporal = pred->temporal,
                                     .declared = pred->decl != NULL,
                                     .derived = pred->derived,
                                     .changeable = pred->changeable,
                                     .arg_names = pred->arg_names,
                                     .doc = pred->doc,
                                     .file = "",
                                     .stratum = pred->derived ? pred->stratum : UINT32_MAX };
    if (!pred->host) {
        view.file = p->sources[pred->first.source].name;
        view.line = mgi_line_at(p, pred->first);
    }
    return view;
}

mangle_pred mangle_pred_find(const mangle_program *p, const char *name, uint32_t arity)
{
    return mgi_pred_find(p, str_of(name), arity);
}

size_t mangle_pred_descriptor(const mangle_program *p, mangle_pred index, const char *name,
                              mangle_value *out, size_t cap)
{
    const struct pred *pred = &p->preds[index];
    for (uint32_t i = 0; i < pred->descriptor_count; i++) {
        const struct descriptor *d = &pred->descriptors[i];
        if (!str_is(d->name, name))
            continue;
        for (size_t j = 0; j < d->count && j < cap; j++)
            out[j] = d->args[j];
        return d->count;
    }
    return SIZE_MAX;
}

const char *mangle_pred_bound(const mangle_program *p, mangle_pred index, uint32_t column)
{
    const struct pred *pred = &p->preds[index];
    return pred->bounds && column < pred->arity ? pred->bounds[column] : "/any";
}

const mangle_values *mangle_program_values(const mangle_program *p)
{
    return p->values;
}

size_t mangle_program_rule_count(const mangle_program *p)
{
    return p->rule_count;
}

struct mangle_rule_view mangle_program_rule(const mangle_program *p, size_t index)
{
    const struct clause *c = p->rules[index];
    return (struct mangle_rule_view){ .text = p->rule_texts[index],
                                      .file = p->sources[c->span.source].name,
                                      .line = mgi_line_at(p, c->span),
                                      .head = c->head.pred,
                                      .body = p->rule_bodies[index],
                                      .body_count = p->rule_body_counts[index],
                                      .per_request = mgi_plan_per_request(p, index) };
}
