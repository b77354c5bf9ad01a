import Tables

extension Column {
  /// The hour, of tables that have a row for each where the job has hours; no column in a job without.
  static func hour(_ hasHours: Bool, _ departure: @escaping @Sendable (Row) -> Int?) -> [Column] {
    hasHours
      ? [.optionalInteger("departure", "number in table `departure`; only in jobs with hours", departure)] : []
  }
}
