/* The bounds check (mangle.md section 5.5) is not there yet; who asks for it is told so. */
#include "mangle/front_int.h"

enum mangle_status mgi_check_bounds(mangle_program *p, mangle_diags *diags)
{
    for (size_t i = 0; i < p->decl_count; i++) {
        if (p->decls[i].bound_row_count == 0)
            continue;
        mgi_diag(diags, p, MANGLE_ERROR, "NOT_SUPPORTED", p->decls[i].bounds[0][0].span,
                 "Compile without it: bounds then serve as documentation.",
                 "the bounds check is not supported");
        return MANGLE_OK;
    }
    return MANGLE_OK;
}
