/* Shared by the files that write records. */
#ifndef MGI_DECISION_RECORD_INT_H
#define MGI_DECISION_RECORD_INT_H

#include "decision/record.h"

/* 16 bytes of a digest as text. False: memory. */
bool mgi_decision_short_digest(struct str content, char out[33]);

#endif
