/* Building the payloads that the client commands send. */
#ifndef MGI_CLI_MANGLECP_REQUEST_H
#define MGI_CLI_MANGLECP_REQUEST_H

#include "cli/manglecp_target.h"

#define NOT_SAID INT64_MIN

struct intent_options {
    const char *name;
    struct cli_list params;      /* k=v */
    struct cli_list facts_files; /* JSON array, or one object per line */
    struct cli_list facts;       /* fact objects */
    bool has_eval_time;
    int64_t eval_time_ns;
    int64_t max_tools, max_tokens; /* or NOT_SAID */
    const char *disclosure;
    bool why;
};

#define INTENT_OPTION_ROWS(o)                                                                      \
    { "--param", OPTION_LIST, &(o).params, NULL, "K=V", "a parameter of the intent" },             \
        { "--facts", OPTION_LIST, &(o).facts_files,                                                \
          NULL,      "FILE",      "facts: a JSON array, or an object a line" },                    \
        { "--fact", OPTION_LIST, &(o).facts, NULL, "JSON", "one fact object" },                    \
        { "--eval-time",      OPTION_TIME, &(o).eval_time_ns,                                      \
          &(o).has_eval_time, "TIME",      "what `now` means to the rules" },                      \
        { "--max-tools", OPTION_NUMBER, &(o).max_tools, NULL, "N", "at most N tools" },            \
        { "--max-tokens", OPTION_NUMBER, &(o).max_tokens, NULL, "N", "at most about N tokens" },   \
    {                                                                                              \
        "--disclosure", OPTION_TEXT, &(o).disclosure, NULL, "LEVEL",                               \
            "full, condensed, minimal or adaptive"                                                 \
    }

/* Add all facts named by the options to `facts`. Prints a message and returns false on failure. */
bool mgi_request_facts(const struct intent_options *o, manglecp_facts *facts);

/* The intent_request payload; `facts_json` is a JSON array. */
bool mgi_request_intent(struct buf *out, const struct intent_options *o, const char *facts_json);

/* After an answer without tools: is the intent misspelt, or does nothing speak for a tool? */
void mgi_hint_of_no_tools(const struct json *manifest, const char *intent,
                          const struct json *tools);

/* {"k": v, …} of k=v words: a value that is JSON is that value, else it is text. */
bool mgi_request_members(struct json_writer *w, const struct cli_list *pairs);

#endif
