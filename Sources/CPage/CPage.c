#include "CPage.h"

#include <string.h>

#pragma clang diagnostic ignored "-Wc23-extensions"

#if !__has_embed("/usr/share/javascript/leaflet/leaflet.min.js")
#error "Leaflet is missing: install Debian's package libjs-leaflet (make packages does)"
#endif

#define TEXT(name) name, (const char *)(const unsigned char[])

static const struct {
  const char *name, *text;
} texts[] = {
  {TEXT("leaflet.js") {
#embed "/usr/share/javascript/leaflet/leaflet.min.js" suffix(, 0)
  }},
  {TEXT("leaflet.css") {
#embed "/usr/share/javascript/leaflet/leaflet.css" suffix(, 0)
  }},
  {TEXT("access.js") {
#embed "../Reports/Page/access.js" suffix(, 0)
  }},
  {TEXT("backdrop.js") {
#embed "../Reports/Page/backdrop.js" suffix(, 0)
  }},
  {TEXT("base.js") {
#embed "../Reports/Page/base.js" suffix(, 0)
  }},
  {TEXT("brush.js") {
#embed "../Reports/Page/brush.js" suffix(, 0)
  }},
  {TEXT("cells.js") {
#embed "../Reports/Page/cells.js" suffix(, 0)
  }},
  {TEXT("compare.js") {
#embed "../Reports/Page/compare.js" suffix(, 0)
  }},
  {TEXT("explorer.js") {
#embed "../Reports/Page/explorer.js" suffix(, 0)
  }},
  {TEXT("flows.js") {
#embed "../Reports/Page/flows.js" suffix(, 0)
  }},
  {TEXT("grid.js") {
#embed "../Reports/Page/grid.js" suffix(, 0)
  }},
  {TEXT("isochrones.js") {
#embed "../Reports/Page/isochrones.js" suffix(, 0)
  }},
  {TEXT("list.js") {
#embed "../Reports/Page/list.js" suffix(, 0)
  }},
  {TEXT("matrix.js") {
#embed "../Reports/Page/matrix.js" suffix(, 0)
  }},
  {TEXT("page.js") {
#embed "../Reports/Page/page.js" suffix(, 0)
  }},
  {TEXT("painted.js") {
#embed "../Reports/Page/painted.js" suffix(, 0)
  }},
  {TEXT("route.js") {
#embed "../Reports/Page/route.js" suffix(, 0)
  }},
  {TEXT("routes.js") {
#embed "../Reports/Page/routes.js" suffix(, 0)
  }},
  {TEXT("style.css") {
#embed "../Reports/Page/style.css" suffix(, 0)
  }},
  {TEXT("swipe.js") {
#embed "../Reports/Page/swipe.js" suffix(, 0)
  }},
  {TEXT("tables.js") {
#embed "../Reports/Page/tables.js" suffix(, 0)
  }},
  {TEXT("take.js") {
#embed "../Reports/Page/take.js" suffix(, 0)
  }},
  {TEXT("traces.js") {
#embed "../Reports/Page/traces.js" suffix(, 0)
  }},
};

const char *cpage_text(const char *name) {
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    if (strcmp(texts[i].name, name) == 0) return texts[i].text;
  return NULL;
}
