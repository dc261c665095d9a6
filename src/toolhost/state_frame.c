/* A working state as fields of a frame: see state_frame.h. */
#include "toolhost/state_frame.h"

void mgi_frame_put_state(struct buf *out, const struct ds_state *state)
{
    for (unsigned n = 0; n < DS_SLOTS; n++) {
        struct str type, provenance, content;
        bool used = mgi_ds_get(state, n, &type, &provenance, &content);
        mgi_frame_u32(out, used);
        if (!used)
            continue;
        mgi_frame_str(out, type);
        mgi_frame_str(out, provenance);
        mgi_frame_str(out, content);
    }
}

bool mgi_frame_get_state(struct frame *f, struct arena *scratch, const struct ds_state *known,
                         struct ds_state *state)
{
    for (unsigned n = 0; n < DS_SLOTS; n++) {
        mgi_ds_del(state, n);
        if (!mgi_frame_get_u32(f))
            continue;
        struct str type = mgi_frame_get_str(f), provenance = mgi_frame_get_str(f);
        struct str content = mgi_frame_get_str(f);
        if (f->bad)
            return false;
        if (known && mgi_ds_share(state, n, known, type, provenance, content))
            continue;
        if (mgi_ds_put(state, n, type, provenance, content, scratch, NULL) != DS_OK)
            return false;
    }
    return !f->bad;
}
