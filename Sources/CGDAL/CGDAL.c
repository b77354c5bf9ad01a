#define _GNU_SOURCE  // strcasestr
#include <pthread.h>
#include "CGDAL.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// GDAL's C functions, which have been stable for twenty years.
static struct {
  void *library;
  void (*AllRegister)(void);
  void *(*OpenEx)(const char *, unsigned, const char *const *, const char *const *, const char *const *);
  void (*Close)(void *);
  int (*XSize)(void *), (*YSize)(void *), (*Count)(void *);
  void *(*Band)(void *, int);
  int (*Transform)(void *, double *);
  const char *(*Projection)(void *);
  double (*NoData)(void *, int *), (*Scale)(void *, int *), (*Offset)(void *, int *);
  const char *(*Unit)(void *);
  int (*RasterIO)(void *, int, int, int, int, int, void *, int, int, int, int, int);
  void *(*Warped)(void *, const char *, const char *, int, double, const void *);
  void *(*BuildVRT)(const char *, int, void **, const char *const *, const void *, int *);
  void *(*VRTOptions)(char **, void *);
  void (*VRTOptionsFree)(void *);
  int (*DriverCount)(void);
  void *(*Driver)(int);
  const char *(*DriverName)(void *);
  void (*Deregister)(void *);
  void (*Configure)(const char *, const char *);
  void (*SetHandler)(void (*)(int, int, const char *));
  const char *(*LastError)(void);
} gdal;

static void be_quiet(int kind, int number, const char *message) {}

// Drivers of self-contained formats. Others, such as VRT or WMS, refer to files and servers that GDAL would read.
static const char *const local_drivers[] = {"GTiff", "SRTMHGT", "HFA", "EHdr", "ENVI", "AAIGrid", "AIG", "USGSDEM", "DTED",
                                            "JP2OpenJPEG", "JP2KAK", "JP2ECW", "JP2MrSID", NULL};

static void keep_local_drivers(void) {
  for (int i = gdal.DriverCount() - 1; i >= 0; i--) {
    void *driver = gdal.Driver(i);
    int is_local = 0;
    for (int k = 0; local_drivers[k]; k++) is_local |= strcmp(gdal.DriverName(driver), local_drivers[k]) == 0;
    if (!is_local) gdal.Deregister(driver);
  }
}

// Returns 0 if GDAL is not installed, or `lacking` is set to the name of a function that it lacks.
static int load_unlocked(const char **lacking) {
  if (gdal.library) return 1;
  const char *names[] = {"libgdal.so", "libgdal.so.32", "libgdal.so.33", "libgdal.so.34", "libgdal.so.35",
                         "libgdal.so.36", "libgdal.so.37", "libgdal.so.38", "libgdal.so.31", "libgdal.so.30",
                         "libgdal.dylib"};
  void *library = NULL;
  for (size_t i = 0; !library && i < sizeof names / sizeof *names; i++) library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
  if (!library) return 0;
  struct { void **to; const char *name; } functions[] = {
      {(void **)&gdal.AllRegister, "GDALAllRegister"}, {(void **)&gdal.OpenEx, "GDALOpenEx"},
      {(void **)&gdal.Close, "GDALClose"}, {(void **)&gdal.XSize, "GDALGetRasterXSize"},
      {(void **)&gdal.YSize, "GDALGetRasterYSize"}, {(void **)&gdal.Count, "GDALGetRasterCount"},
      {(void **)&gdal.Band, "GDALGetRasterBand"}, {(void **)&gdal.Transform, "GDALGetGeoTransform"},
      {(void **)&gdal.Projection, "GDALGetProjectionRef"}, {(void **)&gdal.NoData, "GDALGetRasterNoDataValue"},
      {(void **)&gdal.Scale, "GDALGetRasterScale"}, {(void **)&gdal.Offset, "GDALGetRasterOffset"},
      {(void **)&gdal.Unit, "GDALGetRasterUnitType"}, {(void **)&gdal.RasterIO, "GDALRasterIO"},
      {(void **)&gdal.Warped, "GDALAutoCreateWarpedVRT"}, {(void **)&gdal.BuildVRT, "GDALBuildVRT"},
      {(void **)&gdal.VRTOptions, "GDALBuildVRTOptionsNew"}, {(void **)&gdal.VRTOptionsFree, "GDALBuildVRTOptionsFree"},
      {(void **)&gdal.DriverCount, "GDALGetDriverCount"}, {(void **)&gdal.Driver, "GDALGetDriver"},
      {(void **)&gdal.DriverName, "GDALGetDriverShortName"}, {(void **)&gdal.Deregister, "GDALDeregisterDriver"},
      {(void **)&gdal.Configure, "CPLSetConfigOption"}, {(void **)&gdal.SetHandler, "CPLSetErrorHandler"}, {(void **)&gdal.LastError, "CPLGetLastErrorMsg"},
  };
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    *functions[i].to = dlsym(library, functions[i].name);
    if (!*functions[i].to) return *lacking = functions[i].name, 0;
  }
  gdal.library = library;
  gdal.AllRegister();
  keep_local_drivers();
  // Blocks the remaining downloads: overviews that a raster names, and grids of coordinate systems.
  gdal.Configure("CPL_VSIL_CURL_ALLOWED_FILENAME", "none");
  void (*use_network)(int) = (void (*)(int))dlsym(library, "OSRSetPROJEnableNetwork");
  if (use_network) use_network(0);
  gdal.SetHandler(be_quiet);
  return 1;
}

