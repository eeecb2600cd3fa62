import FoundationEssentials
import HTTPServer
import Hummingbird
import NIOCore

/// The members of requests' bodies. Others are ignored, and all are optional: what is missing is for the resource to say.
struct TMDBBody: Decodable, Sendable {
    /// The longest body, in bytes.
    private static let byteLimit = 8192

    private enum CodingKeys: String, CodingKey {
        case value, favorite, watchlist
        case requestToken = "request_token"
        case sessionID = "session_id"
        case mediaType = "media_type"
        case mediaID = "media_id"
        case username, password
    }

    private(set) var value: Double?
    private(set) var favorite, watchlist: Bool?
    private(set) var requestToken, sessionID, mediaType, username, password: String?
    private(set) var mediaID: Int?

    private init() {}

    /// - Throws: ``TMDBFault`` for what is no JSON object with members of these types, and what reading a body throws.
    static func read(of request: Request) async throws -> TMDBBody {
        let body = try await request.wholeBody(upTo: Self.byteLimit)
        guard body.readableBytes > 0 else { return TMDBBody() }
        do {
            return try JSONDecoder().decode(TMDBBody.self, from: Data(body.readableBytesView))
        } catch {
            throw TMDBFault(.invalidInput)
        }
    }
}
