// Bindings to libosmium: one callback for each relevant object of an OpenStreetMap file.
#ifndef COSMIUM_H
#define COSMIUM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A file (`path`), or text in memory (`bytes`, `size`) in the given format (`opl`, `osm`).
typedef struct COsmiumSource {
  const char *path;
  const char *bytes;
  size_t size;
  const char *format;
} COsmiumSource;

/// Tags in libosmium's layout: key, NUL, value, NUL, key, … Valid only during the callback.
typedef struct COsmiumTags {
  const char *bytes;
  size_t size;
} COsmiumTags;

typedef struct COsmiumWay {
  int64_t id;
  const int64_t *nodes;
  size_t node_count;
  COsmiumTags tags;
} COsmiumWay;

/// `type` is 'n', 'w' or 'r'.
typedef struct COsmiumMember {
  char type;
  int64_t ref;
  const char *role;
} COsmiumMember;

typedef struct COsmiumRelation {
  int64_t id;
  const COsmiumMember *members;
  size_t member_count;
  COsmiumTags tags;
} COsmiumRelation;

/// Longitude and latitude in units of 1e-7 degrees.
typedef struct COsmiumNode {
  int64_t id;
  int32_t longitude;
  int32_t latitude;
  COsmiumTags tags;
} COsmiumNode;

/// Counts of data not passed to handlers: tags longer than OpenStreetMap allows, objects with an embedded NUL in a
/// string (all of their tags), and nodes whose position is missing, not a number or not on the earth. Added to the
/// existing values.
typedef struct COsmiumOmissions {
  uint32_t overlong_tags;
  uint32_t objects_with_nul;
  uint32_t nodes_without_position;
  /// All relations of the file, if relations are read: 0 means that the extract was made without them.
  uint32_t relations;
} COsmiumOmissions;

typedef void (*COsmiumWayHandler)(void *context, const COsmiumWay *way);
typedef void (*COsmiumRelationHandler)(void *context, const COsmiumRelation *relation);
typedef void (*COsmiumNodeHandler)(void *context, const COsmiumNode *node);

/// Passes every way with one of `keys`, and every relation that is a turn restriction, a boundary, a multipolygon, a
/// stop area of public transport, or a route of a ferry or shuttle train, to its handler, in file order. Returns 0, or
/// 1 with a sentence in `message`.
int cosmium_read_ways(const COsmiumSource *source, const char *const *keys, size_t key_count, void *context,
                      COsmiumWayHandler way_handler, COsmiumRelationHandler relation_handler,
                      COsmiumOmissions *omissions, char *message, size_t message_size);

/// Passes every way whose ID is among `ids`, which are ascending, to `handler`, in file order. Returns the same as
/// `cosmium_read_ways`.
int cosmium_read_ways_by_id(const COsmiumSource *source, const int64_t *ids, size_t id_count, void *context,
                            COsmiumWayHandler handler, char *message, size_t message_size);

/// Passes every node to `handler`, in file order. Returns the same as `cosmium_read_ways`.
int cosmium_read_nodes(const COsmiumSource *source, void *context, COsmiumNodeHandler handler,
                       COsmiumOmissions *omissions, char *message, size_t message_size);

/// A point ('p'), a line ('l') or an area ('a') with its tags: longitudes and latitudes in units of 1e-7 degrees, and
/// the end of each ring, counted in points. Areas contain outer rings and holes alike, each closed.
typedef struct COsmiumShape {
  char type;
  COsmiumTags tags;
  const int32_t *coordinates;
  const size_t *ends;
  size_t ring_count;
} COsmiumShape;

/// Selects the shape of a node ('n'), a way ('w') or a multipolygon relation ('r') by its tags: 0 none, 1 a point or
/// line, 2 an area.
typedef int (*COsmiumChooser)(void *context, char type, const COsmiumTags *tags);
typedef void (*COsmiumShapeHandler)(void *context, const COsmiumShape *shape);

/// Passes every shape selected by `chooser` to `handler`: points, then areas of relations, then ways, each in file
/// order. Objects without a position, rings that do not close and relations that lack a way are left out. Reads the
/// file three times, and keeps the selected ways in memory. Returns the same as `cosmium_read_ways`.
int cosmium_read_shapes(const COsmiumSource *source, void *context, COsmiumChooser chooser,
                        COsmiumShapeHandler handler, char *message, size_t message_size);

/// The timestamp of the map's data, in ISO 8601: from its header, or the latest change of a way; empty if neither is
/// known. Returns the same as `cosmium_read_ways`.
int cosmium_map_date(const COsmiumSource *source, char *date, size_t date_size, char *message, size_t message_size);

/// Returns freed memory to the system, after reading.
void cosmium_release_memory(void);

#ifdef __cplusplus
}
#endif

#endif
