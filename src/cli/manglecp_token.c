/* manglecp token: the line of a token file for a bearer token or a certificate. The token itself is
 * never written; a confirmation key is, for the server signs with it, too. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/manglecp_commands.h"
#include "net/tls.h"
#include "security/auth.h"
#include "base/encode.h"
#include "sys/random.h"

#define TOKEN_MAX    1024
#define SECRET_BYTES 32
#define SECRET_CHARS 43 /* of base64url */

const struct cli_command mgi_command_token = {
    .name = "manglecp token",
    .usage = "[--identity NAME] [--permissions LIST] [--new | --certificate FILE] [--confirm-key] "
             "| --signing-key",
    .help =
        "Print the line of a token file for a token on standard input, for a new one, or for the "
        "certificate with which a client identifies over TLS.",
    .run = mgi_run_token,
    .more =
        "A confirmation key is for the program that asks a person (invoke: --confirm-key), and "
        "for\n"
        "nothing that a model can read. The line holds it as it is: keep the file to yourself.\n",
};

static bool certificate_line(struct buf *line, const char *path, const struct auth_words *words)
{
    struct tls_report report = { 0 };
    struct buf text = { 0 };
    char fingerprint[TLS_FINGERPRINT_TEXT + 1];
    bool good = mgi_tls_load_file(path, false, &text, &report) &&
                mgi_tls_pem_fingerprint(&(struct tls_pem){ path, mgi_buf_view(&text) }, fingerprint,
                                        &report);
    if (good)
        mgi_auth_print_certificate_line(line, fingerprint, words);
    else
        mgi_cli_error("%s", report.errors.ptr ? report.errors.ptr : "out of memory");
    mgi_buf_fini(&text);
    mgi_tls_report_fini(&report);
    return good;
}

/* 256 random bits in base64url, which are all that anybody is ever told of them. */
static bool make_secret(char secret[SECRET_CHARS + 1])
{
    uint8_t random[SECRET_BYTES];
    if (!mgi_random(random, sizeof random)) {
        mgi_cli_error("the system has no randomness");
        return false;
    }
    mgi_base64url_encode(random, sizeof random, secret);
    return true;
}

/* A secret is told once: whoever does not see it has to know that it is lost. */
static bool tell_secret(const char *what, const char *secret)
{
    bool told = fprintf(stderr, "%s: %s\n", what, secret) >= 0 && fflush(stderr) == 0;
    return told && !mgi_cli_was_closed(STDERR_FILENO);
}

/* The first line of the input. */
static bool read_token(char token[TOKEN_MAX + 2])
{
    if (!fgets(token, TOKEN_MAX + 2, stdin)) {
        mgi_cli_error("no token on standard input");
        mgi_cli_hint("Pipe one in, or make one with --new.");
        return false;
    }
    token[strcspn(token, "\r\n")] = '\0';
    if (strlen(token) <= TOKEN_MAX && mgi_auth_is_token(token))
        return true;
    mgi_cli_error("a token is one word of at most %d printable ASCII characters", TOKEN_MAX);
    mgi_cli_hint("--new makes one.");
    return false;
}

/* A new one is shown only when its line is sure to follow. */
static bool token_line(struct buf *line, bool make, const struct auth_words *words)
{
    char token[TOKEN_MAX + 2] = "";
    if (!(make ? make_secret(token) : read_token(token)))
        return false;
    mgi_auth_print_line(line, str_of(token), words);
    return !make || tell_secret("token", token);
}

static int print_signing_key(void)
{
    char key[SECRET_CHARS + 1];
    if (!make_secret(key))
        return EXIT_USAGE;
    puts(key);
    return EXIT_ANSWERED;
}

int mgi_run_token(int argc, char **argv)
{
    struct auth_words words = { "operator", "intent:*", NULL, false };
    const char *certificate = NULL;
    char confirm_key[SECRET_CHARS + 1];
    bool make = false, with_key = false, signing_key = false, helped;
    const struct cli_option options[] = {
        { "--identity", OPTION_TEXT, &words.identity, NULL, "NAME",
          "who it stands for (operator)" },
        { "--permissions", OPTION_TEXT, &words.permissions, NULL, "LIST",
          "comma separated (intent:*)" },
        { "--new", OPTION_FLAG, &make, NULL, NULL, "make a token; it is shown once, on stderr" },
        { "--api-key", OPTION_FLAG, &words.is_api_key, NULL, NULL,
          "it is an API key, which may come in X-MangleCP-API-Key" },
        { "--certificate", OPTION_TEXT, &certificate, NULL, "FILE",
          "for a client's certificate (PEM) instead of a token" },
        { "--confirm-key", OPTION_FLAG, &with_key, NULL, NULL,
          "make a confirmation key, too; it is shown once, on stderr" },
        { "--signing-key", OPTION_FLAG, &signing_key, NULL, NULL,
          "make a line of the file of serve --signing-keys instead" },
        { 0 },
    };
    struct cli_list rest = { 0 };
    if (!mgi_cli_parse(&mgi_command_token, options, argc, argv, &rest, NULL, &helped))
        return EXIT_USAGE;
    if (helped)
        return EXIT_ANSWERED;
    if (rest.count > 0) {
        mgi_cli_error("\"%s\" stands where nothing is expected: a name goes behind --identity",
                      rest.items[0]);
        return EXIT_USAGE;
    }
    if (make && certificate) {
        mgi_cli_error("--new and --certificate are two ways; choose one");
        return EXIT_USAGE;
    }
    if (words.is_api_key && certificate) {
        mgi_cli_error("--api-key and --certificate are two kinds; choose one");
        return EXIT_USAGE;
    }
    if (signing_key && (make || certificate || with_key || words.is_api_key)) {
        mgi_cli_error("--signing-key stands alone");
        return EXIT_USAGE;
    }
    if (signing_key)
        return print_signing_key();
    const char *why = mgi_auth_line_fault(&words);
    if (why) {
        mgi_cli_error("%s", why);
        return EXIT_USAGE;
    }
    if (with_key && !make_secret(confirm_key))
        return EXIT_USAGE;
    words.confirm_key = with_key ? confirm_key : NULL;
    struct buf line = { 0 };
    bool good = certificate ? certificate_line(&line, certificate, &words)
                            : token_line(&line, make, &words);
    if (good && with_key)
        good = tell_secret("confirmation key", confirm_key);
    fputs(good && line.ptr ? line.ptr : "", stdout);
    mgi_buf_fini(&line);
    return good ? EXIT_ANSWERED : EXIT_USAGE;
}
