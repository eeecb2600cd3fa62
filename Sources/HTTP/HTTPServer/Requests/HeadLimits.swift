import HTTPSemantics
import HTTPTypes
import NIOHTTP1

/// Limits of a request's head.
///
/// Heads that exceed these limits, but not twice these limits, are read completely and rejected with a problem
/// document; reading stops at longer ones, and the connection closes. There, HTTP/2 counts each field for 32 more
/// bytes.
package enum HeadLimits {
    /// Maximum number of fields; parts of `Cookie`, which HTTP/2 sends separately (RFC 9113, 8.2.3), count as one.
    package static let fieldCount = 100
    /// Maximum length of the target and of all fields' names and values, in bytes.
    package static let byteCount = 32 << 10

    /// The limits at which reading stops.
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
                .headerTooLarge, "the request has \(fieldCount) header fields; the maximum is \(Self.fieldCount)")
        }
        guard byteCount <= Self.byteCount else {
            throw Problem(
                .headerTooLarge,
                "the request's target and header fields have \(byteCount) bytes; the maximum is \(Self.byteCount)")
        }
    }
}

/// The meaning of `Expect` (RFC 9110, 10.1.1).
enum Expectation: Equatable {
    case none
    /// The client sends its body after a 100, or after a while.
    case `continue`
    /// An expectation that this server cannot meet.
    case unknown

    init(_ fields: HTTPFields) {
        guard let value = fields[.expect] else {
            self = .none
            return
        }
        let members = value.lowercased().utf8.split(separator: UInt8(ascii: ",")).map { Substring($0).trimmingBlanks }
        let isContinue = members.allSatisfy { $0.utf8.elementsEqual("100-continue".utf8) }
        self = isContinue && !members.isEmpty ? .continue : .unknown
    }
}
