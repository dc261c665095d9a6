#include "table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

void give_up(const char *what, const char *detail)
{
    fprintf(stderr, "%s: %s\n", what, detail);
    exit(1);
}

struct signature signature_of(const char *text)
{
    struct signature sig = { 0 };
    const char *colon = strchr(text, ':');
    size_t name = colon ? (size_t)(colon - text) : 0, types = colon ? strlen(colon + 1) : 0;
    sig.temporal = types > 0 && colon[types] == '@';
    types -= sig.temporal;
    if (name == 0 || name >= TABLE_NAME || types == 0 || types > TABLE_COLUMNS)
        give_up("not a signature", text);
    memcpy(sig.name, text, name);
    memcpy(sig.types, colon + 1, types);
    sig.columns = (uint32_t)types;
    return sig;
}

struct file file_read(const char *path)
{
    struct file file = { 0 };
    FILE *in = fopen(path, "rb");
    if (!in || fseek(in, 0, SEEK_END) != 0)
        give_up("cannot be read", path);
    long len = ftell(in);
    rewind(in);
    file.text = len < 0 ? NULL : malloc((size_t)len + 1);
    if (!file.text || fread(file.text, 1, (size_t)len, in) != (size_t)len)
        give_up("cannot be read", path);
    fclose(in);
    file.len = (size_t)len;
    file.text[len] = '\0';
    return file;
}

struct file file_of(const char *folder, const struct signature *sig)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.tsv", folder, sig->name);
    return file_read(path);
}

int64_t next_number(char **at)
{
    char *end;
    int64_t n = strtoll(*at, &end, 10);
    *at = end + (*end != '\0');
    return n;
}

const char *next_text(char **at, size_t *len)
{
    const char *begin = *at;
    *len = strcspn(begin, "\t\n");
    *at += *len + (begin[*len] != '\0');
    return begin;
}

static double seconds(struct timeval t)
{
    return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

double cpu_seconds(void)
{
    struct rusage use;
    getrusage(RUSAGE_SELF, &use);
    return seconds(use.ru_utime) + seconds(use.ru_stime);
}

/* Of this program alone: getrusage() still knows the one that started it. */
static long peak_kib(void)
{
    char line[256];
    long kib = 0;
    FILE *status = fopen("/proc/self/status", "r");
    while (status && fgets(line, sizeof line, status))
        if (strncmp(line, "VmHWM:", 6) == 0)
            kib = strtol(line + 6, NULL, 10);
    if (status)
        fclose(status);
    return kib;
}

void report(double load, double eval)
{
    printf("{\"load\": %.6f, \"eval\": %.6f, \"kib\": %ld}\n", load, eval, peak_kib());
}
