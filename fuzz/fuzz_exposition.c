/* Metrics as text: whatever is read as a sample can be written, and reads back as the same. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "service/exposition.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void check(const struct metric_sample *s)
{
    struct buf text = { 0 };
    struct metric_sample again;
    mgi_buf_str(&text, s->name);
    mgi_metric_float(&text, "", NULL, s->value);
    struct str rest = mgi_buf_view(&text);
    if (text.oom || !mgi_metric_next(&rest, &again) || !str_eq(again.name, s->name) ||
        !(again.value == s->value || (isnan(again.value) && isnan(s->value))))
        abort();
    mgi_buf_fini(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct str text = { (const char *)bytes, size };
    struct metric_sample s;
    while (mgi_metric_next(&text, &s)) {
        if (s.name.len == 0 || s.label_count > METRIC_LABELS_MAX)
            abort();
        check(&s);
    }
    return 0;
}
