import Geography
import Testing

struct FolderTests {
  @Test(arguments: [
    ("m", ""), (".", ""), ("a/b", "a"), ("/a", "/"), ("/a/b.c", "/a"), ("a/b/", "a"), ("b/", ""), ("/", "/"), ("", ""),
  ])
  func folderIsThePathBeforeTheLastComponent(path: String, folder: String) { #expect(path.folder == folder) }
}
