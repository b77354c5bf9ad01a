extension Directions {
  // Each is the synchronous function off the caller's actor: an `await` on the main actor does not block it. Their work
  // is all computing, and polls whether their task is cancelled.

  /// As the synchronous one.
  ///
  /// - Throws: `DirectionsError`; errors of building a network that avoids something.
  @concurrent
  public func calculate(_ request: DirectionsRequest) async throws -> [Route] {
    let answer: (DirectionsRequest) throws -> [Route] = calculate
    return try answer(request)
  }

  /// As the synchronous one.
  ///
  /// - Throws: as `calculate` does.
  @concurrent
  public func calculateETA(_ request: DirectionsRequest) async throws -> ETA {
    let answer: (DirectionsRequest) throws -> ETA = calculateETA
    return try answer(request)
  }

  /// As the synchronous one.
  ///
  /// - Throws: `DirectionsError.cancelled`.
  @concurrent
  public func calculateMatrix(_ request: MatrixRequest) async throws -> ETAMatrix {
    let answer: (MatrixRequest) throws -> ETAMatrix = calculateMatrix
    return try answer(request)
  }

  /// As the synchronous one.
  ///
  /// - Throws: `DirectionsError.cancelled`.
  @concurrent
  public func calculateNearest(_ request: NearestRequest) async throws -> [[NearestPlace]] {
    let answer: (NearestRequest) throws -> [[NearestPlace]] = calculateNearest
    return try answer(request)
  }

  /// As the synchronous one.
  ///
  /// - Throws: `DirectionsError`.
  @concurrent
  public func calculateIsochrones(_ request: IsochroneRequest) async throws -> [Isochrone] {
    let answer: (IsochroneRequest) throws -> [Isochrone] = calculateIsochrones
    return try answer(request)
  }
}
