/* Certificates and keys as people give them: what is wrong is said, all of it in one answer. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "net/tls_made.h"

static struct made authority, good, other;
static char folder[64];

static int make_all(void **state)
{
    (void)state;
    authority =
        make_certificate(&(struct made_options){ .name = "Authority", .is_authority = true });
    good = make_certificate(
        &(struct made_options){ .name = "good", .names = "DNS:good.test", .issuer = &authority });
    other = make_certificate(
        &(struct made_options){ .name = "other", .names = "DNS:other.test", .issuer = &authority });
    snprintf(folder, sizeof folder, "/tmp/mgi-tls-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int free_all(void **state)
{
    (void)state;
    made_free(&authority);
    made_free(&good);
    made_free(&other);
    return rmdir(folder);
}

/* Make a server of these texts: its errors and warnings. */
static void assert_report(const char *certificate, const char *key, const char *ca,
                          const char *errors, const char *warnings)
{
    struct tls_report report = { 0 };
    struct tls_server_options o = {
        .certificate = pem_of("cert.pem", certificate),
        .key = pem_of("key.pem", key),
        .now_ns = NOW_NS,
    };
    if (ca)
        o.client_ca = pem_of("ca.pem", ca);
    struct tls_context *c = mgi_tls_server_new(&o, &report);
    assert_string_equal(report.errors.ptr ? report.errors.ptr : "", errors);
    assert_string_equal(report.warnings.ptr ? report.warnings.ptr : "", warnings);
    assert_true((c == NULL) == (errors[0] != '\0'));
    mgi_tls_context_unref(c);
    mgi_tls_report_fini(&report);
}

static char *joined(const char *a, const char *b)
{
    char *text = malloc(strlen(a) + strlen(b) + 1);
    assert_non_null(text);
    strcpy(text, a);
    strcat(text, b);
    return text;
}

static void test_a_certificate_and_its_key_are_taken_with_or_without_the_chain(void **state)
{
    (void)state;
    assert_report(good.certificate_pem, good.key_pem, NULL, "", "");
    char *chain = joined(good.certificate_pem, authority.certificate_pem);
    assert_report(chain, good.key_pem, authority.certificate_pem, "", "");
    char *both = joined(good.key_pem, chain); /* one file for all */
    assert_report(both, both, NULL, "", "");
    free(chain);
    free(both);
}

static void test_files_that_are_exchanged_are_recognised(void **state)
{
    (void)state;
    assert_report(good.key_pem, good.certificate_pem, NULL,
                  "cert.pem: holds a private key but no certificate: is it another file that you "
                  "mean?\n"
                  "key.pem: holds a certificate but no private key: is it another file that you "
                  "mean?",
                  "");
}

static void test_all_files_are_judged_in_one_answer(void **state)
{
    (void)state;
    assert_report("", "hello", "\x30\x82\x01",
                  "cert.pem: the file is empty: it should hold a certificate in PEM\n"
                  "key.pem: holds no private key in PEM (\"-----BEGIN …\")\n"
                  "ca.pem: it looks like DER; convert it to PEM (openssl x509 -inform der)",
                  "");
}

static void test_a_damaged_text_is_not_taken_for_a_shorter_one(void **state)
{
    (void)state;
    char *chain = joined(good.certificate_pem, authority.certificate_pem);
    chain[strlen(good.certificate_pem) + 100] = '*';
    assert_report(chain, good.key_pem, NULL,
                  "cert.pem: the PEM text is damaged behind certificate 1", "");
    free(chain);
    char *inside = joined(good.certificate_pem, "");
    inside[strlen("-----BEGIN CERTIFICATE-----\n") + 8] ^= 1;
    struct tls_report report = { 0 };
    struct tls_server_options o = { .certificate = pem_of("cert.pem", inside),
                                    .key = pem_of("key.pem", good.key_pem),
                                    .now_ns = NOW_NS };
    assert_null(mgi_tls_server_new(&o, &report));
    assert_non_null(strstr(report.errors.ptr, "cert.pem: certificate 1 cannot be read"));
    mgi_tls_report_fini(&report);
    free(inside);
}

