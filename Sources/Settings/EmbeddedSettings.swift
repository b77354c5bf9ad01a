import CTexts
import Foundation

extension SettingsFile {
  /// Reads settings that are part of the program, such as `data/profiles/walking.json5`. *Throws*: `SettingsError`.
  package init(embedded name: String) throws {
    guard let text = ctext(name) else { throw SettingsError(file: name, problem: "not part of the program") }
    try self.init(name: name, bytes: Data(String(cString: text).utf8))
  }
}
