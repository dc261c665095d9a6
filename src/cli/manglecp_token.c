/* manglecp token: the line of a token file for a bearer token. The token itself is never written.
 */
#include <stdlib.h>
#include <string.h>

#include "cli/manglecp_commands.h"
#include "net/tls.h"
#include "security/auth.h"
#include "base/encode.h"
#include "sys/random.h"

#define TOKEN_MAX 1024

const struct cli_command mgi_command_token = {
    .name = "manglecp token",
    .usage = "[--identity NAME] [--permissions LIST] [--new | --certificate FILE]",
    .help =
        "Print the line of a token file for a token on standard input, for a new one, or for the "
        "certificate with which a client identifies over TLS.",
    .run = mgi_run_token,
};

static int print_certificate_line(const char *path, const char *identity, const char *permissions)
{
    struct tls_report report = { 0 };
    struct buf text = { 0 };
    char fingerprint[TLS_FINGERPRINT_TEXT + 1];
    bool good = mgi_tls_load_file(path, false, &text, &report) &&
                mgi_tls_pem_fingerprint(&(struct tls_pem){ path, mgi_buf_view(&text) }, fingerprint,
                                        &report);
    if (good)
        printf("cert-sha256:%s %s %s\n", fingerprint, identity, *permissions ? permissions : "-");
    else
        mgi_cli_error("%s", report.errors.ptr ? report.errors.ptr : "out of memory");
    mgi_buf_fini(&text);
    mgi_tls_report_fini(&report);
    return good ? EXIT_ANSWERED : EXIT_USAGE;
}

static bool make_token(char *token)
{
    uint8_t random[32];
    if (!mgi_random(random, sizeof random)) {
        mgi_cli_error("the system has no randomness");
        return false;
    }
    mgi_base64url_encode(random, sizeof random, token);
    fprintf(stderr, "token: %s\n", token);
    return true;
}

/* What clients can send: printable ASCII without blanks, the first line of the input. */
static bool is_token(const char *token)
{
    const char *c = token;
    while (*c > ' ' && *c < 0x7f)
        c++;
    return c > token && !*c;
}

static bool read_token(char token[TOKEN_MAX + 2])
{
    if (!fgets(token, TOKEN_MAX + 2, stdin)) {
        mgi_cli_error("no token on standard input");
        mgi_cli_hint("Pipe one in, or make one with --new.");
        return false;
    }
    token[strcspn(token, "\r\n")] = '\0';
    if (strlen(token) <= TOKEN_MAX && is_token(token))
        return true;
    mgi_cli_error("a token is one word of at most %d printable ASCII characters", TOKEN_MAX);
    mgi_cli_hint("--new makes one.");
    return false;
}

int mgi_run_token(int argc, char **argv)
{
    const char *identity = "operator", *permissions = "intent:*", *certificate = NULL;
    bool make = false, helped;
    const struct cli_option options[] = {
        { "--identity", OPTION_TEXT, &identity, NULL, "NAME", "who it stands for (operator)" },
        { "--permissions", OPTION_TEXT, &permissions, NULL, "LIST", "comma separated (intent:*)" },
        { "--new", OPTION_FLAG, &make, NULL, NULL, "make a token; it is shown once, on stderr" },
        { "--certificate", OPTION_TEXT, &certificate, NULL, "FILE",
          "for a client's certificate (PEM) instead of a token" },
        { 0 },
    };
    struct cli_list words = { 0 };
    if (!mgi_cli_parse(&mgi_command_token, options, argc, argv, &words, NULL, &helped))
        return EXIT_USAGE;
    if (helped)
        return EXIT_ANSWERED;
    if (make && certificate) {
        mgi_cli_error("--new and --certificate are two ways; choose one");
        return EXIT_USAGE;
    }
    const char *why = mgi_auth_line_fault(identity, permissions);
    if (why) {
        mgi_cli_error("%s", why);
        return EXIT_USAGE;
    }
    if (certificate)
        return print_certificate_line(certificate, identity, permissions);
    char token[TOKEN_MAX + 2] = "";
    if (!(make ? make_token(token) : read_token(token)))
        return EXIT_USAGE;
    struct buf line = { 0 };
    mgi_auth_print_line(&line, str_of(token), identity, permissions);
    fputs(line.ptr ? line.ptr : "", stdout);
    mgi_buf_fini(&line);
    return EXIT_ANSWERED;
}
