import CPage
import Foundation
import Jobs
import Tables

/// A self-contained page, which loads nothing from the internet but the tiles of a tile server, if one is given.
struct Page {
  var title: String
  var heading: String
  /// The one-sentence summary.
  var headline: String
  var subtitle: String
  /// One line about missing data, and its share of all rows; empty if nothing is missing.
  var missing: (text: String, share: Double) = ("", 0)
  /// The picture, and the placeholder for the script's map.
  var map: String
  /// Key figures below the map: numbers and labels.
  var figures: [(value: String, text: String)]
  var content: String
  /// The version of the program that computed the results.
  var version: String
  /// The script's data; nil for a page without an interactive map.
  var data: PageData?

  /// The page's content security policy. Images are data URLs, or come from the tile server, if any.
  private var policy: String {
    let images = data?.tiles.map { " \(Page.origin(of: $0))" } ?? ""
    return "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\(images)"
  }

  /// Returns the origin of a URL template, such as "https://tiles.example.org"; `{s}` in the server's name becomes an
  /// asterisk.
  private static func origin(of tiles: String) -> String {
    let parts = tiles.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).prefix(3)
    return parts.joined(separator: "/").replacing("{s}", with: "*")
  }

  /// The parts of the script, in order.
  private var script: String {
    guard let data else { return Page.file("tables.js") }
    let shared = ["base", "painted", "backdrop", "explorer", "list", "cells", "take"]
    let parts = shared + data.scripts + ["page", "tables"]
    return Leaflet.script + parts.map { Page.file("\($0).js") }.joined()
  }

  /// Returns a file of the folder `Page`, or of Leaflet: a part of the script, or a style.
  static func file(_ name: String) -> String {
    guard let text = cpage_text(name) else { preconditionFailure("pages have no file \(name)") }
    return String(cString: text)
  }

  /// The line about missing data: grey for a small share, amber for a considerable one, red for a large one.
  private var missingLine: String {
    guard !missing.text.isEmpty else { return "" }
    let (level, sign) = missing.share >= 0.1 ? (" much", "⚠ ") : missing.share >= 0.01 ? (" some", "⚠ ") : ("", "")
    let list = content.contains("id=\"missing\"") ? " <a href=\"#missing\">Which?</a>" : ""
    return "<p class=\"missing\(level)\">\(sign)\(HTML.unbroken(HTML.escaped(missing.text))).\(list)</p>\n"
  }

  var html: String {
    let figures = figures.map { value, text in
      "<div><b>\(HTML.unbroken(HTML.escaped(value)))</b><span>\(HTML.unbroken(HTML.escaped(text)))</span></div>"
    }
    let head = """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="generator" content="odometer \(HTML.escaped(version))">
      <meta http-equiv="Content-Security-Policy" content="\(HTML.escaped(policy))">
      <meta property="og:title" content="\(HTML.escaped(heading))">
      <meta property="og:description" content="\(HTML.escaped(headline))">
      <title>\(HTML.escaped(title))</title>
      <style>
      \(data == nil ? "" : Leaflet.style + "\n")\(Page.file("style.css"))</style>
      </head>
      <body>
      <header><h1>\(HTML.escaped(heading))</h1>
      <p class="headline">\(HTML.unbroken(HTML.escaped(headline)))</p>
      <p class="soft">\(HTML.unbroken(HTML.escaped(subtitle)))</p>
      \(missingLine)</header>
      <main>

      """
    let large = figures.isEmpty ? "" : "<div class=\"figures\">\(figures.joined())</div>\n"
    let foot = """
      </main>
      <footer>Made by odometer \(HTML.escaped(version)) from its result tables; map data \
      © OpenStreetMap contributors, ODbL 1.0\(data == nil ? "" : "; interactive map by Leaflet \(Leaflet.version)").</footer>

      """
    let json = data.map { ["<script type=\"application/json\" id=\"data\">\n", $0.json, "\n</script>\n"] } ?? []
    // Joined once, so that large parts are copied only once.
    return ([head, map, large, content, foot] + json + ["<script>\n", script, "</script>\n</body>\n</html>\n"]).joined()
  }

  static func write(_ html: String, to path: String) throws { try WrittenFile(path, .page).write(Array(html.utf8)) }
}

/// Leaflet (V. Agafonkin and others), the map library used by pages, embedded with its licence.
enum Leaflet {
  static let version = CPAGE_LEAFLET_VERSION

  static let notice = """
    Leaflet \(version) (libjs-leaflet), https://leafletjs.com
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

  /// The script without the line that refers to a source map, which the page does not contain.
  static let script: String = {
    let script = Page.file("leaflet.js").utf8
    // Searches from the end: the script is long.
    let mark = script.lastIndex(of: UInt8(ascii: "#")).flatMap {
      script.index($0, offsetBy: -2, limitedBy: script.startIndex)
    }
    let end = mark.flatMap { script[$0...].starts(with: "//# sourceMappingURL".utf8) ? $0 : nil } ?? script.endIndex
    return "/*! \(notice) */\n" + Substring(script[..<end])
  }()

  /// The style without its images, which pages do not use.
  static let style = ["background-image:url(", "behavior:url("].reduce(Page.file("leaflet.css")) {
    style, url in
    let parts = style.components(separatedBy: url)
    return parts[0]
      + parts.dropFirst().map { part in
        let rest = part.drop { $0 != ")" }.dropFirst()
        return rest.first == ";" ? rest.dropFirst() : rest
      }.joined()
  }
}
