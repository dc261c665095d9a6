/* Which of the domain's own rules say what the pipeline asks for, and where they stand. Known at
 * load, because to find the line of a rule takes a walk through its file. */
#include "domain/domain_int.h"

bool mgi_load_deciding(struct loading *l)
{
    struct snapshot *s = l->s;
    size_t count = s->program ? mangle_program_rule_count(s->program) : 0;
    s->deciding = mgi_arena_calloc(&s->arena, count + 1, sizeof *s->deciding);
    for (size_t i = 0; s->deciding && s->pred_layers && i < count; i++) {
        struct mangle_rule_view r = mangle_program_rule(s->program, i);
        if (s->pred_layers[r.head] != LAYER_PIPELINE || r.file[0] == '<')
            continue;
        const char *place = mgi_arena_printf(&s->arena, "%s:%u", r.file, r.line);
        if (!place)
            return false;
        s->deciding[s->deciding_count++] = (struct rule_place){ i, str_of(place) };
    }
    return s->deciding != NULL;
}
