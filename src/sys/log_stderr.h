/* Log lines on standard error. */
#ifndef MGI_SYS_LOG_STDERR_H
#define MGI_SYS_LOG_STDERR_H

#include "base/log.h"

/* A write function: "<RFC 3339> <level> <text>\n" on standard error, one write(2) per line. */
void mgi_log_to_stderr(void *context, enum log_level level, const char *line, size_t len);

#endif