static void test_a_key_that_is_not_the_certificates_is_refused(void **state)
{
    (void)state;
    assert_report(good.certificate_pem, other.key_pem, NULL,
                  "key.pem: the key does not belong to the certificate in cert.pem", "");
    char *reversed = joined(authority.certificate_pem, good.certificate_pem);
    assert_report(reversed, good.key_pem, NULL,
                  "key.pem: the key belongs to certificate 2 of cert.pem: the server's own has to "
                  "be the first",
                  "cert.pem: certificate 2 did not sign certificate 1: the server's own comes "
                  "first, then the one that signed it, and so on\n"
                  "cert.pem: certificate 1 is signed by itself: clients trust it only if they are "
                  "told to");
    free(reversed);
}

static void test_an_encrypted_key_is_refused_with_what_to_do(void **state)
{
    (void)state;
    const char *expected =
        "key.pem: the private key is encrypted: give one that is not (openssl pkey -in FILE -out "
        "FILE), readable by the server alone";
    for (int old = 0; old < 2; old++) {
        BIO *bio = BIO_new(BIO_s_mem());
        make_must((old ? PEM_write_bio_PrivateKey_traditional(bio, good.key, EVP_aes_128_cbc(),
                                                              (const unsigned char *)"word", 4,
                                                              NULL, NULL)
                       : PEM_write_bio_PrivateKey(bio, good.key, EVP_aes_128_cbc(),
                                                  (const unsigned char *)"word", 4, NULL, NULL)) ==
                  1);
        char *text = pem_text(bio);
        assert_report(good.certificate_pem, text, NULL, expected, "");
        free(text);
    }
}

static void test_a_certificate_out_of_its_time_is_refused_and_one_near_its_end_warned_about(
    void **state)
{
    (void)state;
    static const struct {
        long from, until;
        const char *errors, *warnings;
    } cases[] = {
        { -10, -3, "cert.pem: certificate 1 expired on 2023-11-11 22:13:20 UTC: renew it", "" },
        { 2, 9,
          "cert.pem: certificate 1 is not valid before 2023-11-16 22:13:20 UTC: is the clock "
          "right?",
          "" },
        { -80, 10, "", "cert.pem: certificate 1 expires on 2023-11-24 22:13:20 UTC" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct made m = make_certificate(&(struct made_options){ .name = "m",
                                                                 .issuer = &authority,
                                                                 .from_days = cases[i].from,
                                                                 .until_days = cases[i].until });
        assert_report(m.certificate_pem, m.key_pem, NULL, cases[i].errors, cases[i].warnings);
        made_free(&m);
    }
}

static void test_what_clients_will_refuse_is_warned_about(void **state)
{
    (void)state;
    struct made m = make_certificate(
        &(struct made_options){ .name = "m", .issuer = &authority, .usage = "clientAuth" });
    assert_report(
        m.certificate_pem, m.key_pem, NULL, "",
        "cert.pem: certificate 1 is not meant for TLS servers: the other side will refuse "
        "it");
    made_free(&m);
    m = make_certificate(&(struct made_options){ .name = "m" });
    assert_report(m.certificate_pem, m.key_pem, NULL, "",
                  "cert.pem: certificate 1 is signed by itself: clients trust it only if they are "
                  "told to"); /* P-TLS-3, P-TLS-4 */
    made_free(&m);
}

static void test_a_short_rsa_key_is_refused(void **state)
{
    (void)state;
    struct made m = make_certificate(
        &(struct made_options){ .name = "m", .issuer = &authority, .rsa_bits = 1024 });
    assert_report(m.certificate_pem, m.key_pem, NULL,
                  "key.pem: the RSA key has 1024 bits: it needs at least 2048", "");
    made_free(&m);
}

static void test_a_fingerprint_is_64_digits(void **state)
{
    (void)state;
    static const char *const wrong[] = { "", "abc", "zz", ":", "not hexadecimal" };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct tls_report report = { 0 };
        struct tls_client_options o = { .fingerprint = wrong[i], .now_ns = NOW_NS };
        assert_null(mgi_tls_client_new(&o, &report));
        assert_string_equal(report.errors.ptr,
                            "the fingerprint: must be 64 hexadecimal digits (SHA-256)");
        mgi_tls_report_fini(&report);
    }
}

