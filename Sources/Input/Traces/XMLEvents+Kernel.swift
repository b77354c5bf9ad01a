import CExpat
import Foundation
import Geography

/// A parser that reads an XML file of any length block by block and reports elements with certain names.
///
/// Prefixes of names are ignored. Files that declare entities are rejected: entities can expand without limit, and
/// traces do not need them.
final class XMLEvents {
  private let path: String
  private let blocks: InputBlocks
  private let parser: XML_Parser
  private let names: [[UInt8]]
  private unowned let handler: GPXTraces
  private var buffer = [UInt8](repeating: 0, count: 1 << 16)
  private var text: [UInt8] = []
  /// Whether text is collected: the last tag opened a requested element.
  private var isWanted = false
  private var declaresEntities = false
  private var isEmpty = true
  /// The name of the outermost element.
  private(set) var root: String?

  /// The maximum length of an element's text; names and times are shorter.
  private static let maximumTextBytes = 1000

  /// *Throws*: `OdometerError`.
  init(path: String, names: [String], handler: GPXTraces) throws {
    self.path = path
    self.handler = handler
    self.names = names.map { Array($0.utf8) }
    blocks = try InputBlocks(path: path)
    parser = XML_ParserCreate(nil)
    XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
    XML_SetElementHandler(
      parser,
      { user, name, attributes in
        if let name, let attributes { XMLEvents.instance(user).begin(name, XMLAttributes(names: attributes)) }
      },
      { user, name in
        if let name { XMLEvents.instance(user).end(name) }
      })
    XML_SetCharacterDataHandler(parser) { user, text, count in
      if let text { XMLEvents.instance(user).add(UnsafeRawBufferPointer(start: text, count: Int(count))) }
    }
    XML_SetEntityDeclHandler(parser) { user, _, _, _, _, _, _, _, _ in
      let events = XMLEvents.instance(user)
      events.declaresEntities = true
      XML_StopParser(events.parser, 0)
    }
  }

  deinit { XML_ParserFree(parser) }

  /// The line of the current event.
  var line: Int { Int(XML_GetCurrentLineNumber(parser)) }

  /// Reads a block; returns false at the end of the file. *Throws*: `OdometerError`.
  func readBlock() throws -> Bool {
    let count = try blocks.read(into: &buffer)
    if isEmpty, count == 0 { throw .input(path, "the file is empty") }
    isEmpty = false
    let status = buffer.withUnsafeBytes { bytes in
      XML_Parse(parser, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(count), count == 0 ? 1 : 0)
    }
    guard status == XML_STATUS_OK else {
      let problem =
        declaresEntities
        ? "it declares entities, which are not allowed in traces"
        : "the XML cannot be read: \(String(cString: XML_ErrorString(XML_GetErrorCode(parser))))"
          + (count == 0 ? " before the end of the file" : "")
      throw .input(path, line: line, problem)
    }
    return count > 0
  }

  private static func instance(_ user: UnsafeMutableRawPointer?) -> XMLEvents {
    Unmanaged<XMLEvents>.fromOpaque(user!).takeUnretainedValue()
  }

  private func begin(_ name: UnsafePointer<CChar>, _ attributes: XMLAttributes) {
    if root == nil { root = String(cString: XMLEvents.localName(name)) }
    text.removeAll(keepingCapacity: true)
    let element = index(of: name)
    isWanted = element != nil
    if let element { handler.begin(element, attributes) }
  }

  private func end(_ name: UnsafePointer<CChar>) {
    if let element = index(of: name) {
      text.withUnsafeBufferPointer { bytes in
        let start = bytes.firstIndex { $0 > 0x20 } ?? bytes.endIndex
        let end = bytes.lastIndex { $0 > 0x20 }.map { $0 + 1 } ?? start
        bytes[start..<end].withContiguousStorageIfAvailable { handler.end(element, RowField($0)) }
      }
    }
    text.removeAll(keepingCapacity: true)
    isWanted = false
  }

  private func add(_ bytes: UnsafeRawBufferPointer) {
    if isWanted, text.count < XMLEvents.maximumTextBytes { text.append(contentsOf: bytes) }
  }

  private func index(of name: UnsafePointer<CChar>) -> Int? {
    let local = XMLEvents.localName(name)
    let length = strlen(local)
    for (index, name) in names.enumerated() where name.count == length && memcmp(name, local, length) == 0 {
      return index
    }
    return nil
  }

  private static func localName(_ name: UnsafePointer<CChar>) -> UnsafePointer<CChar> {
    strrchr(name, Int32(UInt8(ascii: ":"))).map { UnsafePointer($0 + 1) } ?? name
  }
}

/// The attributes of an element, valid during its callback.
struct XMLAttributes {
  fileprivate let names: UnsafeMutablePointer<UnsafePointer<CChar>?>

  /// The value of an attribute; empty if there is no such attribute.
  subscript(name: String) -> RowField {
    var at = names
    while let key = at[0], let value = at[1] {
      if strcmp(key, name) == 0 {
        let bytes = UnsafeRawBufferPointer(start: value, count: strlen(value))
        return RowField(bytes.bindMemory(to: UInt8.self))
      }
      at += 2
    }
    return .empty
  }
}
