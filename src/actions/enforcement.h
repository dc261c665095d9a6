/* What this machine confines actions by, told to people. */
#ifndef MGI_ACTIONS_ENFORCEMENT_H
#define MGI_ACTIONS_ENFORCEMENT_H

#include "base/buf.h"

/* Append a line for each means: what it is here, or that it is missing. Asks the kernel. */
void mgi_enforcement_tell(struct buf *out);

#endif