/* ---- files */

static const char *path_of(const char *name)
{
    static char paths[4][128];
    static int next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static void write_file(const char *name, const char *text, mode_t mode)
{
    const char *path = path_of(name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
    assert_int_equal(chmod(path, mode), 0);
}

/* Loads cert.pem, key.pem and ca.pem of the folder. */
static void assert_load(bool with_ca, bool ok, const char *errors, const char *warnings)
{
    struct tls_report report = { 0 };
    struct tls_server_files files = { path_of("cert.pem"), path_of("key.pem"),
                                      with_ca ? path_of("ca.pem") : NULL, false };
    struct tls_context *c = mgi_tls_server_load(&files, NOW_NS, &report);
    char expected[1024];
    snprintf(expected, sizeof expected, errors, folder, folder, folder);
    assert_string_equal(report.errors.ptr ? report.errors.ptr : "", expected);
    snprintf(expected, sizeof expected, warnings, folder);
    assert_string_equal(report.warnings.ptr ? report.warnings.ptr : "", expected);
    assert_int_equal(c != NULL, ok);
    mgi_tls_context_unref(c);
    mgi_tls_report_fini(&report);
}

static void test_files_are_loaded_and_a_key_for_all_eyes_is_warned_about(void **state)
{
    (void)state;
    write_file("cert.pem", good.certificate_pem, 0644);
    write_file("key.pem", good.key_pem, 0600);
    write_file("ca.pem", authority.certificate_pem, 0644);
    assert_load(true, true, "", "");
    write_file("key.pem", good.key_pem, 0644);
    assert_load(false, true, "",
                "%s/key.pem: everybody on this machine can read the private key: chmod 600");
    unlink(path_of("ca.pem"));
    assert_load(true, false, "%s/ca.pem: could not be opened: No such file or directory",
                "%s/key.pem: everybody on this machine can read the private key: chmod 600");
    unlink(path_of("key.pem"));
    write_file("cert.pem", good.key_pem, 0644);
    assert_load(true, false,
                "%s/key.pem: could not be opened: No such file or directory\n"
                "%s/ca.pem: could not be opened: No such file or directory\n"
                "%s/cert.pem: holds a private key but no certificate: is it another file that you "
                "mean?",
                "");
    unlink(path_of("cert.pem"));
}

static void test_what_is_no_file_does_not_hold_the_server(void **state)
{
    (void)state;
    assert_int_equal(mkfifo(path_of("cert.pem"), 0600), 0);
    assert_int_equal(mkdir(path_of("key.pem"), 0700), 0);
    write_file("ca.pem", "", 0644);
    assert_int_equal(truncate(path_of("ca.pem"), ((off_t)1 << 20) + 1), 0);
    assert_load(true, false,
                "%s/cert.pem: is not a regular file\n"
                "%s/key.pem: is a folder: name the file in it\n"
                "%s/ca.pem: is larger than 1 MiB: that is no certificate or key",
                "");
    unlink(path_of("cert.pem"));
    rmdir(path_of("key.pem"));
    unlink(path_of("ca.pem"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_certificate_and_its_key_are_taken_with_or_without_the_chain),
        cmocka_unit_test(test_files_that_are_exchanged_are_recognised),
        cmocka_unit_test(test_all_files_are_judged_in_one_answer),
        cmocka_unit_test(test_a_damaged_text_is_not_taken_for_a_shorter_one),
        cmocka_unit_test(test_a_key_that_is_not_the_certificates_is_refused),
        cmocka_unit_test(test_an_encrypted_key_is_refused_with_what_to_do),
        cmocka_unit_test(
            test_a_certificate_out_of_its_time_is_refused_and_one_near_its_end_warned_about),
        cmocka_unit_test(test_what_clients_will_refuse_is_warned_about),
        cmocka_unit_test(test_a_short_rsa_key_is_refused),
        cmocka_unit_test(test_a_fingerprint_is_64_digits),
        cmocka_unit_test(test_files_are_loaded_and_a_key_for_all_eyes_is_warned_about),
        cmocka_unit_test(test_what_is_no_file_does_not_hold_the_server),
    };
    return cmocka_run_group_tests_name("net/test_tls_files", tests, make_all, free_all);
}
