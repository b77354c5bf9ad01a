import Geography
import Testing

struct FolderTests {
  @Test(arguments: [
    ("m", ""), (".", ""), ("a/b", "a"), ("/a", "/"), ("/a/b.c", "/a"), ("a/b/", "a"), ("b/", ""), ("/", "/"), ("", ""),
  ])
  func isEverythingBeforeTheLastName(path: String, folder: String) { #expect(path.folder == folder) }
}
