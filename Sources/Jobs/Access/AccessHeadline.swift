import Tables

extension Headline {
  func access() throws -> String {
    guard let (main, threshold, shares) = try results.mainShare,
      let lowest = shares.min(by: { $0.share! < $1.share! }), let highest = shares.max(by: { $0.share! < $1.share! })
    else { return "No origin is counted." }
    let count = Int(exactly: highest.total.rounded()) ?? 0
    let population =
      main == AccessPlaces.originsMeasure
      ? Format.count(count, "place") : "\(Format.weight(highest.total)) \(Format.isolated(record.unit(of: main)))"
    let snapped = try results.places(.station).filter { $0.status == .ok }
    guard !snapped.isEmpty else { return "None of the \(record.noun) is on the map." }
    let stations =
      snapped.count == 1
      ? Headline.named(snapped[0], "station") : "one of \(Format.count(snapped.count)) \(record.noun)"
    let time = Format.minutes(Double(threshold))
    let axis = try results.rowAxis()
    let travelling = try self.travelling + results.percentileWords
    let isTo = record.identity.leadsToPlaces
    guard shares.count > 1, lowest.share != highest.share, let lowHour = lowest.departure,
      let highHour = highest.departure
    else {
      let share = Format.percent(highest.share!)
      let subject = share == "none" ? "None of \(population)" : "\(share) of \(population)"
      // Units such as "residents" are plural.
      let isOne = count == 1 && main == AccessPlaces.originsMeasure || share == "none"
      let verb = isOne ? (isTo ? "reaches" : "is reached from") : isTo ? "reach" : "are reached from"
      return "\(subject) \(verb) \(stations) within \(time) min \(travelling)."
    }
    return
      "Within \(time) min \(isTo ? "of" : "from") \(stations) \(travelling): "
      + "\(Format.percent(lowest.share!)) of \(population) \(hourPhrase(lowHour, axis)), "
      + "\(Format.percent(highest.share!)) \(hourPhrase(highHour, axis))."
  }
}

extension ResultsDatabase {
  /// The shares of the first weight, or of the origins without a weight, within the middle threshold in seconds: at each
  /// hour, or at the middle percentile. Nil if nothing is counted.
  var mainShare: (measure: String, threshold: Int, shares: [ReportedShare])? {
    get throws {
      let measures = record.figures.list(.measures)
      let middle = try rowAxis().middle
      let shares = try shares().filter { $0.share != nil && (middle == nil || $0.departure == middle) }
      let main = measures.first { measure in shares.contains { $0.measure == measure } } ?? AccessPlaces.originsMeasure
      guard let threshold = record.middleThreshold,
        case let mainShares = shares.filter({ $0.measure == main && $0.threshold == threshold }), !mainShares.isEmpty
      else { return nil }
      return (main, threshold, mainShares)
    }
  }
}

extension AccessResults {

  /// The total of a measure over the origins on the map and in the coverage, as SQL.
  private static let weightOnMap = """
    CASE measure
      WHEN 'origins' THEN (SELECT count(*) FROM place WHERE role = 'origin' AND reason IS NOT 'off_map'
        AND status <> 'outside_coverage')
      ELSE (SELECT total(place_weight.value) FROM place_weight JOIN place ON place.fid = place_fid
        WHERE place_weight.measure = access_share.measure AND reason IS NOT 'off_map'
          AND status <> 'outside_coverage') END
    """

  /// Returns sentences about the share of origins with a station, and of each measure within each threshold: the mean
  /// over the hours, or the value at the middle percentile.
  static func shares(_ results: ResultsDatabase, _ axis: RowAxis, _ atHours: String) throws -> [String] {
    let middle = axis.middle.map { axis.condition($0, in: "access_share") }
    let isMean = axis.count > 1 && middle == nil
    let words = try isMean ? ", mean of \(axis.count) \(axis.unit)" : results.percentileWords
    return try PlaceProblems.rowShares("origins\(atHours)", results)
      + results.database.rows(
        """
        SELECT measure, threshold, avg(value) AS mean, min(value) AS least, max(value) AS most, max(total) AS total,
          \(weightOnMap) AS on_map
        FROM access_share WHERE \(middle ?? "1") GROUP BY measure, threshold ORDER BY min(fid)
        """
      ) { row in
        let (total, onMap): (Double, Double) = (try row["total"], try row["on_map"])
        let (mean, lowest, highest): (Double, Double, Double) = (try row["mean"], try row["least"], try row["most"])
        let range =
          isMean ? " (\(PlaceProblems.percent(lowest, of: total)) to \(PlaceProblems.percent(highest, of: total)))" : ""
        let (measure, threshold): (String, Int) = (try row["measure"], try row["threshold"])
        let minutes = threshold % 60 == 0 ? "\(threshold / 60)" : "\(Double(threshold) / 60)"
        return "\(measure) within \(minutes) min\(words): \(PlaceProblems.percent(mean, of: total)) of all\(range)"
          + ofThoseOnTheMap(mean, onMap, total)
      }
  }

  /// Returns the share among origins on the map, as the end of a sentence; empty if it reads the same as the share of
  /// all.
  private static func ofThoseOnTheMap(_ part: Double, _ onMap: Double, _ all: Double) -> String {
    let share = PlaceProblems.percent(part, of: onMap)
    return share == PlaceProblems.percent(part, of: all) ? "" : ", \(share) of those on the map"
  }
}
