/* From command-line words to what the client library takes. */
#ifndef MGI_CLI_MANGLECP_REQUEST_H
#define MGI_CLI_MANGLECP_REQUEST_H

#include "base/json.h"
#include "cli/cli_options.h"
#include "manglecp.h"

struct intent_options {
    const char *name;
    struct cli_list params;      /* k=v */
    struct cli_list facts_files; /* JSON array, one object, or one object per line */
    struct cli_list facts;       /* fact objects */
    bool has_eval_time, server_time;
    int64_t eval_time_ns;
    bool has_max_tools, has_max_tokens;
    int64_t max_tools, max_tokens;
    const char *disclosure;
    bool why;
    struct cli_list why_not; /* names of tools */
};

#define WHY_NOT_OPTION_ROW(o)                                                                      \
    {                                                                                              \
        "--why-not", OPTION_LIST, &(o).why_not, NULL, "TOOL",                                      \
            "tell why TOOL does not come out, and what would bring it"                             \
    }

/* What an intent is declared with, and how much may come of it. */
#define DECLARATION_OPTION_ROWS(o)                                                                     \
    { "--param", OPTION_LIST, &(o).params, NULL, "K=V", "a parameter of the intent" },                 \
        { "--facts", OPTION_LIST, &(o).facts_files,                                                    \
          NULL,      "FILE",      "facts: a JSON array, or an object a line" },                        \
        { "--fact", OPTION_LIST, &(o).facts, NULL, "JSON", "one fact object" },                        \
        { "--eval-time",      OPTION_TIME, &(o).eval_time_ns,                                          \
          &(o).has_eval_time, "TIME",      "what `now` means to the rules (the time of this clock)" }, \
        { "--server-time",                                                                             \
          OPTION_FLAG,                                                                                 \
          &(o).server_time,                                                                            \
          NULL,                                                                                        \
          NULL,                                                                                        \
          "leave that to the server's clock" },                                                        \
        { "--max-tools", OPTION_NUMBER, &(o).max_tools, &(o).has_max_tools, "N", "at most N tools" },  \
    {                                                                                                  \
        "--max-tokens", OPTION_NUMBER, &(o).max_tokens, &(o).has_max_tokens, "N",                      \
            "at most about N tokens"                                                                   \
    }

#define INTENT_OPTION_ROWS(o)                                                                      \
    DECLARATION_OPTION_ROWS(o),                                                                    \
    {                                                                                              \
        "--disclosure", OPTION_TEXT, &(o).disclosure, NULL, "LEVEL",                               \
            "full, condensed, minimal or adaptive"                                                 \
    }

/* Add all facts named by the options to `facts`. Prints a message and returns false on failure. */
bool mgi_request_facts(const struct intent_options *o, manglecp_facts *facts);

/* Fill in *out; borrows from `o`, whose words live until the program ends. Prints a message and
 * returns false on failure. */
bool mgi_request_intent(const struct intent_options *o, struct manglecp_intent *out);

/* Where a word K=V has its first "=". NULL: it has none, nothing stands before it, or the word is
 * no UTF-8, and a message was printed. */
const char *mgi_request_pair(const char *pair);

/* K=V words as members whose values the schema types. False: a message was printed. *members live
 * until the program ends. */
bool mgi_request_members(const struct cli_list *pairs, struct manglecp_member **members);

/* An answer without tools: nothing speaks for one. Also: which facts were not sent, and why. */
void mgi_hint_of_tools(const manglecp_tools *tools, const char *intent);

#endif
