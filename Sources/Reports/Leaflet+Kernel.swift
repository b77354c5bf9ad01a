import CLeaflet
import Foundation

/// Leaflet, from the Linux distribution's package.
enum EmbeddedLeaflet {
  static let version = CLEAFLET_VERSION
  static var script: String { text(cleaflet_script_start(), cleaflet_script_size) }
  static var style: String { text(cleaflet_style_start(), cleaflet_style_size) }

  private static func text(_ bytes: UnsafePointer<UInt8>, _ size: Int) -> String {
    String(decoding: UnsafeBufferPointer(start: bytes, count: size), as: UTF8.self)
  }
}
