/* Approving what this program itself has asked a person for. */
#ifndef MGI_CLI_MANGLECP_CONFIRM_H
#define MGI_CLI_MANGLECP_CONFIRM_H

#include <stdbool.h>

/* The person before this program has agreed: approve the challenge of a server that this program
 * has started, and that speaks on its standard input and output. False: none of them made it. */
bool mgi_confirm_here(const char *challenge);

#endif
