/* Any bytes as what the rules were told, from the store. */
#include "macro/told.h"

#define THING       struct told
#define READ_THING  mgi_told_read
#define WRITE_THING mgi_told_write
#include "round_trip.h"
