#pragma once

// GDAL, loaded at run time: it depends on two hundred libraries, and few maps need it.

/// An elevation raster in degrees of WGS 84, read by GDAL.
typedef struct CGDALRaster CGDALRaster;

typedef struct {
  int width;
  int height;
  /// The centre of the first pixel, and the distance between pixels, in degrees.
  double west, north, east_step, north_step;
} CGDALGrid;

/// Opens a raster, or joins several with the same coordinate system. Returns NULL on failure: `problem` then has the
/// reason, and `is_missing` is nonzero if GDAL is not installed.
CGDALRaster *CGDALOpen(const char *const *paths, int count, char *problem, int problem_size, int *is_missing);

CGDALGrid CGDALGridOf(const CGDALRaster *raster);

/// Reads a window in metres, row by row; NAN for missing elevations. Nonzero on failure.
int CGDALRead(CGDALRaster *raster, int x, int y, int width, int height, float *values);

void CGDALClose(CGDALRaster *raster);
