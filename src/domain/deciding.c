/* Which of the domain's own rules say what the pipeline asks for, and where they stand. Known at
 * load, because to find the line of a rule takes a walk through its file. */
#include "domain/domain_int.h"

/* As it stands in records: every one of them has it. ptr NULL: memory. */
static struct str place_of(struct arena *arena, const struct mangle_rule_view *r)
{
    struct buf text = { 0 };
    struct json_writer w;
    struct str out = { NULL, 0 };
    const char *place = mgi_arena_printf(arena, "%s:%u", r->file, r->line);
    mgi_json_writer_init(&w, &text, 0);
    mgi_jw_cstring(&w, place);
    if (place && !text.oom)
        out = mgi_arena_str(arena, mgi_buf_view(&text));
    mgi_buf_fini(&text);
    return out;
}

bool mgi_load_deciding(struct loading *l)
{
    struct snapshot *s = l->s;
    size_t count = s->program ? mangle_program_rule_count(s->program) : 0;
    s->deciding = mgi_arena_calloc(&s->arena, count + 1, sizeof *s->deciding);
    for (size_t i = 0; s->deciding && s->pred_layers && i < count; i++) {
        struct mangle_rule_view r = mangle_program_rule(s->program, i);
        if (s->pred_layers[r.head] != LAYER_PIPELINE || r.file[0] == '<')
            continue;
        struct str place = place_of(&s->arena, &r);
        if (!place.ptr)
            return false;
        s->deciding[s->deciding_count++] = (struct rule_place){ i, place };
    }
    return s->deciding != NULL;
}
