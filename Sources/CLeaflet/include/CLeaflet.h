// Leaflet, the map library of pages, and its style: embedded by the C compiler from Debian's package libjs-leaflet, so
// that pages load nothing from the network.
#ifndef CLEAFLET_H
#define CLEAFLET_H

/// The version of the package; the script itself states an older one.
#define CLEAFLET_VERSION "1.7.1"

const char *_Nonnull cleaflet_script(void);
const char *_Nonnull cleaflet_style(void);

#endif
