/* See manglecp_templates.h. */
#include "cli/manglecp_templates.h"

#include <string.h>

void mgi_template_fill(struct buf *out, const struct template_file *file, const char *name)
{
    static const char mark[] = "@NAME@";
    const char *at = file->text, *end = file->text + file->len, *found;
    while ((found = strstr(at, mark))) {
        mgi_buf_append(out, at, (size_t)(found - at));
        mgi_buf_puts(out, name);
        at = found + strlen(mark);
    }
    mgi_buf_append(out, at, (size_t)(end - at));
}
