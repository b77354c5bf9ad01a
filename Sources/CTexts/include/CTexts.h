// The settings that are part of the program: countries, stock profiles, traffic and phrases. The C compiler embeds them
// in a second; arrays in Swift would take minutes.
#ifndef CTEXTS_H
#define CTEXTS_H

#include <stddef.h>

/// The text with a name such as "data/profiles/walking.json5"; NULL if there is none.
const char *_Nullable ctext(const char *_Nonnull name);

#endif
