#include "CTexts.h"

#include <string.h>

#pragma clang diagnostic ignored "-Wc23-extensions"

#define TEXT(name) name, (const char *)(const unsigned char[])

static const struct {
  const char *name, *text;
} texts[] = {
  {TEXT("data/countries/outlines.json5") {
#embed "../../data/countries/outlines.json5" suffix(, 0)
  }},
  {TEXT("data/countries/rules.json5") {
#embed "../../data/countries/rules.json5" suffix(, 0)
  }},
  {TEXT("data/countries/time-zones.json5") {
#embed "../../data/countries/time-zones.json5" suffix(, 0)
  }},
  {TEXT("data/profiles/automobile.json5") {
#embed "../../data/profiles/automobile.json5" suffix(, 0)
  }},
  {TEXT("data/profiles/cycling.json5") {
#embed "../../data/profiles/cycling.json5" suffix(, 0)
  }},
  {TEXT("data/profiles/pram.json5") {
#embed "../../data/profiles/pram.json5" suffix(, 0)
  }},
  {TEXT("data/profiles/truck.json5") {
#embed "../../data/profiles/truck.json5" suffix(, 0)
  }},
  {TEXT("data/profiles/van.json5") {
#embed "../../data/profiles/van.json5" suffix(, 0)
  }},
  {TEXT("data/profiles/walking.json5") {
#embed "../../data/profiles/walking.json5" suffix(, 0)
  }},
  {TEXT("data/profiles/wheelchair.json5") {
#embed "../../data/profiles/wheelchair.json5" suffix(, 0)
  }},
  {TEXT("data/phrases/en.json5") {
#embed "../../data/phrases/en.json5" suffix(, 0)
  }},
  {TEXT("data/phrases/pt.json5") {
#embed "../../data/phrases/pt.json5" suffix(, 0)
  }},
  {TEXT("data/traffic/porto.json5") {
#embed "../../data/traffic/porto.json5" suffix(, 0)
  }},
  {TEXT("page/access.js") {
#embed "../Reports/Page/access.js" suffix(, 0)
  }},
  {TEXT("page/backdrop.js") {
#embed "../Reports/Page/backdrop.js" suffix(, 0)
  }},
  {TEXT("page/base.js") {
#embed "../Reports/Page/base.js" suffix(, 0)
  }},
  {TEXT("page/brush.js") {
#embed "../Reports/Page/brush.js" suffix(, 0)
  }},
  {TEXT("page/cells.js") {
#embed "../Reports/Page/cells.js" suffix(, 0)
  }},
  {TEXT("page/compare.js") {
#embed "../Reports/Page/compare.js" suffix(, 0)
  }},
  {TEXT("page/explorer.js") {
#embed "../Reports/Page/explorer.js" suffix(, 0)
  }},
  {TEXT("page/flows.js") {
#embed "../Reports/Page/flows.js" suffix(, 0)
  }},
  {TEXT("page/grid.js") {
#embed "../Reports/Page/grid.js" suffix(, 0)
  }},
  {TEXT("page/isochrones.js") {
#embed "../Reports/Page/isochrones.js" suffix(, 0)
  }},
  {TEXT("page/list.js") {
#embed "../Reports/Page/list.js" suffix(, 0)
  }},
  {TEXT("page/matrix.js") {
#embed "../Reports/Page/matrix.js" suffix(, 0)
  }},
  {TEXT("page/page.js") {
#embed "../Reports/Page/page.js" suffix(, 0)
  }},
  {TEXT("page/painted.js") {
#embed "../Reports/Page/painted.js" suffix(, 0)
  }},
  {TEXT("page/route.js") {
#embed "../Reports/Page/route.js" suffix(, 0)
  }},
  {TEXT("page/routes.js") {
#embed "../Reports/Page/routes.js" suffix(, 0)
  }},
  {TEXT("page/style.css") {
#embed "../Reports/Page/style.css" suffix(, 0)
  }},
  {TEXT("page/swipe.js") {
#embed "../Reports/Page/swipe.js" suffix(, 0)
  }},
  {TEXT("page/tables.js") {
#embed "../Reports/Page/tables.js" suffix(, 0)
  }},
  {TEXT("page/take.js") {
#embed "../Reports/Page/take.js" suffix(, 0)
  }},
  {TEXT("page/traces.js") {
#embed "../Reports/Page/traces.js" suffix(, 0)
  }},
};

const char *ctext(const char *name) {
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    if (strcmp(texts[i].name, name) == 0) return texts[i].text;
  return NULL;
}
