/* Times and durations: what is accepted prints to text that reads back as the same value. */
#include <stdint.h>
#include <stdlib.h>

#include "base/time.h"

#define MUST(condition)                                                                            \
    do {                                                                                           \
        if (!(condition))                                                                          \
            abort();                                                                               \
    } while (0)

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void check_time(struct str text, int flags)
{
    int64_t ns, again;
    if (mgi_time_parse(text, flags, &ns) != TIME_OK)
        return;
    struct buf out = { 0 };
    mgi_time_print(&out, ns);
    MUST(mgi_time_parse(mgi_buf_view(&out), 0, &again) == TIME_OK && again == ns);
    struct civil c = mgi_civil_of(ns);
    MUST(mgi_civil_to_ns(&c, &again) && again == ns);
    mgi_buf_fini(&out);
}

static void check_duration(struct str text, bool allow_days)
{
    int64_t ns, again;
    if (!mgi_duration_parse(text, allow_days, &ns))
        return;
    struct buf out = { 0 };
    mgi_duration_print(&out, ns);
    MUST(mgi_duration_parse(mgi_buf_view(&out), false, &again) && again == ns);
    mgi_buf_fini(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct str text = { (const char *)bytes, size };
    for (int flags = 0; flags < 4; flags++)
        check_time(text, flags);
    check_duration(text, false);
    check_duration(text, true);
    return 0;
}
