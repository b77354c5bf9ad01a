import Foundation

extension String {
  /// Decodes input text: UTF-8, or else Windows-1252, a superset of ISO 8859-1.
  package init(input bytes: some Collection<UInt8>) {
    if let text = String(validating: bytes, as: UTF8.self) {
      self = text
      return
    }
    let data = Data(bytes)
    // Windows-1252 leaves five bytes undefined; ISO 8859-1 defines all of them.
    self = String(data: data, encoding: .windowsCP1252) ?? String(data: data, encoding: .isoLatin1) ?? ""
  }
}
