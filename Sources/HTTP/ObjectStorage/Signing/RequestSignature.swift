import Cryptography
import Glibc
import HTTPSemantics

/// Signs requests with AWS Signature Version 4.
///
/// Follows AWS's documentation, without normalising paths: S3 does not normalise them either.
struct RequestSignature {
    /// The signed parts of a request.
    struct Request {
        var method: String
        /// Percent-encoded, with its leading slash.
        var path: String
        /// Unencoded parameters, in any order.
        var query: [(name: String, value: String)] = []
        /// All signed fields, `Host` included.
        var headers: [(name: String, value: String)]
        /// SHA-256 of the content, in hexadecimal.
        var contentDigest: String
    }

    private static let algorithm = "AWS4-HMAC-SHA256"

    let credentials: S3Credentials
    let region: String
    var service = "s3"

    static let emptyDigest = digest(of: [])

    /// SHA-256 in hexadecimal.
    static func digest(of bytes: [UInt8]) -> String { self.hexadecimal(SHA256.hash(data: bytes)) }

    /// Returns the value of the `Authorization` field.
    func authorization(of request: Request, at time: SigningTime) -> String {
        let (headers, names) = Self.canonicalHeaders(request.headers)
        let canonical = [
            request.method, request.path, Self.canonicalQuery(request.query), headers, names, request.contentDigest,
        ].joined(separator: "\n")
        let scope = "\(time.day)/\(self.region)/\(self.service)/aws4_request"
        let digest = Self.digest(of: Array(canonical.utf8))
        let text = [Self.algorithm, time.text, scope, digest].joined(separator: "\n")
        var key = SymmetricKey(data: "AWS4\(self.credentials.secretAccessKey)".utf8)
        for part in scope.split(separator: "/") { key = SymmetricKey(data: Self.code(part, key)) }
        let signature = Self.hexadecimal(Self.code(text, key))
        return
            "\(Self.algorithm) Credential=\(self.credentials.accessKeyID)/\(scope), SignedHeaders=\(names), Signature=\(signature)"
    }

    /// Returns the percent-encoded parameters, sorted by name and then value; also usable as the URL's query.
    static func canonicalQuery(_ query: [(name: String, value: String)]) -> String {
        query.map { (PercentEncoding.encode($0.name.utf8), PercentEncoding.encode($0.value.utf8)) }
            .sorted { ($0.0, $0.1) < ($1.0, $1.1) }
            .map { "\($0)=\($1)" }.joined(separator: "&")
    }

    /// Names are lower-cased and sorted; values are trimmed, their runs of spaces collapsed; values of one name are
    /// joined by commas.
    private static func canonicalHeaders(
        _ headers: [(name: String, value: String)]
    ) -> (lines: String, names: String) {
        var values: [String: String] = [:]
        for (name, value) in headers {
            let value = value.split(separator: " ").joined(separator: " ")
            let name = name.lowercased()
            values[name] = values[name].map { "\($0),\(value)" } ?? value
        }
        let sorted = values.sorted { $0.key < $1.key }
        return (sorted.map { "\($0.key):\($0.value)\n" }.joined(), sorted.map(\.key).joined(separator: ";"))
    }

    private static func code(_ text: some StringProtocol, _ key: SymmetricKey) -> [UInt8] {
        HMACSHA256.authenticationCode(for: text.utf8, using: key)
    }

    private static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}

/// The time of a signature, in the basic format of ISO 8601.
struct SigningTime: Hashable {
    /// For example `20130524T000000Z`.
    let text: String

    /// The date part, `yyyymmdd`.
    var day: Substring { self.text.prefix(8) }

    init(secondsSince1970: Int64) {
        var (time, parts) = (time_t(secondsSince1970), tm())
        gmtime_r(&time, &parts)
        let two = { (number: Int32) in number < 10 ? "0\(number)" : "\(number)" }
        let date = "\(1900 + parts.tm_year)\(two(parts.tm_mon + 1))\(two(parts.tm_mday))"
        self.text = "\(date)T\(two(parts.tm_hour))\(two(parts.tm_min))\(two(parts.tm_sec))Z"
    }
}
