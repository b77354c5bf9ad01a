extension IdentityKey {
  package static let speeds = IdentityKey("speeds", .presentation)
  package static let speedsSHA256 = IdentityKey("speeds_sha256", .input)
  package static let traffic = IdentityKey("traffic", .presentation)
  package static let trafficSHA256 = IdentityKey("traffic_sha256", .input)

  static let ofSpeeds: [IdentityKey] = [.speeds, .speedsSHA256, .traffic, .trafficSHA256]
}
