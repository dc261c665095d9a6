/* An audit log is taken up as it lies there: torn, edited, of somebody else. Whatever it holds, a
 * record can be appended, stands on a line of its own behind what there was, and goes on from the
 * last line that has the form of a record, or from zeros. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "toolhost/audit_file.c"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

#define MUST(condition)                                                                            \
    do {                                                                                           \
        if (!(condition))                                                                          \
            abort();                                                                               \
    } while (0)

#define RECORD "{\"event\":\"x\",\"ts\":\"2026-01-02T03:04:05Z\"}"

/* The hash of the last line that looks like a record, found the plain way. */
static void last_of(const char *text, size_t size, char hash[AUDIT_HASH_TEXT + 1])
{
    memcpy(hash, zeros, sizeof zeros);
    for (size_t begin = 0, at = 0; at < size; at++) {
        if (text[at] != '\n')
            continue;
        hash_of_line(text + begin, at - begin, hash);
        begin = at + 1;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    char path[64], want[AUDIT_HASH_TEXT + 1], got[2 * LOOK_BYTES];
    struct audit_file f;
    if (size >= LOOK_BYTES) /* of what lies further back nothing is known */
        return 0;
    int fd = memfd_create("audit", MFD_CLOEXEC);
    MUST(fd >= 0 && write(fd, bytes, size) == (ssize_t)size);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    char *copy = calloc(1, size + 1);
    MUST(copy);
    memcpy(copy, bytes, size);
    last_of(copy, size, want);

    mgi_audit_file_init(&f, path, false);
    MUST(mgi_audit_file_append(&f, STR_LIT(RECORD), 1000));
    mgi_audit_file_fini(&f);
    bool torn = size > 0 && bytes[size - 1] != '\n';
    ssize_t n = pread(fd, got, sizeof got, 0);
    MUST(n > (ssize_t)(size + torn) && memcmp(got, bytes, size) == 0);
    const char *line = got + size + torn;
    MUST(memcmp(line, record_head, sizeof record_head - 1) == 0);
    const char *prev = line + sizeof record_head - 1 + AUDIT_HASH_TEXT + sizeof record_prev - 1;
    MUST(memcmp(prev, want, AUDIT_HASH_TEXT) == 0);
    free(copy);
    close(fd);
    return 0;
}
