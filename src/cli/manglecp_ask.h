/* Asking a person: what they are shown before consent (P-CONF-3), and their answer. */
#ifndef MGI_CLI_MANGLECP_ASK_H
#define MGI_CLI_MANGLECP_ASK_H

#include "manglecp.h"

/* On standard error: every value whole, as JSON, with what a terminal would obey escaped. `who`
 * asks for it; NULL: this program. False: there is more of it than a person would read (64 KiB), so
 * nobody can consent to it. */
bool mgi_ask_show(const struct manglecp_consent *what, const char *who);

/* Is there a person to answer, who sees the question? */
bool mgi_ask_can(void);

/* True: the answer is "y" or "yes". What was typed before the question does not count. */
bool mgi_ask_yes(const char *question);

/* Which of these: they are shown with numbers, the first 30 of them, escaped by the caller. The
 * answer is a number; three that are none are the end of it. `count`: nobody chose. */
size_t mgi_ask_which(const char *question, const char *const *choices, size_t count);

#endif
