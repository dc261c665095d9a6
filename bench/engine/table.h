/* What the programs of the engine suite share: rows of a relation from a .tsv file, the processor's
 * time, and the line that says what was measured. */
#ifndef BENCH_ENGINE_TABLE_H
#define BENCH_ENGINE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TABLE_COLUMNS = 8, TABLE_NAME = 32 };

/* `stay:iii@`: a name, a letter a column (i a number, s a string), `@` for two more columns with
 * the ends of an interval. */
struct signature {
    char name[TABLE_NAME], types[TABLE_COLUMNS + 1];
    uint32_t columns; /* without the interval's */
    bool temporal;
};

/* Ends the program if `text` is none. */
struct signature signature_of(const char *text);

/* A whole file. `text` ends with a NUL. */
struct file {
    char *text;
    size_t len;
};

/* Ends the program where it cannot be read. */
struct file file_read(const char *path);
struct file file_of(const char *folder, const struct signature *sig);

/* The next number, or the next text with its length, of a row; *at goes behind the tab or the
 * newline. */
int64_t next_number(char **at);
const char *next_text(char **at, size_t *len);

/* User and system time of this process, all threads. */
double cpu_seconds(void);

/* {"load": ..., "eval": ..., "kib": ...}, the resident set at its peak. */
void report(double load, double eval);
_Noreturn void give_up(const char *what, const char *detail);
#endif
