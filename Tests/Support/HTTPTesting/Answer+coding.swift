import CHTTPTesting
package import PosterTesting

extension HTTPConnection.Answer {
    /// The decoded body; empty if it is malformed, longer than 4 MiB, or coded other than with br and gzip.
    package var decodedBody: [UInt8] {
        Self.decoded(self.body, coding: self.headers["content-encoding"])
    }

    /// - Parameter coding: `nil` returns the bytes unchanged.
    package static func decoded(_ bytes: [UInt8], coding: String?) -> [UInt8] {
        guard let coding else { return bytes }
        let capacity = 4 << 20
        return [UInt8](unsafeUninitializedCapacity: capacity) { output, count in
            let start = output.baseAddress!
            switch coding {
            case "br": count = http_testing_unbrotli(bytes, bytes.count, start, capacity)
            case "gzip": count = http_testing_gunzip(bytes, bytes.count, start, capacity)
            default: count = 0
            }
        }
    }
}
