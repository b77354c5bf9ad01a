import Results

extension JobKind {
  /// What jobs of the kind compute, in one line.
  var summary: String {
    switch self {
    case .routes: "every pair's route, with time, distance, steps and shape"
    case .etas: "every pair's time and distance alone, five times as fast as routes"
    case .matrix: "every time and distance between two lists of places, thousands of times as fast as etas"
    case .access: "the stations nearest to each origin, and what each station and line serves"
    case .isochrones: "the areas within given travel times of places"
    }
  }
}
