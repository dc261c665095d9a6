/* manglecp token: the line of a token file for a bearer token. The token itself is never written.
 */
#include <stdlib.h>

#include "base/digest.h"
#include "cli/manglecp_commands.h"
#include "security/auth.h"

const struct cli_command mgi_command_token = {
    .name = "manglecp token",
    .usage = "[--identity NAME] [--permissions LIST] [--new]",
    .help = "Print the line of a token file for a token on standard input, or for a new one.",
    .run = mgi_run_token,
};

int mgi_run_token(int argc, char **argv)
{
    const char *identity = "operator", *permissions = "intent:*";
    bool make = false, helped;
    const struct cli_option options[] = {
        { "--identity", OPTION_TEXT, &identity, NULL, "NAME", "who it stands for (operator)" },
        { "--permissions", OPTION_TEXT, &permissions, NULL, "LIST", "comma separated (intent:*)" },
        { "--new", OPTION_FLAG, &make, NULL, NULL, "make a token; it is shown once, on stderr" },
        { 0 },
    };
    struct cli_list words = { 0 };
    if (!mgi_cli_parse(&mgi_command_token, options, argc, argv, &words, NULL, &helped))
        return EXIT_USAGE;
    if (helped)
        return EXIT_ANSWERED;
    char token[256] = "";
    if (make) {
        uint8_t random[32];
        if (!mgi_random(random, sizeof random)) {
            mgi_cli_error("the system has no randomness");
            return EXIT_USAGE;
        }
        mgi_base64url_encode(random, sizeof random, token);
        fprintf(stderr, "token: %s\n", token);
    } else if (!fgets(token, sizeof token, stdin)) {
        mgi_cli_error("no token on standard input");
        mgi_cli_hint("Pipe one in, or make one with --new.");
        return EXIT_USAGE;
    }
    struct buf line = { 0 };
    mgi_auth_print_line(&line, (struct str){ token, strcspn(token, "\r\n") }, identity,
                        permissions);
    printf("%s\n", line.ptr ? line.ptr : "");
    mgi_buf_fini(&line);
    return EXIT_ANSWERED;
}
