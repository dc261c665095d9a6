/* A server's configuration: any text is read or refused; what was read prints, reads again, and
 * prints the same. */
#include <stdint.h>
#include <stdlib.h>

#include "service/config.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static bool read_and_print(struct str text, struct buf *out)
{
    struct arena arena;
    struct service_config config;
    struct findings *findings = mgi_findings_new();
    mgi_arena_init(&arena, 0);
    if (!findings)
        abort();
    bool ok = mgi_config_read(&(struct config_sources){ .file = "serve.yaml",
                                                        .text = text,
                                                        .file_folder = "/a",
                                                        .folder = "/b",
                                                        .token = true },
                              &arena, findings, &config);
    if (ok != (mgi_findings_errors(findings) == 0))
        abort();
    for (size_t i = 0; i < mgi_findings_count(findings); i++)
        mgi_finding_print(out, mgi_findings_get(findings, i));
    mgi_buf_clear(out);
    if (ok)
        mgi_config_print(out, &config);
    mgi_findings_free(findings);
    mgi_arena_fini(&arena);
    return ok;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct buf first = { 0 }, second = { 0 }, third = { 0 };
    if (read_and_print((struct str){ (const char *)bytes, size }, &first)) {
        if (!read_and_print(mgi_buf_view(&first), &second) || /* secrets are gone now */
            !read_and_print(mgi_buf_view(&second), &third) ||
            !str_eq(mgi_buf_view(&second), mgi_buf_view(&third)))
            abort();
    }
    mgi_buf_fini(&first);
    mgi_buf_fini(&second);
    mgi_buf_fini(&third);
    return 0;
}
