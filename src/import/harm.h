/* How much harm a tool can do, as far as its verb, its objects, its schema and its text tell; for
 * study.c, which has read them. */
#ifndef MGI_IMPORT_HARM_H
#define MGI_IMPORT_HARM_H

#include "import/tool.h"

/* Sets effect, harm and harm_why. What a server says of harm (hints.destructive) is not heard yet:
 * mgi_import_hear_hints(). `arena` takes the reason. */
void mgi_import_judge(struct arena *arena, struct import_tool *tool);

#endif
