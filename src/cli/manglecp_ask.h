/* Asking a person: what they are shown before consent (P-CONF-3), and their answer. */
#ifndef MGI_CLI_MANGLECP_ASK_H
#define MGI_CLI_MANGLECP_ASK_H

#include "manglecp.h"

/* On standard error, escaped. `who` asks for it; NULL: this program. */
void mgi_ask_show(const struct manglecp_consent *what, const char *who);

/* Is there a person to answer? */
bool mgi_ask_can(void);

/* True: yes. */
bool mgi_ask_yes(const char *question);

#endif
