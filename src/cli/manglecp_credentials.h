/* Where logins are kept, for all commands that speak to a server. */
#ifndef MGI_CLI_MANGLECP_CREDENTIALS_H
#define MGI_CLI_MANGLECP_CREDENTIALS_H

/* Rows of an option table. */
#define CREDENTIALS_OPTION_ROW(place)                                                              \
    {                                                                                              \
        "--credentials", OPTION_TEXT, place, NULL, "FILE",                                         \
            "of logins (else manglecp/credentials.json in $XDG_CONFIG_HOME)"                       \
    }

#define INSECURE_OPTION_ROW(place)                                                                 \
    {                                                                                              \
        "--insecure", OPTION_FLAG, place, NULL, NULL,                                              \
            "send a token unencrypted (http, ws) to other machines, too"                           \
    }

/* `given`, if it is not NULL; else the user's own, which lasts until the program ends. NULL: the
 * environment names no folder for it. */
const char *mgi_credentials_path(const char *given);

/* Tell how to log in there. `target`: as the user gave it; NULL: no address. */
void mgi_credentials_hint(const char *target);

#endif
