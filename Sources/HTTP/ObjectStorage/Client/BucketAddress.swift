package import HTTPSemantics

/// A bucket's address, with the prefix of its keys that is used.
package struct BucketAddress: Hashable, Sendable {
    /// Why a text is not a valid address.
    package struct Malformed: Error, Hashable, Sendable {
        /// A clause.
        package let reason: String
    }

    /// The accepted forms, for error messages.
    package static let forms = "s3://bucket or s3://bucket/prefix"
    /// S3's limits of a bucket's name, in bytes.
    private static let bucketLengths = 3...63
    /// Maximum length of the prefix, in bytes; whole keys may have 1024.
    private static let prefixLimit = 512

    package let bucket: String
    /// The prefix of all keys: empty, or with a trailing slash.
    package let prefix: String
    /// `https://host[:port]`.
    package let origin: String
    /// The percent-encoded path in front of a key: `/` or `/bucket/`.
    let basePath: String

    /// The value of `Host`.
    package var host: String { String(self.origin[self.origin.firstRange(of: "://")!.upperBound...]) }

    /// The host without its port, as in ``FetchConfiguration``.
    var hostName: String {
        let host = self.host
        if host.hasPrefix("["), let close = host.firstIndex(of: "]") { return String(host[...close]) }
        return String(host.prefix { $0 != ":" })
    }

    /// - Parameters:
    ///   - text: One of ``forms``.
    ///   - endpoint: `https://host[:port]`; the region's endpoint of AWS if `nil`.
    ///   - usesPathStyle: Whether the bucket is in the path instead of the host name; if `nil`, only with an endpoint.
    package init(_ text: String, endpoint: RemoteURL?, region: String, usesPathStyle: Bool?) throws(Malformed) {
        let scheme = "s3://"
        guard text.hasPrefix(scheme) else { throw Malformed(reason: "it must be \(Self.forms)") }
        let parts = text.dropFirst(scheme.count).split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        let bucket = String(parts[0])
        guard Self.bucketLengths.contains(bucket.utf8.count), bucket.utf8.first?.isAlphanumeric == true,
            bucket.utf8.allSatisfy({ ($0.isAlphanumeric && !(65...90).contains($0)) || "-.".utf8.contains($0) })
        else { throw Malformed(reason: "the bucket must be 3 to 63 lower-case letters, digits, hyphens and dots") }
        let prefix = parts.count > 1 ? String(parts[1]) : ""
        let segments = prefix.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: true)
        guard prefix.utf8.count <= Self.prefixLimit, !PercentEncoding.mayHoldDotSegment(prefix.utf8),
            !prefix.contains("//"), !prefix.hasPrefix("/"), prefix.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
        else {
            throw Malformed(
                reason: "the prefix must have at most \(Self.prefixLimit) bytes, and no empty, '.' or '..' segment")
        }
        if let endpoint, endpoint.path != "/" || !endpoint.query.isEmpty {
            throw Malformed(reason: "the endpoint must have no path and no query")
        }
        self.bucket = bucket
        self.prefix = segments.isEmpty ? "" : segments.map { String(Substring($0)) }.joined(separator: "/") + "/"
        let origin = endpoint?.origin ?? "https://s3.\(region).amazonaws.com"
        if usesPathStyle ?? (endpoint != nil) {
            self.origin = origin
            self.basePath = "/\(bucket)/"
        } else {
            let host = origin.firstRange(of: "://")!.upperBound
            self.origin = "\(origin[..<host])\(bucket).\(origin[host...])"
            self.basePath = "/"
        }
    }

    /// The percent-encoded path of an object.
    /// - Parameter key: The key without the prefix.
    func path(of key: String) -> String {
        let segments = (self.prefix + key).utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        return self.basePath + segments.map { PercentEncoding.encode($0) }.joined(separator: "/")
    }

    /// The configured form: `s3://bucket/prefix/`.
    package var text: String { "s3://\(self.bucket)/\(self.prefix)" }
}
