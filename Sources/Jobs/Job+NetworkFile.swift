import Routing
import Settings
import StreetNetwork

/// Jobs whose map is a network file: what was decided when it was built can be said again, not otherwise.
extension Job {
  /// *Throws*: `SettingsError` where a key asks for what the network file is not.
  func checkNetworkFile(_ keys: KeyReader) throws {
    guard let networkProfile else { return }
    guard networkProfile.transportType == transportType else {
      throw keys.error(
        "transportType",
        "got \(transportType.rawValue), but the map \(map) is a network file by \(networkProfile.transportType.rawValue)"
      )
    }
    for key in ["pace", "elevation"] where keys.has(key) {
      throw keys.error(
        key, "the map \(map) is a network file, whose speeds are in it; leave the key out, or name the extract")
    }
    for (key, avoidance) in [("tollPreference", Profile.Avoidance.tolls), ("highwayPreference", .highways)]
    where avoids.contains(avoidance) != networkProfile.avoids.contains(avoidance) {
      throw keys.error(
        key,
        "the map \(map) is a network file that avoids \(networkProfile.avoids.words), the job avoids \(avoids.words); "
          + "name a network file that was built so, or the extract")
    }
  }

  /// The profile of the network file; the job may name it, too. *Throws*: `SettingsError`.
  func ownProfile(_ own: Profile) throws -> Profile {
    guard let profile, try Profile.named(profile).text != own.text else { return own }
    throw SettingsError(
      file: file,
      problem:
        "profile: the map \(map) is a network file that was built with another profile, \(own.name); leave the key out, "
        + "or name the extract")
  }
}
