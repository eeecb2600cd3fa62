import FoundationEssentials
import Hummingbird

/// A JSON object that a request brings.
enum JSONOrder {
    /// The longest, in bytes.
    static let maxBytes = 8192

    /// - Parameter form: What it must be, for people.
    /// - Throws: ``Problem`` of the kinds `invalid-body` and `body-too-large`, and what ``Request/wholeBody(upTo:)`` throws.
    static func read<Value: Decodable>(_ type: Value.Type, of request: Request, form: String) async throws -> Value {
        guard let value = try await Self.readIfAny(type, of: request, form: form) else {
            throw Problem(.invalidBody, "the body must be JSON such as \(form)")
        }
        return value
    }

    /// - Returns: nil without a body.
    static func readIfAny<Value: Decodable>(
        _ type: Value.Type, of request: Request, form: String
    ) async throws -> Value? {
        let body = try await request.wholeBody(upTo: Self.maxBytes)
        guard body.readableBytes > 0 else { return nil }
        do {
            return try JSONDecoder().decode(type, from: Data(body.readableBytesView))
        } catch {
            throw Problem(.invalidBody, "the body must be JSON such as \(form)")
        }
    }
}
