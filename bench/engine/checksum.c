/* engine_checksum FILE: how many lines it has and the sum, modulo 2^64, of a mixed hash of each:
 * the same for the same rows in any order. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "table.h"

/* FNV-1a over the bytes, then the finish of splitmix64, so that sums of alike lines are not alike.
 */
static uint64_t line_hash(const char *line, size_t len)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < len; i++)
        h = (h ^ (unsigned char)line[i]) * UINT64_C(0x100000001b3);
    h = (h ^ (h >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    h = (h ^ (h >> 27)) * UINT64_C(0x94d049bb133111eb);
    return h ^ (h >> 31);
}

int main(int argc, char **argv)
{
    if (argc != 2)
        give_up("usage", "engine_checksum FILE");
    struct file file = file_read(argv[1]);
    uint64_t lines = 0, sum = 0;
    for (const char *at = file.text; *at;) {
        size_t len = strcspn(at, "\n");
        sum += line_hash(at, len);
        lines++;
        at += len + (at[len] != '\0');
    }
    printf("%" PRIu64 " %016" PRIx64 "\n", lines, sum);
    free(file.text);
    return 0;
}
