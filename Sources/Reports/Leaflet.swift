/// Leaflet (V. Agafonkin and others), which moves the maps of pages: as a page embeds it, with its licence.
enum Leaflet {
  static let version = EmbeddedLeaflet.version

  static let notice = """
    Leaflet \(EmbeddedLeaflet.version) (libjs-leaflet), https://leafletjs.com
    Copyright (c) 2010-2019 Vladimir Agafonkin, (c) 2010-2011 CloudMade. All rights reserved.
    Redistribution and use in source and binary forms, with or without modification, are permitted provided that the
    following conditions are met: 1. Redistributions of source code must retain the above copyright notice, this list of
    conditions and the following disclaimer. 2. Redistributions in binary form must reproduce the above copyright notice,
    this list of conditions and the following disclaimer in the documentation and/or other materials provided with the
    distribution. THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS" AND ANY EXPRESS OR IMPLIED
    WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR
    PURPOSE ARE DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE LIABLE FOR ANY DIRECT, INDIRECT,
    INCIDENTAL, SPECIAL, EXEMPLARY, OR CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE
    GOODS OR SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF
    LIABILITY, WHETHER IN CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT
    OF THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.
    """

  /// Without the line that names a file of its sources, which a page does not have.
  static let script: String = {
    let script = EmbeddedLeaflet.script.utf8
    // The mark is looked for from the end: the script is long.
    let mark = script.lastIndex(of: UInt8(ascii: "#")).flatMap {
      script.index($0, offsetBy: -2, limitedBy: script.startIndex)
    }
    let end = mark.flatMap { script[$0...].starts(with: "//# sourceMappingURL".utf8) ? $0 : nil } ?? script.endIndex
    return "/*! \(notice) */\n" + Substring(script[..<end])
  }()

  /// Pages use none of its images.
  static let style: String = {
    var (style, rest) = ([UInt8](), Array(EmbeddedLeaflet.style.utf8)[...])
    while let byte = rest.first {
      if byte == UInt8(ascii: "b"),
        ["background-image:url(", "behavior:url("].contains(where: { rest.starts(with: $0.utf8) })
      {
        rest = rest.drop { $0 != UInt8(ascii: ")") }.dropFirst()
        if rest.first == UInt8(ascii: ";") { rest.removeFirst() }
      } else {
        style.append(byte)
        rest.removeFirst()
      }
    }
    return String(decoding: style, as: UTF8.self)
  }()
}
