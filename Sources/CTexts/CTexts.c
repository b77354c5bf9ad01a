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
};

const char *ctext(const char *name) {
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    if (strcmp(texts[i].name, name) == 0) return texts[i].text;
  return NULL;
}
