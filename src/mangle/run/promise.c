/* Do values have the types that a Decl promises (M-TYPE-73)? Rules were checked by these promises,
 * so whatever comes from outside has to keep them. */
#include "mangle/run/promise.h"

#include "base/buf.h"
#include "base/utf8.h"

bool mgi_promise_kept(struct types *types, const struct decl *decl, uint32_t column,
                      const struct term *type, mangle_value v, struct buf *why)
{
    if (types->oom || mgi_type_has(types, type, v))
        return true;
    struct buf wanted = { 0 }, given = { 0 };
    mgi_term_print(&wanted, types->values, decl->vars, type);
    mgi_value_show(&given, types->values, v);
    types->oom |= wanted.oom || given.oom;
    struct str shown = mgi_utf8_prefix(mgi_buf_view(&given), 80);
    mgi_buf_clear(why);
    mgi_buf_printf(why, "argument %u has to be %.*s, but is %.*s%s", column + 1,
                   STR_ARG(mgi_buf_view(&wanted)), STR_ARG(shown),
                   shown.len < given.len ? "..." : "");
    mgi_buf_fini(&wanted);
    mgi_buf_fini(&given);
    return false;
}

static bool make_rows(struct promise *p, uint32_t arity)
{
    const struct decl *d = p->decl;
    p->rows = mgi_arena_calloc(&p->arena, (size_t)d->bound_row_count * arity + 1, sizeof *p->rows);
    for (uint32_t i = 0; p->rows && i < d->bound_row_count; i++)
        for (uint32_t j = 0; j < arity; j++)
            p->rows[(size_t)i * arity + j] = mgi_type_of_bound(&p->types, &d->bounds[i][j]);
    return p->rows && !p->types.oom;
}

bool mgi_promise_init(struct promise *p, const mangle_program *program, mangle_values *values,
                      mangle_pred pred)
{
    const struct pred *of = &program->preds[pred];
    *p = (struct promise){ .arity = of->arity };
    mgi_arena_init(&p->arena, 0);
    if (!of->decl || of->decl->bound_row_count == 0)
        return true;
    p->decl = of->decl;
    if (!mgi_types_open(&p->types, program, values, &p->arena))
        return false;
    p->types.exact = true;
    return make_rows(p, of->arity);
}

void mgi_promise_fini(struct promise *p)
{
    mgi_buf_fini(&p->why);
    mgi_arena_fini(&p->arena);
}

bool mgi_promise_holds(struct promise *p, const mangle_value *args)
{
    bool some = !p->decl;
    for (uint32_t i = 0; !some && i < p->decl->bound_row_count; i++) {
        some = true;
        for (uint32_t j = 0; some && j < p->arity; j++)
            some = mgi_promise_kept(&p->types, p->decl, j, p->rows[(size_t)i * p->arity + j],
                                    args[j], &p->why);
    }
    return some;
}
