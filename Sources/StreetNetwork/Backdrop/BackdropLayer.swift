/// What is drawn under results, from the bottom up.
package enum BackdropLayer: UInt8, Sendable, BitwiseCopyable, CaseIterable {
  case sea, park, water, railway, street, place
}
