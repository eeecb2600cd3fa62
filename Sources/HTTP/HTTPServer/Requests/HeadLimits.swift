import HTTPSemantics
import HTTPTypes
import NIOHTTP1

/// How much a request's head may hold.
///
/// Heads that are over these limits, but not over twice as much, are read whole and refused with a sentence; what is
/// longer than that is not read to its end, and ends the connection. In HTTP/2 each field counts for 32 bytes more
/// there.
package enum HeadLimits {
    /// Fields; the parts of `Cookie` that HTTP/2 sends one by one (RFC 9113, 8.2.3) count as one.
    package static let fieldCount = 100
    /// The target and all fields' names and values, in bytes.
    package static let byteCount = 32 << 10

    /// Where reading stops.
    static var decoder: NIOHTTPDecoderLimitConfiguration {
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = 2 * self.byteCount
        limits.maxHeaderListSize = 2 * self.byteCount
        limits.maxHeaderFieldCount = 2 * self.fieldCount
        return limits
    }

    /// - Throws: ``Problem`` of the kind `header-too-large`.
    static func check(_ request: HTTPRequest) throws(Problem) {
        var byteCount = request.path?.utf8.count ?? 0
        var fieldCount = 0
        var hasCookie = false
        for field in request.headerFields {
            byteCount += field.name.rawName.utf8.count + field.value.utf8.count
            guard field.name == .cookie else {
                fieldCount += 1
                continue
            }
            fieldCount += hasCookie ? 0 : 1
            hasCookie = true
        }
        guard fieldCount <= Self.fieldCount else {
            throw Problem(
                .headerTooLarge, "the request has \(fieldCount) header fields; allowed are \(Self.fieldCount)")
        }
        guard byteCount <= Self.byteCount else {
            throw Problem(
                .headerTooLarge,
                "the request's target and header fields have \(byteCount) bytes; allowed are \(Self.byteCount)")
        }
    }
}

/// What `Expect` says (RFC 9110, 10.1.1).
enum Expectation: Equatable {
    case none
    /// The client sends its body when it has a 100, or after a while.
    case `continue`
    /// Something that this server cannot meet.
    case unknown

    init(_ fields: HTTPFields) {
        guard let value = fields[.expect] else {
            self = .none
            return
        }
        let members = value.lowercased().split(separator: ",")
        let isContinue = members.allSatisfy { $0.trimmingBlanks == "100-continue" }
        self = isContinue && !members.isEmpty ? .continue : .unknown
    }
}
