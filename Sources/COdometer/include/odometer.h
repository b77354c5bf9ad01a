// Odometer as a C library: what the Python package calls, and any other language can.
//
// Units are degrees of WGS 84, seconds and metres. Arrays belong to the caller, who makes them as long as is said here.
// Every function that returns a number returns 0, or one of the program's exit codes; odometer_message tells why, as one
// sentence. Nothing is written in arrays then that means anything. All functions may be called from many threads at once,
// also for one network; none may be called for a network that was closed.
#pragma once
#include <stdint.h>

#pragma clang assume_nonnull begin

/// A network that trips are computed on.
typedef struct odometer_network odometer_network;

/// Places: their latitudes and longitudes, each `count` of them. A place that is none (NaN, out of range) is like one
/// far from any street.
typedef struct {
  int64_t count;
  const double *_Nullable latitudes;
  const double *_Nullable longitudes;
} odometer_places;

/// A text, and the positions of lines that it speaks of: longitude and latitude in turn.
typedef struct {
  char *text;
  int64_t text_count;
  double *positions;
  int64_t position_count;
} odometer_answer;

/// What became of a trip: its place in the list of `odometer_status_name`.
typedef uint8_t odometer_status;

/// No departure: speeds in free flow, and what is open most of the time.
#define ODOMETER_NO_TIME INT64_MIN

/// Opens a network, builds it where that is needed.
///
/// - Parameter words: options of `odometer eta` with their values, in `count` words: "--map", "porto.osm.pbf", "--by",
///   "automobile"; and "--workers", the threads of each call.
///   For public transport also "--gtfs", with the paths of GTFS zips, each on a line; and like the keys of a job, in seconds
///   where they are times, "--walk-limit", "--boarding-slack", "--limit", "--maximum-rides" and "--wheelchair-boarding".
int32_t odometer_open(const char *const _Nullable *_Nonnull words, int32_t count, odometer_network *_Nullable *_Nonnull network);

/// Copies a network file into a folder of this machine, checked, once however many processes ask for it; answers with the
/// copy's path as a JSON text.
int32_t odometer_install(const char *path, const char *cache, odometer_answer *answer);

/// Gives back what a network holds.
void odometer_close(odometer_network *network);

/// Why the last function of this thread did not return 0: a sentence that holds until the next one is called.
const char *odometer_message(void);

/// "ok", "directions_not_found", …; NULL beyond the last.
const char *_Nullable odometer_status_name(odometer_status status);

/// What a network is: a JSON object.
int32_t odometer_info(odometer_network *network, odometer_answer *answer);

/// The trip from each origin to the destination of the same number: seconds and metres, not a number where there is none.
///
/// - Parameter departures: nil, or for each trip the milliseconds since 1970 on the map's clocks, or ODOMETER_NO_TIME.
int32_t odometer_etas(
  odometer_network *network, const odometer_places *origins, const odometer_places *destinations,
  const int64_t *_Nullable departures, double *travel_times, double *distances, odometer_status *statuses);

/// Why there is no trip between places of the same number: an array of texts, as column `reason` of a job's table `route`;
/// "" where there is one, "origin: invalid" where a place is none.
///
/// - Parameter departures: as of `odometer_etas`.
int32_t odometer_reasons(
  odometer_network *network, const odometer_places *origins, const odometer_places *destinations,
  const int64_t *_Nullable departures, odometer_answer *answer);

/// All trips from the origins to the destinations, a row for each origin, as a job's .npy has them.
///
/// - Parameters:
///   - stride: cells from the first of a row to the first of the next: at least as many as there are destinations.
///   - distances: nil for none, which takes two thirds of the time.
int32_t odometer_matrix(
  odometer_network *network, const odometer_places *origins, const odometer_places *destinations, int64_t departure,
  int64_t stride, float *travel_times, float *_Nullable distances);

/// All trips by public transport from the origins to the destinations, on a network opened with "--gtfs": for each origin a
/// row per departure, or per percentile of the times at all of them, as a job's .npy has them.
///
/// - Parameters:
///   - moments: departures of one day, in milliseconds since 1970 on the map's clocks, `moment_count` of them.
///   - are_arrivals: not 0 if they are arrivals.
///   - percentiles: from 0 to 100, `percentile_count` of them; nil for a row per departure.
int32_t odometer_transit_matrix(
  odometer_network *network, const odometer_places *origins, const odometer_places *destinations,
  const int64_t *moments, int64_t moment_count, int32_t are_arrivals, const int32_t *_Nullable percentiles,
  int64_t percentile_count, float *travel_times);

/// The nearest few destinations of each origin, nearest first: `most` numbers a row, from 0; -1 where there are fewer.
///
/// - Parameter within: the longest trip that counts, in seconds; infinite for any.
int32_t odometer_nearest(
  odometer_network *network, const odometer_places *origins, const odometer_places *destinations, int64_t most,
  double within, int64_t departure, int64_t *found, double *travel_times, double *distances);

/// The route of each pair with its steps: an array of JSON objects, each with `pair` and `status`; `shape` is the first
/// position of a line and their number.
///
/// - Parameter alternates: not 0 for up to two more routes of each.
int32_t odometer_routes(
  odometer_network *network, const odometer_places *origins, const odometer_places *destinations,
  const int64_t *_Nullable departures, int32_t alternates, odometer_answer *answer);

/// The areas within each of some times of each place: an array of JSON objects; each of `polygons` is a list of rings, as
/// `shape` is.
///
/// - Parameters:
///   - limits: seconds, `limit_count` of them.
///   - buffer: how many metres an area reaches beyond its streets.
///   - to_places: not 0 for trips to the places.
int32_t odometer_isochrones(
  odometer_network *network, const odometer_places *places, const double *limits, int64_t limit_count, double buffer,
  int32_t to_places, int64_t departure, odometer_answer *answer);

/// The streets that traces followed: an array of JSON objects as `odometer match --format json` prints them.
///
/// - Parameters:
///   - fixes: of all traces, one after the other.
///   - times: of the fixes, in seconds since 1970 (Greenwich); nil for none, not a number where one has none.
///   - accuracies: standard deviations in metres, likewise.
///   - speeds: metres per second, as the device measured; likewise.
///   - courses: degrees clockwise from north, as the device measured; likewise.
///   - received: when each fix was received, as `times`; one received a minute later, or more, is left out.
///   - ends: of each trace the number of fixes up to its last; `trace_count` of them.
int32_t odometer_match(
  odometer_network *network, const odometer_places *fixes, const double *_Nullable times,
  const double *_Nullable accuracies, const double *_Nullable speeds, const double *_Nullable courses,
  const double *_Nullable received, const int64_t *ends, int64_t trace_count, odometer_answer *answer);

/// Gives back what an answer holds.
void odometer_free(odometer_answer *answer);

/// Ends all that is being computed on a network, in any thread: those functions return 130.
void odometer_cancel(odometer_network *network);

/// Runs the program: words as on its command line, without its name. Returns its exit code.
int32_t odometer_run(const char *const _Nullable *_Nonnull words, int32_t count);

#pragma clang assume_nonnull end
