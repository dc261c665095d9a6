/* Any bytes as a definition, from the store. */
#include "macro/macro.h"

#define THING       struct macro
#define READ_THING  mgi_macro_read
#define WRITE_THING mgi_macro_write
#include "round_trip.h"
