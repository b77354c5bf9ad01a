// The scripts and styles of pages, embedded by the C compiler: ours, and the map library Leaflet from Debian's package
// libjs-leaflet, so that pages load nothing from the network.
#ifndef CPAGE_H
#define CPAGE_H

#include <stddef.h>

/// The version of Leaflet's package; the script itself states an older one.
#define CPAGE_LEAFLET_VERSION "1.7.1"

/// The text of a file of pages, such as "access.js" or "leaflet.css"; NULL if there is none.
const char *_Nullable cpage_text(const char *_Nonnull name);

#endif
