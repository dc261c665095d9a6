/* Log lines: formatted here, written by whoever was asked to. Nothing is allocated for a usual
 * line, so that running out of memory can be logged. */
#include "base/log.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/utf8.h"

#define LINE_BYTES 4096

static const char *const level_names[] = { "error", "warn", "info", "debug" };

const char *mgi_log_level_name(enum log_level level)
{
    return level_names[level];
}

bool mgi_log_level_parse(const char *name, enum log_level *level)
{
    for (int i = LOG_ERROR; i <= LOG_DEBUG; i++) {
        if (strcmp(name, level_names[i]) == 0) {
            *level = (enum log_level)i;
            return true;
        }
    }
    return false;
}

/* A line break in the text would forge a second line; a cut must not split a character. */
static size_t one_line(char *line, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if ((unsigned char)line[i] < 0x20 || line[i] == 0x7f)
            line[i] = ' ';
    return len;
}

void mgi_log(const struct logger *log, enum log_level level, const char *format, ...)
{
    if (!log || !log->write || level > log->level)
        return;
    char line[LINE_BYTES + 4]; /* room to see whether the cut splits a character */
    va_list args;
    va_start(args, format);
    int wanted = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    if (wanted < 0)
        return;
    size_t len = (size_t)wanted < sizeof line ? (size_t)wanted : sizeof line - 1;
    len = one_line(line, mgi_utf8_prefix((struct str){ line, len }, LINE_BYTES).len);
    log->write(log->context, level, line, len);
}
