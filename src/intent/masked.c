/* What the engine says of a request, for the server's log: it may quote what was sent. */
#include "decision/mask.h"
#include "intent/intent_int.h"

const char *mgi_ev_masked(struct evaluation *ev, const char *text)
{
    struct mask m;
    struct buf scratch = { 0 };
    struct json_writer w;
    const struct str no_key = { "", 0 };
    if (ev->s->masking.count == 0)
        return text;
    mgi_mask_init(&m, ev->s, ev->arena, no_key);
    mgi_json_writer_init(&w, &scratch, 0);
    mgi_jw_begin_array(&w);
    mgi_mask_facts(&m, &w, ev->request.facts); /* what it hides, it remembers */
    if (ev->request.params)
        mgi_mask_params(&m, &w, ev->request.params);
    mgi_buf_clear(&scratch);
    mgi_mask_plain(&m, &scratch, str_of(text));
    const char *clean =
        scratch.oom ? NULL : mgi_arena_strdup(ev->arena, scratch.ptr ? scratch.ptr : "");
    mgi_buf_fini(&scratch);
    mgi_mask_fini(&m);
    return clean ? clean : "a rule failed";
}
