/// The columns of a list of places that the job's keys `id` and `weight` name; nil for those with documented names.
package struct PlaceKeys: Sendable {
  var id: String?
  var weights: [String]?
  /// Whether every weight counts, or the first one alone.
  var countsAll: Bool
  /// Whether the job reads another file that may have the columns.
  var mayLack = false

  /// For places that nothing weighs.
  static let withoutWeights = PlaceKeys(weights: [])

  package init(id: String? = nil, weights: [String]? = nil, countsAll: Bool = true) {
    (self.id, self.weights, self.countsAll) = (id, weights, countsAll)
  }
}

/// Which columns of a list of places are its id and its weights, by the job's keys or by documented names.
struct PlaceNames {
  /// Nil if no column is an id.
  let id: String?
  /// As the key has them; else the weight with the first of the documented names, then others in the file's order.
  let weights: [String]
  /// Columns that the program has no use for, in the file's order.
  let others: [String]
  /// Why a key names no column of this file.
  let missing: (id: InputError?, weights: InputError?)

  /// Documented names, the first of which counts; compared in lower case, letters and digits alone.
  static let ids = [
    "id", "placeid", "originid", "destinationid", "stopid", "stationid", "zoneid", "nodeid", "geoid", "geoid20",
    "geoid10", "osmid", "zone", "taz", "node", "code", "objectid", "fid",
  ]
  static let weights = [
    "weight", "population", "pop", "people", "persons", "residents", "inhabitants", "totalpopulation",
    "populationtotal", "totalpop", "totpop", "poptotal", "jobs", "employment", "employees", "workers", "households",
    "dwellings", "flats",
  ]

  /// - Parameters:
  ///   - names: The columns, in the file's order.
  ///   - reference: What pairs call the ids of these places, plain: such a column goes before the documented names.
  ///
  /// *Throws*: `InputError` if a key names no column.
  init(_ names: [String], file: String, _ keys: PlaceKeys, reference: String? = nil) throws {
    let plain = names.map(EndNames.plain)
    func first(of expected: [String]) -> String? {
      expected.lazy.compactMap { word in plain.firstIndex(of: word) }.first.map { names[$0] }
    }
    func column(_ name: String, _ key: String) throws(InputError) -> String {
      if let index = names.firstIndex(of: name) ?? plain.firstIndex(of: EndNames.plain(name)) { return names[index] }
      let columns = names.filter { !$0.isEmpty }
      throw InputError(
        file: file,
        problem:
          "\(key): got \(name), expected one of the columns \(columns.isEmpty ? "(none)" : columns.joined(separator: ", "))"
      )
    }
    var missing: (id: InputError?, weights: InputError?) = (nil, nil)
    var (id, weights): (String?, [String]?) = (nil, nil)
    do throws(InputError) { id = try keys.id.map { name throws(InputError) in try column(name, "id") } } catch {
      missing.id = error
    }
    do throws(InputError) {
      weights = try keys.weights.map { names throws(InputError) in
        try names.map { name throws(InputError) in try column(name, names.count == 1 ? "weight" : "weights") }
      }
    } catch {
      missing.weights = error
    }
    if let error = missing.id ?? missing.weights, !keys.mayLack { throw error }
    self.missing = missing
    let named = id ?? first(of: (reference.map { [$0] } ?? []) + PlaceNames.ids)
    self.id = named
    let best = first(of: PlaceNames.weights)
    let known = names.enumerated().filter { index, name in
      PlaceNames.weights.contains(plain[index]) && name != named && names.firstIndex(of: name) == index
    }.map(\.element)
    self.weights = weights ?? known.filter { $0 == best } + known.filter { $0 != best }
    others = names.filter { name in
      !name.isEmpty && name != named && !known.contains(name) && !PlaceColumns.isKnown(name)
    }
  }
}
