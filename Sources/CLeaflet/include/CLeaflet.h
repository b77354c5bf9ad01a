// Leaflet, the map library of pages, and its style: embedded by the C compiler from Debian's package libjs-leaflet, so
// that a page loads nothing.
#ifndef CLEAFLET_H
#define CLEAFLET_H

#include <stddef.h>

/// The version of the package: the one in the script is older.
#define CLEAFLET_VERSION "1.7.1"

extern const size_t cleaflet_script_size;
extern const size_t cleaflet_style_size;
const unsigned char *cleaflet_script_start(void);
const unsigned char *cleaflet_style_start(void);

#endif
