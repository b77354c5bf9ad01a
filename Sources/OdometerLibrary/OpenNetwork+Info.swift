import Geography
import StreetNetwork

extension OpenNetwork {
  /// What Python shows of a network.
  var info: TextBuffer {
    let network = directions.network
    var text = TextBuffer()
    text.append("{\"facts\":{")
    for (index, (name, value)) in network.facts.enumerated() {
      if index > 0 { text.append(",") }
      text.append(jsonString: String(name.drop { $0 == " " }))
      text.append(":")
      text.append(jsonString: value)
    }
    text.append("}")
    let members = [
      ("path", network.path), ("map", network.mapName), ("profile", network.profile.name),
      ("transport_type", network.profile.transportType.rawValue), ("time_zone", network.timeZone),
    ]
    for (name, value) in members {
      text.append(text: ",\"\(name)\":")
      text.append(jsonString: value)
    }
    let (southWest, northEast) = (network.box.southWest, network.box.northEast)
    text.append(text: ",\"bounds\":[\(southWest.longitude),\(southWest.latitude),")
    text.append(text: "\(northEast.longitude),\(northEast.latitude)]")
    text.append(text: ",\"workers\":\(workers)}")
    return text
  }
}
