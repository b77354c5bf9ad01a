import Geography
import Tables

/// A row of table `street_used`: a street that some trace passed.
package struct StreetUsedRow: Sendable {
  package var fid: Int
  package var key: Int
  package var name: String
  package var roadClass: String
  package var centimetres: Int
  package var shape: GeometryBlob

  package init(fid: Int, key: Int, name: String, roadClass: String, centimetres: Int, shape: GeometryBlob) {
    (self.fid, self.key, self.name, self.roadClass) = (fid, key, name, roadClass)
    (self.centimetres, self.shape) = (centimetres, shape)
  }

  static let table = Table<StreetUsedRow>(
    "street_used", "street that a trace passed",
    [
      .key("fid", "the street's number in its network, from 1") { $0.fid },
      .integer("street_key", "of its ends and its length: stays over updates of the map and over profiles") { $0.key },
      .text("name", "its name or reference, else what it is") { $0.name },
      .text("class", "the road's class: `motorway` to `path`") { $0.roadClass },
      .real("length", "metres") { Units.metres($0.centimetres) },
      .geometry("geom", .lineString) { $0.shape },
    ])
}
