#include "CCountries.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char rules[] = {
#embed "../../data/countries/rules.json5"
};
const size_t ccountries_rules_size = sizeof rules;

static const unsigned char outlines[] = {
#embed "../../data/countries/outlines.json5"
};
const size_t ccountries_outlines_size = sizeof outlines;

static const unsigned char time_zones[] = {
#embed "../../data/countries/time-zones.json5"
};
const size_t ccountries_time_zones_size = sizeof time_zones;

const unsigned char *ccountries_rules_start(void) { return rules; }
const unsigned char *ccountries_outlines_start(void) { return outlines; }
const unsigned char *ccountries_time_zones_start(void) { return time_zones; }
