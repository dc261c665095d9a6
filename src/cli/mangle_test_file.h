/* A file of rule tests: Mangle text in sections, told apart by comments that begin with `#:`. */
#ifndef MGI_CLI_MANGLE_TEST_FILE_H
#define MGI_CLI_MANGLE_TEST_FILE_H

#include "base/arena.h"
#include "cli/cli_options.h"
#include "mangle.h"

struct test_pred { /* NAME, or NAME/ARITY */
    const char *name;
    int64_t arity; /* -1: any */
    uint32_t line;
};

struct test_load {
    const char *path; /* as the tests name it, below their own folder */
    struct buf text;
};

struct test_loads {
    struct test_load *items;
    size_t count, cap;
};

/* Sections are texts in which every line has the number that it has in the file. */
struct test_case {
    const char *name;
    uint32_t line;
    int64_t now_ns;
    struct test_loads loads; /* besides those of the file */
    struct buf given;        /* facts */
    struct buf exact;        /* expected: of these predicates exactly these facts */
    struct buf contains;     /* expected: these facts among others */
    struct buf absent;       /* expected: none of these facts */
    struct test_pred *none;  /* expected: no fact of these */
    size_t none_count, none_cap;
    const char *error; /* expected: an error of this class; or NULL */
    bool expects;      /* says what it expects */
};

struct test_file {
    struct arena arena; /* names */
    const char *path;
    struct buf text;
    struct test_loads loads;
    struct buf shared; /* before the first test: facts, rules and declarations of all */
    int64_t now_ns;    /* unless a test says otherwise */
    struct test_case *cases;
    size_t count, cap;
};

/* Read and take apart; what is wrong is said on stderr. An exit status. Always free. */
int mgi_test_file_read(const char *path, struct test_file *out);
void mgi_test_file_free(struct test_file *file);

#endif
