import CCountries
import Foundation

extension CountryTable {
  /// The files in `data/countries`, embedded by C code.
  static var rules: Data { Data(bytes: ccountries_rules_start(), count: ccountries_rules_size) }
  static var timeZones: Data { Data(bytes: ccountries_time_zones_start(), count: ccountries_time_zones_size) }
  static var outlines: Data { Data(bytes: ccountries_outlines_start(), count: ccountries_outlines_size) }
}
