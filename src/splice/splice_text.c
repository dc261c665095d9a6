/* Places and line ends of a text: see splice_int.h. */
#include "splice/splice_int.h"

#include <stdio.h>

enum splice_status mgi_splice_refuse(struct splice_fault *fault, struct str text, size_t at,
                                     const char *message)
{
    uint32_t line = 1;
    size_t begin = 0;
    for (size_t i = 0; i < at && i < text.len; i++)
        if (text.ptr[i] == '\n') {
            line++;
            begin = i + 1;
        }
    *fault = (struct splice_fault){ .line = line, .column = (uint32_t)(at - begin) + 1 };
    snprintf(fault->message, sizeof fault->message, "%s", message);
    return SPLICE_REFUSED;
}

struct str mgi_splice_line_end(struct str text)
{
    const char *end = text.len ? memchr(text.ptr, '\n', text.len) : NULL;
    return end && end > text.ptr && end[-1] == '\r' ? STR_LIT("\r\n") : STR_LIT("\n");
}

size_t mgi_splice_start(struct str text)
{
    return mgi_str_starts(text, STR_LIT("\xef\xbb\xbf")) ? 3 : 0;
}
