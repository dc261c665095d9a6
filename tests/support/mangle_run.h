/* Program text in, facts out: the shortest way to say what the engine derives. */
#ifndef TEST_SUPPORT_MANGLE_RUN_H
#define TEST_SUPPORT_MANGLE_RUN_H

#include <stdbool.h>

#include "base/buf.h"
#include "mangle.h"

#define RUN_NOW INT64_C(1718020800000000000) /* 2024-06-10T12:00:00Z, the time of section 21 */

struct mangle_run {
    mangle_program *program;
    mangle_base *base;
    mangle_overlay *overlay;
    mangle_zone_folder *zones;
    enum mangle_status status; /* of the first step that failed */
    struct mangle_error error;
    char code[40]; /* class of the first diagnostic or error: "STRATIFY", "EVAL_ERROR" … or "" */
    struct mangle_stats stats;
    bool file_text; /* as in the options */
};

struct run_options {
    bool (*changeable)(void *context, const mangle_program *program, mangle_pred pred);
    enum mangle_trust (*trust)(void *context, const mangle_program *program, mangle_pred pred);
    void *context;
    struct mangle_limits limits; /* of base and overlay */
    int64_t now_ns;              /* 0: RUN_NOW */
    bool check_bounds;
    const char *request; /* facts of the overlay, in Mangle syntax, or NULL */
    const char *vouched; /* the same, and vouched for */
    bool file_text;      /* what is printed tells 1.0 from 1 (M-VAL-69); else canonical text */
};

bool run_changes_nothing(void *context, const mangle_program *program, mangle_pred pred);
bool run_changes_all(void *context, const mangle_program *program, mangle_pred pred);

/* `text` may hold several sources, separated by lines "%%". `options` may be NULL: nothing is
 * changeable. */
struct mangle_run mangle_run(const char *text, const struct run_options *options);
void mangle_run_end(struct mangle_run *run);

/* All facts of predicates that have a rule with a body, a line each, in the order M-EVAL-30, or
 * "error: CLASS". The caller's (mangle_free). */
char *mangle_run_text(struct mangle_run *run);
/* The facts of one query, a line each. */
char *mangle_run_query(struct mangle_run *run, const char *query);
/* All in one: run, text, end. */
char *run_text(const char *text, const struct run_options *options);

/* Adds facts written in Mangle syntax to an overlay. */
enum mangle_status mangle_run_give(struct mangle_run *run, mangle_overlay *overlay,
                                   const char *facts);
enum mangle_status mangle_run_vouch(struct mangle_run *run, mangle_overlay *overlay,
                                    const char *facts);

#endif
