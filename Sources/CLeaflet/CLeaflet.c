#include "CLeaflet.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

#if !__has_embed("/usr/share/javascript/leaflet/leaflet.min.js")
#error "Leaflet is missing: install Debian's package libjs-leaflet (make packages does)"
#endif

static const unsigned char script[] = {
#embed "/usr/share/javascript/leaflet/leaflet.min.js"
};
const size_t cleaflet_script_size = sizeof script;

static const unsigned char style[] = {
#embed "/usr/share/javascript/leaflet/leaflet.css"
};
const size_t cleaflet_style_size = sizeof style;

const unsigned char *cleaflet_script_start(void) { return script; }
const unsigned char *cleaflet_style_start(void) { return style; }
