// The table of countries, data/countries, verbatim: embedded by the C compiler in no time, while a Swift array takes a
// minute.
#ifndef CCOUNTRIES_H
#define CCOUNTRIES_H

#include <stddef.h>

extern const size_t ccountries_rules_size;
extern const size_t ccountries_outlines_size;
extern const size_t ccountries_time_zones_size;
const unsigned char *ccountries_rules_start(void);
const unsigned char *ccountries_outlines_start(void);
const unsigned char *ccountries_time_zones_start(void);

#endif
