import CTexts
import Foundation

/// Returns a text that is part of the program, such as `data/profiles/walking.json5` or `page/access.js`; nil if none
/// has this name.
package func embeddedText(_ name: String) -> String? { ctext(name).map { String(cString: $0) } }

extension SettingsFile {
  /// Reads settings that are part of the program, such as `data/profiles/walking.json5`. *Throws*: `SettingsError`.
  package init(embedded name: String) throws {
    guard let text = embeddedText(name) else { throw SettingsError(file: name, problem: "not part of the program") }
    try self.init(name: name, bytes: Data(text.utf8))
  }
}
