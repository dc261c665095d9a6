/* A configuration of somebody, as it is shown: whatever it is, it ends, what is not secret is as it
 * was, and what is hidden once stays hidden. */
#include <stdint.h>
#include <stdlib.h>

#include "import/secret.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct str text = { (const char *)bytes, size };
    struct buf once = { 0 };
    mgi_import_mask(&once, text);
    bool hid = mgi_str_find(mgi_buf_view(&once), STR_LIT("[secret]")) != SIZE_MAX;
    if (once.oom || (!hid && !str_eq(mgi_buf_view(&once), text)))
        abort();
    mgi_buf_fini(&once);
    return 0;
}
