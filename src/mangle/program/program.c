/* A program while stages work on it: its life, its table of predicates, and small questions. */
#include "mangle/program/program.h"

#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"

static bool pred_key(struct buf *key, struct str name, uint32_t arity)
{
    mgi_buf_clear(key);
    mgi_buf_str(key, name);
    mgi_buf_printf(key, "/%u", arity);
    return !key->oom;
}

mangle_pred mgi_pred_find(const mangle_program *p, struct str name, uint32_t arity)
{
    /* On the stack: looking up must not fail for want of memory. */
    char small[160];
    if (name.len + 12 <= sizeof small) {
        memcpy(small, name.ptr, name.len);
        size_t len = name.len;
        char digits[11];
        size_t n = 0;
        do
            digits[n++] = (char)('0' + arity % 10);
        while (arity /= 10);
        small[len++] = '/';
        while (n)
            small[len++] = digits[--n];
        uint32_t pred;
        return mgi_strmap_get(&p->pred_index, (struct str){ small, len }, &pred) ? pred
                                                                                 : MANGLE_NO_PRED;
    }
    for (size_t i = 0; i < p->pred_count; i++)
        if (p->preds[i].arity == arity && str_eq(p->preds[i].name, name))
            return (mangle_pred)i;
    return MANGLE_NO_PRED;
}

mangle_pred mgi_pred_add(mangle_program *p, struct str name, uint32_t arity)
{
    struct buf key = { 0 };
    mangle_pred pred = MANGLE_NO_PRED;
    struct str kept = mgi_arena_str(&p->arena, name);
    if (!kept.ptr || !pred_key(&key, name, arity) ||
        !mgi_grow(&p->preds, &p->pred_cap, p->pred_count + 1, sizeof *p->preds) ||
        !mgi_strmap_put(&p->pred_index, mgi_buf_view(&key), (uint32_t)p->pred_count))
        goto out;
    pred = (mangle_pred)p->pred_count++;
    p->preds[pred] = (struct pred){ .name = kept,
                                    .arity = arity,
                                    .stratum = UINT32_MAX,
                                    .doc = "",
                                    .vouched = MANGLE_NO_PRED,
                                    .keeper = MANGLE_NO_PRED,
                                    .claimed = MANGLE_NO_PRED,
                                    .original = MANGLE_NO_PRED };
out:
    mgi_buf_fini(&key);
    return pred;
}

mangle_pred mgi_pred_shown(const mangle_program *p, mangle_pred pred)
{
    if (pred >= p->pred_count || p->preds[pred].original == MANGLE_NO_PRED)
        return pred;
    return p->preds[pred].original;
}

bool mgi_is_vouched_copy(const mangle_program *p, mangle_pred pred)
{
    mangle_pred original = p->preds[pred].original;
    return original != MANGLE_NO_PRED && p->preds[original].vouched == pred;
}

size_t mgi_rule_shown(const mangle_program *p, size_t rule)
{
    return p->rule_origins && rule < p->rule_count ? p->rule_origins[rule] : rule;
}

bool mgi_name_broken(const mangle_program *p, struct str name)
{
    uint32_t found;
    if (p->broken.count == 0)
        return false;
    size_t dot = name.len;
    while (dot > 0 && name.ptr[dot - 1] != '.')
        dot--;
    return mgi_strmap_get(&p->broken, name, &found) ||
           mgi_strmap_get(&p->broken, (struct str){ name.ptr + dot, name.len - dot }, &found);
}

uint32_t mgi_decl_says(const struct decl *d, const char *name)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < d->descr_count; i++)
        count += str_is(d->descr[i].name, name);
    return count;
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

mangle_program *mgi_program_new(void)
{
    mangle_program *p = mgi_calloc(1, sizeof *p);
    if (!p)
        return NULL;
    atomic_init(&p->refs, 1);
    mgi_arena_init(&p->arena, 0);
    mgi_strmap_init(&p->pred_index);
    mgi_strmap_init(&p->broken);
    p->values = mgi_values_new(NULL, 0);
    if (!p->values) {
        mgi_program_free(p);
        return NULL;
    }
    return p;
}

void mgi_program_free(mangle_program *p)
{
    if (!p)
        return;
    mgi_strmap_fini(&p->pred_index);
    mgi_strmap_fini(&p->broken);
    mgi_free(p->preds);
    mgi_free(p->decls);
    mgi_free(p->clauses);
    mgi_free(p->facts);
    mgi_values_free(p->values);
    mgi_arena_fini(&p->arena);
    mgi_free(p);
}

mangle_program *mangle_program_ref(mangle_program *program)
{
    atomic_fetch_add_explicit(&program->refs, 1, memory_order_relaxed);
    return program;
}

void mangle_program_unref(mangle_program *program)
{
    if (program && atomic_fetch_sub_explicit(&program->refs, 1, memory_order_acq_rel) == 1)
        mgi_program_free(program);
}
