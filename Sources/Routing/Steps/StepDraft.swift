import Hierarchy
import StreetNetwork

/// A step before it is put into words.
struct StepDraft {
  var maneuver: Maneuver
  /// A row of the network's attributes.
  var attributes: UInt32
  var notices: Notices = []
  /// The heading of a departure, in degrees.
  var heading = 0.0
  /// The exit of a roundabout.
  var exits: UInt8 = 0
  var staysOnStreet = false
  var isPushed = false
  var weight = Weight.zero
  var climb = Climb()
  /// Its first point.
  var start: Int
}
