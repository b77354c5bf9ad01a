import CCrypto
import Foundation

/// A SHA-256 computation in progress.
package final class Digest {
  private let context = EVP_MD_CTX_new()!

  package init() {
    guard EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else { preconditionFailure("libcrypto has no SHA-256") }
  }

  deinit { EVP_MD_CTX_free(context) }

  package func update(_ bytes: UnsafeRawBufferPointer) { EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) }

  /// Returns the digest, 32 bytes. Must be called only once.
  package func finish() -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 32)
    EVP_DigestFinal_ex(context, &bytes, nil)
    return bytes
  }

  /// Returns the digest of a file's bytes. *Throws*: `POSIXError`.
  package static func of(file path: String) throws -> [UInt8] {
    let file = try MappedFile(path: path)
    return withExtendedLifetime(file) {
      let digest = Digest()
      digest.update(file.bytes)
      return digest.finish()
    }
  }

  package static func of(_ bytes: some ContiguousBytes) -> [UInt8] {
    let digest = Digest()
    bytes.withUnsafeBytes { digest.update($0) }
    return digest.finish()
  }
}

extension [UInt8] {
  /// The bytes as text, with two hexadecimal digits each.
  package var hexadecimal: String { map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
}
