import FoundationEssentials
import HTTPSemantics
package import Hummingbird
package import NIOCore
import NIOHTTP1

/// A JSON object that is decoded strictly from a request's body: unknown members are rejected.
package protocol StrictDecodable: Decodable {
    /// The names of its members; others are rejected.
    static var members: [String] { get }
}

/// Reads a JSON object from a request's body.
package enum JSONBody {
    /// Maximum length of the body, in bytes.
    static let maxBytes = 8192

    /// - Parameter form: An example of the expected JSON, for error messages.
    /// - Throws: ``Problem`` of the kinds `invalid-body` and `body-too-large`; errors of ``Request/wholeBody(upTo:)``.
    package static func read<Value: StrictDecodable>(_ type: Value.Type, of request: Request, form: String) async throws
        -> Value
    {
        guard let value = try await Self.readIfAny(type, of: request, form: form) else {
            throw Problem(.invalidBody, "the body must be JSON such as \(form)")
        }
        return value
    }

    /// - Returns: `nil` if there is no body.
    package static func readIfAny<Value: StrictDecodable>(
        _ type: Value.Type, of request: Request, form: String
    ) async throws -> Value? {
        let body = try await request.wholeBody(upTo: Self.maxBytes)
        guard body.readableBytes > 0 else { return nil }
        let data = Data(body.readableBytesView)
        let value: Value
        let names: MemberNames
        do {
            value = try JSONDecoder().decode(type, from: data)
            names = try JSONDecoder().decode(MemberNames.self, from: data)
        } catch {
            throw Problem(.invalidBody, "the body must be JSON such as \(form)")
        }
        guard names.all.allSatisfy(type.members.contains) else {
            // The name is not repeated: it is arbitrary text of the client.
            throw Problem(
                .invalidBody,
                "the body has an unknown member; known members: \(type.members.joined(separator: ", "))"
            )
        }
        return value
    }

    private struct MemberNames: Decodable {
        private struct Name: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }

            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }

        let all: [String]

        init(from decoder: any Decoder) throws {
            self.all = try decoder.container(keyedBy: Name.self).allKeys.map(\.stringValue)
        }
    }
}

extension Request {
    /// Collects the whole body.
    ///
    /// - Parameter limit: Maximum length in bytes.
    /// - Throws: ``Problem`` if it is longer; ``ClientDisconnected`` if its end never arrives; `HTTPParserError` if it
    ///   is malformed; `CancellationError`.
    package func wholeBody(upTo limit: Int) async throws -> ByteBuffer {
        let tooLarge = Problem(.bodyTooLarge, "the body must be at most \(limit) bytes")
        // Checked before reading: a client may be waiting for a 100.
        if let length = self.headers[.contentLength].flatMap({ Int($0) }), length > limit { throw tooLarge }
        do {
            return try await self.body.collect(upTo: limit)
        } catch is NIOTooManyBytesError {
            throw tooLarge
        } catch let error as CancellationError {
            throw error
        } catch let error as HTTPParserError {
            guard case .invalidEOFState = error else { throw error }
            throw ClientDisconnected()
        } catch {
            // The only other causes are a broken connection and a cancelled stream.
            throw ClientDisconnected()
        }
    }
}

/// The client has left: no response is sent, and its connection or HTTP/2 stream is closed.
struct ClientDisconnected: Error {}
