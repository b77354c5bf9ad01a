import Tables

extension Column {
  /// The hour column, for tables with one row per hour; none in a job without hours.
  static func hour(_ hasHours: Bool, _ departure: @escaping @Sendable (Row) -> Int?) -> [Column] {
    hasHours
      ? [.optionalInteger("departure", "number in table `departure`; only in jobs with hours", departure)] : []
  }
}
