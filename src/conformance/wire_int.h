/* What a WebSocket does otherwise than a pipe (wire.h). */
#ifndef MGI_CONFORMANCE_WIRE_INT_H
#define MGI_CONFORMANCE_WIRE_INT_H

#include "conformance/wire.h"

bool mgi_wire_ws_put(struct wire *w, struct str bytes, int64_t until_ns);
enum heard mgi_wire_ws_hear(struct wire *w, int64_t until_ns, struct buf *message);
void mgi_wire_ws_close(struct wire *w);

#endif
