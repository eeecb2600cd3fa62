/// What a command asks of the server that holds the data directory: one JSON line.
package enum ControlRequest: Codable, Equatable, Sendable {
    /// Forget posters: their originals and variants.
    case purge(ids: [String])
    /// Read every original again and compare it with its digest.
    case verify(repair: Bool)
    /// Render posters before anybody asks for them: each at each width (pixels) in each format.
    case warm(ids: [String], widths: [Int], formats: [String])
}
