#include "sys/processors.h"

#include <inttypes.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define LINE_BYTES 4096

uint32_t mgi_processors_by_affinity(void)
{
    cpu_set_t set; /* too small where there are more than 1024: then there are enough */
    return sched_getaffinity(0, sizeof set, &set) == 0 ? (uint32_t)CPU_COUNT(&set) : CPU_SETSIZE;
}

/* The path of its group of version 2, "0::/some/path". */
static bool read_group(const char *file, char path[LINE_BYTES])
{
    FILE *f = fopen(file, "re");
    bool found = false;
    while (f && !found && fgets(path, LINE_BYTES, f))
        found = strncmp(path, "0::/", 4) == 0;
    if (f)
        fclose(f);
    if (!found)
        return false;
    path[strcspn(path, "\n")] = '\0';
    memmove(path, path + 3, strlen(path + 3) + 1);
    return true;
}

/* "150000 100000": so many microseconds of each so many. "max 100000": no quota. */
static uint32_t quota_of(const char *root, const char *group, uint32_t most)
{
    char path[2 * LINE_BYTES];
    uint64_t quota = 0, period = 0;
    snprintf(path, sizeof path, "%s%s/cpu.max", root, group);
    FILE *f = fopen(path, "re");
    bool is_told = f && fscanf(f, "%" SCNu64 " %" SCNu64, &quota, &period) == 2;
    if (f)
        fclose(f);
    if (!is_told || quota == 0 || period == 0)
        return most;
    uint64_t whole = quota / period + (quota % period > 0);
    return whole < most ? (uint32_t)whole : most;
}

uint32_t mgi_processors_by_quota(const char *file, const char *root, uint32_t most)
{
    char group[LINE_BYTES];
    if (!read_group(file, group))
        return most;
    for (;;) { /* from its own group up to the root */
        most = quota_of(root, group, most);
        char *last = strrchr(group, '/');
        if (!last)
            return most;
        *last = '\0';
    }
}

uint32_t mgi_processors(void)
{
    uint32_t most = mgi_processors_by_affinity();
    return mgi_processors_by_quota("/proc/self/cgroup", "/sys/fs/cgroup", most > 0 ? most : 1);
}
