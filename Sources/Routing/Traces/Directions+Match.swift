import StreetNetwork

extension Directions {
  /// The streets that a trace followed, with its times, breaks and stops.
  ///
  ///     let match = try directions.match(locations.map { Fix(coordinate: $0.coordinate, timestamp: $0.timestamp) })
  ///     for part in match.parts { print(part.distance, part.expectedTravelTime, part.observedTime ?? 0) }
  ///
  /// Fixes are cleaned as a breadcrumb is (`BreadcrumbPath`); each is in the answer, with what became of it.
  ///
  /// - Parameter fixes: In the order in which they were recorded.
  /// - Throws: `DirectionsError.cancelled`.
  public func match(_ fixes: [Fix], options: MatchOptions = MatchOptions()) throws -> Match {
    try withRouter { router, isCancelled in
      let match = TraceMatcher(router, options).match(fixes)
      guard !isCancelled() else { throw DirectionsError.cancelled }
      return match
    }
  }
}
