/* Any bytes as a message: an envelope, or an error that a client accepts. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "protocol/envelope.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    struct arena arena;
    struct envelope m;
    struct wire_error e;
    mgi_arena_init(&arena, 0);
    enum envelope_side side = len > 0 && bytes[0] == ' ' ? FROM_SERVER : FROM_CLIENT;
    struct str text = { (const char *)bytes, len };
    if (!mgi_envelope_parse(&arena, text, 0, 0, side, &m, &e)) {
        struct buf out = { 0 };
        struct envelope again;
        struct wire_error none;
        mgi_envelope_error(&out, m.id, &e);
        if (!mgi_envelope_parse(&arena, mgi_buf_view(&out), 0, 0, FROM_SERVER, &again, &none))
            abort();
        mgi_buf_fini(&out);
    }
    mgi_arena_fini(&arena);
    return 0;
}