// Two networks may be built at once: while one thread removes drivers, another must not access them.
static int load(const char **lacking) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&lock);
  int is_loaded = load_unlocked(lacking);
  pthread_mutex_unlock(&lock);
  return is_loaded;
}

struct CGDALRaster {
  /// The reprojected dataset, and the joined tiles that it reads; NULL if not needed. Closed in this order.
  void *sets[2];
  void **tiles;
  int tile_count;
  void *band;
  CGDALGrid grid;
  int has_no_data;
  double no_data, scale, offset;
};

static const char *const wgs84 =
    "GEOGCS[\"WGS 84\",DATUM[\"WGS_1984\",SPHEROID[\"WGS 84\",6378137,298.257223563]],PRIMEM[\"Greenwich\",0],"
    "UNIT[\"degree\",0.0174532925199433]]";

void CGDALClose(CGDALRaster *raster) {
  for (int i = 0; i < 2; i++) if (raster->sets[i]) gdal.Close(raster->sets[i]);
  for (int i = 0; i < raster->tile_count; i++) if (raster->tiles[i]) gdal.Close(raster->tiles[i]);
  free(raster->tiles);
  free(raster);
}

static CGDALRaster *fail(CGDALRaster *raster, char *problem, int size, const char *said, const char *own) {
  snprintf(problem, (size_t)size, "%s", said && *said ? said : own);
  if (raster) CGDALClose(raster);
  return NULL;
}

/// Metres per elevation unit; 1 if no unit is given, 0 if it is unknown.
static double metres_of(const char *unit) {
  if (!unit || !*unit || strcasecmp(unit, "m") == 0 || strncasecmp(unit, "met", 3) == 0) return 1;
  if (strcasecmp(unit, "ft") == 0 || strcasestr(unit, "foot") || strcasestr(unit, "feet")) return 0.3048;
  return 0;
}

