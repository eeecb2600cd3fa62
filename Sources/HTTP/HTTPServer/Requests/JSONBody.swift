import FoundationEssentials
import HTTPSemantics
package import Hummingbird
package import NIOCore
import NIOHTTP1

/// A JSON object in a request's body, decoded strictly: unknown members are rejected.
package protocol StrictDecodable: Decodable {
    /// The names of its members: another one is rejected.
    static var members: [String] { get }
}

/// Reads a JSON object from a request's body.
package enum JSONBody {
    /// The longest, in bytes.
    static let maxBytes = 8192

    /// - Parameter form: What it must be, for people.
    /// - Throws: ``Problem`` of the kinds `invalid-body` and `body-too-large`, and what ``Request/wholeBody(upTo:)``
    ///   throws.
    package static func read<Value: StrictDecodable>(_ type: Value.Type, of request: Request, form: String) async throws
        -> Value
    {
        guard let value = try await Self.readIfAny(type, of: request, form: form) else {
            throw Problem(.invalidBody, "the body must be JSON such as \(form)")
        }
        return value
    }

    /// - Returns: nil without a body.
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
            // The name is not repeated: it may be anything.
            throw Problem(
                .invalidBody,
                "the body has a member that is not known here; it may have \(type.members.joined(separator: ", ")) alone"
            )
        }
        return value
    }

    /// The names of an object's members.
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
    /// The body, when all of it has come.
    ///
    /// - Parameter limit: The longest, in bytes.
    /// - Throws: ``Problem`` when it is longer, ``ClientDisconnected`` when its end never comes, `HTTPParserError` when
    ///   it is malformed, `CancellationError`.
    package func wholeBody(upTo limit: Int) async throws -> ByteBuffer {
        let tooLarge = Problem(.bodyTooLarge, "the body must be at most \(limit) bytes")
        // Before any of it is read: a client may be waiting for a 100.
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
            // Nothing else is wrong with bytes that come: the connection broke, or the stream was given up.
            throw ClientDisconnected()
        }
    }
}

/// The client has left: no response is sent, and its connection, or its stream of HTTP/2, ends.
struct ClientDisconnected: Error {}
