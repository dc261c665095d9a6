/* Lines: the same lines come out however the bytes are cut into chunks. The first byte says where.
 */
#include <stdint.h>
#include <stdlib.h>

#include "base/lines.h"

#define MAX_LINE 24

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void note(struct buf *out, enum line_event event, struct str line)
{
    mgi_buf_putc(out, (char)('0' + event));
    if (event == LINE_TEXT)
        mgi_buf_str(out, line);
    mgi_buf_putc(out, '\n');
}

static void cut(struct buf *out, struct str text, size_t step)
{
    struct lines l;
    struct str line;
    enum line_event event;
    mgi_lines_init(&l, MAX_LINE);
    while (text.len > 0) {
        struct str piece = { text.ptr, text.len < step ? text.len : step };
        text.ptr += piece.len;
        text.len -= piece.len;
        while ((event = mgi_lines_next(&l, &piece, &line)) != LINE_NONE)
            note(out, event, line);
    }
    if ((event = mgi_lines_end(&l, &line)) != LINE_NONE)
        note(out, event, line);
    mgi_lines_fini(&l);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct buf whole = { 0 }, pieces = { 0 };
    if (size == 0)
        return 0;
    struct str text = { (const char *)bytes + 1, size - 1 };
    cut(&whole, text, size);
    cut(&pieces, text, (size_t)bytes[0] % 17 + 1);
    if (!str_eq(mgi_buf_view(&whole), mgi_buf_view(&pieces)))
        abort();
    mgi_buf_fini(&whole);
    mgi_buf_fini(&pieces);
    return 0;
}
