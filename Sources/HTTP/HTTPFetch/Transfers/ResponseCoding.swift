import HTTPSemantics

/// A content coding of a response's body (RFC 9110, 8.4.1).
enum ResponseCoding: Hashable, Sendable {
    case gzip
    case deflate
    case brotli
    /// A registered coding that is not decoded, by its name in lower case.
    case unsupported(String)

    /// Maximum number of codings of one body: each may expand its input a thousandfold.
    static let maxCount = 2

    /// Codings of IANA's registry that are not decoded.
    private static let unsupportedNames: Set<String> = [
        "aes128gcm", "compress", "dcb", "dcz", "exi", "pack200-gzip", "x-compress", "zstd",
    ]

    /// Parses `Content-Encoding`, in the order in which the codings were applied.
    ///
    /// Unknown tokens are ignored, as in browsers: origins send character sets, `binary`, `null`. So are `identity`,
    /// and the `aws-chunked` of an upload that S3 stores with an object.
    static func list(_ value: String) -> [ResponseCoding] {
        value.utf8.split(separator: UInt8(ascii: ",")).compactMap { element in
            switch Substring(element).trimmingBlanks.lowercased() {
            case "gzip", "x-gzip": .gzip
            case "deflate": .deflate
            case "br": .brotli
            case let name: Self.unsupportedNames.contains(name) ? .unsupported(name) : nil
            }
        }
    }

    var isSupported: Bool { if case .unsupported = self { false } else { true } }

    /// The token in `Content-Encoding`.
    var name: String {
        switch self {
        case .gzip: "gzip"
        case .deflate: "deflate"
        case .brotli: "br"
        case .unsupported(let name): name
        }
    }
}
