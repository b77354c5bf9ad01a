/// A call that cannot be answered, as one sentence.
struct LibraryError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
