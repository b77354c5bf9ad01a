import Geography
import Routing
import StreetNetwork
import Tables

extension TraceStreets {
  /// Of a network: streets are numbered as it numbers them, from 1.
  init(_ network: StreetNetwork) {
    self.init(
      count: network.streetCount,
      street: { fid in
        let id = StreetID(fid - 1)
        return StreetUsedRow(
          fid: fid, key: Int(network.streetKey(of: id)), name: network.label(of: id),
          roadClass: "\(network.attributes(of: id).roadClass)", centimetres: Int(network.street(id).centimetres),
          shape: GeometryBlob(line: ArraySlice(network.points[network.shape(of: id)])))
      },
      pieces: { direction in
        let pieces = network.parts(of: StreetID(direction.fid - 1)).map { part in
          WayPiece(
            way: Int(part.way), fromNode: Int(direction.isReversed ? part.headNode : part.tailNode),
            toNode: Int(direction.isReversed ? part.tailNode : part.headNode),
            isForward: part.isReversed == direction.isReversed)
        }
        return direction.isReversed ? pieces.reversed() : pieces
      })
  }
}

extension StreetDirection {
  init(_ street: DirectedStreet) { self.init(fid: Int(street.street.index) + 1, isReversed: street.isReversed) }
}
