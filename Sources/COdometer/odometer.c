#include "odometer.h"
