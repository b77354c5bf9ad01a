import Routing

/// Runs the README's example, and returns the printed lines.
func readmeExample(map: String) async throws -> [String] {
  var printed: [String] = []
  func print(_ line: String) { printed.append(line) }
  // BEGIN
  let network = try await StreetNetwork.load(map: map, profile: .stock("walking"))
  let directions = Directions(network: network)
  let request = DirectionsRequest(
    source: Place(latitude: 60.1660, longitude: 24.9380),
    destination: Place(latitude: 60.1770, longitude: 24.9500))
  for route in try await directions.calculate(request) {
    print("\(route.name): \(Int(route.distance.rounded())) m, \(Int((route.expectedTravelTime / 60).rounded())) min")
    for step in route.steps { print(step.instructions) }
  }
  // END
  return printed
}
