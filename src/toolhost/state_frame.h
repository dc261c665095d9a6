/* A working state as fields of a frame: per slot whether it is used, and if so its three texts. The
 * whole state goes both ways in every call; deltas would not be worth their faults. */
#ifndef TOOLHOST_STATE_FRAME_H
#define TOOLHOST_STATE_FRAME_H

#include "toolhost/frame.h"
#include "toolhost/state.h"

void mgi_frame_put_state(struct buf *out, const struct ds_state *state);

/* Read a state into `state`, checking every artifact (T-ISO-3). Slots that equal those of `known`
 * (may be NULL) share its artifact and are not checked again. False: malformed, unsound, or out of
 * memory; `state` may then hold a part. */
bool mgi_frame_get_state(struct frame *f, struct arena *scratch, const struct ds_state *known,
                         struct ds_state *state);

#endif
