/* The certificate for trying as a file: made, exchanged, removed. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/time.h"
#include "service/trial.h"

#define NOW_NS (INT64_C(1800000000) * NS_PER_SEC)

struct place {
    char folder[64], variable[80];
    const char *environment[2];
};

static void make_place(struct place *p)
{
    snprintf(p->folder, sizeof p->folder, "/tmp/test_trial-XXXXXX");
    assert_non_null(mkdtemp(p->folder));
    snprintf(p->variable, sizeof p->variable, "TMPDIR=%s", p->folder);
    p->environment[0] = p->variable;
    p->environment[1] = NULL;
}

static unsigned count_files(const struct place *p)
{
    unsigned count = 0;
    DIR *folder = opendir(p->folder);
    assert_non_null(folder);
    for (const struct dirent *e; (e = readdir(folder)) != NULL;)
        count += e->d_name[0] != '.';
    closedir(folder);
    return count;
}

static void assert_holds(const struct buf *path, const struct tls_context *context)
{
    char text[4096];
    struct buf pem = { 0 };
    FILE *file = fopen(path->ptr, "r");
    assert_non_null(file);
    size_t len = fread(text, 1, sizeof text, file);
    fclose(file);
    assert_true(mgi_tls_certificate_pem(context, &pem));
    assert_true(str_eq((struct str){ text, len }, mgi_buf_view(&pem)));
    mgi_buf_fini(&pem);
}

static void test_the_next_certificate_takes_the_place_of_the_first(void **state)
{
    (void)state;
    struct place p;
    struct tls_report report = { 0 };
    struct buf path = { 0 }, why = { 0 };
    struct stat about;
    make_place(&p);
    struct tls_context *first = mgi_tls_trial_new("localhost", NOW_NS, &report);
    struct tls_context *next =
        mgi_tls_trial_again(first, "localhost", NOW_NS + 86400 * NS_PER_SEC, &report);
    assert_true(first && next);

    assert_true(mgi_trial_publish(first, p.environment, &path, &why));
    assert_holds(&path, first);
    assert_int_equal(stat(path.ptr, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0644);
    char *name = strdup(path.ptr);
    assert_true(mgi_trial_publish(next, p.environment, &path, &why));
    assert_string_equal(path.ptr, name); /* who was given it has the next one, too */
    assert_holds(&path, next);
    assert_int_equal(count_files(&p), 1);

    mgi_trial_withdraw(&path);
    assert_int_equal(count_files(&p), 0);
    assert_int_equal(path.len, 0);
    mgi_trial_withdraw(&path);
    assert_int_equal(why.len, 0);
    free(name);
    mgi_tls_context_unref(first);
    mgi_tls_context_unref(next);
    mgi_tls_report_fini(&report);
    rmdir(p.folder);
}

static void test_what_cannot_be_written_changes_nothing_and_says_why(void **state)
{
    (void)state;
    struct place p;
    struct tls_report report = { 0 };
    struct buf path = { 0 }, why = { 0 };
    make_place(&p);
    struct tls_context *context = mgi_tls_trial_new("localhost", NOW_NS, &report);
    const char *const nowhere[] = { "TMPDIR=/nowhere/at all", NULL };
    assert_non_null(context);

    assert_false(mgi_trial_publish(context, nowhere, &path, &why));
    assert_string_equal(
        why.ptr, "a file in /nowhere/at all could not be written: No such file or directory");
    assert_int_equal(path.len, 0);
    mgi_buf_clear(&why);
    assert_true(mgi_trial_publish(context, p.environment, &path, &why));
    assert_false(mgi_trial_publish(context, nowhere, &path, &why));
    assert_true(why.len > 0);
    assert_holds(&path, context);

    mgi_trial_withdraw(&path);
    mgi_buf_fini(&why);
    mgi_tls_context_unref(context);
    mgi_tls_report_fini(&report);
    rmdir(p.folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_next_certificate_takes_the_place_of_the_first),
        cmocka_unit_test(test_what_cannot_be_written_changes_nothing_and_says_why),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
