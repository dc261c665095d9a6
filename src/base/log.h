/* Log lines to whoever asked for them. A logger is a value that is passed down; there is no global
 * one. A line is `level: text`, one line, escaped by mgi_utf8_show() where it quotes outsiders. */
#ifndef MGI_BASE_LOG_H
#define MGI_BASE_LOG_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

enum log_level { LOG_ERROR, LOG_WARN, LOG_INFO, LOG_DEBUG };

struct logger {
    enum log_level level; /* lines above it are dropped before they are formatted */
    void (*write)(void *context, enum log_level level, const char *line, size_t len);
    void *context;
};

/* `log` may be NULL: nothing is logged. Lines are cut at 4096 bytes. */
void mgi_log(const struct logger *log, enum log_level level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

const char *mgi_log_level_name(enum log_level level);
bool mgi_log_level_parse(const char *name, enum log_level *level);

#endif
