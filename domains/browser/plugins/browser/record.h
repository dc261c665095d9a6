/* Recording a live page: what action_record.c and record_steps.c share. */
#ifndef BROWSER_RECORD_H
#define BROWSER_RECORD_H

#include "live.h"

extern const struct browser_actions mgi_record_actions;

/* What is done before the page is kept, for people who record from a command line: they say what to
 * press themselves, so nothing here asks whether it means to pay. No tool of the domain has it. */
#define RECORD_STEPS                                                                               \
    "\"steps\":{\"type\":\"array\",\"maxItems\":100,\"items\":{\"type\":\"object\","               \
    "\"minProperties\":1,\"maxProperties\":1,\"additionalProperties\":false,\"properties\":{"      \
    "\"click\":{\"type\":\"string\"},"                                                             \
    "\"fill\":{\"type\":\"array\",\"items\":{\"type\":\"string\"},\"minItems\":2,\"maxItems\":"    \
    "2},\"press\":{\"type\":\"string\"},\"wait\":{\"type\":\"string\"},"                           \
    "\"open\":{\"type\":\"string\"},"                                                              \
    "\"watch_s\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":600}}},"                          \
    "\"description\":\"what to do first: click a selector, fill [selector, text], press a key, "   \
    "wait until a text is shown, open an address, watch for so many seconds\"}"

/* The page is open, the argument `steps` done, and the page observed. False: the job has failed,
 * and its error says at which step. */
bool mgi_record_steps(struct job *job);

#endif
