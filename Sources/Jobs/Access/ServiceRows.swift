import Tables

/// The amount of a measure within a threshold, and its share of the total: a row of table `access_share`.
struct MeasuredValue {
  /// The number of its hour or percentile; nil in a job without hours.
  var departure: Int?
  /// In seconds.
  var threshold: Int
  var measure: String
  var value: Double
  var total: Double
  var share: Double? { total > 0 ? value / total : nil }
}

extension AccessResults {
  static func shares(_ axis: [RowAxis.Column]) -> Table<MeasuredValue> {
    let columns: [Column<MeasuredValue>] = [
      .integer("threshold", "seconds") { $0.threshold },
      .text("measure", "`origins` or a weight column") { $0.measure },
      .real("value", "amount of the measure with a station within the threshold") { $0.value },
      .real("total", "total amount of the measure") { $0.total },
      .optionalReal("share", "value / total") { $0.share },
    ]
    return Table(
      "access_share",
      "threshold and measure (`origins`, then each weight), and per departure or percentile if the job has several",
      key: axis.map(\.rawValue) + ["threshold", "measure"], Column.axis(axis) { $0.departure } + columns)
  }

  /// The amount of a measure with a station within a number of seconds, and its share of the total.
  typealias CurvePoint = (departure: Int?, measure: String, within: Int, value: Double, share: Double?)

  static func curves(_ axis: [RowAxis.Column]) -> Table<CurvePoint> {
    let columns: [Column<CurvePoint>] = [
      .text("measure", "`origins` or a weight column") { $0.measure },
      .integer("within", "seconds, up to twice the last threshold and at most `limit`") { $0.within },
      .real("value", "amount with a station within that time") { $0.value },
      .optionalReal("share", "value / total") { $0.share },
    ]
    return Table(
      "access_curve", "half minute and measure, and per departure or percentile if the job has several",
      key: axis.map(\.rawValue) + ["measure", "within"], Column.axis(axis) { $0.departure } + columns)
  }

  /// The amount that a station serves, and the part of it for which the station is the nearest.
  typealias StationService = (station: Identifier, served: MeasuredValue, nearest: Double)

  static func stationServices(_ axis: [RowAxis.Column]) -> Table<StationService> {
    let columns: [Column<StationService>] = [
      .integer("threshold", "seconds") { $0.served.threshold },
      .text("measure", "`origins` or a weight column") { $0.served.measure },
      .real("value", "amount of the measure within the threshold of this station, whether or not it is the nearest") {
        $0.served.value
      },
      .optionalReal("share", "value / total amount") { $0.served.share },
      .lineBreak,
      .real("nearest_value", "part of `value` for which this station is the nearest") { $0.nearest },
    ]
    return Table(
      "station_service", "station, threshold and measure, and per departure or percentile if the job has several",
      [.optionalID("station_id", "`place_id` of the station") { $0.station }]
        + Column.axis(axis) { $0.served.departure } + columns)
  }

  /// The amount that a line serves with all its stations.
  typealias LineService = (line: String, stations: Int, served: MeasuredValue)

  static func lineServices(_ axis: [RowAxis.Column]) -> Table<LineService> {
    let columns: [Column<LineService>] = [
      .integer("stations", "number of stations served") { $0.stations },
      .integer("threshold", "seconds") { $0.served.threshold },
      .text("measure", "`origins` or a weight column") { $0.served.measure },
      .lineBreak,
      .real("value", "amount within the threshold of one of its stations") { $0.served.value },
      .optionalReal("share", "value / total amount") { $0.served.share },
    ]
    let name = "short name in the timetable, else long name; with agency or type if several lines share the name"
    return Table(
      "line_service", "line, threshold and measure, and per departure or percentile if the job has several",
      [.text("line", name) { $0.line }] + Column.axis(axis) { $0.served.departure } + columns)
  }
}
