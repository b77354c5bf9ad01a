// Leaflet, the map library of pages, and its style: embedded by the C compiler from Debian's package libjs-leaflet, so
// that a page loads nothing.
#ifndef CLEAFLET_H
#define CLEAFLET_H

/// The version of the package: the one in the script is older.
#define CLEAFLET_VERSION "1.7.1"

const char *_Nonnull cleaflet_script(void);
const char *_Nonnull cleaflet_style(void);

#endif