CGDALRaster *CGDALOpen(const char *const *paths, int count, char *problem, int problem_size, int *is_missing) {
  const char *lacking = NULL;
  int is_loaded = load(&lacking);
  *is_missing = !is_loaded && !lacking;
  if (!is_loaded) {
    snprintf(problem, (size_t)problem_size, "the installed GDAL lacks %s, expected version 2.1 or later", lacking ? lacking : "");
    return NULL;
  }
  CGDALRaster *raster = calloc(1, sizeof *raster);
  if (raster) raster->tiles = calloc((size_t)count, sizeof *raster->tiles);
  if (!raster || !raster->tiles) return fail(raster, problem, problem_size, NULL, "there is not enough memory");
  raster->tile_count = count;
  const unsigned rasters = 0x02, verbose = 0x40;
  for (int i = 0; i < count; i++) {
    raster->tiles[i] = gdal.OpenEx(paths[i], rasters | verbose, local_drivers, NULL, NULL);
    if (!raster->tiles[i]) {
      const char *said = gdal.LastError();
      int is_unknown = strstr(said, "not recognized") != NULL;
      return fail(raster, problem, problem_size, is_unknown ? NULL : said,
                  "its format is not supported, expected GeoTIFF, HGT, IMG, BIL, ASCII grid, DEM, DTED or JPEG 2000; for a VRT, "
                  "name the folder of its tiles");
    }
  }
  void *set = raster->tiles[0];
  if (count > 1) {
    // Strict: a tile in another projection is an error instead of being ignored.
    char *words[] = {"-strict", NULL};
    void *options = gdal.VRTOptions(words, NULL);
    int failed = 0;
    set = raster->sets[1] = gdal.BuildVRT("", count, raster->tiles, NULL, options, &failed);
    gdal.VRTOptionsFree(options);
    if (!set) return fail(raster, problem, problem_size, gdal.LastError(), "GDAL cannot join the tiles");
  }
  if (gdal.Count(set) < 1) return fail(raster, problem, problem_size, NULL, "it has no raster band");
  double t[6];
  const char *projection = gdal.Projection(set);
  int has_place = gdal.Transform(set, t) == 0;
  int is_geographic = strncmp(projection, "GEOGCS", 6) == 0 || strncmp(projection, "GEOGCRS", 7) == 0;
  if (!*projection || !has_place) return fail(raster, problem, problem_size, NULL, "it has no georeference");
  if (!is_geographic || t[2] != 0 || t[4] != 0) {
    const int bilinear = 1;
    set = raster->sets[0] = gdal.Warped(set, NULL, wgs84, bilinear, 0, NULL);
    if (!set || gdal.Transform(set, t) != 0)
      return fail(raster, problem, problem_size, gdal.LastError(), "GDAL cannot convert its coordinates to degrees");
  }
  raster->band = gdal.Band(set, 1);
  raster->grid = (CGDALGrid){gdal.XSize(set), gdal.YSize(set), t[0] + t[1] / 2, t[3] + t[5] / 2, t[1], t[5]};
  raster->no_data = gdal.NoData(raster->band, &raster->has_no_data);
  int has_scale, has_offset;
  raster->scale = gdal.Scale(raster->band, &has_scale);
  raster->offset = gdal.Offset(raster->band, &has_offset);
  if (!has_scale) raster->scale = 1;
  if (!has_offset) raster->offset = 0;
  // The unit comes from the tiles, since the joined dataset lacks it.
  double metres = 1;
  for (int i = 0; i < count; i++) {
    double own = metres_of(gdal.Unit(gdal.Band(raster->tiles[i], 1)));
    if (own == 0) return fail(raster, problem, problem_size, NULL, "its unit of elevation is unknown, expected metres or feet");
    if (i > 0 && own != metres)
      return fail(raster, problem, problem_size, NULL, "its tiles have elevations in metres and in feet");
    metres = own;
  }
  raster->scale *= metres;
  raster->offset *= metres;
  return raster;
}

CGDALGrid CGDALGridOf(const CGDALRaster *raster) { return raster->grid; }

int CGDALRead(CGDALRaster *raster, int x, int y, int width, int height, float *values) {
  const int reading = 0, float32 = 6;
  int failed =
      gdal.RasterIO(raster->band, reading, x, y, width, height, values, width, height, float32, 0, 0);
  if (failed) return failed;
  for (int i = 0; i < width * height; i++) {
    // Impossible elevations are missing data: -32768, -9999 and the like if the file does not declare them.
    double metres = values[i] * raster->scale + raster->offset;
    int is_none = (raster->has_no_data && values[i] == (float)raster->no_data) || !(metres > -1000) || metres > 30000;
    values[i] = is_none ? NAN : (float)metres;
  }
  return 0;
}
