import CExpat
import Foundation

/// An XML file of any length, read block by block: calls `begin`, `text` and `end` for its elements.
///
/// Prefixes of names are left out. Files that declare entities are refused: what a few lines of them unfold to may be
/// without end, and no trace needs one.
final class XMLEvents {
  /// What is called; the reader must outlive the reading.
  protocol Handler: AnyObject {
    func begin(_ element: String, attribute: (String) -> String?)
    func text(_ text: String)
    func end(_ element: String)
  }

  private let path: String
  private let blocks: InputBlocks
  private let parser: XML_Parser
  private var buffer = [UInt8](repeating: 0, count: 1 << 16)
  fileprivate unowned let handler: any Handler
  fileprivate var declaresEntities = false
  private var isEmpty = true

  /// *Throws*: `InputError`.
  init(path: String, handler: any Handler) throws {
    self.path = path
    self.handler = handler
    blocks = try InputBlocks(path: path)
    parser = XML_ParserCreate(nil)
    XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
    XML_SetElementHandler(
      parser,
      { user, name, attributes in
        guard let name, let attributes else { return }
        XMLEvents.of(user).handler.begin(XMLEvents.localName(name)) { wanted in
          var at = attributes
          while let key = at[0], let value = at[1] {
            if strcmp(key, wanted) == 0 { return String(cString: value) }
            at += 2
          }
          return nil
        }
      },
      { user, name in
        guard let name else { return }
        XMLEvents.of(user).handler.end(XMLEvents.localName(name))
      })
    XML_SetCharacterDataHandler(parser) { user, text, count in
      guard let text else { return }
      text.withMemoryRebound(to: UInt8.self, capacity: Int(count)) { bytes in
        let bytes = UnsafeBufferPointer(start: bytes, count: Int(count))
        XMLEvents.of(user).handler.text(String(decoding: bytes, as: UTF8.self))
      }
    }
    XML_SetEntityDeclHandler(parser) { user, _, _, _, _, _, _, _, _ in
      let events = XMLEvents.of(user)
      events.declaresEntities = true
      XML_StopParser(events.parser, 0)
    }
  }

  deinit { XML_ParserFree(parser) }

  /// Where the element begins that is being told.
  var line: Int { Int(XML_GetCurrentLineNumber(parser)) }

  /// Reads a block; false at the end of the file. *Throws*: `InputError`.
  func readBlock() throws -> Bool {
    let count = try blocks.read(into: &buffer)
    if isEmpty, count == 0 { throw InputError(file: path, problem: "the file is empty") }
    isEmpty = false
    let status = buffer.withUnsafeBytes { bytes in
      XML_Parse(parser, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(count), count == 0 ? 1 : 0)
    }
    guard status == XML_STATUS_OK else {
      let problem =
        declaresEntities
        ? "it declares entities, which no trace needs"
        : "the XML cannot be read: \(String(cString: XML_ErrorString(XML_GetErrorCode(parser))))"
      throw InputError(file: path, line: line, problem: problem)
    }
    return count > 0
  }

  private static func of(_ user: UnsafeMutableRawPointer?) -> XMLEvents {
    Unmanaged<XMLEvents>.fromOpaque(user!).takeUnretainedValue()
  }

  private static func localName(_ name: UnsafePointer<CChar>) -> String {
    let behind = strrchr(name, Int32(UInt8(ascii: ":"))).map { UnsafePointer($0 + 1) }
    return String(cString: behind ?? name)
  }
}
