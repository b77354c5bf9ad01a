#include "CLeaflet.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

#if !__has_embed("/usr/share/javascript/leaflet/leaflet.min.js")
#error "Leaflet is missing: install Debian's package libjs-leaflet (make packages does)"
#endif

static const unsigned char script[] = {
#embed "/usr/share/javascript/leaflet/leaflet.min.js" suffix(, 0)
};

static const unsigned char style[] = {
#embed "/usr/share/javascript/leaflet/leaflet.css" suffix(, 0)
};

const char *cleaflet_script(void) { return (const char *)script; }
const char *cleaflet_style(void) { return (const char *)style; }
