// Odometer as a C library, for the Python package and other languages.
//
// Units are degrees of WGS 84, seconds and metres. The caller allocates arrays, with the lengths given here. Functions
// that return a number return 0, or one of the program's exit codes; odometer_message then gives the reason as one
// sentence, and the content of arrays is undefined. All functions may be called from many threads at once, also for the
// same network; none may be called for a closed network.
#pragma once
#include <stdint.h>

#pragma clang assume_nonnull begin

/// A network for computing trips.
typedef struct odometer_network odometer_network;

/// Places: `count` latitudes and longitudes. An invalid place (NaN, out of range) is treated like one far from any
/// street.
typedef struct {
  int64_t count;
  const double *_Nullable latitudes;
  const double *_Nullable longitudes;
} odometer_places;

/// A text, and the positions of the lines it refers to: alternating longitudes and latitudes.
typedef struct {
  char *text;
  int64_t text_count;
  double *positions;
  int64_t position_count;
} odometer_answer;

/// The status of a trip: an index for `odometer_status_name`.
typedef uint8_t odometer_status;

/// No departure: free-flow speeds, and only closures without times.
#define ODOMETER_NO_TIME INT64_MIN

/// Opens a network, or builds it first.
///
/// - Parameter words: options of `odometer eta` with their values, in `count` words: "--map", "porto.osm.pbf", "--by",
///   "automobile"; and "--workers", the number of threads of each call. The value of "--speeds" is the path of a file, or
///   JSON5 as in the key speeds of a job: a list of paths, and of objects with file, format, days, from, to, duplicates, fill.
///   For public transport, also "--gtfs" with the paths of GTFS zips, one per line; and, with the meanings of a job's keys
///   and durations in seconds, "--walk-limit", "--boarding-slack", "--limit", "--maximum-rides", "--headways" and
///   "--wheelchair-boarding". odometer_etas, odometer_routes and odometer_transit_matrix then use the timetables, and each
///   trip has a departure; all other functions use the walking network. Areas and access by public transport are jobs, which
///   odometer_run runs.
int32_t odometer_open(const char *const _Nullable *_Nonnull words, int32_t count, odometer_network *_Nullable *_Nonnull network);

/// Copies a network file into a local folder and verifies the copy, once for any number of processes; the answer is the
/// copy's path as a JSON string.
int32_t odometer_install(const char *path, const char *cache, odometer_answer *answer);

/// Frees a network.
void odometer_close(odometer_network *network);

/// The reason why this thread's last function did not return 0: a sentence that is valid until the next call.
const char *odometer_message(void);

/// "ok", "directions_not_found", …; NULL after the last.
const char *_Nullable odometer_status_name(odometer_status status);

/// The properties of a network: a JSON object.
int32_t odometer_info(odometer_network *network, odometer_answer *answer);

/// The trip from each origin to the destination with the same index: seconds and metres, NaN if there is none.
///
/// - Parameter departures: NULL, or for each trip the milliseconds since 1970 in the map's local time, or
///   ODOMETER_NO_TIME.
int32_t odometer_etas(
  odometer_network *network, const odometer_places *origins, const odometer_places *destinations,
  const int64_t *_Nullable departures, double *travel_times, double *distances, odometer_status *statuses);

/// Why there is no trip between places with the same index: an array of texts, as in column `reason` of a job's table
/// `route`; "" if there is a trip, "origin: invalid" if a place is invalid.
///
/// - Parameter departures: as for `odometer_etas`.
int32_t odometer_reasons(
  odometer_network *network, const odometer_places *origins, const odometer_places *destinations,
  const int64_t *_Nullable departures, odometer_answer *answer);

/// All trips from the origins to the destinations: one row per origin, as in a job's .npy.
///
/// - Parameters:
///   - stride: the number of cells from the start of a row to the start of the next: at least the number of destinations.
///   - distances: NULL for none, which takes two thirds of the time.
int32_t odometer_matrix(
  odometer_network *network, const odometer_places *origins, const odometer_places *destinations, int64_t departure,
  int64_t stride, float *travel_times, float *_Nullable distances);

/// All trips by public transport from the origins to the destinations, on a network opened with "--gtfs": for each origin
/// one row per departure, or per percentile of the times at all of them, as in a job's .npy.
///
/// - Parameters:
///   - moments: `moment_count` departures on one day, in milliseconds since 1970 in the map's local time.
///   - are_arrivals: nonzero if they are arrivals.
///   - percentiles: `percentile_count` values from 0 to 100; NULL for one row per departure.
int32_t odometer_transit_matrix(
  odometer_network *network, const odometer_places *origins, const odometer_places *destinations,
  const int64_t *moments, int64_t moment_count, int32_t are_arrivals, const int32_t *_Nullable percentiles,
  int64_t percentile_count, float *travel_times);

/// The nearest destinations of each origin, nearest first: `maximum_count` indices per row, from 0; -1 if there
/// are fewer.
///
/// - Parameter within: the maximum duration of a trip, in seconds; infinite for no limit.
int32_t odometer_nearest(
  odometer_network *network, const odometer_places *origins, const odometer_places *destinations, int64_t maximum_count,
  double within, int64_t departure, int64_t *found, double *travel_times, double *distances);

/// The route of each pair with its steps: an array of JSON objects, each with `pair` and `status`; `shape` is the index
/// of a line's first position, and the number of its positions.
///
/// - Parameter alternates: nonzero for up to two alternates per pair.
int32_t odometer_routes(
  odometer_network *network, const odometer_places *origins, const odometer_places *destinations,
  const int64_t *_Nullable departures, int32_t alternates, odometer_answer *answer);

/// The areas within some times of each place: an array of JSON objects; each of `polygons` is a list of rings in the
/// format of `shape`. Only those with `status` "ok" have `area` and `street_length`, in square metres and metres.
///
/// - Parameters:
///   - limits: `limit_count` times in seconds.
///   - buffer: the metres by which an area extends beyond its streets.
///   - to_places: nonzero for trips to the places.
///   - departure: the departure of trips from the places, or the arrival of trips to them; ODOMETER_NO_TIME for none.
int32_t odometer_isochrones(
  odometer_network *network, const odometer_places *places, const double *limits, int64_t limit_count, double buffer,
  int32_t to_places, int64_t departure, odometer_answer *answer);

/// The streets followed by traces: an array of JSON objects as printed by `odometer match --format json`.
///
/// - Parameters:
///   - fixes: the fixes of all traces, trace by trace.
///   - times: the times of the fixes, in seconds since 1970 (UTC); NULL for none, NaN for a fix without one.
///   - accuracies: standard deviations in metres; optional in the same way.
///   - speeds: measured speeds in metres per second; optional in the same way.
///   - courses: measured courses in degrees clockwise from north; optional in the same way.
///   - received: when each fix was received, in the format of `times`; a fix received a minute late or later is dropped.
///   - ends: for each of `trace_count` traces, the index in `fixes` after its last fix.
int32_t odometer_match(
  odometer_network *network, const odometer_places *fixes, const double *_Nullable times,
  const double *_Nullable accuracies, const double *_Nullable speeds, const double *_Nullable courses,
  const double *_Nullable received, const int64_t *ends, int64_t trace_count, odometer_answer *answer);

/// Frees the content of an answer.
void odometer_free(odometer_answer *answer);

/// Cancels all computations on a network, in any thread: their functions return 130.
void odometer_cancel(odometer_network *network);

/// Runs the program with the words of its command line, without its name. Returns its exit code.
int32_t odometer_run(const char *const _Nullable *_Nonnull words, int32_t count);

#pragma clang assume_nonnull end
