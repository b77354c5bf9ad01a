#pragma once

// GDAL, opened while the program runs: it brings two hundred libraries with it, and few maps need it.

/// A raster of heights in degrees of WGS 84, read by GDAL.
typedef struct CGDALRaster CGDALRaster;

typedef struct {
  int width;
  int height;
  /// Of the centre of the first pixel, and from pixel to pixel, in degrees.
  double west, north, east_step, north_step;
} CGDALGrid;

/// Opens a raster, or several of one coordinate system as one. NULL where that fails: `problem` says why, and
/// `is_missing` whether there is no GDAL.
CGDALRaster *CGDALOpen(const char *const *paths, int count, char *problem, int problem_size, int *is_missing);

CGDALGrid CGDALGridOf(const CGDALRaster *raster);

/// Reads a window in metres, row by row; NAN where there is no height. Nonzero where that fails.
int CGDALRead(CGDALRaster *raster, int x, int y, int width, int height, float *values);

void CGDALClose(CGDALRaster *raster);
