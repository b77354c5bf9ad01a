import Routing
import StreetNetwork

extension Directions {
  /// Creates directions that use observed speeds for requests with a date, as a job with the keys `speeds` and
  /// `traffic` does.
  ///
  ///     let speeds = [SpeedInput(file: "speeds.csv.gz")]
  ///     let directions = try Directions(networks: [driving], speeds: speeds, traffic: "porto")
  ///
  /// On first use, this reads the files and stores each network's speeds next to the network. Speed limits that apply
  /// on certain dates only are ignored.
  ///
  /// - Parameters:
  ///   - speeds: The files of speeds.
  ///   - traffic: The slowness of streets without speeds by road class and hour: the path of a file, or the name of a
  ///     stock table ("porto").
  /// - Throws: An error that names the file, and the line or the key.
  public convenience init(
    networks: [StreetNetwork], speeds: [SpeedInput], traffic: String? = nil, options: Options = Options()
  ) throws { try self.init(networks: networks, SpeedInputs(speeds, traffic: traffic), options: options) }

  /// Creates directions from speeds and traffic; free flow if there are none.
  package convenience init(networks: [StreetNetwork], _ inputs: SpeedInputs, options: Options) throws {
    let known = inputs.isEmpty ? [] : try networks.map { try inputs.speeds(on: $0).speeds }
    self.init(networks: networks, options: options) { network in
      guard !inputs.isEmpty else { return nil }
      // Networks with avoidances are opened on demand.
      return try networks.firstIndex { $0 === network }.map { known[$0] } ?? inputs.speeds(on: network).speeds
    }
  }
}
