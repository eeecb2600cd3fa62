import HTTPSemantics
import HTTPServer
import HTTPTypes
import Hummingbird

/// The fields of a submitted form (HTML, "application/x-www-form-urlencoded").
struct FormBody: Hashable, Sendable {
    /// The default limit in bytes.
    static let lengthLimit = 4096
    /// The maximal length of a name in bytes.
    private static let nameLimit = 64
    private static let type = "application/x-www-form-urlencoded"

    private let fields: [String: String]

    /// - Throws: ``Problem`` of the kinds `invalid-body` and `body-too-large`, and errors of reading the body.
    init(of request: Request, known: Set<String>, lengthLimit: Int = Self.lengthLimit) async throws {
        let type = request.headers[.contentType] ?? Self.type
        guard type.prefix(while: { $0 != ";" }).lowercased().filter({ $0 != " " }) == Self.type else {
            throw Problem(.invalidBody, "the body must be a form of the type \(Self.type)")
        }
        try self.init(String(buffer: try await request.wholeBody(upTo: lengthLimit)), known: known)
    }

    /// - Parameter known: The names of the accepted fields; each may occur once.
    init(_ text: String, known: Set<String>) throws(Problem) {
        var fields: [String: String] = [:]
        // By bytes, and without long names: Swift compares texts in time quadratic in the number of combining marks.
        for pair in text.utf8.split(separator: UInt8(ascii: "&")) {
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Self.decoded(parts[0]), let value = parts.count > 1 ? Self.decoded(parts[1]) : "" else {
                throw Problem(.invalidBody, "the form holds malformed percent-encoding")
            }
            guard name.utf8.count <= Self.nameLimit, known.contains(name) else {
                throw Problem(.invalidBody, "the form may have only \(known.sorted().joined(separator: ", "))")
            }
            guard fields.updateValue(value, forKey: name) == nil else {
                throw Problem(.invalidBody, "the form has \(name) more than once")
            }
        }
        self.fields = fields
    }

    subscript(name: String) -> String? { self.fields[name] }

    private static func decoded(_ text: Substring.UTF8View) -> String? {
        PercentEncoding.decodeWithAnyMarks(
            Substring(decoding: text.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }, as: UTF8.self))
    }
}
