import FoundationEssentials
import HTTPServer
import Hummingbird
import NIOCore

/// The members of request bodies. All are optional: resources check for missing ones. Others are ignored.
struct TMDBBody: Decodable, Sendable {
    /// Maximum size of a body, in bytes.
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

    init(from decoder: any Decoder) throws {
        let body = try decoder.container(keyedBy: CodingKeys.self)
        self.value = try body.decodeIfPresent(Number.self, forKey: .value)?.value
        self.favorite = try body.decodeIfPresent(Bool.self, forKey: .favorite)
        self.watchlist = try body.decodeIfPresent(Bool.self, forKey: .watchlist)
        self.requestToken = try body.decodeIfPresent(String.self, forKey: .requestToken)
        self.sessionID = try body.decodeIfPresent(String.self, forKey: .sessionID)
        self.mediaType = try body.decodeIfPresent(String.self, forKey: .mediaType)
        self.username = try body.decodeIfPresent(String.self, forKey: .username)
        self.password = try body.decodeIfPresent(String.self, forKey: .password)
        guard let id = try body.decodeIfPresent(Number.self, forKey: .mediaID) else { return }
        guard let number = Int(exactly: id.value) else { throw TMDBFault(.invalidInput) }
        self.mediaID = number
    }

    /// A number, or a string with a number, as clients send it from forms.
    private struct Number: Decodable {
        let value: Double

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let number = try? container.decode(Double.self) {
                self.value = number
                return
            }
            guard let number = Double(try container.decode(String.self)), number.isFinite else {
                throw TMDBFault(.invalidInput)
            }
            self.value = number
        }
    }

    /// - Throws: ``TMDBFault`` unless the body is a JSON object with members of these types; errors of reading it.
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
