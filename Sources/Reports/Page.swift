import Foundation
import Results

/// One page for people: a file without anything from a network.
struct Page {
  var title: String
  var heading: String
  var subtitle: String
  /// Large numbers at the top: what they are, and the numbers.
  var figures: [(value: String, text: String)]
  /// Sections.
  var content: String
  /// Of the program that computed what is shown.
  var version: String

  var html: String {
    let figures = figures.map { "<div><b>\(HTML.escaped($0.value))</b><span>\(HTML.escaped($0.text))</span></div>" }
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="generator" content="odometer \(HTML.escaped(version))">
      <title>\(HTML.escaped(title))</title>
      <style>
      \(String(decoding: PackageResources.style_css, as: UTF8.self))</style>
      </head>
      <body>
      <header><h1>\(HTML.escaped(heading))</h1>
      <p class="soft">\(HTML.escaped(subtitle))</p></header>
      <div class="figures">\(figures.joined())</div>
      \(content)<footer>Made by odometer \(HTML.escaped(version)) from the tables of its results; map data \
      © OpenStreetMap contributors, ODbL 1.0.</footer>
      <script>
      \(String(decoding: PackageResources.script_js, as: UTF8.self))</script>
      </body>
      </html>

      """
  }

  /// Writes a page, which gets its name when it is complete and on the disk. *Throws*: `ResultsError`.
  static func write(_ html: String, to path: String) throws {
    // Not Foundation's atomic writing: where that is killed, a hidden file stays for ever.
    let part = path.hasSuffix(".part") ? path : path + ".part"
    do {
      try Data().write(to: URL(fileURLWithPath: part))
      let file = try FileHandle(forWritingTo: URL(fileURLWithPath: part))
      try file.write(contentsOf: Data(html.utf8))
      try file.synchronize()
      try file.close()
      guard part == path || rename(part, path) == 0 else {
        let code = POSIXErrorCode(rawValue: errno) ?? .EIO
        unlink(part)
        throw POSIXError(code)
      }
    } catch {
      let reason = FileProblem.reason(of: error, writing: path)
      throw ResultsError(path: path, problem: "the report cannot be written: \(reason)", cause: .output)
    }
  }
}
