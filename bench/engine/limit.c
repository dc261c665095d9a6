/* engine_limit PROGRAM FOLDER OUT ANSWER RELATION...: the workload that PROGRAM's name says,
 * written by hand. */
#include "limit.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RELATIONS = 4 };

static const struct {
    const char *name;
    solver *solve;
} solvers[] = {
    { "closure", limit_closure },       { "generation", limit_generation },
    { "pointers", limit_pointers },     { "flows", limit_flows },
    { "dominators", limit_dominators }, { "complement", limit_complement },
    { "triangles", limit_triangles },   { "totals", limit_totals },
    { "shortest", limit_shortest },     { "orders", limit_orders },
    { "people", limit_people },         { "stays", limit_stays },
};

static solver *solver_of(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    for (size_t i = 0; i < sizeof solvers / sizeof *solvers; i++)
        if (strncmp(name, solvers[i].name, strcspn(name, ".")) == 0)
            return solvers[i].solve;
    fprintf(stderr, "%s is not written\n", name);
    exit(3);
}

/* Ids of strings: open addressing over the texts in the order of arrival. */
static struct {
    uint32_t count, mask, *slots;
    const char **texts;
    size_t *lens;
} names;

static uint32_t hash_of(const char *text, size_t len)
{
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < len; i++)
        h = (h ^ (unsigned char)text[i]) * 16777619u;
    return h;
}

static void *must(void *p)
{
    if (!p)
        give_up("limit", "out of memory");
    return p;
}

static void names_grow(void)
{
    uint32_t size = names.slots ? 2 * (names.mask + 1) : 1024;
    free(names.slots);
    names.slots = must(calloc(size, sizeof *names.slots));
    names.texts = must(realloc(names.texts, size * sizeof *names.texts));
    names.lens = must(realloc(names.lens, size * sizeof *names.lens));
    names.mask = size - 1;
    for (uint32_t i = 0; i < names.count; i++) {
        uint32_t at = hash_of(names.texts[i], names.lens[i]) & names.mask;
        while (names.slots[at])
            at = (at + 1) & names.mask;
        names.slots[at] = i + 1;
    }
}

static int64_t id_of(const char *text, size_t len)
{
    if (2 * (names.count + 1) > names.mask)
        names_grow();
    uint32_t at = hash_of(text, len) & names.mask;
    for (uint32_t id; (id = names.slots[at]) != 0; at = (at + 1) & names.mask)
        if (names.lens[id - 1] == len && memcmp(names.texts[id - 1], text, len) == 0)
            return id - 1;
    names.texts[names.count] = text;
    names.lens[names.count] = len;
    names.slots[at] = names.count + 1;
    return names.count++;
}

/* The text of the file stays: names point into it. */
static struct rows load(const char *folder, const char *signature)
{
    struct signature sig = signature_of(signature);
    struct rows rows = { .columns = sig.columns + 2 * sig.temporal };
    struct file file = file_of(folder, &sig);
    for (char *at = file.text; *at;) {
        int64_t cells[TABLE_COLUMNS + 2];
        for (uint32_t i = 0; i < rows.columns; i++) {
            size_t len;
            const char *text = sig.types[i] == 's' ? next_text(&at, &len) : NULL;
            cells[i] = text ? id_of(text, len) : next_number(&at);
        }
        rows_add(&rows, cells);
    }
    return rows;
}

static void write_rows(const char *path, const char *types, const struct rows *rows)
{
    FILE *out = fopen(path, "w");
    if (!out)
        give_up("cannot be written", path);
    for (uint32_t r = 0; r < rows->count; r++)
        for (uint32_t c = 0; c < rows->columns; c++) {
            if (types[c] == 's')
                fwrite(names.texts[cell(rows, r, c)], 1, names.lens[cell(rows, r, c)], out);
            else
                fprintf(out, "%" PRId64, cell(rows, r, c));
            fputc(c + 1 < rows->columns ? '\t' : '\n', out);
        }
    if (fclose(out) != 0)
        give_up("cannot be written", path);
}

int main(int argc, char **argv)
{
    if (argc < 6 || argc > 5 + RELATIONS)
        give_up("usage", "engine_limit PROGRAM FOLDER OUT ANSWER RELATION...");
    solver *solve = solver_of(argv[1]);
    struct signature answer = signature_of(argv[4]);
    struct rows in[RELATIONS] = { 0 }, out = { .columns = answer.columns };
    double begun = cpu_seconds();
    for (int i = 5; i < argc; i++)
        in[i - 5] = load(argv[2], argv[i]);
    double loaded = cpu_seconds();
    solve(in, &out);
    report(loaded - begun, cpu_seconds() - loaded);
    write_rows(argv[3], answer.types, &out);
    return 0;
}
